"""The known answers of deduction puzzles, judged by plain Python that knows the rules in English alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from ggp import api
from ggp.errors import Place
from ggp.lab.drawing import LARGER, holes
from ggp.lab.edits import valid
from ggp.language import levels
from ggp.language.maps import read_board, symbols_of
from ggp.model import Cell, Game, Instance, Level, Piece, Plan
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import initial_state, is_goal
from ggp.referee.trajectory import replay
from tests.oracles import deductions
from tests.oracles.deductions import Filled
from tests.slow import one_in


def is_deduction(game: Game) -> bool:
    """Is all of it placing?"""
    return game.design is not None and game.input is None and not game.physics


GAMES = [name for name in levels.games() if is_deduction(levels.load_game(name)[0])]
LEVELS = [name for game in GAMES for name in levels.levels(game)]


def filled(one: Instance, plan: Plan) -> Filled:
    """The board with what the plan places."""
    things = {
        (row, column): {piece.kind: piece.variant for piece in here}
        for row, line in enumerate(one.level.board)
        for column, here in enumerate(line)
    }
    for cell, piece in plan.design:
        things[cell][piece.kind] = piece.variant
    level = one.level
    placed = frozenset(cell for cell, _ in plan.design)
    size = len(level.board), len(level.board[0])
    return Filled(*size, things, placed, dict(level.clues), dict(level.regions), dict(level.numbers))


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_levels_of_all_sorts(game: str) -> None:
    known = [level.known for level in levels.load_game(game)[1]]
    assert sum(one.solutions == 1 for one in known) >= 6
    assert any(one.solvable is False for one in known) and any((one.solutions or 0) > 1 for one in known)


@pytest.mark.parametrize("name", LEVELS)
def test_known_answers_keep_the_rules_and_wrong_ones_do_not(name: str) -> None:
    one = levels.load(name)
    right = getattr(deductions, one.game.name.replace("-", "_"), None)
    assert right is not None, "say its rules in plain Python, in tests/oracles/deductions.py"
    assert all(right(filled(one, plan)) for plan in one.level.known.wins)
    assert not any(right(filled(one, plan)) for plan in one.level.known.loses)


def near_the_answer(rng: Random, one: Instance, answer: Plan) -> Plan:
    """The answer as far as it can be placed, with none to three cells changed."""
    free, pieces = free_cells(one), placeable(one)
    placed = {cell: piece for cell, piece in answer.design if cell in free}
    for cell in rng.sample(free, min(rng.randint(0, 3), len(free))):
        if one.game.design is not None and not one.game.design.fill and cell in placed:
            del placed[cell]
        else:
            placed[cell] = rng.choice(pieces)
    return Plan(tuple(sorted(placed.items())))


@pytest.mark.parametrize("game", one_in(4, GAMES))
def test_what_the_laboratory_holds_answers_against(game: str) -> None:
    """On its random levels the referee wins just those designs that keep the rules in plain Python."""
    rng, right = Random(8), getattr(deductions, game.replace("-", "_"))
    described, own = levels.load_game(game)
    won = lost = 0
    for _ in range(24):
        level = rng.choice([one for one in own if one.known.wins and len(one.board) <= 9])
        drawn = holes(rng, described, level, LARGER)
        if drawn is None or len(drawn.level.board) != len(level.board):
            continue
        one = replace(drawn, level=replace(drawn.level, numbers=level.numbers))
        if len(one.level.board[0]) != len(level.board[0]) or not valid(one):
            continue
        if all(map(all, level.board)) and not all(map(all, one.level.board)):
            continue  # a puzzle that has something on every cell, and this one has not
        for _ in range(12):
            plan = near_the_answer(rng, one, rng.choice(level.known.wins))
            verdict = replay(one, plan).won
            assert verdict == right(filled(one, plan)), (one.level, plan)
            won, lost = won + verdict, lost + (not verdict)
    assert won >= 5 and lost >= 20


# --- boards that are not right, and boards that only a rule about the whole of it decides ------------------


def drawn_as(name: str, rows: list[str]) -> Instance:
    """A map for one of the games, without numbers or clues beside it."""
    game = levels.load_game(name)[0]
    board, findings = read_board(rows, symbols_of(game), lambda row, column: Place("drawn"))
    assert not findings
    return Instance(game, Level("drawn", board))


def agreed(one: Instance, placed: Mapping[Cell, Piece]) -> bool:
    """What the referee says of a filled board, which must be what plain Python says."""
    plan = Plan(tuple(sorted(placed.items(), key=str)))
    told = is_goal(one, initial_state(one, plan.design))
    right = getattr(deductions, one.game.name.replace("-", "_"))
    board = filled(one, plan)
    assert told == right(board), (one.name, [f"{cell}: {piece}" for cell, piece in plan.design])
    return told


@pytest.mark.parametrize("game", GAMES)
def test_boards_near_a_right_one(game: str) -> None:
    """One to three pieces are others, elsewhere, or left out: the referee and plain Python say the same."""
    rng, told = Random(f"near {game}"), Counter[bool]()
    known = [levels.load(name) for name in levels.levels(game)]
    small = sorted((one for one in known if one.level.known.wins), key=lambda one: len(free_cells(one)))[:4]
    for one in small:
        free, pieces = free_cells(one), placeable(one)
        for _ in range(40):
            placed = dict(rng.choice(one.level.known.wins).design)
            for _ in range(rng.randint(0, 3)):
                cell = rng.choice(free)
                if (
                    cell in placed
                    and (one.game.design is None or not one.game.design.fill)
                    and rng.random() < 0.5
                ):
                    del placed[cell]
                else:
                    placed[cell] = rng.choice(pieces)
            told[agreed(one, placed)] += 1
    assert told[True] and told[False] > 40


def outline(rng: Random, height: int, width: int, dense: float) -> set[Cell]:
    """The sides between rooms that are chosen and rooms that are not; rooms are odd cells."""
    chosen = {(2 * r + 1, 2 * c + 1) for r in range(height) for c in range(width) if rng.random() < dense}
    sides: set[Cell] = set()
    for row, column in chosen:
        sides ^= {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return sides


@pytest.mark.parametrize(("game", "spot", "gap"), [("slitherlink", "+", "."), ("masyu", ".", "+")])
def test_one_loop_two_loops_and_loops_that_touch(game: str, spot: str, gap: str) -> None:
    """At every corner an even number of lines: only that there is one loop is left to be seen."""
    rng, told = Random(f"loops {game}"), Counter[bool]()
    for _ in range(250):
        height, width = rng.randint(1, 3), rng.randint(1, 4)
        rows = [(f"{spot} " * (width + 1)).rstrip(), (f" {gap}" * width) + " "] * height
        one = drawn_as(game, [*rows, rows[0]])
        sides = outline(rng, height, width, rng.choice([0.3, 0.6]))
        if sides and rng.random() < 0.2:
            sides ^= {rng.choice(sorted(sides))}
        told[agreed(one, dict.fromkeys(sides, Piece("line")))] += 1
    assert min(told.values()) > 50


def bridged(rng: Random) -> tuple[list[str], dict[Cell, Piece]]:
    """Islands with what they ask for, and bridges that give it to them; whether all is joined is open."""
    height, width = rng.choice([3, 5]), rng.choice([3, 5, 7])
    islands = {(r, c) for r in range(0, height, 2) for c in range(0, width, 2) if rng.random() < 0.8}
    placed: dict[Cell, Piece] = {}
    ends: Counter[Cell] = Counter()
    for row, column in sorted(islands):
        for down, right, first in ((0, 1, 1), (1, 0, 3)):
            cells = [(row + down, column + right)]
            while cells[-1] not in islands and cells[-1][0] < height and cells[-1][1] < width:
                cells.append((cells[-1][0] + down, cells[-1][1] + right))
            other = cells.pop()
            if other in islands and not placed.keys() & set(cells) and rng.random() < 0.6:
                number = rng.choice([1, 2])
                placed |= dict.fromkeys(cells, Piece("bridge", first + number - 1))
                ends += Counter({(row, column): number, other: number})
    rows = [["." for _ in range(width)] for _ in range(height)]
    for row, column in islands & ends.keys():
        rows[row][column] = str(ends[row, column])
    return ["".join(line) for line in rows], placed


def test_islands_that_are_joined_and_islands_that_are_not() -> None:
    """Bridges that pass one another join nothing."""
    rng, told = Random("islands"), Counter[bool]()
    for _ in range(300):
        rows, placed = bridged(rng)
        if placed:
            told[agreed(drawn_as("hashiwokakero", rows), placed)] += 1
    assert min(told.values()) > 40
    passing = {(1, 0): Piece("bridge", 3), (2, 1): Piece("bridge", 3)}
    assert not agreed(drawn_as("hashiwokakero", ["1.", ".1", "1.", ".1"]), passing)
    passing = {(0, 1): Piece("bridge", 1), (1, 2): Piece("bridge", 1)}
    assert not agreed(drawn_as("hashiwokakero", ["1.1.", ".1.1"]), passing)


@pytest.mark.parametrize("turned", [False, True])
def test_islands_side_by_side_are_joined_by_bridges_alone(turned: bool) -> None:
    """Two pairs with a bridge each, and no bridge between the pairs; then a way round joins them."""
    apart = (["1.11.1"], {(0, 1): 1, (0, 4): 1}, False)
    round_about = (["2.11", "....", "2..2"], {(0, 1): 1, (1, 0): 3, (1, 3): 3, (2, 1): 1, (2, 2): 1}, True)
    for rows, bridges, won in (apart, round_about):
        placed = {cell: Piece("bridge", value) for cell, value in bridges.items()}
        if turned:
            rows = ["".join(line) for line in zip(*rows, strict=True)]
            placed = {(c, r): Piece("bridge", 4 - bridges[r, c]) for r, c in bridges}
        one = drawn_as("hashiwokakero", rows)
        assert agreed(one, placed) == won
        ended = replace(one, level=replace(one.level, horizon=0))
        assert bool(api.solve(ended, solver="cp-sat").plans) == won
