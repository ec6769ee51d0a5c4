"""What the anchors of one kind saw and did, as tables of numbers: each cell is looked at once in a view.

A window is some columns of the table. Whether it tells all examples apart, also in their images, is asked
of the numbers; rows in words are made of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ggp.learn.boards import Board, Stack, Token, Turn
from ggp.learn.fit.lists import Decisions
from ggp.learn.fit.program import Part, meaning
from ggp.learn.fit.sample import Sample
from ggp.learn.seen.codes import Codes
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.signs import is_sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.symmetry import Image, Symmetry
from ggp.learn.seen.views import PICK, Change, Look, Outcome, View
from ggp.model import DIRECTIONS, Cell

NOTHING = Decisions((), (), 0.0)


class Example(NamedTuple):
    """A subject on a cell, and what it changed (sign, cell, token)."""

    turn: Turn
    board: Board  # with the mark of the input
    at: Cell
    token: Token | None
    changes: frozenset[tuple[str, Cell, Token]]

    def seen(self, subject: str, view: View) -> tuple[str | None, Outcome]:
        """Where its subject looks, and what that changed, as it sees it."""
        direction = Part(subject, view, NOTHING).direction(self.token, self.turn.word)
        near = view.structure.near
        changes = (
            Change(
                sign,
                view.frame.offset(self.at, near(self.board, self.at, cell), direction),
                view.changed(sign, token, direction, self.token if sign == "+" or cell == self.at else None),
            )
            for sign, cell, token in self.changes
        )
        return direction, tuple(sorted(changes))

    def in_company(self, structure: Structure) -> bool:
        """Does another of its name share its cell?"""
        names = [structure.name(token) for token in self.board.at(self.at) or ()]
        return self.token is not None and names.count(structure.name(self.token)) > 1


def view_for(subject: str, frame: Frame, structure: Structure, examples: Sequence[Example]) -> View:
    """The view of a subject in which the fewest different things happen to it.

    One that can face four ways, and goes where it is sent, does the same from all four of them. One that has
    values, of which each push takes one, pushes with all of them alike.
    """
    views = [View(frame, structure)]
    faced = frame.toward != "facing" and subject in {name for name, _ in structure.facing.values()}
    busy = [one for one in examples if one.changes]
    if faced and subject != PICK and not any(one.in_company(structure) for one in busy):
        views += [View(frame, structure, subject, keeps) for keeps in (False, True)]
        if all(structure.facing[token][1].isdecimal() for token in structure.members(subject)):
            views.append(View(frame, structure, subject, keeps=True, counts=True))
    return min(views, key=lambda view: len({one.seen(subject, view)[1] for one in busy}))


class Sights:
    """The examples of a subject in one view."""

    def __init__(self, subject: str, view: View, examples: Sequence[Example]) -> None:
        import numpy as np

        self.np, self.view = np, view
        self.looks, self.words, self.outcomes = Codes[Look](), Codes[str](), Codes[Outcome]()
        self.columns: dict[Offset, Any] = {}
        seen = [example.seen(subject, view) for example in examples]
        self.patch = frozenset(change.offset for _, outcome in seen for change in outcome)
        self.said = np.array([self.words(meaning(view.structure, one.turn.word)) for one in examples])
        self.done = np.array([self.outcomes(outcome) for _, outcome in seen])
        ways = (None, *DIRECTIONS)
        self.way = np.array([ways.index(direction) for direction, _ in seen])
        axes = np.array([view.frame.axes(direction) for direction in ways])[self.way]
        self.ahead, self.side = axes[:, 0], axes[:, 1]
        stacks = Codes[Stack]()
        boards = Codes[Board]()
        number = np.array([boards(example.board) for example in examples])
        self.flat = np.array([stacks(stack) for board in boards.values for stack in board.cells])
        self.shape = np.array([board[:2] for board in boards.values])[number]
        ends = np.cumsum([len(board.cells) for board in boards.values])
        self.first = np.concatenate([[0], ends])[number]
        self.at = np.array([example.at for example in examples])
        # The look of each stack for each way; the last is that of a cell outside.
        self.look = np.array(
            [
                [self.looks(frozenset(view.seen(token, way) for token in stack)) for stack in stacks.values]
                + [self.looks(None)]
                for way in ways
            ]
        )
        # Signs are in every cell, so they are only looked at in one.
        self.plain = np.array(
            [
                self.looks(look and frozenset(thing for thing in look if not is_sign(thing.name)))
                for look in list(self.looks.values)
            ]
        )

    def column(self, offset: Offset) -> Any:
        """The number of what each example sees at an offset."""
        if offset not in self.columns:
            np = self.np
            cell = self.at + offset[0] * self.ahead + offset[1] * self.side
            cell = cell % self.shape if self.view.structure.joined else cell
            inside = ((cell >= 0) & (cell < self.shape)).all(axis=1)
            index = self.first + cell[:, 0] * self.shape[:, 1] + cell[:, 1]
            stack = np.where(inside, self.flat[np.where(inside, index, 0)], -1)
            look = self.look[self.way, stack]
            self.columns[offset] = look if offset == (0, 0) else self.plain[look]
        return self.columns[offset]

    def sample(self, offsets: Sequence[Offset], symmetry: Symmetry) -> Sample | None:
        """The different rows, most frequent first; None where two of them look alike and end differently."""
        np = self.np
        columns = [self.column(offset) for offset in offsets]
        table = np.array([*columns, self.said, self.done], dtype=np.int32).T
        first, _, number = distinct(np, table)
        table = table[first]
        if contradictory(np, table):
            return None
        if len(symmetry) > 1:
            images = [self.imaged(table, offsets, image) for image in symmetry]
            every = np.concatenate(images)
            first, inverse, _ = distinct(np, every)
            # A row that is its own image counts once.
            belongs = np.sort(inverse.reshape(len(images), -1), axis=0)
            fresh = np.concatenate([belongs[:1] >= 0, belongs[1:] != belongs[:-1]])
            table, number = (
                every[first],
                np.bincount(belongs[fresh], np.tile(number, (len(images), 1))[fresh]),
            )
            if contradictory(np, table):
                return None
        return Sample(self.looks, self.words, self.outcomes, offsets, self.in_order(table, number))

    def imaged(self, table: Any, offsets: Sequence[Offset], image: Image) -> Any:
        """All rows in an image."""
        np = self.np
        place = {offset: index for index, offset in enumerate(offsets)}
        found = np.empty_like(table)
        looks = np.array([self.looks(image.look(look)) for look in list(self.looks.values)])
        for index, offset in enumerate(offsets):
            found[:, place[image.place(offset)]] = looks[table[:, index]]
        found[:, -2] = np.array([self.words(image.word(word)) for word in list(self.words.values)])[
            table[:, -2]
        ]
        done = [self.outcomes(image.outcome(outcome)) for outcome in list(self.outcomes.values)]
        found[:, -1] = np.array(done)[table[:, -1]]
        return found

    def in_order(self, table: Any, number: Any) -> Any:
        """The rows, the most frequent first; the order does not depend on how sets are gone through."""
        np = self.np
        looks = ranks([() if look is None else (sorted(look),) for look in self.looks.values])
        words, outcomes = ranks(self.words.values), ranks(self.outcomes.values)
        keys = [np.array(outcomes)[table[:, -1]], np.array(words)[table[:, -2]]]
        keys += [np.array(looks)[table[:, index]] for index in reversed(range(table.shape[1] - 2))]
        return table[np.lexsort([*keys, -number])]


def ranks(keys: Sequence[Any]) -> list[int]:
    """The place of each key among all."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    found = [0] * len(keys)
    for rank, index in enumerate(order):
        found[index] = rank
    return found


def distinct(np: Any, table: Any) -> tuple[Any, Any, Any]:
    """The different rows of a table: where each is first, which one each row is, how often it is there."""
    lines = np.ascontiguousarray(table)
    whole = lines.view((np.void, lines.itemsize * lines.shape[1])).ravel()
    _, first, which, number = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
    return first, which, number


def contradictory(np: Any, table: Any) -> bool:
    """Do two of different rows differ in nothing but how they end, which stands last?"""
    return len(distinct(np, table[:, :-1])[0]) < len(table)
