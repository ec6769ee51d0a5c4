"""Everything that the project reads, each with good inputs to spoil and a way to read a spoilt one.

A reader takes bytes, and either accepts them or raises an error of `ggp.errors`. What is accepted is used a
little at once: written and read again, compiled, played for a turn, replayed, put into a table.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from ggp import debug, registry
from ggp.children import Ended
from ggp.description import read_description, read_game, write_game
from ggp.description.writing import write_levels
from ggp.encoding import Encoding
from ggp.encodings.occupancy import encode
from ggp.engines import answers, planning, puzzlescript, xcsp_run
from ggp.engines.vgdl import reader as vgdl_reader
from ggp.engines.xcsp_answers import Declared, Reader
from ggp.engines.xcsp_tools import Tool
from ggp.errors import IllegalAction, IllFormed, PuzzleError
from ggp.explain.board_files import placed_of
from ggp.harness.jobs import Job
from ggp.harness.page import model_view
from ggp.harness.pictures import Store
from ggp.harness.records import (
    EMPTY,
    MODEL_SHAPE,
    RUN_SHAPE,
    disagreements,
    records_in,
    unanswered,
    unfinished,
)
from ggp.harness.table import columns, csv_text, notes, summary
from ggp.lab.spoil import spoilt_bytes, spoilt_json, spoilt_lines, spoilt_words
from ggp.levels import builtin, declared_forms, games, linked_game
from ggp.lowering.propagate import lower
from ggp.maps import drawn_rows
from ggp.model import Game, Instance, Level, Plan
from ggp.readers import lines, url, xsb
from ggp.result import Clock, Query
from ggp.semantics import all_actions, initial_state, is_goal, placeable, step
from ggp.trajectory import plan_of, plan_text, replay
from ggp.transition import compile_instance

FILE = "spoilt"
FEW = 30  # good inputs of a reader
MOST_CELLS = 150  # of the levels that good inputs are made of, and of those that are played
MOST_PLANS = 3  # of an answer that stands for several

Spoil = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Input:
    """One thing that is read: `read` takes the name of a case (a game, a level) and bytes.

    `good` gives good bytes by case, and `share` says how many of a thousand inputs are of this sort.
    """

    name: str
    share: int
    good: Callable[[], Sequence[tuple[str, bytes]]]
    read: Callable[[str, bytes], None]
    spoilers: tuple[Spoil, ...] = (spoilt_bytes, spoilt_words, spoilt_lines)
    others: dict[str, Any] = field(default_factory=dict, compare=False)


# --- using what was accepted ----------------------------------------------------------------------------


def play(game: Game, kept: Sequence[Level], data: bytes) -> None:
    """A turn of the first level: rules may collide, and nothing else may go wrong."""
    for level in kept[:1]:
        if len(level.board) * len(level.board[0]) > MOST_CELLS:
            return
        instance = Instance(game, level)
        compile_instance(instance)
        state = initial_state(instance, partial=True)
        is_goal(instance, state)
        actions: list[Any] = [*all_actions(instance)] if game.input else [None]
        try:
            step(instance, state, actions[zlib.crc32(data) % len(actions)] if actions else None)
        except (IllFormed, IllegalAction):
            continue


def same(what: str, first: object, second: object) -> None:
    """Raise AssertionError where what was written is read back as something else."""
    if first != second:
        raise AssertionError(f"{what} reads back as something else")


# --- descriptions, levels in all forms ------------------------------------------------------------------


@cache
def small_levels() -> tuple[Instance, ...]:
    """The smallest levels of every game, two of each."""
    found = []
    for name in games():
        game, kept = builtin(name)
        small = sorted(kept, key=lambda level: len(level.board) * len(level.board[0]))[:2]
        found += [Instance(game, level) for level in small]
    return tuple(found)


@cache
def descriptions() -> Sequence[tuple[str, bytes]]:
    """Every built-in description with one of its levels, and as the writer writes it."""
    found = []
    for name in games():
        text = registry.description_text(name)
        found.append((name, b"\n[[level]]".join(text.split(b"\n[[level]]")[:2])))
    found += [(one.game.name, write_game(one.game, [one.level]).encode()) for one in small_levels()[::2]]
    return tuple(found)


def read_whole(case: str, data: bytes) -> None:
    """Read a description, write it, and play."""
    game, kept = read_game(data, FILE)
    same("the description", read_game(write_game(game, kept).encode(), "written"), (game, kept))
    play(game, kept, data)


@cache
def level_files() -> Sequence[tuple[str, bytes]]:
    """Files of levels only."""
    return tuple(
        (one.game.name, write_levels(one.game.name, one.game, [one.level]).encode()) for one in small_levels()
    )


def read_level_file(case: str, data: bytes) -> None:
    """Read a file of levels of a game, write it, and play."""
    game = builtin(case)[0]
    _, kept = read_description(data, FILE, lambda name: game)
    if kept:
        written = write_levels(case, game, kept).encode()
        same("the file", read_description(written, "written", lambda name: game)[1], kept)
    play(game, kept, data)


@cache
def form_texts(form: str) -> Sequence[tuple[str, bytes]]:
    """Texts of a level form, for every game that declares it."""
    makers: Mapping[str, Callable[[Instance], str]] = {
        "xsb": lambda one: xsb.write(one.game, one.level),
        "lines": lambda one: lines.write(one.game, one.level.board),
        "url": lambda one: registry.load("exporter", "url").export(one),
        "headed": headed_text,
        "placed": placed_text,
    }
    found = []
    for name, forms in declared_forms().items():
        for level in builtin(name)[1] if form in forms else ():
            try:
                found.append((name, makers[form](Instance(builtin(name)[0], level)).encode()))
            except PuzzleError:  # a level that the form cannot hold
                continue
    return tuple(found)


def headed_text(one: Instance) -> str:
    """Numbers, then the map."""
    numbers = [str(one.level.horizon or 9), *(str(number) for _, number in one.level.numbers)]
    return "\n".join([*numbers, *drawn_rows(one.game, one.level.board)]) + "\n"


def placed_text(one: Instance) -> str:
    """Words with numbers, by the form's own settings."""
    settings = dict(one.game.forms)["placed"]
    board = one.level.board
    sides = {"width": len(board[0]), "height": len(board)}
    words = [f"{settings['size'][0]}:{','.join(str(sides.get(side, 0)) for side in settings['size'][1:])}"]
    for row, line in enumerate(board):
        for column, here in enumerate(line):
            kinds = {piece.kind for piece in here}
            words += [f"{word}:{column},{row}" for word, kind in settings["pieces"].items() if kind in kinds]
    return " ".join(words) + "\n"


def read_form(form: str, case: str, data: bytes) -> None:
    """Read levels of a form, and play."""
    game = builtin(case)[0]
    kept = registry.load("level form", form).read(data, FILE, game, dict(game.forms).get(form, {}))
    if form == "xsb" and kept and all(drawable(game, level) for level in kept):
        (again,) = xsb.read(xsb.write(game, kept[0]).encode(), "again", game, {})
        same("the map", (again.board, again.horizon), (kept[0].board, kept[0].horizon))
    play(game, kept, data)


def drawable(game: Game, level: Level) -> bool:
    """Can the form show this map? Not one whose outer cells are blank."""
    rows = drawn_rows(game, level.board)
    return all(row.strip() and row == row.strip() for row in rows)


def read_link(case: str, data: bytes) -> None:
    """Read a link whose game is found by its type."""
    text = data.decode("utf-8", "replace")
    if url.is_link(text):
        game = builtin(linked_game(text))[0]
        kept = url.read(text.encode(), "URL", game, dict(game.forms).get("url", {}))
        play(game, kept, data)


# --- plans ----------------------------------------------------------------------------------------------


@cache
def by_name() -> Mapping[str, Instance]:
    """The small levels by name."""
    return {one.name: one for one in small_levels()}


def some_plan(instance: Instance) -> Plan:
    """A plan that wins, where one is known; else one that is allowed."""
    if instance.level.known.wins:
        return instance.level.known.wins[0]
    design = ((((0, 0), placeable(instance)[0])),) if placeable(instance) else ()
    actions = tuple(map(str, list(all_actions(instance))[:4]))
    return Plan(design, actions)


@cache
def plan_files() -> Sequence[tuple[str, bytes]]:
    """A plan file for every small level, and what `ggp solve --json` prints."""
    found = []
    for name, one in by_name().items():
        text = plan_text(one, some_plan(one))
        found.append((name, text.encode()))
        whole = {"level": name, "stop": "optimal", "plans": [json.loads(text)]}
        found.append((name, json.dumps(whole).encode()))
    return tuple(found)


def read_plan(case: str, data: bytes) -> None:
    """Read a plan, replay it, and write it."""
    instance = by_name()[case]
    if instance.level.horizon is None:  # else a run that nothing decides might have no end
        instance = replace(instance, level=replace(instance.level, horizon=50))
    plan = plan_of(data, FILE, instance)
    same("the plan", plan_of(plan_text(instance, plan).encode(), "written", instance).actions, plan.actions)
    replay(instance, plan)


@cache
def boards() -> Sequence[tuple[str, bytes]]:
    """Maps of small levels in which something is placed, as players hand them in."""
    return tuple(
        (one.name, "\n".join(drawn_rows(one.game, one.level.board)).encode()) for one in small_levels()
    ) + tuple(plan_files()[::2])


def read_board(case: str, data: bytes) -> None:
    """Read a board that is partly filled in."""
    placed_of(data, FILE, by_name()[case])


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
        if not wins or len(one.level.board) * len(one.level.board[0]) * (1 + (one.level.horizon or 0)) > 80:
            continue
        encoding = lower(encode(one, horizon=one.level.horizon or len(wins[0].actions)))
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
    session.reader = reader = Reader("fuzz", written.declared)
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
            found.append((one.name, exporter.split(exporter.export(one))[0].encode()))
        except PuzzleError:
            continue
    return tuple(sorted(found, key=lambda item: len(item[1]))[: FEW // 3])


def read_vgdl(case: str, data: bytes) -> None:
    """Read a game of VGDL."""
    vgdl_reader.read(data.decode("utf-8", "replace"), FILE)


def inputs() -> Iterator[Input]:
    """Everything that is read."""
    yield Input("descriptions", 60, descriptions, read_whole)
    yield Input("files of levels", 90, level_files, read_level_file)
    for form, share in (("xsb", 110), ("headed", 60), ("placed", 80), ("lines", 60), ("url", 110)):
        yield Input(f"levels as {form}", share, partial(form_texts, form), partial(read_form, form))
    yield Input("links", 70, partial(form_texts, "url"), read_link)
    yield Input("plans", 120, plan_files, read_plan, (spoilt_json, spoilt_json, spoilt_bytes, spoilt_words))
    yield Input("boards", 60, boards, read_board)
    yield Input("journals", 60, journals, read_journal, (spoilt_records, spoilt_records, spoilt_bytes))
    yield Input("learned models", 20, models, read_model, (spoilt_records, spoilt_bytes, spoilt_words))
    yield Input("answers of XCSP3 solvers", 60, xcsp_answers, read_xcsp)
    yield Input("answers of workers", 30, lambda: WORKERS, read_worker, (spoilt_json_lines, spoilt_bytes))
    yield Input("VGDL", 10, vgdl_texts, read_vgdl)


def spoilt_json_lines(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One line of JSON of several, spoilt."""
    every = data.rstrip(b"\n").split(b"\n")
    at = rng.randrange(len(every))
    every[at] = spoilt_json(rng, every[at], [other.split(b"\n")[0] for other in others])
    return b"\n".join(every) + b"\n"


def spoilt_records(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A journal with a spoilt record, which another one may follow."""
    return spoilt_json_lines(rng, data, others) + (rng.choice(others) if rng.random() < 0.3 else b"")
