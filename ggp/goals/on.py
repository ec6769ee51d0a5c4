"""`every crate on target`, `some player on exit`, `no lemming off target`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.model import Instance, Pattern
from ggp.model.board import State, matches

GRAMMAR = """
on: QUANTIFIER pattern PLACING pattern
QUANTIFIER.2: "every" | "some" | "no"
PLACING.2: "on" | "off"
"""


@dataclass(frozen=True, slots=True)
class On:
    """Pieces that match `what` stand, or do not, on a cell that also holds a piece matching `ground`."""

    quantifier: str
    what: Pattern
    placing: str
    ground: Pattern
    place: Place | None = field(default=None, compare=False)

    word = "on"

    def holds(self, instance: Instance, state: State) -> bool:
        """Judge every piece that matches `what`; none at all satisfies `every` and `no`."""
        placed = [
            any(matches(instance.game, other, self.ground, None) for other in here) == (self.placing == "on")
            for here in state.board
            for piece in here
            if matches(instance.game, piece, self.what, None)
        ]
        return {"every": all(placed), "some": any(placed), "no": not any(placed)}[self.quantifier]

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        what, ground = boards.present(self.what), boards.present(self.ground)
        wanted = what & ground if self.placing == "on" else what & ~ground
        if self.quantifier == "some":
            return algebra.some(wanted)
        return algebra.none(wanted if self.quantifier == "no" else what & ~wanted)

    def ground_required(self) -> tuple[Pattern, Pattern] | None:
        """(what, ground) if the term says that every piece of `what` must stand on `ground`, else None."""
        on = (self.quantifier, self.placing) in (("every", "on"), ("no", "off"))
        return (self.what, self.ground) if on else None

    def ground_asked(self) -> tuple[str, Pattern, Pattern] | None:
        """("every" or "some", what, ground) if it asks pieces to stand on a ground, else None."""
        if self.ground_required() is not None:
            return "every", self.what, self.ground
        asked = (self.quantifier, self.placing) == ("some", "on")
        return ("some", self.what, self.ground) if asked else None

    def cell_by_cell(self, instance: Instance) -> bool:
        """Does it hold of a board just if it holds of each of its cells alone?"""
        return self.quantifier != "some"

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return self.what, self.ground

    def say(self, instance: Instance) -> str:
        """In words."""
        return self.source()

    def source(self) -> str:
        """As the description writes it."""
        return f"{self.quantifier} {pattern_text(self.what)} {self.placing} {pattern_text(self.ground)}"


def pattern_text(pattern: Pattern) -> str:
    """A pattern as descriptions write it."""
    text = f"${pattern.name}" if pattern.bound else pattern.name
    variant = pattern.variant if pattern.computed is None else pattern.computed
    return text if variant is None else f"{text}:{variant}"


def build(items: list[Any], place: Place) -> On:
    """Make the term from what the grammar read."""
    quantifier, what, placing, ground = items
    return On(str(quantifier), what, str(placing), ground, place)
