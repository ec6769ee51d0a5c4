"""Typed reading of TOML tables. Faults are collected, so that one run shows all of them.

A `Table` hands out its values by key and type; what nobody has asked for in the end is an unknown key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from ggp.errors import DescriptionError, Finding, Place
from ggp.language.toml.positions import Document, Path
from ggp.model.words import near_or_known


class Findings:
    """What reading a file has found so far."""

    def __init__(self) -> None:
        self.list: list[Finding] = []

    def error(self, message: str, remedy: str = "", place: Place | None = None) -> None:
        """Note an error; the same one is noted once."""
        finding = Finding(message, remedy, place)
        if finding not in self.list[-5:]:
            self.list.append(finding)

    def take(self, error: DescriptionError) -> None:
        """Note the errors of an exception that was caught."""
        self.list.extend(error.findings)

    def raise_any(self) -> None:
        """Raise DescriptionError with everything found, in the order of the file."""
        if self.list:
            # Stable: findings of one line and column stay as they were noted.
            found = sorted(self.list, key=lambda f: (f.place.line, f.place.column) if f.place else (0, 0))
            raise DescriptionError.of(tuple(found))


class Table:
    """One table of a document. Reading a key of the wrong type notes an error and gives the default."""

    def __init__(self, document: Document, path: Path, values: Mapping[str, Any], findings: Findings) -> None:
        self.document = document
        self.path = path
        self.values = values
        self.findings = findings
        self.asked: list[str] = []
        self.known: list[str] = []  # asked for, or asked whether it is there

    def __contains__(self, key: str) -> bool:
        self.known.append(key)
        return key in self.values

    @property
    def place(self) -> Place:
        """Where the table begins."""
        return self.document.at(self.path)

    def at(self, key: str) -> Place:
        """Where a key of this table stands; the table itself if it has no such key."""
        return self.document.at((*self.path, key))

    def value_at(self, *inner: str | int) -> Place:
        """Where the value under these keys and indices begins."""
        return self.document.value_at((*self.path, *inner))

    def inside(self, offset: int, *inner: str | int) -> Place:
        """Where the character at `offset` of the string under these keys and indices stands."""
        return self.document.inside((*self.path, *inner), offset)

    # --- values by type -----------------------------------------------------------------------------

    def raw(self, key: str) -> Any:
        """The value as it is; None if it is absent."""
        self.asked.append(key)
        return self.values.get(key)

    def _typed(self, key: str, kind: type, expected: str) -> Any:
        value = self.raw(key)
        if value is None or (isinstance(value, kind) and not (kind is int and isinstance(value, bool))):
            return value
        self.wrong_type(key, expected)
        return None

    def wrong_type(self, key: str, expected: str) -> None:
        """Note that the value of a key is not what was expected."""
        value = self.values[key]
        self.error(f"`{key}` must be {expected}, not {type_name(value)}", "", self.value_at(key))

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value: str | None = self._typed(key, str, "text in quotes")
        return default if value is None else value

    def integer(self, key: str) -> int | None:
        """A whole number, or None."""
        value: int | None = self._typed(key, int, "a whole number")
        if value is not None and abs(value) >= 10**9:
            self.error(f"`{key}` is too large", "numbers stay below 1000000000", self.value_at(key))
            return None
        return value

    def count(self, key: str, what: str) -> int | None:
        """A whole number that counts something, so that it cannot be negative; or None."""
        value = self.integer(key)
        if value is not None and value < 0:
            self.error(f"`{key}` is {value}, but it counts {what}", "write 0 or more", self.value_at(key))
            return None
        return value

    def positive(self, key: str, what: str) -> float | None:
        """A number above 0, with a point or without; or None."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.wrong_type(key, f"a number of {what}")
            return None
        if not 0 < value < 10**9:
            self.error(f"`{key}` cannot be {value}", f"write a number of {what} above 0", self.value_at(key))
            return None
        return float(value)

    def flag(self, key: str) -> bool:
        """true or false; false if it is absent."""
        return bool(self._typed(key, bool, "true or false"))

    def amount(self, key: str) -> int | str | None:
        """A whole number, or the name of one of the level's numbers."""
        value = self.raw(key)
        if isinstance(value, str) or value is None:
            return value
        if not isinstance(value, int) or isinstance(value, bool):
            self.wrong_type(key, "a whole number or the name of a number")
            return None
        return self.integer(key)

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        """One of several words."""
        value = self.text(key, default)
        if value not in choices:
            remedy = near_or_known(value, choices)
            self.error(f"`{key}` cannot be {value[:40]!r}", remedy, self.value_at(key))
            return default
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """An array of strings; empty if it is absent."""
        value = self._typed(key, list, "a list of texts") or []
        for index, item in enumerate(value):
            if not isinstance(item, str):
                message = f"an item of `{key}` must be text in quotes, not {type_name(item)}"
                self.error(message, "", self.value_at(key, index))
        return tuple(item for item in value if isinstance(item, str))

    def table(self, key: str) -> Table:
        """A table; an empty one if it is absent."""
        return self._inner(self._typed(key, dict, f"a table `[{key}]`") or {}, key)

    def tables(self, key: str) -> list[Table]:
        """An array of tables; empty if it is absent."""
        value = self._typed(key, list, f"tables, each under a line `[[{key}]]`") or []
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                message = f"an item of `{key}` must be a table, not {type_name(item)}"
                self.error(message, "", self.value_at(key, index))
        return [self._inner(item, key, index) for index, item in enumerate(value) if isinstance(item, dict)]

    def entries(self) -> Iterable[tuple[str, Table]]:
        """Each key whose value must be a table, with that table."""
        return [(key, self.table(key)) for key, value in self.values.items() if self._is_table(key, value)]

    def _is_table(self, key: str, value: Any) -> bool:
        if isinstance(value, dict):
            return True
        self.asked.append(key)
        self.wrong_type(key, "a table")
        return False

    def _inner(self, values: Mapping[str, Any], *inner: str | int) -> Table:
        return Table(self.document, (*self.path, *inner), values, self.findings)

    # --- faults -------------------------------------------------------------------------------------

    def error(self, message: str, remedy: str = "", place: Place | None = None) -> None:
        """Note an error, at the table if no place is given."""
        self.findings.error(message, remedy, place or self.place)

    def need(self, key: str, what: str) -> bool:
        """Is the key there? If not, note that it must be."""
        if key not in self:
            self.error(f"`{key}` is missing here", what)
        return key in self.values

    def refuse_unknown(self, what: str) -> None:
        """Note every key that nobody has asked for."""
        for key in self.values:
            if key not in self.asked:
                known = sorted({*self.asked, *self.known})
                self.error(f"{what} has no `{key[:40]}`", near_or_known(key, known), self.at(key))


def type_name(value: object) -> str:
    """A TOML type in plain words."""
    names: list[tuple[type | tuple[type, ...], str]] = [
        (bool, "true or false"),
        (int, "a whole number"),
        (float, "a number with a point"),
        (str, "text"),
        (list, "a list"),
        (dict, "a table"),
        ((date, time, datetime), "a date or time"),
    ]
    return next((name for kind, name in names if isinstance(value, kind)), "something else")
