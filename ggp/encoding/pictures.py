"""What a picture asks where it may lie, as formulas: place by place, from the rarest thing that it shows.

Boards that are shifted and laid on one another say the same. But most pictures show something that stands on
few cells, if on any, and a board of formulas takes as long for each cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.encoding.fields import Field, Fields
from ggp.encoding.formula import Formula, negate
from ggp.transition.program import Offset

Asked = tuple[Offset, Field | None, bool]
"""(offset, board, wanted): whether a board is true there; without a board whether that is inside."""


def places(algebra: Fields, picture: Sequence[Asked]) -> Iterator[list[Formula]]:
    """What must hold for the picture to lie there, for each place at which it is not plain that it cannot.

    Something is asked of its anchor, the cell at offset (0, 0), so that this is on the board.
    """
    shown = [(one, offset) for offset, one, wanted in picture if wanted and one is not None and not one.rest]
    looks = [(algebra.way(offset), board, wanted) for offset, board, wanted in picture]
    for anchor in anchors(algebra, shown):
        asked = []
        for way, board, wanted in looks:
            to = way[anchor]
            there = to >= 0 and (board is None or board.at(to))
            formula = there if wanted else negate(there)
            if formula is False:
                break
            if formula is not True:
                asked.append(formula)
        else:
            yield asked


def anchors(algebra: Fields, shown: Sequence[tuple[Field, Offset]]) -> Iterator[int]:
    """Where a picture that shows all of this can lie, by the board that is true on the fewest cells."""
    if not shown:
        yield from range(algebra.transition.height * algebra.transition.width)
        return
    board, (down, right) = min(shown, key=lambda one: len(one[0].cells))
    back = algebra.way((-down, -right))
    yield from (back[cell] for cell in sorted(board.cells) if back[cell] >= 0)
