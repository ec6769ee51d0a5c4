"""The terminal player, driven by its keys."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from ggp.cli.play import play
from ggp.cli.play.app import PlayApp
from ggp.errors import PuzzleError
from ggp.language.levels import load
from ggp.model import (
    Condition,
    Effect,
    Game,
    Goal,
    Group,
    Input,
    InputIs,
    Instance,
    Kind,
    Level,
    Pattern,
    Piece,
    Rule,
)
from ggp.referee.session import Session
from ggp.referee.trajectory import read_plan, replay

Steps = Callable[[PlayApp, Pilot[None]], Awaitable[None]]


def played(
    instance: Instance, steps: Steps, save_to: Path | None = None, size: tuple[int, int] = (100, 40)
) -> PlayApp:
    """Run the player without a terminal, and do these steps."""

    async def run() -> PlayApp:
        app = PlayApp(Session(instance), save_to)
        async with app.run_test(size=size) as pilot:
            await steps(app, pilot)
        return app

    return asyncio.run(run())


def pressed(name: str | Instance, keys: str, save_to: Path | None = None) -> PlayApp:
    """Press keys, given with spaces between them."""

    async def press(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press(*keys.split())

    return played(load(name) if isinstance(name, str) else name, press, save_to)


def shown(app: PlayApp, where: str = "#panel") -> str:
    return str(app.query_one(where, Static).content)


def lamps(facings: tuple[str, ...] = (), moves: tuple[str, ...] = ()) -> Instance:
    """Picking a lamp puts it out, `flash` puts out all, and waiting is allowed."""
    lamp, hand = Pattern("lamp"), Pattern("hand")
    here = Condition("present", (), lamp)
    out = (Effect("remove", lamp, ()),)
    rules = (
        Rule("out", "none", (here, Condition("present", (), hand)), out),
        Rule("flash", "none", (here, InputIs("flash")), out),
    )
    kinds = (Kind("lamp", "lamp"), Kind("hand", "hand", facings, marker=True))
    declared = Input(moves, ("blink", "flash"), "hand", wait=True)
    game = Game("lamps", "Lamps", kinds, Goal(()), input=declared, turn=(Group("turn", rules),))
    lit = frozenset({Piece("lamp")})
    return Instance(game, Level("x", ((lit, lit), (lit, lit)), horizon=9, when="horizon"))


# --- what keys do -------------------------------------------------------------------------------------


def test_moving_until_won() -> None:
    app = pressed("sokoban/first", "up a down left s")
    assert app.sitting.session.status().outcome == "open"
    app = pressed("sokoban/first", "up a down left s d")
    assert app.sitting.session.plan().actions == ("up", "left", "down", "left", "down", "right")
    assert " WON  won at turn 6" in app.panel().plain
    app = pressed("sokoban/first", "up a down left s d up")
    assert "the run is over" in app.sitting.message


def test_undo_and_restart() -> None:
    assert pressed("sokoban/first", "up left u").sitting.session.plan().actions == ("up",)
    assert pressed("sokoban/first", "up left r").sitting.session.plan().actions == ()
    assert pressed("sokoban/first", "up left r u").sitting.session.plan().actions == ("up", "left")
    assert pressed("sokoban/first", "up u u").sitting.message == "there is nothing to undo"


def test_a_move_into_a_wall_is_told() -> None:
    app = pressed("sokoban/first", "up up")
    assert app.sitting.message.startswith("up changes nothing")
    assert app.sitting.session.turn == 1
    assert pressed("sokoban/first", "up up left").sitting.message == ""


def test_placing_releasing_and_stepping() -> None:
    app = pressed("lemmings/seed", "enter g space space")
    assert app.sitting.session.plan().design == (((1, 2), Piece("brick")),)
    assert app.sitting.session.status()[:4] == ("run", 2, 19, 1)
    app = pressed("lemmings/seed", "enter g space e enter d space")
    assert app.sitting.session.phase == "design"
    assert app.sitting.session.plan().design == (((1, 3), Piece("brick")),)


def test_the_cursor_goes_round_the_edges() -> None:
    assert pressed("lemmings/seed", "up up").sitting.cursor == (9, 2)
    assert pressed("lemmings/seed", "a a a").sitting.cursor == (1, 9)


def test_what_cannot_be_placed_is_told() -> None:
    assert "not a free cell" in pressed("lemmings/seed", "up enter").sitting.message
    assert "budget is 3" in pressed("lemmings/seed", "enter d enter d enter d enter").sitting.message
    assert "not allow" in pressed("lemmings/seed", "7").sitting.message
    assert "nothing here" in pressed("lemmings/seed", "backspace").sitting.message


def test_digits_are_typed_and_judged() -> None:
    app = pressed("sudoku/paper-4x4", "3 right right 1 right 2")
    assert [(cell, piece.variant) for cell, piece in app.sitting.session.plan().design] == [
        ((0, 0), 3),
        ((0, 2), 1),
        ((0, 3), 2),
    ]
    app = pressed("sudoku/paper-4x4", "3 2 g")
    assert app.sitting.session.placed_at((0, 0)) == Piece("digit", 2)
    assert app.sitting.message.startswith("not yet: 10 cells are empty")
    app = pressed("sudoku/paper-4x4", "4 g")
    assert "differs within rows" in app.sitting.message and app.sitting.session.phase == "design"
    assert pressed("sudoku/paper-4x4", "4 0").sitting.session.plan().design == ()
    solution = "3 right right 1 right 2 down a a a 2 right right 4 down left left 1 right 2 right 3 right 4"
    app = pressed("sudoku/paper-4x4", f"{solution} down a a a 4 right right 2")
    assert app.sitting.session.status().outcome == "won"


def test_numbers_of_two_digits_are_typed() -> None:
    instance = load("sudoku/paper-4x4")
    board = (tuple(frozenset[Piece]() for _ in range(16)),) * 16
    large = Instance(instance.game, Level("x", board, horizon=0))
    app = pressed(large, "1 2 right 9 3")
    assert [piece.variant for _, piece in app.sitting.session.plan().design] == [12, 3]


def test_a_run_plays_by_itself_until_it_ends() -> None:
    async def watch(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        assert app.sitting.playing and app.sitting.session.phase == "run"
        for _ in range(25):
            app.tick()
        assert not app.sitting.playing

    app = played(load("lemmings/seed"), watch)
    assert app.sitting.session.turn == 19
    assert app.sitting.session.status().outcome == "lost"
    assert pressed("lemmings/seed", "p p").sitting.playing is False
    assert pressed("sokoban/first", "p").sitting.playing is False
    assert pressed("sudoku/paper-4x4", "p").sitting.session.phase == "design"


def test_time_passes() -> None:
    async def wait(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        for _ in range(100):
            await pilot.pause(0.1)
            if app.sitting.session.turn:
                break

    assert played(load("lemmings/seed"), wait).sitting.session.turn >= 1


def test_picking_verbs_and_waiting() -> None:
    assert pressed(lamps(), "right enter down space").sitting.session.plan().actions == (
        "pick(0,1)",
        "pick(1,1)",
    )
    assert pressed(lamps(), "c").sitting.session.plan().actions == ("flash",)
    assert pressed(lamps(), ".").sitting.session.plan().actions == ("wait",)
    assert pressed(lamps(), "v").sitting.session.plan().actions == ()


def test_a_pick_with_a_direction() -> None:
    app = pressed(lamps(("up", "down")), "right enter down")
    assert app.sitting.session.plan().actions == ("pick(0,1,down)",)
    assert app.sitting.cursor == (0, 1)
    app = pressed(lamps(("up", "down")), "right enter escape down")
    assert app.sitting.session.plan().actions == () and app.sitting.cursor == (1, 1)
    assert "no input" in pressed(lamps(("up", "down")), "enter left").sitting.message


def test_tab_changes_between_moving_and_picking() -> None:
    app = pressed(lamps(moves=("up",)), "up tab right enter tab up")
    assert app.sitting.session.plan().actions == ("up", "pick(0,1)", "up")


# --- saving and leaving -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["S", "ctrl+s"])
def test_the_plan_is_saved(tmp_path: Path, key: str) -> None:
    file = tmp_path / "my.json"
    app = pressed("sokoban/first", f"up a down left s d {key}", file)
    assert app.sitting.message == f"saved to {file}"
    assert json.loads(file.read_text())["level"] == "sokoban/first"
    assert replay(load("sokoban/first"), read_plan(file, load("sokoban/first"))).won


def test_another_file_is_replaced_only_when_asked_twice(tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text("precious")
    app = pressed("sokoban/first", "up S", file)
    assert "save again" in app.sitting.message
    assert file.read_text() == "precious"
    pressed("sokoban/first", "up S S", file)
    assert "up" in file.read_text()


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    app = pressed("sokoban/first", "up S", tmp_path / "no" / "such" / "folder.json")
    assert "there is no folder" in app.sitting.message


def test_the_file_is_named_after_the_level() -> None:
    assert PlayApp(Session(load("lemmings/seed"))).sitting.save_to == Path("lemmings-seed.plan.json")


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_leaving(key: str) -> None:
    async def leave(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("up", key)
        assert not app.is_running or app._exit

    assert played(load("sokoban/first"), leave).sitting.session.turn == 1


def test_without_a_terminal_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PuzzleError, match="needs a terminal"):
        play(load("sokoban/first"))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(PuzzleError, match="needs a terminal"):
        play(load("sokoban/first"))


# --- what is shown ------------------------------------------------------------------------------------


def test_the_screen() -> None:
    async def look(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "██◀" in shown(app, "#board")
        assert "Goal: no lemming off target, at the end of 19 turns" in shown(app)
        assert "Placed 0 of 3" in shown(app) and "Turn" not in shown(app)
        await pilot.press("enter", "g", "space")
        assert "Placed 1 of 3" in shown(app) and "Turn 1 of 19" in shown(app)
        assert "▓▓" in shown(app, "#board")

    played(load("lemmings/seed"), look)


@pytest.mark.parametrize(
    ("instance", "keys", "there", "absent"),
    [
        ("lemmings/seed", "", "release and watch", "wait"),
        ("lemmings/seed", "g", "one step", "place, change"),
        ("sokoban/first", "", "move\n", "release"),
        ("sudoku/paper-4x4", "", "place a value", "release"),
        (lamps(), "", "pick\n", "tab"),
        (lamps(("up",), ("up",)), "tab", "then a direction", "release"),
        (lamps(), "", "flash", "one step"),
    ],
)
def test_the_keys_that_mean_something_are_listed(
    instance: str | Instance, keys: str, there: str, absent: str
) -> None:
    panel = pressed(instance, keys).panel().plain
    assert there in panel
    assert absent not in panel


def test_a_large_board_follows_the_cursor() -> None:
    game = load("lemmings/seed").game
    board = (tuple(frozenset[Piece]() for _ in range(90)),) * 60
    large = Instance(game, Level("large", board, horizon=3, numbers=(("budget", 3),)))

    async def far(app: PlayApp, pilot: Pilot[None]) -> None:
        assert app.query_one("#board-area").scroll_offset == (0, 0)
        await pilot.press("up", "left")
        assert app.sitting.cursor == (59, 89)
        await pilot.pause()
        offset = app.query_one("#board-area").scroll_offset
        assert offset.x > 60 and offset.y > 20

    played(large, far, size=(80, 24))
