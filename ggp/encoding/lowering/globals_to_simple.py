"""Source: constraints over integer variables as a whole. Target: clauses, definitions and sums of literals.

Reformulations:

    2 x + y + z <= 7       a sum over the literals "x = v", weighted by 2 v
    x < y                  x = v, then one of the y > v
    regular                a variable for the state after each place, and a clause for each transition
    different lists        two lists differ in some place
    circuit                each node is one successor; the order along it, from its first node on, grows by 1
    distances              "within k links of a root", for each k
    element                at each place that the index can tell, the values that go together
    table                  a row holds if all its values do, and some row does

What is added is a function of what was there, so solutions stay the same one by one. Works on an encoding
whatever has been propagated before.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from typing import Literal

from ggp.encoding.constraints import (
    Circuit,
    Clause,
    Constraint,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
    Values,
)
from ggp.encoding.judging import distances
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.automata import unrolled
from ggp.encoding.lowering.protocol import (
    EVERY,
    Kinds,
    Lowered,
    RuledOut,
    Tick,
    completed,
    emptied,
    kind_of,
    never,
)
from ggp.encoding.scopes import scope

Truth = Lit | bool
COMPARE = {"<=": operator.le, "=": operator.eq, ">=": operator.ge}
TAKES: Kinds = frozenset(
    {"linear", "regular", "uneven-regular", "different-lists", "circuit", "distances", "element", "table"}
)
LEAVES: Kinds = frozenset({"clause", "definition", "sum", "integers", "certain"})
BESIDE = EVERY
AGAIN = True


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding without constraints of these kinds. `tick` is called now and then and may raise."""
    wanted = {"regular" if kind == "uneven-regular" else kind for kind in kinds}
    after = emptied(encoding)
    writer = Simple(after, asked_often(encoding), tick)
    for constraint in encoding.constraints:
        tick()
        if kind_of(constraint) in wanted:
            writer.write(constraint)
        else:
            after.add(constraint)
    before = len(encoding.variables)

    def back(values: Values) -> Values:
        found = {v: value for v, value in values.items() if v < before}
        for constraint in writer.said_by_layers:
            right = distances(encoding, constraint, found) or ()
            found |= dict(zip(constraint.variables, right, strict=False))
        return found

    return Lowered(after, writer.forward, back)


def asked_often(encoding: Encoding) -> frozenset[int]:
    """The variables of which more than one constraint, the plan or what is to be small speaks."""
    times = Counter(v for constraint in encoding.constraints for v in scope(encoding, constraint))
    minimised = {encoding.atoms[abs(lit)][0] for _, lit in encoding.minimise}
    return frozenset({v for v, number in times.items() if number > 1} | minimised | {*encoding.decisions})


@dataclass
class Simple:
    """Writes simple constraints into an encoding."""

    encoding: Encoding
    asked: frozenset[int]  # the variables that more than one constraint, or a plan, speaks of
    tick: Tick = never
    known: int = field(init=False)  # how many variables there were before
    words: list[tuple[Regular, list[int]]] = field(default_factory=list)  # with its variables for states
    orders: list[tuple[Circuit, list[int]]] = field(default_factory=list)  # with its variables for the order
    said_by_layers: list[Distances] = field(default_factory=list)  # some variables of it are settled

    def __post_init__(self) -> None:
        self.known = len(self.encoding.variables)

    def forward(self, values: Values) -> Values:
        """The values, with those of all variables that were added."""
        found = dict(values)
        for word, states in self.words:
            found |= zip(states, self.run(word, states, values), strict=True)
        for circuit, order in self.orders:
            found |= zip(order, places([values[v] for v in circuit.successors]), strict=True)
        found |= self.encoding.fixed
        added = range(self.known, len(self.encoding.variables))
        found = completed(self.encoding, found, [v for v in added if v not in found])
        for constraint in self.said_by_layers:
            right = distances(self.encoding, constraint, values)
            for variable, value in zip(constraint.variables, right or (), strict=False):
                if variable in self.encoding.fixed and values[variable] != value:
                    name, here = self.encoding.variables[variable], values[variable]
                    raise RuledOut(constraint.why, f"{name} is {value} then, and {here} here", found)
        return found

    def run(self, word: Regular, states: Sequence[int], values: Values) -> Iterator[int]:
        """The states that a word leads through; where it leads nowhere, any that could be there."""
        ways = {(state, value): after for state, value, after in word.automaton.transitions}
        state = 0
        for at, variable in enumerate(states):
            domain = self.encoding.variables[variable].domain
            state = state if state in domain else domain[0]
            yield state
            if at < len(word.variables):
                state = ways.get((state, values[word.variables[at]]), -1)

    def write(self, constraint: Constraint) -> None:
        """Write what a constraint amounts to."""
        match constraint:
            case Linear():
                self.linear(constraint)
            case Regular():
                self.regular(constraint)
            case DifferentLists():
                self.different_lists(constraint)
            case Circuit():
                self.circuit(constraint)
            case Distances():
                self.distances(constraint)
            case Element():
                self.element(constraint)
            case Table():
                self.table(constraint)

    # --- literals that may be certain already

    def values(self, variable: int) -> tuple[int, ...]:
        """The values that a variable can have."""
        fixed = self.encoding.fixed
        return (fixed[variable],) if variable in fixed else self.encoding.variables[variable].domain

    def atom(self, variable: int, value: int) -> Truth:
        """ "variable = value"."""
        domain = self.values(variable)
        if domain == (value,):
            return True
        return self.encoding.atom(variable, value) if value in domain else False

    def truth(self, lit: Truth) -> Truth:
        """A literal, or what is known of it."""
        if isinstance(lit, bool):
            return lit
        known = self.atom(*self.encoding.atoms[abs(lit)])
        return known if lit > 0 else negated(known)

    def clause(self, lits: Iterable[Truth], why: Why) -> None:
        """One of them holds."""
        wanted = set(lits)
        if True not in wanted and not any(-lit in wanted for lit in wanted if not isinstance(lit, bool)):
            self.encoding.add(Clause(tuple(sorted(lit for lit in wanted if lit is not False)), why))

    def define(self, op: Literal["and", "or"], parts: Iterable[Truth], why: Why, name: str) -> Truth:
        """A literal for the conjunction or disjunction."""
        lits = set(parts)
        if (op == "or") in lits:
            return op == "or"
        lits -= {op == "and"}
        if len(lits) < 2:
            return lits.pop() if lits else op == "and"
        lit = self.encoding.number(self.encoding.new(name, (len(self.encoding.variables),), (0, 1)), 1)
        self.encoding.add(Iff(lit, op, tuple(sorted(lits)), why))
        return lit

    def fresh(self, name: str, domain: Sequence[int]) -> int:
        """A variable that the new constraints speak of."""
        return self.encoding.new(name, (len(self.encoding.variables),), domain)

    # --- one kind of constraint each

    def linear(self, constraint: Linear) -> None:
        """Weights times values; of two variables, which values of one go with each value of the other."""
        if len(constraint.terms) == 2:
            self.two(constraint)
            return
        terms, number = [], constraint.number
        for weight, variable in constraint.terms:
            domain = self.values(variable)
            least = min(domain)  # taken away, so that there is a literal less
            number -= weight * least
            terms += [
                (weight * (value - least), self.encoding.number(variable, value))
                for value in domain
                if value != least
            ]
        when = None if constraint.when is None else self.truth(constraint.when)
        if when is not False:
            when = None if when is True else when
            self.encoding.add(Sum(tuple(terms), constraint.comparison, number, constraint.why, when))

    def two(self, constraint: Linear) -> None:
        """For each value of one variable, one of the values that go with it."""
        (a, one), (b, other) = constraint.terms
        when = [] if constraint.when is None else [negated(self.truth(constraint.when))]
        for (w, first), (x, second) in (((a, one), (b, other)), ((b, other), (a, one))):
            literal = cache(partial(self.atom, second))  # each looks through the whole domain
            for value in self.values(first):
                self.tick()
                fit = [
                    literal(v)
                    for v in self.values(second)
                    if COMPARE[constraint.comparison](w * value + x * v, constraint.number)
                ]
                self.clause([*when, negated(self.atom(first, value)), *fit], constraint.why)

    def regular(self, constraint: Regular) -> None:
        """The states that can be reached and left, and clauses that lead from one to the next."""
        why, ways = constraint.why, constraint.automaton.transitions
        layers = unrolled(constraint.automaton, [self.values(v) for v in constraint.variables]).states
        if not all(layers):
            self.encoding.add(Clause((), why))
            return
        states = [self.fresh("state", sorted(layer)) for layer in layers]
        self.words.append((constraint, states))
        for at, variable in enumerate(constraint.variables):
            lead = {(s, v): t for s, v, t in ways if t in layers[at + 1]}
            for state in layers[at]:
                for value in self.values(variable):
                    here = [negated(self.atom(states[at], state)), negated(self.atom(variable, value))]
                    after = lead.get((state, value))
                    self.clause(here if after is None else [*here, self.atom(states[at + 1], after)], why)
        for layer in (layer for layer in states if len(self.values(layer)) == 1):
            self.encoding.fixed[layer] = self.values(layer)[0]

    def element(self, constraint: Element) -> None:
        """At each place, a value of its variable is that of the result, and the result has no other."""
        why, result = constraint.why, self.values(constraint.result)
        for place in self.values(constraint.index):
            here = negated(self.atom(constraint.index, place))
            if place not in range(len(constraint.array)):
                self.clause([here], why)
                continue
            held = constraint.array[place]
            for value in self.values(held):
                there = negated(self.atom(held, value))
                self.clause([here, there, self.atom(constraint.result, value)], why)
            self.clause([here, *(self.atom(constraint.result, value) for value in self.values(held))], why)
            self.clause([here, *(self.atom(held, value) for value in result)], why)

    def table(self, constraint: Table) -> None:
        """Each row that can hold still, and one of them."""
        why, rows = constraint.why, []
        for row in constraint.rows:
            told = zip(constraint.variables, row, strict=True)
            rows.append(self.define("and", (self.atom(v, x) for v, x in told if x is not None), why, "row"))
        self.clause(rows, why)

    def different_lists(self, constraint: DifferentLists) -> None:
        """For each two lists, some place in which they differ."""
        for one, other in combinations(constraint.lists, 2):
            differ = [negated(self.same(a, b, constraint.why)) for a, b in zip(one, other, strict=True)]
            self.clause(differ, constraint.why)

    def same(self, one: int, other: int, why: Why) -> Truth:
        """Have the two variables the same value?"""
        both = [
            self.define("and", (self.atom(one, value), self.atom(other, value)), why, "both")
            for value in sorted({*self.values(one)} & {*self.values(other)})
        ]
        return self.define("or", both, why, "same")

    def circuit(self, constraint: Circuit) -> None:
        """Each node follows one node, and comes right after it on the way from the first node on."""
        why, nodes = constraint.why, range(len(constraint.successors))
        after = [[self.atom(variable, node) for node in nodes] for variable in constraint.successors]
        for variable in constraint.successors:
            for value in set(self.values(variable)) - set(nodes):
                self.clause([negated(self.atom(variable, value))], why)
        for node in nodes:
            column = [after[other][node] for other in nodes]
            lits = tuple((1, lit) for lit in column if not isinstance(lit, bool))
            self.encoding.add(Sum(lits, "=", 1 - sum(lit is True for lit in column), why))
        off = [after[node][node] for node in nodes]
        begun = self.begun([negated(lit) for lit in off], why)
        self.clause([begun[-1]], why)
        order = [self.fresh("order", nodes) for _ in nodes]
        self.orders.append((constraint, order))
        for node in nodes:
            first = [off[node], begun[node]]
            self.clause([*first, self.atom(order[node], 0)], why)
            self.clause([negated(off[node]), self.atom(order[node], 0)], why)
            self.clause([off[node], negated(begun[node]), negated(self.atom(order[node], 0))], why)
            for other in nodes:
                if other == node or after[node][other] is False:
                    continue
                for step in nodes:
                    here = [negated(after[node][other]), negated(begun[other])]
                    here.append(negated(self.atom(order[node], step)))
                    self.clause([*here, self.atom(order[other], step + 1)], why)

    def begun(self, lits: Sequence[Truth], why: Why) -> list[Truth]:
        """For each place whether a literal before it holds; and once more for all of them."""
        found: list[Truth] = [False]
        for lit in lits:
            found.append(self.define("or", (found[-1], lit), why, "begun"))
        return found

    def distances(self, constraint: Distances) -> None:
        """Whether a node is within k links of a root, for each k that its variable can have."""
        why = constraint.why
        inside = [self.truth(lit) for lit in constraint.inside]
        beside: list[list[tuple[int, Truth]]] = [[] for _ in inside]
        for one, other, lit in constraint.links:
            link = self.truth(lit)
            if link is not False:
                beside[one].append((other, link))
                beside[other].append((one, link))
        within: list[Truth] = [
            self.define("and", (here, self.truth(root)), why, "within")
            for here, root in zip(inside, constraint.roots, strict=True)
        ]
        furthest = max((max(self.values(v)) for v in constraint.variables), default=0)
        layers = [within]
        for _ in range(furthest):
            nearer, within = within, []
            for node, here in enumerate(inside):
                ways = [
                    self.define("and", (nearer[other], link), why, "within") for other, link in beside[node]
                ]
                near = self.define("or", [nearer[node], *ways], why, "within")
                within.append(self.define("and", (here, near), why, "within"))
            layers.append(within)
        if not self.asked.issuperset(constraint.variables):
            self.said_by_layers.append(constraint)
        for node, variable in enumerate(constraint.variables):
            domain = self.values(variable)
            if variable in self.asked or domain != tuple(range(max(domain) + 1)):
                self.clause([negated(inside[node]), within[node]], why)
                self.clause([inside[node], self.atom(variable, 0)], why)
                for step, layer in enumerate(layers):
                    before = layers[step - 1][node] if step else False
                    self.clause([negated(layer[node]), before, self.atom(variable, step)], why)
            else:  # what it would say is said by the layers
                self.clause([negated(inside[node]), layers[max(domain)][node]], why)
                self.encoding.fixed.setdefault(variable, domain[0])


def places(successors: Sequence[int]) -> list[int]:
    """For each node how far it is along the circuit from its first node; 0 for those that are left out."""
    found = [0] * len(successors)
    first = next((node for node, after in enumerate(successors) if node != after), 0)
    node, step = first, 0
    while 0 <= node < len(successors) and step < len(successors):
        found[node] = step
        node, step = successors[node], step + 1
        if node == first:
            break
    return found


def negated(truth: Truth) -> Truth:
    """The opposite."""
    return not truth if isinstance(truth, bool) else -truth
