"""Effects that come by the clock: a piece in the first cell counts turns, and strikes every so many.

The first tick strikes, as in GVGAI; an effect that is not repeated comes in this one alone. Word of a strike
goes round the board, and each actor of the effect hears it. Each clock has a piece of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.model import Kind, Pattern, Piece

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
