"""Boards on which rules act at two places in one turn: what an engine does once a turn is found out there.

Rules act wherever they apply, and so do those that are right of one place at a time alone. An engine that
goes through lists, or from meeting to meeting, may do the second one otherwise, and chance seldom brings two
together. So the surroundings of one act are put onto a board on which another acts with that input.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, product
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account, spend
from ggp.learn.probe.challenges import Asked, never_two
from ggp.learn.probe.making import Sides, edge_of
from ggp.learn.seen.attached import Attached, nothing_attached
from ggp.learn.turn.crowd.acts import Act, acts, acts_of_pass, boards_before_passes
from ggp.model import Cell

EXAMPLES = 3  # turns in which a decision acted that are put together
SAME = 6  # boards for each decision, twice
MOST = 300  # boards in all
LITTLE = 3e6  # work on trying boards: turns of many passes take long to foresee
FAR = 2  # cells between two acts that have nothing to do with one another as far as rules look
MARGIN = 2  # cells around what a decision asks for are tried to go with it
# How often a part's rows and columns are put below a board, to its right, above it and to its left.
GROWN = ((0, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


class Box(NamedTuple):
    """A part of a board: its first row and column, and those behind its last ones."""

    top: int
    left: int
    bottom: int
    right: int

    def wider(self, margin: int, board: Board) -> Box:
        """With so many cells around it, as far as the board goes."""
        return Box(
            max(0, self.top - margin),
            max(0, self.left - margin),
            min(board.height, self.bottom + margin),
            min(board.width, self.right + margin),
        )

    def moved(self, down: int, right: int) -> Box:
        """So many rows and columns further."""
        return Box(self.top + down, self.left + right, self.bottom + down, self.right + right)

    def has(self, cell: Cell) -> bool:
        """Is it a cell of the part?"""
        return self.top <= cell[0] < self.bottom and self.left <= cell[1] < self.right

    def apart(self, other: Box) -> bool:
        """Have the two no cell in common?"""
        beside = self.right <= other.left or other.right <= self.left
        return beside or self.bottom <= other.top or other.bottom <= self.top


class Room(NamedTuple):
    """How large boards may be, and what all their edges are made of, if they are to keep them."""

    sides: Sides = Sides()
    edge: frozenset[Stack] = frozenset()

    @property
    def may_grow(self) -> bool:
        """May rows and columns be put to a board?"""
        return not self.edge

    def holds(self, board: Board) -> bool:
        """Is it such a board?"""
        fits = board.height <= self.sides.most[0] and board.width <= self.sides.most[1]
        return fits and (not self.edge or self.edge.issuperset(edge_of(board)))


ANY = Room()


def room_in(world: object) -> Room:
    """The boards that a world sets up."""
    sides = getattr(world, "sides", None)
    return Room(Sides() if sides is None else sides, getattr(world, "edge", frozenset()))


class Deed(NamedTuple):
    """An act that changed something, in a turn, and where all stands that it asks for or changes."""

    turn: Turn
    act: Act
    box: Box

    @property
    def key(self) -> int:
        """Which decision acted."""
        return id(self.act.decision)


class Pair(NamedTuple):
    """A turn in which two acts are foreseen, the decisions that act, and the same turn with each act alone.

    `singles`: none where the two are so near that they may have to do with one another.
    """

    asked: Asked
    keys: frozenset[int]
    singles: tuple[Asked, ...]


class Twice(NamedTuple):
    """Turns in which the rules say that two things happen at once.

    `about`: by decision, what it is about. `seen`: those that were seen at two places in one turn already.
    """

    pairs: tuple[Pair, ...]
    about: dict[int, str]
    seen: frozenset[int]

    @property
    def asked(self) -> list[Asked]:
        """What is to be played."""
        return [pair.asked for pair in self.pairs]

    def alone(self, some: Container[Asked]) -> dict[Asked, tuple[Asked, ...]]:
        """Some of the asked turns whose acts lie far apart, with those in which each of the two is alone."""
        return {pair.asked: pair.singles for pair in self.pairs if pair.singles and pair.asked in some}

    def places(self, played: Iterable[Board]) -> Places:
        """What is known of these decisions once the asked turns were played on some boards."""
        there = set(played)
        same = (pair for pair in self.pairs if pair.asked[0] in there and len(pair.keys) == 1)
        done = frozenset[int]().union(*(pair.keys for pair in same))
        left = Counter(self.about[key] for key in self.about.keys() - self.seen - done)
        return Places(len(self.about), dict(sorted(left.items())))


class Places(NamedTuple):
    """How many rules may act at two places in one turn, and how many of them nobody saw do so.

    `left`: by what they are about.
    """

    rules: int
    left: dict[str, int]

    @property
    def line(self) -> str:
        """The same, as evidence."""
        number = sum(self.left.values())
        said = f"trial: of {self.rules} rules that may act at two places in one turn {{}} seen to do so"
        if not number:
            return said.format("all were")
        names = ", ".join(self.left)
        return said.format(f"{number} {'was' if number == 1 else 'were'} not") + (
            f" (of {names}): no such board was found, or taken; what comes of two is not known"
        )


def twice(
    program: Program | Passes,
    turns: Sequence[Turn],
    room: Room = ANY,
    seed: int = 0,
    attached: Attached | None = None,
) -> Twice:
    """Boards with two acts of one decision, and with one each of two. `attached`: what never is alone.

    Decisions that hang on what no board holds two of (a player) act at one place anyway.
    """
    examples, seen = deeds(program, turns)
    attached = nothing_attached(program.structure) if attached is None else attached
    without = Without(never_two(turns, program.structure), attached)
    several = {
        key: [one for one in found if not lonely(one, without.names)] for key, found in examples.items()
    }
    several = {key: found for key, found in several.items() if found}
    about = {key: found[0].act.part.subject or "cells" for key, found in several.items()}
    rng, known = random.Random(seed), {(turn.before, turn.word) for turn in turns}
    pairs = [(key, key) for key in several] + mixed(several, examples, rng)
    made: list[Pair] = []
    with suppress(NotLearned), account(LITTLE):
        for second, first in pairs:
            tried = together(program, examples[first], several[second], room, without, rng)
            found = (one for one in tried if one is not None and one.asked not in known)
            for one in islice(found, SAME if first == second else 1):
                made.append(one)
                known.add(one.asked)
            if len(made) >= MOST:
                break
    return Twice(tuple(made), about, frozenset(seen))


def mixed(
    several: dict[int, list[Deed]], examples: dict[int, list[Deed]], rng: random.Random
) -> list[tuple[int, int]]:
    """All pairs of two decisions, of which the first can be anywhere, in some order."""
    pairs = [(one, other) for one, other in product(several, examples) if one != other]
    rng.shuffle(pairs)
    return pairs


def deeds(program: Program | Passes, turns: Iterable[Turn]) -> tuple[dict[int, list[Deed]], set[int]]:
    """A few examples of each decision that changed something; and those that did at two places in a turn."""
    examples: dict[int, list[Deed]] = {}
    seen: set[int] = set()
    for turn in turns:
        if turn.before == turn.after:
            continue
        for one, board in boards_before_passes(program, turn.before, turn.word):
            # Who slides is at another place in each pass of a loop, and alone all the same.
            done = [act for act in acts_of_pass(one, board, turn.word) if act.decision.outcome]
            places = {(id(act.decision), act.at) for act in done}
            seen.update(key for key, times in Counter(key for key, _ in places).items() if times > 1)
            for act in done:
                found = examples.setdefault(id(act.decision), [])
                if len(found) < EXAMPLES or all(one.turn.word != turn.word for one in found):
                    found.append(Deed(turn, act, box_of(act)))
    return examples, seen


def box_of(act: Act) -> Box:
    """Where all stands that an act asks for or changes."""
    offsets = (test.offset for test in act.decision.tests if not test.word)
    asked = (act.part.view.frame.cell(act.at, offset, act.direction) for offset in offsets)
    cells = [act.at, *asked, *(cell for _, cell, _ in act.changes())]
    rows, columns = zip(*filter(act.board.inside, cells), strict=True)
    return Box(min(rows), min(columns), max(rows) + 1, max(columns) + 1)


def lonely(deed: Deed, alone: set[str]) -> bool:
    """Does an act hang on what no board holds two of, wherever that was before the turn?"""
    structure, boards = deed.act.part.view.structure, (deed.turn.before, deed.act.board)
    stacks = chain.from_iterable(chain.from_iterable(part_of(board, deed.box)) for board in boards)
    return any(structure.name(token) in alone for stack in stacks for token in stack)


def part_of(board: Board, box: Box) -> list[tuple[Stack, ...]]:
    """The rows of a part of a board."""
    starts = (row * board.width for row in range(box.top, box.bottom))
    return [board.cells[start + box.left : start + box.right] for start in starts]


def together(
    program: Program | Passes,
    firsts: Sequence[Deed],
    seconds: Sequence[Deed],
    room: Room,
    without: Without,
    rng: random.Random,
) -> Iterator[Pair | None]:
    """Turns in which both are said to act; None each time that this does not come out."""
    pairs = [(one, other) for one, other in product(firsts, seconds) if one.turn.word == other.turn.word]
    for _ in range(SAME):
        for first, second in rng.sample(pairs, len(pairs)):
            box = second.box.wider(rng.randint(0, MARGIN), second.turn.before)
            part = [list(map(without.left_of, row)) for row in part_of(second.turn.before, box)]
            place = placed(first, part, room, without, rng)
            yield None if place is None else both(program, first, second, box, place, without)


def both(
    program: Program | Passes, first: Deed, second: Deed, box: Box, place: Placed, without: Without
) -> Pair | None:
    """The turn in which both act, the second one put where it was placed; None where they do not."""
    word, down, right = first.turn.word, place.top - box.top, place.left - box.left
    here = first.key, (first.act.at[0] + place.down, first.act.at[1] + place.right)
    there = second.key, (second.act.at[0] + down, second.act.at[1] + right)
    if not {here, there} <= at_work(program, place.board, word):
        return None
    own, other = first.box.moved(place.down, place.right), second.box.moved(down, right)
    singles: list[Asked] = []
    for box, acting, idle in ((own, there, here), (other, here, there)):
        board = emptied(place.board, box, without)
        done = at_work(program, board, word) if own.wider(FAR, board).apart(other) else set()
        singles += [(board, word)] if acting in done and idle not in done else []
    return Pair(
        (place.board, word), frozenset((first.key, second.key)), tuple(singles) if len(singles) == 2 else ()
    )


def at_work(program: Program | Passes, board: Board, word: str | None) -> set[tuple[int, Cell]]:
    """Which decisions act where."""
    return {(id(act.decision), act.at) for act in acts(program, board, word)}


def emptied(board: Board, box: Box, without: Without) -> Board:
    """The board with what most of its cells hold in all cells of a part, but for what there is one of."""
    plain, cells = plainest(board), list(board.cells)
    for row in range(box.top, box.bottom):
        start = row * board.width
        here = slice(start + box.left, start + box.right)
        cells[here] = [stack if without.holds(stack) else plain for stack in cells[here]]
    return board._replace(cells=tuple(cells))


def plainest(board: Board) -> Stack:
    """What most cells hold."""
    return Counter(board.cells).most_common(1)[0][0]


class Without(NamedTuple):
    """The names of what is not put onto a board a second time, and what does not stand without these."""

    names: set[str]
    attached: Attached

    def holds(self, stack: Stack) -> bool:
        """Is something of these names in a cell?"""
        return not self.names.isdisjoint(map(self.attached.name, stack))

    def left_of(self, stack: Stack) -> Stack:
        """What stands in a cell, without things of these names."""
        left = frozenset(token for token in stack if self.attached.name(token) not in self.names)
        return left if left == stack else self.attached.settled(left)


class Placed(NamedTuple):
    """A board with a part put onto it: how far it grew above and to the left, and where the part is."""

    board: Board
    down: int
    right: int
    top: int
    left: int


def placed(
    first: Deed, part: list[list[Stack]], room: Room, without: Without, rng: random.Random
) -> Placed | None:
    """The board of an act, with something put where it neither asks nor changes; None if it cannot be.

    Nor is it put onto what there is one of: without the player nothing need happen at all.
    """
    rows, columns = len(part), len(part[0])
    before, box = first.turn.before, first.box
    down, right, up, left = rng.choice(GROWN) if room.may_grow else (0, 0, 0, 0)
    board = grown(before, (down * rows, right * columns, up * rows, left * columns))
    box = box.moved(up * rows, left * columns)
    spend(board.height * board.width)
    lone = [divmod(at, board.width) for at, stack in enumerate(board.cells) if without.holds(stack)]
    places = [
        (row, column)
        for row in range(board.height - rows + 1)
        for column in range(board.width - columns + 1)
        if box.apart(there := Box(row, column, row + rows, column + columns))
        and not any(map(there.has, lone))
    ]
    if not places:
        return None
    at, beside = rng.choice(places)
    cells = list(board.cells)
    for row, stacks in enumerate(part, start=at):
        start = row * board.width + beside
        cells[start : start + columns] = stacks
    board = board._replace(cells=tuple(cells))
    return Placed(board, up * rows, left * columns, at, beside) if room.holds(board) else None


def grown(board: Board, more: tuple[int, int, int, int]) -> Board:
    """The board with so many rows and columns more below, to the right, above and to the left.

    They hold what most cells of the board do.
    """
    down, right, up, left = more
    plain, width = plainest(board), board.width + left + right
    cells = [plain] * (up * width)
    for start in range(0, len(board.cells), board.width):
        cells += [*[plain] * left, *board.cells[start : start + board.width], *[plain] * right]
    return Board(board.height + up + down, width, (*cells, *[plain] * (down * width)))
