"""`check` tells of rules that the border keeps from firing, and of no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import registry
from ggp.language.description import check_file
from tests.slow import one_in

GAME = """\
name = "lamps"
WRAPS
[kinds]
wall = { layer = "solid" }
lamp = { layer = "lamp", merge = true }
me = { layer = "solid" }
mark = { layer = "mark", marker = true }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
"o" = "lamp"
[input]
moves = ["up", "right"]
[[turn]]
rules = "RULE"
[[turn]]
rules = "dim: mark here => remove lamp here"
[goal]
win = ["count lamp = 0", "some me on lamp"]
[[level]]
map = '''
MAP
'''
"""
OPEN = "...\n.@.\n..."
WALLED = "#####\n#...#\n#.@.#\n#####"


def warnings(tmp_path: Path, rule: str, rows: str, wraps: bool = False) -> list[str]:
    text = GAME.replace("RULE", rule).replace("MAP", rows).replace("WRAPS", "wraps = true" if wraps else "")
    file = tmp_path / "lamps.toml"
    file.write_text(text)
    words = ("would be outside", "fire nowhere")
    found = [
        one for one in check_file(file) if one.severity == "error" or any(w in one.message for w in words)
    ]
    assert all(finding.severity == "warning" and finding.place is not None for finding in found), found
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    "rule",
    [
        "press: me here => add lamp here, add lamp up",
        "press toward input: me here => remove lamp here, add mark ahead",
        "press: no me here, no wall here => add lamp here, add mark right.right",
    ],
)
def test_an_addition_outside_keeps_a_rule_from_the_border(tmp_path: Path, rule: str) -> None:
    (told,) = warnings(tmp_path, rule, OPEN)
    assert "would be outside at (" in told and "so the rule never fires there" in told
    effect = rule.rpartition(", ")[2]
    assert warnings(tmp_path, f"{rule} if inside", OPEN) == []
    cell = effect.split()[-1]
    assert warnings(tmp_path, rule.replace(" here", f" here, inside {cell}", 1), OPEN) == []
    assert warnings(tmp_path, rule, OPEN, wraps=True) == []


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("press: me here => add lamp here, add lamp up", WALLED),  # nobody gets to the border
        ("walk toward input: me here, no wall ahead => me here -> ahead", OPEN),
        ("walk toward input: me here, no wall ahead => me here -> ahead, add mark ahead", OPEN),
        ("press: me here => add lamp up", OPEN),  # what else would it do there?
    ],
)
def test_what_is_meant_is_not_told(tmp_path: Path, rule: str, rows: str) -> None:
    assert warnings(tmp_path, rule, rows) == []


def test_a_rule_that_fits_nowhere_is_told(tmp_path: Path) -> None:
    (told,) = warnings(tmp_path, "jump: me here => me here -> right.right.right", OPEN)
    assert "rule jump can fire nowhere on the level 1" in told
    assert warnings(tmp_path, "jump: me here => me here -> right.right", OPEN) == []
    (told,) = warnings(
        tmp_path,
        "look toward up: me here, no wall ahead, outside left, outside right => remove me here",
        OPEN,
    )
    assert "rule look can fire nowhere" in told


@pytest.mark.parametrize("name", one_in(8, sorted(registry.GAMES), 3))
def test_built_in_games_have_no_such_rules(name: str) -> None:
    file = Path(str(registry.description_of(name)))
    if file.exists():  # not where only the tests were copied
        assert [str(finding) for finding in check_file(file)] == []
