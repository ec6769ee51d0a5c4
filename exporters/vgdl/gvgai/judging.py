"""Who plays a text for GVGAI beside the referee: the built-in engine, and GVGAI itself where it is named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from ggp.exporters.vgdl import checked, known_plans
from ggp.exporters.vgdl.play import Build, Engine, follow_plan, play_at_random
from ggp.exporters.vgdl.sheet import Layout
from ggp.model import Instance, Plan
from ggp.model.export import Check

if TYPE_CHECKING:
    from ggp.importers.vgdl.game import VgdlGame


def built_in(game: str, level_map: str) -> Engine:
    """A level in the built-in engine, which plays GVGAI's dialect as GVGAI does."""
    from ggp.engines.vgdl.gvgai import GvgaiLevel

    return GvgaiLevel(read_once(game), level_map)


@lru_cache(maxsize=8)
def read_once(game: str) -> VgdlGame:
    """A game that is built again and again, read."""
    from ggp.importers.vgdl.dialects import GVGAI
    from ggp.importers.vgdl.reading import read

    return read(game, "gvgai", GVGAI)


@contextmanager
def judges() -> Iterator[dict[str, Build]]:
    """The engines that verify: the built-in one, and GVGAI itself where `GVGAI_HOME` names it.

    Raises NotAvailable where what it names cannot be asked.
    """
    from ggp.engines import gvgai

    engines: dict[str, Build] = {"": built_in}
    if not os.environ.get(gvgai.HOME):
        yield engines
        return
    with gvgai.opened() as process:
        yield {**engines, " in GVGAI": process.build}


def played(
    instance: Instance,
    layout: Layout,
    text: str,
    plan: Plan | None,
    turns: int,
    engines: Mapping[str, Build],
) -> Iterator[Check]:
    """What becomes of a plan, or of the known plans and random turns, in some engines."""
    plans = {"the plan": plan} if plan is not None else known_plans(instance)
    for where, build in engines.items():
        for name, one in plans.items():
            yield checked(f"{name}{where}", follow_plan, instance, layout, text, build, one)
        if plan is None:
            what = f"random play{where}"
            yield checked(what, play_at_random, instance, layout, text, build, turns)
