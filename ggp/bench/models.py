"""The same solver on three files of one puzzle: the literal translation, the field's model, and ours.

Each file is solved by the same program with the same words, for one answer. What counts is the processor time
of its process, the median of the repeats, less what it takes on a file that says nothing: the start of the
Java and the loading of the solver, which has a row of its own. ACE also says how many variables it has, those
that it adds to expressions included, and how many of its decisions were wrong. The field's models are in
`ggp.bench.baselines.field_models`; each answer to them, and to the literal file, is replayed, and so is the
answer of the run in which our file was kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ggp.bench import Record, Say, case, processor_time
from ggp.bench.baselines import field_models
from ggp.bench.baselines.ludii import literal
from ggp.engines import java, processes
from ggp.engines.csp.answers import Answer, Declared
from ggp.engines.csp.tools import ACE, ACE_MAIN, CHOCO, Tool, present
from ggp.engines.instances import xcsp3 as instances
from ggp.engines.scratch import Scratch
from ggp.engines.texts.exported import faithful
from ggp.errors import PlanError, SolverError
from ggp.exporters import xcsp3
from ggp.goals.tour import Tour
from ggp.language import levels
from ggp.model import Instance, Piece, Plan
from ggp.model.board import height, width
from ggp.model.result import Trace
from ggp.referee.trajectory import replay
from ggp.tasks.solving import Run

NAME = "models"
EMPTY = (
    '<instance format="XCSP3" type="CSP"><variables><var id="x"> 0 1 </var></variables><constraints>'
    "<intension> eq(x,1) </intension></constraints></instance>\n"
)
NUMBERS = {"variables": r"variables\s+count:([\d,.]+)", "wrong decisions": r"WRONG DECISIONS\s+([\d,.]+)"}
SHORT = 0.1  # seconds; what takes less is lost in what a start takes, which differs by as much
Decoded = Callable[[Answer], Plan]


@dataclass(frozen=True, slots=True)
class Solved:
    """What one program made of a file: seconds of its process (the median), its numbers and its answer."""

    seconds: float
    numbers: dict[str, int]
    answer: Answer | None
    status: str


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """The start of each solver, then three rows for each level and solver."""
    data = case(NAME)
    limit, rows = time_limit or data["limit"], []
    for tool in (one for one in (ACE, CHOCO) if one.name in (solvers or data["solvers"])):
        tool.prepare()
        say(f"the start of {tool.name}")
        start = solved(tool, EMPTY, Declared({"x": (0, 1)}, {}), limit, repeats).seconds
        rows.append(Record(NAME, f"the start of {tool.name}: a file that says nothing", start, repeats))
        for name in data["levels"]:
            say(f"{name}, {tool.name}")
            instance = levels.load(name)
            rows += beside(instance, data["games"][instance.game.name], tool, (start, limit, repeats))
    return rows


def beside(instance: Instance, model: str, tool: Tool, how: tuple[float, float, int]) -> Iterator[Record]:
    """The rows of a level; `how`: the seconds of a start, the limit, the repeats."""
    start, limit, repeats = how
    found: dict[str, Solved] = {}
    for words, (text, declared, decode) in files(instance, model, tool, limit):
        found[words] = one = solved(tool, text, declared, limit, repeats)
        plan = decode(one.answer) if one.answer is not None else None
        won = None if plan is None else wins(instance, plan)
        seconds = one.seconds if plan is None else max(0.0, one.seconds - start)
        others = max(0.0, found[FIELD].seconds - start)
        ratio = others / seconds if won and min(others, seconds) >= SHORT else None
        told = [f"{number:,} {what}" for what, number in one.numbers.items()]
        told += [one.status.lower()] if one.answer is None else []
        what = f"{instance.name}, {tool.name}: {words}" + (f" ({', '.join(told)})" if told else "")
        yield Record(NAME, what, seconds, repeats, int(bool(won)), agrees=won, ratio=ratio)


def wins(instance: Instance, plan: Plan) -> bool:
    """Does a plan win? What is no plan of the level does not."""
    try:
        return replay(instance, plan).won
    except PlanError:
        return False


FIELD, LITERAL, OURS = "the field's model", "the literal translation", "ours"


def files(
    instance: Instance, model: str, tool: Tool, limit: float
) -> Iterator[tuple[str, tuple[str, Declared, Decoded]]]:
    """Each file with what it declares, and what makes a plan of an answer to it."""
    text = of_the_field(instance, model)
    yield FIELD, (text, instances.read(text, model).declared, lambda answer: decoded(instance, model, answer))
    encoding = faithful(instance)
    written = literal(instance) or xcsp3.write(encoding)

    def by_encoding(answer: Answer) -> Plan:
        values = {written.numbers[name]: value for name, value in answer.items() if value is not None}
        return encoding.decode(values)

    yield LITERAL, (written.text, written.declared, by_encoding)
    with Scratch() as folder:
        asked = Run(instance, tool.name, "first", time_limit=limit, trace=Trace(keep=folder))
        plans = list(asked)
        kept = sorted(folder.iterdir())
        if len(kept) != 1:  # it is settled before solving, or was not written in time
            return
        ours = kept[0].read_text(encoding="utf-8")
    missing = Plan(())  # no answer of that run: then one of this run is not believed either
    yield OURS, (ours, instances.read(ours, OURS).declared, lambda answer: plans[0] if plans else missing)


def solved(tool: Tool, text: str, declared: Declared, limit: float, repeats: int) -> Solved:
    """A program's answer to a file. Raises SolverError where it says what it cannot have meant."""
    seconds = []
    for _ in range(repeats):
        with Scratch() as folder:
            file = folder / "level.xml"
            file.write_text(text, encoding="utf-8")
            before = processor_time()
            output, ended = processes.run(command(tool, file, limit), cwd=folder, seconds=limit)
            seconds.append(processor_time() - before)
        if ended.timed_out:
            return Solved(limit, {}, None, "time limit")
    printed = output.decode("utf-8", "replace")
    reader, answer = tool.reader(tool.name, declared), None
    for line in printed.splitlines():
        answer = reader.feed(line) or answer
    numbers = {}
    for name, pattern in NUMBERS.items() if tool is ACE else ():
        said = re.search(pattern, printed)
        if said is None:
            raise SolverError(f"{tool.name} says nothing of its {name}", "is this another version of it?")
        numbers[name] = int(re.sub(r"\D", "", said[1]))  # thousands are set apart
    return Solved(median(seconds), numbers, answer, reader.status or str(ended))


def command(tool: Tool, file: Path, limit: float) -> list[str]:
    """The program's command line; ACE is to say how many variables it has, which it does not for `solve`."""
    if tool is not ACE:
        return tool.command(file, "one", limit)
    words = ("-xe", "-xc=false", "-npc", "-jl=0", "-s=1", f"-t={round(1000 * limit)}")
    return java.command(present(ACE.name), ACE_MAIN, str(file), *words)


# --- the field's models -----------------------------------------------------------------------------------


def of_the_field(instance: Instance, model: str) -> str:
    """The file that PyCSP3 makes of the field's model of a level."""
    script = Path(str(field_models.__file__))
    with Scratch() as folder:
        output = folder / "level.xml"
        given = json.dumps(data_of(instance)).encode()
        words = [sys.executable, "-P", str(script), str(output), model]
        _, ended = processes.run(words, given=given, cwd=folder)
        if not output.is_file():
            raise SolverError(
                f"PyCSP3 {ended}", "see that `pip show pycsp3` names a version that is supported"
            )
        return output.read_text(encoding="utf-8")


def data_of(instance: Instance) -> dict[str, Any]:
    """What a model is told of a level: its size, what is given, and the numbers of its rules."""
    placed = {name for design in (instance.game.design,) if design is not None for name in design.kinds}
    rows, columns = height(instance), width(instance)
    given = [
        (row, column, piece.variant)
        for row, cells in enumerate(instance.level.board)
        for column, cell in enumerate(cells)
        for piece in cell
        if piece.kind in placed
    ]
    terms = instance.game.goal.terms
    boxed = any("boxes" in getattr(term, "names", ()) for term in terms)
    tours = [term for term in terms if isinstance(term, Tour)]
    clues = dict(instance.level.clues)
    return {
        "rows": rows,
        "columns": columns,
        "given": given,
        "box": round(rows**0.5) if boxed else 0,
        "total": dict(instance.level.numbers).get("total"),
        "moves": [list(move) for tour in tours for move in tour.moves()],
        "across": [listed(clue) for clue in clues.get("rows", ())],
        "down": [listed(clue) for clue in clues.get("columns", ())],
    }


def listed(clue: Any) -> list[int]:
    """A clue of one run or of several as a list of lengths."""
    return [clue] if isinstance(clue, int) else list(clue)


def decoded(instance: Instance, model: str, answer: Answer) -> Plan:
    """The design that an answer to a model of the field stands for; what is given is not placed."""
    (kind, *_) = instance.game.design.kinds if instance.game.design is not None else ("",)
    design = []
    for name, value in answer.items():
        place = [int(index) for index in re.findall(r"\[(\d+)\]", name)]
        if value is None or not name.startswith("x[") or (model == "lines" and not value):
            continue
        if model == "one-a-row":
            row, column, piece = place[0], value, Piece(kind)
        elif model == "tour":
            row, column, piece = *divmod(value, width(instance)), Piece(kind, place[0] + 1)
        else:
            row, column = place
            piece = Piece(kind) if model == "lines" else Piece(kind, value)
        if piece not in instance.level.board[row][column]:
            design.append(((row, column), piece))
    return Plan(tuple(sorted(design)))
