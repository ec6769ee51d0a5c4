"""`unless`: whose verdict counts where a turn both wins and loses, from the file to the last exporter."""

from __future__ import annotations

import pytest

from ggp import api, registry
from ggp.errors import DescriptionError, Place
from ggp.exporters import puzzlescript
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.rule_language import read_goal
from ggp.model import Instance
from ggp.referee.trajectory import replay
from tests.conformance.test_puzzlescript import node

__all__ = ["node"]

TIE = """
name = "tie"
[kinds]
wall = { layer = "solid" }
man = { layer = "solid", count = "1", tile = "person" }
gem = { layer = "floor" }
trap = { layer = "low" }
[symbols]
"." = ""
"#" = "wall"
"@" = "man"
"*" = "gem"
"^" = "trap"
"+" = "gem trap"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "walk: man here, inside ahead, no wall ahead => man here -> ahead, remove gem ahead"
[goal]
win = ["count gem = 0"]
lose = ["some man on trap unless count gem = 0"]
[[level]]
name = "one"
horizon = 6
map = '''
@.*
^.+
'''
[level.known]
wins = [{ actions = "right right down" }]
loses = [{ actions = "down" }]
"""


def tie(text: str = TIE) -> Instance:
    game, levels = read_game(text.encode(), "tie.toml")
    return Instance(game, levels[0])


def test_what_is_won_is_not_lost() -> None:
    plan = tie().level.known.wins[0]
    assert replay(tie(), plan).won
    plain = tie(TIE.replace(" unless count gem = 0", ""))
    assert not replay(plain, plan).won, "losing wins ties"


def test_it_is_written_as_it_was_read() -> None:
    game, levels = read_game(TIE.encode(), "tie.toml")
    assert read_game(write_game(game, levels).encode(), "tie.toml") == (game, levels)
    place = Place("tie.toml", 1, 1)
    several = "no a on b unless count a = 0 and some a on b unless every a on b"
    for text in (several, "count a = 0 unless no a on b"):
        assert read_goal(text, lambda offset: place).source() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("connected a unless count a = 0", "`connected` is judged at the end only, and not with `unless`"),
        ("count a = 0 unless tour a by up", "`tour` is judged at the end only, and not with `unless`"),
        ("count a = 0 unless", "this goal ends too early"),
        ("count a = 0 and count b = 0", "`and` cannot stand here in a goal"),
    ],
)
def test_what_cannot_be_said(text: str, message: str) -> None:
    with pytest.raises(DescriptionError, match=message):
        read_goal(text, lambda offset: Place("tie.toml", 1, offset + 1))


def test_what_excuses_must_fit_the_level() -> None:
    with pytest.raises(DescriptionError, match="there are no regions called `cages`"):
        tie(TIE.replace("unless count gem = 0", "unless count gem in cages = 0"))


@pytest.mark.parametrize("solver", ["search", "sat", "cp-sat", "cbc"])
def test_solvers_find_the_plan_that_ends_in_a_tie(solver: str) -> None:
    (plan,) = api.solve(tie(), solver=solver).plans
    assert len(plan.actions) == 3
    assert not api.solve(tie(TIE.replace(" unless count gem = 0", "")), solver=solver).plans


@pytest.mark.parametrize("exporter", ["vgdl", "gvgai", "pddl"])
def test_exports_end_as_the_referee_says(exporter: str) -> None:
    module = registry.load("exporter", exporter)
    checks = list(module.verify(tie(), module.text(tie())))
    assert len(checks) > 1 and all(check.passed for check in checks), checks


def test_a_real_engine_of_puzzlescript_does_so_too(node: None) -> None:
    checks = list(puzzlescript.verify(tie(), puzzlescript.text(tie())))
    assert len(checks) > 1 and all(check.passed for check in checks), checks


STILL = """
name = "still"
[kinds]
digit = { layer = "thing", values = [1, 2], tile = "number" }
spot = { layer = "spot" }
[symbols]
"." = ""
"o" = "spot"
"12" = "digit:1.."
[design]
place = "digit"
free-of = ["digit"]
[goal]
when = "horizon"
win = [
  "different digit in rows unless some digit on spot",
  "nowhere digit:1 here, digit:2 down unless some digit on spot",
]
[[level]]
name = "one"
map = '''
11o
2..
'''
"""


def test_what_may_be_excused_is_not_marked_as_a_mistake(node: None) -> None:
    still = tie(STILL)
    checks = list(puzzlescript.verify(still, puzzlescript.text(still)))
    assert len(checks) > 1 and all(check.passed for check in checks), checks
