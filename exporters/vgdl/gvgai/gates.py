"""For GVGAI: gates, which let in one way only.

An effect does not ask from where a sprite came. But from where the player may go wrong is known beforehand:
beside each such gate a sprite lies on the ground that bars the gate while the player stands there. What he
pushes goes through a gate as he comes to the cell before it, so that cell is barred while he stands behind
it, for him who finds something there to push. Sprites are barred and opened everywhere at once, so cells of
the same number must be nowhere within one step of the same cell: five numbers do.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.turning import Turned
from ggp.model import DIRECTIONS, OFFSETS, Cell, Instance
from ggp.model.board import cells, height, width
from ggp.transition.program import Transition

NUMBERS = range(5)


def number(cell: Cell) -> int:
    """The number of a cell: all cells beside one have another, and so has it itself."""
    return (cell[0] + 2 * cell[1]) % len(NUMBERS)


class GatesWriter(GvgaiWriter):
    """Writes the text of one whom gates let in one way only, or what he pushes."""

    def __init__(
        self, instance: Instance, transition: Transition, pushing: Meetings, *, every: bool = False
    ) -> None:
        """`every`: with all numbers, not those alone that this level has."""
        super().__init__(instance, transition, pushing)
        self.turned = Turned(transition)
        self.both: tuple[str, str] | None = None
        self.bars = (
            Bars(self, list(self.wrong(pushing.gates.walk, 1)), ("beside", "open", "barred"), every),
            Bars(self, list(self.wrong(pushing.gates.push, 2)), ("behind", "free", "held"), every),
        )
        self.stuck = self.sheet.name("stuck")

    def grounds(self) -> tuple[str, str]:
        """Two names for what lies below all else, whoever asks first."""
        self.both = self.both or super().grounds()
        return self.both

    # --- effects

    def moves(self) -> None:
        """Write what happens when he runs into a gate from the wrong side, or pushes something into one."""
        sheet, (walk, push) = self.sheet, self.bars
        for bars in self.bars:
            for name in (*bars.signs.values(), *bars.opened.values(), *bars.closed.values()):
                sheet.under(name, self.still, color="WHITE")
        sheet.under(self.stuck, self.still, color="WHITE")
        sheet.say("a gate that is barred for where the player comes from throws him back")
        sheet.act(self.player, " ".join(walk.closed.values()), "stepBack")
        sheet.say("and so does what he would push into one the wrong way")
        things = self.listed(frozenset(self.pushing.pushed))
        for name in push.closed.values():
            sheet.act(name, things, "spawn", stype=self.stuck)
        sheet.act(self.player, self.stuck, "stepBack")
        super().moves()

    def meets(self) -> None:
        """Write what comes of whom he has met; at last, what is barred for where he is now."""
        super().meets()
        sheet, (_, earth) = self.sheet, self.grounds()
        sheet.act(self.stuck, earth, "killSprite")  # else there would be one more each tick
        sheet.say("all is open, but for what is barred from where the player is now")
        for bars in self.bars:
            for one, name in bars.closed.items():
                sheet.act(earth, self.player, "transformToAll", stype=name, stypeTo=bars.opened[one])
        for bars in self.bars:
            for one, sign in bars.signs.items():
                sheet.act(
                    sign, self.player, "transformToAll", stype=bars.opened[one], stypeTo=bars.closed[one]
                )

    # --- the board

    def board(self) -> None:
        """Put everything on the map."""
        there = zip(cells(self.instance), self.contents(), strict=True)
        start = next(at for at, here in there if self.pushing.player in here)
        for bars in self.bars:
            for cell, name in bars.placed(start):
                self.sheet.put(cell, name)
        super().board()

    def contents(self) -> list[frozenset[int]]:
        """What stands on each cell at the start."""
        numbers = self.transition.number
        return [
            frozenset(map(numbers.__getitem__, here)) for row in self.instance.level.board for here in row
        ]

    def wrong(self, planes: frozenset[int], far: int) -> Iterator[tuple[Cell, Cell]]:
        """From where a step to where is stopped by these planes, so far away from there."""
        rows, columns = height(self.instance), width(self.instance)
        there = dict(zip(cells(self.instance), self.contents(), strict=True))
        walls = self.pushing.blockers - self.pushing.pushed.keys()
        for direction in DIRECTIONS:
            down, right = OFFSETS[direction]
            quarters = -DIRECTIONS.index(direction) % 4
            for (row, column), here in there.items():
                gate = row + far * down, column + far * right
                if here & walls or not (0 <= gate[0] < rows and 0 <= gate[1] < columns):
                    continue
                if self.turned.content(there[gate], quarters) & planes:
                    yield (row, column), (row + down, column + right)


class Bars:
    """What bars some cells: of each number a sign from where it does, and what lies there, open and closed.

    `wrong`: from where he must not step to where.
    """

    def __init__(
        self, writer: GatesWriter, wrong: list[tuple[Cell, Cell]], texts: tuple[str, str, str], every: bool
    ) -> None:
        self.wrong = list(dict.fromkeys(wrong))
        used = NUMBERS if every else sorted({number(aim) for _, aim in wrong})
        self.signs, self.opened, self.closed = (
            {one: writer.sheet.name(f"{text} {one}") for one in used} for text in texts
        )

    def placed(self, start: Cell) -> Iterator[tuple[Cell, str]]:
        """What lies where when the player stands at the start."""
        shut = {number(aim) for stand, aim in self.wrong if stand == start}
        for aim in dict.fromkeys(aim for _, aim in self.wrong):
            yield aim, (self.closed if number(aim) in shut else self.opened)[number(aim)]
        for stand, aim in self.wrong:
            yield stand, self.signs[number(aim)]
