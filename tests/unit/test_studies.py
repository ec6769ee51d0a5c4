"""The README's comparison of the solvers: what it is made over, and that its maker makes it."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from ggp.harness.campaign.file import read_campaign
from ggp.harness.campaign.measures import cactus, outcomes
from ggp.harness.campaign.results import Results, costed
from ggp.language import levels
from ggp.model.features import GOAL_WORDS, SOLVABLE, missing
from tests import documents
from tests.unit.campaign.test_results import best, record

DOCS = documents.ROOT / "docs"


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """docs/studies/tables.py, which stands in no package."""
    monkeypatch.syspath_prepend(str(DOCS))
    spec = importlib.util.spec_from_file_location("studies_tables", DOCS / "studies" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop("make_tables", None)
    return module


def solvable(name: str) -> bool:
    """Is there no chance, nothing hidden, nobody else?"""
    return not missing(levels.load(name), SOLVABLE | GOAL_WORDS)


def test_every_level_that_a_solver_could_take_is_asked_about() -> None:
    asked = {one.name for one in read_campaign(DOCS / "studies" / "described.toml").instances}
    assert asked == {level for game in levels.games() for level in levels.levels(game) if solvable(level)}


def test_the_tables_and_the_picture_come_from_the_records(maker: ModuleType) -> None:
    made = [best("quick", 3), best("slow", 3, 2.0), record("slow", "g/2", None)]
    found = Results([costed({**one, "cpu_seconds": one["seconds"]}, "cpu") for one in made], clock="cpu")
    text = "\n".join(maker.study(found))
    assert "| quick | 1 of 1 |" in text and "| slow | 1 of 2 |" in text
    assert "those of the processor" in text and "adds" not in text.partition("\n")[0]
    picture = maker.drawn(cactus(outcomes(found.records)))
    assert picture == maker.drawn(cactus(outcomes(found.records)))  # the same records, the same file
    assert b"<svg" in picture and b"quick" in picture and b"slow" in picture
