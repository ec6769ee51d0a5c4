"""Rules in scan order written as rules of passes: conditions, effects, and what passes need besides.

Marks become markers: for each layer a kind with a facing, and one for `action` where a rule looks at it.
What a rule asks for anywhere on the board is heard everywhere: cells where it is found begin, and it is
handed on by 1, 2, 4, ... cells, along the rows and then along the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

from ggp.errors import Place
from ggp.model import (
    DIRECTIONS,
    RELATIVE,
    Class,
    Condition,
    Effect,
    Game,
    Group,
    InputIs,
    Kind,
    Path,
    Pattern,
    Rule,
)
from ggp.transition.scanned.cells import Ground, Part, Plane, Planes
from ggp.transition.scanned.refusal import KeepsOrder
from ggp.transition.scanned.rules import Ready, Row

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
TOKENS = {"again": "again", "cancel": "undone", "restart": "undone", "win": "won"}
Turn = Callable[[str], str]
"""What a direction of the board is called in a rule."""


def as_it_is(direction: str) -> str:
    """The direction itself, in rules that are not turned."""
    return direction


def seen_from(way: str) -> Turn:
    """Directions as something sees them that faces one way."""
    names = {number: word for word, number in RELATIVE.items()}
    return lambda direction: names[(DIRECTIONS.index(direction) - DIRECTIONS.index(way)) % 4]


class Names:
    """The kinds and classes of the game that is written: those that it has, and new ones."""

    def __init__(self, game: Game, one_way: bool) -> None:
        self.one_way = one_way
        self.kinds = list(game.kinds)
        self.classes = list(game.classes)
        self.taken = {kind.name for kind in game.kinds} | {one.name for one in game.classes}
        self.made: dict[object, Pattern] = {}
        for one in game.classes:
            self.made.setdefault(frozenset(one.members), Pattern(one.name))

    def fresh(self, name: str) -> str:
        """A name that nothing has yet."""
        while name in self.taken:
            name += "-"
        self.taken.add(name)
        return name

    def kind(self, name: str, facings: tuple[str, ...] = (), *, marker: bool = True) -> Pattern:
        """A new kind of that name, the same one each time."""
        if name not in self.made:
            called = self.fresh(name)
            self.kinds.append(Kind(called, called, facings, marker=marker))
            self.made[name] = Pattern(called)
        return self.made[name]

    def go(self, layer: str, way: str | None = None) -> Pattern:
        """The marker of things that are to go: one way, or any.

        Where all go the way of the input it needs no facing.
        """
        if self.one_way:
            return self.kind(f"go-{layer}")
        return Pattern(self.kind(f"go-{layer}", DIRECTIONS).name, way)

    def act(self, layer: str) -> Pattern:
        """The marker of what is marked with `action`."""
        return self.kind(f"act-{layer}")

    def some(self, kinds: Iterable[Plane]) -> Pattern:
        """A kind, or a class of several."""
        wanted = set(kinds)
        members = tuple(kind.name for kind in self.kinds if kind.name in wanted)
        if len(members) == 1:
            return Pattern(members[0])
        key = frozenset(members)
        if key not in self.made:
            name = self.fresh(f"some-{sum(one.name.startswith('some-') for one in self.classes) + 1}")
            self.classes.append(Class(name, members))
            self.made[key] = Pattern(name)
        return self.made[key]


@dataclass(frozen=True)
class Writer:
    """Writes rules for boards of one size."""

    names: Names
    ground: Ground
    height: int
    width: int

    # --- one cell -----------------------------------------------------------------------------------------

    def patterns(self, planes: Planes, turn: Turn) -> Iterator[Pattern]:
        """Patterns that match all of these planes together, each those of one layer."""
        kinds = [plane for plane in planes if isinstance(plane, str)]
        for slot in sorted({self.ground.slot_of[kind] for kind in kinds}):
            yield self.names.some(kind for kind in kinds if self.ground.slot_of[kind] == slot)
        marks = sorted(plane for plane in planes if isinstance(plane, tuple))
        for layer in dict.fromkeys(layer for layer, _ in marks):
            ways = [way for one, way in marks if one == layer]
            moving = [way for way in ways if way in DIRECTIONS]
            there = self.ground.slots[layer, True] - self.ground.never
            if moving and all(mark[1] in ways for mark in there if mark[1] in DIRECTIONS):
                yield self.names.go(layer)
            else:
                yield from (self.names.go(layer, turn(way)) for way in moving)
            if "action" in ways and (layer, "action") not in self.ground.never:
                yield self.names.act(layer)

    def plane(self, plane: Plane, turn: Turn) -> Pattern:
        """The pattern of one plane."""
        if isinstance(plane, str):
            return Pattern(plane)
        layer, way = plane
        return self.names.act(layer) if way == "action" else self.names.go(layer, turn(way))

    def present(self, part: Part, path: Path, turn: Turn) -> list[Condition]:
        """What must be in a cell; what there is one of at most comes first, markers before all."""
        held = sorted(part.asked.held, key=first_marks)
        found = [self.plane(plane, turn) for plane in held]
        some = sorted(part.asked.some, key=lambda one: (self.slots(one) > 1, sorted(map(str, one))))
        found += [self.names.some(one) for one in some]
        return [Condition("present", path, pattern) for pattern in found]

    def slots(self, planes: Planes) -> int:
        """How many of these can be in one cell."""
        return len({self.ground.slot_of[plane] for plane in planes})

    def conditions(self, part: Part, path: Path, turn: Turn) -> list[Condition]:
        """All that a cell is asked for."""
        found = self.present(part, path, turn)
        if not found and (path or not part.asked.free):
            found.append(Condition("inside", path))
        kinds = [plane for plane in part.asked.free if isinstance(plane, str)]
        absent = [self.names.some(kinds)] if kinds else []
        absent += self.patterns(part.asked.free - frozenset(kinds), turn)
        return found + [Condition("absent", path, one) for one in absent]

    def effects(self, part: Part, path: Path, turn: Turn) -> Iterator[Effect]:
        """What is done to a cell: for each thing that comes, what may stand in its place goes."""
        gone = part.outs | frozenset(one for one in part.ins if isinstance(one, str)) - part.known.free
        for pattern in self.patterns(gone, turn):
            yield Effect("remove", pattern, path)
        for plane in sorted(part.ins, key=str):
            yield Effect("add", self.plane(plane, turn), path)

    def signs(self, part: Part, path: Path, turn: Turn) -> list[Condition] | None:
        """Conditions of which one holds wherever changing the cell makes a difference; None: everywhere."""
        found = []
        for slot in sorted({self.ground.slot_of[plane] for plane in part.ins | part.outs}):
            planes = self.ground.slots[slot]
            ins, outs = part.ins & planes, part.outs & planes
            if ins & part.known.free or (not ins and outs & part.known.held):
                return None
            if ins:
                found += [Condition("absent", path, self.plane(plane, turn)) for plane in ins]
            else:
                found += [Condition("present", path, one) for one in self.patterns(outs, turn)]
        return found

    # --- one rule -----------------------------------------------------------------------------------------

    def gaps(self, row: Row) -> Iterator[list[tuple[Part, int]]]:
        """The cells of a row with their distance from the first one, for all gaps that have room."""
        length = sum(map(len, row))
        room = max(self.height, self.width) - length
        for gaps in product(range(room + 1), repeat=len(row) - 1):
            if sum(gaps) > max(room, 0):
                continue
            cells, at = [], 0
            for piece, gap in zip(row, (*gaps, 0), strict=True):
                cells += [(part, at + index) for index, part in enumerate(piece)]
                at += len(piece) + gap
            yield cells

    def anchor(self, cells: list[tuple[Part, int]], way: str | None, place: Place | None) -> int:
        """Which cell of a row is best to look from: one with a marker, or with what there is one of."""
        for wanted in (self.is_marked, self.is_single, self.is_bare):
            for number, (part, _) in enumerate(cells):
                if wanted(part, way):
                    return number
        raise KeepsOrder("the rule speaks of nothing but names for things of several layers", place)

    def is_marked(self, part: Part, way: str | None) -> bool:
        """Is a mark asked for, of this way where one is said?"""
        marks = [plane for plane in part.asked.held if isinstance(plane, tuple)]
        return any(way in (None, mark) for _, mark in marks)

    def is_single(self, part: Part, way: str | None) -> bool:
        """Is something asked for of which a cell holds one?"""
        return way is None and (bool(part.asked.held) or any(self.slots(one) == 1 for one in part.asked.some))

    def is_bare(self, part: Part, way: str | None) -> bool:
        """Is nothing asked for?"""
        return way is None and not part.asked.held and not part.asked.some

    def placed(
        self, cells: list[tuple[Part, int]], rule: Ready, way: str | None
    ) -> tuple[list[tuple[Part, Path]], Turn]:
        """The cells with the paths to them, the one to look from first; turned to a `way` if one is said."""
        turn = as_it_is if way is None else seen_from(way)
        first = self.anchor(cells, way, rule.place)
        start = cells[first][1]
        ahead, back = turn(rule.direction), turn(OPPOSITE[rule.direction])
        paths = [
            (part, (ahead,) * (at - start) if at > start else (back,) * (start - at)) for part, at in cells
        ]
        return [paths[first], *paths[:first], *paths[first + 1 :]], turn

    def written(
        self,
        cells: list[tuple[Part, int]],
        rule: Ready,
        way: str | None,
        heard: list[Condition],
        looping: bool,
    ) -> list[Rule]:
        """The rules that change the cells of a match, in the order of trying."""
        placed, turn = self.placed(cells, rule, way)
        conditions = [one for part, path in placed for one in self.conditions(part, path, turn)] + heard
        effects = tuple(one for part, path in placed for one in self.effects(part, path, turn))
        signs = [self.signs(part, path, turn) for part, path in placed if part.changes] if looping else [None]
        sure = None in signs
        found: list[list[Condition]] = [[]] if sure else [[one] for some in signs for one in some or ()]
        return [self.rule(rule, way, (*conditions, *one), effects) for one in found]

    def passes(self, rule: Ready, way: str | None, looping: bool) -> Iterator[Group]:
        """The passes of a rule: what is heard from elsewhere, what it commands, what it changes.

        `way`: written for any input, from the rule for this one.
        """
        listening, heard = self.all_heard(rule.conditions, rule)
        yield from listening
        gaps = list(self.gaps(rule.bodies[0]))
        for word in sorted(rule.commands):
            yield self.commanded(word, gaps, rule, way, heard)
        for cells in gaps if rule.changes else ():
            yield group(self.written(cells, rule, way, heard, looping), rule.place)

    def commanded(
        self,
        word: str,
        gaps: list[list[tuple[Part, int]]],
        rule: Ready,
        way: str | None,
        heard: list[Condition],
    ) -> Group:
        """A token that stays: the rule has given its command."""
        token = self.names.kind(TOKENS[word], marker=word == "again")
        rules = []
        for cells in gaps:
            placed, turn = self.placed(cells, rule, way)
            conditions = [one for part, path in placed for one in self.conditions(part, path, turn)]
            conditions += [*heard, Condition("absent", (), token)]
            rules.append(self.rule(rule, way, conditions, (Effect("add", token, ()),)))
        return group(rules, rule.place)

    def rule(
        self, rule: Ready, way: str | None, conditions: Iterable[Condition], effects: tuple[Effect, ...]
    ) -> Rule:
        """A rule of a pass, that stands for one of the game."""
        toward: Literal["none", "input"] = "none" if way is None else "input"
        given = rule.ways if self.names.one_way and way is None else ()
        asked: list[Condition | InputIs] = [*conditions, *(InputIs(word) for word in given)]
        return Rule(name_of(rule.place), toward, tuple(asked), effects, place=rule.place)

    def all_heard(self, rows: Iterable[Row], rule: Ready) -> tuple[list[Group], list[Condition]]:
        """Passes after which it is heard everywhere which of these rows are found, and what asks for all."""
        listening: list[Group] = []
        heard = []
        for number, row in enumerate(rows, start=1):
            pattern = self.names.kind(f"heard-{number}")
            listening += self.hearing(row, rule, pattern)
            heard.append(Condition("present", (), pattern))
        return listening, heard

    def hearing(self, row: Row, rule: Ready, heard: Pattern) -> Iterator[Group]:
        """Put a marker everywhere if a row is found anywhere."""
        seeds = []
        for cells in self.gaps(row):
            placed, turn = self.placed(cells, rule, None)
            seeds.append([one for part, path in placed for one in self.conditions(part, path, turn)])
        yield from self.told(seeds, rule, heard)

    def told(self, seeds: list[list[Condition]], rule: Ready, heard: Pattern) -> Iterator[Group]:
        """Put a marker everywhere if one of these conditions holds anywhere."""
        add, here = (Effect("add", heard, ()),), Condition("present", (), heard)
        # The marker may be there of an earlier rule.
        yield group([self.rule(rule, None, [here], (Effect("remove", heard, ()),))], rule.place)
        yield group([self.rule(rule, None, conditions, add) for conditions in seeds], rule.place)
        for ways, length in ((("left", "right"), self.width), (("up", "down"), self.height)):
            distance = 1
            while distance < length:
                far = [Condition("present", (way,) * distance, heard) for way in ways]
                deaf = Condition("absent", (), heard)
                yield group([self.rule(rule, None, [deaf, one], add) for one in far], rule.place)
                distance *= 2


def first_marks(plane: Plane) -> tuple[bool, bool, str]:
    """Marks that go somewhere, then other marks, then kinds."""
    return isinstance(plane, str), isinstance(plane, tuple) and plane[1] == "action", str(plane)


def name_of(place: Place | None) -> str:
    """What a rule is called: its line."""
    return f"line-{place.line}" if place is not None else "rule"


def group(rules: list[Rule], place: Place | None) -> Group:
    """A pass."""
    return Group(name_of(place), tuple(rules), place=place)
