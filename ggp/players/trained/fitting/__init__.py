"""Networks are fitted to examples, by scikit-learn or by PyTorch; what comes out is plain arrays either way.

PyTorch is an extra (`pip install 'ggp[torch]'`). With it a choice is learned as one: of the deeds of a
position the right one is made the likeliest. scikit-learn knows no such loss, and learns of each deed alone
whether it is the right one.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import NotAvailable, PuzzleError
from ggp.players.trained.networks import Layer, Network, Sort
from ggp.players.trained.sight import Rows

HIDDEN = (96, 48)  # units between inputs and output
WAYS = {  # what fits, the module that has to be there, ours that calls it, and how it is had
    "torch": ("torch", "ggp.players.trained.fitting.pytorch", "pip install 'ggp[torch]'"),
    "scikit-learn": ("sklearn", "ggp.players.trained.fitting.scikit_learn", "pip install scikit-learn"),
}


class Sample(NamedTuple):
    """What one network is fitted to.

    `rows`: (examples, width). `wanted`, (examples,): a number where the sort is `amount`, else 0 or 1.
    `positions`, (examples,): from 0 upwards, whose deeds the examples are, which stand together.
    """

    sort: Sort
    rows: Rows
    wanted: NDArray[np.float32]
    positions: NDArray[np.int64]


def way_for(name: str | None) -> str:
    """The way to fit: the one that is asked for, or the first that is installed.

    Raises PuzzleError for a name that is none, NotAvailable where it is not installed.
    """
    if name is None:
        return next((way for way, (module, _, _) in WAYS.items() if find_spec(module)), "scikit-learn")
    if name not in WAYS:
        raise PuzzleError(f"networks cannot be fitted by {name[:60]!r}", f"take one of: {', '.join(WAYS)}")
    module, _, remedy = WAYS[name]
    if find_spec(module) is None:
        raise NotAvailable(f"{name} is not installed", remedy)
    return name


def fit(sample: Sample, way: str, seed: int) -> Network:
    """A network fitted in one of the `WAYS`; where all examples say the same, one that says that."""
    first = float(sample.wanted[0])
    if (sample.wanted == first).all():
        bias = first if sample.sort == "amount" else 10.0 * (2 * first - 1)
        return Network(
            (Layer(np.zeros((sample.rows.shape[1], 1), np.float32), np.array([bias], np.float32)),)
        )
    fitted: Network = import_module(WAYS[way][1]).fit(sample, HIDDEN, seed)
    return fitted
