"""Every solver of the registry on every kind of question: known facts, and levels solved by plain Python.

Nothing here trusts a solver, nor two solvers that agree: the facts of the built-in levels are proved by the
plain Python in `tests/oracles`, and random levels are solved by it from scratch.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import pytest

from ggp import api, levels, registry
from ggp.debug import violations
from ggp.description import read_game
from ggp.errors import NotAvailable, Place, SolverError, UnsupportedFeature
from ggp.features import missing
from ggp.levels import builtin
from ggp.maps import read_board, symbols_of
from ggp.model import Cell, Game, Instance, Known, Level, Piece, Plan
from ggp.result import Result
from ggp.semantics import ending
from ggp.trajectory import replay
from tests.exhaustive import unrolled
from tests.oracles import lemmings, sokoban, sudoku
from tests.oracles.random_maps import scattered, sokoban_map


@dataclass(frozen=True)
class Facts:
    """What is expected of a solver.

    `proves`: it finds what there is, and proves it; the null solver knows only what the level's file knows.
    `every_level`: it is quick enough to be asked about every level; else about the first one of each game.
    `unrolls`: it writes down all turns at once, so of those levels it is asked about the short ones.
    `heavy`: a program that takes a second or more to start, so of those it is asked about each third one;
    that it solves the first level of every game, test_registry.py sees to.
    """

    proves: bool = True
    every_level: bool = False
    unrolls: bool = False
    heavy: bool = False


FACTS = {
    "cp-sat": Facts(every_level=True, unrolls=True),
    "search": Facts(every_level=True),
    "cbc": Facts(),
    "sat": Facts(),
    "ace": Facts(heavy=True),
    "choco": Facts(heavy=True),
    "cpmpy": Facts(heavy=True),
    "xcsp": Facts(heavy=True),
    "pyperplan": Facts(heavy=True),
    "fast-downward": Facts(heavy=True),
    "null": Facts(proves=False, every_level=True),
}
AVAILABLE = [name for name in registry.SOLVERS if registry.load("solver", name).available() is None]
PROVING = [name for name in AVAILABLE if FACTS.get(name, Facts()).proves]
QUICK = [name for name in PROVING if FACTS.get(name, Facts()).every_level]
LEVELS = [name for game in levels.games() for name in levels.levels(game)]
FIRST = [levels.levels(game)[0] for game in levels.games()]
EVERY = bool(os.environ.get("GGP_EVERY_LEVEL"))  # slow solvers too are asked about all short levels: an hour
MOST_UNROLLED = 8_000  # a second or two of one core
SHORT = [name for name in LEVELS if name in FIRST or unrolled(levels.load(name)) <= MOST_UNROLLED]


# Too many states for a proof within a test. What is known of them plain Python says, in test_movers.py.
LONG = {
    *(f"peg-solitaire/{name}" for name in ("square", "tray", "english", "french", "large")),
    *(f"lights-out/{name}" for name in ("diagonal", "five")),
    *(f"rush-hour/{name}" for name in ("evening", "centre")),
}
# What one solver cannot prove in a second or two, and another one can: filling in the cell with the fewest
# choices looks at too many boards where few digits are given, or where it does not reason about a rule.
HARD_FOR = {
    "search": {
        *(f"sudoku/{name}" for name in ("hard-16x16", "hard-25x25")),
        *(f"anti-knight-sudoku/{name}" for name in ("medium", "9x9", "9x9-b", "9x9-c", "ambiguous")),
    }
}


def asked(solver: str) -> list[str]:
    """The levels that a solver is asked about."""
    facts = FACTS.get(solver, Facts())
    every = facts.every_level or (EVERY and facts.proves)
    names = FIRST if not every else SHORT if facts.unrolls or not facts.every_level else LEVELS
    if facts.heavy and not EVERY:
        names = names[list(FACTS).index(solver) % 3 :: 3]
    too_long = (LONG if facts.proves else set()) | HARD_FOR.get(solver, set())
    return [name for name in names if name not in too_long]


def takes(solver: str, name: str) -> bool:
    """Does a solver support all that a level needs? That it refuses the others, test_registry.py sees to."""
    return not missing(levels.load(name), registry.load("solver", solver).FEATURES)


ASKED = [(name, solver) for solver in AVAILABLE for name in asked(solver) if takes(solver, name)]
NOTHING = ("unsolvable", "horizon-exhausted")


def test_every_solver_has_facts() -> None:
    without = sorted(set(registry.SOLVERS) - set(FACTS))
    assert not without, (
        f"{', '.join(without)} is registered as a solver, and nothing says what to expect of it: "
        "add it to FACTS in tests/conformance/test_solvers.py"
    )


@pytest.mark.parametrize("solver", sorted(set(registry.SOLVERS) - set(AVAILABLE)))
def test_what_cannot_run_here_says_why(solver: str) -> None:
    with pytest.raises(NotAvailable, match=solver) as error:
        api.solve(FIRST[0], solver)
    assert error.value.findings[0].remedy


# --- what is known of the built-in levels -----------------------------------------------------------------


def rows_of(one: Instance) -> list[str]:
    """The map of a level in the symbols of its game."""
    symbols = {pieces: symbol for symbol, pieces in reversed(symbols_of(one.game).items())}
    return ["".join(symbols[here] for here in row) for row in one.level.board]


@functools.cache
def bricks_that_win(name: str) -> list[frozenset[Cell]]:
    """Every set of bricks that wins a level of Lemmings, by plain Python."""
    one = levels.load(name)
    rows = [row.replace("L", "<").replace("R", ">") for row in rows_of(one)]
    budget = dict(one.level.numbers)["budget"]
    return lemmings.winning(lemmings.read(rows), budget, one.level.horizon or 0, ending(one))


@pytest.mark.parametrize("name", levels.levels("lemmings"))
def test_facts_of_lemmings_by_plain_python(name: str) -> None:
    known, found = levels.load(name).level.known, bricks_that_win(name)
    assert known.solvable == bool(found)
    assert {frozenset(cell for cell, _ in plan.design) for plan in known.wins} <= set(found)
    if found:
        assert dict(known.optimum)["bricks"] == min(map(len, found))
        assert known.solutions == len(found), "no level has spare bricks, so every one of them matters"


@pytest.mark.parametrize("name", levels.levels("sokoban"))
def test_facts_of_sokoban_by_plain_python(name: str) -> None:
    one = levels.load(name)
    level, known, horizon = sokoban.read(rows_of(one)), one.level.known, one.level.horizon or 0
    assert known.solvable == (sokoban.fewest(level, "turns", horizon) is not None)
    for objective, best in known.optimum:
        answer = sokoban.fewest(level, objective, horizon)
        assert answer is not None and answer[0] == best
    # The horizon cuts off no better plan.
    assert sokoban.fewest(level, "pushes", 3 * horizon) == sokoban.fewest(level, "pushes", horizon)


# Plain Python tries digits one after another, which takes too long for more than nine of them.
SUDOKUS = [name for name in levels.levels("sudoku") if len(levels.load(name).level.board) <= 9]


@pytest.mark.parametrize("name", SUDOKUS)
def test_facts_of_sudoku_by_plain_python(name: str) -> None:
    one = levels.load(name)
    found = list(sudoku.solutions(sudoku.read(rows_of(one))))
    known = one.level.known
    assert known.solvable == bool(found) and known.solutions == len(found) == len(known.wins)
    for solution in found:
        assert any(
            all(solution[row][column] == piece.variant for (row, column), piece in win.design)
            for win in known.wins
        )


@pytest.mark.parametrize("name", LEVELS)
def test_known_plans_replay(name: str) -> None:
    one = levels.load(name)
    known = one.level.known
    assert known.solvable is not None and known.loses, f"{name} lacks known facts: see [level.known]"
    assert bool(known.wins) == known.solvable
    verdicts = [replay(one, plan) for plan in known.wins]
    assert all(verdict.won for verdict in verdicts)
    for objective, best in known.optimum:
        assert min(verdict.values[objective] for verdict in verdicts) == best
    assert not any(replay(one, plan).won for plan in known.loses)


@pytest.mark.parametrize("name", SHORT)
def test_known_plans_in_the_encoding(name: str) -> None:
    """What wins breaks nothing; what loses breaks something that the description speaks of."""
    one = levels.load(name)
    for plan in one.level.known.wins:
        assert violations(one, plan) == []
    for plan in one.level.known.loses:
        found = violations(one, plan)
        assert found and all(map(str, found))


# --- every solver on the built-in levels ------------------------------------------------------------------


def checked(one: Instance, result: Result) -> Result:
    """The result, all of whose plans must win when replayed here."""
    assert all(replay(one, plan).won for plan in result.plans)
    return result


@pytest.mark.parametrize(("name", "solver"), [pair for pair in ASKED if pair[1] in PROVING])
def test_known_facts_hold(name: str, solver: str) -> None:
    one = levels.load(name)
    known = one.level.known
    objectives = one.game.objectives if solver in QUICK else one.game.objectives[:1]
    for objective in objectives:
        result = checked(one, api.solve(one, solver, objective=objective.name))
        if known.solvable:
            best = dict(known.optimum)[objective.name]
            assert (result.stop, result.objective, result.bound) == ("optimal", best, best)
            assert result.complete
        else:
            assert result.stop in NOTHING and not result.plans and result.complete
    if name in FIRST:
        result = checked(one, api.solve(one, solver, "first"))
        assert len(result.plans) == bool(known.solvable)
    if one.game.input is None:
        result = checked(one, api.solve(one, solver, "all"))
        assert result.stop == ("satisfied" if known.solvable else "unsolvable")
        assert result.complete and result.count == len(result.plans) == (known.solutions or 0)
        wins = {frozenset(plan.design) for plan in known.wins}
        assert wins == {frozenset(plan.design) for plan in result.plans}


@pytest.mark.parametrize("name", LEVELS)
def test_the_null_solver_answers_what_is_known(name: str) -> None:
    one = levels.load(name)
    result = checked(one, api.solve(one, "null", "all"))
    assert set(result.plans) == set(one.level.known.wins) and not result.complete
    assert result.stop == ("satisfied" if one.level.known.wins else "error")
    assert len(api.solve(one, "null").plans) == bool(one.level.known.wins)


SIX = {frozenset({a, b, (6, 6)}) for a in ((2, 1), (4, 1), (5, 1)) for b in ((5, 4), (6, 4))}


@pytest.mark.parametrize("solver", QUICK)
def test_the_six_plans_of_the_seed(solver: str) -> None:
    result = api.solve("lemmings/seed", solver, "all")
    found = [frozenset(cell for cell, _ in plan.design) for plan in result.plans]
    assert len(found) == 6 and set(found) == SIX
    assert (result.stop, result.complete, result.count) == ("satisfied", True, 6)
    assert set(bricks_that_win("lemmings/seed")) == SIX


# --- random levels against plain Python -------------------------------------------------------------------


def level_of(game: str | Game, rows: Iterable[str], horizon: int, when: str = "", **numbers: int) -> Instance:
    """A level from rows of the game's symbols."""
    described = builtin(game)[0] if isinstance(game, str) else game
    board, findings = read_board(list(rows), symbols_of(described), lambda row, column: Place("random map"))
    assert not findings, findings
    level = Level("random", board, horizon, tuple(numbers.items()), when=when or None)  # type: ignore[arg-type]
    return Instance(described, level)


def random_lemmings(rng: Random) -> tuple[list[str], int, str]:
    """A map for Lemmings with few free cells, a horizon and an ending."""
    border = rng.random() < 0.5
    height, width = rng.randint(5, 7) - 2 * (not border), rng.randint(5, 7) - 2 * (not border)
    marks = "".join(rng.choice("<>") for _ in range(rng.choice([1, 1, 2, 3]))) + "T" * rng.choice([1, 1, 2])
    rows = scattered(rng, height, width, "X", marks, border=border, density=rng.choice([0.2, 0.4]))
    return rows, rng.randint(2, 9), rng.choice(["horizon", "any-turn"])


@pytest.mark.parametrize("seed", range(40))
def test_random_lemmings(seed: int) -> None:
    rng = Random(seed)
    rows, horizon, when = random_lemmings(rng)
    level = lemmings.read(rows)
    budget = rng.randint(0, 3 if len(level.free) > 12 else 5)  # now and then more than anyone needs
    one = level_of("lemmings", rows, horizon, when, budget=budget)
    won = lemmings.winning(level, budget, horizon, when)
    listed = {bricks for bricks in won if lemmings.every_brick_matters(level, bricks, horizon, when)}
    for solver in QUICK:
        result = checked(one, api.solve(one, solver, "all"))
        found = [frozenset(cell for cell, _ in plan.design) for plan in result.plans]
        assert len(found) == len(set(found)) and set(found) == listed, solver
        assert result.complete and result.count == len(won), solver
        counted = api.solve(one, solver, "count")
        assert counted.complete and counted.count == len(won), solver
        best = checked(one, api.solve(one, solver))
        if won:
            fewest = min(map(len, won))
            assert (best.stop, best.objective, best.bound) == ("optimal", fewest, fewest), solver
        else:
            assert best.stop in NOTHING and best.complete, solver


@pytest.mark.parametrize("seed", range(16))
def test_random_sokoban(seed: int) -> None:
    rng = Random(seed)
    rows = sokoban_map(rng, most=5, crates=2)
    level, horizon = sokoban.read(rows), rng.randint(3, 9)
    one = level_of("sokoban", rows, horizon)
    few = level_of("sokoban", rows, min(horizon, 6))
    plans = set(sokoban.plans(level, min(horizon, 6)))
    for solver in QUICK:
        for objective in ("turns", "pushes"):
            best = sokoban.fewest(level, objective, horizon)
            result = api.solve(one, solver, objective=objective)
            checked(one, result)
            if best is None:
                assert result.stop in NOTHING and not result.plans, (solver, objective)
            else:
                assert (result.stop, result.objective, result.bound) == ("optimal", best[0], best[0]), solver
        result = checked(few, api.solve(few, solver, "all"))
        assert {plan.actions for plan in result.plans} == plans, solver
        assert result.complete and result.count == len(result.plans) == len(plans), solver
        assert api.solve(few, solver, "count").count == len(plans), solver


@pytest.mark.parametrize("solver", PROVING)
def test_without_a_horizon(solver: str) -> None:
    """The fewest turns of all, although nothing says how many to look at."""
    one = level_of("sokoban", ["@ $ .", "     "], 0)
    one = Instance(one.game, Level("endless", one.level.board, None))
    if missing(one, registry.load("solver", solver).FEATURES):
        with pytest.raises(UnsupportedFeature):
            api.solve(one, solver)
        return
    result = checked(one, api.solve(one, solver, objective="turns"))
    assert (result.stop, result.objective) == ("optimal", 3)


LATIN = """
name = "latin"
[kinds]
digit = { layer = "digit", values = [1, "width"] }
[symbols]
"." = ""
"1234" = "digit:1.."
[design]
place = "digit"
free-of = ["digit"]
fill = true
[goal]
win = ["different digit in rows, columns"]
"""


@pytest.mark.parametrize("boxes", [True, False], ids=["sudoku", "latin"])
@pytest.mark.parametrize("seed", range(8))
def test_random_squares(seed: int, boxes: bool) -> None:
    """With one solution, with several, and, where a given digit is changed, often with none."""
    rng = Random(seed)
    grids = list(sudoku.solutions([[0] * 4 for _ in range(4)], boxes))
    keep, grid = rng.choice([0.35, 0.5]), rng.choice(grids)
    given = [[digit if rng.random() < keep else 0 for digit in row] for row in grid]
    if seed % 2:
        given[rng.randrange(4)][rng.randrange(4)] = rng.randint(1, 4)
    game = builtin("sudoku")[0] if boxes else read_game(LATIN.encode(), "latin")[0]
    one = level_of(game, ["".join(str(digit or ".") for digit in row) for row in given], 0)
    expected = {
        frozenset(
            ((row, column), Piece("digit", solution[row][column]))
            for row in range(4)
            for column in range(4)
            if not given[row][column]
        )
        for solution in sudoku.solutions(given, boxes)
    }
    for solver in QUICK:
        result = checked(one, api.solve(one, solver, "all"))
        assert {frozenset(plan.design) for plan in result.plans} == expected, solver
        assert result.complete and result.count == len(result.plans) == len(expected), solver
        assert result.stop in (("satisfied",) if expected else NOTHING), solver
        assert len(api.solve(one, solver).plans) == bool(expected), solver


# --- limits -----------------------------------------------------------------------------------------------


def hard_sokoban() -> Instance:
    """Six crates in a hall."""
    hall = ["#" * 14, *["#" + " " * 12 + "#"] * 12, "#" * 14]
    rows = [list(row) for row in hall]
    for column in range(2, 8):
        rows[4][column], rows[9][column + 4] = "$", "."
    rows[11][2] = "@"
    return level_of("sokoban", ["".join(row) for row in rows], 90)


def hard_lemmings() -> Instance:
    """Many bricks in a high shaft: more designs than anyone can look at."""
    shaft = [list("X" + " " * 14 + "X") for _ in range(18)]
    shaft[0] = shaft[-1] = list("X" * 16)
    shaft[1][7], shaft[16][2] = ">", "T"
    for row in range(3, 16, 2):
        for column in range(1 + row % 4, 15, 4):
            shaft[row][column] = "X"
    return level_of("lemmings", ["".join(row) for row in shaft], 60, budget=12)


@pytest.mark.parametrize("solver", PROVING)
@pytest.mark.parametrize("question", ["sokoban", "lemmings"])
def test_a_time_limit_holds(solver: str, question: str) -> None:
    """One second, and two more at most to notice. The only assertion here that looks at a clock."""
    one = hard_sokoban() if question == "sokoban" else hard_lemmings()
    if missing(one, registry.load("solver", solver).FEATURES):
        with pytest.raises(UnsupportedFeature):
            api.solve(one, solver)
        return
    started = time.monotonic()
    result = api.solve(one, solver, "best" if question == "sokoban" else "count", time_limit=1)
    assert result.stop == "time-limit" and not result.complete
    assert time.monotonic() - started < 3


# --- what is not supported is refused, with its place -----------------------------------------------------

REFUSED = {
    "two players, chance, hidden": """
players = ["one", "other"]
[kinds]
mine = { layer = "mine", hidden = true }
me = { layer = "me" }
[symbols]
"." = ""
"@" = "me"
[input]
moves = ["left", "right"]
[[turn]]
rules = "go: me here => me here -> ahead"
[[chance]]
kind = "mine"
count = 1
free-of = ["me"]
[goal]
lose = ["some me on mine"]
win = ["count me = 0"]
[[level]]
horizon = 2
map = '''
.@.
'''
""",
    "a design and then inputs": """
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
[symbols]
"." = ""
"@" = "me"
[design]
place = "wall"
free-of = ["wall", "me"]
limit = 1
[input]
moves = ["left", "right"]
[[turn]]
rules = "go: me here, no wall ahead => me here -> ahead"
[goal]
win = ["count me = 1"]
[[level]]
horizon = 1
map = '''
.@.
'''
""",
    "placing what moves": """
[kinds]
ball = { layer = "solid" }
[symbols]
"." = ""
"o" = "ball"
[design]
place = "ball"
free-of = ["ball"]
limit = 1
[[physics]]
rules = "fall: ball here, no ball down => ball here -> down"
[goal]
win = ["count ball = 1"]
[[level]]
horizon = 1
map = '''
.
.
'''
""",
}


def refused(name: str) -> Instance:
    """One of the games above."""
    game, (level,) = read_game(f'name = "made"\n{REFUSED[name]}'.encode(), "made.toml")
    return Instance(game, level)


PAIRS = [
    (name, solver)
    for name in REFUSED
    for solver in AVAILABLE
    if missing(refused(name), registry.load("solver", solver).FEATURES)
]


@pytest.mark.parametrize(("name", "solver"), PAIRS)
def test_what_is_not_supported_is_refused_with_its_place(name: str, solver: str) -> None:
    one = refused(name)
    lacking = missing(one, registry.load("solver", solver).FEATURES)
    with pytest.raises(UnsupportedFeature) as error:
        api.solve(one, solver)
    findings = error.value.findings
    assert len(findings) == len(lacking)
    for finding in findings:
        assert finding.message.startswith(f"{solver} does not support")
        assert finding.place is not None and finding.place.file == "made.toml" and finding.place.line


def test_every_solver_refuses_players_chance_and_hidden_kinds() -> None:
    words = {need.feature for need in missing(refused("two players, chance, hidden"), ())}
    assert {"players", "chance", "hidden"} <= words
    for solver in AVAILABLE:
        assert not {"players", "chance", "hidden"} & registry.load("solver", solver).FEATURES, solver


def test_a_plan_that_does_not_win_is_never_handed_on() -> None:
    """The null solver is made to answer a losing plan."""
    one = levels.load("sokoban/first")
    lying = Level("lying", one.level.board, 9, known=Known(wins=(Plan((), ("left",)),)))
    with pytest.raises(SolverError, match="does not win"):
        api.solve(Instance(one.game, lying), "null")
