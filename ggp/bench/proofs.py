"""What is claimed of each level, beside its plans, and what checked it: nobody has to believe a solver.

A row for each level and question: what is the best by the game's first objective, and, for puzzles in which
nothing moves, are there no more answers than those. The first of the solvers that answers within the limit
is taken at its word, and what it claims is checked by the referee alone or by a proof, within the same limit
once more. A row agrees if its claim was checked, and does not if it was refuted; the time is the check's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ggp.bench import Record, Say, case
from ggp.bench.turns import files
from ggp.errors import PuzzleError, SolverError
from ggp.language import levels
from ggp.model import Instance
from ggp.model.result import Clock, Result, Want
from ggp.proof import Evidence, claim_of, evidence
from ggp.tasks.solving import Run

NAME = "proofs"


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """The rows, and how many were checked; nothing is repeated. Raises PuzzleError."""
    data = case(NAME)
    limit, asked = time_limit or data["limit"], solvers or tuple(data["solvers"])
    rows = []
    instances = shipped() if folder is None else [one for kept in files(folder) for one in kept]
    for number, instance in enumerate(instances, start=1):
        for want in questions(instance):
            say(f"{number} of {len(instances)}: {instance.name}, {want}")
            rows.append(row(instance, want, asked, limit))
    return [*rows, *summary(rows)]


def shipped() -> list[Instance]:
    """All our levels, game by game."""
    return [levels.load(name) for game in levels.games() for name in levels.levels(game)]


def questions(instance: Instance) -> Iterator[Want]:
    """What is asked about a level."""
    game = instance.game
    if game.objectives:
        yield "best"
    if game.input is None and not game.physics or not game.objectives:
        yield "all"


def row(instance: Instance, want: Want, solvers: Sequence[str], limit: float) -> Record:
    """One question about one level."""
    told = f"{instance.name}: {want}"
    for solver in solvers:
        try:
            asked = Run(instance, solver, want, time_limit=limit)
            for _ in asked:
                pass
        except SolverError as error:
            return Record(NAME, f"{told}, {solver} fails: {error}", asked.clock.seconds, 1, agrees=False)
        except PuzzleError:  # it refuses such a level, or cannot run here
            continue
        assert asked.result is not None
        claim = claim_of(instance, asked.query, asked.result)
        if claim is None:
            continue
        told += f", {in_short(asked.result)} ({solver})"
        clock = Clock(limit)
        try:
            found = evidence(claim, clock)
        except PuzzleError as error:
            found = Evidence("wrong", note=str(error))
        by = found.who if found.verdict == "checked" else f"{found.verdict or 'claimed'}: {found.note}"
        agrees = None if found.verdict is None else found.verdict == "checked"
        complete = found.verdict is not None
        return Record(NAME, f"{told}, {by}", clock.seconds, 1, complete=complete, agrees=agrees)
    return Record(NAME, f"{told}, no answer within the limit", limit, 0, complete=False)


def in_short(result: Result) -> str:
    """The answer in a few words."""
    if result.stop == "optimal":
        return f"none below {result.objective}"
    return result.stop if not result.plans else f"{len(result.plans)} and no more"


def summary(rows: Sequence[Record]) -> Iterator[Record]:
    """How many there are of each sort."""
    words = {True: "checked", False: "wrong", None: "claimed"}
    count = Counter(words[one.agrees] if one.repeats else "not answered" for one in rows)
    told = ", ".join(f"{number} {word}" for word, number in sorted(count.items()))
    seconds = sum(one.seconds for one in rows if one.repeats)
    yield Record(NAME, f"{len(rows)} answers: {told}", seconds, 1, agrees=not count["wrong"])
