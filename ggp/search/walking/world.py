"""One piece that walks by itself in a world that is static once designed: what its rules say of each cell.

Boards are integers with one bit a cell, so that what holds for all cells is worked out for all at once: where
a rule can fire at all, whatever is placed, and in how many turns an end can be reached from where. The tables
that come of it are what `ggp.search.walking.loops` runs over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import and_, or_
from typing import Any, NamedTuple

from ggp.analysis.dead_squares import bits_of
from ggp.analysis.state_graph.refusals import refuse_plainly, refuse_rules, the_pass
from ggp.errors import Unfit
from ggp.model import Cell, Instance, Piece
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import ending, initial_state
from ggp.referee.stock import budgets
from ggp.transition.bits import Bits
from ggp.transition.program import CompiledRule, Term, Transition

NEVER = 1 << 40  # a number of turns that is none
MOST_PLANES = 60  # a set of planes is a number of 64 bits
ABSENT, PRESENT, CLEAR = range(3)  # what is asked of a cell; `CLEAR`: else the run breaks off


class Tables(NamedTuple):
    """What stays during a search: lists, or arrays, of whole numbers.

    A state is `size` x the number of the mover's plane, plus a place. Places number the cells row by row with
    a margin around, so that what lies at an offset is always a number away.
    """

    size: int
    horizon: int
    stops: bool  # a run is over where it has won; else it goes on, and asks on, to the horizon
    placed: int  # the planes of what can be placed, as bits
    pieces: Any  # the plane of each choice for a cell, as a bit; the first choice is nothing
    rules: Any  # of each plane of the mover: its first rule; one more for the end
    possible: Any  # size x rule + place: 1 where the rule can fire, whatever is placed
    goes: Any  # of each rule: what is added to the state
    asks: Any  # of each rule: its first question; one more for the end
    where: Any  # of each question: how far away it is asked
    planes: Any  # of each question: about which planes, as bits
    wanted: Any  # of each question: ABSENT, PRESENT, CLEAR
    fixed: Any  # of each place: the planes that stand there for good, as bits
    left: Any  # of each state: in how many turns an end can be reached, whatever is placed
    ends: Any  # of each state: 1 where the run has won
    ranks: Any  # of each place: along some axis no rule leads back, and this is how far along it lies
    near: int  # the least and the greatest rank, from that of the mover, of what a rule asks about
    far: int


@dataclass(frozen=True)
class Fate:
    """Of one rule, for all cells at once: where it can fire, where it surely does, where it breaks off."""

    rule: CompiledRule
    possible: int
    sure: int
    asked: tuple[Term, ...]  # what is open on some cell
    breaks: int  # where it would run into what stays
    may_break: int  # or into what may be placed

    @property
    def result(self) -> int | None:
        """The plane in which the mover is afterwards; None if the rule changes nothing."""
        return self.rule.changes[0].result if self.rule.changes else None

    @property
    def offset(self) -> Cell:
        """How far the mover goes."""
        return self.rule.changes[0].target if self.rule.changes else (0, 0)


class World:
    """The world of an instance without inputs. Raises Unfit where it is not of that sort."""

    def __init__(self, instance: Instance, transition: Transition) -> None:
        refuse_plainly(instance)
        self.instance, self.transition = instance, transition
        self.bits = Bits(transition)
        rows, columns = (
            transition.radius
        )  # as far as a rule looks there are places before and after all cells
        self.margin = rows * self.bits.stride + columns
        self.size = transition.height * self.bits.stride + 2 * self.margin
        self.step = the_pass(transition)
        self.movers = tuple(sorted(transition.dynamic))
        self.pieces = placeable(instance)
        self.placed = frozenset(transition.number[piece] for piece in self.pieces)
        self.refuse()
        self.start = self.bits.pack(initial_state(instance, partial=True))
        if sum(self.start[plane].bit_count() for plane in self.movers) != 1:
            raise Unfit("not just one piece of it moves")
        self.free = self.bits.cells(free_cells(instance))
        subjects = dict(self.step.subjects)
        self.fates = {plane: self.fates_of(plane, subjects.get(plane, ())) for plane in self.movers}
        self.any_turn = ending(instance) == "any-turn"
        self.horizon = instance.level.horizon or 0
        self.ends = self.ending_boards()

    def refuse(self) -> None:
        """Raise Unfit for what is seen of the rules and of the goal."""
        goal, transition = self.instance.game.goal, self.transition
        refuse_rules(self.step, frozenset(self.movers), self.placed)
        if any(subject not in self.movers for subject, _ in self.step.subjects):
            raise Unfit("it has rules about what stays")
        if transition.wraps or len(transition.planes) > MOST_PLANES:
            raise Unfit("its board wraps, or it has too many kinds of pieces")
        if budgets(self.instance):
            raise Unfit("each kind that is placed has a limit of its own")
        if goal.lose or self.instance.game.chance or len(self.instance.game.players) > 1:
            raise Unfit("it can be lost, or has chance or several players")

    # --- the rules, for all cells at once

    def fates_of(self, plane: int, rules: tuple[CompiledRule, ...]) -> tuple[Fate, ...]:
        """The rules of a mover's plane, in their order."""
        found, left = [], self.bits.full
        for rule in rules:
            told = [self.term(term, plane) for term in rule.terms]
            never = reduce(or_, (no for _, no in told), 0)
            sure = reduce(and_, (yes for yes, _ in told), left)
            asked = [
                term for term, (yes, no) in zip(rule.terms, told, strict=True) if self.bits.full & ~(yes | no)
            ]
            breaks, may_break = self.collisions(rule)
            found.append(Fate(rule, left & ~never, sure, tuple(asked), breaks, may_break))
            left &= ~sure
        return tuple(found)

    def term(self, term: Term, plane: int) -> tuple[int, int]:
        """(where a term surely holds, where it surely does not) for a mover in this plane."""
        full = self.bits.full
        if not term.planes:
            there, open_ = self.at(full, term.offset), 0
        elif term.offset == (0, 0) and plane in term.planes:
            there, open_ = full, 0
        else:
            still = [other for other in term.planes if other not in self.movers]
            there = self.at(reduce(or_, (self.start[other] for other in still), 0), term.offset)
            open_ = self.at(self.free if self.placed.intersection(still) else 0, term.offset) & ~there
        nowhere = full & ~there & ~open_
        return (there, nowhere) if term.wanted else (nowhere, there)

    def at(self, board: int, offset: Cell) -> int:
        """The cells from which `board` lies at an offset."""
        return self.bits.shift(board, offset) & self.bits.full

    def rivals(self, plane: int) -> list[int]:
        """The planes that must not share a cell with the mover in this plane."""
        hard, soft = self.transition.shares[self.transition.layers[plane]]
        rivals = hard if plane in self.transition.exempt else (*hard, *soft)
        return [rival for rival in rivals if rival not in self.movers]

    def collisions(self, rule: CompiledRule) -> tuple[int, int]:
        """(where a rule leads onto what stays, where it may lead onto what was placed)."""
        if not rule.changes or rule.changes[0].result is None:
            return 0, 0
        rivals = self.rivals(rule.changes[0].result)
        standing = reduce(or_, (self.start[rival] for rival in rivals), 0)
        placed = self.free if self.placed.intersection(rivals) else 0
        return self.at(standing, rule.changes[0].target), self.at(placed, rule.changes[0].target)

    # --- where a run has won

    def ending_boards(self) -> dict[int, int]:
        """Where the mover has won and stays so, by its plane. Raises Unfit where it may leave again."""
        good = self.wanted()
        if self.any_turn:
            return good
        kept = dict(good)
        while True:
            stay = {plane: kept[plane] & ~self.leaving(plane, kept) for plane in self.movers}
            if stay == kept:
                break
            kept = stay
        if any(self.reached[plane] & good[plane] & ~kept[plane] for plane in self.movers if good != kept):
            raise Unfit("what moves may leave again where the goal wants it")
        return kept

    def wanted(self) -> dict[int, int]:
        """Where the goal wants the mover, by its plane."""
        good = dict.fromkeys(self.movers, self.bits.full)
        for term in self.instance.game.goal.terms:
            required: Any = getattr(term, "ground_required", lambda: None)()
            if required is None:
                raise Unfit(f"`{term.source()}` asks for more than where a piece stands")
            what, ground = (self.transition.planes_of(self.instance, pattern) for pattern in required)
            if not good.keys() >= set(what) or self.placed.union(self.movers).intersection(ground):
                raise Unfit(f"`{term.source()}` asks for ground that changes, or for pieces that stay")
            for plane in what:
                good[plane] &= reduce(or_, (self.start[other] for other in ground), 0)
        return good

    def leaving(self, plane: int, kept: dict[int, int]) -> int:
        """Where a turn may lead out of `kept`, or break off."""
        out = 0
        for fate in self.fates[plane]:
            after = kept[plane if fate.result is None else fate.result]
            out |= fate.possible & (fate.breaks | fate.may_break | ~self.at(after, fate.offset))
        return out

    @property
    def reached(self) -> dict[int, int]:
        """Where the mover can get to within the horizon, by its plane, whatever is placed."""
        found = {plane: self.start[plane] for plane in self.movers}
        front = dict(found)
        for _ in range(self.horizon):
            after = dict.fromkeys(self.movers, 0)
            for plane, fate in self.moves():
                back = (-fate.offset[0], -fate.offset[1])
                after[self.plane_after(plane, fate)] |= self.at(front[plane] & fate.possible, back)
            front = {plane: after[plane] & ~found[plane] for plane in self.movers}
            found = {plane: found[plane] | front[plane] for plane in self.movers}
        return found

    def moves(self) -> Iterator[tuple[int, Fate]]:
        """Every rule with the mover's plane."""
        return ((plane, fate) for plane in self.movers for fate in self.fates[plane])

    @staticmethod
    def plane_after(plane: int, fate: Fate) -> int:
        """The mover's plane after a rule."""
        return plane if fate.result is None else fate.result

    # --- tables

    def place(self, cell: int) -> int:
        """The number of a place, of a cell as a bit."""
        return cell.bit_length() - 1 + self.margin

    def first(self) -> int:
        """The state at the start."""
        plane = next(plane for plane in self.movers if self.start[plane])
        return self.movers.index(plane) * self.size + self.place(self.start[plane])

    def tables(self, stops: bool) -> Tables:
        """The tables; `stops` as in `Tables`."""
        fates = [fate for _, fate in self.moves()]
        questions = [self.questions(plane, fate) for plane, fate in self.moves()]
        flat = [one for asked in questions for one in asked]
        ranks, near, far = self.axis([where for where, _, _ in flat])
        goes = [
            (self.movers.index(self.plane_after(plane, fate)) - number) * self.size + self.away(fate.offset)
            for number, plane in enumerate(self.movers)
            for fate in self.fates[plane]
        ]
        return Tables(
            self.size,
            self.horizon,
            stops or self.any_turn,
            mask(self.placed),
            [0, *(1 << self.transition.number[piece] for piece in self.pieces)],
            [0, *accumulate(len(self.fates[plane]) for plane in self.movers)],
            b"".join(self.spread(fate.possible) for fate in fates),
            goes,
            [0, *accumulate(map(len, questions))],
            [self.away(where) for where, _, _ in flat],
            [planes for _, planes, _ in flat],
            [wanted for _, _, wanted in flat],
            self.fixed(),
            self.turns_left(),
            b"".join(self.spread(self.ends[plane]) for plane in self.movers),
            ranks,
            near,
            far,
        )

    def away(self, offset: Cell) -> int:
        """How many places away an offset leads."""
        return offset[0] * self.bits.stride + offset[1]

    def spread(self, board: int) -> bytes:
        """The bits of a board as bytes, one a place."""
        digits = format(board << self.margin, f"0{self.size}b")[::-1]
        return digits.encode().translate(DIGITS)

    def questions(self, plane: int, fate: Fate) -> list[tuple[Cell, int, int]]:
        """(where, about which planes, what is wanted) of all that is open; what the mover runs into last."""
        still = mask(frozenset(range(len(self.transition.planes))).difference(self.movers))
        asked = [
            (term.offset, mask(frozenset(term.planes)) & still, PRESENT if term.wanted else ABSENT)
            for term in fate.asked
        ]
        if fate.possible & (fate.breaks | fate.may_break):
            asked.append((fate.offset, mask(self.rivals(self.plane_after(plane, fate))), CLEAR))
        return asked

    def fixed(self) -> list[int]:
        """What stands on each place for good."""
        found = [0] * self.size
        for plane, board in enumerate(self.start):
            if plane not in self.movers:
                for place, there in enumerate(self.spread(board)):
                    found[place] |= there << plane
        return found

    def turns_left(self) -> list[int]:
        """Of each state in how many turns an end can be reached, whatever is placed."""
        left = [NEVER] * (len(self.movers) * self.size)
        seen = dict.fromkeys(self.movers, 0)
        front = dict(self.ends)
        moves = [
            (plane, self.plane_after(plane, fate), fate.possible & ~fate.breaks, self.away(fate.offset))
            for plane, fate in self.moves()
        ]
        firsts = [(plane, n * self.size + self.margin - 1) for n, plane in enumerate(self.movers)]
        for turns in range(self.horizon + 1):
            for plane, first in firsts:
                board = front[plane]
                seen[plane] |= board
                while board:
                    cell = board & -board
                    left[first + cell.bit_length()] = turns
                    board ^= cell
            before = dict.fromkeys(self.movers, 0)
            for plane, after, possible, away in moves:
                if board := front[after]:  # what goes past an edge is nowhere possible
                    before[plane] |= possible & (board >> away if away >= 0 else board << -away)
            front = {plane: board & ~seen[plane] for plane, board in before.items()}
            if not any(front.values()):
                break
        return left

    def axis(self, asked: list[Cell]) -> tuple[list[int], int, int]:
        """`ranks`, `near` and `far` along an axis on which no rule leads back, all 0 if there is none."""
        offsets = [fate.offset for _, fate in self.moves() if fate.possible]
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if all(down * row + right * column >= 0 for row, column in offsets):
                lengths = [down * row + right * column for row, column in asked] or [0]
                stride, places = self.bits.stride, range(-self.margin, self.size - self.margin)
                ranks = [down * (place // stride) + right * (place % stride) for place in places]
                return ranks, min(lengths), max(lengths)
        return [0] * self.size, 0, 0

    def open_places(self) -> list[int]:
        """The places on which something may be placed."""
        return [self.place(cell) for cell in bits_of(self.free)]

    def placement(self, place: int, choice: int) -> tuple[Cell, Piece]:
        """What a choice (not the first, which is nothing) puts where."""
        row, column = divmod(place - self.margin, self.bits.stride)
        return (row, column), self.pieces[choice - 1]


DIGITS = bytes(byte - 48 if byte in b"01" else 0 for byte in range(256))


def mask(planes: Any) -> int:
    """A set of planes as bits."""
    return sum(1 << plane for plane in planes)
