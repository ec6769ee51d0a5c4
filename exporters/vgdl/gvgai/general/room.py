"""How many sprites a tick may come to: GVGAI makes 10,000 and no more, and does not say what it left out.

What is killed in a tick counts until it is over. So all probes count that a pass sends out: for each piece
that may be there one, with each state that it may come to, whichever input opens the most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ggp.exporters.vgdl.passes import by_offset, effective
from ggp.model import Piece
from ggp.transition.program import CompiledRule, Pass, Transition

MOST_SPRITES = 10_000


@dataclass
class Room:
    """Counts the sprites of a tick. `board`: what is on each cell at the start; `picked`: what picks put;
    `words`: what rules may ask of each input."""

    transition: Transition
    board: Iterable[frozenset[Piece]]
    picked: frozenset[int]
    words: Sequence[frozenset[str]]

    def __post_init__(self) -> None:
        self.cells = self.transition.height * self.transition.width
        start = Counter(self.transition.number[piece] for here in self.board for piece in here)
        self.most = {plane: self.at_most(plane, start) for plane in range(len(self.transition.planes))}
        self.most |= {plane: int(plane in self.picked) for plane in self.transition.markers}

    def at_most(self, plane: int, start: Mapping[int, int]) -> int:
        """How many of a piece there can be: as many as there are of what may become one, if none is made."""
        sources, new = {plane}, {plane}
        while new:
            new = {
                source for source, result in self.becoming() if result in new and source is not None
            } - sources
            sources |= new
        made = {result for source, result in self.becoming() if source is None}
        if sources & (made | self.transition.exempt):
            return self.cells
        return min(self.cells, sum(start[one] for one in sources))

    def becoming(self) -> set[tuple[int | None, int]]:
        """Which piece becomes which by a rule; None: it is made of nothing, or of what makes another, too."""
        found: set[tuple[int | None, int]] = set()
        for rule in self.transition.rules():
            seen = set()
            for change in rule.changes:
                source = change.plane
                if source in self.transition.markers or (source, change.source) in seen:
                    source = None
                seen.add((change.plane, change.source))
                if change.result is not None:
                    found.add((source, change.result))
        return found

    def of_pass(self, step: Pass, images: Iterable[int]) -> int:
        """How many sprites a pass makes, at most; what it may put is there for the ones after it."""
        alone, total = dict[str, list[tuple[int, int]]](), 0
        put: Counter[int] = Counter()
        for subject, rules in step.subjects:
            number = self.cells if subject is None else self.most[subject]
            cost = 2 + self.tried(rules) + max(map(carried, rules), default=0)
            if subject is None or subject in self.transition.exempt:
                total += number * cost
            else:
                alone.setdefault(self.transition.layers[subject], []).append((number, cost))
            for result in {c.result for rule in rules for c in rule.changes if c.result is not None}:
                put[result] += number * max(sum(c.result == result for c in rule.changes) for rule in rules)
        for some in alone.values():
            most = max(cost for _, cost in some)
            total += min(self.cells * most, sum(number * cost for number, cost in some))
        for plane in self.transition.markers:
            self.most[plane] = min(self.cells, self.most[plane] + put[plane])
        return total + sum(self.most[plane] for plane in {*images, *(put.keys() & self.transition.exempt)})

    def tried(self, rules: Sequence[CompiledRule]) -> int:
        """How many states a probe goes through that tries rules in order, for the input that needs most."""
        each = [frozenset[str]()] if not any(rule.inputs for rule in rules) else self.words
        return max(
            (sum(asked(rule) for rule in rules if words.issuperset(rule.inputs)) for words in each), default=0
        )


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
