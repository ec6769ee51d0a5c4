"""What the commands share: the group that they hang on, their common options, and looking up a level."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

import ggp
from ggp.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.decorators import FC

    from ggp.model import Instance


def writable(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file to write: whether it can be is looked at before the work is done, not after."""
    if path is not None:
        from ggp.files.writing import refuse_unwritable

        refuse_unwritable(path)
    return path


def writable_or_folder(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file to write, or a folder that is there."""
    return path if path is not None and path.is_dir() else writable(context, parameter, path)


def listed(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in names.split(",")) if names else ()


def question(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    """One of several flags of which a command takes one, as its `want`; None if there is none."""
    before = context.params.setdefault("want", None)
    if given and before is not None:
        message = f"--{before} and --{parameter.name} are two questions"
        raise PuzzleError(message, "ask them one after the other")
    if given:
        context.params["want"] = parameter.name


def settled(context: click.Context, parameter: click.Parameter, values: tuple[Any, ...]) -> Any:
    """The value of an option that says what is asked; None without one. Different ones are no one question.

    Raises PuzzleError. For options with `multiple=True`: of others the last one counts, and no other is seen.
    """
    if len(set(values)) > 1:
        asked = " and ".join(f"--{parameter.name} {value}" for value in dict.fromkeys(values))
        raise PuzzleError(f"{asked} contradict each other", "give one of them")
    return values[0] if values else None


def asks(name: str, **more: Any) -> Callable[[FC], FC]:
    """An option that is part of the question, so that it has one value however often it is given."""
    return click.option(name, multiple=True, callback=settled, **more)


MEGABYTES = click.IntRange(64, 1_000_000_000)  # the largest is a petabyte; no system takes any number


def options_given() -> list[str]:
    """The options that stand on the command line, by their long names."""
    context = click.get_current_context()
    return [
        max(option.opts, key=len)
        for option in context.command.params
        if isinstance(option, click.Option)
        and option.name is not None
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]


class Seconds(click.FloatRange):
    """Some time, at least so much of it. Not a number is none: no clock would ever come to it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value as a number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


class Careful(click.Command):
    """A command that never writes over what it reads, nor two of its outputs over one another."""

    def invoke(self, context: click.Context) -> Any:
        """Refuse an output that is an input or another output, before any work is done."""
        names = {one.name for one in self.params if one.type is OUT}
        outputs = [path for name, path in context.params.items() if name in names and path is not None]
        given = [value for name, value in context.params.items() if name not in names]
        texts = [text for value in given for text in (value if isinstance(value, tuple) else (value,))]
        read = [path for text in texts if isinstance(text, str | Path) for path in paths_in(text)]
        for number, output in enumerate(outputs):
            if any(same_file(output, path) for path in read):
                message = f"cannot write {output}: this command reads it"
                raise PuzzleError(message, "give the output another name")
            plain = output.is_file() or not output.exists()
            if plain and os.path.realpath(output) in map(os.path.realpath, outputs[:number]):
                message = f"cannot write {output} twice"
                raise PuzzleError(message, "give each output a name of its own")
        return super().invoke(context)


def paths_in(text: str | Path) -> set[str]:
    """What in an argument may be the path of a file: `GAME.toml:FILE#LEVEL` holds two."""
    whole = str(text)
    first, _, second = whole.partition(":")
    return {part for one in (whole, first, second) for part in (one, one.partition("#")[0])} - {""}


def same_file(output: Path, path: str) -> bool:
    """Are these one regular file, by whatever names?"""
    try:
        return output.is_file() and os.path.samefile(output, os.path.expanduser(path))
    except (OSError, ValueError):
        return False


LEVEL = click.argument("level", metavar="LEVEL")
FILE = click.Path(path_type=Path)


class Out(click.Path):
    """What is written: a path whose last sign, if it is a slash, says that it is a folder."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """The path; a slash at its end would be lost in it, and a file be written in the folder's place."""
        if str(value).endswith(("/", os.sep)) and not os.path.isdir(value):
            folder = str(value).rstrip(f"/{os.sep}")
            raise PuzzleError(
                f"cannot write {value}: there is no folder {folder}", f"make it: mkdir -p {folder}"
            )
        return super().convert(value, parameter, context)


OUT = Out(path_type=Path)  # of options that name what is written
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
PRESOLVE = click.option(
    "--presolve/--no-presolve",
    default=True,
    help="What propagation settles is left out of encodings; not so with --no-presolve.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(ggp.__version__, prog_name="ggp")
def cli() -> None:
    """Describe a grid puzzle once; play it, export it, solve it with any solver.

    LEVEL is game/level (`ggp list levels` has all), or a file: mine.toml, mine.toml#3, levels.xsb#2,
    or a link that holds a puzzle: 'https://puzz.link/p?sudoku/4/4/g4i1g3k3g1'.
    """


cli.command_class = Careful


def load_instance(level: str) -> Instance:
    """The level of that name."""
    from ggp.language import levels

    return levels.load(level)
