"""Encodings that can be chosen by name: a file each, and which of them is taken where none is named.

A choice looks at what a question is about (the compiled rules, the level, what is asked) and offers to answer
it, or says in a sentence why it does not apply. It never knows a game by name, so it serves what was learned
as well as what was described. Without a name the first of the registry that applies is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Protocol, cast

from ggp import registry
from ggp.encoding.lowering.route import Backend, lowered
from ggp.encoding.unroll import Ask, Attempt
from ggp.errors import Finding, UnsupportedFeature
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query

UNSCORED = "it does not say what a turn scores"
Answering = Callable[[Ask], Generator[Plan, None, Outcome]]
"""Puts encodings to a solver, lowered to its backend, until one of them answers the question."""


class Choice(Protocol):
    """What a module in this package offers; with `SCORES = True`, that it says what each firing is worth."""

    NAME: str

    def offer(self, instance: Instance, query: Query, backend: Backend) -> Answering | str:
        """What answers the question in this encoding, or a sentence that says why it does not apply."""


def choice(name: str) -> Choice:
    """The choice of that name; raises UnknownName."""
    return cast(Choice, registry.load("encoding", name))


def answer(instance: Instance, query: Query, ask: Ask, backend: Backend) -> Generator[Plan, None, Outcome]:
    """Answer a question in the encoding that it names, or in the first that applies.

    Raises UnsupportedFeature where the one that is named does not apply; PuzzleError where all plans are
    asked for and no horizon bounds them.
    """
    backend = replace(backend, presolve=query.presolve)
    if query.given is not None:
        return (yield from as_given(query, ask, backend))
    name, answering = chosen(instance, query, backend)
    query.clock.encoded = name
    return (yield from answering(ask))


def as_given(query: Query, ask: Ask, backend: Backend) -> Generator[Plan, None, Outcome]:
    """Answer a question about an encoding that is there: nothing is chosen, and nothing unrolled."""
    with query.clock.writing():
        done = lowered(query.given, backend, query.clock.check)
    return (yield from ask(Attempt(done.encoding, True), query))


def chosen(instance: Instance, query: Query, backend: Backend) -> tuple[str, Answering]:
    """The name of the encoding for a question, and what answers it."""
    scored = query.want == "best" and query.objective is not None and query.objective.highest
    for name in (query.encoding,) if query.encoding is not None else registry.ENCODINGS:
        module = choice(name)
        fit = not scored or getattr(module, "SCORES", False)
        offered = module.offer(instance, query, backend) if fit else UNSCORED
        if not isinstance(offered, str):
            return name, offered
        why = offered
    raise inapplicable(name, why)


def inapplicable(name: str, why: str) -> UnsupportedFeature:
    """What is raised where the encoding that is named does not apply, whenever that turns out."""
    remedy = "name none, or take `occupancy`, which takes all"
    return UnsupportedFeature.of(name, (Finding(f"the encoding {name} does not apply: {why}", remedy),))
