"""`ggp bench models`: the field's models say what the levels say, and what is counted of each file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ggp.bench import case, models
from ggp.engines.csp.answers import Declared
from ggp.engines.csp.tools import ACE, CHOCO
from ggp.errors import SolverError
from ggp.language import levels
from tests.slow import slow_unless

SMALL = {
    "one-a-row": "queens/small",
    "groups": "sudoku/paper-4x4",
    "sums": "magic-square/small",
    "tour": "knights-tour/small",
    "lines": "nonogram/small",
}
pytestmark = pytest.mark.skipif(ACE.available() is not None, reason="ACE is not here")


def test_each_model_has_levels_and_a_small_one_here() -> None:
    assert set(case("models")["games"].values()) == set(SMALL)


@pytest.mark.parametrize("model", slow_unless({"tour"}, SMALL))
def test_the_answer_to_a_model_of_the_field_wins_and_another_one_would_not(model: str) -> None:
    """The levels have one answer, so a model that left something out would hardly find it."""
    instance = levels.load(SMALL[model])
    made = dict(models.files(instance, model, ACE, 60.0))
    text, declared, decode = made[models.FIELD]
    found = models.solved(ACE, text, declared, 60.0, 1)
    assert found.status == "SATISFIABLE" and found.answer is not None and found.numbers["variables"] > 0
    plan = decode(found.answer)
    assert models.wins(instance, plan)
    assert not models.wins(instance, replace(plan, design=plan.design[1:]))


def test_three_files_of_one_level_less_the_start() -> None:
    rows = list(models.beside(levels.load("queens/8"), "one-a-row", ACE, (0.0, 60.0, 1)))
    assert [row.what.partition(": ")[2].partition(" (")[0] for row in rows] == [
        models.FIELD,
        models.LITERAL,
        models.OURS,
    ]
    assert all(row.agrees and row.seconds > models.SHORT for row in rows) and rows[0].ratio == 1.0
    # Slopes are expressions in the field's file, for which ACE has variables of its own; so have ours.
    assert ["(22 variables" in row.what for row in rows] == [True, False, True]
    late = next(models.beside(levels.load("queens/8"), "one-a-row", ACE, (9.0, 60.0, 1)))
    assert late.seconds == 0.0 and late.ratio is None, "less than a start: there is nothing to compare"


def test_numbers_of_thousands_are_read_whole() -> None:
    names = [f"x{number}" for number in range(1200)]
    variables = "".join(f'<var id="{name}"> 0 1 </var>' for name in names)
    text = models.EMPTY.replace('<var id="x"> 0 1 </var>', variables).replace(
        "<intension> eq(x,1) </intension>",
        f"<sum><list> {' '.join(names)} </list><condition> (ge,3) </condition></sum>",
    )
    found = models.solved(ACE, text, Declared(dict.fromkeys(names, (0, 1)), {}), 60.0, 1)
    assert found.numbers["variables"] == 1200


def test_an_answer_that_does_not_win_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: Callable[..., Any] = models.decoded
    monkeypatch.setattr(models, "decoded", lambda *told: replace(whole(*told), design=()))
    first = next(models.beside(levels.load("queens/small"), "one-a-row", ACE, (0.0, 60.0, 1)))
    assert first.agrees is False and first.solutions == 0 and first.ratio is None


def test_what_takes_too_long_has_no_answer_and_what_says_nothing_is_an_error() -> None:
    assert models.solved(ACE, models.EMPTY, Declared({"x": (0, 1)}, {}), 0.01, 1).answer is None
    silent = replace(ACE, command=CHOCO.command)
    assert models.solved(silent, models.EMPTY, Declared({"x": (0, 1)}, {}), 60.0, 1).numbers == {}
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(SolverError, match="says nothing of its variab"),
    ):
        patch.setattr(models, "NUMBERS", {"variables": r"never (\d+)"})
        models.solved(ACE, models.EMPTY, Declared({"x": (0, 1)}, {}), 60.0, 1)
