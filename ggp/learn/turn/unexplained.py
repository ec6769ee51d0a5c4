"""A refusal that says what was not explained: how many turns what is often done leaves, and one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.contradictions import side_by_side
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.in_parts.aftermath import often_done
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS


def with_what_is_left(refused: NotLearned, part: InPart | None) -> NotLearned:
    """The refusal with a turn that no rules were found for; itself where next to nothing is explained."""
    finding = refused.findings[0]
    return NotLearned(f"{finding.message}; {part.text}", finding.remedy) if part is not None else refused


class InPart(NamedTuple):
    """Rules that say most turns, and the others, of so many different ones."""

    program: Program | Passes
    left: Sequence[Turn]
    number: int

    @property
    def share(self) -> str:
        """How many turns are not explained."""
        return f"{len(self.left):,} of {self.number:,} different turns"

    @property
    def text(self) -> str:
        """The same with one of them, drawn."""
        smallest = min(self.left, key=lambda turn: len(list(changes_of(turn))))
        return (
            f"what is often done is learned, and leaves {self.share} unexplained, "
            f"such as this one, {told(smallest, self.program)}"
        )


def learn_in_part(turns: Sequence[Turn], structure: Structure) -> InPart | None:
    """Rules of what the actor often does, if they say most turns; None where they do not.

    What they do not say is what stands in the way.
    """
    for common in often_done(turns, structure):
        deed = learned_from(common, structure, LIMITS[:1])
        left = [turn for turn in turns if deed.wrong(turn)] if deed is not None else []
        if deed is not None and 0 < len(left) < len(turns) / 2:
            return InPart(deed, left, len(turns))
    return None


def told(turn: Turn, deed: Program | Passes) -> str:
    """A turn, drawn: what was, what was seen, and what the rules say."""
    said = deed.after(turn.before, turn.word)
    seen = (turn.before, turn.after)
    what = "before, and as seen" if said is None else "before, as seen, and as the rules say"
    return f"input {turn.word or 'none'}: {what}\n{side_by_side(*seen, *([] if said is None else [said]))}"
