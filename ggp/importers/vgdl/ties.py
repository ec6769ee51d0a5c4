"""A turn that both wins and loses: the engine's verdict is that of the first termination that holds.

In a game of ours losing counts first, so what loses behind a way to win is said with `unless`. Where no way
through a tick brings both about there is nothing to tell: neither held before, or the game had ended.
"""

from __future__ import annotations

from ggp.goals.count import Count
from ggp.importers.vgdl.lowering import Lowering


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
