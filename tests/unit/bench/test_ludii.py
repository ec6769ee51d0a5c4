"""What `ggp bench ludii` says of hints and passes, beside the level as it is, and where nothing wins."""

from __future__ import annotations

from ggp import api
from ggp.bench import case, ludii
from ggp.registry import PASSES


def test_the_levels_without_an_answer_have_none() -> None:
    """Their totals are not what the numbers add up to, which no solver is needed to see."""
    for one in case("ludii")["proofs"]:
        plain = api.load(one["level"])
        changed = ludii.with_numbers(plain, one["numbers"])
        assert dict(plain.level.numbers) != dict(changed.level.numbers) and changed.name != plain.name
        side = len(changed.level.board)
        assert side * dict(changed.level.numbers)["total"] != sum(range(1, side * side + 1))


def test_a_proof_has_a_ratio_as_a_plan_has() -> None:
    impossible = ludii.with_numbers(api.load("magic-square/3"), {"total": 16})
    rows = list(ludii.worth(1, impossible, "cp-sat", 60))
    assert len(rows) == 3 + len(PASSES)
    assert rows[0].what == "magic-square/3, total 16: cp-sat (unsolvable), plain" and rows[0].ratio == 1.0
    assert all(row.complete and row.solutions == 0 and row.agrees is None and row.ratio for row in rows)
    solved = next(ludii.ours(1, api.load("magic-square/3"), "cp-sat", 60, rows[0]))
    assert (solved.solutions, solved.complete, solved.agrees) == (1, None, True) and solved.ratio
