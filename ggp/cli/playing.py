"""The commands about players: arena lets them meet, train makes one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.common import JSON, OUT, Seconds, cli, listed, writable
from ggp.cli.console import progress, say, say_json

if TYPE_CHECKING:
    from ggp.model import Instance
    from ggp.players.standing import Standing
    from ggp.players.trained.training import Report


@cli.command()
@click.argument("level", metavar="GAME|LEVEL")
@click.option("--players", callback=listed, required=True, metavar="A,B", help="See `ggp list players`.")
@click.option(
    "--games", type=click.IntRange(1), default=20, show_default=True, help="Of each player and level."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of players and games.")
@click.option(
    "--playouts", type=click.IntRange(1), default=1000, show_default=True, help="To spend on an action."
)
@click.option(
    "--time-limit",
    type=Seconds(0.01),
    default=60.0,
    show_default=True,
    metavar="S",
    help="For an answer.",
)
@JSON
def arena(
    level: str,
    players: Sequence[str],
    games: int,
    seed: int,
    playouts: int,
    time_limit: float,
    as_json: bool,
) -> None:
    """Let players play a level, or all of a game, and compare.

    Each player has a process of its own. One that raises an error, gives no answer within the time limit, or
    does what is not allowed loses that game. A game that is won counts 1, any other -1. Where several players
    take turns, each pair (each table) plays so many games, in seats that are drawn, and a draw counts 0.
    """
    from ggp.players.arena import Arena

    chosen = Arena(games, seed, playouts, time_limit)
    with progress("players") as tell:
        rows = list(chosen.play(instances_of(level), players, tell))
    if as_json:
        say_json([row.to_json() for row in rows])
    else:
        say(standings(rows))
    if not any(row.outcomes for row in rows):
        sys.exit(1)


def instances_of(name: str) -> list[Instance]:
    """The level of that name, or all levels of the game."""
    from ggp import registry
    from ggp.language import levels

    if name in registry.GAMES:
        return [levels.load(level) for level in levels.levels(name)]
    return [levels.load(name)]


def standings(rows: Sequence[Standing]) -> Any:
    """The rows as a table."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in (
        "level",
        "player",
        "games",
        "won",
        "drawn",
        "utility",
        "90 %",
        "turns",
        "s a game",
        "remarks",
    ):
        table.add_column(title, no_wrap=title in ("level", "player"), overflow="fold")
    for row in rows:
        data = row.to_json()
        if not row.outcomes:
            table.add_row(row.level, row.player, "0", *[""] * 6, row.note)
            continue
        remark = f"{row.faults} lost by a fault: {row.fault}" if row.faults else ""
        table.add_row(
            row.level,
            row.player,
            str(data["games"]),
            str(data["won"]),
            str(data["drawn"]),
            f"{data['utility']:.2f}",
            f"{data['low']:.2f} to {data['high']:.2f}",
            "" if data["turns"] is None else f"{data['turns']:.1f}",
            f"{data['seconds']:.3f}",
            remark,
        )
    return table


@cli.command()
@click.argument("game")
@click.option(
    "-o", "--output", type=OUT, callback=writable, required=True, metavar="POLICY", help="The file to write."
)
@click.option(
    "--levels", type=click.IntRange(1), default=600, show_default=True, help="To make and practise on."
)
@click.option("--held", type=click.IntRange(1), default=80, show_default=True, help="To judge it by.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the levels and fits.")
@click.option(
    "--fit",
    "way",
    type=click.Choice(["torch", "scikit-learn"]),
    metavar="LIBRARY",
    help="torch or scikit-learn: what fits the networks; default: the first that is installed.",
)
@JSON
def train(game: str, output: Path, levels: int, held: int, seed: int, way: str | None, as_json: bool) -> None:
    """Train a policy that says which push is best.

    Levels are made and solved by our own search; networks learn from the solutions, and are judged on levels
    that were held back. Where no agent pushes, it is inputs. GAME is a name, or the file of a game, also of a
    learned one. The player policy:POLICY plays by what was learned: see `ggp arena` and `ggp play`.
    """
    from ggp.language.levels import load_game
    from ggp.players.trained.policy import write_policy
    from ggp.players.trained.training import train as trained

    described, known = load_game(game)
    with progress("levels") as tell:
        policy, report = trained(described, known, count=levels, kept=held, seed=seed, way=way, say=tell)
    write_policy(output, policy)
    if as_json:
        say_json({"game": described.name, "policy": str(output), "seed": seed, **report.to_json()})
    else:
        for line in told(report):
            say(line)
        say(f"wrote {output}")


def told(report: Report) -> Iterator[str]:
    """What a policy comes to, in lines."""
    won, lost = report.solvable_of
    practised = f"practised on {report.practised} levels, fitted by {report.fitted_by}"
    yield f"{practised}, judged on {report.held} others"
    yield (
        f"first choice: {report.top1:.1%} of {report.judged} are as short as can be, "
        f"{report.same:.1%} are the solution's own (at random {report.chance:.1%})"
    )
    yield f"turns that are left: {report.value:.1f} off in the mean"
    right = f"{report.solvable:.1%} right"
    yield f"can it still be won: {right}, of {won} positions that can and {lost} that cannot"
    for name, (solved, expanded, seconds, turns) in report.searches.items():
        what = "guided search" if name == "guided" else "plain A*"
        yield (
            f"{what}: {solved} of {report.held} solved, {expanded} positions gone on from, {seconds:.2f} s, "
            f"{turns} turns in all (shortest: {report.shortest})"
        )
