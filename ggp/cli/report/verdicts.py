"""`ggp replay`: what the referee, or a solver's constraints, say of a plan or of what was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ggp.cli.report import Row
from ggp.cli.report.levels import board_json, legend, state_text
from ggp.model import Instance, Plan
from ggp.model.shown import number_of
from ggp.referee.keys import Played
from ggp.referee.trajectory import Verdict

if TYPE_CHECKING:
    from ggp.encoding.debug import Seen


def verdict_text(verdict: Verdict) -> str:
    """The referee's verdict in a line."""
    values = "".join(f", {name} {value}" for name, value in verdict.values.items())
    how = "over" if verdict.utilities else "WIN" if verdict.won else "no win"
    return f"{how}: {verdict.reason}{values}"


def utilities_json(instance: Instance, verdict: Verdict) -> Row:
    """What each of several players gets."""
    return dict(zip(instance.game.players, verdict.utilities, strict=False))


def verdict_json(instance: Instance, verdict: Verdict, faults: list[str] | None) -> Row:
    """What `ggp replay --json` prints; `faults` are the constraints that an encoding says are broken."""
    return {
        "level": instance.name,
        "won": verdict.won,
        "turn": verdict.turn,
        "reason": verdict.reason,
        "values": dict(verdict.values),
        **({"utilities": gets} if (gets := utilities_json(instance, verdict)) else {}),
        **({} if faults is None else {"violations": faults}),
    }


def played_json(began: Instance, played: Played) -> Row:
    """What `ggp replay --inputs --json` prints; `board` is that of `ended`, the level of the last input."""
    return {
        "level": began.name,
        "won": played.won,
        "lost": played.lost,
        "turns": played.turns,
        **({} if played.score is None else {"score": played.score}),
        "reason": played.reason,
        "unused": played.unused,
        "ended": played.instance.name,
        "board": board_json(played.instance, played.state),
    }


def played_text(played: Played, *, colour: bool) -> Iterator[Any]:
    """The verdict on a run of inputs, and what stands at its end."""
    verdict = "win" if played.won else "lost" if played.lost else "no win"
    score = "" if played.score is None else f", score {played.score}"
    yield f"{verdict}: {played.reason}{score}"
    if played.unused:
        yield f"{number_of('input', played.unused)} came after the end"
    yield f"{played.instance.name}, after {number_of('turn', played.turns)}:"
    yield from state_text(played.instance, played.state, colour=colour, numbers=False)
    yield from legend(played.instance, [played.state], colour=colour)


def seen_text(solver: str, noun: str, seen: Seen) -> str:
    """What breaks in what a solver gets."""
    lines = [f"{solver} gets the encoding by way of {', '.join(seen.steps)}"]
    if seen.agrees:
        return "\n".join([*lines, f"{solver} agrees: every {noun} holds"])
    if seen.line is None:
        lines.append(f"{solver} says no before it begins: {seen.ruled_out}")
    else:
        number, of, text, why = seen.line
        lines += [f"{solver} says no: {noun} {number} of {of}: {text}", f"  which says: {why}"]
        lines += [f"  by then it is certain that {seen.ruled_out}"] if seen.ruled_out else []
    wrong = "nothing breaks, so a lowering says too much"
    return "\n".join([*lines, f"  in the encoding as it is written: {seen.source or wrong}"])


def seen_json(solver: str, seen: Seen) -> Row:
    """What `ggp replay --encoding --solver NAME --json` says of the solver."""
    line = None
    if seen.line is not None:
        line = {**seen.line._asdict(), "why": str(seen.line.why)}
    source = None if seen.source is None else str(seen.source)
    return {
        "solver": solver,
        "by": list(seen.steps),
        "agrees": seen.agrees,
        "line": line,
        "ruled out": seen.ruled_out or None,
        "source": source,
    }


def run_text(
    instance: Instance, plan: Plan, verdict: Verdict, *, colour: bool, numbers: bool
) -> Iterator[Any]:
    """What `ggp show --plan` prints: each state that the plan comes to, with its input, and the verdict."""
    for turn, state in enumerate(verdict.states):
        given = f": {plan.actions[turn - 1]}" if 0 < turn <= len(plan.actions) else ""
        yield f"turn {turn}{given}" if turn else f"{instance.name}: the start"
        yield from state_text(instance, state, colour=colour, numbers=numbers)
    yield from legend(instance, verdict.states, colour=colour)
    yield verdict_text(verdict)
