"""Source: one constraint over integer variables as a whole. Target: trees and globals, as in `expressions`.

What a format has a constraint for stays one. Distances become a few trees for each node and each link, or
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ggp.encoding.constraints import (
    Automaton,
    Circuit,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Global,
    Linear,
    Regular,
    Table,
)
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.distance_tables import Side, Tables, sides
from ggp.encoding.lowering.trees import COMPARISONS, Tree


def trees(
    constraint: Global,
    encoding: Encoding,
    called: Mapping[int, str],
    lit: Callable[[Lit], Tree],
    *,
    tables: bool = False,
) -> Iterator[Tree]:
    """What a constraint says; `called` names the variables, `lit` is the tree of a literal.

    `tables`: distances are told by tables rather than by trees.
    """
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
            told = Distance(constraint, called, lit)
            yield from Tables(encoding, constraint, called).written(told.around) if tables else told.all()


def letters(automaton: Automaton) -> list[int]:
    """The words of one value that lead to a final state."""
    return sorted(
        {value for state, value, to in automaton.transitions if state == 0 and to in automaton.finals}
    )


def linear(constraint: Linear, called: Mapping[int, str], lit: Callable[[Lit], Tree]) -> Tree:
    """A sum, or a comparison of two variables; with a condition an implication."""
    terms, says, number = constraint.terms, COMPARISONS[constraint.comparison], constraint.number
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


@dataclass(frozen=True)
class Distance:
    """Distances as trees: nodes outside and roots are 0 away; each other one has a link to a nearer one."""

    constraint: Distances
    called: Mapping[int, str]
    lit: Callable[[Lit], Tree]

    @cached_property
    def beside(self) -> list[list[Side]]:
        """The links of each node."""
        return sides(self.constraint)

    def all(self) -> Iterator[Tree]:
        """The trees of all nodes, then of all links."""
        for node in range(len(self.constraint.variables)):
            yield from self.of_node(node)
        for one, other, link in self.constraint.links:
            yield from self.linked(one, other, link)

    def around(self, node: int) -> Iterator[Tree]:
        """The trees of a node and of the links that begin there."""
        yield from self.of_node(node)
        for side in self.beside[node]:
            if side.first:
                yield from self.linked(node, side.other, side.link)

    def of_node(self, node: int) -> Iterator[Tree]:
        """The trees of a node."""
        constraint, lit = self.constraint, self.lit
        inside, root = constraint.inside[node], constraint.roots[node]
        far, away = self.far(node), ["gt", self.far(node), 0]
        if inside is False:
            yield ["eq", far, 0]
            return
        if inside is not True:
            yield ["imp", lit(-inside), ["eq", far, 0]]
        if root is True:
            yield ["eq", far, 0]
        else:
            here = [] if inside is True else [lit(inside)]
            other_root = [] if root is False else [lit(-root)]
            yield implied([*here, *other_root], away)
            if root is not False:
                yield implied([*here, lit(root)], ["eq", far, 0])
        nearer = list(self.nearer(node))
        yield implied([away], either(nearer)) if nearer else ["eq", far, 0]

    def far(self, node: int) -> str:
        """The name of a distance."""
        return self.called[self.constraint.variables[node]]

    def nearer(self, node: int) -> Iterator[Tree]:
        """The ways in which one beside a node may be nearer by 1."""
        for side in self.beside[node]:
            inside = self.constraint.inside[side.other]
            if side.link is not False and inside is not False:
                less = ["eq", self.far(node), ["add", self.far(side.other), 1]]
                yield both([*said([side.link, inside], self.lit), less])

    def linked(self, one: int, other: int, link: Lit | bool) -> Iterator[Tree]:
        """Two that are linked differ by 1 at most."""
        parts = (link, self.constraint.inside[one], self.constraint.inside[other])
        if False not in [part for part in parts if isinstance(part, bool)]:
            near = ["le", ["dist", self.far(one), self.far(other)], 1]
            yield implied(said(parts, self.lit), near)


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
