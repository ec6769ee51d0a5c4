"""Records as CSV, as Parquet, and as frames of polars or pandas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ggp.errors import NotAvailable
from ggp.harness.campaign.results import rows
from ggp.harness.records import Record

LIBRARIES = ("polars", "pandas")
HOW = "install it with `pip install 'ggp[frames]'`"


def csv_text(records: Sequence[Record]) -> str:
    """The rows as comma-separated values."""
    out = io.StringIO()
    made = rows(records)
    if made:
        writer = csv.DictWriter(out, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
    return out.getvalue()


def json_lines(records: Sequence[Record]) -> str:
    """The records whole, plans included, one object a line."""
    return "".join(json.dumps(record) + "\n" for record in records)


def frame(records: Sequence[Record], library: str | None = None) -> Any:
    """The rows as a frame of polars, or of pandas where only that is there. Raises NotAvailable."""
    chosen = library or next((name for name in LIBRARIES if find_spec(name)), None)
    if chosen not in LIBRARIES or not find_spec(chosen):
        raise NotAvailable(f"there is no {chosen or 'library for frames'} here", HOW)
    module: Any = import_module(chosen)
    made = rows(records)
    if chosen == "pandas":
        return module.DataFrame(made)
    return module.DataFrame(made, infer_schema_length=None)


def parquet_bytes(records: Sequence[Record]) -> bytes:
    """The rows as a Parquet file. Raises NotAvailable without polars."""
    out = io.BytesIO()
    frame(records, "polars").write_parquet(out)
    return out.getvalue()
