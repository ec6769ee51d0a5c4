"""What comes of a sense: the kind of its mark, what its tokens are, and the groups that put it down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ggp.learn.boards import Token
from ggp.model import Group, Kind, Piece


class Marking(NamedTuple):
    """The mark, the piece that each token of the sense is, the groups of rules, and other marks of theirs."""

    mark: Kind
    pieces: Mapping[Token, Piece]
    groups: Sequence[Group]
    others: Sequence[Kind] = ()


def mark_of(name: str) -> Kind:
    """The kind of the marks of something."""
    return Kind(name, f"layer-of-{name}", marker=True)
