"""Source: any encoding. Target: the same with sums of different values as a choice between sets of values.

Reformulation, where x, y, z have values from 1 to 9 and all differ:

    x + y + z = 7       one of the sets that add up to 7 is the one that they have: here {1, 2, 4}
    d is had            x = d or y = d or z = d
    {1, 2, 4} is it     1, 2 and 4 are had, and no others

A weighted sum over the literals "x = d" says the same,
but what it forbids is seen late: of a kakuro of 20x20 clauses take a twentieth of the time. Sums for which
there are more than a few sets stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ggp.encoding.constraints import AllDifferent, Encoding, Linear, Values
from ggp.encoding.lowering.different_to_linear import domain_of
from ggp.encoding.lowering.globals_to_simple import Simple, negated
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, emptied, never, unchanged

TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"clause", "definition"})
BESIDE = EVERY
AGAIN = False
MOST = 40  # sets; of nine digits there are never more than twelve


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with a choice between few sets instead of each such sum. `tick` may raise."""
    different = all_different(encoding)
    after = emptied(encoding)
    writer = Simple(after, frozenset())
    for constraint in encoding.constraints if different else ():
        tick()
        if isinstance(constraint, Linear) and (sets := sets_of(encoding, constraint, different)) is not None:
            choose(writer, constraint, sets)
        else:
            after.add(constraint)
    before = len(encoding.variables)
    if not different or after.constraints == encoding.constraints:
        return unchanged(encoding)

    def back(values: Values) -> Values:
        return {v: value for v, value in values.items() if v < before}

    return Lowered(after, writer.forward, back)


def all_different(encoding: Encoding) -> list[frozenset[int]]:
    """Sets of variables of which no two have the same value."""
    return [
        frozenset(one.variables)
        for one in encoding.constraints
        if isinstance(one, AllDifferent) and not one.free and len(set(one.variables)) == len(one.variables)
    ]


def sets_of(
    encoding: Encoding, constraint: Linear, different: Sequence[frozenset[int]]
) -> list[tuple[int, ...]] | None:
    """The sets of values that the sum allows; None where it is no such sum, or there are too many."""
    variables = [variable for _, variable in constraint.terms]
    plain = constraint.comparison == "=" and constraint.when is None
    if not plain or len(variables) < 2 or any(weight != 1 for weight, _ in constraint.terms):
        return None
    if not any(one.issuperset(variables) for one in different):
        return None
    values = sorted({value for variable in variables for value in domain_of(encoding, variable)})
    found = list(islice(adding_up(values, len(variables), constraint.number), MOST + 1))
    return found if len(found) <= MOST else None


def adding_up(values: Sequence[int], count: int, total: int) -> Iterator[tuple[int, ...]]:
    """The sets of so many of these values, which rise, that add up to the total."""
    if count == 0:
        if total == 0:
            yield ()
        return
    for at in range(len(values) - count + 1):
        if sum(values[at : at + count]) > total:
            return
        if values[at] + sum(values[len(values) - count + 1 :] if count > 1 else ()) >= total:
            for rest in adding_up(values[at + 1 :], count - 1, total - values[at]):
                yield (values[at], *rest)


def choose(writer: Simple, constraint: Linear, sets: Sequence[tuple[int, ...]]) -> None:
    """Say that the values of the sum's variables are one of these sets."""
    why = constraint.why
    variables = [variable for _, variable in constraint.terms]
    had = {
        value: writer.define("or", [writer.atom(v, value) for v in variables], why, "had")
        for value in sorted({value for one in sets for value in one})
    }
    for variable in variables:
        allowed = [writer.atom(variable, value) for value in writer.values(variable) if value in had]
        writer.clause(allowed, why)
    lacked = {value: negated(lit) for value, lit in had.items()}
    chosen = [[(had if value in one else lacked)[value] for value in had] for one in sets]
    writer.clause([writer.define("and", lits, why, "set") for lits in chosen], why)
