"""Running a comparison: what has a record is not run again, and what goes wrong is a record too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.errors import PuzzleError
from ggp.harness.jobs import (
    Curves,
    Job,
    Settings,
    curve_jobs,
    fingerprint,
    key_of,
    make_jobs,
    our_versions,
    path_names,
    solver_names,
    text_of,
)
from ggp.harness.journal import Journal
from ggp.harness.pool import Pool, Workers
from ggp.harness.records import (
    CURVE_SHAPE,
    EXPORT_SHAPE,
    LEARNED_SHAPE,
    MODEL_SHAPE,
    POINT_SHAPE,
    RUN_SHAPE,
    Record,
    disagreements,
    lasts,
    misfit,
    unanswered,
    unfinished,
    with_model,
    wrongly_learned,
)
from ggp.harness.sides import sides
from ggp.harness.vouching import vouched
from ggp.language.description import read_game
from ggp.model import Game, Instance
from ggp.model.shown import line, number_of

RECORDS = "records.jsonl"  # the journal of the runs
POINTS = "curves.jsonl"  # that of the points of learning curves
MODELS = "models.jsonl"  # that of the games that were learned
EXPORTS = "exports.jsonl"  # that of the texts of levels, and of refusals to write one
PROBES = 3  # how often a solver that does not answer is asked for its versions


class Watch:
    """Told of what happens. This one does nothing; `ggp.harness.live` shows it on a terminal."""

    def planned(self, jobs: Sequence[Job]) -> None:
        """These jobs are to be done; some of them may be done already."""

    def started(self, job: Job) -> None:
        """A job has been started."""

    def progress(self, job: Job, plans: int, says: str) -> None:
        """A job has so many plans now, and says what it is at."""

    def ended(self, job: Job, record: Record, *, resumed: bool) -> None:
        """A job has its record, from this comparison or from an earlier one."""


@dataclass
class Comparison:
    """What was compared, and what came of it: one record for each level, path and solver.

    `models` has what was learned of each game (by the fingerprint of its description), `exports` the texts
    of each level (by name of the level, then of the format) or why there is none.
    """

    instances: tuple[Instance, ...]
    settings: Settings
    records: list[Record] = field(default_factory=list)
    models: dict[str, Record] = field(default_factory=dict)
    exports: dict[str, dict[str, Record]] = field(default_factory=dict)
    points: list[Record] = field(default_factory=list)  # of the learning curves, in order
    resumed: int = 0  # so many records were there already

    def __repr__(self) -> str:
        """How much was compared."""
        counted = (("level", self.instances), ("record", self.records), ("complaint", self.complaints()))
        return line("Comparison", "", [number_of(what, len(some)) for what, some in counted])

    def complaints(self) -> list[str]:
        """Sentences about plans that do not win, runs that differ, and levels that no run answered."""
        missing = [f"{what}: no solver answered" for what in unanswered(self.records)]
        return disagreements(self.records) + wrongly_learned(self.records) + missing

    def sides(self) -> list[Record]:
        """Learned against described for each game and solver; nothing where one of the paths is not there."""
        return sides(self.records, {one.name: one.game.name for one in self.instances})

    def model(self, instance: Instance) -> Record | None:
        """What was learned of an instance's game."""
        return self.models.get(game_key(instance))


def game_key(instance: Instance) -> str:
    """What stands for an instance's game in `Comparison.models`."""
    return fingerprint(text_of(instance.game))


def compare(
    instances: Sequence[Instance],
    *,
    solvers: Sequence[str] | None = None,
    paths: Sequence[str] | None = None,
    settings: Settings | None = None,
    folder: Path | None = None,
    exports: bool = False,
    curves: Curves | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Solve each instance by each path with each solver, every run in a process of its own.

    With a `folder`, each record stands in its journal as soon as there is one, and those that are there
    already are taken over. With `exports`, every exporter's text is asked for, too; with `curves`, what is
    learned from so many roll-outs each is measured. Raises UnknownName, and
    PuzzleError where the folder cannot be written; whatever a solver does becomes a record.
    """
    settings, watch = settings or Settings(), watch or Watch()
    names, ways = solver_names(solvers), path_names(paths)
    comparison = Comparison(tuple(dict.fromkeys(instances)), settings)
    check_names(comparison.instances)
    if folder is not None:
        make_folder(folder)
    with ExitStack() as stack:
        runs = stack.enter_context(Journal(folder / RECORDS if folder else None, RUN_SHAPE))
        kept = folder / MODELS if folder and "learned" in ways else None
        models = stack.enter_context(Journal(kept, MODEL_SHAPE))
        drawn = folder / POINTS if folder and curves else None
        points = stack.enter_context(Journal(drawn, CURVE_SHAPE))
        pool = stack.enter_context(Pool(settings.workers, settings.plugins))
        known = probed(pool, names, settings)
        if solvers is None:
            names = tuple(name for name in names if not known[name].get("vague"))
        versions = {name: known[name].get("versions", {}) for name in names}
        jobs = make_jobs(comparison.instances, names, ways, settings, versions)
        if curves is not None:
            jobs += curve_jobs(comparison.instances, curves, settings)
        watch.planned(jobs)
        Work(pool, jobs, runs, models, points, watch, comparison).do()
        engines = {name: str(known[name].get("engine", "")) for name in names}
        comparison.records = vouched(comparison.records, engines)
        if exports:
            texts = stack.enter_context(Journal(folder / EXPORTS if folder else None, EXPORT_SHAPE))
            comparison.exports = exported(pool, comparison.instances, settings, texts)
    return comparison


@dataclass
class Work:
    """The jobs of a comparison on their way."""

    pool: Pool
    jobs: list[Job]
    runs: Journal
    models: Journal
    points: Journal
    watch: Watch
    comparison: Comparison

    def do(self) -> None:
        """Do what has no record yet, and put all records in order."""
        learned: dict[str, Game | str] = {}  # by the key of the job, a game or why there is none
        waiting = []
        for job in self.jobs:
            journal = self.journal(job)
            if job.key in journal.records:
                self.comparison.resumed += job.kind in ("solve", "curve")
                self.settle(job, journal.records[job.key], learned)
                self.watch.ended(job, journal.records[job.key], resumed=True)
            else:
                waiting.append(job)

        def done(job: Job, record: Record) -> None:
            record = self.complete(job, record)
            self.journal(job).add(job.key, record)
            self.settle(job, record, learned)
            self.watch.ended(job, record, resumed=False)

        while waiting or self.pool.busy:
            while self.pool.free and (ready := next_ready(waiting, learned)) is not None:
                waiting.remove(ready)
                game = learned.get(ready.after)
                if isinstance(game, str):
                    done(ready, unfinished(ready, *self.why_not(ready, game)))
                    continue
                self.watch.started(ready)
                self.pool.start(replace(ready, game=game))
            for job, word, value in self.pool.events(0.1):
                if word == "progress":
                    self.watch.progress(job, *value)
                else:
                    done(replace(job, game=None), value)
        self.comparison.records = [self.runs.records[job.key] for job in self.jobs if job.kind == "solve"]
        self.comparison.points = [self.point(job) for job in self.jobs if job.kind == "curve"]

    def journal(self, job: Job) -> Journal:
        """Where the record of a job stands."""
        return {"learn": self.models, "curve": self.points}.get(job.kind, self.runs)

    def point(self, job: Job) -> Record:
        """The record of a point of a curve, with what was asked where nothing came of it."""
        record = self.points.records[job.key]
        wrong = misfit(record, POINT_SHAPE) if record["stop"] == "done" else None
        if wrong is not None:
            record = {"stop": "error", "note": f"the record of this point has no proper `{wrong}`"}
        assert job.instance is not None
        asked = {"game": job.instance.game.name, "learner": job.name, "seed": job.settings.seed}
        return {**asked, "rollouts": job.settings.rollouts, **record}

    def complete(self, job: Job, record: Record) -> Record:
        """A record with what this process knows besides."""
        if not job.after:
            return record
        return with_model(record, self.models.records.get(job.after, {}))

    def settle(self, job: Job, record: Record, learned: dict[str, Game | str]) -> None:
        """Take up what a learning job has learned."""
        if job.kind != "learn":
            return
        assert job.instance is not None
        self.comparison.models[game_key(job.instance)] = record
        learned[job.key] = learned_game(record)

    def why_not(self, job: Job, note: str) -> tuple[str, str]:
        """The `stop` and the note of a run whose game was not learned."""
        return why_not_learned(self.models.records[job.after]["stop"], note)


def why_not_learned(stop: str, note: str) -> tuple[str, str]:
    """The `stop` and the note of a run whose game was not learned: learning it stopped so."""
    return ("unsupported" if stop == "unsupported" else "error"), f"the game was not learned: {note}"


def learned_game(record: Record) -> Game | str:
    """The game in the record of a learning job, or why there is none."""
    if record["stop"] != "done":
        return str(record["note"])
    wrong = misfit(record, LEARNED_SHAPE)
    if wrong is not None:
        return f"what was learned cannot be read: its record has no proper `{wrong}`"
    try:
        return read_game(record["model"].encode(), "the learned game")[0]
    except PuzzleError as error:
        return f"what was learned cannot be read: {error}"


def check_names(instances: Sequence[Instance]) -> None:
    """Raise PuzzleError where different levels have one name, for records could not tell them apart."""
    names = [instance.name for instance in instances]
    for name in names:
        if names.count(name) > 1:
            raise PuzzleError(f"two different levels are called {name}", "compare them one by one")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raises PuzzleError where that cannot be, or where it is not ours."""
    if (folder / "index.html").exists() and not (folder / RECORDS).exists():
        message = f"there is an index.html in {folder} that is from no comparison"
        raise PuzzleError(message, "choose another place (-o), so that it is not written over")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PuzzleError(f"cannot make the folder {folder}: {reason}", "choose another place (-o)") from None


def next_ready(waiting: Sequence[Job], learned: Mapping[str, Any]) -> Job | None:
    """The first job that waits for nothing."""
    return next((job for job in waiting if not job.after or job.after in learned), None)


def probed(pool: Workers, solvers: Sequence[str], settings: Settings) -> dict[str, Record]:
    """What each solver says of itself; nothing where asking fails, for the runs will say why.

    Runs have their versions in their names. Whoever was killed while it was asked is therefore asked again:
    else all its runs would be others, and be made once more.
    """
    found, left = dict[str, Record](), list(solvers)
    for _ in range(PROBES):
        found |= answers(pool, [Job("probe", name, name, settings=settings) for name in left])
        left = [name for name in left if found[name]["stop"] != "done"]
    return {name: found[name] for name in solvers}


def exported(
    pool: Workers, instances: Sequence[Instance], settings: Settings, journal: Journal
) -> dict[str, dict[str, Record]]:
    """What each exporter says to each instance, from the journal where it stands there."""
    names = [name for name in registry.EXPORTERS if name != "null"]
    found: dict[str, dict[str, Record]] = {}
    for instance in instances:
        plain = Job("export", "", instance=instance, settings=settings, versions=our_versions())
        named = [replace(plain, name=name) for name in names]
        jobs = [replace(job, key=key_of(job)) for job in named]
        told = {key: record for key, record in journal.records.items() if lasts(record)}
        for key, record in answers(pool, [job for job in jobs if job.key not in told]).items():
            told[key] = record
            if lasts(record):
                journal.add(key, record)
        found[instance.name] = {job.name: told[job.key] for job in jobs}
    return found


def answers(
    pool: Workers, jobs: Sequence[Job], keep: Callable[[str, Record], None] = lambda key, record: None
) -> dict[str, Record]:
    """Do jobs of no comparison; their answers by key, in order. `keep` gets each as it comes."""
    found: dict[str, Record] = {}
    waiting = list(jobs)
    while waiting or pool.busy:
        while waiting and pool.free:
            pool.start(waiting.pop(0))
        for job, word, value in pool.events(0.1):
            if word == "done":
                keep(job.key, value)
                found[job.key] = value
    return {job.key: found[job.key] for job in jobs}
