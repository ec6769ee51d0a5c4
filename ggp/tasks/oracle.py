"""An oracle for encodings: values that meet every constraint. Any solver with `model_of` may stand behind it.

What explains answers and what certifies learned rules asks here, and knows no solver.
"""

from __future__ import annotations

from ggp import registry
from ggp.encoding.constraints import Encoding, Values
from ggp.errors import NotAvailable
from ggp.model.result import Clock


def model_of(encoding: Encoding, clock: Clock | None = None, solver: str | None = None) -> Values | None:
    """Values of all variables that meet every constraint, None if there are none; raises OutOfTime.

    `solver` names who is asked; by default the first in the registry that can be. Raises NotAvailable where
    there is none.
    """
    for name in (solver,) if solver is not None else registry.SOLVERS:
        module = registry.load("solver", name)
        if hasattr(module, "model_of") and module.available() is None:
            values: Values | None = module.model_of(encoding, clock or Clock())
            return values
    remedy = "install one that can be, such as those of `ggp list solvers` that offer `model_of`"
    raise NotAvailable(f"{solver or 'no solver'} cannot be asked about an encoding", remedy)
