"""A decision tree over a mover's surroundings, read off as an ordered list of rules.

The tree asks whether a kind, one of several kinds of a layer, or the edge of the board is at some place
around the mover. How far it has to look is found: the smallest radius at which no two examples look alike
and end differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_
from typing import Any, NamedTuple

from ggp.errors import NotLearned
from ggp.learn.movers.examples import Example, Outcome, frame_of
from ggp.learn.seen.frames import Frame, Offset, window
from ggp.model import Game

LARGEST_RADIUS = 3


class Question(NamedTuple):
    """Is a piece of one of these kinds at this offset, or (with `edge`) is that outside the board?"""

    offset: Offset
    kinds: tuple[str, ...]
    edge: bool = False


class Test(NamedTuple):
    """A question and the answer that is wanted."""

    question: Question
    wanted: bool


class Decision(NamedTuple):
    """If all tests hold, and no decision before this one applied, this is the outcome."""

    tests: tuple[Test, ...]
    outcome: Outcome


@dataclass(frozen=True)
class Learned:
    """What was learned about one kind of mover."""

    mover: str
    frame: Frame
    radius: int
    decisions: tuple[Decision, ...]

    def predict(self, example: Example) -> Outcome:
        """The outcome of the first decision that applies."""
        for tests, outcome in self.decisions:
            if all(answer(self.frame, example, test.question) == test.wanted for test in tests):
                return outcome
        return ()


def learn_mover(game: Game, mover: str, seen: Sequence[Example], seed: int = 0) -> Learned:
    """The smallest view that tells the examples apart, and a tree over it that explains them all.

    Raises PuzzleError where no radius does.
    """
    frame = frame_of(game, mover)
    # What is taken from a cell has to be seen there, or no rule could name it.
    sources = [c.source for example in seen for c in example.outcome if c.source is not None]
    least = max((abs(step) for source in sources for step in source), default=0)
    for radius in range(least, LARGEST_RADIUS + 1):
        questions = questions_about(game, radius)
        rows = unique_rows(frame, questions, seen)
        if rows is not None:
            return Learned(mover, frame, radius, tuple(fit(questions, rows, seed)))
    raise NotLearned(
        f"what {mover} does is not settled by what stands within {LARGEST_RADIUS} cells of it",
        "it may depend on something that is not seen, or on several movers at once",
    )


def questions_about(game: Game, radius: int) -> list[Question]:
    """What can be asked about the surroundings: nearer cells, and fewer kinds, come first."""
    layers: dict[str, list[str]] = {}
    for kind in game.kinds:
        layers.setdefault(kind.layer, []).append(kind.name)
    sets: list[tuple[str, ...]] = [(kind.name,) for kind in game.kinds]
    sets += [s for kinds in layers.values() for n in range(2, len(kinds) + 1) for s in combinations(kinds, n)]
    sets.sort(key=len)
    here = (0, 0)
    asked = []
    for offset in window(radius):
        asked += [Question(offset, kinds) for kinds in sets]
        if offset != here:
            asked += [Question(offset, kinds, edge=True) for kinds in ((), *sets)]
    return asked


def answer(frame: Frame, example: Example, question: Question) -> bool:
    """What is true of an example. The mover itself does not count as something on its cell."""
    return says(question, sight(frame, example, question.offset))


Sight = frozenset[str] | None  # the kinds on a cell, or None outside the board


def sight(frame: Frame, example: Example, offset: Offset) -> Sight:
    """What a mover sees at an offset, itself apart."""
    row, column = frame.cell(example.cell, offset, example.direction)
    if not (0 <= row < example.height and 0 <= column < example.width):
        return None
    here = example.state.board[row * example.width + column]
    own = {example.piece} if offset == (0, 0) else frozenset()
    return frozenset(piece.kind for piece in here - own)


def says(question: Question, seen: Sight) -> bool:
    """The answer to a question where this is seen at its offset."""
    return question.edge if seen is None else not seen.isdisjoint(question.kinds)


Row = tuple[tuple[bool, ...], Outcome, int]  # the answers, what came of it, how often it was seen


def unique_rows(frame: Frame, questions: list[Question], seen: Iterable[Example]) -> list[Row] | None:
    """The different rows; None where two examples look alike and end differently."""
    offsets = list(dict.fromkeys(question.offset for question in questions))
    place = [offsets.index(question.offset) for question in questions]
    # Few of the examples differ within a window, so that questions are asked of those alone.
    sights: dict[tuple[tuple[Sight, ...], Outcome], int] = {}
    for example in seen:
        look = tuple(sight(frame, example, offset) for offset in offsets)
        sights[look, example.outcome] = sights.get((look, example.outcome), 0) + 1
    outcomes: dict[tuple[bool, ...], Outcome] = {}
    counts: dict[tuple[bool, ...], int] = {}
    for (look, outcome), count in sights.items():
        answers = tuple(says(question, look[at]) for question, at in zip(questions, place, strict=True))
        if outcomes.setdefault(answers, outcome) != outcome:
            return None
        counts[answers] = counts.get(answers, 0) + count
    return [(answers, outcome, counts[answers]) for answers, outcome in outcomes.items()]


def fit(questions: list[Question], rows: list[Row], seed: int) -> Iterator[Decision]:
    """Fit a tree to the rows, and say it as a list of decisions."""
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier

    labels = sorted({outcome for _, outcome, _ in rows})
    table = np.array([answers for answers, _, _ in rows], dtype=bool)
    columns = different_columns(table)
    if len(labels) == 1 or not columns:
        yield Decision((), labels[0])
        return
    classifier = DecisionTreeClassifier(criterion="entropy", random_state=seed)
    classifier.fit(table[:, columns], [labels.index(outcome) for _, outcome, _ in rows])
    asked = sorted({columns[feature] for feature in classifier.tree_.feature if feature >= 0})
    for decision in shortest_list([(questions[column], column) for column in asked], rows):
        yield naming_what_moves(decision, questions, rows)


def different_columns(table: Any) -> list[int]:
    """The first of each set of questions that all examples answer alike, without those of one answer."""
    first: dict[bytes, int] = {}
    for column in range(table.shape[1]):
        answers = table[:, column]
        if answers.any() and not answers.all():
            first.setdefault(min(answers.tobytes(), (~answers).tobytes()), column)
    return list(first.values())


def shortest_list(asked: list[tuple[Question, int]], rows: list[Row]) -> Iterator[Decision]:
    """A short list of decisions over the questions of a tree that says the same of every example.

    Again and again the cheapest tests are taken under which all that is left ends alike, those that settle
    most first. A tree repeats below each branch what a list says once.
    """
    tests = [
        (Test(question, wanted), set_of(row[0][column] == wanted for row in rows))
        for question, column in asked
        for wanted in (False, True)
    ]
    ends = {one: set_of(row[1] == one for row in rows) for one in {row[1] for row in rows}}
    left = (1 << len(rows)) - 1
    while left:
        decision, settled = best_decision(tests, ends, rows, left)
        yield decision
        left &= ~settled


RowSet = int  # bit n: row n is in it


def set_of(members: Iterable[bool]) -> RowSet:
    """The rows that are in a set, from a word on each."""
    return sum(1 << number for number, member in enumerate(members) if member)


def best_decision(
    tests: list[tuple[Test, RowSet]], ends: Mapping[Outcome, RowSet], rows: list[Row], left: RowSet
) -> tuple[Decision, RowSet]:
    """The next decision about the rows that are left, and those that it settles."""
    best: tuple[float, int] | None = None
    found: tuple[Decision, RowSet] | None = None
    for number in range(len(tests) // 2 + 1):
        if best is not None and best[0] <= number:
            break
        for chosen in combinations(tests, number):
            inside = reduce(and_, (where for _, where in chosen), left)
            if not inside:
                continue
            outcome = rows[(inside & -inside).bit_length() - 1][1]
            if inside & ~ends[outcome]:
                continue
            cost = sum(cost_of(test) for test, _ in chosen) + (NOTHING if number and not outcome else 0)
            if best is not None and cost > best[0]:
                continue
            key = (cost, -sum(row[2] for at, row in enumerate(rows) if inside >> at & 1))
            if best is None or key < best:
                best, found = key, (Decision(tuple(test for test, _ in chosen), outcome), inside)
    assert found is not None  # a tree over these questions tells all rows apart
    return found


def naming_what_moves(decision: Decision, questions: list[Question], rows: list[Row]) -> Decision:
    """The decision with a test for each piece that it moves, without the tests that these make idle.

    What moves was there in every example, so nothing changes; but a rule says it, and reads better.
    """
    moved = [
        Test(Question(change.source, (change.kind,)), True)
        for change in decision.outcome
        if change.source is not None and change.source != (0, 0)
    ]
    tests = list(dict.fromkeys((*moved, *decision.tests)))
    column = {question: index for index, question in enumerate(questions)}

    def where(tests: list[Test]) -> set[int]:
        wanted = [(column[test.question], test.wanted) for test in tests]
        return {n for n, row in enumerate(rows) if all(row[0][c] == answer for c, answer in wanted)}

    for test in decision.tests:
        fewer = [other for other in tests if other != test]
        if test not in moved and moved and where(fewer) == where(tests):
            tests = fewer
    return Decision(tuple(tests), decision.outcome)


# Decisions under which nothing changes come last if they can: there they need not be said.
NOTHING = 1.5


def cost_of(test: Test) -> float:
    """How much a test says. "Something or the edge is there" would take two rules."""
    return 3 if test.wanted and test.question.edge and test.question.kinds else 1
