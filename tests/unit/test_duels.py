"""Games of two players, held against other small programs; players who play them, and where they meet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from operator import xor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ggp import registry
from ggp.cli import main
from ggp.errors import PuzzleError
from ggp.language.levels import load
from ggp.model import Plan
from ggp.players.arena import Arena
from ggp.players.contest import Contest
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.trials import Trials
from ggp.players.values import Values
from ggp.players.worlds import world_of
from ggp.referee.trajectory import replay
from tests.slow import few_or_many, more_of, slow_unless, slowly
from tests.unit.test_contest import paint

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
TWO = [f"{game}/{level}" for game, level in [("tic-tac-toe", "fork"), ("nim", "classic"), ("shove", "first")]]
WHO_PLAY = ["random", "null", "greedy", "bandit", "mcts", "alpha-beta", "exact"]
ALONE = ["sp-mcts", "best-first", "q-learning", "learned", "solver"]


def contest(name: str) -> Contest:
    world = world_of(load(name))
    assert isinstance(world, Contest)
    return world


# --- the games, by other programs ---------------------------------------------------------------------------


@cache
def tic_tac_toe(board: str = "." * 9) -> int:
    """What a position is worth to whoever moves."""
    mover, other = ("x", "o") if board.count("x") == board.count("o") else ("o", "x")
    if any(all(board[cell] == other for cell in line) for line in LINES):
        return -1
    free = [cell for cell in range(9) if board[cell] == "."]
    return max((-tic_tac_toe(board[:cell] + mover + board[cell + 1 :]) for cell in free), default=0)


def reachable(board: str, found: set[str]) -> set[str]:
    """All boards that come up in games from this one on."""
    if board not in found:
        found.add(board)
        over = any(all(board[cell] == mark for cell in line) for line in LINES for mark in "xo")
        mark = "x" if board.count("x") == board.count("o") else "o"
        for cell in range(9):
            if not over and board[cell] == ".":
                reachable(board[:cell] + mark + board[cell + 1 :], found)
    return found


def drawn(world: Contest, position: bytes) -> str:
    """A position of tic-tac-toe in nine characters."""
    kinds = [{piece.kind for piece in here} & {"x", "o"} for here in world.state(position).board]
    return "".join(next(iter(here), ".") for here in kinds)


def test_tic_tac_toe_position_by_position() -> None:
    world = contest("tic-tac-toe/empty")
    values = Values(world)
    boards = reachable("." * 9, set())
    ours = {drawn(world, position): values.value(position) for position in values.numbers}
    assert values.positions == len(boards) == 5478
    assert ours == {board: tic_tac_toe(board) for board in ours} and len(ours) > 4000
    assert values.value(world.begin()) == 0


@pytest.mark.parametrize("name", ["nim/three", "nim/classic", "nim/pairs"])
def test_nim_is_decided_by_the_sum_of_heaps_without_carries(name: str) -> None:
    world = contest(name)
    values = Values(world)
    columns = len(world.instance.level.board[0])
    for position in values.numbers:
        stones = [bool(here) for here in world.state(position).board]
        heaps = [sum(stones[row : row + columns]) for row in range(0, len(stones), columns)]
        assert values.value(position) == (1 if reduce(xor, heaps) else -1), heaps
    assert len(values.numbers) > 20


def fours(board: str, columns: int) -> Iterator[str]:
    """Every four cells in a line."""
    rows = len(board) // columns
    for row, column, (down, right) in product(range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        if 0 <= column + 3 * right < columns and row + 3 * down < rows:
            yield "".join(board[(row + i * down) * columns + column + i * right] for i in range(4))


def falls(board: str, columns: int) -> Iterator[str]:
    """The boards after a disc was dropped."""
    mark = "r" if board.count("r") == board.count("y") else "y"
    for column in range(columns):
        free = [cell for cell in range(column, len(board), columns) if board[cell] == "."]
        if free:
            yield board[: free[-1]] + mark + board[free[-1] + 1 :]


def test_connect_four_on_four_by_four_is_a_draw_of_161029_positions() -> None:
    """The number is Tromp's; a random sample of the positions is played on by another program."""
    world = contest("connect-four/small")
    values = Values(world)
    assert values.positions == 161_029 and values.value(world.begin()) == 0
    rng = Random(1)
    for position in rng.sample(sorted(values.numbers), 300):
        board = "".join(
            next((piece.kind[0] for piece in here if piece.kind != "line"), ".")
            for here in world.state(position).board
        )
        wanted = list(falls(board, 4))
        over = [any(four in ("rrrr", "yyyy") for four in fours(after, 4)) for after in wanted]
        found = world.turns(position)
        assert len(found) == len(wanted)
        assert sorted(turn.outcome == "won" for turn in found.values()) == sorted(over)


@pytest.mark.parametrize(
    "name", slow_unless(lambda name: name != "connect-four", ["tic-tac-toe", "connect-four", "nim", "shove"])
)
def test_what_is_known_of_a_level_is_its_value(name: str) -> None:
    from ggp.language import levels

    for level in levels.levels(name):
        known = load(level).level.known
        if level in ("connect-four/full", "connect-four/five"):  # too many positions for a test
            continue
        world = contest(level)
        assert known.value == Values(world).value(world.begin(), load(level).level.horizon), level
        assert all(max(replay(load(level), plan).utilities) > 0 for plan in known.wins)


@pytest.mark.parametrize(("stuck", "worth"), [("draws", 0), ("loses", -1)])
def test_a_position_in_which_nothing_can_be_done_is_worth_what_the_game_says(stuck: str, worth: int) -> None:
    world = world_of(paint(f'stuck = "{stuck}"', 'win = ["count c = 2"]'))
    assert isinstance(world, Contest)
    values = Values(world)
    dead = [position for position in values.numbers if not world.turns(position)]
    assert dead and {values.value(position) for position in dead} == {worth}


# --- worlds and random runs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stuck", ["draws", "loses", "passes"])
def test_a_world_ends_as_the_referee_says(stuck: str) -> None:
    one = paint(f'stuck = "{stuck}"', 'win = ["count c = 2"]\nlose = ["count a on gold >= 1"]')
    rng, gets = Random(2), set()
    for _ in range(30):
        run = Run(world_of(one))
        while run.outcome == "open":
            assert run.act(rng.choice(view_of(run).legal))
        verdict = replay(one, run.plan())
        assert verdict.utilities == run.gets and verdict.turn == run.turns
        gets.add(run.gets)
    assert len(gets) > 1


@pytest.mark.parametrize("stuck", ["draws", slowly("loses"), "passes"])
@few_or_many("count", 8, 500)
def test_random_runs_come_to_what_runs_turn_by_turn_come_to(stuck: str, count: int) -> None:
    """Their mean, for each of three players; few runs try several actions at once, many do not."""
    one = paint(f'stuck = "{stuck}"\nagain = "bonus"', 'win = ["count c = 3"]\nlose = ["count a = 4"]')
    world = world_of(one)
    trials = Trials(world, 1)
    mean = np.concatenate([trials.run(world.begin(), count, None) for _ in range(2000 // count)]).mean(axis=0)
    rng, played = Random(1), []
    for _ in range(400 if count < 500 else 1000):
        run = Run(world)
        while run.outcome == "open":
            run.act(rng.choice(view_of(run).legal))
        played.append(run.gets)
    assert abs(mean - (np.mean(played, axis=0) + 1) / 2).max() < 0.06
    assert trials.turns > 5000


def test_a_random_run_does_each_legal_action_as_often_as_any_other() -> None:
    world = world_of(load("tic-tac-toe/fork"))
    from ggp.transition.native.playouts import emptied, random_runs, room_for

    legal, counts = world.legal(world.begin()), np.zeros(len(world.actions), int)
    for seed in range(1, 301):
        room = room_for(20, len(world.actions))
        emptied(room, seed * 7919)
        states = np.repeat(world.states(world.begin()), 20, axis=2)
        random_runs(world.stepper.machine, states, room, 1, True, False)
        told, after = world.expanded(world.begin())
        for lane in range(20):
            same = (after == states[:, :, lane : lane + 1]).all(axis=(0, 1))
            counts[np.flatnonzero(same & (told & 1 > 0))] += 1
    assert counts.sum() == 6000 and not counts[~legal].any()
    assert counts[legal].min() > 850 and counts[legal].max() < 1150


# --- players ------------------------------------------------------------------------------------------------


def meet(level: str, players: list[str], games: int, playouts: int) -> list[list[str]]:
    return [row.outcomes for row in Arena(games, 3, playouts, 60).play([load(level)], players)]


@pytest.mark.parametrize("name", WHO_PLAY)
@pytest.mark.parametrize("level", TWO)
def test_it_plays_games_of_two_players(name: str, level: str) -> None:
    one = load(level)
    seated = [registry.load("player", who).player(Table(one, 100, 1)) for who in (name, "random")]
    run = Run(world_of(one))
    while run.outcome == "open":
        action = seated[run.world.mover(run.position)].choose(view_of(run))
        assert run.act(action)
    assert replay(one, run.plan()).utilities == run.gets


@pytest.mark.parametrize("name", ["alpha-beta", "exact", "mcts"])
@pytest.mark.parametrize("level", TWO)
def test_who_looks_ahead_wins_what_can_be_won(name: str, level: str) -> None:
    """The first player can, in each of these; the other one plays as well as can be."""
    one = load(level)
    first = registry.load("player", name).player(Table(one, 6000, 2))
    second = registry.load("player", "exact").player(Table(one, 3000, 2))
    run = Run(world_of(one))
    while run.outcome == "open":
        run.act((first, second)[run.world.mover(run.position)].choose(view_of(run)))
    assert run.gets == (1.0, -1.0)


def test_the_exact_player_wins_as_soon_as_can_be_and_loses_as_late() -> None:
    one = load("nim/pairs")
    run = Run(world_of(one))
    seated = registry.load("player", "exact").player(Table(one, 1, 1))
    while run.outcome == "open":
        run.act(seated.choose(view_of(run)))
    assert run.gets == (-1.0, 1.0) and run.turns == 12, "the loser takes one stone at a time"


@pytest.mark.parametrize("name", ALONE)
def test_who_plays_alone_says_so(name: str) -> None:
    with pytest.raises(PuzzleError, match="several players"):
        registry.load("player", name).player(Table(load("tic-tac-toe/empty")))


@pytest.mark.parametrize("name", ["exact", "alpha-beta"])
def test_who_plays_against_one_opponent_only_says_so(name: str) -> None:
    with pytest.raises(PuzzleError, match="two players, and sokoban has 1"):
        registry.load("player", name).player(Table(load("sokoban/first")))
    with pytest.raises(PuzzleError, match="two players, and paint has 3"):
        registry.load("player", name).player(Table(paint()))


def test_mcts_plays_with_three_players() -> None:
    """Each looks after its own utility: whoever can win at once does."""
    run = Run(world_of(paint(goal='win = ["count paint = 3"]', rows="....")))
    seated = registry.load("player", "mcts").player(Table(run.world.instance, 2000, 1))
    while run.outcome == "open":
        run.act(seated.choose(view_of(run)))
    assert run.gets == (-1.0, -1.0, 1.0)


# --- the arena ----------------------------------------------------------------------------------------------


def test_seats_are_drawn_and_every_pair_meets() -> None:
    rows = list(Arena(6, 1, 20, 30).play([load("tic-tac-toe/fork")], ["random", "exact", "null"]))
    assert [len(row.outcomes) for row in rows] == [12, 12, 12]
    assert sum(sum(row.utilities) for row in rows) == 0
    assert rows[1].outcomes.count("won") >= 6, "it wins whenever it has the first turn"
    with pytest.raises(PuzzleError, match="needs 2 players"):
        list(Arena(1).play([load("tic-tac-toe/fork")], ["random"]))


@more_of(
    test_it_plays_games_of_two_players,
    test_mcts_plays_with_three_players,
    test_the_exact_player_wins_as_soon_as_can_be_and_loses_as_late,
)
def test_mcts_beats_chance_and_does_not_lose_to_who_knows_all() -> None:
    chance, tree = meet("tic-tac-toe/empty", ["random", "mcts"], 4, 600)
    assert tree.count("won") >= 3 and "won" not in chance
    known, tree = meet("tic-tac-toe/empty", ["exact", "mcts"], 2, 1500)
    assert known == tree == ["drawn"] * 2


def test_whoever_plays_foul_loses_that_game_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "players"
    folder.mkdir()
    (folder / "foul.py").write_text(
        '"""Foul."""\nNAME, KNOWS = "foul", "play"\ndef available():\n    return None\n'
        "class Foul:\n    def choose(self, view):\n        raise ValueError('no idea')\n"
        "    def ended(self, outcome):\n        pass\ndef player(table):\n    return Foul()\n"
    )
    monkeypatch.setenv("GGP_PATH", str(tmp_path))
    for table in ("PLAYERS", "TABLES", "ORIGINS"):
        monkeypatch.delitem(vars(registry), table, raising=False)
    try:
        rows = list(Arena(2, 1, 20, 30).play([load("tic-tac-toe/empty")], ["foul", "null", "random"]))
    finally:
        for table in ("GAMES", "EXPORTERS", "SOLVERS", "LEARNERS", "PLAYERS", "GOALS", "TABLES", "ORIGINS"):
            vars(registry).pop(table, None)
    foul, null, chance = rows
    assert foul.outcomes == ["lost"] * 4 and foul.faults == 4 and "no idea" in foul.fault
    assert null.outcomes.count("won") >= 2 <= chance.outcomes.count("won")
    assert not null.faults and not chance.faults


def test_the_arena_command(capsys: pytest.CaptureFixture[str]) -> None:
    main(["arena", "nim/three", "--players", "random,exact", "--games", "4", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [row["games"] for row in rows] == [4, 4]
    assert rows[1]["won"] + rows[0]["won"] == 4 and rows[0]["drawn"] == 0
    assert rows[0]["utility"] == -rows[1]["utility"]


def test_a_plan_that_says_who_wins() -> None:
    verdict = replay(load("nim/three"), Plan(actions=("pick(2,0)", "pick(1,0)", "pick(0,0)")))
    assert verdict.reason == "first wins at turn 3" and verdict.utilities == (1.0, -1.0)
