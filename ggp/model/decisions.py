"""What the player decides, before the run and in it, and what is left to chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ggp.errors import Place
from ggp.model.goal import Term
from ggp.model.kinds import Amount, Piece

Stuck = Literal["draws", "loses", "passes"]


@dataclass(frozen=True, slots=True)
class Design:
    """What may be placed before the run.

    One of `kinds` may stand on a free cell: one that holds nothing of the kinds and classes in `free_of`.
    With `fill` every free cell takes exactly one, else at most `limit` are placed in all (None: no limit),
    or at most so many of each kind that `limits` names.
    """

    kinds: tuple[str, ...]
    free_of: tuple[str, ...]
    limit: Amount | None = None
    fill: bool = False
    place_in_file: Place | None = field(default=None, compare=False)
    limits: tuple[tuple[str, Amount], ...] = ()

    @property
    def named(self) -> str:
        """What is placed, in words."""
        return " or ".join(self.kinds)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """The limits, whatever they are of."""
        return (*(() if self.limit is None else (self.limit,)), *(limit for _, limit in self.limits))


@dataclass(frozen=True, slots=True)
class Input:
    """What the player may do each turn.

    `moves`: directions; `verbs`: buttons without a direction (`action`); `pick`: the name of the marker
    that a picked cell gets, a kind with facings where the pick has a direction; `wait`: a turn that
    changes nothing is allowed.

    Where several players take turns: `again` is a marker, and whoever's turn ends with one on the board has
    the next turn, too; `stuck` says what becomes of a player who has no legal input. `simultaneous`: in each
    turn all of them choose, and nobody sees what the others do.
    """

    moves: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    pick: str | None = None
    wait: bool = False
    place: Place | None = field(default=None, compare=False)
    again: str | None = None
    stuck: Stuck = "draws"
    simultaneous: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Chance: `count` pieces of `kind` laid at random on cells that hold nothing of `free_of`.

    `when`: before the first turn, or in it, after the input is known: then the marker of a pick can be among
    what must not be there. `tells`: goal words that hold whenever such pieces have been laid, by which who
    sees some of the board can reckon where the others are.
    """

    kind: str
    count: Amount
    free_of: tuple[str, ...] = ()
    place: Place | None = field(default=None, compare=False)
    variant: str | int | None = None
    when: Literal["start", "first-turn"] = "start"
    tells: tuple[Term, ...] = ()

    @property
    def piece(self) -> Piece:
        """What is laid."""
        return Piece(self.kind, self.variant)
