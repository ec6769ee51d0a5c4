"""What a rule asks of the whole board, said by cells: markers count, and tell it to every cell.

A pass sees a few cells round each anchor, and everything below (search, encodings, exports, certificates)
lives on that. So before a group that asks `count gem <= 2` come groups of markers: the pieces mark their
cells, the marks are added up along rows and columns at distances 1, 2, 4, ..., and what came out is spread
over the board; after the group the marks are gone. `count gem = 0` needs one sort of mark, spread at once:
on a board of 8 by 8 six groups of two rules, besides those that mark and clear. A number n needs n + 1
sorts (`>=`: n), each of which is added up in six groups first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import DescriptionError
from ggp.goals import count as counts
from ggp.goals.on import On
from ggp.model import (
    Asked,
    Block,
    Condition,
    Effect,
    Group,
    Instance,
    Kind,
    OnBoard,
    Path,
    Pattern,
    Phase,
    Rule,
    Term,
    groups_of,
)
from ggp.model.board import amount, height, kinds_of, subject_pattern, variants, width

BACK: Path = ("up", "down")  # the anchor, not called `here`: what is asked there does not become the subject


class Counted(NamedTuple):
    """What is counted: pieces that match `what`, on (or off) `ground`."""

    what: Pattern
    placing: str
    ground: Pattern | None


class Count(NamedTuple):
    """A sentence about the board as a count: which number must be reached, and which not (None: any)."""

    counted: Counted
    present: int | None
    absent: int | None

    def levels(self) -> set[int]:
        """The numbers of which every cell must be told whether there are so many."""
        return {level for level in (self.present, self.absent) if level is not None and level > 0}


def said_by_cells(instance: Instance, size: tuple[int, int] | None = None) -> Instance:
    """The instance with rules that look at cells only, and the same runs; itself where they do already.

    `size`: rows and columns of a larger board, for which the same rules are to do.
    """
    game = instance.game
    phases = (*game.turn, *game.physics)
    if not any(sentences(group) for phase in phases for group in groups_of(phase)):
        return instance
    telling = Telling(instance, size or (height(instance), width(instance)))
    turn, physics = telling.phases(game.turn), telling.phases(game.physics)
    kinds = (*game.kinds, *(Kind(name, name, marker=True) for name in telling.marks.values()))
    return Instance(replace(game, kinds=kinds, turn=turn, physics=physics), instance.level)


def sentences(group: Group) -> list[OnBoard]:
    """What the rules of a group ask of the whole board."""
    return [one for rule in group.rules for one in rule.conditions if isinstance(one, OnBoard)]


def as_count(instance: Instance, sentence: Term) -> Count:
    """A sentence as a count; `every crate on target` is that there are none off it."""
    if isinstance(sentence, counts.Count):
        number, comparison = amount(instance, sentence.number), sentence.comparison
        counted = Counted(sentence.what, sentence.placing, sentence.ground)
        return Count(
            counted, number if comparison != "<=" else None, number + 1 if comparison != ">=" else None
        )
    if not isinstance(sentence, On):
        raise DescriptionError(f"a rule cannot ask `{sentence.source()}`", "ask `count KIND = 0`")
    other = {"on": "off", "off": "on"}[sentence.placing]
    placing = other if sentence.quantifier == "every" else sentence.placing
    counted = Counted(sentence.what, placing, sentence.ground)
    return Count(counted, 1, None) if sentence.quantifier == "some" else Count(counted, None, 1)


class Telling:
    """Writes the groups that tell every cell what stands on the board. `marks` are the markers' names."""

    def __init__(self, instance: Instance, size: tuple[int, int]) -> None:
        self.instance = instance
        self.rows, self.columns = size
        self.marks: dict[tuple[Counted, int], str] = {}

    def phases(self, phases: Sequence[Phase]) -> tuple[Phase, ...]:
        """Phases that do the same, of rules that look at cells only."""
        return tuple(told for phase in phases for told in self.phase(phase))

    def phase(self, phase: Phase) -> tuple[Group | Block, ...]:
        """The same for one; where it is a loop, all that is told is told in each round."""
        if isinstance(phase, Block):
            return (replace(phase, groups=self.phases(phase.groups)),)
        if not sentences(phase):
            return (phase,)
        if phase.bound is not None:
            groups = self.phase(replace(phase, bound=None))
            return (Block(phase.name, groups, phase.bound, phase.place),)
        asked: dict[Counted, set[int]] = {}
        for one in sentences(phase):
            count = as_count(self.instance, one.sentence)
            asked.setdefault(count.counted, set()).update(count.levels())
        asked = {counted: levels for counted, levels in asked.items() if levels}
        before = [group for counted, levels in asked.items() for group in self.told(counted, levels, phase)]
        used = [self.mark(one, level) for one in asked for level in range(1, max(asked[one]) + 1)]
        after = [self.cleared(used, phase)] if used else []
        rules = tuple(told for rule in phase.rules for told in self.rule(rule))
        return (*before, replace(phase, rules=rules), *after)

    def rule(self, rule: Rule) -> Iterator[Rule]:
        """The rule, asking for marks instead; none if what it asks can never be."""
        at = () if subject_pattern(rule) is not None else BACK
        asked: list[Asked] = []
        last: list[Asked] = []
        for one in rule.conditions:
            if not isinstance(one, OnBoard):
                asked.append(one)
                continue
            count = as_count(self.instance, one.sentence)
            if count.absent is not None and count.absent <= 0:
                return
            if count.present is not None and count.present > 0:
                last.append(Condition("present", at, self.marked(count, count.present), one.place))
            if count.absent is not None:
                last.append(Condition("absent", (), self.marked(count, count.absent), one.place))
        yield replace(rule, conditions=(*asked, *last))

    def marked(self, count: Count, level: int) -> Pattern:
        """The same as what a condition looks for."""
        return Pattern(self.mark(count.counted, level))

    def mark(self, counted: Counted, level: int) -> str:
        """The marker that says that there are so many at least."""
        key = counted, level
        if key not in self.marks:
            taken = {*self.marks.values(), *(kind.name for kind in self.instance.game.kinds)}
            taken |= {group.name for group in self.instance.game.classes}
            names = (f"told-{number}" for number in range(1, len(taken) + 2))
            self.marks[key] = next(name for name in names if name not in taken)
        return self.marks[key]

    # --- the groups

    def told(self, counted: Counted, levels: set[int], phase: Group) -> Iterator[Group]:
        """The groups after which every cell has the marks of these levels."""
        top = max(levels)
        marks = ["", *(self.mark(counted, level) for level in range(1, top + 1))]
        for sort, what in enumerate(self.pieces(counted) if top > 1 else [counted.what], 1):
            for level in range(min(sort, top), 0, -1):
                yield telling(phase, (marking(counted, what, marks, level),))
        if top > 1:
            if self.instance.game.wraps:
                message = "on a board that wraps a rule cannot count the whole board"
                raise DescriptionError(message, "ask for `= 0` or `>= 1`", phase.place)
            for _, path in self.along(doubled):
                yield from (telling(phase, rules) for rules in added_up(marks, path))
        for level in sorted(levels):
            for step, path in self.along(reaching):
                yield telling(phase, spread(marks[level], step, path))

    def along(self, distances: Callable[[int], Iterator[int]]) -> Iterator[tuple[str, Path]]:
        """Steps and paths to the right at growing distances, and then down."""
        for step, size in (("right", self.columns), ("down", self.rows)):
            yield from ((step, (step,) * distance) for distance in distances(size))

    def pieces(self, counted: Counted) -> list[Pattern]:
        """The patterns that are marked one after another, so that two pieces of one cell count as two."""
        names = kinds_of(self.instance.game, counted.what.name)
        kinds = [kind for kind in self.instance.game.kinds if kind.name in names]
        if len({kind.layer for kind in kinds}) <= 1 and not any(kind.merge or kind.marker for kind in kinds):
            return [counted.what]
        wanted = counted.what.variant
        return [
            Pattern(kind.name, variant)
            for kind in kinds
            for variant in variants(self.instance, kind)
            if wanted is None or variant == wanted
        ]

    def cleared(self, marks: list[str], phase: Group) -> Group:
        """The group after which the marks are gone."""
        rules = tuple(
            Rule(f"clear-{mark}", "none", (here(mark),), (Effect("remove", Pattern(mark), ()),))
            for mark in marks
        )
        return telling(phase, rules)


def telling(phase: Group, rules: tuple[Rule, ...]) -> Group:
    """A group of rules about marks, for a group that asks for them."""
    return Group(f"{phase.name or 'rules'}: the whole board", rules, None, phase.place)


def here(mark: str, wants: str = "present") -> Condition:
    """The mark is there, or not."""
    return Condition("present" if wants == "present" else "absent", (), Pattern(mark))


def marking(counted: Counted, what: Pattern, marks: Sequence[str], level: int) -> Rule:
    """A piece makes it one more in its cell."""
    asked = [Condition("present", (), what)]
    if counted.ground is not None:
        asked.append(Condition("present" if counted.placing == "on" else "absent", (), counted.ground))
    asked += [here(marks[level - 1])] if level > 1 else []
    asked.append(here(marks[level], "absent"))
    return Rule(f"mark-{marks[level]}", "none", tuple(asked), (Effect("add", Pattern(marks[level]), ()),))


def added_up(marks: Sequence[str], path: Path) -> Iterator[tuple[Rule, ...]]:
    """Each cell counts what the cell at that distance counts, too; the highest first: it reads the others."""
    for level in range(len(marks) - 1, 0, -1):
        rules = []
        for own in range(level):
            asked = [Condition("present", path, Pattern(marks[level - own])), here(marks[level], "absent")]
            asked += [Condition("present", BACK, Pattern(marks[own]))] if own else []
            add = Effect("add", Pattern(marks[level]), ())
            rules.append(Rule(f"sum-{marks[level]}-{own}", "none", tuple(asked), (add,)))
        yield tuple(rules)


def spread(mark: str, step: str, path: Path) -> tuple[Rule, ...]:
    """Each cell gets the mark of a cell at that distance, one way or the other."""
    other = {"right": "left", "down": "up"}[step]
    return tuple(
        Rule(
            f"spread-{mark}-{way}",
            "none",
            (Condition("present", (way,) * len(path), Pattern(mark)), here(mark, "absent")),
            (Effect("add", Pattern(mark), ()),),
        )
        for way in (step, other)
    )


def doubled(size: int) -> Iterator[int]:
    """Distances at which sums over 1, 2, 4, ... cells are added to one another, until all are in."""
    distance = 1
    while distance < size:
        yield distance
        distance *= 2


def reaching(size: int) -> Iterator[int]:
    """Distances of which some sum, taken one way, leads from any cell to any other."""
    reach = 0
    while reach < size - 1:
        distance = min(reach + 1, size - 1 - reach)
        yield distance
        reach += distance
