"""Small campaigns for the tests, of the fakes and of our own solvers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ggp.harness.campaign.file import Campaign, Configuration, typed_campaign
from ggp.harness.campaign.run import Carried, Watch, carry_out
from ggp.harness.campaign.store import Store
from ggp.harness.jobs import Settings
from ggp.harness.pool import Pool
from ggp.harness.records import Record
from ggp.language.levels import load
from tests.comparing import LEVEL, PLUGINS

SMALL = {"levels": [LEVEL], "solvers": ["null"], "questions": ["first"]}


def small(**options: Any) -> Campaign:
    """A campaign of one quick run, with some of its options changed."""
    return typed_campaign(SMALL | options)


def faked(*solvers: str, **options: Any) -> Campaign:
    """A campaign of fakes, which only the processes of the harness know."""
    limits = {key: options.pop(key) for key in list(options) if key in Settings.__dataclass_fields__}
    named = tuple(Configuration(name, name) for name in solvers)
    settings = Settings(**{"time_limit": 20.0, "memory_limit": 1000} | limits)
    return Campaign((load(LEVEL),), named, questions=("all",), settings=settings, **options)


def carried(
    campaign: Campaign, file: Path, pool: Pool | None = None, watch: Watch | None = None, workers: int = 2
) -> Carried:
    """Carry out a campaign with the fakes registered, by a pool or by one of its own."""
    with Store(file, write=True) as store, ExitStack() as stack:
        mine = pool or stack.enter_context(Pool(workers, PLUGINS))
        return carry_out(campaign, store, mine, watch=watch, plugins=PLUGINS)


def records(file: Path, *, every: bool = False) -> list[Record]:
    """What a store holds."""
    with Store(file) as store:
        return list(store.records(every=every))
