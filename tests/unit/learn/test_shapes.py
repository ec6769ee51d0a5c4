"""Turns of several passes, some of them repeated until rest, learned from the boards inside."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from ggp.harness import learning
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, Turn, board_of, turns_of
from ggp.learn.eventful import vocabulary_of
from ggp.learn.fit.fitting import sent_frames
from ggp.learn.seen.insides import Inside, insides, marks_of, passing_tokens, without_marks
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.loop.shapes import learn_shaped, shapes
from ggp.learn.turn.one_pass.cells import hosts_of
from ggp.learn.whole import learn_whole
from ggp.learn.write.emit import with_program
from ggp.proof.equivalence.certificate import certify
from ggp.tasks.oracle import model_of
from ggp.watch import event, rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import few_or_many, more_of
from tests.unit.learn.test_together import (
    test_what_hangs_together_goes_out_and_the_description_plays_alike as hanging_together,
)


def row(text: str) -> Board:
    """One row: cells between bars, a letter a thing, a dot for nothing."""
    return board_of([[[] if cell == "." else list(cell) for cell in text.split("|")]])


def inside(word: str | None, *rows: str) -> Inside:
    """A turn with its boards."""
    return Inside(word, tuple(map(row, rows)))


def run(word: str | None, *rows: str) -> Episode:
    """A run of one turn: the board before, those inside, the one after."""
    before, *within, after = map(row, rows)
    return Episode(before, (Step(word, after, frames=tuple(within)),))


def named(found: Sequence[tuple[bool, ...]]) -> list[str]:
    """Shapes as words: o for once, L for a loop."""
    return ["".join("L" if repeated else "o" for repeated in shape) for shape in found]


# --- shapes -------------------------------------------------------------------------------------------------


def test_a_loop_ends_where_a_board_comes_twice() -> None:
    falls = inside(None, "a|.|.", ".|a|.", ".|.|a", ".|.|a")
    rests = inside(None, ".|.|a", ".|.|a")
    assert named([*shapes([falls, rests])]) == ["L"]
    assert set(named([*shapes([falls])])) == {"L", "oL", "ooL", "ooo"}


def test_turns_of_different_lengths_have_few_shapes_in_common() -> None:
    long = inside(None, "a|.|.|.", "b|.|.|.", ".|b|.|.", ".|.|b|.", ".|.|b|.", ".|.|c|.")
    short = inside(None, ".|.|.|.", ".|.|.|.", ".|.|.|.", ".|.|.|.")
    assert named([*shapes([long, short])]) == ["oLo"]


def test_without_a_rest_no_shape_has_a_loop() -> None:
    turns = [inside(None, "a|.", ".|a", "b|a"), inside(None, "a|.", ".|a", ".|a")]
    assert named([*shapes(turns[:1])]) == ["oo"]
    assert named([*shapes(turns)]) == ["oo"]


# --- what stands inside turns alone -------------------------------------------------------------------------

PICKED = run("pick(0,1)", "a|a|.", "a|am|.", "ah|am|.", "a|a|.")
OTHER = run("pick(0,0)", "a|.|a", "am|.|a", "am|.|a", "a|.|a")


def test_marks_are_what_stands_where_inputs_point() -> None:
    assert passing_tokens([PICKED, OTHER]) == {"h", "m"}
    assert marks_of([PICKED, OTHER]) == {"m"}
    (turn,) = insides(without_marks([PICKED]), frozenset("h"))
    assert turn.boards == (row("a|a|."), row("a|a|."), row("ah|a|."))


def test_what_is_not_there_once_is_no_mark() -> None:
    gone = run("pick(0,0)", "a|.|a", "a|.|a", "am|.|a", "a|.|a")
    assert marks_of([PICKED, gone]) == frozenset() and without_marks([PICKED, gone]) == [PICKED, gone]


# --- hosts --------------------------------------------------------------------------------------------------


def hosts(*pairs: tuple[str, str]) -> frozenset[str]:
    turns = [Turn(row(before), None, row(after)) for before, after in pairs]
    return hosts_of(turns, structure_of(turns))


def test_hosts_are_what_stands_wherever_something_comes() -> None:
    assert hosts(("a|b|.", "ah|b|."), ("b|a|.", "bh|ah|.")) == {"a", "b"}


@pytest.mark.parametrize("before, after", [("a|.|b", "a|h|b"), ("ab|a|b", "ab|ah|bh"), ("a|b|.", "b|a|.")])
def test_there_are_no_hosts_of_empty_cells_and_not_two_in_one(before: str, after: str) -> None:
    assert hosts((before, after)) == frozenset()


# --- whole games --------------------------------------------------------------------------------------------


@cache
def seen(name: str, number: int, seed: int) -> list[Episode]:
    """Some roll-outs with the boards after each pass."""
    world = DescribedWorld(*levels.load_game(name), frames=True, go_on=True)
    return list(islice(rollouts(world, random.Random(seed)), number))


def certify_what_spreads_and_falls() -> None:
    """Another seed, its passes one by one, and what the certificate says of them."""
    described, _ = levels.load_game("samegame")
    episodes = seen("samegame", 60, 2000)
    program = learn_shaped(episodes)
    assert program is not None and [one.loop for one in program.programs] == [False, True, False, True, True]
    shell, boards = learning.shell_of(described), [one.before for one in turns_of(episodes)]
    learned = with_program(shell, program, vocabulary_of(shell, boards))
    certificate = certify(described, learned, model_of)
    assert certificate.text == "exact but for bounds" and not certificate.exact


@more_of(
    test_marks_are_what_stands_where_inputs_point,
    test_hosts_are_what_stands_wherever_something_comes,
    hanging_together,
)
@few_or_many("number", 1, 40)
def test_what_spreads_is_a_description_that_plays_alike(number: int) -> None:
    """Once without what falls and closes up afterwards, and once with it, of which a certificate is made."""
    described, own = levels.load_game("samegame")
    if number > 1:
        certify_what_spreads_and_falls()
    else:
        described = replace(described, physics=())
    fresh = DescribedWorld(described, own, frames=True, go_on=True)
    learned = learn_whole(list(islice(rollouts(fresh, random.Random(2001)), 60 if number > 1 else 8)), "seen")
    assert [kind.name for kind in learned.game.kinds if kind.marker] == ["hit", "picked"]
    game, kept = read_game(write_game(learned.game, learned.levels).encode(), "seen.toml")
    world = DescribedWorld(game, kept, go_on=True)
    for episode in islice(rollouts(fresh, random.Random(99)), number):
        again = world.one(episode.start, [step.word for step in episode.steps])
        assert again is not None and [s.after for s in again.steps] == [s.after for s in episode.steps]


def test_refused_turns_show_their_inside_too() -> None:
    steps = [step for one in seen("samegame", 5, 2000) for step in one.steps]
    assert any(step.refused and step.frames for step in steps)


def test_what_happened_inside_a_turn_is_an_event_of_its_own() -> None:
    assert event([row("a|."), row("am|."), row("a|.")]) == {("+", "m"), ("-", "m")}
    assert event([row("a|."), row(".|a")]) == {("+", "a"), ("-", "a")}


def test_who_is_sent_left_and_right_sees_up_and_down_as_they_are() -> None:
    assert [frame.mirrored for frame in sent_frames(frozenset({"left", "right"}))] == [True, False]
    assert [frame.mirrored for frame in sent_frames(frozenset({"left", "up"}))] == [False]
