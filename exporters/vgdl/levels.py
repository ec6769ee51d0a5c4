"""Several levels of a game as one game file of GVGAI and a map for each.

The rules must come out the same for all, since there is one file of them. Where levels differ in their
horizon alone, which is the solver's limit and no part of such a game, they are written without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Protocol

from ggp.exporters.vgdl.sheet import SEPARATOR, Layout, Sheet, drawn, wrapped
from ggp.model import Instance


class Writer(Protocol):
    """What writes one level: the sheet has all of it when it has written."""

    @property
    def sheet(self) -> Sheet:
        """All parts of the text."""

    def write(self) -> Layout:
        """The text, with what is needed to play it."""


Writing = Callable[[Instance], Writer | None]


@dataclass(frozen=True)
class Gathered:
    """What came of some levels: each as it is written, with its layout; `apart` have other rules."""

    instances: tuple[Instance, ...]
    layouts: tuple[Layout, ...]
    text: str
    apart: tuple[Instance, ...]


def gathered(
    instances: Sequence[Instance], writer_of: Writing, cleaned: Callable[[str], str], how: Sequence[str]
) -> Gathered:
    """These levels in one text; each must be one that `writer_of` has a writer for. `how`: how to play."""
    if len({one.level.horizon for one in instances}) > 1:
        instances = [replace(one, level=replace(one.level, horizon=None)) for one in instances]
    writers, layouts, apart = list[Writer](), list[Layout](), list[Instance]()
    for one in instances:
        writer = writer_of(one)
        assert writer is not None
        layout = writer.write()
        if writers and rules_of(writer) != rules_of(writers[0]):
            apart.append(one)
            continue
        writers.append(writer)
        layouts.append(layout)
    contents = [writer.sheet.contents() for writer in writers]
    sheet = writers[0].sheet
    chosen = sheet.characters(chain.from_iterable(row for level in contents for row in level))
    sheet.head = list(heading(instances[0], len(writers), how))
    game = cleaned(sheet.game(chosen))
    maps = [SEPARATOR + drawn(level, chosen) for level in contents]
    each = [replace(one, text=game + level) for one, level in zip(layouts, maps, strict=True)]
    return Gathered(tuple(instances), tuple(each), game + "".join(maps), tuple(apart))


def rules_of(writer: Writer) -> list[str]:
    """All of a text but its heading, its mapping and its map."""
    return [*writer.sheet.sprite_lines(), *writer.sheet.rules()]


def heading(instance: Instance, levels: int, how: Sequence[str]) -> Iterator[str]:
    """The comments at the top."""
    yield from wrapped(f"{instance.game.title}: {levels} levels")
    yield from wrapped(instance.game.about)
    yield ""
    yield from how
    yield ""
