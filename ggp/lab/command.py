"""What `ggp lab` does: a campaign, its findings written as they come, and what was tried at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ggp.lab import MOST_ALIKE
from ggp.lab.campaign import Campaign, tables, to_json, written

MINUTES = 1.0  # without any other limit


def run(
    folder: Path,
    as_json: bool,
    options: Mapping[str, Any],
    update: Callable[[str], None],
    say: Callable[[Any], None],
    say_json: Callable[[Any], None],
    complain: Callable[[str], None],
) -> int:
    """Run the laboratory; the exit status is 1 where something was found. Raises UnknownName, OSError."""
    start = time.monotonic()
    campaign = Campaign(options["seed"], options["games"], options["kinds"], update)
    for name, reason in campaign.missing.items():
        complain(f"no trials of kind {name}: {reason}")
    trials, minutes, first = options["trials"], options["minutes"], options["trial"] or 1
    if options["trial"]:
        trials, minutes = 1, None
    elif trials is None and minutes is None:
        minutes = MINUTES
    commands: dict[int, str] = {}
    for number, finding in campaign.run(minutes, trials, first):
        commands[number] = written(folder, number, finding)
        complain(f"trial {number}: {finding.what}\n  {commands[number]}")
    seconds = time.monotonic() - start
    if as_json:
        say_json(to_json(campaign, seconds, commands))
    else:
        tell(campaign, seconds, commands, say)
    return 1 if campaign.found else 0


def tell(campaign: Campaign, seconds: float, commands: Mapping[int, str], say: Callable[[Any], None]) -> None:
    """What was tried as tables, and what was found."""
    for title, rows in tables(campaign.tally):
        if len(rows) > 1:
            say(table(title, rows))
    tally = campaign.tally
    instances, asked = sum(tally.instances.values()), sum(tally.tried.values())
    say(
        f"seed {campaign.seed}: {tally.trials:,} trials, {instances:,} levels, {asked:,} questions, "
        f"{seconds:.0f} s"
    )
    for number, finding in campaign.found:
        say(f"trial {number}: {finding.what}\n{finding.told}\n  {commands[number]}")
    alike = sum(tally.alike.values())
    more = f"; {alike} times in all, of which those that are alike are told {MOST_ALIKE} times"
    say(f"{len(campaign.found)} wrong answers{more}" if campaign.found else "nothing was found")


def table(title: str, rows: list[tuple[str, ...]]) -> Any:
    """Rows, of which the first is the head, for a terminal."""
    from rich.box import MARKDOWN
    from rich.table import Table

    made = Table(title=title, box=MARKDOWN, title_justify="left")
    for column in rows[0]:
        made.add_column(column, justify="left" if column in ("kind", "game", "who", "question") else "right")
    for row in rows[1:]:
        made.add_row(*row)
    return made
