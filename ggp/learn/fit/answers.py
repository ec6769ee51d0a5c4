"""What rows answer to tests, as bits: tests that give the same answers are known before any row is looked at.

Rows of a table see few different things in a cell. So a test is answered for these, by sets of them that are
numbers, and what is answered alike is spread over the rows once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ggp.learn.fit.questions import Test, Told
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import Look, Seen

AT_ONCE = 2_000_000  # answers that are spread over rows at once

Bits = int
"""A set of things by their numbers: bit by bit."""

Place = Offset | None
"""What is looked at: a cell, or the input (None)."""

Asked = tuple[Place, Bits]
"""Is what is seen at a place one of these?"""


class Answers:
    """The answers of all rows to tests."""

    def __init__(self, told: Told) -> None:
        self.looks, self.words = told.looks, told.words
        self.rows = len(told.outcomes[1])
        self.where = {offset: Where(looks) for offset, (looks, _) in told.looks.items()}

    def to(self, test: Test) -> Asked | None:
        """Of what is looked at, that of which a test is true; None where that is all or nothing."""
        if test.word:
            words, _ = self.words
            bits, full = bits_of(test.holds(None, word) for word in words), (1 << len(words)) - 1
        else:
            where = self.where[test.offset]
            bits, full = where.answering(test), where.full
        return None if bits in (0, full) else (None if test.word else test.offset, bits)

    def packed(self, asked: Iterable[Asked]) -> Iterator[tuple[Asked, bytes]]:
        """What all rows answer to each of these, bit by bit, for there are many tests and rows."""
        import numpy as np

        at = defaultdict[Place, list[Bits]](list)
        for place, bits in asked:
            at[place].append(bits)
        for place, some in at.items():
            looks, code = self.words if place is None else self.looks[place]
            size = (len(looks) + 7) // 8
            told = np.frombuffer(b"".join(bits.to_bytes(size, "little") for bits in some), dtype=np.uint8)
            told = np.unpackbits(told.reshape(len(some), size), axis=1, bitorder="little")
            step = max(1, AT_ONCE // self.rows)
            for first in range(0, len(some), step):
                lines = np.packbits(told[first : first + step].take(code, axis=1), axis=1)
                for bits, line in zip(some[first : first + step], lines, strict=True):
                    yield (place, bits), line.tobytes()

    def of(self, packed: Sequence[bytes]) -> Any:
        """A table with a line for each of some answers."""
        import numpy as np

        if not packed:
            return np.zeros((0, self.rows), dtype=bool)
        lines = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1)
        return np.unpackbits(lines, axis=1, count=self.rows).view(bool)

    def often(self) -> Counter[Seen]:
        """How often each thing was seen, at all places together."""
        import numpy as np

        often = Counter[Seen]()
        for looks, code in self.looks.values():
            for look, number in zip(looks, np.bincount(code, minlength=len(looks)).tolist(), strict=True):
                for thing in look or ():
                    often[thing] += number
        return often


class Where:
    """In which of the different looks of a place each thing is."""

    def __init__(self, looks: Sequence[Look]) -> None:
        self.full = (1 << len(looks)) - 1
        self.outside = bits_of(look is None for look in looks)
        self.having: defaultdict[Seen, Bits] = defaultdict(int)
        for number, look in enumerate(looks):
            for thing in look or ():
                self.having[thing] |= 1 << number

    def answering(self, test: Test) -> Bits:
        """The looks of which a test holds."""
        found = self.outside if test.edge else 0
        for thing in test.things:
            found |= self.having.get(thing, 0)
        return found if test.wanted else self.full ^ found


def bits_of(answers: Iterable[bool]) -> Bits:
    """The places of what is true."""
    return sum(1 << number for number, answer in enumerate(answers) if answer)
