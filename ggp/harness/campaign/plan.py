"""What a campaign stands for: its runs, each with a key, and the order in which they are made."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ggp.harness.campaign.file import Campaign, Configuration
from ggp.harness.jobs import (
    Job,
    Question,
    asked,
    fingerprint,
    learn_job,
    our_versions,
    source_fingerprint,
    text_of,
)
from ggp.model import Instance
from ggp.tasks.solver_options import with_options

Versions = Mapping[str, Mapping[str, str]]
"""Of what each solver runs."""


class Run(NamedTuple):
    """One run: the numbers of its level and of its configuration, and all else that tells it from others."""

    level: int
    configuration: int
    path: str
    want: Question
    seed: int | None  # None where neither the solver nor the path draws lots
    repeat: int


class Named(NamedTuple):
    """A run with its names.

    `key` changes with whatever could change its answer, versions and our code included; `run` does not
    change with these, so that it is the same for what was run again with newer ones.
    """

    key: str
    run: str
    what: Run


@dataclass(frozen=True)
class Part:
    """One of several equal parts of a campaign, the first being number 1."""

    number: int = 1
    of: int = 1

    def has(self, run: str) -> bool:
        """Does a run belong to it? The same everywhere, whatever else is run."""
        return int(run[:8], 16) % self.of == self.number - 1


@dataclass(frozen=True)
class Plan:
    """The runs of a campaign, with these versions of its solvers."""

    campaign: Campaign
    versions: Versions
    plugins: tuple[str, ...] = ()

    def runs(self) -> Iterator[Run]:
        """Every run, level after level."""
        campaign = self.campaign
        for repeat in range(campaign.repeats):
            for level in range(len(campaign.instances)):
                for number, configuration in enumerate(campaign.configurations):
                    for path in campaign.paths:
                        lots = configuration.draws or path == "learned"
                        for seed in campaign.seeds if lots else (None,):
                            for want in campaign.questions:
                                yield Run(level, number, path, want, seed, repeat)

    def named(self, part: Part) -> list[Named]:
        """The runs of a part of the campaign with their names, shuffled by the campaign's seed."""
        found = [named for named in map(self.name, self.runs()) if part.has(named.run)]
        random.Random(self.campaign.order).shuffle(found)
        return found

    def name(self, run: Run) -> Named:
        """A run with its names."""
        settings = self.campaign.settings
        told = asked(self.job(run), self.contents[run.level]) | {"repeat": run.repeat, "after": ""}
        if run.path == "learned":
            told |= {"learner": settings.learner, "rollouts": settings.rollouts, "learned with": run.seed}
        made = {
            "versions": dict(self.versions_of(self.configuration(run))),
            "source": source_fingerprint(self.plugins),
        }
        first = fingerprint(json.dumps(told, sort_keys=True))
        return Named(fingerprint(first + json.dumps(made, sort_keys=True)), first, run)

    def job(self, run: Run, key: str = "") -> Job:
        """The run as the harness takes it; one of a learned game says what has to be learned before."""
        campaign, configuration = self.campaign, self.configuration(run)
        after = self.learning(run).key if run.path == "learned" and key else ""
        return Job(
            "solve",
            with_options(configuration.solver, {"seed": run.seed if configuration.draws else None}),
            key,
            campaign.instances[run.level],
            run.path,
            want=run.want,
            after=after,
            settings=replace(campaign.settings, encoding=configuration.encoding, plugins=self.plugins),
            versions=self.versions_of(configuration),
            passes=configuration.passes,
            stay=True,
        )

    def learning(self, run: Run) -> Job:
        """The job that learns the rules of a run's game; what a run may take of the processor is no limit."""
        settings = replace(self.campaign.settings, seed=run.seed or 0, plugins=self.plugins, cpu_limit=None)
        place = self.games[run.level], run.seed
        if place not in self.learned:
            self.learned[place] = learn_job(self.levels_of_game[self.games[run.level]], settings)
        return self.learned[place]

    def configuration(self, run: Run) -> Configuration:
        """The solver of a run, with its options."""
        return self.campaign.configurations[run.configuration]

    def versions_of(self, configuration: Configuration) -> dict[str, str]:
        """Of all that takes part in a run."""
        return {**our_versions(), **self.versions.get(configuration.solver, {})}

    @cached_property
    def contents(self) -> Sequence[str]:
        """What stands for each level: it changes with whatever is said of it."""
        return [fingerprint(text_of(one.game, one)) for one in self.campaign.instances]

    @cached_property
    def games(self) -> Sequence[str]:
        """What stands for the game of each level."""
        return [text_of(one.game) for one in self.campaign.instances]

    @cached_property
    def levels_of_game(self) -> Mapping[str, Sequence[Instance]]:
        """The levels of each game, of which boards to learn it on are made."""
        found: dict[str, list[Instance]] = {}
        for game, instance in zip(self.games, self.campaign.instances, strict=True):
            found.setdefault(game, []).append(instance)
        return found

    @cached_property
    def learned(self) -> dict[tuple[str, int | None], Job]:
        """The learning jobs that were asked for so far."""
        return {}
