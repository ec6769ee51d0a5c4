"""Clauses that are the same on each board of a size, kept for the next: writing them takes long.

Where nothing is given yet, what a word says of a board hangs on its size alone, and boards of one size come
many at a time: a generator asks about hundreds, a book has dozens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ggp.encoding.constraints import Clause, Sheet
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Why

KEPT = 16  # answers: those of a board of 45x31 take some three megabytes

Groups = tuple[tuple[Formula, ...], ...]
Write = Callable[[Groups, Callable[[Formula], Formula]], Iterable[Sequence[Formula]]]
"""What makes of groups of formulas those of which one holds at least, given what makes the opposite of one.

A function of a module: it looks at nothing else, and is what the clauses are kept by.
"""


@lru_cache(maxsize=KEPT)
def patterned(write: Write, groups: Groups, why: Why) -> Sheet | None:
    """The clauses, if the formulas are constants and literals of which none says anything of another one.

    None where a clause that says something has a literal twice, or beside its opposite.
    """
    clauses = []
    for some in write(groups, negate):
        if True in some:  # no literal is equal to it
            continue
        lits: list[Any] = [formula for formula in some if formula is not False]
        if len({*map(abs, lits)}) < len(lits):
            return None
        lits.sort()
        clauses.append(Clause(tuple(lits), why))
    return Sheet(tuple(clauses))
