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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from ggp.model import OFFSETS
from ggp.transition.scanned.cells import Ground, awakes
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


def steps(rule: Ready, part: int) -> Vector:
    """From the first cell of a rule to another one of it."""
    row, column = OFFSETS[rule.direction]
    return row * part, column * part


def causes(one: Ready, other: Ready, ground: Ground) -> set[Vector | None]:
    """From a match of one rule to each match of the other that it can cause; None: somewhere."""
    found: set[Vector | None] = set()
    fixed = one.stiff and other.stiff
    changed = [(number, part) for number, part in enumerate(one.parts) if part.changes]
    for number, part in changed:
        for place, target in enumerate(other.parts):
            if awakes(part, target, ground):
                (down, right), (back, left) = steps(one, number), steps(other, place)
                found.add((down - back, right - left) if fixed else None)
        far = (target for row in other.conditions for target in flat(row))
        if any(awakes(part, target, ground) for target in far):
            found.add(None)
    return found


def rounds(rules: Sequence[Ready], ground: Ground) -> Rounds | None:
    """How many rounds of these rules, in this order, can change something; None where no bound is shown.

    Rules that ask for different ways on things that are marked by the input (`Ready.ways`) never go together.
    """
    count = len(rules)
    edges: dict[tuple[int, int], set[Vector | None]] = {}
    for j, i in ((j, i) for j in range(count) for i in range(count)):
        apart = rules[j].ways and rules[i].ways and rules[j].ways != rules[i].ways
        if rules[j].changes and not apart and (found := causes(rules[j], rules[i], ground)):
            edges[j, i] = found
    if not any(j >= i for j, i in edges):
        return ONCE
    component = components(count, edges)
    circles: dict[int, Rounds] = {}
    for one in {component[j] for j, i in edges if component[j] == component[i]}:
        vectors = {v for e in edges if component[e[0]] == component[e[1]] == one for v in edges[e]}
        inside = [rule for rule, of in zip(rules, component, strict=True) if of == one]
        bound = Rounds(along=1) if goes_on(vectors) else used_up(inside, rules, vectors)
        if bound is None:
            return None
        circles[one] = bound
    return longest_chain(edges, component, circles)


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


def components(count: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """For each rule a number, the same for rules that cause one another; causes have smaller ones."""
    reached = [1 << rule for rule in range(count)]  # a bit for each rule that a chain leads to
    for cause, effect in edges:
        reached[cause] |= 1 << effect
    for middle in range(count):
        for rule in range(count):
            if reached[rule] >> middle & 1:
                reached[rule] |= reached[middle]
    # Rules that cause one another reach the same; what causes others reaches all that they do, and itself.
    order = sorted(set(reached), key=int.bit_count, reverse=True)
    number = {found: place for place, found in enumerate(order)}
    return [number[found] for found in reached]


def longest_chain(
    edges: Iterable[tuple[int, int]], component: list[int], circles: dict[int, Rounds]
) -> Rounds:
    """The longest chain of causes."""
    best: dict[int, Rounds] = {}
    pairs = [(component[j], component[i]) for j, i in edges]
    for one in sorted(set(component)):
        before = [best[cause] for cause, effect in pairs if effect == one != cause]
        best[one] = reduce(or_, before, Rounds()) + circles.get(one, ONCE)
    return reduce(or_, best.values())
