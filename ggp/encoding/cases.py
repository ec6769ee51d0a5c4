"""All that can come to pass in a turn, where that is little: what formulas are then, case by case.

A case is a board that can be there before the turn, as the formulas before it say, with an input. A literal
has a table: an integer with a bit for each case in which it holds. Formulas with the same table are the same
formula, and what holds in no case is false. So passes that are repeated come to rest when nothing can
happen any more, and nothing is written twice, however it came about.

It is exact as long as every literal that a formula speaks of has a table. What has none (a design, more
cases than `MOST`) is left to `clashes.Known`, which looks at how literals are defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ggp.encoding.literals import Lit

MOST = 1 << 18  # cases
KEPT = 1 << 31  # bits of all tables of a turn: a quarter of a gigabyte
SPREAD = 1 << 27  # what is known of boards while they are told apart, in bytes
SHORT = 8  # literals of a conjunction of which those that say nothing new are looked for

Table = int


class Cases:
    """The cases of one turn. `care` are those that count: of one input, or not ruled out by now.

    `of` has the tables of atoms; `by` has for the tables that count (`table & care`) a literal that has it.
    """

    def __init__(self, number: int, tables: Mapping[int, Table]) -> None:
        self.number = number
        self.full: Table = (1 << number) - 1
        self.care = self.full
        self.of = dict(tables)
        self.by: dict[Table, Lit] = {}
        self.know(self.of)

    def know(self, atoms: Iterable[int]) -> None:
        """These atoms may stand for formulas that are the same; the first of those that are alike."""
        for atom in atoms:
            self.by.setdefault(self.of[atom] & self.care, atom)

    def within(self, table: Table) -> Cases:
        """The same where only these cases count. What gets a table there has it here as well."""
        inner = object.__new__(Cases)
        inner.number, inner.full, inner.care, inner.of = self.number, self.full, self.care & table, self.of
        inner.by = {}
        inner.know(self.of)
        return inner

    def rule_out(self, table: Table) -> None:
        """What is said to hold holds: only these cases count from now on."""
        self.care &= table

    def both(self, lits: Iterable[Lit]) -> Table | None:
        """The table of a conjunction; None where a literal has none."""
        total, of, full = self.full, self.of, self.full
        for lit in lits:
            table = of.get(lit if lit > 0 else -lit)
            if table is None:
                return None
            total &= table if lit > 0 else full ^ table
        return total

    def alike(self, table: Table) -> bool | Lit | None:
        """A constant or literal with the same table, of the cases that count; None: there is none."""
        key = table & self.care
        if not key:
            return False
        if key == self.care:
            return True
        found = self.by.get(key)
        if found is None:
            found = self.by.get(self.care & ~table)
            return None if found is None else -found
        return found

    def note(self, lit: Lit, table: Table) -> None:
        """A literal is defined to have this table."""
        if lit < 0:
            lit, table = -lit, self.full ^ table
        self.of[lit] = table
        self.by.setdefault(table & self.care, lit)

    @property
    def crowded(self) -> bool:
        """Do the tables take more room than they may?"""
        return len(self.of) * self.number > KEPT

    def needed(self, lits: frozenset[Lit]) -> frozenset[Lit]:
        """A short conjunction without what follows from the rest of it, in the cases that count."""
        if not 2 < len(lits) <= SHORT:
            return lits
        left = sorted(lits)
        whole = self.both(left)
        if whole is None:
            return lits
        whole &= self.care
        for lit in sorted(lits, key=abs, reverse=True):  # what was defined last says most, and hangs on most
            if len(left) > 1:
                rest = [other for other in left if other != lit]
                table = self.both(rest)
                if table is not None and table & self.care == whole:
                    left = rest
        return frozenset(left)

    def enough(self, weights: Mapping[Lit, int], number: int) -> Table | None:
        """The cases in which so many of these hold, each as often as it counts."""
        levels = [self.full] + [0] * number
        for lit, weight in weights.items():
            table = self.both((lit,))
            if table is None:
                return None
            for level in range(number, 0, -1):
                levels[level] |= levels[max(level - weight, 0)] & table
        return levels[number]


def start() -> Cases:
    """The one case in which a run begins, where nothing is chosen."""
    return Cases(1, {})


def after(
    cases: Cases, carried: Iterable[int], over: bool | Lit, none: int, inputs: Sequence[int]
) -> Cases | None:
    """The cases of the next turn: each board that can be there, with each input; None if they are too many.

    `carried` are the atoms that tell boards apart, and whether the run is over, which is `over`. `inputs`
    are asked for the atoms that say that there is none (0: there always is one), and for those of each input.
    """
    import numpy as np

    atoms = list(dict.fromkeys(carried))
    if len(atoms) * cases.number > SPREAD or over is True or any(atom not in cases.of for atom in atoms):
        return None
    live = bits(cases.care, cases.number)
    told = np.stack([bits(cases.of[atom], cases.number) for atom in atoms] or [np.ones_like(live)])
    told = told[:, live.astype(bool)]
    rows = np.ascontiguousarray(np.packbits(told, axis=0).T)
    if not len(rows):
        return None
    _, kept = np.unique(rows, axis=0, return_index=True)
    told = told[:, np.sort(kept)]
    ended = told[atoms.index(abs(over))] == (over > 0) if over else np.zeros(told.shape[1], bool)
    going, gone = told[:, ~ended], told[:, ended]
    number = gone.shape[1] + len(inputs) * going.shape[1]
    if not 0 < number <= MOST or len(atoms) * number > SPREAD:
        return None
    boards = np.concatenate([gone, *([going] * len(inputs))], axis=1)
    tables = {atom: table(row) for atom, row in zip(atoms, boards, strict=True)} if atoms else {}
    if none:
        tables[none] = (1 << gone.shape[1]) - 1
    block = (1 << going.shape[1]) - 1
    for place, atom in enumerate(inputs):
        tables[atom] = block << (gone.shape[1] + place * going.shape[1])
    return Cases(number, tables)


def bits(table: Table, number: int) -> Any:
    """A table as an array of zeros and ones."""
    import numpy as np

    raw = np.frombuffer(table.to_bytes((number + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, bitorder="little")[:number]


def table(row: Any) -> Table:
    """An array of zeros and ones as a table."""
    import numpy as np

    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
