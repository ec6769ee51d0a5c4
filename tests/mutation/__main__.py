"""Breaks the core one line at a time and looks whether the nearest tests notice.

    python -m tests.mutation run          draw, run what has not been run yet, and note each verdict
    python -m tests.mutation run --again open    survivors that nothing explains, and nothing else
    python -m tests.mutation table        write docs/mutants.md from what was noted
    python -m tests.mutation time         how long the nearest tests take when nothing is broken

`nearest.toml` says which tests are nearest to which files, `by_hand.toml` holds mutants that people wrote,
`explained.toml` says of a survivor why no test can or need notice it. Verdicts are in `verdicts.csv`.
"""

from __future__ import annotations

import tempfile
import time
import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from tests.mutation import notes, running
from tests.mutation.breaking import Mutant, draw

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SEED = 10


class Area(NamedTuple):
    """Core files, and the tests that are nearest to them."""

    name: str
    mutants: int
    files: list[str]
    tests: list[str]


def areas() -> list[Area]:
    """Those of `nearest.toml`, with the names of the files that there are."""
    told = tomllib.loads((HERE / "nearest.toml").read_text(encoding="utf-8"))["area"]
    found = []
    for one in told:
        files = [str(file.relative_to(ROOT)) for glob in one["files"] for file in sorted(ROOT.glob(glob))]
        kept = [name for name in files if len((ROOT / name).read_text(encoding="utf-8").splitlines()) > 5]
        found.append(Area(one["name"], one["mutants"], kept, one["tests"]))
    return found


def all_mutants(book: notes.Book) -> list[Mutant]:
    """Those written by hand, those drawn before, and as many more as the areas ask for."""
    known = book.drawn()
    drawn = [one for area in areas() for one in draw(ROOT, area.files, area.mutants, Random(SEED), known)]
    return [*notes.by_hand(HERE / "by_hand.toml", ROOT), *drawn]


@click.group()
def main() -> None:
    """Breaks the core one line at a time and looks whether the nearest tests notice."""


@main.command("run")
@click.option("--again", type=click.Choice(["survivors", "open", "by-hand"]), help="run these once more")
@click.option("--area", "names", multiple=True, help="only these areas, in this order")
@click.option("--stop-at", default="", help="HH:MM, this machine's clock")
def run_all(again: str | None, names: tuple[str, ...], stop_at: str) -> None:
    """Run the nearest tests on each mutant that has no verdict yet."""
    by_name = {area.name: area for area in areas()}
    chosen = [by_name[name] for name in names or by_name]
    tests = {name: area.tests for area in chosen for name in area.files}
    book, order = notes.Book(HERE / "verdicts.csv", ROOT), list(tests)
    todo = [one for one in all_mutants(book) if one.file in tests and book.asks_for(one, again)]
    todo.sort(key=lambda one: order.index(one.file))
    running.load_libraries()
    with tempfile.TemporaryDirectory() as folder:
        tree = running.Tree(ROOT, Path(folder))
        limits: dict[str, float] = {}
        for number, one in enumerate(todo, start=1):
            if stop_at and time.strftime("%H:%M") >= stop_at:
                break
            first = tests[one.file][0]
            if first not in limits:
                click.echo(f"the tests nearest to {one.file}, with nothing broken")
                with tree.whole() as caches:
                    whole = running.run(tree, caches, tests[one.file], 600)
                if whole.verdict != "survived":
                    raise click.ClickException(f"{whole.by} fails without any mutant")
                limits[first] = 10 + 2 * whole.seconds
            with tree.broken(one) as caches:
                more = 240 if caches.name == "mutant" else 0  # the compiler's
                outcome = running.run(tree, caches, tests[one.file], limits[first] + more)
            book.note(one, outcome)
            where = f"{outcome.seconds:.0f} s {one.file}:{one.line}"
            click.echo(f"{number}/{len(todo)} {outcome.verdict} {where} {one.sort} {outcome.by}")


@main.command("time")
def time_all() -> None:
    """Run the nearest tests of each area on the tree as it is: seconds of work."""
    running.load_libraries()
    with tempfile.TemporaryDirectory() as folder:
        tree = running.Tree(ROOT, Path(folder))
        for area in areas():
            with tree.whole() as caches:
                outcome = running.run(tree, caches, area.tests, 600)
            click.echo(f"{outcome.seconds:.0f} s {area.name}: {outcome.by or 'all pass'}")


@main.command("table")
def write_table() -> None:
    """Write docs/mutants.md."""
    (ROOT / "docs" / "mutants.md").write_text(page(), encoding="utf-8")


def page() -> str:
    """What docs/mutants.md must hold."""
    found = [(area.name, area.files) for area in areas()]
    rows = list(notes.Book(HERE / "verdicts.csv", ROOT).rows.values())
    return notes.table(found, rows, HERE / "explained.toml", HERE / "by_hand.toml")


if __name__ == "__main__":
    main()
