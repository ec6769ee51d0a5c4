"""For GVGAI: one who slides."""

from __future__ import annotations

from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter
from ggp.exporters.vgdl.sliding import Sliding


class GvgaiSlideWriter(Sliding, GvgaiWriter):
    """Writes the text of one who slides: on his way he is an avatar that heeds no key.

    In the tick in which something stops him he is for a moment neither, and the ice below him is gone until
    he leaves.
    """

    def walker(self, paint: str) -> None:
        """Define the player at rest, on his way, and in the moment between."""
        self.ground("LIGHTBLUE", "WHITE")
        for name in (self.player, self.stopped):
            self.sheet.sprite(name, "OrientedAvatar", rotateInPlace=False, color=paint)
        self.sheet.sprite(self.sliding, "MissileAvatar", color=paint)

    def moves(self) -> None:
        """Write how he sets off, goes on, and is stopped."""
        sheet, horizon = self.sheet, self.instance.level.horizon
        self.edge = sheet.under(sheet.name("edge"), self.still, color="DARKGRAY")
        sheet.hint(self.edge, "e")
        walls = self.listed(self.pushing.blockers) + f" {self.edge}"
        sheet.say("what is in the way throws him back; else he is on ice, and slides on, whatever is pressed")
        sheet.act(self.player, walls.strip(), "stepBack")
        if horizon is not None:
            self.counted_turns = sheet.sprite(
                sheet.name("turns"), "Resource", color="YELLOW", limit=horizon + 1
            )
            sheet.act(self.player, self.ice, "changeResource", resource=self.counted_turns, value=1)
        sheet.act(self.player, self.ice, "transformToAll", stype=self.rest, stypeTo=self.ice)
        sheet.act(self.player, self.ice, "transformTo", stype=self.sliding, forceOrientation=True)
        sheet.say("until something stops him, and no ice is below him")
        sheet.act(self.sliding, walls.strip(), "transformTo", stype=self.stopped)
        sheet.act(self.stopped, walls.strip(), "stepBack")
        sheet.act(self.ice, self.stopped, "transformTo", stype=self.rest)
        sheet.act(self.stopped, self.rest, "transformTo", stype=self.player)

    def turns(self) -> None:
        """Write that there are so many turns: a sprite shows that they are made."""
        self.trail = self.rest
        self.over = self.sheet.sprite(self.sheet.name("over"), self.still, color="BLACK")
        horizon, counted = self.instance.level.horizon, self.counted_turns
        self.sheet.act(
            self.player, self.rest, "spawnIfHasMore", resource=counted, limit=horizon, stype=self.over
        )

    def out_of_turns(self) -> None:
        """The level is lost when all turns are made."""
        self.sheet.end("SpriteCounterMore", stype=self.over, limit=1, win=False)
