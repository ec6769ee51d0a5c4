"""The measures of a campaign in words and tables, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ggp.errors import PuzzleError
from ggp.harness.campaign import choosing, ranks
from ggp.harness.campaign.measures import (
    Interval,
    Pair,
    Score,
    described_and_learned,
    outcomes,
    scores,
    virtual_best,
)
from ggp.harness.campaign.results import Results, solved
from ggp.harness.records import Record
from ggp.harness.table import seconds_text

HEADS = (
    *("solver", "solved", "95 %", "PAR2, s", "95 %", "XCSP3 points", "wrong", "fastest on"),
    *("adds solved", "adds PAR2, s"),
)


def rows_of(records: Sequence[Record]) -> list[list[str]]:
    """The scores, a row for each entrant, the virtual best solver below them."""
    made = [cells(one) for one in scores(records)]
    best = virtual_best(outcomes(records))
    if len(made) > 1:
        share = sum(one for one, _ in best.values())
        mean = sum(par2 for _, par2 in best.values()) / len(best)
        made.append(["virtual best", f"{count(share)} of {len(best)}", "", seconds_text(mean), *[""] * 6])
    return made


def cells(score: Score) -> list[str]:
    """What stands in a row."""
    return [
        score.entrant,
        f"{count(score.solved.value * score.cases)} of {score.cases}",
        between(score.solved, 100, "%.0f", " %"),
        seconds_text(score.par2.value),
        between(score.par2, 1, "%.3g", ""),
        count(score.points),
        str(score.wrong or ""),
        str(score.first),
        count(score.adds_solved),
        seconds_text(score.adds_par2),
    ]


def count(value: float) -> str:
    """A number of cases, with a part where there is one."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.005 else f"{value:.2f}"


def between(one: Interval, times: float, form: str, unit: str) -> str:
    """The two ends of an interval."""
    return f"{form % (one.low * times)} to {form % (one.high * times)}{unit}"


def ratio_text(one: Pair) -> str:
    """How two entrants compare, in a sentence."""
    both = sum(None not in (first, second) for _, _, first, second in one.points)
    if one.ratio is None:
        return f"{one.one} and {one.other}: no case that both solved."
    value, low, high = one.ratio
    return (
        f"{one.other} takes {value:.2f} times as long as {one.one} ({low:.2f} to {high:.2f}), "
        f"on the {both} of {len(one.points)} cases that both solved."
    )


def wrong_lines(records: Sequence[Record]) -> list[str]:
    """The answers that do not count, each with the reason."""
    return [f"WRONG: {run_text(record)}: {record['wrong']}" for record in records if record["wrong"]]


def run_text(record: Record) -> str:
    """A run in a few words."""
    parts = [record["level"], record["want"], record["label"], record["path"]]
    parts += [f"seed {record['seed']}"] if record["seed"] is not None else []
    parts += [f"repeat {record['repeat']}"] if record["repeat"] else []
    return ", ".join(parts)


def summary(found: Results) -> list[str]:
    """What there is, in words: the records, what is wrong first."""
    records = found.records
    if not records:
        return ["No record is there, or none that was asked for."]
    lines = wrong_lines(records)
    levels = {record["level"] for record in records}
    done = sum(map(solved, records))
    lines.append(
        f"{len(records):,} records of {len(levels):,} levels, {done:,} of them solved"
        f"{', ' + str(len(lines)) + ' wrong' if lines else ''}."
    )
    machines = {record["machine"]["name"]: record["machine"] for record in records}
    told = [f"{one['processor']}, {one['cores']} cores" for one in machines.values()]
    lines.append(f"Made on {len(machines)} machine{'s' if len(machines) > 1 else ''}: {'; '.join(told)}.")
    if found.older:
        lines.append(f"{found.older:,} records of older versions are left out; --every has them too.")
    if found.clock == "cpu":
        lines.append("Seconds are those of the processor, of all processes of a run.")
    lines += uneven(records)
    return lines


def uneven(records: Sequence[Record]) -> list[str]:
    """Says where not every entrant was asked all, or limits differ: scores then compare unlike things."""
    by_case = outcomes(records)
    cases = {case for one in by_case.values() for case in one}
    short = [name for name, one in by_case.items() if len(one) < len(cases)]
    lines = [f"Not asked about all {len(cases)} cases: {', '.join(short)}."] if short else []
    limits = {tuple(record["limits"].items()) for record in records}
    if len(limits) > 1:
        lines.append(f"Records of {len(limits)} different limits stand together.")
    return lines


def started(records: Sequence[Record]) -> list[str]:
    """What an answer costs at least where something is started; and where compiling was left out."""
    slow: dict[str, float] = {}
    for record in records:
        if (record["start_seconds"] or 0) >= 0.1:
            slow[record["label"]] = min(record["start_seconds"], slow.get(record["label"], 1e9))
    lines = [f"{name}: {seconds:.2f} s of each time is its start." for name, seconds in sorted(slow.items())]
    compiled = sum(record["compile_seconds"] is not None for record in records)
    if compiled:
        lines.append(f"{compiled} runs were made a second time, as the first one had compiled loops.")
    return lines


def table(records: Sequence[Record]) -> Any:
    """The scores as a table for a terminal."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in HEADS:
        made.add_column(head, justify="left" if head == "solver" else "right")
    for row in rows_of(records):
        made.add_row(*row)
    return made


def sentences(found: Results) -> list[str]:
    """What else is measured, in words that stand below the scores."""
    by_case = outcomes(found.records)
    return [
        *ranks.lines(by_case),
        *(ratio_text(one) for one in described_and_learned(by_case)),
        *(started(found.records) if found.clock == "wall" else ()),
        *choice(found),
    ]


def choice(found: Results) -> Sequence[str]:
    """How good a choice of the solver these records allow; nothing where there is none to make."""
    if len({record["label"] for record in found.records}) < 2:
        return []
    try:
        return choosing.lines(choosing.portfolio(found))
    except PuzzleError:  # none of them can be chosen by its name
        return []
