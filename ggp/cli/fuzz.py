"""A long run of fuzzing, in one process whose memory is bounded: `python -m ggp.cli.fuzz --cases 1000000`."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import click

from ggp.cli.console import complain, say
from ggp.lab.fuzz import Finding, Trial, shrunk, trials

MEMORY = 1_500_000_000  # bytes of address space that reading may take beyond what is there at the start


@dataclass
class Figures:
    """What a run has seen: how many inputs of each sort, how many were accepted, the longest time."""

    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def take(self, trial: Trial) -> None:
        """Count a trial."""
        self.tried[trial.reader] += 1
        self.accepted[trial.reader] += trial.accepted
        self.slowest[trial.reader] = max(trial.seconds, self.slowest.get(trial.reader, 0.0))
        if trial.finding is not None:
            self.findings.append(trial.finding)

    def table(self) -> str:
        """The figures as rows of a table."""
        rows = ["| input | tried | accepted | slowest, s |", "|---|---:|---:|---:|"]
        for name, tried in sorted(self.tried.items()):
            rows.append(f"| {name} | {tried:,} | {self.accepted[name]:,} | {self.slowest[name]:.2f} |")
        total, accepted = sum(self.tried.values()), sum(self.accepted.values())
        rows.append(f"| all | {total:,} | {accepted:,} | {max(self.slowest.values(), default=0):.2f} |")
        return "\n".join(rows)


def bound_memory() -> None:
    """Let this process take no more memory than it has, and `MEMORY`; on Linux, else nothing happens."""
    import resource

    import psutil

    if sys.platform == "linux":
        most = psutil.Process().memory_info().vms + MEMORY
        _, highest = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, highest))


@click.command()
@click.option("--cases", type=click.IntRange(1), default=10_000, show_default=True, help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same cases.")
@click.option("--first", type=click.IntRange(0), default=0, help="The number of the first case.")
@click.option("--input", "chosen", default="", help="Only inputs of this sort.")
@click.pass_context
def main(context: click.Context, cases: int, seed: int, first: int, chosen: str) -> None:
    """Try so many spoilt inputs, and tell what was found; the exit status is 1 where anything was."""
    figures, started, seen = Figures(), time.monotonic(), set[str]()
    every = trials(seed, first, chosen)
    with contextlib.suppress(KeyboardInterrupt):  # the figures so far are worth something
        for number in range(first, first + cases):
            trial = next(every)
            if number == first:
                bound_memory()
            figures.take(trial)
            if trial.finding is not None and place_of(trial.finding) not in seen:
                seen.add(place_of(trial.finding))
                complain(f"{seed}/{number}: {shrunk(trial.finding)}")
            if number % 20_000 == 0:
                complain(f"{number} after {time.monotonic() - started:.0f} s")
    say(figures.table())
    say(f"{len(figures.findings)} findings, {time.monotonic() - started:.0f} s, seed {seed}")
    context.exit(1 if figures.findings else 0)


def place_of(finding: Finding) -> str:
    """What tells one fault from another: the last line of the project that was at it."""
    ours = [line for line in finding.trace.split("\n") if "/ggp/" in line and "/lab/" not in line]
    return f"{finding.reader} {ours[-1].strip() if ours else finding.fault[:60]}"


if __name__ == "__main__":
    main()
