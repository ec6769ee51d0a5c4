"""Which way of learning is asked next: one that has rules of a few turns which say all others, too.

Most of the time goes into ways that have nothing, each of which finds that out from all turns. Of a few, of
each sort of change some, a way that has the rules often has them with a tenth of the work. If these say all
turns, that way is asked of all turns next. If they are wrong in some, a few of those are added, a few times.
What was not found so means nothing: some ways need more turns to speak for them, and keep their place.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, zip_longest

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.steady import net_of
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.supported import hardly_seen
from ggp.learn.turn.ways import Try, largest

FIRST = 2e6  # work that was done in vain before scouts are sent; then each time four times as much was
WORK = 2e5  # that each way has at first; then each time four times as much
GROWN = 4.0
FEW = 40  # turns that a way is asked of at first
MORE = 10  # of those that its rules get wrong, which are added
ROUNDS = 4
SMALL = 8.0  # rules of this size are not held against those of other ways
MANY = 3  # changes in a turn, from which on it is of one sort


@dataclass
class Scouts:
    """Ways of learning are asked of a part of the turns. `tries`: all ways, for some turns."""

    turns: Sequence[Turn]
    structure: Structure
    tries: Callable[[Sequence[Turn]], Iterator[Try]]
    next: float = FIRST
    work: float = WORK / GROWN
    sent: set[Hashable] = field(default_factory=set)

    def ahead(self, left: Sequence[Try], toil: float) -> Try | None:
        """The way with the smallest rules of a part that say all turns, or the first with small ones.

        None where none of them has such rules, or so much work was not done in vain yet. `toil`: that work.
        """
        if toil < self.next or len(self.turns) < 2 * FEW:
            return None
        self.next, self.work = GROWN * toil, GROWN * self.work
        best: tuple[float, Try] | None = None
        part = list(islice(mixed(self.turns, self.structure), FEW))
        for one in left:
            if one.waits or one.key in self.sent or LIMITS[0] < largest(one.learn) < math.inf:
                continue  # what is looked for is small
            said = self.asked(one.key, part, self.work)
            if said is not None and (best is None or said.cost < best[0]):
                best = said.cost, one
            if best is not None and best[0] <= SMALL:
                break
        if best is None:
            return None
        self.sent.add(best[1].key)  # once: of all turns it may have nothing
        return best[1]

    def asked(self, key: Hashable, some: Sequence[Turn], most: float) -> Program | Passes | None:
        """Small rules that a way has of some turns, and which say all; None where it has none."""
        with suppress(NotLearned), account(most):
            for _ in range(ROUNDS):
                way = next((one for one in self.tries(some) if one.key == key), None)
                said = way.learn() if way is not None else None
                if said is None or said.cost > PLAIN or hardly_seen(said, some):
                    return None
                wrong = [turn for turn in self.turns if said.wrong(turn)]
                if not wrong:
                    return said
                some = list(dict.fromkeys([*some, *islice(mixed(wrong, self.structure), MORE)]))
        return None


def mixed(turns: Sequence[Turn], structure: Structure) -> Iterator[Turn]:
    """The turns, one of each sort of change after another, rare sorts first; of a sort the plainest first.

    Of a sort are those after which as much of everything is there more or less, and in which as many cells
    changed.
    """
    sorts: defaultdict[Hashable, list[tuple[int, Turn]]] = defaultdict(list)
    for turn in turns:
        number = sum(1 for _ in changes_of(turn))
        sorts[tuple(sorted(net_of(turn, structure))), min(number, MANY)].append((number, turn))
    rows = (sorted(some, key=lambda one: one[0]) for some in sorted(sorts.values(), key=len))
    for row in zip_longest(*rows):
        yield from (one[1] for one in row if one is not None)
