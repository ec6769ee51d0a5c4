"""Levels as links, in the form that puzz.link and pzprv3 use: `https://puzz.link/p?TYPE/COLUMNS/ROWS/CODES`.

Nothing is fetched: the whole puzzle stands in the link. Any address will do, and `TYPE_edit` and `TYPE_play`
are the same as `TYPE`. Links of a variant (`TYPE/v:NAME/...`, or `TYPE/FLAGS/...` with a flag that stands
for one) are refused: their rules are others. A flag that only changes what is on the map, or a number of the
level, is read (`flags` of `link_form`). `TYPE/v:/...` names none: it is read by the plain rules, and the
level's title says so. What the codes put on the map, and which flags change the rules, is said by the
settings, see `link_form`.

Signs may be percent-encoded, as programs write a link into another address (`p%3Fslither%2F3%2F3%2Fg0bgc`);
places in errors are then those of the link as it is meant. What stands behind `#`, and slashes at the end,
say nothing.

A file holds a link a line; blank lines, and lines that begin with `#`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ggp.errors import DescriptionError, Finding, Place
from ggp.language.maps import Board
from ggp.language.readers.addresses import ADDRESS, plain
from ggp.language.readers.code_layouts import Sheet
from ggp.language.readers.codes import UNTOLD, Scan
from ggp.language.readers.common import LONGEST_SIDE, MOST_CELLS, checked, collected, each_line, usual_horizon
from ggp.language.readers.link_form import LinkForm, Pieces
from ggp.model import Cell, Game, Level

OPTIONS = r"(?:\w+=\w+&)*"  # of the site's own, such as `type=editor`
SHAPE = "a link is ADDRESS?TYPE/COLUMNS/ROWS/CODES"
UNJUDGED = (
    "read by the plain rules: its link is headed `v:`, which says of a variant that it is one, not which"
)
OTHERWISE = f"open it in the site's editor and export it as a link there: {SHAPE}"
COMMENT = "#"


class Link(NamedTuple):
    """The parts of a link; `place` is that of its type, and `codes` has not been looked at."""

    type: str
    place: Place
    height: int
    width: int
    codes: Scan
    flags: str = ""
    title: str = ""


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The levels of a file of links, called by what their links call them and their size.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    lines = each_line(data, file, COMMENT)
    if not lines:
        raise DescriptionError("there is no link in this file", f"write one a line: {SHAPE}", Place(file))
    return collected(partial(read_link, line, game, place) for line, place in lines)


def read_link(text: str, game: Game, place: Place) -> Level:
    """The level that a link holds; `place` is that of its first character."""
    form = LinkForm(game, place)
    link = parse(plain(text), place, form.variants)
    if link.type not in form.types:
        remedy = f"its links are of the type {' or '.join(form.types)}"
        raise DescriptionError(f"{link.type[:40]!r} is no type of {game.name}", remedy, link.place)
    form = LinkForm(game, place, link.flags)
    height, width = form.unit.size(link.height, link.width)
    if height * width > MOST_CELLS:
        message = f"the map has {height * width} cells"
        raise DescriptionError(message, f"at most {MOST_CELLS} can be read", link.codes.place)
    sheet = form.layout.read(link.codes, link.height, link.width)
    link.codes.end()
    return level_of(link, sheet, form)


def type_of(text: str, place: Place) -> tuple[str, Place]:
    """What a link calls its puzzle, and where that stands. Raises DescriptionError where there is nothing."""
    text = plain(text)
    address = re.match(rf"\s*{ADDRESS}{OPTIONS}(?:v:/(?!pzprv))?", text)
    if address is None:
        raise DescriptionError("this is no link to a puzzle", SHAPE, place)
    word = re.match(r"[A-Za-z0-9:_-]*", text[address.end() :])
    name = re.sub("_(edit|play)$", "", word[0] if word else "")
    at = Place(place.file, place.line, place.column + address.end())
    refuse_other_forms(text[address.end() :], at)
    if not name:
        raise DescriptionError("the link does not say which puzzle it holds", SHAPE, at)
    if name.startswith("v:"):
        raise variant(name, at)
    return name, at


def refuse_other_forms(query: str, place: Place) -> None:
    """Raise DescriptionError for a link that holds a puzzle in another form; `query` stands at `place`."""
    if re.match("(v:[^/]*/)?pzprv[0-9.]*/", query):
        raise DescriptionError("this link holds a file, and not the codes of a puzzle", OTHERWISE, place)
    older = re.match("(problem|pzpr|heyawake)=", query)
    if older is not None:
        raise DescriptionError(f"`{older[0]}` is how links of another site begin", OTHERWISE, place)


def parse(text: str, place: Place, variants: tuple[str, ...] | None) -> Link:
    """The parts of a link. Raises DescriptionError for a variant, and for a size that is none.

    `variants` are the flags that stand for one; None: all do.
    """
    name, start = type_of(text, place)
    parts = text.rstrip("/")[start.column - place.column :].split("/")
    columns = [start.column]
    for part in parts:
        columns.append(columns[-1] + len(part) + 1)
    nameless = "?v:/" in text or "&v:/" in text
    if parts[1:2] == ["v:"]:
        nameless = True
        del parts[1], columns[1]
    flags = ""
    if flagged(parts):
        flags = parts[1]
        refuse_variant(flags, variants, replace(start, column=columns[1]))
        del parts[1], columns[1]
    if len(parts) < 3:
        end = replace(start, column=columns[-1] - 1)
        raise DescriptionError("the link ends before it says how large the puzzle is", SHAPE, end)
    width, height = (
        side(what, text, replace(start, column=column))
        for what, text, column in zip(("columns", "rows"), parts[1:3], columns[1:3], strict=True)
    )
    codes = Scan("/".join(parts[3:]), replace(start, column=columns[3]))
    return Link(name, start, height, width, codes, flags, UNJUDGED if nameless else "")


def flagged(parts: list[str]) -> bool:
    """Do flags stand before the size of a link, or the name of a variant?"""
    named = len(parts) > 1 and parts[1].startswith("v:")
    return named or (len(parts) > 3 and not parts[1].isdigit() and parts[2].isdigit() and parts[3].isdigit())


def refuse_variant(flags: str, variants: tuple[str, ...] | None, place: Place) -> None:
    """Raise DescriptionError for flags of which one stands for other rules; the sites overlook all others."""
    if variants is None or flags.startswith("v:") or any(flag in variants for flag in flags):
        raise variant(flags, place)


def variant(name: str, place: Place) -> DescriptionError:
    """The error for a link that asks for a variant."""
    message = f"the link asks for a variant of its puzzle, {name[:40]!r}, and does not say its rules"
    return DescriptionError(message, f"take `{name[:40]}/` out of it to read it by the plain rules", place)


def side(what: str, text: str, place: Place) -> int:
    """A number of rows or columns."""
    if re.fullmatch("[0-9]{1,4}", text) is None or not 1 <= int(text) <= LONGEST_SIDE:
        message = f"the number of {what} is {text[:40]!r}"
        raise DescriptionError(message, f"write a whole number, 1 to {LONGEST_SIDE}", place)
    return int(text)


def level_of(link: Link, sheet: Sheet, form: LinkForm) -> Level:
    """The level that a sheet describes, checked. Raises DescriptionError with everything that is wrong."""
    board, where = board_of(link, sheet, form)
    told = list(zip(form.clues, sheet.clues, strict=True))
    level = Level(
        f"{link.type}-{link.width}x{link.height}",
        board,
        usual_horizon(form.game),
        title=link.title,
        place=link.place,
        clues=tuple((name, tuple(clue for clue, _ in clues)) for name, clues in told),
        clue_places=tuple(
            (name, (link.codes.place, *(replace(link.place, column=column) for _, column in clues)))
            for name, clues in told
        ),
    )
    level = replace(level, numbers=form.numbers(level))
    errors = checked(form.game, level, lambda row, column: replace(link.place, column=where[row, column]))
    if errors:
        raise DescriptionError.of(tuple(errors))
    return level


def board_of(link: Link, sheet: Sheet, form: LinkForm) -> tuple[Board, dict[Cell, int]]:
    """The map, and the column of the link in which each of its cells stands.

    Raises DescriptionError for codes that the game has nothing for.
    """
    findings = []
    where: dict[Cell, int] = {}
    rows: list[list[Pieces]] = []
    for (row, column), cell, drawn in form.unit.places(link.height, link.width):
        if column == 0:
            rows.append([])
        rows[-1].append(drawn)
        where[row, column] = link.codes.place.column
        if cell is None:
            continue
        code = sheet.grid[cell[0]][cell[1]]
        where[row, column] = sheet.columns[cell[0]][cell[1]]
        pieces = form.pieces(code)
        rows[-1][-1] = pieces or drawn
        if pieces is None:
            what = "a number that is left open" if code == UNTOLD else f"the number {code}"
            message = f"{form.game.name} has nothing that stands for {what}"
            place = replace(link.place, column=where[row, column])
            findings.append(Finding(message, "such links cannot be read", place))
    if findings:
        raise DescriptionError.of(tuple(findings))
    return tuple(map(tuple, rows)), where
