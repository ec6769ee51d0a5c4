"""Boards that question each rule: a turn in which it was seen to act, with one cell around it otherwise.

A rule that forgot to ask for something is right wherever that was never otherwise. Random play may seldom
show it (a wall behind the third of three crates), so it is made. So is what was seen in each of two cells and
never in both at once. Where a turn has several passes, or one that is repeated, a rule is questioned where it
acted in any of them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, combinations, zip_longest
from typing import NamedTuple

from ggp.learn.boards import Board, Stack, Token, Turn
from ggp.learn.fit.program import Passes, Program, subjects_on
from ggp.learn.seen.attached import Attached, nothing_attached
from ggp.learn.seen.exclusion import Pair
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.single import numbers_on
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Look
from ggp.learn.turn.crowd.acts import Act, acts
from ggp.model import OFFSETS, Cell

EXAMPLES = 2  # turns in which a decision acted that are changed
VARIED = 12  # with those that show something else in a cell that it is about
EACH = 2  # questions about the same two contents of two cells
MOST = 600  # challenges
MOVED = 2  # inputs for each board on which what there is one of is elsewhere

Asked = tuple[Board, str | None]
Both = tuple[tuple[Offset, Look], tuple[Offset, Look]]


class Contents(NamedTuple):
    """What cells were seen to hold. `alone`: the names of which no board holds two.

    `usual` holds none of these, `lonely` some. `beside`: the pairs of them that some board holds.
    """

    usual: list[Stack]
    lonely: list[Stack]
    alone: set[str]
    beside: set[Pair]
    together: set[Pair]
    structure: Structure
    attached: Attached

    @classmethod
    def of(cls, turns: Sequence[Turn], structure: Structure, attached: Attached | None = None) -> Contents:
        """All that was seen before some turns."""
        alone = never_two(turns, structure)
        usual, lonely = list[Stack](), list[Stack]()
        attached = nothing_attached(structure) if attached is None else attached
        stacks = {stack for turn in turns for stack in turn.before.cells}
        for stack in sorted(filter(attached.stands, stacks), key=sorted):
            (lonely if alone.intersection(map(structure.name, stack)) else usual).append(stack)
        beside = beside_on(turns, alone, structure)
        return cls(usual, lonely, alone, beside, together_on(turns, structure), structure, attached)

    def otherwise(self, board: Board, cell: Cell) -> Iterator[Board]:
        """The board with each of the usual contents in a cell."""
        return (with_stack(board, cell, stack) for stack in self.usual)

    def with_another_there(self, board: Board, cell: Cell) -> Iterator[Board]:
        """The board with what there is one of on a cell, and not where it was: a player below a stone.

        It stands there on what is there, and on all that it was seen to stand on. What was never seen with it
        in a cell goes to where it was, unless it was never seen with what is left there: of one target, on
        which the player stands, the player would be left in a wall. What never stands alone is not left so.
        """
        for name in sorted(self.alone):
            for at, token in list(subjects_on(board, name, self.structure)):
                if token is None or at == cell:
                    continue
                there, own = board.at(cell) or frozenset(), (board.at(at) or frozenset()) - {token}
                barred = frozenset(one for one in there if not self.met(token, one))
                parted = frozenset(one for one in barred if all(self.met(one, other) for other in own))
                stacks = [there - barred | {token}, *(one for one in self.lonely if token in one)]
                for stack in dict.fromkeys(map(self.attached.settled, stacks)):
                    behind = self.attached.settled(own | parted)
                    left = with_stack(with_stack(board, at, behind), cell, frozenset())
                    yield with_stack(self.without_lonely(left, stack), cell, stack)

    def met(self, one: Token, other: Token) -> bool:
        """Was something of the one's name seen in a cell with something of the other's?"""
        return frozenset(map(self.structure.name, (one, other))) in self.together

    def without_lonely(self, board: Board, stack: Stack) -> Board:
        """The board without what there is one of that is in some cell's contents, or was never beside it.

        Who has a shell on and who has none are one: no board holds both.
        """
        there = self.alone.intersection(map(self.structure.name, stack))
        pairs = ((one, frozenset({one, other})) for one in self.alone for other in there)
        names = {one for one, pair in pairs if pair not in self.beside}
        gone = frozenset(one for one in self.structure.tokens if self.structure.name(one) in names)
        cells = (self.attached.settled(here - gone) if here & gone else here for here in board.cells)
        return board._replace(cells=tuple(cells))


class Met(NamedTuple):
    """What was there whenever a decision acted: in each cell, and in each two of those that it is about."""

    alone: dict[Offset, set[Look]]
    both: set[Both]

    @classmethod
    def nothing(cls) -> Met:
        """Of a decision that did not act yet."""
        return cls(defaultdict(set), set())


@dataclass
class Questions:
    """Questions about one decision: of what was never there, of what was never there at once, all others."""

    new: list[Asked] = field(default_factory=list)
    both: list[Asked] = field(default_factory=list)
    usual: list[Asked] = field(default_factory=list)
    times: Counter[Both] = field(default_factory=Counter)

    def shuffled(self, rng: random.Random) -> Iterator[Asked]:
        """All of them, each sort in an order by chance; new and of both in turn, for there may be many."""
        for some in (self.new, self.both, self.usual):
            rng.shuffle(some)
        in_turn = chain.from_iterable(zip_longest(self.new, self.both))
        yield from (one for one in in_turn if one is not None)
        yield from self.usual


def challenges(
    program: Program | Passes, turns: Sequence[Turn], seed: int = 0, attached: Attached | None = None
) -> list[Asked]:
    """Turns to play; of many a choice in which each decision has its share. `attached`: what never is alone.

    What was never there when a decision acted comes first: nothing that was seen speaks for it that the
    decision acts there, or does not; and what was never there at once.
    """
    contents = Contents.of(turns, program.structure, attached)
    known = {(turn.before, turn.word) for turn in turns}
    words = sorted({turn.word for turn in turns if turn.word is not None and "(" not in turn.word})
    rng = random.Random(seed)
    examples, met = acting(program, turns)
    found: dict[int, Questions] = {}
    for number, turn, act in examples:
        one, there = found.setdefault(id(act.decision), Questions()), met[id(act.decision)]
        ask_of_two(turn, act, contents, there, one)
        if number > EXAMPLES:
            continue
        for offset in looked_at(act):
            cell = act.part.view.frame.cell(act.at, offset, act.direction)
            if not turn.before.inside(cell) or turn.before.at(cell) not in contents.usual:
                continue
            asked: list[Asked] = [(board, turn.word) for board in contents.otherwise(turn.before, cell)]
            for board in contents.with_another_there(turn.before, cell):
                asked += [(board, rng.choice(words) if words else turn.word) for _ in range(MOVED)]
            for question in asked:
                same = act.at == cell or look_at(act, cell, offset, question[0]) in there.alone[offset]
                (one.usual if same else one.new).append(question)
    in_turn = chain.from_iterable(zip_longest(*(one.shuffled(rng) for one in found.values())))
    return [one for one in dict.fromkeys(in_turn) if one is not None and one not in known][:MOST]


def ask_of_two(turn: Turn, act: Act, contents: Contents, met: Met, questions: Questions) -> None:
    """Ask of a turn with one cell otherwise: by what was seen there, but never with what another cell holds.

    A rule of who pushes from high ground is right on all that was seen, if nobody stood there and pushed from
    low to high ground.
    """
    about = used(act)
    for offset in about:
        cell = act.part.view.frame.cell(act.at, offset, act.direction)
        if not turn.before.inside(cell) or turn.before.at(cell) not in contents.usual:
            continue
        for board in contents.otherwise(turn.before, cell):
            changed = with_stack(act.board, cell, board.at(cell) or frozenset())
            looks = act.part.view.window(changed, act.at, act.direction, about)
            here = [*zip(about, looks, strict=True)]
            if any(look not in met.alone[where] for where, look in here):
                continue
            never = [both for both in combinations(here, 2) if both not in met.both]
            if any(questions.times[both] < EACH for both in never):
                questions.times.update(never)
                questions.both.append((board, turn.word))


def looked_at(act: Act) -> Iterable[Offset]:
    """The cells that were looked at when the rule was found, and those beside what it asks for or changes.

    What is forgotten may be just beyond: who asks for two in a row may have seen no third one.
    """
    about = used(act)
    beside = ((ahead + down, side + right) for ahead, side in about for down, right in OFFSETS.values())
    return dict.fromkeys((*act.part.decisions.offsets, *about, *beside))


def used(act: Act) -> list[Offset]:
    """The cells that a rule asks for or changes."""
    asked = {test.offset for test in act.decision.tests if not test.word}
    return sorted({(0, 0)} | asked | {change.offset for change in act.decision.outcome})


def never_two(turns: Iterable[Turn], structure: Structure) -> set[str]:
    """The names of which no board holds two: of several players nobody would see what each did."""
    found, several = set[str](), set[str]()
    for board in {turn.before for turn in turns}:
        for name, number in numbers_on(board, structure).items():
            (several if number > 1 else found).add(name)
    return found - several


def beside_on(turns: Iterable[Turn], names: Set[str], structure: Structure) -> set[Pair]:
    """The pairs of some names that were seen on one board."""
    found = {frozenset(numbers_on(board, structure).keys() & names) for board in {t.before for t in turns}}
    return {frozenset(pair) for some in found for pair in combinations(some, 2)}


def acting(
    program: Program | Passes, turns: Sequence[Turn]
) -> tuple[list[tuple[int, Turn, Act]], dict[int, Met]]:
    """A few turns for each decision that was seen to act, numbered, with where it did; all that was there.

    After the first ones these show something else in a cell that the decision is about. What was there is
    by decision.
    """
    examples: list[tuple[int, Turn, Act]] = []
    times: Counter[int] = Counter()
    met: dict[int, Met] = {}
    for turn in turns:
        for act in acts(program, turn.before, turn.word):
            key, offsets = id(act.decision), list(looked_at(act))
            there = met.setdefault(key, Met.nothing())
            looks = act.part.view.window(act.board, act.at, act.direction, offsets)
            here = dict(zip(offsets, looks, strict=True))
            about = [(offset, here[offset]) for offset in used(act)]
            if times[key] < EXAMPLES or (
                times[key] < VARIED and any(look not in there.alone[offset] for offset, look in about)
            ):
                times[key] += 1
                examples.append((times[key], turn, act))
            for offset, look in here.items():
                there.alone[offset].add(look)
            there.both.update(combinations(about, 2))
    return examples, met


def look_at(act: Act, cell: Cell, offset: Offset, board: Board) -> Look:
    """What a decision would see at an offset if what is on that cell of a board were there when it acts."""
    changed = with_stack(act.board, cell, board.at(cell) or frozenset())
    return next(iter(act.part.view.window(changed, act.at, act.direction, (offset,))))


def together_on(turns: Iterable[Turn], structure: Structure) -> set[Pair]:
    """The pairs of names that were seen in one cell."""
    stacks = {stack for turn in turns for board in turn[::2] for stack in board.cells}
    return {frozenset(pair) for stack in stacks for pair in combinations(map(structure.name, stack), 2)}


def with_stack(board: Board, cell: Cell, stack: Stack) -> Board:
    """The board with one cell otherwise."""
    index = cell[0] * board.width + cell[1]
    return board._replace(cells=(*board.cells[:index], stack, *board.cells[index + 1 :]))
