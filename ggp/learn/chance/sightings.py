"""What things that go by chance did, and what stood around them then: one line for each time.

Of who stands alone it is plain what it did. What came where nothing that goes was near, came to the cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import CELL, meaning, subjects_on
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import OWN, Change, Look, Outcome, Seen, View
from ggp.learn.turn.evidence.changes import Changed, changes_of, distance
from ggp.model import Cell

HERE: Offset = (0, 0)
WAYS: tuple[Offset, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))  # right and down: up, right, down, left
WINDOW = (HERE, *WAYS)
REACH = 1  # rows and columns from who goes by chance in which it does something; 0 where nobody goes
MOSTLY = (
    0.5  # of the turns in which something goes away, that its like comes beside: it goes, and is not taken
)
PLAIN = Frame("none")


class Context(NamedTuple):
    """What stands in the cells of `WINDOW`, which things are beside, and the input."""

    looks: tuple[Look, ...]
    near: frozenset[str]
    word: str


class Sighting(NamedTuple):
    """What one did, in which context, and what it had done in the turn before (None: that was not seen)."""

    subject: str
    context: Context
    outcome: Outcome
    earlier: Outcome | None


class Watcher:
    """Sees what things do; `goers` are the names of those that go, or become others, by chance.

    `reach`: how far from its cell something does what it does.
    """

    def __init__(self, structure: Structure, goers: frozenset[str]) -> None:
        self.structure, self.goers = structure, goers
        self.views = {name: self.view_of(name) for name in (*goers, CELL)}
        self.reach = REACH

    def view_of(self, name: str) -> View:
        """How a subject sees: itself as the one that goes, whatever its value, where it has one."""
        faced = name in {family for family, _ in self.structure.facing.values()}
        return View(PLAIN, self.structure, name if faced else "")

    @cached_property
    def nears(self) -> tuple[Near, ...]:
        """What may be asked about what is beside."""
        return tuple(Near(name) for name in dict.fromkeys(map(self.structure.name, self.structure.tokens)))

    def of(self, runs: Iterable[Sequence[Turn]]) -> Iterator[Sighting]:
        """All that was plainly done in some runs; of cells nothing is said where nothing ever came to one."""
        runs = list(runs)
        self.reach = REACH * any(goes(name, runs, self.structure) for name in self.goers)
        came = any(
            subject == CELL and own
            for run in runs
            for turn in run
            for subject, _, _, own in self.plainly(turn)
        )
        for run in runs:
            earlier: dict[tuple[str, Cell], Outcome] = {}
            for turn in run:
                later: dict[tuple[str, Cell], Outcome] = {}
                for subject, at, token, own in self.plainly(turn):
                    if subject == CELL and not came:
                        continue
                    outcome = self.outcome(subject, token, at, own)
                    context = self.context(subject, turn, at)
                    yield Sighting(subject, context, outcome, earlier.get((subject, at)))
                    for name, there in self.left_as(subject, at, own):
                        later[name, there] = outcome
                earlier = later

    def plainly(self, turn: Turn) -> Iterator[tuple[str, Cell, Token | None, tuple[Changed, ...]]]:
        """Who did what: those that stand alone, and cells with none of them near.

        Raises NotLearned where something happens that is neither of them.
        """
        board, changes = turn.before, list(changes_of(turn))
        there = [(name, at, token) for name in sorted(self.goers) for at, token in self.standing(board, name)]
        near = {
            (row + down, column + right)
            for _, (row, column), _ in there
            for down in range(-self.reach, self.reach + 1)
            for right in range(-self.reach, self.reach + 1)
        }
        for name, at, token in there:
            others = (other for _, other, _ in there if other != at)
            if sum(other == at for _, other, _ in there) == 1 and all(
                distance(at, other) > 2 * self.reach for other in others
            ):
                yield name, at, token, tuple(one for one in changes if distance(at, one[1]) <= self.reach)
        come: dict[Cell, list[Changed]] = {}
        for one in changes:
            if one[1] not in near:
                if one[0] == "-":
                    raise NotLearned(f"{one[2]} goes where nothing is known to go by chance", "")
                come.setdefault(one[1], []).append(one)
        for index in range(len(board.cells)):
            at = divmod(index, board.width)
            if at not in near:
                yield CELL, at, None, tuple(come.get(at, ()))

    def standing(self, board: Board, name: str) -> Iterator[tuple[Cell, Token]]:
        """Where those of a name stand."""
        yield from ((at, token) for at, token in subjects_on(board, name, self.structure) if token)

    def left_as(self, subject: str, at: Cell, own: Sequence[Changed]) -> Iterator[tuple[str, Cell]]:
        """Where the next thing that it does is looked for."""
        if not any(at == cell and sign == "-" for sign, cell, _ in own):
            yield subject, at
        if subject != CELL:
            yield from ((self.structure.name(token), cell) for sign, cell, token in own if sign == "+")

    def outcome(self, subject: str, token: Token | None, at: Cell, own: Iterable[Changed]) -> Outcome:
        """What it did, as it sees it."""
        view = self.views[subject]
        changes = (
            Change(
                sign,
                PLAIN.offset(at, cell, None),
                view.changed(sign, other, None, token if sign == "-" and cell == at else None),
            )
            for sign, cell, other in own
        )
        return tuple(sorted(changes))

    def context(self, subject: str, turn: Turn, at: Cell) -> Context:
        """What stands around it."""
        looks = self.views[subject].window(turn.before, at, None, WINDOW)
        near = frozenset(thing.name for look in looks[1:] if look is not None for thing in look)
        return Context(looks, near, meaning(self.structure, turn.word))


def goes(name: str, runs: Iterable[Sequence[Turn]], structure: Structure) -> bool:
    """Does a thing go from cell to cell, or does it only come, go and become others where it stands?"""
    left = beside = 0
    for run in runs:
        for turn in run:
            own = [one for one in changes_of(turn) if structure.name(one[2]) == name]
            come = [at for sign, at, _ in own if sign == "+"]
            gone = [at for sign, at, _ in own if sign == "-" and at not in come]
            left += bool(gone)
            beside += any(distance(at, other) <= REACH for at in gone for other in come)
    return beside > MOSTLY * left


def is_step(outcome: Outcome) -> Offset | None:
    """The way of who goes by one cell, doing nothing else; None of other outcomes."""
    if len(outcome) != 2:
        return None
    gone, come = sorted(outcome, key=lambda one: one.sign, reverse=True)
    same = gone.thing.name == come.thing.name and gone.thing.facing in ("", OWN, come.thing.facing)
    there = gone.sign == "-" and come.sign == "+" and gone.offset == HERE and come.offset in WAYS
    return come.offset if there and same else None


def things_of(structure: Structure, name: str) -> frozenset[Seen]:
    """All that goes by a name, in whatever facing or with whatever value."""
    return frozenset(View(PLAIN, structure).seen(token, None) for token in structure.members(name))
