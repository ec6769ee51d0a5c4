"""What rows answer to tests is held against each row by itself; of tests alike the cheapest and plainest."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from ggp.learn.fit import answers as module
from ggp.learn.fit import questions
from ggp.learn.fit.answers import Answers
from ggp.learn.fit.plainest import Plainest, Plainness
from ggp.learn.fit.questions import Excluded, Row, proposed, told_of
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import Change, Look, Seen

THINGS = [Seen("cart", "ahead"), Seen("cart", "behind"), Seen("crate"), Seen("gem"), Seen("wall")]
OFFSETS: Sequence[Offset] = ((0, 0), (1, 0), (0, -1))
WORDS = ("up", "down", "left", "right", "wait", "")


def rows_of(seed: int, number: int) -> list[Row]:
    """Rows of what may stand in three cells, some of them outside, with one of two outcomes."""
    rng = random.Random(seed)

    def look() -> Look:
        chosen = frozenset(thing for thing in THINGS if rng.random() < 0.3)
        return None if rng.random() < 0.2 else chosen

    gone = (Change("-", (0, 0), THINGS[2]),)
    return [
        Row((look(), look(), look()), rng.choice(WORDS), gone if rng.random() < 0.4 else ())
        for _ in range(number)
    ]


def alone(test: questions.Test, row: Row) -> bool:
    """The answer of one row."""
    return test.holds(row.window[OFFSETS.index(test.offset)], row.word)


@pytest.mark.parametrize("seed", range(4))
def test_rows_together_answer_as_each_row_by_itself(seed: int) -> None:
    rows = rows_of(seed, 61)
    told = told_of(rows, OFFSETS)
    answers = Answers(told)
    given = [test for test, _ in proposed(told, OFFSETS, Excluded(), False)]
    asked = {test: answers.to(test) for test in given}
    packed = dict(answers.packed(one for one in asked.values() if one is not None))
    assert {test.edge for test in given} == {True, False} and any(test.word for test in given)
    for test, one in asked.items():
        wanted = [alone(test, row) for row in rows]
        if one is None:
            assert len(set(wanted)) == 1
        else:
            assert answers.of([packed[one]])[0].tolist() == wanted
    assert answers.often() == {
        thing: sum(thing in (look or ()) for row in rows for look in row.window) for thing in THINGS
    }


def test_many_rows_are_answered_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(5, 40)
    told = told_of(rows, OFFSETS)
    answers = Answers(told)
    asked = [one for test, _ in proposed(told, OFFSETS, Excluded(), False) if (one := answers.to(test))]
    whole = dict(answers.packed(asked))
    monkeypatch.setattr(module, "AT_ONCE", 90)
    assert dict(answers.packed(asked)) == whole and len(whole) > 10
    assert answers.of([]).shape == (0, 40) and answers.of(list(whole.values())).dtype == np.bool_


def test_the_cheapest_is_taken_and_the_plainest_of_one_price() -> None:
    crate, gem, wall = (questions.Test((1, 0), frozenset({thing})) for thing in THINGS[2:])
    far = questions.Test((3, 0), frozenset({THINGS[2]}))
    taken = Plainest[str](Plainness({THINGS[2]: 5, THINGS[3]: 9}))
    for key, cost, test in (
        ("alike", 2.0, crate),
        ("alike", 1.0, wall),
        ("alike", 1.0, gem),  # which was seen more often
        ("alike", 1.0, crate),
        ("alike", 3.0, far),
        ("other", 1.0, far),
        ("other", 1.0, crate),
    ):
        taken.take(key, cost, test)
    assert taken.in_order() == [("alike", 1.0, gem), ("other", 1.0, crate)]
