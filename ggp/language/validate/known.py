"""Says which plans that a file calls known the referee judges otherwise: for `ggp check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.errors import Finding, PuzzleError
from ggp.model import Game, Instance, Level, Plan
from ggp.referee.trajectory import replay


def known_findings(game: Game, levels: Iterable[Level]) -> Iterator[Finding]:
    """Warnings for plans under `wins` that do not win, and for those under `loses` that do."""
    for level in levels:
        instance = Instance(game, level)
        for key, plans in (("wins", level.known.wins), ("loses", level.known.loses)):
            for number, plan in enumerate(plans, start=1):
                said = against(instance, plan, key == "wins")
                if said:
                    message = f"level {level.name}: plan {number} of `{key}` {said}"
                    yield Finding(message, "`ggp replay` shows a plan turn by turn", level.place, "warning")


def against(instance: Instance, plan: Plan, wanted: bool) -> str:
    """What speaks against a plan that wins, or does not, as `wanted`; nothing where it is so."""
    try:
        verdict = replay(instance, plan)
    except PuzzleError as error:
        return f"is no plan of it: {error.findings[0].message}"
    if verdict.won == wanted:
        return ""
    return f"does not win: {verdict.reason}" if wanted else f"wins at turn {verdict.turn}"
