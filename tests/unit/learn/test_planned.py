"""Where play by chance was never won, runs are planned by the learned rules to boards that tell what wins."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest

from ggp.language.description import read_game
from ggp.learn.boards import Board, Episode
from ggp.learn.goal.claims import Claim
from ggp.learn.goal.goals import flags_of
from ggp.learn.goal.wanted import telling, thinkable
from ggp.learn.whole import Learned, with_goal_anew
from ggp.model.result import OutOfTime
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import PLANNED, HeldBack
from ggp.watch.planned import EACH, PLANS, Budget, Enough, plans_for_goals
from ggp.watch.tally import Tally
from ggp.watch.trial import less_doubted, once, only_goal
from ggp.watch.verdict import Trial
from tests.in_one_pass import learn_in_one_pass

GEMS = """
name = "gems"
[kinds]
wall = { layer = "solid" }
gem = { layer = "solid" }
exit = { layer = "floor" }
player = { layer = "solid", count = "1" }
[classes]
full = ["wall", "gem"]
[symbols]
" " = ""
"#" = "wall"
"*" = "gem"
"E" = "exit"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
take: player here, gem ahead => remove gem ahead
step: player here, no full ahead => player here -> ahead
'''
[goal]
win = ["count gem = 0"]
[[level]]
map = '''
#######
#@ * E#
# # # #
#*   *#
#######
'''
"""


def world_with(goal: str, text: str = GEMS) -> DescribedWorld:
    """The game of gems with a goal."""
    return DescribedWorld(*read_game(text.replace("count gem = 0", goal).encode(), "gems.toml"))


@cache
def unwon(goal: str) -> tuple[DescribedWorld, list[Episode], Learned]:
    """Play that nobody has won, and what is learned of it."""
    world = world_with(goal)
    runs = islice(rollouts(world, random.Random(0)), 40)
    episodes = [one for one in runs if not one.won and not any(step.won for step in one.steps)]
    return world, episodes, learn_in_one_pass(episodes, "gems")


def test_what_nobody_has_won_by_chance_is_won_by_a_plan() -> None:
    world, episodes, learned = unwon("count gem = 0")
    assert learned.goal is None
    runs = list(plans_for_goals(Foresight(learned), world, episodes))
    assert runs[-1].steps[-1].won and not any(step.won for one in runs[:-1] for step in one.steps)
    again = less_doubted(learned, [*episodes, *runs])
    assert again.goal is not None and [one.text for one in again.goal.claims] == ["count gem = 0"]
    assert again.program is learned.program


def test_a_goal_may_ask_for_two_things_that_are_not_enough_alone() -> None:
    world, episodes, learned = unwon('count gem = 0", "some player on exit')
    (board,) = world.levels()
    bare = board._replace(cells=tuple(stack - {"gem"} for stack in board.cells))
    alone = world.play([(bare, ["right"]), (board, ["right"] * 6)])
    played = [*episodes, *(one for one in alone if one is not None)]
    known = flags_of(played, "won").known
    goals = list(thinkable(played, known, learned.structure))
    said = [[claim.text for claim in one] for one in goals]
    assert ["count gem = 0"] not in said and ["some player on exit"] not in said
    assert ["count gem = 0", "some player on exit"] in said
    *_, last = plans_for_goals(Foresight(learned), world, played)
    assert last.steps[-1].won


def test_what_loses_is_planned_for_where_nobody_has_lost() -> None:
    world, episodes, unknown = unwon("count gem = 0")
    learned = with_goal_anew(unknown, [*episodes, *plans_for_goals(Foresight(unknown), world, episodes)])
    losing = world_with('count gem = 0"]\nlose = ["some player on exit')
    runs = islice(rollouts(losing, random.Random(0)), 40)
    spared = [one for one in runs if not one.lost and not any(step.lost for step in one.steps)]
    assert not any(any(step.lost for step in one.steps) for one in spared)
    *_, last = plans_for_goals(Foresight(learned), losing, spared)
    assert last.steps[-1].lost


def both_hold(board: Board) -> bool:
    """Is no gem left, and somebody on the exit?"""
    return {"exit", "player"} in board.cells and not any("gem" in stack for stack in board.cells)


def test_whose_verdict_counts_is_asked_where_a_turn_may_win_and_lose() -> None:
    """Who steps on a gem takes it, and the last one may lie on the exit, where nobody had seen one."""
    text = GEMS.replace('gem = { layer = "solid" }', 'gem = { layer = "gem" }').replace(', "gem"]', "]")
    text = text.replace("no full ahead => player here -> ahead", "no wall ahead => player here -> ahead")
    text = text.replace("remove gem ahead", "player here -> ahead, remove gem ahead")
    for excuse in ("", " unless count gem = 0"):
        world = world_with(f'count gem = 0"]\nlose = ["some player on exit{excuse}', text)
        runs = islice(rollouts(world, random.Random(1)), 50)
        episodes = [run for run in runs if not any(map(both_hold, run.boards()))]
        learned = learn_in_one_pass(episodes, "gems")
        assert [term.source() for term in learned.game.goal.lose] == ["every player on exit"]
        (run,) = plans_for_goals(Foresight(learned), world, episodes)
        assert (run.steps[-1].won, run.steps[-1].lost) == (bool(excuse), not excuse)
        again = with_goal_anew(learned, [*episodes, run])
        assert [term.source() for term in again.game.goal.lose] == [f"every player on exit{excuse}"]


class Planned(HeldBack):
    """Nothing is fresh but what is planned."""

    def __init__(self, world: DescribedWorld) -> None:
        super().__init__([])
        self.world = world


def test_the_trial_asks_for_plans_and_its_goal_is_learned_anew() -> None:
    world, episodes, learned = unwon("count gem = 0")
    trial = once(learned, episodes, Planned(world), 100, Trial(Tally()))
    assert trial.tally.turns[PLANNED] and trial.tally.flags_wrong == 1
    assert only_goal(learned, trial, [run.episode for run in trial.tally.against]) and not trial.holds


def test_boards_of_which_two_goals_say_different_things_are_planned_for() -> None:
    taken, every = Claim("count", "gem"), Claim("every", "gem", "exit")
    assert set(telling((taken,), (every,))) == {
        (taken, every._replace(word="some", placing="off")),
        (every, taken._replace(compare=">=", number=1)),
    }


def test_a_search_for_plans_is_ended_by_what_it_did_and_not_by_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ggp.watch.planned.time.process_time", lambda: 0.0)
    budget, looks = Budget(PLANS), 0
    while not budget.spent:
        with pytest.raises(Enough), budget.clock() as clock:
            while True:
                clock.check()
                looks += 1
    assert looks == PLANS * EACH - PLANS + 1  # the look that ends a search is counted, too


def test_states_that_take_long_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1000))
    monkeypatch.setattr("ggp.watch.planned.time.process_time", lambda: float(next(seconds)))
    budget = Budget(1)
    with pytest.raises(Enough), budget.clock() as clock:
        for _ in range(4):
            clock.check()
    assert budget.spent


def test_the_end_of_all_time_is_no_end_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    world, episodes, learned = unwon("count gem = 0")

    def over(*asked: object) -> None:
        raise OutOfTime

    monkeypatch.setattr("ggp.watch.planned.solve", over)
    with pytest.raises(OutOfTime):
        list(plans_for_goals(Foresight(learned), world, episodes))
