"""How many pieces of some kinds there can be on the board: rules only exchange them.

Of kinds of which there is one piece at most a rule that asks for it has one match, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.model import Level
from ggp.transition.scanned.cells import Planes
from ggp.transition.scanned.rules import Ready


class Lone:
    """Counts the pieces of a level that rules cannot make more of."""

    def __init__(self, level: Level, rules: Sequence[Ready]) -> None:
        self.level, self.rules = level, rules
        self.kept: dict[Planes, int | None] = {}

    def most(self, kinds: Planes) -> int | None:
        """How many pieces of these kinds there can be; None where rules may make any number of them."""
        if kinds not in self.kept:
            whole = self.exchanged(kinds)
            pieces = (piece.kind for row in self.level.board for here in row for piece in here)
            self.kept[kinds] = None if whole is None else sum(kind in whole for kind in pieces)
        return self.kept[kinds]

    def exchanged(self, kinds: Planes) -> Planes | None:
        """These kinds and those that they are made of; None where one is made of nothing."""
        grown = True
        while grown:
            grown = False
            for rule in self.rules:
                made = sum(len(part.ins & kinds) for part in rule.parts)
                # Of two cells that lose one, two matches may speak of the same piece.
                if made <= any(part.outs & part.known.held & kinds for part in rule.parts):
                    continue
                gone = frozenset(
                    plane
                    for part in rule.parts
                    if part.ins & kinds or made == 1
                    for plane in part.outs & part.known.held
                    if isinstance(plane, str)
                )
                if made > 1 or not gone:
                    return None
                kinds, grown = kinds | gone, True
        return kinds

    def alone(self, planes: Planes) -> bool:
        """Is there one thing of these at most? Of marks it is not known."""
        kinds = frozenset(plane for plane in planes if isinstance(plane, str))
        return kinds == planes and self.most(kinds) in (0, 1)
