"""Commands that judge and explain: replay, hint."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ggp.cli.common import FILE, JSON, LEVEL, OUT, cli, load_instance, writable
from ggp.cli.console import progress, say, say_json
from ggp.errors import DescriptionError, PuzzleError, UnsupportedFeature

if TYPE_CHECKING:
    from ggp.model import Instance, Plan
    from ggp.referee.session import Session
    from ggp.referee.trajectory import Verdict


@cli.command()
@LEVEL
@click.argument("plan", type=FILE, metavar="[PLAN]", required=False)
@click.option("--inputs", metavar="WORDS", help="Play these instead: up, action, tick, undo, restart, ...")
@click.option("--seed", metavar="TEXT", help="What chance begins with.")
@click.option("--encoding", is_flag=True, help="Hold the plan against each constraint, too.")
@click.option("--solver", metavar="NAME", help="With --encoding: as this solver gets it.")
@click.option("--record", type=OUT, callback=writable, metavar="FILE", help="Keep the run to learn from.")
@JSON
def replay(
    level: str,
    plan: Path | None,
    inputs: str | None,
    seed: str | None,
    encoding: bool,
    solver: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """The referee's verdict on a plan; exit status 0 only for a win.

    Where several players take turns it is a win when one of them has won.

    With --inputs what a player does is played, bumping into walls, undo and restart included; where the level
    is won and inputs are left, a game of several levels goes on with the next one. --record keeps a run for
    each level, without what was taken back.

    With --encoding also each constraint that the plan breaks; with --solver the first line that breaks in
    what that solver gets, and where it comes from.
    """
    if (plan is None) == (inputs is None):
        raise PuzzleError("`ggp replay` takes a plan file or --inputs", "give one of them")
    if inputs is not None:
        if encoding or solver is not None:
            raise PuzzleError("--inputs goes without a plan's options", "solve the level for a plan")
        sys.exit(0 if show_inputs(level, inputs, seed, record, as_json) else 1)
    assert plan is not None
    instance = load_instance(level)
    read, verdict = judged(instance, plan, seed)
    if record is not None:
        keep_run(record, instance, read, verdict)
    if solver is not None and not encoding:
        raise PuzzleError("--solver says in whose words --encoding speaks", "add --encoding")
    if solver is not None:
        show_seen(instance, read, verdict, solver, as_json)
    else:
        show_verdict(instance, read, verdict, encoding, as_json)
    sys.exit(0 if verdict.won else 1)


def judged(instance: Instance, plan: Path, seed: str | None) -> tuple[Plan, Verdict]:
    """The plan in a file, and the referee's verdict on it."""
    from ggp.model.features import require_played_alone
    from ggp.referee.trajectory import read_plan
    from ggp.referee.trajectory import replay as judge

    require_played_alone(instance, "ggp replay")
    read = read_plan(plan, instance)
    return read, judge(instance, read, seed)


def keep_run(file: Path, instance: Instance, plan: Plan, verdict: Verdict) -> None:
    """Write a run to learn from, with the boards inside its turns."""
    from ggp.learn.record import write_episodes
    from ggp.watch.recording import episode_of

    frames = [[one.after for one in passes] for passes in verdict.records]
    write_episodes(file, [episode_of(instance, verdict.states, plan.actions, frames)])


def keep_sessions(file: Path, sessions: Sequence[Session]) -> None:
    """Write what was played to learn from, a run for each level."""
    from ggp.learn.record import write_episodes
    from ggp.watch.recording import episodes_of

    write_episodes(file, episodes_of(sessions))


def show_verdict(instance: Instance, plan: Plan, verdict: Verdict, encoding: bool, as_json: bool) -> None:
    """Say what the referee says, and with `encoding` which constraints the plan breaks."""
    from ggp.cli.report.verdicts import verdict_json, verdict_text

    faults: list[str] | None = None
    if encoding:
        from ggp.encoding.debug import violations

        faults = [str(violation) for violation in violations(instance, plan)]
    if as_json:
        say_json(verdict_json(instance, verdict, faults))
        return
    say(verdict_text(verdict))
    for fault in faults or ():
        say(f"the encoding says no: {fault}")
    if faults == []:
        say("the encoding agrees: every constraint holds")


def show_inputs(level: str, inputs: str, seed: str | None, record: Path | None, as_json: bool) -> bool:
    """Play inputs, keep the runs where that is asked for, and say what came of it; is the level won?"""
    from ggp.cli.report.verdicts import played_json, played_text
    from ggp.language.levels import rest_of
    from ggp.model.features import require_played_alone
    from ggp.referee.keys import play, with_seed

    instances = rest_of(level)
    require_played_alone(instances[0], "ggp replay")
    if seed is not None:
        instances = tuple(with_seed(one, seed) for one in instances)
    played = play(instances, inputs.split(), seed or "0")
    if record is not None:
        keep_sessions(record, played.sessions)
    if as_json:
        say_json(played_json(instances[0], played))
    else:
        for item in played_text(played, colour=sys.stdout.isatty()):
            say(item)
    return played.won


def show_seen(instance: Instance, plan: Plan, verdict: Verdict, solver: str, as_json: bool) -> None:
    """The verdict, and what breaks in what a solver gets."""
    from ggp.cli.report.verdicts import seen_json, seen_text, verdict_json, verdict_text
    from ggp.encoding.debug import seen_by
    from ggp.tasks.oracle import backend_of

    backend = backend_of(solver)
    seen = seen_by(instance, plan, backend)
    if as_json:
        say_json({**verdict_json(instance, verdict, None), "seen": seen_json(solver, seen)})
    else:
        say(verdict_text(verdict))
        say(seen_text(solver, backend.noun, seen))


@cli.command()
@LEVEL
@click.argument("state", type=FILE, metavar="[STATE]", required=False)
@JSON
def hint(level: str, state: Path | None, as_json: bool) -> None:
    """The next cell that is forced and why, or a mistake.

    For puzzles in which something is placed and nothing moves.

    STATE is the board so far: a plan file, or the map with what was placed drawn into it.

    Cells are told as (row, column), counted from 0 at the top left, as everywhere.
    """
    from ggp.explain import text
    from ggp.explain.board_files import read_placed
    from ggp.explain.hints import hint as think

    instance = load_instance(level)
    placed = read_placed(state, instance) if state is not None else {}
    try:
        with progress("thinking"):
            found = think(instance, placed)
    except UnsupportedFeature as error:  # no other backend would do: it is the wrong level to ask about
        raise DescriptionError.of(error.findings) from error
    if as_json:
        say_json(text.hint_json(instance, found))
    else:
        for item in text.hint_text(instance, placed, found, colour=sys.stdout.isatty()):
            say(item)
