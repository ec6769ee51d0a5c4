"""Files of some numbers and a map."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.errors import DescriptionError
from ggp.language.levels import builtin
from ggp.language.readers import headed
from ggp.model import Game
from tests.level_files import LEMMINGS, LEVEL_TXT, fault, read_headed


def test_the_first_level_is_the_built_in_one() -> None:
    seed = builtin("lemmings")[1][0]
    level = read_headed(LEVEL_TXT)
    assert (level.name, level.horizon, level.numbers) == ("level", 19, (("budget", 3),))
    assert level.board == seed.board


def test_both_spellings() -> None:
    other = LEVEL_TXT.replace("<", "L").replace(" ", ".")
    assert read_headed(other.replace("X..\n", "X\n")).board == read_headed(LEVEL_TXT).board


def test_short_lines_are_filled_up() -> None:
    level = read_headed("5\n0\nX<\n\nXTXX\n\n")
    assert [len(row) for row in level.board] == [4, 4, 4]
    assert level.board[1] == (frozenset(),) * 4


def test_a_right_edge_of_blanks_stays() -> None:
    assert len(read_headed("5\n0\nX<  \nXT  \n").board[0]) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x\n3\n<T\n",
            "level.txt:1:1: error: line 1 must be a number, `horizon+1`, not 'x'\n  the file begins",
        ),
        ("20\n<T\n", "level.txt:2:1: error: line 2 must be a number, `budget`, not '<T'"),
        ("20\n", "level.txt:2:1: error: line 2 must be a number, `budget`, not ''"),
        (
            "0\n3\n<T\n",
            "level.txt:1:1: error: `horizon+1` is 0, which makes `horizon` negative\n  write 1 or mo",
        ),
        (
            "20\n-3\n<T\n",
            "level.txt:2:1: error: `budget` is -3, which makes `budget` negative\n  write 0 or mo",
        ),
        ("20\n3\n", "level.txt:3:1: error: the map is empty\n  draw at least one cell"),
        ("20\n3\n<T\nX?\n", "level.txt:4:2: error: the map has a '?', which is not a symbol of the game"),
        ("20\n3\n<X\n", "level.txt:3:1: error: the map has 0 of `target`, and must hold at least 1"),
    ],
)
def test_faults_in_a_headed_file(text: str, message: str) -> None:
    assert message in fault(text, "headed")


@pytest.mark.parametrize("header", ["budget", ["budget+x"], [3], [["horizon"]]])
def test_a_bad_header_setting(header: object) -> None:
    if header == "budget":  # one name needs no list
        (level,) = headed.read(b"3\n<T", "x.txt", replace_horizon(LEMMINGS), {"header": header})
        assert level.numbers == (("budget", 3),)
        return
    with pytest.raises(DescriptionError, match="has a bad `header`"):
        headed.read(b"3\n<T", "x.txt", LEMMINGS, {"header": header})


def replace_horizon(game: Game) -> Game:
    """The game with a goal that needs no horizon, by an input that it never gets."""
    from ggp.model import Input

    return replace(game, goal=replace(game.goal, when="any-turn"), input=Input(("left",)))
