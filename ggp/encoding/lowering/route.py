"""The way from an encoding to what a solver takes: which lowerings, one after another.

A solver declares the kinds that it takes (`Backend`). From the kinds that the encoding has, the shortest
sequence of registered lowerings is looked for that leaves none of the others; of several the one whose
lowerings come first in the registry.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from ggp import registry
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.judging import holds
from ggp.encoding.lowering.protocol import (
    EVERY,
    Kind,
    Kinds,
    Line,
    Lowered,
    Lowering,
    Tick,
    kind_of,
    kinds_of,
    never,
    then,
    unchanged,
)
from ggp.errors import Finding, UnsupportedFeature
from ggp.model.result import Clock

PROPAGATION = "propagation"
REMEDY = "register a lowering that takes it: see docs/adding-a-lowering.md"


@dataclass(frozen=True)
class Backend:
    """What a solver gets: `noun` for one line of it, and the kinds that it `takes`.

    `first` are lowerings that it gains from, applied before propagation, while what stands where is still
    known of all variables. `broken` says which lines some values break; where an encoding is taken constraint
    by constraint these are its constraints. `adds`: a sum is one line for it, not many.
    `native` are kinds that goal words write for it instead of what says the same to any solver.
    `session` opens, on a clock, one that can be told more as it goes (`ggp.encoding.layers.Session`), and
    `longer` another one for a long question, if that is better there.
    `presolve`: what propagation settles is left out; else it gets what is exported, but for the kinds.
    """

    noun: str
    takes: Kinds
    first: tuple[str, ...] = ()
    broken: Callable[[Encoding, Values], Iterator[Line]] | None = None
    adds: bool = True
    native: Kinds = frozenset()
    session: Callable[[Clock], AbstractContextManager[Any]] | None = None
    longer: Callable[[Clock], AbstractContextManager[Any]] | None = None
    presolve: bool = True

    def broken_by(self, encoding: Encoding, values: Values) -> Iterator[Line]:
        """The lines of an encoding that was lowered to this, which the values break."""
        return (self.broken or broken_constraints)(encoding, values)


ANY = Backend("constraint", EVERY)


class Step(NamedTuple):
    """A lowering, and the kinds that it is to take out."""

    name: str
    kinds: Kinds


def lowerings() -> dict[str, Lowering]:
    """All that are registered, by name."""
    return {name: cast(Lowering, registry.load("lowering", name)) for name in registry.LOWERINGS}


def route(kinds: Kinds, takes: Kinds, known: Mapping[str, Lowering] | None = None) -> tuple[Step, ...] | None:
    """The shortest way from these kinds to none but those that are taken; None where there is none."""
    known = lowerings() if known is None else known
    ways: dict[Kinds, tuple[Step, ...]] = {kinds: ()}
    queue = deque([kinds])
    while queue:
        here = queue.popleft()
        if here <= takes:
            return ways[here]
        for name, lowering in known.items():
            there = here & lowering.TAKES
            if not there or not here <= lowering.TAKES | lowering.BESIDE:
                continue
            for taken in (there - takes, there):  # some ways are open only where all of it is gone
                after = (here - taken) | lowering.LEAVES
                if taken and after not in ways:
                    ways[after] = (*ways[here], Step(name, taken))
                    queue.append(after)
    return None


def routed(
    encoding: Encoding,
    backend: Backend,
    tick: Tick = never,
    *,
    again: bool = True,
    known: Mapping[str, Lowering] | None = None,
) -> Lowered:
    """The encoding in the kinds that the backend takes. `again`: work out once more what has become certain.

    Raises UnsupportedFeature, which names the kinds that nothing takes out.
    """
    known = lowerings() if known is None else known
    kinds = kinds_of(encoding) - backend.native
    steps = route(kinds, backend.takes, known)
    if steps is None:
        raise no_way(encoding, kinds, backend, known)
    done = unchanged(encoding)
    for place, (name, taken) in enumerate(steps):
        tick()
        done = then(done, by(name, known[name], done.encoding, tick, taken))
        waits = place + 1 < len(steps) and known[steps[place + 1].name].AGAIN
        if again and known[name].AGAIN and not waits:
            done = then(done, by(PROPAGATION, known[PROPAGATION], done.encoding, tick))
    if steps and again and not kinds_of(done.encoding) <= backend.takes:  # it may leave what is uneven
        done = then(done, routed(done.encoding, backend, tick, again=False, known=known))
    return done


def lowered(encoding: Encoding, backend: Backend, tick: Tick = never) -> Lowered:
    """An encoding as it was written, all the way: what the backend wants first, propagation, the route."""
    known, done = lowerings(), unchanged(encoding)
    for name in (*backend.first, *((PROPAGATION,) if backend.presolve else ())):
        if known[name].TAKES and not known[name].TAKES & kinds_of(done.encoding):
            continue  # it is there to take out what is not there
        step = by(name, known[name], done.encoding, tick)
        if step.encoding is not done.encoding:  # else there was nothing for it to do
            done = then(done, step)
    return then(done, routed(done.encoding, backend, tick, again=backend.presolve, known=known))


def by(name: str, lowering: Lowering, encoding: Encoding, tick: Tick, kinds: Kinds | None = None) -> Lowered:
    """What a lowering makes of an encoding, with its name."""
    done = lowering.lower(encoding, tick, lowering.TAKES if kinds is None else kinds)
    return Lowered(done.encoding, done.forward, done.back, (name,))


def no_way(
    encoding: Encoding, kinds: Kinds, backend: Backend, known: Mapping[str, Lowering]
) -> UnsupportedFeature:
    """The error for kinds that no lowering leads away from; one by one, or if need be together."""
    lost: list[Kind] = sorted(one for one in kinds if route(frozenset({one}), backend.takes, known) is None)
    takes = ", ".join(sorted(backend.takes))
    findings = []
    for kind in lost or sorted(kinds - backend.takes):
        whys = (one.why for one in encoding.constraints if kind_of(one) == kind.removeprefix("uneven-"))
        why = next(whys, None)
        says = f", which says: {why.text}" if why is not None else ""
        message = f"no lowering leads from {kind}{says} to what it takes ({takes})"
        findings.append(Finding(message, REMEDY, None if why is None else why.place))
    return UnsupportedFeature.of(f"what wants {backend.noun}s", tuple(findings))


def broken_constraints(encoding: Encoding, values: Values) -> Iterator[Line]:
    """The constraints that the values break."""
    for number, constraint in enumerate(encoding.constraints, start=1):
        if not holds(encoding, constraint, values):
            yield Line(number, len(encoding.constraints), encoding.said(constraint), constraint.why)
