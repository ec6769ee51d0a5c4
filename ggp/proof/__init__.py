"""A second look at what an answer claims beyond its plans, by means that share nothing with its solver.

Two ways, tried one after the other: the referee alone, trying everything (`rederivation`), and clauses whose
refutation by a SAT solver is checked step by step (`refutation`, `checker`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from ggp.encoding.sizes import TooLarge
from ggp.model import Instance
from ggp.model.result import Clock, OutOfTime, Query, Result
from ggp.proof import rederivation, refutation
from ggp.proof.claims import Claim, Evidence, claim_of
from ggp.tasks.vouching import WRONG

FIRST = 0.5  # seconds for which the referee tries alone, before clauses are written
__all__ = ["Claim", "Evidence", "checked", "claim_of", "evidence"]


def checked(instance: Instance, query: Query, result: Result) -> Result:
    """The result with who vouches for what it claims; as it is where it claims nothing.

    The checking goes on until the limit of the query's clock. Raises SolverError where the two ways, or the
    clauses and the referee, contradict each other: that is a fault of ours.
    """
    claim = claim_of(instance, query, result)
    if claim is None:
        return result
    found = evidence(claim, query.clock)
    notes = "\n".join(part for part in (result.note, told(found)) if part)
    if found.verdict is None:
        return replace(result, proof=result.proof or "claimed", note=notes)
    return replace(result, proof=found.verdict, vouched=(found.who,), note=notes)


def told(found: Evidence) -> str:
    """What the note says."""
    if found.verdict == "wrong":
        return WRONG + found.note
    return "" if found.verdict else f"not checked: {found.note}"


def evidence(claim: Claim, clock: Clock) -> Evidence:
    """What a look at the claim comes to, by whichever way gets to an end before the limit."""
    walking = Walking(claim) if rederivation.apt(claim) else None
    notes: list[str] = []
    ways: list[Callable[[], Evidence | None]] = []
    if walking is not None:
        ways.append(lambda: walking.until(clock, FIRST))
    if refutation.apt(claim):
        ways.append(lambda: refutation.refute(claim, clock))
    if walking is not None:
        ways.append(lambda: walking.until(clock, None))
    for way in ways:
        try:
            found = way()
        except OutOfTime:
            notes.append("time was up before the check came to an end")
            break
        except MemoryError:
            notes.append("a proof is too long to be read")
            continue
        except TooLarge:
            notes.append("it is too large for clauses")
            continue
        if found is not None and found.verdict is not None:
            return found
        if found is not None and found.note not in notes:
            notes.append(found.note)
    return Evidence(None, note="; ".join(notes) or "it is too large for clauses, and to try everything")


@dataclass
class Walking:
    """The referee's way, a bit at a time."""

    claim: Claim

    def __post_init__(self) -> None:
        self.going: Generator[int, None, Evidence] = rederivation.derive(self.claim)
        self.ended: Evidence | None = None

    def until(self, clock: Clock, seconds: float | None) -> Evidence | None:
        """Go on for so many seconds (None: to the end); None where there is no end yet. Raises OutOfTime."""
        begun = clock.seconds
        while self.ended is None:
            clock.check()
            if seconds is not None and clock.seconds - begun > seconds:
                return None
            try:
                next(self.going)
            except StopIteration as end:
                self.ended = end.value
            except rederivation.TooMany:
                self.ended = Evidence(None, note="there are too many states to try")
        return self.ended
