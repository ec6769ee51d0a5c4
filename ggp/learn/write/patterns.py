"""What the names in a program stand for in rules: patterns of kinds, or one of a class of several."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.learn.seen.structure import Structure
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import DIRECTIONS, Pattern


@dataclass(frozen=True)
class Patterns:
    """The patterns of names, as some structure has families and a vocabulary kinds."""

    structure: Structure
    vocabulary: Vocabulary

    def all_of(self, name: str) -> list[Pattern]:
        """What a name stands for: the kinds of a family, or one thing with the facing that it has."""
        members = self.structure.members(name)
        pieces = map(self.vocabulary.piece, members)
        alone = members == [name]
        return list(dict.fromkeys(Pattern(one.kind, one.variant if alone else None) for one in pieces))

    def one_of(self, name: str) -> Pattern:
        """What a name stands for as one pattern: a class where it is several kinds."""
        found = self.all_of(name)
        return found[0] if len(found) == 1 else Pattern(self.vocabulary.class_of([one.name for one in found]))

    def looking(self, name: str) -> dict[Pattern, tuple[str, ...]]:
        """The same as `all_of`, each with the ways in which it looks: ahead, where the kind has facings.

        A family may be of several kinds, of which each looks one way; what has no direction looks all ways.
        """
        found: dict[Pattern, tuple[str, ...]] = {}
        for token in self.structure.members(name):
            piece, (_, way) = self.vocabulary.piece(token), self.structure.facing.get(token, (name, ""))
            ahead = ("ahead",) if piece.variant in DIRECTIONS else (way,)
            found[Pattern(piece.kind)] = ahead if way in DIRECTIONS else DIRECTIONS
        return found
