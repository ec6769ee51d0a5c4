"""The token of a mark that rules leave: nothing of the game is called so."""

from __future__ import annotations

from itertools import count

from ggp.learn.boards import Token
from ggp.learn.seen.structure import Structure


def unused(structure: Structure, name: str) -> Token:
    """The name, or with more to it where something is called so."""
    return next(one for one in (name + "-too" * n for n in count()) if one not in structure.tokens)
