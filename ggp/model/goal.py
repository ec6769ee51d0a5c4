"""When a level is won or lost, and what is to be fewest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from ggp.errors import Place
from ggp.model.kinds import Pattern


class Term(Protocol):
    """One goal word with its arguments; the classes stand in `ggp.goals`, one file a word.

    What it is asked about, an `Instance` of `ggp.model.level`, is made of goals, and so has no type here.
    """

    @property
    def word(self) -> str:
        """The goal word, as the registry names it."""

    def holds(self, instance: Any, state: Any) -> bool:
        """Judge it: does it hold in this `ggp.model.board.State`?"""

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards, in any algebra of `ggp.transition`."""

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""

    def source(self) -> str:
        """The text of the term in a description."""

    def say(self, instance: Any) -> str:
        """The term in words, for people."""


@dataclass(frozen=True, slots=True)
class Goal:
    """All `terms` hold: at the horizon, or at any turn up to it (then the run ends when they first do).

    Where several players take turns it is the goal, and the loss, of the one who has made the turn. Where
    they move at the same time each has a goal: `own` has the terms of each player, in their order.
    """

    terms: tuple[Term, ...]
    when: Literal["horizon", "any-turn"] = "any-turn"
    lose: tuple[Term, ...] = ()  # if any of these holds the run is lost; losing wins ties
    place: Place | None = field(default=None, compare=False)
    own: tuple[tuple[Term, ...], ...] = ()

    @property
    def every_term(self) -> tuple[Term, ...]:
        """All terms, whatever they decide, and those that terms are made of."""
        terms = (*self.terms, *self.lose, *(term for terms in self.own for term in terms))
        return tuple(part for term in terms for part in (term, *getattr(term, "inner", ())))

    def sources(self, players: tuple[str, ...]) -> list[str]:
        """The texts of what wins in a description; where each player has a goal they say whose it is."""
        owned = zip(players, self.own, strict=False)
        return [
            *(f"{name}: {term.source()}" for name, terms in owned for term in terms),
            *(term.source() for term in self.terms),
        ]


Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be fewest: `placements`, `turns`, or `moves` of a kind (pushes are moves of crates).

    Or what is to be highest: `score`, the sum of what the firings of a run are worth.
    """

    name: str
    counts: Literal["placements", "turns", "moves", "score"]
    kind: str | None = None
    place: Place | None = field(default=None, compare=False)

    @property
    def highest(self) -> bool:
        """Is more better?"""
        return self.counts == "score"

    def cost(self, value: Number) -> Number:
        """A value as what is to be least, or such a cost as a value: what solvers make least is a cost."""
        return -value if self.highest else value
