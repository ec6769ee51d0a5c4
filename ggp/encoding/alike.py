"""What constraints say whatever their variables' numbers, so that those of two encodings can be compared.

A helper variable is called by what it is defined as, any other one by its name and its place in its array.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from ggp.encoding.constraints import (
    AllDifferent,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
)
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.literals import Lit

Named = Callable[[int], Hashable]


class Sayings:
    """The numbers of what was said so far; the same for encodings that are to be compared."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}

    def number(self, what: Hashable) -> int:
        """The number of something said: the same if and only if it is the same."""
        return self.numbers.setdefault(what, len(self.numbers))

    def of(self, encoding: Encoding) -> list[int]:
        """For each constraint the number of what it says."""
        definitions: dict[int, Iff] = {}
        for one in encoding.constraints:
            if isinstance(one, Iff) and (number := definition(encoding, one)) is not None:
                definitions.setdefault(number, one)
        names: dict[int, Hashable] = {}

        def name(variable: int) -> Hashable:
            if variable not in names:
                about = encoding.variables[variable]
                names[variable] = about.name, about.index  # what is defined by itself is called by its name
                if variable in definitions:
                    names[variable] = self.number(said(encoding, definitions[variable], name, apart=variable))
            return names[variable]

        return [self.number((said(encoding, one, name), one.why)) for one in encoding.constraints]


def definition(encoding: Encoding, one: Iff) -> int | None:
    """The helper variable that a definition is about."""
    variable = encoding.atoms[abs(one.lit)][0]
    return variable if encoding.variables[variable].meaning == "derived" else None


def said(encoding: Encoding, one: Constraint, name: Named, apart: int | None = None) -> Hashable:
    """What a constraint says; `apart`: the variable that it defines, which is left out."""
    lit = partial(literal, encoding, name)
    match one:
        case Clause(lits):
            return "clause", frozenset(map(lit, lits))
        case Iff(head, op, lits) if apart is not None:
            return "is", head > 0, op, encoding.atoms[abs(head)][1], frozenset(map(lit, lits))
        case Iff(head, op, lits):
            return "iff", lit(head), op, frozenset(map(lit, lits))
        case Sum(terms, comparison, number, _, when):
            weighed = frozenset((weight, lit(each)) for weight, each in terms)
            return "sum", len(terms), weighed, comparison, number, when if when is None else lit(when)
        case Linear(terms, comparison, number, _, when):
            added = frozenset((weight, name(each)) for weight, each in terms)
            return "linear", len(terms), added, comparison, number, when if when is None else lit(when)
        case AllDifferent(variables, _, free):
            return "different", frozenset(map(name, variables)), free
        case Regular(variables, automaton):
            return "regular", tuple(map(name, variables)), automaton
        case DifferentLists(lists):
            return "lists", tuple(tuple(map(name, each)) for each in lists)
        case Circuit(successors):
            return "circuit", tuple(map(name, successors))
        case Distances(variables, inside, roots, links):
            ways = tuple((a, b, lit(link)) for a, b, link in links)
            return "distances", tuple(map(name, variables)), tuple(map(lit, (*inside, *roots))), ways
        case Element(array, index, result):
            return "element", tuple(map(name, array)), name(index), name(result)
        case Table() | Cumulative():
            return said_together(one, name)
        case Joined(inside, links):
            return "joined", tuple(map(lit, inside)), tuple((a, b, lit(link)) for a, b, link in links)
        case Areas(inside, links, size, marks, _, least):
            ways = tuple((a, b, lit(link)) for a, b, link in links)
            return "areas", tuple(map(lit, inside)), ways, size, marks, least


def said_together(one: Table | Cumulative, name: Named) -> Hashable:
    """What a table says, or tasks do."""
    if isinstance(one, Table):
        return "table", tuple(map(name, one.variables)), frozenset(one.rows)
    tasks = tuple(zip(map(name, one.starts), one.lengths, one.heights, strict=True))
    return "cumulative", tasks, one.limit


def literal(encoding: Encoding, name: Named, lit: Lit | bool) -> Hashable:
    """What a literal says."""
    if isinstance(lit, bool):
        return lit
    variable, value = encoding.atoms[abs(lit)]
    return name(variable), value, lit > 0
