"""`ggp generate` where clues are part of the board: they stand before there is an answer, and then say it."""

from __future__ import annotations

import random

import pytest

import ggp
from ggp import registry
from ggp.api import generate
from ggp.cli import main
from ggp.errors import DescriptionError
from ggp.explain.grade import Grade
from ggp.generate import deduction
from ggp.generate.deduction import difficulty_of
from ggp.generate.ground import ground_of
from ggp.generate.layout import layout, lined_up
from ggp.generate.wish import Wish
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Instance, Piece
from ggp.referee.trajectory import replay

SIZES = {"hitori": (4, 4), "hashiwokakero": (5, 6)}


@pytest.mark.parametrize("name", SIZES)
def test_there_is_one_answer_and_the_seed_says_which(name: str) -> None:
    (made,) = generate(name, seed=3, size=SIZES[name])
    game, _ = levels.load_game(name)
    instance = Instance(game, made.level)
    (plan,) = made.level.known.wins
    assert plan.design and replay(instance, plan).won
    found = ggp.solve(instance, "cp-sat", "all", limit=2)
    assert found.complete and found.plans == (plan,)
    assert list(generate(name, seed=3, size=SIZES[name])) == [made]
    (other,) = generate(name, seed=4, size=SIZES[name])
    assert other.level.board != made.level.board


def test_what_is_written_reads_back() -> None:
    game, _ = levels.load_game("hashiwokakero")
    (made,) = generate("hashiwokakero", seed=5, size=(4, 7))
    assert read_game(write_game(game, [made.level]).encode(), "new.toml") == (game, (made.level,))


@pytest.mark.parametrize(("name", "words"), [("hitori", ["different"]), ("hashiwokakero", ["each"])])
def test_the_words_that_read_values_are_seen_from_what_they_demand(name: str, words: list[str]) -> None:
    game, kept = levels.load_game(name)
    bare = layout(Wish(game, kept, random.Random(1), "new", (5, 5)))
    ground = ground_of(bare)
    assert ground is not None and [term.word for term in ground.terms] == words
    standing = {piece for line in bare.level.board for here in line for piece in here}
    assert standing == {Piece(ground.clues[cell], 1) for cell in ground.clues}
    others = [term.word for term in game.goal.terms if term.word not in words]
    assert [term.word for term in ground.unread().game.goal.terms] == others


@pytest.mark.parametrize("seed", range(5))
def test_what_is_strewn_in_lines_can_be_joined(seed: int) -> None:
    cells = lined_up((8, 9), 14, random.Random(seed))
    assert len(set(cells)) == len(cells) > 6
    for number, (row, column) in enumerate(cells[1:], start=1):
        before = cells[:number]
        assert all(abs(row - r) + abs(column - c) > 1 for r, c in before)
        assert any(row == r or column == c for r, c in before)


@pytest.mark.parametrize("seed", range(3))
def test_bridges_can_join_any_board_whose_things_stand_in_lines(seed: int) -> None:
    game, kept = levels.load_game("hashiwokakero")
    ground = ground_of(layout(Wish(game, kept, random.Random(seed), "new", (9, 6))))
    assert ground is not None
    assert ggp.solve(ground.unread(), "cp-sat", "first").plans


def test_a_board_without_room_has_fewer() -> None:
    assert len(lined_up((1, 5), 9, random.Random(1))) <= 3
    assert lined_up((1, 1), 4, random.Random(1)) == [(0, 0)]


def test_how_much_is_much_may_be_said() -> None:
    game, _ = levels.load_game("hitori")
    assert game.generate is not None and game.generate.effort == (16, 22)
    found = [difficulty_of(game, Grade(50, 0, steps, 0, solved=True)) for steps in (7, 8, 10, 11)]
    assert found == ["easy", "medium", "medium", "hard"]
    assert difficulty_of(game, Grade(50, 0, 0, 0, solved=False)) == "hard"
    plain, _ = levels.load_game("sudoku")
    assert difficulty_of(plain, Grade(50, 0, 7, 0, solved=True)) == "medium"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("hitori --size 26x26", 2, "there is no symbol for `number:26`"),
        ("hitori --size 1x1", 1, "5 times there was nothing to be placed"),
        ("hashiwokakero --size 2x2", 1, "5 times the board without clues had no answer"),
    ],
)
def test_what_cannot_be_made(
    arguments: str,
    status: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deduction, "TRIES", 5)
    with pytest.raises(SystemExit) as end:
        main(["generate", *arguments.split()])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (status, "")
    assert message in captured.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["island"]', '["bridge"]', "'bridge' cannot be in `ground`"),
        ('["island"]', '["isle"]', "'isle' cannot be in `ground`"),
        ('["island"]', '["island", "island"]', "'island' cannot be in `ground` twice"),
        ("lines = true", 'lines = "yes"', "`lines` must be"),
        ("lines = true", 'without = ["bridge"]', "'bridge' cannot be in `without`"),
    ],
)
def test_wrong_words_are_found_with_their_place(old: str, new: str, message: str) -> None:
    text = registry.description_text("hashiwokakero").decode()
    assert old in text
    with pytest.raises(DescriptionError, match=message) as caught:
        read_game(text.replace(old, new).encode(), "new.toml")
    place = caught.value.findings[0].place
    wrong = next(number for number, line in enumerate(text.splitlines(), start=1) if old in line)
    assert place is not None and place.line == wrong
