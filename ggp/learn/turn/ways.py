"""The ways in which a turn may be learned, and what is known of them once some turns were said."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program, one_pass
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.searched.rules import Steps
from ggp.learn.turn.unexplained import InPart, learn_in_part

AGAIN = 2.0  # times the work that was spent so far may be spent with more turns
ENOUGH = 5e6  # work that may always be spent
GROWN = 1.25  # times as large, and a little, may rules become with a few turns more
A_LITTLE = 4.0
LATE = 99  # the refusal of what is special is told where there is no other


class MoreWanted(PuzzleError):
    """Rules are nearly found: to watch for longer is better than to look for others."""


class Try(NamedTuple):
    """A way of learning. `again`: the same with more turns, if it is to be remembered.

    `order`: the first one's refusal is told. `waits`: what it finds is believed where all before it found
    nothing. `work`: it may always do so much. `sure`: what it finds is not held against passes in a row.
    `plain`: it takes next to no time to see that it has nothing, so it keeps its place with more turns.
    """

    learn: Callable[[], Program | Passes | None]
    again: Callable[..., Program | Passes | None] | None = None
    order: int = LATE
    waits: bool = False
    work: float = 0.0
    sure: bool = False
    plain: bool = False

    @property
    def key(self) -> Hashable:
        """The same for the same way with other turns: the functions, and the sizes that are looked for."""
        if not isinstance(self.learn, partial):
            return self.learn
        functions = (one for one in (self.learn.func, *self.learn.args) if callable(one))
        return (*functions, tuple(self.learn.keywords.get("limits", ())))


@dataclass
class Ways:
    """The way in which the turns seen so far were said: with more it is tried first.

    What came before it said fewer turns no better, and takes most of the time. `size`: of what it said; what
    grows much with a few turns more is wrong. `own`: the work that it took, and not many times as much is
    spent on it again. `vain`: ways that said fewer turns no better, or not again, which come last. `hasty`:
    beside it only small programs of one pass are looked for, as all else takes minutes where there is
    nothing. `work`: the most that was spent so far on finding what says all; not many times as much is spent
    in haste. `left`: what no rules were found for, once that takes long. `part`: rules that say most turns,
    where none say all. `nearly`: the rules that said the turns seen so far. `plain`: of the way that had them
    (`Try`), which keeps its place though its rules have grown. `unlike`: kinds that were thought to be moved
    alike, and are not. `steps`: the passes that a search found so far, of so many turns
    (`searched`). `promising`: fewer turns were nearly all said by such passes. `longer`: more can be watched
    where that is too little. `searchers`: who looks for them.
    """

    last: Callable[..., Program | Passes | None] | None = None
    hasty: bool = False
    work: float = ENOUGH
    own: float = ENOUGH
    size: float = math.inf
    left: str = ""
    part: InPart | None = None
    key: Hashable = None
    plain: bool = False
    vain: set[Hashable] = field(default_factory=set)
    nearly: Program | Passes | None = None
    unlike: set[Hashable] = field(default_factory=set)
    steps: Steps = ()
    searched: int = 0
    promising: bool = False
    longer: bool = False
    searchers: tuple[Callable[..., Program | Passes], Callable[..., Program | Passes]] | None = None

    def with_more_play(self, *, promising: bool) -> Ways:
        """What is known of the ways where the game was watched for longer, as too little was found."""
        return Ways(vain=set(self.vain), promising=promising)

    @cached_property
    def of_one_kind(self) -> Ways:
        """The same for turns in which kinds that are moved alike are one."""
        return Ways()

    @property
    def most(self) -> float:
        """The work that may be spent in haste: what is wrong is not only long, it is long looked for."""
        return AGAIN * self.work

    def in_order(self, tries: Iterable[Try]) -> list[Try]:
        """Ways of learning, those that said fewer turns no better last; but for what waits for all others."""
        return sorted(tries, key=lambda one: (one.waits, not one.waits and one.key in self.vain))

    @property
    def bound(self) -> float:
        """The size that rules may have with a few turns more."""
        return GROWN * self.size + A_LITTLE

    def remember(self, one: Try, said: Program | Passes, work: float) -> None:
        """Note the way that said all turns, with the work that it took.

        It may become so large at once: a little above the size that is looked for it is right, too.
        """
        self.last, self.key, self.size, self.own = one.again, one.key, said.cost, max(self.own, work)
        self.plain = one.plain
        if self.last is not None and one_pass(said):
            self.last = partial(self.last, limits=(self.bound,))
        self.vain.discard(one.key)

    def again(self, turns: Sequence[Turn], structure: Structure) -> Program | Passes | None:
        """What says all turns in the same way; None where nothing does that is not much longer."""
        if self.last is None:
            return None
        with suppress(NotLearned), account(AGAIN * self.own):
            wider = partial(self.last, limits=(self.bound,)) if largest(self.last) < self.bound else self.last
            found = wider(turns, structure)
            if found is not None and found.cost <= self.bound:
                self.size = found.cost
                return found
        if not self.plain:
            self.vain.add(self.key)
        return None

    def note_what_is_left(self, turns: Sequence[Turn], structure: Structure) -> None:
        """Note what is not explained, if it is not known yet, with a little work."""
        if not self.left:
            with suppress(NotLearned), account(ENOUGH):
                self.part = self.part or learn_in_part(turns, structure)  # a search may know more
                self.left = self.part.text if self.part else "nothing that is often done explains most turns"


def largest(learn: Callable[..., Program | Passes | None]) -> float:
    """The largest size that a way of learning looks for; no bound where it is told none."""
    sizes = learn.keywords.get("limits", ()) if isinstance(learn, partial) else ()
    return max(sizes, default=math.inf)
