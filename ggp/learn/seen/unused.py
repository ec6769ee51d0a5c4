"""Names that nothing has yet: of marks that rules leave, of classes, of inputs."""

from __future__ import annotations

from collections.abc import Container
from itertools import count

from ggp.learn.boards import Token
from ggp.learn.seen.structure import Structure


def unused(structure: Structure, name: str) -> Token:
    """The name as a token, or with more to it where something is called so."""
    return untaken(name, structure.tokens)


def untaken(name: str, taken: Container[str]) -> str:
    """The name, or with more to it where it is taken."""
    return next(one for one in (name + "-too" * n for n in count()) if one not in taken)
