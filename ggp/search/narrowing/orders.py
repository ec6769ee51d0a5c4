"""A value that is smaller than another one."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.search.narrowing.choices import Dead, Mask, Now


class Less:
    """The value of `one` is smaller than that of `other`; both have one."""

    dear = False

    def __init__(self, one: int, other: int, small: Mapping[int, Mask], large: Mapping[int, Mask]) -> None:
        self.watched = (one, other)
        self.small, self.large = small, large

    def narrow(self, now: Now) -> None:
        """Leave the one what is below the most of the other, and the other what is above the least."""
        one, other = self.watched
        low = min((value for value, mask in self.small.items() if now.masks[one] & mask), default=None)
        high = max((value for value, mask in self.large.items() if now.masks[other] & mask), default=None)
        if low is None or high is None or low >= high:
            raise Dead
        now.keep(one, sum(mask for value, mask in self.small.items() if value < high))
        now.keep(other, sum(mask for value, mask in self.large.items() if value > low))
