"""How a game of several players ends, and what each of them gets.

Whoever makes the turn that completes the goal wins, whoever makes the turn that loses is the one who loses.
Nobody wins where the horizon is reached, nor where nobody can move; a player who cannot move loses where the
game says so.

Where all move at the same time those win whose goals hold after the turn; where that is everybody it is a
draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ggp.model import Instance
from ggp.model.board import State
from ggp.referee.semantics import choices, ending, is_goal, is_lost, legal_actions, winners

Outcome = Literal["open", "won", "lost", "drawn"]
Utilities = tuple[float, ...]


class Ended(NamedTuple):
    """What each player gets, and why in words."""

    utilities: Utilities
    reason: str


def utilities(players: int, mover: int, outcome: Outcome) -> Utilities:
    """What each player gets where one of them won, or lost: who wins takes 1 from all others."""
    own = {"won": 1.0, "lost": -1.0}.get(outcome, 0.0)
    return tuple(own if player == mover else 0.0 - own for player in range(players))


def seen_by(player: int, gets: Sequence[float]) -> Outcome:
    """What a player calls an end at which each gets so much; `open` where it is none."""
    if not gets:
        return "open"
    return "won" if gets[player] > 0 else "lost" if gets[player] < 0 else "drawn"


def joint_utilities(players: int, winners: Sequence[int]) -> Utilities:
    """What each player gets where so many have won at the same time; nobody has where all of them have."""
    if not 0 < len(winners) < players:
        return (0.0,) * players
    return tuple(1.0 if player in winners else -1.0 for player in range(players))


def goals_of_each(instance: Instance) -> str:
    """What each player must reach who moves at the same time as the others, in words."""
    owned = zip(instance.game.players, instance.game.goal.own, strict=True)
    return "; ".join(f"{name}: {', '.join(term.say(instance) for term in terms)}" for name, terms in owned)


def joint_end(instance: Instance, states: Sequence[State]) -> Ended | None:
    """The same as `ended`, where all players move at the same time."""
    names, turn, horizon = instance.game.players, len(states) - 1, instance.level.horizon
    last = horizon is not None and turn >= horizon
    won = winners(instance, states[-1]) if turn and (last or ending(instance) == "any-turn") else ()
    if won:
        who = " and ".join(names[player] for player in won)
        drawn = len(won) == len(names)
        how = f"a draw: {who} win together" if drawn else f"{who} win{'s' * (len(won) == 1)}"
        return Ended(joint_utilities(len(names), won), f"{how} at turn {turn}")
    if last:
        return Ended((0.0,) * len(names), f"a draw: nobody has won at turn {turn}")
    stuck = [player for player in range(len(names)) if not choices(instance, states[-1], player)]
    if not stuck:
        return None
    who = " and ".join(names[player] for player in stuck)
    reason = f"{who} cannot move at turn {turn}"
    declared = instance.game.input
    if declared is None or declared.stuck != "loses" or len(stuck) == len(names):
        return Ended((0.0,) * len(names), f"a draw: {reason}")
    movers = [player for player in range(len(names)) if player not in stuck]
    return Ended(joint_utilities(len(names), movers), f"{reason}, and lose{'s' * (len(stuck) == 1)}")


def ended(instance: Instance, states: Sequence[State]) -> Ended | None:
    """What the last of these states means for each player; None where the game goes on."""
    if instance.game.simultaneous:
        return joint_end(instance, states)
    names, turn, horizon = instance.game.players, len(states) - 1, instance.level.horizon
    last = horizon is not None and turn >= horizon
    if turn:
        mover = states[-2].mover
        if is_lost(instance, states[-1]):
            return Ended(utilities(len(names), mover, "lost"), f"{names[mover]} loses at turn {turn}")
        if (last or ending(instance) == "any-turn") and is_goal(instance, states[-1]):
            return Ended(utilities(len(names), mover, "won"), f"{names[mover]} wins at turn {turn}")
    if last:
        return Ended(utilities(len(names), 0, "drawn"), f"a draw: nobody has won at turn {turn}")
    if legal_actions(instance, states[-1]):
        return None
    mover, declared = states[-1].mover, instance.game.input
    if declared is not None and declared.stuck == "loses":
        reason = f"{names[mover]} cannot move at turn {turn}, and loses"
        return Ended(utilities(len(names), mover, "lost"), reason)
    passes = declared is not None and declared.stuck == "passes"
    why = "nobody can move" if passes else f"{names[mover]} cannot move"
    return Ended(utilities(len(names), 0, "drawn"), f"a draw: {why} at turn {turn}")
