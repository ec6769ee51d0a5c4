"""Several who slide, as `--to gvgai` has written them, come in again and play as the level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ggp.analysis.random_walk import referee
from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.play import play_at_random
from ggp.exporters.vgdl.sheet import Layout
from ggp.importers.vgdl import Look, look
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.language import levels
from ggp.model import Cell, Instance, Piece
from ggp.model.board import Action
from ggp.referee.semantics import initial_state, is_goal, is_lost
from tests.slow import slow_unless
from tests.vgdl_beside import KEYS, ours

WORDS = {key: word for word, key in KEYS.items()}


class ComeIn:
    """A level as it has come in, played as an engine plays its text."""

    def __init__(self, found: Look) -> None:
        self.found = found
        self.instance = Instance(found.game, found.levels[0])
        self.state = initial_state(self.instance)

    @property
    def lost(self) -> bool:
        """Is it lost?"""
        assert not any(Piece(IMPOSSIBLE) in here for here in self.state.board)
        return is_lost(self.instance, self.state)

    @property
    def won(self) -> bool:
        """Is it won?"""
        return not self.lost and is_goal(self.instance, self.state)

    @property
    def ended(self) -> bool:
        """Is it over?"""
        return self.lost or self.won

    def tick(self, key: str = "noop") -> None:
        """A tick with this key."""
        self.state = referee(self.instance).step(self.instance, self.state, Action(WORDS[key]))

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites stand."""
        board = ours(self.found, self.instance, self.state)
        return {key: cells for key, cells in board.items() if keys is None or key in keys}


def read_again(made: Layout, folder: Path) -> Look:
    """The two files of a text, read by the importer."""
    for name, text in gvgai.files(made.text, "again.txt").items():
        (folder / name).write_text(text, encoding="utf-8")
    return look((folder / "again.txt").read_bytes(), str(folder / "again.txt"))


# All three may come to one cell, and what has come in stops where a third of a kind would stand in one.
CASES = [("two", 5, 4), ("two", 10, 300), ("three", None, 4)]


@pytest.mark.parametrize(("name", "horizon", "turns"), slow_unless(CASES[:1], CASES))
def test_it_plays_as_the_level(name: str, horizon: int | None, turns: int, tmp_path: Path) -> None:
    one = levels.load(f"polar-slide/{name}")
    one = replace(one, level=replace(one.level, horizon=horizon or one.level.horizon))
    made = gvgai.written(one)
    assert made is not None
    found = read_again(made, tmp_path)
    outcome = play_at_random(one, made, made.text, lambda game, level: ComeIn(found), turns)
    assert not outcome.difference and outcome.turns >= turns
