"""Rules that are nearly right are kept, and a pass comes after them, or one of theirs is learned anew."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, in_a_row
from ggp.learn.probe.around_wrong import around_wrong
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.in_parts.mended import learn_mended
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.model import OFFSETS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

GAME = """
name = "gates"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid" }
shut = { layer = "solid" }
open = { layer = "floor" }
[classes]
blocker = ["wall", "crate", "shut"]
solid = ["wall", "crate", "player", "shut"]
[symbols]
"." = ""
"#" = "wall"
"o" = "crate"
"@" = "player"
"g" = "shut"
"-" = "open"
[input]
moves = ["up", "right", "down", "left"]
"""
PUSH = """
push: player here, crate ahead, no blocker ahead.ahead => crate ahead -> ahead.ahead, player here -> ahead
step: player here, no blocker ahead => player here -> ahead
"""
OPENS = "opens: shut here, crate left => remove shut here, add open here"
BOARD = """
@.o.g.#
..o...g
.o..o..
#..g.o.
.o..o.g
g....o.
"""


@cache
def played(*passes: str) -> tuple[list[Turn], Structure]:
    """Turns of a game of some passes, from boards that are made."""
    listed = "\n".join(f"[[turn]]\nrules = '''\n{rules.strip()}\n'''" for rules in passes)
    end = f"[goal]\nwin = ['count player = 0']\n[[level]]\nhorizon = 9\nmap = '''{BOARD}'''"
    world = DescribedWorld(*read_game(f"{GAME}{listed}\n{end}\n".encode(), "gates.toml"))
    turns = list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), 60)))))
    return turns, structure_of(turns)


def nearly(turns: list[Turn], structure: Structure) -> Program:
    """Rules of the turns in which no gate opens."""
    few = [one for one in turns if number("shut", one.before) == number("shut", one.after)]
    return learn_pass(few, structure)


def number(name: str, board: object) -> int:
    """How many of a thing are on a board."""
    return sum(name in stack for stack in board.cells)  # type: ignore[attr-defined]


def test_rules_that_lack_what_comes_after_them_are_kept() -> None:
    turns, structure = played(PUSH, OPENS)
    rules = nearly(turns, structure)
    assert any(map(rules.wrong, turns))
    passes = learn_mended(turns, rules)
    assert isinstance(passes, Passes) and passes.programs[0] == rules
    assert not any(map(passes.wrong, turns))


@pytest.mark.parametrize("which", ["last anew", "one more"])
def test_what_is_gone_after_rules_is_gone_after_mended_ones(which: str) -> None:
    """The first pass leaves a mark on who pushes, which none of the passes takes away."""
    turns, structure = played(PUSH, OPENS)
    known = replace(structure, tokens=(*structure.tokens, "call"))
    step = nearly(turns, structure)
    view = View(Frame("none"), known)
    called = Decisions(((0, 0),), (Decision((), (Change("+", (0, 0), Seen("call")),)),), 1.0)
    calls = Program(known, (Part("player", view, called),))
    last = (Program(known, ()),) if which == "last anew" else ()
    rules = Passes(known, (step, calls, *last), frozenset({"call"}))
    passes = learn_mended(turns, rules)
    assert isinstance(passes, Passes) and passes.passing == {"call"}
    assert not any(map(passes.wrong, turns))


def test_a_last_pass_that_is_wrong_is_learned_anew() -> None:
    turns, structure = played(PUSH, OPENS)
    rules = nearly(turns, structure)
    right = learn_mended(turns, rules)
    assert isinstance(right, Passes)
    idle = in_a_row(structure, (rules, Program(structure, ())))
    passes = learn_mended(turns, idle)
    assert isinstance(passes, Passes) and len(passes.programs) == 2
    assert not any(map(passes.wrong, turns))


def test_rules_that_say_hardly_any_turn_are_not_mended() -> None:
    turns, structure = played(PUSH, OPENS)
    with pytest.raises(NotLearned):
        learn_mended([one for one in turns if one.before != one.after], Program(structure, ()))


def test_turns_like_a_wrong_one_have_one_cell_otherwise_near_it_or_are_turned() -> None:
    turns, structure = played(PUSH, OPENS)
    rules = nearly(turns, structure)
    (first, *_) = wrong = [one for one in turns if rules.wrong(one)]
    asked = around_wrong(rules, wrong[:1], turns)
    assert asked and not {(one.before, one.word) for one in turns} & set(asked)
    said = rules.after(first.before, first.word)
    changed = {
        cell for end in (first.after, said) if end for _, cell, _ in changes_of(first._replace(after=end))
    }
    beside = {(row + down, column + right) for row, column in changed for down, right in OFFSETS.values()}
    for board, word in asked:
        if board.height == first.before.height and word == first.word:
            differ = [cell for _, cell, _ in changes_of(first._replace(after=board))]
            assert len(set(differ)) != 1 or {*differ} <= changed | beside
    assert any(word != first.word and board == first.before for board, word in asked)
