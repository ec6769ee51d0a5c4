"""The `[generate]` table of a description: what makers of levels are told beyond the game's own levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ggp.language.description.kinds import read_count
from ggp.language.description.maps import read_map
from ggp.language.maps import symbols_of
from ggp.language.toml.tables import Table
from ggp.language.toml.writing import given, multiline, pairs
from ggp.model import Game, Generate, Part
from ggp.model.words import near_or_known

MOST_PARTS = 100  # of one kind on a board


def read_generate(table: Table, game: Game) -> Generate | None:
    """What stands under `[generate]` in the table of a description; faults are noted in its findings."""
    if "generate" not in table:
        return None
    inner = table.table("generate")
    parts = tuple(read_part(entry, game) for entry in inner.tables("part"))
    ground, without = read_ground(inner, game), read_without(inner, game)
    hints = Generate(parts, read_effort(inner), ground, inner.flag("lines"), without, inner.place)
    inner.refuse_unknown("[generate]")
    return hints


def read_part(entry: Table, game: Game) -> Part:
    """One thing of several cells."""
    entry.need("map", 'draw it: `map = "<>"`')
    rows, _ = read_map(entry, symbols_of(game))
    low, high = read_count(entry) or (0, 1)
    if high is None or high > MOST_PARTS:
        message = "`count` of a part needs an end" if high is None else f"{high} parts are too many"
        entry.error(message, f'write how many at most, such as "{low}..{low + 2}"', entry.value_at("count"))
        high = low
    entry.refuse_unknown("[[generate.part]]")
    return Part(rows, (low, high), entry.place)


def read_ground(table: Table, game: Game) -> tuple[str, ...]:
    """The kinds of clues that are part of the board."""
    known = [kind.name for kind in game.kinds if kind.values is not None and kind.name not in placed(game)]
    return read_kinds(table, "ground", known, "only kinds with values that are not placed can")


def read_without(table: Table, game: Game) -> tuple[str, ...]:
    """The kinds of clues that are not used."""
    known = [kind.name for kind in game.kinds if kind.name not in placed(game)]
    return read_kinds(table, "without", known, "only kinds that are not placed can")


def read_kinds(table: Table, setting: str, known: list[str], only: str) -> tuple[str, ...]:
    """A list of kinds, each of which must be one of these, and stand there once."""
    names = table.strings(setting)
    for index, name in enumerate(names):
        if name not in known or name in names[:index]:
            message = f"{name[:40]!r} cannot be in `{setting}`" + (" twice" if name in known else "")
            remedy = near_or_known(name, known) if known else only
            table.error(message, remedy, table.value_at(setting, index))
    return names


def placed(game: Game) -> tuple[str, ...]:
    """The kinds that a design places."""
    return game.design.kinds if game.design is not None else ()


def read_effort(table: Table) -> tuple[int, int] | None:
    """The bits from which a level is of medium difficulty, and hard."""
    value: Any = table.raw("effort")
    if value is None:
        return None
    whole = isinstance(value, list) and len(value) == 2
    if not whole or not all(isinstance(one, int) and one > 0 for one in value) or value[0] >= value[1]:
        table.error(
            "`effort` takes two numbers, the lower first", "such as [12, 30]", table.value_at("effort")
        )
        return None
    return value[0], value[1]


def generate_sections(game: Game) -> Iterator[list[str]]:
    """The blocks of lines that say so."""
    hints = game.generate
    if hints is None:
        return
    effort = None if hints.effort is None else list(hints.effort)
    said = {"effort": effort, "ground": hints.ground, "lines": hints.lines, "without": hints.without}
    yield ["[generate]", *pairs(given(said))]
    symbols = {pieces: symbol for symbol, pieces in reversed(symbols_of(game).items())}
    for part in hints.parts:
        rows = ["".join(symbols[here] for here in line) for line in part.rows]
        low, high = part.count
        count = f"{low}" if low == high else f"{low}..{high}"
        drawn = multiline("".join(f"{row}\n" for row in rows))
        yield ["[[generate.part]]", f"map = {drawn}", *pairs([("count", count)])]
