"""What passes do to many boards at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.views import Seen, View
from ggp.learn.turn.searched.field import Field, Numbers, Truth
from ggp.learn.turn.searched.rules import Rule, Sight, Step
from ggp.learn.turn.searched.tables import Entry, Saying, Spot, Way, in_parts, joined, table_of
from ggp.learn.turn.searched.told import Told, compiled, told_to_loops
from ggp.model import DIRECTIONS

if TYPE_CHECKING:
    from ggp.learn.turn.searched.loops import Instead, Table

NONE = -1  # no way, rule or subject


class Fired(NamedTuple):
    """Places in the flat array of some boards, whose anchors do what a way says."""

    way: Way
    places: Numbers


class Deeds(NamedTuple):
    """What is done on some boards: the row of each, the cell, and its number among some ways.

    `listed`: these, and whose they are. With a `rule` nothing is done there: that one is not followed, and
    those after it are asked. Without, no other rule of whoever does it is asked there.
    """

    rows: Numbers
    cells: Numbers
    ways: Numbers
    listed: Sequence[tuple[str, Way]]
    rule: Rule | None = None


class Asked(NamedTuple):
    """Some turns, at a place among passes. `board`: what was before the passes that are left, `steps`.

    `turns`: the number of the turn of each board; `wrong`, `astray`: how wrong its end is as it is.
    """

    turns: Numbers
    board: Field
    steps: Sequence[Step]
    wrong: Numbers
    astray: Numbers


class Played(NamedTuple):
    """The boards after a pass, and which are otherwise than before."""

    board: Field
    otherwise: Truth


class Player:
    """Plays passes on many boards at once."""

    def __init__(self, told: Told) -> None:
        self.told, self.structure, self.grid = told, told.structure, told.before.grid
        self.known: dict[Rule, tuple[Way, ...]] = {}
        self.view, self.things = cache(self.made_view), cache(self.things_seen)
        self.table, self.alone = cache(self.table_of_pass), cache(self.table_of_rule)
        self.numbers: dict[object, int] = {}

    def made_view(self, sight: Sight) -> View:
        """The view of a subject."""
        return View(sight.frame, self.structure, sight.own, sight.keeps)

    def things_seen(self, sight: Sight, direction: str | None) -> list[Seen | None]:
        """What each plane is for a subject that looks one way; None for the outside, which is last."""
        return [*(self.view(sight).seen(token, direction) for token in self.told.tokens), None]

    # --- rules for anchors of each plane

    def ways(self, rule: Rule) -> tuple[Way, ...]:
        """A rule for each plane of its subject, and each way in which that may look."""
        if rule not in self.known:
            self.known[rule] = tuple(self.worked_out(rule))
        return self.known[rule]

    def worked_out(self, rule: Rule) -> Iterator[Way]:
        """The same, worked out."""
        members: list[str | None] = [None]
        if rule.subject != CELL:
            members = [t for t in self.structure.members(rule.subject) if t in self.told.number]
            if not members:  # the mark of what is picked
                members = [t for t in self.told.tokens if self.structure.name(t) == rule.subject]
        toward = rule.sight.frame.toward
        for own in members:
            directions: list[str | None] = [None]
            if toward == "facing":
                facing = self.structure.facing.get(own or "")
                directions = [facing[1]] if facing is not None and facing[1] in DIRECTIONS else []
            elif toward == "input":
                directions = [word for word in self.told.words if word in DIRECTIONS]
            for direction in directions:
                way = self.way(rule, own, direction, direction if toward == "input" else None)
                if way is not None:
                    yield way

    def way(self, rule: Rule, own: str | None, direction: str | None, word: str | None) -> Way | None:
        """A rule for one plane, looking one way, under an input (None: any); None where it says nothing."""
        view = self.view(rule.sight)
        words = [word] if word is not None else list(self.told.words)
        if rule.words is not None:
            words = [one for one in words if one in rule.words]
        spots: list[Spot] = []
        for test in rule.tests:
            if test.word:
                words = [one for one in words if test.holds(None, one)]
                continue
            spots.append(self.spot(view, test, direction))
        gone: list[tuple[int, int]] = []
        come: list[tuple[int, int]] = []
        for sign, offset, token in view.apply(rule.outcome, (0, 0), direction, own):
            if token is None or token not in self.told.number:
                return None
            (gone if sign == "-" else come).append((self.told.number[token], self.grid.along(offset)))
        spots += [Spot((plane,), True, along) for plane, along in gone]
        spots += [Spot((self.grid.outside,), False, along) for _, along in come if along]
        if own is not None:
            home = self.told.number[own]
            of_itself = [spot for spot in spots if not spot.along and home in spot.planes]
            if any(not spot.wanted for spot in of_itself):
                return None
            spots = [spot for spot in spots if spot not in of_itself]
        if not words:
            return None
        asked = None if len(words) == len(self.told.words) else tuple(map(self.told.words.index, words))
        number = self.told.number[own] if own is not None else None
        return Way(number, direction, asked, tuple(dict.fromkeys(spots)), tuple(gone), tuple(come))

    def spot(self, view: View, test: Test, direction: str | None) -> Spot:
        """What a test asks of which cell."""
        along = self.grid.along(view.frame.cell((0, 0), test.offset, direction))
        tokens = (view.token(thing, direction) for thing in sorted(test.things))
        planes = tuple(self.told.number[token] for token in tokens if token in self.told.number)
        return Spot((*planes, self.grid.outside) if test.edge else planes, test.wanted, along)

    # --- tables of them

    def number(self, of: object) -> int:
        """The number of a rule, a part or a subject."""
        return self.numbers.setdefault(of, len(self.numbers))

    def table_of_pass(self, step: Step) -> tuple[Table, list[Way]]:
        """The table of the rules of a pass, and its ways."""
        number = self.number
        entries = in_parts(
            [
                Entry(way, number(rule), number(rule.subject), number(rule.part))
                for rule in step.rules
                for way in self.ways(rule)
            ]
        )
        rounds, signs = (
            self.grid.rounds + 1 if step.loop else 1,
            self.sayings(self.signs_of(step)),
        )
        return table_of(self.grid, len(self.told.words), entries, rounds, signs), [one.way for one in entries]

    def sayings(self, signs: Iterable[Sign]) -> list[Saying]:
        """Some signs, for the loops."""

        def planes(names: Iterable[str]) -> tuple[int, ...]:
            tokens = {token for name in names for token in (name, *self.structure.members(name))}
            return tuple(sorted(self.told.number[token] for token in tokens if token in self.told.number))

        return [
            Saying(
                self.told.number[one.token],
                planes([one.what]),
                planes(one.ground),
                not one.off if one.ground else None,
            )
            for one in signs
        ]

    def signed(self, board: Field, signs: Iterable[Sign]) -> Field:
        """The boards with the signs that are true of them in all cells."""
        boards = board.boards.copy()
        for one in self.sayings(signs):
            there = np.any(boards & self.grid.bits(one.what), axis=2)
            if one.beside is not None:
                there &= np.any(boards & self.grid.bits(one.ground), axis=2) == one.beside
            boards[np.any(there, axis=1)] |= self.grid.bits([one.plane])
        return Field.of(self.grid, board.padded(boards), board.heard, board.shapes)

    def signs_of(self, step: Step) -> list[Sign]:
        """The signs that the rules of a pass ask for."""
        asked = {thing.name for rule in step.rules for test in rule.tests for thing in test.things}
        return [one for one in self.told.signs if one.token in asked]

    def table_of_rule(self, rule: Rule) -> Table:
        """The table of the ways of a rule, in their order."""
        return self.listed([(rule.subject, way) for way in self.ways(rule)])

    def listed(self, ways: Iterable[tuple[str, Way]]) -> Table:
        """The table of some ways, in their order."""
        entries = [Entry(way, NONE, self.number(subject), place) for place, (subject, way) in enumerate(ways)]
        return table_of(self.grid, len(self.told.words), entries)

    def tables(self, steps: Sequence[Step]) -> Table:
        """The table of some passes."""
        if not steps:
            return self.listed(())._replace(rounds=np.zeros(0, np.int64))
        return joined([self.table(step)[0] for step in steps])

    def instead(self, deeds: Deeds) -> Instead:
        """What is done, for the loops."""
        from ggp.learn.turn.searched.loops import Instead

        nobody = np.full(len(deeds.rows), NONE)
        if deeds.rule is not None:
            return Instead(deeds.cells, nobody, nobody, np.full_like(nobody, self.number(deeds.rule)))
        subjects = np.array([self.number(subject) for subject, _ in deeds.listed], np.int64)
        return Instead(deeds.cells, deeds.ways, subjects[deeds.ways], nobody)

    # --- what they do

    def where(self, rule: Rule, board: Field) -> Iterator[Fired]:
        """The anchors at which each way of a rule holds."""
        for number, way in enumerate(self.ways(rule)):
            places = board.places(way.own)
            if len(places):
                found = compiled().where(self.alone(rule), number, *told_to_loops(board), places)
                if len(found):
                    yield Fired(way, found)

    def run(self, steps: Sequence[Step], board: Field) -> Field:
        """The boards after some passes."""
        for step in steps:
            board = self.step(step, board).board
        return board

    def step(self, step: Step, board: Field, *, once: bool = False) -> Played:
        """The boards after one pass, which may go on until nothing changes, or be asked `once`."""
        table, _ = self.table(step._replace(loop=False) if once else step)
        cells, twice, otherwise = compiled().played(table, *told_to_loops(board))
        return Played(Field(self.grid, cells, board.heard, board.shapes, twice), otherwise)

    def compared(
        self, steps: Sequence[Step], board: Field, known: Field, last: Field, wrong: Numbers, often: Numbers
    ) -> tuple[int, int, int, int]:
        """How many turns passes leave wrong, in how many places, and how often a thing comes twice to a cell.

        And how many turns end otherwise than they did (`last`), and as wrong.

        `known`: the boards after the first of these passes as far as it is known how they end: where they are
        the same, so many places are `wrong`, and things come twice so `often` later.
        """
        found: tuple[int, int, int, int] = compiled().compared(
            self.tables(steps), *told_to_loops(board), known.cells, last.cells, wrong, often, self.told.wanted
        )
        return found

    def followed(self, rule: Rule, step: Step, board: Field) -> list[Fired]:
        """Where a rule of a pass is the one that is followed."""
        table, listed = self.table(step)
        board = self.signed(board, self.signs_of(step))
        ways, places = compiled().followed(table, self.number(rule), *told_to_loops(board))
        found = [Fired(way, places[ways == number]) for number, way in enumerate(listed)]
        return [one for one in found if len(one.places)]

    def ends(self, asked: Asked, deeds: Deeds, *, before: bool) -> tuple[Numbers, Numbers]:
        """How wrong boards end if one thing is done on each, `before` all passes or within the first.

        And how far astray where that is as wrong as it was; -1 elsewhere.
        """
        found: tuple[Numbers, Numbers] = compiled().ends(
            self.tables(asked.steps),
            self.listed(deeds.listed),
            *told_to_loops(asked.board),
            deeds.rows,
            asked.turns,
            asked.wrong,
            self.instead(deeds),
            before,
            self.told.wanted,
        )
        return found

    def changed(self, board: Field, deeds: Deeds) -> Field:
        """The boards after something is done at some places of them."""
        order = np.argsort(deeds.rows, kind="stable")
        deeds = deeds._replace(rows=deeds.rows[order], cells=deeds.cells[order], ways=deeds.ways[order])
        table = self.listed(deeds.listed)
        cells = compiled().changed(table, *told_to_loops(board), deeds.rows, self.instead(deeds))
        return Field.of(self.grid, cells, board.heard, board.shapes)

    def on_the_way(self, step: Step, board: Field) -> list[tuple[Numbers, Field]]:
        """The boards on which a pass that goes on is asked, round after round, and which boards they are.

        All have the signs of the first.
        """
        found = [(np.arange(len(board)), board)]
        for _ in range(self.grid.rounds):
            place, before = found[-1]
            after, otherwise = self.step(step, before, once=True)
            moved = np.flatnonzero(otherwise)
            if not len(moved):
                break
            found.append((place[moved], self.said(after.take(moved), board, place[moved])))
        return found

    def said(self, board: Field, first: Field, rows: Numbers) -> Field:
        """Boards with the signs of others."""
        signs = first.boards[rows] & self.told.said
        return Field.of(self.grid, board.padded(board.boards | signs), board.heard, board.shapes)
