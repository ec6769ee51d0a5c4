"""How hard a puzzle with an input each turn is: by the decisions on a shortest way, in bits.

So many bits does it take to tell that way from all others that random inputs might go, which is what makers
of levels are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from typing import Literal

from ggp.model import Game

EFFORT = (10, 24)  # bits from which a level is of medium difficulty, and hard


def bits(choices: Iterable[int]) -> int:
    """The bits of a way on which so many different states could have followed, turn by turn."""
    return round(sum(log2(max(1, many)) for many in choices))


def thresholds(game: Game) -> tuple[int, int]:
    """The bits from which levels of a game are of medium difficulty, and hard."""
    return (game.generate.effort if game.generate is not None else None) or EFFORT


def difficulty(game: Game, effort: int) -> Literal["easy", "medium", "hard"]:
    """What that many bits are in a game."""
    medium, hard = thresholds(game)
    return "easy" if effort < medium else "medium" if effort < hard else "hard"
