"""Signs: tokens that stand in every cell of a board on which something stands somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ggp.learn.boards import Board, Stack

SIGN = "some "  # what the tokens of signs begin with; no token of a board does


class Sign(NamedTuple):
    """Somewhere stands `what`: with `ground` on one of these, or (`off`) on none of them.

    All are names, or tokens of things with facings: somebody looks up.
    """

    what: str
    ground: tuple[str, ...] = ()
    off: bool = False

    @property
    def token(self) -> str:
        """What stands in the cells of a board of which it is true."""
        where = f" {'off' if self.off else 'on'} {' or '.join(self.ground)}" if self.ground else ""
        return f"{SIGN}{self.what}{where}"

    def of(self, names: frozenset[str]) -> bool:
        """Do things of these names in one cell make it true?"""
        return self.what in names and (not self.ground or names.isdisjoint(self.ground) == self.off)


def is_sign(token: str) -> bool:
    """Is this the token of a sign?"""
    return token.startswith(SIGN)


def with_tokens(board: Board, tokens: Iterable[str]) -> Board:
    """The board with something in every cell."""
    more: Stack = frozenset(tokens)
    return board._replace(cells=tuple(stack | more for stack in board.cells)) if more else board
