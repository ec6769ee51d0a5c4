"""What rules leave over in crowds, and whose doing it is.

A lemming that walks off a rotten brick, which is gone then, may hardly be seen alone. Rules of what single
ones do say where each of a crowd goes; the brick is left over, and due to the only one who went near it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from ggp.learn.boards import Token
from ggp.model import Cell

Changed = tuple[str, Cell, Token]

NEAR = 1  # cells from what it changed may be what else a mover did


def with_what_is_left(
    changes: Set[Changed],
    told: Set[Changed],
    said: Sequence[frozenset[Changed]],
    own: Callable[[Token], bool],
    far: Callable[[Cell, Cell], int],
) -> Iterator[tuple[int, frozenset[Changed]]]:
    """Which of several movers did what, with what rules leave over; nothing where rules say too much.

    `said`: what each does by the rules, and `told` what comes of it. `own`: is a token a mover? What these do
    themselves is for rules to say.
    """
    left = changes - told
    if not left or told - changes or any(own(token) for _, _, token in left):
        return
    more: dict[int, set[Changed]] = {}
    for change in left:
        near = [n for n, one in enumerate(said) if any(far(change[1], cell) <= NEAR for _, cell, _ in one)]
        if len(near) == 1:
            more.setdefault(near[0], set()).add(change)
    yield from ((number, said[number] | added) for number, added in more.items())
