"""What is done at once is learned kind by kind, and no way of learning holds up the others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.program import Program
from ggp.learn.fit.toil import account, spend
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn import tries
from ggp.learn.turn import turns as ways
from ggp.learn.turn.one_pass.kinds import answering, followed, learn_kinds, on_its_own
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

LOADED = """
name = "loaded"
[kinds]
wall = { layer = "solid" }
player = { layer = "solid", count = "1" }
key = { layer = "item" }
coin = { layer = "coin" }
held = { layer = "hand" }
purse = { layer = "pocket" }
[symbols]
" " = ""
"#" = "wall"
"@" = "player"
"k" = "key"
"c" = "coin"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = \"\"\"
walk: player here, no wall ahead => player here -> ahead, held here -> ahead, purse here -> ahead
\"\"\"
[[physics]]
rules = \"\"\"
key: key here, player here, no held here => remove key here, add held here
\"\"\"
[[physics]]
rules = \"\"\"
coin: coin here, player here, no purse here => remove coin here, add purse here
\"\"\"
[goal]
win = ["count key = 0"]
[[level]]
horizon = 20
map = \"\"\"
######
#@k c#
# #k #
#c  k#
######
\"\"\"
"""


def played(number: int, seed: int) -> list[Turn]:
    """The different turns of some random runs."""
    world = DescribedWorld(*read_game(LOADED.encode(), "loaded.toml"), go_on=True)
    return list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(seed)), number))))


def test_each_kind_answers_for_itself_and_for_what_it_becomes() -> None:
    turns = played(40, 1)
    structure = structure_of(turns)
    program = learn_kinds(turns, structure)
    subjects = [part.subject for part in program.parts]
    assert set(subjects) == {"player", "key", "coin", "held", "purse"}, "no cell need say what comes to it"
    assert sum(map(program.wrong, fresh := played(20, 2))) <= len(fresh) // 50
    taken = next(turn for turn in turns if ("+", "held", "key") in signs(turn, structure))
    assert ("-", "key", "key") in signs(taken, structure)


def signs(turn: Turn, structure: Structure) -> list[tuple[str, str, str]]:
    """What came and went, and which kind answers for it."""
    return [(sign, token, name) for (sign, _, token), name in answering(turn, structure)]


def test_what_a_kind_does_not_say_itself_comes_of_what_the_others_do() -> None:
    turns = played(30, 2)
    structure = structure_of(turns)
    alone = {
        name: on_its_own(turns, structure, name, 16.0) if name not in ("key", "coin") else None
        for name in ("coin", "held", "key", "player", "purse")
    }
    found = followed(turns, structure, alone, (16.0,))
    assert found is not None and not any(map(found.wrong, turns))
    first, second = ({part.subject for part in one.parts} for one in found.programs)
    assert first == {"player", "held", "purse"} and second <= {"key", "coin", "player"}
    assert sum(map(found.wrong, fresh := played(20, 7))) <= len(fresh) // 50


def test_two_kinds_are_not_told_apart() -> None:
    turns = [
        turn for turn in played(20, 1) if {t for _, t, _ in signs(turn, structure_of([turn]))} <= {"player"}
    ]
    with pytest.raises(NotLearned, match="each kind"):
        learn_kinds(turns, structure_of(turns))


def test_a_way_that_does_not_end_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(turns: Sequence[Turn], structure: Structure) -> Program | None:
        for _ in range(1_000):
            spend(1e6)
        return None

    monkeypatch.setattr(tries, "shorter_apart", endless)
    turns = [
        turn for turn in played(20, 1) if {t for _, t, _ in signs(turn, structure_of([turn]))} <= {"player"}
    ]
    with account() as spent:
        program = ways.learn_ends(turns, structure_of(turns))
    assert not any(map(program.wrong, turns))
    assert spent.work < 5e7, "of 1e9 that it would take to its end"
