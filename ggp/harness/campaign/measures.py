"""What is measured over the records of a campaign: the scores of the field, with intervals.

A *case* is a level with a question, an *entrant* a solver with its options (and its path, where records of
both are there). Repeats and seeds of an entrant on a case are one outcome: the share that was solved, and
the mean of the times. Wrong answers count as unsolved everywhere.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ggp.harness.campaign.results import solved
from ggp.harness.records import Record, cost_of, finished

RESAMPLES = 2000
SEED = 1  # of the bootstrap: the same records, the same intervals
BETWEEN = (2.5, 97.5)  # percentiles

Case = tuple[str, str]
"""A level and a question."""


class Interval(NamedTuple):
    """A value with what 95 % of resampled sets of levels give."""

    value: float
    low: float
    high: float


class Outcome(NamedTuple):
    """What an entrant made of a case."""

    runs: int
    solved: float  # the share
    par2: float  # mean seconds; twice the limit where it was not solved
    seconds: float | None  # the median of the solved ones
    points: float  # as in the competitions of XCSP3, the mean


Outcomes = Mapping[str, Mapping[Case, Outcome]]
"""By entrant, then by case."""


@dataclass(frozen=True)
class Score:
    """What an entrant is worth. `first` counts the cases on which nobody is faster.

    `adds_solved` and `adds_par2` say what the best of all would lose without it.
    """

    entrant: str
    cases: int
    runs: int
    solved: Interval
    par2: Interval
    points: float
    wrong: int
    first: int
    adds_solved: float
    adds_par2: float


@dataclass(frozen=True)
class Pair:
    """Two entrants on the cases that both have: (level, question, seconds, seconds), None for not solved."""

    one: str
    other: str
    points: tuple[tuple[str, str, float | None, float | None], ...]
    ratio: Interval | None  # how many times as long the other takes, where both solved: the geometric mean


def entrants(records: Sequence[Record]) -> list[str]:
    """The entrants, in the order of their first records."""
    several = len({record["path"] for record in records}) > 1
    return list(dict.fromkeys(name_of(record, several) for record in records))


def name_of(record: Record, several: bool) -> str:
    """The entrant that a record is of."""
    return f"{record['label']}, {record['path']}" if several else str(record["label"])


def case_of(record: Record) -> Case:
    """The case of a record."""
    return record["level"], record["want"]


def outcomes(records: Sequence[Record]) -> dict[str, dict[Case, Outcome]]:
    """What each entrant made of each case."""
    several = len({record["path"] for record in records}) > 1
    best, proved = best_known(records)
    grouped: dict[str, dict[Case, list[Record]]] = {}
    for record in records:
        grouped.setdefault(name_of(record, several), {}).setdefault(case_of(record), []).append(record)
    return {
        entrant: {
            case: outcome(some, best.get(case), case in proved) for case, some in sorted(by_case.items())
        }
        for entrant, by_case in sorted(grouped.items())
    }


def best_known(records: Sequence[Record]) -> tuple[dict[Case, int], set[Case]]:
    """The best value that is known of each case, and the cases where somebody proved it to be best."""
    best: dict[Case, int] = {}
    proved = set()
    for record in records:
        value, case = value_of(record), case_of(record)
        if value is not None:
            best[case] = min(value, best.get(case, value), key=partial(cost_of, record))
        if solved(record):
            proved.add(case)
    return best, proved


def value_of(record: Record) -> int | None:
    """The value of the best plan that was found and replayed."""
    if record["want"] != "best" or record["wrong"] or not record["plans"]:
        return None
    found = record["objective"] if record["objective"] is not None else record["bricks"]
    return None if found is None else int(found)


def outcome(some: Sequence[Record], best: int | None, proved: bool) -> Outcome:
    """What was made of a case in several runs."""
    times = [record["cost"] for record in some if solved(record)]
    par2 = [record["cost"] if solved(record) else 2 * record["cost_limit"] for record in some]
    return Outcome(
        len(some),
        len(times) / len(some),
        statistics.fmean(par2),
        statistics.median(times) if times else None,
        statistics.fmean(points(record, best, proved) for record in some),
    )


def points(record: Record, best: int | None, proved: bool) -> float:
    """What the competitions of XCSP3 give for an answer.

    1 for one that is whole; for a plan as good as the best that anybody found, 1 where nobody proved it to
    be best, and a half where somebody did.
    """
    if record["wrong"]:
        return 0.0
    if finished(record):
        return 1.0
    value = value_of(record)
    if value is None or value != best:
        return 0.0
    return 0.5 if proved else 1.0


# --- scores -----------------------------------------------------------------------------------------------


def virtual_best(found: Outcomes) -> dict[Case, tuple[float, float]]:
    """For each case what the best entrant made of it: the share that was solved, and PAR2."""
    cases = {case for by_case in found.values() for case in by_case}
    return {
        case: (
            max(one[case].solved for one in found.values() if case in one),
            min(one[case].par2 for one in found.values() if case in one),
        )
        for case in sorted(cases)
    }


def scores(records: Sequence[Record]) -> list[Score]:
    """The entrants, those that solved most first; of those that solved as many, the faster."""
    found = outcomes(records)
    whole = virtual_best(found)
    several = len({record["path"] for record in records}) > 1
    wrong: dict[str, int] = {}
    for record in records:
        wrong[name_of(record, several)] = wrong.get(name_of(record, several), 0) + bool(record["wrong"])
    made = []
    for entrant, by_case in found.items():
        others = virtual_best({name: one for name, one in found.items() if name != entrant})
        made.append(
            Score(
                entrant,
                len(by_case),
                sum(one.runs for one in by_case.values()),
                interval({case: one.solved for case, one in by_case.items()}),
                interval({case: one.par2 for case, one in by_case.items()}),
                sum(one.points for one in by_case.values()),
                wrong[entrant],
                sum(one.solved > 0 and one.par2 <= whole[case][1] for case, one in by_case.items()),
                sum(whole[case][0] - others.get(case, (0.0, 0.0))[0] for case in by_case),
                sum(others[case][1] - whole[case][1] for case in by_case if case in others),
            )
        )
    return sorted(made, key=lambda one: (-one.solved.value, one.par2.value, one.entrant))


def interval(values: Mapping[Case, float]) -> Interval:
    """The mean over the cases; for the interval levels are drawn anew, each with all of its cases."""
    import numpy as np

    levels = sorted({level for level, _ in values})
    index = {level: number for number, level in enumerate(levels)}
    sums, counts = np.zeros(len(levels)), np.zeros(len(levels))
    for (level, _), value in values.items():
        sums[index[level]] += value
        counts[index[level]] += 1
    draws = np.random.default_rng(SEED).multinomial(
        len(levels), np.full(len(levels), 1 / len(levels)), RESAMPLES
    )
    low, high = np.percentile((draws @ sums) / (draws @ counts), BETWEEN)
    return Interval(float(sums.sum() / counts.sum()), float(low), float(high))


def cactus(found: Outcomes) -> dict[str, list[float]]:
    """For each entrant the times of the cases that it solved, the shortest first."""
    return {
        entrant: sorted(
            one.seconds for one in by_case.values() if one.seconds is not None and one.solved >= 0.5
        )
        for entrant, by_case in found.items()
    }


def pair(found: Outcomes, one: str, other: str) -> Pair:
    """Two entrants beside one another."""
    shared = [case for case in found[one] if case in found[other]]
    drawn = tuple((*case, found[one][case].seconds, found[other][case].seconds) for case in shared)
    logs = {
        (level, want): math.log(max(second, 1e-6) / max(first, 1e-6))
        for level, want, first, second in drawn
        if first is not None and second is not None
    }
    ratio = None if not logs else Interval(*(math.exp(value) for value in interval(logs)))
    return Pair(one, other, drawn, ratio)


def described_and_learned(found: Outcomes) -> list[Pair]:
    """Each solver by the described rules beside itself by the learned ones."""
    stems = [name.removesuffix(", described") for name in found if name.endswith(", described")]
    return [
        pair(found, f"{stem}, described", f"{stem}, learned") for stem in stems if f"{stem}, learned" in found
    ]


def as_json(records: Sequence[Record], versus: Pair | None = None) -> dict[str, Any]:
    """The measures as JSON data; `versus`: two that were asked about."""
    found = outcomes(records)
    best = virtual_best(found)
    return {
        "scores": [
            {**vars(one), "solved": one.solved._asdict(), "par2": one.par2._asdict()}
            for one in scores(records)
        ],
        "virtual_best": {
            "cases": len(best),
            "solved": sum(share for share, _ in best.values()),
            "par2": statistics.fmean(par2 for _, par2 in best.values()) if best else None,
        },
        "cactus": cactus(found),
        "learned": [
            {"described": one.one, "learned": one.other, "ratio": ratio_json(one)}
            for one in described_and_learned(found)
        ],
        **({"versus": versus_json(versus)} if versus is not None else {}),
    }


def versus_json(pair: Pair) -> dict[str, Any]:
    """Two entrants beside one another, as JSON data."""
    both = sum(first is not None and second is not None for _, _, first, second in pair.points)
    return {
        "one": pair.one,
        "other": pair.other,
        "cases": len(pair.points),
        "both_solved": both,
        "ratio": ratio_json(pair),
    }


def ratio_json(pair: Pair) -> dict[str, float] | None:
    """How many times as long the other takes, as JSON data."""
    return pair.ratio._asdict() if pair.ratio else None
