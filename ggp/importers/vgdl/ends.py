"""Terminations as a goal of ours: what wins, what loses, and how many turns there are."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.errors import Finding
from ggp.goals.count import Count
from ggp.goals.unless import Unless
from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.facts import COMPARED, ends_without
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.game import Termination
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.refused import Refused
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.importers.vgdl.ties import may_tie
from ggp.importers.vgdl.wins import ACHIEVED, MOST_TURNS, achieved, time_goes, won_without
from ggp.model import Goal, Pattern, Term
from ggp.model.board import COMPARE

NONE = "put one on each map, let something make them, or leave the line out"


@dataclass
class Ends:
    """How a game ends: terms of which any wins it, or loses it.

    `turns`: after so many turns it is over; `last` says how, None where nothing does. `in_last`: of the ways
    to win only the first so many count in the last turn, None where all do.
    """

    wins: list[Count] = field(default_factory=list)
    loses: list[Term] = field(default_factory=list)
    turns: int | None = None
    last: bool | None = None
    in_last: int | None = None
    warnings: list[Finding] = field(default_factory=list)
    clock: bool = False  # a piece counts turns


def ends_of(lower: Lowering, settled: set[Form]) -> Ends:
    """The ends of a game. Raises Refused where ours cannot say them."""
    ends = Ends()
    for end in lower.game.terminations:
        if end.name == "Timeout":
            timeout(lower, ends, end)
            continue
        if end.name == "ResourceCounter" and counts_turns(lower):
            ends.turns, ends.last = int(end.limit), False
            continue
        term = counted(lower, end, settled) if end.name in COMPARED else enough(lower, end)
        if term is None:
            continue
        if end.win:
            ends.wins.append(term)
            continue
        ends.loses.append(behind_wins(lower, ends, term))
    covered(lower, settled)
    if len(ends.wins) + bool(ends.last) > 1:
        several_wins(lower, ends)
    if lower.stops:
        ends.loses.append(Count(Pattern(IMPOSSIBLE), ">=", 1, place=lower.place(1)))
    return ends


def behind_wins(lower: Lowering, ends: Ends, term: Count) -> Term:
    """What loses, and loses not where a way to win that stands before it holds in the same turn."""
    if ends.last:
        message = "in the turn in which time is up, and wins there, this loses here: its line comes later"
        remedy = "put it before that line, and both sides agree"
        ends.warnings.append(Finding(message, remedy, term.place, "warning"))
    ties = tuple((win,) for win in ends.wins if may_tie(lower, win, term))
    return Unless(term, ties, term.place) if ties else term


def several_wins(lower: Lowering, ends: Ends) -> None:
    """Let each way to win put a piece down, of which there is then one."""
    late = ends.in_last is not None and ends.in_last < len(ends.wins)
    if (ends.last or late) and (ends.turns or 0) > MOST_TURNS:
        message = "time decides what wins, and it is long"
        raise Refused(message, f"at most {MOST_TURNS:,} turns", 1)
    for number, term in enumerate(ends.wins):
        if term.number != 0 or term.comparison == ">=":
            line = term.place.line if term.place is not None and term.place.line else 1
            raise Refused("one of several ways to win counts to more than 0", "leave one", line)
        too_late = late and ends.in_last is not None and number >= ends.in_last
        won_without(lower, number, lower.forms.members(term.what.name), ends.turns if too_late else None)
    if ends.turns is not None and (ends.last or late):
        time_goes(lower, ends.turns, wins=bool(ends.last))
        ends.last, ends.clock = None, True
    lower.more_kinds.append(achieved())
    ends.wins = [Count(Pattern(ACHIEVED), ">=", 1, place=ends.wins[0].place)]


def counts_turns(lower: Lowering) -> bool:
    """Is what ends the game a count of the ticks in which something changes? These are its turns."""
    return lower.local is not None and lower.local.counted


def enough(lower: Lowering, end: Termination) -> Count | None:
    """The avatar has come to so much of a resource; None where it never does."""
    (resource,) = end.stypes
    if end.limit < 1:
        raise Refused(f"the termination `{end.name}` is not lowered", "count sprites instead", end.line)
    if any(line.effect.name == "transformTo" and {*line.actors} & lower.players for line in lower.lines):
        message = f"the avatar becomes another one, and `{end.name}` asks what the first one had"
        raise Refused(message, "count sprites instead", end.line)
    most = lower.limits.get(resource)
    if most is None or most > end.limit:
        message = f"the avatar can have more of `{resource}` than the {end.limit} that end the game"
        raise Refused(message, "let nothing ask for more, and nothing spend it", end.line)
    if most < end.limit or resource not in lower.resources:
        return None
    return Count(lower.held(resource, most), ">=", 1, place=lower.place(end.line))


def timeout(lower: Lowering, ends: Ends, end: Termination) -> None:
    """The end of time. GVGAI counts its first tick as 0.

    The turn in which time is up is lost where nothing that wins stands before it: then the turns that can win
    are one less. Where something does, that alone wins in it, and not what stands behind.
    """
    turns = int(end.limit) + (lower.game.dialect is not PY_VGDL)
    if not end.win and not ends.wins:
        turns -= 1
        if turns < 1:
            raise Refused("time is up in the first turn, before anything wins", "raise the limit", end.line)
    if ends.turns is None or turns < ends.turns:
        ends.turns, ends.last = max(1, turns), end.win
        ends.in_last = len(ends.wins) if not end.win and ends.wins else None


def counted(lower: Lowering, end: Termination, settled: set[Form]) -> Count | None:
    """The sprites that a termination counts, compared with its limit; None where it can never hold."""
    keys = {key for name in end.stypes for key in lower.below[name]}
    if len(keys) < sum(len(lower.below[name]) for name in end.stypes):
        raise Refused("a termination counts some sprites twice", "name each type once", end.line)
    names = [lower.forms.name(form) for form in settled if form.key in keys and not form.dead]
    limit = int(end.limit)
    comparison = COMPARED[end.name]
    if not names:
        if COMPARE[comparison](0, limit):
            raise Refused(
                "this holds from the first turn on, since there are no such sprites", NONE, end.line
            )
        return None
    return Count(lower.forms.group(names), comparison, limit, place=lower.place(end.line))


def covered(lower: Lowering, settled: set[Form]) -> None:
    """A killed avatar of GVGAI stays and is met; that is not lowered, so its end must be the game's."""
    if not any(form.dead for form in settled if form.key in lower.players):
        return
    if any(not end.win for end in ends_without(lower.game, lower.players)):
        return
    raise Refused(
        "the avatar can be killed, and the game goes on", "add `SpriteCounter stype=avatar win=False`", 1
    )


def goal_of(ends: Ends, lower: Lowering) -> Goal:
    """The goal: what wins at any turn, or what holds when time is over."""
    if not ends.wins and not ends.last:
        raise Refused("nothing wins this game", "add a termination with `win=True`", 1)
    if ends.last:
        return Goal((), "horizon", tuple(ends.loses), lower.place(1))
    return Goal(tuple(ends.wins), "any-turn", tuple(ends.loses), lower.place(1))
