"""Designs that win wherever the walker starts: held against trying each design from each start by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.errors import PuzzleError
from ggp.lab.oracle import designs
from ggp.language.description import read_game
from ggp.model import Instance, Piece, Plan, Start
from ggp.referee.designs import free_cells
from ggp.referee.trajectory import replay
from ggp.tasks.asking import asked
from tests.commands import Ask
from tests.unit.test_exact_designs import WALK, level

SPRINGS = "#######\n#   E##\n#>   ##\n###  ##\n#######"
TINY: dict[str, tuple[Instance, tuple[Any, ...]]] = {
    "one more": (level("lemmings", WALK, "horizon = 8\nbudget = 3"), ((1, 3),)),
    "the other way": (level("lemmings", WALK, "horizon = 8\nbudget = 3"), ((1, 1, "right"), (3, 4))),
    "each when it comes": (
        level("lemmings", WALK, 'horizon = 8\nbudget = 3\nwhen = "any-turn"'),
        ((1, 3), (2, 4, "right")),
    ),
    "who must not meet": (
        level("springboards", SPRINGS, "horizon = 8\nbricks = 2\nsprings = 1"),
        ((2, 4, "left"),),
    ),
    "nothing helps": (level("lemmings", WALK, "horizon = 2\nbudget = 3"), ((1, 3),)),
}


def starting(one: Instance, start: Start) -> Instance:
    """The level with its walker there instead."""
    board = [
        [{p for p in here if p.kind not in ("lemming", "walker")} for here in row] for row in one.level.board
    ]
    kind = next(kind.name for kind in one.game.kinds if kind.name in ("lemming", "walker"))
    row, column, facing = start
    board[row][column].add(Piece(kind, facing))
    return replace(one, level=replace(one.level, board=tuple(tuple(map(frozenset, row)) for row in board)))


def winning(name: str) -> set[tuple[Any, ...]]:
    """The designs that are allowed, and win by the referee, from every start; none is asked together."""
    one, others = TINY[name]
    home = next(
        (r, c, str(p.variant))
        for r, row in enumerate(one.level.board)
        for c, here in enumerate(row)
        for p in here
        if p.kind in ("lemming", "walker")
    )
    starts = [home, *((*start[:2], start[2] if len(start) > 2 else home[2]) for start in others)]
    alone = [starting(one, start) for start in starts]
    free = set.intersection(*(set(free_cells(each)) for each in alone))
    plans = (Plan(design) for design in designs(one) if free.issuperset(cell for cell, _ in design))
    return {tuple(sorted(plan.design)) for plan in plans if all(replay(each, plan).won for each in alone)}


@pytest.mark.parametrize("name", TINY)
def test_answers_are_those_of_each_start_by_itself(name: str) -> None:
    one, starts = TINY[name]
    wanted = winning(name)
    assert bool(wanted) == (name != "nothing helps")
    assert (
        wanted < {plan for plan in map(tuple, map(sorted, designs(one))) if replay(one, Plan(plan)).won}
        or not wanted
    )
    for solver in ("search", "cp-sat", "sat"):
        assert ggp.solve(one, solver, "count", robust=starts).count == len(wanted), solver
        best = ggp.solve(one, solver, robust=starts)
        assert best.stop == ("optimal" if wanted else "unsolvable"), solver
        for plan in best.plans:
            assert tuple(sorted(plan.design)) in wanted
            assert len(plan.design) == min(map(len, wanted))


def test_with_the_other_questions() -> None:
    one, starts = TINY["one more"]
    wanted = winning("one more")
    sizes = sorted({len(design) for design in wanted})
    cell = min(cell for design in wanted for cell, _ in design)
    for size in sizes:
        left = [d for d in wanted if len(d) == size and cell not in [at for at, _ in d]]
        found = ggp.solve(one, "search", "count", robust=starts, exactly=size, avoid=[cell])
        assert found.count == len(left)


NOTICING = {
    "looks at pieces that move": (", no solid ahead ", ", no solid ahead, no lemming ahead "),
    "may leave again": ("rest: lemming here, target here                => stay\n", ""),
    "is not about each of them": ("no lemming off target", "some lemming on target"),
    "must not meet": (
        'count = "1.." }\nlemming = { layer = "walker", facing = ["left", "right"], merge = true,',
        'count = "1.." }\nghost = { layer = "walker" }\n'
        'lemming = { layer = "walker", facing = ["left", "right"],',
    ),
}


@pytest.mark.parametrize("why", NOTICING)
def test_walkers_who_would_notice_each_other_are_refused(why: str) -> None:
    text = (Path(ggp.__file__).parents[1] / "descriptions" / "lemmings.toml").read_text()
    before, after = NOTICING[why]
    assert text.count(before) == 1
    game, _ = read_game(text.replace(before, after).encode(), "changed.toml")
    one = Instance(game, TINY["one more"][0].level)
    with pytest.raises(PuzzleError, match=f"cannot be asked about several starts: .*{why}"):
        asked(one, robust=[(1, 3)])


REFUSED: list[tuple[str, Any, str]] = [
    ("sokoban/first", (1, 1), "places nothing"),
    ("queens/6", (1, 1), "no pieces of queens/6 walk by themselves"),
    ("lemmings/pair", (1, 1), "2 pieces of lemmings/pair walk by themselves"),
    ("lemmings/seed", (0, 0), "no free cell"),
    ("lemmings/seed", (0, 99), "not on the board"),
    ("lemmings/seed", (1, 3, "up"), "cannot face 'up'"),
    ("lemmings/seed", "1,3", "is not a start"),
]


@pytest.mark.parametrize(("name", "start", "why"), REFUSED)
def test_starts_that_are_none(name: str, start: Any, why: str) -> None:
    with pytest.raises(PuzzleError, match=why):
        ggp.solve(name, robust=[start])


def test_the_command_line_says_what_was_asked(ask: Ask) -> None:
    question = ("--exactly", "3", "--avoid", "4,1", "--robust", "1,3 2,1,right")
    answer = ask("solve", "lemmings/seed", "--all", *question)
    words = "(exactly 3 placed; nothing on (4,1); also from (1,3) left (2,1) right)"
    assert answer.status == 0 and f"lemmings/seed {words}, search: satisfied, 2 plans" in answer.out
    told = json.loads(ask("solve", "lemmings/seed", "--json", *question).out)["question"]
    assert told == {"exactly": 3, "avoid": [[4, 1]], "robust": [[1, 3, "left"], [2, 1, "right"]]}
    assert json.loads(ask("solve", "lemmings/seed", "--json").out)["question"] == {}
    for bad in ("1,3,", "0,0"):
        answer = ask("solve", "lemmings/seed", "--robust", bad)
        assert answer.status == 2 and answer.err.startswith("error: ") and not answer.out
