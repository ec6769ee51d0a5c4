"""Source: an encoding before propagation. Target: one of the solutions that differ in names of values only.

Values are interchangeable if nothing tells them apart: only all-different and different lists speak of
variables that can have them, and such a variable can have all of them or none. Each solution can then be
renamed so that along any row of variables they appear in their order, which leaves the row's first variable
no second value, and so on. Solutions are lost, but never all: a pass for who asks for one, or whether there
is one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, DifferentLists, Encoding
from ggp.encoding.literals import Why
from ggp.encoding.scopes import scope

SYMMETRY = True
WHY = "values that nothing tells apart come in their order"


def lower(encoding: Encoding) -> Encoding:
    """The encoding with interchangeable values in their order along its longest all-different."""
    encoding = replace(encoding, atoms=list(encoding.atoms), atom_numbers=dict(encoding.atom_numbers))
    different = [one for one in encoding.constraints if isinstance(one, AllDifferent)]
    if not different:
        return encoding
    longest = max(different, key=lambda one: len(one.variables)).variables
    given = {
        encoding.atoms[one.lits[0]][0]
        for one in encoding.constraints
        if isinstance(one, Clause) and len(one.lits) == 1 and one.lits[0] > 0
    }
    # What is given has a value of its own, which is not among those that nothing tells apart.
    chain = [v for v in dict.fromkeys(longest) if v not in given]
    added: list[Constraint] = []
    for values in interchangeable(encoding):
        able = [v for v in chain if values[0] in encoding.variables[v].domain]
        for rank, variable in enumerate(able):
            for value in values[rank + 1 :]:
                added.append(Clause((-encoding.number(variable, value),), Why(WHY)))
    return replace(encoding, constraints=[*encoding.constraints, *added])


def interchangeable(encoding: Encoding) -> list[tuple[int, ...]]:
    """Sets of values, two or more each, of which any permutation takes solutions to solutions."""
    named = named_values(encoding)
    # Two values are alike if the same variables can have them.
    homes: dict[int, list[int]] = defaultdict(list)
    for number, variable in enumerate(encoding.variables):
        for value in variable.domain:
            homes[value].append(number)
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for value, where in sorted(homes.items()):
        if value not in named:
            alike[tuple(where)].append(value)
    return [tuple(values) for values in alike.values() if len(values) > 1]


def named_values(encoding: Encoding) -> set[int]:
    """The values that something speaks of by name, or that sums and orders see."""
    named = set(encoding.fixed.values()) | set(encoding.idle.values())
    spoken = {encoding.atoms[abs(lit)][0] for _, lit in encoding.minimise}
    for constraint in encoding.constraints:
        if isinstance(constraint, AllDifferent):
            named.update(constraint.free)
        elif isinstance(constraint, Clause):
            named.update(encoding.atoms[abs(lit)][1] for lit in constraint.lits)
        elif not isinstance(constraint, DifferentLists):
            spoken |= scope(encoding, constraint)
    for variable in spoken:
        named.update(encoding.variables[variable].domain)
    return named
