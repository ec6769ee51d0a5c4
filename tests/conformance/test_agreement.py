"""The referee, the compiled Transition and plain Python agree, on thousands of random runs of each game.

The plain Python stands in `tests/oracles`; it was written from the rules in English and knows nothing of
this project. What is compared: every state of every run, which inputs and designs are legal, who wins and
when, and how many states can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from ggp.errors import IllegalAction, Place, PlanError
from ggp.language.levels import builtin
from ggp.language.maps import read_board, symbols_of
from ggp.model import Cell, Instance, Level, Piece, Plan
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_goal, step
from ggp.referee.trajectory import replay
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance
from tests.oracles import lemmings, sokoban, sudoku
from tests.oracles.random_maps import lemmings_map, sokoban_map
from tests.slow import few_or_many

FEW, MANY = 400, 10_000  # runs of each game


def instance(game: str, rows: list[str], horizon: int, when: str | None = None, **numbers: int) -> Instance:
    """A level of a built-in game, from rows of its symbols."""
    described = builtin(game)[0]
    board, findings = read_board(rows, symbols_of(described), lambda row, column: Place("random map"))
    assert not findings, findings
    return Instance(described, Level("random", board, horizon, tuple(numbers.items()), when=when))  # type: ignore[arg-type]


class Compiled:
    """The compiled Transition of an instance, stepped in bits."""

    def __init__(self, one: Instance) -> None:
        transition = compile_instance(one)
        self.one = one
        self.bits = Bits(transition)
        self.view = Named(one, transition)

    def goal(self, boards: tuple[int, ...]) -> bool:
        """Does the goal hold, by the terms' own test over boards?"""
        self.view.boards = boards
        return all(term.test(self.bits, self.view) for term in self.one.game.goal.terms)


# --- Lemmings ---------------------------------------------------------------------------------------------


def lemmings_in(one: Instance, state: State) -> frozenset[lemmings.Lemming]:
    """The lemmings of a state as the plain Python writes them."""
    width = len(one.level.board[0])
    return frozenset(
        (*divmod(index, width), -1 if piece.variant == "left" else 1)
        for index, here in enumerate(state.board)
        for piece in here
        if piece.kind == "lemming"
    )


def random_design(rng: Random, level: lemmings.Level, budget: int) -> list[Cell]:
    """A few cells, mostly free ones; now and then one that is not, or one too many."""
    anywhere = [(row, column) for row in range(level.height) for column in range(level.width)]
    number = rng.randint(0, budget + (rng.random() < 0.1))
    cells = anywhere if rng.random() < 0.1 else level.free
    return rng.sample(cells, min(number, len(cells)))


@few_or_many("runs", FEW, MANY)
def test_lemmings_runs_agree(runs: int) -> None:
    rng = Random(1)
    wins = illegal = merged = 0
    for _ in range(runs // 40):
        rows = lemmings_map(rng)
        horizon, budget, when = rng.randint(0, 10), rng.randint(0, 4), rng.choice(["horizon", "any-turn"])
        level, one = lemmings.read(rows), instance("lemmings", rows, horizon, when, budget=budget)
        compiled = Compiled(one)
        for _ in range(40):
            bricks = random_design(rng, level, budget)
            plan = Plan(tuple((cell, Piece("brick")) for cell in bricks))
            legal = len(bricks) <= budget and set(bricks) <= set(level.free)
            if not legal:
                illegal += 1
                with pytest.raises(PlanError):
                    replay(one, plan)
                continue
            verdict = replay(one, plan)
            won, turns = lemmings.run(level, frozenset(bricks), horizon, when)
            told = [rows, bricks, horizon, when]
            assert [lemmings_in(one, state) for state in verdict.states] == turns, told
            assert (verdict.won, verdict.turn) == (won, len(turns) - 1), told
            boards = compiled.bits.pack(verdict.states[0])
            for state in verdict.states[1:]:
                boards = compiled.bits.step(boards)
                assert boards == compiled.bits.pack(state), told
            assert compiled.bits.unpack(boards) == verdict.states[-1], told
            assert compiled.goal(boards) == is_goal(one, verdict.states[-1]), told
            wins += won
            merged += len(turns[-1]) < len(turns[0])
    assert min(wins, illegal, merged) > runs / 100, "the random runs no longer cover what they should"


def test_lemmings_take_no_input() -> None:
    one = instance("lemmings", ["X>TX", "XXXX"], 3, budget=0)
    with pytest.raises(IllegalAction):
        step(one, initial_state(one), Action("right"))


# --- Sokoban ----------------------------------------------------------------------------------------------


def state_of(one: Instance, state: State) -> sokoban.State:
    """A state as the plain Python writes it."""
    width = len(one.level.board[0])
    where: dict[str, list[Cell]] = {"player": [], "crate": []}
    for index, here in enumerate(state.board):
        for piece in here:
            if piece.kind in where:
                where[piece.kind].append(divmod(index, width))
    (player,) = where["player"]
    return sokoban.State(player, frozenset(where["crate"]))


@few_or_many("runs", FEW, MANY)
def test_sokoban_runs_agree(runs: int) -> None:
    rng = Random(2)
    illegal = pushes = 0
    for _ in range(runs // 40):
        rows = sokoban_map(rng)
        level, one = sokoban.read(rows), instance("sokoban", rows, 20)
        compiled = Compiled(one)
        for _ in range(40):
            state, boards = initial_state(one), compiled.bits.pack(initial_state(one))
            plain = level.start
            for _ in range(rng.randint(1, 12)):
                word = rng.choice(tuple(sokoban.STEPS))
                after = sokoban.step(level, plain, word)
                told = [rows, plain, word]
                if after is None:
                    illegal += 1
                    with pytest.raises(IllegalAction):
                        step(one, state, Action(word))
                    with pytest.raises(IllegalAction):
                        compiled.bits.act(boards, Action(word))
                    continue
                pushes += after.crates != plain.crates
                plain, state = after, step(one, state, Action(word))
                boards = compiled.bits.act(boards, Action(word))
                assert state_of(one, state) == plain, told
                assert boards == compiled.bits.pack(state), told
            assert compiled.bits.unpack(boards) == state, rows
            assert is_goal(one, state) == sokoban.won(level, plain) == compiled.goal(boards), rows
    assert min(illegal, pushes) > runs / 5, "the random runs no longer cover what they should"


@pytest.mark.parametrize("action", ["jump", "wait", "pick", "pick(0,0)", "pick(9,9,up)"])
def test_inputs_that_sokoban_does_not_have(action: str) -> None:
    one = instance("sokoban", ["@ ", "$."], 3)
    assert replay(one, Plan((), (action,))).reason.startswith("turn 1: there is no input")


# Exact numbers of states, by the turn at which they are first reached. No outcome ends a run here.
TINY = {
    "open": ["@  ", " $ ", "  ."],
    "room": ["#####", "#@  #", "# $ #", "#  .#", "#####"],
    "two": ["#####", "#@$.#", "# $.#", "#   #", "#####"],
    "edge": ["+$ ", "$  "],
}
REACHABLE = {
    "open": [1, 2, 4, 8, 11, 10, 15, 10, 8, 2, 1, 0, 0],
    "room": [1, 2, 4, 8, 11, 10, 15, 10, 8, 2, 1, 0, 0],  # a border of walls is as good as the edge
    "two": [1, 2, 4, 7, 9, 8, 12, 12, 10, 9, 11, 8, 11],
    "edge": [1, 1, 2, 1, 0],
}


def reached_by_referee(one: Instance, depth: int) -> Iterator[int]:
    """How many states are first reached at each turn, by the referee."""
    seen = {initial_state(one)}
    border = list(seen)
    yield 1
    for _ in range(depth):
        new = set()
        for state in border:
            for action in all_actions(one):
                try:
                    new.add(step(one, state, action))
                except IllegalAction:
                    continue
        border = list(new - seen)
        seen |= new
        yield len(border)


def reached_by_bits(one: Instance, depth: int) -> Iterator[int]:
    """The same by the compiled Transition."""
    bits = Bits(compile_instance(one))
    seen = {bits.pack(initial_state(one))}
    border = list(seen)
    yield 1
    for _ in range(depth):
        new = {bits.step(boards, frozenset({word})) for boards in border for word in sokoban.STEPS}
        border = list(new - seen)
        seen |= new
        yield len(border)


@pytest.mark.parametrize("name", TINY)
def test_exact_numbers_of_reachable_states(name: str) -> None:
    one, depth = instance("sokoban", TINY[name], 0), len(REACHABLE[name]) - 1
    assert sokoban.reachable(sokoban.read(TINY[name]), depth) == REACHABLE[name]
    assert list(reached_by_referee(one, depth)) == REACHABLE[name]
    assert list(reached_by_bits(one, depth)) == REACHABLE[name]


# --- Sudoku -----------------------------------------------------------------------------------------------


def random_grid(rng: Random, side: int) -> sudoku.Grid:
    """A filled grid that is right: a regular one with digits, rows and columns shuffled within bands."""
    box = 3 if side == 9 else 2
    digits = rng.sample(range(1, side + 1), side)

    def lines() -> list[int]:
        bands = rng.sample(range(box), box)
        return [band * box + line for band in bands for line in rng.sample(range(box), box)]

    rows, columns = lines(), lines()
    return [[digits[(box * (r % box) + r // box + c) % side] for c in columns] for r in rows]


@few_or_many("runs", FEW, MANY)
def test_sudoku_designs_agree(runs: int) -> None:
    rng = Random(3)
    wins = unfinished = 0
    for number in range(runs // 40):
        side = 9 if number % 10 == 0 else 4
        solution = random_grid(rng, side)
        assert sudoku.consistent(solution)
        given = [[digit if rng.random() < 0.4 else 0 for digit in row] for row in solution]
        rows = ["".join(str(digit or ".") for digit in row) for row in given]
        one = instance("sudoku", rows, 0)
        compiled = Compiled(one)
        for _ in range(40):
            grid = [list(row) for row in solution]
            for _ in range(rng.choice([0, 0, 1, 2, 3])):  # change some of the free cells, or leave them out
                row, column = rng.randrange(side), rng.randrange(side)
                if not given[row][column]:
                    grid[row][column] = rng.choice([0, *range(1, side + 1), *range(1, side + 1)])
            plan = Plan(
                tuple(
                    ((r, c), Piece("digit", grid[r][c]))
                    for r in range(side)
                    for c in range(side)
                    if grid[r][c] and not given[r][c]
                )
            )
            partial = initial_state(one, plan.design, partial=True)
            right = sudoku.consistent(grid)
            assert is_goal(one, partial) == right == compiled.goal(compiled.bits.pack(partial)), grid
            if any(0 in row for row in grid):
                unfinished += 1
                with pytest.raises(PlanError):
                    replay(one, plan)
            else:
                assert replay(one, plan).won == right, grid
                wins += right
    assert wins > runs / 5 and unfinished > runs / 20, "the random designs no longer cover what they should"


def test_sudoku_refuses_what_is_no_design() -> None:
    one = instance("sudoku", ["1...", "....", "....", "...."], 0)
    for cell, digit in [((0, 0), 2), ((0, 1), 5), ((4, 0), 1)]:
        with pytest.raises(PlanError):
            initial_state(one, [(cell, Piece("digit", digit))], partial=True)
    with pytest.raises(PlanError):
        initial_state(one, [((0, 1), Piece("digit", 2)), ((0, 1), Piece("digit", 3))], partial=True)
