"""When a round of a loop counts as one that did something.

For the referee a loop rests when a run of its body leaves the board as it was. Mostly that is so exactly when
nothing fired, and a fact tells that something did. But a body may undo what it did: a lamp goes on and off,
two balls change places. Where that cannot be ruled out, a round begins by noting what stands where, and ends
by comparing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.exporters.pddl.task import Effect, Fact, Not, all_of
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import DIRECTIONS, OFFSETS
from ggp.model.board import Action
from ggp.transition.program import (
    Change,
    Loop,
    Offset,
    Program,
    Transition,
    changed_by,
    changes_of,
    given,
    input_words,
)

Edge = tuple[int | None, int | None, Offset]
"""A piece of this plane becomes one of that, so many cells away. None: there is none, before or after."""


def may_undo(transition: Transition, loop: Loop, inputs: Iterable[Action]) -> bool:
    """May a run of the body, with one of these inputs, fire and yet leave the board as it was?

    False is sure, True is not. Pieces go round in a run that undoes all: what is taken comes back, as the
    same piece on the same cell. So nothing is undone if planes that lead to each other do so only by steps
    with a common direction, and what comes from nowhere does not go there again. (Of the planes that
    something happens to take those to which none of the others leads: pieces leave them, or go that
    direction, and nothing makes up for either.)
    """
    return any(goes_round(transition, given(loop.body, input_words(action))) for action in inputs)


def goes_round(transition: Transition, body: Program) -> bool:
    """May a piece get back to where it was, or one come and go, within these steps?"""
    edges = {edge for change in changes_of(body) for edge in edges_of(transition, change)}
    leads = reached({(one, other) for one, other, _ in edges})
    if (None, None) in leads:
        return True
    circles: dict[frozenset[int | None], list[Offset]] = {}
    for one, other, step in edges:
        if (other, one) in leads:
            same = frozenset(plane for plane in changed_by(body) if {(one, plane), (plane, one)} <= leads)
            circles.setdefault(same, []).append(step)
    return any(transition.wraps or not one_way(steps) for steps in circles.values())


def edges_of(transition: Transition, change: Change) -> Iterator[Edge]:
    """What becomes of a piece by a change; one that merges with another may be gone."""
    step = (change.target[0] - change.source[0], change.target[1] - change.source[1])
    yield change.plane, change.result, step
    if change.plane is not None and change.result in transition.exempt:
        yield change.plane, None, step


def reached(pairs: set[tuple[int | None, int | None]]) -> set[tuple[int | None, int | None]]:
    """Which leads to which, by however many steps."""
    found = set(pairs)
    while True:
        further = {(one, last) for one, middle in found for other, last in pairs if middle == other} - found
        if not further:
            return found
        found |= further


def one_way(steps: Iterable[Offset]) -> bool:
    """Does every step lead some way in one of the four directions?"""
    ways = [OFFSETS[direction] for direction in DIRECTIONS]
    return any(all(down * step[0] + right * step[1] > 0 for step in steps) for down, right in ways)


class Noting:
    """The effects that note what a loop can change, and those that compare it and set `moved`."""

    def __init__(self, words: Vocabulary, loop: Loop, number: int, moved: Fact) -> None:
        self.moved = moved
        self.pairs: list[tuple[Fact, Fact]] = []
        for plane in sorted(changed_by(loop.body)):
            for cell in words.cells:
                stands = words.piece(plane, cell)
                name = words.predicate(f"{stands.name} before {number}", *words.predicates[stands.name])
                self.pairs.append((stands, Fact(name, stands.args)))

    def note(self) -> list[Effect]:
        """What stands there now is noted."""
        return [Effect(noted, True, stands) for stands, noted in self.pairs]

    def compare(self) -> Iterator[Effect]:
        """Where something is not as it was noted, that is said; the notes are gone."""
        for stands, noted in self.pairs:
            yield Effect(self.moved, True, all_of([stands, Not(noted)]))
            yield Effect(self.moved, True, all_of([noted, Not(stands)]))
            yield Effect(noted, False)
