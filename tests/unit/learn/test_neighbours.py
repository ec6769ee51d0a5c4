"""Rules and those one step away from them, judged by play that was seen as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest

from ggp.errors import NotLearned
from ggp.language import levels
from ggp.learn.boards import Episode, Step, Turn, board_of, turns_of
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Program, one_pass
from ggp.learn.fit.questions import Test as Question
from ggp.learn.noise.neighbours import (
    DECISION,
    TEST,
    pared,
    plain_turns,
    refuse_unasked,
    refuse_unneeded,
    simpler,
    votes,
)
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Seen
from ggp.learn.turn.turns import learn_program
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld


@cache
def pegs() -> tuple[tuple[Turn, ...], Program]:
    """Turns of peg solitaire, and the rule that says them."""
    world = DescribedWorld(*levels.load_game("peg-solitaire"), go_on=True)
    turns = tuple(dict.fromkeys(turns_of(islice(rollouts(world, Random(2)), 30))))
    program = learn_program(turns, structure_of(turns))
    assert one_pass(program)
    return turns, program


def with_rule(program: Program, decisions: Sequence[Decision]) -> Program:
    """The program with other decisions."""
    (part,) = program.parts
    listed = replace(part.decisions, decisions=tuple(decisions))
    return replace(program, parts=(replace(part, decisions=listed),))


def test_nothing_is_left_out_of_rules_that_are_right() -> None:
    turns, program = pegs()
    assert all(votes(program, one, turns) >= needed for needed, one in simpler(program))
    assert pared(program, turns) == program
    refuse_unneeded(program, turns)
    refuse_unasked(program, turns)


def test_a_test_and_a_decision_for_which_nothing_speaks_are_left_out() -> None:
    turns, program = pegs()
    (jump,) = program.parts[0].decisions.decisions
    narrow = jump._replace(tests=(*jump.tests, Question((1, 0), frozenset({Seen("target")}), wanted=False)))
    taken = jump._replace(tests=jump.tests[:1], outcome=jump.outcome[-1:])
    for wrong in (with_rule(program, [narrow]), with_rule(program, [jump, taken])):
        shorter = pared(wrong, turns)
        assert shorter == program
        with pytest.raises(NotLearned, match="too few turns speak for a part"):
            refuse_unneeded(wrong, turns)


def test_a_rule_that_acts_where_it_was_seen_to_do_nothing_is_refused_with_the_turn() -> None:
    """One turn is too few to know whether it was seen wrongly or the rule forgot to ask for a hole."""
    turns, program = pegs()
    (jump,) = program.parts[0].decisions.decisions
    hole = [test for test in jump.tests if any(thing.name == "hole" for thing in test.things)]
    forgetful = with_rule(program, [jump._replace(tests=tuple(t for t in jump.tests if t not in hole))])
    wrong = [turn for turn in turns if forgetful.wrong(turn)]
    assert wrong
    few = [turn for turn in turns if not forgetful.wrong(turn)]
    refuse_unasked(forgetful, few)
    with pytest.raises(NotLearned, match=r"on what it acted on nowhere else\ninput pick"):
        refuse_unasked(forgetful, [*few, wrong[0]])


def test_a_rule_that_asks_too_little_of_a_cell_that_it_does_not_change_is_refused() -> None:
    """A lamp is lit by a button of either colour, and not by bare ground."""
    rng = Random(1)

    def pressed(button: str) -> Turn:
        rest = [rng.choice([["dark"], ["lit"], [], ["red"]]) for _ in range(2)]
        before, after = ([[[button] * bool(button), [lamp], *rest]] for lamp in ("dark", "lit"))
        return Turn(board_of(before), "pick(0,0)", board_of(after if button else before))

    turns = [pressed(button) for button in ["red", "blue", ""] * 12]
    program = learn_program(turns, structure_of(turns))
    assert one_pass(program)
    refuse_unasked(program, turns)
    (light,) = program.parts[0].decisions.decisions
    forgetful = with_rule(program, [light._replace(tests=tuple(t for t in light.tests if not asks(t)))])
    right = [turn for turn in turns if not forgetful.wrong(turn)]
    wrong = [turn for turn in turns if forgetful.wrong(turn)]
    refuse_unasked(forgetful, right)
    with pytest.raises(NotLearned, match=r"on what it acted on nowhere else\ninput pick"):
        refuse_unasked(forgetful, [*right, wrong[0]])


def asks(test: Question) -> bool:
    """Does it ask for a button?"""
    return any(thing.name in {"red", "blue"} for thing in test.things)


def test_first_and_last_turns_are_left_out_for_there_no_blip_can_be_told() -> None:
    boards = [
        board_of([[list(cell) for cell in text.split(".")]]) for text in ("a.", "a.", "a.b", "a.", "a.")
    ]
    run = Episode(boards[0], tuple(Step("go", board) for board in boards[1:]))
    assert plain_turns([run]) == [Turn(boards[0], "go", boards[0])] * 2


def test_a_decision_needs_fewer_turns_than_a_test() -> None:
    assert 1 < DECISION < TEST
