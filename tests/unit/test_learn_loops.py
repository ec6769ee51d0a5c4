"""Turns that go on until nothing changes, learned from the boards at their ends."""

from __future__ import annotations

import pytest

from ggp.equivalence.certificate import certify
from ggp.harness import learning
from ggp.language import levels
from ggp.learn.boards import Turn, board_of, turns_of
from ggp.learn.emit import with_program
from ggp.learn.eventful import vocabulary_of
from ggp.learn.loops import learn_loop, passes_of, slide_of
from ggp.learn.structure import chance_of, structure_of
from ggp.learn.turns import learn_program
from ggp.tasks.oracle import model_of
from tests.unit.test_learn_blind import VARIANTS, watched


def turn(before: str, word: str | None, after: str) -> Turn:
    """A turn in one row; a dot is an empty cell, any other character a thing."""
    boards = [board_of([[[] if char == "." else [char] for char in row]]) for row in (before, after)]
    return Turn(boards[0], word, boards[1])


@pytest.mark.parametrize(
    "name, number, verdict", [("polar-slide", 20, "exact up to"), ("atomix", 60, "exact")]
)
def test_what_slides_is_learned_from_where_it_stops(name: str, number: int, verdict: str) -> None:
    described, _ = levels.load_game(name)
    turns = list(dict.fromkeys(turns_of(watched(name, number))))
    program = learn_program(turns, structure_of(turns))
    assert program.loop and not any(map(program.wrong, turns))
    shell = learning.shell_of(described)
    learned = with_program(shell, program, vocabulary_of(shell, [one.before for one in turns]))
    assert certify(described, learned, model_of).text.startswith(verdict)


@pytest.mark.parametrize("name", ["sokoban", str(VARIANTS / "fall-two.toml")])
def test_what_goes_on_with_the_next_turn_is_no_loop(name: str) -> None:
    turns = list(dict.fromkeys(turns_of(watched(name, 40))))
    assert learn_loop(turns, structure_of(turns), None) is None


def test_the_way_of_what_went_alone_is_known() -> None:
    slide = slide_of(turn("a...#", "right", "...a#"))
    assert slide is not None and slide[1] == [(0, 0), (0, 1), (0, 2), (0, 3)]
    words = [one.word for one in passes_of(turn("a..", "pick(0,0,right)", "..a"), ("a", slide[1][:3]))]
    assert words == ["pick(0,0,right)", "pick(0,1,right)", "pick(0,2,right)"]


@pytest.mark.parametrize(
    "before, after", [("a.a.#", "..aa#"), ("ab..", "..ab"), ("a..", "a.."), ("a..", "a.a")]
)
def test_where_several_may_have_gone_no_way_is_known(before: str, after: str) -> None:
    assert slide_of(turn(before, "right", after)) is None


def test_a_facing_takes_more_than_a_few_chances() -> None:
    assert chance_of(2, 0) == 0.25 and chance_of(7, 0) < 0.01 < chance_of(6, 0) < chance_of(4, 1)
