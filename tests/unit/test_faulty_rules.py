"""Games whose rules collide, or never come to rest, and plans with an illegal action, on the command line.

What is wrong is said with the rules and the cell, or the cycle, or the turn, wherever such a game is used.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from ggp.analysis import faults
from ggp.analysis.faults import first_fault
from ggp.cli import main
from ggp.cli.play.app import PlayApp
from ggp.explain.study import study
from ggp.language.description import read_game
from ggp.language.levels import load
from ggp.model import Instance
from ggp.referee.session import Session

COLLIDING = """
name = "colliding"
[kinds]
ball = { layer = "solid", facing = ["left", "right"] }
[symbols]
"." = ""
"<" = "ball:left"
">" = "ball:right"
[input]
verbs = ["go"]
[[turn]]
rules = '''
east toward right: ball:right here, inside ahead => ball:right here -> ahead
west toward left: ball:left here, inside ahead   => ball:left here -> ahead
'''
[goal]
win = ["somewhere ball:left here, ball:right right"]
[[level]]
horizon = 4
map = "MAP"
"""
CARELESS = """
name = "careless"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid", count = "1" }
target = { layer = "floor" }
[symbols]
"#" = "wall"
"." = "target"
"$" = "crate"
"@" = "player"
[input]
moves = ["left", "right"]
[[turn]]
rules = "push: player here, crate ahead => crate ahead -> ahead.ahead, player here -> ahead"
[goal]
win = ["some crate on target"]
[objectives]
turns = "turns"
[[level]]
map = "#$@$."
"""
RESTLESS = """
name = "restless"
wraps = true
[kinds]
me = { layer = "solid", count = "1" }
post = { layer = "solid" }
mark = { layer = "floor" }
[symbols]
"." = ""
"@" = "me"
"|" = "post"
"x" = "mark"
[input]
moves = ["left", "right"]
[[turn]]
name = "slide"
until = "stable"
bound = 6
rules = "slide: me here, no post ahead => me here -> ahead"
[goal]
win = ["some me on mark"]
[[level]]
horizon = 3
map = "MAP"
"""
COLLISION = ("rule west (from (0, 2)) collides at (0, 1) over ball:left", "rule east (from (0, 0))")
CYCLE = ("slide is still changing after 6 passes", "the state after pass 0 comes again after 3 more")


@pytest.fixture(params=["collision", "cycle"])
def faulty(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, tuple[str, ...]]:
    """A game, the input that shows its fault, and what must be said."""
    collides = request.param == "collision"
    text, rows = (COLLIDING, ">.<") if collides else (RESTLESS, "@..")
    file = tmp_path / "game.toml"
    file.write_text(text.replace("MAP", rows))
    return file, "go" if collides else "right", COLLISION if collides else CYCLE


def ran(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """The exit status of a command, and all that it says."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out + err


Faulty = tuple[Path, str, tuple[str, ...]]


def test_replay_says_which_turn_and_why(
    faulty: Faulty, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, action, words = faulty
    plan = tmp_path / "plan.json"
    plan.write_text(f'{{"actions": "{action}"}}')
    status, text = ran(capsys, "replay", file, plan)
    assert status == 1 and "no win: turn 1: " in text and all(word in text for word in words), text


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
def test_a_solver_that_finds_nothing_says_what_it_passed_over(
    faulty: Faulty, solver: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, action, words = faulty
    status, text = ran(capsys, "solve", file, "--solver", solver, "--json")
    unsolvable = '"stop": "unsolvable"' in text
    assert unsolvable or '"stop": "horizon-exhausted"' in text
    assert status == (0 if unsolvable else 1)
    assert f"were passed over: {action}: " in text and all(word in text for word in words), text


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
def test_whoever_says_that_nothing_is_better_says_what_was_passed_over(
    solver: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "careless.toml"
    file.write_text(CARELESS)
    status, text = ran(capsys, "solve", file, "--solver", solver)
    assert status == 0 and ": optimal" in text
    assert "were passed over: left: rule push" in text and "over crate with wall" in text, text


def test_a_study_says_what_it_passed_over(faulty: Faulty) -> None:
    file, action, words = faulty
    found = study(load(str(file)), None)
    assert found.whole and not found.solvable
    assert f"were passed over: {action}: " in found.note and all(word in found.note for word in words)


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
@pytest.mark.parametrize(
    ("rows", "words"), [(">.<", ("turn 1: ", "(0, 1)")), (">...<", ("turn 2: ", "(0, 2)")), (">..", ())]
)
def test_a_run_in_which_nothing_is_decided_says_where_it_breaks_off(
    rows: str, words: tuple[str, ...], solver: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.toml"
    text = COLLIDING.replace('[input]\nverbs = ["go"]\n[[turn]]', "[[physics]]").replace("MAP", rows)
    file.write_text(text)
    status, said = ran(capsys, "solve", file, "--solver", solver)
    assert status == 1 and "horizon-exhausted" in said
    assert ("were passed over: " in said) == bool(words)
    assert not words or all(word in said for word in (*words, "rule west", "rule east")), said


def test_the_player_is_told(faulty: Faulty) -> None:
    file, action, words = faulty
    game, (level,) = read_game(file.read_bytes(), str(file))

    async def run() -> str:
        app = PlayApp(Session(Instance(game, level)), None)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press("right" if action == "right" else "space")
            return " ".join(str(widget.content) for widget in app.query(Static))

    text = " ".join(asyncio.run(run()).split())
    assert all(word in text for word in words), text


def test_check_warns_of_rules_that_may_collide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.toml"
    file.write_text(COLLIDING.replace("MAP", "..."))
    status, text = ran(capsys, "check", file)
    assert status == 0 and "0 errors" in text
    assert "rule west" in text and "with rule east" in text and "game.toml:14:1: warning" in text


def test_what_is_sound_has_no_fault() -> None:
    assert first_fault(load("fire-and-ice/first")) is None
    assert first_fault(load("lemmings/seed")) is None, "no inputs"
    assert first_fault(load("sudoku/paper-4x4")) is None


def test_a_fault_is_sought_once_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = load("sokoban/first"), load("fire-and-ice/first")
    one = replace(one, level=replace(one.level))  # asked for the first time
    asked: list[tuple[Instance, int]] = []
    monkeypatch.setattr(faults, "sought", lambda instance, most: asked.append((instance, most)))
    mixed = replace(one, game=other.game)  # the same level of another game
    for instance, most in ((one, 3), (one, 3), (mixed, 3), (one, 4), (one, 3)):
        first_fault(instance, most)
    assert asked == [(one, 3), (mixed, 3), (one, 4)]


@pytest.mark.parametrize(
    ("level", "actions", "words"),
    [
        ("fire-and-ice/first", "left left", "turn 2: left changes nothing"),
        ("fire-and-ice/first", "up", "turn 1: there is no input up"),
        ("atomix/first", "pick(0,0,right) pick(9,9,up)", "turn 2: there is no input pick(9,9,up)"),
        ("samegame/first", "pick(0,0,up)", "turn 1: there is no input pick(0,0,up)"),
        ("samegame/colours", "pick(2,0)", "turn 1: pick(2,0) changes nothing"),
        ("boulder-dash/first", "wait dig", "turn 2: there is no input dig"),
    ],
)
def test_an_illegal_action_is_named_with_its_turn(
    level: str, actions: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(f'{{"actions": "{actions}"}}')
    status, text = ran(capsys, "replay", level, plan)
    assert status == 1 and f"no win: {words}" in text, text


def test_an_action_that_cannot_be_read_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"actions": "pick(0,0"}')
    status, text = ran(capsys, "replay", "atomix/first", plan)
    assert status == 2 and "'pick(0,0' is not an action" in text, text
