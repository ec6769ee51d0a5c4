"""Answers as text, tables and JSON data, a file for what is asked. Nothing here prints; `ggp.cli` does."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
