"""What the player does in GVGAI, in the general scheme: keys as moves, or a cursor that places or picks.

What is pressed is told to all cells, for `transformToAll` reaches them all: on each lies a sprite that is
`idle` and becomes another for the rest of the tick. So a rule sees in its own cell what the input was. The
avatar that shoots (`ShootAvatar`) leaves its shot in the next cell; where it is does not matter, for the
cursor is where the click is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ggp.exporters.vgdl.gvgai.general.passes import GvgaiPassWriter
from ggp.exporters.vgdl.gvgai.general.sheet import GvgaiSheet
from ggp.exporters.vgdl.passes import Gate
from ggp.exporters.vgdl.player import OPPOSITE, Hand, Keys, NoHand, Picking, Placing
from ggp.model import DIRECTIONS, Cell, Piece
from ggp.referee.designs import free_cells
from ggp.referee.semantics import initial_state
from ggp.referee.stock import budget

CLICK, RUN = "click", "run"
BESIDE = {"up": "spawnAbove", "down": "spawnBelow", "left": "spawnLeft", "right": "spawnRight"}
AVATAR = "ShootAvatar rotateInPlace=False"


class Told(Hand):
    """What all hands share: an input is told to every cell of the board."""

    sheet: GvgaiSheet
    writer: GvgaiPassWriter

    def tell(self, inputs: Iterable[str]) -> None:
        """Define what lies on every cell: that there is no input, or which one."""
        sheet = self.sheet
        self.idle, self.told = sheet.name("idle"), sheet.name("told")
        self.inputs = {word: sheet.name(f"told {word}") for word in inputs}
        lines = [f"                {name} > Immovable color=WHITE" for name in self.inputs.values()]
        sheet.under(self.idle, "Immovable", color="WHITE")
        if lines:
            sheet.ground.append((self.told, "\n".join(["", *lines])))

    def hear(self, actor: str, partner: str, word: str) -> None:
        """Write that an input is told to all where these two meet."""
        self.sheet.act(actor, partner, "transformToAll", stype=self.idle, stypeTo=self.inputs[word])

    def after(self) -> None:
        """Write that all cells are idle again."""
        if self.inputs:
            self.sheet.say("no input any more")
            self.sheet.act(self.told, self.sheet.ground_name(), "transformTo", stype=self.idle)

    def lay(self, origin: Cell, below: int) -> None:
        """Put on each cell of the board that there is no input, and the clock below it."""
        if self.kind != "release":
            self.sheet.under(self.clock, "Immovable", color="DARKGRAY")
            self.sheet.hint(self.clock, "C")
            self.sheet.put((below, 0), self.clock)
        for row in range(self.writer.transition.height):
            for column in range(self.writer.transition.width):
                self.sheet.put((origin[0] + row, origin[1] + column), self.idle)


class GvgaiNoHand(Told, NoHand):
    """Nothing to decide: every tick is a turn. The avatar that must be does nothing."""

    def gates(self) -> list[Gate]:
        """Every tick is a turn."""
        self.names = {"hand": self.sheet.name("hand")}
        self.tell(())
        return []

    def after(self) -> None:
        self.sheet.act(self.names["hand"], self.sheet.ground_name(), "stepBack")

    def place(self, origin: Cell, below: int) -> None:
        self.sheet.sprite(self.names["hand"], "MovingAvatar", color="BLACK")
        self.sheet.put((below + 1, 1), self.names["hand"])
        self.lay(origin, below)


class GvgaiKeys(Told, Keys):
    """Each arrow key is a move, the space key the verb if there is one."""

    def gates(self) -> list[Gate]:
        """Where a turn begins: on every cell, with what is told there."""
        declared = self.instance.game.input
        assert declared is not None
        self.names = {f"key {way}": self.sheet.name(f"key {way}") for way in DIRECTIONS}
        self.names |= {name: self.sheet.name(name) for name in ("stick", "press")}
        self.tell((*declared.moves, *declared.verbs))
        gates = [Gate(frozenset({word}), name) for word, name in self.inputs.items()]
        return gates + [Gate(frozenset({"wait"}), self.idle)] * declared.wait

    def before(self) -> None:
        names, declared = self.names, self.instance.game.input
        assert declared is not None
        self.sheet.say("what is pressed is told to all cells")
        for way in declared.moves:
            self.hear(names["stick"], names[f"key {way}"], way)
        for verb in self.verbs:
            self.hear(names["press"], self.sheet.ground_name(), verb)

    def after(self) -> None:
        names, sheet = self.names, self.sheet
        sheet.say("the stick springs back")
        sheet.act(names["stick"], " ".join(names[f"key {way}"] for way in DIRECTIONS), "stepBack")
        if self.verbs:
            sheet.act(names["press"], sheet.ground_name(), "killSprite")
        super().after()

    def place(self, origin: Cell, below: int) -> None:
        names, sheet = self.names, self.sheet
        self.pads(below, "Immovable", "BLUE")
        if self.verbs:
            sheet.sprite(names["press"], "Immovable", color="RED")
            sheet.sprite(names["stick"], f"{AVATAR} stype={names['press']} color=BLACK")
        else:
            sheet.sprite(names["stick"], "MovingAvatar", color="BLACK")
        sheet.put((below + 1, 1), names["stick"])
        self.lay(origin, below)


class GvgaiCursor(Told):
    """What all cursors share: they walk over the map, and click."""

    def listen(self, fence: str, besides: Mapping[str, str] | None = None) -> None:
        """Write that a shot, wherever it lies, is a click where the cursor is."""
        names, sheet = self.names, self.sheet
        sheet.say("the cursor stays within its fence; where it is, a shot is a click")
        sheet.act(names["cursor"], fence, "stepBack")
        lies = sheet.ground_name()
        self.hear(names["shot"], lies, CLICK)
        for before, after in (besides or {}).items():
            sheet.act(names["shot"], lies, "transformToAll", stype=before, stypeTo=after)
        sheet.act(names["shot"], lies, "killSprite")

    def point(self, origin: Cell, below: int) -> None:
        """Define the cursor and its shot, and put the cursor on the map."""
        names, sheet = self.names, self.sheet
        sheet.sprite(names["shot"], "Immovable", color="RED")
        sheet.sprite(names["cursor"], f"{AVATAR} stype={names['shot']} color=BLACK")
        sheet.hint(names["cursor"], "@")
        sheet.put((origin[0] + self.start[0], origin[1] + self.start[1]), names["cursor"])
        self.lay(origin, below)


class GvgaiPicking(GvgaiCursor, Picking):
    """A click picks a cell; where a pick has a direction, the arrow key that follows gives it."""

    def gates(self) -> list[Gate]:
        """A turn begins with a pick."""
        held = ["hold", "armed"] if self.faces else []
        self.names = {name: self.sheet.name(name) for name in ["cursor", "shot", *held]}
        self.tell((CLICK, *self.faces))
        return [
            Gate(frozenset({"pick", way or "pick"}), self.inputs[way or CLICK]) for way in self.faces or ("",)
        ]

    def marker(self, way: str) -> str:
        """What a pick places."""
        return self.sheet.pieces[Piece(str(self.declared.pick), way or None)]

    def before(self) -> None:
        names, sheet = self.names, self.sheet
        self.listen(self.writer.edge)
        if not self.faces:
            sheet.say("a click picks the cell")
            sheet.act(self.inputs[CLICK], names["cursor"], "spawn", stype=self.marker(""))
            return
        sheet.say("a click holds the cell; the next arrow key picks it in that direction")
        self.grab = sheet.state("grab")
        sheet.act(self.inputs[CLICK], names["cursor"], "spawn", stype=self.grab)
        lies = sheet.ground_name()
        feels = {way: sheet.state(f"feel {way}") for way in self.faces}
        for way in self.faces:
            sheet.act(names["hold"], lies, BESIDE[way], stype=feels[way])
        for way in self.faces:
            pick = sheet.state(f"pick {way}")
            sheet.act(feels[way], names["armed"], BESIDE[OPPOSITE[way]], stype=pick)
            sheet.act(pick, lies, "spawn", stype=self.marker(way))
            self.hear(pick, lies, way)

    def after(self) -> None:
        names, sheet = self.names, self.sheet
        if self.faces:
            lies = sheet.ground_name()
            sheet.say("after one more tick the hold is lost")
            sheet.act(names["armed"], lies, "stepBack")
            sheet.act(names["armed"], names["hold"], "transformTo", stype=names["cursor"])
            sheet.act(names["hold"], lies, "killSprite")
            sheet.act(names["cursor"], self.grab, "transformTo", stype=names["armed"])
            sheet.act(self.grab, lies, "spawn", stype=names["hold"])
        super().after()

    def place(self, origin: Cell, below: int) -> None:
        if self.faces:
            self.sheet.sprite(self.names["hold"], "Immovable", color="YELLOW")
            self.sheet.sprite(self.names["armed"], "OrientedAvatar rotateInPlace=False color=YELLOW")
        self.point(origin, below)


class GvgaiPlacing(GvgaiCursor, Placing):
    """The cursor places and takes back within the budget; a click on the button lets the run begin."""

    def gates(self) -> list[Gate]:
        """Once released, every tick is a turn."""
        wanted = "cursor shot fence free watcher release pressed".split()
        self.names = {name: self.sheet.name(name) for name in wanted}
        self.start = min(free_cells(self.instance), default=(0, 0))
        self.tell((CLICK, RUN))
        return [Gate(frozenset(), self.inputs[RUN])]

    def before(self) -> None:
        names, sheet = self.names, self.sheet
        placed, most = sheet.pieces[self.piece], budget(self.instance)
        watches = sheet.ground_name()
        self.hear(names["watcher"], watches, RUN)
        sheet.act(names["watcher"], watches, "stepBack")
        self.listen(names["fence"], {names["release"]: names["pressed"]})
        sheet.say(f"a click on a free cell places a {self.piece}, or takes it back")
        click, aim, undo, put = (sheet.state(word) for word in ("click", "aim", "undo", "put"))
        sheet.act(self.inputs[CLICK], names["cursor"], "spawn", stype=click)
        sheet.act(click, names["free"], "transformTo", stype=aim)
        sheet.act(aim, placed, "transformTo", stype=undo)
        if most is None:
            sheet.act(aim, names["free"], "transformTo", stype=put)
        else:
            limit = most - 1 + sum(self.piece in here for here in initial_state(self.instance).board)
            sheet.act(aim, names["free"], "transformIfCount", stype=put, stypeCount=placed, leq=limit)
        sheet.act(put, names["free"], "transformTo", stype=placed)
        sheet.act(placed, undo, "killSprite")

    def after(self) -> None:
        names, sheet = self.names, self.sheet
        sheet.say("a click on the button: the run begins with the next tick")
        go, lies = sheet.state("go"), sheet.ground_name()
        sheet.act(names["pressed"], names["cursor"], "transformTo", stype=go)
        sheet.act(names["cursor"], go, "transformTo", stype=names["watcher"])
        sheet.act(go, lies, "spawn", stype=self.clock)
        sheet.act(names["pressed"], lies, "transformTo", stype=names["release"])
        super().after()

    def place(self, origin: Cell, below: int) -> None:
        names, sheet = self.names, self.sheet
        for name in ("free", "fence", "release", "pressed"):
            sheet.under(
                names[name], "Immovable", color="RED" if name in ("release", "pressed") else "LIGHTGRAY"
            )
        sheet.under(self.clock, "Immovable", color="GREEN")
        sheet.hint(names["free"], ".")
        sheet.hint(names["release"], "!")
        for row, column in free_cells(self.instance):
            sheet.put((origin[0] + row, origin[1] + column), names["free"])
        rows, columns = (max(cell[axis] for cell in sheet.cells) for axis in (0, 1))
        for row in range(rows + 1):
            for column in range(columns + 1) if row in (0, rows) else (0, columns):
                sheet.put((row, column), names["fence"])
        self.button = below, origin[1]
        sheet.put(self.button, names["release"])
        sheet.sprite(names["watcher"], "MovingAvatar", color="LIGHTGRAY")
        self.point(origin, below)
