"""Is memory short? What can be done without ends then, before what cannot."""

from __future__ import annotations

FULL = 0.75  # of the data that this process may hold
FREE = 0.1  # of the machine's memory


def short() -> bool:
    """Is most of what this process may have in use, or most of the machine's memory?"""
    import resource

    import psutil

    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    held = psutil.Process().memory_info()
    if limit != resource.RLIM_INFINITY and getattr(held, "data", held.rss) > FULL * limit:
        return True
    machine = psutil.virtual_memory()
    return bool(machine.available < FREE * machine.total)
