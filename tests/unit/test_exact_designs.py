"""Designs of exactly so many placements, and with nothing on some cells: held against trying everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

import ggp
from ggp.errors import DescriptionError, PuzzleError, UnsupportedFeature
from ggp.lab.oracle import designs
from ggp.language.description import read_game, read_levels
from ggp.language.description.writing import write_game
from ggp.language.levels import load, load_game
from ggp.model import Cell, Instance, Piece, Plan
from ggp.referee.designs import free_cells
from ggp.referee.trajectory import replay
from ggp.tasks.asking import asked
from tests.commands import SEED_PLANS, Ask
from tests.slow import one_in, slow_unless

SOLVERS = ("search", "cp-sat", "sat")


def level(game: str, rows: str, numbers: str = "") -> Instance:
    """A level of a shipped game."""
    described = load_game(game)[0]
    text = f'game = "{game}"\n[[level]]\n{numbers}\nmap = """\n{rows}\n"""\n'
    (one,) = read_levels(text.encode(), "one.toml", described)
    return Instance(described, one)


WALK = "XXXXXX\nX<   X\nXX X X\nX    X\nXX TXX\nXXXXXX"
TINY: dict[str, tuple[Instance, frozenset[Cell]]] = {
    "a walk": (level("lemmings", WALK, "horizon = 8\nbudget = 3"), frozenset({(2, 2), (1, 3)})),
    "a walk that may end sooner": (
        level("lemmings", WALK, 'horizon = 8\nbudget = 3\nwhen = "any-turn"'),
        frozenset({(3, 1), (1, 4)}),
    ),
    "two kinds": (
        level(
            "springboards",
            "######\n#   E#\n#>  ##\n##  ##\n######",
            "horizon = 10\nbricks = 2\nsprings = 1",
        ),
        frozenset({(3, 3)}),
    ),
    "lamps that see past what is avoided": (level("akari", "...\n...\n1.."), frozenset({(0, 1), (1, 1)})),
    "a lamp that stands already": (level("akari", "L..\n...\n..."), frozenset({(1, 1)})),
    "queens": (level("queens", "#..#\n....\n.#..\n#..#"), frozenset({(0, 1)})),
    "all that counts is what is placed": (level("hitori", "12\n21"), frozenset({(0, 0)})),
}


@cache
def winning(name: str) -> list[Plan]:
    """Every design that wins, by the referee alone, of the level before anything was asked of it."""
    one, _ = TINY[name]
    return [plan for plan in map(Plan, designs(one)) if replay(one, plan).won]


def answering(plans: list[Plan], exactly: int | None, avoid: frozenset[Cell]) -> set[tuple[Any, ...]]:
    """Those that a question leaves."""
    left = (plan.design for plan in plans if avoid.isdisjoint(cell for cell, _ in plan.design))
    return {tuple(sorted(design)) for design in left if exactly is None or len(design) == exactly}


@pytest.mark.parametrize(("solver", "name"), one_in(2, product(SOLVERS, TINY)))
def test_answers_are_those_of_trying_everything(name: str, solver: str) -> None:
    one, cells = TINY[name]
    won = winning(name)
    assert won
    sizes = {len(plan.design) for plan in won}
    for exactly in sorted({min(sizes), max(sizes), max(min(sizes) - 1, 0)}):
        for avoid in (frozenset[Cell](), cells):
            wanted = answering(won, exactly, avoid)
            found = ggp.solve(one, solver, "all", exactly=exactly, avoid=avoid)
            assert found.complete and found.proof == "claimed"
            assert {tuple(sorted(plan.design)) for plan in found.plans} == wanted
            assert ggp.solve(one, solver, "count", exactly=exactly, avoid=avoid).count == len(wanted)
    left = answering(won, None, cells)
    assert ggp.solve(one, solver, "count", avoid=cells).count == len(left)
    best = ggp.solve(one, solver, avoid=cells)
    assert bool(best.plans) == bool(left)
    if one.game.objectives and left:
        assert best.objective == min(map(len, left))


def test_the_levels_tell_the_questions_apart() -> None:
    """Each question must take something away from one of them at least, or nothing was tested."""
    fewer, other = 0, 0
    for name, (_, cells) in TINY.items():
        won = winning(name)
        whole = answering(won, None, frozenset())
        fewer += len(answering(won, None, cells)) < len(whole)
        other += len({len(design) for design in whole}) > 1
    assert fewer >= 4 and other >= 3


@pytest.mark.parametrize("solver", slow_unless(SOLVERS, [*SOLVERS, "cbc"]))
def test_the_seed_has_six_designs_of_three_and_none_of_two(solver: str) -> None:
    found = ggp.solutions("lemmings/seed", solver, exactly=3)
    assert {tuple(cell for cell, _ in plan.design) for plan in found} == SEED_PLANS
    assert ggp.solve("lemmings/seed", solver, exactly=2).stop == "unsolvable"
    assert ggp.solve("lemmings/seed", solver, "first", exactly=3, avoid=[(6, 6)]).stop == "unsolvable"


def test_nothing_is_left_where_all_is_avoided() -> None:
    one, _ = TINY["queens"]
    everywhere = free_cells(one)
    for solver in SOLVERS:
        for want in ("first", "all", "count"):
            found = ggp.solve(one, solver, want, exactly=1, avoid=everywhere)  # type: ignore[arg-type]
            assert not found.plans and found.complete and not found.count


def test_what_is_known_is_of_the_question() -> None:
    seed = load("lemmings/seed")
    assert asked(seed) is seed
    known = asked(seed, 3, [(5, 4)]).level.known
    assert len(known.wins) == 3 and (known.solvable, known.solutions, known.optimum) == (None, None, ())


def test_files_and_formats_keep_a_question_or_refuse_it() -> None:
    seed = load("lemmings/seed")
    exact = asked(seed, 2)
    again = read_game(write_game(exact.game, (exact.level,)).encode(), "again.toml")
    assert again[0].goal == exact.game.goal
    avoiding = asked(seed, None, [(5, 4)])
    with pytest.raises(DescriptionError, match="nothing may be placed"):
        write_game(avoiding.game, (avoiding.level,))
    lamps, digits = asked(load("akari/small"), None, [(0, 0)]), asked(load("hitori/small"), None, [(0, 0)])
    cases = [(avoiding, "puzzlescript"), (avoiding, "vgdl"), (lamps, "url"), (digits, "lines")]
    for one, format_name in cases:
        with pytest.raises(UnsupportedFeature, match="nothing may be placed"):
            ggp.export(one, format_name)
    assert ggp.export(avoiding, "xcsp3") != ggp.export(seed, "xcsp3")


MOVED = """
name = "rolling"
[kinds]
ball = { layer = "solid" }
[symbols]
"." = ""
[design]
place = "ball"
free-of = ["ball"]
[[physics]]
rules = "roll: ball here, no ball right, inside right => ball here -> right"
[goal]
win = ["count ball = 1"]
[[level]]
horizon = 2
map = "..."
"""


def rolling() -> Instance:
    """A game whose rules move what is placed."""
    game, levels = read_game(MOVED.encode(), "rolling.toml")
    return Instance(game, levels[0])


def twice() -> Instance:
    """A level in which a brick may be placed on a brick, which changes nothing."""
    seed = load("lemmings/pair")
    game = seed.game
    assert game.design is not None
    rows = (
        *seed.level.board[:1],
        (frozenset({Piece("brick")}), *seed.level.board[1][1:]),
        *seed.level.board[2:],
    )
    design = replace(game.design, free_of=("lemming", "target", "wall"))
    return Instance(replace(game, design=design), replace(seed.level, board=rows))


REFUSED: list[tuple[Callable[[], Instance], dict[str, Any], str]] = [
    (lambda: load("sokoban/first"), {"exactly": 1}, "places nothing"),
    (lambda: load("sudoku/easy-9x9"), {"exactly": 1}, "fills every free cell"),
    (lambda: load("sudoku/easy-9x9"), {"avoid": [(0, 0)]}, "fills every free cell"),
    (lambda: load("lemmings/seed"), {"exactly": 4}, "the budget is 3"),
    (lambda: load("lemmings/seed"), {"exactly": -1}, "exactly -1"),
    (lambda: load("lemmings/seed"), {"exactly": 1.5}, "no number of placements"),
    (lambda: load("akari/small"), {"exactly": 10**9}, "13 free cells"),
    (lambda: load("lemmings/seed"), {"avoid": [(1, 1)]}, "no free cell"),
    (lambda: load("lemmings/seed"), {"avoid": [(1, 99)]}, "not on the board"),
    (lambda: load("lemmings/seed"), {"avoid": ["2,3"]}, "is not a cell"),
    (rolling, {"exactly": 1}, "move, add or remove `ball`"),
    (twice, {"exactly": 1}, "cannot be counted"),
]


@pytest.mark.parametrize(("make", "question", "why"), REFUSED)
def test_what_cannot_be_asked_is_refused(
    make: Callable[[], Instance], question: dict[str, Any], why: str
) -> None:
    with pytest.raises(PuzzleError, match=why):
        ggp.solve(make(), **question)


def test_such_a_question_may_have_one_answer(ask: Ask) -> None:
    """Of the six designs of three bricks one avoids these cells; of two bricks none wins."""
    for given, answer in (
        (["--exactly", "3"], "more than one answer"),
        (["--exactly", "3", "--avoid", "2,1 4,1 5,4"], "one answer, and no other"),
        (["--exactly", "2"], "no answer"),
    ):
        said = ask("solve", "lemmings/seed", "--unique", *given)
        assert said.status == 0 and f": {answer}" in said.out
        assert said.out.startswith(f"lemmings/seed, exactly {given[1]} placed, ")  # what was asked


def test_the_command_line_asks_and_refuses(ask: Ask) -> None:
    """Cells may stand in one text, or in several."""
    answer = ask("solve", "lemmings/seed", "--all", "--exactly", "3", "--avoid", "5,4 5,1", "--avoid", "2,1")
    assert answer.status == 0 and "1 plan" in answer.out
    assert ask("solve", "lemmings/seed", "--exactly", "2").status == 0
    for bad in (("--exactly", "4"), ("--avoid", "2,a"), ("--avoid", "0,0")):
        answer = ask("solve", "lemmings/seed", *bad)
        assert answer.status == 2 and answer.err.startswith("error: ") and not answer.out
