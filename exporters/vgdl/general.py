"""The general scheme as a whole: what stands where, and in which order the effects of a tick come.

The map is the board with a margin as wide as rules look, and a strip below for what is not of the game:
the clock, the keys, the button. A tick is: the player's hand, the passes of the turn, the markers vanish,
the clock counts, the hand again, the judge.
"""

from __future__ import annotations

from collections.abc import Mapping

from ggp.exporters.vgdl.goals import JudgeWriter
from ggp.exporters.vgdl.passes import PassWriter, dynamic_pieces, effective, reach
from ggp.exporters.vgdl.player import Hand, Keys, NoHand, Picking, Placing
from ggp.exporters.vgdl.sheet import DIVIDED, Layout, Sheet, colour, heading
from ggp.goals.pattern import Shape
from ggp.model import Instance, Piece, Plan
from ggp.referee.designs import placeable
from ggp.referee.semantics import initial_state
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition
from ggp.transition.whole_board import said_by_cells

STRIP = 3  # rows below the margin
GROUND = "(245,243,238)"


def hand_of(instance: Instance, plan: Plan | None) -> tuple[type[Hand], str]:
    """How the level is played, and the word for it."""
    declared = instance.game.input
    if declared is not None:
        return (Picking, "cursor") if declared.pick is not None else (Keys, "keys")
    return (Placing, "release") if instance.game.design is not None and plan is None else (NoHand, "none")


def write_general(instance: Instance, plan: Plan | None) -> Layout:
    """The text of an instance by the general scheme."""
    return GeneralWriter(said_by_cells(instance), plan).write()


class GeneralWriter:
    """Writes one text."""

    still = "Immutable"  # the class of what never changes
    divided = DIVIDED  # how the text is to be divided
    hands: Mapping[type[Hand], type[Hand]] = {}  # in place of those that `hand_of` names

    def __init__(self, instance: Instance, plan: Plan | None) -> None:
        self.instance = instance
        self.transition: Transition = compile_instance(instance)
        self.design = plan.design if plan is not None else ()
        self.state = initial_state(instance, self.design)
        self.begin()
        hand, kind = hand_of(instance, plan)
        hand = self.hands.get(hand, hand)
        self.hand = hand(self.sheet, instance, self.writer, kind, self.clock)
        self.writer.gates = tuple(self.hand.gates())

    def begin(self) -> None:
        """Make the sheet and what writes passes into it."""
        self.sheet = Sheet(self.instance)
        self.here = self.sheet.name("here")
        self.edge = self.sheet.name("edge")
        self.clock = self.sheet.name("clock")
        self.writer = PassWriter(self.sheet, self.transition, self.here, self.edge, ())

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        origin, below = self.margins()
        self.past: dict[Piece, str] = {}
        self.pieces()
        self.sheet.note("what the rules reason with: none of these outlasts a tick")
        self.effects()
        self.board(origin, below)
        self.sheet.note("what is not of the game")
        self.hand.place(origin, below)
        rows, columns = self.transition.height, self.transition.width
        where = f"The board is {rows} rows from row {origin[0]}, {columns} columns from column {origin[1]}."
        placed = [f"The design is placed: {len(self.design)} pieces."] if self.design else []
        self.sheet.head += heading(self.instance, [*placed, *self.hand.lines(), where], self.divided)
        text = self.sheet.text(here=(self.here, *self.writer.conveyors.values()))
        keys = {key: piece for piece, key in self.sheet.pieces.items()}
        hand = self.hand
        return Layout(text, keys, origin, "general", hand.kind, hand.start, hand.button, self.design)

    # --- what there is ------------------------------------------------------------------------------------

    def margins(self) -> tuple[tuple[int, int], int]:
        """Where the board begins on the map, and the first row of the strip below."""
        rows, columns = reach(self.transition.turn + self.transition.physics)
        for shape in self.instance.game.goal.every_term:
            for picture in shape.pictures(self.instance) if isinstance(shape, Shape) else ():
                rows = max(rows, *(abs(look.offset[0]) for look in picture))
                columns = max(columns, *(abs(look.offset[1]) for look in picture))
        if self.hand.kind in ("release", "cursor"):
            rows, columns = max(rows, 1), max(columns, 1)  # for the row that the cursor's shots come from
        return (rows, columns), 2 * rows + self.transition.height

    def pieces(self) -> None:
        """Define the pieces of the game, markers below a parent."""
        sheet = self.sheet
        sheet.under(self.here, "Immutable", color=GROUND)
        sheet.under(self.edge, "Immutable", color="(30,30,30)")
        sheet.hint(self.edge, "~")
        sheet.note("the pieces of the game")
        # py-vgdl leaves Immutable sprites out of saved states, so only what never changes may be one.
        changing = {*dynamic_pieces(self.transition), *placeable(self.instance)}
        kinds = {kind.name: kind for kind in self.instance.game.kinds}
        for piece, key in sheet.pieces.items():
            kind = kinds[piece.kind]
            base = "Immovable" if piece in changing or kind.marker else "Immutable"
            sheet.sprite(key, base, color=colour(kind))

    def board(self, origin: tuple[int, int], below: int) -> None:
        """Put the board and its margin on the map, and define what is on every cell."""
        sheet, transition = self.sheet, self.transition
        for way, key in self.writer.conveyors.items():
            sheet.under(key, "Conveyor", orientation=way.upper(), color=GROUND)
        if self.writer.board:
            sheet.under(self.writer.board, self.still, color=self.paint(GROUND))
        columns = max(transition.width + 2 * origin[1], STRIP)
        for row in range(below):
            for column in range(columns):
                at = (row - origin[0], column - origin[1])
                if not (0 <= at[0] < transition.height and 0 <= at[1] < transition.width):
                    sheet.put((row, column), self.edge)
                    continue
                here = self.state.board[at[0] * transition.width + at[1]]
                if self.writer.board:
                    sheet.put((row, column), self.writer.board)
                sheet.put(
                    (row, column), *(sheet.pieces[piece] for piece in transition.planes if piece in here)
                )
        sheet.put((below + self.strip() - 1, columns - 1))

    def strip(self) -> int:
        """How many rows there are below the margin."""
        return STRIP if self.hand.kind == "keys" else 1

    # --- what happens in a tick ---------------------------------------------------------------------------

    def effects(self) -> None:
        """Write all effects in their order."""
        self.hand.before()
        counting = self.counting()
        if counting:
            self.remember()
        self.writer.program(self.transition.turn + self.transition.physics)
        self.markers()
        if self.instance.level.horizon is not None:
            self.count_turn(counting)
        self.hand.after()
        idle = self.hand.kind == "release"
        JudgeWriter(self.sheet, self.instance, self.clock, self.here, self.writer, idle).write()

    def paint(self, code: str) -> str:
        """A colour as the dialect writes it."""
        return code

    def counting(self) -> bool:
        """Must it be found out whether a tick was a turn? Where there is an input, an idle one is none."""
        declared = self.instance.game.input
        return declared is not None and not declared.wait and self.instance.level.horizon is not None

    def remember(self) -> None:
        """Write that what stands there before the turn is remembered."""
        self.sheet.say("what stands where before the turn")
        self.past = {piece: self.sheet.state(f"was {piece}") for piece in dynamic_pieces(self.transition)}
        for piece, was in self.past.items():
            self.writer.spawn(self.sheet.pieces[piece], self.here, was)

    def markers(self) -> None:
        """Write that the markers vanish."""
        if self.transition.markers:
            self.sheet.say("markers vanish")
        for plane in sorted(self.transition.markers):
            self.writer.kill(self.writer.keys[plane])

    def count_turn(self, only_changes: bool) -> None:
        """Write that the clock counts the turn, if it was one."""
        objectives = self.instance.game.objectives
        scored = bool(objectives) and objectives[0].counts == "turns"
        sheet, here = self.sheet, self.here
        if not only_changes:
            sheet.say("the clock counts the turn")
            score = -1 if scored else None
            sheet.act(self.clock, here, "changeResource", resource="turns", value=1, scoreChange=score)
            return
        sheet.say("the clock counts the turn, if anything is not as it was")
        same, gains = sheet.state("same"), self.may_gain()
        self.writer.spawn(self.clock, here, same)
        for piece, was in self.past.items():
            key = sheet.pieces[piece]
            if gains:
                new = sheet.state(f"new {piece}")
                self.writer.spawn(key, here, new)
                sheet.act(sheet.each(new), was, "killSprite")
                sheet.act(new, here, "KillOthers", target=same)
                self.writer.kill(new)
            sheet.act(sheet.each(was), key, "killSprite")
            sheet.act(was, here, "KillOthers", target=same)
            self.writer.kill(was)
        for partner, sign in ((here, 1), (same, -1)):
            score = -sign if scored else None
            sheet.act(self.clock, partner, "changeResource", resource="turns", value=sign, scoreChange=score)
        sheet.act(same, here, "killSprite")

    def may_gain(self) -> bool:
        """Can a turn add pieces without taking any?"""
        return any(
            sum(change.result is not None for change in effective(rule))
            > sum(change.plane is not None and change.sure for change in effective(rule))
            for rule in self.transition.rules()
        )
