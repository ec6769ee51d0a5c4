"""TOML values as text, in the layout of the files in `descriptions/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def key_text(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if BARE_KEY.fullmatch(key) else quoted(key)


def quoted(text: str) -> str:
    """A string on one line."""
    # JSON's strings are TOML's, but for DEL, which TOML does not allow as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def multiline(text: str) -> str:
    """A string of several lines between triple quotes; the text must end in a line break or be empty."""
    if "\\" in text and "'''" not in text and not CONTROL.search(text):
        return f"'''\n{text}'''"  # escapes would push the columns of a map out of line
    lines = []
    for line in text.split("\n"):
        escaped = quoted(line)[1:-1]
        # Only three quotes in a row would end the string, and maps with single ones stay readable.
        lines.append(
            escaped if '\\"\\"\\"' in escaped or escaped.endswith('\\"') else escaped.replace('\\"', '"')
        )
    return '"""\n' + "\n".join(lines) + '"""'


def value_text(value: Any) -> str:
    """Any value on one line."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return inline_table(value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, date | time):
        return value.isoformat()
    return repr(value)


def inline_table(items: Iterable[tuple[str, Any]]) -> str:
    """A table on one line."""
    inner = ", ".join(f"{key_text(key)} = {value_text(value)}" for key, value in items)
    return f"{{ {inner} }}" if inner else "{}"


def pairs(items: Iterable[tuple[str, Any]]) -> list[str]:
    """Lines `key = value`."""
    return [f"{key_text(key)} = {value_text(value)}" for key, value in items]


def map_text(rows: Iterable[str]) -> str:
    """The rows of a map in quotes."""
    return multiline("".join(f"{row}\n" for row in rows))


def given(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The items that say something: not empty, not false, not None. A zero does."""
    return [(key, value) for key, value in values.items() if value or (value == 0 and value is not False)]
