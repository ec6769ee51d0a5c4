"""A line as a pass: what each effect begins with."""

from __future__ import annotations

from collections.abc import Callable

from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step

Lower = Callable[[Lowering, Line], None]
LONGEST = "longest"


def begin(lower: Lowering, line: Line, *, drawn: bool = False) -> Step:
    """The pass of a line."""
    effect = line.effect
    return lower.step(f"{effect.name}-{effect.line}", effect.line, drawn=drawn)


def keep_all(lower: Lowering, line: Line) -> None:
    """What changes the score alone."""


def each(lower: Lowering, line: Line, step: Step, form: Form, new: Form | None, what: str = "") -> None:
    """A form becomes another one where it meets any partner."""
    for asks in lower.meets(line, form):
        step.change(form, new, asks, what=what)


def number(line: Line, key: str, default: int) -> int:
    """A number among the arguments."""
    value = line.effect.args.get(key, default)
    assert isinstance(value, int | float)
    return int(value)
