"""The codings and layouts of links: what they mean, read back as they were written, and their settings.

What the links below hold was worked out by hand from the published form of each type; they are of our own
levels, and a reader and a writer that share a mistake would not agree with them.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from ggp.errors import DescriptionError, Place
from ggp.goals.regions import regions
from ggp.language.levels import builtin, load
from ggp.language.readers import url
from ggp.language.readers.code_layouts import LAYOUTS, Sheet
from ggp.language.readers.codes import CODINGS, UNTOLD, Code, Scan
from ggp.model import Level, Piece

PLACE = Place("URL", 1, 1)

RANGES: dict[str, list[Code]] = {
    "hexadecimal": [
        None,
        None,
        None,
        UNTOLD,
        0,
        9,
        15,
        16,
        255,
        256,
        4095,
        4096,
        8191,
        8192,
        12239,
        12240,
        77776,
    ],
    "four-cell": [None, None, None, UNTOLD, 0, 1, 2, 3, 4],
    "base-36": [None, UNTOLD, 0, 9, 10, 35, 36, 1295],
    "triples": [None, 1, 2],
}


@pytest.mark.parametrize("name", RANGES)
def test_codes_come_back(name: str) -> None:
    assert set(RANGES) == set(CODINGS)
    chance = random.Random(name)
    for _ in range(300):
        blank = chance.random()
        codes = [
            None if chance.random() < blank else chance.choice(RANGES[name])
            for _ in range(chance.randint(1, 70))
        ]
        text = CODINGS[name].write(codes)
        scan = Scan(text, PLACE)
        assert CODINGS[name].read(scan, len(codes)).codes == codes
        scan.end()


@pytest.mark.parametrize(
    ("name", "code"), [("four-cell", 5), ("base-36", 1296), ("triples", 3), ("triples", UNTOLD)]
)
def test_a_code_that_does_not_fit(name: str, code: int) -> None:
    with pytest.raises(DescriptionError, match="a link cannot hold"):
        CODINGS[name].write([code])
    with pytest.raises(DescriptionError):
        CODINGS["hexadecimal"].write([77776 + 16**5])


@pytest.mark.parametrize("name", ["edges", "runs", "crossword"])
def test_sheets_come_back(name: str) -> None:
    chance = random.Random(name)
    for _ in range(200):
        sheet = any_sheet(name, chance)
        height, width = len(sheet.grid), len(sheet.grid[0])
        text = LAYOUTS[name].write(sheet)
        scan = Scan(text, PLACE)
        found = LAYOUTS[name].read(scan, height, width)
        scan.end()
        assert found.grid == sheet.grid
        assert [[clue for clue, _ in told] for told in found.clues] == [
            [clue for clue, _ in told] for told in sheet.clues
        ]
        assert all(0 < column <= len(text) + 1 for told in found.clues for _, column in told)


def any_sheet(name: str, chance: random.Random) -> Sheet:
    """A sheet of any size that the layout can hold."""
    height, width = chance.randint(1, 9), chance.randint(1, 9)

    def any_of(*choices: Any) -> Any:
        return chance.choice(choices)

    if name == "edges":
        grid = [[any_of(None, None, 1, 20) for _ in range(width)] for _ in range(height)]
        lists = [[(any_of(None, (1,), (17,)), 0) for _ in range(n)] for n in (width, width, height, height)]
        return Sheet(grid, tuple(lists))
    if name == "runs":
        lists = [
            [
                (tuple(chance.randint(1, 40) for _ in range(chance.randint(1, (n + 1) // 2))), 0)
                for _ in range(m)
            ]
            for m, n in ((width, height), (height, width))
        ]
        return Sheet([[None] * width for _ in range(height)], tuple(lists))
    grid = [[any_of(None, None, 0) for _ in range(width)] for _ in range(height)]
    down = [
        (any_of(None, (chance.randint(1, 45),)), 0)
        for row in range(height)
        for column in range(width)
        if grid[row][column] is None and (row == 0 or grid[row - 1][column] == 0)
    ]
    across = [
        (any_of(None, (chance.randint(1, 45),)), 0)
        for row in range(height)
        for column in range(width)
        if grid[row][column] is None and (column == 0 or grid[row][column - 1] == 0)
    ]
    return Sheet(grid, (down, across))


# --- links read by hand -----------------------------------------------------------------------------------


def linked_level(rest: str) -> Level:
    return load(f"https://puzz.link/p?{rest}").level


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("hexadecimal", "0fg.i", [0, 15, None, UNTOLD, None, None, None]),
        ("hexadecimal", "z7", [*[None] * 20, 7]),
        ("hexadecimal", "-10-ff+100+fff", [16, 255, 256, 4095]),
        ("hexadecimal", "=000=fff@000%000@fcf", [4096, 8191, 8192, 8192, 12239]),
        ("hexadecimal", "*0000*ffff$00000", [12240, 77775, 77776]),
        ("four-cell", "049e.gh", [0, 4, 4, None, 4, None, None, UNTOLD, None, None, None]),
        ("four-cell", "3", [3]),
        ("four-cell", "d", [3]),  # blanks that a number brings along may stand past the end
        ("base-36", "09az.@%-10-zz", [0, 9, 10, 35, None, UNTOLD, UNTOLD, 36, 1295]),
        ("triples", "5q", [None, 1, 2, 2, 2, 2]),
    ],
)
def test_what_the_signs_mean(name: str, text: str, codes: list[Code]) -> None:
    scan = Scan(text, PLACE)
    assert CODINGS[name].read(scan, len(codes)).codes == codes
    scan.end()


def shown(rest: str, kind: str) -> list[list[object]]:
    """The numbers of one kind on the board of a link, row by row; None where there is none."""
    rows = linked_level(rest).board
    return [[next((one.variant for one in here if one.kind == kind), None) for here in row] for row in rows]


def test_numbers_and_letters_for_blanks() -> None:
    """A number is one hexadecimal digit, or two after `-`; g is one blank, h is two, k is five, o is nine."""
    o = None
    assert shown("sudoku/4/4/g4i1g3k3g1", "digit") == [[o, 4, o, o], [o, 1, o, 3], [o, o, o, o], [o, 3, o, 1]]
    assert shown("nurikabe/4/4/g3g1o3h", "clue") == [[o, 3, o, 1], [o, o, o, o], [o, o, o, o], [o, 3, o, o]]
    assert shown("hashi/5/5/g2g4g2g2o1h2h3g", "island") == [
        [o, 2, o, 4, o],
        [2, o, 2, o, o],
        [o, o, o, o, o],
        [o, o, 1, o, o],
        [2, o, o, 3, o],
    ]
    assert shown("fillomino/3/3/2h43j", "digit") == [[2, o, o], [4, 3, o], [o, o, o]]
    assert dict(linked_level("fillomino/3/3/2h43j").numbers) == {"largest": 9}
    assert shown("fillomino/4/4/-10u", "digit") == [[16, o, o, o], *[[o] * 4] * 3]


def test_numbers_that_bring_blanks_along() -> None:
    """0 to 4 stand alone, 5 to 9 are the same and one blank, a to e and two; `.` is told without a number.

    So b is 1 and two blanks, c is 2 and two, e is 4 and two; g is one blank, k is five.
    """
    tiny = "slither/3/3/g0bgc"
    rooms = linked_level(tiny).board
    assert (len(rooms), len(rooms[0])) == (7, 7)  # three rooms with a corner and a side around each
    assert [shown(tiny, "clue")[row][1::2] for row in (1, 3, 5)] == [
        [None, 0, 1],
        [None] * 3,
        [2, None, None],
    ]
    assert all(Piece("room") in rooms[row][column] for row in (1, 3, 5) for column in (1, 3, 5))
    assert all(rooms[row][column] == {Piece("corner")} for row in (0, 2, 4, 6) for column in (0, 2, 4, 6))
    assert rooms[0][1] == rooms[1][0] == frozenset()
    floor, wall = frozenset({Piece("floor")}), frozenset({Piece("wall")})
    assert linked_level("akari/4/4/kei.h.g").board == (
        (floor, floor, floor, floor),
        (floor, frozenset({Piece("wall"), Piece("clue", 4)}), floor, floor),
        (floor, floor, floor, wall),
        (floor, floor, wall, floor),
    )


def test_three_cells_a_character() -> None:
    """0 is ..., 1 is ..o, 2 is ..*, 3 is .o., 6 is .*., 9 is o.., c is oo.; o is white, and * black."""
    white, black = {Piece("spot"), Piece("white")}, {Piece("spot"), Piece("black")}
    few = linked_level("mashu/4/4/03c000").board
    assert (len(few), len(few[0])) == (7, 7)  # without the sides around the outermost cells
    pearls = {(row, column) for row in range(7) for column in range(7) if few[row][column] == white}
    assert pearls == {(2, 0), (2, 4), (2, 6)}
    more = linked_level("mashu/5/5/013960200").board
    found = {(row, column): more[row][column] for row in range(0, 9, 2) for column in range(0, 9, 2)}
    coloured = {(2, 0): white, (2, 4): white, (2, 8): white, (4, 6): black, (8, 0): black}
    assert found == {cell: coloured.get(cell, {Piece("spot")}) for cell in found}
    assert more[0][1] == more[1][0] == frozenset() and more[1][1] == {Piece("gap")}


def test_a_number_a_cell() -> None:
    assert shown("hitori/4/4/3322142324344244", "number") == [
        [3, 3, 2, 2],
        [1, 4, 2, 3],
        [2, 4, 3, 4],
        [4, 2, 4, 4],
    ]


def test_numbers_at_the_edges() -> None:
    """Those above, below, left and right of the board, g for one blank and so on, then those of the cells."""
    assert dict(linked_level("skyscrapers/4/4/j13g3k3h").clues) == {
        "columns": (None, None, None, None),
        "columns-reversed": ((1,), (3,), None, (3,)),
        "rows": (None, None, None, None),
        "rows-reversed": (None, (3,), None, None),
    }
    given = "skyscrapers/6/6/h23g6j3g332g24lt1x2h"
    assert dict(linked_level(given).clues) == {
        "columns": (None, None, (2,), (3,), None, (6,)),
        "columns-reversed": (None, None, None, None, (3,), None),
        "rows": ((3,), (3,), (2,), None, (2,), (4,)),
        "rows-reversed": (None,) * 6,
    }
    none = [None] * 6
    assert shown(given, "digit") == [
        none,
        none,
        [None, None, 1, None, None, None],
        none,
        none,
        [None, None, None, 2, None, None],
    ]


def test_runs_from_the_board_outwards() -> None:
    """Three places for each column and then each row of five; what is nearest to the board comes first."""
    runs = dict(linked_level("nonogram/5/5/31g11g22g13g5h5h3h22g11131g").clues)
    assert runs["columns"] == ((1, 3), (1, 1), (2, 2), (3, 1), (5,))
    assert runs["rows"] == ((5,), (3,), (2, 2), (1, 1, 1), (1, 3))
    some = dict(linked_level("nonogram/2/2/g211").clues)
    assert some == {"columns": ((0,), (2,)), "rows": ((1,), (1,))}


def test_blanks_run_on_from_the_columns_to_the_rows() -> None:
    """Two columns and two rows with room for one run each: 2, then two blanks (h), then 1."""
    runs = dict(linked_level("nonogram/2/2/2h1").clues)
    assert runs == {"columns": ((2,), (0,)), "rows": ((0,), (1,))}


def test_numbers_that_are_left_open() -> None:
    """`.` is an island of any size, one with any number of bridges, or a cell with any digit."""
    o = None
    assert shown("nurikabe/4/4/g.g1o3h", "clue") == [[o, o, o, 1], [o] * 4, [o] * 4, [o, 3, o, o]]
    sea = linked_level("nurikabe/4/4/g.g1o3h").board
    assert sea[0][1] == {Piece("open")} and sum(Piece("open") in here for row in sea for here in row) == 1
    bridges = linked_level("hashi/3/3/1g.i2g1").board
    told = {(0, 0): Piece("island", 1), (0, 2): Piece("pier"), (2, 0): Piece("island", 2)}
    told[2, 2] = Piece("island", 1)
    assert {(r, c): {*here} for r, row in enumerate(bridges) for c, here in enumerate(row) if here} == {
        cell: {piece} for cell, piece in told.items()
    }
    assert shown("fillomino/2/2/1.2g", "digit") == [[1, o], [2, o]]


def test_a_sudoku_of_six_has_boxes_of_two_rows_and_three_columns() -> None:
    """1, one blank, 2, four blanks (j); the other 29 cells are blank: z is 20, o is 9."""
    instance = load("https://puzz.link/p?sudoku/6/6/1g2jzo")
    assert shown("sudoku/6/6/1g2jzo", "digit") == [[1, None, 2, None, None, None], *[[None] * 6] * 5]
    assert regions(instance, "boxes")[:3] == (
        ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)),
        ((0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5)),
        ((2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)),
    )
    assert len(regions(instance, "boxes")) == 6


def test_sums_in_blocks() -> None:
    """A block is `.`, or its sum down and its sum across; A is 20, and E 24. k is one free cell, l two.

    Last come the sums of the runs that begin at the upper edge, and of those at the left one.
    """
    level = linked_level("kakuro/5/4/.a0Egl4jr.m..e8fa")
    block, free = frozenset({Piece("block")}), frozenset[Piece]()
    assert level.board == (
        (block, block, block, free, free),
        (block, free, free, free, free),
        (free, free, free, free, block),
        (free, free, free, block, block),
    )
    assert dict(level.clues) == {
        "down": ((14,), (8,), (10,), (24,), (4,)),  # e and 8 of the edge, a0, Eg and 4j
        "across": ((16,), (19,), (15,), (10,)),  # Eg, 4j, f and a of the edge
    }


# --- settings ---------------------------------------------------------------------------------------------

GOOD = {"types": ["loop"], "codec": "four-cell", "cells": {"none": "room", "number": "room clue:number"}}


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"types": []}, "types"),
        ({"types": 3}, "types"),
        ({"codec": "five-cell"}, "codec"),
        ({"codec": ["runs"]}, "codec"),
        ({"clues": ["rows"]}, "clues"),
        ({"codec": "runs"}, "clues"),
        ({"cells": {"number": "rum:number"}}, "cells"),
        ({"cells": {"numbers": "room"}}, "cells"),
        ({"cells": {"number": 3}}, "cells"),
        ({"cells": ["room"]}, "cells"),
        ({"unit": ["+ ", " "]}, "unit"),
        ({"unit": ["+ ", "? ?"]}, "unit"),
        ({"unit": ["xy", " ?"]}, "unit"),
        ({"unit": "??"}, "unit"),
        ({"variants": "f"}, "variants"),
        ({"flags": "f"}, "flags"),
        ({"flags": {"f": "unit"}}, "flags"),
        ({"variants": ["f", 3]}, "variants"),
        ({"margin": "1"}, "margin"),
        ({"margin": -1}, "margin"),
        ({"numbers": {"n": []}}, "numbers"),
    ],
)
def test_bad_settings(settings: dict[str, object], what: str) -> None:
    game = replace(builtin("slitherlink")[0], forms=(("url", {**GOOD, **settings}),))
    with pytest.raises(DescriptionError, match=rf"the game's \[forms.url\] has a bad `{what}`"):
        url.read_link("https://puzz.link/p?loop/1/1/a", game, PLACE)
