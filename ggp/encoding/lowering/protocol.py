"""What a lowering must offer: what it takes and leaves, the lowered encoding, a way there and a way back.

An encoding is made of *kinds*: of constraints, and of variables. A lowering rewrites an encoding into one
without some of them. `ggp.encoding.lowering.route` finds the lowerings that lead from what an encoding has to
what a solver takes, as the bridges of MathOptInterface do.

An *assignment* of an encoding has a value for each of its variables; what is settled (`Encoding.settled`) has
the value that it is settled to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol, get_args

from ggp.encoding.constraints import (
    AllDifferent,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
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
from ggp.encoding.graphs import Areas, Joined
from ggp.encoding.judging import defined, holds
from ggp.encoding.literals import Why

Kind = Literal[
    "clause",
    "definition",
    "sum",
    "all-different",
    "uneven-all-different",  # a small one, over as many values, which not all of its variables can have
    "linear",
    "regular",
    "uneven-regular",  # what automata read can have different values
    "different-lists",
    "circuit",
    "distances",
    "element",
    "table",
    "cumulative",
    "joined",
    "areas",
    "integers",  # variables with other values than 0 and 1
    "certain",  # variables that are settled
    "steps",  # no constraint: that what follows one another is told step by step, in clauses
    "few-steps",  # as "steps", where there are few of them
]
Kinds = frozenset[Kind]
NATIVE: Kinds = frozenset({"joined", "areas"})
"""Kinds that are written only for a backend that asks for them: no lowering takes them out."""
STEPS: Kinds = frozenset({"steps"})
"""For solvers of clauses and rows, to which a circuit is more to say and tells less."""
FEW_STEPS: Kinds = frozenset({"few-steps"})
"""For solvers of tables, which then get them as tables (`inverted`)."""
EVERY: Kinds = frozenset(get_args(Kind)) - NATIVE - STEPS - FEW_STEPS
Tick = Callable[[], None]
"""Called now and then; it may raise, which is how a time limit gets in."""
Way = Callable[[Values], Values]

_KINDS: dict[type, Kind] = {
    Clause: "clause",
    Iff: "definition",
    Sum: "sum",
    AllDifferent: "all-different",
    Linear: "linear",
    Regular: "regular",
    DifferentLists: "different-lists",
    Circuit: "circuit",
    Distances: "distances",
    Element: "element",
    Table: "table",
    Cumulative: "cumulative",
    Joined: "joined",
    Areas: "areas",
}


class RuledOut(Exception):
    """An assignment has no counterpart: what it breaks is certain by then, and no longer said.

    `why` is what it breaks, `instead` the assignment that comes nearest to it.
    """

    def __init__(self, why: Why, detail: str, instead: Values) -> None:
        super().__init__(f"{why} ({detail})")
        self.why = why
        self.detail = detail
        self.instead = instead

    def through(self, way: Way) -> RuledOut:
        """The same, said of where a further way leads."""
        try:
            return RuledOut(self.why, self.detail, way(self.instead))
        except RuledOut as error:
            return RuledOut(self.why, self.detail, error.instead)


@dataclass(frozen=True)
class Lowered:
    """An encoding in other words, and what its assignments have to do with those of the source.

    `forward` takes an assignment of the source to one of the lowered encoding: a solution to a solution,
    anything else to what breaks a constraint, or RuledOut is raised. Variables that were added are functions
    of the others: worked out, never searched for. `back` takes a solution of the lowered encoding to one of
    the source, with the same plan.

    `back(forward(x))` is x for a solution x, but for variables that became idle: of these nothing speaks any
    more, and `back` gives them what their definitions say, or else some value.
    """

    encoding: Encoding
    forward: Way
    back: Way
    steps: tuple[str, ...] = ()  # the names of the lowerings that led here


class Line(NamedTuple):
    """One line of what a solver gets that some values break: which of how many, and what it comes from."""

    number: int
    of: int
    text: str
    why: Why


class Lowering(Protocol):
    """What a module of a lowering offers.

    `TAKES` are the kinds that it can take out, `LEAVES` those that it may bring in, `BESIDE` those that may
    be there besides when it is applied. `AGAIN`: what it leaves has consequences, so that what is certain is
    worked out again.
    """

    TAKES: Kinds
    LEAVES: Kinds
    BESIDE: Kinds
    AGAIN: bool

    def lower(self, encoding: Encoding, tick: Tick = ..., kinds: Kinds = ...) -> Lowered:
        """The encoding without these `kinds`; they are among those that it takes, by default all."""


def never() -> None:
    """The tick of who has all the time in the world."""


def emptied(encoding: Encoding) -> Encoding:
    """A copy without constraints, to which variables can be added."""
    return replace(
        encoding,
        variables=list(encoding.variables),
        atoms=list(encoding.atoms),
        atom_numbers=dict(encoding.atom_numbers),
        constraints=[],
        fixed=dict(encoding.fixed),
        names=dict(encoding.names),
    )


def kind_of(constraint: Constraint) -> Kind:
    """What kind of constraint it is, whatever the domains of its variables."""
    return _KINDS[type(constraint)]


def kinds_of(encoding: Encoding) -> Kinds:
    """The kinds that an encoding has."""
    settled, found = encoding.settled, {_KINDS[sort] for sort in set(map(type, encoding.constraints))}
    if settled:
        found.add("certain")
    if any(v not in settled and one.domain != (0, 1) for v, one in enumerate(encoding.variables)):
        found.add("integers")
    if "regular" in found and len({encoding.variables[v].domain for v in read(encoding)}) > 1:
        found = (found - {"regular"}) | {"uneven-regular"}
    if "all-different" in found:
        different = [one for one in encoding.constraints if isinstance(one, AllDifferent)]
        uneven = [one for one in different if is_uneven(encoding, one)]
        found |= {"uneven-all-different"} if uneven else set()
        found -= {"all-different"} if len(uneven) == len(different) else set()
    return frozenset(found)


def read(encoding: Encoding) -> set[int]:
    """The variables that automata read."""
    return {v for one in encoding.constraints if isinstance(one, Regular) for v in one.variables}


def is_uneven(encoding: Encoding, constraint: AllDifferent) -> bool:
    """Are there three or four variables for just as many values, not all of which each of them can have?"""
    if constraint.free or len(constraint.variables) not in (3, 4):
        return False
    domains = [encoding.variables[variable].domain for variable in constraint.variables]
    values = {value for domain in domains for value in domain}
    return len(values) == len(domains) and any(len(domain) < len(values) for domain in domains)


# --- ways


def as_it_was(values: Values) -> Values:
    """The way where variables keep their numbers, and none is added."""
    return values


def unchanged(encoding: Encoding) -> Lowered:
    """A lowered encoding whose assignments are those of its source."""
    return Lowered(encoding, as_it_was, as_it_was)


def then(first: Lowered, second: Lowered) -> Lowered:
    """One lowering after another; `second` is about the encoding of `first`."""

    def forward(values: Values) -> Values:
        try:
            middle = first.forward(values)
        except RuledOut as error:
            raise error.through(second.forward) from None
        return second.forward(middle)

    def back(values: Values) -> Values:
        return first.back(second.back(values))

    return Lowered(second.encoding, forward, back, first.steps + second.steps)


def completed(encoding: Encoding, values: Values, unknown: Iterable[int]) -> dict[int, int]:
    """The values, and those that definitions give to what is unknown; each comes before what speaks of it."""
    found, left = dict(values), set(unknown)
    for constraint in encoding.constraints:
        if isinstance(constraint, Iff) and encoding.atoms[abs(constraint.lit)][0] in left:
            variable, value = defined(encoding, constraint, found)
            found[variable] = value
            left.discard(variable)
    return found


def refuse_redefined(encoding: Encoding, dropped: Collection[int], values: Values, instead: Values) -> None:
    """Raise RuledOut where one of these is not what its definition says, which is said no longer."""
    for one in encoding.constraints:
        if not isinstance(one, Iff) or encoding.atoms[abs(one.lit)][0] not in dropped:
            continue
        if not holds(encoding, one, values):
            variable, value = defined(encoding, one, values)
            detail = f"{encoding.variables[variable]} is {value} by definition, and {values[variable]} here"
            raise RuledOut(one.why, detail, instead)
