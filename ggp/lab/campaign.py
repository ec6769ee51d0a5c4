"""A run of the laboratory: trial after trial, until the time is up; what was tried; what was found.

Trial n of a seed is the same on every machine, and whatever came before it. Only where a solver ran out of
time may another outcome be counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ggp.files.writing import write_whole
from ggp.lab import KINDS, Finding, Kind, Tally, Task, kind
from ggp.lab.shrinking import told_crash
from ggp.language import levels
from ggp.registry import unknown

Say = Callable[[str], None]


@dataclass
class Campaign:
    """Trials of one seed. Iterate over it for the findings, each with the number of its trial.

    `games`: names of games to draw from, all without; `kinds`: likewise. Raises UnknownName.
    """

    seed: int = 0
    games: Sequence[str] = ()
    kinds: Sequence[str] = ()
    say: Say = lambda line: None
    tally: Tally = field(default_factory=Tally)
    found: list[tuple[int, Finding]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in self.games:
            levels.load_game(name)
        self.games = tuple(self.games) or levels.games()
        for name in self.kinds:
            if name not in KINDS:
                raise unknown("kind of trial", name, KINDS)
        chosen = [kind(name) for name in self.kinds or KINDS]
        self.missing = {one.NAME: reason for one in chosen if (reason := one.missing()) is not None}
        self.chosen: list[Kind] = [one for one in chosen if one.NAME not in self.missing]

    def run(
        self, minutes: float | None = None, trials: int | None = None, first: int = 1
    ) -> Iterator[tuple[int, Finding]]:
        """Trials from number `first` on, for so long, or so many; what they find."""
        deadline = None if minutes is None else time.monotonic() + 60 * minutes
        number = first
        while self.chosen and (trials is None or number < first + trials):
            if deadline is not None and time.monotonic() >= deadline:
                return
            finding = self.trial(number)
            if finding is not None:
                self.found.append((number, finding))
                yield number, finding
            number += 1

    def trial(self, number: int) -> Finding | None:
        """One trial. What it raises is a finding: nothing that is tried may crash."""
        rng = Random(f"{self.seed}/{number}")
        one = rng.choices(self.chosen, [each.SHARE for each in self.chosen])[0]
        self.tally.trials += 1

        def say(line: str) -> None:
            self.say(f"trial {number}: {one.NAME}, {line}; {len(self.found)} found")

        try:
            return one.trial(Task(rng, tuple(self.games), self.tally, say))
        except Exception as error:
            what, told = told_crash(error)
            if not self.tally.fresh(what):
                return None
            again = f"ggp lab --seed {self.seed} --trial {number}"
            again += f" --games {','.join(self.games)}" if tuple(self.games) != levels.games() else ""
            again += f" --kinds {','.join(self.kinds)}" if self.kinds else ""
            return Finding(f"{one.NAME}: {what}", told, command=again)


def written(folder: Path, number: int, finding: Finding) -> str:
    """Write the files of a finding; the command that shows the fault, with their names."""
    folder.mkdir(parents=True, exist_ok=True)
    command = finding.command
    for ending, text in finding.files.items():
        file = folder / f"finding-{number}{ending}"
        write_whole(file, text.encode() if isinstance(text, str) else text)
        command = command.replace(f"{{{ending}}}", str(file))
    told = f"{finding.what}\n{finding.told}\n\n{command}\n"
    write_whole(folder / f"finding-{number}.report", told.encode())
    return command


def to_json(campaign: Campaign, seconds: float, commands: Mapping[int, str]) -> dict[str, Any]:
    """All of it as JSON data: the seed, what was tried, and what was found."""
    tally = campaign.tally
    return {
        "seed": campaign.seed,
        "games": list(campaign.games),
        "seconds": round(seconds, 1),
        "trials": tally.trials,
        "instances": sum(tally.instances.values()),
        "missing": campaign.missing,
        "tried": [[*one, times] for one, times in sorted(tally.tried.items())],
        "wrong": dict(tally.alike),
        "drawn": [[*key, times] for key, times in sorted(tally.instances.items())],
        "findings": [
            {"trial": number, "what": one.what, "told": one.told, "command": commands[number]}
            for number, one in campaign.found
        ],
    }


def tables(tally: Tally) -> list[tuple[str, list[tuple[str, ...]]]]:
    """What was tried, as tables: (title, rows of which the first is the head)."""
    return [
        ("by kind and game", drawn_rows(tally)),
        ("by solver or engine", outcome_rows(tally, "kind", "who")),
        ("by question", outcome_rows(tally, "kind", "question")),
    ]


def drawn_rows(tally: Tally) -> list[tuple[str, ...]]:
    """Instances and questions of each game."""
    asked = tally.by("kind", "game")
    rows = [
        (name, game, f"{times:,}", f"{asked[name, game]:,}")
        for (name, game), times in sorted(tally.instances.items())
    ]
    return [("kind", "game", "instances", "questions"), *rows]


def outcome_rows(tally: Tally, *fields: str) -> list[tuple[str, ...]]:
    """How questions came out, by these fields."""
    counts = tally.by(*fields, "outcome")
    outcomes = sorted({key[-1] for key in counts})
    keys = sorted({key[:-1] for key in counts})
    rows = [(*key, *(f"{counts[*key, outcome]:,}" for outcome in outcomes)) for key in keys]
    return [(*fields, *outcomes), *rows]
