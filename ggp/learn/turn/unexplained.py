"""A refusal that says what was not explained: how many turns what is often done leaves, and one of them."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Program
from ggp.learn.seen.contradictions import side_by_side
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.aftermath import often_done
from ggp.learn.turn.elsewhere import learned_from
from ggp.learn.turn.events import LIMITS, changes_of


def with_what_is_left(refused: NotLearned, turns: Sequence[Turn], structure: Structure) -> NotLearned:
    """The refusal with a turn that no rules were found for; itself where next to nothing is explained."""
    left = what_is_left(turns, structure)
    finding = refused.findings[0]
    return NotLearned(f"{finding.message}; {left}", finding.remedy) if left else refused


def what_is_left(turns: Sequence[Turn], structure: Structure) -> str:
    """What no rules were found for: how many turns, and one of them; "" where next to nothing is explained.

    Rules of what the actor often does say most turns. What they do not say is what stands in the way.
    """
    for common in often_done(turns, structure):
        deed = learned_from(common, structure, LIMITS[:1])
        left = [turn for turn in turns if deed.wrong(turn)] if deed is not None else []
        if deed is not None and 0 < len(left) < len(turns) / 2:
            share = f"{len(left):,} of {len(turns):,} different turns"
            smallest = min(left, key=lambda turn: len(list(changes_of(turn))))
            return (
                f"what is often done is learned, and leaves {share} unexplained, "
                f"such as this one, {told(smallest, deed)}"
            )
    return ""


def told(turn: Turn, deed: Program) -> str:
    """A turn, drawn: what was, what was seen, and what the rules say."""
    said = deed.after(turn.before, turn.word)
    seen = (turn.before, turn.after)
    what = "before, and as seen" if said is None else "before, as seen, and as the rules say"
    return f"input {turn.word or 'none'}: {what}\n{side_by_side(*seen, *([] if said is None else [said]))}"
