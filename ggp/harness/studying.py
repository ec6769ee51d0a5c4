"""`ggp study`: every level of a file, each in a process of its own; a table, data, and one page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ggp.errors import PuzzleError
from ggp.explain.firing import rules_of
from ggp.files.writing import write_whole
from ggp.harness.jobs import Job, Settings, key_of, our_versions
from ggp.harness.journal import Journal
from ggp.harness.page import facts, filled, judged, solution_view
from ggp.harness.pictures import Store, size_of
from ggp.harness.pool import Pool
from ggp.harness.records import Record, is_text
from ggp.harness.table import NOTHING, Column
from ggp.model import Instance
from ggp.model.features import GOAL_WORDS, LUCK, SCAN, SOLVABLE, require
from ggp.referee.semantics import initial_state

JOURNAL = "study.jsonl"
MOST_NAMED = 20  # rules, or objects
SHAPE = MappingProxyType({"stop": is_text, "note": is_text})
PAGES = (".html", ".htm")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """What was found out of a file: a record a level, in order."""

    name: str
    instances: tuple[Instance, ...]
    records: tuple[Record, ...]
    settings: Settings

    @property
    def studied(self) -> list[Record]:
        """Of the levels that were studied, what was found out."""
        return [record["study"] for record in self.records if record["stop"] == "done"]

    @property
    def whole(self) -> bool:
        """Were all states of all levels seen?"""
        return len(self.studied) == len(self.records) and all(one["whole"] for one in self.studied)

    def idle_rules(self) -> list[str]:
        """The rules that did nothing in any state that was seen; none where no level was studied.

        Of a game from another system's file they are what the file says, whatever became of it.
        """
        if not self.studied:
            return []
        fired = {name for one in self.studied for name in one["fired"]}
        origin = self.instances[0].game.origin
        if origin is not None:
            return [said for said, names in origin.rules if fired.isdisjoint(names)]
        return [name for name in rules_of(self.instances[0]) if name not in fired]

    def unused_kinds(self) -> list[str]:
        """The kinds that stood on no board that was seen; markers vanish before anyone sees them."""
        if not self.studied:
            return []
        stood = {name for one in self.studied for name in one["stood"]}
        game = self.instances[0].game
        if game.origin is not None:
            return [said for said, names in game.origin.things if stood.isdisjoint(names)]
        return [kind.name for kind in game.kinds if not kind.marker and kind.name not in stood]

    @property
    def answered(self) -> bool:
        """Is it known of every level whether it can be solved?"""
        return len(self.studied) == len(self.records) and all(
            one["solvable"] is not None for one in self.studied
        )

    def to_json(self) -> dict[str, Any]:
        """As data."""
        return {
            "file": self.name,
            "levels": [row(one, record) for one, record in zip(self.instances, self.records, strict=True)],
            "whole": self.whole,
            "idle_rules": self.idle_rules(),
            "unused_kinds": self.unused_kinds(),
        }


def row(instance: Instance, record: Record) -> Record:
    """What is said of a level, also of one that was not studied."""
    told = {"level": instance.level.name, "stop": record["stop"], "note": record["note"]}
    return {**record.get("study", {}), **told}


def study_all(
    name: str, instances: Sequence[Instance], settings: Settings, folder: Path | None, say: Say
) -> Report:
    """Study levels; with a folder each record stands there as it comes, and those there are taken over."""
    for one in instances:
        require(one, "ggp study", (SOLVABLE | SCAN | GOAL_WORDS) - LUCK)
    jobs = [Job("study", "study", "", one, settings=settings, versions=our_versions()) for one in instances]
    jobs = [replace(job, key=key_of(job)) for job in jobs]
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None if folder is None else folder / JOURNAL, SHAPE))
        pool = stack.enter_context(Pool(settings.workers))
        waiting = [job for key, job in {one.key: one for one in jobs}.items() if key not in journal.records]
        while waiting or pool.busy:
            while waiting and pool.free:
                say(f"{waiting[0].level}, {len(jobs) - len(waiting) + 1} of {len(jobs)}")
                pool.start(waiting.pop(0))
            for job, word, value in pool.events(0.1):
                if word == "done":
                    journal.add(job.key, value)
        return Report(name, tuple(instances), tuple(journal.records[job.key] for job in jobs), settings)


# --- shown ------------------------------------------------------------------------------------------------


def yes_or_no(value: bool | None) -> str:
    """A truth in words."""
    return {True: "yes", False: "no", None: "not known"}[value]


def fewest(one: Record) -> str | None:
    """The fewest moves, or what is known of them."""
    if "solvable" not in one or one["solvable"] is False:
        return None
    if one["fewest"] is None:
        return f"at least {one['at_least']}"
    return str(one["fewest"]) if one["proved"] else f"at most {one['fewest']}"


def states(one: Record) -> str | None:
    """How many states there are."""
    if "states" not in one:
        return None
    return f"{one['states']:,}" if one["whole"] else f"at least {one['states']:,}"


def share(one: Record) -> str | None:
    """How many of them are dead."""
    dead = one.get("dead")
    return None if dead is None else f"{100 * dead / one['states']:.0f} %"


def lost(one: Record) -> str | None:
    """Where it is lost first."""
    if one.get("lost_at") is None:
        return "nowhere" if one.get("whole") and one.get("plan") else None
    return f"{one['lost_at']} ({one['lost_by']})"


def hardness(one: Record) -> str | None:
    """How hard it is."""
    return None if one.get("bits") is None else f"{one['difficulty']}, {one['bits']} bits"


COLUMNS = (
    Column("level", lambda r: r["level"], number=False),
    Column("solvable", lambda r: yes_or_no(r.get("solvable")), number=False),
    Column("fewest moves", fewest),
    Column("shortest solutions", lambda r: r.get("shortest")),
    Column("states", states),
    Column("dead", share),
    Column("lost first at move", lost),
    Column("difficulty", hardness, number=False),
    Column("goal holds at the start", lambda r: "yes" if r.get("won_at_start") else None, number=False),
    Column("seconds", lambda r: r.get("seconds")),
)


def table(report: Report) -> Any:
    """The table for a terminal."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for column in COLUMNS:
        made.add_column(column.title, justify="right" if column.number else "left")
    for one in report.to_json()["levels"]:
        made.add_row(*(column.cell(one) for column in COLUMNS))
    return made


def lines(report: Report) -> Iterator[str]:
    """What stands below the table: what is never used, and what was not finished."""
    said = "in no state" if report.whole else "in no state that was seen (there may be others)"
    kinds = {"rules that do something": report.idle_rules(), "objects on the board": report.unused_kinds()}
    for what, names in kinds.items():
        if names:
            more = f" and {len(names) - MOST_NAMED} more (--json has all)" if names[MOST_NAMED:] else ""
            yield f"{what} {said}: {', '.join(names[:MOST_NAMED])}{more}"
    for one in report.to_json()["levels"]:
        if one["note"]:
            yield f"{one['level']}: {one['note']}"


# --- the page ---------------------------------------------------------------------------------------------

STUDIED = {
    "done": "Studied",
    "table": "The levels",
    "label": "Table of the levels",
    "none": "No solution is known.",
    "each": "Each level",
}


def page(report: Report) -> str:
    """One HTML file: the table, and each level drawn, with its solution to step through."""
    store = Store()
    rows = report.to_json()["levels"]
    views = [
        level_view(instance, one, store, f"level-{number}")
        for number, (instance, one) in enumerate(zip(report.instances, rows, strict=True))
    ]
    solvable = sum(one.get("solvable") is True for one in rows)
    return filled(
        store,
        views,
        title=report.instances[0].game.title or report.name,
        words=STUDIED,
        summary=[f"{solvable} of {len(rows)} levels can be solved", *lines(report)],
        good=solvable == len(rows),
        table=table_view(rows),
        notes=[],
        settings=report.settings,
        curves=None,
        sides=None,
        versions=our_versions(),
    )


def table_view(rows: Sequence[Record]) -> dict[str, Any]:
    """The table as the page wants it."""
    made = [
        {
            "cells": [{"text": c.cell(one), "sort": c.value(one) or "", "number": c.number} for c in COLUMNS],
            "good": one.get("solvable") is True,
        }
        for one in rows
    ]
    return {"heads": COLUMNS, "rows": made, "nothing": NOTHING}


def level_view(instance: Instance, one: Record, store: Store, name: str) -> dict[str, Any]:
    """All that the page says of a level."""
    start = store.frame(instance, initial_state(instance))
    plan = one.get("plan")
    shown = []
    if plan is not None:
        shown = [solution_view(instance, judged(instance, {"design": [], "actions": list(plan)}, ()), store)]
    told = [(column.title, column.cell(one)) for column in COLUMNS[1:] if column.value(one) is not None]
    return {
        "id": name,
        "name": instance.name,
        "title": instance.level.title or instance.name,
        "about": "",
        "facts": [*facts(instance), *told],
        "size": size_of(instance),
        "start": start,
        "solutions": shown,
        "hidden": 0,
        "described": None,
        "learned": None,
        "exports": [],
        "data": {"plans": [{"frames": [start], "actions": []}, *(one["data"] for one in shown)]},
    }


def place_of(output: Path | None) -> tuple[Path | None, Path | None]:
    """(the folder for records, the file of the page) for what `-o` names."""
    if output is None:
        return None, None
    if output.suffix in PAGES:
        return None, output
    if (output / "index.html").exists() and not (output / JOURNAL).exists():
        message = f"there is an index.html in {output} that is from no study"
        raise PuzzleError(message, "choose another place (-o), so that it is not written over")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PuzzleError(
            f"cannot make the folder {output}: {error.strerror}", "choose another place (-o)"
        ) from None
    return output, output / "index.html"


def written(report: Report, file: Path) -> None:
    """Write the page. Raises PuzzleError where that cannot be."""
    write_whole(file, page(report).encode())
