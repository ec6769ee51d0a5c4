"""Designs that are drawn as a map of the finished board: read, written, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.errors import DescriptionError
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Game, Known, Level, Piece, Plan

HEAD = """
name = "lamps"
[kinds]
wall = { layer = "solid" }
floor = { layer = "floor" }
lamp = { layer = "lamp", values = [1, 3] }
[symbols]
"." = "floor"
"#" = "wall"
"12" = "lamp:1.."
"a" = "floor lamp:1"
"""
DESIGN = """
[design]
place = "lamp"
free-of = ["lamp", "wall"]
"""
LEVEL = '''
[goal]
when = "horizon"
win = ["count lamp = 5"]
[[level]]
map = """
...
.#.
1..
"""
[level.known]
wins = [
  { design = %s },
]
'''


def level_with(design: str, middle: str = DESIGN) -> tuple[Game, Level]:
    """The game and its level with a plan whose design is this text."""
    game, (level,) = read_game((HEAD + middle + LEVEL % design).encode(), "lamps.toml")
    return game, level


def lamps(*cells: tuple[int, int, int]) -> Plan:
    """A plan that places these."""
    return Plan(tuple(((row, column), Piece("lamp", value)) for row, column, value in cells))


def drawn(rows: str) -> str:
    """Rows, with blanks between, as a drawn design."""
    return '"""\n' + rows.replace(" ", "\n") + '\n"""'


@pytest.mark.parametrize(
    ("rows", "plan"),
    [
        ("1.2 .#. 1..", lamps((0, 0, 1), (0, 2, 2))),
        ("a.. 2#. 1.1", lamps((0, 0, 1), (1, 0, 2), (2, 2, 1))),
        ("... .#. 1..", lamps()),
    ],
)
def test_what_is_drawn_beyond_the_map_is_placed(rows: str, plan: Plan) -> None:
    _, level = level_with(drawn(rows))
    assert level.known.wins == (plan,)


@pytest.mark.parametrize(
    ("rows", "message", "line"),
    [
        ("... .#.", "must be as large as the map", 28),
        (".... .#.. 1...", "must be as large as the map", 28),
        ("... ##. 1..", "`wall`, which the map of the level does not have here", 30),
        ("... .#. ...", "`floor`, which the map of the level does not have here", 31),
        ("... .?. 1..", "not a symbol of the game", 30),
        ("... .#.. 1..", "has 4 characters", 28),
    ],
)
def test_a_design_drawn_wrongly_is_told_with_its_place(rows: str, message: str, line: int) -> None:
    with pytest.raises(DescriptionError, match=message) as error:
        level_with(drawn(rows))
    places = [finding.place.line for finding in error.value.findings if finding.place is not None]
    assert places[0] == line


def test_a_design_must_be_a_map_or_a_list() -> None:
    with pytest.raises(DescriptionError, match="a map, or a list of placements"):
        level_with("3")


def test_nothing_is_drawn_where_nothing_is_placed() -> None:
    with pytest.raises(DescriptionError, match="nothing is placed in this game"):
        level_with(drawn("... .#. 1.."), "")


MANY = lamps((0, 0, 1), (0, 1, 2), (0, 2, 2), (1, 0, 1))


@pytest.mark.parametrize(
    ("plan", "map_like"),
    [
        (MANY, True),
        (lamps((0, 0, 1)), False),  # short
        (replace(MANY, design=MANY.design[::-1]), False),  # in another order
        (lamps((0, 0, 1), (0, 1, 2), (0, 2, 2), (1, 0, 3)), False),  # no character for a 3
        (lamps((0, 0, 1), (0, 1, 2), (0, 2, 2), (2, 0, 1)), False),  # stands there already
        (lamps((0, 0, 1), (0, 0, 2), (0, 1, 1), (0, 2, 1)), False),  # two in a cell
        (replace(MANY, actions=("up", "down")), True),
    ],
)
def test_a_design_is_drawn_where_a_map_shows_all_of_it(plan: Plan, map_like: bool) -> None:
    game, level = level_with(drawn("... .#. 1.."))
    level = replace(level, known=Known(loses=(plan,)))
    text = write_game(game, (level,))
    assert ('design = """' in text) == map_like
    assert read_game(text.encode(), "again") == (game, (level,))
