"""Boards as characters."""

from __future__ import annotations

import pytest

from ggp.cli.report.levels import instance_text
from ggp.errors import Place
from ggp.goals.different import Different
from ggp.language.levels import games, levels, load
from ggp.language.maps import read_board, symbols_of
from ggp.model import Game, Goal, Instance, Kind, Level, Piece
from ggp.referee.semantics import initial_state
from ggp.render.terminal import Sheet, legend_lines, plain, text
from tests.slow import one_in

LEVELS = [level for game in games() for level in levels(game)]
BOARDS = {
    "lemmings/seed": """\
████████████████████
██◀           ██████
██  ██            ██
██                ██
██            ██  ██
██  ████          ██
██        ██  ██  ██
████      ████    ██
████      ██  ██T ██
████████████████████
""",
    "sokoban/first": """\
████████████
██        ██
██  $ @   ██
██    .   ██
████████████
""",
    "sudoku/paper-4x4": """\
┌────┬────┐
│· 4 │· · │
│· 1 │· 3 │
├────┼────┤
│· · │· · │
│· 3 │· 1 │
└────┴────┘
""",
}


SOLVED = {
    "atomix/water": """\
H     O    molecule:
  ██       H O H
      H
""",
    "slitherlink/tiny": """\
·   ·   ·   ·
      0   1
┌───┐   ┌───┐
│   │   │   │
│   └───┘   │
│ 2         │
└───────────┘
""",
    "masyu/small": """\
 ┌───┐   ┌───┐
 │   │   │   │
 o   │   o   o
 │   │   │   │
 │   └───┘   │
 │           │
 └───────────┘
""",
    "hashiwokakero/small": """\
· 2 ══4 ·
2 ──2 ║ ·
│ · │ ║ ·
│ · 1 ║ ·
2 ────3 ·
""",
    "nonogram/small": """\
      1 1 2 3
      3 1 2 1 5
    5 ██████████
    3 · · ██████
  2 2 ████· ████
1 1 1 ██· ██· ██
  1 3 ██· ██████
""",
    "kakuro/small": """\
                        14\\   8\\
      ██████10\\   24\\16   9     7
      4\\19    7     8     3     1
\\15     3     1     9     2   ██████
\\10     1     2     7   ████████████
""",
    "killer-sudoku/small": """\
┏6━┯6━┳8━┯2━┓
┃4 │3 ┃1 │2 ┃
┃  │  ┃  └──┨
┃2 │1 ┃3  4 ┃
┣4━┿━━╋4━┯6━┫
┃3 │2 ┃4 │1 ┃
┃  ├4─╂──┘  ┃
┃1 │4 ┃2  3 ┃
┗━━┷━━┻━━━━━┛
""",
    "futoshiki/small": """\
 4   2   1   3
         ^
 1   4 > 3   2

 3   1   2   4

 2   3   4   1
""",
}


def styles(instance: Instance, word: str, **options: object) -> list[str]:
    """The styles of the parts of a drawn board that read so."""
    drawn = text(instance, initial_state(instance, partial=True), **options)  # type: ignore[arg-type]
    return [str(span.style) for span in drawn.spans if drawn.plain[span.start : span.end] == word]


@pytest.mark.parametrize("name", one_in(4, LEVELS))
def test_a_plain_map_is_read_back(name: str) -> None:
    instance = load(name)
    drawn = plain(instance, initial_state(instance, partial=True))
    board, findings = read_board(
        drawn.split("\n"), symbols_of(instance.game), lambda row, column: Place("map", row + 1, column + 1)
    )
    assert board == instance.level.board
    assert not findings


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_in_colour(name: str) -> None:
    instance = load(name)
    assert text(instance, initial_state(instance, partial=True)).plain == BOARDS[name]


def test_row_and_column_numbers() -> None:
    instance = load("sudoku/paper-4x4")
    lines = text(instance, initial_state(instance, partial=True), numbers=True).plain.split("\n")
    assert lines[:3] == ["   0 1  2 3 ", "  ┌────┬────┐", "0 │· 4 │· · │"]


def test_given_values_are_bold_and_placed_ones_coloured() -> None:
    instance = load("sudoku/paper-4x4")
    state = initial_state(instance, [((0, 0), Piece("digit", 2))], partial=True)
    drawn = text(instance, state)
    found = {drawn.plain[span.start : span.end]: str(span.style) for span in drawn.spans}
    assert found["4 "] == "bold"
    assert found["2 "] == "#5c8fd0"


def test_the_cursor_is_reversed() -> None:
    assert styles(load("sokoban/first"), "$ ", cursor=(2, 2)) == ["reverse bold #dcae6c"]
    assert styles(load("sokoban/first"), "$ ") == ["bold #dcae6c"]


def test_several_pieces_on_a_cell_share_a_symbol_or_show_the_topmost() -> None:
    instance = load("sokoban/first")
    pieces = [{"crate", "target"}, {"wall", "target"}, set()]
    board = (tuple(frozenset(map(Piece, sorted(cell))) for cell in pieces),)
    shown = Instance(instance.game, Level("x", board))
    assert plain(shown, initial_state(shown)) == "*# "


def test_what_has_no_symbol_gets_a_sign_and_a_legend() -> None:
    game = Game("g", "G", (Kind("odd", "a"), Kind("n", "b", values=(0, 999))), Goal(()))
    cells = (frozenset({Piece("odd")}), frozenset({Piece("n", 7)}), frozenset({Piece("n", 100)}))
    instance = Instance(game, Level("x", (cells,)))
    assert plain(instance, initial_state(instance)) == "o7?"  # more values than there are letters
    assert list(legend_lines(instance, [initial_state(instance)])) == ["?  n:100", "7  n:7", "o  odd"]
    assert text(instance, initial_state(instance)).plain == " o   7  100 \n"
    assert list(legend_lines(instance, [initial_state(instance)], colour=True)) == ["o  odd"]


def test_a_piece_without_a_symbol_is_not_hidden_by_what_it_stands_on() -> None:
    kinds = (Kind("grass", "floor"), Kind("tent", "a", facings=("up", "left")), Kind("tank", "a"))
    symbols = ((".", (Piece("grass"),)), ("t", ()), ("<", (Piece("grass"), Piece("tank"))))
    game = Game("g", "G", kinds, Goal(()), symbols=symbols)
    tops = [Piece("tent", "up"), Piece("tent", "left"), Piece("tank")]
    cells = (*(frozenset({Piece("grass"), top}) for top in tops), frozenset({Piece("tank")}))
    instance = Instance(game, Level("x", (cells,)))
    assert plain(instance, initial_state(instance)) == "^e<a"  # `t` and `<` are taken
    signs = ["a  tank", "e  tent:left", "^  tent:up"]
    assert list(legend_lines(instance, [initial_state(instance)])) == signs


def solved(name: str, **options: object) -> list[str]:
    """The lines of a level with its known design on it."""
    instance = load(name)
    state = initial_state(instance, instance.level.known.wins[0].design, partial=True)
    return text(instance, state, **options).plain.split("\n")[:-1]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SOLVED)
def test_a_solved_puzzle(name: str) -> None:
    assert "\n".join(line.rstrip() for line in solved(name)) == SOLVED[name].rstrip("\n")


def test_the_place_of_a_cell_is_where_it_is_drawn() -> None:
    for name in (
        "kakuro/small",
        "nonogram/small",
        "killer-sudoku/small",
        "futoshiki/small",
        "fillomino/tiny",
    ):
        instance = load(name)
        sheet = Sheet(instance)
        lines = text(
            instance, initial_state(instance, instance.level.known.wins[0].design, partial=True)
        ).plain
        for cell, piece in instance.level.known.wins[0].design:
            column, line = sheet.place_of(cell)
            shown = lines.split("\n")[line][column : column + sheet.widths[cell[1]]].strip()
            assert shown == ("██" if piece.variant is None else str(piece.variant)), f"{name} {cell}"


def test_all_lines_of_a_level_are_as_long() -> None:
    for name in LEVELS:
        instance = load(name)
        sheet = Sheet(instance)
        drawn = text(instance, initial_state(instance, partial=True)).plain.split("\n")
        right, _ = sheet.place_of((0, len(sheet.widths) - 1))
        for row in range(len(instance.level.board)):
            assert len(drawn[sheet.place_of((row, 0))[1]]) >= right + sheet.widths[-1], name


def test_lines_follow_a_jigsaw() -> None:
    cells = [[(0, 0), (0, 1), (1, 0)], [(0, 2), (1, 1), (1, 2)]]
    regions = (("pieces", tuple(tuple(region) for region in cells)),)
    board = tuple(tuple(frozenset[Piece]() for _ in range(3)) for _ in range(2))
    game = Game("g", "G", (Kind("n", "n", values=(1, 3)),), Goal((Different("n", ("pieces",)),)))
    instance = Instance(game, Level("x", board, regions=regions))
    assert text(instance, initial_state(instance)).plain.split("\n")[:-1] == [
        "┌─────┬──┐",
        "│·  · │· │",
        "│  ┌──┘  │",
        "│· │·  · │",
        "└──┴─────┘",
    ]


def test_lines_grow_round_finished_areas() -> None:
    instance = load("fillomino/small")
    drawn = text(instance, initial_state(instance, partial=True)).plain
    assert drawn.split("\n")[:-1] == [
        "┌───────────┐",
        "│·  ·  5  · │",
        "│           │",
        "│5  ·  ·  · │",
        "│           │",
        "│·  ·  5  · │",
        "├──┐        │",
        "│1 │4  ·  4 │",
        "└──┴────────┘",
    ]
    assert [len(line) for line in solved("fillomino/small")] == [13] * 9
    assert solved("fillomino/small")[5:] == [
        "│2  2 │5 │4 │",
        "├──┬──┴──┘  │",
        "│1 │4  4  4 │",
        "└──┴────────┘",
    ]


def test_where_the_board_is_the_plain_map_clues_are_told_below() -> None:
    told = list(instance_text(load("killer-sudoku/small"), colour=False, numbers=False))
    assert told[1] == "..1.\n....\n....\n1..."
    assert 'cages = """\nABCD\nABCC\nEBFG\nEHGG\n"""' in told
    assert "clues of cages: 6 6 8 2 4 4 6 4" in told
    nonogram = list(instance_text(load("nonogram/ambiguous"), colour=False, numbers=False))
    assert "clues of rows: 2 4 ? 1+1 3+1" in nonogram
    assert not any(
        "clues of" in str(line) for line in instance_text(load("sokoban/first"), colour=False, numbers=False)
    )


def test_a_number_on_something_has_its_colour() -> None:
    assert styles(load("akari/small"), "4 ")[0].startswith("bold white on #")
