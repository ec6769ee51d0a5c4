"""Which boards there are at each moment of a turn, proved by induction over passes and turns.

What might hold is proposed: pairs of pieces that share no cell, and markers that are nowhere with some input.
What a pass can make untrue on boards where all of it holds is struck out, for each moment between two passes,
until nothing is left to strike (Houdini). Playing random levels first strikes out most of what is not so, and
saves questions. What remains holds whenever it did before the first turn, and there
it is read off what maps can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from ggp.model import Game
from ggp.proof.equivalence.contexts import (
    Context,
    few_of,
    starting_absent,
    starting_few,
    starting_together,
)
from ggp.proof.equivalence.programs import Leg, blank, flow_of, forms_of, program_of
from ggp.proof.equivalence.watching import watch
from ggp.proof.equivalence.windows import SIZE, Compile, FindModel, Met, Passes, meetings, windows
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Pass, passes_of


@lru_cache(maxsize=64)
def contexts(game: Game, find_model: FindModel) -> tuple[Context, ...]:
    """The context of each point of a game's program (see `ggp.proof.equivalence.programs.Pair`)."""
    return Induction(game, find_model).run()


@lru_cache(maxsize=64)
def plain_contexts(game: Game) -> tuple[Context, ...]:
    """The same with no induction over passes: what is known when the input has been made, and numbers."""
    transition = compile_instance(blank(game, SIZE, SIZE))
    forms, few = forms_of(blank(game, 1, 1)), few_of(game, transition)
    first = Context(
        absent=frozenset(starting_absent(transition, forms)), few=(*few, *starting_few(transition, forms))
    )
    points = flow_of(program_of(game, transition)).points
    return (first, *(Context(few=few) for _ in range(points - 1)))


class Induction:
    """What is still believed of each point, and the striking out of what is not so."""

    def __init__(self, game: Game, find_model: FindModel) -> None:
        self.game = game
        self.find_model = find_model
        self.transition = compile_instance(blank(game, SIZE, SIZE))
        program = program_of(game, self.transition)
        self.flow = flow_of(program)
        self.index = {id(step): number for number, step in enumerate(passes_of(program))}
        self.plain = plain_contexts(game)
        forms = forms_of(blank(game, 1, 1))
        pairs = self.candidates()
        markers = {(plane, n) for plane in self.transition.markers for n in range(len(forms))}
        self.believed = [Met(set(pairs), set(markers)) for _ in range(self.flow.points)]
        picks = {self.transition.number[form.marker] for form in forms if form.marker is not None}
        together = set(starting_together(game, self.transition))
        together |= {(a, b) for a, b in pairs if (a in picks) != (b in picks)}
        self.believed[0] = Met(pairs - together, set(self.plain[0].absent))
        for point, seen in enumerate(watch(game, self.flow.points)):
            self.believed[point].pairs.difference_update(seen.pairs)
            self.believed[point].there.difference_update(seen.there)

    def candidates(self) -> set[tuple[int, int]]:
        """All pairs of planes, but for those that their layer keeps apart."""
        kept = {
            (min(a, b), max(a, b))
            for hard, soft in self.transition.shares.values()
            for a in hard
            for b in (*hard, *soft)
        }
        return set(combinations(range(len(self.transition.planes)), 2)) - kept

    def run(self) -> tuple[Context, ...]:
        """Strike out until all that is believed follows from itself."""
        legs: Sequence[Leg] = self.flow.legs
        changed = set(range(self.flow.points))
        while changed:
            again, changed = changed, set()
            for leg in legs:
                if leg.before in again | changed and self.follow(leg):
                    changed.add(leg.after)
        return tuple(self.context(point) for point in range(self.flow.points))

    def context(self, point: int) -> Context:
        """What is believed of a point."""
        known = self.believed[point]
        return Context(frozenset(known.pairs), frozenset(known.there), self.plain[point].few)

    def follow(self, leg: Leg) -> bool:
        """Strike out what does not hold after a leg; was there anything?"""
        before, after = self.believed[leg.before], self.believed[leg.after]
        put = set() if leg.step is None else put_by(leg.step)
        gone = {pair for pair in after.pairs - before.pairs if put.isdisjoint(pair)}
        there = {(p, form) for p, form in after.there - before.there if p not in put}
        if leg.after == 0:  # a turn ends, and its markers vanish
            markers = self.transition.markers
            gone = {pair for pair in gone if markers.isdisjoint(pair)}
            there = set()
        struck = bool(gone or there)
        after.pairs.difference_update(gone)
        after.there.difference_update(there)
        return (leg.step is not None and self.strike(leg, leg.step, put)) or struck

    def strike(self, leg: Leg, step: Pass, put: set[int]) -> bool:
        """Strike out what the pass of a leg can make untrue, again and again."""
        after = self.believed[leg.after]
        struck = False
        while True:
            pairs = {pair for pair in after.pairs if not put.isdisjoint(pair)}
            asked = Met(pairs, {(p, form) for p, form in after.there if p in put})
            more = {plane for pair in pairs for plane in pair} | {plane for plane, _ in asked.there}
            met = Met(set(), set())
            for window, ((one,),) in windows(self.game, self.chosen(step), self.context(leg.before), more):
                found = meetings(window, one, asked, self.find_model)
                met = Met(met.pairs | found.pairs, met.there | found.there)
            if not (met.pairs or met.there):
                return struck
            struck = True
            after.pairs.difference_update(met.pairs)
            after.there.difference_update(met.there)

    def chosen(self, step: Pass) -> Choice:
        """Picks this pass from the compiled program."""
        return Choice(self.game, self.index[id(step)])


class Choice:
    """Picks one pass of a game's program."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.number = number

    def __call__(self, compiled: Compile) -> tuple[Passes, ...]:
        steps = tuple(passes_of(program_of(self.game, compiled(self.game))))
        return ((steps[self.number],),)


def put_by(step: Pass) -> set[int]:
    """The planes of which a pass may put a piece."""
    return {
        c.result for _, rules in step.subjects for rule in rules for c in rule.changes if c.result is not None
    }
