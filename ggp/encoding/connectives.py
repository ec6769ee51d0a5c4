"""And, or, not, at least so many: formulas put together, what is constant or known beforehand folded.

What no conjunction or disjunction of literals tells gets a variable of its own; what is asked for again is
what was made before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import neg
from typing import Any

from ggp.encoding import cases
from ggp.encoding.cases import Cases, Table
from ggp.encoding.clashes import NOTHING, Choices, Facts, Known
from ggp.encoding.constraints import Clause, Encoding, Iff, Sum
from ggp.encoding.formula import And, Formula, Or, negate
from ggp.encoding.literals import Lit, Why
from ggp.encoding.patterned import Groups, Write, patterned

FEW = 8  # literals of a conjunction that are looked at one by one


class Connectives:
    """Formulas of an encoding that grows, for boards that are `width` wide."""

    def __init__(self, encoding: Encoding, width: int, tick: Callable[[], None]) -> None:
        self.encoding = encoding
        self.width = width
        self.tick = tick  # called now and then; it may raise, which is how a time limit gets in
        self.turn = 0
        self.unless: Formula = False  # where this holds the run is over, and nothing is asked any more
        self.definitions: dict[frozenset[Lit], Lit] = {}
        self.enough: dict[tuple[frozenset[tuple[Lit, int]], int], Lit] = {}  # what says that so many hold
        self.made: dict[frozenset[Lit], Formula] = {}  # conjunctions of this turn
        self.cases: Cases | None = None  # all that can come to pass in this turn, where that is little
        self.whole: Cases | None = None  # the same, where those of one input are looked at by themselves
        self.carried: list[Lit] = []  # the atoms that tell boards before a turn apart
        self.parts: dict[Lit, frozenset[Lit]] = {}
        self.known = Known(encoding, self.parts)
        self.choices = Choices(encoding)
        self.plain: set[Formula] = set()  # literals that may stand in a clause as they are

    def begin(self, turn: int, unless: Formula) -> None:
        """What comes now is of this turn."""
        self.turn, self.unless = turn, unless
        self.known.begin()
        self.made, self.plain = {}, set()

    def carry(self, formulas: Iterable[Formula]) -> None:
        """These, of boards before this turn and of how the run stands, are all that tells cases apart."""
        self.carried = []
        for formula in formulas:
            if isinstance(formula, And | Or):
                self.cases = None
            elif not isinstance(formula, bool):
                self.carried.append(abs(formula))

    def branch(self, over: Formula, none: Lit, inputs: Sequence[Lit]) -> None:
        """The turn is played with one of these inputs (atoms), or with none where the run is over."""
        if self.cases is not None:
            assert not isinstance(over, And | Or), "that the run is over has a name"
            self.cases = cases.after(self.cases, self.carried, over, none, inputs)

    def conj(self, a: Formula, b: Formula) -> Formula:
        """Both."""
        if a is False or b is False:
            return False
        if a is True:
            return b
        if b is True or a == b:
            return a
        if self.cases is not None:
            found = self.alike(self.table(a), self.table(b))
            if found is not None:
                return found
        return self.all_of(self.conjuncts(a) | self.conjuncts(b))

    def all_of(self, lits: frozenset[Lit]) -> Formula:
        """All of these literals, of which there is one at least."""
        made = self.made.get(lits)  # passes that are repeated ask for the same again and again
        if made is None:
            made = self.made[lits] = self.conjunction(lits)
        return made

    def conjunction(self, lits: frozenset[Lit]) -> Formula:
        """The same, worked out."""
        if self.cases is not None:
            table = self.cases.both(lits)
            if table is not None:
                found = self.cases.alike(table)
                return found if found is not None else And(lits) if len(lits) > 1 else next(iter(lits))
        if not self.choices.known.keys().isdisjoint(lits):
            left = self.choices.narrow(lits)
            if left is None:
                return False
            lits = left[0] | {self.literal(Or(one)) if len(one) > 1 else min(one) for one in left[1]}
        if len(lits) <= FEW:
            reduced = self.known.reduced(lits)
            if reduced is None:
                return False
            lits = reduced
        denied = [-lit for lit in lits]
        if not lits.isdisjoint(denied) or self.excluded(lits, denied):
            return False
        return And(lits) if len(lits) > 1 else next(iter(lits))

    def excluded(self, lits: frozenset[Lit], denied: Iterable[Lit]) -> bool:
        """Do some of the literals make up what another one says does not hold?"""
        parts = self.parts
        return any([parts[lit] <= lits for lit in denied if lit in parts])

    def disj(self, a: Formula, b: Formula) -> Formula:
        """One of the two."""
        if a is True or b is True:
            return True
        if a is False:
            return b
        if b is False or a == b:
            return a
        if self.cases is not None:
            found = self.alike(self.table(negate(a)), self.table(negate(b)))
            if found is not None:
                return -found if found.__class__ is int else not found
        return negate(self.all_of(self.conjuncts(negate(a)) | self.conjuncts(negate(b))))

    def every(self, formulas: Iterable[Formula]) -> Formula:
        """All of them; at once, for one after another takes time that grows with their number squared."""
        lits, parts = set[Lit](), list[And | Or]()
        for formula in formulas:
            if formula is False:
                return False
            if isinstance(formula, And | Or):
                parts.append(formula)
            elif formula is not True:
                lits.add(formula)
        parts = list(dict.fromkeys(parts))
        if not lits and len(parts) == 1:
            return parts[0]
        for part in parts:
            lits |= self.conjuncts(part)
        return self.all_of(frozenset(lits)) if len(lits) > 1 else next(iter(lits), True)

    def opposite(self, formula: Formula) -> Formula:
        """It does not hold."""
        return negate(formula)

    def at_least(self, lits: list[Lit], number: int) -> Formula:
        """At least so many hold: a literal that says so, both ways.

        Of a literal and its opposite one holds. What stands there several times counts as often; solvers
        get each literal once, for some of them take a sum amiss in which a variable stands twice.
        """
        weights = Counter(lits)
        for lit in lits:
            if lit > 0 and -lit in weights:
                pairs = min(weights[lit], weights[-lit])
                weights[lit], weights[-lit], number = (
                    weights[lit] - pairs,
                    weights[-lit] - pairs,
                    number - pairs,
                )
        weights = +weights  # without what is left no times
        total = weights.total()
        if number <= 0 or number > total:
            return number <= 0
        if len(weights) == 1:
            return next(iter(weights))
        if number in (1, total):
            return Or(frozenset(weights)) if number == 1 else And(frozenset(weights))
        table = None if self.cases is None else self.cases.enough(weights, number)
        found = self.alike(table, table)
        if found is not None:
            return found
        key = frozenset(weights.items()), number
        if key in self.enough:
            return self.enough[key]
        index = (len(self.encoding.variables),)
        variable = self.encoding.new("enough", index, (0, 1))
        enough = self.enough[key] = self.encoding.number(variable, 1)
        terms, why = tuple((n, lit) for lit, n in weights.items()), Why(f"at least {number}", self.turn)
        self.encoding.add(Sum(terms, ">=", number, why, enough))
        self.encoding.add(Sum(terms, "<=", number - 1, why, -enough))
        if self.cases is not None and table is not None:
            self.cases.note(enough, table)
        return enough

    def table(self, formula: Formula) -> Table | None:
        """The cases in which a formula holds; None where it is not known."""
        if self.cases is None:
            return None
        if isinstance(formula, bool):
            return self.cases.full if formula else 0
        if isinstance(formula, Or):
            table = self.cases.both(negate(formula).lits)  # type: ignore[union-attr]
            return None if table is None else self.cases.full ^ table
        return self.cases.both((formula,) if isinstance(formula, int) else formula.lits)

    def alike(self, one: Table | None, other: Table | None) -> bool | Lit | None:
        """A constant or literal that is the same as both tables hold; None where none is known."""
        if self.cases is None or one is None or other is None:
            return None
        return self.cases.alike(one & other)

    @contextmanager
    def only(self, chosen: Formula) -> Iterator[None]:
        """Look at the cases alone in which this holds: of boards that are made here, no others count."""
        table = self.table(chosen)
        if self.cases is None or table is None:
            yield
            return
        made, self.whole = self.made, self.cases
        self.cases, self.made = self.cases.within(table), {}
        try:
            yield
        finally:
            self.cases, self.whole, self.made = None if self.cases is None else self.whole, None, made

    def always(self, formula: Formula, unless: Formula) -> Formula:
        """The one or the other, for cases that are not looked at now as well."""
        if self.whole is None:
            return self.disj(formula, unless)
        here, made = self.cases, self.made
        self.cases, self.made = self.whole, {}
        total = self.disj(formula, unless)
        self.cases, self.made = here, made
        return total

    def conjuncts(self, formula: Formula) -> frozenset[Lit]:
        """The literals of a conjunction; a disjunction gets a name first."""
        if isinstance(formula, And):
            return formula.lits
        return frozenset({self.literal(formula)})

    def literal(self, formula: And | Or | Lit, name: str = "", cell: int | None = None) -> Lit:
        """A literal for a formula that is not a constant: a new variable defined as it, if need be."""
        if isinstance(formula, int):
            return formula
        key = formula.lits if isinstance(formula, And) else frozenset(-lit for lit in formula.lits)
        sign = 1 if isinstance(formula, And) else -1
        if self.cases is not None:
            return sign * self.case_literal(key, sign, name, cell)
        return sign * self.defined(key, sign, name, cell)

    def case_literal(self, key: frozenset[Lit], sign: int, name: str, cell: int | None) -> Lit:
        """The same as one that is alike in all cases, or as one of fewer parts."""
        assert self.cases is not None
        table = self.cases.both(key)
        found = None if table is None else self.cases.alike(table)
        if found is not None and not isinstance(found, bool):
            return found
        if table is not None:
            key = self.cases.needed(key)
            if len(key) == 1:
                return next(iter(key))
        lit = self.defined(key, sign, name, cell)
        table = self.cases.both(key)
        if table is not None:
            self.cases.note(lit, table)
            if self.cases.crowded:
                self.cases = None
        return lit

    def defined(self, key: frozenset[Lit], sign: int, name: str, cell: int | None) -> Lit:
        """What is defined as a conjunction, or (`sign` below zero) as the opposite of a disjunction."""
        if key not in self.definitions:
            where = None if cell is None else divmod(cell, self.width)
            index = (self.turn, *(where or ())) if name else (len(self.encoding.variables),)
            lit = self.encoding.number(self.encoding.new(name or "aux", index, (0, 1)), 1)
            why = Why(name or "a shared part", self.turn, where)
            lits = key if sign > 0 else [-part for part in key]
            self.encoding.add(Iff(lit, "and" if sign > 0 else "or", tuple(sorted(lits)), why))
            self.definitions[key] = sign * lit
            self.parts[sign * lit] = key
            if sign < 0:
                self.choices.note(lit, frozenset(lits))
            if lit % 1024 == 0:
                self.tick()
        return self.definitions[key]

    def require(self, formula: Formula, why: Why) -> None:
        """Make a formula hold."""
        if formula is True:
            return
        table = self.table(formula)
        if self.cases is not None and table is not None:
            (self.whole or self.cases).rule_out(table)
        if isinstance(formula, And):
            for lit in sorted(formula.lits):
                self.encoding.add(Clause((lit,), why))
            return
        lits = () if formula is False else (formula,) if isinstance(formula, int) else formula.lits
        self.encoding.add(Clause(tuple(sorted(lits)), why))

    def require_one(self, formulas: Iterable[Formula], why: Why) -> None:
        """Make one of these hold. Most are literals that have nothing to do with one another."""
        one_of = [formula for formula in formulas if formula is not False]
        lits = set(one_of)
        if self.strangers(lits):
            self.encoding.add(Clause(tuple(sorted(lits)), why))  # type: ignore[arg-type]
        else:
            self.require(negate(self.every(map(negate, one_of))), why)

    def require_one_of_each(self, groups: Iterable[Sequence[Formula]], why: Why) -> None:
        """Make one formula of each group hold. Most groups are plain literals, and need no more than that."""
        told = list(groups)
        unknown = set().union(*told) - self.plain
        bare = self.cases is None and all(map(self.is_plain, unknown - {False}))
        for some in told:
            lits: Any = [lit for lit in some if lit is not False] if False in unknown else some
            if bare and len({*map(abs, lits)}) == len(lits):  # none twice, or beside its opposite
                self.encoding.add(Clause(tuple(sorted(lits)), why))
            else:
                self.require_one(lits, why)

    def require_patterned(self, write: Write, groups: Groups, why: Why) -> None:
        """Make one formula hold of each group that is written of these: see `ggp.encoding.patterned`."""
        lits = set().union(*groups) - {True, False}
        unknown = {*lits, *map(negate, lits)} - self.plain
        plain = self.cases is None and all(map(self.is_plain, unknown))
        sheet = patterned(write, groups, why) if plain else None
        if sheet is None:
            self.require_one_of_each(write(groups, negate), why)
        else:
            self.encoding.sheets.append((len(self.encoding.constraints), sheet))
            self.encoding.constraints += sheet.clauses

    def strangers(self, formulas: set[Formula]) -> bool:
        """Are these literals, none of which says anything of another one?"""
        if self.cases is not None:
            return False
        if not self.plain.issuperset(formulas) and not all(map(self.is_plain, formulas - self.plain)):
            return False
        return formulas.isdisjoint(map(neg, formulas))  # type: ignore[arg-type]

    def is_plain(self, formula: Formula) -> bool:
        """Is this a literal that speaks of its own atom only? It is kept."""
        if formula.__class__ is not int or -formula in self.choices.known:
            return False
        if self.known.is_mute(-formula):  # a clause is the opposite of a conjunction of such
            self.plain.add(formula)
        return formula in self.plain

    def demand(self, formula: Formula, why: Why) -> None:
        """Make a formula hold unless the run is over."""
        if self.unless is not True and formula is not True:
            self.require(self.always(formula, self.unless), why)

    def facts(self, formula: Formula) -> Facts:
        """What surely holds where the formula does."""
        return NOTHING if isinstance(formula, (bool, Or)) else self.known.of(self.conjuncts(formula))

    def told(self, formula: Formula) -> Table | Facts:
        """The cases in which a formula holds, or, where they are not known, what surely holds with it."""
        table = self.table(formula)
        return self.facts(formula) if table is None else table

    def clash(self, one: Table | Facts, other: Table | Facts) -> bool:
        """Is it plain of what is told of two formulas that they cannot both hold?"""
        if isinstance(one, Facts) or isinstance(other, Facts):
            return isinstance(one, Facts) and isinstance(other, Facts) and one.clash(other)
        return self.cases is not None and not one & other & self.cases.care

    def contradict(self, a: Formula, b: Formula) -> bool:
        """Is it plain that the two cannot both hold?"""
        return self.clash(self.told(a), self.told(b))

    def follows(self, a: Formula, b: Formula) -> bool:
        """Is it plain that the second holds where the first does?"""
        return b is True or (isinstance(b, int) and self.facts(a).covers(self.facts(b)))

    def possible(self, formula: Formula) -> bool:
        """Is it not plain that it can never hold?"""
        table = self.table(formula)
        if self.cases is not None and table is not None:
            return bool(table & self.cases.care)
        return not isinstance(formula, And) or self.known.consistent(formula.lits)

    def slim(self, formula: Formula) -> Formula:
        """Leave out of a conjunction that earlier rules did not fire, where they could not anyway.

        Rules for other directions of the input are such.
        """
        if not isinstance(formula, And) or self.table(formula) is not None:
            return formula
        lits = set(formula.lits)
        for lit in formula.lits:
            if -lit in self.parts and self.contradict(And(frozenset(lits - {lit})), -lit):
                lits.discard(lit)
        return And(frozenset(lits)) if len(lits) > 1 else next(iter(lits))
