"""Games with chance are learned from play: what goes by chance, where it may, and how likely each thing is.

`tests/data/chance` has four small games of VGDL and three descriptions. Of these the distribution of
what comes of a turn is held against that of what was learned, exactly: every way with its probability.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

import pytest

from ggp.errors import IllegalAction, PuzzleError
from ggp.harness.from_play import taken
from ggp.harness.worlds import world_of
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, board_of, turns_of
from ggp.learn.chance.parting import partings
from ggp.learn.chance.weights import Weights, fitted, keeping
from ggp.learn.chance.whole import learn_with_chance
from ggp.learn.seen.structure import structure_of
from ggp.learn.whole import Learned, learn_whole
from ggp.model import Game
from ggp.referee.dice import every_way
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state, step
from ggp.watch import World, rollouts
from ggp.watch.described import DescribedWorld, shown
from ggp.watch.fresh import HeldBack
from ggp.watch.odds import OddsForesight
from ggp.watch.repeats import played_twice
from ggp.watch.tally import Tally
from ggp.watch.trial import once, tried
from ggp.watch.verdict import Trial
from tests.slow import more_of, slow_unless
from tests.unit.learn import test_trial

GAMES = Path(__file__).parents[2] / "data" / "chance"
MOST = 300  # ways of a turn that are compared
Distribution = dict[Board, Fraction]


@lru_cache
def learned_from(name: str, rollouts_of: int = 40, seed: int = 1) -> tuple[Learned, Trial]:
    """What the command learns of one of the games, and how it stood its trial."""
    address = f"{'vgdl' if name.endswith('txt') else 'game'}:{GAMES / name}"
    watched = taken(world_of(address), rollouts_of, seed)
    assert watched.fresh is not None
    return tried(partial(learn_with_chance, name="learned"), watched.fresh, 400)


def distribution(world: DescribedWorld, board: Board, word: str) -> Distribution | None:
    """How likely each board is after a turn; None where the input is no move."""
    instance, found = world.instance(board), defaultdict[Board, Fraction](Fraction)
    state, action = initial_state(instance, partial=True), parse_action(word)
    try:
        for odds, _, after in every_way(lambda dice: step(instance, state, action, None, dice)):
            found[shown(board, after)] += odds
            if len(found) > MOST:
                return None
    except IllegalAction:
        return None
    return dict(found)


@pytest.mark.parametrize("name", slow_unless({"die"}, ["mole", "mow", "die"]))
def test_what_is_learned_of_a_description_has_its_distribution(name: str) -> None:
    learned, trial = learned_from(f"{name}.toml")
    assert trial.holds, trial.lines
    own = world_of(f"game:{GAMES / name}.toml")
    assert isinstance(own, DescribedWorld)
    text = write_game(learned.game, learned.levels)
    game, levels = read_game(text.encode(), "learned.toml")
    again, compared = OddsForesight(replace(learned, game=game, levels=levels)), 0
    for turn in islice(turns_of(rollouts(own, random.Random(77))), 90):
        before = again.written(turn.before)
        assert before is not None and turn.word is not None
        theirs = distribution(own, turn.before, turn.word)
        ours = distribution(again.world, before, turn.word)
        if theirs is not None and ours is not None:
            assert {again.translated(board): odds for board, odds in ours.items()} == theirs
            compared += len(theirs) > 1
    assert compared > 20


@more_of(test_what_is_learned_of_a_description_has_its_distribution)
@pytest.mark.parametrize("name", ["duck", "goat", "seeds", "ghosts"])
def test_what_is_learned_of_a_vgdl_game_has_its_chance(name: str) -> None:
    learned, trial = learned_from(f"{name}.txt")
    assert trial.holds, trial.lines
    group = next(group for group in learned.game.turn if getattr(group, "draw", None) == "each")
    weights = [weight for rule, weight in zip(group.rules, group.weights, strict=True) if rule.effects]
    assert set(weights) == {1}
    assert any("goes by chance" in line and "taken for" in line for line in learned.evidence)


def test_what_cannot_be_and_what_is_too_frequent_fail_the_trial() -> None:
    learned, _ = learned_from("die.toml")
    watched = taken(world_of(f"game:{GAMES / 'die.toml'}"), 60, 5)
    assert watched.fresh is not None
    (drawn,) = (group for group in learned.game.turn if group.draw)

    def with_group(**other: object) -> Learned:
        turn = tuple(replace(one, **other) if one is drawn else one for one in learned.game.turn)  # type: ignore[arg-type]
        return replace(learned, game=replace(learned.game, turn=turn))

    uneven = with_group(weights=(2, *drawn.weights[1:]))
    trial = once(uneven, watched.episodes, watched.fresh, 900, Trial(Tally()))
    assert not trial.wrong and trial.odds is not None and not trial.odds.fits and not trial.holds
    assert any("NOT in keeping" in line for line in trial.lines)
    fewer = with_group(rules=drawn.rules[1:], weights=drawn.weights[1:])
    trial = once(fewer, watched.episodes, watched.fresh, 200, Trial(Tally()))
    assert trial.wrong and not trial.holds


# --- what is no chance ------------------------------------------------------------------------------------


def lamp(turns: str, level: str = "") -> Episode:
    """A run in which a lamp is on and off as it is written."""
    boards = [board_of([[["lit"] if sign == "*" else ["dark"], ["wall"]]]) for sign in turns]
    return Episode(boards[0], tuple(Step("wait", board) for board in boards[1:]), level=level)


def test_what_takes_turns_is_not_taken_for_chance() -> None:
    """The lamp goes on and off, each for two turns: no board says how long it has been so."""
    runs = [lamp("**..**..**..**..**..**..**"[shift:]) for shift in range(4)] * 4
    with pytest.raises(
        PuzzleError,
        match="explain it: how often .* hangs on more than chance: after the turn in which it did",
    ):
        learn_with_chance(runs)


def test_a_lamp_that_is_drawn_is() -> None:
    rng = random.Random(0)
    runs = [lamp("".join(rng.choice("*.") for _ in range(20))) for _ in range(20)]
    learned = learn_with_chance(runs)
    assert {sign for sign, _ in learned.by_chance} == {"+", "-"}
    with pytest.raises(PuzzleError, match="went two ways"):
        learn_whole(runs)


def test_two_outcomes_that_were_hardly_seen_are_shown() -> None:
    runs = [lamp("**"), lamp("*.")]
    with pytest.raises(PuzzleError, match=r"went two ways:\n(.|\n)*chance does not explain it"):
        learn_with_chance(runs)


def test_a_game_without_chance_is_learned_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    world = world_of("game:sokoban")
    episodes = list(islice(rollouts(world, random.Random(0)), 20))
    assert played_twice(world, episodes) == []
    assert learn_with_chance(episodes).game == learn_whole(episodes).game


def test_runs_that_go_another_way_the_second_time_are_kept() -> None:
    world: World = world_of(f"game:{GAMES / 'mole.toml'}")
    episodes = list(islice(rollouts(world, random.Random(0)), 20))
    assert len(played_twice(world, episodes)) > 10


@more_of(
    test_what_is_learned_of_a_description_has_its_distribution,
    test_trial.test_of_runs_that_are_held_back_no_turn_is_learned_from,
)
def test_recorded_runs_are_learned_from_and_held_back() -> None:
    world = world_of(f"vgdl:{GAMES / 'duck.txt'}")
    episodes = list(islice(rollouts(world, random.Random(3)), 70))
    learned, trial = tried(partial(learn_with_chance, name="duck"), HeldBack(episodes), 500)
    assert learned.by_chance and trial.holds and trial.odds is not None and trial.odds.number > 100


def test_chance_is_told_from_what_hangs_on_it() -> None:
    """The goat stops the avatar: where the goat went is given, and the avatar's step follows."""
    world = world_of(f"vgdl:{GAMES / 'goat.txt'}")
    episodes = list(islice(rollouts(world, random.Random(0)), 60))
    structure = structure_of(list(turns_of(episodes)))
    found = [parted for parted in partings(episodes, structure) if len(parted.changes) == 2]
    assert [(sorted(parted.changes), parted.first) for parted in found][0] == (
        [("+", "goat"), ("-", "goat")],
        True,
    )


# --- weights ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({("open", "open"): [50, 48, 0]}, Weights((1.0, 1.0), 0.0, frozenset())),
        ({("open",): [24, 76]}, Weights((1.0,), 3.0, frozenset())),
        ({("open",): [1000, 9000]}, Weights((1.0,), 9.0, frozenset())),
        ({("open", "open"): [300, 100, 0]}, Weights((3.0, 1.0), 0.0, frozenset())),
        (
            {("open", "open"): [50, 48, 0], ("open", "barred"): [100, 0, 0]},
            Weights((1.0, 1.0), 0.0, frozenset()),
        ),
        (
            {("open", "open"): [50, 48, 0], ("open", "barred"): [52, 0, 49]},
            Weights((1.0, 1.0), 0.0, frozenset({"barred"})),
        ),
    ],
)
def test_weights_are_the_plainest_that_fit(
    counts: dict[tuple[str, ...], Sequence[int]], expected: Weights
) -> None:
    assert fitted(counts) == expected  # type: ignore[arg-type]


def test_what_keeps_with_its_odds_is_called_otherwise_as_often_as_is_said() -> None:
    rng, low = random.Random(0), 0
    for _ in range(400):
        times = [0, 0, 0]
        for _ in range(60):
            times[rng.randrange(3)] += 1
        low += keeping([([1 / 3] * 3, times)]) < 0.05
    assert 5 <= low <= 40  # 20 are expected
    assert keeping([([0.5, 0.5], [60, 140])]) < 1e-6
    assert keeping([([1.0, 0.0], [60, 1])]) == 0.0


def test_solvers_refuse_what_was_learned_by_name() -> None:
    from ggp.api import solve
    from ggp.model import Instance

    learned, _ = learned_from("die.toml")
    game: Game = learned.game
    with pytest.raises(PuzzleError, match="chance"):
        solve(Instance(game, learned.levels[0]), "search")
