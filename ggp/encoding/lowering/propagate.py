"""Source: any encoding. Target: the same with what is certain worked out and what is unused left out.

Unit propagation over clauses, definitions, sums and all-different, to a fixed point. With the goal asserted
this prunes backward: where no run can still win, the piece is not there. Solutions stay the same one by
one, and variables keep their numbers; those with one value left move to `Encoding.fixed`, those of which
nothing speaks any more to `Encoding.idle`. What then speaks of them again is run through this once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from operator import neg

from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Encoding,
    Iff,
    Linear,
    Sum,
    Values,
)
from ggp.encoding.graphs import Areas, Joined, mapped
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.narrowing import Narrowing, Watching
from ggp.encoding.lowering.protocol import (
    EVERY,
    Kinds,
    Lowered,
    Tick,
    completed,
    never,
    refuse_redefined,
)
from ggp.encoding.lowering.uses import owners, with_uses
from ggp.encoding.sheets import beside, placed

TAKES: Kinds = frozenset()
# Where domains shrink, constraints that could take all values alike no longer do; where the odd ones out
# become certain, what is left may be alike again.
LEAVES: Kinds = frozenset(
    {"clause", "certain", "all-different", "uneven-all-different", "regular", "uneven-regular"}
)
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The simplified encoding. What contradicts what is certain is ruled out, by the first to say so."""
    after = propagated(encoding, tick)
    idle = after.idle.keys() - encoding.idle.keys()

    def forward(values: Values) -> Values:
        domains = [variable.domain for variable in after.variables]
        fit = {v: values[v] if values[v] in domain else domain[0] for v, domain in enumerate(domains)}
        if fit != values:
            Watching(encoding, values, {**fit, **after.settled}).run(tick)
            raise ValueError("these are values that the variables cannot have")
        there = {**fit, **after.settled}
        refuse_redefined(encoding, idle, values, there)
        return there

    def back(values: Values) -> Values:
        known = {v: value for v, value in values.items() if v not in idle}
        within = replace(encoding, variables=after.variables)
        return {**after.settled, **completed(within, {**after.idle, **known}, idle)}

    return Lowered(after, forward, back)


def propagated(encoding: Encoding, tick: Tick = never) -> Encoding:
    """The simplified encoding; if it is contradictory, its only constraint is the empty clause.

    `tick` is called now and then and may raise, which is how a time limit gets in.
    """
    propagation = Propagation(encoding)
    if not propagation.run(tick):
        return replace(encoding, constraints=[Clause((), propagation.conflict)])
    return propagation.result()


class Propagation(Narrowing):
    """What is left of the constraints once nothing more is certain."""

    def result(self) -> Encoding:
        """The encoding without what is certain, and without definitions that nothing uses."""
        encoding = self.encoding
        fixed = {v: next(iter(domain)) for v, domain in enumerate(self.domains) if len(domain) == 1}
        left = [*self.reduced()]
        used = {encoding.atoms[abs(lit)][0] for _, lit in encoding.minimise} | set(encoding.decisions)
        constraints, spoken = with_uses(encoding, left, used, self.scopes)
        used |= spoken
        idle = {v: min(d) for v, d in enumerate(self.domains) if v not in used and v not in fixed}
        narrowed = [
            replace(variable, domain=tuple(sorted(domain)))
            if len(domain) < len(variable.domain)
            else variable
            for variable, domain in zip(encoding.variables, self.domains, strict=True)
        ]
        minimise, offset = [], encoding.offset
        for weight, lit in encoding.minimise:
            value = self.value(lit)
            if value is None:
                minimise.append((weight, lit))
            offset += weight if value else 0
        return replace(
            encoding,
            variables=narrowed,
            constraints=constraints,
            fixed=fixed,
            idle=idle,
            minimise=tuple(minimise),
            offset=offset,
        )

    @cached_property
    def certain(self) -> set[Lit]:
        """The literals that surely hold, once all is worked out."""
        found, domains = set(), self.domains
        for atom, (variable, value) in islice(enumerate(self.encoding.atoms), 2, None):
            if value not in domains[variable]:
                found.add(-atom)
            elif len(domains[variable]) == 1:
                found.add(atom)
        return found

    def reduced(self) -> Iterator[Constraint]:
        """The constraints without what is certain, and none that surely hold."""
        left: list[Constraint | None] = [*self.encoding.constraints]
        certain, settled = self.certain, {*self.certain, *map(neg, self.certain)}
        for number in chain(beside(self.encoding), self.of_sheets()):
            constraint = self.encoding.constraints[number]
            if isinstance(constraint, Clause) and settled.isdisjoint(constraint.lits):
                if opposite(constraint.lits):  # then it holds
                    left[number] = None
            else:
                left[number] = self.less(constraint, certain)
        return (constraint for constraint in left if constraint is not None)

    def of_sheets(self) -> set[int]:
        """The constraints on sheets that speak of what is certain."""
        owner, found = owners(self.encoding), set[int]()
        touched = {owner(lit) for lit in self.certain}
        for start, sheet in placed(self.encoding):
            watch = sheet.watch(start, owner)
            found.update(start + number for number in sheet.short)
            found.update(*[watch[variable] for variable in touched & watch.keys()])
        return found

    def less(self, constraint: Constraint, certain: set[Lit]) -> Constraint | None:
        """A constraint without what is certain, of which it says something; None if it surely holds."""
        if not isinstance(constraint, Clause):
            return self.reduce(constraint)
        lits = constraint.lits
        if not certain.isdisjoint(lits) or opposite(lits):
            return None
        return Clause(tuple(lit for lit in lits if -lit not in certain), constraint.why)

    def reduce(self, constraint: Constraint) -> Constraint | None:
        """A constraint that is no clause, without what is certain; None if it surely holds."""
        match constraint:
            case Iff(lit, op, lits, why):
                return self.reduce_definition(lit, op == "and", lits, why)
            case Sum():
                return self.reduce_sum(constraint)
            case AllDifferent(variables, why, free):
                # A variable whose value none of the others can take any more has nothing to say.
                taken = [self.domains[v] - set(free) for v in variables]
                left = tuple(
                    v
                    for at, v in enumerate(variables)
                    if any(taken[at] & other for place, other in enumerate(taken) if place != at)
                )
                return AllDifferent(left, why, free) if len(left) > 1 else None
            case Linear():
                return self.reduce_linear(constraint)
        sure = [len(self.domains[v]) == 1 for v in self.scopes[id(constraint)]]
        if all(sure):
            return None
        if not any(sure):
            return constraint
        return mapped(constraint, self.known) if isinstance(constraint, Joined | Areas) else constraint

    def known(self, lit: Lit) -> Lit | bool:
        """The literal, or what is certain of it."""
        value = self.value(lit)
        return lit if value is None else value

    def reduce_definition(
        self, lit: Lit, conjunction: bool, lits: tuple[Lit, ...], why: Why
    ) -> Constraint | None:
        """A definition, a clause where one side is certain, or nothing."""
        sign = 1 if conjunction else -1
        lit, lits = sign * lit, tuple(sign * one for one in lits)
        value = self.value(lit)
        if value:
            return None
        left = tuple(one for one in lits if self.value(one) is None)
        if value is False:
            if any(self.value(one) is False for one in lits):
                return None
            return Clause(tuple(-one for one in left), why)
        return Iff(sign * lit, "and" if conjunction else "or", tuple(sign * one for one in left), why)

    def reduce_linear(self, constraint: Linear) -> Linear | None:
        """A sum of the values that are not certain."""
        when = None if constraint.when is None else self.value(constraint.when)
        if when is False:
            return None
        known = [(w, v) for w, v in constraint.terms if len(self.domains[v]) == 1]
        number = constraint.number - sum(w * self.ends(v)[0] for w, v in known)
        terms = tuple(term for term in constraint.terms if term not in known)
        condition = constraint.when if when is None else None
        ends = [sorted(weight * end for end in self.ends(v)) for weight, v in terms]
        enough = constraint.comparison == "<=" or sum(low for low, _ in ends) >= number
        if enough and (constraint.comparison == ">=" or sum(high for _, high in ends) <= number):
            return None
        return Linear(terms, constraint.comparison, number, constraint.why, condition)

    def reduce_sum(self, constraint: Sum) -> Constraint | None:
        """A sum over what is not certain."""
        if constraint.when is not None and self.value(constraint.when) is False:
            return None
        terms, number = [], constraint.number
        for weight, lit in constraint.terms:
            value = self.value(lit)
            if value is None:
                terms.append((weight, lit))
            elif value:
                number -= weight
        high = sum(max(weight, 0) for weight, _ in terms)
        low = sum(min(weight, 0) for weight, _ in terms)
        enough = constraint.comparison == "<=" or low >= number
        if enough and (constraint.comparison == ">=" or high <= number):
            return None
        when = constraint.when if constraint.when is None or self.value(constraint.when) is None else None
        if len(terms) == len(constraint.terms) and when == constraint.when:
            return constraint
        return replace(constraint, terms=tuple(terms), number=number, when=when)


def opposite(lits: tuple[Lit, ...]) -> bool:
    """Is there a literal beside its opposite?"""
    return len({*map(abs, lits)}) < len(lits) and not set(lits).isdisjoint(map(neg, lits))
