"""The laboratory: it tries to find a wrong answer, seeded, as long as it is let.

A *trial* is one attempt, of one kind: an instance is drawn and questions about it are put to whoever answers
them, or an input is spoilt and read. All chance of a trial comes from the seed and its number, so that any
trial can be made again by itself.

A kind of trial is a module in `KINDS` with

- `NAME`, and `SHARE`: how often it is chosen, beside the others;
- `missing() -> str | None`: why it cannot be tried here;
- `trial(task: Task) -> Finding | None`: one attempt. It draws from `task.rng` alone, counts what it tried in
  `task.tally`, and gives back the first wrong answer, shrunk, if `task.tally.fresh` says that it is worth
  telling. What it raises is a finding, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import NamedTuple, Protocol, cast

KINDS = {
    "differential": "ggp.lab.differential",
    "designs": "ggp.lab.designs",
    "encodings": "ggp.lab.encodings",
    "agreement": "ggp.lab.agreement",
    "foreign": "ggp.lab.foreign",
    "fuzzing": "ggp.lab.fuzzing",
}


class Tried(NamedTuple):
    """One thing that was tried, and what came of it: `agrees`, `time-limit`, `refused`, `wrong` and so on."""

    kind: str
    game: str
    who: str  # a solver, an engine, a reader; "" where nobody was asked
    question: str
    outcome: str


MOST_ALIKE = 3  # findings of one sort that are shrunk and told; the others are only counted


@dataclass
class Tally:
    """What was tried, and how often."""

    trials: int = 0
    alike: Counter[str] = field(default_factory=Counter)  # wrong answers by their sort
    instances: Counter[tuple[str, str]] = field(default_factory=Counter)  # by kind and game
    tried: Counter[Tried] = field(default_factory=Counter)

    def note(self, kind: str, game: str, who: str, question: str, outcome: str) -> None:
        """Count one thing that was tried."""
        self.tried[Tried(kind, game, who, question, outcome)] += 1

    def fresh(self, sort: str) -> bool:
        """Count a wrong answer of that sort. Is it one of the first, and worth telling?"""
        self.alike[sort] += 1
        return self.alike[sort] <= MOST_ALIKE

    def by(self, *fields: str) -> Counter[tuple[str, ...]]:
        """The counts, summed over all but these fields of `Tried`."""
        found: Counter[tuple[str, ...]] = Counter()
        for one, number in self.tried.items():
            found[tuple(str(getattr(one, name)) for name in fields)] += number
        return found


@dataclass(frozen=True)
class Finding:
    """A wrong answer, or a crash.

    `what` says in a line who is wrong about what, `told` all there is to say. `files` are texts by the
    ending of their names (`.toml`); in `command`, which shows the fault, `{.toml}` stands for the file of
    that ending.
    """

    what: str
    told: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    command: str = ""


@dataclass(frozen=True)
class Task:
    """What a trial is given: chance, the names of the games to draw from, and where it counts."""

    rng: Random
    games: tuple[str, ...]
    tally: Tally
    say: Callable[[str], None] = lambda line: None


class Kind(Protocol):
    """What a module of `KINDS` offers; see above."""

    NAME: str
    SHARE: float

    def missing(self) -> str | None:
        """Why it cannot be tried here."""

    def trial(self, task: Task) -> Finding | None:
        """One attempt."""


def kind(name: str) -> Kind:
    """The kind of trial of that name."""
    return cast(Kind, import_module(KINDS[name]))
