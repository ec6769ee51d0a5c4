"""Source: constraints whose variables can have different values. Target: the same without, for ACE 2.6.

Reformulation: a small all-different over just as many values becomes one for each two of its variables. What
automata read gets one domain for all; what propagation took out of a domain is then said by clauses.
Solutions stay the same one by one.

ACE makes a table of a small all-different over just as many values. It lists every permutation, also those
with values that are not in a domain, and runs out of an array at the first of them. No option turns that
off, and domains of which propagation took a value are common. It falls over automata in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Encoding
from ggp.encoding.literals import Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, is_uneven, never, read, unchanged

TAKES: Kinds = frozenset({"uneven-all-different", "uneven-regular"})
LEAVES: Kinds = frozenset({"all-different", "regular", "clause", "integers"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding without constraints of these kinds."""
    if "uneven-all-different" in kinds:
        pairs = [one for constraint in encoding.constraints for one in in_pairs(encoding, constraint)]
        encoding = replace(encoding, constraints=pairs)
    return unchanged(alike(encoding) if "uneven-regular" in kinds else encoding)


def in_pairs(encoding: Encoding, constraint: Constraint) -> Iterator[Constraint]:
    """A constraint, or the same said of each two variables where it is uneven."""
    if isinstance(constraint, AllDifferent) and is_uneven(encoding, constraint):
        for pair in combinations(constraint.variables, 2):
            yield AllDifferent(pair, constraint.why)
    else:
        yield constraint


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
