"""A theory is held against fresh turns in the engine, and its description against the same ones then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ggp.harness.from_play import Watched, taken
from ggp.learn.boards import Board, Episode
from ggp.learn.fit.toil import account
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned
from ggp.model import Goal
from ggp.watch.by_theory import hold_theory
from ggp.watch.foresight import Foreseen, Foresight
from ggp.watch.tally import Tally
from ggp.watch.theory.learning import theory_first
from ggp.watch.theory.vgdl.written import Told
from ggp.watch.vgdl import VgdlWorld

ROOM = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        gem > Immovable
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        gem avatar > killSprite
    LevelMapping
        g > gem
    TerminationSet
        SpriteCounter stype=gem limit=0 win=True
---
wwwww
wA gw
wg  w
wwwww
"""
TURNS = 120


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """Play of the room."""
    path = tmp_path_factory.mktemp("world") / "room.txt"
    path.write_text(ROOM, encoding="utf-8")
    return taken(VgdlWorld(path), 30)


@pytest.fixture(scope="module")
def learned(play: Watched) -> Learned:
    """Its theory."""
    with account(3e6):
        return theory_first("vgdl", lambda *_: pytest.fail("a theory was to be found"))(
            play.episodes, "room", Ways()
        )


def held(learned: Learned, play: Watched) -> Tally:
    """How what was learned stands fresh turns."""
    assert learned.theory is not None and play.fresh is not None
    return hold_theory(learned, learned.theory, play.episodes, play.fresh, TURNS, Tally())


def test_who_is_right_is_asked_twice(learned: Learned, play: Watched) -> None:
    tally = held(learned, play)
    assert tally.turns.total() > 20
    assert not tally.wrong.total() and not tally.flags_wrong and not tally.against
    assert tally.flags


def test_a_description_that_says_otherwise_than_its_theory_is_found(learned: Learned, play: Watched) -> None:
    nothing_turns = replace(learned, game=replace(learned.game, turn=()))
    assert held(nothing_turns, play).wrong.total()


def test_the_referee_is_not_asked_where_the_theory_is_wrong(
    learned: Learned, play: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def after(told: Told, board: Board, word: str | None) -> Board:
        return board

    def of(foresight: Foresight, episode: Episode) -> Iterator[Foreseen]:
        pytest.fail("the description was asked")

    monkeypatch.setattr(Told, "after", after)
    monkeypatch.setattr(Foresight, "of", of)
    tally = held(learned, play)
    assert tally.wrong.total() and tally.against and tally.first is not None


def test_a_goal_that_is_wrong_is_found_in_the_engine(
    learned: Learned, play: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(foresight: Foresight, episode: Episode) -> Iterator[Foreseen]:
        pytest.fail("the description was asked")

    monkeypatch.setattr(Foresight, "of", of)
    never = replace(learned, game=replace(learned.game, goal=Goal(learned.game.goal.lose, "any-turn")))
    tally = held(never, play)
    assert tally.flags_wrong and not tally.wrong.total()
