"""Source: all-different. Target: sums of literals.

Reformulation: for each value that is not free, at most one of the variables has it; exactly one where there
are as many values as variables. Everything else stays; solutions stay the same one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ggp.encoding.constraints import AllDifferent, Constraint, Encoding, Sum
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, never, unchanged

TAKES: Kinds = frozenset({"all-different", "uneven-all-different"})
LEAVES: Kinds = frozenset({"sum"})
BESIDE = EVERY
AGAIN = True


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding without all-different. `tick` is called now and then and may raise."""
    encoding = replace(encoding, atoms=list(encoding.atoms), atom_numbers=dict(encoding.atom_numbers))
    constraints: list[Constraint] = []
    for constraint in encoding.constraints:
        tick()
        if isinstance(constraint, AllDifferent):
            constraints += sums(encoding, constraint)
        else:
            constraints.append(constraint)
    return unchanged(replace(encoding, constraints=constraints))


def sums(encoding: Encoding, constraint: AllDifferent) -> Iterator[Sum]:
    """A sum for each value that two of the variables could have."""
    # A variable that stands there twice can only have a free value; twice as a term says just that.
    domains = [domain_of(encoding, variable) for variable in constraint.variables]
    values = sorted({value for domain in domains for value in domain})
    exact = len(values) == len(domains) and not constraint.free
    for value in values:
        lits, sure = [], 0
        for variable, domain in zip(constraint.variables, domains, strict=True):
            if domain == (value,) and variable in encoding.fixed:
                sure += 1
            elif value in domain:
                lits.append(literal(encoding, variable, value))
        if value not in constraint.free and (exact or len(lits) + sure > 1):
            why = constraint.why._replace(text=f"{constraint.why.text}: {value}")
            yield Sum(tuple((1, lit) for lit in lits), "=" if exact else "<=", 1 - sure, why)


def domain_of(encoding: Encoding, variable: int) -> tuple[int, ...]:
    """The values that a variable can have."""
    if variable in encoding.fixed:
        return (encoding.fixed[variable],)
    return encoding.variables[variable].domain


def literal(encoding: Encoding, variable: int, value: int) -> Lit:
    """The literal "variable = value"; of a Boolean variable there is but one atom."""
    if encoding.variables[variable].domain != (0, 1):
        return encoding.number(variable, value)
    return encoding.number(variable, 1) * (1 if value == 1 else -1)
