"""What solvers take of encodings, and an oracle for them: values that meet every constraint.

Any solver with `model_of` may stand behind the oracle.

What explains answers and what certifies learned rules asks here, and knows no solver.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from ggp import registry
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.route import Backend
from ggp.encoding.switched import Session
from ggp.errors import NotAvailable, PuzzleError
from ggp.model.result import Clock


def backend_of(solver: str) -> Backend:
    """What a solver that works through the encoding takes; raises PuzzleError for one that does not."""
    backend: Backend | None = getattr(registry.load("solver", solver), "BACKEND", None)
    if backend is None:
        able = [name for name in registry.SOLVERS if has_backend(name)]
        raise PuzzleError(f"{solver} gets no encoding", f"those that do are {', '.join(able)}")
    return backend


def has_backend(solver: str) -> bool:
    """Does a registered solver work through the encoding? Not, if it cannot even be imported."""
    try:
        return hasattr(registry.load("solver", solver), "BACKEND")
    except NotAvailable:
        return False


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


def session(clock: Clock, patience: float) -> tuple[Backend, AbstractContextManager[Session]] | None:
    """(what it takes, a session that is asked again and again); None where no solver offers one.

    Each answer may take so many seconds.
    """
    for name in registry.SOLVERS:
        if has_backend(name):
            module = registry.load("solver", name)
            if hasattr(module, "session") and module.available() is None:
                return backend_of(name), module.session(clock, patience)
    return None
