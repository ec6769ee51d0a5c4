"""Source: a Boolean encoding (see `integers_to_booleans`). Target: rows of a 0/1 linear program.

Reformulation, with 1 - x for "not x":

    a or b or c                 a + b + c >= 1
    d iff a and b and c         d <= a, d <= b, d <= c, d >= a + b + c - 2
    d iff a or b or c           d >= a, d >= b, d >= c, d <= a + b + c
    sum = n                     one row; two halves of it took CBC two to four times as long
    if w then sum <= n          sum <= n + (most - n) (1 - w), and so for >=; for = both

A row a product at a time is longer than one row for all of them, and far tighter where x is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff, Sum, Values
from ggp.encoding.graphs import Areas, Joined, told
from ggp.encoding.judging import holds
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.protocol import Kinds, Line, Tick, kind_of, never
from ggp.errors import short


class Row(NamedTuple):
    """low <= sum of coefficient x column <= high; None: no bound."""

    low: int | None
    high: int | None
    terms: tuple[tuple[int, int], ...]  # (coefficient, column)

    def text(self, called: Sequence[str]) -> str:
        """The row with its columns called so."""
        each = [called[at] if weight == 1 else f"{weight} {called[at]}" for weight, at in self.terms]
        if self.low is not None and self.low == self.high:
            return f"{' + '.join(each) or '0'} = {self.low}"
        low = "" if self.low is None else f"{self.low} <= "
        return f"{low}{' + '.join(each) or '0'}{'' if self.high is None else f' <= {self.high}'}"


@dataclass
class Program:
    """A 0/1 program: minimise `offset` + the sum of `objective` over its columns, subject to its rows.

    `columns[k]` is the number of the encoding's variable that column k stands for; the `decisions` are the
    columns by which two plans differ. `graphs` are for `ggp.engines.cuts`, where column k is k + 1, and what
    always holds is the first number that is no column's.
    """

    columns: list[int]
    rows: list[Row] = field(default_factory=list)
    objective: list[tuple[int, int]] = field(default_factory=list)
    offset: int = 0
    decisions: list[int] = field(default_factory=list)
    graphs: list[dict[str, Any]] = field(default_factory=list)


TAKES: Kinds = frozenset({"clause", "definition", "sum", "certain"})


def lower(encoding: Encoding, tick: Tick = never) -> Program:
    """The program of an encoding. Raises ValueError where that has more than it `TAKES`.

    `tick` is called now and then and may raise.
    """
    return Linear(encoding, columns(encoding)).program(tick)


def columns(encoding: Encoding) -> dict[int, int]:
    """The column of each variable that has one."""
    settled = encoding.settled
    numbers = [number for number in range(len(encoding.variables)) if number not in settled]
    for number in numbers:
        if encoding.variables[number].domain != (0, 1):
            raise ValueError(f"{encoding.variables[number]} is not Boolean")
    return {number: column for column, number in enumerate(numbers)}


def broken(encoding: Encoding, values: Values) -> Iterator[Line]:
    """The rows that the values break."""
    writer, found, number = Linear(encoding, columns(encoding)), [], 0
    called = [str(encoding.variables[v]) for v in writer.column]
    column = [values[v] for v in writer.column]
    for constraint in encoding.constraints:
        if isinstance(constraint, Joined | Areas):
            number += 1
            if not holds(encoding, constraint, values):
                found.append((number, encoding.said(constraint), constraint.why))
            continue
        for row in writer.rows(constraint):
            number += 1
            total = sum(weight * column[at] for weight, at in row.terms)
            if (row.low is not None and total < row.low) or (row.high is not None and total > row.high):
                found.append((number, f"{row.text(called)}, and it is {total}", constraint.why))
    yield from (Line(at, number, short(text), why) for at, text, why in found)


@dataclass
class Linear:
    """Writes one program."""

    encoding: Encoding
    column: dict[int, int]

    def program(self, tick: Tick) -> Program:
        """Columns, rows, objective."""
        program = Program(list(self.column))
        for constraint in self.encoding.constraints:
            tick()
            if isinstance(constraint, Joined | Areas):
                program.graphs.append(told(constraint, self.atom))
            else:
                program.rows += self.rows(constraint)
        program.objective, constant = self.total(self.encoding.minimise)
        program.offset = self.encoding.offset + constant
        program.decisions = [self.column[v] for v in self.encoding.decisions if v in self.column]
        return program

    def atom(self, lit: Lit | bool) -> int:
        """The number of a literal in a graph: that of its column from 1, or minus that."""
        if isinstance(lit, bool):
            return len(self.column) + 1
        variable, value = self.encoding.atoms[abs(lit)]
        return (self.column[variable] + 1) * (1 if (lit > 0) == (value == 1) else -1)

    def rows(self, constraint: Constraint) -> Iterator[Row]:
        """The rows of one constraint."""
        match constraint:
            case Clause(lits):
                yield self.row(((1, lit) for lit in lits), low=1)
            case Iff(lit, op, lits):
                sign = 1 if op == "and" else -1  # an "or" is the "and" of the opposites
                whole, parts = sign * lit, [sign * one for one in lits]
                for part in parts:
                    yield self.row(((1, whole), (-1, part)), high=0)
                yield self.row(((1, whole), *((-1, part) for part in parts)), low=1 - len(parts))
            case Sum(terms, "=", number, _, None):
                yield self.row(terms, low=number, high=number)
            case Sum(terms, comparison, number, _, when):
                if comparison != ">=":
                    yield self.bounded(terms, number, when)
                if comparison != "<=":
                    yield self.bounded([(-weight, lit) for weight, lit in terms], -number, when)
            case _:
                raise ValueError(f"{kind_of(constraint)} must be lowered first")

    def bounded(self, terms: Iterable[tuple[int, Lit]], number: int, when: Lit | None) -> Row:
        """sum <= number, if `when` holds."""
        terms = list(terms)
        if when is not None:
            slack = max(0, sum(max(weight, 0) for weight, _ in terms) - number)
            terms, number = [*terms, (slack, when)], number + slack
        return self.row(terms, high=number)

    def row(self, terms: Iterable[tuple[int, Lit]], low: int | None = None, high: int | None = None) -> Row:
        """A row over literals."""
        total, constant = self.total(terms)
        return Row(
            None if low is None else low - constant, None if high is None else high - constant, tuple(total)
        )

    def total(self, terms: Iterable[tuple[int, Lit]]) -> tuple[list[tuple[int, int]], int]:
        """A sum of literals as (coefficient, column), each column once, and a constant."""
        found: dict[int, int] = {}
        constant = 0
        for weight, lit in terms:
            variable, value = self.encoding.atoms[abs(lit)]
            positive = (lit > 0) == (value == 1)
            found[self.column[variable]] = found.get(self.column[variable], 0) + (
                weight if positive else -weight
            )
            constant += 0 if positive else weight
        return [(weight, column) for column, weight in found.items() if weight], constant
