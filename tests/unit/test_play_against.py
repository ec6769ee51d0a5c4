"""Playing against somebody in the terminal: whose turn it is, what they answer, undoing, and how it ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from ggp.cli import main
from ggp.cli.play import sitting_opposite
from ggp.cli.play.app import PlayApp
from ggp.errors import PuzzleError
from ggp.language.levels import load
from ggp.model import Plan
from ggp.players.opponents import Opponents, seated
from ggp.referee.session import Session
from ggp.referee.trajectory import write_plan


def panel(app: PlayApp) -> str:
    return str(app.query_one("#panel", Static).content)


async def answered(app: PlayApp, pilot: Pilot[None], turn: int) -> None:
    """Wait until so many turns are made."""
    for _ in range(200):
        if app.sitting.session.turn >= turn:
            return
        await pilot.pause(0.05)
    raise AssertionError(f"no answer: {panel(app)}")


def test_an_opponent_answers_and_undo_goes_back_to_ones_own_turn() -> None:
    instance = load("tic-tac-toe/empty")

    async def run() -> None:
        with sitting_opposite(instance, None, ("exact",), 10, 0) as opponents:
            app = PlayApp(Session(instance), opponents=opponents)
            async with app.run_test(size=(100, 40)) as pilot:
                assert "x to move: you" in panel(app)
                await pilot.press("enter")
                await answered(app, pilot, 2)
                assert app.sitting.session.now.actions[1] == "pick(1,1)", "else it would lose"
                assert "x to move: you" in panel(app)
                await pilot.press("u")
                assert app.sitting.session.turn == 0

    asyncio.run(run())


def test_while_another_thinks_the_cursor_moves_and_a_small_screen_says_who(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance, go = load("tic-tac-toe/empty"), threading.Event()

    async def run() -> None:
        with sitting_opposite(instance, None, ("exact",), 10, 0) as opponents:
            assert opponents is not None
            answer = opponents.answer
            monkeypatch.setattr(opponents, "answer", lambda *told: (go.wait(60), answer(*told))[1])
            app = PlayApp(Session(instance), opponents=opponents)
            async with app.run_test(size=(40, 12)) as pilot:
                assert "x to move: you" in panel(app)
                await pilot.press("enter", "right", "enter")
                assert "o to move: exact, thinking" in panel(app) and "it is not your turn" in panel(app)
                assert app.sitting.session.turn == 1 and app.sitting.cursor == (0, 1)
                go.set()
                await answered(app, pilot, 2)

    asyncio.run(run())


def test_as_the_second_player_one_waits_and_sees_who_has_won() -> None:
    instance = load("tic-tac-toe/fork")

    async def run() -> None:
        with sitting_opposite(instance, "o", ("exact",), 10, 0) as opponents:
            app = PlayApp(Session(instance), opponents=opponents)
            async with app.run_test(size=(100, 40)) as pilot:
                for turn in (1, 3, 5):
                    await answered(app, pilot, turn)
                    if app.sitting.session.status().outcome != "open":
                        break
                    legal = app.sitting.session.legal_actions()
                    app.attempt(lambda word=legal[-1]: app.sitting.session.act(word))
                assert app.sitting.session.status().reason.startswith("x wins")
                assert " LOST " in panel(app) and "thinking" not in panel(app)

    asyncio.run(run())


def test_both_sides_may_be_played_by_hand() -> None:
    async def run() -> None:
        app = PlayApp(Session(load("nim/three")))
        async with app.run_test(size=(100, 40)) as pilot:
            assert "first to move\n" in panel(app) and "whoever makes the turn wins by" in panel(app)
            await pilot.press("enter")
            assert "second to move\n" in panel(app)
            for cell in ("down", "enter", "down", "enter"):
                await pilot.press(cell)
            assert " WON " in panel(app) and "first wins at turn 3" in panel(app)

    asyncio.run(run())


def test_a_draw_is_shown() -> None:
    session = Session(load("tic-tac-toe/empty"))
    session.load(load("tic-tac-toe/empty").level.known.loses[0])

    async def run() -> None:
        app = PlayApp(session)
        async with app.run_test(size=(100, 40)):
            assert " DRAWN " in panel(app) and "a draw" in panel(app)

    asyncio.run(run())


def test_an_opponent_who_fails_leaves_its_turn_to_the_player() -> None:
    instance = load("tic-tac-toe/empty")

    async def run() -> None:
        with sitting_opposite(instance, None, ("exact",), 10, 0) as opponents:
            assert opponents is not None
            app = PlayApp(Session(instance), opponents=opponents)
            async with app.run_test(size=(100, 40)) as pilot:
                child = opponents.seats[1].child
                assert child is not None
                os.kill(child.process.pid, signal.SIGKILL)
                await pilot.press("enter")
                for _ in range(100):
                    if app.sitting.message:
                        break
                    await pilot.pause(0.05)
                assert "gives no answer" in panel(app)
                await pilot.press("right", "enter")
                assert app.sitting.session.turn == 2

    asyncio.run(run())


@pytest.mark.parametrize(
    ("own", "against", "told"),
    [
        ("z", ("random",), "no player 'z'"),
        (None, ("random", "mcts"), "1 other places, and 2 opponents"),
    ],
)
def test_who_cannot_sit_there(own: str | None, against: tuple[str, ...], told: str) -> None:
    with pytest.raises(PuzzleError, match=told):
        seated(load("tic-tac-toe/empty"), own, against)


def test_opponents_who_do_not_play_such_games() -> None:
    with pytest.raises(PuzzleError, match="plays alone"):
        Opponents(load("tic-tac-toe/empty"), {1: "q-learning"})
    with pytest.raises(PuzzleError, match="nobody to play against"):
        Opponents(load("sokoban/first"), {1: "random"})


def test_replay_says_who_has_won(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance = load("tic-tac-toe/empty")
    won, drawn = instance.level.known.wins[0], instance.level.known.loses[0]
    for plan, status in ((won, 0), (drawn, 1), (Plan(), 1)):
        write_plan(tmp_path / "plan.json", instance, plan)
        with pytest.raises(SystemExit) as end:
            main(["replay", instance.name, str(tmp_path / "plan.json"), "--json"])
        assert end.value.code == status
        told = json.loads(capsys.readouterr().out)
        gets = {won: {"x": 1.0, "o": -1.0}, drawn: {"x": 0.0, "o": 0.0}}.get(plan)
        assert told.get("utilities") == gets
    write_plan(tmp_path / "plan.json", instance, won)
    with pytest.raises(SystemExit):
        main(["replay", instance.name, str(tmp_path / "plan.json")])
    assert capsys.readouterr().out == "over: x wins at turn 5\n"
    with pytest.raises(SystemExit) as end:
        main(["replay", "nim/three", "--inputs", "pick(2,0) pick(1,0) pick(0,0)"])
    assert end.value.code == 0 and "first wins" in capsys.readouterr().out


def test_where_all_move_at_the_same_time_each_chooses_and_nothing_is_shown_before() -> None:
    async def run() -> None:
        app = PlayApp(Session(load("riders/small")))
        async with app.run_test(size=(100, 40)) as pilot:
            assert "red chooses" in panel(app)
            await pilot.press("right")
            assert "blue chooses" in panel(app) and app.sitting.session.turn == 0
            await pilot.press("u", "right")
            assert "blue chooses" in panel(app), "what was chosen can be taken back"
            await pilot.press("left")
            assert app.sitting.session.now.actions == ("right+left",) and "red chooses" in panel(app)

    asyncio.run(run())


def test_an_opponent_chooses_without_knowing_what_one_has_chosen() -> None:
    instance = load("riders/small")

    async def run() -> None:
        with sitting_opposite(instance, "blue", ("exact",), 10, 0) as opponents:
            app = PlayApp(Session(instance), opponents=opponents)
            async with app.run_test(size=(100, 40)) as pilot:
                assert "blue chooses" in panel(app)
                await pilot.press("right")
                await answered(app, pilot, 1)
                assert app.sitting.session.now.actions[0].endswith("+right")
                assert " LOST " in panel(app) and "red wins" in app.sitting.session.status().reason

    asyncio.run(run())
