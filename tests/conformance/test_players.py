"""Every player in the registry: it fills the protocol, does what is allowed, and says truly what it knows."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from ggp import registry
from ggp.errors import PuzzleError, UnknownName, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Instance
from ggp.players import protocol
from ggp.players.arena import played
from ggp.players.protocol import Player, Table, View, view_of
from ggp.players.run import Run
from ggp.players.world import Turn, World
from ggp.players.worlds import world_of
from ggp.referee.trajectory import replay
from tests.slow import slow_unless

NAMES = sorted(registry.PLAYERS)
LEVELS = ["sokoban/first", "lights-out/small", "lemmings/pair"]
PLANNERS = ["best-first", "mcts", "sp-mcts", "solver", "solver:cp-sat", "learned"]
FEW = 40  # playouts
HOMES = {  # small levels for players of one sort of game
    **dict.fromkeys(("alpha-beta", "exact"), "tic-tac-toe/fork"),
    **dict.fromkeys(("lookahead", "safest"), "minesweeper/tiny"),
    "expectimax": "doubling/sixteen",
}
# Those that hold on to the world that they were given, or ask about it before the first turn.
HOLDING = ("solver", "expectimax", "lookahead", "safest")


def module_of(name: str) -> ModuleType:
    module = registry.load("player", name)
    reason = module.available()
    if reason is not None:
        pytest.skip(f"{name}: {reason}")
    return module


def home(name: str) -> Instance:
    """A small level that a player plays."""
    return load(HOMES.get(name, "sokoban/first"))


def seated(name: str, instance: Instance, seed: int = 1, playouts: int = FEW) -> Any:
    """A player; skips where it refuses the level."""
    try:
        return module_of(name).player(Table(instance, playouts, seed))
    except PuzzleError as error:
        pytest.skip(f"{name}: {error}")


@pytest.mark.parametrize("name", NAMES)
def test_it_fills_the_protocol(name: str) -> None:
    module = registry.load("player", name)
    offered = [one for one in vars(protocol.PlayerModule) if not one.startswith("_")]
    assert all(hasattr(module, one) for one in (*offered, *protocol.PlayerModule.__annotations__))
    assert name == module.NAME and module.KNOWS in ("rules", "play") and module.__doc__
    assert isinstance(module_of(name).player(Table(home(name), FEW)), Player)


@pytest.mark.parametrize(
    ("level", "name"),
    slow_unless(lambda case: case != ("lights-out/small", "learned"), product(LEVELS, NAMES)),
)
def test_it_does_what_is_allowed_to_the_end(level: str, name: str) -> None:
    instance = load(level)
    player = seated(name, instance)
    for _ in range(2):
        run = Run(world_of(instance))
        played(run, player)
        player.ended(run.outcome)
        assert run.outcome in ("won", "lost")
        assert replay(instance, run.plan()).won == (run.outcome == "won")


@pytest.mark.parametrize("name", PLANNERS)
def test_planners_win_what_can_be_won(name: str) -> None:
    instance = load("sokoban/first")
    run = Run(world_of(instance))
    played(run, seated(name, instance, playouts=1000))
    assert run.outcome == "won"


# `lookahead` goes through all that may come, twice.
@pytest.mark.parametrize(
    "name", slow_unless(lambda name: name != "lookahead", [name for name in NAMES if name != "solver"])
)
def test_the_same_seed_does_the_same(name: str) -> None:
    instance = home(name)

    def once() -> list[int]:
        run, player = Run(world_of(instance)), seated(name, instance, 5)
        played(run, player)
        return run.actions

    assert once() == once()


class Sealed(World):
    """A world of which only that can be asked which a run asks: whoever plans with it gives itself away."""

    def __init__(self, inner: World) -> None:
        self.inner, self.instance, self.actions = inner, inner.instance, inner.actions
        self.open = False

    def turn(self, position: Any, action: int) -> Turn | None:
        assert self.open, "it asked the world what would come of an action"
        return self.inner.turn(position, action)

    def begin(self, seed: int | None = None) -> Any:
        return self.inner.begin(seed)

    def legal(self, position: Any) -> Any:
        return self.inner.legal(position)

    def state(self, position: Any) -> Any:
        return self.inner.state(position)


@pytest.mark.parametrize("name", NAMES)
def test_who_says_that_it_only_plays_asks_nothing_of_the_rules(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may play runs of practice; but while it chooses, what would come of an action is not asked."""
    module = module_of(name)
    instance = home(name)
    player = module.player(Table(instance, FEW, 1))
    sealed = Sealed(world_of(instance))
    monkeypatch.setattr(Table, "world", property(lambda table: sealed))
    run = Run(world_of(instance))
    chooses = lambda: player.choose(view_of(run))  # noqa: E731
    if module.KNOWS == "play" or name in HOLDING:
        if name not in HOLDING:
            assert chooses() in view_of(run).legal
        return
    with pytest.raises(AssertionError, match="what would come"):
        chooses()


def test_a_plan_is_made_anew_where_the_world_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else moves the player; the solver asks again from there."""
    instance = load("sokoban/two-crates")
    instance = Instance(instance.game, replace(instance.level, horizon=60))
    player = seated("solver", instance)
    run = Run(world_of(instance))
    run.act(player.choose(view_of(run)))
    meddled = [action for action in view_of(run).legal if action != player.plan[0][1]]
    assert meddled
    run.act(meddled[0])
    asked = []
    planned = player.planned
    monkeypatch.setattr(player, "planned", lambda view: asked.append(run.turns) or planned(view))
    played(run, player)
    assert asked == [2] and run.outcome == "won"


def test_a_player_that_is_told_a_solver() -> None:
    assert registry.load("player", "solver:search").NAME == "solver:search"
    with pytest.raises(UnknownName):
        registry.load("player", "solver:oracle")
    with pytest.raises(UnsupportedFeature):
        registry.load("player", "solver:fast-downward").player(Table(load("lemmings/seed")))


def test_what_is_learned_in_play_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its model explains what it saw; a turn that it did not foresee makes it learn anew."""
    player = seated("learned", load("sokoban/first"))
    assert player.believed is not None and player.surprises == 0
    instance = load("sokoban/first")
    start = world_of(instance).state(world_of(instance).begin())
    player.last = start, 0  # it is told that `up` changed nothing, which is not so
    known, again = len(player.seen), list[int]()
    monkeypatch.setattr(player, "learn", lambda: again.append(len(player.seen)))
    player.compare(start)
    assert player.surprises == 1 and again == [known + 1]


def test_views_are_values() -> None:
    run = Run(world_of(load("sokoban/first")))
    view = view_of(run)
    assert view == view_of(run) and isinstance(hash(view), int) and View(*view) == view
