"""What `import ggp` offers: load, solve, solutions, unique, hint, replay, export, learn, learn_from, ..."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ggp.errors import PuzzleError
from ggp.language import levels
from ggp.model import Cell, Game, Instance, Level, Piece, Plan, Start
from ggp.model.result import Clock, Query, Result, Want
from ggp.referee.designs import check_design
from ggp.referee.trajectory import Verdict
from ggp.referee.trajectory import replay as _replay
from ggp.registry import USUAL_LEARNER as _USUAL_LEARNER
from ggp.render import notebook as _notebook  # noqa: F401 - levels, plans and results draw themselves
from ggp.tasks.asking import asked as _asked
from ggp.tasks.exporting import export as _export
from ggp.tasks.given import number as _number
from ggp.tasks.given import plan as _plan
from ggp.tasks.given import seed as _seed
from ggp.tasks.given import several as _several
from ggp.tasks.given import text as _text
from ggp.tasks.questions import with_horizon
from ggp.tasks.solving import Run
from ggp.tasks.taking import default_solver

if TYPE_CHECKING:
    from ggp.explain.hints import Hint
    from ggp.explain.unique import Uniqueness
    from ggp.generate.wish import Difficulty, Made
    from ggp.harness.from_play import FromPlay
    from ggp.harness.learning import LearnedGame
    from ggp.harness.runner import Comparison
    from ggp.learn.boards import Episode
    from ggp.tasks.bounding import Bound
    from ggp.watch import World


def load(name: Path | str) -> Instance:
    """The instance called `game/level`, or in the file of that path (`FILE#3`: its third level).

    Raises UnknownName or DescriptionError, with file, line and column.
    """
    return levels.load(_text(name, "level", "an Instance"))


def solve(
    instance: Instance | Path | str,
    solver: str | None = None,
    want: Want = "best",
    *,
    objective: str | None = None,
    horizon: int | None = None,
    exactly: int | None = None,
    avoid: Iterable[Cell] = (),
    robust: Iterable[tuple[int, int] | Start] = (),
    limit: int | None = None,
    time_limit: float | None = None,
    passes: Sequence[str] = (),
    encoding: str | None = None,
    presolve: bool = True,
    check_proof: bool = False,
) -> Result:
    """Ask a solver for the best plan, the first, all of them, or how many there are.

    Without `solver` it is `auto`: search for what moves, sat for what must hang together or is only counted,
    else cp-sat, and after a second others beside it, in processes. `objective` names one of the game's
    objectives (default: its first), `horizon` replaces the level's, `exactly` asks for designs of so many
    placements, `avoid` for those with none on these cells, `robust` for those that win as well if the walker
    starts at any of these, (row, column) or (row, column, facing), `limit` stops after so many plans of
    `all`, `time_limit` is in seconds, `passes` are switched on by name (`value-symmetry`, `board-symmetry`,
    `redundant-sums`), `encoding` names one of those in docs/command-line.md (default: the first that
    applies), `presolve` leaves out of it what propagation settles before the solver gets it. Every plan
    in the result was replayed; with `check_proof` what it claims beyond them is checked,
    by means that share nothing with the solver, and `proof` and `vouched` say what came of it. Raises
    UnknownName, NotAvailable, UnsupportedFeature, SolverError, and PuzzleError for a question that the level
    cannot be asked.
    """
    asked = _asked(_instance(instance, horizon), exactly, avoid, robust)
    encoded = bool(passes) or encoding is not None or not presolve
    run = Run(
        asked,
        default_solver(asked, encoded=encoded) if solver is None else solver,
        want,
        objective,
        limit,
        time_limit,
        _several(passes),
        encoding,
        presolve,
    )
    for _ in run:
        pass
    assert run.result is not None
    if check_proof:
        from ggp.proof import checked

        return checked(run.taken, run.query, run.result)
    return run.result


def solutions(
    instance: Instance | Path | str,
    solver: str | None = None,
    *,
    horizon: int | None = None,
    exactly: int | None = None,
    avoid: Iterable[Cell] = (),
    robust: Iterable[tuple[int, int] | Start] = (),
    time_limit: float | None = None,
) -> Iterator[Plan]:
    """Every plan in which each placement matters, one by one as they are found and replayed.

    `exactly`, `avoid` and `robust` as for `solve`; with `exactly` each placement matters, for it is counted.
    Plans end, too, when the time is up (`time_limit`, in seconds): whether these were all of them is what
    `solve(..., want="all")` says, in `complete`.
    """
    asked = _asked(_instance(instance, horizon), exactly, avoid, robust)
    yield from Run(asked, default_solver(asked) if solver is None else solver, "all", time_limit=time_limit)


def unique(
    instance: Instance | Path | str,
    solver: str | None = None,
    time_limit: float | None = None,
    *,
    encoding: str | None = None,
    check_proof: bool = False,
) -> Uniqueness:
    """Whether a level has one answer, several (two are in `plans`), or none, and then which clues conflict.

    `time_limit` is in seconds; `encoding` and `check_proof` as for `solve`. Raises what `solve` raises.
    """
    from ggp.explain.unique import unique as look

    chosen, clock = _instance(instance, None), Clock(time_limit)
    chosen_solver = default_solver(chosen, encoded=encoding is not None) if solver is None else solver
    found = look(chosen, chosen_solver, time_limit, encoding)
    if not check_proof:
        return found
    from ggp.proof import checked

    result = checked(chosen, Query("all", clock=clock), found.result)
    if result.proof == "wrong":  # there is an answer more than was said
        return replace(found, answers="unknown", conflict=None, result=result)
    return replace(found, result=result)


def bound(
    instance: Instance | Path | str,
    solver: str = "glop",
    *,
    objective: str | None = None,
    horizon: int | None = None,
    time_limit: float | None = 60.0,
) -> Bound:
    """What any plan costs at least, or scores at most, by a linear relaxation: `glop`, `clp` or `pdlp`.

    `objective` and `horizon` as for `solve`. It is no plan, and only that solver vouches for it. Raises
    UnknownName, NotAvailable, UnsupportedFeature, SolverError, and PuzzleError where nothing is to be best.
    """
    from ggp.tasks.bounding import bound_of_level

    return bound_of_level(_instance(instance, horizon), solver, objective, time_limit)


def hint(instance: Instance | Path | str, placed: Mapping[Cell, Piece] = MappingProxyType({})) -> Hint:
    """The next forced cell with the reasons that force it, or the mistakes in what was `placed` so far.

    For puzzles in which something is placed and nothing moves; raises UnsupportedFeature for others, and
    PlanError where such a piece cannot be placed there.
    """
    from ggp.explain.hints import hint as think

    chosen = _instance(instance, None)
    if not isinstance(placed, Mapping):
        raise PuzzleError(f"{str(placed)[:60]!r} is no board so far", "give a dict: {(row, column): piece}")
    return think(chosen, check_design(chosen, placed.items(), partial=True))


def replay(instance: Instance | Path | str, plan: Plan, seed: int | str | None = None) -> Verdict:
    """The referee's verdict on a plan. Raises PlanError if its design is not allowed.

    Where chance has a part it does what the plan says that it did, or what comes of a seed.
    """
    return _replay(_instance(instance, None), _plan(plan), seed)


def env(level: Instance | Path | str, *, num_envs: int | None = None, **options: Any) -> Any:
    """A level as an environment of Gymnasium; with `num_envs` so many runs of it at once.

    Several players make it an environment of PettingZoo: AEC where they take turns, parallel where they move
    at the same time. The options are those of `ggp.players.envs.single.PuzzleEnv` (`observations`, `rewards`,
    `illegal`, `steps`, `render_mode`), of `ggp.players.envs.vector.PuzzleVectorEnv`, or of
    `ggp.players.envs.agents.Agents`. Raises
    NotAvailable where Gymnasium (PettingZoo) is not installed, UnsupportedFeature for a game that is not
    played so, UnknownName and PuzzleError for options that are none.
    """
    from ggp.players.envs import contest_env, known, needed

    level = _instance(level, None)
    if len(level.game.players) > 1 and num_envs is None:
        return contest_env(level, **options)
    needed()
    if num_envs is not None:
        from ggp.players.envs.vector import PuzzleVectorEnv

        known(PuzzleVectorEnv, options)
        return PuzzleVectorEnv(level, num_envs, **options)
    from ggp.players.envs.single import PuzzleEnv

    known(PuzzleEnv, options)
    return PuzzleEnv(level, **options)


def export(
    instance: Instance | Path | str,
    target: str,
    plan: Plan | None = None,
    *,
    allow_loss: bool = False,
    passes: Sequence[str] = (),
) -> str:
    """The text of an instance in another format; with `plan`, its design already placed.

    `passes` are switched on by name, as for `solve`; only a format that is written from constraints has any.

    Raises UnsupportedFeature, with every feature that the format lacks and its place in the description;
    also where something would be lost, unless `allow_loss`. Raises NotAvailable, UnknownName.
    """
    return _export(
        _instance(instance, None),
        target,
        None if plan is None else _plan(plan),
        allow_loss=allow_loss,
        passes=_several(passes),
    ).text


def generate(
    game: Game | Path | str,
    *,
    seed: int = 0,
    size: tuple[int, int] | None = None,
    difficulty: Difficulty | None = None,
    numbers: Mapping[str, int] | None = None,
    count: int = 1,
    time_limit: float | None = None,
) -> Iterator[Made]:
    """New levels of a game, one by one as they are made, each with its known facts and what was measured.

    `size` is (rows, columns), `numbers` are the level's own where others than usual are wished for,
    `time_limit` is in seconds for all of them. The same seed makes the same
    levels, bit for bit. Raises PuzzleError for a size that the game cannot have, UnsupportedFeature for a
    game that nothing here makes levels of, and NotMade where none was found.
    """
    from ggp.generate.interface import generate as make

    _seed(seed)
    if numbers is not None and not isinstance(numbers, Mapping):
        raise PuzzleError(f"{str(numbers)[:60]!r} are no numbers", 'give a dict, such as {"half": 3}')
    described, kept = _game(game)
    yield from make(
        described,
        kept,
        seed=seed,
        size=size,
        difficulty=difficulty,
        numbers=numbers,
        count=count,
        time_limit=time_limit,
    )


def learn(
    game: Game | Path | str, *, learner: str = _USUAL_LEARNER, rollouts: int | None = None, seed: int = 0
) -> LearnedGame:
    """Learn the rules of a game by watching it in the VGDL engine, and certify them.

    `rollouts` is how many random levels are watched, of ten turns each; without it, watching goes on until
    nothing surprises any more. Raises PuzzleError where what is seen cannot be explained.
    """
    from ggp.harness.learning import learn as watch_and_learn

    _number("roll-outs", rollouts, 1)
    _seed(seed)
    return watch_and_learn(_game(game)[0], learner=learner, rollouts=rollouts, seed=seed)


def learn_from(
    play: str | Path | World | Sequence[Episode],
    *,
    rollouts: int | None = None,
    seed: int = 0,
    active: bool = False,
    frames: bool = False,
    observe: str = "all",
    noise: float | None = None,
    fresh: int = 2000,
    time_limit: float | None = None,
) -> FromPlay:
    """Learn a game from play alone, and hold its rules against fresh play.

    `play` is the address of a game that no description here knows (`puzzlescript:FILE`, `vgdl:FILE`,
    `py-vgdl:FILE`, `gym:NAME`, `python:FILE`, `game:NAME`), the path of recorded play, a world of your own
    (`ggp.watch.callables.CallableWorld`, `ggp.watch.environments.GymWorld`), or runs of one. A world is
    watched for so many `rollouts`, with `active` such as tell apart what fits; with `frames`, inside turns,
    too. `observe="positions"` leaves facings out; `noise` is the share of cells that were recorded wrongly.
    `fresh` turns are foreseen and compared. Raises PuzzleError where nothing is learned within `time_limit`.
    """
    from ggp.harness import from_play
    from ggp.harness.worlds import is_address, world_of

    _number("roll-outs", rollouts, 1)
    _number("fresh turns", fresh, 0)
    _seed(seed)
    if noise is not None and type(noise) not in (int, float):
        raise PuzzleError(f"{str(noise)[:60]!r} is no share of cells", "give a number, such as 0.05")
    if isinstance(play, str) and is_address(play):
        play = world_of(play, frames=frames)
    elif frames:
        raise PuzzleError("only an address of a game can show the boards inside turns", "leave out frames")
    elif isinstance(play, str):
        play = Path(play)
    from_play.refuse_mixed(isinstance(play, Path | Sequence), noise, observe)
    clock = Clock(time_limit)
    with from_play.before_rules(clock):
        taken = from_play.taken(play, rollouts, seed, active=active, noise=noise)
    learner = from_play.learner_for(noise, observe, taken.world)
    return from_play.learned_in_time(taken, learner, fresh, clock, lambda _: None)


def compare(
    *instances: Instance | Path | str,
    solvers: Sequence[str] | None = None,
    paths: Sequence[str] | None = None,
    time_limit: float = 60.0,
    memory_limit: int = 4096,
    workers: int = 1,
    encoding: str | None = None,
    presolve: bool = True,
    folder: Path | str | None = None,
) -> Comparison:
    """Solve each instance with each solver, from its description and from what was learned without it.

    `solvers` and `paths` (`described`, `learned`) default to all that there are. Every run has a process of
    its own, `time_limit` seconds, `memory_limit` megabytes and, where its solver gets one, the `encoding` of
    that name (default: the first that applies), `presolve` as for `solve`, and becomes one of the
    result's `records` whatever the solver does: a dict with the keys of `ggp solve --json` and of
    `ggp.harness.records.EMPTY`.
    With a `folder`, records are kept as they come, a comparison that was killed goes on where it was, and
    pictures and a page are written there. Raises UnknownName, and PuzzleError for limits that are none and
    where a file cannot be written.
    """
    from ggp.harness.jobs import Settings, encoding_name
    from ggp.harness.output import write_all
    from ggp.harness.runner import compare as run

    for what, names in (("solver", solvers), ("path", paths)):
        if names is not None and not _several(names):
            raise PuzzleError(f"there is no {what} to compare by", "name some, or None: all that there are")
    chosen = [_instance(instance, None) for instance in instances]
    if folder is not None and not isinstance(folder, Path | str):
        raise PuzzleError(f"{str(folder)[:60]!r} is no folder", "give the path of one")
    place = None if folder is None else Path(folder)
    chosen_encoding = encoding_name(encoding)
    settings = Settings(time_limit, memory_limit, workers, encoding=chosen_encoding, presolve=presolve)
    comparison = run(
        chosen,
        solvers=None if solvers is None else _several(solvers),
        paths=None if paths is None else _several(paths),
        settings=settings,
        folder=place,
        exports=place is not None,
    )
    if place is not None:
        write_all(comparison, place)
    return comparison


def results(
    store: Path | str, library: str | None = None, *, every: bool = False, **chosen: str | Sequence[str]
) -> Any:
    """The records of a campaign's store as a frame, a row each, judged as `ggp results` does.

    `library` is `polars` or `pandas` (default: the first of them that is installed). `chosen` are patterns
    for `level`, `solver`, `path`, `question`, `stop` and `machine`; with `every`, runs that were made again
    with newer versions are there more than once. Raises NotAvailable, UnknownName, and PuzzleError for a file
    that is no store.
    """
    from ggp.harness.campaign import frame
    from ggp.harness.campaign import results as taken
    from ggp.registry import unknown

    if not isinstance(store, Path | str):
        raise PuzzleError(f"{str(store)[:60]!r} is no store", "give the path of one")
    for what in chosen:
        if what not in taken.FILTERS:
            raise unknown("filter", what, taken.FILTERS)
    patterns = {what: _several(one) for what, one in chosen.items()}
    return frame.frame(taken.results(Path(store), patterns, every=every).records, library)


def _instance(instance: Instance | Path | str, horizon: int | None) -> Instance:
    return with_horizon(instance if isinstance(instance, Instance) else load(instance), horizon)


def _game(game: Game | Path | str) -> tuple[Game, tuple[Level, ...]]:
    if isinstance(game, Game):
        return game, ()
    return levels.load_game(_text(game, "game", "a Game"))
