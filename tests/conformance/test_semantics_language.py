"""Every word of the rule language and of the model, in games made for it.

For each game: the referee, the compiled Transition (one state at a time and in batches) and what is written
here in words agree; and the encoding has exactly the plans that trying everything finds.
"""

from __future__ import annotations

from random import Random

import pytest

from ggp import registry
from ggp.algebras.bits import Bits
from ggp.board import Action
from ggp.description import read_game
from ggp.errors import DescriptionError, IllegalAction, IllFormed
from ggp.features import missing
from ggp.model import Instance, Plan
from ggp.semantics import initial_state, legal_actions, step
from ggp.trajectory import replay
from ggp.transition import compile_instance
from tests.exhaustive import (
    compare_runs,
    debugging_faults,
    encoding_fault,
    lowering_faults,
    solver_faults,
    wins,
    worth_trying_all,
)
from tests.oracles.random_games import random_game

GAMES: dict[str, str] = {}

GAMES["chains: loops, markers, outside, input"] = '''
# A whole row is pushed, unless a wall or the edge is behind it.
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
me = { layer = "solid" }
goal = { layer = "floor" }
pushed = { layer = "mark", marker = true }
[classes]
movable = ["crate", "me"]
[symbols]
"." = ""
"#" = "wall"
"o" = "crate"
"@" = "me"
"x" = "goal"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "start: me here => add pushed here"
[[turn]]
name = "spread"
until = "stable"
bound = "longest"
rules = "spread: pushed here, crate ahead, no pushed ahead => add pushed ahead"
[[turn]]
name = "stop"
until = "stable"
bound = "longest"
rules = """
wall: pushed here, wall ahead                                 => remove pushed here
edge: pushed here, outside ahead                              => remove pushed here
back: pushed here, crate ahead, no pushed ahead               => remove pushed here
"""
[[turn]]
rules = "move: movable here, pushed here => movable here -> ahead"
[goal]
win = ["every crate on goal"]
[objectives]
turns = "turns"
pushes = "moves crate"
[[level]]
name = "row"
horizon = 4
longest = 5
map = """
@ooxx
.....
"""
[[level]]
name = "corner"
horizon = 5
longest = 4
map = """
..x
.o#
@..
"""
'''

GAMES["boulders: until stable, a bound by name, physics after the turn"] = '''
# Stones fall until they rest; who stands below is in the way.
[kinds]
earth = { layer = "solid" }
stone = { layer = "solid" }
gem = { layer = "solid" }
me = { layer = "solid", count = "1" }
[classes]
round = ["stone", "gem"]
solid = ["earth", "stone", "gem", "me"]
[symbols]
"." = ""
"#" = "earth"
"o" = "stone"
"*" = "gem"
"@" = "me"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = """
dig: me here, earth ahead     => remove earth ahead, me here -> ahead
take: me here, gem ahead      => remove gem ahead, me here -> ahead
step: me here, no solid ahead => me here -> ahead
"""
[[physics]]
name = "falling"
until = "stable"
bound = "height"
rules = "fall: round here, no solid down => round here -> down"
[goal]
win = ["count gem = 0"]
[objectives]
turns = "turns"
falls = "moves round"
[[level]]
name = "shaft"
horizon = 4
map = """
o*@
##.
..o
"""
'''

GAMES["falling and rolling: a block with a loop in it"] = '''
# All fall, then all roll one cell, and so on until nothing moves.
[kinds]
wall = { layer = "solid" }
ball = { layer = "solid" }
cup = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
"o" = "ball"
"u" = "cup"
[classes]
solid = ["wall", "ball"]
[design]
place = "wall"
free-of = ["solid", "cup"]
limit = "budget"
[[physics]]
name = "settle"
until = "stable"
bound = 4
[[physics.group]]
name = "fall"
until = "stable"
bound = "height"
rules = "fall: ball here, no solid down => ball here -> down"
[[physics.group]]
name = "roll"
rules = "roll: ball here, ball down, no solid right, no solid right.down => ball here -> right"
[goal]
when = "horizon"
win = ["every ball on cup"]
[objectives]
walls = "placements"
rolls = "moves ball"
[[level]]
name = "heap"
horizon = 1
budget = 2
map = """
.o.
.o.
.uu
"""
'''

GAMES["sliding on a board that wraps: a loop that may never rest"] = '''
wraps = true
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
exit = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
"x" = "exit"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
name = "slide"
until = "stable"
bound = 6
rules = "slide: me here, no wall ahead, no exit here => me here -> ahead"
[goal]
win = ["some me on exit"]
[[level]]
name = "ring"
horizon = 4
map = """
@.#.
..x.
#...
"""
'''

GAMES["lights: picks without a direction"] = '''
[kinds]
bright = { layer = "lamp" }
dark = { layer = "lamp" }
touched = { layer = "mark", marker = true }
hit = { layer = "mark", marker = true }
[symbols]
"1" = "bright"
"0" = "dark"
[classes]
lamp = ["bright", "dark"]
[input]
pick = "touched"
[[turn]]
rules = """
here: touched here              => add hit here
next toward any: lamp here, touched ahead => add hit here
"""
[[turn]]
rules = """
out: bright here, hit here => remove bright here, add dark here
lit: dark here, hit here   => remove dark here, add bright here
"""
[goal]
win = ["count bright = 0"]
[[level]]
name = "square"
horizon = 2
map = """
110
100
"""
'''

GAMES["pegs: picks with a direction, count"] = '''
[kinds]
peg = { layer = "solid" }
hole = { layer = "floor" }
picked = { layer = "pick", facing = ["up", "right", "down", "left"], marker = true }
[symbols]
" " = ""
"o" = "peg hole"
"." = "hole"
[input]
pick = "picked"
[[turn]]
rules = """
full: picked here, peg ahead.ahead                    => stay
jump: picked here, peg here, peg ahead, hole ahead.ahead => peg here -> ahead.ahead, remove peg ahead
"""
[goal]
win = ["count peg = 1"]
[[level]]
name = "cross"
horizon = 3
map = """
 .o
oo.
.o.
"""
'''

GAMES["gates: classes by direction, absolute and relative steps"] = '''
# A gate lets through in its own direction only; conveyors carry on afterwards.
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
east = { layer = "floor" }
south = { layer = "floor" }
exit = { layer = "floor" }
[classes]
closed = { up = ["east", "south"], right = ["south"], down = ["east"], other = ["east", "south"] }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
">" = "east"
"v" = "south"
"x" = "exit"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "go: me here, no wall ahead, no closed ahead, inside ahead => me here -> ahead"
[[physics]]
rules = """
carried: me here, east here, no wall right     => me here -> right
lowered: me here, south here, no wall down     => me here -> down
"""
[goal]
when = "horizon"
win = ["every me on exit"]
[objectives]
steps = "moves me"
[[level]]
name = "one-way"
horizon = 2
map = """
@>.
v#v
.>x
"""
'''

GAMES["matching: rule variables, waiting"] = '''
# Two equal stones side by side vanish; a stone may be moved, and nothing need be done.
[kinds]
red = { layer = "stone" }
blue = { layer = "stone" }
hand = { layer = "hand" }
[classes]
stone = ["red", "blue"]
[symbols]
"." = ""
"r" = "red"
"b" = "blue"
"h" = "hand"
"R" = "red hand"
"B" = "blue hand"
[input]
moves = ["right", "left"]
verbs = ["swap"]
wait = true
[[turn]]
rules = """
swap: hand here, stone here, stone right, input swap => stone here -> right, stone right -> here
hand toward input: hand here, inside ahead           => hand here -> ahead
"""
[[physics]]
rules = """
pair toward right left: $stone here, $stone ahead => remove $stone here
"""
[goal]
win = ["count stone <= 1"]
[[level]]
name = "three"
horizon = 4
map = """
Rbr
"""
'''

GAMES["balls: edges, facings of four directions, turning"] = '''
# Turns clockwise at the edge, walks else; the player only nudges it.
[kinds]
bee = { layer = "solid", facing = ["up", "right", "down", "left"] }
flower = { layer = "floor" }
[symbols]
"." = ""
"^" = "bee:up"
">" = "bee:right"
"v" = "bee:down"
"<" = "bee:left"
"f" = "flower"
[input]
moves = ["right", "left"]
verbs = ["rest"]
[[turn]]
rules = """
right: bee here, input right => turn bee here rightward
left: bee here, input left   => turn bee here leftward
"""
[[physics]]
rules = """
edge: bee here, outside ahead                => turn bee here rightward
sees: bee here, bee:ahead ahead              => stay
meet: bee here, bee:behind ahead             => turn bee here behind
walk: bee here, no bee ahead, inside ahead   => bee here -> ahead
"""
[goal]
win = ["every bee on flower"]
lose = ["count bee:up >= 2"]
[objectives]
turns = "turns"
flights = "moves bee"
[[level]]
name = "garden"
horizon = 4
map = """
^..
f.f
..>
"""
'''

GAMES["ants: merging, a board that wraps, any turn without rest"] = '''
# They walk for ever, so whoever is at home is not there for long.
wraps = true
[kinds]
stone = { layer = "solid" }
ant = { layer = "walker", facing = ["left", "right"], merge = true }
home = { layer = "floor" }
[symbols]
"." = ""
"#" = "stone"
"<" = "ant:left"
">" = "ant:right"
"x" = "home"
[design]
place = "stone"
free-of = ["stone", "ant"]
limit = "budget"
[[physics]]
rules = """
walk: ant here, no stone ahead => ant here -> ahead
drop: ant here, no stone down  => ant here -> down :behind
turn: ant here                 => turn ant here behind
"""
[goal]
when = "any-turn"
win = ["every ant on home"]
[objectives]
stones = "placements"
turns = "turns"
steps = "moves ant"
[[level]]
name = "loop"
horizon = 5
budget = 2
map = """
>..x.
..x.<
"""
[[level]]
name = "late"
horizon = 5
budget = 1
when = "horizon"
map = """
>.x
x.<
"""
'''

GAMES["marbles: collisions"] = '''
# Two that meet collide, which no run survives.
[kinds]
marble = { layer = "solid", facing = ["left", "right"] }
wall = { layer = "solid" }
cup = { layer = "floor" }
[symbols]
"." = ""
"<" = "marble:left"
">" = "marble:right"
"#" = "wall"
"u" = "cup"
[input]
moves = ["up", "down"]
wait = true
[[turn]]
rules = "tilt toward input: marble here, inside ahead, no wall ahead => marble here -> ahead"
[[physics]]
name = "rolling"
rules = "roll: marble here, inside ahead, no wall ahead => marble here -> ahead"
[goal]
win = ["every marble on cup"]
[[level]]
name = "table"
horizon = 3
map = """
>.<
#.u
uu.
"""
'''

GAMES["counters: values that rules change and move"] = '''
[kinds]
number = { layer = "number", values = [1, "most"] }
me = { layer = "me" }
goal = { layer = "floor" }
[symbols]
"." = ""
"1" = "number:1"
"2" = "number:2 goal"
"3" = "number:3"
"@" = "me"
"A" = "me number:1"
[input]
moves = ["right", "left"]
verbs = ["more"]
[[turn]]
rules = """
one: me here, number:1 here, input more    => turn number here 2
two: me here, number:2 here, input more    => number:2 here -> here :3
carry: me here, number:3 here, input right, no number right => number here -> right :1, me here -> right
step toward input: me here, inside ahead   => me here -> ahead
"""
[goal]
win = ["different number in rows", "count number:3 >= 1", "no number:1 off goal"]
[objectives]
turns = "turns"
changes = "moves number"
[[level]]
name = "up"
horizon = 4
most = 4
map = """
A2.
"""
[[level]]
name = "carry"
horizon = 4
most = 3
map = """
@3.
"""
'''

GAMES["two passes a turn: what is read in the second one"] = '''
# Each turn it walks, and then falls; so it looks from where it never stands between turns.
[kinds]
block = { layer = "solid" }
cat = { layer = "animal", facing = ["left", "right"] }
mat = { layer = "floor" }
[symbols]
"." = ""
"#" = "block"
">" = "cat:right"
"<" = "cat:left"
"m" = "mat"
[design]
place = "block"
free-of = ["block", "cat", "mat"]
limit = "budget"
[[physics]]
rules = """
walk: cat here, no block ahead => cat here -> ahead
turn: cat here                 => turn cat here behind
"""
[[physics]]
rules = "fall: cat here, no block down => cat here -> down"
[goal]
when = "horizon"
win = ["every cat on mat"]
[objectives]
blocks = "placements"
[[level]]
name = "stairs"
horizon = 3
budget = 3
map = """
>...
....
...m
"""
'''

GAMES["a design and then inputs"] = '''
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
exit = { layer = "floor" }
[symbols]
"." = ""
"@" = "me"
"x" = "exit"
"#" = "wall"
[design]
place = "wall"
free-of = ["wall", "me", "exit"]
limit = "budget"
[input]
moves = ["right", "down"]
[[turn]]
name = "slide"
until = "stable"
bound = 4
rules = "slide: me here, no wall ahead, inside ahead => me here -> ahead"
[goal]
win = ["some me on exit"]
[objectives]
walls = "placements"
turns = "turns"
[[level]]
name = "ice"
horizon = 2
budget = 2
map = """
@...
..x.
"""
'''

GAMES["placing what then moves"] = '''
[kinds]
wall = { layer = "solid" }
bug = { layer = "walker", facing = ["left", "right"], merge = true }
nest = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
">" = "bug:right"
"n" = "nest"
[design]
place = "bug"
free-of = ["wall"]
limit = "budget"
[[physics]]
rules = """
fall: bug here, no wall down => bug here -> down
walk: bug here, no wall ahead => bug here -> ahead
"""
[goal]
when = "horizon"
win = ["every bug on nest", "count bug >= 1"]
[objectives]
bugs = "placements"
moves = "moves bug"
[[level]]
name = "funnel"
horizon = 2
budget = 2
map = """
.>.
#.#
#n.
"""
'''

GAMES["filling some of the cells, walls among them"] = '''
# At most so many digits, none of them twice in a line; walls hold none.
[kinds]
digit = { layer = "digit", values = [1, 3] }
wall = { layer = "digit" }
star = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
"1" = "digit:1"
"*" = "star"
[design]
place = "digit"
free-of = ["digit", "wall"]
limit = "budget"
[goal]
win = ["different digit in rows, columns", "count digit:2 on star >= 1", "count digit >= 3"]
lose = ["some digit:3 on star"]
[objectives]
digits = "placements"
[[level]]
name = "few"
horizon = 0
budget = 3
map = """
1.#
.*.
"""
'''

GAMES["filling all cells but the walls"] = '''
[kinds]
digit = { layer = "digit", values = [1, "width"] }
wall = { layer = "digit" }
[symbols]
"." = ""
"#" = "wall"
"2" = "digit:2"
[design]
place = "digit"
free-of = ["digit", "wall"]
fill = true
[goal]
when = "horizon"
win = ["different digit in rows", "different digit in columns"]
[[level]]
name = "hole"
horizon = 0
map = """
#.2
...
..#
"""
[[level]]
name = "none"
horizon = 0
map = """
2..
.2.
2..
"""
known = { solvable = false }
'''

GAMES["different without values"] = '''
# Of a kind without values at most one stands in each line; of one with facings each may stand once.
[kinds]
tower = { layer = "solid" }
flag = { layer = "flag", facing = ["up", "left"] }
[symbols]
"." = ""
"t" = "tower"
"^" = "flag:up"
[design]
place = "flag"
free-of = ["flag"]
limit = "budget"
[[physics]]
rules = """
sink: tower here, no flag down, inside down => tower here -> down
wave: flag:left here, tower here            => turn flag:left here up
"""
[goal]
when = "horizon"
win = ["different tower in rows, columns", "different flag in rows", "count flag >= 2"]
[[level]]
name = "castle"
horizon = 2
budget = 2
map = """
.t.
^.t
"""
[[level]]
name = "ruin"
horizon = 0
budget = 2
map = """
.t
^.
"""
'''

GAMES["nothing to decide"] = '''
[kinds]
leaf = { layer = "leaf" }
ground = { layer = "floor" }
[symbols]
"." = ""
"l" = "leaf"
"g" = "ground"
[[physics]]
rules = "fall: leaf here => leaf here -> down"
[goal]
win = ["every leaf on ground"]
[objectives]
turns = "turns"
falls = "moves leaf"
[[level]]
name = "autumn"
horizon = 4
map = """
l
.
g
"""
[[level]]
name = "too-high"
horizon = 1
map = """
l
.
g
"""
'''

# --- what went wrong once -----------------------------------------------------------------------------------

GAMES["a firing that takes one thing twice"] = '''
[kinds]
wall = { layer = "solid" }
box = { layer = "solid" }
me = { layer = "solid" }
spot = { layer = "floor" }
[classes]
thing = ["wall", "box"]
[symbols]
"." = ""
"#" = "wall"
"o" = "box"
"@" = "me"
"x" = "spot"
[input]
moves = ["right", "left"]
[[turn]]
rules = """
open: me here, box ahead, no thing ahead.ahead => box ahead -> ahead.ahead, remove thing ahead
walk: me here, no thing ahead                  => me here -> ahead
"""
[goal]
win = ["every box on spot"]
[[level]]
name = "row"
horizon = 4
map = """
@.o.x
"""
'''

GAMES["neighbours that take one thing, and one that moves it"] = '''
# Two fires may burn one log; but a log that burns does not also roll.
[kinds]
fire = { layer = "solid" }
log = { layer = "solid" }
[symbols]
"." = ""
"f" = "fire"
"l" = "log"
[design]
place = "fire"
free-of = ["fire", "log"]
limit = "budget"
[[physics]]
rules = """
burn toward any: fire here, log ahead                   => remove log ahead
roll: log here, no log right, no fire right, inside right => log here -> right
"""
[goal]
when = "horizon"
win = ["count log = 0"]
[objectives]
fires = "placements"
[[level]]
name = "row"
horizon = 2
budget = 2
map = """
.l..
...l
"""
'''

GAMES["a loop in which a firing may change nothing"] = '''
# `drag` fires even where there is nothing to drag; in a loop that is an error, and so no way to win.
[kinds]
wall = { layer = "solid" }
box = { layer = "solid" }
cart = { layer = "cart", facing = ["left", "right"] }
spot = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
"o" = "box"
">" = "cart:right"
"x" = "spot"
[design]
place = "wall"
free-of = ["wall", "box", "cart"]
limit = "budget"
[[physics]]
until = "stable"
bound = 3
rules = """
drag: cart here, no wall ahead, no box ahead.ahead => box ahead -> ahead.ahead
"""
[goal]
when = "horizon"
win = ["every box on spot"]
[[level]]
name = "row"
horizon = 1
budget = 2
map = """
>ox.
"""
[[level]]
name = "already"
horizon = 1
budget = 2
map = """
>.x.
"""
'''

GAMES["what may be made of a neighbour that may not be there"] = '''
[kinds]
cat = { layer = "cat", facing = ["left", "right"] }
mat = { layer = "floor" }
leaf = { layer = "leaf" }
[symbols]
"." = ""
"<" = "cat:left"
">" = "cat:right"
"m" = "mat"
[design]
place = "leaf"
free-of = ["leaf"]
limit = "budget"
[[physics]]
rules = "go: cat:left here, no leaf here => cat:left here -> down, cat:right right -> right.down :left"
[goal]
when = "horizon"
win = ["every cat:left on mat"]
[[level]]
name = "alone"
horizon = 1
budget = 2
map = """
<.
m.
"""
[[level]]
name = "both"
horizon = 1
budget = 2
map = """
<>
mm
"""
'''

GAMES["rules for cells, firing nearly everywhere"] = '''
# It rains on every cell without a roof; two drops in one place are one too many.
[kinds]
roof = { layer = "solid" }
drop = { layer = "air" }
moss = { layer = "floor" }
[symbols]
"." = ""
"m" = "moss"
"D" = "drop moss"
[design]
place = "roof"
free-of = ["roof"]
limit = "budget"
[[physics]]
rules = "rain: no roof here, inside down => add drop here"
[goal]
when = "horizon"
win = ["no drop off moss", "count drop >= 1"]
lose = ["count drop >= 4"]
[objectives]
roofs = "placements"
[[level]]
name = "meadow"
horizon = 1
budget = 3
map = """
mDm
...
"""
'''

GAMES["waiting: any input may change nothing"] = '''
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
spot = { layer = "floor" }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
"x" = "spot"
[input]
moves = ["right", "left"]
verbs = ["sing"]
wait = true
[[turn]]
rules = "step: me here, no wall ahead => me here -> ahead"
[goal]
when = "horizon"
win = ["some me on spot"]
[objectives]
steps = "moves me"
[[level]]
name = "row"
horizon = 3
map = """
#@x
"""
'''

READ = {name: read_game(f'name = "made"\n{text}'.encode(), name) for name, text in GAMES.items()}
LEVELS = [
    pytest.param(Instance(game, level), id=f"{name.split(':')[0]}/{level.name}")
    for name, (game, levels) in READ.items()
    for level in levels
]


IN_PROCESS = ("cp-sat", "search")  # the others are asked in test_solvers.py: each call costs them a second


def solvers_for(one: Instance) -> list[str]:
    """Those that support what the game needs."""
    return [name for name in IN_PROCESS if not missing(one, registry.load("solver", name).FEATURES)]


@pytest.mark.parametrize("one", LEVELS)
def test_referee_and_compiled_agree(one: Instance) -> None:
    counts = compare_runs(one, Random(1), 40, 6)
    assert counts["state"] + counts["ill-formed"] > 0


@pytest.mark.parametrize("one", LEVELS)
def test_plans_are_exactly_those_that_win(one: Instance) -> None:
    """The encoding has these solutions and no others, and each solver answers every question accordingly."""
    expected = wins(one)
    assert encoding_fault(one, expected) == ""
    for solver in solvers_for(one):
        assert solver_faults(one, solver, expected) == []


@pytest.mark.parametrize("one", LEVELS)
def test_lowerings_keep_the_plans(one: Instance) -> None:
    assert lowering_faults(one, wins(one)) == []


@pytest.mark.parametrize("one", LEVELS)
def test_a_broken_plan_is_told_from_one_that_wins(one: Instance) -> None:
    assert debugging_faults(one, wins(one), Random(1)) == []


@pytest.mark.parametrize("seed", range(40))
def test_random_games(seed: int) -> None:
    """Games that nobody would think of: what is wrong in a corner shows here first."""
    rng = Random(seed)
    try:
        game, levels = read_game(random_game(rng).encode(), f"random-{seed}")
    except DescriptionError:
        return  # refused, which is an answer too; most are not
    for level in levels:
        one = Instance(game, level)
        compare_runs(one, rng, 6, 4)
        if not worth_trying_all(one):
            continue
        expected = wins(one)
        assert encoding_fault(one, expected) == "", level.name
        assert debugging_faults(one, expected, rng) == [], level.name
        for solver in solvers_for(one) if len(expected) < 300 else ():
            assert solver_faults(one, solver, expected) == [], level.name


# --- what errors say --------------------------------------------------------------------------------------


def made(name: str, rows: str) -> Instance:
    """A map for one of the games above."""
    text = GAMES[name].split("[[level]]")[0] + f'[[level]]\nhorizon = 9\nbudget = 9\nmap = """\n{rows}\n"""\n'
    game, (level,) = read_game(f'name = "made"\n{text}'.encode(), name)
    return Instance(game, level)


def test_a_loop_that_never_rests_shows_the_cycle() -> None:
    one = made("sliding on a board that wraps: a loop that may never rest", "@..x")
    slides_past = made("sliding on a board that wraps: a loop that may never rest", "@..\n..x")
    cycle = r"slide is still changing after 6 passes: the state after pass 0 comes again after 3 more"
    with pytest.raises(IllFormed, match=cycle) as error:
        step(slides_past, initial_state(slides_past), Action("right"))
    assert error.value.findings[0].place is not None
    bits = Bits(compile_instance(slides_past))
    with pytest.raises(IllFormed, match="slide is still changing after 6 passes"):
        bits.act(bits.pack(initial_state(slides_past)), Action("right"))
    assert replay(one, Plan((), ("right",))).won
    assert "still changing" in replay(slides_past, Plan((), ("right",))).reason


COLLIDING = """
name = "made"
[kinds]
ball = { layer = "solid", facing = ["left", "right"] }
post = { layer = "solid" }
[symbols]
"." = ""
"<" = "ball:left"
">" = "ball:right"
"|" = "post"
[[physics]]
rules = '''
east toward right: ball:right here, inside ahead => ball:right here -> ahead
west toward left: ball:left here, inside ahead   => ball:left here -> ahead
'''
[goal]
win = ["some ball on post"]
[[level]]
horizon = 1
map = '''
%s
'''
"""


@pytest.mark.parametrize(
    ("row", "words"), [(">.<", ("east", "west", "(0, 1)")), ("..>|", ("east", "post", "(0, 3)"))]
)
def test_a_collision_names_both_rules_and_the_cell(row: str, words: tuple[str, ...]) -> None:
    game, (level,) = read_game((COLLIDING % row).encode(), "colliding")
    one = Instance(game, level)
    bits = Bits(compile_instance(one))
    with pytest.raises(IllFormed) as error:
        step(one, initial_state(one))
    assert all(word in str(error.value) for word in words), str(error.value)
    assert str(error.value).startswith(("colliding:13:1: ", "colliding:14:1: "))
    with pytest.raises(IllFormed) as error:
        bits.step(bits.pack(initial_state(one)))
    assert all(word in str(error.value).replace("what stays there", "post") for word in words)


def test_a_firing_that_changes_nothing_in_a_loop_is_an_error() -> None:
    one = made("a loop in which a firing may change nothing", ">.x.")
    bits = Bits(compile_instance(one))
    with pytest.raises(IllFormed, match=r"drag at \(0, 0\) changes nothing"):
        step(one, initial_state(one))
    with pytest.raises(IllFormed, match="drag changes nothing"):
        bits.step(bits.pack(initial_state(one)))


# --- inputs -----------------------------------------------------------------------------------------------


def test_where_waiting_is_allowed_every_input_is_legal() -> None:
    one = made("waiting: any input may change nothing", "#@#")
    legal = legal_actions(one, initial_state(one))
    assert [str(action) for action in legal] == ["right", "left", "sing", "wait"]


def test_picks_are_legal_where_they_change_something() -> None:
    one = made("pegs: picks with a direction, count", "oo.")
    assert [str(action) for action in legal_actions(one, initial_state(one))] == ["pick(0,0,right)"]
    for action in (Action("pick", (0, 0)), Action("pick", (0, 3), "right"), Action("pick"), Action("right")):
        with pytest.raises(IllegalAction):
            step(one, initial_state(one), action)
