"""Questions about a puzzle with some of its clues: what the session says is what another solver says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

import pytest

from ggp.encoding.constraints import Clause, Encoding, Iff
from ggp.encoding.literals import Why
from ggp.encoding.lowering.protocol import NATIVE
from ggp.encoding.switched import Unswitchable
from ggp.explain import questions
from ggp.explain.clues import Clue, clues_of, keeping
from ggp.explain.opened import given_pieces, opened
from ggp.explain.parts import parts_of
from ggp.explain.questions import Asked, Questions
from ggp.language import levels
from ggp.model import Instance
from ggp.model.result import Clock
from tests.slow import slow_unless

SWITCHED = [
    "slitherlink/small",
    "masyu/small",
    "akari/contradiction",
    "nonogram/small",
    "kakuro/small",
    "tents/park",
]
APART = ["hitori/small", "nurikabe/7x7", "minesweeper-clues/small"]


@pytest.fixture
def asked() -> Iterator[Asked]:
    """Who is asked."""
    with closing(Asked()) as found:
        yield found


def told(name: str) -> list[Clue]:
    """The clues of a level that are no givens."""
    instance = levels.load(name)
    given = given_pieces(instance)
    return [clue for clue in clues_of(instance) if clue.piece is None or given.get(clue.cell) != clue.piece]


def about(name: str, asked: Asked) -> Questions[Clue]:
    """Questions about a level."""
    instance = levels.load(name)
    every = clues_of(instance)
    givens = [clue for clue in every if clue not in told(name)]

    def part(clues: frozenset[Clue]) -> Instance:
        return Instance(instance.game, keeping(instance.game, instance.level, clues | {*givens}, every))

    return Questions(asked, part, told(name), Clock())


@pytest.mark.parametrize(
    "name", slow_unless(["slitherlink/small", "akari/contradiction", "hitori/small"], SWITCHED + APART)
)
def test_it_is_as_another_solver_says(name: str, asked: Asked) -> None:
    made, chance = about(name, asked), random.Random(1)
    answers = set()
    for _ in range(6):
        clues = [clue for clue in made.every if chance.random() < 0.8]
        first = made.assignment(clues)
        assert (first is None) == (made.alone(clues) is None)
        if first is None:
            assert made.alone(made.core) is None, "what is named suffices"
        else:
            other = made.assignment(clues, {}, first)
            assert other != first and (other is None) == (made.alone(clues, {}, first) is None)
            answers.add(other is None)
    assert made.alike == (name in SWITCHED) and asked.found is not None


def test_facts_are_assumed_and_named(asked: Asked) -> None:
    """The one answer with a cell changed is none, and that cell is to blame."""
    made = about("akari/7x7", asked)
    answer = made.assignment(made.every)
    assert answer is not None
    cell, piece = next((cell, piece) for cell, piece in answer.items() if piece is not None)
    assert made.assignment(made.every, {cell: None}) is None and made.needed == {cell}
    assert made.assignment(made.every, {cell: piece}) == answer
    assert made.assignment(made.every, answer, {}) is None, "no cell is left on which it could differ"


def test_two_puzzles_take_turns(asked: Asked) -> None:
    one, other = about("slitherlink/small", asked), about("akari/7x7", asked)
    first, second = one.assignment(one.every), other.assignment(other.every)
    assert first is not None and second is not None
    assert one.assignment(one.every) == first and other.assignment(other.every) == second
    assert one.assignment(one.every, {}, first) is None
    assert asked.found is not None, "each was told anew what it is about"


@pytest.mark.parametrize("name", SWITCHED + APART)
def test_clues_have_constraints_of_their_own_or_none_has(name: str, asked: Asked) -> None:
    made = about(name, asked)

    def encoding(clues: frozenset[Clue]) -> Encoding:
        return opened(made.part(clues), NATIVE).encoding

    whole = encoding(frozenset(made.every))
    if name in APART:
        with pytest.raises(Unswitchable):
            parts_of(whole, encoding, made.every)
        return
    parts = parts_of(whole, encoding, made.every)
    assert all(parts) and len({place for part in parts for place in part}) == sum(map(len, parts))
    for clue, part in zip(made.every, parts, strict=True):
        without = encoding(frozenset(made.every) - {clue})
        assert saying(whole) - len(part) == saying(without)


@pytest.mark.parametrize("shared", [{0, 1}, {1, 2}, {0, 3}, {0, 1, 2, 3}])
@pytest.mark.parametrize("need", [all, any])
def test_what_several_clues_say_together_belongs_to_none(
    shared: set[int], need: Callable[[Iterable[bool]], bool]
) -> None:
    """A constraint that is there with all of some clues, or with any of them."""

    def encoding(clues: frozenset[int]) -> Encoding:
        made = Encoding(levels.load("akari/small"), 0)
        lit = made.number(made.new("cell", (), (0, 1), "design"), 1)
        if need(one in clues for one in shared):
            made.add(Clause((lit,), Why("together")))
        return made

    with pytest.raises(Unswitchable):
        parts_of(encoding(frozenset(range(4))), encoding, range(4))


def saying(encoding: Encoding) -> int:
    """How many constraints say more than what a variable means."""
    return sum(not isinstance(one, Iff) for one in encoding.constraints)


def test_what_does_not_win_is_not_believed(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever answers what the referee does not accept is asked no more."""
    made = about("akari/7x7", asked)
    answer = made.assignment(made.every)
    monkeypatch.setattr(questions.Switched, "ask", lambda *_: set())
    assert made.assignment(made.every) == answer and asked.found is None


def test_who_takes_too_long_is_asked_no_more(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "PATIENCE", 0.0)
    made = about("akari/7x7", asked)
    assert made.assignment(made.every) == made.alone(made.every) and asked.found is None


def test_there_need_be_nobody(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "session", lambda *_: None)
    made = about("akari/7x7", asked)
    assert made.assignment(made.every) == made.alone(made.every)
