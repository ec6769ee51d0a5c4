"""Levels of other sizes in one PuzzleScript text: fewer digits to place, and what rules ask of a board."""

from __future__ import annotations

import pytest

from ggp.engines import puzzlescript as engine
from ggp.errors import UnsupportedFeature
from ggp.exporters import puzzlescript as exporter
from ggp.exporters.puzzlescript.levels import MOST_PLACED
from ggp.language import levels
from ggp.model import Plan
from ggp.referee.designs import placeable
from ggp.referee.trajectory import replay
from ggp.tasks.exporting import export_together, verify_together
from tests.slow import slow_unless

GAMES = ["futoshiki", "latin-square", "sudoku-x", "vault"]


@pytest.mark.parametrize("game", GAMES)
def test_all_levels_are_in_one_text(game: str) -> None:
    every = levels.every(game)
    assert not exporter.unfit_together(every)
    text = export_together(every, "puzzlescript").text
    assert text.count("\nmessage ") == len(every)


def test_a_text_of_one_level_has_the_others_too() -> None:
    text = exporter.text(levels.load("latin-square/small"))
    assert "left out" not in text and text.count("\nmessage ") == len(levels.every("latin-square"))


def test_what_would_make_all_levels_slow_is_left_out() -> None:
    every = levels.every("sudoku")
    large = [one.level.name for one in every if len(placeable(one)) > MOST_PLACED]
    with pytest.raises(UnsupportedFeature) as caught:
        export_together(every, "puzzlescript")
    assert large and all(f"level {name} cannot stand" in str(caught.value) for name in large)
    few = [one for one in every if one.level.name not in large]
    assert not exporter.unfit_together(few) and len({len(placeable(one)) for one in few}) > 1


def test_levels_that_end_otherwise_are_apart() -> None:
    with pytest.raises(UnsupportedFeature, match="level reach cannot stand"):
        export_together(levels.every("lemmings"), "puzzlescript")


def test_what_is_asked_of_the_whole_board_is_said_the_same_way_on_all_boards() -> None:
    shaped = [exporter.EDITABLE.shaped(one) for one in levels.every("vault")]
    assert len({one.game.turn for one in shaped}) == 1
    for one, level in zip(shaped, levels.every("vault"), strict=True):
        for won in level.level.known.wins:
            assert replay(one, Plan((), won.actions)).won


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
@pytest.mark.parametrize("game", slow_unless(["vault"], GAMES))
def test_each_level_plays_as_it_should(game: str) -> None:
    every = levels.every(game)
    text = export_together(every, "puzzlescript").text
    assert all(check.passed for check in verify_together(every, "puzzlescript", text, turns=20))


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
def test_only_the_digits_of_a_level_can_be_placed() -> None:
    every = levels.every("latin-square")[:2]
    text = export_together(every, "puzzlescript").text
    line = next(line for line in text.splitlines() if "First_4 ]" in line)
    broken = text.replace(f"{line}\n", "")
    assert not all(check.passed for check in verify_together(every, "puzzlescript", broken, turns=60))
