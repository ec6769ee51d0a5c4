"""`ggp learn`: the rules, and how they compare with those of the description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ggp.cli.report import Row
from ggp.cli.report.levels import legend
from ggp.model.shown import number_of

if TYPE_CHECKING:
    from ggp.harness.learning import LearnedGame


def learned_json(game: str, learned: LearnedGame) -> Row:
    """What `ggp learn --json` prints."""
    from ggp.harness.work import counterexample

    shown = learned.certificate.counterexample
    return {
        "game": game,
        "learner": learned.learner,
        "rollouts": learned.rollouts,
        "asked": learned.asked,
        "taught": learned.taught,
        "unsaid": learned.unsaid,
        "examples": learned.examples,
        "seconds": round(learned.seconds, 3),
        "rules": learned.rules_text.splitlines(),
        "certificate": learned.certificate.text,
        "scope": learned.certificate.scope,
        "counterexample": None if shown is None else counterexample(shown),
    }


def learned_text(learned: LearnedGame) -> Iterator[str]:
    """What `ggp learn` prints: the rules, what they rest on, and the certificate as the last line."""
    yield learned.rules_text.rstrip()
    asked = f" and {number_of('turn', learned.asked)} that question the rules" if learned.asked else ""
    taught = f", {number_of('turn', learned.taught)} that the certificate found" if learned.taught else ""
    of = f"{learned.rollouts} roll-outs{asked}{taught}"
    yield f"{of}, {learned.examples} examples, {learned.seconds:.1f} s"
    if learned.unsaid:
        yield f"no rules were found for {number_of('turn', learned.unsaid)} of these"
    shown = learned.certificate.counterexample
    if shown is not None:
        from ggp.render.terminal import plain

        yield "on this level:"
        yield plain(shown.instance, shown.before)
        yield f"input: {shown.action}" if shown.action is not None else "without an input"
        for who, state in (("described", shown.described), ("learned", shown.learned)):
            yield f"{who}:"
            yield plain(shown.instance, state) if state is not None else "breaks off: two rules collide"
        seen = (shown.before, shown.described, shown.learned)
        yield from legend(shown.instance, [state for state in seen if state is not None])
    yield learned.certificate.scope
    yield f"certificate: {learned.certificate.text}"
