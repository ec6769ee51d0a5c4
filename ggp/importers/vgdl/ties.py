"""A turn that both wins and loses: the engine's verdict is that of the first termination that holds.

In a game of ours losing counts first, whatever the order. So where losing the avatar stands behind ways to
win, it is told by a piece, `failed`. The avatar that is gone sends out a word; what of the first way to win
is still there hands on a word for the second one, and what the last word reaches puts the piece. No word goes
round in any turn but the last one. Where no way through a tick brings both about there is nothing to tell:
neither held before, or the game had ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.goals.count import Count
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import gone, put, there
from ggp.model import Group, Kind, Pattern

FAILED = "failed"
WORD = "avatar-gone"


def may_tie(lower: Lowering, one: Count, other: Count) -> bool:
    """Can both come to hold in one turn?"""
    if lower.local is None:
        return True
    types = {lower.forms.name(form): key for key, form in lower.forms.plain.items()}

    def comes(term: Count, taken: set[str], put: set[str]) -> bool:
        """Can what takes and puts these types make a count true?"""
        counted = {types[name] for name in lower.forms.members(term.what.name) if name in types}
        less, more = bool(taken & counted), bool(put & counted)
        held = not counted  # it counts what the avatar has
        return held or {"<=": less, ">=": more, "=": less or more}[term.comparison]

    for way in lower.local.ways:
        taken, made = {key for key, _ in way.taken}, {key for key, _ in way.put}
        if comes(one, taken, made) and comes(other, taken, made):
            return True
    return False


def none_left(term: Count) -> bool:
    """Does it hold when there is none of something?"""
    return term.comparison in ("<=", "=") and term.number == 0


def loses_avatar(lower: Lowering, term: Count) -> bool:
    """Does it hold when the avatar is gone?"""
    names = {lower.forms.name(lower.forms.plain[key]) for key in lower.players}
    return none_left(term) and not lower.python and names <= {*lower.forms.members(term.what.name)}


def lost_unless_won(lower: Lowering, settled: set[Form], lost: Count, wins: Sequence[Count]) -> Count:
    """Let `failed` be put where the avatar is gone, and something is left of each of these."""
    lower.markers.add(WORD)
    if lower.local is not None:
        lower.phases = [group_that_tells(lower)]
    else:
        step = lower.step(f"{WORD}-begins")
        for form in sorted((form for form in settled if form.key in lower.players and form.dead), key=repr):
            step.add((there(lower.forms.pattern(form)),), (put(Pattern(WORD)),))
        lower.done(step)
    word = Pattern(WORD)
    for number, win in enumerate(wins, 1):
        lower.spread(word.name)
        then = Pattern(FAILED if number == len(wins) else f"{WORD}-{number}")
        step = lower.step(f"{then.name}-{number}")
        step.add((there(word), there(win.what), gone(then)), (put(then),))
        lower.done(step)
        if then.name != FAILED:
            lower.markers.add(then.name)
        word = then
    lower.more_kinds.append(Kind(FAILED, FAILED, merge=True, tile="cross", colour="red"))
    return Count(Pattern(FAILED), ">=", 1, place=lost.place)


def group_that_tells(lower: Lowering) -> Group:
    """The rules of a game in few rules, those in which the avatar is gone with the word for it."""
    (group,) = lower.phases
    assert lower.local is not None and isinstance(group, Group)
    rules = [
        replace(rule, effects=(*rule.effects, put(Pattern(WORD)))) if way.dies else rule
        for rule, way in zip(group.rules, lower.local.ways, strict=True)
    ]
    return replace(group, rules=tuple(rules))
