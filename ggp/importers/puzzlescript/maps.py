"""LEVELS: maps, each sign of which stands for what the legend says, and messages between them."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import MESSAGE, Line

Cell = tuple[str, ...]
MOST_CELLS = 250_000  # of all maps of a file


@dataclass(slots=True)
class Map:
    """A map as rows of what stands in each cell. `after`: the messages that are shown before it."""

    line: int
    rows: list[list[Cell]]
    after: tuple[str, ...] = ()


def read_maps(lines: list[Line | None], names: Names, faults: Faults) -> tuple[list[Map], tuple[str, ...]]:
    """The maps in their order, and the messages behind the last one."""
    blocks: list[list[Line]] = [[]]
    messages: list[tuple[str, ...]] = [()]
    said: list[str] = []
    for line in lines:
        if line is None:
            blocks.append([])
        elif text := MESSAGE.match(line.text):
            said.append(line.raw[text.end() :].strip())
            blocks.append([])
        elif line.text.lstrip().startswith("message"):
            remedy = "put a blank after `message`"
            faults.warning(line.number, line.column, "this is taken for a message", remedy)
            said.append(line.raw.strip()[len("message") :].strip())
            blocks.append([])
        else:
            if not blocks[-1]:
                messages += [()] * (len(blocks) - len(messages))
                messages[-1], said = tuple(said), []
            blocks[-1].append(line)
    messages += [()] * (len(blocks) - len(messages))
    signs = signs_of(names)
    maps = []
    count = 0
    for block, before in zip(blocks, messages, strict=True):
        if not block:
            continue
        rows = [map_row(line) for line in block]
        count += len(rows) * len(rows[0][0])
        if count > MOST_CELLS:
            message = f"the maps have more than {MOST_CELLS} cells together"
            faults.error(block[0].number, 1, message, "put some of them into another file")
            break
        maps.append(
            Map(block[0].number, [cells(*row, len(rows[0][0]), signs, faults) for row in rows], before)
        )
    if not maps and said:
        faults.warning(0, 0, "there are messages, and no map among them", "draw one, in LEVELS")
    elif not any(blocks):
        faults.lacking("levels", "there are no levels", "draw one, in LEVELS")
    background(maps, names)
    return maps, tuple(said)


def map_row(line: Line) -> tuple[str, Line, int]:
    """The signs of a row, where a comment ends it, too; and the column of the first one."""
    text = line.plain
    return text.strip(), line, len(text) - len(text.lstrip())


def signs_of(names: Names) -> dict[str, Cell | None]:
    """What each sign stands for; None where that is one of several."""
    meant = {name: None if name in names.either else names.members(name) for name in names.lines}
    return {name: held for name, held in meant.items() if len(name) == 1 and held != ()}


def cells(
    text: str, line: Line, start: int, width: int, signs: dict[str, Cell | None], faults: Faults
) -> list[Cell]:
    """A row of cells: as long as the first row, a short one is filled up with its last sign."""
    if len(text) != width:
        message = f"this row has {len(text)} signs, the first one of the map has {width}"
        remedy = "make them alike: what is over is cut off, a short row goes on with its last sign"
        faults.warning(line.number, start + 1, message, remedy)
    found: list[Cell] = []
    for column, sign in enumerate(text):
        held = signs.get(sign)
        if (sign.isspace() or sign == ")") and column >= width:
            continue  # what is cut off is looked at sign by sign, but for what no sign can be
        if sign not in signs:
            message = f"the sign {sign!r} stands for nothing"
            faults.error(line.number, start + column + 1, message, "give it a meaning in the legend")
        elif held is None:
            message = f"the sign {sign!r} stands for one of several (`or`)"
            faults.error(line.number, start + column + 1, message, "make it with `and`, or of one object")
        found.append(held or ())
    found = found[:width]
    return found + [found[-1]] * (width - len(found)) if found else [()] * width


def background(maps: list[Map], names: Names) -> None:
    """Cells without a background get the one that the map uses first, counted down its columns."""
    kinds = names.members("background")
    if not kinds:
        return
    layer = names.objects[kinds[0]].layer
    ground = {name for name, one in names.objects.items() if one.layer == layer}
    for one in maps:
        height, width = len(one.rows), len(one.rows[0])
        in_order = (one.rows[row][column] for column in range(width) for row in range(height))
        first = next(
            (held for cell in in_order if (held := tuple(k for k in cell if k in ground))), kinds[:1]
        )
        one.rows = [[cell if ground & set(cell) else (*cell, *first) for cell in row] for row in one.rows]


def check_together(names: Names, faults: Faults) -> None:
    """Things that are together in the legend cannot be on one layer."""
    for name, members in names.all_of.items():
        seen: dict[int, str] = {}
        for one in members:
            layer = names.objects[one].layer
            line, message = names.lines[name], ""
            if layer is None:
                message = f"{one.upper()} is on no layer"
            elif seen.setdefault(layer, one) != one:
                message = f"{one.upper()} and {seen[layer].upper()} are on one layer and cannot be together"
            if message:
                faults.error(line, 1, f"{name.upper()}: {message}", "give each a layer of its own")
