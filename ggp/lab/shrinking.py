"""Makes the level of a finding as small as it can be while the fault stays."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable

from ggp.lab.edits import smaller, valid
from ggp.model import Instance

TRIES = 250  # at smaller levels, for one finding
SECONDS = 60.0  # that they may take


def shrunk(instance: Instance, still: Callable[[Instance], bool], tries: int = TRIES) -> Instance:
    """The smallest level found of which `still` holds, by taking away a little again and again."""
    deadline = time.monotonic() + SECONDS
    going = True
    while going:
        going = False
        for one in smaller(instance):
            tries -= 1
            if tries < 0 or time.monotonic() > deadline:
                return instance
            if sound(one) and still(one):
                instance, going = one, True
                break
    return instance


def sound(instance: Instance) -> bool:
    """Is it a level, and can that be said without a crash?"""
    try:
        return valid(instance)
    except Exception:
        return False


def told_crash(error: BaseException) -> tuple[str, str]:
    """(what it is, and where): an exception as a finding. The first part stays the same while shrinking."""
    frames = traceback.extract_tb(error.__traceback__)
    inner = frames[-1]
    place = f"{inner.filename.rsplit('/', 1)[-1]}, {inner.name}"
    text = "".join(traceback.format_exception(error)[-4:])
    return f"{type(error).__name__} in {place}", text
