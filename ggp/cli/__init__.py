"""The command line. It prints (through `ggp.cli.console`) and chooses the exit status; nothing else does.

Results go to standard output, progress and errors to standard error. Exit status 0: the question was
answered; 1: it was not; 2: bad input. Heavy modules are imported by the commands that need them.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from ggp.cli import (  # noqa: F401 - importing them makes the commands
    bounding,
    campaigns,
    judging,
    learning,
    looking,
    making,
    measuring,
    playing,
    solving,
    studying,
)
from ggp.cli.common import cli
from ggp.cli.console import complain, prepare_streams, said_json, say_json
from ggp.cli.interrupting import interruptible
from ggp.cli.looking import LISTS
from ggp.errors import Finding, NotAvailable, NotLearned, PuzzleError, SolverError, UnsupportedFeature

__all__ = ["LISTS", "cli", "main"]

# An encoding is a million small things that stay: looking through all of them for circles after every 700 new
# ones takes up to half of the time of writing it.
NEW_THINGS = 50_000
NO_MEMORY = "there is no more memory to be had"


def main(arguments: list[str] | None = None) -> None:
    """Run a command; turn errors into sentences and exit statuses."""
    prepare_streams()
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(NEW_THINGS, 20, 20)
    try:
        obey(arguments, as_json)
    except BrokenPipeError:
        # The reader of our output has gone: say nothing more, not even at exit.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # nothing but the output is written outside ggp.files: a full disk
        complain(f"error: cannot write what was asked for: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries again at exit, and complains
        sys.exit(1)
    finally:
        gc.freeze()  # at exit, leave what was built to the system: taking it apart can take seconds


def obey(arguments: list[str] | None, as_json: bool) -> None:
    """Run a command. Where it fails the error is told, which may fail as well: OSError."""
    try:
        with interruptible():
            cli.main(arguments, prog_name="ggp", standalone_mode=False)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        told((Finding(error.format_message()),), as_json, error.exit_code)
    except (UnsupportedFeature, NotAvailable, NotLearned, SolverError) as error:
        complain(str(error))
        told(error.findings, as_json, 1)
    except PuzzleError as error:
        complain(str(error))
        told(error.findings, as_json, 2)
    except MemoryError:
        sys.stderr.write(f"error: {NO_MEMORY}\n")  # what writes in colour may not be loaded any more
        with suppress(MemoryError):
            told((Finding(NO_MEMORY),), as_json, 1)
        sys.exit(1)


def told(findings: Sequence[Finding], as_json: bool, status: int) -> NoReturn:
    """End after an error. Who asked for JSON is given that in the place of an answer, not behind one."""
    if as_json and not said_json():
        from ggp.cli.report.levels import failure_json

        say_json(failure_json(findings))
    sys.exit(status)
