"""What is so wherever something helps, and is not where it harms: the conditions of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from ggp.learn.boards import Token
from ggp.learn.fit.toil import spend
from ggp.referee.scanning.ground import bits
from ggp.watch.theory.puzzlescript.drafts import Draft
from ggp.watch.theory.puzzlescript.fixes import beside, mark_of
from ggp.watch.theory.puzzlescript.instances import Instance, Shown, where
from ggp.watch.theory.puzzlescript.rules import AXES, Cell, Item, Row, Rule, put, relative
from ggp.watch.theory.puzzlescript.scenes import Place, Planes
from ggp.watch.theory.puzzlescript.things import Table, Things

NEAR = 2  # cells before and behind a row that are looked at
WIDTH = 60  # conditions that are narrowed down further
DEEP = 4  # things that are asked for
MOST = 300  # places at which a rule is looked at
SAID = 2  # what it costs to ask for a thing
FIRST = 6  # instances for which conditions are looked for
SEEN, ASKED = 60.0, 1.5  # work for what is so at an instance, and for a condition that is narrowed by one
CLASS = 0.4  # what each thing more of a class adds to that, up to so many
LARGE = 4
KEPT = 4  # of each number of things the best conditions that are tried
AXIS_OF = {way: axis for axis in AXES for way in axis}
BEFORE, WAY, AXIS, ANYWHERE = -4, -3, -2, -1


class Atom(NamedTuple):
    """Something that may be asked for, of the cell of a row, or (`row`) of anything anywhere, or a direction.

    `cell` counts from the first cell of the row as it was begun, and may be less than 0. `how` is a mark,
    `stationary`, `no` or ""; with no name it is asked only that there is such a cell. `BEFORE` who plays:
    `how` is who that is, and how it goes, `name` what it turns to.
    """

    row: int
    cell: int
    how: str
    name: str


Bits = int
"""A set of instances."""


class Conditions:
    """The instances of something done, and what is so at each."""

    def __init__(
        self,
        drafts: Sequence[Draft],
        place: Place,
        found: Sequence[Instance],
        views: Sequence[View],
        things: Things,
    ) -> None:
        draft, self.things = drafts[0], things
        self.draft, self.late = draft, place[0]
        begun = {(one.direction, one.starts) for one in drafts}
        self.found = found
        # What is done to cells that stand alone is the same whichever way they are looked along.
        alone = all(len(row) == 1 for row in draft.rule.left)
        self.same = [(one.number, one.starts, "" if alone else one.direction) for one in found]
        self.good = self.bad = 0
        self.first: list[Bits] = []  # the instances that the drafts were made for
        for n, one in enumerate(found):
            bit = 1 << n
            self.good |= bit * (one.worth < 0)
            self.bad |= bit * (one.worth > 0)
            if one.number == 0 and (one.direction, one.starts) in begun and one.worth < 0:
                self.first.append(bit)
        spend(SEEN * len(found))
        self.so: dict[Atom, Bits] = dict(self.nearby(views))
        for atom, bit in self.afar(views):
            self.so[atom] = self.so.get(atom, 0) | bit
        self.absences((1 << len(found)) - 1)
        self.alike = self.on_one_layer()

    def nearby(self, views: Sequence[View]) -> Iterator[tuple[Atom, Bits]]:
        """What is so in the cells of the rows and near them, each with the instances at which it is."""
        for r, row in enumerate(self.draft.rule.left):
            for k in range(-NEAR, len(row) + NEAR):
                there, held = 0, dict[Item, Bits]()
                for n, one in enumerate(self.found):
                    view = views[one.number]
                    cell = view.cell(one.starts[r], one.direction, k)
                    if cell is not None:
                        there |= 1 << n
                        for item in view.at(cell, one.direction, self.late):
                            held[item] = held.get(item, 0) | 1 << n
                if there:
                    yield Atom(r, k, "", ""), there
                yield from ((Atom(r, k, *item), where) for item, where in held.items())

    def afar(self, views: Sequence[View]) -> Iterator[tuple[Atom, Bits]]:
        """What is so of a whole board, seen along a direction; which direction that is."""
        alike = dict[tuple[int, str], Bits]()
        for n, one in enumerate(self.found):
            key = one.number, one.direction
            alike[key] = alike.get(key, 0) | 1 << n
        for (number, direction), held in alike.items():
            yield Atom(WAY, 0, "", direction), held
            yield Atom(AXIS, 0, "", AXIS_OF[direction][0]), held
            for how, name in views[number].somewhere(direction, self.late):
                yield Atom(ANYWHERE, 0, how, name), held
            for who, name in views[number].before_players(direction, self.late):
                yield Atom(BEFORE, 0, who, name), held

    def absences(self, every: Bits) -> None:
        """What is not so, of the cells of the rows and near them."""
        for atom, held in list(self.so.items()):
            if atom.row >= 0 and atom.name and not atom.how:
                there = self.so[Atom(atom.row, atom.cell, "", "")]
                self.so[atom._replace(how="no")] = there & ~held
        every_cell = ((atom, held) for atom, held in self.so.items() if atom.row >= 0 and not atom.name)
        self.within = {(atom.row, atom.cell): held for atom, held in every_cell}
        self.sure = [atom for atom, held in self.so.items() if held == every]
        for atom in self.sure:  # what is so everywhere tells nothing
            del self.so[atom]

    def on_one_layer(self) -> dict[tuple[int, int, int], list[tuple[Token, Bits]]]:
        """The things that were seen in a cell of a row, or near, by their layers: of them are classes."""
        found: dict[tuple[int, int, int], list[tuple[Token, Bits]]] = {}
        for atom, held in self.so.items():
            if atom.row >= 0 and atom.name and not atom.how:
                layer = self.things.layer_of[atom.name]
                found.setdefault((atom.row, atom.cell, layer), []).append((atom.name, held))
        return {key: some for key, some in found.items() if len(some) > 1}

    def classes(self, held: Bits, first: Bits) -> Iterator[tuple[Atom, Bits]]:
        """One of the things with which it helped somewhere, and of those with which it never harmed, too.

        And none of those with which it harmed, and never helped.
        """
        for (row, cell, _), some in self.alike.items():
            helped = [(name, so) for name, so in some if so & held & self.good]
            never = [(name, so) for name, so in helped if not so & held & self.bad]
            harmed = [(name, so) for name, so in some if so & held & self.bad and not so & held & self.good]
            for those in (helped, never):
                so = union(those)
                if len(those) > 1 and so & first:
                    yield Atom(row, cell, "", self.things.either(name for name, _ in those)), so
            so = self.within[row, cell] & ~union(harmed)
            if len(harmed) > 1 and so & first:
                yield Atom(row, cell, "no", self.things.either(name for name, _ in harmed)), so

    def best(self) -> list[tuple[float, tuple[Atom, ...]]]:
        """The conditions that hold where it helps, and seldom where it harms, each with what it is worth."""
        found = dict[tuple[Atom, ...], float]()
        for first in self.first[:FIRST]:
            for some, held in self.best_at(first):
                if some not in found:
                    worth = sum(
                        {
                            self.same[n]: self.found[n].worth for n in bits(held & (self.good | self.bad))
                        }.values()
                    )
                    found[some] = worth + SAID * sum(map(self.weight, some))
        return sorted((worth, some) for some, worth in found.items())

    def best_at(self, first: Bits) -> Iterator[tuple[tuple[Atom, ...], Bits]]:
        """The same of what is so at one instance, each with where it holds."""
        known = ((atom, bits) for atom, bits in self.so.items() if bits & first)
        atoms = sorted(known, key=lambda one: (weight(one[0]), one[0]))
        beam: list[tuple[tuple[Atom, ...], Bits]] = [((), self.good | self.bad)]
        seen = set[Bits]()
        for _ in range(DEEP + 1):
            scored = sorted((self.score(held, some), n) for n, (some, held) in enumerate(beam))
            yield from (beam[n] for _, n in scored[:KEPT])
            grown = list[tuple[tuple[Atom, ...], Bits]]()
            for _, n in scored[:WIDTH]:
                some, held = beam[n]
                spend(ASKED * len(atoms))
                asked = [*atoms, *self.classes(held, first)] if held & self.bad else []
                for atom, so in asked:
                    left = held & so
                    if left != held and left not in seen:
                        seen.add(left)
                        grown.append(((*some, atom), left))
            beam = grown

    def weight(self, atom: Atom) -> float:
        """How much an atom says; of a class more than of one thing."""
        some = min(len(self.things.members(atom.name)), LARGE) if atom.row >= 0 and atom.name else 1
        return weight(atom) + CLASS * (some - 1)

    def score(self, bits: Bits, some: tuple[Atom, ...]) -> float:
        """The less the better: what helps counts, what harms counts double."""
        return (
            2 * (bits & self.bad).bit_count()
            - (bits & self.good).bit_count()
            + 0.3 * sum(map(self.weight, some))
        )


def union(some: Iterable[tuple[Token, Bits]]) -> Bits:
    """The instances at which there is one of some things."""
    return reduce(or_, (so for _, so in some), 0)


def always(rule: Rule, place: Place, shown: Sequence[Shown]) -> tuple[Draft, list[Atom]]:
    """What was so wherever a rule was found, beside what it asks for."""
    draft = Draft(rule, "", (), ())
    found = list[Instance]()
    for number, one in enumerate(shown):
        for direction in rule.ways:
            places = [where(one.scene.table, one.said.at(place), row, direction) for row in rule.left]
            found += (Instance(number, direction, starts, -1) for starts in product(*map(bits, places)))
    views = [View(one.scene.table, one.said.at(place)) for one in shown]
    told = Conditions([draft], place, found[:MOST], views, shown[0].scene.table.things)
    return draft, [atom for atom in told.sure if atom.name or atom.row < 0]


class View:
    """What stands in each cell of a turn, at one place among the rules."""

    def __init__(self, table: Table, planes: Planes) -> None:
        self.table, self.planes = table, planes
        self.known: dict[tuple[int, str, bool], list[Item]] = {}
        self.anywhere: dict[tuple[str, bool], set[Item]] = {}
        self.players: dict[tuple[str, bool], set[tuple[str, str]]] = {}

    @cached_property
    def stacks(self) -> list[list[Item]]:
        """What stands in each cell, with how it is marked."""
        ground, tokens = self.table.ground, self.table.things.tokens
        found: list[list[Item]] = [[] for _ in range(ground.size)]
        for number, token in enumerate(tokens):
            for cell in bits(self.planes[number]):
                mark = mark_of(self.planes, ground.layer_of[number], len(tokens), cell)
                found[cell].append((mark, token))
        return found

    def at(self, cell: int, direction: str, late: bool) -> list[Item]:
        """What may be asked of a cell by a rule that is turned to a direction."""
        key = cell, direction, late
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = []
            for how, name in self.stacks[cell]:
                found.append(("", name))
                if not late:
                    found.append((relative(how, direction) or "stationary", name))
        return found

    def somewhere(self, direction: str, late: bool) -> set[Item]:
        """What may be asked for anywhere: that something rests there is never of use."""
        key = direction, late
        if key not in self.anywhere:
            cells = range(self.table.ground.size)
            items = {item for cell in cells for item in self.at(cell, direction, late)}
            self.anywhere[key] = {item for item in items if item[0] != "stationary"}
        return self.anywhere[key]

    def before_players(self, direction: str, late: bool) -> set[Item]:
        """(who plays, as a rule asks for it; what stands in the cell that it turns to)."""
        key = direction, late
        if key not in self.players:
            found = self.players[key] = set()
            things = self.table.things
            cells = (c for player in things.player for c in bits(self.planes[things.number[player]]))
            for cell in cells:
                ahead = beside(self.table, cell, direction)
                for how, player in self.at(cell, direction, late) if ahead is not None else ():
                    turned = how in (">", "action") or (late and not how)
                    if turned and ahead is not None and player in things.player:
                        there = [name for _, name in self.stacks[ahead]]
                        found |= {(f"{how} {player}".strip(), name) for name in there}
        return self.players[key]

    def cell(self, start: int, direction: str, steps: int) -> int | None:
        """The cell so many steps ahead, or behind; None outside."""
        way = direction if steps >= 0 else BACK[direction]
        return beside(self.table, start, way, abs(steps))


BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}


def weight(atom: Atom) -> float:
    """How much an atom says: marks and what stands near less than what does not, or stands anywhere."""
    if atom.row in (WAY, AXIS):
        return 1.0 if atom.row == WAY else 1.4
    if atom.row == BEFORE:
        return 1.9
    far = 0.6 if atom.row == ANYWHERE else 0.1 * abs(atom.cell)
    if not atom.name:
        return 0.9 + far
    return 1 + far + (0.5 if atom.how == "no" else -0.1 if atom.how else 0)


def with_atoms(draft: Draft, atoms: Sequence[Atom], things: Things) -> Rule:
    """The rule that asks for more."""
    rule = draft.rule
    rows = [Grown(left, right, things) for left, right in zip(rule.left, rule.right, strict=True)]
    ways = rule.ways
    beyond = list[Row]()
    for atom in atoms:
        if atom.row == WAY:
            ways = (atom.name,)
        elif atom.row == AXIS:
            ways = AXIS_OF[atom.name] if len(ways) > 1 else ways
        elif atom.row == ANYWHERE:
            beyond.append((((atom.how, atom.name),),))
        elif atom.row == BEFORE:
            how, _, player = atom.how.rpartition(" ")
            beyond.append((((how, player),), (("", atom.name),)))
        else:
            rows[atom.row].ask(atom, late=rule.late)
    return rule._replace(
        left=(*(tuple(row.left) for row in rows), *beyond),
        right=(*(tuple(row.right) for row in rows), *beyond),
        ways=ways,
    )


class Grown:
    """A row of a rule, of which more and more is asked."""

    def __init__(self, left: Row, right: Row, things: Things) -> None:
        self.left, self.right, self.things = list(left), list(right), things
        self.begin = 0  # where the first cell is now

    def ask(self, atom: Atom, *, late: bool) -> None:
        """Ask for one thing more."""
        at = atom.cell + self.begin
        while at < 0:
            self.left.insert(0, ())
            self.right.insert(0, ())
            self.begin, at = self.begin + 1, at + 1
        while at >= len(self.left):
            self.left.append(())
            self.right.append(())
        if atom.name:
            self.left[at], self.right[at] = self.asked(self.left[at], self.right[at], atom)

    def asked(self, left: Cell, right: Cell, atom: Atom) -> tuple[Cell, Cell]:
        """A cell of which one thing more is asked."""
        layer = self.things.layer_of
        if atom.how == "no":
            return (*left, ("no", atom.name)), right
        kept = "" if atom.how == "stationary" else atom.how
        for n, (how, name) in enumerate(left):
            if name == atom.name and how != "no":
                if how:
                    return left, right
                same = tuple(
                    (kept, one) if not was and layer[one] == layer[name] else (was, one) for was, one in right
                )
                return put(left, n, (atom.how, name)), same
        come = any(layer[name] == layer[atom.name] for _, name in right)
        left = (*left, (atom.how, atom.name))
        return left, right if come else (*right, (kept, atom.name))
