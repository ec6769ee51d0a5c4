"""What may be asked of a solver, by name: objectives, horizons, numbers of plans, encodings, passes."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, get_args

from ggp import registry
from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.model import MOST_TURNS, Instance, Known, Objective
from ggp.model.result import Want

if TYPE_CHECKING:
    from ggp.encoding.constraints import Encoding


def objective_of(instance: Instance, name: str | None) -> Objective | None:
    """The objective of that name, or the game's first; raises UnknownName, and UnsupportedFeature for a
    score that is not known.
    """
    game = instance.game
    objectives = {objective.name: objective for objective in game.objectives}
    if name is None:
        return next(iter(objectives.values()), None)
    if name not in objectives:
        if name == "score":
            raise UnsupportedFeature(
                game.unscored or f"{game.name} has no score: no rule of it says `score`",
                f"ask for another objective: {', '.join(objectives)}" if objectives else "ask for none",
                game.place,
            )
        raise registry.unknown("objective", name, objectives)
    return objectives[name]


def with_horizon(instance: Instance, horizon: int | None) -> Instance:
    """The instance with another horizon; as it is where none is given.

    Raises PuzzleError for one that no level may have.
    """
    if horizon is None:
        return instance
    if type(horizon) is not int or not 0 <= horizon <= MOST_TURNS:
        said = f"{horizon:,}" if type(horizon) is int else repr(horizon)[:60]
        raise PuzzleError(f"a horizon of {said} is none", f"write 0 to {MOST_TURNS:,} turns")
    level = replace(instance.level, horizon=horizon)
    if horizon != instance.level.horizon:  # what was known may not hold any more; plans are replayed anyway
        level = replace(level, known=Known(wins=level.known.wins, loses=level.known.loses))
    return replace(instance, level=level)


def refuse_unasked(want: object, limit: object) -> None:
    """Raise UnknownName for a question that there is not, PuzzleError for no number of plans.

    Types say as much, but programs that nobody checks call this, too.
    """
    if want not in get_args(Want):
        raise registry.unknown("question", str(want), get_args(Want))
    if limit is not None and (type(limit) is not int or limit < 1):
        raise PuzzleError(f"{str(limit)[:60]!r} is no number of plans", "give a whole number from 1 on")
    if limit is not None and want != "all":
        raise PuzzleError(f"a limit of plans does not go with the question {want}", "it goes with all")


def encoding_named(name: str | None, solver: str, module: ModuleType) -> str | None:
    """The name, if there is an encoding of that name and the solver has use for one.

    Raises UnknownName, PuzzleError.
    """
    if name is None:
        return None
    if name not in registry.ENCODINGS:
        raise registry.unknown("encoding", name, registry.ENCODINGS)
    refuse_without_encoding(solver, module, "`encoding` (`--encoding`)")
    return name


def refuse_without_encoding(solver: str, module: ModuleType, option: str) -> None:
    """Raise PuzzleError where an option speaks of an encoding, and the solver gets none."""
    if not hasattr(module, "BACKEND"):
        raise PuzzleError(f"{solver} gets no encoding", f"leave out {option}, or take another solver")


class PassesOn:
    """Passes that were switched on for an encoding; `applied` once there was one.

    Raises UnknownName, and PuzzleError where a pass would lose answers that are asked for.
    """

    def __init__(self, names: tuple[str, ...], want: Want = "first") -> None:
        self.modules = [registry.load("pass", name) for name in names]
        self.applied = False
        for name, module in zip(names, self.modules, strict=True):
            if module.SYMMETRY and want in ("all", "count"):
                remedy = "leave it out, or ask for one plan"
                raise PuzzleError(f"{name} leaves out answers that are like others", remedy)

    def __call__(self, encoding: Encoding) -> Encoding:
        """The encoding after each pass."""
        self.applied = True
        for module in self.modules:
            encoding = module.lower(encoding)
        return encoding
