"""What is plain of the designs that meet the goal, before anything is written; or that there is none.

Goal words that speak of cells near one another say at how many of them something is at most (`limits` of a
word: pictures that are nowhere, clues that count what is near, lines that go on and do not branch). What
follows of that is worked out for all cells at once, as bits: what may stand where, and what must, until
nothing more is certain. Limits of one cell are looked at together, so it sees what each alone does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import NamedTuple

from ggp.analysis.ways import Way, ways
from ggp.goals.pattern import AtMost, Look
from ggp.model import Cell, Instance, Pattern, Piece
from ggp.referee.designs import free_cells, placeable
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

MANY = 1_000  # looks of all limits: more take longer than what they may save
PARTS = 24  # sorts of cells, by which limits they have
# Of so many cells something must be certain. Where less is, boards of one size have most of what is written
# in common (`ggp.encoding.patterned`), and that is lost where some of it is left out.
MOSTLY = 2 / 3
WAYS = 40  # of more the limits are looked at one by one, or not at all


class Left(NamedTuple):
    """What a design can still place on a cell; `sure`: it places one of these."""

    pieces: frozenset[Piece]
    sure: bool


class Foreseen(NamedTuple):
    """What no design can meet, in the words of the goal (empty: nothing), and what is left for some cells."""

    broken: str
    cells: Mapping[Cell, Left]


NOTHING = Foreseen("", {})
FILLED = "every free cell is filled"


def foreseen(instance: Instance, tick: Callable[[], None] = lambda: None) -> Foreseen:
    """What is plain of all designs that meet the goal.

    Of games in which something moves, or whose board wraps, nothing is said. `tick` may break off.
    """
    game = instance.game
    if game.design is None or game.input is not None or game.physics or game.wraps or game.goal.lose:
        return NOTHING
    words = [(term, term.limits(instance)) for term in game.goal.terms if hasattr(term, "limits")]
    told = [(term, limit) for term, limits in words for limit in limits]
    if not told or sum(len(limit.looks) for _, limit in told) > MANY:
        return NOTHING
    boards = Designs(instance, compile_instance(instance), [limit for _, limit in told])
    numbers = boards.contradiction(tick)
    if numbers is None:
        left = boards.left()
        return Foreseen("", left) if len(left) >= MOSTLY * boards.free.bit_count() else NOTHING
    said = [told[number][0].say(instance) if number < len(told) else FILLED for number in numbers]
    return Foreseen(" and ".join(dict.fromkeys(said)), {})


class Asked(NamedTuple):
    """A look as the boards see it: the planes that match, and how far away they are."""

    planes: tuple[int, ...]
    away: int


class Limit(NamedTuple):
    """From each of the anchors at most so many of the looks come out as is said."""

    anchors: int
    looks: list[tuple[Asked, bool]]
    most: int


class Part(NamedTuple):
    """Cells that have the same limits: the looks of these, and in which ways they can come out together."""

    anchors: int
    looks: list[Asked]
    ways: tuple[Way, ...]
    limits: list[int]


class Designs:
    """What may stand on the cells, and what must, in any design that keeps the limits."""

    def __init__(self, instance: Instance, transition: Transition, limits: list[AtMost]) -> None:
        self.instance, self.transition = instance, transition
        # So wide a margin that no look, from whichever cell of its limit, comes to another row.
        self.bits = Bits(transition, max(map(breadth, limits), default=0))
        self.must = [0] * len(transition.planes)
        self.planes: dict[Pattern | None, tuple[int, ...]] = {}
        self.known: dict[int, tuple[tuple[Cell, ...], int]] = {}  # boards of cells, by the identity of these
        self.stand()
        self.given = tuple(self.must)
        self.free = free = self.board(free_cells(instance))
        self.placed = {transition.number[piece] for piece in placeable(instance)}
        self.may = [board | free if plane in self.placed else board for plane, board in enumerate(self.must)]
        self.fill = instance.game.design is not None and instance.game.design.fill
        self.parts = self.parted([self.settled(limit) for limit in limits])
        if self.fill and free:  # by itself, for what it says is told last, by the number after the others
            one = Asked(tuple(sorted(self.placed)), 0)
            self.parts.append(Part(free, [one], (((0,), ()),), [len(limits)]))

    def stand(self) -> None:
        """What the map says stands where, on the boards."""
        number, stride = self.transition.number, self.bits.stride
        boards: dict[Piece, int] = {}
        for row, line in enumerate(self.instance.level.board):
            for at, here in enumerate(line, start=row * stride):
                for piece in here:
                    boards[piece] = boards.get(piece, 0) | 1 << at
        for piece, board in boards.items():
            self.must[number[piece]] = board

    def board(self, cells: tuple[Cell, ...]) -> int:
        """The board that is true on these cells; limits share them."""
        if id(cells) not in self.known:
            stride = self.bits.stride
            self.known[id(cells)] = cells, sum([1 << row * stride + column for row, column in cells])
        return self.known[id(cells)][1]

    # --- limits, as the boards see them

    def settled(self, limit: AtMost) -> Limit:
        """The limit without what the map decides: a picture is sought only where the rest of it stands.

        It is then told from there, so that pictures of one piece have their anchors in common.
        """
        anchors = self.bits.full if limit.anchors is None else self.board(limit.anchors)
        whole, left, seat = limit.most == len(limit.looks) - 1, [], 0
        for look in limit.looks:
            one = self.asked(look)
            if not whole or not self.placed.isdisjoint(one.planes):
                left.append((one, look.wanted))
                continue
            sure, _ = self.bounds(one)
            anchors &= sure if look.wanted else ~sure
            seat = one.away if look.wanted else seat
        if limit.most == 0 and len(left) == 1 and left[0][1]:
            anchors &= self.bounds(left[0][0])[1]  # elsewhere it cannot stand anyway
        if seat:
            anchors = seen(anchors, -seat)
            left = [(Asked(one.planes, one.away - seat), wanted) for one, wanted in left]
        return Limit(anchors, left, limit.most - len(limit.looks) + len(left))

    def asked(self, look: Look) -> Asked:
        """A look with its planes."""
        planes = self.planes.get(look.pattern)
        if planes is None:
            found = () if look.pattern is None else self.transition.planes_of(self.instance, look.pattern)
            planes = self.planes[look.pattern] = found
        return Asked(planes, look.offset[0] * self.bits.stride + look.offset[1])

    def parted(self, limits: list[Limit]) -> list[Part]:
        """The limits by the cells that have them, if there are few sorts of cells; else each by itself."""
        parts: list[tuple[int, list[int]]] = [(self.bits.full, [])]
        for number, limit in enumerate(limits):
            split = [(cells & limit.anchors, [*some, number]) for cells, some in parts]
            split += [(cells & ~limit.anchors, some) for cells, some in parts]
            parts = [(cells, some) for cells, some in split if cells]
            if len(parts) > PARTS:
                parts = [(one.anchors, [at]) for at, one in enumerate(limits) if one.anchors]
                break
        found, alone = list[Part | None](), dict[int, int]()
        for cells, some in parts:
            whole = self.part(cells, limits, some)
            found.append(whole)
            for number in some if whole is None else ():
                alone[number] = alone.get(number, 0) | cells
        found += [self.part(cells, limits, [number]) for number, cells in sorted(alone.items())]
        return [one for one in found if one is not None and one.limits]

    def part(self, cells: int, limits: list[Limit], some: list[int]) -> Part | None:
        """Cells with these limits; None where the ways of their looks are too many to be told."""
        looks = list(dict.fromkeys(look for number in some for look, _ in limits[number].looks))
        place = {look: at for at, look in enumerate(looks)}
        told = [
            (tuple((place[look], wanted) for look, wanted in limits[number].looks), limits[number].most)
            for number in some
        ]
        told += [(((one, True), (other, True)), 1) for one, other in self.exclusive(looks)]
        found = ways(len(looks), tuple(told))
        return None if found is None or len(found) > WAYS else Part(cells, looks, found, some)

    def exclusive(self, looks: list[Asked]) -> list[tuple[int, int]]:
        """The numbers of each two looks at one cell for things of a layer, of which there is one at most."""
        layers, exempt = self.transition.layers, self.transition.exempt
        pairs = [
            pair for pair in combinations(range(len(looks)), 2) if looks[pair[0]].away == looks[pair[1]].away
        ]
        found = []
        for one, other in pairs:
            planes = (*looks[one].planes, *looks[other].planes)
            if len({layers[plane] for plane in planes}) == 1 and len({*planes} - exempt) == len(planes):
                found.append((one, other))
        return found

    def bounds(self, look: Asked) -> tuple[int, int]:
        """The anchors so far from which something that matches surely stands, and those where it may."""
        must = may = 0
        for plane in look.planes:
            must |= self.must[plane]
            may |= self.may[plane]
        return seen(must, look.away), seen(may, look.away)

    # --- what follows

    def left(self) -> dict[Cell, Left]:
        """What can still be placed on each cell of which something is certain."""
        pieces = [(plane, self.transition.planes[plane]) for plane in sorted(self.placed)]
        certain = 0
        for plane, _ in pieces:
            certain |= (self.must[plane] & ~self.given[plane]) | (self.free & ~self.may[plane])
        found = {}
        while certain:
            bit = certain & -certain
            certain ^= bit
            sure = [piece for plane, piece in pieces if self.must[plane] & ~self.given[plane] & bit]
            may = [piece for plane, piece in pieces if self.may[plane] & bit]
            cell = divmod(bit.bit_length() - 1, self.bits.stride)
            found[cell] = Left(frozenset(sure or may), self.fill or bool(sure))
        return found

    def contradiction(self, tick: Callable[[], None]) -> list[int] | None:
        """The numbers of limits that cannot be kept together; None where nothing more is certain."""
        before: list[int] = []
        last: list[list[tuple[int, int]]] = [[] for _ in self.parts]
        while before != (before := [*self.may, *self.must]):
            for at, part in enumerate(self.parts):
                # A part is done before the next one: what goes on from cell to cell is soon at its end.
                while (told := [self.bounds(look) for look in part.looks]) != last[at]:
                    last[at] = told
                    if not self.kept(part, told):
                        return part.limits
            tick()
        return None

    def kept(self, part: Part, told: list[tuple[int, int]]) -> bool:
        """Draw what all ways that are left have in common; False if at some anchor none is.

        `told`: where something surely stands, and where it may, for each look.
        """
        some = 0
        held, failed = [0] * len(told), [0] * len(told)  # where a way is left in which it does, or does not
        for holding, failing in part.ways:
            here = part.anchors
            for at in holding:
                here &= told[at][1]
            for at in failing:
                here &= ~told[at][0]
            if here:
                some |= here
                for at in range(len(told)):
                    held[at] |= 0 if at in failing else here
                    failed[at] |= 0 if at in holding else here
        if some != part.anchors:
            return False
        for at, (must, may) in enumerate(told):
            never, always = some & may & ~held[at], some & ~must & ~failed[at]
            if never and not self.deny(part.looks[at], never):
                return False
            if always and not self.demand(part.looks[at], always):
                return False
        return True

    def deny(self, look: Asked, anchors: int) -> bool:
        """Nothing that matches stands so far from these anchors; False if it must."""
        there = seen(anchors, -look.away)
        for plane in look.planes:
            self.may[plane] &= ~there
        return not any(self.must[plane] & there for plane in look.planes)

    def demand(self, look: Asked, anchors: int) -> bool:
        """Something that matches stands so far from these anchors; False if nothing can."""
        there = seen(anchors, -look.away)
        once = twice = 0
        for plane in look.planes:
            twice |= once & self.may[plane]
            once |= self.may[plane]
        for plane in look.planes:
            self.place(plane, there & self.may[plane] & ~twice & ~self.must[plane])
        return not there & ~once

    def place(self, plane: int, there: int) -> None:
        """Something stands on these cells, so that nothing else is placed there."""
        self.must[plane] |= there
        for other in self.placed - {plane} if there else ():
            self.may[other] &= ~there | self.given[other]


def breadth(limit: AtMost) -> int:
    """How many columns the looks of a limit are apart, its anchor among them."""
    columns = [0, *(look.offset[1] for look in limit.looks)]
    return max(columns) - min(columns)


def seen(board: int, away: int) -> int:
    """A board as it is seen from so far away."""
    return board >> away if away >= 0 else board << -away
