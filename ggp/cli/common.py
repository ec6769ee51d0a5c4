"""What the commands share: the group that they hang on, their common options, and looking up a level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import ggp
from ggp.errors import PuzzleError

if TYPE_CHECKING:
    from ggp.model import Instance


def writable(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file to write: its folder is looked for before the work is done, not after."""
    if path is not None and not path.parent.is_dir():
        folder = path.parent
        raise PuzzleError(f"cannot write {path}: there is no folder {folder}", f"make it: mkdir -p {folder}")
    return path


def listed(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in names.split(",")) if names else ()


LEVEL = click.argument("level", metavar="LEVEL")
FILE = click.Path(path_type=Path)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(ggp.__version__, prog_name="ggp")
def cli() -> None:
    """Describe a grid puzzle once; play it, export it, solve it with any solver.

    LEVEL is game/level (`ggp list levels` has all), or a file: mine.toml, mine.toml#3, levels.xsb#2,
    or a link that holds a puzzle: 'https://puzz.link/p?sudoku/4/4/g4i1g3k3g1'.
    """


def load_instance(level: str) -> Instance:
    """The level of that name."""
    from ggp import levels

    return levels.load(level)
