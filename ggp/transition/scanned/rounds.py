"""How often a group of rules must be gone through until nothing changes.

A group is gone through again as long as it changes something. A change in a later round has a cause: since the
rule was last looked at, another change (or its own) made it match, or undid what it had done, or else it would
have been made before, or would change nothing. So each change ends a chain of causes, one a round at least, back to
the first round; where chains are bounded, so are rounds. Causes are worked out for pairs of rules: a chain through
rules that do not cause one another in a circle visits each rule once, and in a circle whose every step goes on in
one direction of the board it takes no more steps than the board is long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from ggp.model import OFFSETS
from ggp.transition.scanned.cells import Ground, awakes
from ggp.transition.scanned.rules import Ready, flat

Vector = tuple[int, int]


@dataclass(frozen=True)
class Rounds:
    """At most `times * longest + more` rounds change something, `longest` being the longer side of the board."""

    times: int
    more: int

    def amount(self) -> int | str:
        """The same as an amount of a description."""
        return f"{self.times} * longest + {self.more}" if self.times else self.more


def steps(rule: Ready, part: int) -> Vector:
    """From the first cell of a rule to another one of it."""
    row, column = OFFSETS[rule.direction]
    return row * part, column * part


def causes(one: Ready, other: Ready, ground: Ground) -> set[Vector | None]:
    """From a match of one rule to each match of the other that it can cause; None: somewhere."""
    found: set[Vector | None] = set()
    fixed = len(one.body) == 1 and len(other.body) == 1
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


def rounds(rules: Sequence[Ready], ground: Ground, one_way: bool) -> Rounds | None:
    """How many rounds of these rules, in this order, can change something; None where no bound is shown.

    `one_way`: all marks of a turn go one way, so that rules which ask for different ways never go together.
    """
    count = len(rules)
    edges: dict[tuple[int, int], set[Vector | None]] = {}
    for j, i in ((j, i) for j in range(count) for i in range(count)):
        apart = one_way and rules[j].ways and rules[i].ways and rules[j].ways != rules[i].ways
        if rules[j].changes and not apart and (found := causes(rules[j], rules[i], ground)):
            edges[j, i] = found
    if not any(j >= i for j, i in edges):
        return Rounds(0, 1)
    component = components(count, edges)
    circles = {component[j] for j, i in edges if component[j] == component[i]}
    for one in circles:
        inside = [edges[e] for e in edges if component[e[0]] == component[e[1]] == one]
        if not goes_on({vector for vectors in inside for vector in vectors}):
            return None
    return longest_chain(edges, component, circles)


def goes_on(vectors: set[Vector | None]) -> bool:
    """Do all these steps go on in one direction of the board?"""
    if None in vectors:
        return False
    known = [vector for vector in vectors if vector is not None]
    return any(all(v[0] * down + v[1] * right > 0 for v in known) for down, right in OFFSETS.values())


def components(count: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The strongly connected component of each rule, numbered so that causes come first."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    pairs = list(edges)
    rows, columns = [j for j, _ in pairs], [i for _, i in pairs]
    matrix = coo_matrix(([1] * len(pairs), (rows, columns)), shape=(count, count))
    _, labels = connected_components(matrix, connection="strong")
    before: dict[int, set[int]] = {int(label): set() for label in labels}
    for j, i in pairs:
        if labels[j] != labels[i]:
            before[int(labels[i])].add(int(labels[j]))
    order = {label: number for number, label in enumerate(TopologicalSorter(before).static_order())}
    return [order[int(label)] for label in labels]


def longest_chain(edges: Iterable[tuple[int, int]], component: list[int], circles: set[int]) -> Rounds:
    """The longest chain of causes: how often over the board, and single changes besides."""
    best: dict[int, tuple[int, int]] = {}
    pairs = [(component[j], component[i]) for j, i in edges]
    for one in sorted(set(component)):
        before = [best[cause] for cause, effect in pairs if effect == one != cause]
        times = max((times for times, _ in before), default=0)
        more = max((more for _, more in before), default=0)
        best[one] = (times + 1, more) if one in circles else (times, more + 1)
    return Rounds(max(times for times, _ in best.values()), max(more for _, more in best.values()))
