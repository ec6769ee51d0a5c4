"""The text while it is being written: what is met when, in GVGAI's order.

Effects of one pair come together there, where the first of them stands. So what stands on every cell has
several names, one for each stretch of the tick; and what is killed is met until the tick is over, but does
nothing any more. All states of the reasoning are below one parent, which the last line of a tick removes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.exporters.vgdl.sheet import Sheet
from ggp.model import Instance


class GvgaiSheet(Sheet):
    """Collects the parts of one text for GVGAI."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        self.all = self.name("reasoning")
        self.states: list[str] = []
        self.grounds: list[str] = [self.name("here")]  # the sprite on each cell, then its other names

    def state(self, text: str) -> str:
        """Define a sprite type that stands for a moment of the reasoning within a tick."""
        self.states.append(self.name(text))
        return self.states[-1]

    def each(self, key: str) -> str:
        """The type itself: no list is skipped here."""
        return key

    def ground_name(self) -> str:
        """One more name for what stands on every cell, so that pairs with it come where they are written."""
        self.grounds.append(self.name("here"))
        return self.grounds[-1]

    def contents(self, here: tuple[str, ...] = ()) -> list[list[tuple[str, ...]]]:
        """What each cell of the map holds, row by row: the ground everywhere."""
        return super().contents(tuple(self.grounds[:1]))

    def clear(self) -> None:
        """Write that no state of the reasoning outlasts the tick."""
        self.say("none of the reasoning outlasts a tick")
        self.act(self.all, self.ground_name(), "killSprite")

    def sprite_lines(self) -> Iterator[str]:
        """The lines of the SpriteSet: the names of the ground, all else, and the states of the reasoning."""
        leaf, *others = self.grounds
        yield from nested(others, [f"{leaf} > Immovable color=WHITE"])
        yield from super().sprite_lines()
        yield from nested([self.all], (f"{state} > Immovable color=GRAY" for state in self.states))


def nested(names: Iterable[str], leaves: Iterable[str]) -> Iterator[str]:
    """Lines of sprite types below one another, and the leaves below the last one."""
    deep = 2
    for name in names:
        yield f"{'    ' * deep}{name} >"
        deep += 1
    yield from ("    " * deep + leaf for leaf in leaves)
