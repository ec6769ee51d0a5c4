"""A game that was read from PuzzleScript is written as PuzzleScript again, and has the same rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import ggp
from ggp.engines import puzzlescript as engine
from ggp.errors import UnsupportedFeature
from ggp.exporters import puzzlescript as exporter
from ggp.exporters.puzzlescript import replayed
from ggp.exporters.puzzlescript.retold import Compared, Rewriter, read_back
from ggp.importers import puzzlescript
from ggp.model import Instance
from tests.puzzlescript_games import PUSH, current_engine, instance, text

RULES = [
    PUSH,
    "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "[ moving Player ] [ Crate ] -> [ stationary Player ] [ moving Crate ]",
    "late [ Crate | Crate | no Wall ] -> [ Ball | | Mark ]",
    "[ > Player | Thing | no Thing ] -> [ | > Player | Thing ]",
    "startloop\n[ > Thing | Thing ] -> [ > Thing | > Thing ]\nendloop\n"
    "[ > Player | Thing ] -> [ > Player | > Thing ]",
    "[ Ball ] -> [ down Ball ]\n[ > Player | Crate ] -> cancel",
    f"rigid {PUSH}\n+ rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
    "random [ Ball ] -> [ randomdir Ball ]\n"
    "[ action Player | no Wall ] -> [ Player | random Thing ] again sfx3",
    "[ > Player | Thing ] -> [ > Player | ]\nlate [ Player Mark ] -> checkpoint message Well done",
    "[ Thing no Mark ] -> [ Crate Mark ]\n[ Ball Target ] -> [ no Ball Target ] win",
    "late [ @ ] -> [ Target ]",
]
PRELUDE = "run_rules_on_level_start\nrequire_player_movement\nrealtime_interval 0.5\nnoundo\nauthor Me"
MAPS = "#p*.o#/#b*m.#/.....b//message Now/p*o"


@pytest.mark.parametrize("rules", RULES)
def test_what_is_written_has_the_same_rules_and_maps(rules: str) -> None:
    game, levels = puzzlescript.read(text(rules, MAPS, prelude=PRELUDE).encode(), "small.txt")
    instances = [Instance(game, one) for one in levels]
    made = exporter.text_together(instances)
    again, maps = puzzlescript.read(made.encode(), "again.txt")
    assert game.scan is not None and again.scan is not None
    compared = Compared(game)
    assert compared.scan(again.scan) == compared.scan(game.scan)
    assert [(one.board, one.title) for one in maps] == [(one.board, one.title) for one in levels]
    assert again.author == "Me" and not exporter.unfit_together(instances)
    assert "#p*.o#" in made  # with the signs of the file


@pytest.mark.skipif(not current_engine(), reason=f"{engine.HOME} names no checkout of today's engine")
@pytest.mark.parametrize("rules", RULES)
def test_the_engine_plays_it_as_the_referee_does(rules: str) -> None:
    one = instance(rules, MAPS.partition("//")[0])
    (check,) = exporter.verify(one, exporter.text(one))
    assert check.passed, check.detail


def test_another_board_or_win_is_noticed() -> None:
    """The engine moves the player, and wins; the level that is compared has walls, or wins otherwise."""
    one, walled = instance(PUSH, "#p*.o#"), instance(PUSH, "#p#.o#")
    if (reason := engine.available()) is not None:
        pytest.skip(reason)
    made = read_back([one])
    assert made is not None
    assert all(check.passed for check in replayed.checks([one], made))
    assert not all(check.passed for check in replayed.checks([walled], made))
    other = instance(PUSH, "#p*.o#", wins="No Crate")
    run = engine.play([engine.Job(made, [(0, ["right", "right"])], tests=True)])[0].runs[0]
    assert replayed.difference(one, ["right", "right"], run) == ""
    assert "has the level won" in replayed.difference(other, ["right", "right"], run)


def test_of_many_things_that_must_not_be_there_one_name_is_said() -> None:
    """Else games of many objects are more than a file may have; the engine takes the name apart again."""
    one = instance("[ > Player | no Solid no Mark no Target ] -> [ | > Player ]", "#p*.o#")
    made = read_back([one])
    assert made is not None and made.count("no or_") == 4 and "no mark" not in made
    if engine.available() is None:
        assert all(check.passed for check in exporter.verify(one, made))


def test_a_text_with_other_rules_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rewriter, "how", lambda *_: "")
    one = instance(PUSH, "#p*.o#")
    assert read_back([one]) is None
    with pytest.raises(UnsupportedFeature, match="other rules"):
        ggp.export(one, "puzzlescript")


def test_a_file_with_boards_of_several_sizes_goes_out_whole(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(text(maps="#p*.o#//p*o"))
    instances = [ggp.load(f"{file}#{number}") for number in (1, 2)]
    assert not exporter.unfit_together(instances)
    made = puzzlescript.read(exporter.text_together(instances).encode(), "again.txt")
    assert [len(one.board[0]) for one in made[1]] == [6, 3]
