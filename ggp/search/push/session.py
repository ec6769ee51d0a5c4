"""What the search asks of something that solves clauses; it is handed one, as it knows none itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Session(Protocol):
    """Something that is told clauses and then looks for what makes all of them true."""

    def tell(self, clauses: Sequence[Sequence[int]]) -> None:
        """These clauses too."""

    def ask(self, conflicts: int) -> bool | None:
        """Is there an answer? None if it is not known after so many conflicts."""

    def ones(self) -> set[int]:
        """The variables that are true in the answer."""

    def close(self) -> None:
        """It is not needed any more."""


Sessions = Callable[[], Session]
