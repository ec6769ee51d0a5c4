"""Puzzles made and checked, and solving by deduction beside the constraint solvers.

First so many new puzzles of one game: the time to make them, and, apart from that, to check that each has
one answer. Then known levels: the baseline is Deductive Search (rules, pairs and triples, one level of
assuming), and a solver's row is the time in which it proves that there is one answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from ggp.bench import Record, Say, best_of, case
from ggp.errors import NotAvailable, UnsupportedFeature
from ggp.explain.grade import Grade, grade
from ggp.explain.opened import opened
from ggp.explain.reasoning import Reasoner
from ggp.explain.unique import unique
from ggp.generate.interface import generate
from ggp.language import levels
from ggp.model import Instance

NAME = "deduction"


def run(repeats: int, say: Say) -> list[Record]:
    """The rows of the new puzzles, then those of each known level."""
    data = case(NAME)
    rows = list(made_and_checked(data, repeats, say))
    names = [name for game in data["games"] for name in levels.levels(game)[: data["each"]]]
    for number, name in enumerate(names, start=1):
        instance = levels.load(name)
        say(f"{number} of {len(names)}: {name}")
        seconds, made, graded = best_of(repeats, partial(deduced, instance))
        needed = f"{graded.subsets} subsets, {graded.assumptions} assumptions"
        ended = "" if graded.solved else ", then a guess"
        what = f"{name}: deduction ({graded.by_rules} of {graded.cells} cells by rules, {needed}{ended})"
        rows.append(Record(NAME, what, seconds, made, complete=graded.solved, ratio=1.0))
        baseline = seconds
        for solver in data["solvers"]:
            try:
                seconds, made, found = best_of(repeats, partial(unique, instance, solver))
            except (UnsupportedFeature, NotAvailable):  # its refusal is no measurement
                continue
            what = f"{name}: {solver}"
            ratio, answers, complete = baseline / seconds, len(found.plans), found.result.complete
            rows.append(Record(NAME, what, seconds, made, answers, complete, ratio=ratio))
    return rows


def made_and_checked(data: dict[str, Any], repeats: int, say: Say) -> Iterator[Record]:
    """The rows of new puzzles: making them once, and checking that each has one answer."""
    count, (rows, columns) = data["count"], data["size"]
    described, kept = levels.load_game(data["game"])
    title = f"{count} of {data['game']} {rows}x{columns}"
    say(f"making {title}")
    make = partial(generate, described, kept, seed=data["seed"], size=(rows, columns), count=count)
    seconds, _, puzzles = best_of(1, lambda: list(make()))
    sorts = Counter(made.difficulty for made in puzzles)
    words = ", ".join(f"{sorts[sort]} {sort}" for sort in ("easy", "medium", "hard"))
    yield Record(NAME, f"{title}: made ({words})", seconds, 1)
    for solver in data["solvers"]:
        say(f"checking {title} with {solver}")

        def check(solver: str = solver) -> int:
            found = (unique(Instance(described, made.level), solver) for made in puzzles)
            return sum(one.answers == "unique" for one in found)

        seconds, made, right = best_of(repeats, check)
        what = f"{title}: checked, {solver}"
        yield Record(NAME, what, seconds, made, right, agrees=right == count, limit=data["limit"])


def deduced(instance: Instance) -> Grade:
    """Solve a level by deduction, from the instance in memory."""
    puzzle = opened(instance)
    return grade(puzzle, puzzle.givens, Reasoner(puzzle), lambda: None)
