"""One turn that was seen, on a stage: what a theory makes of its board, and who meets whom in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.insides import VECTORS, Inside, facing_of
from ggp.engines.vgdl.level import VgdlLevel, held_by
from ggp.engines.vgdl.program import Line
from ggp.engines.vgdl.sprites import Group, Sprite
from ggp.learn.boards import Board, Token, Turn
from ggp.model import Cell
from ggp.watch.theory.vgdl.spelling import Spelling
from ggp.watch.theory.vgdl.theories import EDGE, Theory
from ggp.watch.vgdl_clocks import clock_of, cooldowns_of, wind
from ggp.watch.vgdl_names import type_of

MISSING = 4  # what counts for each that is there too few, or too many
STOPPED = 60  # things that differ where the engine stops in a turn
NEAR = 2  # cells: what never changes plays no part further from all that does

Seen = frozenset[tuple[Cell, Token]]
"""Tokens with their cells."""


class Meeting(NamedTuple):
    """Two sorts of sprites in one cell, or one of them beyond an edge."""

    actor: str
    partner: str
    cell: Cell


class Outcome(NamedTuple):
    """What comes of a turn: what stands where, None where the engine stops; who met, and how much differs.

    `had`: the numbers of the lines that had their pair when it was their turn; none where nobody asked.
    """

    seen: Seen | None
    met: frozenset[Meeting]
    differs: int
    had: frozenset[int] = frozenset()


class Scene:
    """A turn made ready: what stood there, but for what never changes and is far from all that does."""

    def __init__(self, turn: Turn, spelling: Spelling, still: frozenset[Token]) -> None:
        self.turn, self.spelling = turn, spelling
        self.height, self.width = turn.before.height, turn.before.width
        self.key = spelling.key(turn.word)
        near = near_changes(turn, still) if still else None
        before = shown(turn.before, still, near)
        self.before = [(cell, *spelling.inside_of(token)) for cell, token in before]
        self.clocks = {(one.key, cell): clock for cell, one, clock in self.before if clock is not None}
        self.after: Seen = frozenset(shown(turn.after, still, near))

    @property
    def asked(self) -> tuple[Board, str | None]:
        """What has to be asked for to see it."""
        return self.turn.before, self.turn.word

    def played(self, theory: Theory, *, asked: bool = False) -> Outcome:
        """The turn as a theory says it. `asked`: who met in it is told, too."""
        level = Stage(theory, self.height, self.width, asked=asked)
        try:
            self.fill(level)
            level.tick(self.key if self.key in level.keys else "noop")
        except VgdlFault:
            return Outcome(None, level.met, STOPPED, frozenset(level.had))
        seen, odd = self.look(level)
        met = level.met | level.sharing() if asked else level.met
        differs = odd + (differing(seen, self.after) if seen != self.after else 0)
        return Outcome(seen, met, differs, frozenset(level.had))

    def fill(self, level: Stage) -> None:
        """Put all that stood there on the stage."""
        for cell, inside, _ in self.before:
            sprite = level.create(inside.key, cell)
            if sprite is not None and inside.facing is not None:
                sprite.orientation = VECTORS[inside.facing]
            if sprite is not None and inside.held:
                sprite.resources = dict(inside.held)
            if sprite is not None:
                sprite.to_rest(level.time, inside.rest)
        level.settle_order()
        cooldowns = cooldowns_of(level) if self.clocks else {}
        clocks = {place: clock for place, clock in self.clocks.items() if place[0] in cooldowns}
        if clocks:
            wind(level, clocks, cooldowns)

    def look(self, level: Stage) -> tuple[Seen, int]:
        """What stands there now; and how many things no board that was seen could show."""
        found, odd = set[tuple[Cell, Token]](), 0
        cooldowns = cooldowns_of(level) if self.clocks else {}
        for group in level.numbered:
            key = group.kind.key
            plain = key not in cooldowns and key not in self.spelling.names.holders and not group.rests
            for sprite in group.live:
                cell = sprite.cell
                if not level.inside(cell):
                    odd += 1
                    continue
                if plain and sprite.orientation is None and not sprite.resources:
                    token = key
                else:
                    token = self.token(level, sprite, cooldowns.get(key))
                odd += (cell, token) in found
                found.add((cell, token))
        return frozenset(found), odd

    def token(self, level: Stage, sprite: Sprite, cooldown: int | None) -> Token:
        """How a sprite is called that has something inside."""
        key, facing = sprite.group.kind.key, facing_of(*(sprite.orientation or (0, 0)))
        clock = clock_of(level, key, sprite.cell, cooldown) if cooldown else None
        inside = Inside(key, sprite.cell, facing, held_by(sprite), sprite.rest(level.time))
        return self.spelling.token(inside, clock)


class Stage(VgdlLevel):
    """A level that notes who shares a cell once all have moved, and which lines have their pair."""

    met: frozenset[Meeting] = frozenset()

    def __init__(self, theory: Theory, height: int, width: int, *, asked: bool) -> None:
        super().__init__(theory.game, height, width)
        self.asked, self.had = asked, set[int]()

    def run_effects(self) -> None:
        """Run every effect, as the engine does."""
        if self.asked:
            self.met = self.sharing()
        super().run_effects()

    def meet(self, line: Line, actors: list[Sprite], partners: Group) -> None:
        """An effect between sprites in one cell; some may be there only since a line before it."""
        if self.asked:
            for one in actors:
                if any(other is not one for other in partners.at.get(one.cell, ())):
                    self.note(line, one.cell)
        super().meet(line, actors, partners)

    def off_the_map(self, line: Line, actors: list[Sprite]) -> None:
        """An effect on sprites beyond an edge."""
        if self.asked:
            for one in actors:
                if not self.inside(one.cell):
                    self.note(line, one.cell)
        super().off_the_map(line, actors)

    def note(self, line: Line, cell: Cell) -> None:
        """Note that a line has its pair in a cell."""
        actor, partner = line.effect.actor, line.effect.partner
        self.had.add(line.effect.line - 1)
        self.met |= {Meeting(actor, partner, cell)}
        if partner != EDGE:
            self.met |= {Meeting(partner, actor, cell)}

    def sharing(self) -> frozenset[Meeting]:
        """Who shares a cell now, or is beyond an edge."""
        at: dict[Cell, list[str]] = {}
        for group in self.numbered:
            for sprite in group.live:
                at.setdefault(sprite.cell, []).append(group.kind.key)
        found = set()
        for cell, keys in at.items():
            if not self.inside(cell):
                found |= {Meeting(one, EDGE, cell) for one in keys}
            elif len(keys) > 1:
                found |= {Meeting(one, other, cell) for one in keys for other in keys if one != other}
                found |= {Meeting(one, one, cell) for one in keys if keys.count(one) > 1}
        return frozenset(found)


def differing(one: Seen, other: Seen) -> int:
    """How much two boards differ: in what is where, in which sorts are where, and in what there is at all.

    So something counts as better that faces the right way in a wrong cell, or stands right and faces wrong;
    what is gone, and should not be, counts as worse than what is elsewhere.
    """
    sorts = {(cell, type_of(token)) for cell, token in one} ^ {
        (cell, type_of(token)) for cell, token in other
    }
    tokens = Counter(token for _, token in one)
    tokens.subtract(token for _, token in other)
    stems = Counter[str]()
    for token, number in tokens.items():
        stems[type_of(token)] += number
    there = sum(map(abs, tokens.values())) + MISSING * sum(map(abs, stems.values()))
    return len(one ^ other) + len(sorts) + there


def placed(board: Board) -> Iterable[tuple[Cell, Token]]:
    """Each token of a board with its cell."""
    for index, stack in enumerate(board.cells):
        if stack:
            cell = divmod(index, board.width)
            for token in sorted(stack):
                yield cell, token


def shown(board: Board, still: frozenset[Token], near: set[Cell] | None) -> list[tuple[Cell, Token]]:
    """What plays a part on a board, with its cells."""
    return [one for one in placed(board) if near is None or one[1] not in still or one[0] in near]


def near_changes(turn: Turn, still: frozenset[Token]) -> set[Cell]:
    """The cells near anything that may change."""
    cells = {
        cell for board in (turn.before, turn.after) for cell, token in placed(board) if token not in still
    }
    return {
        (row + down, column + right)
        for row, column in cells
        for down in range(-NEAR, NEAR + 1)
        for right in range(-NEAR + abs(down), NEAR + 1 - abs(down))
    }


def unmoved(turns: Iterable[Turn]) -> frozenset[Token]:
    """The tokens that stand at the end of each turn where they stood before it, and nowhere else."""
    known, changing = set[Token](), set[Token]()
    for turn in turns:
        for before, after in zip(turn.before.cells, turn.after.cells, strict=True):
            known |= before
            if before != after:
                changing |= before ^ after
    return frozenset(known - changing)


def wrong_cells(scene: Scene, outcome: Outcome) -> set[Cell]:
    """The cells in which a theory says something else than what was seen."""
    return {cell for cell, _ in (outcome.seen or frozenset()) ^ scene.after}
