"""`count avatar = 0 unless every crate on target`: what holds only while something else does not.

It says whose verdict counts where a turn both wins and loses: `lose` goes before `win`, and with this word it
does not. In VGDL it is the first line of a `TerminationSet` that holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.model import Instance, Pattern, Term
from ggp.model.board import State

GRAMMAR = """
unless: plain excuse+
excuse: "unless" plain ("and" plain)*
"""


@dataclass(frozen=True, slots=True)
class Unless:
    """The term `what` holds, and of none of the `excuses` all terms do."""

    what: Term
    excuses: tuple[tuple[Term, ...], ...]
    place: Place | None = field(default=None, compare=False)

    word = "unless"

    @property
    def inner(self) -> tuple[Term, ...]:
        """The terms that it is made of."""
        return self.what, *(term for terms in self.excuses for term in terms)

    def holds(self, instance: Instance, state: State) -> bool:
        """Judge the term, then what excuses it."""
        if not self.what.holds(instance, state):
            return False
        return not any(all(one.holds(instance, state) for one in terms) for terms in self.excuses)

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        excuses = (algebra.every([one.test(algebra, boards) for one in terms]) for terms in self.excuses)
        return algebra.every([self.what.test(algebra, boards), *map(algebra.opposite, excuses)])

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return tuple(pattern for term in self.inner for pattern in term.patterns())

    def say(self, instance: Instance) -> str:
        """In words."""
        return self.sentence([one.say(instance) for one in self.inner])

    def source(self) -> str:
        """As the description writes it."""
        return self.sentence([one.source() for one in self.inner])

    def sentence(self, inner: list[str]) -> str:
        """The sentence of these texts of the inner terms."""
        text, rest = inner[0], iter(inner[1:])
        for terms in self.excuses:
            text += f" unless {' and '.join(next(rest) for _ in terms)}"
        return text


def build(items: list[Any], place: Place) -> Unless:
    """Make the term from what the grammar read; raises DescriptionError."""
    made = Unless(items[0], tuple(items[1:]), place)
    for term in made.inner:
        if not hasattr(term, "test"):
            message = f"`{term.word}` is judged at the end only, and not with `unless`"
            raise DescriptionError(message, 'leave it to `win`, with `when = "horizon"`', place)
    return made
