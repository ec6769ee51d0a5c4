"""A whole turn is taken back where two have met that may not, anywhere on the board."""

from __future__ import annotations

from itertools import chain

from ggp.learn.boards import Board
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.pruned import without_idle_decisions
from ggp.learn.turn.in_parts.undone import learn_undone
from tests.vgdl_flying import PIER, QUAY, played

# A cart that comes to a box takes back the turn as well, so that it stands before it for ever.
POND = QUAY.replace("box box > undoAll", "box box > undoAll\n        box cart > undoAll")
SHORE = "wwwwwww\nw.....w\nwb..A.w\nw...b.w\nw.c...w\nwwwwwww\n"


def test_a_push_against_a_wall_or_a_like_takes_back_what_flew() -> None:
    turns = played(QUAY, PIER, 0, 40)
    learned = learn_undone(turns, structure_of(turns), (16.0,))
    fresh = played(QUAY, PIER, 1, 30)
    assert {*fresh} - {*turns} and not any(map(learned.wrong, fresh))
    # The step, and three sorts of meeting: nothing of what puts all back is paid for.
    assert learned.cost < 10


def test_so_does_what_flies_into_something_by_itself() -> None:
    turns = played(POND, SHORE, 0, 40)
    learned = learn_undone(turns, structure_of(turns), (16.0,))
    fresh = played(POND, SHORE, 1, 30)
    assert {*fresh} - {*turns} and not any(map(learned.wrong, fresh))


def test_what_puts_all_back_stays_whole_where_no_turn_needs_it_all() -> None:
    turns = played(QUAY, PIER, 0, 40)
    learned = learn_undone(turns, structure_of(turns), (16.0,))
    told = [part for part in learned.parts if part.entire]
    few = [turn for turn in turns if turn.before != turn.after]
    assert [part for part in without_idle_decisions(learned, few).parts if part.entire] == told
    # A hole that is filled is there again as well, though nobody saw that.
    kept = set(chain.from_iterable(one.outcome for part in told for one in part.decisions.decisions))
    assert {change.thing.name for change in kept if change.sign == "+"} >= {"box", "avatar", "cart"}


def test_marks_are_gone_at_the_end_of_a_turn() -> None:
    turns = played(QUAY, PIER, 0, 40)
    structure = structure_of(turns)
    learned = learn_undone(turns, structure, (16.0,))
    board: Board | None = turns[0].before
    assert board is not None
    for turn in turns[:50]:
        after = learned.after(turn.before, turn.word)
        assert after is not None and {*chain(*after.cells)} <= {*structure.tokens}
