"""Commands that make something of a game: export, generate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.common import (
    FILE,
    JSON,
    LEVEL,
    OUT,
    Seconds,
    asks,
    cli,
    listed,
    load_instance,
    writable,
    writable_or_folder,
)
from ggp.cli.console import complain, or_install, progress, say_json
from ggp.errors import PuzzleError, UnknownName, shown

if TYPE_CHECKING:
    from ggp.errors import Finding
    from ggp.generate.wish import Difficulty
    from ggp.model import Instance, Plan
    from ggp.tasks.exporting import Exported

DIFFICULTIES = ("easy", "medium", "hard")
PATIENCE = 60.0  # seconds that a level may take to make, where no limit is given


STYLES = ("editable", "exact")


@cli.command()
@LEVEL
@click.option("--to", "target", required=True, metavar="FORMAT", help="See `ggp list exporters`.")
@click.option(
    "--style", type=click.Choice(STYLES), metavar="|".join(STYLES), help="Of puzzlescript: see the docs."
)
@click.option(
    "-o",
    "--output",
    type=OUT,
    callback=writable_or_folder,
    metavar="OUT",
    help="Write to a file, or to files in a folder.",
)
@click.option("--plan", type=FILE, help="A plan whose design is already placed.")
@asks("--horizon", type=click.IntRange(0), metavar="N", help="Another number of turns than the level's.")
@click.option("--verify", is_flag=True, help="Play or solve the text in the foreign engine and compare.")
@click.option("--verify-turns", type=click.IntRange(1), metavar="N", help="Also play N random turns.")
@click.option("--allow-loss", is_flag=True, help="Export with losses; each is listed.")
@click.option("--with", "passes", callback=listed, metavar="A,B", help="Passes to switch on: see the docs.")
def export(
    level: str,
    target: str,
    style: str | None,
    output: Path | None,
    plan: Path | None,
    horizon: int | None,
    verify: bool,
    verify_turns: int | None,
    allow_loss: bool,
    passes: tuple[str, ...],
) -> None:
    """Write a level for another game system or solver. What would be lost is an error unless allowed.

    Of a file of levels all are written: in one text where the format has such, or, with a folder for OUT,
    each to a file.
    """
    from ggp.model.options import added
    from ggp.tasks.exporting import collects, export_together, verify_together
    from ggp.tasks.exporting import export as to_format
    from ggp.tasks.exporting import verify as verification
    from ggp.tasks.questions import with_horizon

    if passes and (verify or verify_turns is not None):
        raise PuzzleError("what is verified is the faithful export", "leave out --with, or --verify")
    target = added(target, {"style": style})
    verify = verify or verify_turns is not None
    many = several(level) if plan is None and not passes else ()
    instances = [with_horizon(one, horizon) for one in many]
    if len(instances) > 1 and output is not None and output.is_dir():
        sys.exit(0 if each_to_a_file(instances, target, output, allow_loss, verify, verify_turns) else 1)
    if len(instances) > 1 and collects(target):
        with progress(f"exporting {len(instances)} levels to {target}"):
            exported = export_together(instances, target, allow_loss=allow_loss)
        written_out(exported, output)
        checks = partial(verify_together, instances, target, exported.text, turns=verify_turns)
        sys.exit(0 if not verify or holds(checks) else 1)
    instance = with_horizon(one_of(level, instances, target, output), horizon)
    placed = read_plan_file(plan, instance)
    with progress(f"exporting to {target}"):
        exported = to_format(instance, target, placed, allow_loss=allow_loss, passes=passes)
    if len(instances) > 1:
        complain(
            f"{level} has {len(instances)} levels, and a text of {target} holds one: this is "
            f"{instance.level.name} ({level}#2 is the next; -o FOLDER writes a file for each)"
        )
    written_out(exported, output)
    checks = partial(verification, instance, target, exported.text, placed, turns=verify_turns)
    sys.exit(0 if not verify or holds(checks) else 1)


def several(name: str) -> Sequence[Instance]:
    """The levels of a file or game; one where the name picks one."""
    from ggp.language.levels import every

    return every(name)


def one_of(level: str, instances: Sequence[Instance], target: str, output: Path | None) -> Instance:
    """The level of a text that holds one: what is named, or the first of a file. Raises for a whole game."""
    try:
        return load_instance(level)
    except UnknownName:
        if len(instances) < 2:
            raise
        folder = "FOLDER" if output is None else output
        raise UnknownName(
            f"{level} has {len(instances)} levels, and a text of {target} holds one",
            f"write {level}/{instances[0].level.name}; or `mkdir -p {folder}`, and -o {folder} gets each",
        ) from None


def read_plan_file(path: Path | None, instance: Instance) -> Plan | None:
    """The plan in a file, if one is given."""
    from ggp.referee.trajectory import read_plan

    return read_plan(path, instance) if path is not None else None


def written_out(exported: Exported, output: Path | None) -> None:
    """Write a text, and say what it leaves out."""
    from ggp.files.writing import write_whole

    for loss in exported.losses:
        complain(f"lost: {loss}")
    told_of(exported.told)
    if output is not None:
        if output.is_dir():
            raise PuzzleError(f"cannot write {output}: it is a folder", "give the name of a file in it")
        for name, part in exported.files(output.name).items():
            write_whole(output.with_name(name), part.encode())
    else:
        click.echo(exported.text, nl=False)


def told_of(told: Sequence[Finding]) -> None:
    """Say what a text leaves out that belongs to solving; of many levels the first, and how many more."""
    alike: dict[str, list[Finding]] = {}
    for one in told:
        alike.setdefault(one.remedy, []).append(one)
    for remedy, some in alike.items():
        complain(f"left out: {some[0].message} ({remedy})")
        if len(some) > 1:
            complain(f"left out: the same of {len(some) - 1} more")


def each_to_a_file(
    instances: Sequence[Instance],
    target: str,
    folder: Path,
    allow_loss: bool,
    verify: bool,
    turns: int | None,
) -> bool:
    """Write each level to files of its own, all or none; did the verification pass, if it was asked for?"""
    from ggp.files.writing import write_all
    from ggp.tasks.exporting import export as to_format
    from ggp.tasks.exporting import verify as verification

    texts, passed = dict[Path, bytes](), True
    with progress(f"exporting to {target}") as update:
        made = []
        for number, one in enumerate(instances, start=1):
            update(f"exporting to {target}: {number} of {len(instances)}")
            made.append(to_format(one, target, allow_loss=allow_loss))
    width = len(str(len(instances)))
    for number, (one, exported) in enumerate(zip(instances, made, strict=True), start=1):
        for loss in exported.losses:
            complain(f"lost: {loss}")
        named = exported.files(f"{number:0{width}}{exported.suffix}")
        texts |= {folder / name: part.encode() for name, part in named.items()}
        checks = partial(verification, one, target, exported.text, turns=turns)
        passed = (not verify or holds(checks)) and passed
    told_of([finding for exported in made for finding in exported.told])
    write_all(texts)
    complain(f"{len(texts)} files in {folder}")
    return passed


def holds(checks: Callable[[], Iterator[Any]]) -> bool:
    """Does a verification pass? An engine that is not there can be installed first."""
    return or_install(lambda: verified(checks()))


def verified(checks: Iterator[Any]) -> bool:
    """Print each check to standard error; did all pass, and was there one?"""
    passed = []
    for one in checks:
        passed.append(one.passed)
        word = "agrees" if one.passed else "not known" if one.open else "DIFFERS"
        click.echo(shown(f"{word}: {one.what}{': ' + one.detail if one.detail else ''}"), err=True)
    return bool(passed) and all(passed)


@cli.command()
@click.argument("game", metavar="GAME")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same levels.")
@click.option("--size", metavar="RxC", help="Rows and columns (default: as the game's own levels have).")
@click.option(
    "--difficulty",
    type=click.Choice(DIFFICULTIES),
    metavar="|".join(DIFFICULTIES),
    help="Default: any; of games that move the hardest of several.",
)
@click.option(
    "--set", "numbers", metavar="NAME=N", multiple=True, help="A number of the level (several: repeat)."
)
@click.option("--count", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many.")
@click.option(
    "--time-limit", type=Seconds(0), metavar="S", help="In seconds, for all of them (default: 60 a level)."
)
@click.option("-o", "--output", type=OUT, callback=writable, metavar="FILE.toml", help="Write the levels.")
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
            time_limit=PATIENCE * count if time_limit is None else time_limit,
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
        click.echo(shown(interface.made_line(described, one)), err=True)
