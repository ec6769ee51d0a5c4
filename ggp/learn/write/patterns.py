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

    def faces(self, name: str) -> bool:
        """Has what is called so a direction?"""
        return any(family == name and way in DIRECTIONS for family, way in self.structure.facing.values())
