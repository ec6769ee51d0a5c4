"""Where a picture may lie, as formulas, is what looking at each place of the board says."""

from __future__ import annotations

from random import Random

import pytest

from ggp import api
from ggp.encoding.constraints import Encoding
from ggp.encoding.fields import Field, Fields
from ggp.encoding.formula import Formula
from ggp.encoding.pictures import Asked, places
from ggp.transition.compiler import compile_instance
from tests.slow import one_in

NEAR = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


def looked_at(picture: list[Asked], height: int, width: int) -> list[list[Formula]]:
    """What must hold for the picture to lie there, place by place."""
    found = []
    for row in range(height):
        for column in range(width):
            asked: list[Formula] = []
            for (down, right), board, wanted in picture:
                inside = 0 <= row + down < height and 0 <= column + right < width
                to = (row + down) * width + column + right
                there = inside and (board is None or board.at(to))
                held = there if wanted else not there if isinstance(there, bool) else -there  # type: ignore[operator]
                asked.append(held)
            if not any(one is False for one in asked):
                found.append([one for one in asked if one is not True])
    return found


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_a_picture_may_lie_where_looking_at_each_place_says(seed: int) -> None:
    rng = Random(seed)
    instance = api.load("slitherlink/tiny")
    encoding, transition = Encoding(instance, 0), compile_instance(instance)
    algebra, size = Fields(encoding, transition), transition.height * transition.width

    def board() -> Field:
        """Free on some cells, true on a few, else as the rest is."""
        cells: dict[int, Formula] = {}
        for cell in rng.sample(range(size), rng.choice([0, 3, size // 2])):
            free = encoding.number(encoding.new("spot", (len(encoding.variables),), (0, 1)), 1)
            cells[cell] = rng.choice([free, free, True, False])
        return Field(algebra, cells, rng.random() < 0.2)

    others = rng.sample([offset for offset in NEAR if offset != (0, 0)], rng.randrange(4))
    picture: list[Asked] = [((0, 0), board(), rng.random() < 0.5)]
    picture += [(one, None if rng.random() < 0.2 else board(), rng.random() < 0.5) for one in others]
    assert list(places(algebra, picture)) == looked_at(picture, transition.height, transition.width)
