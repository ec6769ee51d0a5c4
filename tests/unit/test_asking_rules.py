"""Rules that count, ask of the whole board, and reckon with values: read, written, refused with a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ggp.errors import DescriptionError
from ggp.language.description import read_file, read_game
from ggp.language.description.writing import write_game
from ggp.model import Instance
from ggp.transition.compiler import compile_instance

FOLDER = Path(__file__).parents[1] / "data" / "language"
GAMES = ("asking-of-the-whole-board", "counting-cells", "reckoning")


@pytest.mark.parametrize("name", GAMES)
def test_it_is_written_as_it_was_read(name: str) -> None:
    game, levels = read_file(FOLDER / f"{name}.toml")
    again, same = read_game(write_game(game, levels).encode(), "again.toml")
    assert (again.turn, again.physics) == (game.turn, game.physics) and same == levels


@pytest.mark.parametrize(
    ("rule", "column", "told"),
    [
        ("j: num:$n here => turn num here $k + 1", 19, "nothing says which value `$k` is"),
        ("j: num:$n here => turn num here $n-1", 19, "blanks around the minus: `$n - 1`"),
        ("j: no num:$n here => stay", 4, "nothing says which value"),
        ("j: num:$num here => stay", 4, "is a kind or class"),
        ("j: num:$n here, $n + => stay", 22, "expected a number"),
        ("j: num:$n here, count num at hre = 1 => stay", 30, "did you mean `here`"),
        ("j: num:$n here, count nm = 1 => stay", 17, "did you mean `num`"),
        ("j: num:$n here, every num:$n on cup => stay", 17, "it has a rule variable"),
        ("j: num:$n here, count num at around => stay", 37, "`=`, `<=`, `>=`"),
        ("j: num:$n here, some num => stay", 26, "expected `on`, `off`"),
        ("j: num:$n here, count num at around = lots => stay", 3, "add `lots = ...` to the level"),
    ],
)
def test_what_is_wrong_has_a_place_and_a_remedy(rule: str, column: int, told: str) -> None:
    text = (FOLDER / "reckoning.toml").read_text(encoding="utf-8")
    spoilt = re.sub("rules = '''.*?'''", lambda _: f"rules = '''\n{rule}\n'''", text, flags=re.DOTALL)
    with pytest.raises(DescriptionError) as error:
        read_game(spoilt.encode(), "spoilt.toml")
    finding = error.value.findings[0]
    assert finding.place is not None and finding.place.column == column
    assert told in f"{finding.message}; {finding.remedy}"


def test_a_board_that_wraps_is_not_counted_up_to_a_number() -> None:
    text = (FOLDER / "asking-of-the-whole-board.toml").read_text(encoding="utf-8")
    with pytest.raises(DescriptionError, match="on a board that wraps"):
        read_game(text.replace("\n[kinds]", "wraps = true\n[kinds]", 1).encode(), "wraps.toml")


VAULT = """
name = "vault"
[kinds]
gem = { layer = "thing" }
vault = { layer = "solid" }
[symbols]
"*" = "gem"
"V" = "vault"
[[physics]]
name = "open"
rules = "open: vault here, count gem ASKED => remove vault here"
[goal]
win = ["count vault = 0"]
[[level]]
horizon = 1
map = '''
ROWS
'''
"""


@pytest.mark.parametrize(("asked", "groups"), [("= 0", 8), (">= 1", 8), (">= 2", 20)])
def test_what_asks_little_costs_little(asked: str, groups: int) -> None:
    """Groups of markers on 8 by 8, as the documents state: those that mark, add up, spread and clear."""
    text = VAULT.replace("ASKED", asked).replace("ROWS", "\n".join(["*V*V*V*V"] * 8))
    game, (level,) = read_game(text.encode(), "vault.toml")
    physics = compile_instance(Instance(game, level)).physics
    assert sum("the whole board" in step.name for step in physics) == groups
