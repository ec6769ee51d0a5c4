"""The `[hints]` table of a description: what solvers are told beside what the game means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ggp.language.toml.tables import Table
from ggp.language.toml.writing import pairs
from ggp.model import Game
from ggp.model.hints import FIRSTS, ORDERS, Hints
from ggp.model.words import near_or_known


def read_hints(table: Table, game: Game) -> Hints | None:
    """What stands under `[hints]` in the table of a description; faults are noted in its findings."""
    if "hints" not in table:
        return None
    inner = table.table("hints")
    inner.need("decide", 'name the kinds to decide first: `decide = ["digit"]`')
    decide = inner.strings("decide")
    placed = game.design.kinds if game.design is not None else ()
    for index, kind in enumerate(decide):
        if kind not in placed or kind in decide[:index]:
            message = f"{kind[:40]!r} cannot be decided" + (" twice" if kind in placed else "")
            remedy = near_or_known(kind, placed) if placed else "only what a `[design]` places is decided"
            inner.error(message, remedy, inner.value_at("decide", index))
    order: Any = inner.choice("order", ORDERS, ORDERS[0])
    values: Any = inner.choice("values", FIRSTS, FIRSTS[0])
    inner.refuse_unknown("[hints]")
    return Hints(decide, order, values, inner.place)


def hints_sections(game: Game) -> Iterator[list[str]]:
    """The block of lines that says so."""
    hints = game.hints
    if hints is not None:
        items = [("decide", hints.decide), ("order", hints.order), ("values", hints.values)]
        yield ["[hints]", *pairs(items)]
