"""Source: words that an automaton accepts, before propagation. Target: a unit that flows through its states.

Reformulation: a Boolean for each state at each place and for each transition there, and

    the state before a value     = the sum of the transitions that leave it
    the state after a value      = the sum of the transitions that lead to it
    the value at the place is v  = the sum of the transitions that read v

A path through a network without circles: the relaxation of one word by itself has whole corners only, where
clauses for each transition leave it open nearly everything. Source: Côté, Gendron and Rousseau (2007), The
regular constraint for integer programming.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ggp.encoding.constraints import Clause, Encoding, Regular, Sum, Values
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.automata import unrolled
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, emptied, kind_of, never

TAKES: Kinds = frozenset({"regular", "uneven-regular"})
# As much as the lowering for clauses leaves: no route is shorter this way, and only who asks gets flows.
LEAVES: Kinds = frozenset({"clause", "definition", "sum", "integers", "certain"})
BESIDE = EVERY
AGAIN = True


@dataclass
class Flow:
    """A word as a flow: the transitions at each place, with the variables of those that have one."""

    word: Regular
    arcs: list[dict[tuple[int, int, int], int]] = field(default_factory=list)

    def forward(self, values: Values) -> Iterator[tuple[int, int]]:
        """Each variable of a transition with its value: 1 along the word."""
        ways = {(state, value): after for state, value, after in self.word.automaton.transitions}
        state = 0
        for variable, arcs in zip(self.word.variables, self.arcs, strict=True):
            here = state, values[variable], ways.get((state, values[variable]), -1)
            yield from ((arc, int(transition == here)) for transition, arc in arcs.items())
            state = here[2]


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with its words as flows. `tick` is called now and then and may raise."""
    wanted = {"regular" if kind == "uneven-regular" else kind for kind in kinds}
    after = emptied(encoding)
    before, flows = len(encoding.variables), list[Flow]()
    for constraint in encoding.constraints:
        tick()
        if isinstance(constraint, Regular) and kind_of(constraint) in wanted:
            flows.append(written(after, constraint))
        else:
            after.add(constraint)

    return worked_out(after, before, [flow.forward for flow in flows])


def worked_out(
    after: Encoding, before: int, parts: Sequence[Callable[[Values], Iterable[tuple[int, int]]]]
) -> Lowered:
    """A lowering that only added variables, all from the number `before` on; `parts` say their values."""

    def forward(values: Values) -> Values:
        found = dict(values)
        for part in parts:
            found |= part(values)
        return found

    def back(values: Values) -> Values:
        return {v: value for v, value in values.items() if v < before}

    return Lowered(after, forward, back)


def written(encoding: Encoding, word: Regular) -> Flow:
    """Write the flow of a word."""
    flow, why = Flow(word), word.why
    domains = [domain(encoding, variable) for variable in word.variables]
    network = unrolled(word.automaton, domains)
    if not all(network.states):
        encoding.add(Clause((), why))
        return Flow(word, [{} for _ in word.variables])
    coming: dict[int, list[Lit]] | None = None  # by state: the transitions that lead to it
    for variable, values, steps in zip(word.variables, domains, network.steps, strict=True):
        arcs = {one: encoding.new("step", (len(encoding.variables),), (0, 1)) for one in steps}
        flow.arcs.append(arcs)
        lits = {one: encoding.number(arc, 1) for one, arc in arcs.items()}
        for state in {state for state, _, _ in steps}:
            leaving = [lit for (source, _, _), lit in lits.items() if source == state]
            entering = [] if coming is None else coming[state]
            number = 1 if coming is None else 0
            encoding.add(Sum((*ones(leaving), *ones(entering, -1)), "=", number, why))
        for value in values:
            reading = [lit for (_, read, _), lit in lits.items() if read == value]
            told = () if len(values) == 1 else ((-1, encoding.number(variable, value)),)
            encoding.add(Sum((*ones(reading), *told), "=", int(not told), why))
        coming = {}
        for (_, _, target), lit in lits.items():
            coming.setdefault(target, []).append(lit)
    return flow


def domain(encoding: Encoding, variable: int) -> tuple[int, ...]:
    """The values that a variable can have."""
    fixed = encoding.fixed
    return (fixed[variable],) if variable in fixed else encoding.variables[variable].domain


def ones(lits: list[Lit], weight: int = 1) -> tuple[tuple[int, Lit], ...]:
    """The literals with a weight."""
    return tuple((weight, lit) for lit in lits)
