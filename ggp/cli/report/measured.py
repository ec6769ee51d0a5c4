"""`ggp bench`: a table of what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ggp.cli.report.listing import cell_text

if TYPE_CHECKING:
    from ggp.bench import Record


def rate_text(rate: float | None) -> str:
    """A rate with its thousands set off."""
    return "" if rate is None else f"{rate:,.0f}"


def bench_table(records: Sequence[Record]) -> Any:
    """The records of a benchmark as a table, each with its ratio to the baseline."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    rated = any(record.rate is not None for record in records)
    columns = ["bench", "what", "seconds", "times faster", "solutions", "complete", "agrees", "limit"]
    for column in (*columns, *(("a second", "at least") if rated else ())):
        table.add_column(column, justify="left" if column in ("bench", "what") else "right")
    for record in records:
        table.add_row(
            record.bench,
            record.what,
            f"{record.seconds:.4f}",
            "" if record.ratio is None else f"{record.ratio:.1f}",
            *(cell_text(v) for v in (record.solutions, record.complete, record.agrees, record.limit)),
            *((rate_text(record.rate), rate_text(record.least)) if rated else ()),
        )
    return table
