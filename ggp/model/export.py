"""What every exporter offers, and what its verification says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ggp.errors import Finding
from ggp.model import Instance, Plan


@dataclass(frozen=True)
class Check:
    """One thing that verification found in the foreign engine: what was compared, and how it went."""

    what: str
    passed: bool
    detail: str = ""


class ExporterModule(Protocol):
    """What a module in `exporters/` offers. Importing it imports no third-party package."""

    NAME: str
    SUFFIX: str
    FEATURES: frozenset[str]

    def available(self) -> str | None:
        """None if it can run here, else a sentence that says what to install."""

    def losses(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """What the exported text leaves out or does differently, each with its place in the description."""

    def export(self, instance: Instance, plan: Plan | None = None) -> str:
        """The text for an instance that has every feature needed; with `plan`, its design already placed.

        One that writes constraints may take `passes`, rewrites of the encoding as it was written.
        """

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """Play or solve the text in the foreign engine and compare, step by step, with the referee.

        One that plays at random may take `turns`, how many turns at least that shall be.
        """
