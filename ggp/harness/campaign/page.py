"""A campaign as one HTML file that needs nothing else: wrong answers first, then scores, plots and records.

The records go into the page as data and become tables and plots there, so that a thousand of them can be
sorted and filtered. Every text goes through the template's escaping, or stands on the page as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ggp.harness.campaign import course, plots, tables
from ggp.harness.campaign.choosing import instance_of
from ggp.harness.campaign.measures import cactus, entrants, name_of, outcomes
from ggp.harness.campaign.results import Results, flat
from ggp.harness.page import model_view, player_view, resource, solution_view, solutions, template
from ggp.harness.pictures import Store
from ggp.harness.records import Record, cost_of
from ggp.model import Instance

PLANS = 2  # of a level that are played
ROOM = 4_000_000  # characters of levels and plans; the records come besides
FOR_PLANS = 3_000_000  # of these
FRAME = '<g id="e-00000"></g>\n'  # around each element
COLUMNS = {  # of the table of records: heads, and the columns of `flat`
    "level": "level",
    "entrant": "solver",
    "want": "question",
    "seed": "seed",
    "repeat": "repeat",
    "stop": "stop",
    "objective": "objective",
    "bound": "bound",
    "proof": "proof",
    "seconds": "s",
    "cpu_seconds": "s, processor",
    "encode_seconds": "s to encode",
    "first_seconds": "s to first",
    "memory_mb": "MB",
    "variables": "variables",
    "constraints": "constraints",
    "note": "note",
}
NUMBERS = frozenset("seed repeat objective bound memory_mb variables constraints".split())


def page(found: Results) -> str:
    """The text of the HTML file."""
    from markupsafe import Markup

    store = Store()
    names = list(dict.fromkeys(record["level"] for record in found.records))
    instances = {name: instance_of(found, name) for name in names}
    levels = list(level_views(found, instances, store))
    rules = list(learned_views(found.models, instances.values(), store))
    drawn = [{**level, "id": f"level-{number}"} for number, level in enumerate(levels)]
    return str(
        template("campaign.html").render(
            title=f"{len(found.records):,} records of {len(names):,} levels",
            style=Markup(resource("page.css") + resource("campaign.css")),
            script=Markup(resource("page.js") + resource("campaign.js")),
            wrong=tables.wrong_lines(found.records),
            summary=[line for line in tables.summary(found) if not line.startswith("WRONG")],
            heads=tables.HEADS,
            scores=tables.rows_of(found.records) if found.records else [],
            sentences=tables.sentences(found),
            rules=rules,
            levels=drawn,
            undrawn=[name for name in names if name not in {level["name"] for level in levels}],
            definitions=Markup("".join(store.definitions.values())),
            elements=[Markup(text) for text in store.elements],
            data=[level["data"] for level in drawn],
            records=data_of(found.records),
            bokeh=plots.script() if found.records else "",
            texts=found.texts,
            versions=sorted({f"{n} {v}" for one in found.records for n, v in one["versions"].items()}),
        )
    )


def data_of(records: Sequence[Record]) -> dict[str, Any]:
    """The records as the script takes them: columns by head, rows of values, and what is drawn."""
    several = len({record["path"] for record in records}) > 1
    rows = []
    for record in records:
        row = {**flat(record), "entrant": name_of(record, several)}
        if record["wrong"]:
            row["stop"], row["note"] = "wrong", record["wrong"]
        rows.append([short(row[key]) for key in COLUMNS])
    found = outcomes(records)
    cases = list(dict.fromkeys((record["level"], record["want"]) for record in records))
    times = {name: [seconds_of(by_case.get(case)) for case in cases] for name, by_case in found.items()}
    limit = max((record["cost_limit"] for record in records), default=1.0)
    data = {
        "heads": list(COLUMNS.values()),
        "numbers": [key in NUMBERS or key.endswith("seconds") for key in COLUMNS],
        "rows": rows,
        "entrants": entrants(records),
        "cases": [f"{level}, {want}" for level, want in cases],
        "times": times,
        "cactus": cactus(found),
        "quality": course.quality(records),
        "sizes": course.sizes(records),
        "limit": limit,
        "beyond": plots.BEYOND * limit,
        "colours": plots.COLOURS,
    }
    figures, least = plots.figures(data), plots.least(data)
    # These are in the figures now, and the page's script does not ask for them.
    del data["quality"], data["sizes"]
    return data | {"figures": figures, "least": least}


def seconds_of(outcome: Any) -> float | None:
    """When a case was solved; None where it was not."""
    return None if outcome is None else outcome.seconds


def short(value: Any) -> Any:
    """A value as the page needs it."""
    return round(value, 3) if isinstance(value, float) else value[:300] if isinstance(value, str) else value


# --- levels -----------------------------------------------------------------------------------------------


def level_views(
    found: Results, instances: Mapping[str, Instance | None], store: Store
) -> Iterator[dict[str, Any]]:
    """Each level with the best of its plans, as long as there is room for plans, and then for levels."""
    used = drawn = 0
    for name, instance in instances.items():
        if instance is None or used > ROOM:
            continue
        own = [record for record in found.records if record["level"] == name]
        kept = solutions(best_of(own), instance) if used < FOR_PLANS else []
        shown = [solution_view(instance, one, store) for one in kept[:PLANS]]
        view = player_view(instance, shown, store)
        news = islice(store.elements, drawn, None)
        used += len(json.dumps(view["data"])) + sum(len(text) + len(FRAME) for text in news)
        drawn = len(store.elements)
        yield {**view, "hidden": 0}


def learned_views(
    models: Sequence[Record], instances: Iterable[Instance | None], store: Store
) -> Iterator[dict[str, Any]]:
    """What was learned of each game that has records here, once for each seed; not why nothing was."""
    games = {one.game.name: one for one in instances if one is not None}
    for model in models:
        if model["stop"] == "done" and model.get("game") in games:
            view = model_view(games[model["game"]], model, store)
            if not view["failed"]:
                yield view


def best_of(records: Sequence[Record]) -> list[Record]:
    """The records whose plans are worth a look: those that fail, and one of the best."""
    good = [record for record in records if record["plans"] and not record["wrong"]]
    good.sort(key=lambda one: (one["bricks"] is None, cost_of(one, one["bricks"] or 0)))
    bad = [record for record in records if record["replayed"] is False]
    return [{**one, "plans": one["plans"][:PLANS]} for one in [*bad[:1], *good[:1]]]
