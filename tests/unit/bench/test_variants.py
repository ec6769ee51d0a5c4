"""Variants that are learned in two ways: what is wrong is counted on play that nobody has seen."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from ggp import bench
from ggp.bench.variants import row, watched
from ggp.errors import PuzzleError
from ggp.language.description import read_game
from tests.slow import few_or_many

FILES = Path(str(resources.files("ggp.bench") / "worlds" / "variants"))
FEW = {"first_seed": 0, "tried": 100, "turns": 100, "limit": 60}


@few_or_many("variant", ("left-right", 40, True), ("vanish", 3, False))
def test_what_is_learned_from_play_alone_is_held_against_other_play(
    variant: tuple[str, int, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With enough roll-outs nothing is wrong; with three something is, if a trial teaches nothing."""
    name, rollouts, right = variant
    if not right:
        monkeypatch.setattr("ggp.watch.trial.AGAIN", 0)
    said = watched(FILES / f"{name}.toml", FEW | {"rollouts": rollouts})
    assert said["compared"] >= 200 and (said["wrong"] == 0) == right
    assert said["goals"] == 0 or not right


@pytest.mark.parametrize("goals", [0, 2])
def test_a_wrong_goal_makes_a_row_wrong(goals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"said": "exact", "seconds": 1.0, "wrong": 0, "goals": goals, "compared": 200}
    monkeypatch.setattr("ggp.bench.variants.within", lambda limit, arguments: said)
    assert row(FILES / "left-right.toml", FEW, 1, lambda line: None).agrees is (goals == 0)


def test_what_is_not_learned_in_time_is_a_row() -> None:
    record = row(FILES / "left-right.toml", FEW, 0.01, lambda line: None)
    assert record.agrees is False and "not within 0.01 s" in record.what


def test_a_folder_without_variants_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="there is no variant to learn"):
        bench.run("variants", folder=tmp_path)


def test_each_variant_can_be_read() -> None:
    names = {read_game(file.read_bytes(), str(file))[0].name for file in FILES.glob("*.toml")}
    assert names == {file.stem for file in FILES.glob("*.toml")} and len(names) > 20
