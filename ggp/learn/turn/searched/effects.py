"""What would have to be done: the places in which boards are otherwise than they should be, as outcomes.

Places that are near each other are taken together, and apart: what went from one cell to another, what is
gone, what has come. Each is told from the sight of whoever may have done it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.boards import Token
from ggp.learn.fit.program import CELL
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Change, View
from ggp.learn.turn.searched.field import WORD, Field
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule, Sight
from ggp.learn.turn.searched.told import Told
from ggp.model import DIRECTIONS, Cell

NEAR = 2  # cells that two places are apart at most, to be thought of together
MOST_TURNS = 150  # that are looked at
MOST_OUTCOMES = 200  # that are of use to whoever asks
MOST_CHANGES = 6  # of one outcome
MOST_SPOTS = 14  # of one heap of places: in larger ones things are looked at one by one
FAR = 2  # cells that something goes at least, to be thought to have gone on
REACH = 2  # cells that an outcome is away from who does it

Deed = tuple[tuple[str, Cell, Token], ...]
"""What comes (`+`) and goes (`-`), in cells of a board."""


class Lack(NamedTuple):
    """A board that should be otherwise: what has to come and to go."""

    row: int
    changes: frozenset[tuple[str, Cell, Token]]


def lacks(told: Told, end: Field, rows: Sequence[int]) -> Iterator[Lack]:
    """What would have to be done to the ends of some turns."""
    have, want = end.boards, told.after.boards
    for row in rows:
        found: set[tuple[str, Cell, Token]] = set()
        wrong = (have[row] ^ want[row]) & told.changing
        for number, word in np.argwhere(wrong).tolist():
            bits, wanted = int(wrong[number, word]), int(want[row, number, word])
            for bit in range(WORD):
                if bits >> bit & 1:
                    token = told.tokens[WORD * word + bit]
                    found.add(("+" if wanted >> bit & 1 else "-", end.grid.cell(number), token))
        yield Lack(row, frozenset(found))


def deeds_of(lack: Lack, structure: Structure, loops: bool) -> Iterator[Deed]:
    """What may have been done, of all that is otherwise: heaps of it, and parts of these.

    `loops`: something may have come by where it is not seen.
    """
    for heap in heaps(lack.changes):
        moves = moves_in(heap, structure)
        moved = {one for move in moves for one in move}
        rest = [one for one in sorted(heap) if one not in moved]
        short = [move for move in moves if apart(move[0][1], move[1][1]) <= REACH]
        singles = [tuple(sorted(move)) for move in short] + [(one,) for one in rest]
        if len(heap) <= MOST_CHANGES:
            yield tuple(sorted(heap))
            yield from on_the_way(heap) if loops else ()
        if len(heap) > MOST_SPOTS:
            singles = singles[:MOST_SPOTS]
        yield from singles
        for move in moves:
            first = first_step(move)
            if first is not None:
                yield first
        for one, other in combinations(singles, 2):
            if touching(one, other) and len(one) + len(other) <= MOST_CHANGES:
                yield tuple(sorted({*one, *other}))


def heaps(changes: frozenset[tuple[str, Cell, Token]]) -> Iterator[frozenset[tuple[str, Cell, Token]]]:
    """Changes in heaps of those that are near each other."""
    left = set(changes)
    while left:
        heap = {min(left)}
        grown = True
        while grown:
            near = {one for one in left - heap if any(apart(one[1], other[1]) <= NEAR for other in heap)}
            grown = bool(near)
            heap |= near
        left -= heap
        yield frozenset(heap)


def in_line(one: Cell, other: Cell) -> bool:
    """Are two cells in one row or column?"""
    return one[0] == other[0] or one[1] == other[1]


def along(at: Cell, to: Cell) -> Cell:
    """The step from one cell of a line to another."""
    down, right = to[0] - at[0], to[1] - at[1]
    return (down > 0) - (down < 0), (right > 0) - (right < 0)


def on_the_way(heap: frozenset[tuple[str, Cell, Token]]) -> Iterator[Deed]:
    """What may have become of something where it came by, though it went on by the rules so far."""
    for gone, at, token in heap:
        for come, to, other in heap:
            if gone == "-" and come == "+" and at != to and token != other and in_line(at, to):
                yield ("+", to, other), ("-", to, token)


def far_along(move: Deed) -> tuple[Token, Cell, Cell] | None:
    """What went several cells along a line, from where, and its step; None where nothing did."""
    (_, at, token), (_, to, after) = sorted(move, key=lambda one: one[0] == "+")
    if token != after or not in_line(at, to) or apart(at, to) < FAR:
        return None
    return token, at, along(at, to)


def first_step(move: Deed) -> Deed | None:
    """The first step of what went several cells along a line; None where nothing did."""
    went = far_along(move)
    if went is None:
        return None
    token, (row, column), (down, right) = went
    return tuple(sorted((("-", (row, column), token), ("+", (row + down, column + right), token))))


def apart(one: Cell, other: Cell) -> int:
    """Cells between two, as a king goes."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def touching(one: Deed, other: Deed) -> bool:
    """Is a cell of the one beside a cell of the other, or the same?"""
    return any(apart(a, b) <= 1 for _, a, _ in one for _, b, _ in other)


def moves_in(heap: frozenset[tuple[str, Cell, Token]], structure: Structure) -> list[Deed]:
    """What went from one cell to another, or became another thing where it was: the nearest first."""
    gone = [one for one in sorted(heap) if one[0] == "-"]
    come = [one for one in sorted(heap) if one[0] == "+"]
    pairs = sorted(
        (abs(a[1][0] - b[1][0]) + abs(a[1][1] - b[1][1]), a[2] != b[2], a, b)
        for a in gone
        for b in come
        if structure.name(a[2]) == structure.name(b[2])
    )
    used: set[tuple[str, Cell, Token]] = set()
    found: list[Deed] = []
    for far, _, a, b in pairs:
        if a not in used and b not in used and (far <= 2 * REACH or in_line(a[1], b[1])):
            used |= {a, b}
            found.append((a, b))
    for a in gone:  # what is something else now
        for b in come:
            if a not in used and b not in used and a[1] == b[1]:
                used |= {a, b}
                found.append((a, b))
    return found


class Outcomes:
    """Outcomes without tests that may be lacking, each as seen by whoever may do it.

    What is lacking in one turn is worked out once: most that is tried leaves most turns as they were.
    """

    def __init__(self, player: Player, actors: Sequence[str]) -> None:
        self.player, self.actors = player, actors
        self.numbers: dict[Rule, int] = {}
        self.known: dict[tuple[Lack, bool], NDArray[np.intp]] = {}

    def lacking(self, end: Field, rows: Sequence[int], loops: bool) -> list[Rule]:
        """What is lacking in some turns, what is lacking most often first."""
        found = [self.of(lack, loops) for lack in lacks(self.player.told, end, rows[:MOST_TURNS])]
        often = np.bincount(np.concatenate([*found, np.zeros(0, np.intp)]), minlength=len(self.numbers))
        rules = [*self.numbers]
        chosen = [(-times, rules[number]) for number, times in enumerate(often.tolist()) if times]
        least = sorted(chosen, key=lambda one: one[0])[:MOST_OUTCOMES][-1:]
        chosen = [one for one in chosen if one[0] <= least[0][0]]
        return [rule for _, rule in sorted(chosen, key=lambda one: (one[0], one[1].cost, repr(one[1])))]

    def of(self, lack: Lack, loops: bool) -> NDArray[np.intp]:
        """The numbers of what may have been done where something is lacking."""
        if (lack, loops) not in self.known:
            spend(1_500)
            told, structure = self.player.told, self.player.structure
            word = told.words[told.before.heard[lack.row]]
            seen = {
                rule: None
                for deed in dict.fromkeys(deeds_of(lack, structure, loops))
                for subject, at, token in doers(self.player, lack.row, deed, self.actors)
                for rule in as_rules(self.player, deed, subject, at, token, word)
            }
            numbers = [self.numbers.setdefault(rule, len(self.numbers)) for rule in seen]
            self.known[lack, loops] = np.array(numbers, np.intp)
        return self.known[lack, loops]


def doers(
    player: Player, row: int, deed: Deed, actors: Sequence[str]
) -> Iterator[tuple[str, Cell, Token | None]]:
    """Who may have done it: what goes, who acts and stands near; and where nothing goes, the cell."""
    structure = player.structure
    cells = [cell for _, cell, _ in deed]
    gone = [(cell, token) for sign, cell, token in deed if sign == "-"]
    for cell, token in gone:
        if all(max(abs(cell[0] - r), abs(cell[1] - c)) <= REACH for r, c in cells):
            yield structure.name(token), cell, token
    movers = {structure.name(token) for _, token in gone}
    yield from near(player, row, cells, [name for name in actors if name not in movers])
    if not gone:
        for cell in dict.fromkeys(cells):
            yield CELL, cell, None


def near(
    player: Player, row: int, cells: Sequence[Cell], names: Sequence[str]
) -> Iterator[tuple[str, Cell, Token]]:
    """What of some names stands near all of some cells before a turn, or in them."""
    told, grid = player.told, player.grid
    for name in names:
        for token in player.structure.members(name):
            if token in told.number:
                places = told.before.places(told.number[token]) - grid.pad
                first, last = np.searchsorted(places, [row * grid.size, (row + 1) * grid.size])
                for number in (places[first:last] - row * grid.size).tolist():
                    at = grid.cell(number)
                    if all(apart(at, cell) <= REACH for cell in cells):
                        yield name, at, token


def as_rules(
    player: Player, deed: Deed, subject: str, at: Cell, token: Token | None, word: str
) -> Iterator[Rule]:
    """A deed as the outcome of a rule without tests, in each sight that its subject may have."""
    structure = player.structure
    if token is not None and ("+", at, token) in deed:
        return  # it is there
    faced = token is not None and token in structure.facing
    for frame, direction, words in frames(player, token, word):
        for own, keeps in (
            ((subject, True), ("", False)) if faced and frame.toward != "facing" else (("", False),)
        ):
            view = View(frame, structure, own, keeps)
            outcome = tuple(
                sorted(
                    Change(
                        sign,
                        frame.offset(at, cell, direction),
                        view.changed(sign, what, direction, token if sign == "+" or cell == at else None),
                    )
                    for sign, cell, what in deed
                )
            )
            yield Rule(subject, Sight(frame, own, keeps), words, (), outcome)


def frames(
    player: Player, token: Token | None, word: str
) -> Iterator[tuple[Frame, str | None, frozenset[str] | None]]:
    """How a subject may see it: by the input, by its facing, or as it is."""
    structure, words = player.structure, player.told.words
    pointing = frozenset(one for one in words if one in DIRECTIONS)
    if word in DIRECTIONS:
        yield Frame("input", mirrored=pointing <= {"left", "right"}), word, pointing
    if token is not None and token in structure.facing:
        name, facing = structure.facing[token]
        if facing in DIRECTIONS:
            facings = {structure.facing[one][1] for one in structure.members(name)}
            yield Frame("facing", mirrored=facings <= {"left", "right"}), facing, None
    yield Frame("none"), None, None
