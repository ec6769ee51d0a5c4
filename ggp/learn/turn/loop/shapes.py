"""The passes of a turn whose inside was seen: which happen once, and which again and again until rest.

Nothing but the boards inside turns tells. A pass that happens once leads from one board to the next; one that
is repeated goes on until a board comes twice in a row. So a shape, such as "once, until rest, once", says of
every turn which of its boards belong to which pass, and turns of different lengths have few shapes in common.
The passes of a shape are learned one by one; the first shape is believed whose passes say what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Turn, known_once, without
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.insides import Inside, insides, passing_tokens, without_marks
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.loop.loops import looping
from ggp.learn.turn.one_pass.events import LIMITS, hosted_program, learn_pass

MOST_PASSES = 12  # of one shape
MOST_SHAPES = 4  # that are tried
SHORT = 10.0  # the size of a pass that is not held against one that asks for the input

Shape = tuple[bool, ...]
"""The passes of a turn: is this one repeated until nothing changes?"""


def learn_shaped(episodes: Sequence[Episode]) -> Passes | None:
    """The passes of all turns; None where no shape has passes that say what was seen."""
    episodes = without_marks(episodes)
    passing = passing_tokens(episodes)
    inside = list(dict.fromkeys(insides(episodes, passing)))
    turns = [Turn(one.boards[0], one.word, without(one.boards[-1], passing)) for one in inside]
    structure = structure_of(turns, [board for one in inside for board in one.boards])
    learner = Learner(inside, structure)
    # What is wrong is long: a shape of which all passes are small is looked for first.
    for large, shape in product((False, True), islice(shapes(inside), MOST_SHAPES)):
        programs = learner.passes_of(shape, large=large)
        if programs is not None:
            found = Passes(structure, programs, passing)
            if not any(map(found.wrong, turns)):
                return found
    return None


# --- shapes -----------------------------------------------------------------------------------------------


def shapes(inside: Sequence[Inside]) -> Iterator[Shape]:
    """The shapes that all turns have: those of few passes first, of these such as repeat few."""
    fewest = min(len(one.boards) for one in inside) - 1
    for number in range(1, min(fewest, MOST_PASSES) + 1):
        yield from sorted(shapes_of(inside, number), key=lambda shape: (sum(shape), shape))


def shapes_of(inside: Sequence[Inside], number: int) -> list[Shape]:
    """The shapes of so many passes, found pass by pass with the board of each turn that they come to."""
    found: list[tuple[Shape, list[int]]] = [((), [0] * len(inside))]
    for left in range(number - 1, -1, -1):
        longer = []
        for shape, places in found:
            for repeated in (False, True):
                ends = ends_of(inside, places, repeated=repeated)
                if ends is not None and room_for(left, inside, ends):
                    longer.append(((*shape, repeated), ends))
        found = longer
    return [shape for shape, _ in found]


def ends_of(inside: Sequence[Inside], places: Sequence[int], *, repeated: bool) -> list[int] | None:
    """The board of each turn to which one more pass leads; None where one never comes to rest."""
    ends = [rest(one.boards, at) if repeated else at + 1 for one, at in zip(inside, places, strict=True)]
    known = [end for end in ends if end is not None]
    return known if len(known) == len(ends) else None


def rest(boards: Sequence[Board], start: int) -> int | None:
    """The first board from there on that is as the one before it."""
    return next((n for n in range(start + 1, len(boards)) if boards[n] == boards[n - 1]), None)


def room_for(left: int, inside: Sequence[Inside], ends: Sequence[int]) -> bool:
    """Are there boards for so many passes more, or none for none?"""
    rooms = [len(one.boards) - 1 - end for one, end in zip(inside, ends, strict=True)]
    return min(rooms) >= left if left else not any(rooms)


# --- the passes of a shape --------------------------------------------------------------------------------


class Learner:
    """Learns passes of the same turns for one shape after another; each pass is learned once."""

    def __init__(self, inside: Sequence[Inside], structure: Structure) -> None:
        self.inside, self.structure = inside, structure
        self.known: dict[tuple[bool, tuple[Turn, ...]], Program | None] = {}

    def passes_of(self, shape: Shape, *, large: bool) -> tuple[Program, ...] | None:
        """A program for each pass in which something ever changed; None where one has none."""
        programs = []
        places = [0] * len(self.inside)
        for repeated in shape:
            ends = ends_of(self.inside, places, repeated=repeated)
            assert ends is not None  # it is a shape of theirs
            steps = tuple(
                Turn(before, one.word, after)
                for one, start, end in zip(self.inside, places, ends, strict=True)
                for before, after in pairwise(one.boards[start : end + 1])
            )
            places = ends
            if any(turn.before != turn.after for turn in steps):
                if (large, steps) not in self.known:
                    self.known[large, steps] = pass_seen(steps, self.structure, large=large)
                program = self.known[large, steps]
                if program is None:
                    return None
                programs.append(looping(program) if repeated else program)
        return tuple(programs)


def pass_seen(seen: Sequence[Turn], structure: Structure, *, large: bool) -> Program | None:
    """One pass: without the input where that can be said shortly, else as is shorter."""
    best: Program | None = None
    for turns in ([turn._replace(word=None) for turn in seen], seen):
        unique = known_once(turns)
        if unique is not None and (best is None or best.cost > SHORT):
            limits = LIMITS if large else LIMITS[:1]
            program = smallest_pass(unique, structure, limits if best is None else (best.cost,))
            best = program or best
    return best


def smallest_pass(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program | None:
    """One pass, of things that answer for their cells if it can be."""
    program = hosted_program(turns, structure)
    if program is not None:
        return program
    try:
        return learn_pass(turns, structure, limits=limits)
    except PuzzleError:
        return None
