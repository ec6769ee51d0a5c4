"""Which variables constraints speak of, and which definitions nothing speaks of any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff
from ggp.encoding.literals import Lit
from ggp.encoding.scopes import scope


def owners(encoding: Encoding) -> Callable[[Lit], int]:
    """What gives the variable of a literal: a list, in which those below 0 count from the end."""
    found = [variable for variable, _ in encoding.atoms]
    return (found + found[:0:-1]).__getitem__


def used_only(encoding: Encoding, constraints: list[Constraint], used: set[int]) -> list[Constraint]:
    """Leave out definitions of variables that nothing else speaks of, again and again."""
    return with_uses(encoding, constraints, used)[0]


def with_uses(
    encoding: Encoding,
    constraints: list[Constraint],
    used: set[int],
    scopes: Mapping[int, set[int]] = MappingProxyType({}),
) -> tuple[list[Constraint], set[int]]:
    """The same, and the variables that what is left speaks of. `scopes`: some that are known, by identity."""
    owner, spoken = owners(encoding), set[int]()
    if Iff not in set(map(type, constraints)):
        others = [constraint for constraint in constraints if constraint.__class__ is not Clause]
        lits = set[Lit]().union(*[one.lits for one in constraints if one.__class__ is Clause])
        spoken.update(map(owner, lits))
        return constraints, spoken.union(*(scopes.get(id(one)) or scope(encoding, one) for one in others))
    count: dict[int, int] = defaultdict(int)
    for constraint in constraints:
        for variable in scope(encoding, constraint):
            count[variable] += 1
    kept: list[Constraint] = []
    for constraint in reversed(constraints):  # definitions come before their uses
        if isinstance(constraint, Iff):
            variable = encoding.atoms[abs(constraint.lit)][0]
            if count[variable] == 1 and variable not in used:
                for other in scope(encoding, constraint):
                    count[other] -= 1
                continue
        kept.append(constraint)
    return kept[::-1], {variable for variable, times in count.items() if times}
