"""Asks a solver and says what comes of it, in a process of its own (`ggp.engines.beside`). Never imported.

Standard input is the question, pickled: the name of the solver, the instance, the query, and
the time of the day until which there is time. Standard output is a line for each plan, and at the end one
that says how it ended: pickled, in base 64. What a solver's library prints goes to standard error.
"""

import os
import pickle
import sys
import time
from base64 import b64encode
from dataclasses import replace
from typing import BinaryIO

from ggp import registry
from ggp.engines.beside import Ended
from ggp.errors import PuzzleError
from ggp.model import Instance, Plan
from ggp.model.result import Clock, Outcome, OutOfTime, Query


def main() -> None:
    """Answer the question."""
    name, instance, query, until = pickle.load(sys.stdin.buffer)
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        query = replace(query, clock=Clock(None if until is None else max(0.0, until - time.time())))
        outcome = asked(name, instance, query, out)
        tell(out, Ended(outcome, query.clock.encoding, query.clock.encoded))


def asked(name: str, instance: Instance, query: Query, out: BinaryIO) -> Outcome:
    """Tell the plans; how it ended."""
    try:
        answers = registry.load("solver", name).solve(instance, query)
        while True:
            try:
                tell(out, next(answers))
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome
    except OutOfTime:
        return Outcome("time-limit", raw="out of time")
    except MemoryError:
        return Outcome("memory-limit", raw="MemoryError")
    except PuzzleError as error:
        return Outcome("error", raw=str(error))


def tell(out: BinaryIO, what: Plan | Ended) -> None:
    """Say something."""
    out.write(b64encode(pickle.dumps(what)) + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
