"""Effects that come by the clock: a piece in the first cell counts turns, and strikes every so many.

The first tick strikes, as in GVGAI. Word of it goes round the board, and each actor of the effect hears it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ggp.importers.vgdl.steps import put, take, there
from ggp.model import Pattern

if TYPE_CHECKING:
    from ggp.importers.vgdl.lower import Lowering

BEAT = "clock"  # the piece; its value is 1 where it strikes
STRIKE = "clock-strikes"
LONGEST = 5000  # ticks between two strikes


def strikes(lower: Lowering, timer: int) -> None:
    """Let it be known where the clock strikes, and let it go on."""
    if timer > LONGEST:
        raise lower.refuse(f"the clock strikes every {timer:,} ticks", f"at most {LONGEST:,}")
    lower.markers.add(STRIKE)
    step = lower.step("clock-goes")
    for turn in range(1, timer + 1):
        now, then = Pattern(BEAT, turn), Pattern(BEAT, turn % timer + 1)
        struck = (put(Pattern(STRIKE)),) if turn == 1 else ()
        step.add((there(now),), (take(now), put(then), *struck))
    lower.done(step)
    lower.spread(STRIKE)
