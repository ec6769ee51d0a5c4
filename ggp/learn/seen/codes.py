"""Things by number, so that tables of them are tables of numbers."""

from __future__ import annotations

from typing import Generic, TypeVar

Value = TypeVar("Value")


class Codes(Generic[Value]):
    """Values, numbered as they come."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.numbers: dict[Value, int] = {}

    def __call__(self, value: Value) -> int:
        """The number of a value."""
        number = self.numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number
