"""Chance in games whose rules are in scan order: RC4 as a generator of numbers, as PuzzleScript draws them.

The same seed gives the same numbers as in the editor, so that a play with chance that was recorded there can
be replayed here. Where a generator stands is a value of 258 bytes.
"""

from __future__ import annotations

DRAWN = 7  # bytes to a number
SIZE = 256


class Generator:
    """Draws numbers; `state` is where it stands, to go on from there later."""

    def __init__(self, state: bytes) -> None:
        self.table = list(state[:SIZE])
        self.i, self.j = state[SIZE], state[SIZE + 1]

    @property
    def state(self) -> bytes:
        """Where the generator stands."""
        return bytes((*self.table, self.i, self.j))

    def byte(self) -> int:
        """The next byte."""
        table = self.table
        self.i = (self.i + 1) % SIZE
        self.j = (self.j + table[self.i]) % SIZE
        table[self.i], table[self.j] = table[self.j], table[self.i]
        return table[(table[self.i] + table[self.j]) % SIZE]

    def below(self, count: int) -> int:
        """A whole number from 0 to `count` - 1."""
        number = 0.0
        for _ in range(DRAWN):
            number = number * SIZE + self.byte()
        return int(number / (2.0 ** (8 * DRAWN) - 1) * count)


def seeded(seed: str) -> bytes:
    """The state of a generator that has drawn nothing yet."""
    key = b"".join(ord(sign).to_bytes(max(1, (ord(sign).bit_length() + 7) // 8), "big") for sign in seed)
    table, j = list(range(SIZE)), 0
    for i in range(SIZE if key else 0):
        j = (j + table[i] + key[i % len(key)]) % SIZE
        table[i], table[j] = table[j], table[i]
    return bytes((*table, 0, 0))
