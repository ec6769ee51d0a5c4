"""A rule in scan order, made ready to be looked at: can all its matches be changed at once?

The referee finds the matches of a rule first and then changes them one after another, each only if it still
holds. That is the same as changing all at once where no change of a match ends another match, and no two
changes of a cell hang on their order: `check` shows it for any two matches of one rule that may be found
together, and so, by induction over the order, for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from ggp.errors import Finding, Place, UnsupportedFeature
from ggp.model.scan import ScanRow, ScanRule
from ggp.transition.scanned.cells import (
    Ground,
    Part,
    Planes,
    awakes,
    breaks,
    disturbs,
    fault,
    meet,
    part_of,
    ways_of,
)

Row = tuple[tuple[Part, ...], ...]
"""The cells of a row, cut at its ellipses."""
REMEDY = "`--solver search` takes rules in scan order"


class KeepsOrder(UnsupportedFeature):
    """A game cannot be shown to do the same when matches are changed at once."""

    def __init__(self, reason: str, place: Place | None) -> None:
        super().__init__(reason, REMEDY, place)
        self.reason = Finding(reason, REMEDY, place)


@dataclass(frozen=True)
class Ready:
    """A rule: the row that changes something (or gives commands), and rows that only have to be somewhere.

    `ways`: those of the marks that it asks for on things of which all marks go the way of the input.
    """

    direction: str
    body: Row
    conditions: tuple[Row, ...]
    commands: frozenset[str]
    ways: frozenset[str]
    ground: Ground = field(compare=False)
    place: Place | None = field(default=None, compare=False)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The cells of the row that changes."""
        return tuple(part for piece in self.body for part in piece)

    @property
    def changes(self) -> bool:
        """Does it change anything?"""
        return any(part.changes for part in self.parts)

    def written(self) -> set[str]:
        """The ways of the marks that it makes."""
        return {plane[1] for part in self.parts for plane in part.ins if isinstance(plane, tuple)}


COMMANDS = {"cancel", "restart", "win"}


def ready(rule: ScanRule, ground: Ground, driven: Planes | None = None) -> Ready | None:
    """A rule made ready; None where it never matches, or does nothing. Raises KeepsOrder.

    `driven` are kinds of which all marks go the way of the input (None: all).
    """
    rows: list[Row] = []
    for row in rule.rows:
        made = row_of(row, ground)
        if made is None:
            return None
        rows.append(made)
    commands = frozenset(word.partition(" ")[0] for word in rule.commands) & COMMANDS
    changing = [number for number, row in enumerate(rows) if any(part.changes for part in flat(row))]
    if not rule.changes:
        changing = []
        rows = [tuple(tuple(idle(part) for part in piece) for piece in row) for row in rows]
    if len(changing) > 1:
        raise KeepsOrder(
            "the rule changes cells in several places at once, one match after another", rule.place
        )
    if not changing and not commands:
        return None
    body = rows.pop(changing[0] if changing else 0)
    every = [part for row in (body, *rows) for part in flat(row)]
    ways = ways_of(every, frozenset(ground.slot_of) if driven is None else driven, ground)
    return Ready(rule.direction, body, tuple(rows), commands, ways, ground, rule.place)


def row_of(row: ScanRow, ground: Ground) -> Row | None:
    """A row made ready; None where it can never be found."""
    pieces: list[list[Part]] = [[]]
    for cell in row:
        if cell is None:
            pieces.append([])
            continue
        part = part_of(cell, ground)
        if part is None:
            return None
        pieces[-1].append(part)
    return tuple(map(tuple, pieces))


def flat(row: Row) -> tuple[Part, ...]:
    """All cells of a row."""
    return tuple(part for piece in row for part in piece)


def idle(part: Part) -> Part:
    """The same cell, unchanged."""
    return Part(part.asked, part.known, frozenset(), frozenset())


def check(rule: Ready, single: Planes) -> None:
    """Show that all matches can be changed at once; raises KeepsOrder where that is not shown.

    Of the kinds of `single` there is one piece on the board at most.
    """
    ground = rule.ground
    for part in rule.parts:
        if part.changes and (wrong := fault(part, ground)):
            raise KeepsOrder(f"the rule {wrong}", rule.place)
    others = [part for row in rule.conditions for part in flat(row)]
    if any(breaks(part, other, ground) for part in rule.parts if part.changes for other in others):
        raise KeepsOrder("what the rule changes may end what it asks for elsewhere", rule.place)
    if len(rule.body) == 1 and any(asks_for(part, single) for part in rule.parts):
        touching = False  # there is one match at most
    elif len(rule.body) == 1:
        touching = any(touches(rule.body[0], distance, ground) for distance in range(1, len(rule.body[0])))
    else:
        # With an ellipsis any two cells of two matches can be one cell, the same one of the rule included.
        # Each gap is a pass of its own, so nothing that one of them changes may make another match, too.
        touching = any(
            at_odds(one, other, ground) or (one.changes and awakes(one, other, ground))
            for one, other in product(rule.parts, repeat=2)
        )
    if touching:
        raise KeepsOrder(
            "matches of the rule may touch one another, and then their order matters", rule.place
        )


def asks_for(part: Part, kinds: Planes) -> bool:
    """Must one of these kinds stand in the cell?"""
    return bool(part.asked.held & kinds) or any(some <= kinds for some in part.asked.some)


def touches(cells: tuple[Part, ...], distance: int, ground: Ground) -> bool:
    """Could two matches that begin so far apart both be found, and disturb one another?"""
    shared = list(zip(cells[distance:], cells, strict=False))
    if any(meet(one, other, ground) is None for one, other in shared):
        return False
    return any(at_odds(one, other, ground) or at_odds(other, one, ground) for one, other in shared)


def at_odds(one: Part, other: Part, ground: Ground) -> bool:
    """Could a change of one part in a cell end the other, or hang on the order of both?"""
    apart = one is not other and other.changes  # the same cell of two matches is changed in the same way
    return one.changes and (breaks(one, other, ground) or (apart and disturbs(one, other, ground)))
