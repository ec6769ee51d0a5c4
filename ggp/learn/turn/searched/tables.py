"""The ways in which rules are followed, as they are worked out and as the tables that loops read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ggp.learn.turn.searched.field import WORD, Bits, Grid, Numbers, Truth

if TYPE_CHECKING:
    from ggp.learn.turn.searched.loops import Table


NOBODY = -1  # what cells are of
BESIDE = {None: 0, True: 1, False: -1}


class Spot(NamedTuple):
    """Planes of which one is there, or none, so far along the array from an anchor."""

    planes: tuple[int, ...]
    wanted: bool
    along: int


class Way(NamedTuple):
    """A rule for anchors of one plane (None: cells) that look one way, under some inputs (None: all).

    `gone`, `come`: planes, and how far along the array from the anchor.
    """

    own: int | None
    direction: str | None
    words: tuple[int, ...] | None
    spots: tuple[Spot, ...]
    gone: tuple[tuple[int, int], ...]
    come: tuple[tuple[int, int], ...]


class Entry(NamedTuple):
    """A way with the numbers of its rule and its subject, and of the part of rules that it is of."""

    way: Way
    rule: int
    subject: int
    part: int


def in_parts(entries: Sequence[Entry]) -> list[Entry]:
    """Ways sorted by whose they are and by parts; in each part they keep their order."""
    return sorted(entries, key=lambda one: (NOBODY if one.way.own is None else one.way.own, one.part))


class Saying(NamedTuple):
    """A sign: one of some planes is somewhere, with or without one of others (None: or either)."""

    plane: int
    what: tuple[int, ...]
    ground: tuple[int, ...] = ()
    beside: bool | None = None


def table_of(
    grid: Grid, words: int, entries: Sequence[Entry], rounds: int = 1, signs: Sequence[Saying] = ()
) -> Table:
    """A table of some ways in their order, of one pass. `words`: the number of all inputs."""
    from ggp.learn.turn.searched.loops import Table  # a compiler is loaded

    owners = [one.way.own for one in entries]
    groups = [place for place, own in enumerate(owners) if not place or own != owners[place - 1]]
    planes = [grid.outside if (own := owners[place]) is None else own for place in groups]
    spots = [spot for one in entries for spot in one.way.spots]
    changes = [
        (comes, *divmod(plane, WORD), along)
        for one in entries
        for comes, some in ((False, one.way.gone), (True, one.way.come))
        for plane, along in some
    ]
    return Table(
        rounds=np.array([rounds], np.int64),
        owners=grid.bits([one for one in owners if one is not None])[None],
        cells=np.array([None in owners], np.bool_),
        groups=np.array([0, len(groups)], np.int64),
        word=np.array([plane // WORD for plane in planes], np.int64),
        bit=np.array([1 << plane % WORD for plane in planes], np.uint64),
        there=np.array([owners[place] is not None for place in groups], np.bool_),
        first=np.array([*groups, len(entries)], np.int64),
        follows=after_parts(entries),
        rule=np.array([one.rule for one in entries], np.int64),
        subject=np.array([one.subject for one in entries], np.int64),
        words=words_of(entries, words),
        spots=np.cumsum([0, *(len(one.way.spots) for one in entries)]),
        masks=lines_of(grid, [spot.planes for spot in spots]),
        wanted=np.array([spot.wanted for spot in spots], np.bool_),
        along=np.array([spot.along for spot in spots], np.int64),
        changes=np.cumsum([0, *(len(one.way.gone) + len(one.way.come) for one in entries)]),
        comes=np.array([one[0] for one in changes], np.bool_),
        changed=np.array([one[1] for one in changes], np.int64),
        set=np.array([1 << one[2] for one in changes], np.uint64),
        to=np.array([one[3] for one in changes], np.int64),
        signs=np.array([0, len(signs)], np.int64),
        what=lines_of(grid, [one.what for one in signs]),
        ground=lines_of(grid, [one.ground for one in signs]),
        beside=np.array([BESIDE[one.beside] for one in signs], np.int64),
        said=lines_of(grid, [(one.plane,) for one in signs]),
    )


STARTS = "groups", "first", "spots", "changes", "signs"
"""Lines that say where others begin, which have one number more."""


def joined(tables: Sequence[Table]) -> Table:
    """One table of several passes, one after another."""
    found = {}
    for name in tables[0]._fields:
        lines = [getattr(one, name) for one in tables]
        if name in STARTS:
            before = np.cumsum([0, *(line[-1] for line in lines)])
            lines = [before[:1], *(line[1:] + start for line, start in zip(lines, before, strict=False))]
        elif name == "follows":
            before = np.cumsum([0, *map(len, lines)])
            lines = [line + start for line, start in zip(lines, before, strict=False)]
        found[name] = np.concatenate(lines)
    return type(tables[0])(**found)


def words_of(entries: Sequence[Entry], words: int) -> Truth:
    """For each way under which of all inputs it is asked."""
    found = np.ones((len(entries), words), np.bool_)
    for row, one in zip(found, entries, strict=True):
        if one.way.words is not None:
            row[:] = False
            row[[*one.way.words]] = True
    return found


def lines_of(grid: Grid, some: Sequence[Sequence[int]]) -> Bits:
    """The words of some planes, a line for each."""
    found = np.zeros((len(some), grid.words), np.uint64)
    for row, planes in zip(found, some, strict=True):
        row[:] = grid.bits(planes)
    return found


def after_parts(entries: Sequence[Entry]) -> Numbers:
    """For each way the first one of another part or owner."""
    keys = [(one.way.own, one.part) for one in entries]
    last = [place + 1 for place, key in enumerate(keys) if keys[place + 1 : place + 2] != [key]]
    return np.array(last, np.int64)[np.searchsorted(last, np.arange(len(entries)), side="right")]
