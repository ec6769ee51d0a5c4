"""Source: any encoding. Target: the same with sums that follow from all-different.

As many variables as values, all different: they take every value once, so their sum is known. Said aloud it
helps solvers that reason about sums, and costs the others time. Solutions stay the same one by one.
"""

from __future__ import annotations

from dataclasses import replace

from ggp.encoding.constraints import AllDifferent, Constraint, Encoding, Linear
from ggp.encoding.lowering.different_to_linear import domain_of

SYMMETRY = False


def lower(encoding: Encoding) -> Encoding:
    """The encoding with a sum for each all-different that uses up its values."""
    added: list[Constraint] = []
    for one in encoding.constraints:
        if isinstance(one, AllDifferent) and not one.free and len(set(one.variables)) > 1:
            values = {value for v in one.variables for value in domain_of(encoding, v)}
            if len(values) == len(one.variables):
                why = one.why._replace(text=f"{one.why.text}, so their sum is {sum(values)}")
                added.append(Linear(tuple((1, v) for v in one.variables), "=", sum(values), why))
    return replace(encoding, constraints=[*encoding.constraints, *added])
