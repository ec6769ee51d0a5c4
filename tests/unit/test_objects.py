"""A variable for each piece that can change: every run of small levels, held against the referee's."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import ggp
from ggp import api
from ggp.analysis.firings import Firings
from ggp.encoding.choices import choice
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.route import lowered
from ggp.encoding.objects import Writer, encode
from ggp.encoding.tables import Tables
from ggp.errors import PlanError
from ggp.language.description import read_game
from ggp.model import Instance, Piece, Plan
from ggp.model.result import Clock, Query
from ggp.referee.semantics import initial_state, step
from ggp.solvers import ace, cpsat
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Pass
from tests.exhaustive import actions_of, attempt, difference, solutions, wins
from tests.slow import one_in
from tests.solver_levels import checked, level_of

Board = tuple[frozenset[Piece], ...]
VARIANTS = Path(ggp.__file__).parent / "bench" / "worlds" / "variants"
# Pieces that become others or are taken off, that are asked for in twos and fours, rules tried one after
# another, and agents that become others.
GAMES = {
    **{name: f"{name}/first" for name in ("sokoban", "psychopath-2", "peg-solitaire")},
    "rush-hour": "rush-hour/lane",
    **{
        name: str(VARIANTS / f"{name}.toml")
        for name in ("fragile", "keys", "mines", "sticky", "pull", "rocks", "paint", "mud")
    },
}
RUNS = 60  # of a level, at most
CARELESS = """
name = "careless"

[kinds]
wall = { layer = "solid", tile = "wall" }
crate = { layer = "solid", tile = "crate" }
player = { layer = "solid", tile = "person" }

[symbols]
"." = ""
"#" = "wall"
"$" = "crate"
"@" = "player"

[input]
moves = ["up", "right", "down", "left"]

[[turn]]
rules = '''
push: player here, crate ahead        => crate ahead -> ahead.ahead, player here -> ahead
step: player here, no wall ahead      => player here -> ahead
'''

[goal]
win = ["some crate on wall"]

[[level]]
map = '''
##..@
$$...
'''
"""


def of_name(name: str) -> Instance:
    """A level of the game; "careless" is one whose crates are pushed where there is no room."""
    if name in GAMES:
        return api.load(GAMES[name])
    game, levels = read_game(CARELESS.encode(), "careless.toml")
    return Instance(game, levels[0])


def tables_of(one: Instance) -> Tables:
    """The tables of a level."""
    return Tables(Firings(one, compile_instance(one), lambda: None), lambda: None)


def drawn(name: str, seed: int) -> Instance:
    """A small board of what stands on a game's own, without an end to reach; one agent on it."""
    rng, one = Random(seed), of_name(name)
    step_of = compile_instance(one).turn[0]
    assert isinstance(step_of, Pass)
    acting = {compile_instance(one).planes[plane] for plane, _ in step_of.subjects if plane is not None}
    cells = [here for row in one.level.board for here in row]
    agents = [here for here in cells if here & acting]
    others = [here for here in cells if not here & acting]
    height, width = rng.choice([(3, 3), (2, 5), (3, 4)])
    board = [[rng.choice(others) for _ in range(width)] for _ in range(height)]
    if (
        one.game.input is not None and one.game.input.pick is not None
    ):  # a part of its own: cars have two ends
        top, left = (
            rng.randrange(max(1, has - wants + 1))
            for has, wants in zip(
                (len(one.level.board), len(one.level.board[0])), (height, width), strict=True
            )
        )
        board = [list(row[left : left + width]) for row in one.level.board[top : top + height]]
        for _ in range(2):
            board[rng.randrange(len(board))][rng.randrange(len(board[0]))] = rng.choice(cells)
    else:
        board[rng.randrange(height)][rng.randrange(width)] = rng.choice(agents)
    level = replace(one.level, board=tuple(map(tuple, board)), horizon=rng.choice([1, 2, 3]))
    goal = replace(one.game.goal, terms=(), lose=())
    return Instance(replace(one.game, goal=goal), level)


def runs(one: Instance) -> dict[tuple[str, ...], Board]:
    """Every run of so many turns that the referee allows, with the board at its end."""
    found: dict[tuple[str, ...], Board] = {}
    todo = [((), initial_state(one))]
    while todo:
        words, state = todo.pop()
        if len(words) == one.level.horizon:
            found[words] = state.board
        else:
            for action in actions_of(one):
                after = attempt(lambda: step(one, state, action))  # noqa: B023
                if not isinstance(after, str):
                    todo.append(((*words, str(action)), after))
    return found


def encoded(one: Instance) -> dict[tuple[str, ...], set[Board]]:
    """Every run that the encoding allows, with the boards at its end that it tells."""
    tables = tables_of(one)
    encoding = Encoding(one, one.level.horizon or 0)
    writer = Writer(tables, encoding, lambda: None)
    writer.run(encoding.horizon, None)
    ends = [v for v, about in enumerate(encoding.variables) if "_at" in about.name]
    ends = [v for v in ends if encoding.variables[v].index[0] == encoding.horizon]
    found: dict[tuple[str, ...], set[Board]] = {}

    def read(values: Values) -> Plan:
        words = tuple(writer.words(values))
        cells: list[set[Piece]] = [set() for _ in range(tables.cells)]
        planes = tables.firings.transition.planes
        for plane, standing in tables.firings.standing.items():
            for cell in standing:
                cells[cell].add(planes[plane])
        parts = [part for part in writer.parts if part.starts]
        for variable, cast in zip(ends[-len(parts) :], parts, strict=True):
            if values[variable] >= 0:
                rank, cell = divmod(values[variable], tables.cells)
                cells[cell].add(planes[cast.planes[rank]])
        found.setdefault(words, set()).add(tuple(map(frozenset, cells)))
        return Plan()

    encoding.decoder = read
    solutions(lowered(encoding, cpsat.BACKEND).encoding)
    return found


@pytest.mark.parametrize("name", one_in(2, [*GAMES, "careless"]))
def test_its_runs_are_those_of_the_referee(name: str) -> None:
    """All of them with their boards, on boards at random; what a plan gives a turn is one of its values."""
    tried = 0
    for seed in range(400):
        one = drawn(name, seed)
        expected = runs(one)
        if not 1 < len(expected) <= RUNS:
            continue
        tried += 1
        assert encoded(one) == {words: {board} for words, board in expected.items()}, seed
        encoding = encode(tables_of(one), one.level.horizon or 0, 0, None, lambda: None)
        for variable, decided in encoding.decisions.items():
            assert all(decided(Plan((), w)) in encoding.variables[variable].domain for w in expected)
        if tried == 3:
            return
    pytest.fail(f"only {tried} boards of {name} have several runs")


@pytest.mark.parametrize("objective", ["turns", "pushes"])
def test_the_best_is_what_search_finds(objective: str) -> None:
    one = level_of("sokoban", ["######", "#@$ .#", "#  $.#", "######"], 8)
    best = api.solve(one, "search", objective=objective)
    found = checked(one, api.solve(one, "cp-sat", objective=objective, encoding="objects"))
    assert found.encoded == "objects" and found.stop == "optimal"
    assert found.objective == best.objective


def test_its_plans_are_those_that_win() -> None:
    """No run goes on after it has won; each plan is told once."""
    one = level_of("sokoban", ["######", "#@$ .#", "#    #", "######"], 7)
    encoding = encode(tables_of(one), 7, 0, None, lambda: None)
    assert not difference(solutions(lowered(encoding, cpsat.BACKEND).encoding), wins(one))


def test_a_file_has_each_table_once() -> None:
    """Of the player, and of both crates, in all turns."""
    one = level_of("sokoban", ["######", "#@$ .#", "#  $.#", "######"], 8)
    encoding = encode(tables_of(one), 8, 0, None, lambda: None)
    text = ace.write(lowered(encoding, ace.BACKEND).encoding).text
    assert text.count("<supports> (0,") == 2
    assert len(re.findall(r"<args> firing\[\d+\] player_at", text)) == 8 + 2 * 8


def test_where_nothing_wins_it_says_so() -> None:
    one = level_of("sokoban", ["######", "#@$ .#", "#  $.#", "######"], 3)
    found = api.solve(one, "cp-sat", objective="turns", encoding="objects")
    assert found.stop == "horizon-exhausted" and found.complete and not found.plans


def test_an_input_that_no_rule_takes_is_named() -> None:
    one = api.load("sokoban/first")
    encoding = encode(tables_of(one), 3, 0, None, lambda: None)
    second = list(encoding.decisions.values())[1]
    assert second(Plan((), ("up",))) == 0
    with pytest.raises(PlanError, match="turn 2: no rule fires for 'up'"):
        second(Plan((), ("up", "up")))


@pytest.mark.parametrize(
    ("level", "why"),
    [
        ("lights-out/first", "what is not pointed at"),
        ("rush-hour/first", "gains nothing"),
        ("polar-slide/first", "more than one pass"),
        ("lemmings/seed", "after the last turn only"),
        ("riders/small", "several players"),
        (str(VARIANTS / "breaks.toml"), "make pieces"),
        (str(VARIANTS / "wrap.toml"), "wraps round"),
        (str(VARIANTS / "twins.toml"), "2 pieces that its rules are about"),
    ],
)
def test_why_it_does_not_apply(level: str, why: str) -> None:
    one = api.load(level)
    assert why in str(choice("objects").offer(one, Query("first", clock=Clock(None)), ace.BACKEND))


def test_solvers_without_tables_are_not_given_it_unasked() -> None:
    one = api.load("sokoban/first")
    query = Query("first", clock=Clock(None))
    assert choice("objects").offer(one, query, cpsat.BACKEND) == "its solver has no tables"
    assert not isinstance(choice("objects").offer(one, query, ace.BACKEND), str)
