"""What differs in a text for GVGAI from py-vgdl's: a border, a trail that tells turns, who is gone."""

from __future__ import annotations

from ggp.exporters.vgdl.meetings import Planes
from ggp.exporters.vgdl.push import PushWriter
from ggp.exporters.vgdl.sheet import Layout
from ggp.model import Cell

COLOURS = {
    "WHITE": (250, 250, 250),
    "LIGHTGRAY": (150, 150, 150),
    "GRAY": (90, 90, 90),
    "DARKGRAY": (30, 30, 30),
    "BLACK": (0, 0, 0),
    "BROWN": (140, 120, 100),
    "RED": (200, 20, 20),
    "ORANGE": (250, 160, 0),
    "YELLOW": (250, 250, 0),
    "GREEN": (0, 200, 0),
    "LIGHTGREEN": (50, 250, 50),
    "BLUE": (0, 0, 200),
    "LIGHTBLUE": (50, 100, 250),
    "PINK": (250, 200, 200),
}


def cleaned(text: str) -> str:
    """The text without lines that hold nothing but a `#`, at which GVGAI's parser stops."""
    return "\n".join(line for line in text.split("\n") if line.strip() != "#")


def nearest(code: str) -> str:
    """The colour that comes nearest, by the names that GVGAI knows."""
    parts = [int(part) for part in code.strip("()").split(",")]
    apart = {name: sum((a - b) ** 2 for a, b in zip(COLOURS[name], parts, strict=True)) for name in COLOURS}
    return min(apart, key=lambda name: apart[name])


class GvgaiWriter(PushWriter):
    """Writes one text: what differs from py-vgdl's."""

    still, border = "Immovable", 1
    divided = "For GVGAI, which reads each level from a file of its own beside this one."
    edge = ""  # what stands round the map
    gone = ""  # what stands where the player has come to his end

    def paint(self, code: str) -> str:
        """The colour that comes nearest, by the names that GVGAI knows."""
        return nearest(code)

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        layout = super().write()
        players = dict.fromkeys(self.names[plane] for plane in self.pushing.walkers)
        origin, gone = (self.border, self.border), (self.gone, *players) if self.gone else ()
        return Layout(cleaned(layout.text), layout.pieces, origin, "idiom", "keys", gone=gone)

    def moves(self) -> None:
        """Write what happens when the player runs into something; a border stops all."""
        self.edge = self.sheet.under(self.sheet.name("edge"), self.still, color="DARKGRAY")
        self.sheet.hint(self.edge, "e")
        super().moves()

    def turns(self) -> None:
        """Write that a tick in which the player has moved is a turn, and that there are so many.

        The effects of one pair come together in GVGAI, where the first of them stands. So the ground goes by
        two names, and each step of the reasoning has a pair of its own.
        """
        sheet, player, limit = self.sheet, self.player, self.instance.level.horizon
        assert limit is not None
        counted = sheet.sprite(sheet.name("turns"), "Resource", color="YELLOW", limit=limit + 1)
        self.trail = trail = sheet.sprite(sheet.name("trail"), self.still, color="LIGHTGRAY")
        ground, earth = self.grounds()
        sheet.say("the player counts its turns; one that ends where the last one ended is none")
        sheet.act(player, ground, "changeResource", resource=counted, value=1)
        sheet.act(player, trail, "changeResource", resource=counted, value=-1)
        sheet.act(trail, ground, "killSprite")
        sheet.act(ground, player, "spawn", stype=trail)
        self.used_up(earth, counted, limit)

    def used_up(self, earth: str, counted: str, limit: int) -> None:
        """Write that the player is taken away when all turns are made."""
        self.sheet.say("and is gone when it has made them all")
        self.sheet.act(self.player, earth, "killIfHasMore", resource=counted, limit=limit)

    def death(self, name: str, *, spent: bool) -> None:
        """Write that something is the end of the player, and what shows it: he himself is seen on."""
        if not self.gone:
            self.gone = self.sheet.sprite(self.sheet.name("gone"), self.still, color="BLACK")
        self.sheet.act(name, self.player, "spawn", stype=self.gone)
        super().death(name, spent=spent)

    def grounds(self) -> tuple[str, str]:
        """Two names for the floor and the ground of the goal together, one above the other."""
        sheet, ground = self.sheet, None if self.ends is None else self.ends.ground
        both = {self.floor} if ground is None else {self.floor, self.names[ground]}
        lower, upper = sheet.name("ground"), sheet.name("earth")
        lines = [f"                {key} > {definition}" for key, definition in sheet.ground if key in both]
        sheet.ground = [one for one in sheet.ground if one[0] not in both]
        sheet.ground.insert(0, (upper, "\n".join(["", f"            {lower} >", *lines])))
        return lower, upper

    def losing(self, planes: Planes) -> None:
        """Write that it is lost when none is left of these; the player is when it shows that he is gone."""
        if planes != frozenset(self.pushing.walkers):
            super().losing(planes)
        elif self.gone:
            self.sheet.end("SpriteCounterMore", stype=self.gone, limit=1, win=False)

    def out_of_turns(self) -> None:
        """The level is lost when the player is gone; where each tick is a turn, after so many."""
        horizon = self.instance.level.horizon
        if not self.counts and horizon is not None:
            self.sheet.end("Timeout", limit=horizon - 1, win=False)  # the first tick is number 0
            return
        self.sheet.end("SpriteCounter", stype=self.player, limit=0, win=False)

    def board(self) -> None:
        """Put everything on the map, within a border."""
        super().board()
        rows, columns = len(self.instance.level.board) + 2, self.transition.width + 2
        moved = {(row + 1, column + 1): keys for (row, column), keys in self.sheet.cells.items()}
        around: list[Cell] = [
            (row, column)
            for row in range(rows)
            for column in range(columns)
            if row in (0, rows - 1) or column in (0, columns - 1)
        ]
        self.sheet.cells = {**{cell: [self.edge] for cell in around}, **moved}
