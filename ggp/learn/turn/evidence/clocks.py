"""What keeps time: its value changes in every turn, whatever the input, and it may make something as it does.

So a pipe drips in every third turn. Where it stands it stays, and each value is followed by one other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ggp.learn.boards import Token, Turn
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import OWN, Change, Seen, View

FEWEST = 8  # times that it went on
NEARLY = 0.9  # of the times that it was there; a run may end, or be undone
MOSTLY = 0.5  # of the times that it had a value: what is made may meet something at once
HERE = (0, 0)


def clocks(turns: Sequence[Turn], structure: Structure, but: Iterable[str]) -> list[Part]:
    """A part for all that keeps time: how it goes on, and what it makes."""
    valued = {name for name, value in structure.facing.values() if value.isdecimal() and name not in {*but}}
    next_of, made, there = seen_of(turns, structure, valued)
    parts = []
    for name in sorted(valued):
        known = {
            token: found.most_common(1)[0] for token in structure.members(name) if (found := next_of[token])
        }
        times, went = (sum(some) for some in ([there[one] for one in known], [n for _, n in known.values()]))
        if len(known) == len(structure.members(name)) and went >= max(FEWEST, NEARLY * times):
            following = {token: later for token, (later, _) in known.items()}
            some = {
                token: [one for one, n in sorted(made[token].items()) if n > MOSTLY * there[token]]
                for token in following
            }
            parts.append(ticking(name, following, some, structure))
    return parts


def seen_of(
    turns: Iterable[Turn], structure: Structure, names: set[str]
) -> tuple[Mapping[Token, Counter[Token]], Mapping[Token, Counter[Token]], Counter[Token]]:
    """What each of some things became, what came to its cell, and how often it was there."""
    next_of, made, there = (
        defaultdict[Token, Counter[Token]](Counter),
        defaultdict[Token, Counter[Token]](Counter),
        Counter[Token](),
    )
    for turn in turns:
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            for token in old:
                name = structure.name(token)
                if name in names:
                    there[token] += 1
                    come = new - old
                    next_of[token].update(one for one in come if structure.name(one) == name)
                    made[token].update(one for one in come if structure.name(one) != name)
    return next_of, made, there


def ticking(
    name: str, following: Mapping[Token, Token], made: Mapping[Token, Sequence[Token]], structure: Structure
) -> Part:
    """The rules of one clock: where it is set back or makes something, then one more each turn."""
    value = {token: int(structure.facing[token][1]) for token in following}
    view = View(Frame("none"), structure, name, counts=True)
    gone, listed, idle = Change("-", HERE, Seen(name, OWN)), list[Decision](), True
    for token, later in following.items():
        more = value[later] - value[token]
        if more != 1 or made[token]:
            come = [Change("+", HERE, view.seen(one, None)) for one in made[token]]
            asked = Test(HERE, frozenset({view.seen(token, None)}))
            goes_on = Change("+", HERE, Seen(name, f"{OWN}{more:+d}"))
            listed.append(Decision((asked,), tuple(sorted([goes_on, gone, *come]))))
        else:
            idle = False
    if not idle:
        listed.append(Decision((), tuple(sorted([Change("+", HERE, Seen(name, f"{OWN}+1")), gone]))))
    return Part(name, view, Decisions((HERE,), tuple(listed), RULE * len(listed)))
