"""Reads what a game says of all its sizes: from where to where they go, and its numbers as polynomials."""

from __future__ import annotations

from ggp.language.toml.tables import Table
from ggp.model import Family

LARGEST = 1000  # size


def read_family(game: Table) -> Family | None:
    """`[family]`; None where a game has none."""
    if "family" not in game:
        return None
    table = game.table("family")
    sizes = table.raw("sizes")
    if not isinstance(sizes, list) or [type(size) for size in sizes] != [int, int]:
        message = "`sizes` must be the smallest and the largest size"
        table.error(message, "write `sizes = [4, 100]`", table.value_at("sizes"))
        sizes = [1, 1]
    smallest, largest = sizes
    if not 1 <= smallest <= largest <= LARGEST:
        remedy = f"sizes go up from 1 to {LARGEST}"
        table.error(f"there are no sizes from {smallest} to {largest}", remedy, table.value_at("sizes"))
    entries = table.table("numbers").entries()
    numbers = tuple((name, *read_polynomial(entry)) for name, entry in entries)
    table.refuse_unknown("[family]")
    return Family(smallest, largest, numbers, table.place)


def read_polynomial(entry: Table) -> tuple[tuple[int, ...], int]:
    """`{ powers = [0, 1, 0, 1], over = 2 }`: half of the size and its cube together."""
    powers, over = entry.raw("powers"), entry.integer("over") if "over" in entry else 1
    if not isinstance(powers, list) or not all(type(one) is int and abs(one) < 10**9 for one in powers):
        entry.error("`powers` must be a list of whole numbers", "write those of 1, n, n n, ...")
        powers = []
    if over is not None and over < 1:
        entry.error(f"`over` is {over}", "write 1 or more", entry.value_at("over"))
    entry.refuse_unknown("a number of a family")
    return tuple(powers), max(over or 1, 1)
