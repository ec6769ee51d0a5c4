"""What is hardly ever seen alone: balls that turn side by side, and eat the grass where they roll."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from ggp.bench import variants
from ggp.language.description import read_game
from ggp.learn.boards import Turn, board_of, turns_of
from ggp.learn.fit.program import Program
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.crowds import Cluster, closer_moves, lone_moves
from ggp.learn.turn.crowd.readings import MOST_CLUSTERS, telling
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.one_pass.events import by_movers
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import more_of

MAGNET = Path(variants.__file__).parent / "worlds" / "variants" / "magnet.toml"

GRAZERS = """
name = "grazers"
[kinds]
wall = { layer = "solid" }
grass = { layer = "floor" }
ball = { layer = "solid", facing = ["left", "right"], count = "1.." }
[classes]
solid = ["wall", "ball"]
[symbols]
"." = ""
"#" = "wall"
":" = "grass"
">" = "ball:right"
"<" = "ball:left"
[[physics]]
rules = '''
eat: ball here, grass ahead, no solid ahead, no ball ahead.ahead => remove grass ahead, ball here -> ahead
roll: ball here, no solid ahead, no ball ahead.ahead => ball here -> ahead
back: ball here => turn ball here behind
'''
[goal]
win = ["count grass = 0"]
[[level]]
horizon = 9
map = '''
>.:.:#
#<:..<
.>:>.:
:<..:#
'''
"""


def test_balls_that_are_never_alone_are_seen_to_eat() -> None:
    world = DescribedWorld(*read_game(GRAZERS.encode(), "grazers.toml"))
    seen = list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), 20)))))
    structure = structure_of(seen)
    balls = structure.named("ball")
    turns = [turn for turn in seen if sum(len(balls & stack) for stack in turn.before.cells) > 2][:20]
    program = by_movers(turns, structure, ["ball"], None, 16.0, 16.0)
    assert program is not None and program.cost < 8 and not any(map(program.wrong, turns))


def test_who_turns_in_a_crowd_has_not_changed_places_and_who_came_has_done_what_else_changed() -> None:
    names = [["ball:left", "ball:right", "grass", "wall"]]
    structure = structure_of([Turn(board_of([names]), None, board_of([names]))])
    before = board_of([[["ball:left"], [], ["ball:right"], ["grass"]], [[], ["ball:right"], ["wall"], []]])
    after = board_of([[["ball:right"], [], [], ["ball:right"]], [[], ["ball:left"], ["wall"], []]])
    turn = Turn(before, None, after)
    anchors = (
        ("ball", (0, 0), "ball:left"),
        ("ball", (0, 2), "ball:right"),
        ("ball", (1, 1), "ball:right"),
    )
    seen = Cluster(turn, before, anchors, frozenset(changes_of(turn)))
    done = {example.at: example.changes for _, example in closer_moves(seen, structure)}
    assert done[0, 0] == {("-", (0, 0), "ball:left"), ("+", (0, 0), "ball:right")}
    assert done[1, 1] == {("-", (1, 1), "ball:right"), ("+", (1, 1), "ball:left")}
    went = {("-", (0, 2), "ball:right"), ("+", (0, 3), "ball:right")}
    assert done[0, 2] == {*went, ("-", (0, 3), "grass")}


ROLLERS = """
name = "rollers"
[kinds]
wall = { layer = "solid" }
ball = { layer = "ball", facing = ["up", "right", "down", "left"], merge = true }
[symbols]
"." = ""
"#" = "wall"
"^" = "ball:up"
">" = "ball:right"
"v" = "ball:down"
"<" = "ball:left"
[[physics]]
rules = '''
roll: ball here, no wall ahead, inside ahead => ball here -> ahead
back: ball here => turn ball here behind
'''
[goal]
win = ["count ball = 0"]
[[level]]
horizon = 9
map = '''
>.v.#
#.<..
^.v#>
<#^..
'''
"""


def test_what_all_of_a_crowd_do_is_told_by_the_fewest_deeds() -> None:
    world = DescribedWorld(*read_game(ROLLERS.encode(), "rollers.toml"))
    seen = list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(3)), 20)))))
    structure = structure_of(seen)
    balls = structure.named("ball")
    turns = [turn for turn in seen if sum(len(balls & stack) for stack in turn.before.cells) > 4][:60]
    program = by_movers(turns, structure, ["ball"], None, 16.0, 16.0)
    assert program is not None and program.cost < 4 and not any(map(program.wrong, turns))


def test_a_rare_crowd_that_rules_get_wrong_is_looked_at_however_many_there_are() -> None:
    """Nothing happens in most of them, which rules without decisions say; in the last one somebody goes."""
    boards = [board_of([[["ball:left"], [], []]]), board_of([[[], ["ball:left"], []]])]
    rests, goes = Turn(boards[0], None, boards[0]), Turn(boards[0], None, boards[1])
    crowds = [Cluster(turn, boards[0], (), frozenset()) for turn in [rests] * (MOST_CLUSTERS + 50) + [goes]]
    found = telling(crowds, Program(structure_of([rests, goes]), ()))
    assert len(found) == MOST_CLUSTERS + 1 and found[-1].turn == goes


def test_who_went_alone_in_a_crowd_is_known_whatever_stood_beside_it() -> None:
    """Crates beside one another: the one that went one step did, and the others stayed."""

    def done(before: str, after: str) -> dict[int, int]:
        """How many changes each crate of a row made."""
        boards = (board_of([[["crate"] if one == "$" else [] for one in row]]) for row in (before, after))
        first, last = boards
        turn = Turn(first, "action", last)
        cells = [(0, column) for column, one in enumerate(before) if one == "$"]
        cluster = Cluster(
            turn, first, tuple(("crate", cell, "crate") for cell in cells), frozenset(changes_of(turn))
        )
        moves = lone_moves(cluster, structure_of([turn]))
        return {one.at[1]: len(one.changes) for _, one in moves}

    assert done(".$$.", "$.$.") == {1: 2, 2: 0}
    assert done(".$$.", ".$.$") == {1: 0, 2: 2}
    assert done(".$$.", ".$$.") == done("$$.", ".$$") == done(".$.$.", "$...$") == {}


@more_of(
    test_balls_that_are_never_alone_are_seen_to_eat,
    test_who_went_alone_in_a_crowd_is_known_whatever_stood_beside_it,
)
def test_a_button_that_pulls_crates_which_stand_together_is_learned_from_those_that_went_alone() -> None:
    """Nearly all crates have others near them, and what one of them does is hardly ever seen alone."""
    world = DescribedWorld(*read_game(MAGNET.read_bytes(), str(MAGNET)))
    turns = list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(0)), 100))))
    pulled = [turn for turn in turns if turn.word == "action"]
    program = by_movers(pulled, structure_of(turns), ("crate",), None, 16.0, 16.0)
    assert program is not None and not any(map(program.wrong, pulled))
    assert len(program.parts[0].decisions.decisions) == 4
