"""For GVGAI, which has one avatar: several who slide, all at once.

None of them is the avatar. It stands below the board between four pads, and to run into one sets all of them
off, as missiles. What is in the way throws them back, each other as well: as often as there are others, since
who is thrown back may come to where the next one has gone. They are at rest when a ball has gone along a lane
and back to a gate, which takes as long as the longest way on the board. Behind it the ball is at home.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ggp.exporters.vgdl.endings import Ends
from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.sheet import Layout
from ggp.model import DIRECTIONS, OFFSETS, Instance, Piece
from ggp.model.board import cells, height, width
from ggp.transition.program import Transition

HUB = 1, 2  # where the avatar stands below the board: row and column
LANE = 5  # the column where the lane begins, in the same row


class CrowdWriter(GvgaiWriter):
    """Writes the text of several who slide, of whom no level has more than `most`."""

    def __init__(self, instance: Instance, transition: Transition, pushing: Meetings, most: int) -> None:
        super().__init__(instance, transition, pushing)
        name = self.sheet.name
        self.on, self.most = {}, most
        self.hand, self.there, self.home, self.stop = name("hand"), name("there"), name("home"), name("stop")
        self.ball, self.out, self.back, self.post = name("ball"), name("out"), name("back"), name("post")
        self.ice, self.snow, self.rest = name("ice"), name("snow"), name("rest")
        self.gate, self.idle, self.done, self.over = name("gate"), name("idle"), name("done"), name("over")
        self.pads = {way: name(f"pad {way}") for way in DIRECTIONS}
        self.going = {way: name(f"going {way}") for way in DIRECTIONS}
        self.gliding = [name("gliding"), *(name(f"gliding {number}") for number in range(2, most))]

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        layout = super().write()
        pieces = {**layout.pieces, self.there: self.transition.planes[self.pushing.player]}
        return replace(layout, pieces=pieces, resting=self.ball)

    # --- sprites

    def walker(self, paint: str) -> None:
        """Define those who slide, at rest and on their way, what sets them off, and what tells the time.

        The effects of one pair come together in GVGAI. What has several steps of them has several names.
        """
        sheet = self.sheet
        sheet.ground.append(nested([self.snow], [f"{self.ice} > {self.still} color=LIGHTBLUE"]))
        sheet.under(self.rest, self.still, color="WHITE")
        for name in self.pads.values():
            sheet.under(name, self.still, color="BLUE")
        sheet.ground.append(nested([self.stop], [f"{self.gate} > {self.still} color=GRAY"]))
        sheet.under(self.home, self.still, color="LIGHTGRAY")
        sheet.under(self.post, self.still, color="DARKGRAY")
        for name in (self.player, self.there):
            sheet.sprite(name, self.still, color=paint)
        missiles = [
            f"{name} > Missile orientation={way.upper()} speed=1 cooldown=1 color={paint}"
            for way, name in self.going.items()
        ]
        sheet.sprites.append(nested(self.gliding[::-1], missiles))
        sheet.sprite(self.ball, self.still, color="RED")
        for name, towards in ((self.out, "RIGHT"), (self.back, "LEFT")):
            sheet.sprite(name, "Missile", orientation=towards, speed=1, cooldown=1, color="RED")
        sheet.sprite(self.hand, "MovingAvatar", color="BLACK")

    # --- effects

    def moves(self) -> None:
        """Write how they set off, go on, are stopped, and are at rest."""
        sheet = self.sheet
        self.edge = sheet.under(sheet.name("edge"), self.still, color="DARKGRAY")
        sheet.hint(self.edge, "e")
        sheet.say("a pad sets all of them off, and the ball")
        for way, pad in self.pads.items():
            for name, after in (
                (self.player, self.going[way]),
                (self.there, self.going[way]),
                (self.ball, self.out),
            ):
                sheet.act(pad, self.hand, "transformToAll", stype=name, stypeTo=after)
        sheet.act(self.hand, " ".join(self.pads.values()), "stepBack")
        sheet.say("what is in the way throws them back, and so do those who have been thrown back")
        walls = f"{self.listed(self.pushing.blockers)} {self.edge}".strip()
        sheet.act(self.gliding[0], walls, "stepBack")
        for name in self.gliding:
            sheet.act(name, name, "stepBack")
        sheet.say("when the ball is back all are at rest")
        sheet.act(self.out, self.post, "transformTo", stype=self.back)
        for name in self.going.values():
            sheet.act(self.gate, self.back, "transformToAll", stype=name, stypeTo=self.player)
        if self.counts:
            sheet.act(self.ice, self.player, "killAll", stype=self.idle)
        sheet.act(self.stop, self.back, "transformToAll", stype=self.rest, stypeTo=self.ice)
        sheet.act(self.snow, self.player, "transformTo", stype=self.rest)
        for plane in sorted(self.ends.exits if self.ends is not None else ()):
            sheet.act(self.player, self.names[plane], "transformTo", stype=self.there)
        if self.counts:
            self.count()
        else:
            sheet.act(self.back, self.home, "transformTo", stype=self.ball)

    def count(self) -> None:
        """Write that it was a turn if one of them is at rest on ice: where they were there is none.

        However many they are `idle` is killed once, and it is in one place. So what counts does not hang on
        which of them comes first in a list. If it is still at home when the ball is, it was no turn.
        """
        sheet, horizon = self.sheet, self.instance.level.horizon
        assert horizon is not None
        turns = sheet.sprite(sheet.name("turns"), "Resource", color="YELLOW", limit=horizon + 1)
        sheet.sprite(self.idle, self.still, color="WHITE")
        sheet.sprite(self.done, self.still, color="ORANGE")
        sheet.sprite(self.over, self.still, color="BLACK")
        sheet.say("home counts the turns, if one of them has moved")
        sheet.act(self.back, self.idle, "transformTo", stype=self.ball)
        sheet.act(self.back, self.home, "transformTo", stype=self.done)
        sheet.act(self.home, self.done, "changeResource", resource=turns, value=1)
        sheet.act(self.home, self.done, "spawnIfHasMore", resource=turns, limit=horizon, stype=self.over)
        sheet.act(self.home, self.done, "spawn", stype=self.idle)
        sheet.act(self.done, self.home, "transformTo", stype=self.ball)

    def turns(self) -> None:
        """They are counted where all come to rest."""

    def winning(self, ends: Ends) -> None:
        """Write that it is won when all of them, or some, are at rest on an exit."""
        if ends.some:
            self.counted([self.there], 1, win=True)
        else:
            self.counted([self.player, self.gliding[0]], 0, win=True)

    def out_of_turns(self) -> None:
        """The level is lost when all turns are made."""
        self.sheet.end("SpriteCounterMore", stype=self.over, limit=1, win=False)

    # --- the board

    def board(self) -> None:
        """Put everything on the map: the board within a border, and below it the avatar and the lane."""
        rows, columns = height(self.instance), width(self.instance)
        numbers, walls = self.transition.number, self.pushing.blockers
        for (row, column), here in zip(cells(self.instance), board_of(self.instance), strict=True):
            planes = sorted(map(numbers.__getitem__, here))
            lower = self.rest if self.pushing.player in planes else self.ice
            lower = self.floor if walls & set(planes) else lower
            self.sheet.put((row + 1, column + 1), lower, *(self.names[plane] for plane in planes))
        down, right = rows + 2 + HUB[0], HUB[1]
        self.sheet.put((down, right), self.floor, self.hand)
        for way, (by, along) in OFFSETS.items():
            self.sheet.put((down + by, right + along), self.pads[way])
        long = 1 + max(1, max(rows, columns) // 2)
        self.sheet.put((down, LANE), self.home, self.ball, *([self.idle] if self.counts else []))
        self.sheet.put((down, LANE + 1), self.gate)
        for column in range(LANE + 2, LANE + long):
            self.sheet.put((down, column), self.floor)
        self.sheet.put((down, LANE + long), self.post)
        for row in range(rows + 6):
            for column in range(max(columns + 2, LANE + long + 2)):
                if (row, column) not in self.sheet.cells:
                    self.sheet.put((row, column), self.edge)


def nested(names: Sequence[str], leaves: Iterable[str]) -> tuple[str, str]:
    """Sprite types below one another, the first one above all, and the leaves below the last one."""
    inner = [f"{'    ' * depth}{name} >" for depth, name in enumerate(names[1:], start=3)]
    lines = [*inner, *("    " * (len(names) + 2) + leaf for leaf in leaves)]
    return names[0], "\n".join(["", *lines])


def board_of(instance: Instance) -> Iterator[frozenset[Piece]]:
    """What stands on each cell at the start."""
    return (here for row in instance.level.board for here in row)
