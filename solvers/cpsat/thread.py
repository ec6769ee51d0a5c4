"""CP-SAT at work in a thread of its own, so that Ctrl-C and a closed iterator stop it at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from ggp.engines.processes import set_off
from ggp.model.result import Query

Found = TypeVar("Found")


class Threaded(Generic[Found]):
    """One call of the solver; iterate over it for its solutions, each as `read` sees it.

    `library` is OR-Tools' `cp_model`, and the model its own. The query has the clock, the seed and the log.
    """

    def __init__(self, library: Any, model: Any, read: Callable[[Any], Found], query: Query) -> None:
        self.library, self.model, self.read = library, model, read
        self.clock = query.clock
        self.solver = library.CpSolver()
        self.found: queue.SimpleQueue[tuple[Found] | BaseException | None] = queue.SimpleQueue()
        parameters = self.solver.parameters
        parameters.catch_sigint_signal = False
        parameters.random_seed = int(query.options.get("seed", 1))
        if query.trace.log is not None:
            parameters.log_search_progress = True
            parameters.log_to_stdout = False
            self.solver.log_callback = query.trace.say
        if query.clock.left is not None:
            parameters.max_time_in_seconds = query.clock.left
        query.clock.check()
        self.word = "UNKNOWN"
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self) -> None:
        """Solve, handing over each solution."""
        run, base = self, self.library.CpSolverSolutionCallback

        class Hand(base):  # type: ignore[misc, valid-type]  # OR-Tools is not typed here
            """Hands each solution over."""

            def on_solution_callback(self) -> None:
                run.found.put((run.read(self),))

        try:
            status = self.solver.solve(self.model, Hand())
            self.word = str(self.solver.status_name(status))
            self.found.put(None)
        except BaseException as error:  # handed over, and raised where it can be seen
            self.found.put(error)

    def __iter__(self) -> Iterator[Found]:
        set_off(self.thread)
        while True:
            try:
                item = self.found.get(timeout=0.1)
            except queue.Empty:  # wake up now and then, so that Ctrl-C is seen
                self.clock.hear()
                continue
            if isinstance(item, BaseException):
                raise item
            if item is None:
                return
            yield item[0]

    def stop(self) -> None:
        """End the search and wait for it."""
        while self.thread.is_alive():
            self.solver.stop_search()
            self.thread.join(timeout=0.01)

    def status(self) -> str:
        """The solver's own word."""
        return self.word

    def bound(self) -> float:
        """What is proved of the objective."""
        return float(self.solver.best_objective_bound)
