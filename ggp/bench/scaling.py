"""What an encoding is worth: the same level, the same solver, each encoding that applies.

A row for each level, encoding and solver: how many variables and constraints the solver gets, and the seconds
of processor time from the level in memory to the answer, those of its processes included. The levels are
boards of 30x30 on which a piece walks for up to 100 turns and no brick can be spared, and one of Sokoban, as
few turns as can be. A row agrees if it proves the value that our own search proves. Boards that are made from
seeds follow, the median of several for each solver (`ggp.bench.hard_walks`).

Then the levels of a game that pushes, as few turns as can be, beside clauses as one writes them by hand
(`ggp.bench.baselines.layered`): the ratio says how many times faster ours are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

from ggp import registry
from ggp.bench import Record, Say, case, hard_walks, processor_time
from ggp.bench.baselines import layered
from ggp.bench.baselines.push import Answer, Roles
from ggp.errors import UnsupportedFeature
from ggp.language import levels
from ggp.model import Instance
from ggp.tasks.oracle import has_backend
from ggp.tasks.solving import Run

NAME = "scaling"
REFERENCE = "search"


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """The rows; `folder` is a file of levels to run on instead. Raises PuzzleError."""
    data = case(NAME)
    limit, chosen = time_limit or data["limit"], solvers or tuple(data["solvers"])
    found = [
        row
        for number, one in enumerate(instances(folder, data["pushing"]))
        for row in rows(one, chosen, () if number == 0 else tuple(data["slow"]), limit, repeats, say)
    ]
    if folder is None:
        found += hard_walks.rows(NAME, data["walks"], solvers, limit, say)
        game = data["by-hand"]
        roles = Roles.of(case("moving")["games"][game])
        for level in levels.levels(game):
            found += beside(levels.load(level), roles, tuple(data["by-hand-solvers"]), limit, repeats, say)
    return found


def beside(
    one: Instance, roles: Roles, solvers: tuple[str, ...], limit: float, repeats: int, say: Say
) -> Iterator[Record]:
    """A level by turns: clauses that were written by hand, and ours."""
    say(f"{one.name}, by hand")
    least: tuple[float, Answer] | None = None
    for _ in range(repeats):
        before = processor_time()
        answer = layered.fewest_turns(one, roles, limit)
        spent = processor_time() - before
        if least is None or spent < least[0]:
            least = spent, answer
        if spent > limit / 2:
            break
    assert least is not None
    seconds, answer = least
    what = f"{one.name}, turns, by hand: {answer.states:,} clauses"
    yield Record(NAME, what, seconds, repeats, complete=answer.proved, ratio=1.0)
    for solver in solvers:
        say(f"{one.name}, turns, {solver}")
        row = measured(one, solver, None, answer.best, limit, repeats)
        if row is not None:
            yield replace(row, ratio=seconds / row.seconds if row.complete else None)


def instances(folder: Path | None, pushing: str) -> Iterator[Instance]:
    """The levels to run on."""
    if folder is not None:
        game, found = levels.read_path(folder, None)
        yield from (Instance(game, level) for level in found)
        return
    with resources.as_file(resources.files("ggp.bench") / "walks.toml") as file:
        game, found = levels.read_path(file, None)
        yield from (Instance(game, level) for level in found)
    yield levels.load(pushing)


def rows(
    one: Instance, solvers: tuple[str, ...], slow: tuple[str, ...], limit: float, repeats: int, say: Say
) -> Iterator[Record]:
    """The rows of one level; on one with inputs no encoding is slow."""
    known = Run(one, REFERENCE, time_limit=limit)
    value = [*known] and known.result and known.result.objective
    slow = slow if one.game.input is None else ()
    for solver in solvers:
        names = [name for name in registry.ENCODINGS if name not in slow] if has_backend(solver) else [None]
        for name in names:
            say(f"{one.name}, {solver}, {name or 'no encoding'}")
            row = measured(one, solver, name, value, limit, repeats)
            if row is not None:
                yield row


def measured(
    one: Instance, solver: str, encoding: str | None, value: object, limit: float, repeats: int
) -> Record | None:
    """The fastest of some runs; None where the encoding does not apply."""
    best: tuple[float, Run] | None = None
    for _ in range(repeats):
        asked, before = Run(one, solver, time_limit=limit, encoding=encoding), processor_time()
        try:
            for _plan in asked:
                pass
        except UnsupportedFeature:
            return None
        spent = processor_time() - before
        if best is None or spent < best[0]:
            best = spent, asked
        if asked.clock.seconds > limit / 2:  # once is enough of what hardly comes to an end
            break
    assert best is not None
    result = best[1].result
    assert result is not None
    sizes = ", ".join(f"{number:,} {what}" for what, number in result.sizes.items())
    proved = result.stop in ("optimal", "unsolvable")
    what = f"{one.name}, {encoding or 'no encoding'}, {solver}: {sizes or 'no sizes'}, {result.stop}"
    agrees = result.objective == value if proved else None
    return Record(NAME, what, best[0], repeats, complete=proved, agrees=agrees)
