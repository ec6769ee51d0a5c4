"""How many sprites a tick may come to: GVGAI makes 10,000 and no more, and does not say what it left out.

What is killed in a tick counts until it is over. So all probes count that a pass sends out: for each piece
that may be there one, with each state that it may come to, whichever input opens the most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ggp.exporters.vgdl.passes import by_offset, effective
from ggp.model import Piece
from ggp.transition.program import CompiledRule, Pass, Transition, passes_of

MOST_SPRITES = 10_000


@dataclass
class Room:
    """Counts the sprites of a tick. `board`: what is on each cell at the start; `picked`: what picks put;
    `words`: what rules may ask of each input.

    Pieces that become one another are a group: of a group there are as many as there were, unless something
    is made of nothing. `total` says how many there may be of each group together.
    """

    transition: Transition
    board: Iterable[frozenset[Piece]]
    picked: frozenset[int]
    words: Sequence[frozenset[str]]

    def __post_init__(self) -> None:
        transition = self.transition
        self.cells = transition.height * transition.width
        self.group = groups(transition)
        self.total = Counter(self.group[transition.number[piece]] for here in self.board for piece in here)
        self.total.update(self.group[plane] for plane in self.picked)
        lasting = {change.result for step in passes(transition) for change in made(step, transition.exempt)}
        for plane in (lasting | transition.exempt) - transition.markers - {None}:
            self.total[self.group[plane]] = MOST_SPRITES  # it may be on any cell

    def most(self, plane: int) -> int:
        """How many of a piece there may be."""
        return min(self.cells, self.total[self.group[plane]])

    def of_pass(self, step: Pass, images: Iterable[int]) -> int:
        """How many sprites a pass makes, at most; what it makes of nothing is there for the ones after it."""
        total = 0
        layers: dict[str, dict[int, int]] = {}  # what a probe costs of each group, where one excludes others
        for subject, rules in step.subjects:
            cost = 2 + self.tried(rules) + max(map(carried, rules), default=0)
            if subject is None or subject in self.transition.exempt:
                total += cost * (self.cells if subject is None else self.most(subject))
                continue
            costs = layers.setdefault(self.transition.layers[subject], {})
            costs[self.group[subject]] = max(cost, costs.get(self.group[subject], 0))
        for costs in layers.values():
            each = sum(self.total[group] * cost for group, cost in costs.items())
            total += min(self.cells * max(costs.values()), each)
        puts = {c.result for _, rules in step.subjects for rule in rules for c in rule.changes}
        total += sum(self.most(plane) for plane in {*images, *(self.transition.exempt & puts)})
        for change in made(step, self.transition.exempt):
            if change.result in self.transition.markers:
                number = self.cells if change.subject is None else self.most(change.subject)
                self.total[self.group[change.result]] += number
        return total

    def tried(self, rules: Sequence[CompiledRule]) -> int:
        """How many states a probe goes through that tries rules in order, for the input that needs most."""
        each = [frozenset[str]()] if not any(rule.inputs for rule in rules) else self.words
        return max(
            (sum(asked(rule) for rule in rules if words.issuperset(rule.inputs)) for words in each), default=0
        )


class Made(NamedTuple):
    """Something that a firing of a subject may make of nothing."""

    subject: int | None
    result: int


def made(step: Pass, exempt: frozenset[int]) -> set[Made]:
    """What a pass may make that was not there as another piece of the group.

    What may share a place can be taken by several at once; so only a move of one's own makes no more of it.
    """
    found = set[Made]()
    for subject, rules in step.subjects:
        for rule in rules:
            taken = set()
            for change in rule.changes:
                own = change.plane == subject and change.source == (0, 0)
                once = (change.plane, change.source) not in taken
                taken.add((change.plane, change.source))
                moved = change.plane is not None and once and (own or change.plane not in exempt)
                if change.result is not None and not moved:
                    found.add(Made(subject, change.result))
    return found


def groups(transition: Transition) -> dict[int, int]:
    """Of each piece the least of those that become one another."""
    least = {plane: plane for plane in range(len(transition.planes))}
    pairs = {(c.plane, c.result) for rule in transition.rules() for c in rule.changes}
    for _ in least:
        for one, other in pairs:
            if one is not None and other is not None:
                least[one] = least[other] = min(least[one], least[other])
    return least


def passes(transition: Transition) -> Iterator[Pass]:
    """Each pass of a turn, those of loops once."""
    return passes_of((*transition.turn, *transition.physics))


def asked(rule: CompiledRule) -> int:
    """How many states a probe goes through that tries a rule, at most: there, what it finds, and back."""
    total = 1
    for (row, column), terms in by_offset(rule.terms).items():
        total += 2 * (abs(row) + abs(column)) + max(
            1, sum(term.wanted == bool(term.planes) for term in terms)
        )
    return total


def carried(rule: CompiledRule) -> int:
    """How many sprites carry out what a rule does."""
    total, at = 0, (0, 0)
    for change in effective(rule):
        (row, column), (down, right) = change.source, change.target
        total += abs(row - at[0]) + abs(column - at[1]) + 3 + abs(down - row) + abs(right - column)
        at = change.source
    return total
