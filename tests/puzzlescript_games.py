"""Small PuzzleScript games for tests: a frame of objects, and what a test puts into it."""

from __future__ import annotations

from ggp.engines import puzzlescript as engine
from ggp.importers import puzzlescript
from ggp.model import Instance

FRAME = """title Small
{prelude}
OBJECTS
Background .
Black

Wall #
Grey

Player p
White

Crate *
Orange
00000
0...0
0...0
0...0
00000

Ball b
Red

Mark m
Blue

Target o
Yellow

LEGEND
Solid = Wall or Crate or Ball
Thing = Crate or Ball
@ = Crate and Target
{legend}
SOUNDS
Crate move 36772507
COLLISIONLAYERS
Background
Target
Mark
Player, Wall, Crate, Ball
RULES
{rules}
WINCONDITIONS
{wins}
LEVELS

{maps}
"""
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"


def text(
    rules: str = PUSH,
    maps: str = "#p*.o#",
    *,
    prelude: str = "",
    legend: str = "",
    wins: str = "Some Target on Crate",
) -> str:
    """The text of a game. Maps are rows that `/` divides; an empty row ends a map."""
    rows = maps.replace("/", "\n")
    return FRAME.format(rules=rules, maps=rows, prelude=prelude, legend=legend, wins=wins)


def instance(rules: str = PUSH, maps: str = "#p*.o#", **parts: str) -> Instance:
    """The first level of such a game."""
    game, levels = puzzlescript.read(text(rules, maps, **parts).encode(), "small.txt")
    return Instance(game, levels[0])


def current_engine() -> bool:
    """Is there an engine of today? That of 2015 goes other ways here and there."""
    home = engine.engine()
    return engine.available() is None and home is not None and not (home / engine.WHOLE).is_file()
