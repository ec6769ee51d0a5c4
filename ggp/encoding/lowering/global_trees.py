"""Source: one constraint over integer variables as a whole. Target: trees and globals, as in `expressions`.

What a format has a constraint for stays one. Distances become a few trees for each node and each link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ggp.encoding.constraints import (
    Automaton,
    Circuit,
    DifferentLists,
    Distances,
    Element,
    Global,
    Linear,
    Regular,
    Table,
)
from ggp.encoding.literals import Lit

Tree = Any
SAYS = {"<=": "le", "=": "eq", ">=": "ge"}


def trees(constraint: Global, called: Mapping[int, str], lit: Callable[[Lit], Tree]) -> Iterator[Tree]:
    """What a constraint says; `called` names the variables, `lit` is the tree of a literal."""
    match constraint:
        case Linear():
            yield linear(constraint, called, lit)
        case Regular((variable,), automaton) if allowed := letters(automaton):  # ACE knows no word of one
            yield either([["eq", called[variable], value] for value in allowed])
        case Regular(variables, automaton):
            ways = [list(way) for way in automaton.transitions]
            yield ["regular", [called[v] for v in variables], ways, list(automaton.finals)]
        case DifferentLists(lists):
            yield ["different-lists", [[called[v] for v in variables] for variables in lists]]
        case Circuit(successors):
            yield ["circuit", [called[v] for v in successors]]
        case Element(array, index, result):
            yield ["element", [called[v] for v in array], called[index], called[result]]
        case Table(variables, rows):
            yield ["table", [[called[v] for v in variables]], rows]
        case Distances():
            yield from distances(constraint, called, lit)


def letters(automaton: Automaton) -> list[int]:
    """The words of one value that lead to a final state."""
    return sorted(
        {value for state, value, to in automaton.transitions if state == 0 and to in automaton.finals}
    )


def linear(constraint: Linear, called: Mapping[int, str], lit: Callable[[Lit], Tree]) -> Tree:
    """A sum, or a comparison of two variables; with a condition an implication."""
    terms, says, number = constraint.terms, SAYS[constraint.comparison], constraint.number
    two = len(terms) == 2 and terms[0][0] == 1 and terms[1][0] == -1
    if constraint.when is None and not two:
        return ["sum", [[weight, "%0", [called[v]]] for weight, v in terms], says, number]
    tree: Tree
    if two:
        one, other = (called[variable] for _, variable in terms)
        if (says, number) == ("le", -1):
            tree = ["lt", one, other]
        else:
            tree = [says, one, ["add", other, number] if number else other]
    else:
        weighted = [called[v] if weight == 1 else ["mul", called[v], weight] for weight, v in terms]
        tree = [says, ["add", *weighted] if len(weighted) > 1 else weighted[0], number]
    return tree if constraint.when is None else ["imp", lit(constraint.when), tree]


def distances(constraint: Distances, called: Mapping[int, str], lit: Callable[[Lit], Tree]) -> Iterator[Tree]:
    """Nodes outside and roots are 0 away; each other one has a link to one that is nearer by 1."""
    far = [called[variable] for variable in constraint.variables]
    beside: list[list[tuple[int, Lit | bool]]] = [[] for _ in far]
    for one, other, link in constraint.links:
        beside[one].append((other, link))
        beside[other].append((one, link))
    for node, inside in enumerate(constraint.inside):
        root, away = constraint.roots[node], ["gt", far[node], 0]
        if inside is False:
            yield ["eq", far[node], 0]
            continue
        if inside is not True:
            yield ["imp", lit(-inside), ["eq", far[node], 0]]
        if root is True:
            yield ["eq", far[node], 0]
        else:
            here = [] if inside is True else [lit(inside)]
            other_root = [] if root is False else [lit(-root)]
            yield implied([*here, *other_root], away)
            if root is not False:
                yield implied([*here, lit(root)], ["eq", far[node], 0])
        nearer = [
            both([*said([link, constraint.inside[other]], lit), ["eq", far[node], ["add", far[other], 1]]])
            for other, link in beside[node]
            if link is not False and constraint.inside[other] is not False
        ]
        yield implied([away], either(nearer)) if nearer else ["eq", far[node], 0]
    for one, other, link in constraint.links:
        parts = (link, constraint.inside[one], constraint.inside[other])
        if False not in [part for part in parts if isinstance(part, bool)]:
            yield implied(said(parts, lit), ["le", ["dist", far[one], far[other]], 1])


def said(lits: Iterable[Lit | bool], tree: Callable[[Lit], Tree]) -> list[Tree]:
    """The trees of what is not certain anyway."""
    return [tree(lit) for lit in lits if lit is not True]


def implied(conditions: list[Tree], tree: Tree) -> Tree:
    """Where all conditions hold, the tree does."""
    return ["imp", both(conditions), tree] if conditions else tree


def both(trees: list[Tree]) -> Tree:
    """All of these."""
    return ["and", *trees] if len(trees) > 1 else trees[0]


def either(trees: list[Tree]) -> Tree:
    """One of these."""
    return ["or", *trees] if len(trees) > 1 else trees[0]
