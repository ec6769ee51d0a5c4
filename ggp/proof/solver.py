"""The SAT solver that looks for a solution, or writes a proof that there is none."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ggp.engines.answers import Answering
from ggp.errors import SolverError
from ggp.model.result import Clock, OutOfTime

WORKER = "ggp.engines.sat.worker"
SOLVERS = ("cadical195", "cadical153", "glucose42")
"""Those of the solvers here that write proofs; the first one is asked."""
LARGEST = 10**8  # bytes of a proof that is read


def available() -> str | None:
    """None if it is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("pysat") else "install it with `pip install python-sat`"


def solution_or_proof(
    clauses: Sequence[Sequence[int]], clock: Clock, solver: str = SOLVERS[0]
) -> list[int] | bytes:
    """The literals that are true in a solution, or the text of a proof that there is none.

    Raises OutOfTime, SolverError, and MemoryError where the proof is too long to be read.
    """
    with tempfile.TemporaryDirectory(prefix="ggp-") as folder:
        path = Path(folder) / "proof.drat"
        with Answering(solver, WORKER, asked(clauses, solver, "one", path), clock.left) as answering:
            found = list(answering)
        if answering.ended.timed_out:
            raise OutOfTime
        if answering.status == "SATISFIABLE" and found:
            return found[0]
        if answering.status != "UNSATISFIABLE":
            raise SolverError(f"{solver} answers {answering.status}, which has no meaning here")
        if path.stat().st_size > LARGEST:
            raise MemoryError
        return path.read_bytes()


def asked(
    clauses: Sequence[Sequence[int]], solver: str, want: Literal["one", "all"], proof: Path | None = None
) -> dict[str, object]:
    """What the worker is given."""
    highest = max((abs(lit) for clause in clauses for lit in clause), default=0)
    given = {"solver": solver, "variables": highest, "clauses": clauses, "cards": [], "minimise": []}
    return {**given, "decisions": [], "want": want, **({} if proof is None else {"proof": str(proof)})}
