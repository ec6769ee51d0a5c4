"""The games that move against plain Python: their rules on random maps, and what is known of their levels.

The plain Python stands in `tests/oracles/movers.py`; it was written from the rules in English and knows
nothing of this project. Compared are all positions of random runs, and which inputs are legal.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import xor
from random import Random

import pytest

from ggp.errors import IllegalAction, Place
from ggp.lab.drawing import draw
from ggp.lab.oracle import TooLarge, truth_of
from ggp.language import levels
from ggp.language.levels import builtin
from ggp.language.maps import read_board, symbols_of
from ggp.language.validate.winning import unwinnable
from ggp.model import Instance, Level
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_goal, step
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from tests.oracles import movers
from tests.oracles.random_maps import Rows, mover_map
from tests.slow import one_in

GAMES = sorted(movers.PUZZLES)
LEVELS = [name for game in GAMES for name in levels.levels(game)]
MAPS, RUNS, TURNS = 40, 4, 8  # of each game


def instance_of(game: str, rows: Rows) -> Instance:
    """A level of a built-in game, from rows of its symbols."""
    described = builtin(game)[0]
    board, findings = read_board(rows, symbols_of(described), lambda row, column: Place("random map"))
    assert not findings, findings
    return Instance(described, Level("random", board, TURNS))


def rows_of(one: Instance) -> Rows:
    """The map of a level in the symbols of its game."""
    symbols = {pieces: symbol for symbol, pieces in reversed(symbols_of(one.game).items())}
    return ["".join(symbols[here] for here in row) for row in one.level.board]


def shown(one: Instance, state: State) -> list[tuple[movers.Cell, str]]:
    """A state of the referee as the plain Python shows it."""
    width = len(one.level.board[0])
    return sorted(
        (divmod(index, width), str(piece)) for index, here in enumerate(state.board) for piece in here
    )


# --- rules ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", one_in(4, GAMES))
def test_random_runs_agree(game: str) -> None:
    """The referee and the compiled program make the moves of the plain Python, and no others."""
    rng = Random(7)
    turns = wins = 0
    for _ in range(MAPS):
        rows = mover_map(game, rng)
        one, puzzle = instance_of(game, rows), movers.PUZZLES[game](rows)
        bits, actions = Bits(compile_instance(one)), list(all_actions(one))
        for _ in range(RUNS):
            position, state = puzzle.start, initial_state(one)
            for _ in range(TURNS):
                assert shown(one, state) == sorted(puzzle.shown(position)), rows
                assert is_goal(one, state) == puzzle.won(position), rows
                moves = dict(puzzle.moves(position))
                assert set(moves) <= {str(action) for action in actions}
                for action in rng.sample(actions, min(len(actions), 2)):
                    assert legal(one, state, action) == (str(action) in moves), (rows, position, str(action))
                if not moves:
                    break
                action = rng.choice([action for action in actions if str(action) in moves])
                boards = bits.act(bits.pack(state), action, one.game.input)
                position, state = moves[str(action)], step(one, state, action)
                assert bits.unpack(boards) == state, rows
                turns += 1
                wins += puzzle.won(position)
    assert turns > 200 and wins > 0, "the random runs no longer cover what they should"


def legal(one: Instance, state: State, action: Action) -> bool:
    """Does the referee take the input?"""
    try:
        step(one, state, action)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("game", one_in(4, GAMES, 1))
def test_what_the_laboratory_holds_answers_against(game: str) -> None:
    """The plans that it finds with the referee are as many as plain Python finds, and the best as short."""
    rng, compared, won = Random(9), 0, 0
    for _ in range(40):
        drawn = draw(rng, game)
        if drawn is None or drawn.level.when == "horizon" or compared == 12:
            continue
        try:
            truth = truth_of(drawn)
            puzzle = movers.PUZZLES[game](rows_of(drawn))
        except (TooLarge, KeyError, IndexError, ValueError):  # not what a map of this game usually looks like
            continue
        lengths = plan_lengths(puzzle, truth.horizon)
        assert truth.count == len(lengths), drawn.level
        assert truth.best.get("turns") == min(lengths, default=None), drawn.level
        compared, won = compared + 1, won + bool(lengths)
    assert compared >= 6 and won >= 2


def plan_lengths(puzzle: movers.Puzzle, horizon: int) -> list[int]:
    """The length of every plan within so many turns."""
    found, layer = list[int](), [puzzle.start]
    for turn in range(horizon + 1):
        found += [turn for position in layer if puzzle.won(position)]
        layer = [
            after for position in layer if not puzzle.won(position) for _, after in puzzle.moves(position)
        ]
    return found


# --- what is known of the levels ----------------------------------------------------------------------------


def fewest_presses(rows: Rows) -> int | None:
    """The fewest lamps to press: each at most once, in any order, so a linear system over two values."""
    puzzle = movers.Lights(rows)
    lamps = sorted(puzzle.lamps)
    number = {cell: 1 << index for index, cell in enumerate(lamps)}
    reduced: list[tuple[int, int]] = []  # what presses switch, and these presses; each with a leading lamp
    idle: list[int] = []  # presses that together switch nothing
    for cell, after in zip(lamps, (after for _, after in puzzle.moves(frozenset())), strict=True):
        lit, presses = eliminated(sum(number[lamp] for lamp in after), number[cell], reduced)
        if lit:
            reduced.append((lit, presses))
        else:
            idle.append(presses)
    left, found = eliminated(sum(number[cell] for cell in puzzle.start), 0, reduced)
    if left:
        return None
    changes = (reduce(xor, some, 0) for size in range(len(idle) + 1) for some in combinations(idle, size))
    return min((found ^ change).bit_count() for change in changes)


def eliminated(lit: int, presses: int, reduced: list[tuple[int, int]]) -> tuple[int, int]:
    """What is left lit when presses that lead with a lamp are used against it, and all presses so far."""
    for row, pressed in reduced:
        if lit ^ row < lit:
            lit, presses = lit ^ row, presses ^ pressed
    return lit, presses


@pytest.mark.parametrize("name", one_in(2, LEVELS))
def test_known_facts_by_plain_python(name: str) -> None:
    """The optimum in turns; where there is none, every position within any number of turns was looked at."""
    one = levels.load(name)
    rows, known, game = rows_of(one), one.level.known, one.game.name
    puzzle = movers.PUZZLES[game](rows)
    if isinstance(puzzle, movers.Lights):
        best = fewest_presses(rows)
    elif isinstance(puzzle, movers.Pegs) and known.solvable:
        best = len(puzzle.start) - 1  # every jump takes one peg, and the known plan wins
    else:
        plan = movers.fewest_moves(puzzle)
        best = None if plan is None else len(plan)
    assert (best is not None) == known.solvable
    assert best == dict(known.optimum).get("turns")
    assert best is None or best <= (one.level.horizon or 0)


@pytest.mark.parametrize("game", GAMES)
def test_there_are_levels_from_trivial_to_hard(game: str) -> None:
    known = [levels.load(name).level.known for name in levels.levels(game)]
    best = [dict(facts.optimum)["turns"] for facts in known if facts.solvable]
    assert len(known) >= 8 and len(best) >= 8
    assert min(best) <= 4 and max(best) >= 15
    assert any(facts.solvable is False for facts in known)


def test_presses_are_counted_right() -> None:
    """By looking at every position, where there are few."""
    rng = Random(3)
    for _ in range(30):
        rows = ["".join(rng.choice("oo.. ") for _ in range(3)) for _ in range(3)]
        plan = movers.fewest_moves(movers.Lights(rows))
        assert fewest_presses(rows) == (None if plan is None else len(plan)), rows


def test_what_is_said_never_to_be_won_is_never_won() -> None:
    """On random maps: where there is a warning, plain Python finds no plan."""
    rng = Random(11)
    said = won = 0
    for _ in range(150):
        game = rng.choice(["psychopath", "psychopath-2", "polar-slide", "rush-hour"])
        rows = mover_map(game, rng)
        puzzle, warned = movers.PUZZLES[game](rows), list(unwinnable(instance_of(game, rows)))
        plan = movers.fewest_moves(puzzle, 8)
        assert not (warned and plan is not None), (rows, warned)
        said += bool(warned)
        won += plan is not None
    assert said > 3 and won > 30, "the random maps no longer cover what they should"
