"""A level as clauses or as rows for a file: what stands under which heading, and the names of variables.

What is written is the encoding as exported (`exported.py`), with nothing worked out, in the words of the
format. Exporters turn it into text, and hold what a tool of their field reads in that text against it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering import board_map, linear_rows, linear_to_clauses
from ggp.encoding.lowering.legends import Legends
from ggp.encoding.lowering.linear_rows import Row
from ggp.encoding.lowering.linear_to_clauses import Atom, Clauses
from ggp.encoding.lowering.protocol import Kinds, Lowered
from ggp.encoding.lowering.route import Backend, routed
from ggp.engines import processes
from ggp.engines.texts.exported import Rewrite, faithful
from ggp.errors import SolverError
from ggp.model import Instance, Plan

WORKER = "ggp.engines.sat.worker"
Passes = tuple[Rewrite, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Base:
    """What is exported, the same in the words of the format, and the name of each variable in the file."""

    source: Encoding
    lowered: Lowered
    called: dict[int, str]

    def head(self) -> Iterator[str]:
        """What stands in comments at the top: what a solution is, and what the variables stand for."""
        encoding = self.lowered.encoding
        within = f" within {encoding.horizon} turns" if encoding.horizon else ""
        yield f"{encoding.instance.name}: a solution is a plan that wins{within}"
        yield from board_map.about(self.source, encoding)
        yield from board_map.lines(self.called, board_map.words(encoding))


@dataclass(frozen=True)
class InClauses:
    """A level as clauses, under headings that say why they are there; `variables` is the highest number."""

    base: Base
    groups: list[tuple[str, list[list[Atom]]]]
    variables: int
    prices: list[tuple[int, Atom]] = field(default_factory=list)  # of literals that hold
    offset: int = 0


@dataclass(frozen=True)
class InRows:
    """A level as rows over 0/1 columns; `columns` are their names."""

    base: Base
    columns: list[str]
    groups: list[tuple[str, list[Row]]]

    @property
    def rows(self) -> list[Row]:
        """All rows."""
        return [row for _, rows in self.groups for row in rows]

    @property
    def unused(self) -> list[int]:
        """The columns of which no row speaks."""
        spoken = {column for row in self.rows for _, column in row.terms}
        return [column for column in range(len(self.columns)) if column not in spoken]


@lru_cache(maxsize=2)  # two formats are written from each, and verified
def in_clauses(instance: Instance, plan: Plan | None, passes: Passes = (), priced: bool = False) -> InClauses:
    """The level as clauses, cardinalities spelt out; `priced`: with the game's first objective."""
    objective = next(iter(instance.game.objectives), None) if priced else None
    source = faithful(instance, plan, passes, objective)
    lowered = to(source, "clause", linear_to_clauses.TAKES)
    encoding = lowered.encoding
    writer = linear_to_clauses.Writer(encoding, Clauses(len(encoding.variables), offset=encoding.offset))
    each: list[tuple[str, list[list[Atom]]]] = []
    cards: list[tuple[int, linear_to_clauses.Card]] = []
    legends = Legends(encoding)
    for constraint in encoding.constraints:
        writer.result.clauses, writer.result.cards = [], []
        writer.constraint(constraint)
        cards += [(len(each), card) for card in writer.result.cards]
        each.append((legends.of_constraint(constraint), writer.result.clauses))
    spelt, variables = spelt_out([card for _, card in cards], writer.result.variables)
    for (number, _), clauses in zip(cards, spelt, strict=True):
        each[number] = (each[number][0], each[number][1] + clauses)
    called = {number: f"x{number + 1}" for number in board_map.words(encoding)}
    prices = [(weight, writer.lit(lit)) for weight, lit in encoding.minimise]
    return InClauses(Base(source, lowered, called), merged(each), variables, prices, encoding.offset)


@lru_cache(maxsize=2)
def in_rows(instance: Instance, plan: Plan | None, passes: Passes = ()) -> InRows:
    """The level as rows."""
    source = faithful(instance, plan, passes)
    lowered = to(source, "row", linear_rows.TAKES)
    encoding = lowered.encoding
    writer = linear_rows.Linear(encoding, linear_rows.columns(encoding))
    legends = Legends(encoding)
    each = [
        (legends.of_constraint(constraint), list(plain(writer.rows(constraint))))
        for constraint in encoding.constraints
    ]
    names = [f"x{column + 1}" for column in range(len(writer.column))]
    called = {number: names[column] for number, column in writer.column.items()}
    return InRows(Base(source, lowered, called), names, merged(each))


def to(source: Encoding, noun: str, takes: Kinds) -> Lowered:
    """The encoding in these words alone, with nothing worked out on the way."""
    return routed(source, Backend(noun, takes), again=False)


def merged(each: Iterable[tuple[str, list[T]]]) -> list[tuple[str, list[T]]]:
    """What stands under one heading after another, together; nothing without lines."""
    found: list[tuple[str, list[T]]] = []
    for note, some in each:
        if found and found[-1][0] == note:
            found[-1][1].extend(some)
        elif some:
            found.append((note, list(some)))
    return found


def plain(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, each with a column: tools take no other. One without says nothing, or what cannot be."""
    for row in rows:
        if row.terms:
            yield row
        elif (row.low or 0) > 0 or (0 if row.high is None else row.high) < 0:
            yield Row(2, None, ((1, 0),))


def spelt_out(cards: Sequence[object], variables: int) -> tuple[list[list[list[Atom]]], int]:
    """The clauses of each cardinality, and the highest number that is used then; by PySAT."""
    if not cards:
        return [], variables
    command, environment = processes.python(WORKER)
    given = json.dumps({"cards": cards, "variables": variables}).encode()
    output, ended = processes.run([*command, "spell"], given=given, env=environment)
    if ended.code != 0:
        raise SolverError(
            f"PySAT {ended}", "see that `pip show python-sat` names a version that is supported"
        )
    made = json.loads(output)
    return made["clauses"], made["variables"]


def commented(
    sign: str,
    head: Iterable[str],
    header: str,
    groups: Iterable[tuple[str, list[T]]],
    said: Callable[[T], str],
) -> str:
    """A text: comments, a header, and what stands under each heading; a comment begins with `sign`."""
    lines = [f"{sign} {line}" for line in head]
    lines += [header] if header else []
    for note, some in groups:
        lines.append(f"{sign} {note}")
        lines += map(said, some)
    return "\n".join(lines) + "\n"
