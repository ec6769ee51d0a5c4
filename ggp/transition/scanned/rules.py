"""A rule in scan order, made ready to be looked at: can all its matches be changed at once?

The referee finds the matches of a rule first and then changes them one after another, each only if it still
holds. That is the same as changing all at once where no change of a match ends another match, and no two
changes of a cell hang on their order: `check` shows it for any two matches of one rule that may be found
together, and so, by induction over the order, for all of them. Where it is not shown for a rule that changes
one row, its matches are changed one after another along their line: those of other lines share no cell.

A rule that changes several rows is applied to each choice of a match for each of them. Where nothing that it
changes ends a match of a row, these are all matches of each row; where each row has one match at most, one.
Where what ends its match is a row that has one at most, nothing is left after the first choice; where it
is one of the others, each of its matches goes with the first ones of those. Of two such rows it is one match
with one other, which is not taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from ggp.errors import Place
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
    opposed,
    part_of,
    ways_of,
)
from ggp.transition.scanned.refusal import KeepsOrder

Row = tuple[tuple[Part, ...], ...]
"""The cells of a row, cut at its ellipses."""


@dataclass(frozen=True)
class Ready:
    """A rule: the rows that it changes (or gives commands), and those that only have to be somewhere.

    `ways`: those of the marks that it asks for on things of which all marks go the way of the input.
    `in_order`: its matches must be changed one after another. `firsts`: rows of which one is, the first.
    """

    direction: str
    bodies: tuple[Row, ...]
    conditions: tuple[Row, ...]
    commands: frozenset[str]
    ways: frozenset[str]
    ground: Ground = field(compare=False)
    place: Place | None = field(default=None, compare=False)
    in_order: bool = False
    firsts: frozenset[int] = frozenset()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The cells of the rows that it changes."""
        return tuple(part for body in self.bodies for part in flat(body))

    @property
    def stiff(self) -> bool:
        """Is it one row without a gap, so that two of its cells are always equally far apart?"""
        return len(self.bodies) == 1 and len(self.bodies[0]) == 1

    @property
    def plain(self) -> bool:
        """Is it one pass, with one row to look from?"""
        return len(self.bodies) == 1 and not self.in_order

    @property
    def changes(self) -> bool:
        """Does it change anything?"""
        return any(part.changes for part in self.parts)

    def written(self) -> set[str]:
        """The ways of the marks that it makes."""
        return {plane[1] for part in self.parts for plane in part.ins if isinstance(plane, tuple)}


COMMANDS = {"again", "cancel", "restart", "win"}


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
    if not changing and not commands:
        return None
    bodies = tuple(rows[number] for number in changing or [0])
    others = tuple(row for number, row in enumerate(rows) if number not in (changing or [0]))
    every = [part for row in rows for part in flat(row)]
    ways = ways_of(every, frozenset(ground.slot_of) if driven is None else driven, ground)
    return Ready(rule.direction, bodies, others, commands, ways, ground, rule.place)


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


def checked(rule: Ready, single: Callable[[Planes], bool]) -> Ready:
    """The rule, shown to be the same in passes; raises KeepsOrder where that is not shown.

    `single` says whether there is one piece of some kinds on the board at most.
    """
    ground = rule.ground
    for part in rule.parts:
        if part.changes and (wrong := fault(part, ground)):
            raise KeepsOrder(f"the rule {wrong}", rule.place)
    others = [part for row in rule.conditions for part in flat(row)]
    if any(breaks(part, other, ground) for part in rule.parts if part.changes for other in others):
        raise KeepsOrder("what the rule changes may end what it asks for elsewhere", rule.place)
    alone = [len(body) == 1 and any(asks_for(part, single) for part in body[0]) for body in rule.bodies]
    touching = [not one and self_touching(body, ground) for one, body in zip(alone, rule.bodies, strict=True)]
    if len(rule.bodies) == 1:
        return replace(rule, in_order=touching[0])
    return several(rule, alone, touching)


def several(rule: Ready, alone: list[bool], touching: list[bool]) -> Ready:
    """A rule that changes several rows, with those of which only the first match is changed.

    `alone` says of each row whether it has one match at most, `touching` whether matches of it may touch.
    """
    ground = rule.ground
    spent = [any(part.changes and breaks(part, part, ground) for part in flat(body)) for body in rule.bodies]
    surely = [any(ends_itself(part) for part in flat(body)) for body in rule.bodies]
    numbers = range(len(rule.bodies))
    others = frozenset(number for number in numbers if not alone[number])
    firsts: frozenset[int] = frozenset()
    if any(one and lone for one, lone in zip(surely, alone, strict=True)):
        firsts = others  # only the first choice is made
    elif not all(alone) and any(spent):
        firsts = others - {number for number in others if spent[number]}
        if len(others - firsts) != 1 or spent != surely:
            raise one_by_one(rule)
    once = firsts == others
    gaps = any(len(rule.bodies[number]) > 1 for number in firsts)
    if gaps or any(touching[number] for number in others - firsts) or crossing(rule, once):
        raise one_by_one(rule)
    return replace(rule, firsts=firsts)


def one_by_one(rule: Ready) -> KeepsOrder:
    """The refusal of a rule that changes several rows."""
    return KeepsOrder("the rule changes cells in several places at once, one match after another", rule.place)


def ends_itself(part: Part) -> bool:
    """Does a change surely end the match that it is made for?"""
    ins, outs, asked = part.ins - part.known.held, part.outs - part.known.free, part.asked
    return bool(ins & asked.free or outs & asked.held or any(some <= outs for some in asked.some))


def self_touching(body: Row, ground: Ground) -> bool:
    """Could two matches of a row both be found, and disturb one another?"""
    if len(body) == 1:
        return any(touches(body[0], distance, ground) for distance in range(1, len(body[0])))
    # With an ellipsis any two cells of two matches can be one cell, the same one of the rule included.
    # Each gap is a pass of its own, so nothing that one of them changes may make another match, too.
    return any(
        at_odds(one, other, ground) or (one.changes and awakes(one, other, ground))
        for one, other in product(flat(body), repeat=2)
    )


def crossing(rule: Ready, alone: bool) -> bool:
    """Do changes of one row of a rule hang on those of another one?

    `alone`: each row has one match at most, so only what is changed twice matters.
    """
    ground = rule.ground
    pairs = [(one, other) for one, other in product(rule.bodies, repeat=2) if one is not other]
    cells = [pair for one, other in pairs for pair in product(flat(one), flat(other)) if pair[0].changes]
    if any(opposed(one, other, ground) for one, other in cells):
        return True
    return not alone and any(breaks(one, other, ground) for one, other in cells)


def asks_for(part: Part, single: Callable[[Planes], bool]) -> bool:
    """Must something stand in the cell of which there is one piece at most?"""
    return any(single(frozenset([plane])) for plane in part.asked.held) or any(map(single, part.asked.some))


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
