"""Commands that look at a game: list, show, check, play, render."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ggp.cli.common import FILE, JSON, LEVEL, OUT, cli, listed, load_instance, writable
from ggp.cli.console import complain, progress, say, say_json
from ggp.errors import Finding, PuzzleError

LISTS = ("games", "levels", "exporters", "solvers", "learners", "players")


@cli.command("list")
@click.argument("what", type=click.Choice(LISTS), required=False)
@JSON
def list_(what: str | None, as_json: bool) -> None:
    """What is there, and why something is not available."""
    from ggp import registry
    from ggp.cli.report.listing import listing, listing_table

    for sentence in registry.mistakes():
        complain(f"note: {sentence}")
    tables = {name: listing(name) for name in ((what,) if what else LISTS)}
    if as_json:
        say_json(tables[what] if what else tables)
        return
    for name, rows in tables.items():
        say(listing_table(name, rows))


@cli.command()
@LEVEL
@click.option("--plan", type=FILE, help="A plan file: show every state that it comes to.")
@click.option("--numbers", is_flag=True, help="Number the rows and columns.")
@JSON
def show(level: str, plan: Path | None, numbers: bool, as_json: bool) -> None:
    """Show a level, or the run of a plan; in colour on a terminal."""
    from ggp.cli.report.levels import board_json, instance_json, instance_text
    from ggp.cli.report.verdicts import run_text, verdict_json

    instance = load_instance(level)
    if plan is not None:
        from ggp.model.features import require_played_alone
        from ggp.referee.trajectory import read_plan, replay

        require_played_alone(instance, "ggp show --plan")
        read = read_plan(plan, instance)
        verdict = replay(instance, read)
        if as_json:
            boards = [board_json(instance, state) for state in verdict.states]
            say_json(verdict_json(instance, verdict, None) | {"boards": boards})
            return
        for item in run_text(instance, read, verdict, colour=sys.stdout.isatty(), numbers=numbers):
            say(item)
        return
    if as_json:
        say_json(instance_json(instance))
        return
    for item in instance_text(instance, colour=sys.stdout.isatty(), numbers=numbers):
        say(item)


def picture_findings(file: str) -> Sequence[Finding]:
    """What is wrong with how a description's kinds look; nothing where it cannot be read.

    Colours of other systems are theirs to judge.
    """
    from ggp.language import levels
    from ggp.render import looks

    if levels.imported(file):
        return ()
    try:
        return tuple(looks.findings(levels.load_game(file)[0]))
    except PuzzleError:
        return ()


@cli.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@JSON
def check(files: Sequence[str], as_json: bool) -> None:
    """Read and validate files; each finding has its line and column."""
    from ggp.cli.report.levels import finding_json
    from ggp.language import levels
    from ggp.model.shown import number_of

    def looked_at(file: str) -> tuple[Finding, ...]:
        try:
            return (*levels.check(file), *picture_findings(file))
        except PuzzleError as error:
            if len(files) == 1:
                raise
            return error.findings  # one that cannot be looked at does not hide what is wrong with others

    found = {file: looked_at(file) for file in files}
    if as_json:
        say_json([finding_json(finding) for findings in found.values() for finding in findings])
    wrong = {file: sum(one.severity == "error" for one in findings) for file, findings in found.items()}
    for file, findings in found.items() if not as_json else ():
        for finding in findings:
            say(str(finding))
        warnings = len(findings) - wrong[file]
        say(f"{file}: {number_of('error', wrong[file])}, {number_of('warning', warnings)}")
    sys.exit(2 if any(wrong.values()) else 0)


@cli.command()
@LEVEL
@click.option("-o", "--output", type=OUT, callback=writable, help="Where to save the plan.")
@click.option("--record", type=OUT, callback=writable, metavar="FILE", help="Keep the run to learn from.")
@click.option(
    "--against", callback=listed, metavar="A,B", help="Who plays the others: see `ggp list players`."
)
@click.option("--hints", metavar="NAME", help="The player that ? asks, such as policy:FILE; else our search.")
@click.option("--as", "own", metavar="NAME", help="Which of the players you are; the first, if not said.")
@click.option("--playouts", type=click.IntRange(1), default=1000, show_default=True, help="Of opponents.")
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Of opponents, and what chance draws; else any."
)
def play(
    level: str,
    output: Path | None,
    record: Path | None,
    against: Sequence[str],
    own: str | None,
    playouts: int,
    seed: int | None,
    hints: str | None,
) -> None:
    """Play a level in the terminal, with undo, restart and save.

    Where several players take turns you play all of them, or --against others. The key ? says what to do
    next, by our own search or by --hints (such as policy:FILE); > and < go to other levels of the game.
    """
    instance = load_instance(level)
    from random import randrange

    from ggp.cli.play import play_sessions, sitting_opposite
    from ggp.cli.play.shelf import shelf_of

    seed = randrange(2**31) if seed is None else seed
    with sitting_opposite(instance, own, tuple(against), playouts, seed) as opponents:
        sessions = play_sessions(instance, output, opponents, seed, shelf_of(level), hints)
    if record is not None:
        from ggp.learn.record import write_episodes
        from ggp.watch.recording import episodes_of

        write_episodes(record, episodes_of(sessions))


@cli.command()
@LEVEL
@click.option("--plan", type=FILE, help="A plan file to play.")
@click.option(
    "-o", "--output", type=OUT, callback=writable, required=True, metavar="OUT.gif|.mp4|.webm|.png|.svg"
)
@click.option("--size", type=click.IntRange(4, 512), default=32, show_default=True, help="Pixels a cell.")
@click.option("--numbers", is_flag=True, help="Number the rows and columns.")
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="What chance draws, where the plan does not say."
)
def render(level: str, plan: Path | None, output: Path, size: int, numbers: bool, seed: int | None) -> None:
    """Draw a level, or the run of a plan.

    The suffix says what is written: .gif, .mp4 and .webm move, .png and .svg show the last state.
    """
    from ggp.model import Plan
    from ggp.model.features import lucky, require_played_alone
    from ggp.model.shown import number_of
    from ggp.referee.session import opening
    from ggp.referee.trajectory import read_plan, replay
    from ggp.referee.view import seen
    from ggp.render.raster import MOVING
    from ggp.render.raster import render as draw

    instance = load_instance(level)
    moving, design = output.suffix.lower() in MOVING, instance.game.design
    by_luck = lucky(instance)
    if plan is not None or (moving and not (design is not None and design.fill)):
        require_played_alone(instance, "ggp render of a run")
        read = read_plan(plan, instance) if plan is not None else Plan()
        # What a plan does not say of chance, a seed says; so pictures of one level are alike.
        verdict = replay(instance, read, 0 if by_luck and seed is None and not read.chance else seed)
        states = tuple(seen(instance, state) for state in verdict.states)
        won, reason = verdict.won if plan is not None else None, verdict.reason
    else:
        states, won, reason = (opening(instance, seed or 0),), None, ""
    with progress(f"drawing {len(states)} frames"):
        draw(instance, states, output, size=size, won=won, numbers=numbers)
    say(f"{output}: {number_of('frame', len(states) if moving else 1)}")
    if won is False:
        complain(f"note: this plan does not win: {reason}")
