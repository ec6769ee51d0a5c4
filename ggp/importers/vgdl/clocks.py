"""Effects that come by the clock: a piece in the first cell counts turns, and strikes every so many.

The first tick strikes, as in GVGAI; an effect that is not repeated comes in this one alone. Word of a strike
goes round the board, and each actor of the effect hears it. Each clock has a piece of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ggp.importers.vgdl.steps import put, take, there
from ggp.model import Kind, Pattern, Piece

if TYPE_CHECKING:
    from ggp.importers.vgdl.lower import Lowering

ONCE = 0  # the timer of an effect that comes in the first tick alone
LONGEST = 5000  # ticks between two strikes


def clock(timer: int) -> str:
    """The piece that counts turns; its value is 1 where it strikes."""
    return f"clock-{timer}" if timer != ONCE else "clock-once"


def strike(timer: int) -> Pattern:
    """The word that such a clock strikes."""
    return Pattern(f"{clock(timer)}-strikes")


def begun(timers: Iterable[int]) -> frozenset[Piece]:
    """The clocks as they stand in the first cell of a level."""
    return frozenset(Piece(clock(timer), 1) for timer in timers)


def made(timers: Iterable[int]) -> list[Kind]:
    """The kinds of the clocks."""
    return [Kind(clock(timer), clock(timer), values=(1, max(1, timer))) for timer in sorted(set(timers))]


def strikes(lower: Lowering, timer: int) -> None:
    """Let it be known where the clock strikes, and let it go on, unless it strikes once."""
    if timer > LONGEST:
        raise lower.refuse(f"the clock strikes every {timer:,} ticks", f"at most {LONGEST:,}")
    if lower.flooded(strike(timer).name):
        return
    lower.markers.add(strike(timer).name)
    step = lower.step(f"{clock(timer)}-goes")
    for turn in range(1, max(1, timer) + 1):
        now, then = Pattern(clock(timer), turn), Pattern(clock(timer), turn % max(1, timer) + 1)
        goes_on = (put(then),) if timer != ONCE else ()
        struck = (put(strike(timer)),) if turn == 1 else ()
        step.add((there(now),), (take(now), *goes_on, *struck))
    lower.done(step)
    lower.spread(strike(timer).name)
