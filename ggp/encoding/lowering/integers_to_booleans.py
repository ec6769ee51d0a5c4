"""Source: an encoding of clauses, definitions and sums. Target: the same over Boolean variables alone.

Reformulation: a variable with other values than 0 and 1
becomes one Boolean for each of its values, of which exactly one holds; `digit[2][3] = 7` becomes
`digit_is_7[2][3]`. What is fixed is left out. Solutions correspond one to one, and the way back to a plan
leads through the variables that were there before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ggp.encoding.constraints import Claim, Clause, Constraint, Encoding, Iff, Sum, Values
from ggp.encoding.graphs import Areas, Joined, mapped
from ggp.encoding.judging import true
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import Kinds, Lowered, Tick, kind_of, never
from ggp.model import Plan

TAKES: Kinds = frozenset({"integers", "certain"})
LEAVES: Kinds = frozenset({"sum"})
BESIDE: Kinds = frozenset({"clause", "definition", "sum"})
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The Boolean encoding. `tick` is called now and then and may raise: so a time limit gets in."""
    writer = Booleans(encoding, tick)
    return Lowered(writer.run(), writer.forward, writer.back)


@dataclass
class Booleans:
    """Writes one Boolean encoding: `after` from `before`."""

    before: Encoding
    tick: Tick
    lits: dict[tuple[int, int], Lit] = field(default_factory=dict)  # of (variable, value) before
    after: Encoding = field(init=False)

    def run(self) -> Encoding:
        """All of it, and `after` is set to it."""
        before = self.before
        after = Encoding(before.instance, before.horizon, offset=before.offset, limits=list(before.limits))
        after.transition = before.transition
        settled = before.settled
        for number in range(len(before.variables)):
            self.tick()
            if number not in settled:
                self.variable(number, after)
        for constraint in before.constraints:
            self.tick()
            after.add(self.constraint(constraint))
        after.minimise = tuple((weight, self.lit(lit)) for weight, lit in before.minimise)
        after.claims = [
            Claim(one.turn, {p: self.said(lits) for p, lits in one.pieces.items()}) for one in before.claims
        ]
        after.decoder = self.decode
        self.after = after
        return after

    def variable(self, number: int, after: Encoding) -> None:
        """The Booleans of one variable."""
        old = self.before.variables[number]
        if old.domain == (0, 1):
            new = after.new(old.name, old.index, (0, 1), old.meaning)
            lit = after.number(new, 1)
            self.lits[number, 1], self.lits[number, 0] = lit, -lit
            if number in self.before.decisions:
                after.decisions[new] = self.before.decisions[number]
            return
        for value in old.domain:
            word = str(value).replace("-", "minus_")
            new = after.new(f"{old.name}_is_{word}", old.index, (0, 1), old.meaning)
            self.lits[number, value] = after.number(new, 1)
            if number in self.before.decisions:
                after.decisions[new] = is_value(self.before.decisions[number], value)
        each = tuple((1, self.lits[number, value]) for value in old.domain)
        after.add(Sum(each, "=", 1, Why(f"{old} has one value")))

    def lit(self, lit: Lit) -> Lit:
        """The literal that says the same."""
        new = self.lits[self.before.atoms[abs(lit)]]
        return new if lit > 0 else -new

    def said(self, lits: Sequence[Lit | bool]) -> list[Lit | bool]:
        """A row of a claim; what is no variable any more says nothing and counts as absent."""
        row: list[Lit | bool] = []
        for lit in lits:
            known = not isinstance(lit, bool) and self.before.atoms[abs(lit)] in self.lits
            row.append(self.lit(lit) if known else lit is True)
        return row

    def constraint(self, constraint: Constraint) -> Constraint:
        """One constraint in the new literals."""
        match constraint:
            case Clause(lits, why):
                return Clause(tuple(map(self.lit, lits)), why)
            case Iff(lit, op, lits, why):
                return Iff(self.lit(lit), op, tuple(map(self.lit, lits)), why)
            case Sum(terms, comparison, number, why, when):
                terms = tuple((weight, self.lit(lit)) for weight, lit in terms)
                return Sum(terms, comparison, number, why, None if when is None else self.lit(when))
            case Joined() | Areas():
                return mapped(constraint, self.lit)
        raise ValueError(f"{kind_of(constraint)} must be lowered first")

    def forward(self, values: Values) -> Values:
        """For each value that a variable could have, whether it has it."""
        return {
            self.after.atoms[abs(lit)][0]: int((values[number] == value) == (lit > 0))
            for (number, value), lit in self.lits.items()
        }

    def back(self, values: Values) -> Values:
        """From Boolean values to those of all variables that were there before."""
        old = dict(self.before.settled)
        for (number, value), lit in self.lits.items():
            if true(self.after, lit, values):
                old[number] = value
        return old

    def decode(self, values: Values) -> Plan:
        """From Boolean values back to a plan."""
        return self.before.decode(self.back(values))


def is_value(decision: Callable[[Plan], int], value: int) -> Callable[[Plan], int]:
    """Whether a plan gives the variable this value."""
    return lambda plan: int(decision(plan) == value)
