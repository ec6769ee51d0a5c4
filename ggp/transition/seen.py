"""What rules were seen to do on boards of one level: a program that is cut down to that.

Rules made of other systems' files are thousands, and are repeated until nothing changes: of most of them
nothing comes on the boards of a level, and of the rounds that a loop may take few are needed. No bound shows
it (`ggp.transition.bounds` takes all that may stand somewhere to stand there together), but a few hundred
turns do. What was not seen is marked, not left out: who writes the program down says that it does not happen.
So each run of the cut program is one of the whole, and what has no run there may have one here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations

from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards
from ggp.transition.program import CompiledRule, Cut, Loop, Pass, Program, Transition

MANY = 40  # so many planes are looked at for three that make up for one another


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
            return replace(one, body=program(one.body), bound=bound, cut=one.bound)
        subjects = tuple((subject, tuple(map(rule, rules))) for subject, rules in one.subjects)
        return replace(one, subjects=subjects)

    return replace(transition, turn=program(transition.turn), physics=program(transition.physics))
