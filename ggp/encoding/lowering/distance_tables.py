"""Source: distances from roots. Target: tables with stars where any value will do, else trees.

Such a table says at once all that a node has to do with those beside it; of an expression solvers make a
variable for each comparison.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from ggp.encoding.constraints import Distances, Encoding
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.trees import Tree

Row = dict[int, int]
"""Values of variables, by their numbers; where one is not there, any value."""
MOST_ROWS = 1000  # of a table: boards of 15x15


class Side(NamedTuple):
    """A link of a node: to which other one, where it is, and whether it is the first of the two."""

    other: int
    link: Lit | bool
    first: bool


def sides(constraint: Distances) -> list[list[Side]]:
    """The links of each node."""
    found: list[list[Side]] = [[] for _ in constraint.variables]
    for one, other, link in constraint.links:
        found[one].append(Side(other, link, True))
        found[other].append(Side(one, link, False))
    return found


@dataclass(frozen=True)
class Tables:
    """Writes the tables of one constraint. `called` has the names of the variables that the file has."""

    encoding: Encoding
    constraint: Distances
    called: Mapping[int, str]

    def domain(self, variable: int) -> tuple[int, ...]:
        """The values that a variable can have."""
        return self.encoding.variables[variable].domain

    @cached_property
    def beside(self) -> list[list[Side]]:
        """The links of each node."""
        return sides(self.constraint)

    def written(self, otherwise: Callable[[int], Iterable[Tree]]) -> Iterator[Tree]:
        """All tables, those with equal rows together; `otherwise` has the trees of a node without them."""
        found: dict[tuple[tuple[int | None, ...], ...], list[list[str]]] = defaultdict(list)
        for node in range(len(self.constraint.variables)):
            tables = self.of_node(node)
            if tables is None:
                yield from otherwise(node)
                continue
            for rows in tables:
                variables = list(dict.fromkeys(chain.from_iterable(rows)))
                if {} in rows:
                    continue  # any values will do
                if len(variables) == 1:
                    yield from self.one_of(variables[0], {row[variables[0]] for row in rows})
                else:
                    told = tuple(tuple(row.get(one) for one in variables) for row in rows)
                    found[told].append([self.called[one] for one in variables])
        for told, lists in found.items():
            yield ["table", lists, told]

    def one_of(self, variable: int, values: Set[int]) -> Iterator[Tree]:
        """A variable has one of these values, said if it could have another."""
        name = self.called[variable]
        if len(values) == 1 and len(self.domain(variable)) > 1:
            yield ["eq", name, *values]
        else:
            yield from (["ne", name, value] for value in self.domain(variable) if value not in values)

    def of_node(self, node: int) -> list[list[Row]] | None:
        """The tables of a node and of its links to later ones; None where they would not do."""
        if len(self.domain(self.constraint.variables[node])) * len(self.beside[node]) > MOST_ROWS:
            return None
        links = [self.link(node, side) for side in self.beside[node] if side.first]
        tables = [self.root(node), self.nearer(node), *links]
        found = [rows for rows in tables if rows]
        return found if len(found) == len(tables) else None

    def root(self, node: int) -> list[Row] | None:
        """What is outside and what is a root is 0 away, all else is not."""
        inside, root = self.constraint.inside[node], self.constraint.roots[node]
        outside, here = self.ways([denied(inside)]), self.ways([inside, root])
        other = self.ways([inside, denied(root)])
        if outside is None or here is None or other is None:
            return None
        none = self.far(node, 0)
        more = [{far: value} for far, value in self.values(node) if value]
        return [*met(none, [*outside, *here]), *met(more, other)]

    def nearer(self, node: int) -> list[Row] | None:
        """What is not 0 away has a link to one that is nearer by 1."""
        rows = self.far(node, 0)
        for side in self.beside[node]:
            ways = self.ways([side.link, self.constraint.inside[side.other]])
            if ways is None:
                return None
            for far, value in self.values(node):
                if value > 0:
                    rows += met(met([{far: value}], self.far(side.other, value - 1)), ways)
        return rows

    def link(self, node: int, side: Side) -> list[Row] | None:
        """Two that are linked differ by 1 at most."""
        lits = [side.link, self.constraint.inside[node], self.constraint.inside[side.other]]
        linked, parted = self.ways(lits), [self.ways([denied(part)]) for part in lits]
        if linked is None or None in parted:
            return None
        rows = [way for ways in parted if ways is not None for way in ways]
        for far, value in self.values(node):
            for there in (value - 1, value, value + 1):
                rows += met(met([{far: value}], self.far(side.other, there)), linked)
        return rows

    def values(self, node: int) -> Iterator[tuple[int, int]]:
        """The variable of a node, with each of its values."""
        variable = self.constraint.variables[node]
        return ((variable, value) for value in self.domain(variable))

    def far(self, node: int, value: int) -> list[Row]:
        """That a node is so far away, if it can be."""
        return [{variable: one} for variable, one in self.values(node) if one == value]

    def ways(self, lits: Sequence[Lit | bool]) -> list[Row] | None:
        """The ways in which all of these hold; None where the file has no variable for one."""
        found: list[Row] = [{}]
        for lit in lits:
            if isinstance(lit, bool):
                found = found if lit else []
                continue
            variable, value = self.encoding.atoms[abs(lit)]
            if variable not in self.called:
                return None
            held = [one for one in self.domain(variable) if (one == value) == (lit > 0)]
            found = met(found, [{variable: one} for one in held])
        return found


def met(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """Each row with each other one, but for those that contradict each other."""
    return [
        {**row, **other}
        for row, other in product(rows, others)
        if all(other.get(variable, value) == value for variable, value in row.items())
    ]


def denied(lit: Lit | bool) -> Lit | bool:
    """That it does not hold."""
    return not lit if isinstance(lit, bool) else -lit
