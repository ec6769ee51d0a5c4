"""How the command line prints: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from ggp.errors import NotInstalled, in_line, shown

Answer = TypeVar("Answer")
SAID: list[bool] = []  # not empty once a command has printed JSON


def say(item: Any = "") -> None:
    """Print to standard output: in colour on a terminal, plain elsewhere, never cut to a width.

    Titles come from files of others, and a terminal obeys control characters: they are shown as numbers.
    """
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    item = shown(item) if isinstance(item, str) else Tame(item)
    Console(width=width, soft_wrap=True, highlight=False, emoji=False, markup=False).print(item)


@dataclass(frozen=True)
class Tame:
    """A table or another thing that rich lays out, printed as `say` prints a text."""

    item: Any

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        for segment in console.render(self.item, options):
            yield segment if segment.control else segment._replace(text=shown(segment.text))


def say_json(value: Any) -> None:
    """Print one JSON value."""
    click.echo(json.dumps(value, indent=1 if sys.stdout.isatty() else None))
    SAID.append(True)


def said_json() -> bool:
    """Has this command printed JSON?"""
    return bool(SAID)


def complain(message: str) -> None:
    """Print to standard error; where that takes nothing more, the exit status still tells."""
    colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    with suppress(OSError):
        click.secho(shown(message), fg="red" if colour else None, err=True)


@contextmanager
def progress(text: str) -> Iterator[Callable[[str], None]]:
    """A line on a terminal that says what is going on; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda message: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text)
        yield lambda message: bar.update(task, description=in_line(message))


def or_install(run: Callable[[], Answer]) -> Answer:
    """What `run` gives. If it lacks something that we can install, a person at a terminal is asked."""
    try:
        return run()
    except NotInstalled as missing:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        complain(str(missing))
        if not click.confirm("Install it now?", err=True):
            raise
        with progress("installing"):
            missing.install()
        return run()


def prepare_streams() -> None:
    """Never fail over the streams themselves: where one is closed, or cannot write every character."""
    SAID.clear()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - open for as long as we run
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
