"""What chance does: with a seed, listed with exact shares, recorded, and refused where it cannot be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from ggp.errors import DescriptionError, IllegalAction, IllFormed, PlanError
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.levels import load
from ggp.model import Instance, Plan
from ggp.model.board import State
from ggp.model.features import needs
from ggp.players.luck import luck_world
from ggp.referee.dice import Dice, Seeded, every_way
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.laying import lay
from ggp.referee.semantics import initial_state, legal_actions, place_pick, step, without_markers
from ggp.referee.trajectory import plan_from_json, plan_to_json, replay
from ggp.transition.drawn import DrawnStepper
from ggp.transition.laying import Laying

# A frog hops to any of its sides; then an egg or, three times as likely, a stone comes to a free cell.
POND = """
name = "pond"
[kinds]
frog = { layer = "thing" }
egg = { layer = "thing" }
stone = { layer = "thing" }
hand = { layer = "hand", marker = true }
[classes]
thing = ["frog", "egg", "stone"]
[symbols]
"." = ""
"f" = "frog"
[input]
pick = "hand"
[[turn]]
name = "hop"
draw = "each"
rules = "hop toward any: frog here, no thing ahead => frog here -> ahead"
[[turn]]
name = "come"
draw = "one"
weights = { egg = 1, stone = 3 }
rules = '''
egg: inside here, no thing here, no hand here => add egg here
stone: inside here, no thing here, no hand here => add stone here
'''
[goal]
win = ["count egg >= 2"]
[[chance]]
kind = "stone"
count = "stones"
free-of = ["thing"]
[[chance]]
kind = "egg"
count = 1
free-of = ["thing", "hand"]
when = "first-turn"
[[level]]
name = "two"
stones = 1
map = '''
f.
..
'''
"""


def pond(text: str = POND) -> Instance:
    game, (level, *_) = read_game(text.encode(), "pond.toml")
    return Instance(game, level)


def fault(old: str, new: str) -> str:
    """What is found after a change of the description."""
    assert old in POND
    with pytest.raises(DescriptionError) as caught:
        pond(POND.replace(old, new))
    return "\n".join(map(str, caught.value.findings))


def test_each_way_is_listed_once_and_the_shares_sum_to_one() -> None:
    instance = pond()
    starts = list(every_way(lambda dice: initial_state(instance, dice=dice)))
    assert len({state for _, _, state in starts}) == len(starts) == comb(3, 1)
    assert {share for share, _, _ in starts} == {Fraction(1, 3)}
    (_, said, start) = starts[0]
    assert said == ("stone(0,1)",) and start.lays == "first-turn"
    action = parse_action("pick(1,0)")
    ways = list(every_way(lambda dice: step(instance, start, action, dice=dice)))
    assert sum(share for share, _, _ in ways) == 1
    # The egg may not lie where the hand is. So the frog can hop down only, and then (0,0) is free.
    assert [(share, said) for share, said, _ in ways] == [
        (Fraction(1, 4), ("egg(1,1)", "hop(0,0,down)", "egg(0,0)")),
        (Fraction(3, 4), ("egg(1,1)", "hop(0,0,down)", "stone(0,0)")),
    ]


def test_a_seed_says_the_same_again_and_all_seeds_what_is_listed() -> None:
    instance, action = pond(), parse_action("pick(0,0)")

    def played(dice: Dice) -> State:
        return step(instance, initial_state(instance, dice=dice), action, dice=dice)

    assert played(Seeded(5)) == played(Seeded(5))
    expected: Counter[State] = Counter()
    for share, _, state in every_way(played):
        expected[state] += share  # type: ignore[assignment]
    drawn = Counter(played(Seeded(seed)) for seed in range(4000))
    assert drawn.keys() == expected.keys()
    for state, share in expected.items():
        assert abs(drawn[state] / 4000 - float(share)) < 0.04


def test_a_recorded_play_is_replayed_as_it_was() -> None:
    instance = pond()
    chance = (("stone(0,1)",), ("egg(1,1)", "hop(0,0,down)", "egg(0,0)"))
    plan = Plan(actions=("pick(1,0)",), chance=chance)
    assert plan_from_json(instance, plan_to_json(instance, plan)) == plan
    verdict = replay(instance, plan)
    assert verdict.won and verdict.turn == 1
    assert replay(instance, Plan(actions=("pick(1,0)",)), seed=3) == replay(
        instance, Plan(actions=("pick(1,0)",)), seed=3
    )


@pytest.mark.parametrize(
    ("chance", "message"),
    [
        ((), "nobody says what"),
        ((("stone(0,0)",),), "cannot be"),
        ((("stone(0,1)", "stone(1,1)"),), "was not asked"),
        ((("stone(0,1)",), ("egg(1,1)", "hop(0,0,up)", "egg(0,0)")), "cannot be"),
        ((("stone(0,1)",), ("egg(1,1)",)), "'nothing'"),
        ((("stone(0,1)",), ("egg(1,1)", "hop(0,0,down)", "egg(0,0)"), ("egg(0,0)",)), "which was the last"),
    ],
)
def test_a_record_that_cannot_be_is_refused(chance: tuple[tuple[str, ...], ...], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        replay(pond(), Plan(actions=("pick(1,0)",), chance=chance))


def test_nobody_plays_without_what_chance_lays() -> None:
    instance = pond()
    bare = initial_state(instance, partial=True)
    assert bare.lays == "start"
    with pytest.raises(PlanError, match="nobody says what"):
        step(instance, bare, parse_action("pick(0,0)"))
    with pytest.raises(PlanError, match="nobody says what"):
        initial_state(instance)


def test_what_is_a_move_does_not_hang_on_chance() -> None:
    """Where nothing changes an input is no move, but where chance was asked it is one."""
    full = pond(
        POND.replace("f.\n..", "ff\nff").replace("stones = 1", "stones = 0").replace("count = 1", "count = 0")
    )
    start = initial_state(full, dice=Seeded(0))
    assert legal_actions(full, start) == ()
    with pytest.raises(IllegalAction):
        step(full, start, parse_action("pick(0,0)"), dice=Seeded(0))
    assert len(legal_actions(pond(), initial_state(pond(), dice=Seeded(0)))) == 4


def test_more_than_there_is_room_for() -> None:
    instance = pond(POND.replace("count = 1", "count = 2"))
    with pytest.raises(IllFormed, match="do not fit"):
        step(instance, initial_state(instance, dice=Seeded(1)), parse_action("pick(1,1)"), dice=Seeded(1))


def test_too_many_ways_are_not_listed() -> None:
    instance = pond(POND.replace("f.\n..", "\n".join(["." * 30] * 16)).replace("stones = 1", "stones = 99"))
    with pytest.raises(IllFormed, match="too many to list"):
        next(every_way(lambda dice: initial_state(instance, dice=dice)))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("stone = 3", "stone = -3", "22:30: error: the weight of `stone` cannot be '-3'"),
        ("stone = 3", "stone = 0", "22:30: error: the weight of `stone` cannot be '0'"),
        ("stone = 3", "stone = 0.5", "22:30: error: the weight of `stone` cannot be '0.5'"),
        ("stone = 3", 'stone = "3/2"', "22:30: error: the weight of `stone` cannot be '3/2'"),
        (
            "egg = 1, stone = 3",
            'egg = "1/3", stone = "1/3"',
            "22:1: error: the probabilities sum to 2/3, not to 1",
        ),
        ("stone = 3", 'stone = "1/2"', "22:1: error: some weights are probabilities, and some are not"),
        ("stone = 3", "ston = 3", "22:22: error: there is no rule `ston` here"),
        (", stone = 3", "", "22:1: error: `stone` has no weight"),
        ('draw = "one"\n', "", "21:1: error: `weights` mean nothing without `draw`"),
        ('draw = "one"', 'draw = "two"', "21:8: error: `draw` cannot be 'two'"),
        ('draw = "one"', 'draw = "one"\nuntil = "stable"\nbound = 3', "21:1: error: chance draws once"),
        ('when = "first-turn"', 'when = "later"', "37:8: error: `when` cannot be 'later'"),
        ("count = 1", "count = -1", "35:9: error: `count` is -1"),
        ('kind = "egg"\n', 'kind = "egg:left"\n', "33:3: error: `egg` has neither facings nor values"),
        ('kind = "egg"\n', 'kind = "hand"\n', "33:3: error: `hand` is a marker"),
    ],
)
def test_what_cannot_be_said_of_chance(old: str, new: str, told: str) -> None:
    assert f"pond.toml:{told}" in fault(old, new)


def test_what_is_said_of_chance_is_written_as_it_was_read() -> None:
    for text in (POND, POND.replace("egg = 1, stone = 3", 'egg = "1/4", stone = "3/4"')):
        game, levels = read_game(text.encode(), "pond.toml")
        again = read_game(write_game(game, levels).encode(), "again.toml")
        assert (game, levels) == again
    assert {need.feature for need in needs(pond())} >= {"chance", "chance-in-turns"}


@pytest.mark.parametrize("name", ["doubling/sixteen", "concentration/four"])
def test_compiled_draws_are_the_referees_with_the_same_dice(name: str) -> None:
    """The same is legal, chance says the same words, and the same comes of it."""
    one = load(name)
    stepper, actions = DrawnStepper(one), list(all_actions(one))
    state, made = initial_state(one, dice=Seeded(1)), 0
    for turn in range(30):
        legal = [actions.index(action) for action in legal_actions(one, state)]
        assert np.flatnonzero(stepper.legal(stepper.pack(state))[0]).tolist() == legal
        if not legal:
            break
        ours, wanted, chosen = Seeded(turn), Seeded(turn), legal[turn % len(legal)]
        states = stepper.pack(state)
        stepper.advance(states, np.array([chosen]), [ours])
        state = step(one, state, actions[chosen], dice=wanted)
        assert ours.said == wanted.said and stepper.unpack(states) == state
        made += 1
    assert made > 3


@pytest.mark.parametrize("one", [pond(), load("minesweeper/beginner"), load("concentration/four")], ids=str)
def test_many_are_laid_at_once_as_the_referee_lays_each(one: Instance) -> None:
    stepper, actions = luck_world(one).stepper, list(all_actions(one))
    bare, dice = stepper.pack(initial_state(one, partial=True)), [Seeded(seed) for seed in range(20)]
    states = np.repeat(bare, len(dice), axis=2)
    Laying(one, stepper, "start").lay(states, dice)
    begun = [initial_state(one, dice=Seeded(seed)) for seed in range(20)]
    assert [stepper.unpack(states, seed).board for seed in range(20)] == [state.board for state in begun]
    picks = [actions[seed * 7 % len(actions)] for seed in range(20)]
    Laying(one, stepper, "first-turn").lay(states, dice, picks)
    for seed, (state, pick) in enumerate(zip(begun, picks, strict=True)):
        wanted = Seeded(seed)
        initial_state(one, dice=wanted)
        laid = lay(one, place_pick(one, state, pick), "first-turn", wanted) if state.lays else state
        assert stepper.unpack(states, seed).board == without_markers(one, laid)
        assert dice[seed].said == wanted.said and dice[seed].rng.random() == wanted.rng.random()


ROCK = {
    "[classes]": 'rock = { layer = "thing" }\n[classes]',
    '"f" = "frog"': '"f" = "frog"\n"r" = "rock"',
    "f.\n..": "f.\nr.",
}  # it never moves, and stands in the way of what is laid


@pytest.mark.parametrize(
    "changes",
    [{"count = 1": "count = 2"}, {'free-of = ["thing", "hand"]': 'free-of = ["hand"]'}, ROCK],
    ids=["full", "crowded", "crowded by what stays"],
)
def test_what_cannot_be_laid_is_told_alike(changes: dict[str, str]) -> None:
    text = POND
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    one = pond(text)
    stepper, told = luck_world(one).stepper, set()
    for seed in range(9):
        try:
            state, pick = initial_state(one, dice=Seeded(seed)), parse_action("pick(1,1)")
        except IllFormed:
            continue  # what is laid before the first turn does not fit either
        for way in ("ours", "referee"):
            try:
                if way == "ours":
                    Laying(one, stepper, "first-turn").lay(stepper.pack(state), [Seeded(seed)], [pick])
                else:
                    lay(one, place_pick(one, state, pick), "first-turn", Seeded(seed))
            except IllFormed as error:
                told.add((seed, way, str(error)))
    assert told and {(seed, text) for seed, way, text in told if way == "ours"} == {
        (seed, text) for seed, way, text in told if way == "referee"
    }
