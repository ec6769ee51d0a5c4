"""Who vouches for the negative part of each record, seen from all records of a comparison.

What a solver says of plans that are not there is `wrong` where another run has a plan that shows it, or where
it differs from what was checked; it is `agreed` where a solver with another engine says the same by the same
path. Two solvers with one engine are one, and the engine of a program that nobody here knows is unknown.
Solvers that were all given one encoding would agree upon a fault of it, too: `one_encoding` says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ggp.harness.records import Record, answer, cost_of, finished, name_of
from ggp.model.result import negative
from ggp.tasks.vouching import NONE, WRONG

SAYS = (
    *("solver", "encoded", "path", "stop", "complete", "count", "objective", "bound", "answers"),
    *("best", "plans", "proof", "replayed", "won"),
)
Engines = Mapping[str, str]
"""What answers in each solver, by the solver's name; empty where it is not known."""


def vouched(records: Sequence[Record], engines: Engines) -> list[Record]:
    """The records with `proof` and `vouched`; those that are wrong no longer count as finished."""
    told = [{"proof": None, "vouched": [], "one_encoding": False, **record} for record in records]
    told = [{**one, "proof": one["proof"] or ("claimed" if says_none(one) else None)} for one in told]
    told = [refuted(one, others) for one, others in with_others(told)]
    return [agreed(one, others, engines) for one, others in with_others(told)]


def with_others(records: Sequence[Record]) -> Iterator[tuple[Record, list[Record]]]:
    """Each record with others that were asked the same of the same level: of those that say the same, one."""
    alike: dict[tuple[str, str], dict[str, Record]] = {}
    told = [saying(record) for record in records]
    for record, text in zip(records, told, strict=True):
        alike.setdefault((record["level"], record["want"]), {}).setdefault(text, record)
    for record, text in zip(records, told, strict=True):
        others = alike[record["level"], record["want"]]
        yield record, [other for said, other in others.items() if said != text]


def saying(record: Record) -> str:
    """All that a record says, and who says it; what differs from run to run is left out."""
    return json.dumps([finished(record), *(record.get(key) for key in SAYS)], sort_keys=True)


def says_none(record: Record) -> bool:
    """Does it say something of plans that are not there?"""
    return negative(record["stop"], record["complete"], record["bound"])


def refuted(record: Record, others: Sequence[Record]) -> Record:
    """The record, `wrong` where another one shows it."""
    if record["proof"] == "claimed":
        reason = next(contradictions(record, others), "")
        if reason:
            note = "\n".join(part for part in (record["note"], WRONG + reason) if part)
            record = {**record, "proof": "wrong", "note": note}
    return {**record, "all_seconds": None} if record["proof"] == "wrong" else record


def contradictions(record: Record, others: Sequence[Record]) -> Iterator[str]:
    """Sentences that say what another run found that cannot be if this record is right."""
    for other in others:
        if other["replayed"] and other["won"]:
            yield from against(record, other)
        both = other["proof"] == "checked" and finished(other) and finished(record)
        if both and answer(other) != answer(record):
            yield f"{name_of(other)} found something else, and a proof of it was checked"


def against(record: Record, other: Record) -> Iterator[str]:
    """What the replayed plans of another run say against a record."""
    if record["stop"] in NONE:
        # "None within so many turns" that is not complete is about fewer turns than the level has.
        if record["complete"] or record["stop"] == "unsolvable":
            yield f"{name_of(other)} has a plan that wins when it is replayed"
    elif record["want"] == "best":
        bound, best = record["bound"], next(iter(other["best"].items()), None)
        if bound is None or best is None:
            return
        name, value = best
        if cost_of(record, value) < cost_of(record, bound):
            yield f"{name_of(other)} has a plan of {value} {name} that wins when it is replayed"
    elif record["complete"] and record["want"] in ("all", "unique"):
        missing = listed(other) - listed(record)
        if missing:
            yield f"{name_of(other)} has {len(missing)} more that win when they are replayed"


def listed(record: Record) -> set[str]:
    """The plans of a record."""
    return {json.dumps(plan, sort_keys=True) for plan in record["plans"]}


def agreed(record: Record, others: Sequence[Record], engines: Engines) -> Record:
    """The record, `agreed` where solvers with other engines say the same by the same path."""
    if record["proof"] != "claimed" or record["replayed"] is False:
        return record
    agreeing, engine = [], engines.get(record["solver"])
    for other in others:
        independent = engine and engines.get(other["solver"]) not in (None, "", engine)
        if independent and other["path"] == record["path"] and says_as_much(other, record):
            agreeing.append(other)
    if not agreeing:
        return record
    # Whoever got no encoding (search, the planners) has the rules from elsewhere than all others.
    encoding = record.get("encoded")
    one = bool(encoding) and all(other.get("encoded") == encoding for other in agreeing)
    names = [other["solver"] for other in agreeing]
    return {**record, "proof": "agreed", "vouched": names, "one_encoding": one}


def says_as_much(other: Record, record: Record) -> bool:
    """Does another record, if it is right, say all that this one says of plans that are not there?"""
    if other["proof"] in (None, "wrong") or other["replayed"] is False:
        return False
    if record["stop"] in NONE:
        whole: Any = other["complete"] and record["complete"]
        return other["stop"] == "unsolvable" or (record["stop"] == other["stop"] and bool(whole))
    if record["want"] == "best":
        bounds = other["bound"], record["bound"]
        return None not in bounds and cost_of(record, bounds[0]) >= cost_of(record, bounds[1])
    return finished(other) and finished(record) and answer(other) == answer(record)
