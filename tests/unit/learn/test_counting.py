"""What hangs on how many stand around is learned as a number, and said as one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.seen.crowded import Crowd, numbers
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.byitself import one_pass_or_in_order
from ggp.learn.turn.one_pass.counting import learn_counting, telling_numbers
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.whole import learn_whole
from ggp.learn.write.counts import Marked, counting_itself, spelled
from ggp.model import Condition, Effect, Group, Nearby, Pattern, Rule
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import slowly

GAME = """
name = "spores"
[kinds]
wall = {{ layer = "solid" }}
spore = {{ layer = "air" }}
[symbols]
"." = ""
"#" = "wall"
"o" = "spore"
[input]
moves = ["left", "right"]
[[turn]]
rules = '''
{rules}
'''
[goal]
win = ["count spore = 0"]
[[level]]
horizon = 9
map = '''
.oo..#.
o.oo.o.
.#o.o..
oo..oo#
.o.#o..
..oo.o.
'''
"""
LIFE = """
two: spore here, count spore at around = 2 => stay
three: spore here, count spore at around = 3 => stay
die: spore here => remove spore here
born: no spore here, no wall here, count spore at around = 3 => add spore here
"""
LONELY = "lonely: spore here, count spore at beside <= 1 => remove spore here"
CROWDED = "crowded: no spore here, no wall here, count wall at around >= 2 => add spore here"
NEXT = "next: no spore here, no wall here, spore right => add spore here"


def world(rules: str) -> DescribedWorld:
    """The game with some rules."""
    return DescribedWorld(*read_game(GAME.format(rules=rules).encode(), "spores.toml"), go_on=True)


def played(rules: str, seed: int = 1, number: int = 40) -> list[Episode]:
    """Runs of the game with some rules, from boards that are made."""
    return list(islice(rollouts(world(rules), random.Random(seed)), number))


def turns(runs: Sequence[Episode]) -> list[Turn]:
    """The turns of some runs, each once."""
    return list(dict.fromkeys(turns_of(runs)))


@pytest.mark.parametrize(
    ("rules", "counted", "said"),
    [
        slowly((LIFE, ("spore", "around"), ["count spore at around = 3", "count spore at around <= 1"])),
        (LONELY, ("spore", "beside"), ["count spore at beside <= 1"]),
        slowly((CROWDED, ("wall", "around"), ["count wall at around >= 2"])),
    ],
)
def test_a_number_is_learned_and_said(rules: str, counted: tuple[str, str], said: list[str]) -> None:
    runs = played(rules)
    assert telling_numbers(turns(runs), structure_of(turns(runs)))[0] == counted
    learned = learn_whole(runs, "learned")
    text = write_game(learned.game, learned.levels)
    assert all(words in text for words in said) and "marker" not in text
    again = DescribedWorld(*read_game(text.encode(), "learned.toml"), go_on=True)
    fresh = turns(played(rules, seed=2, number=20))
    assert len(fresh) > 30
    for turn in fresh:
        (run,) = again.play([(turn.before, [str(turn.word)])])
        assert run is not None and run.steps[0].after == turn.after


def test_what_happens_by_itself_may_hang_on_a_number() -> None:
    """As the second part of a turn it is learned where the input did nothing, so without the input."""
    alone = list(dict.fromkeys(turn._replace(word=None) for turn in turns(played(LIFE))))
    structure = structure_of(alone)
    physics = one_pass_or_in_order(alone, structure, LIMITS[:1])
    assert physics is not None and not any(map(physics.wrong, alone))
    assert any(isinstance(one, Crowd) for one in physics.structure.senses)


def test_whether_any_stands_there_is_no_matter_of_numbers() -> None:
    seen = turns(played(NEXT))
    assert telling_numbers(seen, structure_of(seen)) == []
    with pytest.raises(NotLearned, match="how many stand around"):
        learn_counting(seen, structure_of(seen))


def test_cells_outside_hold_nothing_and_things_with_facings_count_whichever_way_they_look() -> None:
    here = [frozenset(stack.split()) for stack in ("bee:up", "", "wall", "bee:left", "bee:up wall", "")]
    board = Board(2, 3, tuple(here))
    facing = {"bee:up": ("bee", "up"), "bee:left": ("bee", "left")}
    assert numbers(board, "bee", "around", facing) == {
        **{(0, 0): 2, (0, 1): 3, (0, 2): 1},
        **{(1, 0): 2, (1, 1): 2, (1, 2): 1},
    }
    assert numbers(board, "bee:up", "beside", facing)[0, 1] == 2
    assert [cell for cell, _ in Crowd("bee", "around", 3).where(board, facing)] == [(0, 1)]


# --- how it is said ---------------------------------------------------------------------------------------

SPORE, MARKS = (
    Pattern("spore"),
    {f"m{n}": (Crowd("spore", "around", n), Pattern("spore")) for n in range(1, 9)},
)
CLASSES = {"m4-or-wall": ("m4", "m5", "wall"), "m2-or-m3": ("m2", "m3"), "m2-or-wall": ("m2", "wall")}


def asking(*conditions: Condition) -> Rule:
    """A rule that asks so much."""
    return Rule("grows", "none", conditions, (Effect("add", SPORE, ()),))


def here(name: str, wants: str = "present", path: tuple[str, ...] = ()) -> Condition:
    """That something is here, or is not."""
    return Condition(wants, path, Pattern(name))  # type: ignore[arg-type]


def test_two_marks_are_one_number_where_nothing_else_is_between() -> None:
    def told(*conditions: Condition) -> list[object]:
        return list(spelled(asking(*conditions), MARKS, CLASSES, "-or-".join))

    def so_many(comparison: str, number: int) -> Nearby:
        return Nearby(SPORE, (("around",),), comparison, number)

    assert told(here("m3"), here("m4-or-wall", "absent")) == [here("wall", "absent"), so_many("=", 3)]
    assert told(here("m2"), here("m4", "absent")) == [so_many(">=", 2), so_many("<=", 3)]
    assert told(here("m2-or-m3")) == [so_many(">=", 2)]
    assert told(here("m2"), here("m3")) == [so_many(">=", 3)]
    assert told(here("m2", "absent"), here("m4", "absent")) == [so_many("<=", 1)]


@pytest.mark.parametrize("condition", [here("m2", path=("up",)), here("m2-or-wall")])
def test_a_mark_stays_where_more_is_asked_of_it(condition: Condition) -> None:
    with pytest.raises(Marked):
        list(spelled(asking(condition), MARKS, CLASSES, "-or-".join))
    assert counting_itself(Group("learned", (asking(condition),)), MARKS, CLASSES, "-or-".join) is None
