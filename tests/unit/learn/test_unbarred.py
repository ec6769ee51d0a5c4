"""What flies goes on wherever that leads, and is sent back or gone there; the rest tells what was done."""

from __future__ import annotations

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.actors import actors_of
from ggp.learn.turn.evidence.fliers import fleeting, fliers
from ggp.learn.turn.in_parts.acted import notions
from ggp.learn.turn.in_parts.heeded import learn_unless_stopped, stopped
from ggp.learn.turn.in_parts.unbarred import learn_unbarred
from tests.slow import slow_unless
from tests.vgdl_flying import PIER, QUAY, played

# Who has no key has none in hand, bats turn round at walls, a shot flies, a stroke is gone by the next turn.
BATS = """
BasicGame
    SpriteSet
        wall > Immovable
        key > Immovable
        blow > Flicker limit=1 singleton=True
        bat > Missile orientation=DOWN speed=1
        avatar > ShootAvatar stype=blow
            bare > color=WHITE
            held > color=BLUE
    LevelMapping
        k > key
        m > bat
        A > bare
    InteractionSet
        avatar wall > stepBack
        bat wall > reverseDirection
        bat wall > stepBack
        bat blow > killSprite
        avatar bat > killSprite
        bare key > transformTo stype=held
        key avatar > killSprite
    TerminationSet
        SpriteCounter stype=bat limit=0 win=True
"""
CAVE = "wwwwww\nwA.m.w\nw....w\nw.w.kw\nw.m..w\nwwwwww\n"
RANGE = """
BasicGame
    SpriteSet
        wall > Immovable
        imp > Immovable
        shot > Missile orientation=UP speed=1 singleton=True
        cart > Missile orientation=RIGHT speed=1
        avatar > FlakAvatar stype=shot
    LevelMapping
        i > imp
        c > cart
    InteractionSet
        avatar wall > stepBack
        cart wall > reverseDirection
        cart wall > stepBack
        shot wall > killSprite
        imp shot > killSprite
        cart shot > killSprite
    TerminationSet
        SpriteCounter stype=imp limit=0 win=True
"""
YARD = "wwwwww\nw.c..w\nw.i.iw\nw....w\nw.A..w\nwwwwww\n"


@pytest.mark.parametrize(
    ("game", "level", "runs"),
    slow_unless([(BATS, CAVE, 20)], [(RANGE, YARD, 30), (BATS, CAVE, 20)]),
    ids=["range", "bats"],
)
def test_what_goes_by_itself_first_then_what_is_done_then_what_meets(
    game: str, level: str, runs: int
) -> None:
    turns = played(game, level, 0, runs)
    learned = learn_unbarred(turns, structure_of(turns))
    assert len(learned.programs) == 4
    fresh = played(game, level, 1, 12)
    assert {*fresh} - {*turns} and sum(map(learned.wrong, fresh)) <= 1  # what was not seen by then


def test_what_is_pushed_may_be_gone_and_a_push_that_is_taken_back_stops_all() -> None:
    turns = played(QUAY, PIER, 0, 45)
    structure = structure_of(turns)
    assert any(stopped(turns, structure, "avatar"))
    with pytest.raises(NotLearned):
        learn_unbarred(turns, structure, (16.0,))
    learned = learn_unless_stopped(turns, structure, (16.0,))
    fresh = played(QUAY, PIER, 1, 12)
    assert {*fresh} - {*turns} and sum(map(learned.wrong, fresh)) <= 1
    for seen in (turns, [turn for turn in turns if turn.before != turn.after]):
        assert next(notions(seen, structure, ("avatar",))).pushed == {"box"}


def test_who_flies_and_who_acts_and_what_never_stays() -> None:
    turns = played(BATS, CAVE, 0, 60)
    structure = structure_of(turns)
    actors = actors_of(turns, structure)
    assert actors == ("bare", "held")
    assert fliers(turns, structure, actors) == {"bat:down": "down", "bat:up": "up"}
    still = [turn for turn in turns if turn.word != "space"]
    assert fleeting(still, structure, (*actors, "bat")) == ("blow",)


def test_where_nothing_goes_by_itself_it_is_not_asked() -> None:
    row = [
        Board(1, 3, tuple(frozenset({"man"} if at == cell else ()) for at in range(3))) for cell in range(3)
    ]
    turns = [Turn(row[0], "right", row[1]), Turn(row[1], "right", row[2]), Turn(row[2], "right", row[2])]
    with pytest.raises(NotLearned):
        learn_unbarred(turns, structure_of(turns))


def test_what_stays_at_a_wall_for_good_flies_all_the_same() -> None:
    game = QUAY.replace("        cart wall > reverseDirection\n", "")
    assert game != QUAY
    turns = played(game, "wwwwww\nwA...w\nw....w\nwc...w\nwwwwww\n", 0, 60)
    structure = structure_of(turns)
    there = [[{"cart:right"} <= stack for stack in board.cells] for turn in turns for board in turn[::2]]
    stays = sum(before == after for before, after in zip(there[::2], there[1::2], strict=True))
    assert stays > len(turns) / 2
    assert fliers(turns, structure, ("avatar",)) == {"cart:right": "right"}
