"""What rules were seen to do on boards of one level: a program that is cut down to that.

Rules made of other systems' files are thousands, and are repeated until nothing changes: of most of them
nothing comes on the boards of a level, and of the rounds that a loop may take few are needed. No bound shows
it (`ggp.transition.bounds` takes all that may stand somewhere to stand there together), but a few hundred
turns do. What was not seen is marked, not left out: who writes the program down says that it does not happen.
So each run of the cut program is one of the whole, and what has no run there may have one here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, islice
from random import Random

from ggp.errors import IllFormed
from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards, clear_markers, run_program
from ggp.transition.program import CompiledRule, Cut, Loop, Pass, Program, Transition

PASSES, TURNS = 400_000, 6_000  # so many are run to see what they do: about a second
LONGER, ENOUGH = 3, 20_000  # so many times as long as there is anything new, and so many passes more
BOARDS, MANY = 500, 40  # so many boards and planes are looked at for what there is as much of on all of them


@dataclass
class Seen:
    """What there was to be seen.

    By the `id` of rules, the cells at which they fired, and at which they did in rounds that changed nothing;
    by that of loops, how many rounds changed anything. `kept` are planes of which, taken together, there were
    as many on each board, and how many.
    """

    fired: dict[int, int] = field(default_factory=dict)
    at_rest: dict[int, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    kept: tuple[tuple[frozenset[int], int], ...] = ()


class Watched(Bits):
    """Boards as integers, with a note of what fires. The words of the input are in `words`."""

    def __init__(self, transition: Transition, seen: Seen, tick: Callable[[], None]) -> None:
        super().__init__(transition)
        self.seen, self.tick = seen, tick
        self.words: frozenset[str] = frozenset()
        self.now: dict[int, int] = {}  # what fired in this round, and where
        self.ran = self.news = 0  # passes, and how many there were when anything new was last seen
        self.program = transition.turn + transition.physics

    def input(self, words: tuple[str, ...]) -> int | None:
        return None if self.words.issuperset(words) else 0

    def fired(self, rule: CompiledRule, subject: int | None, where: int) -> int:
        if where:
            self.now[id(rule)] = self.now.get(id(rule), 0) | where
        return where

    def run(self, program: Program, boards: Boards) -> Boards:
        """The boards after a program."""
        self.ran += len(program)
        self.tick()
        return run_program(self, program, boards)

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        outside, rounds = self.now, self.seen.rounds
        for number in range(loop.bound + 1):
            self.now = {}
            after = self.run(loop.body, boards)
            add(outside, self.now)
            if after == boards:
                add(self.seen.at_rest, self.now)
                self.now = outside
                rounds[id(loop)] = max(rounds.get(id(loop), 0), number)
                return boards
            boards = after
        self.now = outside
        raise IllFormed("a loop is still changing", "", loop.place)

    def turn(self, boards: Boards, words: frozenset[str]) -> Boards | None:
        """The boards after a turn, of which is noted what fired; None if the turn has no next board."""
        self.words, self.now, self.moves = words, {}, []
        try:
            after = clear_markers(self, self.run(self.program, boards))
        except IllFormed:
            return None
        if add(self.seen.fired, self.now):
            self.news = self.ran
        return after


def add(total: dict[int, int], more: dict[int, int]) -> bool:
    """Note cells beside those that are noted; is any of them new?"""
    new = False
    for one, where in more.items():
        before = total.get(one, 0)
        total[one] = before | where
        new = new or total[one] != before
    return new


def watched(
    transition: Transition, start: Boards, inputs: Iterable[frozenset[str]], tick: Callable[[], None]
) -> Seen:
    """What is seen of the rules on boards that follow one after turns with these inputs.

    Half of the boards that are gone on from are those nearest to the start, half are taken by lot from those
    found last: far boards are wanted, and different ones.
    """
    seen, luck, ways = Seen(), Random(0), tuple(inputs)
    bits = Watched(transition, seen, tick)
    known, near, far = {start}, deque([start]), [start]
    while (near or far) and bits.ran < min(PASSES, LONGER * bits.news + ENOUGH) and len(known) < TURNS:
        if near and (not far or luck.random() < 0.5):
            board = near.popleft()
        else:
            board = far.pop(luck.randrange(max(0, len(far) - 8), len(far)))
        for words in ways:
            after = bits.turn(board, words)
            if after is not None and after not in known:
                known.add(after)
                near.append(after)
                far.append(after)
    seen.kept = tuple(as_many(tuple(islice(known, 0, None, 1 + len(known) // BOARDS))))
    return seen


def as_many(boards: Sequence[Boards]) -> Iterator[tuple[frozenset[int], int]]:
    """Up to three planes of which, taken together, there are as many on each of these boards; and how many.

    Each of them comes and goes or moves, and none is told twice.
    """
    first = boards[0]
    varies = [plane for plane, board in enumerate(first) if any(one[plane] != board for one in boards)]
    # How many more there are than at the start: planes that make up for one another come to nothing.
    more = {
        plane: tuple(one[plane].bit_count() - first[plane].bit_count() for one in boards) for plane in varies
    }
    alone = [plane for plane in varies if not any(more[plane])]
    found = [frozenset({plane}) for plane in alone]
    left = [plane for plane in varies if plane not in alone]
    lacking: dict[tuple[int, ...], list[int]] = {}
    for plane in left:
        lacking.setdefault(tuple(-number for number in more[plane]), []).append(plane)
    found += [frozenset({one, other}) for one in left for other in lacking.get(more[one], ()) if one < other]
    paired = frozenset().union(*found)
    for one, other in combinations([plane for plane in left if plane not in paired][:MANY], 2):
        both = tuple(a + b for a, b in zip(more[one], more[other], strict=True))
        found += [frozenset({one, other, third}) for third in lacking.get(both, ()) if third > other]
    for planes in found:
        yield planes, sum(first[plane].bit_count() for plane in planes)


def cut_down(transition: Transition, seen: Seen) -> Transition:
    """The transition with what was not seen marked as cut, and loops of one round more than were seen."""
    bits = Bits(transition)
    numbers = [
        (row * transition.width + column, bits.bit(row, column))
        for row in range(transition.height)
        for column in range(transition.width)
    ]

    @cache
    def cells(board: int) -> frozenset[int]:
        return frozenset(number for number, bit in numbers if board & bit)

    def rule(one: CompiledRule) -> CompiledRule:
        if one.whole is not None:
            return one
        fired, at_rest = seen.fired.get(id(one), 0), seen.at_rest.get(id(one), 0)
        return replace(one, cut=Cut(cells(fired), cells(fired if at_rest else 0)))

    def program(steps: Program) -> Program:
        return tuple(map(step, steps))

    def step(one: Pass | Loop) -> Pass | Loop:
        if isinstance(one, Loop):
            rounds = seen.rounds.get(id(one), 0)
            bound = min(rounds + (rounds > 0), one.bound)  # what never changed anything is not repeated
            return replace(one, body=program(one.body), bound=bound, cut=True)
        subjects = tuple((subject, tuple(map(rule, rules))) for subject, rules in one.subjects)
        return replace(one, subjects=subjects)

    return replace(transition, turn=program(transition.turn), physics=program(transition.physics))
