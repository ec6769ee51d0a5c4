"""What a solver does not support is refused, with its place; and a plan that loses is never handed on."""

from __future__ import annotations

import pytest

from ggp import api, registry
from ggp.errors import SolverError, UnsupportedFeature
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Known, Level, Plan
from ggp.model.features import missing
from tests.solver_levels import AVAILABLE

REFUSED = {
    "two players, chance, hidden": """
players = ["one", "other"]
[kinds]
mine = { layer = "mine", hidden = true }
me = { layer = "me" }
[symbols]
"." = ""
"@" = "me"
[input]
moves = ["left", "right"]
[[turn]]
rules = "go: me here => me here -> ahead"
[[chance]]
kind = "mine"
count = 1
free-of = ["me"]
[goal]
lose = ["some me on mine"]
win = ["count me = 0"]
[[level]]
horizon = 2
map = '''
.@.
'''
""",
    "a design and then inputs": """
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
[symbols]
"." = ""
"@" = "me"
[design]
place = "wall"
free-of = ["wall", "me"]
limit = 1
[input]
moves = ["left", "right"]
[[turn]]
rules = "go: me here, no wall ahead => me here -> ahead"
[goal]
win = ["count me = 1"]
[[level]]
horizon = 1
map = '''
.@.
'''
""",
    "placing what moves": """
[kinds]
ball = { layer = "solid" }
[symbols]
"." = ""
"o" = "ball"
[design]
place = "ball"
free-of = ["ball"]
limit = 1
[[physics]]
rules = "fall: ball here, no ball down => ball here -> down"
[goal]
win = ["count ball = 1"]
[[level]]
horizon = 1
map = '''
.
.
'''
""",
}


def refused(name: str) -> Instance:
    """One of the games above."""
    game, (level,) = read_game(f'name = "made"\n{REFUSED[name]}'.encode(), "made.toml")
    return Instance(game, level)


PAIRS = [
    (name, solver)
    for name in REFUSED
    for solver in AVAILABLE
    if missing(refused(name), registry.load("solver", solver).FEATURES)
]


@pytest.mark.parametrize(("name", "solver"), PAIRS)
def test_what_is_not_supported_is_refused_with_its_place(name: str, solver: str) -> None:
    one = refused(name)
    lacking = missing(one, registry.load("solver", solver).FEATURES)
    with pytest.raises(UnsupportedFeature) as error:
        api.solve(one, solver)
    findings = error.value.findings
    assert len(findings) == len(lacking)
    for finding in findings:
        assert finding.message.startswith(f"{solver} does not support")
        assert finding.place is not None and finding.place.file == "made.toml" and finding.place.line


def test_every_solver_refuses_players_chance_and_hidden_kinds() -> None:
    words = {need.feature for need in missing(refused("two players, chance, hidden"), ())}
    assert {"players", "chance", "hidden"} <= words
    for solver in AVAILABLE:
        assert not {"players", "chance", "hidden"} & registry.load("solver", solver).FEATURES, solver


def test_a_plan_that_does_not_win_is_never_handed_on() -> None:
    """The null solver is made to answer a losing plan."""
    one = levels.load("sokoban/first")
    lying = Level("lying", one.level.board, 9, known=Known(wins=(Plan((), ("left",)),)))
    with pytest.raises(SolverError, match="does not win"):
        api.solve(Instance(one.game, lying), "null")
