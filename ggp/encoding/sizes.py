"""What is too large to be written in minutes: told before, as far as that goes, and while it is written."""

from __future__ import annotations

from collections.abc import Callable

from ggp.encoding.constraints import Encoding
from ggp.errors import PuzzleError
from ggp.model import Instance
from ggp.transition.program import Transition, passes_of

LARGEST = 2_000_000  # variables and constraints: a minute or two to write, in one or two gigabytes
WORK = 40_000_000  # passes x cells x turns to go through, three times what was ever written to the end (75 s)
PLACES = 4_000_000  # cells x pieces x turns: so many come to more than that, whatever is constant of them
REMEDY = "take a smaller level, or fewer turns (`--horizon`), or a solver that searches if it takes the level"


class TooLarge(PuzzleError):
    """More was to be written than can be written in a few minutes."""


def refuse_too_large(instance: Instance, transition: Transition, turns: int) -> None:
    """Raise TooLarge where that can be told beforehand."""
    size = transition.height * transition.width * len(transition.dynamic) * turns
    if size > PLACES:
        raise TooLarge(
            f"{instance.name} has {size:,} places (cells x pieces x turns) over {turns:,} turns; what is "
            f"unrolled may have {PLACES:,}",
            REMEDY,
        )


def refuse_too_long(instance: Instance, transition: Transition, turns: int, most: int | None = None) -> None:
    """Raise TooLarge where going through so many turns would take minutes, however little of them is written.

    Repetitions of a loop are not counted: of most nothing can come, and that is soon seen.
    """
    passes = sum(1 for _ in passes_of(transition.turn + transition.physics))
    cells, most = transition.height * transition.width, WORK if most is None else most
    if passes * cells * turns > most:
        raise TooLarge(
            f"{instance.name} is {passes:,} passes on {cells:,} cells over {turns:,} turns, "
            f"{passes * cells * turns:,} together; what is written for a solver may be {most:,}",
            REMEDY,
        )


def too_large(instance: Instance, turns: int, most: int) -> TooLarge:
    """What is raised where that is more than may be written."""
    return TooLarge(
        f"{instance.name} has more than {most:,} variables and constraints over {turns:,} turns, which is "
        "what may be written",
        REMEDY,
    )


def within_reason(encoding: Encoding, tick: Callable[[], None], most: int) -> Callable[[], None]:
    """What is called now and then while an encoding is written: `tick`, and a look at how large it became.

    What will be written cannot be told before: of passes, cells and pieces most come to constants.
    """

    def check() -> None:
        tick()
        size = len(encoding.variables) + len(encoding.constraints)
        if size > most:
            raise too_large(encoding.instance, encoding.horizon, most)

    return check
