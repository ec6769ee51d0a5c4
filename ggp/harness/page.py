"""A comparison as one HTML file that needs nothing else: no network, no fonts, no other file.

Every text goes through the template's escaping; pictures are markup made by the XML library. A policy in the
page itself forbids it to load anything.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from ggp.errors import Place, PuzzleError
from ggp.harness.pictures import Store, size_of
from ggp.harness.records import Record, finished
from ggp.harness.runner import Comparison, learned_game
from ggp.harness.table import NOTHING, columns, notes, summary
from ggp.language.description.writing import phase_sections
from ggp.language.rule_language import read_piece
from ggp.model import Game, Instance, Level, Piece, Plan
from ggp.model.board import State, amount, height, width
from ggp.referee.semantics import initial_state
from ggp.referee.session import Session
from ggp.referee.stock import budget, each_kind
from ggp.referee.trajectory import Verdict, piece_text, plan_from_json, replay
from ggp.render.svg import Decorations

SHOWN = 24  # solutions of a level that are played; the others are counted
LONGEST = 400_000  # characters of an exported text that stand on the page
MOST_FRAMES = 4000  # of all solutions of a level


@dataclass(frozen=True)
class Solution:
    """A distinct plan of a level: which runs found it, and what the referee says of it."""

    plan: Plan
    verdict: Verdict | None  # None: its design is not allowed
    reason: str
    runs: tuple[str, ...]

    @property
    def won(self) -> bool:
        """Does it win?"""
        return self.verdict is not None and self.verdict.won


def solutions(records: Sequence[Record], instance: Instance) -> list[Solution]:
    """The distinct plans of a level over all its runs, those that win first, each replayed."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for record in records:
        if record["level"] == instance.name:
            for data in record["plans"]:
                key = json.dumps(data, sort_keys=True)
                found.setdefault(key, (data, []))[1].append(f"{record['solver']}, {record['path']}")
    made = [judged(instance, data, runs) for data, runs in found.values()]
    return sorted(made, key=lambda one: (not one.won, one.plan.design, one.plan.actions))


def judged(instance: Instance, data: Any, runs: Sequence[str]) -> Solution:
    """A plan of a record with its verdict."""
    try:
        plan = plan_from_json(instance, data)
        verdict = replay(instance, plan)
    except PuzzleError as error:
        return Solution(Plan(), None, error.findings[0].message, tuple(runs))
    return Solution(plan, verdict, verdict.reason, tuple(runs))


# --- what the template gets -----------------------------------------------------------------------------


def page(comparison: Comparison) -> str:
    """The text of the HTML file."""
    store = Store()
    levels = [
        level_view(comparison, instance, store, f"level-{number}")
        for number, instance in enumerate(comparison.instances)
    ]
    names = ", ".join(instance.name for instance in comparison.instances)
    return filled(
        store,
        levels,
        title=names,
        words=COMPARED,
        summary=summary(comparison.records),
        good=not comparison.complaints(),
        table=table_view(comparison.records),
        notes=notes(comparison.records),
        settings=comparison.settings,
        curves=curves_view(comparison.points),
        sides=sides_view(comparison.sides()),
        versions=versions(comparison.records),
    )


COMPARED = {
    "done": "Compared",
    "table": "The runs",
    "label": "Table of the runs",
    "none": "No run found a plan.",
    "each": "Each run",
}
"""What the page calls things, where runs were compared."""


def filled(store: Store, levels: Sequence[dict[str, Any]], **parts: Any) -> str:
    """The text of a page of levels, with whatever else stands on it."""
    from markupsafe import Markup

    text: str = template("page.html").render(
        style=Markup(resource("page.css")),
        script=Markup(resource("page.js")),
        levels=levels,
        definitions=Markup("".join(store.definitions.values())),
        elements=[Markup(text) for text in store.elements],
        data=[level["data"] for level in levels],
        **parts,
    )
    return text


def sides_view(rows: Sequence[Record]) -> dict[str, Any] | None:
    """The table of learned against described, where both were asked for."""
    from ggp.harness import sides

    return {"heads": list(sides.HEADS.values()), "rows": list(map(sides.cells, rows))} if rows else None


def curves_view(points: Sequence[Record]) -> dict[str, Any] | None:
    """The learning curves: the picture, if it can be drawn, and the table."""
    if not points:
        return None
    from ggp.harness import plots
    from ggp.harness.curves import summed

    rows = summed(points)
    picture = plots.curves_svg(rows)
    data = None if picture is None else f"data:image/svg+xml;base64,{b64encode(picture).decode()}"
    return {"picture": data, "heads": plots.heads(), "rows": [plots.cells(row) for row in rows]}


def template(name: str) -> Any:
    """A template beside this file, which escapes by default."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def resource(name: str) -> str:
    """A file beside this one."""
    return (resources.files("ggp.harness") / name).read_text(encoding="utf-8")


def versions(records: Sequence[Record]) -> dict[str, str]:
    """The versions of everything that was used."""
    found: dict[str, str] = {}
    for record in records:
        found |= record["versions"]
    return dict(sorted(found.items()))


def table_view(records: Sequence[Record]) -> dict[str, Any]:
    """The heads and the cells of the table; each cell has what it is sorted by."""
    shown = columns(records)
    rows = []
    for record in records:
        cells = []
        for column in shown:
            value = column.value(record)
            sort = value[0] if isinstance(value, tuple) else value
            sort = "" if sort is None else sort
            cells.append({"text": column.cell(record), "sort": sort, "number": column.number})
        rows.append({"cells": cells, "good": finished(record) and record["replayed"] is not False})
    return {"heads": shown, "rows": rows, "nothing": NOTHING}


def level_view(comparison: Comparison, instance: Instance, store: Store, name: str) -> dict[str, Any]:
    """All that the page says of a level."""
    found = solutions(comparison.records, instance)
    shown = [solution_view(instance, solution, store) for solution in few_enough(found)]
    model = comparison.model(instance)
    exports = comparison.exports.get(instance.name, {})
    return {
        **player_view(instance, shown, store),
        "id": name,
        "hidden": len(found) - len(shown),
        "described": rules_of(instance.game),
        "learned": None if model is None else model_view(instance, model, store),
        "exports": [export_view(instance, kind, answer) for kind, answer in exports.items()],
    }


def player_view(instance: Instance, shown: list[dict[str, Any]], store: Store) -> dict[str, Any]:
    """What the player of a level gets, with the solutions that are shown."""
    start = store.frame(instance, initial_state(instance, partial=True))
    return {
        "name": instance.name,
        "title": instance.level.title or instance.game.title,
        "about": instance.game.said,
        "facts": facts(instance),
        "size": size_of(instance),
        "start": start,
        "solutions": shown,
        "data": {"plans": [{"frames": [start], "actions": []}, *(one["data"] for one in shown)]},
    }


def few_enough(found: Sequence[Solution]) -> list[Solution]:
    """As many solutions as a page can play."""
    shown: list[Solution] = []
    frames = 0
    for solution in found[:SHOWN]:
        frames += len(solution.verdict.states) if solution.verdict is not None else 0
        if shown and frames > MOST_FRAMES:
            break
        shown.append(solution)
    return shown


def facts(instance: Instance) -> list[tuple[str, str]]:
    """The numbers of a level and its goal, in words."""
    game, level = instance.game, instance.level
    found = [("goal", Session(instance).goal_text()), ("size", f"{height(instance)} x {width(instance)}")]
    if game.input is not None or game.physics:
        found.append(("turns", "no limit" if level.horizon is None else str(level.horizon)))
    if game.design is not None:
        limit = budget(instance)
        many = (
            "one on every free cell"
            if game.design.fill
            else "any number"
            if limit is None
            else f"at most {limit}{each_kind(instance)}"
        )
        found.append(("to place", f"{game.design.named}, {many}"))
    found += [(name, str(amount(instance, name))) for name, _ in level.numbers if name != "budget"]
    return found


def solution_view(instance: Instance, solution: Solution, store: Store) -> dict[str, Any]:
    """A solution as the page lists and plays it."""
    frames = []
    verdict = solution.verdict
    states = verdict.states if verdict is not None else ()
    for turn, state in enumerate(states):
        last = turn == len(states) - 1
        end = Decorations(outcome="won" if solution.won else "lost")
        frames.append(store.frame(instance, state, end if last else Decorations(progress=turn / len(states))))
    values = verdict.values.items() if verdict is not None else ()
    fill = instance.game.design is not None and instance.game.design.fill
    placed = [] if fill else [f"{piece_text(instance, p)} ({r}, {c})" for (r, c), p in solution.plan.design]
    return {
        "placed": " · ".join(placed),
        "actions": " ".join(solution.plan.actions),
        "scores": ", ".join(f"{value} {name}" for name, value in values),
        "won": solution.won,
        "reason": solution.reason,
        "runs": solution.runs,
        "playable": bool(frames),
        "data": {"frames": frames, "actions": list(solution.plan.actions)},
    }


def rules_of(game: Game) -> str:
    """The rules of a game as descriptions write them."""
    sections = [
        "\n".join(lines)
        for section, phases in (("turn", game.turn), ("physics", game.physics))
        for phase in phases
        for lines in phase_sections(game, section, phase)
    ]
    return "\n\n".join(sections)


def model_view(instance: Instance, model: Record, store: Store) -> dict[str, Any]:
    """What was learned of a game, or why nothing was."""
    if model["stop"] != "done":
        return {"failed": model["note"] or model["stop"]}
    game = learned_game(model)
    if isinstance(game, str):
        return {"failed": game}
    try:
        shown = counterexample_view(instance, model["counterexample"], store)
    except (PuzzleError, KeyError, ValueError):  # a journal that somebody has changed
        return {"failed": "its record cannot be read"}
    rules = rules_of(game)
    return {**model, "failed": "", "rules": rules, "counterexample": shown}


def counterexample_view(instance: Instance, data: Any, store: Store) -> dict[str, Any] | None:
    """The smallest board on which the learned rules differ, before a turn and after it by either."""
    if data is None:
        return None
    columns = data["columns"]
    states = {
        name: None if data[name] is None else State(tuple(frozenset(map(piece, here)) for here in data[name]))
        for name in ("before", "described", "learned")
    }
    board = states["before"].board if states["before"] is not None else ()
    rows = tuple(board[start : start + columns] for start in range(0, len(board), columns))
    tiny = replace(instance, level=Level("counterexample", rows))
    pictures = [(name, None if state is None else store.frame(tiny, state)) for name, state in states.items()]
    return {"pictures": pictures, "size": size_of(tiny), "action": data["action"]}


def piece(text: str) -> Piece:
    """A piece as a journal has it."""
    return read_piece(text, Place("the journal"))


def export_view(instance: Instance, name: str, answer: Record) -> dict[str, Any]:
    """An exported text, or the sentence that says why there is none."""
    text, refusal = answer.get("text", ""), ""
    if answer["stop"] != "done":
        refusal = answer["note"] or answer["stop"]
    elif len(text) > LONGEST:
        refusal = f"The text has {len(text):,} characters: ggp export {instance.name} --to {name} -o FILE"
        text = ""
    return {"name": name, "text": text, "refusal": refusal, "lines": len(text.splitlines())}
