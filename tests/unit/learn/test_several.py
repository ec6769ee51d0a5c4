"""Two of what there was one of: such boards are played on, and of two the one that called is told apart."""

from __future__ import annotations

import random
from functools import cache
from importlib import resources
from itertools import islice, product

import pytest

from ggp.language.description import read_game
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.probe.challenges import Asked
from ggp.learn.probe.several import with_several
from ggp.learn.seen.attached import nothing_attached
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.faraway import learn_far
from ggp.learn.whole import learn_whole
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import Played
from ggp.watch.several import hold_several
from ggp.watch.tally import Tally
from tests.slow import few_or_many

# Who is not alone stays where it is. An egg is hatched by who walks against it.
HATCHED = """
name = "hatched"
[kinds]
wall = { layer = "solid" }
egg = { layer = "solid" }
player = { layer = "solid" }
flag = { layer = "floor" }
[classes]
blocker = ["wall", "egg"]
[symbols]
" " = ""
"#" = "wall"
"0" = "egg"
"@" = "player"
"f" = "flag"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = \"\"\"
hatch: player here, egg ahead => remove egg ahead, add player ahead
step: player here, no blocker ahead, count player = 1 => player here -> ahead
\"\"\"
[goal]
win = ["some player on flag"]
[[level]]
map = \"\"\"
#######
#@   ##
#   0#f
#######
\"\"\"
"""
PLAYER = frozenset({"player"})


def world_of(text: str, name: str) -> DescribedWorld:
    """A described game that is watched."""
    return DescribedWorld(*read_game(text.encode(), name))


def players(board: Board) -> int:
    """How many stand on a board."""
    return sum(stack >= PLAYER for stack in board.cells)


@cache
def teleports(number: int) -> tuple[DescribedWorld, tuple[Turn, ...], tuple[Turn, ...]]:
    """A pair of teleports: turns of play, and such with a second player elsewhere on the board."""
    file = resources.files("ggp.bench") / "worlds" / "variants" / "teleport.toml"
    world, rng = world_of(file.read_text(), "teleport.toml"), random.Random(1)
    turns = list(dict.fromkeys(turns_of(islice(rollouts(world, rng), number))))
    asked = []
    for turn in turns:
        free = [index for index, stack in enumerate(turn.before.cells) if not stack]
        if free and turn.before != turn.after:
            at = rng.choice(free)
            cells = (*turn.before.cells[:at], PLAYER, *turn.before.cells[at + 1 :])
            asked.append((turn.before._replace(cells=cells), [turn.word]))
    two = list(turns_of(one for one in world.play(asked) if one is not None))
    return world, tuple(turns), tuple(two)


@few_or_many("number", 80, 160)
def test_of_two_players_the_one_that_calls_is_sent(number: int) -> None:
    _, turns, two = teleports(number)
    structure = structure_of(turns)
    alone = learn_far(turns, structure)
    assert not any(map(alone.wrong, turns)) and any(map(alone.wrong, two)), "nothing tells the two apart"
    program = learn_far([*turns, *two[::2]], structure_of([*turns, *two[::2]]))
    assert not any(map(program.wrong, [*turns, *two]))


@cache
def steps() -> tuple[DescribedWorld, list[Episode]]:
    """Eggs: each input from each cell on which the only player may stand."""
    world = world_of(HATCHED, "hatched.toml")
    (level,) = world.levels()
    without = [stack - PLAYER for stack in level.cells]
    boards = [
        level._replace(cells=(*without[:at], PLAYER, *without[at + 1 :]))
        for at, stack in enumerate(without)
        if not stack
    ]
    played = world.play([(board, [word]) for board in boards for word in world.inputs(board)])
    return world, [one for one in played if one is not None and one.steps]


def test_boards_with_a_second_one_are_asked_about_with_every_input() -> None:
    _, alone = steps()
    turns = list(turns_of(alone))
    structure = structure_of(turns)
    asked = with_several(turns, turns, structure)
    ends = {turn.after for turn in turns if players(turn.after) == 2}
    assert ends and set(asked) == set(product(ends, ("up", "right", "down", "left")))
    known = Turn(min(ends), "up", min(ends))
    assert not with_several([*turns, known], turns, structure), "two were there before a turn already"


@pytest.mark.parametrize("second", [True, False])
def test_rules_are_held_against_what_two_do(monkeypatch: pytest.MonkeyPatch, second: bool) -> None:
    """Of who is alone nothing was seen but steps: right of all turns, and wrong of two."""
    world, alone = steps()
    learned = learn_whole(alone, name="hatched")
    unique = list(dict.fromkeys(turns_of(alone)))
    assert not any(map(learned.program.wrong, unique))
    came = [one for one in alone if players(one.steps[-1].after) == (2 if second else 1)]
    fresh, tally = Played(world, alone, iter(()), [], random.Random(2)), Tally()
    attached, asked = nothing_attached(learned.structure), list[list[Asked]]()
    ask = fresh.asked
    monkeypatch.setattr(fresh, "asked", lambda some, *told: asked.append(some) or ask(some, *told))
    hold_several(Foresight(learned), fresh, unique, came, set(unique), tally, attached)
    assert bool(tally.wrong.total()) == bool(tally.turns.total()) == second
    # First what comes next; then boards that were made so that each of the two acts.
    assert len(asked) == 2 * second and all(asked)
    assert all(players(board) == 2 for some in asked for board, _ in some)
