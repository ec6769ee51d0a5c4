"""Search by what is near and new where rules are passes: our own games, imported ones that can be passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ggp.analysis.fewest import fewest_turns
from ggp.language.description import read_game
from ggp.language.levels import load
from ggp.model import Instance, Piece
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay
from ggp.search import choice
from ggp.search.broad import Unsure, ended
from ggp.search.guided import engines
from ggp.search.guided.aims import Group
from ggp.search.guided.anytime import Anytime
from ggp.search.guided.engines import InMachineCode
from ggp.search.guided.passes import InPasses, steered
from ggp.search.guided.quickest import engine_of
from ggp.search.guided.search import Guided
from ggp.search.guided.takers import stubborn
from ggp.search.guided.wishes import distance, shifted
from ggp.search.moving import MovingSearch
from ggp.tasks.questions import with_horizon
from ggp.transition.native import compiling
from ggp.transition.stepper import Stepper
from tests.puzzlescript_games import PUSH, instance
from tests.slow import one_in

pytestmark = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
# Picks and moves, inputs that wait, goals of every word with a guess, games that may be lost.
LEVELS = (
    *("atomix/long-way", "boulder-dash/ceiling", "bouncers/nudge", "fire-and-ice/steps", "lights-out/small"),
    *("lasertank/guard", "peg-solitaire/plus", "rush-hour/first", "samegame/first", "polar-slide/first"),
)
WITHOUT = ("atomix/hopeless", "boulder-dash/walled-in", "lights-out/never", "peg-solitaire/corner")


def nothing() -> None:
    """Nobody waits."""


@pytest.mark.parametrize("name", one_in(2, LEVELS))
def test_the_end_is_a_best_plan(name: str) -> None:
    """As many turns as the search of single turns says; some plan wins, and one turn less is too few."""
    one = load(name)
    known = MovingSearch(one, None).best(nothing)
    turns = len(known.plan.actions) if known.plan else 0
    found, some = ended(Anytime(one, nothing).best()), Anytime(one, nothing).some()
    assert found.plan is not None and some.plan is not None and found.cost == len(found.plan.actions) == turns
    assert replay(one, found.plan).won and replay(one, some.plan).won
    short = with_horizon(one, turns - 1)
    for none in (ended(Anytime(short, nothing).best()), Anytime(short, nothing).some()):
        assert none.plan is None and none.cut


@pytest.mark.parametrize("name", WITHOUT)
def test_that_there_is_none_is_found(name: str) -> None:
    """By going through all states, whoever does it."""
    one = replace(load(name), level=replace(load(name).level, horizon=None))
    assert ended(Anytime(one, nothing).best())[::2] == Anytime(one, nothing).some()[::2] == (None, False)


@pytest.mark.parametrize("name", LEVELS)
def test_the_guess_is_nothing_where_it_is_won(name: str) -> None:
    """And something at the start."""
    one = load(name)
    stepper = Stepper(one)
    guess = distance(one, stepper.pieces, steered(one), nothing)
    assert guess is not None
    run = replay(one, one.level.known.wins[0])
    states = [stepper.pack(state) for state in (initial_state(one), run.states[-1])]
    first, last = guess(stepper.planes(np.concatenate(states, axis=2))).tolist()
    assert last == 0 < first


def test_what_few_rules_take_is_got_rid_of_first() -> None:
    """Without that the boards that people know best take a hundred times as many states."""
    one = load("peg-solitaire/english")
    pieces = (Piece("hole"), Piece("peg"))
    known = stubborn(one, pieces, Group((1,)), 1, nothing)
    assert known is not None
    hard = known.hard[0]
    assert hard[3, 3] == 1 and hard[0, 2] == hard[6, 4] > hard[1, 3] > 1, "more ways lead out of the middle"
    assert stubborn(one, pieces, Group((0,)), 1, nothing) is None, "no rule takes a hole"
    found = Anytime(one, nothing).some()
    assert found.plan is not None and replay(one, found.plan).won and found.states < 20_000


def test_who_looks_through_states_in_machine_code() -> None:
    """After a short look; where the rules are about one agent it is the search from push to push."""
    ways = {}
    for name in ("peg-solitaire/plus", "rush-hour/lane", "sokoban/crossing"):
        one = load(name)
        found, ways[name] = ended(choice.best(choice.Asked(one, None, nothing, nothing, "auto", False, 5)))
        assert found.plan is not None and replay(one, found.plan).won
    assert list(ways.values()) == ["in layers of turns"] * 2 + ["from push to push"]
    found, way = ended(
        choice.best(choice.Asked(load("peg-solitaire/plus"), None, nothing, nothing, "auto", True, 5))
    )
    assert way == "by what is near and new" and found.plan is not None


def test_a_run_that_is_over_before_its_first_turn() -> None:
    """Even where there are so many inputs that no state is looked at first."""
    one = load("peg-solitaire/plus")
    end, columns = replay(one, one.level.known.wins[0]).states[-1].board, len(one.level.board[0])
    board = tuple(end[at : at + columns] for at in range(0, len(end), columns))
    won = replace(one, level=replace(one.level, board=board))
    lost = replace(won, game=replace(one.game, goal=replace(one.game.goal, lose=one.game.goal.terms)))
    for first in (True, False):
        asked = choice.Asked(won, None, nothing, nothing, "auto", first, 0)
        found, _ = ended(choice.best(asked))
        assert found.plan is not None and not found.plan.actions
        assert ended(choice.best(asked._replace(instance=lost)))[0].plan is None


@pytest.mark.parametrize("horizon", [None, 2])
def test_passes_that_cannot_tell_hand_over(horizon: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guided search that comes to a turn which passes cut off begins again in scan order."""
    one = instance(PUSH, "########/#p.*..o#/#......#/########", wins="All Target on Crate")
    one = one if horizon is None else with_horizon(one, horizon)
    assert isinstance(engine_of(one, nothing), InPasses)
    assert isinstance(engine_of(one, nothing, sure=True), InMachineCode)
    known = ended(Anytime(one, nothing).best())
    asked = []

    def unsure(self: InPasses, numbers: list[int]) -> engines.Children:
        asked.append(numbers)
        raise Unsure

    monkeypatch.setattr(InPasses, "expand", unsure)
    assert ended(Anytime(one, nothing).best())[:3] == known[:3]
    some = Anytime(one, nothing).some()
    assert (some.plan is None, some.cut) == (known.plan is None, known.cut) and len(asked) == 2


def test_values_seen_from_other_cells() -> None:
    """Outside the board they are infinite."""
    values = np.arange(6.0).reshape(1, 2, 3)
    assert shifted(values, 0, 1)[0].tolist() == [[1, 2, np.inf], [4, 5, np.inf]]
    assert shifted(values, -1, 0)[0].tolist() == [[np.inf] * 3, [0, 1, 2]]
    assert np.isinf(shifted(values, 2, 0)).all()


PITS = b"""
name = "pits"
title = "Pits"
about = "Walk to the exit, never into a pit."
[kinds]
wall = { layer = "solid", tile = "wall" }
pit = { layer = "floor", tile = "hole" }
exit = { layer = "floor", tile = "exit" }
player = { layer = "solid", tile = "person", count = "1" }
[symbols]
"-" = ""
"#" = "wall"
"o" = "pit"
"E" = "exit"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "step: player here, no wall ahead => player here -> ahead"
[goal]
when = "any-turn"
win = ["some player on exit"]
lose = ["some player on pit"]
[[level]]
name = "round"
map = '''
@oE
---
'''
"""


def test_nothing_follows_on_a_loss() -> None:
    """The way leads round the pit."""
    game, (level,) = read_game(PITS, "pits.toml")
    one = Instance(game, level)
    assert ended(Anytime(one, nothing).best()).cost == 4
    some = Anytime(one, nothing).some()
    assert some.plan is not None and replay(one, some.plan).won


def test_turns_that_a_plan_takes_at_least() -> None:
    """No more than the best plan takes; as many where each pick takes one piece."""
    for name in LEVELS:
        one = load(name)
        best = dict(one.level.known.optimum)["turns"]
        assert fewest_turns(one) == (best if name.startswith("peg") else 0)


PEGS = (
    '[[turn]]\nrules = "take: {}"\n[goal]\nwhen = "any-turn"\nwin = ["count peg {}"]\n'
    "[[level]]\nname = \"row\"\nmap = '''\nooooooo..\n'''\n"
)
HEAD = """
name = "pegs"
title = "Pegs"
about = "Take pegs away."
[kinds]
peg = { layer = "peg", tile = "peg" }
seed = { layer = "low", tile = "socket" }
picked = { layer = "hand", marker = true }
[classes]
both = ["peg", "seed"]
[symbols]
"." = ""
"o" = "peg"
[input]
pick = "picked"
"""


@pytest.mark.parametrize(
    ("rules", "wanted", "least"),
    [
        ("peg here, picked here => remove peg here", "= 1", 6),
        ("peg here, picked here, peg right => remove peg here, remove peg right", "= 1", 3),
        ("peg here, picked here, peg right => remove peg here, remove peg right", "<= 2", 3),
        ("picked here, peg here, peg right => remove peg here, remove peg right", "= 1", 3),  # the mark's
        ("picked here, both here, peg right => remove peg right", "= 1", 6),
        ("peg here, picked here, no peg right => add peg right", ">= 9", 2),
        ("peg here, picked here, no peg right => add peg right", "<= 9", 0),
        ("peg here, picked right => remove peg here", "= 1", 0),  # another cell's piece may be the anchor
        ("both here, picked here, peg right => remove peg right", "= 1", 0),  # two of them in one cell
        ("peg here, picked here => remove both here", "= 1", 0),
        ("peg here, picked here => remove peg here, add picked right", "= 1", 0),
    ],
)
def test_what_bounds_the_turns(rules: str, wanted: str, least: int) -> None:
    """Rules that fire once for the cell that is picked, and no others."""
    game, (level,) = read_game((HEAD + PEGS.format(rules, wanted)).encode(), "pegs.toml")
    assert fewest_turns(Instance(game, level)) == least


def test_a_plan_that_cannot_be_shorter_ends_the_search() -> None:
    """However many states there are left."""
    one = load("peg-solitaire/large")
    found = ended(Anytime(one, nothing).best())
    assert found.plan is not None and (found.cost, replay(one, found.plan).won) == (34, True)


def test_a_level_in_which_nothing_can_change_is_gone_through() -> None:
    """There is one state, of no boards."""
    one = instance("[ Ball ] -> [ Ball ]", "#*o#", wins="Some Ball")
    engine = InPasses(one, nothing)
    assert Guided(one, engine, nothing, 1 << 30).best().plan is None
