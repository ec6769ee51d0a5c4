"""The arena: a player that raises, hangs, cheats or dies loses its game, and nothing else happens."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ggp.cli import main
from ggp.errors import PuzzleError, UnknownName
from ggp.language.levels import load
from ggp.players.arena import Arena
from ggp.players.standing import Standing

HEAD = '''"""A player of a test."""
NAME, KNOWS = "{name}", "play"
def available():
    return None
class Odd:
    games = 0
    def choose(self, view):
        {choose}
    def ended(self, outcome):
        self.games += 1
def player(table):
    return Odd()
'''
ODD = {
    "raises": ("raise ValueError('no idea')", "ValueError: no idea"),
    "hangs": ("import time; time.sleep(600)", "no answer within"),
    "cheats": ("return -1", "-1, which is not allowed"),
    "babbles": ("print('{}'); return 'up'", "which is not allowed"),
    "dies": ("import os; os._exit(3)", "status 3"),
    "alters": (
        "view.position.__class__; import ggp.players.run as w; w.Run.act = None; return view.legal[0]",
        "",
    ),
}


@pytest.fixture
def odd_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players in a folder of GGP_PATH."""
    from ggp import registry

    folder = tmp_path / "players"
    folder.mkdir()
    for name, (choose, _) in ODD.items():
        (folder / f"{name}.py").write_text(HEAD.replace("{name}", name).replace("{choose}", choose))
    monkeypatch.setenv("GGP_PATH", str(tmp_path))
    for table in ("PLAYERS", "TABLES", "ORIGINS"):
        monkeypatch.delitem(vars(registry), table, raising=False)
    registry.load("player", "null")
    yield
    for table in ("GAMES", "EXPORTERS", "SOLVERS", "LEARNERS", "PLAYERS", "GOALS", "TABLES", "ORIGINS"):
        vars(registry).pop(table, None)


@pytest.mark.usefixtures("odd_players")
def test_whoever_plays_foul_loses_that_game_and_nothing_else() -> None:
    arena = Arena(games=1, playouts=50, patience=4.0)
    rows = {row.player: row for row in arena.play([load("sokoban/first")], [*ODD, "best-first"])}
    for name, (_, reason) in ODD.items():
        assert rows[name].outcomes == ["lost"], name
        assert rows[name].faults == bool(reason) and reason in rows[name].fault, rows[name]
    assert rows["best-first"].outcomes == ["won"] and not rows["best-first"].faults


def test_the_interval_holds_the_mean_and_narrows() -> None:
    some = Standing("a/b", "p", ["won", "lost"] * 5)
    many = Standing("a/b", "p", ["won", "lost"] * 200)
    for row in (some, many):
        low, high = row.interval()
        assert low < 0 < high
    assert np.ptp(many.interval()) < np.ptp(some.interval()) / 3
    assert Standing("a/b", "p", ["won"] * 4).interval() == (1.0, 1.0)


def test_who_does_not_play_such_levels_is_told_apart_from_who_loses() -> None:
    (row,) = Arena(games=2).play([load("lemmings/pair")], ["learned"])
    assert not row.outcomes and "nothing to learn from" in row.note


@pytest.mark.parametrize(
    ("players", "error"), [([], PuzzleError), (["nobody"], UnknownName), (["solver:nobody"], UnknownName)]
)
def test_players_that_are_none(players: list[str], error: type[PuzzleError]) -> None:
    with pytest.raises(error):
        list(Arena(games=1).play([load("sokoban/first")], players))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    main(["arena", "sokoban/first", "--players", "null", "--games", "2", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["player"], row["games"], row["won"], row["utility"]) == ("null", 2, 0, -1.0)
    with pytest.raises(SystemExit) as end:
        main(["arena", "sokoban/first", "--players", "nul"])
    assert end.value.code == 2 and "no player called" in capsys.readouterr().err
