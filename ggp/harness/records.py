"""Records: what one looks like, and whether several agree.

A record is a dict with the keys of `ggp solve --json` and those that `EMPTY` adds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ggp.errors import in_line
from ggp.harness.jobs import Job
from ggp.model.result import Result, answers_of, to_json
from ggp.tasks.vouching import WRONG

Record = dict[str, Any]
Shape = Mapping[str, Callable[[Any], bool]]
"""What the values of a record must be, by their keys."""

EMPTY: Mapping[str, Any] = {
    "path": "described",  # or learned
    "want": "all",  # or best, where the player makes turns
    "solutions": None,  # how many plans are listed
    "best": {},  # of each of the game's objectives, over the plans
    "bricks": None,  # of its first objective
    "highest": False,  # that is a score: more is better
    "encode_seconds": None,
    "first_seconds": None,
    "all_seconds": None,  # to the last plan, and the proof that there are no more or no better ones
    "replayed": None,  # does every plan win by the described rules? None: there is no plan
    "won": 0,  # how many do
    "fault": "",  # why one does not
    "cpu_seconds": None,  # of all its processes
    "memory_mb": None,  # the most that all its processes held at once, where it was seen
    "start_seconds": None,  # of `seconds`, what the smallest question takes: a start, where there is one
    "compile_seconds": None,  # that the run before took, which does not count
    "trace": [],  # [seconds, value] of the objective, better and better
    "answers": None,  # where it is asked whether there is one: unique, several, none or unknown
    "rollouts": None,
    "examples": None,
    "certificate": None,  # {"exact": bool, "text": str, "scope": str}
    "learn_seconds": None,
}
"""What a record has besides the keys of a result."""


def is_text(value: Any) -> bool:
    """A text?"""
    return isinstance(value, str)


def is_count(value: Any) -> bool:
    """A whole number, and not true or false?"""
    return type(value) is int


def is_number(value: Any) -> bool:
    """A number?"""
    return type(value) in (int, float)


def is_fact(value: Any) -> bool:
    """True or false?"""
    return type(value) is bool


def is_certificate(value: Any) -> bool:
    """What the record of a learned game says of its certificate?"""
    return isinstance(value, dict) and is_fact(value.get("exact")) and is_text(value.get("text"))


def is_counterexample(value: Any) -> bool:
    """What the record of a learned game shows of a board on which it differs?"""
    board = or_none(listed(listed(is_text)))
    return (
        isinstance(value, dict)
        and all(is_count(value.get(side)) and value[side] > 0 for side in ("rows", "columns"))
        and or_none(is_text)(value.get("action", 0))
        and all(name in value and board(value[name]) for name in ("before", "described", "learned"))
    )


def or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Such a value, or None."""
    return lambda value: value is None or fits(value)


def listed(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list of such values."""
    return lambda value: isinstance(value, list) and all(map(fits, value))


def named(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Such values by name."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


RUN_SHAPE: Shape = MappingProxyType(
    dict.fromkeys(("level", "path", "solver", "stop", "want", "note", "fault"), is_text)
    | dict.fromkeys(("solutions", "bricks", "objective", "count", "rollouts", "examples"), or_none(is_count))
    | dict.fromkeys(
        ("encode_seconds", "first_seconds", "all_seconds", "memory_mb", "learn_seconds"), or_none(is_number)
    )
    | {"plans": listed(lambda plan: isinstance(plan, dict)), "best": named(is_count), "won": is_count}
    | {"sizes": named(is_count), "versions": named(is_text), "seconds": is_number}
    | {"complete": is_fact, "highest": is_fact, "bound": or_none(is_count), "replayed": or_none(is_fact)}
    | {"certificate": or_none(is_certificate), "proof": or_none(is_text), "vouched": listed(is_text)}
    | {"options": named(lambda value: is_text(value) or is_count(value))}
)
"""What is read of the record of a run."""
LATER: Record = {"proof": None, "vouched": [], "options": {}, "highest": False}
"""What records of older versions lack, and stands for it."""
MODEL_SHAPE: Shape = MappingProxyType({"stop": is_text, "note": is_text})
"""What is read of the record of a learned game, whatever came of it."""
EXPORT_SHAPE: Shape = MODEL_SHAPE
"""What is read of the record of an export, whatever came of it."""
TEXT_SHAPE: Shape = MappingProxyType({"text": is_text, "suffix": is_text})
"""What is read besides of one that has a text."""
LEARNED_SHAPE: Shape = MappingProxyType(
    {"model": is_text, "certificate": is_certificate, "rules_text": is_text}
    | {"seconds": is_number, "rollouts": is_count, "examples": is_count}
    | {"counterexample": or_none(is_counterexample)}
)
"""What is read besides where a game was learned."""
CURVE_SHAPE: Shape = MODEL_SHAPE
"""What is read of a point of a learning curve, whatever came of it."""
AT_LEVEL_SHAPE: Shape = MappingProxyType(
    dict.fromkeys(("level", "stop", "described_stop"), is_text)
    | dict.fromkeys(("seconds", "described_seconds"), is_number)
    | dict.fromkeys(("sizes", "described_sizes"), named(is_count))
    | dict.fromkeys(("failed", "wins", "lost", "worse"), is_fact)
    | {"rounds": is_count}
)
"""What such a point says of each level."""
POINT_SHAPE: Shape = MappingProxyType(
    dict.fromkeys(("game", "learner"), is_text)
    | dict.fromkeys(("rollouts", "seed", "turns", "fresh_turns"), is_count)
    | {"exact": or_none(is_fact), "accuracy": or_none(is_number), "learn_seconds": is_number}
    | {"levels": listed(lambda one: isinstance(one, dict) and misfit(one, AT_LEVEL_SHAPE) is None)}
)
"""What is read besides of one that was measured."""


def lasts(record: Record) -> bool:
    """Would an export end so again? Not for want of time, or of something that may be installed by then."""
    done = record["stop"] == "done" and misfit(record, TEXT_SHAPE) is None
    return done or record["stop"] == "refused"


def of_result(job: Job, result: Result, plans: list[dict[str, Any]]) -> Record:
    """The record of a result; `plans` are its plans as JSON data."""
    done = answered(job, result) and result.proof != "wrong"
    return {
        **to_json(result, plans),
        **EMPTY,
        "level": job.level,
        "path": job.path,
        "want": job.want,
        "answers": answers_of(result) if job.want == "unique" else None,
        "solutions": len(plans),
        "encode_seconds": round(result.encoding, 6) or None,
        "first_seconds": None if result.first is None else round(result.first, 6),
        "all_seconds": round(result.seconds, 6) if done else None,
    }


def answered(job: Job, result: Result) -> bool:
    """Was all answered that was asked?"""
    if job.want == "unique":
        return answers_of(result) != "unknown"
    aimless = job.want == "best" and job.instance is not None and not job.instance.game.objectives
    if aimless or job.want == "first":
        return result.stop == "satisfied" or result.complete or result.stop == "optimal"
    return result.complete or result.stop == "optimal"


def unfinished(
    job: Job, stop: str, note: str, *, seconds: float = 0.0, plans: Sequence[dict[str, Any]] = ()
) -> Record:
    """The record of a run that came to no result of its own; `plans` are those that it had shown before."""
    result = Result(job.level, job.name, stop, (), False, versions=dict(job.versions), note=note)  # type: ignore[arg-type]
    record = of_result(job, result, list(plans))
    ran = seconds > 0 or bool(plans)
    return {**record, "seconds": round(seconds, 6), "solutions": len(plans) if ran else None}


def with_model(record: Record, model: Record) -> Record:
    """A record of the learned path together with what is known of its model."""
    keys = ("rollouts", "examples", "certificate")
    return {**record, **{key: model.get(key) for key in keys}, "learn_seconds": model.get("seconds")}


def misfit(record: Record, shape: Shape) -> str | None:
    """A key of the shape that the record lacks, or whose value is not of its type; None where all fit."""
    told = LATER | record
    return next((key for key, fits in shape.items() if key not in told or not fits(told[key])), None)


# --- do the runs agree? -----------------------------------------------------------------------------------


def finished(record: Record) -> bool:
    """Did the run answer all that was asked?"""
    return record["all_seconds"] is not None


def disagreements(records: Sequence[Record]) -> list[str]:
    """Sentences that say where a plan did not win, and where two complete runs of a level differ."""
    complaints = [
        f"{name_of(record)}: {refuted(record)}" for record in records if record["replayed"] is False
    ]
    complaints += [f"{name_of(record)}: {why_wrong(record)}" for record in records if why_wrong(record)]
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if not finished(record) or record["replayed"] is False:
            continue
        other = first.setdefault((record["level"], record["want"]), record)
        if answer(other) != answer(record):
            complaints.append(f"{name_of(record)} found {said(record)}; {name_of(other)} found {said(other)}")
    return complaints


def wrongly_learned(records: Sequence[Record]) -> list[str]:
    """The levels whose learned rules are not the described ones."""
    wrong = [
        record["level"]
        for record in records
        if record["certificate"] and record["certificate"]["text"] == "differs"
    ]
    return [f"{level}: what was learned is not what is described" for level in dict.fromkeys(wrong)]


def unanswered(records: Sequence[Record]) -> list[str]:
    """The levels and paths that no run answered."""
    asked = dict.fromkeys((record["level"], record["path"]) for record in records)
    answered = {(record["level"], record["path"]) for record in records if finished(record)}
    return [f"{in_line(level)}, {path}" for level, path in asked if (level, path) not in answered]


def answer(record: Record) -> Any:
    """What two complete runs of a level must have in common."""
    if record["want"] == "best":
        return record["objective"]
    if record["want"] == "first":
        return bool(record["plans"])
    if record["want"] == "unique":
        return record["answers"]
    return record["count"], sorted(json.dumps(plan, sort_keys=True) for plan in record["plans"])


def cost_of(record: Record, value: int) -> int:
    """A value of what is to be best as what is to be least."""
    return -value if record.get("highest") else value


def said(record: Record) -> str:
    """An answer in a few words."""
    if record["want"] == "best":
        return "no plan" if record["objective"] is None else f"a best plan of {record['objective']}"
    if record["want"] == "first":
        return "a plan" if record["plans"] else "no plan"
    if record["want"] == "unique":
        return {"unique": "one answer", "several": "several answers"}.get(record["answers"], "no answer")
    listed, count = record["solutions"], record["count"]
    return f"{listed} solutions" + (f" ({count} with idle placements)" if count != listed else "")


def refuted(record: Record) -> str:
    """What is wrong with the plans of a record."""
    wrong = (record["solutions"] or 0) - record["won"]
    return (
        f"{wrong} of {record['solutions']} plans do not win; {record['fault']}" if wrong else record["fault"]
    )


def why_wrong(record: Record) -> str:
    """What contradicts what a record says of plans that are not there; empty where nothing does."""
    wrong = record.get("proof") == "wrong"
    return next((line for line in record["note"].splitlines() if wrong and line.startswith(WRONG)), "")


def name_of(record: Record) -> str:
    """A record's level, path and solver."""
    return f"{in_line(record['level'])}, {record['path']}, {record['solver']}"
