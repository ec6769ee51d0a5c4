"""Source: variables that have each value once. Target: a variable for each value, which says who has it.

Where as many variables as values all differ, and all else are clauses that speak of two values each:

    the values all differ                               who has them all differ
    clauses about who has the one and who the other     a table of two: who may have them together

So people tell solvers of constraints of tours: step by step, where it is. Who has a value is told by a
number, and those who stand in few rows of tables come first: solvers try small numbers first, and a place
with few ways out is soon cut off. On an encoding that says any other thing nothing is done.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ggp.encoding.constraints import AllDifferent, Claim, Clause, Encoding, Table, Values
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, RuledOut, Tick, never, unchanged
from ggp.model import Plan

TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"all-different", "uneven-all-different", "integers", "table"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding turned round, or as it is where it says other things. `tick` may raise."""
    read = reading(encoding, tick)
    if read is None:
        return unchanged(encoding)
    writer = Inverted(encoding, *read)
    return Lowered(writer.run(), writer.forward, writer.back)


class Partners(NamedTuple):
    """Who may have two values together: for each who has the first, who may have the second; and why."""

    of: dict[int, set[int]]
    why: Why


@dataclass
class Said:
    """What the clauses say: who may have each value, and who may have which two of them together."""

    who: dict[int, set[int]]
    whys: dict[int, dict[int, Why]] = field(default_factory=dict)  # of each value: why whom it is denied
    pairs: dict[tuple[int, int], Partners] = field(default_factory=dict)

    def takes(self, encoding: Encoding, clause: Clause) -> bool:
        """Is it about one value or two? Then it is noted."""
        denied: dict[int, set[int]] = {}  # of each value, who has it where none of its literals holds
        for lit in clause.lits:
            variable, value = encoding.atoms[abs(lit)]
            left = denied.get(value, self.who[value])
            denied[value] = left - {variable} if lit > 0 else left & {variable}
        match sorted(denied.items()):
            case [(value, bad)]:
                self.who[value] = self.who[value] - bad
                self.whys.setdefault(value, {}).update(dict.fromkeys(bad, clause.why))
            case [(one, ones), (other, others)]:
                if (one, other) not in self.pairs:
                    all_of = {variable: set(self.who[other]) for variable in self.who[one]}
                    self.pairs[one, other] = Partners(all_of, clause.why)
                for variable in ones:
                    self.pairs[one, other].of[variable] -= others
            case _:
                return False
        return True


def reading(encoding: Encoding, tick: Tick) -> tuple[AllDifferent, Said] | None:
    """That all differ, and what the clauses say besides; None where something else is said."""
    different = [one for one in encoding.constraints if isinstance(one, AllDifferent)]
    clauses = [one for one in encoding.constraints if isinstance(one, Clause)]
    every = {v for v in range(len(encoding.variables)) if v not in encoding.settled}
    if len(different) != 1 or len(clauses) + 1 < len(encoding.constraints):
        return None
    (one,) = different
    who: dict[int, set[int]] = defaultdict(set)
    for variable in one.variables:
        for value in encoding.variables[variable].domain:
            who[value].add(variable)
    whole = sorted(one.variables) == sorted(every) and len(who) == len(every) and not one.free
    if not whole or encoding.minimise or encoding.derived:
        return None
    said = Said(dict(who))
    for number, clause in enumerate(sorted(clauses, key=lambda one: len(one.lits))):
        if number % 1000 == 0:
            tick()
        known = (encoding.atoms[abs(lit)] for lit in clause.lits)
        if not all(v in every and value in encoding.variables[v].domain for v, value in known):
            return None
        if not clause.lits or not said.takes(encoding, clause):
            return None
    return one, said


@dataclass
class Inverted:
    """Writes the encoding of who has what: `after` from `before`."""

    before: Encoding
    different: AllDifferent
    said: Said
    after: Encoding = field(init=False)
    number: dict[int, int] = field(default_factory=dict)  # of each variable before, by which it is told
    known: dict[int, int] = field(default_factory=dict)  # value -> the variable that says who has it

    def run(self) -> Encoding:
        """All of it, and `after` is set to it."""
        before, said = self.before, self.said
        after = Encoding(before.instance, before.horizon, offset=before.offset, limits=list(before.limits))
        after.transition, after.decoder, self.after = before.transition, self.decode, after
        tables = {pair: list(self.rows(pair)) for pair in said.pairs}
        often = Counter(variable for rows in tables.values() for row in rows for variable in row)
        order = sorted(self.different.variables, key=lambda v: (often[v], v))
        self.number = {variable: place for place, variable in enumerate(order, start=1)}
        name = before.variables[order[0]].name
        for value in sorted(said.who):
            some = sorted(self.number[v] for v in said.who[value])
            # (one that nobody may have is somebody's, and is denied below)
            domain = some or sorted(self.number.values())
            meaning = before.variables[order[0]].meaning
            self.known[value] = new = after.new(name, (value,), domain, meaning)
            if not some:
                after.add(Clause((), next(iter(said.whys[value].values()))))
            may = [(self.number[v], v) for v in said.who[value]]
            if any(v in before.decisions for _, v in may):
                after.decisions[new] = decided(value, domain, [(n, before.decisions.get(v)) for n, v in may])
        after.notes[name] = "who has the value [number]: they are counted from 1, first who has few ways on"
        after.add(AllDifferent(tuple(self.known.values()), self.different.why))
        for (one, other), rows in tables.items():
            told = tuple(sorted((self.number[a], self.number[b]) for a, b in rows))
            both, why = (self.known[one], self.known[other]), said.pairs[one, other].why
            after.add(Table(both, told, why) if told else Clause((), why))  # (readers take no empty table)
        after.claims = [
            Claim(claim.turn, {p: [self.literal(lit) for lit in row] for p, row in claim.pieces.items()})
            for claim in before.claims
        ]
        return after

    def rows(self, pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Who may have two values together, as all differ."""
        one, other = (self.said.who[value] for value in pair)
        for first, partners in self.said.pairs[pair].of.items():
            if first in one:
                yield from ((first, second) for second in partners & other if second != first)

    def literal(self, lit: Lit | bool) -> Lit | bool:
        """A literal of a claim in the new variables."""
        if isinstance(lit, bool):
            return lit
        variable, value = self.before.atoms[abs(lit)]
        if value not in self.known or variable not in self.number:  # certain, or what nobody can have
            return (self.before.settled.get(variable) == value) == (lit > 0)
        new = self.after.atom(self.known[value], self.number[variable])
        return (new if lit > 0 else not new) if isinstance(new, bool) else new if lit > 0 else -new

    def forward(self, values: Values) -> Values:
        """Who has each value; raises RuledOut where nobody or several have, or who may not."""
        found, broken = dict[int, int](), None
        for value, new in self.known.items():
            some = [v for v in self.different.variables if values[v] == value]
            domain = self.after.variables[new].domain
            may = [self.number[v] for v in some if self.number[v] in domain]
            found[new] = may[0] if may else domain[0]
            if broken is None and len(some) != 1:
                broken = self.different.why, f"{len(some)} have the value {value}"
            elif broken is None and not may:
                broken = self.said.whys[value][some[0]], f"who has the value {value} may not"
        if broken is not None:
            raise RuledOut(*broken, found)
        return found

    def back(self, values: Values) -> Values:
        """What each has."""
        owner = {number: variable for variable, number in self.number.items()}
        found = {owner[values[new]]: value for value, new in self.known.items()}
        return self.before.settled | found

    def decode(self, values: Values) -> Plan:
        """From who has what back to a plan."""
        return self.before.decode(self.back(values))


def decided(
    value: int, domain: Sequence[int], may: Sequence[tuple[int, Callable[[Plan], int] | None]]
) -> Callable[[Plan], int]:
    """Who a plan says has the value: else one of whom plans say nothing, else the first who may."""
    asked = [(number, decision) for number, decision in may if decision is not None]
    other = next((number for number, decision in may if decision is None), domain[0])
    return lambda plan: next((number for number, decision in asked if decision(plan) == value), other)
