"""Texts of several levels: those of each, one after another, for exporters whose readers take such.

An exporter says `JOINED = Joined(__name__, ...)` and offers its four functions as its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ggp.errors import DescriptionError, Finding
from ggp.model import Game, Instance, Level
from ggp.model.export import Check


@dataclass(frozen=True)
class Joined:
    """How such a text is made of those of an exporter and read; `told`: the part of a level that it tells."""

    exporter: str
    read: Callable[[str, Game], Sequence[Level]]
    told: Callable[[Level], object]

    @property
    def module(self) -> Any:
        """The exporter."""
        return import_module(self.exporter)

    def unfit_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """Why one of these levels has no text."""
        return tuple(fault for one in instances for fault in self.module.unfit(one, None))

    def losses_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """What the texts do not tell of the levels."""
        return tuple(loss for one in instances for loss in self.module.losses(one, None))

    def text_together(self, instances: Sequence[Instance]) -> str:
        """The texts, one after another."""
        return "".join(self.module.text(one) for one in instances)

    def verify_together(
        self, instances: Sequence[Instance], text: str, turns: int | None = None
    ) -> Iterator[Check]:
        """Read the text back, and compare level by level."""
        try:
            found = self.read(text, instances[0].game)
        except DescriptionError as error:
            yield Check("the text is read back as levels", False, str(error))
            return
        yield Check("as many levels are read back", len(found) == len(instances), f"{len(found)} levels")
        for one, level in zip(instances, found, strict=False):
            yield Check(f"level {one.level.name} is read back", self.told(level) == self.told(one.level))
