"""Carrying out a campaign: what has a record is not run again, and each new one is kept at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ggp.harness.campaign.file import Campaign
from ggp.harness.campaign.plan import Named, Part, Plan
from ggp.harness.campaign.store import Store
from ggp.harness.jobs import Job, text_of
from ggp.harness.pool import LOST, Workers
from ggp.harness.records import Record, unfinished, with_model
from ggp.harness.runner import learned_game, probed, why_not_learned
from ggp.harness.usage import machine
from ggp.model import Game

TRIES = 3  # of a run whose worker died under it


class Watch:
    """Told of what happens. This one does nothing."""

    def planned(self, total: int, done: int) -> None:
        """So many runs there are, and so many have a record already."""

    def learning(self, game: str) -> None:
        """The rules of a game are being learned."""

    def ended(self, record: Record) -> None:
        """A run has its record."""


@dataclass
class Carried:
    """What was done: how many runs the campaign has, how many had a record already, what was made now."""

    total: int = 0
    resumed: int = 0
    made: int = 0
    unseeded: tuple[str, ...] = ()  # the solvers to which a seed is nothing


@dataclass
class Work:
    """A campaign on its way."""

    plan: Plan
    store: Store
    workers: Workers
    watch: Watch
    learned: dict[str, Game | str] = field(default_factory=dict)  # by key, a game or why there is none
    models: dict[str, Record] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)

    def learn(self, waiting: Sequence[Named]) -> None:
        """Learn every game that runs need, before the first of them: learning must not run beside them."""
        self.models = self.store.games()
        jobs = {}
        for named in waiting:
            if named.what.path == "learned":
                job = self.plan.learning(named.what)
                jobs[job.key] = job
        missing = deque(job for job in jobs.values() if job.key not in self.models)
        while missing or self.workers.busy:
            while missing and self.workers.free:
                job = missing.popleft()
                self.watch.learning(job.instance.game.name if job.instance is not None else "")
                self.workers.start(job)
            for job, word, value in self.workers.events(0.1):
                if word == "done":
                    self.models[job.key] = value
                    self.store.add_game(job.key, value)
        self.learned = {key: learned_game(self.models[key]) for key in jobs}

    def run(self, waiting: deque[Named]) -> None:
        """Make every run that waits."""
        under_way: dict[str, Named] = {}
        while waiting or under_way:
            ready: list[tuple[Named, Record]] = []
            while waiting and self.workers.free and not ready:
                named = waiting.popleft()
                job = self.plan.job(named.what, named.key)
                game = self.learned.get(job.after)
                if isinstance(game, str):
                    ready.append((named, self.not_learned(job, game)))
                else:
                    under_way[named.key] = named
                    self.workers.start(replace(job, game=game))
            for job, word, value in self.workers.events(0.0 if ready else 0.1):
                if word == "done":
                    named = under_way.pop(job.key)
                    if self.lost(named, value):
                        waiting.append(named)
                    else:
                        ready.append((named, value))
            self.keep(ready)

    def lost(self, named: Named, record: Record) -> bool:
        """Did the worker die, which is no fault of the run, and is it to be made again?"""
        if record["note"] != LOST:
            return False
        self.tries[named.key] = self.tries.get(named.key, 0) + 1
        return self.tries[named.key] < TRIES

    def keep(self, ready: Sequence[tuple[Named, Record]]) -> None:
        """Keep records, at once."""
        if not ready:
            return
        whole = [(named, self.whole(named, record)) for named, record in ready]
        self.store.add([(named.key, named.run, record) for named, record in whole])
        for _, record in whole:
            self.watch.ended(record)

    def whole(self, named: Named, record: Record) -> Record:
        """A record with what was asked, so that it speaks for itself."""
        run, settings = named.what, self.plan.campaign.settings
        configuration = self.plan.configuration(run)
        if run.path == "learned":
            record = with_model(record, self.models.get(self.plan.learning(run).key, {}))
        now = round(time.time(), 3)
        asked: dict[str, Any] = {
            "label": configuration.label,
            "asked": {"encoding": configuration.encoding, "passes": list(configuration.passes)},
            "seed": run.seed,
            "repeat": run.repeat,
            "limits": {
                "wall": settings.time_limit,
                "cpu": settings.cpu_limit,
                "memory": settings.memory_limit,
            },
        }
        return {"began": now, "ended": now, "machine": machine(), **record, **asked}

    def not_learned(self, job: Job, note: str) -> Record:
        """The record of a run whose game was not learned."""
        return unfinished(job, *why_not_learned(self.models[job.after]["stop"], note))


def carry_out(
    campaign: Campaign,
    store: Store,
    workers: Workers,
    *,
    watch: Watch | None = None,
    part: Part | None = None,
    plugins: tuple[str, ...] = (),
) -> Carried:
    """Make every run of a campaign, or of a part of it, that has no record in the store.

    Raises PuzzleError where the store takes no more; whatever a solver does becomes a record.
    """
    watch = watch or Watch()
    solvers = tuple(dict.fromkeys(one.solver for one in campaign.configurations))
    known = probed(workers, solvers, replace(campaign.settings, plugins=plugins))
    plan = Plan(campaign, {name: known[name].get("versions", {}) for name in solvers}, plugins)
    named, there = plan.named(part or Part()), store.keys()
    waiting = deque(one for one in named if one.key not in there)
    engines = {name: str(known[name].get("engine", "")) for name in solvers}
    levels = {one.name: text_of(one.game, one) for one in campaign.instances}
    store.begin(campaign.text, engines, levels)
    watch.planned(len(named), len(named) - len(waiting))
    carried = Carried(len(named), len(named) - len(waiting), len(waiting))
    if len(campaign.seeds) > 1:
        carried.unseeded = tuple(one.label for one in campaign.configurations if not one.draws)
    work = Work(plan, store, workers, watch)
    work.learn(waiting)
    work.run(waiting)
    return carried
