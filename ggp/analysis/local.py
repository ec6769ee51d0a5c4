"""Rules seen from single cells: what a subject on a cell does, with all that never changes worked out.

For a subject on a given cell most terms of most rules are settled by the walls around it. What is left is a
short list of alternatives, kept for the next time; so simulating a few movers costs little, however large
the board. Terms about the design are answered by a `Reader`, which may ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ggp.errors import IllFormed
from ggp.model import Piece
from ggp.transition.bits import Bits
from ggp.transition.program import CompiledRule, Loop, Pass, Program, Transition

Boards = tuple[int, ...]


class Ask(Exception):
    """The run needs to know what is placed on a cell (a bit) before it can go on."""

    def __init__(self, cell: int) -> None:
        self.cell = cell


class Question(NamedTuple):
    """A term left open: on `cell`, is one of the moving `planes` or of the placed `pieces` there?"""

    cell: int
    planes: tuple[int, ...]
    pieces: frozenset[Piece]
    wanted: bool


class Move(NamedTuple):
    """A change at known cells: take `plane` from `source` (if it is there), put `result` on `target`."""

    plane: int | None
    source: int
    result: int | None
    target: int


class Option(NamedTuple):
    """One rule for a subject on a cell: it fires if every question is answered as wanted."""

    rule: CompiledRule
    questions: tuple[Question, ...]
    moves: tuple[Move, ...]


@dataclass
class Reader:
    """What has been decided of the design. With `spent` nothing more can be placed, so nothing is asked."""

    decided: dict[int, Piece | None]
    rules: LocalRules
    spent: bool

    def piece(self, cell: int) -> Piece | None:
        """What is placed on a free cell; raises Ask if that is not decided."""
        if cell in self.decided:
            return self.decided[cell]
        if self.spent:
            return None
        raise Ask(cell)


class LocalRules:
    """The program of a transition around single cells, for one start and one set of free cells."""

    def __init__(
        self, transition: Transition, bits: Bits, start: Boards, placed: set[int], free: int
    ) -> None:
        self.transition = transition
        self.bits = bits
        self.start = start
        self.placed = placed
        self.free = free
        self.program: Program = transition.physics
        self.still = [plane for plane in range(len(start)) if plane not in transition.dynamic]
        self.undecided = placed.intersection(self.still)  # not in boards: what is placed is decided late
        self.known: dict[tuple[int, int | None, int], tuple[Option, ...]] = {}

    # --- what a subject can do

    def options(self, step: Pass, subject: int | None, cell: int) -> tuple[Option, ...]:
        """The rules that may fire for a subject on a cell, in order, as far as they are open."""
        key = (id(step), subject, cell)
        if key not in self.known:
            found: list[Option] = []
            for rule in dict(step.subjects)[subject]:
                option = self.option(rule, cell)
                if option is not None:
                    found.append(option)
                    if not option.questions:
                        break  # it always fires, so no later rule does
            self.known[key] = tuple(found)
        return self.known[key]

    def option(self, rule: CompiledRule, cell: int) -> Option | None:
        """A rule at a cell; None if it never fires there."""
        if rule.inputs:
            return None
        questions = []
        for term in rule.terms:
            at = self.at(cell, term.offset)
            if not term.planes:
                if bool(at) != term.wanted:
                    return None
                continue
            answer = self.question(at, term.planes, term.wanted)
            if answer is False:
                return None
            if isinstance(answer, Question):
                questions.append(answer)
        # What moves is looked at before the design, so that nothing is asked without need.
        questions.sort(key=lambda question: bool(question.pieces))
        moves = tuple(
            Move(c.plane, self.at(cell, c.source), c.result, self.at(cell, c.target)) for c in rule.changes
        )
        return Option(rule, tuple(questions), moves)

    def at(self, cell: int, offset: tuple[int, int]) -> int:
        """The cell at an offset, 0 outside."""
        back = (-offset[0], -offset[1])
        return self.bits.shift(cell, back) & self.bits.full

    def question(self, cell: int, planes: tuple[int, ...], wanted: bool) -> Question | bool:
        """The open part of a term, or its answer."""
        if any(self.start[plane] & cell for plane in planes if plane in self.still):
            return wanted
        moving = tuple(plane for plane in planes if plane not in self.still)
        open_pieces = [p for p in planes if p in self.placed and p in self.still and self.free & cell]
        if not cell or not (moving or open_pieces):
            return not wanted
        return Question(cell, moving, frozenset(self.transition.planes[p] for p in open_pieces), wanted)

    # --- running

    def turn(self, boards: Boards, reader: Reader) -> Boards:
        """The boards after one turn without input. Raises Ask, or IllFormed where rules collide."""
        boards = self.run(self.program, boards, reader)
        markers = self.transition.markers
        return tuple(0 if p in markers else b for p, b in enumerate(boards)) if markers else boards

    def run(self, program: Program, boards: Boards, reader: Reader) -> Boards:
        """The boards after the steps of a program."""
        for step in program:
            boards = (
                self.loop(step, boards, reader) if isinstance(step, Loop) else self.one(step, boards, reader)
            )
        return boards

    def loop(self, loop: Loop, boards: Boards, reader: Reader) -> Boards:
        """Run the body until it changes nothing."""
        for _ in range(loop.bound + 1):
            after = self.run(loop.body, boards, reader)
            if after == boards:
                return boards
            boards = after
        raise IllFormed(
            f"{loop.name or 'a loop'} is still changing after {loop.bound} passes", "", loop.place
        )

    def one(self, step: Pass, boards: Boards, reader: Reader) -> Boards:
        """One pass: the first option that holds for each subject, all from the same boards."""
        firing: list[Option] = []
        for subject, _ in step.subjects:
            there = self.bits.full if subject is None else boards[subject]
            perhaps = self.free & ~there if subject in self.undecided else 0
            there |= perhaps
            while there:
                cell = there & -there
                there ^= cell
                for option in self.options(step, subject, cell):
                    if all(self.answer(question, boards, reader) for question in option.questions):
                        # A subject that may have been placed is asked for only where it would do something.
                        own = self.transition.planes[subject] if subject is not None else None
                        if perhaps & cell and reader.piece(cell) != own:
                            break
                        if option.moves:
                            firing.append(option)
                        if step.must_change and idle(option, boards):
                            raise IllFormed(
                                f"{option.rule.name} changes nothing in a loop", "", option.rule.place
                            )
                        break
        return self.apply(boards, firing, reader) if firing else boards

    def answer(self, question: Question, boards: Boards, reader: Reader) -> bool:
        """Is the term as wanted?"""
        cell, planes, pieces, wanted = question
        for plane in planes:
            if boards[plane] & cell:
                return wanted
        return (bool(pieces) and reader.piece(cell) in pieces) == wanted

    def apply(self, boards: Boards, firing: list[Option], reader: Reader) -> Boards:
        """All removals, then all additions; the hard kinds are checked for collisions."""
        after = list(boards)
        exempt = self.transition.exempt
        removed: dict[tuple[int, int], tuple[int, bool]] = {}
        for number, option in enumerate(firing):
            for move in option.moves:
                if move.plane is not None and boards[move.plane] & move.source:
                    moved, key = move.result is not None, (move.plane, move.source)
                    first, was_moved = removed.get(key, (number, False))
                    if move.plane not in exempt and first != number and (moved or was_moved):
                        raise IllFormed(f"two rules remove {self.transition.planes[move.plane]}")
                    removed[key] = first, moved or was_moved
                    after[move.plane] &= ~move.source
        for option in firing:
            for move in option.moves:
                gone = move.plane is not None and not boards[move.plane] & move.source
                if move.result is not None and not gone:
                    self.put(after, move.result, move.target, reader)
        return tuple(after)

    def put(self, after: list[int], plane: int, cell: int, reader: Reader) -> None:
        """Add one piece, which must not meet another of its layer unless both may share."""
        hard, soft = self.transition.shares[self.transition.layers[plane]]
        rivals = hard if plane in self.transition.exempt else (*hard, *soft)
        for rival in rivals:
            placed = rival in self.placed and rival in self.still and self.free & cell
            if after[rival] & cell or (placed and reader.piece(cell) == self.transition.planes[rival]):
                raise IllFormed(
                    f"{self.transition.planes[plane]} collides with {self.transition.planes[rival]}"
                )
        after[plane] |= cell


def idle(option: Option, boards: Boards) -> bool:
    """Does a firing do no more than put back what it takes?"""
    there = [move for move in option.moves if move.plane is None or boards[move.plane] & move.source]
    taken = {(move.plane, move.source) for move in there if move.plane is not None}
    return taken == {(move.result, move.target) for move in there if move.result is not None}
