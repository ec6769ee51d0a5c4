"""Every solver on every level of the puzzles without movement, held against what is known of the levels.

Each run lists all answers of a level, in a process of its own under a limit of processor time. The referee
replays each answer, and together they must be the known ones, no more and no fewer. Then each answer is put
into the exported XCSP3 file, where the checker in Choco's jar must accept it. What comes to no end agrees
with nothing: it is called open. What fails, or answers something else, is called wrong.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ggp import registry
from ggp.bench import Record, Say, case
from ggp.engines.csp.tools import checker_available
from ggp.engines.texts.exported import faithful
from ggp.errors import PuzzleError
from ggp.exporters import xcsp3
from ggp.harness.jobs import Job, Settings, solver_names
from ggp.harness.pool import Pool
from ggp.harness.records import finished
from ggp.harness.runner import answers
from ggp.language import levels
from ggp.model import Game, Instance, Plan
from ggp.referee.trajectory import plan_from_json

NAME = "verdicts"
Word = Literal["agree", "open", "refused", "wrong"]
WORDS: tuple[Word, ...] = ("agree", "open", "refused", "wrong")
PATIENCE = 10  # seconds of the clock that a run may take for each of the processor: others may work here, too


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run of a solver on a level came to, and why where it is not that they agree.

    `seconds` are those of the processor, of all processes of the run together.
    """

    level: str
    solver: str
    word: Word
    why: str
    seconds: float

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.level.partition("/")[0]


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """A row for each run that does not agree, for each game, for each solver, and for the checker.

    Nothing is repeated. Raises PuzzleError for a `folder`: of other levels nothing is known.
    """
    if folder is not None:
        raise PuzzleError(f"{NAME} needs levels of which everything is known", "leave out --levels")
    chosen = solver_names(solvers)
    limit = float(case(NAME)["limit"]) if time_limit is None else time_limit
    settings = Settings(time_limit=PATIENCE * limit, cpu_limit=limit)
    games = [game for game in levels.games() if still(levels.load_game(game)[0])]
    names = [name for game in games for name in levels.levels(game)]
    return rows(names, able(chosen) if solvers is None else chosen, settings, say)


def able(names: Iterable[str]) -> list[str]:
    """The solvers that can run here."""
    return [name for name in names if registry.load("solver", name).available() is None]


def still(game: Game) -> bool:
    """Is it a puzzle that is solved by a design alone?"""
    return game.design is not None and game.input is None and not game.physics


def rows(names: Sequence[str], solvers: Sequence[str], settings: Settings, say: Say) -> list[Record]:
    """The rows of these levels and solvers."""
    verdicts: list[Verdict] = []
    checks: list[Record] = []
    with Pool(1) as pool:
        for number, name in enumerate(names, start=1):
            say(f"{number} of {len(names)}: {name}")
            instance = levels.load(name)
            jobs = [Job("solve", one, one, instance, settings=settings, warm=False) for one in solvers]
            found: set[Plan] = set()
            for solver, record in answers(pool, jobs).items():
                word, why = judged(instance, record)
                verdicts.append(Verdict(name, solver, word, why, record["cpu_seconds"] or record["seconds"]))
                found |= designs(instance, record)
            say(f"{number} of {len(names)}: {name}, checker")
            checks += checked(instance, found)
    told = (exceptions, of_levels, of_games, of_solvers)
    return [*(row for rows_of in told for row in rows_of(verdicts)), *of_checker(checks)]


# --- one run


def designs(instance: Instance, record: dict[str, Any]) -> set[Plan]:
    """The answers of a record, each with its placements in order."""
    plans = (plan_from_json(instance, plan) for plan in record["plans"])
    return {Plan(tuple(sorted(plan.design)), plan.actions) for plan in plans}


def judged(instance: Instance, record: dict[str, Any]) -> tuple[Word, str]:
    """What a record says, held against what is known of the level; and why, in words."""
    known = instance.level.known
    if record["stop"] == "unsupported":
        return "refused", record["note"]
    if record["stop"] == "error":
        return "wrong", f"failed: {record['note']}"
    if record["replayed"] is False:
        return "wrong", record["fault"]
    found = designs(instance, record)
    wins = {Plan(tuple(sorted(plan.design)), plan.actions) for plan in known.wins}
    if known.solutions is None or len(wins) != known.solutions:
        return "open", "not all answers of the level are known"
    if found - wins:
        return "wrong", f"{len(found - wins)} answers that win and are not known"
    if record.get("proof") == "wrong":
        return "wrong", record["note"]
    if not finished(record):
        return "open", f"{record['stop']}, {len(found)} of {known.solutions} answers"
    if found != wins or record["count"] != known.solutions:
        return "wrong", f"{record['count']} answers and no more, but {known.solutions} are known"
    return "agree", ""


def checked(instance: Instance, plans: set[Plan]) -> Iterator[Record]:
    """A row for each answer: does the checker accept it in the exported file?"""
    if not plans or checker_available() is not None or xcsp3.available() is not None:
        return
    encoding = faithful(instance)
    written = xcsp3.write(encoding)
    ordered = sorted(plans, key=lambda plan: plan.design)
    asked, start = 0, time.perf_counter()
    for check in xcsp3.solved(encoding, written).judged(ordered):
        asked += 1
        seconds, start = time.perf_counter() - start, time.perf_counter()
        refusal = "" if check.passed else f": not so ({check.detail})"
        yield Record(NAME, f"{instance.name}: {check.what}{refusal}", seconds, 1, agrees=check.passed)
    for _ in range(len(plans) - asked):
        yield Record(NAME, f"{instance.name}: an answer that the file cannot even say", 0.0, 1, agrees=False)


# --- the table


def exceptions(verdicts: Sequence[Verdict]) -> Iterator[Record]:
    """A row for each run that is open or wrong."""
    for one in verdicts:
        if one.word in ("open", "wrong"):
            agrees = False if one.word == "wrong" else None
            what = f"{one.level}: {one.solver} {one.word} ({one.why})"
            yield Record(NAME, what, one.seconds, 1, complete=False, agrees=agrees)


def of_levels(verdicts: Sequence[Verdict]) -> Iterator[Record]:
    """A row for each level: the seconds of each solver, or what it came to where it does not agree."""
    for level in dict.fromkeys(one.level for one in verdicts):
        here = [one for one in verdicts if one.level == level and one.word != "refused"]
        each = (
            f"{one.solver} {one.seconds:.2f}" if one.word == "agree" else f"{one.solver} {one.word}"
            for one in here
        )
        yield summed(f"{level}: {', '.join(each)}", here)


def of_games(verdicts: Sequence[Verdict]) -> Iterator[Record]:
    """A row for each game: on how many of its levels each solver agrees, and what else there is."""
    for game in dict.fromkeys(one.game for one in verdicts):
        here = [one for one in verdicts if one.game == game]
        parts = []
        for solver in dict.fromkeys(one.solver for one in here):
            count = Counter(one.word for one in here if one.solver == solver)
            if set(count) == {"refused"}:
                continue
            others = [f"{count[word]} {word}" for word in WORDS[1:] if count[word]]
            parts.append(f"{solver} {count['agree']}" + (f" ({', '.join(others)})" if others else ""))
        number = len({one.level for one in here})
        yield summed(f"{game}, {number} levels: {', '.join(parts)}", here)


def of_solvers(verdicts: Sequence[Verdict]) -> Iterator[Record]:
    """A row for each solver over all games."""
    for solver in dict.fromkeys(one.solver for one in verdicts):
        here = [one for one in verdicts if one.solver == solver]
        count = Counter(one.word for one in here)
        words = ", ".join(f"{count[word]} {word}" for word in WORDS if count[word])
        yield summed(f"{solver}, {len(here)} levels: {words}", here)


def summed(what: str, verdicts: Sequence[Verdict]) -> Record:
    """The row of several runs: it agrees if none is wrong, and is complete if none is open."""
    words = {one.word for one in verdicts} - {"refused"}
    seconds = sum(one.seconds for one in verdicts)
    if not words:
        return Record(NAME, what, seconds, 1)
    return Record(NAME, what, seconds, 1, complete="open" not in words, agrees="wrong" not in words)


def of_checker(checks: Sequence[Record]) -> Iterator[Record]:
    """A row for each answer that the checker does not accept, and one for all that it was asked about."""
    yield from (one for one in checks if not one.agrees)
    accepted = sum(bool(one.agrees) for one in checks)
    what = f"the checker accepts {accepted} of {len(checks)} answers"
    if not checks:
        what = f"the checker was not asked: {checker_available() or xcsp3.available() or 'no answers'}"
    seconds = sum(one.seconds for one in checks)
    yield Record(NAME, what, seconds, 1, solutions=len(checks), agrees=accepted == len(checks))
