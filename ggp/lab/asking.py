"""Putting questions to solvers: which solvers there are, what they answer, and what is no answer."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import NamedTuple

from ggp import registry
from ggp.errors import NotAvailable, UnsupportedFeature
from ggp.explain.unique import Uniqueness, unique
from ggp.lab.judging import UNFINISHED, Question
from ggp.model import Instance
from ggp.model.result import OutOfTime, Result, facts_of
from ggp.tasks.asking import asked
from ggp.tasks.solving import Run

SECONDS = 2.0  # for a question


class Answer(NamedTuple):
    """What a solver answers: a result, and whether it is the only one where that was the question."""

    result: Result
    uniqueness: Uniqueness | None = None


class Solver(NamedTuple):
    """A solver that can run here and claims to find what there is."""

    name: str
    starts: float  # seconds that any answer takes
    variants: tuple[str, ...]

    def some(self, rng: Random) -> str:
        """The solver, or now and then one of its variants, by the name that `ggp solve` takes."""
        varied = self.variants and rng.random() < 0.4
        return f"{self.name}:{rng.choice(self.variants)}" if varied else self.name


def solvers() -> list[Solver]:
    """The solvers that can be asked."""
    return [
        Solver(name, facts_of(module).starts, facts_of(module).variants)
        for name in registry.SOLVERS
        if can_be_asked(module := registry.load("solver", name))
    ]


def can_be_asked(module: ModuleType) -> bool:
    """Can it run here, and does it say more than what it was told?"""
    return facts_of(module).proves and module.available() is None


def put(question: Question, who: str, instance: Instance, limit: int | None = None) -> Answer | str:
    """A solver's answer; a word for why there is none. Raises what the solver raises."""
    try:
        one = asked(instance, question.exactly, question.avoid, question.robust)
        if question.unique:
            told = unique(one, who, SECONDS, question.encoding)
            return told.result.stop if told.result.stop in UNFINISHED else Answer(told.result, told)
        how = question.want, question.objective, limit, SECONDS, question.passes, question.encoding
        run = Run(one, who, *how)
        for _ in run:
            pass
    except (UnsupportedFeature, NotAvailable):
        return "refused"
    except OutOfTime:
        return "time-limit"
    assert run.result is not None
    return Answer(run.result)


def command(question: Question, who: str) -> str:
    """The command that asks the same of a file."""
    return f"ggp solve {{.toml}} --solver {who} {question.options}".rstrip()
