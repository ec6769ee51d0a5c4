"""`ggp list`: what there is, as rows and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ggp import registry
from ggp.cli.report import Row
from ggp.errors import NotAvailable, shown
from ggp.model.export import Judged

if TYPE_CHECKING:
    pass


def listing(what: str) -> list[Row]:
    """The rows of `ggp list WHAT` as JSON data."""
    if what == "games":
        return [game_row(name) for name in sorted(registry.GAMES)]
    if what == "levels":
        return [row for name in sorted(registry.GAMES) for row in level_rows(name)]
    tables = {"exporters": "exporter", "solvers": "solver", "learners": "learner", "players": "player"}
    kind = tables[what]
    return [tool_row(kind, name) for name in sorted(registry.TABLES[kind]) if name != "null"]


def game_row(name: str) -> Row:
    """A game with the number of its levels."""
    from ggp.language import levels

    game, kept = levels.load_game(name)
    about = game.said
    return {"name": name, "title": game.title, "levels": len(kept), "about": about} | brought("game", name)


def brought(kind: str, name: str) -> Row:
    """Where a thing is from."""
    return {"from": registry.origin(kind, name)}


def level_rows(name: str) -> Iterator[Row]:
    """Each level of a game with what is known of it."""
    from ggp.language import levels

    game, kept = levels.load_game(name)
    for level in kept:
        known = level.known
        yield {
            "name": f"{name}/{level.name}",
            "title": level.title,
            "size": f"{len(level.board)}x{len(level.board[0])}",
            "solvable": known.solvable,
            "solutions": known.solutions,
            "optimum": dict(known.optimum),
        }


def tool_row(kind: str, name: str) -> Row:
    """An exporter, solver or learner, and why it cannot run here if so."""
    try:
        module = registry.load(kind, name)
    except NotAvailable as broken:
        return {"name": name, "about": "", "available": False, "why": str(broken)} | brought(kind, name)
    reason = module.available()
    about = (module.__doc__ or "").strip().split("\n")[0]
    row = {"name": name, "about": about, "available": reason is None, "why": reason or ""}
    row |= brought(kind, name)
    if kind == "exporter":
        row["also verified by"] = [f"{engine}: {why or 'yes'}" for engine, why in oracles(module).items()]
    return row


def oracles(module: ModuleType) -> dict[str, str | None]:
    """The engines, beyond the one that is always asked, that judge a format where they are installed."""
    return module.oracles() if isinstance(module, Judged) else {}


def listing_table(what: str, rows: Sequence[Row]) -> Any:
    """The rows as a table."""
    from rich.table import Table

    table = Table(title=what, title_justify="left", box=None, pad_edge=False, show_header=bool(rows))
    keys = list(rows[0]) if rows else []
    for key in keys:
        table.add_column(key, overflow="fold", no_wrap=key == "name")
    for row in rows:
        table.add_row(*(cell_text(row[key]) for key in keys))
    if not rows:
        table.add_column()
        table.add_row("none yet")
    return table


def cell_text(value: Any) -> str:
    """One value in a table."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {number}" for key, number in value.items())
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else shown(str(value))
