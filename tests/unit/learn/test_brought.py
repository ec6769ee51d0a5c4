"""Boards are made on which rules bring two into one cell of which nobody saw what comes next."""

from __future__ import annotations

from ggp.learn.boards import Board, Turn
from ggp.learn.probe.brought import brought_together, questioned_there
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import learn_pass

EMPTY: frozenset[str] = frozenset()


def row(text: str) -> Board:
    """A board of one row: a player, crates, lamps."""
    names = {"p": "player", "c": "crate", "l": "lamp", "b": "crate lamp"}
    return Board(1, len(text), tuple(frozenset(names.get(one, "").split()) for one in text))


def turns_of_pushes() -> list[Turn]:
    """A player who pushes a crate to the right; lamps and another crate stand elsewhere."""
    steps = [("pc..llc", ".pc.llc"), (".pc.llc", "..pcllc"), ("p.c.llc", ".pc.llc"), ("pc...ll", ".pc..ll")]
    return [Turn(row(before), "right", row(after)) for before, after in steps]


def test_what_is_brought_to_where_something_stands_is_asked() -> None:
    turns = turns_of_pushes()
    program = learn_pass(turns, structure_of(turns))
    ends = {program.after(*one) for one in brought_together(program, turns)}
    assert any({"crate", "lamp"} <= stack for end in ends if end for stack in end.cells)


def test_what_shared_a_cell_at_the_end_of_a_turn_goes_on() -> None:
    turns = [*turns_of_pushes(), Turn(row(".c.pcll"), "right", row(".c..pbl"))]
    program = learn_pass(turns, structure_of(turns))
    assert (row(".c..pbl"), "right") in brought_together(program, turns)
    since = [Turn(row(".c..pbl"), "right", row(".c..pbl"))]
    asked = questioned_there(program, turns, since)
    assert any(board != since[0].before and "lamp" in board.cells[5] for board, _ in asked)
    assert not questioned_there(program, turns, turns[:4])
    both = [*turns, Turn(row("p.c.bl."), "right", row(".pc.bl."))]
    assert (row(".c..pbl"), "right") not in brought_together(learn_pass(both, structure_of(both)), both)
