"""Reads the line of a kind: its layer, how it faces or what values it has, how many a map holds."""

from __future__ import annotations

import re

from ggp.language.toml.tables import Table
from ggp.model import DIRECTIONS, Amount, Kind
from ggp.model.words import near_or_known


def read_kind(name: str, entry: Table) -> Kind:
    """The kind of that name."""
    entry.need("layer", "kinds on one layer exclude each other, those on different ones share a cell")
    facings = entry.strings("facing")
    for index, facing in enumerate(facings):
        if facing not in DIRECTIONS or facing in facings[:index]:
            message = f"`{name}` cannot face {facing[:40]!r}" + (" twice" if facing in DIRECTIONS else "")
            entry.error(message, near_or_known(facing, DIRECTIONS), entry.value_at("facing", index))
    values = read_values(entry)
    if facings and values:
        entry.error(f"`{name}` cannot have both facings and values", "make two kinds", entry.at("values"))
    kind = Kind(
        name,
        entry.text("layer", name),
        facings,
        values,
        entry.flag("merge"),
        entry.flag("marker"),
        read_hidden(entry),
        read_count(entry),
        entry.text("tile"),
        entry.text("colour"),
        entry.place,
        entry.flag("narrow"),
    )
    entry.refuse_unknown("a kind")
    return kind


def read_hidden(entry: Table) -> bool | str:
    """`true`, or the kind or class that covers it."""
    if isinstance(entry.values.get("hidden"), str):
        return entry.text("hidden")
    return entry.flag("hidden")


def read_values(entry: Table) -> tuple[Amount, Amount] | None:
    """`[1, 9]` or `[1, "width"]`: the lowest and the highest."""
    bounds = entry.raw("values")
    if bounds is None:
        return None
    good = isinstance(bounds, list) and len(bounds) == 2
    if not good or not all(isinstance(b, int | str) and not isinstance(b, bool) for b in bounds):
        remedy = 'write `values = [1, 9]` or `values = [1, "width"]`'
        entry.error("`values` must be the lowest and the highest value", remedy, entry.value_at("values"))
        return None
    low, high = bounds
    if any(isinstance(bound, int) and abs(bound) >= 10**6 for bound in bounds):
        entry.error("`values` are too large", "values stay below 1000000", entry.value_at("values"))
        return None
    if isinstance(low, int) and isinstance(high, int) and low > high:
        message = f"`values` from {low} to {high} are none"
        entry.error(message, "write the lower first", entry.value_at("values"))
    return low, high


def read_count(entry: Table) -> tuple[int, int | None] | None:
    """`1`, `1..` or `0..2`: how many a map must hold."""
    value = entry.raw("count")
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(\.\.(\d{1,9})?)?", value) if isinstance(value, str) else None
    if match is None:
        remedy = 'write `count = "1"`, `"1.."` (one or more) or `"0..2"`'
        entry.error("`count` must say how many a map holds", remedy, entry.value_at("count"))
        return None
    low = int(match[1])
    high = low if not match[2] else int(match[3]) if match[3] else None
    if high is not None and high < low:
        message = f"`count` from {low} to {high} is never"
        entry.error(message, "write the lower first", entry.value_at("count"))
    return low, high
