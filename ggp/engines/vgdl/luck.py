"""Where the engines take their chance from."""

from __future__ import annotations

from random import Random
from typing import Protocol


class Luck(Protocol):
    """What draws. GVGAI asks its generator for whole numbers, and for numbers of two precisions."""

    def below(self, count: int) -> int:
        """A whole number from 0 to `count` - 1, each as likely as another."""
        ...

    def single(self) -> float:
        """A number from 0 up to 1, of 24 bits."""
        ...

    def double(self) -> float:
        """A number from 0 up to 1, of 53 bits."""
        ...


class Seeded:
    """The same seed draws the same, and not what GVGAI would draw."""

    def __init__(self, seed: int | str = 0) -> None:
        self.rng = Random(seed)

    def below(self, count: int) -> int:
        """See `Luck`."""
        return self.rng.randrange(count)

    def single(self) -> float:
        """See `Luck`."""
        return self.rng.getrandbits(24) / (1 << 24)

    def double(self) -> float:
        """See `Luck`."""
        return self.rng.random()
