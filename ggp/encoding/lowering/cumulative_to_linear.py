"""Source: tasks that share what there is (`Cumulative`). Target: sums of two starts, sums of what is needed.

Reformulation: what more is needed is so where some task begins. Two tasks for which there is no room at once
have a literal that says which comes first. Of others it is told for each of them whether the other one runs
where it begins; what these need, and it needs, is no more than there is. What is added is a function of
the starts, so solutions stay the same one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ggp.encoding.constraints import Clause, Cumulative, Encoding, Iff, Linear, Sum, Values
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, completed, emptied, never

TAKES: Kinds = frozenset({"cumulative"})
LEAVES: Kinds = frozenset({"clause", "definition", "sum", "linear", "integers", "certain"})
BESIDE = EVERY
AGAIN = True


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding without tasks. `tick` is called now and then and may raise."""
    after = emptied(encoding)
    writer, before = Tasks(after, tick), len(encoding.variables)
    for constraint in encoding.constraints:
        tick()
        if isinstance(constraint, Cumulative):
            writer.write(constraint)
        else:
            after.add(constraint)

    def back(values: Values) -> Values:
        return {v: value for v, value in values.items() if v < before}

    return Lowered(after, writer.forward, back)


@dataclass
class Tasks:
    """Writes what tasks share."""

    encoding: Encoding
    tick: Tick
    made: list[tuple[int, int, int, int]] = field(default_factory=list)  # is 1 where `one - other <= number`
    known: dict[tuple[int, int, int], Lit] = field(default_factory=dict)
    defined: list[int] = field(default_factory=list)  # variables that have a definition
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)

    def forward(self, values: Values) -> Values:
        """The values, with those of the variables that were added."""
        found = dict(values)
        for variable, one, other, number in self.made:
            found[variable] = int(found[one] - found[other] <= number)
        return completed(self.encoding, found, self.defined)

    def write(self, constraint: Cumulative) -> None:
        """Write what a constraint amounts to."""
        tasks = list(zip(constraint.starts, constraint.lengths, constraint.heights, strict=True))
        beside: list[list[tuple[int, Lit | bool]]] = [[] for _ in tasks]
        for a, b in combinations(range(len(tasks)), 2):
            self.tick()
            (one, long, high), (other, far, tall) = tasks[a], tasks[b]
            if high + tall > constraint.limit:
                self.apart(one, long, other, far, constraint.why)
                continue
            beside[a].append((tall, self.runs(other, far, one, constraint.why)))
            beside[b].append((high, self.runs(one, long, other, constraint.why)))
        for (_, _, high), others in zip(tasks, beside, strict=True):
            sure = high + sum(tall for tall, lit in others if lit is True)
            terms = [(tall, lit) for tall, lit in others if not isinstance(lit, bool)]
            self.at_most(terms, constraint.limit - sure, constraint.why)

    def at_most(self, terms: list[tuple[int, Lit]], left: int, why: Why) -> None:
        """Of these no more than what is left are needed."""
        if left < 0:
            self.encoding.add(Clause((), why))
        elif sum(high for high, _ in terms) > left:
            self.encoding.add(Sum(tuple(terms), "<=", left, why))

    def apart(self, one: int, long: int, other: int, far: int, why: Why) -> None:
        """The one ends before the other begins, or the other way round; not both, so a literal says which."""
        if one == other:
            self.encoding.add(Clause((), why))
            return
        low, high = self.ends(one, other)
        if high <= -long or low >= far:
            return
        when = None
        if low <= -long:
            when = self.literal(one, other, -long)
            self.encoding.add(Linear(((1, one), (-1, other)), "<=", -long, why, when))
        self.encoding.add(Linear(((1, other), (-1, one)), "<=", -far, why, None if when is None else -when))

    def runs(self, one: int, long: int, at: int, why: Why) -> Lit | bool:
        """Does a task run where another one begins? It has begun by then, and does not end before."""
        begun, over = self.no_more(one, at, 0, why), self.no_more(one, at, -long, why)
        if begun is False or over is True:
            return False
        parts = [lit for lit in (begun, True if over is False else -over) if lit is not True]
        if len(parts) < 2:
            return parts[0] if parts else True
        variable = self.encoding.new("runs", (len(self.encoding.variables),), (0, 1))
        self.defined.append(variable)
        lit = self.encoding.number(variable, 1)
        self.encoding.add(Iff(lit, "and", tuple(sorted(parts)), why))
        return lit

    def no_more(self, one: int, other: int, number: int, why: Why) -> Lit | bool:
        """Is one start minus another no more than so much? A literal, or what is known of it."""
        low, high = self.ends(one, other)
        if high <= number or low > number:
            return high <= number
        key = one, other, number
        if key not in self.known:
            lit = self.known[key] = self.literal(*key)
            self.encoding.add(Linear(((1, one), (-1, other)), "<=", number, why, lit))
            self.encoding.add(Linear(((1, one), (-1, other)), ">=", number + 1, why, -lit))
        return self.known[key]

    def literal(self, one: int, other: int, number: int) -> Lit:
        """A new literal that is to hold where one start minus another is no more than so much."""
        variable = self.encoding.new("before", (len(self.encoding.variables),), (0, 1))
        self.made.append((variable, one, other, number))
        return self.encoding.number(variable, 1)

    def ends(self, one: int, other: int) -> tuple[int, int]:
        """The least and the most that one start minus another may be."""
        if one == other:
            return 0, 0
        (least, most), (low, high) = self.span(one), self.span(other)
        return least - high, most - low

    def span(self, variable: int) -> tuple[int, int]:
        """The least and the most that a variable may be; asked for in each pair, so it is kept."""
        if variable not in self.spans:
            values = [*self.values(variable)]
            self.spans[variable] = min(values), max(values)
        return self.spans[variable]

    def values(self, variable: int) -> Iterator[int]:
        """The values that a variable may have."""
        fixed = self.encoding.fixed
        yield from (fixed[variable],) if variable in fixed else self.encoding.variables[variable].domain
