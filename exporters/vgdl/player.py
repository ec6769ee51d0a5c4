"""What the player does, in the general scheme: keys as moves, a cursor that places, or a cursor that picks.

VGDL has no input but the keys that an avatar reads, so the avatar here is a hand, not a piece of the
game: with moves it is a stick that is pushed onto one of four keys and springs back, else a cursor on the
board. The space key makes the cursor shoot in all directions; since there may be only one shot, there is
just the first, in the cell above, from where it is conveyed down to the cursor: a click.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.exporters.vgdl.passes import Gate, PassWriter
from ggp.exporters.vgdl.sheet import Sheet
from ggp.model import DIRECTIONS, OFFSETS, Cell, Input, Instance, Piece
from ggp.referee.designs import free_cells, placeable
from ggp.referee.stock import budget

OPPOSITE = {"up": "down", "right": "left", "down": "up", "left": "right"}
COLOUR = "(255,255,255)"


@dataclass
class Hand:
    """One way of playing. `kind` is how `Layout.hand` calls it; `clock` is the sprite that counts turns.

    `before` writes what precedes the turn in a tick, `after` what follows it.
    """

    sheet: Sheet
    instance: Instance
    writer: PassWriter
    kind: str
    clock: str
    start: Cell = (0, 0)
    button: Cell = (0, 0)
    names: dict[str, str] = field(default_factory=dict)

    def gates(self) -> list[Gate]:
        """Where a turn begins; nowhere in particular where every tick is one."""
        return []

    def before(self) -> None:
        """Write what comes before the turn."""

    def after(self) -> None:
        """Write what comes after the turn."""

    def place(self, origin: Cell, below: int) -> None:
        """Put the sprites on the map. The board begins at `origin`; rows from `below` on are free."""

    def lines(self) -> list[str]:
        """How to play, for the head of the text."""
        return []


class NoHand(Hand):
    """Nothing to decide: every tick is a turn. The avatar that must be is the clock, and cannot move."""

    def place(self, origin: Cell, below: int) -> None:
        self.sheet.under(self.clock, "MovingAvatar", cooldown=1000000, color="(60,60,60)")
        self.sheet.put((below, 0), self.clock)

    def lines(self) -> list[str]:
        return ["Every tick is a turn, whatever key is pressed."]


class Keys(Hand):
    """Each arrow key is a move, the space key the verb if there is one."""

    def gates(self) -> list[Gate]:
        """Where a turn begins."""
        declared = self.instance.game.input
        assert declared is not None
        self.names = {f"key {way}": self.sheet.name(f"key {way}") for way in DIRECTIONS}
        self.names |= {name: self.sheet.name(name) for name in ("stick", "press")}
        gates = [
            Gate(frozenset({way}), self.names["stick"], self.names[f"key {way}"]) for way in declared.moves
        ]
        gates += [Gate(frozenset({verb}), self.names["press"], self.writer.here) for verb in declared.verbs]
        return gates + [Gate(frozenset({"wait"}))] * declared.wait

    def after(self) -> None:
        names = self.names
        self.sheet.say("the stick springs back")
        self.sheet.act(names["stick"], " ".join(names[f"key {way}"] for way in DIRECTIONS), "stepBack")
        if self.verbs:
            self.sheet.act(names["press"], self.writer.here, "killSprite")

    def pads(self, below: int, base: str, color: str) -> None:
        """Define the keys, and put them round the stick."""
        names, sheet = self.names, self.sheet
        for way in DIRECTIONS:
            sheet.under(names[f"key {way}"], base, color=color)
            down, right = OFFSETS[way]
            sheet.put((below + 1 + down, 1 + right), names[f"key {way}"])
            sheet.hint(names[f"key {way}"], way[0].upper())
        sheet.hint(names["stick"], "+")

    @property
    def verbs(self) -> tuple[str, ...]:
        """The inputs without a direction."""
        assert self.instance.game.input is not None
        return self.instance.game.input.verbs

    def place(self, origin: Cell, below: int) -> None:
        names, sheet = self.names, self.sheet
        self.pads(below, "Immutable", "(90,90,90)")
        sheet.hint(self.clock, "C")
        if self.verbs:
            sheet.sprite(names["press"], "Immovable", singleton=True)
            sheet.sprite(names["stick"], "ShootEverywhereAvatar", stype=names["press"], color=COLOUR)
        else:
            sheet.sprite(names["stick"], "MovingAvatar", color=COLOUR)
        sheet.put((below + 1, 1), names["stick"])
        sheet.under(self.clock, "Immovable", color="(60,60,60)")
        sheet.put((below, 0), self.clock)

    def lines(self) -> list[str]:
        declared = self.instance.game.input
        assert declared is not None
        said = [f"Arrow keys: {', '.join(declared.moves)}."] if declared.moves else []
        said += [f"Space: {verb}." for verb in declared.verbs]
        return [
            *said,
            "A tick without a key is a turn." if declared.wait else "A tick without a key is no turn.",
        ]


class Cursor(Hand):
    """What all cursors share: they walk over the map, the top row apart, and click."""

    def clicks(self) -> None:
        """Write that a shot becomes a click where the cursor is."""
        names, sheet = self.names, self.sheet
        sheet.say("the cursor stays on the map, and below its top row; a click is where it is")
        sheet.act(names["cursor"], f"{names['fence']} EOS", "stepBack")
        self.writer.convey(names["click"], (1, 0))

    def cursor(self, origin: Cell) -> None:
        """Define the cursor and the click, and put them on the map."""
        names, sheet = self.names, self.sheet
        sheet.under(names["fence"], "Immutable", color="(40,40,40)")
        sheet.sprite(names["click"], "Immovable", singleton=True)
        sheet.sprite(names["cursor"], "ShootEverywhereAvatar", stype=names["click"], color=COLOUR)
        columns = len(self.instance.level.board[0]) + 2 * origin[1]
        for column in range(columns):
            sheet.put((0, column), names["fence"])
        sheet.hint(names["fence"], "^")
        sheet.hint(names["cursor"], "@")
        sheet.put((origin[0] + self.start[0], origin[1] + self.start[1]), names["cursor"])


class Placing(Cursor):
    """The cursor places and takes back within the budget; a click on the button lets the run begin."""

    def gates(self) -> list[Gate]:
        """Once released, every tick is a turn."""
        wanted = "cursor click fence free aim undo go watcher".split()
        self.names = {name: self.sheet.name(name) for name in wanted}
        self.names["button"] = self.sheet.name("release")
        self.names["stock"] = "placed"
        self.start = min(free_cells(self.instance), default=(0, 0))
        return [Gate(frozenset(), self.names["watcher"], self.writer.here)]

    @property
    def piece(self) -> Piece:
        """What is placed."""
        return placeable(self.instance)[0]

    def cost(self, sign: int) -> int | None:
        """What placing one is worth, where the fewest placements are wanted."""
        objectives = self.instance.game.objectives
        return -sign if objectives and objectives[0].counts == "placements" else None

    def before(self) -> None:
        names, sheet, here = self.names, self.sheet, self.writer.here
        placed, most = sheet.pieces[self.piece], budget(self.instance)
        sheet.act(names["watcher"], "EOS", "stepBack")
        self.clicks()
        sheet.say(f"a click on a free cell places a {self.piece}, or takes it back")
        sheet.act(names["click"], names["free"], "transformTo", stype=names["aim"])
        sheet.act(names["aim"], placed, "transformTo", stype=names["undo"])
        if most is not None:
            limit = {"resource": names["stock"], "limit": most}
            sheet.act(names["aim"], names["cursor"], "killIfOtherHasMore", **limit)
        for what, sign in (("aim", 1), ("undo", -1)):
            change = {"resource": names["stock"], "value": sign, "scoreChange": self.cost(sign)}
            sheet.act(names["cursor"], names[what], "changeResource", **change)
        sheet.act(names["aim"], here, "transformTo", stype=placed)
        sheet.act(names["undo"], placed, "killBoth")

    def after(self) -> None:
        names, sheet, here = self.names, self.sheet, self.writer.here
        sheet.say("a click on the button: the run begins with the next tick")
        sheet.act(names["click"], names["button"], "transformTo", stype=names["go"])
        sheet.act(names["cursor"], names["go"], "transformTo", stype=names["watcher"])
        sheet.act(names["button"], names["go"], "transformTo", stype=self.clock)
        sheet.act(names["go"], here, "killSprite")
        sheet.act(names["click"], here, "killSprite")

    def place(self, origin: Cell, below: int) -> None:
        names, sheet = self.names, self.sheet
        sheet.under(names["free"], "Immutable", color="(225,225,220)")
        for row, column in free_cells(self.instance):
            sheet.put((origin[0] + row, origin[1] + column), names["free"])
        for name in ("aim", "undo", "go"):
            sheet.sprite(names[name], "Immovable")
        sheet.under(names["button"], "Immovable", color="(220,50,40)")
        sheet.under(self.clock, "Immovable", color="(60,160,60)")
        self.button = (below, origin[1])
        sheet.hint(names["button"], "!")
        sheet.hint(names["free"], ".")
        sheet.hint(self.writer.here, "-")
        sheet.put(self.button, names["button"])
        self.cursor(origin)
        sheet.sprite(names["watcher"], "MovingAvatar", color="(170,170,170)")

    def lines(self) -> list[str]:
        most = budget(self.instance)
        within = "" if most is None else f", at most {most}"
        return [
            f"Arrows move the cursor. Space places a {self.piece} on a free cell{within}, or takes it back;",
            "space on the red button below the board begins the run, in which every tick is a turn.",
        ]


class Picking(Cursor):
    """A click picks a cell; where a pick has a direction, the arrow key that follows gives it."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The directions that a pick may have."""
        return next(kind.facings for kind in self.instance.game.kinds if kind.name == self.declared.pick)

    @property
    def declared(self) -> Input:
        """What the player may do."""
        assert self.instance.game.input is not None
        return self.instance.game.input

    def gates(self) -> list[Gate]:
        """A turn begins with a pick."""
        wanted = (
            ["cursor", "click", "fence", "grab", "hold", "armed"]
            if self.faces
            else ["cursor", "click", "fence"]
        )
        self.names = {name: self.sheet.name(name) for name in wanted}
        for way in self.faces or ("",):
            self.names[f"pick {way}"] = self.sheet.name(f"pick {way}")
            self.names[f"feel {way}"] = self.sheet.name(f"feel {way}")
        return [
            Gate(frozenset({"pick", way or "pick"}), self.names[f"pick {way}"], self.writer.here)
            for way in self.faces or ("",)
        ]

    def before(self) -> None:
        names, sheet, here = self.names, self.sheet, self.writer.here
        self.clicks()
        board = self.writer.board_cell()
        if not self.faces:
            sheet.say("a click picks the cell")
            sheet.act(names["click"], board, "transformTo", stype=names["pick "])
        else:
            sheet.say("a click holds the cell; the next arrow key picks it in that direction")
            sheet.act(names["click"], board, "transformTo", stype=names["grab"])
            for way in self.faces:
                feel, pick = names[f"feel {way}"], names[f"pick {way}"]
                self.writer.spawn(names["hold"], here, feel)
                self.writer.convey(feel, OFFSETS[way])
                sheet.act(feel, names["armed"], "transformTo", stype=pick)
                sheet.act(feel, here, "killSprite")
                self.writer.convey(pick, OFFSETS[OPPOSITE[way]])
        for way in self.faces or ("",):
            marker = sheet.pieces[Piece(str(self.declared.pick), way or None)]
            self.writer.spawn(names[f"pick {way}"], here, marker)

    def after(self) -> None:
        names, sheet, here = self.names, self.sheet, self.writer.here
        for way in self.faces or ("",):
            sheet.act(names[f"pick {way}"], here, "killSprite")
        if self.faces:
            sheet.say("after one more tick the hold is lost")
            sheet.act(names["armed"], here, "stepBack")
            sheet.act(names["armed"], names["hold"], "transformTo", stype=names["cursor"])
            sheet.act(names["hold"], here, "killSprite")
            sheet.act(names["cursor"], names["grab"], "transformTo", stype=names["armed"])
            sheet.act(names["grab"], here, "transformTo", stype=names["hold"])
        sheet.act(names["click"], here, "killSprite")

    def place(self, origin: Cell, below: int) -> None:
        names, sheet = self.names, self.sheet
        for name, key in names.items():
            if name not in ("cursor", "click", "fence", "armed"):
                sheet.sprite(key, "Immovable", color="(255,220,90)" if name == "hold" else None)
        self.cursor(origin)
        if self.faces:
            sheet.sprite(names["armed"], "MovingAvatar", color="(255,220,90)")
        sheet.under(self.clock, "Immovable", color="(60,60,60)")
        sheet.put((below, 0), self.clock)

    def lines(self) -> list[str]:
        then = "then an arrow key, picks in that direction" if self.faces else "picks"
        return [f"Arrow keys move the cursor; space, {then}. Only what changes something is a turn."]
