"""What was learned from play alone, for people and for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.console import say, say_json
from ggp.harness.from_play import FromPlay, commented

if TYPE_CHECKING:
    from ggp.learn.whole import Learned


def say_learned(found: FromPlay, output: Path | None, as_json: bool) -> None:
    """Say what was learned, and what it rests on; with `output` the description is written there."""
    from ggp.model.shown import number_of
    from ggp.watch.verdict import percent

    learned = found.learned
    if output is not None:
        from ggp.files.writing import write_whole

        write_whole(output, found.text.encode())
    if as_json:
        say_json(learned_json(found))
        return
    click.echo(found.text if output is None else commented("", found.evidence), nl=False)
    in_part = "; rules in part" if learned.unexplained else ""
    about_goal = f"; the goal is {learned.doubt.partition(':')[0]}" if learned.doubt else ""
    left_out = f"; left out: {percent(found.share_left_out)} of the turns" if found.left_out else ""
    numbers = {"run": found.runs, "turn": learned.turns}
    if learned.theory is None:
        numbers["example"] = learned.program.examples
    counted = ", ".join(number_of(what, number) for what, number in numbers.items())
    unread = "; what is written is not read again" if found.unread else ""
    say(f"# {counted}{unread}{in_part}{left_out}{about_goal}")


def learned_json(found: FromPlay) -> dict[str, Any]:
    """All of it, for programs."""
    from ggp.harness.learning import rules_in_words

    learned, trial = found.learned, found.trial
    return {
        "game": found.game.name,
        "runs": found.runs,
        "turns": learned.turns,
        "rules": rules_in_words(found.game).splitlines(),
        "theory": str(learned.theory) if learned.theory is not None else None,
        "unexplained": learned.unexplained or None,
        "unread": found.unread or None,
        "left_out": found.left_out or None,
        "share_left_out": found.share_left_out,
        "holds": found.holds,
        "verdict": found.verdict,
        "goal": goal_json(learned),
        "evidence": list(learned.evidence),
        "trial": trial.data if trial is not None else None,
        "description": found.text,
    }


def goal_json(learned: Learned) -> dict[str, Any]:
    """What was found out about the goal: its claims (null: none), what agrees too, why it is in doubt."""
    goal = learned.goal
    return {
        "claims": None if goal is None else [claim.text for claim in goal.claims],
        "others": [] if goal is None else list(goal.others),
        "boards_won": 0 if goal is None else goal.wins,
        "doubt": learned.doubt or None,
    }
