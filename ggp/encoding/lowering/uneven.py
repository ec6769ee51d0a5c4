"""Source: constraints whose variables can have different values. Target: the same without, for ACE 2.6.

Reformulation: a small all-different over just as many values becomes a table of what its variables can have
together. What automata read gets one domain for all; what propagation took out of a domain is then said by
clauses. Solutions stay the same one by one.

ACE makes a table of a small all-different over just as many values. It lists every permutation, also those
with values that are not in a domain, and runs out of an array at the first of them. No option turns that
off, and domains of which propagation took a value are common. So it gets the table that it should have made,
of 24 rows at most. It falls over automata in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Encoding, Table
from ggp.encoding.literals import Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, is_uneven, never, read, unchanged

TAKES: Kinds = frozenset({"uneven-all-different", "uneven-regular"})
LEAVES: Kinds = frozenset({"table", "regular", "clause", "integers"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding without constraints of these kinds."""
    if "uneven-all-different" in kinds:
        told = [tabled(encoding, constraint) for constraint in encoding.constraints]
        encoding = replace(encoding, constraints=told)
    return unchanged(alike(encoding) if "uneven-regular" in kinds else encoding)


def tabled(encoding: Encoding, constraint: Constraint) -> Constraint:
    """A constraint, or the table of it where it is uneven; what can never hold is a clause of nothing."""
    if not isinstance(constraint, AllDifferent) or not is_uneven(encoding, constraint):
        return constraint
    domains = [encoding.variables[variable].domain for variable in constraint.variables]
    rows = tuple(row for row in product(*domains) if len({*row}) == len(row))
    return Table(constraint.variables, rows, constraint.why) if rows else Clause((), constraint.why)


def alike(encoding: Encoding) -> Encoding:
    """The encoding with one domain for all that automata read."""
    variables = sorted(read(encoding))
    values = sorted({value for v in variables for value in encoding.variables[v].domain})
    after = replace(
        encoding,
        variables=list(encoding.variables),
        atoms=list(encoding.atoms),
        atom_numbers=dict(encoding.atom_numbers),
        constraints=list(encoding.constraints),
    )
    for v in variables:
        old = encoding.variables[v]
        if len(old.domain) == len(values):
            continue
        after.variables[v] = replace(old, domain=tuple(values))
        for value in values:
            lit = after.atom(v, value)
            if value not in old.domain and not isinstance(lit, bool):
                after.add(Clause((-lit,), Why(f"{old} is not {value}")))
    return after
