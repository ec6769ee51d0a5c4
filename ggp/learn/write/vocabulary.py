"""Which kind each token is, in the words of whoever reads the rules.

The learner's own comes from what it found out; whoever judges it by a described game brings that game's, so
that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from ggp.learn.boards import Token
from ggp.learn.seen.unused import untaken
from ggp.learn.seen.views import PICK
from ggp.model import (
    Class,
    Piece,
)


@dataclass
class Vocabulary:
    """The piece that each token is, the kinds, and the classes that were needed so far."""

    pieces: dict[Token, Piece]
    pick: str | None = None
    classes: dict[tuple[str, ...], str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()

    def piece(self, token: Token) -> Piece:
        """What a token is."""
        name, _, facing = token.partition(":")
        if name == PICK and self.pick is not None:
            return Piece(self.pick, facing or None)
        return self.pieces[token]

    def values_apart(self, names: set[str]) -> set[str]:
        """Which of some tokens are values of a kind, of which not all are among them."""
        pieces = {name: self.pieces[name] for name in names if name in self.pieces}
        several = {piece.kind for token, piece in self.pieces.items() if token not in pieces}
        return {name for name, one in pieces.items() if one.variant is not None and one.kind in several}

    def class_of(self, kinds: Sequence[str]) -> str:
        """The name of a kind, or of a class of several."""
        members = tuple(sorted(set(kinds)))
        if len(members) == 1:
            return members[0]
        if members not in self.classes:
            name = "-or-".join(members)
            if len(name) > 40:
                name = f"any-of-{len(members)}"
            self.classes[members] = untaken(name, {*self.taken, *self.classes.values()})
        return self.classes[members]

    def forget(self, kinds: Container[str]) -> None:
        """Drop the classes of kinds that there are none of after all."""
        self.classes = {
            members: name
            for members, name in self.classes.items()
            if not any(one in kinds for one in members)
        }

    def declared(self) -> tuple[Class, ...]:
        """The classes as a game declares them."""
        return tuple(Class(name, members) for members, name in self.classes.items())
