"""Where a picture has room for what a level tells of its regions: at the ends of lines, or inside.

Clues of rows and columns stand beside the board, where the line begins; those of the runs of a crossword
in the cell before the run; those of any other region in its first cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ggp.goals.regions import regions
from ggp.model import Cell, Clue, Instance

Side = Literal["left", "right", "top", "bottom"]
SIDES: dict[str, Side] = {
    "rows": "left",
    "rows-reversed": "right",
    "columns": "top",
    "columns-reversed": "bottom",
}
RUNS = {"across": (0, -1), "down": (-1, 0)}  # the step to the cell before a run


@dataclass(frozen=True, slots=True)
class Clues:
    """All clues of a level by where they are drawn.

    `sides`: for each side the numbers at each row or column, as they are read. `runs`: for the cell before
    a run (one step off the board where the run begins at the edge) the number of the run across and of the
    run down. `inside`: for the first cell of a region what is told of it.
    """

    sides: dict[Side, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    runs: dict[Cell, dict[str, str]] = field(default_factory=dict)
    inside: dict[Cell, str] = field(default_factory=dict)


def clues_of(instance: Instance) -> Clues:
    """The clues of an instance; the level is taken to have passed the reader's checks."""
    found = Clues()
    for name, region, clue in told(instance):
        numbers = tuple(map(str, clue)) or ("0",)
        first = region[0]
        if name in drawn_names(instance):
            found.inside[min(region)] = " ".join(numbers)
        elif name in SIDES:
            side = SIDES[name]
            found.sides.setdefault(side, {})[first[0 if side in ("left", "right") else 1]] = numbers
        elif name in RUNS:
            before = first[0] + RUNS[name][0], first[1] + RUNS[name][1]
            found.runs.setdefault(before, {})[name] = " ".join(numbers)
        else:
            found.inside[min(region)] = " ".join(numbers)
    return found


def told(instance: Instance) -> Iterator[tuple[str, tuple[Cell, ...], tuple[int, ...]]]:
    """(name, region, numbers) of each region of which something is told."""
    for name, clues in instance.level.clues:
        for region, clue in zip(regions(instance, name), clues, strict=False):
            if clue is not None and region:
                yield name, region, clue


def drawn_names(instance: Instance) -> set[str]:
    """The names of regions that the level itself draws."""
    return {name for name, _ in instance.level.regions}


def cages(instance: Instance) -> frozenset[frozenset[Cell]]:
    """The regions that the level draws and tells something of: they get an outline of their own."""
    names = drawn_names(instance) & {name for name, _ in instance.level.clues}
    return frozenset(frozenset(region) for name in names for region in regions(instance, name))


def clue_text(clue: Clue) -> str:
    """A clue as one word: `5`, `1+3`, or `?` where nothing is told."""
    return "?" if clue is None else "+".join(map(str, clue)) or "0"
