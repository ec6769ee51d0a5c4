"""An encoding of which parts can be switched off, for a session that keeps what it has learned.

A *part* is some of the constraints. Each gets a literal that is assumed while the part is on: what was
learned from the one question stays true for the next, whatever is on then. Facts are assumed in the same way.
Source: N. Een and N. Sorensson, Temporal induction by incremental SAT solving, 2003.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff, Sum
from ggp.encoding.layers import Added
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.protocol import Tick, kinds_of, never
from ggp.encoding.lowering.route import Backend, routed

Fact = tuple[int, int]
"""A variable of the encoding, and a value."""

FACT, PART = "fact", "part"  # what the new variables are called
SOME = 1 << 41  # numbers from here on are of the clauses that single questions bring


class Unswitchable(Exception):
    """What is to be switched off has no constraints of its own, or ones that no session takes."""


class Session(Protocol):
    """What `ggp.encoding.layers.Session` is, which also says what it needed of what was assumed."""

    core: Collection[Lit]
    age: int  # how often it started anew

    def forget(self) -> None:
        """Start anew, with nothing known."""

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """What holds in a solution of all that was told, or None, and then `core` says under which."""


class Switched:
    """Asks one session about an encoding again and again.

    After a "no" `core` has the parts, and `needed` the facts, that it takes.
    """

    def __init__(
        self,
        encoding: Encoding,
        parts: Sequence[Collection[int]],
        facts: Iterable[Fact],
        backend: Backend,
        session: Session,
        tick: Tick = never,
    ) -> None:
        """`parts` has numbers of constraints; `facts` are what questions speak of.

        Raises Unswitchable.
        """
        self.session = session
        self.core: frozenset[int] = frozenset()
        self.needed: frozenset[Fact] = frozenset()
        self.asked = 0
        whole = with_facts(marked(encoding, parts), facts)
        done = routed(whole, backend, tick, again=False).encoding
        if not kinds_of(done) <= backend.takes | backend.native:
            raise Unswitchable
        done, self.parts = conditioned(done, len(parts))
        self.clauses = linear_to_clauses.lower(done, tick)
        numbers = {variable.index: n for n, variable in enumerate(done.variables) if variable.name == FACT}
        self.facts: Mapping[Fact, Lit] = {(v, value): numbers[v, value] + 1 for v, value in numbers}
        self.age = -1  # that of the session when it was told the clauses

    def ask(
        self, on: Iterable[int], facts: Iterable[Fact] = (), unlike: Collection[Fact] = ()
    ) -> set[Fact] | None:
        """The facts that hold in a solution with these parts on; None where there is none.

        `facts` hold in it, and one of `unlike`, if there are any, does not. Raises OutOfTime.
        """
        added = Added([], [])
        if self.age != self.session.age:  # somebody else's question came between
            self.session.forget()
            self.age = self.session.age
            added = Added(self.clauses.clauses, self.clauses.cards, self.clauses.graphs)
        assume = [self.parts[part] for part in on] + [self.facts[fact] for fact in facts]
        if unlike:
            self.asked += 1
            chosen = SOME + self.asked
            added = added._replace(
                clauses=[*added.clauses, [-chosen, *(-self.facts[fact] for fact in unlike)]]
            )
            assume.append(chosen)
        ones = self.session.solve(added, assume)
        if ones is None:
            core = set(self.session.core)
            self.core = frozenset(part for part, lit in enumerate(self.parts) if lit in core)
            self.needed = frozenset(fact for fact, lit in self.facts.items() if lit in core)
            return None
        held = set(ones)
        return {fact for fact, lit in self.facts.items() if lit in held}


def copied(encoding: Encoding, constraints: Iterable[Constraint]) -> Encoding:
    """The encoding with other constraints, which can get more variables and leaves this one as it is."""
    return replace(
        encoding,
        constraints=list(constraints),
        variables=[*encoding.variables],
        atoms=[*encoding.atoms],
        atom_numbers={**encoding.atom_numbers},
        names={**encoding.names},
    )


def marked(encoding: Encoding, parts: Sequence[Collection[int]]) -> Encoding:
    """The encoding with the number of its part as the reason of each constraint, which lowerings keep."""
    constraints = [*encoding.constraints]
    for number, part in enumerate(parts):
        for place in part:
            constraints[place] = replace(constraints[place], why=Why(PART, number))
    return copied(encoding, constraints)


def with_facts(encoding: Encoding, facts: Iterable[Fact]) -> Encoding:
    """With a Boolean for each fact, which holds exactly if the fact does."""
    why = Why("what a question speaks of")
    for variable, value in facts:
        lit = encoding.number(encoding.new(FACT, (variable, value), (0, 1)), 1)
        encoding.add(Iff(lit, "and", (encoding.number(variable, value),), why))
    return encoding


def conditioned(encoding: Encoding, parts: int) -> tuple[Encoding, list[Lit]]:
    """(the Boolean encoding, in which what belongs to a part holds only with its literal; these literals)."""
    done = copied(encoding, ())
    numbers = [done.new(PART, (part,), (0, 1)) for part in range(parts)]
    given = [done.number(number, 1) for number in numbers]
    for constraint in encoding.constraints:
        if constraint.why.text != PART:
            done.add(constraint)
            continue
        assert constraint.why.turn is not None  # there the number of the part stands
        for one in only_if(constraint, given[constraint.why.turn], done):
            done.add(one)
    return done, [number + 1 for number in numbers]


def only_if(constraint: Constraint, given: Lit, encoding: Encoding) -> list[Constraint]:
    """What says the same where a literal holds, and else nothing."""
    why = constraint.why
    match constraint:
        case Clause(lits):
            return [Clause((-given, *lits), why)]
        case Sum(when=None):
            return [replace(constraint, when=given)]
        case Sum(when=int(when)):
            both = encoding.number(encoding.new("both", (), (0, 1)), 1)
            return [Iff(both, "and", (when, given), why), replace(constraint, when=both)]
        case Iff(lit, op, lits) if defines(encoding, lit):
            return [Iff(lit, op, lits, why)]  # it says what a variable means, of which no more is said
        case Iff(lit, op, lits):
            same = encoding.number(encoding.new("same", (), (0, 1)), 1)
            return [
                Iff(same, op, lits, why),
                Clause((-given, -lit, same), why),
                Clause((-given, lit, -same), why),
            ]
    raise Unswitchable  # what hangs together does so or not as a whole


def defines(encoding: Encoding, lit: Lit) -> bool:
    """Does a variable only stand for what it is defined as?"""
    return encoding.variables[encoding.atoms[abs(lit)][0]].meaning == "derived"
