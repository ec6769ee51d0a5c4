"""Work is counted, not timed: what takes too long is given up at the same point in every process.

A unit is about a microsecond on one core of 2026. Counted are the loops in which learning spends its time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NoReturn

from ggp.errors import NotLearned


@dataclass
class Account:
    """The work that was done while it is open, and the most that may be.

    `vain`: it was known that more is needed, and nothing was done.
    """

    most: float = math.inf
    work: float = 0.0
    vain: bool = False

    @property
    def over(self) -> bool:
        """Was more work asked for than may be done?"""
        return self.vain or self.work > self.most


_open: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def account(most: float = math.inf) -> Iterator[Account]:
    """Count the work that is done inside; with more than `most` it raises NotLearned, again and again.

    What is done inside counts for an account around it, too, and that one's bound holds as well.
    """
    outer = _open.get()
    own = Account(min(most, room()))
    token = _open.set(own)
    try:
        yield own
    finally:
        _open.reset(token)
        if outer is not None:
            outer.vain = outer.vain or (own.vain and own.most < most)
            outer.work += own.work


def spend(work: float) -> None:
    """Count some work; raises NotLearned where it is more than may be done."""
    own = _open.get()
    if own is not None:
        own.work += work
        if own.over:
            raise too_long()


def too_long() -> NotLearned:
    """The refusal where more work was asked for than may be done."""
    return NotLearned("it takes too long to find rules", "play with less going on at once may help")


def room() -> float:
    """The work that may still be done, where this is called."""
    own = _open.get()
    return math.inf if own is None else own.most - own.work


def give_up() -> NoReturn:
    """Raises NotLearned, as where all work that may be done was done; none of it is counted as done."""
    own = _open.get()
    if own is not None:
        own.vain = True
    raise too_long()


def begin() -> None:
    """Raises NotLearned where more work was asked for than may be done: before what is long not counted.

    What a search does before its first loop is not counted, and takes up to seconds. Where ways of learning
    go on after each refusal, that was most of their time once no work was left.
    """
    spend(0.0)


def cut_off() -> bool:
    """Was more work asked for than may be done, where this is called?"""
    own = _open.get()
    return own is not None and own.over
