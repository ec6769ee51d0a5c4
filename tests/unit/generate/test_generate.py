"""`ggp generate`: one answer, no clue too many, the same seed the same puzzle, and errors that help."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import ggp
from ggp import registry
from ggp.api import generate
from ggp.cli import main
from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.explain.clues import clues_of, keeping
from ggp.generate import interface
from ggp.generate.layout import by_parity, cut, layout, strewn
from ggp.generate.wish import Made, NotMade, Wish
from ggp.language import levels
from ggp.model import Game, Instance, Level, Piece
from ggp.referee.trajectory import replay
from tests.slow import few_or_many, one_in

# Games with puzzles of all sorts: givens, clues on the board, signs, clues of lines, cages, walls, a loop.
QUICK = {
    "sudoku": (4, 4),
    "latin-square": (4, 4),
    "futoshiki": (7, 7),
    "takuzu": None,
    "queens": None,
    "fill-a-pix": (4, 4),
    "nonogram": (5, 5),
    "skyscrapers": (4, 4),
    "kakuro": None,
    "akari": None,
    "minesweeper-clues": None,
    "slitherlink": (7, 7),
}


def sizes(game: str) -> list[tuple[int, int]]:
    """The sizes of the game's own levels, the smallest first."""
    return sorted((len(level.board), len(level.board[0])) for level in levels.load_game(game)[1])


def made_one(game: str, seed: int = 2) -> tuple[Game, Made]:
    """One level of a game."""
    described, kept = levels.load_game(game)
    size = QUICK[game]
    if size not in sizes(game) and any(level.numbers for level in kept):
        size = None
    (made,) = interface.generate(described, kept, seed=seed, size=size or sizes(game)[0])
    return described, made


@pytest.mark.parametrize("game", one_in(3, QUICK))
def test_there_is_one_answer_and_no_clue_can_be_spared(game: str) -> None:
    described, made = made_one(game)
    instance = Instance(described, made.level)
    (plan,) = made.level.known.wins
    assert replay(instance, plan).won
    found = ggp.solve(instance, "cp-sat", "all", limit=2)
    assert found.complete and found.plans == (plan,)
    clues = clues_of(instance)
    assert clues and made.measured["clues"] == len(clues)
    for clue in clues:
        others = [one for one in clues if one != clue]
        fewer = Instance(described, keeping(described, made.level, others, clues))
        assert len(ggp.solve(fewer, "cp-sat", "all", limit=2).plans) == 2, clue


def test_the_same_seed_makes_the_same_levels() -> None:
    first = list(generate("sudoku", seed=7, size=(4, 4), count=3))
    # Level 2 does not hang on how many are made, nor on level 1.
    assert list(generate("sudoku", seed=7, size=(4, 4), count=2)) == first[:2]
    boards = {made.level.board for made in generate("sudoku", seed=8, size=(4, 4), count=2)}
    assert len(boards | {made.level.board for made in first}) == 5


@few_or_many("difficulties", ["easy"], ["easy", "medium"])
def test_what_is_measured_is_what_is_wished_for(difficulties: list[str]) -> None:
    for difficulty in difficulties:
        (made,) = generate("sudoku", seed=4, size=(9, 9), difficulty=difficulty)
        assert made.difficulty == difficulty
        needed = made.measured["subsets"] + made.measured["assumptions"]
        assert (needed == 0) == (difficulty == "easy")


def test_what_is_written_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new.toml"
    for arguments in (
        ["generate", "sudoku", "--size", "4x4", "--count", "2", "--seed", "5", "-o", str(file), "--json"],
        ["check", str(file)],
        ["solve", f"{file}#2", "--unique"],
    ):
        try:
            main(arguments)
        except SystemExit as end:
            assert end.code == 0
    made, rest = capsys.readouterr().out.split("\n", 1)
    assert rest.startswith(f"{file}: 0 errors, 0 warnings\nsudoku/seed-5-2, search: one answer")
    data = json.loads(made)
    assert [one["level"] for one in data] == ["sudoku/seed-5-1", "sudoku/seed-5-2"]
    game, read = levels.load_game(str(file))
    assert read == tuple(one.level for one in generate("sudoku", seed=5, size=(4, 4), count=2))


def test_a_game_of_ones_own_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    game = tmp_path / "mine.toml"
    game.write_bytes(registry.description_text("latin-square").split(b"[[level]]")[0])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["generate", "mine.toml", "--size", "3x3", "-o", "deep/new.toml"])
        raise SystemExit(0)
    assert end.value.code == 0
    assert 'game = "../mine.toml"' in Path("deep/new.toml").read_text()
    assert len(levels.load("deep/new.toml").level.board) == 3


# --- what cannot be made ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("sudoku --size 5x5", 2, "needs a side that is a square number"),
        ("sudoku --size 0x4", 2, "there is no board of 0x4"),
        ("sudoku --size 101", 2, "there is no board of 101x101"),
        ("killer-sudoku --size 6", 2, "its levels draw `cages`, which fit no other size"),
        ("sudoku --size 9by9", 2, "is not a size"),
        ("sudoku --set total", 2, "is not a number of a level"),
        ("sudoku --set foo=1", 2, "levels of sudoku have no number `foo`\n  leave it out"),
        ("takuzu --set haf=3", 2, "levels of takuzu have no number `haf`\n  did you mean `half`?"),
        ("sudoku -o levels.txt", 2, "let its name end in .toml"),
        ("sudoku --difficulty nightmare", 2, "nightmare"),
        ("sudoku --count 0", 2, "0"),
        ("sudoku --size 9x9 --time-limit 0", 1, "within 0 seconds (0 made)"),
        ("slitherlink --size 8x8", 2, "rows and columns of several sorts take turns"),
        ("takuzu --size 30x30", 2, "how much is `half` there?"),
        ("nope", 2, "there is no game called 'nope'"),
        ("nim --size 5x5", 1, "deduction: "),
        ("lemmings --size 3x9", 2, "there is no room to walk on 3x9"),
        ("lemmings --set budget=0", 2, "nothing could be placed then"),
    ],
)
def test_what_cannot_be_made(
    arguments: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["generate", *arguments.split()])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (status, "")
    assert message in captured.err


def test_a_number_that_no_level_has_can_be_given() -> None:
    (made,) = generate("magic-square", seed=1, size=(3, 3), numbers={"total": 15})
    assert dict(made.level.numbers) == {"total": 15}


def test_every_reason_is_told_where_nothing_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = levels.load_game("sudoku")
    monkeypatch.setattr(registry, "GENERATORS", {"deduction": "ggp.generate.deduction"})
    monkeypatch.setitem(registry.TABLES, "generator", registry.GENERATORS)
    assert interface.generator_for(game, ()).NAME == "deduction"
    with pytest.raises(UnsupportedFeature, match="nothing here makes levels") as caught:
        interface.generator_for(replace(game, design=None), ())
    assert "deduction: " in str(caught.value)


def test_every_try_is_told_where_none_succeeds() -> None:
    # Two colours cannot give a Latin square of 3x3 any answer.
    game, _ = levels.load_game("latin-square")
    few = replace(game, kinds=tuple(replace(kind, values=(1, 2)) for kind in game.kinds))
    with pytest.raises(NotMade, match="200 times the board without clues had no answer"):
        list(generate(few, size=(3, 3)))


# --- boards -----------------------------------------------------------------------------------------------


def wish(game: Game, kept: tuple[Level, ...], size: tuple[int, int]) -> Wish:
    return Wish(game, kept, random.Random(1), "new", size)


def test_a_board_whose_cells_take_turns_grows() -> None:
    game, kept = levels.load_game("slitherlink")
    board = layout(wish(game, kept, (5, 9))).level.board
    assert (len(board), len(board[0])) == (5, 9)
    assert board[0][0] == board[4][8] != board[0][1] != board[1][1]
    with pytest.raises(PuzzleError, match="take turns"):
        layout(wish(game, kept, (6, 9)))


def test_walls_are_strewn_so_that_a_half_turn_leaves_them() -> None:
    wall, floor = frozenset({Piece("wall")}), frozenset[Piece]()
    model = Level("model", ((wall, floor, floor), (floor, floor, floor)))
    board = strewn(model, (6, 6), random.Random(3))
    assert tuple(line[::-1] for line in board[::-1]) == board
    assert sum(here == wall for line in board for here in line) == 6
    assert by_parity([replace(model, board=board)]) is None


@pytest.mark.parametrize("seed", range(5))
def test_cages_part_the_board_into_connected_pieces(seed: int) -> None:
    cells = [(row, column) for row in range(6) for column in range(5)]
    pieces = cut(cells, [2, 3, 4], random.Random(seed))
    assert sorted(cell for piece in pieces for cell in piece) == cells
    for piece in pieces:
        assert len(piece) <= 4
        seen = {piece[0]}
        for _ in piece:
            seen |= {c for c in piece if any(abs(c[0] - d[0]) + abs(c[1] - d[1]) == 1 for d in seen)}
        assert seen == set(piece)


# --- the benchmark ----------------------------------------------------------------------------------------


def test_the_benchmark_makes_checks_and_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    from ggp.bench import deduction

    few = {
        "game": "sudoku",
        "size": [4, 4],
        "count": 3,
        "seed": 1,
        "limit": 10,
        "each": 1,
        "games": ["sudoku", "futoshiki"],
        "solvers": ["cp-sat", "search"],
    }
    monkeypatch.setattr(deduction, "case", lambda name: few)
    made, *checked = deduction.run(1, lambda line: None)
    assert made.what.startswith("3 of sudoku 4x4: made (")
    assert [(record.solutions, record.agrees) for record in checked[:2]] == [(3, True), (3, True)]
    names = [record.what.partition(" (")[0] for record in checked[2:]]
    assert names[:3] == [
        "sudoku/paper-4x4: deduction",
        "sudoku/paper-4x4: cp-sat",
        "sudoku/paper-4x4: search",
    ]
    assert names[3].startswith("futoshiki/") and len(names) == 6
    assert all(record.complete for record in checked[2:])


def test_clues_without_which_there_is_no_answer_are_chosen_first() -> None:
    (made,) = generate("nurikabe", seed=1, size=(4, 4))
    instance = Instance(levels.load_game("nurikabe")[0], made.level)
    found = ggp.solve(instance, "cp-sat", "all", limit=2)
    assert found.complete and found.plans == made.level.known.wins
    assert made.measured["clues"] == len(clues_of(instance)) > 0


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_each_game_has_a_generator_or_is_told_why_not(game: str) -> None:
    described, kept = levels.load_game(game)
    try:
        assert interface.generator_for(described, kept).NAME in registry.GENERATORS
    except UnsupportedFeature as error:
        assert all(f"{name}: " in str(error) for name in registry.GENERATORS)
