"""From a question to encodings: which horizons to try, and what an answer about one of them proves.

Shared by every solver that works through the Encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ggp.encoding import Encoding
from ggp.encodings.occupancy import encode
from ggp.encodings.relevance import only_consulted
from ggp.errors import PuzzleError
from ggp.lowering.propagate import lower
from ggp.model import Instance
from ggp.result import Outcome, Query
from ggp.semantics import ending


@dataclass(frozen=True)
class Attempt:
    """An encoding at a horizon; `final` if an answer "none" here ends the search for one."""

    encoding: Encoding
    final: bool


def attempts(
    instance: Instance, query: Query, rewrite: Callable[[Encoding], Encoding] = lambda encoding: encoding
) -> Iterator[Attempt]:
    """The encoding at the level's horizon, or without one at horizons that double.

    `rewrite` is applied before propagation, while the encoding's claims are still about all its variables.
    Raises PuzzleError where all plans are asked for and no horizon bounds them.
    """
    horizon = instance.level.horizon
    moving = instance.game.input is not None or bool(instance.game.physics)
    if horizon is not None or not moving:
        yield Attempt(make(instance, query, horizon or 0, rewrite), True)
        return
    if query.want in ("all", "count") or instance.game.input is None:
        raise PuzzleError(f"{instance.name} has no horizon", "give one with --horizon N")
    horizon = 1
    while True:
        yield Attempt(make(instance, query, horizon, rewrite), False)
        horizon *= 2


def make(
    instance: Instance,
    query: Query,
    horizon: int,
    rewrite: Callable[[Encoding], Encoding] = lambda encoding: encoding,
) -> Encoding:
    """The encoding for a question, worked out as far as propagation gets."""
    started = query.clock.seconds
    objective = query.objective if query.want == "best" else None
    encoding = encode(instance, horizon=horizon, objective=objective, tick=query.clock.check)
    if query.want in ("all", "count"):
        only_consulted(encoding)
    query.clock.check()
    lowered = lower(rewrite(encoding), query.clock.check)
    query.clock.encoding += query.clock.seconds - started
    return lowered


def conclude(attempt: Attempt, query: Query, outcome: Outcome) -> Outcome:
    """What a solver's answer about one encoding says about the question.

    No plan within a horizon is not "unsolvable", and neither is a limit that the encoding ran into. The
    best plan within a horizon is the best of all only where the objective is the number of turns.
    """
    instance, encoding = attempt.encoding.instance, attempt.encoding
    if outcome.stop == "unsolvable":
        within = bool(encoding.limits) or (ending(instance) == "any-turn" and encoding.horizon > 0)
        if within:
            note = "; ".join([f"no plan within {encoding.horizon} turns", *encoding.limits])
            return replace(outcome, stop="horizon-exhausted", note=note)
    by_turns = query.objective is not None and query.objective.counts == "turns"
    if outcome.stop == "optimal" and not attempt.final and not by_turns:
        note = f"best within {encoding.horizon} turns; a longer plan might do better"
        return replace(outcome, stop="satisfied", complete=False, bound=None, note=note)
    return outcome
