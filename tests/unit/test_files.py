"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggp.errors import PuzzleError, UnknownName
from ggp.files.reading import file_bytes
from ggp.files.writing import write_whole


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    write_whole(file, b"one")
    assert file.read_bytes() == b"one"
    write_whole(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [file]


def test_it_has_the_usual_permissions_and_keeps_those_it_had(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_whole(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "usual").chmod(0o604)
    write_whole(tmp_path / "usual", b"x")
    assert (tmp_path / "usual").stat().st_mode & 0o777 == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_device_stays_a_device() -> None:
    write_whole(Path(os.devnull), b"away with it")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/such/plan.json", "there is no folder"),
        ("", "it is a folder"),
        ("x" * 300, "too long"),
        ("\0", "null"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        write_whole(tmp_path / name, b"data")
    assert not list(tmp_path.iterdir())


def test_a_link_to_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(tmp_path / "gone.toml")
    with pytest.raises(UnknownName, match="is a link to a file that is not there"):
        file_bytes(tmp_path / "link.toml")


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PuzzleError, match="Permission denied"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]
