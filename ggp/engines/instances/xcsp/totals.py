"""A number that is counted up: a constant, variables and literals, each with a weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ggp.encoding.literals import Lit


@dataclass(frozen=True)
class Total:
    """constant + weight x value of each variable + weight of each literal that holds. No weight is 0."""

    constant: int = 0
    variables: Mapping[int, int] = field(default_factory=dict)
    lits: Mapping[Lit, int] = field(default_factory=dict)

    def __add__(self, other: Total) -> Total:
        return Total(
            self.constant + other.constant,
            added(self.variables, other.variables),
            added(self.lits, other.lits),
        )

    def __sub__(self, other: Total) -> Total:
        return self + other.times(-1)

    def times(self, weight: int) -> Total:
        """So many times as much."""
        if weight == 0:
            return Total()
        return Total(
            weight * self.constant,
            {v: weight * w for v, w in self.variables.items()},
            {lit: weight * w for lit, w in self.lits.items()},
        )

    @property
    def known(self) -> bool:
        """Is it a constant?"""
        return not self.variables and not self.lits

    @property
    def alone(self) -> int | None:
        """The variable whose value it is, if it is nothing else."""
        if self.constant or self.lits or len(self.variables) != 1:
            return None
        ((variable, weight),) = self.variables.items()
        return variable if weight == 1 else None


def added(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """The weights of both, without those that cancel out."""
    found = dict(one)
    for key, weight in other.items():
        found[key] = found.get(key, 0) + weight
        if not found[key]:
            del found[key]
    return found


def sum_of(totals: Iterable[Total]) -> Total:
    """All of them together; not one after another, which would copy them again and again."""
    constant, variables, lits = 0, dict[int, int](), dict[Lit, int]()
    for one in totals:
        constant += one.constant
        for v, weight in one.variables.items():
            variables[v] = variables.get(v, 0) + weight
        for lit, weight in one.lits.items():
            lits[lit] = lits.get(lit, 0) + weight
    return Total(
        constant, {v: w for v, w in variables.items() if w}, {lit: w for lit, w in lits.items() if w}
    )
