"""How good the plans of an entrant are as time goes on, and what the size of an encoding costs."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.harness.campaign.measures import best_known, case_of, name_of
from ggp.harness.records import Record

Steps = list[tuple[float, float]]
"""Seconds, and the mean quality from then on."""


def quality(records: Sequence[Record]) -> dict[str, Steps]:
    """For each entrant the mean quality of the plans in its hands, a step wherever it rises.

    On a case the quality of a plan is the best value that is known, divided by the plan's (both one larger,
    as values may be 0; of scores the other way round): 1 for the best, 0 as long as there is no plan, and for
    a score below 0 where a better one is not. Only questions for the best plan
    count, each run once; runs that are wrong stay at 0, and cases of which nobody has a plan are left out.
    """
    several = len({record["path"] for record in records}) > 1
    best, _ = best_known(records)
    asked: dict[str, int] = {}
    rises: dict[str, Steps] = {}
    for record in records:
        case = case_of(record)
        if record["want"] != "best" or case not in best:
            continue
        name = name_of(record, several)
        asked[name] = asked.get(name, 0) + 1
        rises.setdefault(name, []).extend(rises_of(record, best[case]))
    return {name: summed(sorted(rises[name]), count) for name, count in asked.items()}


def rises_of(record: Record, best: int) -> Steps:
    """When the quality of a run rose, and by how much."""
    if record["wrong"] or record["replayed"] is False:
        return []
    now, found = 0.0, []
    for seconds, value in record["trace"]:
        share = share_of(value, best, highest=record.get("highest", False))
        if share > now:
            found.append((seconds, share - now))
            now = share
    return found


def share_of(value: float, best: int, *, highest: bool) -> float:
    """The quality of a plan of this value; scores that are all below 0 are costs."""
    if not highest:
        return min(1.0, (best + 1) / (value + 1))
    if best < 0:
        return share_of(-value, -best, highest=False)
    return min(1.0, max(0.0, (value + 1) / (best + 1)))


def summed(rises: Steps, count: int) -> Steps:
    """The mean after each rise."""
    total, made = 0.0, []
    for seconds, rise in rises:
        total += rise
        made.append((round(seconds, 4), round(total / count, 4)))
    return made


def sizes(records: Sequence[Record]) -> dict[str, list[tuple[int, float, str]]]:
    """For each entrant with an encoding: variables, seconds and level of each run that was solved."""
    several = len({record["path"] for record in records}) > 1
    found: dict[str, list[tuple[int, float, str]]] = {}
    for record in records:
        variables = record["sizes"].get("variables")
        if variables and record["complete"] and not record["wrong"] and record["cost"] is not None:
            point = (int(variables), round(record["cost"], 4), str(record["level"]))
            found.setdefault(name_of(record, several), []).append(point)
    return found
