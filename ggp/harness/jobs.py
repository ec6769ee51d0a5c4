"""What is to be run: settings, and jobs with keys by which a killed comparison finds its records again."""

from __future__ import annotations

import hashlib
import json
import pickle
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import ggp
from ggp import registry
from ggp.errors import DescriptionError, PuzzleError
from ggp.language.description.writing import write_game
from ggp.model import Game, Instance, Known
from ggp.model.result import Clock, Want

Kind = Literal["probe", "solve", "learn", "export", "curve", "study"]
Question = Want | Literal["unique"]
QUESTIONS = ("first", "best", "all", "count", "unique")
PATHS = ("described", "learned")
SOURCES = ("ggp", "ggp.exporters", "ggp.solvers", "ggp.descriptions")
MOST_PACKED = 256  # levels whose bytes are kept
LEARNING_LIMIT = 600.0  # seconds; playing takes long where solving does not


@dataclass(frozen=True)
class Settings:
    """Under which conditions everything runs. Limits hold for each job: seconds, and megabytes (10**6 bytes).

    One worker by default: runs beside one another take each other's time, and some solvers use every core.
    `plugins` are modules that every process imports first; they may add to the registry.
    """

    time_limit: float = 60.0
    memory_limit: int = 4096
    workers: int = 1
    learner: str = registry.USUAL_LEARNER
    rollouts: int | None = None
    seed: int = 0
    plugins: tuple[str, ...] = ()
    encoding: str | None = None  # of the solvers that get one
    presolve: bool = True  # theirs is left without what propagation settles
    cpu_limit: float | None = None  # seconds of processor time, of all processes of a run together

    def __post_init__(self) -> None:
        Clock(self.time_limit)  # refuses what is no time limit
        for name in ("workers", "memory_limit"):
            number = getattr(self, name)
            if type(number) is not int or number < 1:
                raise PuzzleError(f"{name} cannot be {str(number)[:60]!r}", "give a whole number from 1 on")


@dataclass(frozen=True)
class Job:
    """One thing that is done in a process of its own.

    `name` is that of the solver, learner or exporter. `instance` is the described one, `game` the learned
    game that takes the place of its rules. `after` is the key of a job that must have ended before this one.
    A `curve` is one point of one: its learner, roll-outs and seed stand in the settings.
    """

    kind: Kind
    name: str
    key: str = ""
    instance: Instance | None = None
    path: str = "described"
    game: Game | None = None
    want: Question = "all"
    after: str = ""
    settings: Settings = field(default_factory=Settings)
    versions: Mapping[str, str] = field(default_factory=dict)
    warm: bool = True  # put a small question first, so that imports are not timed
    levels: tuple[Instance, ...] = ()  # of learning, and of a point of a curve: all levels of the game
    solver: str = ""  # that makes the plans of a curve
    passes: tuple[str, ...] = ()  # switched on for the encoding
    stay: bool = False  # the process may do further jobs of the same solver

    @property
    def level(self) -> str:
        """The name of the level."""
        return self.instance.name if self.instance is not None else ""

    @property
    def time_limit(self) -> float:
        """In seconds."""
        return max(self.settings.time_limit, LEARNING_LIMIT if self.kind in ("learn", "curve") else 0.0)


class Parcel(NamedTuple):
    """A job on its way to where it is done: its levels and its game are packed, and unpacked only there."""

    job: Job
    packed: bytes

    def whole(self) -> Job:
        """The job."""
        instance, game, levels = pickle.loads(self.packed)
        return replace(self.job, instance=instance, game=game, levels=levels)


class Packer:
    """Makes parcels, and packs what several jobs share once."""

    def __init__(self) -> None:
        self.packed: dict[
            tuple[int, int], tuple[Any, bytes]
        ] = {}  # what was packed stays, and so does its id

    def __call__(self, job: Job) -> Parcel:
        """The parcel of a job."""
        large = (job.instance, job.game, job.levels)
        place = (id(job.instance), id(job.game))
        if job.levels or place not in self.packed:
            if len(self.packed) >= MOST_PACKED:
                self.packed.clear()
            self.packed[place] = (large, pickle.dumps(large))
        light = replace(job, instance=None, game=None, levels=())
        return Parcel(light, self.packed[place][1])


def make_jobs(
    instances: Sequence[Instance],
    solvers: Sequence[str],
    paths: Sequence[str],
    settings: Settings,
    versions: Mapping[str, Mapping[str, str]],
) -> list[Job]:
    """Every job, in the order of the table; a game is learned before the runs that need it."""
    jobs: list[Job] = []
    learning: dict[str, Job] = {}
    games = by_game(instances)
    for instance in dict.fromkeys(instances):
        want, mine = question(instance), text_of(instance.game)
        for path in paths:
            learn = None
            if path == "learned":
                learn = learning.get(mine)
                if learn is None:
                    learn = learning[mine] = learn_job(games[mine], settings)
                    jobs.append(learn)
            for solver in dict.fromkeys(solvers):
                after = learn.key if learn is not None else ""
                job = Job("solve", solver, "", instance, path, None, want, after, settings)
                job = replace(job, versions={**our_versions(), **versions.get(solver, {})})
                jobs.append(replace(job, key=key_of(job)))
    return jobs


def by_game(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    """The instances of each game, by its description."""
    found: dict[str, list[Instance]] = {}
    for instance in dict.fromkeys(instances):
        found.setdefault(text_of(instance.game), []).append(instance)
    return found


def learn_job(levels: Sequence[Instance], settings: Settings) -> Job:
    """Learning the rules of a game, of which these levels are there."""
    job = Job("learn", settings.learner, "", levels[0], "learned", settings=settings, versions=our_versions())
    job = replace(job, levels=tuple(levels))
    return replace(job, key=key_of(job))


@dataclass(frozen=True)
class Curves:
    """Which points learning curves are to have: each learner, each number of roll-outs, seeds from 0 on."""

    rollouts: tuple[int, ...]
    learners: tuple[str, ...]
    seeds: int = 1
    solver: str = "search"


def curve_jobs(instances: Sequence[Instance], curves: Curves, settings: Settings) -> list[Job]:
    """A job for each point of the curves of each game, on all of its levels."""
    jobs = []
    for mine in by_game(instances).values():
        for learner, rollouts, seed in product(curves.learners, curves.rollouts, range(curves.seeds)):
            here = replace(settings, learner=learner, rollouts=rollouts, seed=seed)
            job = Job("curve", learner, "", mine[0], "learned", settings=here, versions=our_versions())
            job = replace(job, levels=tuple(mine), solver=curves.solver)
            jobs.append(replace(job, key=key_of(job)))
    return jobs


def question(instance: Instance) -> Want:
    """All plans where a design is asked for; the best one for turns, whose plans are far too many."""
    return "all" if instance.game.input is None else "best"


# --- keys -------------------------------------------------------------------------------------------------


def key_of(job: Job) -> str:
    """A name for the job that changes with whatever could change its answer, this package's code included."""
    assert job.instance is not None
    made = {"versions": dict(job.versions), "source": source_fingerprint(job.settings.plugins)}
    return fingerprint(
        json.dumps(asked(job, text_of(job.instance.game, job.instance)) | made, sort_keys=True)
    )


def asked(job: Job, content: str) -> dict[str, Any]:
    """What is asked by a job; `content` stands for its level."""
    told: dict[str, Any] = {
        "kind": job.kind,
        "name": job.name,
        "level": job.level,
        "content": content,
        "path": job.path,
        "want": job.want,
        "after": job.after,
        "time": job.time_limit,
        "cpu": job.settings.cpu_limit,
        "memory": job.settings.memory_limit,
        "encoding": job.settings.encoding,
        "presolve": job.settings.presolve,
        "passes": job.passes,
    }
    if job.kind == "curve":
        told |= {"solver": job.solver}
    if job.kind in ("learn", "curve"):
        told |= {"levels": [text_of(one.game, one) for one in job.levels]}
        told |= {"rollouts": job.settings.rollouts, "seed": job.settings.seed}
    return told


def text_of(game: Game, instance: Instance | None = None) -> str:
    """A game, with the level of an instance of it, as a description; what is known of the level left out."""
    levels = () if instance is None else (replace(instance.level, known=Known()),)
    try:
        return write_game(game, levels)
    except DescriptionError:  # made in Python, or of another system: no file of ours can say it
        rules = repr((game.kinds, game.classes, game.turn, game.physics, game.scan, game.goal))
        board = [[sorted(map(str, here)) for here in row] for level in levels for row in level.board]
        return f"{game.name if instance is None else instance.name} {rules} {board}"


def fingerprint(text: str) -> str:
    """A short name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def our_versions() -> dict[str, str]:
    """Versions of what every run uses."""
    return {"ggp": ggp.__version__, "python": platform.python_version()}


@cache
def source_fingerprint(plugins: tuple[str, ...] = ()) -> str:
    """A short name for the code that runs: a checkout changes without a new version."""
    total = hashlib.sha256()
    files: set[Path] = set()
    for package in SOURCES:
        folder = Path(str(import_module(package).__file__)).parent
        files |= {file for ending in ("*.py", "*.toml") for file in folder.rglob(ending)}
    # Found, not imported: only the processes that run the jobs are to have what a plugin changes.
    found = [find_spec(plugin) for plugin in plugins]
    files |= {Path(spec.origin) for spec in found if spec is not None and spec.origin is not None}
    for file in sorted(files):
        total.update(file.read_bytes())
    return total.hexdigest()[:32]


# --- names ------------------------------------------------------------------------------------------------


def solver_names(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The solvers of these names, each once; without any, all but the template and `auto`."""
    known = [name for name in registry.SOLVERS if name not in ("auto", "null")]  # `auto` asks the others
    for name in chosen or ():
        if ":" in name:
            registry.load("solver", name)  # is it one that takes an argument, and this one?
        elif name not in registry.SOLVERS:
            raise registry.unknown("solver", name, known)
    return tuple(dict.fromkeys(chosen or known))


def encoding_name(chosen: str | None) -> str | None:
    """The name, if there is an encoding called so. Raises UnknownName."""
    if chosen is not None and chosen not in registry.ENCODINGS:
        raise registry.unknown("encoding", chosen, registry.ENCODINGS)
    return chosen


def path_names(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The paths of these names; without any, all that there are learners for. Raises UnknownName."""
    for name in chosen or ():
        if name not in PATHS:
            raise registry.unknown("path", name, PATHS)
    return tuple(dict.fromkeys(chosen or (PATHS if registry.LEARNERS else PATHS[:1])))
