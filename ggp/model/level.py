"""A level is one map with its numbers; with its game it is an instance, and a plan is an answer to that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ggp.errors import Place
from ggp.model.game import Game
from ggp.model.hashed import Hashed
from ggp.model.kinds import Cell, Piece
from ggp.model.shown import Shown, line, number_of

LISTED = 24  # placements, and inputs, that the line of a plan begins with


@dataclass(frozen=True, slots=True)
class Plan(Shown):
    """An answer: what is placed where before the run, and an action a turn.

    `instance` is what it answers, where it came from a solver: a picture needs it. It tells no plans apart.
    `chance` is what chance drew, before the first turn and in each.
    """

    design: tuple[tuple[Cell, Piece], ...] = ()
    actions: tuple[str, ...] = ()
    instance: Instance | None = field(default=None, compare=False)
    chance: tuple[tuple[str, ...], ...] = ()

    def __repr__(self) -> str:
        """How much it holds, and how it begins."""
        some = [f"{piece} ({row},{column})" for (row, column), piece in self.design[:LISTED]]
        begins = " ".join([*some, *self.actions[:LISTED]])
        numbers = [("placement", len(self.design)), ("turn", len(self.actions))]
        counted = ", ".join(number_of(what, number) for what, number in numbers if number)
        return line("Plan", "", [f"{counted}: {begins}" if counted else "nothing to do"])


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a level, each part checked by the tests. None: not known.

    `value`: of several players, what the first one gets if all play as well as can be: 1, 0 or -1.
    """

    solvable: bool | None = None
    solutions: int | None = None
    optimum: tuple[tuple[str, int], ...] = ()
    wins: tuple[Plan, ...] = ()
    loses: tuple[Plan, ...] = ()
    value: int | None = None


Clue = tuple[int, ...] | None
"""What is told of one region: a number, several in their order, or nothing."""

Drawing = tuple[tuple[frozenset[Piece], ...], ...]
"""A small map: the pieces that it shows, row by row."""

Start = tuple[int, int, str]
"""Where a piece starts from and where it faces, "" for a kind without facings."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of designs beside what a level says; told with the answer, it changes nothing itself.

    So many placements, nothing on some cells, other places from which the walker may start.
    """

    exactly: int | None = None
    avoid: frozenset[Cell] = frozenset()
    robust: tuple[Start, ...] = ()

    def words(self) -> list[str]:
        """Each part in a few words."""
        cells = " ".join(f"({row},{column})" for row, column in sorted(self.avoid))
        starts = " ".join(f"({row},{column}) {facing}".rstrip() for row, column, facing in self.robust)
        number = None if self.exactly is None else f"exactly {self.exactly} placed"
        parts = (number, cells and f"nothing on {cells}", starts and f"also from {starts}")
        return [part for part in parts if part]

    def data(self) -> dict[str, object]:
        """The parts that are asked, as JSON data."""
        cells, starts = sorted(map(list, self.avoid)), [list(start) for start in self.robust]
        parts = {"exactly": self.exactly, "avoid": cells or None, "robust": starts or None}
        return {name: part for name, part in parts.items() if part is not None}


@dataclass(frozen=True, slots=True)
class Level(Hashed):
    """One map and its numbers. `board[row][column]` is the set of pieces that stand there at the start.

    `horizon` counts turns; None means that there is none. `numbers` holds `budget` and whatever else the
    game names; `regions` are named lists of cell sets that goals speak of (cages, pieces of a jigsaw), and
    `clues` hold what a goal is told of each region of that name, in their order. `patterns` are small maps
    that goals look for on the board. `avoid` are cells on which a design is to place nothing: part of a
    question, not of a level's file. `question` tells what was asked, for whoever shows the answer.
    """

    name: str
    board: tuple[tuple[frozenset[Piece], ...], ...]
    horizon: int | None = None
    numbers: tuple[tuple[str, int], ...] = ()
    regions: tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...] = ()
    when: Literal["horizon", "any-turn"] | None = None  # another ending than the game's, for this level
    title: str = ""
    known: Known = Known()
    place: Place | None = field(default=None, compare=False)
    clues: tuple[tuple[str, tuple[Clue, ...]], ...] = ()
    clue_places: tuple[tuple[str, tuple[Place, ...]], ...] = field(default=(), compare=False)
    patterns: tuple[tuple[str, Drawing], ...] = ()
    avoid: frozenset[Cell] = frozenset()
    question: Question = Question()

    __hash__ = Hashed.__hash__

    def __repr__(self) -> str:
        """Its name, and how large it is."""
        return line("Level", self.name, self.facts())

    def facts(self) -> list[str]:
        """How large it is, in a few words."""
        columns = len(self.board[0]) if self.board else 0
        pieces = sum(len(here) for row in self.board for here in row)
        turns = "no horizon" if self.horizon is None else f"horizon {self.horizon}"
        return [f"{len(self.board)}x{columns}", turns, number_of("piece", pieces)]

    def told_by(self) -> tuple[object, ...]:
        """Its name, its map and its numbers."""
        return self.name, self.board, self.horizon, self.numbers


@dataclass(frozen=True, slots=True)
class Instance(Shown):
    """A game and one of its levels: what is played, exported and solved."""

    game: Game
    level: Level

    def __repr__(self) -> str:
        """Its name, and how large it is."""
        design = f"{self.game.design.named} to place" if self.game.design is not None else ""
        return line("Instance", self.name, [*self.level.facts(), design])

    @property
    def name(self) -> str:
        """`game/level`, as the command line writes it."""
        return f"{self.game.name}/{self.level.name}"
