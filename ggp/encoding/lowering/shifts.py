"""Variables that are others and a number, and stand in nothing but all-different (of all values).

For solvers that are quicker with `x + 3` in an all-different than with a variable of its own that equals it:
they decide on variables, and these are nothing to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.encoding.constraints import AllDifferent, Constraint, Encoding, Linear
from ggp.encoding.scopes import scope


class Shift(NamedTuple):
    """What is said of a variable: it is that one and this number."""

    variable: int
    added: int


def shifts(encoding: Encoding) -> dict[int, Shift]:
    """Each such variable, and what it is; its equation says no more than that."""
    constraints = encoding.constraints
    different = {v for one in constraints if all_differ(one) for v in scope(encoding, one)}
    settled = encoding.settled
    found = {
        moved: shift
        for one in constraints
        for moved, shift in equation(one)
        if moved in different and not {moved, shift.variable} & settled.keys()
    }
    found = {
        moved: shift
        for moved, shift in found.items()
        if shift.variable not in found
        and moved not in encoding.decisions
        and encoding.variables[moved].domain == moved_by(encoding, shift)
    }
    if not found:
        return found
    told = [v for one in constraints if not all_differ(one) for v in scope(encoding, one)]
    told += [encoding.atoms[abs(lit)][0] for _, lit in encoding.minimise]
    seen: set[int] = set()
    for v in told:  # its own equation may speak of it, and no other
        if v in found and v in seen:
            del found[v]
        seen.add(v)
    return found


def all_differ(constraint: Constraint) -> bool:
    """Is it an all-different of all values? Readers were not tried with sums where some may repeat."""
    return isinstance(constraint, AllDifferent) and not constraint.free


def equation(constraint: object) -> Iterator[tuple[int, Shift]]:
    """The variable that an equation says what it is, as `Positions` writes them."""
    match constraint:
        case Linear(((1, moved), (-1, variable)), "=", added, when=None):
            yield moved, Shift(variable, added)


def moved_by(encoding: Encoding, shift: Shift) -> tuple[int, ...]:
    """The values that a variable and a number can come to."""
    return tuple(value + shift.added for value in encoding.variables[shift.variable].domain)
