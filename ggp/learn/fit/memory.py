"""What was found out once is not looked for again while the same turns are learned.

Ways of learning that were cut off begin again with more work, and several ask for the same. So what a
function says of the same turns is kept, unless it was cut off itself, and only what is new counts as work.
Of what was cut off the work that it might do is kept: with no more than that it is not begun again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ggp.errors import NotLearned
from ggp.learn.fit.toil import account, cut_off, give_up, room, spend

CUT = "cut off"

P = ParamSpec("P")
R = TypeVar("R")

_kept: ContextVar[dict[Hashable, Any] | None] = ContextVar("kept", default=None)


@contextmanager
def memory() -> Iterator[None]:
    """Inside, what `remembered` functions say is kept; a memory around it is left as it is."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """A function that says the same again without work, inside `memory`; so does a refusal of it.

    Its arguments are hashable, or lists of what is.
    """

    @wraps(function)
    def asked(*arguments: P.args, **named: P.kwargs) -> R:
        kept = _kept.get()
        if kept is None:
            return function(*arguments, **named)
        key = (function.__qualname__, *map(fixed, arguments), *((k, fixed(v)) for k, v in named.items()))
        if key not in kept:
            said: R | NotLearned
            most = room()
            if most <= kept.get((CUT, key), -math.inf):
                give_up()
            try:
                said = function(*arguments, **named)
            except NotLearned as error:
                said = error
            if cut_off():
                kept[CUT, key] = most
                return given(said)
            kept[key] = said
        known: R | NotLearned = kept[key]
        return given(known)

    return asked


def replayed(key: Hashable, search: Callable[[], R]) -> R:
    """What a search says, inside `memory` the same again in no time, and counted as the work that it was.

    So all bounds of work hold as if it was searched for again, and the same is learned. Where less work may
    be done than it took it is searched for again, and cut off. `search` raises nothing but what cuts it off.
    """
    kept = _kept.get()
    if kept is None:
        return search()
    if key not in kept or kept[key][1] > room():
        with account() as spent:
            said = search()
        kept[key] = said, spent.work
        return said
    known: R
    known, work = kept[key]
    spend(work)
    return known


def fixed(argument: object) -> Hashable:
    """An argument as a key."""
    return tuple(argument) if isinstance(argument, list) else argument


def given(said: R | NotLearned) -> R:
    """What was said; raises a refusal."""
    if isinstance(said, NotLearned):
        raise said
    return said
