"""Source: any encoding. Target: the same with sums of different values as equations over sets of values.

Reformulation, where x, y, z have values from 1 to 9 and all differ, with a Boolean for each set that adds up:

    x + y + z = 8       one of {1, 2, 5} and {1, 3, 4} is the set that they have: their Booleans add up to 1
    d is had            the Booleans of the sets with d = (x = d) + (y = d) + (z = d)

The same choice as in `sets`, said for solvers of rows: the relaxation of these equations mixes whole sets,
where that of the definitions that clauses need leaves nearly everything open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.encoding.constraints import Encoding, Linear, Sum, Values
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.different_to_linear import domain_of, literal
from ggp.encoding.lowering.flows import ones, worked_out
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, emptied, never, unchanged
from ggp.encoding.lowering.sets import all_different, sets_of

TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"sum"})
BESIDE = EVERY
AGAIN = False


class Choice(NamedTuple):
    """The variables of a sum, and the Boolean of each set that they can have."""

    variables: tuple[int, ...]
    sets: dict[tuple[int, ...], int]

    def forward(self, values: Values) -> Iterator[tuple[int, int]]:
        """Each Boolean with its value: 1 for the set that they have."""
        had = tuple(sorted(values[variable] for variable in self.variables))
        yield from ((number, int(one == had)) for one, number in self.sets.items())


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with a choice between sets instead of each such sum. `tick` may raise."""
    different = all_different(encoding)
    after, choices = emptied(encoding), list[Choice]()
    for constraint in encoding.constraints:
        tick()
        if isinstance(constraint, Linear) and (sets := sets_of(encoding, constraint, different)) is not None:
            choices.append(chosen(after, constraint, sets))
        else:
            after.add(constraint)
    if not choices:
        return unchanged(encoding)
    return worked_out(after, len(encoding.variables), [choice.forward for choice in choices])


def chosen(encoding: Encoding, constraint: Linear, sets: Sequence[tuple[int, ...]]) -> Choice:
    """Write the choice between these sets; a value that none has is no variable's."""
    why = constraint.why
    variables = tuple(variable for _, variable in constraint.terms)
    numbers = {one: encoding.new("set", (len(encoding.variables),), (0, 1)) for one in sets}
    lits = {one: encoding.number(number, 1) for one, number in numbers.items()}
    encoding.add(Sum(ones(list(lits.values())), "=", 1, why))
    domains = {variable: domain_of(encoding, variable) for variable in variables}
    for value in sorted(set[int]().union(*domains.values())):
        having = [lit for one, lit in lits.items() if value in one]
        sure, able = 0, list[Lit]()
        for variable, domain in domains.items():
            if domain == (value,):
                sure += 1
            elif value in domain:
                able.append(literal(encoding, variable, value))
        encoding.add(Sum((*ones(having), *ones(able, -1)), "=", sure, why))
    return Choice(variables, numbers)
