"""How often a group of rules must be gone through until nothing changes.

A group is gone through again as long as it changes something. A change in a later round has a cause: since
the rule was last looked at, another change (or its own) made it match, or undid what it had done, or else
it would have been made before, or would change nothing. So each change ends a chain of causes, one a round
at least, back to the first round; where chains are bounded, so are rounds. Causes are worked out for pairs
of rules: a chain through rules that do not cause one another in a circle visits each rule once. In a circle
whose every step goes on in one direction of the board it takes no more steps than the board is long; where
nothing puts back what rules of a circle take away, or takes away what they put, it takes no more steps than
there are things to put and to take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from ggp.model import OFFSETS
from ggp.transition.scanned.cells import Ground, Part, awakes
from ggp.transition.scanned.rules import Ready, flat

Vector = tuple[int, int]


@dataclass(frozen=True)
class Rounds:
    """So many rounds change something at most: `along` the longer side of a board, `over` all its cells."""

    along: int = 0
    over: int = 0
    more: int = 0

    def __add__(self, other: Rounds) -> Rounds:
        return Rounds(self.along + other.along, self.over + other.over, self.more + other.more)

    def __or__(self, other: Rounds) -> Rounds:
        """As many as either may need."""
        return Rounds(*map(max, (self.along, self.over, self.more), (other.along, other.over, other.more)))

    def amount(self) -> int | str:
        """The same as an amount of a description."""
        parts = [f"{self.along} * longest"] if self.along else []
        parts += [f"{self.over} * height * width"] if self.over else []
        return " + ".join([*parts, *([str(self.more)] if self.more else [])]) if parts else self.more


ONCE = Rounds(more=1)
LIKELY = Rounds(along=1)
"""Where no bound is shown: what most boards keep to, since most chains go along a line."""


def rounds(rules: Sequence[Ready], ground: Ground) -> Rounds | None:
    """How many rounds of these rules, in this order, can change something; None where no bound is shown.

    Rules that ask for different ways on things that are marked by the input (`Ready.ways`) never go together.
    """
    graph = Causes(rules, ground)
    if not any(after & ((2 << rule) - 1) for rule, after in enumerate(graph.after)):
        return ONCE
    found: dict[int, Rounds] = {}  # for each circle of causes
    chains: dict[Rounds, int] = {}  # the rules up to which the longest chain is so long
    for members in circles(graph.after, graph.before):
        inside = list(bits(members))
        before = reduce(or_, (graph.before[rule] for rule in inside))
        chain = reduce(or_, (length for length, some in chains.items() if some & before), Rounds())
        if before & members:
            own = [rules[rule] for rule in inside]
            vectors = graph.vectors(inside)
            bound = Rounds(along=1) if goes_on(vectors) else used_up(own, rules, vectors)
            if bound is None:
                return None
            found[members] = bound
        chain += found.get(members, ONCE)
        chains[chain] = chains.get(chain, 0) | members
    return reduce(or_, chains)


class Causes:
    """Which matches of a rule can cause which matches of another one.

    Imported games have thousands of rules that are made of few different cells, so each two cells are
    compared once. `after` and `before` have for each rule a set of rules, as bits: those that it can cause
    to match, and those that can cause it to.
    """

    def __init__(self, rules: Sequence[Ready], ground: Ground) -> None:
        self.rules, self.ground = rules, ground
        self.parts: dict[Part, int] = {}
        self.ends = [list(self.targets(rule)) for rule in rules]
        self.starts = [list(self.changed(rule)) for rule in rules]
        using = [0] * len(self.parts)  # for each cell the rules that ask for it
        for number, ends in enumerate(self.ends):
            for part, _ in ends:
                using[part] |= 1 << number
        known = list(self.parts)
        sources = dict.fromkeys(part for starts in self.starts for part, _ in starts)
        self.woken = {
            part: {
                other for other, one in enumerate(known) if using[other] and awakes(known[part], one, ground)
            }
            for part in sources
        }
        reached = {part: reduce(or_, (using[other] for other in self.woken[part]), 0) for part in sources}
        together = self.together()
        self.after = [
            reduce(or_, (reached[part] for part, _ in starts), 0) & together[rule.ways]
            for rule, starts in zip(rules, self.starts, strict=True)
        ]
        self.before = turned_round(self.after)

    def number(self, part: Part) -> int:
        """The number of a cell of a rule, the same for equal ones."""
        return self.parts.setdefault(part, len(self.parts))

    def targets(self, rule: Ready) -> Iterator[tuple[int, Vector | None]]:
        """The cells for which a rule asks, and how far they are from its first; None: anywhere."""
        for place, part in enumerate(rule.parts):
            yield self.number(part), steps(rule, place) if rule.stiff else None
        yield from ((self.number(part), None) for row in rule.conditions for part in flat(row))

    def changed(self, rule: Ready) -> Iterator[tuple[int, Vector | None]]:
        """The same of the cells that it changes."""
        for place, part in enumerate(rule.parts):
            if part.changes:
                yield self.number(part), steps(rule, place) if rule.stiff else None

    def together(self) -> dict[frozenset[str], int]:
        """For each set of ways the rules that can match in the same turn as one that asks for these."""
        asking: dict[frozenset[str], int] = {frozenset(): 0}
        for number, rule in enumerate(self.rules):
            asking[rule.ways] = asking.get(rule.ways, 0) | 1 << number
        always = asking[frozenset()]
        return {ways: some | always if ways else (1 << len(self.rules)) - 1 for ways, some in asking.items()}

    def vectors(self, members: Sequence[int]) -> set[Vector | None]:
        """From matches of these rules to matches of one another that they can cause; None: somewhere."""
        starts = dict.fromkeys(
            (self.rules[one].ways, *start) for one in members for start in self.starts[one]
        )
        ends: dict[int, dict[tuple[frozenset[str], Vector | None], None]] = {}
        for one in members:
            for part, vector in self.ends[one]:
                ends.setdefault(part, {})[self.rules[one].ways, vector] = None
        found: set[Vector | None] = set()
        for ways, part, start in starts:
            for other in self.woken[part] & ends.keys():
                for theirs, end in ends[other]:
                    if ways and theirs and ways != theirs:
                        continue
                    if start is None or end is None:
                        found.add(None)
                    else:
                        found.add((start[0] - end[0], start[1] - end[1]))
        return found


def steps(rule: Ready, part: int) -> Vector:
    """From the first cell of a rule to another one of it."""
    row, column = OFFSETS[rule.direction]
    return row * part, column * part


def bits(some: int) -> Iterator[int]:
    """The numbers of a set of bits, the lowest first."""
    while some:
        yield (some & -some).bit_length() - 1
        some &= some - 1


def used_up(inside: Sequence[Ready], rules: Sequence[Ready], vectors: set[Vector | None]) -> Rounds | None:
    """How many things rules of a circle can put and take, if no rule of the group undoes it; else None.

    Each change of a chain puts or takes one, and where all steps and rules are along a line, on that line.
    """
    put = frozenset(plane for rule in inside for part in rule.parts for plane in part.ins)
    taken = frozenset(plane for rule in inside for part in rule.parts for plane in part.outs)
    back = frozenset(plane for rule in rules for part in rule.parts for plane in part.ins)
    away = frozenset(plane for rule in rules for part in rule.parts for plane in part.outs)
    if put & away or taken & back:
        return None
    known = [vector for vector in vectors if vector is not None]
    sideways = {rule.direction in ("left", "right") for rule in inside}
    on_line = (
        len(known) == len(vectors)
        and len(sideways) == 1
        and all(v[0 if True in sideways else 1] == 0 for v in known)
    )
    count = len(put | taken)
    return Rounds(along=count) if on_line else Rounds(over=count)


def goes_on(vectors: set[Vector | None]) -> bool:
    """Do all these steps go on in one direction of the board?"""
    if None in vectors:
        return False
    known = [vector for vector in vectors if vector is not None]
    return any(all(v[0] * down + v[1] * right > 0 for v in known) for down, right in OFFSETS.values())


def turned_round(after: Sequence[int]) -> list[int]:
    """For each rule those of which the sets hold it."""
    alike: dict[int, int] = {}  # many rules cause the same
    for number, some in enumerate(after):
        alike[some] = alike.get(some, 0) | 1 << number
    before = [0] * len(after)
    for some, causes in alike.items():
        for rule in bits(some):
            before[rule] |= causes
    return before


def circles(after: Sequence[int], before: Sequence[int]) -> Iterator[int]:
    """The rules in sets that cause one another, causes before what they cause; each set as bits."""
    left = (1 << len(after)) - 1
    order: list[int] = []  # each rule after all that it causes, but for circles
    while left:
        path = [(left & -left).bit_length() - 1]
        left &= ~(1 << path[-1])
        while path:
            on = after[path[-1]] & left
            if on:
                path.append((on & -on).bit_length() - 1)
                left &= ~(1 << path[-1])
            else:
                order.append(path.pop())
    left = (1 << len(after)) - 1
    for first in reversed(order):
        if not left >> first & 1:
            continue
        found, todo = 0, 1 << first
        while todo:
            found |= todo
            todo = reduce(or_, (before[rule] for rule in bits(todo))) & left & ~found
        left &= ~found
        yield found
