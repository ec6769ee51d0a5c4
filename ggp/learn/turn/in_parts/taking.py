"""A turn whose last pass takes what has come to what: the rest is learned from boards with that put back.

Belts carry crates, then pits take them; goats go on, then eat the grass where they are. As one pass that is a
list of everything that may come to everything from anywhere. With what was taken put back to where it was
before (`met`), the turn is shorter by that pass, and is learned as any other; what it leaves of all turns
is the last pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Passes, Program, in_a_row
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.steady import busy
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.composed import learn_composed
from ggp.learn.turn.in_parts.met import FEWEST, takings, untaken
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

SOON = 1e6  # work on all before the last pass as one pass
KNOWN = 0.5  # of the turns must be plain
SURE = 0.25  # of those in which something was taken


@remembered
def learn_taking(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """All passes, of which the last takes; raises NotLearned where these do not say what was seen."""
    taken = takings(turns, structure)
    known = [(turn, untaken(turn, taken, structure)) for turn in turns] if taken else []
    steps = known_once(step for _, step in known if step is not None) if mostly_plain(known) else None
    if steps is not None and len(steps) >= KNOWN * len(turns):
        pairs = {frozenset({one.lost, one.taker}) for one in taken}
        meeting = replace(structure, apart=structure.apart - pairs, perhaps=structure.perhaps - pairs)
        first = before_it(steps, meeting, limits)
        rest = left_by(first, turns) if first is not None else None
        last = learned_from(rest, meeting, limits) if rest and busy(rest) else None
        if first is not None and last is not None:
            passes = in_a_row(meeting, (first, last))
            if passes.cost <= limits[-1] and not any(map(passes.wrong, turns)):
                return passes
    raise NotLearned("nothing that takes what has come to it ends a turn", "record the boards inside a turn")


def mostly_plain(known: Sequence[tuple[Turn, Turn | None]]) -> bool:
    """Is it plain of at least a few turns in which something was taken, and of a quarter of them?

    Each turn is given with what it is without its last pass, if that is plain. One case of ten is too little
    to learn a last pass from, and that came out only after all before it had been learned.
    """
    plain = sum(step is not None and step.after != turn.after for turn, step in known)
    return plain >= max(FEWEST, SURE * (plain + sum(step is None for _, step in known)))


def before_it(
    steps: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """What happens before the last pass; None where no rules say that."""
    with suppress(NotLearned), account(SOON):
        return learn_pass(steps, structure, limits=limits)
    for learn in (learn_afterwards, learn_composed):
        with suppress(NotLearned):
            return learn(steps, structure, limits=limits)
    return None
