"""What is wrong with a lowering: its ways there and back, held against every assignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from math import prod
from random import Random

from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.judging import holds
from ggp.encoding.lowering.protocol import Lowered, Lowering, RuledOut, kinds_of
from ggp.encoding.lowering.route import Backend, Line, routed
from ggp.solvers import cpsat
from tests.tiny_encodings import assignments

MANY = 3000  # assignments; of more than these a solver tells the solutions


def source_for(lowering: Lowering, encoding: Encoding) -> Encoding:
    """The encoding in kinds that the lowering can be applied to."""
    return routed(encoding, Backend("", lowering.TAKES | lowering.BESIDE), again=False).encoding


def keeps(encoding: Encoding, values: Values) -> bool:
    """Is this an assignment of the encoding, and a solution?"""
    if values.keys() != set(range(len(encoding.variables))):
        return False
    fixed = all(values[v] == value for v, value in encoding.fixed.items())
    within = all(values[v] in one.domain or v in encoding.fixed for v, one in enumerate(encoding.variables))
    return fixed and within and all(holds(encoding, one, values) for one in encoding.constraints)


def solutions_of(encoding: Encoding) -> Iterator[Values]:
    """Every solution, with all its variables."""
    settled = encoding.settled
    free = [one for v, one in enumerate(encoding.variables) if v not in settled]
    if prod(len(one.domain) for one in free) <= MANY:
        yield from (values for values in assignments(encoding) if keeps(encoding, values))
        return
    from ortools.sat.python import cp_model

    posted = cpsat.Posted(replace(encoding, minimise=()), lambda: None)
    solver, found = cp_model.CpSolver(), list[Values]()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1

    class Hand(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append({**{n: self.value(v) for n, v in posted.variables.items()}, **settled})

    solver.solve(posted.model, Hand())
    yield from found


def many_of(encoding: Encoding) -> Iterator[Values]:
    """Every assignment; where these are too many its solutions, and others drawn at random."""
    settled, rng = encoding.settled, Random(0)
    free = [(v, one.domain) for v, one in enumerate(encoding.variables) if v not in settled]
    if prod(len(domain) for _, domain in free) <= MANY:
        yield from assignments(encoding)
        return
    yield from islice(solutions_of(encoding), MANY)
    for _ in range(MANY):
        yield {**settled, **{v: rng.choice(domain) for v, domain in free}}


def faults(source: Encoding, lowering: Lowering, every: Iterable[Values] | None = None) -> Iterator[str]:
    """What is wrong with a lowering of an encoding; `every` are assignments of it, else many are taken."""
    before = kinds_of(source)
    done = lowering.lower(source)
    left = kinds_of(done.encoding) - (before - lowering.TAKES) - lowering.LEAVES
    if left:
        yield f"it leaves {sorted(left)}"
    for values in many_of(source) if every is None else every:
        yield from there_and_back(source, done, values)
    for values in solutions_of(done.encoding):
        found = done.back(values)
        if not keeps(source, found):
            yield f"back from {values} is no solution"
        elif source.decode(found) != done.encoding.decode(values):
            yield f"back from {values} is another plan"


def there_and_back(source: Encoding, done: Lowered, values: Values) -> Iterator[str]:
    """What is wrong with the ways of one assignment."""
    solution = keeps(source, values)
    try:
        there = done.forward(values)
    except RuledOut as error:
        if error.instead.keys() != set(range(len(done.encoding.variables))):
            yield f"ruled out, {values} becomes {error.instead}"
        if solution:
            yield f"the solution {values} is ruled out: {error}"
        return
    if keeps(done.encoding, there) != solution:
        yield f"forward from {values} {'breaks something' if solution else 'breaks nothing'}"
    elif solution:
        again = done.back(there)
        idle = done.encoding.idle if len(done.encoding.variables) >= len(source.variables) else {}
        if any(again[v] != value for v, value in values.items() if v not in idle):
            yield f"forward and back from {values} is {again}"
        if done.encoding.decode(there) != source.decode(values):
            yield f"forward from {values} is another plan"


def first_line(backend: Backend, done: Lowered, values: Values) -> Line | RuledOut | None:
    """What a backend has against some values."""
    try:
        there = done.forward(values)
    except RuledOut as error:
        return error
    return next(chain(backend.broken_by(done.encoding, there)), None)
