"""Any game for GVGAI: the general scheme of `ggp.exporters.vgdl.general` in the words that GVGAI has.

A turn is one tick whatever it does, but where a cell is picked: a cursor has to walk there. The turn is
counted where something has changed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ggp.exporters.vgdl.general import STRIP, GeneralWriter
from ggp.exporters.vgdl.gvgai.general.hands import GvgaiKeys, GvgaiNoHand, GvgaiPicking, GvgaiPlacing
from ggp.exporters.vgdl.gvgai.general.judging import GvgaiJudgeWriter
from ggp.exporters.vgdl.gvgai.general.passes import GvgaiPassWriter
from ggp.exporters.vgdl.gvgai.general.room import Room
from ggp.exporters.vgdl.gvgai.general.sheet import GvgaiSheet
from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter, cleaned, nearest
from ggp.exporters.vgdl.player import Keys, NoHand, Picking, Placing
from ggp.exporters.vgdl.sheet import Layout, colour
from ggp.model import Instance, Plan
from ggp.transition.whole_board import said_by_cells


class GvgaiGeneralWriter(GeneralWriter):
    """Writes one text."""

    still, divided = "Immovable", GvgaiWriter.divided
    hands = {Keys: GvgaiKeys, NoHand: GvgaiNoHand, Picking: GvgaiPicking, Placing: GvgaiPlacing}
    sheet: GvgaiSheet
    writer: GvgaiPassWriter

    def __init__(self, instance: Instance, plan: Plan | None) -> None:
        super().__init__(said_by_cells(instance), plan)

    def begin(self) -> None:
        """Make the sheet and what writes passes into it."""
        self.sheet = GvgaiSheet(self.instance)
        self.here = self.sheet.grounds[0]
        self.edge = self.sheet.name("edge")
        self.clock = self.sheet.name("clock")
        self.writer = GvgaiPassWriter(self.sheet, self.transition, self.edge)

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        made = super().write()
        return replace(made, text=cleaned(made.text))

    def pieces(self) -> None:
        """Define the pieces of the game, and what stands beyond the board."""
        sheet = self.sheet
        sheet.under(self.edge, "Immovable", color="DARKGRAY")
        sheet.hint(self.edge, "~")
        kinds = {kind.name: kind for kind in self.instance.game.kinds}
        for piece, key in sheet.pieces.items():
            sheet.sprite(key, "Immovable", color=self.paint(colour(kinds[piece.kind])))

    def strip(self) -> int:
        """How many rows there are below the margin."""
        return STRIP

    def paint(self, code: str) -> str:
        """The colour that comes nearest."""
        return nearest(code)

    # --- what happens in a tick ---------------------------------------------------------------------------

    @cached_property
    def turns(self) -> str:
        """The resource that the clock counts turns with."""
        horizon = self.instance.level.horizon
        assert horizon is not None
        return self.sheet.sprite(self.sheet.name("turns"), "Resource", color="YELLOW", limit=horizon + 1)

    def effects(self) -> None:
        """Write all effects in their order."""
        writer, transition = self.writer, self.transition
        self.hand.before()
        counting = self.counting()
        if counting:
            self.remember()
        writer.program(transition.turn + transition.physics)
        self.markers()
        writer.taken |= transition.markers
        writer.look(range(len(transition.planes)))
        timed = self.instance.level.horizon is not None
        if timed:
            self.count_turn(counting)
        self.hand.after()
        judges = self.sheet.ground_name()
        turns = self.turns if timed else ""
        before = len(self.sheet.states)
        GvgaiJudgeWriter(self.sheet, self.instance, self.clock, judges, writer, turns=turns).write()
        self.witnesses = 1 + len(self.sheet.states) - before
        self.sheet.clear()

    def remember(self) -> None:
        """Write that what stands there before the turn is remembered."""
        self.writer.look(())
        super().remember()

    def markers(self) -> None:
        """Write that the markers vanish."""
        gone = self.sheet.ground_name()
        for plane in sorted(self.transition.markers):
            self.sheet.act(self.writer.keys[plane], gone, "killSprite")

    def count_turn(self, only_changes: bool) -> None:
        """Write that the clock counts the turn, if it was one."""
        sheet, writer = self.sheet, self.writer
        if not only_changes:
            sheet.say("the clock counts the turn")
            sheet.act(self.clock, writer.here, "changeResource", resource=self.turns, value=1)
            return
        sheet.say("the clock counts the turn, if anything is not as it was")
        changed, ticked, tally = sheet.state("changed"), sheet.state("turn"), sheet.state("tally")
        for piece, was in self.past.items():
            now = sheet.state(f"now {piece}")
            writer.spawn(sheet.pieces[piece], sheet.ground_name(), now)
            sheet.act(was, now, "killSprite")
            sheet.act(now, was, "killSprite")
            for one in (was, now):
                sheet.act(one, writer.here, "transformTo", stype=changed)
        writer.spawn(self.clock, writer.here, tally)
        sheet.act(tally, self.clock, "transformIfCount", stype=ticked, stypeCount=changed, geq=1)
        sheet.act(self.clock, ticked, "changeResource", resource=self.turns, value=1)

    def most_sprites(self) -> int:
        """How many sprites a tick may come to, when all is written."""
        transition, contents = self.transition, self.sheet.contents()
        declared = self.instance.game.input
        picked = {p for p, piece in enumerate(transition.planes) if declared and piece.kind == declared.pick}
        words = [gate.words for gate in self.writer.gates]
        room = Room(transition, self.state.board, frozenset(picked), words)
        lying = sum(len(here) for row in contents for here in row)
        told = 2 * room.cells + len(self.sheet.states)  # and what there is one of
        passes = sum(room.of_pass(*one) for one in self.writer.passes)
        pieces = [room.most(plane) for plane in range(len(transition.planes))]
        compared = 3 * sum(pieces[plane] for plane in transition.dynamic)
        return lying + told + passes + compared + self.witnesses * max(room.cells, sum(pieces))
