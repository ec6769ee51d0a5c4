"""Pictures of positions as arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance
from ggp.model.board import State

CELL = 16  # pixels of a cell's side


def painter(instance: Instance, size: int = CELL) -> Callable[[State], NDArray[np.uint8]]:
    """What draws states of an instance: (height, width, red green blue)."""
    from ggp.render.mosaic import Mosaic

    mosaic = Mosaic(instance, size)
    return lambda state: np.asarray(mosaic.picture(state).convert("RGB"), dtype=np.uint8)
