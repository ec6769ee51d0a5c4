"""ACE, the constraint solver from the wheel of PyCSP3, through an XCSP3 file."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import combinations

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Encoding, Regular, Why
from ggp.engines.xcsp.run import Written
from ggp.engines.xcsp.run import solve as run
from ggp.engines.xcsp.tools import ACE
from ggp.exporters import xcsp3
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Facts, Outcome, Query

NAME = ACE.name
FACTS = Facts(starts=1.1, unrolls=True, pace="slow")
FEATURES = SOLVABLE | GOAL_WORDS


def available() -> str | None:
    """None if the jar and a Java are there, else what to install."""
    return ACE.available()


def versions() -> dict[str, str]:
    """The versions of ACE and of Java."""
    return ACE.versions()


def solve(instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
    """Solve the file of the encoding."""
    return (yield from run(ACE, instance, query, write))


def write(encoding: Encoding, minimise: bool = False, seconds: float | None = None) -> Written:
    """The file of the encoding as ACE can take it; see below, and `ggp.exporters.xcsp3.write`."""
    constraints = [one for constraint in encoding.constraints for one in in_pairs(encoding, constraint)]
    return xcsp3.write(alike(replace(encoding, constraints=constraints)), minimise, seconds)


def alike(encoding: Encoding) -> Encoding:
    """The encoding with one domain for all that automata read, where ACE 2.6 falls over it otherwise.

    What propagation took out of a domain is then said by clauses.
    """
    read = {v for one in encoding.constraints if isinstance(one, Regular) for v in one.variables}
    values = sorted({value for v in read for value in encoding.variables[v].domain})
    short = [v for v in sorted(read) if len(encoding.variables[v].domain) < len(values)]
    if not short:
        return encoding
    after = replace(
        encoding,
        variables=list(encoding.variables),
        atoms=list(encoding.atoms),
        atom_numbers=dict(encoding.atom_numbers),
        constraints=list(encoding.constraints),
    )
    for v in short:
        old = encoding.variables[v]
        after.variables[v] = replace(old, domain=tuple(values))
        for value in values:
            lit = after.atom(v, value)
            if value not in old.domain and not isinstance(lit, bool):
                after.add(Clause((-lit,), Why(f"{old} is not {value}")))
    return after


def in_pairs(encoding: Encoding, constraint: Constraint) -> Iterator[Constraint]:
    """A constraint, or the same said of each two variables where ACE 2.6 falls over it.

    ACE makes a table of a small all-different over just as many values. It lists every permutation, also
    those with values that are not in a domain, and runs out of an array at the first of them. No option
    turns that off, and domains of which propagation took a value are common.
    """
    if isinstance(constraint, AllDifferent) and not constraint.free and len(constraint.variables) in (3, 4):
        domains = [encoding.variables[variable].domain for variable in constraint.variables]
        values = {value for domain in domains for value in domain}
        if len(values) == len(domains) and any(len(domain) < len(values) for domain in domains):
            for pair in combinations(constraint.variables, 2):
                yield AllDifferent(pair, constraint.why)
            return
    yield constraint
