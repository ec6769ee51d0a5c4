"""Source: a Boolean encoding (see `integers_to_booleans`). Target: clauses, for SAT solvers.

Reformulation:

    d iff a and b and c         -d or a, -d or b, -d or c, d or -a or -b or -c
    what hangs together         as it is: clauses of it are added as solutions break it (`ggp.engines.cuts`)
    at most or at least n of    a cardinality, which the library spells out (`ggp.engines.sat.looking`)
    a weighted sum              a decision diagram: a node for each number that is still to be reached

The numbers of the encoding's variables stay as they are, plus 1, and those of settled ones are not used;
what is added comes after them. Where a sum has a condition, its clauses hold only then. What is added is
forced one way only: a solution of the encoding may be several of the clauses', which differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import neg
from typing import Any

from ggp.encoding import judging
from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff, Sum, Values
from ggp.encoding.graphs import Areas, Joined, told
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.protocol import Kinds, Line, Tick, kind_of, never
from ggp.errors import short

Atom = int  # a literal of a clause: the number of a variable from 1, or minus that


Card = tuple[list[Atom], list[Atom], int]
"""(given, literals, number): at most so many of the literals hold, or one of `given`."""


@dataclass
class Clauses:
    """What a SAT solver gets. `minimise` are (weight, literal), `offset` what is added to their sum."""

    variables: int  # the highest number that is used
    clauses: list[list[Atom]] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    graphs: list[dict[str, Any]] = field(default_factory=list)  # see `ggp.engines.cuts`
    minimise: list[tuple[int, Atom]] = field(default_factory=list)
    offset: int = 0
    decisions: list[Atom] = field(default_factory=list)  # by which two plans differ
    columns: list[int] = field(default_factory=list)  # the encoding's variables that are not fixed
    unused: int = 0  # numbers of those that are

    def values(self, ones: Iterable[Atom]) -> Values:
        """The value of each variable of the encoding, where these literals hold and no others."""
        chosen = set(ones)
        return {number: int(number + 1 in chosen) for number in self.columns}

    def cost(self, ones: Iterable[Atom]) -> int:
        """What a solution costs."""
        chosen = set(ones)
        held = ((weight, lit in chosen if lit > 0 else -lit not in chosen) for weight, lit in self.minimise)
        return self.offset + sum(weight for weight, holds in held if holds)

    @property
    def sizes(self) -> dict[str, int]:
        """How many variables, and clauses, cardinalities and graphs, there are."""
        lines = len(self.clauses) + len(self.cards) + len(self.graphs)
        return {"variables": self.variables - self.unused, "constraints": lines}


TAKES: Kinds = frozenset({"clause", "definition", "sum"})


def lower(encoding: Encoding, tick: Tick = never) -> Clauses:
    """The clauses of an encoding. Raises ValueError where that has more than it `TAKES`.

    `tick` is called now and then and may raise.
    """
    settled = encoding.settled
    numbers = [number for number in range(len(encoding.variables)) if number not in settled]
    for number in numbers:
        if encoding.variables[number].domain != (0, 1):
            raise ValueError(f"{encoding.variables[number]} is not Boolean")
    number = len(encoding.variables)
    result = Clauses(number, offset=encoding.offset, columns=numbers, unused=number - len(numbers))
    writer = Writer(encoding, result)
    known = writer.every_lit().__getitem__  # most constraints are clauses
    shared: dict[int, list[Atom]] = {}
    for _, sheet in encoding.sheets:
        shared |= sheet.renumbered(known)
    for count, constraint in enumerate(encoding.constraints):
        if count % 1024 == 0 or constraint.__class__ is Sum:  # a weighted one may take a third of a second
            tick()
        if (ready := shared.get(id(constraint))) is not None:
            result.clauses.append(ready)
        elif constraint.__class__ is Clause:
            result.clauses.append(list(map(known, constraint.lits)))
        else:
            writer.constraint(constraint)
    for weight, lit in encoding.minimise:
        result.minimise.append((weight, writer.lit(lit)))
    result.decisions = [number + 1 for number in encoding.decisions if number not in settled]
    return result


def broken(encoding: Encoding, values: Values) -> Iterator[Line]:
    """The clauses that the values break, and what is counted and comes to more."""
    writer, found, number = Writer(encoding, Clauses(len(encoding.variables))), [], 0
    known, ones = len(encoding.variables), {v + 1 for v, value in values.items() if value}

    def holds(lit: Atom) -> bool:
        return (abs(lit) in ones) == (lit > 0)

    def text(lit: Atom) -> str:
        name = str(encoding.variables[abs(lit) - 1]) if abs(lit) <= known else f"node {abs(lit)}"
        return name if lit > 0 else f"not {name}"

    for constraint in encoding.constraints:
        if isinstance(constraint, Joined | Areas):
            number += 1
            if not judging.holds(encoding, constraint, values):
                found.append((number, encoding.said(constraint), constraint.why))
            continue
        writer.result.clauses, writer.result.cards = [], []
        writer.constraint(constraint)
        for clause in writer.result.clauses:
            number += 1
            # A node of a diagram is forced to hold by what comes before it, and by nothing to fail.
            if not any(map(holds, clause)) and clause and clause[0] > known:
                ones.add(clause[0])
            elif not any(map(holds, clause)):
                found.append((number, " or ".join(map(text, clause)) or "nothing can hold", constraint.why))
        for given, lits, most in writer.result.cards:
            number += 1
            held = sum(map(holds, lits))
            if held > most and not any(map(holds, given)):
                unless = "".join(f", or {text(lit)}" for lit in given)
                saying = f"at most {most} of {', '.join(map(text, lits))}{unless}; there are {held}"
                found.append((number, saying, constraint.why))
    yield from (Line(at, number, short(said), why) for at, said, why in found)


@dataclass
class Writer:
    """Writes the clauses of one encoding."""

    encoding: Encoding
    result: Clauses

    def lit(self, lit: Lit) -> Atom:
        """A literal in the solver's numbers."""
        variable, value = self.encoding.atoms[abs(lit)]
        return variable + 1 if (lit > 0) == (value == 1) else -variable - 1

    def every_lit(self) -> list[Atom]:
        """Each literal in the solver's numbers; those below 0 count from the end, as places of a list do."""
        positive = [self.lit(atom) for atom in range(2, len(self.encoding.atoms))]
        return [0, 0, *positive, *map(neg, reversed(positive)), 0]

    def fresh(self) -> Atom:
        """The number of a new variable."""
        self.result.variables += 1
        return self.result.variables

    def constraint(self, constraint: Constraint) -> None:
        """The clauses of one constraint."""
        clauses = self.result.clauses
        match constraint:
            case Clause(lits):
                clauses.append([self.lit(lit) for lit in lits])
            case Iff(lit, op, lits):
                sign = 1 if op == "and" else -1  # an "or" is the "and" of the opposites
                whole, parts = sign * self.lit(lit), [sign * self.lit(one) for one in lits]
                clauses += [[-whole, part] for part in parts]
                clauses.append([whole, *(-part for part in parts)])
            case Sum(terms, comparison, number, _, when):
                given = [] if when is None else [-self.lit(when)]
                weighed = [(weight, self.lit(lit)) for weight, lit in terms]
                if comparison != ">=":
                    self.at_most(weighed, number, given)
                if comparison != "<=":
                    self.at_most([(-weight, lit) for weight, lit in weighed], -number, given)
            case Joined() | Areas():
                self.result.graphs.append(told(constraint, self.atom))
            case _:
                raise ValueError(f"{kind_of(constraint)} must be lowered first")

    def atom(self, lit: Lit | bool) -> Atom:
        """A literal that may be certain to hold."""
        return self.sure if isinstance(lit, bool) else self.lit(lit)

    @cached_property
    def sure(self) -> Atom:
        """A literal that always holds."""
        lit = self.fresh()
        self.result.clauses.append([lit])
        return lit

    def at_most(self, terms: list[tuple[int, Atom]], number: int, given: list[Atom]) -> None:
        """sum <= number, or one of `given`."""
        # A negative weight on a literal is a positive one on its opposite.
        positive = [(abs(weight), lit if weight > 0 else -lit) for weight, lit in terms if weight]
        number -= sum(weight for weight, _ in terms if weight < 0)
        if number < 0:
            self.result.clauses.append(list(given))
        elif sum(weight for weight, _ in positive) <= number:
            return
        elif all(weight == positive[0][0] for weight, _ in positive):
            self.counted([lit for _, lit in positive], number // positive[0][0], given)
        else:
            self.result.clauses.append([*given, -self.over(sorted(positive, reverse=True), number)])

    def counted(self, lits: list[Atom], number: int, given: list[Atom]) -> None:
        """At most so many hold, or one of `given`; short where clauses alone say it."""
        if number == 0:
            self.result.clauses += [[*given, -lit] for lit in lits]
        elif number == len(lits) - 1:
            self.result.clauses.append([*given, *(-lit for lit in lits)])
        else:
            self.result.cards.append((given, lits, number))

    def over(self, terms: list[tuple[int, Atom]], number: int) -> Atom:
        """A literal that holds at least where the weighted sum is more than `number`."""
        rest = [0]
        for weight, _ in reversed(terms):
            rest.append(rest[-1] + weight)
        rest.reverse()  # rest[i]: all the weights from term i on
        known: dict[tuple[int, int], Atom] = {}

        def truth(index: int, left: int) -> Atom | bool | None:
            """More than `left` from the terms from `index` on; None where no literal says it yet."""
            return left < 0 if left < 0 or rest[index] <= left else known.get((index, left))

        work = [(0, number)]
        while work:  # no function that calls itself: there may be thousands of terms
            index, left = work[-1]
            weight, lit = terms[index]
            below = [(index + 1, left - weight), (index + 1, left)]
            parts = [truth(*one) for one in below]
            missing = [one for one, part in zip(below, parts, strict=True) if part is None]
            if missing:
                work.append(missing[0])
                continue
            known[work.pop()] = here = self.fresh()
            for more, given in zip(parts, ([-lit], []), strict=True):
                if more is True:
                    self.result.clauses.append([here, *given])
                elif more is not False:
                    self.result.clauses.append([here, *given, -(more or 0)])
        return known[0, number]
