"""What an exporter of constraints offers besides how it writes: texts, passes, verification."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ggp.engines.texts.reread import Tool, Verification
from ggp.engines.texts.written import InClauses, InRows, in_clauses, in_rows
from ggp.errors import NotAvailable
from ggp.model import Instance, Plan
from ggp.model.export import Check

Passes = Sequence[Callable[[Any], Any]]


class Format:
    """A format that is written from constraints; `made` makes the text."""

    def made(self, instance: Instance, plan: Plan | None, passes: Passes) -> str:
        """The text of the file, with passes switched on; with `plan`, its design is the only one."""
        raise NotImplementedError

    def text(self, instance: Instance, plan: Plan | None = None) -> str:
        """The text of the file; with `plan`, its design is the only one."""
        return self.made(instance, plan, ())

    def rewritten(self, instance: Instance, plan: Plan | None, passes: Passes) -> str:
        """The text with passes switched on."""
        return self.made(instance, plan, tuple(passes))


@dataclass(frozen=True)
class AsIs(Format):
    """A format of the encoding as it is: `written` makes the text."""

    written: Callable[[Instance, Plan | None, Passes], str]

    def made(self, instance: Instance, plan: Plan | None, passes: Passes) -> str:
        return self.written(instance, plan, passes)


@dataclass(frozen=True)
class ClauseFormat(Format):
    """A format of clauses: `written` makes the text. `priced`: the game's first objective is in it."""

    written: Callable[[InClauses], str]
    priced: bool = False

    def available(self) -> str | None:
        """None if PySAT is there to spell cardinalities out, else what to install."""
        return None if find_spec("pysat") else "install it with `pip install python-sat`"

    def made(self, instance: Instance, plan: Plan | None, passes: Passes) -> str:
        return self.written(in_clauses(instance, plan, tuple(passes), self.priced))


@dataclass(frozen=True)
class RowFormat(Format):
    """A format of rows: `written` makes the text, `tool` reads it and comes with any of the `packages`."""

    written: Callable[[InRows], str]
    tool: Tool
    packages: tuple[str, ...]

    def available(self) -> str | None:
        """It needs nothing to write."""
        return None

    def made(self, instance: Instance, plan: Plan | None, passes: Passes) -> str:
        return self.written(in_rows(instance, plan, tuple(passes)))

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """Let the tool read the text, and hold what it answers against the encoding and the referee."""
        if not any(map(find_spec, self.packages)):
            message = f"{self.tool.name} is not here, and nothing else reads such a file"
            raise NotAvailable(message, f"install it with `pip install {self.packages[0]}`")
        level = in_rows(instance, plan)
        yield from Verification(self.tool, level.base, text, plan, level.rows).checks()
