"""The search for designs in tables finds the runs that the plain one finds, in machine code as in Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ggp.analysis.design import DesignSearch, Leaf
from ggp.api import solve
from ggp.errors import Unfit
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.referee.trajectory import replay
from ggp.search.walking import digger
from ggp.search.walking.digger import WalkSearch
from ggp.solvers import search
from tests.changed_rules import changed
from tests.oracles.random_maps import scattered
from tests.slow import few_or_many
from tests.solver_levels import level_of

# They climb, so what was decided may matter again later; they can run into things; two pieces are placed.
CLIMBERS = (
    """
name = "climbers"
title = "Climbers"
[kinds]
rock = { layer = "solid", tile = "stone" }
plank = { layer = "solid", facing = ["left", "right"], tile = "brick" }
flag = { layer = "floor", tile = "door" }
climber = { layer = "solid", facing = ["up", "right", "down", "left"], tile = "walker" }
[symbols]
" " = ""
"X" = "rock"
"T" = "flag"
"<" = "climber:left"
">" = "climber:right"
[design]
place = "plank"
free-of = ["rock", "plank", "climber", "flag"]
limit = "budget"
[[physics]]
rules = '''
rest: climber here, flag here => stay
left: climber here, plank:left ahead => turn climber here leftward
right: climber here, plank:right behind => turn climber here rightward
slip: climber here, rock behind, no rock ahead => climber here -> ahead
walk: climber here, no rock ahead, no plank ahead => climber here -> ahead
turn: climber here => turn climber here behind
'''
[goal]
when = "horizon"
win = ["no climber off flag"]
[[level]]
name = "one"
horizon = 5
budget = 1
map = """
    + '"""'
    + "\n< T\n   \n"
    + '"""'
)
LEMMINGS = levels.load_game("lemmings")[0]
GAMES = [LEMMINGS, *(game for _, game in changed(LEMMINGS))]  # without freezing, in other orders, ...
CLIMBING = read_game(CLIMBERS.encode(), "climbers")[0]


def drawn(seed: int) -> Instance:
    """A random small level with one walker."""
    rng = Random(seed)
    game = rng.choice(GAMES) if seed % 2 else CLIMBING
    height, width = rng.randint(3, 5), rng.randint(3, 5)
    marks, border = rng.choice(["<T", ">TT", "<TTT"]), seed % 5 == 0
    rows = scattered(rng, max(height, 4), max(width, 4), "X", marks, border=border, density=0.2)
    when = rng.choice(["horizon", "any-turn"])
    return level_of(game, rows, rng.randint(1, 14), when, budget=rng.randint(0, 2 + seed % 2))


def no_tick() -> None:
    """There is time."""


def both(one: Instance) -> tuple[list[Leaf], list[Leaf], list[Leaf]]:
    """(all runs of the plain search, all of this one, those with the fewest placements). Raises Unfit."""
    quick = sorted(WalkSearch(one).leaves(no_tick), key=str)
    few = list(WalkSearch(one).fewest(no_tick))
    return sorted(DesignSearch(one).leaves(no_tick), key=str), quick, few


def held_together(seeds: range) -> Counter[str]:
    """Compare on random levels; how many were of which sort."""
    sorts = Counter[str]()
    for seed in seeds:
        one = drawn(seed)
        try:
            plain, quick, few = both(one)
        except Unfit:
            sorts["unfit"] += 1
            continue
        assert quick == plain, f"{seed}: {one.level}"
        least = min((len(leaf.placed) for leaf in plain), default=None)
        assert [len(leaf.placed) for leaf in few] == ([] if least is None else [least]), (
            f"{seed}: {one.level}"
        )
        sorts[f"{one.game.name}, {'won' if least else 'for nothing' if least == 0 else 'none'}"] += 1
    return sorts


def test_the_same_runs_win() -> None:
    sorts = held_together(range(240))
    assert sorts["unfit"] < 120
    assert all(sorts[f"{game}, {what}"] >= 5 for game in ("lemmings", "climbers") for what in ("won", "none"))


@few_or_many("number", 2, 40)
def test_the_same_in_machine_code_and_where_few_failures_can_be_kept(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(digger, "PLAIN", 0)
    monkeypatch.setattr(digger, "PAUSE", 3)
    monkeypatch.setattr(digger, "NOTES", (3, 5))
    held_together(range(300, 300 + number))


def test_on_a_larger_level_failures_that_are_kept_change_nothing() -> None:
    one = levels.load("lemmings/seed")
    level = replace(one.level, horizon=30, numbers=(("budget", 4),))
    plain, quick, few = both(replace(one, level=level))
    assert quick == plain and len(plain) > 20
    assert [len(leaf.placed) for leaf in few] == [3]


def test_limits_stop_rising_where_no_piece_more_would_change_a_run() -> None:
    """In a corridor that is walled off, on which more could be placed than the walker ever looks at."""
    rows = ["XXXXXXXXX", "X<      X", "XXXXXXXXX", "X      TX", "XXXXXXXXX"]
    tried: list[None] = []
    search = WalkSearch(level_of("lemmings", rows, 40, "horizon", budget=12))
    search.world.ends = dict.fromkeys(search.world.ends, search.world.bits.bit(3, 1))
    assert not list(search.fewest(lambda: tried.append(None))) and len(tried) < 10


def test_a_level_with_two_walkers_is_left_to_the_plain_search() -> None:
    with pytest.raises(Unfit, match="just one piece"):
        WalkSearch(levels.load("lemmings/pair"))


SOONER = (
    """
name = "sooner"
[kinds]
wall = { layer = "solid" }
plank = { layer = "solid" }
bug = { layer = "walker", facing = ["left", "right"] }
spot = { layer = "floor" }
[classes]
solid = ["wall", "plank"]
[symbols]
"." = ""
"#" = "wall"
">" = "bug:right"
"_" = "spot"
[design]
place = "plank"
free-of = ["solid", "bug", "spot"]
limit = 1
[[physics]]
rules = '''
walk: bug here, no solid ahead => bug here -> ahead
turn: bug here => turn bug here behind
'''
[goal]
win = ["some bug on spot"]
[objectives]
turns = "turns"
planks = "placements"
[[level]]
horizon = 12
map = """
    + "'''\n{}\n'''\n"
)


@pytest.mark.parametrize("rows", ["#_>.....#", "#_>.....#\n########>"])  # one walks, and two
@pytest.mark.parametrize(("objective", "least"), [("turns", 2), ("planks", 0)])
def test_the_best_design_is_not_always_the_one_with_fewest_pieces(
    rows: str, objective: str, least: int
) -> None:
    """A plank in front of the bug turns it round at once."""
    game, (level,) = read_game(SOONER.replace("{}", rows).encode(), "sooner")
    found = solve(Instance(game, level), "search", objective=objective)
    assert (found.stop, found.objective, found.bound, found.complete) == ("optimal", least, least, True)


@pytest.mark.parametrize("rows", ["#_.>..._#", "#_.>..._#\n########>"])
@pytest.mark.parametrize("when", ["any-turn", "horizon"])
def test_only_runs_that_win_sooner_are_looked_for(
    rows: str, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where runs end at the horizon only, one is enough."""
    values: list[int] = []

    def noted(*what: Any) -> int:
        values.append(replay(what[0], what[1]).values[what[2].name])
        return values[-1]

    monkeypatch.setattr(search, "cost", noted)
    game, (level,) = read_game(SOONER.replace("{}", rows).encode(), "sooner")
    found = solve(Instance(game, replace(level, when=when)), "search", objective="turns")
    assert values == sorted(set(values), reverse=True) and values[-1] == found.objective == found.bound
    assert found.stop == "optimal" and (len(values) > 1) is (when == "any-turn")
