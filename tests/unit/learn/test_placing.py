"""What may be placed, and which inputs are moves: learned from some tries, held against others."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from ggp.errors import IllegalAction, PlanError
from ggp.language import levels
from ggp.learn.boards import Board, Episode, Placed, Step, board_of, turns_of
from ggp.learn.placing import Placing, learn_placing
from ggp.learn.record import RecordError, episodes_of, lines_of
from ggp.learn.seen.states import board_of_state, piece_of
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.whole import Learned, learn_whole
from ggp.model import Game, Instance, Level, Plan
from ggp.model.board import height, width
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.semantics import initial_state, step
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.designs import tried_designs
from tests.in_one_pass import learn_in_one_pass


def structure_from(runs: list[Episode]) -> Structure:
    """What is found out about tokens in some runs."""
    return structure_of(list(turns_of(runs)), [run.start for run in runs])


def takes(instance: Instance, plan: Plan) -> bool:
    """Is a design accepted?"""
    try:
        initial_state(instance, plan.design)
    except PlanError:
        return False
    return True


def bricks(number: int, seed: int) -> tuple[list[Episode], Placing]:
    """Designs of lemmings that were tried, and what is learned from them."""
    game, kept = levels.load_game("lemmings")
    runs = list(islice(tried_designs(game, kept, random.Random(seed)), number))
    placing = learn_placing(runs, structure_from(runs))
    assert placing is not None
    return runs, placing


def test_where_bricks_may_be_placed_is_learned() -> None:
    game, kept = levels.load_game("lemmings")
    runs, placing = bricks(100, 0)
    structure = structure_from(runs)
    design = placing.design(structure, {token: piece_of(token) for token in structure.tokens})
    assert design is not None and design.kinds == ("brick",)
    assert set(design.free_of) == {"brick", "lemming", "target", "wall"}
    learned = replace(game, design=design)
    again = [replace(level, numbers=(("budget", placing.most[bare(game, level)]),)) for level in kept]
    held_out = list(islice(tried_designs(game, kept, random.Random(1)), 150))
    assert {run.refused for run in held_out} == {True, False}
    for run in held_out:
        (like,) = [level for level in again if level.name == run.level]
        plan = Plan(tuple((put.cell, piece_of(put.token)) for put in run.placed))
        assert takes(Instance(learned, like), plan) is not run.refused


def bare(game: Game, level: Level) -> Board:
    """The map of a level as a board."""
    instance = Instance(game, level)
    return board_of_state(initial_state(instance, partial=True), height(instance), width(instance))


def test_what_nobody_tried_is_said_and_taken_for_refused() -> None:
    _, placing = bricks(20, 2)
    assert "never placed on wall, and refused there" in placing.evidence
    assert "never placed on target: not tried, so taken for refused" in placing.evidence


def test_a_design_that_wins_is_found_by_what_was_learned() -> None:
    game, kept = levels.load_game("lemmings")
    runs, _ = bricks(60, 0)
    found = learn_in_one_pass(runs, "bricks")
    assert found.game.design is not None and found.game.design.limit == "budget"
    first = next(level for level in found.levels if len(level.board) == len(kept[0].board))
    for plan in kept[0].known.wins:
        assert takes(Instance(found.game, replace(first, numbers=(("budget", 3),))), plan)


def test_what_something_was_placed_on_may_be_placed_on() -> None:
    floor = board_of([[["floor"], ["floor", "flower"], ["floor"]]])
    with_pot = board_of([[["floor", "pot"], ["floor", "flower"], ["floor"]]])
    here, flower = Placed((0, 0), "pot"), Placed((0, 1), "pot")
    runs = [Episode(with_pot, placed=(here,)), Episode(floor, placed=(flower,), refused=True)]
    structure = structure_from(runs)
    placing = learn_placing(runs, structure)
    assert placing is not None and placing.free_of == ("flower", "pot")
    last = Episode(floor, placed=(Placed((0, 2), "pot"),), refused=True)
    unclear = learn_placing([*runs, last], structure)
    assert unclear is not None and "nothing says why of 1 refused design: others as large were accepted" in (
        unclear.evidence
    )


# --- inputs -------------------------------------------------------------------------------------------------


def learned(name: str, number: int) -> Learned:
    """A game from recorded play."""
    game, kept = levels.load_game(name)
    world = DescribedWorld(game, kept, go_on=True)
    return learn_in_one_pass(list(islice(rollouts(world, random.Random(0)), number)), name)


@pytest.mark.parametrize("name, number", [("sokoban", 40), ("peg-solitaire", 40)])
def test_which_inputs_are_moves_is_learned(name: str, number: int) -> None:
    game, kept = levels.load_game(name)
    found = learned(name, number)
    rng, legal = random.Random(5), 0
    for run in islice(rollouts(DescribedWorld(game, kept), rng), 8):
        instance = DescribedWorld(game, kept).instance(run.start)
        state = initial_state(instance, partial=True)
        other = Instance(found.game, instance.level)
        assert {str(a) for a in all_actions(instance)} == {str(a) for a in all_actions(other)}
        for word in map(str, all_actions(instance)):
            moves = [is_move(one, state, word) for one in (instance, other)]
            assert moves[0] == moves[1], (word, run.start.rows())
            legal += moves[0]
    assert legal


def is_move(instance: Instance, state: object, word: str) -> bool:
    """Does the referee take an input?"""
    try:
        step(instance, state, parse_action(word))  # type: ignore[arg-type]
    except IllegalAction:
        return False
    return True


def test_an_input_that_changes_nothing_is_a_move_where_it_was_taken() -> None:
    here, there = board_of([[["a"], []]]), board_of([[[], ["a"]]])
    taken = Step("left", there), Step("up", there, refused=True)
    refused = Step("left", there, refused=True), Step("up", there, refused=True)
    for steps, wait in ((taken, True), (refused, False)):
        declared = learn_whole([Episode(here, (Step("right", there), *steps))]).game.input
        assert declared is not None and declared.wait is wait


# --- the recorded form --------------------------------------------------------------------------------------

BARE, WITH = board_of([[["wall"], []]]), board_of([[["wall"], ["brick"]]])


def test_designs_are_written_and_read_back() -> None:
    runs = [
        Episode(WITH, (Step(None, WITH),), placed=(Placed((0, 1), "brick"),)),
        Episode(BARE, placed=(Placed((0, 0), "brick"), Placed((7, 7), "brick")), refused=True),
    ]
    assert episodes_of(line.encode() for line in lines_of(runs)) == runs
    assert [run.bare() for run in runs] == [BARE, BARE]


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"start":[[["wall"],[]]],"placed":[[0,1,"brick"]]}', r"brick is said to be placed on \(0, 1\)"),
        ('{"start":[[["wall"],[]]],"placed":[[0,"brick"]]}', "`placed` is a list"),
        ('{"start":[[["wall"],[]]],"placed":[[0,true,"brick"]]}', "`placed` is a list"),
        ('{"start":[[["wall"],[]]],"refused":true}', "what was refused is not said"),
    ],
)
def test_designs_that_are_not_of_the_form_are_refused(line: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        episodes_of([line.encode()])


def test_nothing_follows_a_start_that_was_refused() -> None:
    lines = [*lines_of([Episode(BARE, placed=(Placed((0, 0), "brick"),), refused=True)])]
    with pytest.raises(RecordError, match="after a start that was refused"):
        episodes_of(one.encode() for one in [*lines, '{"input":"up","board":[[["wall"],[]]]}'])
