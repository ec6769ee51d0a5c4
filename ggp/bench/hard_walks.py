"""Boards on which a piece walks, made from seeds (`ggp.generate.walks`): the median of each solver.

Each board is asked about once by each solver: for the fewest placements with the proof, or for any plan where
Java is to answer. What is counted is processor time from the level in memory to the answer, that of all
processes of the run; before, each solver answers one board that is not counted, since what is compiled or
kept for quick starts comes once a machine. A row agrees if each answer is a proof of the value that the first
solver proves, or a plan where any will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from ggp import registry
from ggp.bench import Record, Say, processor_time
from ggp.generate.walks import Wish, levels
from ggp.language.levels import load_game
from ggp.model import Instance, Piece
from ggp.model.result import Result, Want
from ggp.tasks.solving import Run


def rows(
    bench: str, data: Mapping[str, Any], solvers: Sequence[str] | None, limit: float, say: Say
) -> list[Record]:
    """A row for each size and each of its solvers that can run, and is among these if any are given."""
    found = list[Record]()
    for size in data["boards"]:
        boards = [board(data, size, seed) for seed in range(size["seeds"])]
        able = [one for one in size["solvers"] if available(one)]
        able = [one for one in able if solvers is None or one in solvers]
        found += of_size(bench, boards, able, data["first"], limit, say)
    return found


def available(solver: str) -> bool:
    """Can it run here?"""
    return registry.load("solver", solver).available() is None


def board(data: Mapping[str, Any], size: Mapping[str, int], seed: int) -> Instance:
    """The first board of a seed."""
    wall, walker, target = (piece(data[part]) for part in ("wall", "walker", "target"))
    numbers = ((data["budget"], size["budget"]),)
    wish = Wish(size["side"], size["side"], size["horizon"], numbers, wall, walker, target)
    game, _ = load_game(data["game"])
    return Instance(game, next(levels(game, wish, seed)))


def piece(text: str) -> Piece:
    """A piece as it is written, with its facing behind a colon."""
    kind, _, facing = text.partition(":")
    return Piece(kind, facing or None)


def of_size(
    bench: str,
    boards: Sequence[Instance],
    solvers: Sequence[str],
    first: Sequence[str],
    limit: float,
    say: Say,
) -> Iterator[Record]:
    """The rows of some boards of one size."""
    values: list[int | None] | None = None  # what the first solver that is asked for the best has proved
    for solver in solvers:
        want: Want = "first" if solver in first else "best"
        asked(boards[0], solver, want, limit)
        spent, results = list[float](), list[Result]()
        for number, one in enumerate(boards, start=1):
            say(f"{shown(one)}, {solver}, {number} of {len(boards)}")
            seconds, result = asked(one, solver, want, limit)
            spent.append(seconds)
            results.append(result)
        solved = [result.stop in ("optimal", "satisfied") for result in results]
        told = [result.objective if result.stop == "optimal" else None for result in results]
        values = told if values is None and want == "best" else values
        what = f"{shown(boards[0])}, {'a plan' if want == 'first' else 'fewest'}, {solver}:"
        what += f" median of {len(boards)}, at most {max(spent):.3g} s, {sum(solved)} answered"
        agrees = None if not all(solved) else want == "first" or told == values
        yield Record(bench, what, median(spent), 1, complete=all(solved), agrees=agrees)


def asked(one: Instance, solver: str, want: Want, limit: float) -> tuple[float, Result]:
    """The seconds of the processor that an answer took, and the answer."""
    run, before = Run(one, solver, want, time_limit=limit), processor_time()
    for _ in run:
        pass
    assert run.result is not None
    return processor_time() - before, run.result


def shown(one: Instance) -> str:
    """The size, the turns and the numbers of a board."""
    level = one.level
    numbers = ", ".join(f"{name} {number}" for name, number in level.numbers)
    return f"{len(level.board)}x{len(level.board[0])}, {level.horizon} turns, {numbers}"
