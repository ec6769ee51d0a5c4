"""What makes the terminal player a place to stay: advice, other levels, pencil marks, small screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from ggp.cli.play.app import PlayApp
from ggp.cli.play.shelf import shelf_of
from ggp.errors import PuzzleError
from ggp.language.levels import load, load_game
from ggp.players.advice import advice
from ggp.players.trained.deeds import Deeds
from ggp.players.trained.policy import HEADS, Layer, Network, Policy, write_policy
from ggp.players.trained.sight import Sight, words_of
from ggp.players.trained.turning import ALL
from ggp.referee.session import Session
from tests.slow import slowly

Steps = Callable[[PlayApp, Pilot[None]], Awaitable[None]]


def staying(
    name: str, steps: Steps, *, size: tuple[int, int] = (100, 40), hints: str | None = None
) -> PlayApp:
    async def run() -> PlayApp:
        app = PlayApp(Session(load(name)), shelf=shelf_of(name), hints=hints)
        async with app.run_test(size=size) as pilot:
            await steps(app, pilot)
        return app

    return asyncio.run(run())


def shown(app: PlayApp, where: str = "#panel") -> str:
    return str(app.query_one(where, Static).content)


async def advised(app: PlayApp, pilot: Pilot[None]) -> str:
    """Ask, and wait for the answer."""
    await pilot.press("?")
    for _ in range(400):
        if app.wondering is None:
            return app.sitting.message
        await pilot.pause(0.05)
    raise AssertionError("no answer")


def test_asked_again_and_again_it_leads_to_the_end() -> None:
    async def follow(app: PlayApp, pilot: Pilot[None]) -> None:
        said = await advised(app, pilot)
        assert said == "up: 6 turns to the end (y: do it)"
        await pilot.press("y")
        assert app.sitting.session.now.actions == ("up",) and app.sitting.advised is None
        await pilot.press("y")
        assert "no advice to follow" in app.sitting.message
        while app.sitting.session.status().outcome == "open":
            await advised(app, pilot)
            await pilot.press("y")
        assert app.sitting.session.status().outcome == "won"
        await pilot.press("?")
        assert "it has ended" in app.sitting.message

    staying("sokoban/first", follow)


def test_what_is_lost_is_said_to_be() -> None:
    async def lose(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "cannot be won" in await advised(app, pilot)

    staying("psychopath/sealed", lose)


def test_that_no_design_wins_is_said() -> None:
    session = Session(load("lemmings/hopeless"))
    said = advice(session.instance, session.plan(), session.now.states, released=False, by=None)
    assert said.words == "no design of this level wins"


def test_a_policy_is_asked(tmp_path: Path) -> None:
    """One that likes all deeds alike: the first is taken."""
    file, deeds = tmp_path / "small.npz", Deeds(load("psychopath/first"))
    pieces, words = deeds.stepper.pieces, words_of(deeds)
    width = Sight(deeds, pieces, words, ALL[:1]).width
    network = Network((Layer(np.zeros((width, 1), np.float32), np.zeros(1, np.float32)),))
    write_policy(file, Policy("psychopath", pieces, words, ALL[:1], dict.fromkeys(HEADS, network)))

    async def ask(app: PlayApp, pilot: Pilot[None]) -> None:
        said = await advised(app, pilot)
        assert said.startswith(f"policy:{file} would do ")
        await pilot.press("y")
        assert app.sitting.session.turn == 1

    staying("psychopath/first", ask, hints=f"policy:{file}")


def test_a_mistake_is_marked_until_something_changes() -> None:
    async def err(app: PlayApp, pilot: Pilot[None]) -> None:
        said = await advised(app, pilot)
        assert "takes" in said and app.sitting.session.placed_at(app.sitting.cursor) is None
        right = app.sitting.cursor
        wrong = next(value for value in "1234" if f"takes {value}" not in said)
        await pilot.press(wrong)
        assert "mistake" in await advised(app, pilot)
        marked = app.sitting.advised
        assert marked is not None and marked.wrong and right in marked.cells
        await pilot.press("0")
        assert app.sitting.advised is None

    staying("sudoku/paper-4x4", err)


def test_a_design_is_advised_before_its_run() -> None:
    session = Session(load("lemmings/seed"))

    def said() -> str:
        now = session.now
        return advice(session.instance, session.plan(), now.states, released=False, by=None).words

    assert said().startswith("place brick at (")
    session.place((1, 5))
    assert said() == "a plan that wins has no brick at (1, 5)"


def told(level: str, seed: int, *acts: str) -> str:
    """What is advised after these inputs."""
    session = Session(load(level), seed=seed)
    for act in acts:
        session.act(act)
    return advice(session.instance, session.plan(), session.now.states, released=True, by=None).words


def test_where_chance_has_a_part_a_player_is_asked() -> None:
    """In the first turn all cells are alike, but in the corners there is nothing round more often."""
    assert told("minesweeper/beginner", 1) == "safest would do pick(0,0)"
    assert told("doubling/sixteen", 2, "left").startswith("mcts would do ")


@pytest.mark.parametrize(("seed", "pair"), [(0, "pick(0,1)"), slowly((3, "pick(0,0)"))])
def test_what_was_seen_before_is_remembered(seed: int, pair: str) -> None:
    """The third card is like one of the two that were turned up and down again: only memory knows which."""
    assert told("concentration/four", seed, "pick(0,0)", "pick(0,1)", "pick(1,0)") == f"mcts would do {pair}"


def test_who_cannot_be_asked_says_so() -> None:
    session = Session(load("minesweeper/tiny"))
    with pytest.raises(PuzzleError):
        advice(session.instance, session.plan(), session.now.states, released=True, by="solver")


def test_other_levels_are_a_key_away() -> None:
    async def turn(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("<")
        assert "this is the first level" in app.sitting.message
        await pilot.press("up", ">")
        assert app.sitting.session.instance.name == "sokoban/corner" and app.sitting.session.turn == 0
        assert [one.turn for one in app.left] == [1]
        assert str(app.sitting.save_to) == "sokoban-corner.plan.json"
        await pilot.press("<")
        assert app.sitting.session.instance.name == "sokoban/first"
        assert "next level" in shown(app)

    names = [level.name for level in load_game("sokoban")[1]]
    assert names[:2] == ["first", "corner"]
    staying("sokoban/first", turn)
    assert shelf_of("queens/8") is None or "queens/8" in shelf_of("queens/8").names  # type: ignore[union-attr]


def test_pencil_marks_are_notes_and_no_plan() -> None:
    async def note(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("t", "3", "1")
        assert not app.sitting.session.now.design and app.sitting.pencil.at(app.sitting.cursor) == "1 3"
        assert "13" in shown(app, "#board") and "Pencil: 1 3" in shown(app)
        await pilot.press("2")
        assert "1+" in shown(app, "#board")
        await pilot.press("1", "2", "9")
        at = app.sitting
        assert at.pencil.at(at.cursor) == "3" and "there is no 9 here" in at.message
        await pilot.press("t", "4")
        assert len(app.sitting.session.now.design) == 1 and "Pencil (off): 3" in shown(app)

    staying("sudoku/paper-4x4", note)


def test_a_key_that_means_nothing_is_answered() -> None:
    async def mistype(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("k")
        assert app.sitting.message == "`k` does nothing now: the keys are in the list"
        await pilot.press("up")
        assert app.sitting.message == "" and app.sitting.session.turn == 1

    staying("sokoban/first", mistype)


@pytest.mark.parametrize("size", [(40, 12), (79, 24), (120, 14)])
def test_the_board_is_seen_on_a_small_screen(size: tuple[int, int]) -> None:
    async def look(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        board, panel = app.query_one("#board-area").region, app.query_one("#panel").region
        assert board.width >= 12 and board.height >= 7, "a board of 5 by 6 with its numbers"
        assert panel.y >= board.bottom and 1 <= panel.height <= 4
        assert "turn 0/" in shown(app) and "Goal" not in shown(app)
        await pilot.press("h")
        await pilot.pause()
        assert "Goal" in shown(app) and "back to the board" in shown(app)
        assert not app.query_one("#board-area").display or app.query_one("#board-area").region.height == 0
        await pilot.press("h", "k")
        assert "h shows the keys" in shown(app)

    staying("sokoban/first", look, size=size)


def test_without_colour_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR what is shown has the same characters, and no colours."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def look(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert app.no_color and "██" in shown(app, "#board")
        strips = [
            segment.style for line in range(8) for segment in app.screen._compositor.render_strips()[line]
        ]
        colours = [style.color for style in strips if style is not None and style.color is not None]
        assert all(one.triplet is None or len(set(one.triplet)) == 1 for one in colours), "greys only"

    staying("sokoban/first", look)
