"""What this project and solvers write and we read again: journals, models, answers, texts of other systems.

As in `ggp.lab.inputs`: good inputs to spoil, and a way to read a spoilt one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache

from ggp import registry
from ggp.encoding import debug
from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.occupancy import encode
from ggp.engines import answers, planning, puzzlescript
from ggp.engines.csp import run as xcsp_run
from ggp.engines.csp.answers import Declared, Reader
from ggp.engines.csp.tools import Tool
from ggp.engines.processes import Ended
from ggp.errors import PuzzleError
from ggp.harness.jobs import Job
from ggp.harness.journal import records_in
from ggp.harness.page import model_view
from ggp.harness.pictures import Store
from ggp.harness.records import EMPTY, MODEL_SHAPE, RUN_SHAPE, disagreements, unanswered, unfinished
from ggp.harness.table import columns, csv_text, notes, summary
from ggp.importers.vgdl import reading as vgdl_reading
from ggp.lab.inputs import FILE, descriptions, small_levels, some_plan
from ggp.lab.spoil import spoilt_json
from ggp.language.levels import games
from ggp.model.features import GOAL_WORDS, SOLVABLE, missing
from ggp.model.result import Clock, Query
from ggp.referee.trajectory import replay
from ggp.tasks.exporting import export

FEW = 30  # good inputs of a sort
MOST_PLANS = 3  # of an answer that stands for several


# --- what the harness keeps -----------------------------------------------------------------------------


@cache
def journals() -> Sequence[tuple[str, bytes]]:
    """Journals of runs."""
    found = []
    for number, one in enumerate(small_levels()[:FEW]):
        plans = [{"design": [], "actions": list(some_plan(one).actions)}]
        records = [
            {
                "key": f"k{n}",
                **EMPTY,
                **unfinished(Job("solve", solver, instance=one), stop, "note", plans=plans),
            }
            for n, (solver, stop) in enumerate((("a", "optimal"), ("b", "error"))[: 1 + number % 2])
        ]
        records[0] |= {"all_seconds": 0.5, "replayed": True, "won": 1, "best": {"turns": 3}, "objective": 3}
        found.append(("run", "".join(json.dumps(record) + "\n" for record in records).encode()))
    return tuple(found)


def read_journal(case: str, data: bytes) -> None:
    """Read the records of a journal, and make the table that shows them."""
    records = [record for _, record, _ in records_in(data, FILE, RUN_SHAPE)]
    if records:
        [[column.cell(record) for column in columns(records)] for record in records]
        csv_text(records)
        [*notes(records), *summary(records), *disagreements(records), *unanswered(records)]


@cache
def models() -> Sequence[tuple[str, bytes]]:
    """Journals of learned games."""
    found = []
    for _, text in descriptions()[len(games()) :]:
        record = {"key": "k", "stop": "done", "note": "", "game": "g", "learner": "tree", "seconds": 1.5}
        record |= {"rollouts": 3, "examples": 4, "certificate": {"exact": True, "text": "exact"}, "sizes": []}
        record |= {"counterexample": None, "rules_text": "", "model": text.decode()}
        found.append(("learn", json.dumps(record).encode() + b"\n"))
    return tuple(found)


def read_model(case: str, data: bytes) -> None:
    """Read a journal of learned games, and the game in it."""
    for _, record, _ in records_in(data, FILE, MODEL_SHAPE):
        model_view(small_levels()[0], record, Store())


# --- what solvers answer --------------------------------------------------------------------------------


@cache
def encodings() -> Mapping[str, tuple[Encoding, xcsp_run.Written, bytes]]:
    """Encodings of a few levels, what their files declare, and what a solver answers."""
    found: dict[str, tuple[Encoding, xcsp_run.Written, bytes]] = {}
    for one in small_levels():
        wins = one.level.known.wins
        if missing(one, SOLVABLE | GOAL_WORDS):
            continue  # no encoding takes it
        if not wins or len(one.level.board) * len(one.level.board[0]) * (1 + (one.level.horizon or 0)) > 80:
            continue
        encoding = propagated(encode(one, horizon=one.level.horizon or len(wins[0].actions)))
        if not encoding.decisions or len(encoding.variables) > 120:
            continue
        values = debug.assume(encoding, wins[0])
        numbers = {f"v[{n}]": n for n in range(len(encoding.variables)) if n in values}
        domains = {name: encoding.variables[n].domain for name, n in numbers.items()}
        written = xcsp_run.Written("", numbers, Declared(domains, {"v": (len(encoding.variables),)}))
        text = f"c solver\no 3\nv {written.answer(values).strip()}\nd COMPLETE EXPLORATION\ns SATISFIABLE\n"
        found[one.name] = encoding, written, text.encode()
        if len(found) == FEW // 3:
            break
    return found


def xcsp_answers() -> Sequence[tuple[str, bytes]]:
    """What a solver that reads XCSP3 prints."""
    return tuple((name, text) for name, (_, _, text) in encodings().items())


TOOL = Tool("fuzz", lambda: None, dict, lambda file, want, left: [])


def read_xcsp(case: str, data: bytes) -> None:
    """Take the lines of an answer, judge them, decode and replay them."""
    encoding, written, _ = encodings()[case]
    session = xcsp_run.Session(TOOL, encoding, Query("first", clock=Clock(5.0)), "one")
    session.talk.reader = reader = Reader("fuzz", written.declared)
    found = 0
    for line in data.decode("utf-8", "replace").split("\n"):
        answer = reader.feed(line)
        for values in session.judged(answer, written.numbers) if answer is not None else ():
            plan = encoding.decode(values)
            replay(encoding.instance, plan)
            found += 1
            if found > MOST_PLANS:
                break
    reader.end()


WORKERS = (
    ("worker", b'{"ones": [3, 5, 8]}\n{"ones": []}\n{"status": "OPTIMAL"}'),
    ("planner", b'{"status": "SOLVED_OPTIMALLY", "steps": [["step", "up", "c"]], "proves": true, '
     b'"configuration": "astar", "note": ""}'),
    ("engine", b'{"faults": [], "levels": ["....", [2, 3]], "objects": ["wall", "player"]}'),
    ("engine", b'{"faults": [], "width": 2, "height": 1, "frames": [[[0], [1]]], "objects": ["a", "b"]}'),
)  # fmt: skip


def read_worker(case: str, data: bytes) -> None:
    """What our own processes around foreign libraries print; a library may print into it, or kill them."""
    text = data.decode("utf-8", "replace")
    if case == "planner":
        planning.Planner("fuzz", frozenset()).read(data, Ended(0, None, False, "", 0.0))
    for line in text.split("\n") if case == "worker" else ():
        answers.read("fuzz", line)
    if case == "engine":
        puzzlescript.read(text)


# --- texts of other systems -----------------------------------------------------------------------------


@cache
def vgdl_texts() -> Sequence[tuple[str, bytes]]:
    """What the VGDL exporter writes."""
    exporter = registry.load("exporter", "vgdl")
    found = []
    for one in small_levels():
        try:
            found.append((one.name, exporter.split(export(one, "vgdl").text)[0].encode()))
        except PuzzleError:
            continue
    return tuple(sorted(found, key=lambda item: len(item[1]))[:FEW])


def read_vgdl(case: str, data: bytes) -> None:
    """Read a game of VGDL."""
    vgdl_reading.read(data.decode("utf-8", "replace"), FILE)


def spoilt_json_lines(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One line of JSON of several, spoilt."""
    every = data.rstrip(b"\n").split(b"\n")
    at = rng.randrange(len(every))
    every[at] = spoilt_json(rng, every[at], [other.split(b"\n")[0] for other in others])
    return b"\n".join(every) + b"\n"


def spoilt_records(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A journal with a spoilt record, which another one may follow."""
    return spoilt_json_lines(rng, data, others) + (rng.choice(others) if rng.random() < 0.3 else b"")
