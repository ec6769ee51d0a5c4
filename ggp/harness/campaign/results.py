"""Records taken out of a store, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ggp.harness.campaign.store import Store
from ggp.harness.records import Record, answer, finished, refuted, said, why_wrong
from ggp.harness.vouching import Engines, vouched
from ggp.tasks.vouching import WRONG

FILTERS = {  # what can be chosen by pattern, and what of a record that is
    "level": lambda record: record["level"],
    "solver": lambda record: record["label"],
    "path": lambda record: record["path"],
    "question": lambda record: record["want"],
    "stop": lambda record: record["stop"],
    "machine": lambda record: record["machine"]["name"],
}
CLOCKS = {  # what counts as the seconds of a run, and the limit that goes with it
    "wall": ("all_seconds", "wall"),
    "cpu": ("cpu_seconds", "cpu"),
}


@dataclass(frozen=True)
class Results:
    """Records with `proof`, `vouched`, `wrong` (why an answer does not count, or an empty text) and `cost`.

    `cost` are the seconds by the clock that was asked for, `cost_limit` what was allowed. `levels` has
    descriptions by name, `texts` the files of the campaigns, `older` how many records of other versions were
    left out, `models` the records of what was learned.
    """

    records: Sequence[Record]
    levels: Mapping[str, str] = field(default_factory=dict)
    texts: Sequence[str] = ()
    older: int = 0
    clock: str = "wall"
    models: Sequence[Record] = ()

    @property
    def wrong(self) -> list[Record]:
        """The records whose answers do not count."""
        return [record for record in self.records if record["wrong"]]


def results(
    store: Path,
    chosen: Mapping[str, Sequence[str]] | None = None,
    *,
    every: bool = False,
    clock: str = "wall",
) -> Results:
    """What a store holds, judged; `chosen` has patterns by what is in `FILTERS`. Raises PuzzleError.

    Answers are judged by all records, those included that are not chosen. Without `every`, of runs that were
    made again with newer versions only the newest count. `clock` is one of `CLOCKS`.
    """
    with Store(store) as opened:
        records = list(opened.records(every=every))
        older = 0 if every else opened.count() - len(records)
        told = [costed(record, clock) for record in judged(records, opened.engines())]
        kept = [record for record in told if fits(record, chosen or {})]
        models = list(opened.games().values())
        return Results(kept, opened.levels(), opened.texts(), older, clock, models)


def costed(record: Record, clock: str) -> Record:
    """The record with its seconds by a clock, and its limit; the wall's where that clock had none."""
    seconds, limit = CLOCKS[clock]
    return {
        **record,
        "cost": record[seconds],
        "cost_limit": record["limits"][limit] or record["limits"]["wall"],
    }


def fits(record: Record, chosen: Mapping[str, Sequence[str]]) -> bool:
    """Is a record chosen?"""
    return all(
        any(fnmatchcase(FILTERS[what](record), pattern) for pattern in patterns)
        for what, patterns in chosen.items()
        if patterns
    )


def judged(records: Sequence[Record], engines: Engines) -> list[Record]:
    """The records, each with who vouches for it, and with what is wrong with it."""
    told = vouched(records, engines)
    outvoted = dict(minorities(told, engines))
    return [{**one, "wrong": faults(one) or outvoted.get(number, "")} for number, one in enumerate(told)]


def faults(record: Record) -> str:
    """What replay, a known fact, a checked proof or another run's plan says against an answer."""
    return refuted(record) if record["replayed"] is False else why_wrong(record).removeprefix(WRONG)


def minorities(records: Sequence[Record], engines: Engines) -> Iterator[tuple[int, str]]:
    """The numbers of the answers that more engines contradict than share, each with a sentence.

    Counted are whole answers by the described rules, that nothing else contradicts; a solver whose engine
    nobody knows counts for nothing.
    """
    asked: dict[tuple[str, str], list[int]] = {}
    for number, record in enumerate(records):
        if finished(record) and record["path"] == "described" and not faults(record):
            asked.setdefault((record["level"], record["want"]), []).append(number)
    for numbers in asked.values():
        votes: dict[str, set[str]] = {}
        for number in numbers:
            engine = engines.get(records[number]["solver"], "")
            votes.setdefault(repr(answer(records[number])), set()).update({engine} - {""})
        most = max(votes.values(), key=len)
        if len(votes) < 2 or sum(len(one) == len(most) for one in votes.values()) > 1:
            continue
        right = next(records[n] for n in numbers if votes[repr(answer(records[n]))] is most)
        for number in numbers:
            if votes[repr(answer(records[number]))] is not most:
                sentence = f"it found {said(records[number])}; {', '.join(sorted(most))} found {said(right)}"
                yield number, sentence


# --- flat ---------------------------------------------------------------------------------------------------


PLAIN = (
    *("level", "path", "solver", "label", "want", "seed", "repeat", "stop", "answers", "complete", "count"),
    *("solutions", "objective", "bound", "proof", "wrong", "seconds", "first_seconds", "encode_seconds"),
    *("all_seconds", "cpu_seconds", "start_seconds", "compile_seconds", "learn_seconds", "memory_mb"),
    *("replayed", "won", "rollouts", "examples", "encoded", "raw", "note", "fault", "began", "ended"),
)
"""What of a record stands in a table as it is."""


def flat(record: Record) -> dict[str, Any]:
    """A record as a row of a table: a number, a text or nothing in each column."""
    row = {key: record.get(key) for key in PLAIN}
    certificate = record["certificate"]
    return {
        **row,
        "solved": solved(record),
        "vouched": " ".join(record["vouched"]),
        "one_encoding": record.get("one_encoding", False),
        "passes": " ".join(record["asked"]["passes"]),
        "variables": record["sizes"].get("variables"),
        "constraints": record["sizes"].get("constraints"),
        "states": record["sizes"].get("states"),
        "certificate": None if certificate is None else certificate["text"],
        "wall_limit": record["limits"]["wall"],
        "cpu_limit": record["limits"]["cpu"],
        "memory_limit": record["limits"]["memory"],
        "machine": record["machine"]["name"],
        "processor": record["machine"]["processor"],
        "versions": " ".join(f"{name} {version}" for name, version in sorted(record["versions"].items())),
    }


def rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Records as rows of a table."""
    return [flat(record) for record in records]


def solved(record: Record) -> bool:
    """Was all answered that was asked, and is nothing wrong with it?"""
    return finished(record) and not record["wrong"]
