"""Several ways to win: what a goal of ours cannot say is told by a piece, which rules put down.

A goal is a list of terms that all hold. Of several ways to win, the end of time among them, each that holds
at the end of a tick puts `achieved` on the board: that nothing of a type is left is known where word of it
does not come any more, and time is told by a piece that counts turns.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import gone, put, take, there
from ggp.model import Kind, Pattern

ACHIEVED = "achieved"
CLOCK = "turns-gone"
MOST_TURNS = 5000


def won_without(lower: Lowering, number: int, names: Iterable[str], last: int | None) -> None:
    """It is won when none of these kinds is left, but not in the turn `last`."""
    mark = f"still-{number + 1}"
    lower.markers.add(mark)
    step = lower.step(f"{mark}-begins")
    step.add((there(lower.forms.group(names)),), (put(Pattern(mark)),))
    lower.done(step)
    lower.spread(mark)
    step = lower.step(f"{mark}-ends")
    in_time = () if last is None else (there(Pattern(CLOCK)), gone(Pattern(CLOCK, last)))
    step.add((gone(Pattern(mark)), gone(Pattern(ACHIEVED)), *in_time), (put(Pattern(ACHIEVED)),))
    lower.done(step)


def time_goes(lower: Lowering, turns: int, *, wins: bool) -> None:
    """A piece counts turns, after so many of which it may be won; `Ends.clock` puts it on the map."""
    step = lower.step("time-goes")
    for turn in range(1, turns):
        now, then = Pattern(CLOCK, turn), Pattern(CLOCK, turn + 1)
        step.add((there(now),), (take(now), put(then)))
    if wins:
        step.add((there(Pattern(CLOCK, turns)), gone(Pattern(ACHIEVED))), (put(Pattern(ACHIEVED)),))
    lower.done(step)
    lower.more_kinds.append(Kind(CLOCK, CLOCK, values=(1, turns)))


def achieved() -> Kind:
    """What is put down where it is won."""
    return Kind(ACHIEVED, ACHIEVED, merge=True, tile="flag", colour="green")
