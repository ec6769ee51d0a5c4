"""Description files are written so that they read back equal, whatever game is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ggp import registry
from ggp.errors import DescriptionError
from ggp.goals.on import On
from ggp.language.description import read_game, write_game
from ggp.language.levels import builtin
from ggp.model import (
    DIRECTIONS,
    Condition,
    Design,
    Effect,
    Game,
    Goal,
    Group,
    Kind,
    Known,
    Level,
    Objective,
    Pattern,
    Piece,
    Plan,
    Rule,
)
from tests.slow import examples

Golden = Callable[[str, str], None]
DATA = Path(__file__).parents[1] / "data"


def read(text: str) -> tuple[Game, tuple[Level, ...]]:
    return read_game(text.encode(), "game.toml")


@pytest.mark.parametrize("name", sorted(registry.GAMES))
def test_built_in_games_are_written_so_that_they_read_back(name: str) -> None:
    assert read(write_game(*builtin(name))) == builtin(name)


@pytest.mark.parametrize("name", ["everything", "lemmings", "sokoban", "sudoku"])
def test_what_is_written_reads_back(name: str, golden: Golden) -> None:
    game, levels = read((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    text = write_game(game, levels)
    again = read(text)
    assert again == (game, levels)
    assert again[0].forms == game.forms
    assert write_game(*again) == text
    golden(f"descriptions/{name}.toml", text)


def test_a_board_that_no_symbol_draws_gets_symbols_of_its_own() -> None:
    kinds = (Kind("a", "a"), Kind("b", "b"))
    goal = Goal((On("every", Pattern("a"), "on", Pattern("b")),))
    both = frozenset({Piece("a"), Piece("b")})
    level = Level("l", ((both, frozenset(), frozenset({Piece("b")})),), horizon=0)
    game = Game("g", "g", kinds, goal)
    assert read(write_game(game, (level,))) == (game, (level,))


def test_what_cannot_be_written_is_refused() -> None:
    rule = Rule("r", "none", (), (Effect("remove", Pattern("a"), ()),))
    goal = Goal((On("every", Pattern("a"), "on", Pattern("a")),))
    game = Game("g", "g", (Kind("a", "a"),), goal, physics=(Group("", (rule,)),))
    with pytest.raises(DescriptionError, match="rule r has no conditions"):
        write_game(game)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
LINE = TEXT.map(lambda text: " ".join(text.split()))
CELLS = st.tuples(st.integers(0, 3), st.integers(0, 3))


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, tuple[Level, ...]]:
    """Small games of walls and walkers, with titles, symbols, plans and regions of all sorts."""
    facings = draw(st.lists(st.sampled_from(DIRECTIONS), min_size=2, max_size=4, unique=True))
    kinds = (
        Kind("wall", "solid", tile=draw(TEXT), colour=draw(TEXT)),
        Kind("me", draw(st.sampled_from(["walker", "a layer"])), tuple(facings), count=draw(counts())),
        Kind("digit", "digit", values=(draw(st.integers(-3, 0)), draw(st.integers(1, 9)))),
    )
    pieces = (
        Piece("wall"),
        Piece("me", facings[0]),
        Piece("me", facings[1]),
        Piece("digit", 0),
        Piece("digit", 1),
    )
    letters = draw(
        st.lists(
            st.characters(codec="utf-8", exclude_categories=("Cc",)), min_size=4, max_size=9, unique=True
        )
    )
    symbols = tuple((letter, draw(cells(pieces))) for letter in letters)
    rule = Rule("r", "facing", (Condition("present", (), Pattern("me")),), draw(effects()))
    game = Game(
        "g",
        draw(TEXT),
        kinds,
        Goal((On("no", Pattern("me"), draw(st.sampled_from(["on", "off"])), Pattern("wall")),)),
        design=draw(
            st.sampled_from(
                [None, Design(("digit",), ("digit", "wall"), 2), Design(("digit",), ("digit",), None, True)]
            )
        ),
        physics=(Group(draw(TEXT), (rule,)),),
        objectives=draw(st.sampled_from([(), (Objective("a b", "moves", "me"),)])),
        symbols=symbols,
        about=draw(TEXT),
        author=draw(LINE),
        homepage=draw(LINE),
    )
    levels = draw(st.lists(boards(pieces), min_size=0, max_size=3))
    return game, tuple(level_of(draw, game, index, board) for index, board in enumerate(levels))


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int | None]:
    return 0, draw(st.sampled_from([None, 50, 99]))


@st.composite
def effects(draw: st.DrawFn) -> tuple[Effect, ...]:
    move = Effect("move", Pattern("me"), (), draw(st.sampled_from([("ahead",), ("up", "behind")])))
    return draw(st.sampled_from([(), (move,), (move, Effect("add", Pattern("digit", 1), ("down",)))]))


@st.composite
def cells(draw: st.DrawFn, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces that may share a cell: at most one of each kind."""
    chosen = draw(st.lists(st.sampled_from(pieces), max_size=3, unique_by=lambda piece: piece.kind))
    return tuple(chosen)


@st.composite
def boards(draw: st.DrawFn, pieces: tuple[Piece, ...]) -> tuple[tuple[frozenset[Piece], ...], ...]:
    width = draw(st.integers(1, 4))
    row = st.tuples(*[cells(pieces).map(frozenset)] * width)
    return tuple(draw(st.lists(row, min_size=1, max_size=4)))


def level_of(
    draw: st.DrawFn, game: Game, index: int, board: tuple[tuple[frozenset[Piece], ...], ...]
) -> Level:
    inside = st.tuples(st.integers(0, len(board) - 1), st.integers(0, len(board[0]) - 1))
    region = st.lists(inside, min_size=1, max_size=3, unique=True).map(tuple)
    plan = Plan(
        ((draw(inside), Piece("digit", 1)),) if game.design else (),
        draw(st.sampled_from([(), ("up", "pick(1,2)")])),
    )
    return Level(
        f"level-{index}",
        board,
        draw(st.integers(0, 9)),
        draw(st.sampled_from([(), (("budget", 3), ("other-number", -4))])),
        tuple({draw(TEXT): tuple(draw(st.lists(region, max_size=3)))}.items()),
        draw(st.sampled_from([None, "horizon", "any-turn"])),
        draw(TEXT),
        Known(draw(st.sampled_from([None, True])), draw(st.sampled_from([None, 2])), (), (plan,), ()),
    )


@settings(max_examples=examples(90), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_any_game_that_is_written_reads_back(whole: tuple[Game, tuple[Level, ...]]) -> None:
    game, levels = whole
    assert read(write_game(game, levels)) == (game, levels)


def test_long_plans_and_regions_are_broken_into_lines() -> None:
    game, levels = builtin("sokoban")
    walk = Plan((), ("right", "left") * 4000)
    picks = Plan((), ("pick(1,2)",) * 40)
    level = replace(levels[0], known=Known(loses=(walk, picks)))
    text = write_game(game, (level,))
    assert read(text) == (game, (level,))
    assert max(map(len, text.split("\n"))) < 130
    sudoku, puzzles = builtin("sudoku")
    cells = [(row, column) for row in range(4) for column in range(4)]
    filled = Plan(tuple((cell, Piece("digit", 1)) for cell in cells), ("up",) * 99)
    puzzle = replace(
        puzzles[0], regions=(("overlapping", (tuple(cells), tuple(cells))),), known=Known(wins=(filled,))
    )
    assert read(write_game(sudoku, (puzzle,))) == (sudoku, (puzzle,))
