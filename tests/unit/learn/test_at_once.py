"""Loops that have nothing to do after their first time are plain passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.crowd.pruned import without_idle_loops
from ggp.learn.turn.one_pass.events import learn_pass

SIDE = 3
STACKS = (Stack(), Stack({"box"}), Stack({"hole"}), Stack({"box", "hole"}))
Row = tuple[Stack, ...]


def learned(rule: Callable[[Row], Row]) -> tuple[list[Turn], Program]:
    """All turns on boards of one row, and the pass that says them."""
    rows = list(product(STACKS, repeat=SIDE))
    turns = [Turn(Board(1, SIDE, row), None, Board(1, SIDE, rule(row))) for row in rows]
    return turns, learn_pass(turns, structure_of(turns))


def test_what_takes_all_at_once_is_no_loop() -> None:
    turns, program = learned(lambda row: tuple(Stack() if len(stack) > 1 else stack for stack in row))
    looped = Passes(program.structure, (replace(program, loop=True),))
    assert not any(map(looped.wrong, turns))
    assert without_idle_loops(looped) == Passes(program.structure, (program,))


def test_what_waits_for_others_to_go_is_a_loop() -> None:
    """The last box of a row goes first, then the one before it."""

    def rule(row: Row) -> Row:
        beside = (*row[1:], Stack())
        return tuple(
            stack - {"box"} if "box" not in right else stack for stack, right in zip(row, beside, strict=True)
        )

    _, program = learned(rule)
    looped = Passes(program.structure, (replace(program, loop=True),))
    assert without_idle_loops(looped) == looped


def test_what_comes_may_go_on() -> None:
    """What is taken is thrown to the next cell, where there may be a hole, too."""
    _, program = learned(lambda row: tuple(Stack() if len(stack) > 1 else stack for stack in row))
    (part,) = program.parts
    (one,) = part.decisions.decisions
    thrown = one._replace(outcome=(*one.outcome, Change("+", (0, 1), Seen("box"))))
    throwing = replace(part, decisions=replace(part.decisions, decisions=(thrown,)))
    looped = Passes(program.structure, (replace(program, parts=(throwing,), loop=True),))
    assert without_idle_loops(looped) == looped
