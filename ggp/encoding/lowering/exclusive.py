"""Source: an encoding with claims, before propagation. Target: the same, with equations for linear solvers.

Reformulation, where of a, b, c no two can hold together:

    d iff a or b or c                             d = a + b + c
    d iff e and not a and not b, a and b imply e  e = d + a + b

So what comes to a place is what stands there, and what stands there goes some way: the program becomes a
flow, whose relaxation is close to whole numbers. An equation says all that the definition said, so any that
hold may be replaced at once; that no two hold together is what is known by `conserved`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ggp.encoding.constraints import Constraint, Encoding, Iff, Sum
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.conserved import Reasoning, reasoning_about
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, never, unchanged

TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"sum"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with its flows as equations."""
    reasoning = reasoning_about(encoding)
    constraints: list[Constraint] = []
    for constraint in encoding.constraints:
        equation = flow(reasoning, constraint) if isinstance(constraint, Iff) else None
        constraints.append(constraint if equation is None else equation)
    return unchanged(replace(encoding, constraints=constraints))


def flow(reasoning: Reasoning, definition: Iff) -> Sum | None:
    """The equation that a definition amounts to, if it does."""
    lit, op, lits, why = definition.lit, definition.op, definition.lits, definition.why
    if len(lits) < 2:
        return None
    for whole, word, parts in (
        (lit, op, lits),
        (-lit, "and" if op == "or" else "or", [-one for one in lits]),
    ):
        if word == "or" and apart(reasoning, parts):
            return Sum((*((1, part) for part in parts), (-1, whole)), "=", 0, why)
        if word == "and":
            for source in parts:
                taken = [-part for part in parts if part != source]
                if all(reasoning.follows(one, source) for one in taken) and apart(reasoning, taken):
                    return Sum(((1, whole), *((1, one) for one in taken), (-1, source)), "=", 0, why)
    return None


def apart(reasoning: Reasoning, lits: Sequence[Lit]) -> bool:
    """Can no two of them hold together?"""
    return all(reasoning.clash(pair) for pair in combinations(lits, 2))
