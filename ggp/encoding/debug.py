"""Why an encoding says no: put a known plan into it and name every constraint that breaks.

The plan's own variables get their values from the plan, all others from their definitions. Then each
constraint is judged, and what the encoding says stands where after each turn is held against the referee. The
same values go forward to what a solver gets, and the first line of it that they break is named (`seen_by`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.encoding.constraints import Clause, Constraint, Distances, Encoding, Iff, Sum, Values
from ggp.encoding.judging import distances, holds, true
from ggp.encoding.literals import Why
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.lowering.protocol import Line, RuledOut
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.occupancy import encode
from ggp.encoding.scopes import literals
from ggp.model import Instance, Plan
from ggp.model.board import cells
from ggp.model.features import GOAL_WORDS, SOLVABLE, require
from ggp.referee.trajectory import Verdict, replay


class Violation(NamedTuple):
    """A constraint that a plan breaks, in the words of the description."""

    why: Why
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.why}{f' ({self.detail})' if self.detail else ''}"


class Seen(NamedTuple):
    """What a solver sees of a plan.

    `steps` are the lowerings that lead there. `line` is the first that breaks. `ruled_out` says what is
    certain by then, and otherwise in the plan. `source` is what breaks in the encoding as it was written, for
    the same reason if there is such a constraint.
    """

    steps: tuple[str, ...]
    line: Line | None = None
    ruled_out: str = ""
    source: Violation | None = None

    @property
    def agrees(self) -> bool:
        """Does nothing break?"""
        return self.line is None and not self.ruled_out


def seen_by(instance: Instance, plan: Plan, backend: Backend, *, horizon: int | None = None) -> Seen:
    """Put a plan into what a solver gets; `horizon` as for `violations`."""
    encoding = written(instance, plan, horizon)
    values, misfit = assume(encoding, plan), next(misfits(encoding, plan), None)
    done = lowered(encoding, backend)
    if misfit is not None:  # there are no values that say this
        return Seen(done.steps, None, "the plan has no place in it", misfit)
    ruled_out, why = "", None
    try:
        values_there = done.forward(values)
    except RuledOut as error:
        values_there, ruled_out, why = error.instead, error.detail, error.why
    line = next(backend.broken_by(done.encoding, values_there), None)
    why = line.why if why is None and line is not None else why
    return Seen(done.steps, line, ruled_out, None if why is None else origin(encoding, values, why))


def origin(encoding: Encoding, values: Values, why: Why) -> Violation | None:
    """What breaks in the encoding as written, for that reason if there is such a constraint; else the first.

    None where nothing breaks: then a lowering said what the encoding did not.
    """
    found = [one for one in encoding.constraints if not holds(encoding, one, values)]
    for one in found:
        if one.why._replace(text="") == why._replace(text="") and why.text.startswith(one.why.text):
            return Violation(one.why, encoding.said(one))
    return Violation(found[0].why, encoding.said(found[0])) if found else None


def violations(instance: Instance, plan: Plan, *, horizon: int | None = None) -> list[Violation]:
    """Every constraint of the encoding that the plan breaks; none for a plan that wins.

    `horizon` is needed where the level has none; by default the plan's own length is taken then. The
    encoding is checked as it was written, and again after propagation.
    """
    encoding = written(instance, plan, horizon)
    values = assume(encoding, plan)
    found = [*misfits(encoding, plan), *broken(encoding, values)]
    found += disagreements(encoding, replay(instance, plan), values)
    if not found:
        found = pruned_away(propagated(encoding), values)
    return found


def written(instance: Instance, plan: Plan, horizon: int | None) -> Encoding:
    """The encoding as it is written, long enough for the plan. Raises UnsupportedFeature."""
    require(instance, "an encoding", SOLVABLE | GOAL_WORDS)
    turns = horizon if horizon is not None else instance.level.horizon
    return encode(instance, horizon=len(plan.actions) if turns is None else turns)


def misfits(encoding: Encoding, plan: Plan) -> Iterator[Violation]:
    """Inputs that the plan lacks, has too many of, or that the game does not take."""
    inputs = [v for v in encoding.decisions if encoding.variables[v].meaning == "action"]
    for variable in inputs:
        if encoding.decisions[variable](plan) not in encoding.variables[variable].domain:
            yield Violation(Why("there is an input of the game", encoding.variables[variable].index[0] + 1))
    if len(plan.actions) > len(inputs):
        yield Violation(Why("the plan ends by then", len(inputs)), f"it has {len(plan.actions)} inputs")


def assume(encoding: Encoding, plan: Plan) -> dict[int, int]:
    """A value for each variable: from the plan, or from the definition."""
    values = {variable: value(plan) for variable, value in encoding.decisions.items()}
    values |= {v: domain for v, domain in given(encoding) if v not in values}
    values |= {v: one.domain[0] for v, one in enumerate(encoding.variables) if len(one.domain) == 1}
    own = {encoding.atoms[abs(one.lit)][0] for one in encoding.constraints if isinstance(one, Iff)}
    known = -1
    while known < len(values):  # definitions may speak of what later ones define
        known = len(values)
        for constraint in encoding.constraints:
            for variable, value in defined(encoding, constraint, values):
                if not isinstance(constraint, Sum) or variable not in own:
                    values.setdefault(variable, value)
        for rule in encoding.derived:
            values |= {v: value for v, value in (rule(values) or {}).items() if v not in values}
    return values | {
        v: fitting(encoding, v, values) for v in range(len(encoding.variables)) if v not in values
    }


def defined(encoding: Encoding, constraint: Constraint, values: Values) -> Iterator[tuple[int, int]]:
    """(variable, value) that a definition gives, where all that it speaks of is known."""
    if isinstance(constraint, Distances):
        if all(encoding.atoms[abs(lit)][0] in values for lit in literals(constraint)):
            yield from zip(constraint.variables, distances(encoding, constraint, values) or (), strict=False)
        return
    if isinstance(constraint, Iff):
        lit, parts = constraint.lit, constraint.lits
    elif isinstance(constraint, Sum) and constraint.when is not None:
        lit, parts = constraint.when, tuple(one for _, one in constraint.terms)
    else:
        return
    if not all(encoding.atoms[abs(one)][0] in values for one in parts):
        return
    if isinstance(constraint, Sum):
        outcome = holds(encoding, unconditional(constraint), values)
    else:
        fold = all if constraint.op == "and" else any
        outcome = fold(true(encoding, one, values) for one in parts)
    variable, value = encoding.atoms[abs(lit)]
    if variable not in values:
        yield variable, value if outcome == (lit > 0) else 1 - value


def fitting(encoding: Encoding, variable: int, values: Values) -> int:
    """The value of a variable that only clauses define: the first one that breaks none of those."""
    about = [
        one
        for one in encoding.constraints
        if isinstance(one, Clause)
        and variable in (spoken := {encoding.atoms[abs(lit)][0] for lit in one.lits})
        and spoken <= {variable, *values}
    ]
    domain = encoding.variables[variable].domain
    return next(
        (v for v in domain if all(holds(encoding, c, {**values, variable: v}) for c in about)), domain[0]
    )


def unconditional(constraint: Sum) -> Sum:
    """The sum without its condition."""
    return Sum(constraint.terms, constraint.comparison, constraint.number, constraint.why)


def given(encoding: Encoding) -> Iterator[tuple[int, int]]:
    """Variables that a unit clause gives a value: the map's own values."""
    for constraint in encoding.constraints:
        if isinstance(constraint, Clause) and len(constraint.lits) == 1 and constraint.lits[0] > 0:
            number, value = encoding.atoms[constraint.lits[0]]
            variable = encoding.variables[number]
            if variable.meaning == "derived" and variable.domain != (0, 1):
                yield number, value


def broken(encoding: Encoding, values: Values) -> list[Violation]:
    """The constraints that do not hold."""
    return [Violation(c.why) for c in encoding.constraints if not holds(encoding, c, values)]


def disagreements(encoding: Encoding, verdict: Verdict, values: Values) -> list[Violation]:
    """Where encoding and referee differ about what stands where, in the first turn that has such a cell."""
    instance = encoding.instance
    for claim in encoding.claims[: verdict.turn + 1]:
        found = []
        for index, cell in enumerate(cells(instance)):
            for piece, lits in claim.pieces.items():
                said = lits[index]
                there = said if isinstance(said, bool) else true(encoding, said, values)
                if there != (piece in verdict.states[claim.turn].board[index]):
                    words = ("stands", "does not stand") if there else ("does not stand", "stands")
                    detail = f"{piece} {words[0]} there in the encoding, and {words[1]} for the referee"
                    found.append(Violation(Why("after the turn", claim.turn, cell), detail))
        if found:
            return found
    return []


def pruned_away(encoding: Encoding, values: Values) -> list[Violation]:
    """What propagation has cut off although the plan needs it."""
    found = [
        Violation(Why("propagation"), f"{encoding.variables[v]} is {values[v]}, but was fixed to {value}")
        for v, value in encoding.fixed.items()
        if v in values and values[v] != value and used(encoding, v)
    ]
    return found + broken(encoding, {**encoding.fixed, **values})


def used(encoding: Encoding, variable: int) -> bool:
    """Does the plan hang on this variable?"""
    return variable in encoding.decisions
