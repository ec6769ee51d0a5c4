"""Copies of sprites that are alike: a cell of ours holds a piece once, so each has a number of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.importers.vgdl.forms import Form, Forms
from ggp.importers.vgdl.steps import Ask, gone, put, stop, there
from ggp.model import Effect, Path, Pattern

COPIES = 2
"""How many sprites that are alike one cell can hold, of types that walk by chance or are made by it."""


def numbered(
    forms: Forms, many: bool, form: Form, path: Path = ()
) -> Iterator[tuple[tuple[Ask, ...], tuple[Effect, ...], Form | None]]:
    """What must hold for something new to be the first copy, the second, and so on, and how it comes.

    Exactly one of these holds; with None, where no number is free, the game stops. `many`: can several of the
    type be in a cell?
    """
    taken: tuple[Ask, ...] = ()
    for copy in range(COPIES if many else 1):
        new = form._replace(copy=copy)
        pattern = forms.pattern(new)
        asks = (*taken, gone(Pattern(pattern.name), path)) if many else ()
        yield asks, (put(pattern, path),), new
        taken = (*taken, there(Pattern(pattern.name), path))
    if many:
        yield taken, stop(), None
