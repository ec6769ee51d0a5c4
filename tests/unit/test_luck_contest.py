"""Several players take turns where chance has a part: the meaning, worlds, who plans, exact values."""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test

import ggp
from ggp import registry
from ggp.errors import UnsupportedFeature
from ggp.language.description import read_game
from ggp.language.validate import findings
from ggp.model import Instance
from ggp.players.arena import Arena
from ggp.players.expectimax import Expectimax
from ggp.players.luck import Drawn, Laid
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.worlds import world_of
from ggp.referee.contest import ended
from ggp.referee.dice import Seeded
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import legal_actions, step
from ggp.referee.session import Session
from ggp.referee.trajectory import judge, replay

# Each has a lane. To walk is one cell; to leap two, or none, as chance will have it.
DASH = """
name = "dash"
players = ["a", "b"]
[kinds]
a = { layer = "runner" }
b = { layer = "runner" }
flag = { layer = "floor" }
puddle = { layer = "wet" }
[classes]
runner = ["a", "b"]
[symbols]
"." = ""
"a" = "a"
"b" = "b"
"f" = "flag"
[input]
verbs = ["walk", "leap"]
[[turn]]
rules = '''
a: a here, input a, input walk => a here -> right
b: b here, input b, input walk => b here -> right
'''
[[turn]]
draw = "one"
weights = { a = 1, b = 1, a-slips = 2, b-slips = 1 }
rules = '''
a: a here, input a, input leap => a here -> right.right
b: b here, input b, input leap => b here -> right.right
a-slips: a here, input a, input leap => stay
b-slips: b here, input b, input leap => stay
'''
[goal]
win = ["some runner on flag"]
%s
[[level]]
map = '''
%s
'''
horizon = %s
"""
PUDDLE = '[[chance]]\nkind = "puddle"\ncount = 1\nfree-of = ["runner", "flag"]'


def dash(rows: str = "a...f\nb...f", horizon: int = 7, chance: str = "") -> Instance:
    game, (level,) = read_game((DASH % (chance, rows, horizon)).encode(), "dash.toml")
    assert not [one for one in findings(game, (level,)) if one.severity == "error"]
    return Instance(game, level)


@cache
def worth(own: int, other: int, left: int, *, first: bool = True) -> Fraction:
    """What a position is worth to whoever moves, by hand: cells to go of both, turns left, and who it is."""
    if not left:
        return Fraction(0)

    def after(to_go: int) -> Fraction:
        return Fraction(1) if to_go == 0 else -worth(other, to_go, left - 1, first=not first)

    luck = Fraction(1, 3) if first else Fraction(1, 2)
    leap = luck * after(own - 2) + (1 - luck) * after(own) if own >= 2 else after(own)
    return max(after(own - 1), leap)


@pytest.mark.parametrize("rows", ["a...f\nb...f", "a..f.\nb...f", "a...f\nb..f.", "a.f..\n.b..f"])
def test_expectiminimax_is_exact(rows: str) -> None:
    own, other = (row.index("f") - row.index(who) for row, who in zip(rows.split(), "ab", strict=True))
    player = Expectimax(Table(dash(rows), 100_000, 1))
    for left in (1, 2, 4):
        player.left, player.known = 100_000, {}
        found = player.best(player.world.told(player.world.begin(1)), left)
        assert found == (worth(own, other, left), -worth(own, other, left))


@pytest.mark.parametrize("name", ["expectimax", "mcts"])
@pytest.mark.parametrize(("rows", "word"), [("..a.f\n...bf", "leap"), ("...af\n...bf", "walk")])
def test_it_takes_the_leap_where_nothing_else_helps(name: str, rows: str, word: str) -> None:
    """Two cells to go, and the other one before the flag: there is only the leap."""
    table = Table(dash(rows), 400, 1)
    player = registry.load("player", name).player(table)
    assert table.world.actions[player.choose(view_of(Run(table.world, 1)))] == word


@pytest.mark.parametrize(("chance", "sort"), [("", Drawn), (PUDDLE, Drawn)])
def test_worlds_do_what_the_referee_does(chance: str, sort: type) -> None:
    one, ends = dash(chance=chance), set()
    world = world_of(one)
    assert isinstance(world, sort)
    for seed in range(8):
        run, rng = Run(world, seed), Random(seed)
        history = [world.state(run.position)]
        while judge(one, history)[1] is None:
            legal = [str(action) for action in legal_actions(one, history[-1])]
            assert [world.actions[n] for n in np.flatnonzero(world.legal(run.position))] == legal
            assert world.mover(run.position) == history[-1].mover
            word = rng.choice(legal)
            dice = Seeded(Random(run.position.dice))
            history.append(step(one, history[-1], parse_action(word), dice=dice))
            assert run.act(world.number[word]) and run.said[-1] == tuple(dice.said)
            assert world.state(run.position) == history[-1]
        end = ended(one, history)
        assert end is not None and end.utilities == run.gets == replay(one, run.plan()).utilities
        ends.add(end.reason.split(" at ")[0])
    assert len(ends) > 1


def test_what_is_laid_before_several_play() -> None:
    """Chance has no part in the turns, which are machine code."""
    text = DASH % (PUDDLE, "a...f\nb...f", 9)
    first, _, last = text.partition("[[turn]]\ndraw")
    game, (level,) = read_game((first + last[last.index("[goal]") :]).encode(), "dash.toml")
    one = Instance(game, level)
    world = world_of(one)
    assert isinstance(world, Laid)
    for seed in range(4):
        run = Run(world, seed)
        assert sum(piece.kind == "puddle" for here in world.state(run.position).board for piece in here) == 1
        while run.outcome == "open":
            run.act(0)
        assert run.gets == (1.0, -1.0) == replay(one, run.plan()).utilities and run.turns == 7


def test_they_meet_and_who_reckons_with_no_chance_is_refused() -> None:
    rows = list(Arena(games=1, playouts=20).play([dash()], ["mcts", "expectimax"]))
    assert not any(row.faults for row in rows) and sum(rows[0].utilities) == -sum(rows[1].utilities)
    with pytest.raises(UnsupportedFeature, match="chance"):
        list(Arena(games=1).play([dash()], ["exact", "random"]))


def test_agents_of_pettingzoo_and_sessions_play_it() -> None:
    one = dash()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ggp.env(one), num_cycles=20)
    session = Session(one, seed=3)
    while session.status().outcome == "open":
        session.act("leap" if session.turn % 3 else "walk")
    assert replay(one, session.plan()).utilities == replay(one, session.plan(), seed=3).utilities != ()


def test_what_is_hidden_from_several_is_refused_and_so_is_chance_where_all_move_at_once() -> None:
    hidden = DASH.replace('puddle = { layer = "wet" }', 'puddle = { layer = "wet", hidden = true }')
    game, (level,) = read_game((hidden % (PUDDLE, "a.f\nb.f", 4)).encode(), "dash.toml")
    with pytest.raises(UnsupportedFeature, match="does not see"):
        world_of(Instance(game, level))
    together = DASH.replace("[[turn]]", "simultaneous = true\n[[turn]]", 1)
    together = together.replace('"some runner on flag"', '"a: some a on flag", "b: some b on flag"')
    game, (level,) = read_game((together % ("", "a.f\nb.f", 4)).encode(), "dash.toml")
    with pytest.raises(UnsupportedFeature, match="chance"):
        world_of(Instance(game, level))
