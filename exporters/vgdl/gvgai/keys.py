"""For GVGAI: one who takes keys and opens doors."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.sheet import Layout
from ggp.model import Instance
from ggp.transition.program import Transition


class KeysWriter(GvgaiWriter):
    """Writes the text of one who takes keys and opens doors.

    Nobody sees from outside what a sprite of GVGAI holds. So the player is of another type for each number of
    keys, as in the games that come with it. What is killed is met until the tick is over: therefore who has
    just become another stands above what he met, and nothing else may be in such a cell (`crowded`).
    """

    def __init__(self, instance: Instance, transition: Transition, pushing: Meetings) -> None:
        super().__init__(instance, transition, pushing)
        self.last: tuple[str, str, int] | None = None  # what `used_up` is told
        for plane in pushing.walkers:
            self.names[plane] = self.sheet.names.of(str(transition.planes[plane]))

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        layout = super().write()
        return replace(layout, pieces={k: v for k, v in layout.pieces.items() if k != self.player})

    def walker(self, paint: str) -> None:
        """Define the player, by how many keys he holds."""
        each = [f"            {self.names[p]} > MovingAvatar color={paint}" for p in self.pushing.walkers]
        self.sheet.sprites.append((self.player, "\n".join(["", *each])))

    def key(self, name: str, paint: str) -> None:
        """Define a key."""
        self.sheet.under(name, self.still, color=paint)

    def collect(self, name: str) -> None:
        """He becomes another when all else is done."""

    def doors(self) -> None:
        """Write that a door opens for who holds a key, and throws all others back."""
        without, *others = (self.names[plane] for plane in self.pushing.walkers)
        self.sheet.say("who holds a key opens a door")
        self.sheet.act(without, self.listed(self.pushing.doors), "stepBack")
        for plane in sorted(self.pushing.doors):
            for name in others:
                self.sheet.act(self.names[plane], name, "killSprite")

    def meets(self) -> None:
        """Write what comes of whom he has met; at last, how many keys he holds then."""
        super().meets()
        names = [self.names[plane] for plane in self.pushing.walkers]
        fewer, more = list(pairwise(names)), list(pairwise(names))[::-1]
        if self.pushing.spends:
            self.sheet.say("and holds one less")
            for less, who in fewer:
                self.sheet.act(who, self.listed(self.pushing.doors), "transformTo", stype=less)
        if self.pushing.keys:
            self.sheet.say("who takes a key holds one more")
            for who, one_more in more:
                self.sheet.act(who, self.listed(self.pushing.keys), "transformTo", stype=one_more)
        if self.last:
            super().used_up(*self.last)

    def used_up(self, earth: str, counted: str, limit: int) -> None:
        """Keep it for the end: who is gone becomes no other, and he is seen as what he was."""
        self.last = (earth, counted, limit)


def crowded(writer: GvgaiWriter) -> bool:
    """Does a cell of the map hold two things that the player would meet at once?"""
    met, ends = writer.pushing, writer.ends
    things = met.keys | met.doors | met.deadly | (ends.exits if ends is not None else frozenset())
    number = writer.transition.number
    rows = writer.instance.level.board
    return any(len({number[piece] for piece in here} & things) > 1 for row in rows for here in row)
