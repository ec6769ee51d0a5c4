"""Marks that go along a line are told without rounds, and what comes of it is the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import ggp
from ggp.encoding.layers import Layers
from ggp.engines.sat.looking import Looking, opened
from ggp.engines.sat.memory import Memory
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Bits
from ggp.transition.chains import Chain, chain_of
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards
from ggp.transition.program import Change, CompiledRule, Loop, Pass, Program, Transition, given
from ggp.transition.scanned import cut_passes
from tests.puzzlescript_games import PUSH, instance
from tests.slow import one_in

CHAIN = f"{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]"
TAKEN = f"{CHAIN}\n[ > Player | Ball ] -> [ > Player | > Ball ]\nlate [ Ball Mark ] -> [ Mark ]"
BOTH = f"{PUSH}\n[ > Thing | Thing ] -> [ > Thing | > Thing ]\n[ > Player | Ball ] -> [ > Player | > Ball ]"
LEFT = f"{CHAIN}\n[ > Crate | Ball ] -> [ > Crate | Mark ]\nlate [ Crate Mark ] -> [ Mark ]"
GAMES = {"chain": CHAIN, "taken": TAKEN, "both": BOTH, "left": LEFT}
WORDS = ("up", "right", "down", "left")


def drawn(rules: str, seed: int, pieces: str = "ppmo***bb.....") -> Instance:
    """A random level of such a game."""
    rng = Random(seed)
    inside = [rng.choice(pieces) for _ in range(15)]
    inside[rng.randrange(15)] = "p"
    rows = ["#######"] + [f"#{''.join(inside[row : row + 5])}#" for row in (0, 5, 10)] + ["#######"]
    return cut_passes(instance(rules, "/".join(rows), wins="all Target on Ball")).instance


def found(program: Program, transition: Transition) -> list[Chain]:
    """The chains of a program, for one input."""
    here = (chain_of(step, transition) for step in given(program, frozenset({"up"})))
    return [chain for chain in here if chain is not None]


class Told:
    """A turn of any board, as clauses, of which is asked what comes after a board."""

    def __init__(self, one: Instance) -> None:
        self.layers = Layers(one, compile_instance(one), lambda: None)
        self.layers.grow()
        added = self.layers.added()._asdict() | {"clauses": []}  # of any board, not of the first
        self.memory = Memory(Looking(opened("cadical153", [])))
        self.memory.take(added)
        self.bits = Bits(compile_instance(one))

    def after(self, boards: Boards, word: str) -> set[tuple[int, int]] | None:
        """The places that vary and are taken after a turn; None where there is no next board."""
        turn, width = self.layers.one, self.bits.transition.width
        assumed = [
            number if boards[plane] & self.bits.bit(*divmod(cell, width)) else -number
            for (plane, cell), number in turn.places.items()
        ]
        assumed += [number for number, action in turn.inputs().items() if action == word]
        ones = self.memory.answer(assumed).get("ones")
        return None if ones is None else self.taken(set(ones))

    def taken(self, ones: set[int]) -> set[tuple[int, int]]:
        """The places that are taken after the turn."""
        turn = self.layers.one
        return {place for place, number in turn.places.items() if number + turn.width in ones}

    def standing(self, boards: Boards) -> set[tuple[int, int]]:
        """The places that vary and are taken on a board."""
        width = self.bits.transition.width
        bits = [self.bits.bit(*divmod(cell, width)) for _, cell in self.layers.one.places]
        places = zip(self.layers.one.places, bits, strict=True)
        return {place for place, bit in places if boards[place[0]] & bit}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_each_turn_of_a_run_is_that_of_the_rules(game: str, seed: int) -> None:
    assert differ(GAMES[game], seed, 8) == []


def differ(rules: str, seed: int, turns: int) -> list[str]:
    """The inputs of a random run after which the clauses have another board than the rules."""
    one = drawn(rules, seed)
    told, rng, wrong = Told(one), Random(seed), list[str]()
    boards = told.bits.pack(initial_state(one))
    for _ in range(turns):
        word = rng.choice(WORDS)
        after = told.bits.step(boards, frozenset({word}))
        if told.after(boards, word) != told.standing(after):
            wrong.append(word)
        boards = after
    return wrong


def test_pushes_are_chains() -> None:
    """One loop hands the mark on, another lets what is marked step ahead."""
    transition = compile_instance(drawn(CHAIN, 0))
    handed, stepped = found(transition.turn, transition)
    assert handed.marker == stepped.marker and handed.step == stepped.step
    assert not handed.blockers and stepped.movers < stepped.blockers


def test_where_marks_may_be_left_behind_what_steps_is_no_chain() -> None:
    """A pass that takes crates away, and leaves their marks: a piece that comes there would go on."""
    transition = compile_instance(drawn(CHAIN, 0))
    crate = next(number for number, piece in enumerate(transition.planes) if piece.kind == "crate")
    gone = CompiledRule("gone", None, (), (), (Change(crate, (0, 0), None, (0, 0), True),))
    left = replace(transition, turn=(Pass("gone", ((crate, (gone,)),)), *transition.turn))
    assert [bool(chain.blockers) for chain in found(left.turn, left)] == [False]


def test_no_chain_is_as_long_as_a_loop_may_not_be() -> None:
    transition = compile_instance(drawn(CHAIN, 0))
    loops = [step for step in transition.turn if isinstance(step, Loop)]
    short = given(tuple(replace(loop, bound=6) for loop in loops), frozenset({"up"}))
    assert loops and not any(chain_of(step, transition) for step in short)


STEPS = """name = "steps"

[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid" }
go = { layer = "LAYER", marker = true }

[symbols]
"#" = "wall"
"*" = "crate"
"@" = "player"
"." = ""

[input]
moves = ["up", "right", "down", "left"]

[[turn]]
rules = "mark toward input: player here, crate ahead => add go ahead"

[[turn]]
until = "stable"
bound = "longest"
rules = "on toward input: RULE"

[goal]
win = ["WIN"]

[[level]]
horizon = 3
map = "@*#."
"""


@pytest.mark.parametrize(
    "layer,rule,win",
    [
        # A step onto the wall, which is not asked for, is a fault of the rules.
        ("go", "go here, no crate ahead => crate here -> ahead, remove go here", "some crate on wall"),
        # So is a mark that is put onto a piece of its own layer.
        ("solid", "go here, no go ahead => add go ahead", "count crate = 0"),
    ],
)
def test_what_is_a_fault_in_the_rules_is_no_chain(layer: str, rule: str, win: str) -> None:
    text = STEPS.replace("LAYER", layer).replace("RULE", rule).replace("WIN", win)
    game, (level,) = read_game(text.encode(), "steps.toml")
    one = Instance(game, level)
    transition = compile_instance(one)
    assert not found(transition.turn, transition)
    assert ggp.solve(one, "sat", encoding="layers").stop in ("horizon-exhausted", "unsolvable")
