"""Leave out designs with pieces that no rule ever reads: they are counted, not listed.

A placement that nothing looks at can be left out or put elsewhere without changing the run. This adds, for
each optional placement, that some subject was once where a rule could read it. It is a necessary condition
for mattering, cheap to say; what it lets through is judged exactly by `ggp.idle`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.encoding.constraints import Clause, Encoding
from ggp.encoding.literals import Lit, Why
from ggp.transition.program import Pass, Transition


def only_consulted(encoding: Encoding) -> None:
    """Add the constraints, in place, where they are sound: for pieces that the goal does not look at."""
    transition = encoding.transition
    design = encoding.instance.game.design
    if transition is None or design is None or design.fill:
        return
    step = only_pass(encoding, transition)
    placed = {p for p, piece in enumerate(transition.planes) if piece.kind in design.kinds}
    if placed & transition.dynamic or goal_reads(encoding, transition, placed) or not encoding.placements:
        return
    if step is None or placed & {subject for subject, _ in step.subjects}:
        return
    readers = set(reading(step, placed))
    if any(subject is None for subject, _ in readers):
        return
    width, height = transition.width, transition.height
    for (row, column), lits in encoding.placements.items():
        near: set[Lit] = set()
        sure = False
        for subject, (down, right) in readers:
            at = (row - down, column - right)
            if transition.wraps:
                at = (at[0] % height, at[1] % width)
            if subject is None or not (0 <= at[0] < height and 0 <= at[1] < width):
                continue
            for claim in encoding.claims[:-1]:
                there = claim.pieces[transition.planes[subject]][at[0] * width + at[1]]
                sure = sure or there is True
                if not isinstance(there, bool):
                    near.add(there)
        if not sure:
            why = Why(f"a {design.named} stands where some rule reads it", None, (row, column))
            for lit in lits:
                encoding.add(Clause((-lit, *sorted(near)), why))


def only_pass(encoding: Encoding, transition: Transition) -> Pass | None:
    """The pass, if each turn is just one: then rules see only what stands there between turns.

    Of that the encoding has claims, and of nothing else.
    """
    first = transition.physics[0] if transition.physics else None
    alone = encoding.instance.game.input is None and len(transition.physics) == 1
    return first if alone and isinstance(first, Pass) else None


def reading(step: Pass, placed: set[int]) -> Iterator[tuple[int | None, tuple[int, int]]]:
    """(subject plane, offset) of each look that a rule takes at the placed planes."""
    for subject, rules in step.subjects:
        for rule in rules:
            yield from ((subject, term.offset) for term in rule.terms if placed & set(term.planes))
            yield from ((subject, change.source) for change in rule.changes if change.plane in placed)


def goal_reads(encoding: Encoding, transition: Transition, placed: set[int]) -> bool:
    """Does a goal word look at the placed pieces?"""
    goal, instance = encoding.instance.game.goal, encoding.instance
    looked_at = [pattern for term in (*goal.terms, *goal.lose) for pattern in term.patterns()]
    return any(placed & set(transition.planes_of(instance, pattern)) for pattern in looked_at)
