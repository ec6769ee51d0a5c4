"""Files of levels are exported whole: in one text, or each level to a file; or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.errors import PuzzleError
from ggp.exporters import xsb
from ggp.files import writing
from ggp.language import levels
from ggp.tasks.exporting import export_together
from tests.commands import Ask, error_only

XSB = """#####
#@$.#
#####

######
#@ $.#
######

#######
#@  $.#
#######
"""
CAVES = 'game = "lemmings"\n'
CAVE = """[[level]]
name = "{name}"
horizon = 9
budget = 3
when = "{when}"
map = '''
XXXXX
X>  X
X  TX
XXXXX
'''
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Three levels in a file."""
    file = tmp_path / "three.xsb"
    file.write_text(XSB)
    return file


def test_a_file_of_levels_is_one_text(ask: Ask, pack: Path) -> None:
    answer = ask("export", pack, "--to", "puzzlescript")
    assert answer.status == 0 and answer.err == ""
    assert answer.out.count("\nmessage ") == 3
    maps = answer.out.split("LEVELS")[-1]
    assert [row in maps for row in ("#@$t#", "#@.$t#", "#@..$t#")] == [True] * 3


def test_a_level_that_is_named_comes_alone(ask: Ask, pack: Path) -> None:
    answer = ask("export", f"{pack}#2", "--to", "puzzlescript")
    assert answer.out.count("\nmessage ") == 1 and "#@.$t#" in answer.out


def test_collections_are_written_back(ask: Ask, pack: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.xsb"
    answer = ask("export", pack, "--to", "xsb", "-o", out, "--verify")
    assert answer.status == 0 and answer.err.count(" is read back") == 3
    boards = [one.level.board for one in levels.every(str(out))]
    assert boards == [one.level.board for one in levels.every(str(pack))]


def test_a_collection_that_lacks_a_level_does_not_pass(pack: Path) -> None:
    instances = levels.every(str(pack))
    text = export_together(instances, "xsb").text
    assert all(check.passed for check in xsb.verify_together(instances, text))
    for damaged in (text.partition("\n\n")[2], text.replace("#@ ", "# @", 1), "?"):
        assert not all(check.passed for check in xsb.verify_together(instances, damaged))


def test_a_format_of_one_level_says_which_it_is(ask: Ask, pack: Path) -> None:
    answer = ask("export", pack, "--to", "null")
    assert answer.status == 0 and answer.out == ask("export", f"{pack}#1", "--to", "null").out
    assert "has 3 levels, and a text of null holds one" in answer.err and "-o FOLDER" in answer.err


def test_a_folder_gets_a_file_for_each(ask: Ask, pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert ask("export", pack, "--to", "null", "-o", folder).status == 0
    written = sorted(folder.iterdir())
    assert [file.name for file in written] == ["1.txt", "2.txt", "3.txt"]
    for number, file in enumerate(written, start=1):
        assert file.read_text() == ask("export", f"{pack}#{number}", "--to", "null").out
    error_only(ask("export", pack, "--to", "null", "-o", folder), "is there already", "an empty folder")


def test_all_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = writing.write_whole

    def full(path: Path, data: bytes) -> None:
        if path.name == "b":
            raise PuzzleError("no space left on device", "make some")
        kept(path, data)

    monkeypatch.setattr(writing, "write_whole", full)
    with pytest.raises(PuzzleError):
        writing.write_all({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert list(tmp_path.iterdir()) == []


def test_levels_that_do_not_go_together_are_refused_whole(ask: Ask, tmp_path: Path) -> None:
    """One is won at its last turn, the other at any: two games for PuzzleScript."""
    file, out = tmp_path / "two.toml", tmp_path / "two.txt"
    some = (CAVE.format(name=f"to-{when}", when=when) for when in ("horizon", "any-turn"))
    file.write_text(CAVES + "".join(some))
    answer = ask("export", file, "--to", "puzzlescript", "-o", out)
    assert answer.status != 0 and not out.exists()
    assert "level to-any-turn cannot stand in one text with to-horizon" in answer.err and "#3" in answer.err
    out.mkdir()
    assert ask("export", file, "--to", "puzzlescript", "-o", out).status == 0
    assert sorted(one.name for one in out.iterdir()) == ["1.txt", "2.txt"]


def test_a_folder_gets_all_files_of_each(ask: Ask, pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert ask("export", pack, "--to", "gvgai", "-o", folder).status == 0
    each = [name for number in "123" for name in (f"{number}.txt", f"{number}_lvl0.txt")]
    assert sorted(one.name for one in folder.iterdir()) == each
    assert "w@.$aw" in (folder / "2_lvl0.txt").read_text()


def test_a_game_in_a_format_of_one_level_is_told_what_to_do(ask: Ask, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    said = "sokoban has 9 levels, and a text of vgdl holds one", f"mkdir -p {folder}", "write sokoban/first"
    error_only(ask("export", "sokoban", "--to", "vgdl", "-o", folder), *said)
    error_only(ask("export", "sokoban", "--to", "vgdl"), "-o FOLDER gets each")
    assert not folder.exists()


def test_a_name_that_ends_as_a_folder_does_is_no_file(ask: Ask, pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    error_only(ask("export", pack, "--to", "null", "-o", f"{folder}/"), f"no folder {folder}", "make it")
    assert not folder.exists()
    folder.mkdir()
    assert ask("export", pack, "--to", "null", "-o", f"{folder}/").status == 0
    assert len(list(folder.iterdir())) == 3


def test_what_all_levels_lack_is_said_once(ask: Ask, pack: Path) -> None:
    answer = ask("export", pack, "--to", "url")
    assert answer.status != 0 and answer.err.count("there are no links for sokoban") == 1


def test_what_is_left_out_of_files_in_a_folder_is_told(ask: Ask, pack: Path, tmp_path: Path) -> None:
    answer = ask("export", pack, "--to", "puzzlescript", "--horizon", 6, "-o", tmp_path)
    assert "left out: level three-1: that it must be won within 6 turns" in answer.err
    assert "left out: the same of 2 more" in answer.err
