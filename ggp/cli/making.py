"""Commands that make something of a game: export, generate."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.common import FILE, JSON, LEVEL, cli, listed, load_instance, writable
from ggp.cli.console import complain, or_install, progress, say_json
from ggp.errors import PuzzleError

if TYPE_CHECKING:
    from ggp.generate.wish import Difficulty

DIFFICULTIES = ("easy", "medium", "hard")


@cli.command()
@LEVEL
@click.option("--to", "target", required=True, metavar="FORMAT", help="See `ggp list exporters`.")
@click.option("-o", "--output", type=FILE, callback=writable, metavar="OUT", help="Write to a file.")
@click.option("--plan", type=FILE, help="A plan whose design is already placed.")
@click.option("--verify", is_flag=True, help="Play or solve the text in the foreign engine and compare.")
@click.option("--verify-turns", type=click.IntRange(1), metavar="N", help="Also play N random turns.")
@click.option("--allow-loss", is_flag=True, help="Export with losses; each is listed.")
@click.option("--with", "passes", callback=listed, metavar="A,B", help="Passes to switch on: see the docs.")
def export(
    level: str,
    target: str,
    output: Path | None,
    plan: Path | None,
    verify: bool,
    verify_turns: int | None,
    allow_loss: bool,
    passes: tuple[str, ...],
) -> None:
    """Write a level for another game system or solver. What would be lost is an error unless allowed."""
    from ggp.files.writing import write_whole
    from ggp.referee.trajectory import read_plan
    from ggp.tasks.exporting import export as to_format
    from ggp.tasks.exporting import verify as verification

    if passes and (verify or verify_turns is not None):
        raise PuzzleError("what is verified is the faithful export", "leave out --with, or --verify")
    instance = load_instance(level)
    placed = read_plan(plan, instance) if plan is not None else None
    with progress(f"exporting to {target}"):
        exported = to_format(instance, target, placed, allow_loss=allow_loss, passes=passes)
    for loss in exported.losses:
        complain(f"lost: {loss}")
    if output is not None:
        for name, part in exported.files(output.name).items():
            write_whole(output.with_name(name), part.encode())
    else:
        click.echo(exported.text, nl=False)
    if verify or verify_turns is not None:
        passed = or_install(
            lambda: verified(verification(instance, target, exported.text, placed, turns=verify_turns))
        )
        sys.exit(0 if passed else 1)


def verified(checks: Iterator[Any]) -> bool:
    """Print each check to standard error; did all pass, and was there one?"""
    passed = []
    for one in checks:
        passed.append(one.passed)
        word = "agrees" if one.passed else "DIFFERS"
        click.echo(f"{word}: {one.what}{': ' + one.detail if one.detail else ''}", err=True)
    return bool(passed) and all(passed)


@cli.command()
@click.argument("game", metavar="GAME")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same levels.")
@click.option("--size", metavar="RxC", help="Rows and columns (default: as the game's own levels have).")
@click.option(
    "--difficulty", type=click.Choice(DIFFICULTIES), metavar="|".join(DIFFICULTIES), help="Default: any."
)
@click.option(
    "--set", "numbers", metavar="NAME=N", multiple=True, help="A number of the level (several: repeat)."
)
@click.option("--count", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many.")
@click.option("--time-limit", type=click.FloatRange(0), metavar="S", help="In seconds, for all of them.")
@click.option("-o", "--output", type=FILE, callback=writable, metavar="FILE.toml", help="Write the levels.")
@JSON
def generate(
    game: str,
    seed: int,
    size: str | None,
    difficulty: Difficulty | None,
    numbers: tuple[str, ...],
    count: int,
    time_limit: float | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Make new levels of a game, with a measured difficulty.

    Prints a file of levels with their answers, or writes it with -o. The same seed makes the same levels.
    """
    from ggp.files.writing import write_whole
    from ggp.generate import interface
    from ggp.language import levels
    from ggp.language.description.writing import write_levels

    described, kept = levels.load_game(game)
    if output is not None and output.suffix != ".toml":
        raise PuzzleError(f"{output} would not be read as a file of levels", "let its name end in .toml")
    wanted = None if size is None else interface.size_of(size)
    made = []
    with progress(f"making levels of {described.name}") as update:
        for one in interface.generate(
            described,
            kept,
            seed=seed,
            size=wanted,
            difficulty=difficulty,
            numbers=interface.numbers_of(numbers),
            count=count,
            time_limit=time_limit,
            say=update,
        ):
            made.append(one)
    text = write_levels(interface.name_in_file(game, output), described, [one.level for one in made])
    if output is not None:
        write_whole(output, text.encode())
    if as_json:
        say_json([interface.made_json(described, one) for one in made])
    elif output is None:
        click.echo(text, nl=False)
    for one in made:
        click.echo(interface.made_line(described, one), err=True)
