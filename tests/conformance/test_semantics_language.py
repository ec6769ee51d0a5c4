"""Every word of the rule language and of the model, in games made for it.

For each game: the referee, the compiled Transition (one state at a time and in batches) and what is written
here in words agree; and the encoding has exactly the plans that trying everything finds.
"""

from __future__ import annotations

from random import Random

import pytest

from ggp.algebras.bits import Bits
from ggp.board import Action
from ggp.description import read_game
from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance, Piece, Plan
from ggp.semantics import initial_state, legal_actions, step
from ggp.trajectory import replay
from ggp.transition import compile_instance
from tests.exhaustive import compare_runs, drawn, encoding_fault, solver_faults, wins

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
jump: picked here, peg here, peg ahead, hole ahead.ahead, no peg ahead.ahead => peg here -> ahead.ahead, remove peg ahead
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
one: me here, number:1 here, input more                 => turn number here 2
two: me here, number:2 here, input more                 => number:2 here -> here :3
carry: me here, number:3 here, input right, no number right, inside right => number here -> right :1, me here -> right
step toward input: me here, inside ahead                => me here -> ahead
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

READ = {name: read_game(f'name = "made"\n{text}'.encode(), name) for name, text in GAMES.items()}
LEVELS = [
    pytest.param(Instance(game, level), id=f"{name.split(':')[0]}/{level.name}")
    for name, (game, levels) in READ.items()
    for level in levels
]


@pytest.mark.parametrize("one", LEVELS)
def test_referee_and_compiled_agree(one: Instance) -> None:
    counts = compare_runs(one, Random(1), 40, 6)
    assert counts["state"] > 0


@pytest.mark.parametrize("one", LEVELS)
def test_the_encoding_has_exactly_the_plans_that_win(one: Instance) -> None:
    expected = wins(one)
    assert encoding_fault(one, expected) == ""
