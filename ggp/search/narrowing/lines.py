"""Lines that are read from end to end: what a clue says of all of it leaves each cell only some choices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ggp.search.narrowing.choices import Dead, Mask, Now
from ggp.search.narrowing.solving import bits_of

Step = Callable[
    [Hashable, Hashable], Hashable | None
]  # (state, what is read) -> state, or None: it went wrong


class Read:
    """A line that is read cell by cell must lead from one state to another that `accepts` takes.

    `means`: for each cell, what each choice reads as; choices that mean the same are looked at once.
    """

    dear = True

    def __init__(
        self,
        cells: Sequence[int],
        means: Sequence[Sequence[Hashable]],
        start: Hashable,
        step: Step,
        accepts: Callable[[Hashable], bool],
    ) -> None:
        self.watched = tuple(cells)
        self.means = means
        self.start, self.step, self.accepts = start, step, accepts
        self.known: dict[tuple[Hashable, Hashable], Hashable | None] = {}

    def after(self, state: Hashable, read: Hashable) -> Hashable | None:
        """One step, remembered."""
        key = (state, read)
        if key not in self.known:
            self.known[key] = self.step(state, read)
        return self.known[key]

    def narrow(self, now: Now) -> None:
        """Forward over all that can be read, and back from what is accepted."""
        open_to = [
            self.readings(now.masks[cell], means)
            for cell, means in zip(self.watched, self.means, strict=True)
        ]
        layers: list[set[Hashable]] = [{self.start}]
        for readings in open_to:
            after = {self.after(state, read) for state in layers[-1] for read in readings}
            after.discard(None)
            layers.append(after)
        good = {state for state in layers[-1] if self.accepts(state)}
        for place in range(len(self.watched) - 1, -1, -1):
            kept, before = 0, set()
            for read, mask in open_to[place].items():
                states = [state for state in layers[place] if self.after(state, read) in good]
                if states:
                    kept |= mask
                    before.update(states)
            if not kept:
                raise Dead
            now.keep(self.watched[place], kept)
            good = before

    def readings(self, mask: Mask, means: Sequence[Hashable]) -> dict[Hashable, Mask]:
        """What these choices can read as, and with which of them."""
        found: dict[Hashable, Mask] = {}
        for choice in bits_of(mask):
            read = means[choice.bit_length() - 1]
            found[read] = found.get(read, 0) | choice
        return found


class Apart:
    """Two lines of one length do not read the same everywhere."""

    dear = True

    def __init__(self, pairs: Sequence[tuple[int, int]], means: Sequence[Sequence[Hashable]]) -> None:
        self.pairs = pairs
        self.means = means
        self.watched = tuple({cell for pair in pairs for cell in pair})

    def narrow(self, now: Now) -> None:
        """Where all but two cells are settled and the same, these two differ."""
        undecided = None
        for one, other in self.pairs:
            first, second = self.reads(now, one), self.reads(now, other)
            if first.isdisjoint(second):
                return
            if len(first) > 1 or len(second) > 1:
                if undecided is not None:
                    return
                undecided = ((one, first), (other, second))
        if undecided is None:
            raise Dead
        for (_, sure), (cell, reads) in (undecided, undecided[::-1]):
            if len(sure) == 1 and len(reads) > 1:
                now.keep(cell, sum(1 << bit for bit, read in enumerate(self.means[cell]) if read not in sure))

    def reads(self, now: Now, cell: int) -> set[Hashable]:
        """What the cell can read as."""
        means = self.means[cell]
        return {means[choice.bit_length() - 1] for choice in bits_of(now.masks[cell])}
