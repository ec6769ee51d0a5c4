"""The learner: views, examples, the list of rules, and when it says that it cannot."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

import ggp
from ggp.engines.vgdl import VgdlFault
from ggp.errors import IllegalAction, NotLearned, PuzzleError
from ggp.generate.random_levels import random_level
from ggp.harness import learning
from ggp.harness.teaching import Pupil, turns_in
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn import eventful
from ggp.learn.movers.examples import examples, frame_of
from ggp.learn.movers.learner import learn, surprises
from ggp.learn.movers.rules import with_rules
from ggp.learn.seen.frames import Frame, window
from ggp.model import DIRECTIONS, Game, Instance, Level, Piece
from ggp.model.board import Action, State
from ggp.model.result import Clock, OutOfTime
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state, step
from ggp.referee.trajectory import Trajectory
from ggp.watch.described import DescribedWorld
from tests.changed_rules import games_that_move
from tests.slow import more_of
from tests.unit.learn.test_blind import test_described_games_are_learned_exactly as exactly_as_described


def referee_play(instance: Instance, actions: Sequence[str]) -> Trajectory:
    """A roll-out by the referee: quick, and enough for the learner's own tests."""
    inputs: list[Action | None] = [parse_action(text) for text in actions] or [None] * learning.TURNS
    states: list[State] = [initial_state(instance, partial=True)]
    for action in inputs:
        try:
            states.append(step(instance, states[-1], action))
        except IllegalAction:
            states.append(states[-1])
    rows, columns = len(instance.level.board), len(instance.level.board[0])
    return Trajectory(rows, columns, tuple(states), tuple(inputs))


def game(name: str) -> Game:
    """A built-in game."""
    return levels.load_game(name)[0]


def watched(described: Game, number: int, seed: int = 0, *, kept: Sequence[Level] = ()) -> list[Trajectory]:
    """Some roll-outs."""
    source = learning.random_rollouts(described, random.Random(seed), referee_play, kept)
    return [next(source) for _ in range(number)]


def test_boards_that_are_won_from_the_start_are_played_on() -> None:
    """An engine takes inputs at a board that is won as idle; that would contradict all other boards."""
    play = learning.vgdl_rollout()

    def lamps_all_out(instance: Instance, actions: Sequence[str]) -> Trajectory:
        board = tuple((frozenset({Piece("dark")}),) * len(row) for row in instance.level.board)
        return play(replace(instance, level=replace(instance.level, board=board)), [actions[-1]])

    source = learning.random_rollouts(game("lights-out"), random.Random(), lamps_all_out)
    assert all(one.states[0].board != one.states[1].board for one in islice(source, 4))


def test_random_boards_have_the_numbers_that_rules_ask_for() -> None:
    """How far a group of blocks spreads is a number of the level."""
    described, kept = levels.load_game("samegame")
    source = learning.random_rollouts(described, random.Random(), learning.vgdl_rollout(), kept)
    assert all(len(one.states) > 1 for one in islice(source, 2))


def test_what_the_engine_gives_up_the_referee_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """py-vgdl stops where a list of sprites changes while it is gone through, and so does the engine."""

    def fault(*_: object) -> Iterator[State]:
        raise VgdlFault("a list of sprites changes while it is gone through", "")
        yield

    level = ggp.load("sokoban/first")
    words = ["right", "down", "left", "up", "right"]
    play = learning.vgdl_rollout()
    shown = play(level, words)
    monkeypatch.setattr(learning.exporting, "watch", fault)
    again = play(level, words)
    assert again == shown and len(again.states) == len(words) + 1
    monkeypatch.undo()
    monkeypatch.setattr(learning.exporting, "takes", lambda *_: False)  # what the exporter refuses, too
    monkeypatch.delattr(learning.exporting, "watch")
    assert play(level, words) == shown


CROWDED = (
    """
name = "crowded"
[kinds]
player = { layer = "solid" }
[symbols]
"." = ""
"@" = "player"
[input]
moves = ["up", "down"]
[[turn]]
rules = "step: player here, inside ahead => player here -> ahead"
[goal]
win = ["count player = 0"]
[[level]]
horizon = 3
map = """
    + '"""\n@\n@\n.\n"""\n'
)


def test_a_run_ends_where_rules_collide() -> None:
    """Two players of whom one comes to where the other stays: the engine shows both there."""
    described, (level,) = read_game(CROWDED.encode(), "crowded.toml")
    run = learning.vgdl_rollout()(Instance(described, level), ["down", "up", "up", "down"])
    assert [str(action) for action in run.inputs] == ["down", "up"] and len(run.states) == 3


TURNED = [(Frame("input"), direction) for direction in DIRECTIONS]
MIRRORED = [(Frame("facing", mirrored=True), direction) for direction in ("left", "right")]


@pytest.mark.parametrize("frame, direction", [*TURNED, *MIRRORED])
def test_a_view_and_its_way_back_agree(frame: Frame, direction: str) -> None:
    for offset in window(2):
        assert frame.offset((5, 5), frame.cell((5, 5), offset, direction), direction) == offset


def test_a_mirrored_mover_keeps_up_and_down() -> None:
    frame = frame_of(game("lemmings"), "lemming")
    assert frame.cell((3, 3), (1, 1), "left") == (4, 2)
    assert frame.path((1, 1)) == ("ahead", "down")


def test_too_few_rollouts_are_found_out() -> None:
    learned = learning.learn(game("sokoban"), learner="tree", rollouts=4, seed=0, play=referee_play)
    assert not learned.certificate.exact
    assert learned.certificate.counterexample is not None


def test_a_surprise_is_one() -> None:
    described = game("sokoban")
    shell = learning.shell_of(described)
    model = learn(shell, watched(described, 3), 0)
    assert surprises(shell, model, watched(described, 300, seed=1))


def test_rules_are_questioned_until_nothing_surprises() -> None:
    pupil, _, world = forgetful_sokoban(30)
    forgetful, told = pupil.model, len(pupil.told)
    pupil.questioned(world, lambda message: None)
    more, known = pupil.asked, pupil.model
    assert eventful.surprises(pupil.shell, forgetful, pupil.told) and not pupil.surprised(pupil.told)
    assert told < len(pupil.told) < told + more  # of the answers only those that it said otherwise
    pupil.questioned(world, lambda message: None)
    assert more < pupil.asked < 2 * more and pupil.model is known


def test_a_learner_that_says_otherwise_what_it_was_told_is_told_once() -> None:
    """A tree that is cut, say, or a share: to tell it again would never end."""
    told: list[int] = []

    def never_right(shell: Game, seen: Sequence[Trajectory], seed: int) -> None:
        told.append(len(seen))
        assert len(told) < 9, "it is told again and again"

    inexact: Any = SimpleNamespace(learn=never_right, surprises=lambda shell, model, seen: True)
    described, kept = levels.load_game("sokoban")
    first, second = watched(described, 2, kept=kept)
    turns = dict.fromkeys(turns_in(second))
    pupil = Pupil(inexact, learning.shell_of(described), [first], 0)
    assert not pupil.take([second])
    assert told == [1, 1 + len(turns)] and pupil.unsaid == len(turns)


def forgetful_sokoban(number: int) -> tuple[Pupil, Game, DescribedWorld]:
    """Sokoban learned, but that what is behind a crate was forgotten; the game and its world."""
    described, kept = levels.load_game("sokoban")
    pupil = Pupil(eventful, learning.shell_of(described), watched(described, number, kept=kept), 0)
    (part,) = pupil.model.program.parts
    (push, *rest) = sorted(part.decisions.decisions, key=lambda one: -len(one.outcome))
    bold = replace(part, decisions=replace(part.decisions, decisions=(*rest, push._replace(tests=()))))
    program = replace(pupil.model.program, parts=(bold,))
    pupil.model = replace(pupil.model, program=program, game=eventful.with_rules(pupil.shell, program, []))
    return pupil, described, DescribedWorld(described, kept, go_on=True)


def test_what_the_certificate_finds_is_learned_from() -> None:
    """If a world is there to be asked; else it only judges."""
    pupil, described, world = forgetful_sokoban(30)
    told = len(pupil.told)
    judged = pupil.certified(described, None, lambda message: None, Clock())
    assert judged.text == "differs" and pupil.taught == pupil.asked == 0 and len(pupil.told) == told
    certificate = pupil.certified(described, world, lambda message: None, Clock())
    assert certificate.exact and pupil.taught == 1 and pupil.asked > 0


@more_of(test_what_the_certificate_finds_is_learned_from, exactly_as_described)
@pytest.mark.parametrize("name", ["lemmings", "sokoban"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_learned_is_certified(name: str, seed: int) -> None:
    learned = learning.learn(game(name), seed=seed, play=referee_play)
    assert learned.certificate.exact, learned.rules_text
    assert learned.examples > learned.rollouts / 2


def test_a_certificate_for_which_there_is_no_time_is_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that was found says nothing of rules that were learned since."""
    described, kept = levels.load_game("atomix")
    pupil = Pupil(eventful, learning.shell_of(described), watched(described, 60, kept=kept), 0)
    certificate = pupil.certified(described, None, lambda message: None, Clock(1e-9))
    assert certificate.text == "not settled" and not certificate.exact and certificate.size is None
    pupil, described, world = forgetful_sokoban(30)

    def late(*asked: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(pupil, "questioned", late)
    assert pupil.certified(described, world, lambda message: None, Clock()).text == "not settled"


def test_what_no_rules_say_leaves_the_rules_as_they_were() -> None:
    """A turn is told that goes another way than one before it."""
    pupil, _, _ = forgetful_sokoban(10)
    known, told = pupil.model, list(pupil.told)
    moved = next(turn for run in told for turn in turns_in(run) if turn.states[0] != turn.states[1])
    stays = replace(moved, states=(moved.states[0], moved.states[0]))
    assert not pupil.take([stays]) and pupil.model is known and pupil.told == told and pupil.unsaid == 1


def test_the_learner_is_told_no_rules() -> None:
    shell = learning.shell_of(game("sokoban"))
    assert shell.turn == shell.physics == ()
    assert [group.name for group in shell.classes] == []


def test_nothing_that_moves_needs_no_rule() -> None:
    described = replace(game("lemmings"), physics=())
    model = learn(learning.shell_of(described), watched(described, 5), 0)
    assert model.movers == ()


HIDDEN_CLOCK = """
name = "hidden-clock"
title = "A walker that rests every other turn"
[kinds]
wall = { layer = "solid" }
awake = { layer = "walker", count = "1" }
asleep = { layer = "walker" }
flag = { layer = "floor", count = "1" }
[symbols]
"." = ""
"X" = "wall"
"A" = "awake"
"F" = "flag"
[[physics]]
rules = '''
doze: awake here, inside right => remove awake here, add asleep here
wake: asleep here, no wall right => remove asleep here, add awake right
'''
[goal]
when = "horizon"
win = ["some flag off wall"]
"""


def test_kinds_that_become_others_are_refused_in_words() -> None:
    described, _ = read_game(HIDDEN_CLOCK.encode(), "hidden-clock.toml")
    with pytest.raises(PuzzleError, match="no kind of mover explains what happens to awake, asleep"):
        learning.learn(described, learner="tree", seed=0, play=referee_play)


def test_examples_too_close_together_are_left_out() -> None:
    described = game("lemmings")
    rng = random.Random(3)
    for _ in range(20):
        instance = random_level(described, rng, rows=4, columns=4, horizon=5)
        seen = referee_play(instance, [])
        found = [e for e in examples(described, "lemming", [seen]) if e is not None]
        movers = [sum(p.kind == "lemming" for here in s.board for p in here) for s in seen.states]
        assert len(found) <= sum(movers)


def test_nothing_that_ever_changed_is_refused() -> None:
    described = replace(game("lemmings"), physics=())
    with pytest.raises(PuzzleError, match="nothing ever changed in 5 roll-outs of lemmings"):
        learning.learn(described, rollouts=5, play=referee_play)


def test_a_game_without_rules_is_written_and_read() -> None:
    shell = with_rules(learning.shell_of(game("sokoban")), ())
    read, _ = read_game(write_game(shell).encode(), "learned.toml")
    assert read.turn == read.physics == ()


def test_what_vanishes_far_away_is_seen_or_refused() -> None:
    """A crate falls into a hole two cells ahead: no view is so small that the hole is not in it."""
    described = game("psychopath-2")
    model = learn(learning.shell_of(described), watched(described, 40), 0)
    assert all(one.radius >= 2 for one in model.movers)


def test_a_puzzle_in_which_nothing_moves_is_refused_in_words() -> None:
    with pytest.raises(NotLearned, match="nothing ever changed"):
        learning.learn(game("akari"), rollouts=1)


FUSES = """
name = "fuses"
[kinds]
fuse = { layer = "ground", values = [1, 3] }
ash = { layer = "ground" }
[symbols]
"a" = "ash"
"1" = "fuse:1"
"2" = "fuse:2"
"3" = "fuse:3"
[[physics]]
rules = '''
last: fuse:1 here => remove fuse here, add ash here
tick: fuse:$n here => turn fuse here $n - 1
'''
[goal]
win = ["count fuse = 0"]
"""


SIGNS = """
name = "signs"
[kinds]
sign = { layer = "floor", values = [1, 2] }
lamp = { layer = "lamp" }
ash = { layer = "lamp" }
[symbols]
"1" = "sign:1"
"2" = "sign:2"
"l" = "lamp"
"a" = "sign:1 lamp"
"b" = "sign:2 lamp"
[[physics]]
rules = "burn: lamp here, sign:1 here => remove lamp here, add ash here"
[goal]
win = ["count lamp = 0"]
"""


@pytest.mark.parametrize("text", [FUSES, SIGNS], ids=["come", "stay"])
def test_values_are_learned_and_told_apart(text: str) -> None:
    """Those of which one comes are one thing to who watches, others are tokens of their own."""
    described, _ = read_game(text.encode(), "values.toml")
    learned = learning.learn(described, learner="events", rollouts=20, play=referee_play)
    assert learned.certificate.text == "exact"


@pytest.mark.parametrize("name", games_that_move())
def test_random_levels_have_every_kind_that_maps_can_have(name: str) -> None:
    described = game(name)
    drawn = {piece.kind for _, pieces in described.symbols for piece in pieces}
    rng = random.Random(4)
    seen: set[str] = set()
    for _ in range(30):
        board = random_level(described, rng, rows=5, columns=5, horizon=5).level.board
        seen |= {piece.kind for row in board for here in row for piece in here}
    assert seen == drawn


@pytest.mark.parametrize(("most", "learned"), [(4, 4), (2, 2)])
def test_all_runs_are_learned_from_where_rules_of_the_first_ones_mislead(most: int, learned: int) -> None:
    """What says no more than the first ones is kept if nothing says all."""
    empty = State((frozenset(),))
    runs = [Trajectory(1, 1, (empty, State((frozenset({Piece(f"p{n}")}),))), (None,)) for n in range(4)]

    def learn_some(shell: object, told: list[Trajectory], seed: int) -> list[Trajectory]:
        if len(told) > most:
            raise NotLearned("too many", "show less")
        return told

    def no_more(*_: object) -> object:
        raise NotLearned("nothing in haste", "show less")

    def surprised(shell: object, model: list[Trajectory], seen: list[Trajectory]) -> bool:
        return any(one not in model for one in seen)

    module: Any = SimpleNamespace(learn=learn_some, learn_more=no_more, surprises=surprised)
    shell: Any = None
    pupil, seen = learning.settle(module, shell, iter(runs), 4, 2, 0, lambda message: None)
    assert (len(pupil.told), pupil.unsaid, len(seen)) == (learned, 4 - learned, 4)
