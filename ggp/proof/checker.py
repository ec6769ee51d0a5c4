"""Is this a proof that these clauses contradict each other? It reads the clauses and the proof, nothing else.

A proof is the text that SAT solvers write (DRAT): a line for each clause that is added, or deleted (`d`), its
literals and a 0 at the end. Each added one must follow by unit propagation from those that are there (RUP),
or be harmless on its first literal (RAT); the proof ends with the empty clause. Deletions are honoured, one
of a clause that is not there means nothing. Nothing here was taken from a solver.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.proof import loops
from ggp.proof.loops import PROVED, STEPS, Tables
from ggp.transition.native.compiling import usable

SHORT = 60_000  # literals, up to which compiled loops take longer to load than the plain ones to run
AT_ONCE = 500  # steps between two looks at the clock
DELETED = 2**31 - 1  # stands for the letter d
LARGEST = 2**24  # the highest variable that is believed


@dataclass(frozen=True, slots=True)
class Judged:
    """What the checker says: is it proved, after how many steps that added something; else what is wrong."""

    proved: bool
    steps: int
    fault: str = ""


def judge(
    clauses: Sequence[Sequence[int]],
    proof: bytes,
    tick: Callable[[], None] = lambda: None,
    *,
    compile_loops: bool | None = None,
) -> Judged:
    """Check a proof that the clauses have no solution. `tick` is called now and then and may raise.

    Long proofs are checked by compiled loops, where these are there, unless `compile_loops` says otherwise.
    """
    try:
        script = Script(clauses)
        script.read(proof, tick)
    except ValueError as error:
        return Judged(False, 0, str(error))
    if compile_loops is None:
        compile_loops = len(script.lits) > SHORT and usable()
    return run(script, compile_loops, tick)


def run(script: Script, compile_loops: bool, tick: Callable[[], None]) -> Judged:
    """Go through the steps."""
    running: Any = loops
    tables, steps = script.tables(), script.steps
    if compile_loops:
        from ggp.proof import native_loops as running

        tables, steps = arrays(tables), arrays([steps])[0]
    running.load(tables, script.given)
    number = 0
    while not tables.counts[PROVED] and number < len(steps):
        tick()
        end = min(number + AT_ONCE, len(steps))
        reached = int(running.read(tables, steps, number, end))
        if reached < end and not tables.counts[PROVED]:
            return Judged(False, int(tables.counts[STEPS]), f"step {reached + 1} does not follow")
        number = reached
    if not tables.counts[PROVED]:
        return Judged(False, int(tables.counts[STEPS]), "it ends without a contradiction")
    return Judged(True, int(tables.counts[STEPS]))


def arrays(tables: Any) -> Any:
    """The same in arrays."""
    import numpy as np

    made = [np.array(table, np.int32) for table in tables]
    return Tables(*made) if isinstance(tables, Tables) else made


class Script:
    """The clauses and the steps as the loops take them."""

    def __init__(self, clauses: Sequence[Sequence[int]]) -> None:
        self.lits: list[int] = []
        self.begins = [0]
        self.steps: list[int] = []
        self.highest = 0
        self.where: dict[tuple[int, ...], list[int]] = {}  # the clauses with these literals that are there
        for clause in clauses:
            self.clause(clause)
        self.given = len(self.begins) - 1

    def clause(self, lits: Sequence[int]) -> int:
        """Take a clause in, each literal once and the first one first; its number."""
        coded = list(dict.fromkeys([2 * lit if lit > 0 else 1 - 2 * lit for lit in lits]))
        self.highest = max(self.highest, *coded) if coded else self.highest
        if self.highest > 2 * LARGEST:
            raise ValueError(f"it speaks of a variable beyond {LARGEST}")
        self.lits += coded
        self.begins.append(len(self.lits))
        number = len(self.begins) - 2
        self.where.setdefault(tuple(sorted(coded)), []).append(number)
        return number

    def read(self, proof: bytes, tick: Callable[[], None]) -> None:
        """Take the steps of a proof in; raises ValueError where it is no proof."""
        numbers = parse(proof)
        begin, deleted = 0, False
        for place, number in enumerate(numbers):
            if number == DELETED:
                if deleted or begin != place:
                    raise ValueError("it has a `d` within a step")
                deleted, begin = True, place + 1
            elif number == 0:
                self.step(numbers[begin:place], deleted)
                begin, deleted = place + 1, False
                if len(self.steps) % 4096 == 0:
                    tick()
        if deleted or begin != len(numbers):
            raise ValueError("its last step has no end")

    def step(self, lits: list[int], deleted: bool) -> None:
        """Take one step in."""
        if not deleted:
            self.steps.append(self.clause(lits))
            return
        coded = {2 * lit if lit > 0 else 1 - 2 * lit for lit in lits}
        there = self.where.get(tuple(sorted(coded)))
        if there:
            self.steps.append(-1 - there.pop())

    def tables(self) -> Tables:
        """The tables, in which no clause is used yet."""
        size, clauses = self.highest + 2, len(self.begins) - 1
        return Tables(
            list(self.lits),
            list(self.begins),
            [0] * clauses,
            [-1] * size,
            [-1] * (2 * clauses),
            [0] * size,
            [0] * (size // 2 + 1),
            [0] * 4,
        )


def parse(proof: bytes) -> list[int]:
    """The numbers of a proof, `DELETED` for each d; raises ValueError."""
    import numpy as np

    if re.search(rb"[^-0-9d\s]", proof):
        raise ValueError("it is no text of literals")
    text = proof.replace(b"d", b" %d " % DELETED).decode()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found: list[int] = np.fromstring(text, np.int64, sep=" ").tolist() if text.strip() else []
        except DeprecationWarning:
            raise ValueError("it has what is no number") from None
    return found
