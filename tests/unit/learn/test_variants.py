"""Variants of the games that move, which nobody tuned to: learned, certified, and played against."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.bench.watched import differing
from ggp.harness.learning import learn
from ggp.language.description import read_game
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import slow_unless

SOKOBAN = """
name = "variant"
[kinds]
wall = {{ layer = "solid" }}
target = {{ layer = "floor" }}
crate = {{ layer = "solid" }}
player = {{ layer = "solid", count = "1" }}
lava = {{ layer = "ground" }}
[classes]
blocker = ["wall", "crate"]
[symbols]
" " = ""
"#" = "wall"
"." = "target"
"$" = "crate"
"@" = "player"
"^" = "lava"
[input]
moves = {moves}
[[turn]]
rules = \"\"\"
{rules}
\"\"\"
[goal]
win = ["every crate on target"]
[[level]]
horizon = 30
map = \"\"\"
#########
#   .   #
# $@ ^$ #
#  #  . #
# ^  $  #
#  $  ^ #
#########
\"\"\"
"""
PUSH = """push: player here, crate ahead, no blocker ahead.ahead =>
    crate ahead -> ahead.ahead, player here -> ahead""".replace("\n", "")
STEP = "step: player here, no blocker ahead => player here -> ahead"
TUG = "tug: player here, no blocker ahead, crate behind => player here -> ahead, crate behind -> here"
SINK = """sink: player here, crate ahead, lava ahead.ahead, no blocker ahead.ahead =>
    remove crate ahead, player here -> ahead""".replace("\n", "")
BURN = "burn: player here, lava here => remove player here"
SWAP = "swap: player here, crate ahead => crate ahead -> here, player here -> ahead"
TWO = """two: player here, crate ahead, crate ahead.ahead, no blocker ahead.ahead.ahead =>
    player here -> ahead, crate ahead.ahead -> ahead.ahead.ahead,
    crate ahead -> ahead.ahead""".replace("\n", "")
CRUSH = "crush: player here, crate ahead => remove player here"
VARIANTS = {
    "pull": (TUG, STEP),
    "sink": (SINK, PUSH, STEP),
    "burn": (BURN, PUSH, STEP),
    "swap": (SWAP, STEP),
    "crush": (PUSH, CRUSH, STEP),
    "two": (TWO, STEP),
}
EVERY, NO_RIGHT = '["up", "right", "down", "left"]', '["up", "down", "left"]'


@pytest.mark.parametrize("name", slow_unless(["pull"], [*VARIANTS, "no-right"]))
def test_a_variant_is_learned_exactly(name: str) -> None:
    rules, moves = VARIANTS.get(name, (PUSH, STEP)), NO_RIGHT if name == "no-right" else EVERY
    text = SOKOBAN.format(rules="\n".join(rules), moves=moves)
    described, kept = read_game(text.encode(), "variant.toml")
    learned = learn(described, rollouts=60 if name == "pull" else 200, kept=kept)
    assert learned.certificate.text == "exact"
    fresh = rollouts(DescribedWorld(described, kept, go_on=True), random.Random(99))
    runs = islice(fresh, 40 if name == "pull" else 400)
    found = differing(DescribedWorld(learned.game, kept, go_on=True), runs, 4000, 60)
    assert found.turns > 200 and found.wrong == 0
