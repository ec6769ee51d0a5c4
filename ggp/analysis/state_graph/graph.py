"""The state graph of pieces that walk by themselves in a world that is static once it is designed.

A state is a piece on a cell. What follows it depends on the design alone, so a design makes of the graph a
function, and a run that comes to a state again goes on so for ever: a run that wins is a simple path. An
arc carries what must be placed, and what must not be, for the run to take it. All movers share one graph, as
they share one world; each has a start of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ggp.analysis.dead_squares import bits_of
from ggp.analysis.design import DesignSearch
from ggp.analysis.local import Option
from ggp.analysis.state_graph.arcs import NOTHING, Arc, Placed, State, guarded, joined
from ggp.analysis.state_graph.refusals import refuse_plainly, refuse_rules, the_passes
from ggp.analysis.state_graph.walks import FAR, Walk, affordable, distances
from ggp.errors import Unfit
from ggp.model import Instance, Term
from ggp.referee.semantics import ending
from ggp.referee.stock import budget
from ggp.transition.program import Pass

MOST_ARCS = 1000  # of one state; where there are more they would say no less than all turns written out


@dataclass
class StateGraph:
    """The graph of an instance without inputs. Raises Unfit where there is none.

    `starts` are the states of the movers; `arcs` those of each state that some mover may get to, without
    those that lead nowhere; a state in `ends` needs no arcs, since whoever is there has won. `of_design` are
    the goal's terms about what was placed, which holds or not whatever the movers do: no end asks for them.
    """

    instance: Instance
    tick: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        refuse_plainly(self.instance)
        self.search = DesignSearch(self.instance)
        self.rules, self.transition = self.search.rules, self.search.transition
        self.any_turn = ending(self.instance) == "any-turn"
        self.steps = the_passes(self.transition)
        self.movers = frozenset(self.transition.dynamic)
        for step in self.steps:
            refuse_rules(step, self.movers, self.rules.placed)
        self.of_design = self.asked_of_designs()
        self.starts = tuple(
            (plane, cell) for plane in sorted(self.movers) for cell in bits_of(self.search.start[plane])
        )
        refuse_company(self)
        self.every = self.explored()
        self.ends = self.ending_states()

    @property
    def horizon(self) -> int:
        """How many turns there are."""
        return self.search.horizon

    def asked_of_designs(self) -> tuple[Term, ...]:
        """The terms of the goal that look at what was placed. Raises Unfit where they look at movers, too."""
        goal, readers, planes_of = self.instance.game.goal, self.search.readers, self.transition.planes_of
        found = tuple(term for term in goal.terms if id(term) in readers)
        if any(id(term) in readers for term in goal.lose):
            raise Unfit("what loses looks at what was placed")
        for term in found:
            planes = {plane for one in term.patterns() for plane in planes_of(self.instance, one)}
            if planes & self.movers or not hasattr(term, "test"):
                raise Unfit("its goal looks at what was placed, and at more")
        return found

    # --- what follows a state

    def explored(self) -> dict[State, list[Arc]]:
        """The arcs of every state that may be reached, by whatever design."""
        found: dict[State, list[Arc]] = {}
        todo = list(self.starts)
        while todo:
            state = todo.pop()
            if state not in found:
                if len(found) % 256 == 0:
                    self.tick()
                found[state] = list(self.outcomes(state))
                todo += [arc.target for arc in found[state]]
        return found

    def outcomes(self, state: State) -> list[Arc]:
        """The arcs of a state: all that the passes of a turn, one after another, may do. Raises Unfit."""
        first, *others = self.steps
        found = list(self.after(first, state))
        for step in others:
            self.tick()
            found = [arc for one in found for two in self.after(step, one.target) for arc in joined(one, two)]
            if len(found) > MOST_ARCS:
                raise Unfit(f"a turn of one mover can go on in more than {MOST_ARCS:,} ways")
        return found

    def options(self, step: Pass, state: State) -> Sequence[Option]:
        """What a pass may do in a state, but for nothing."""
        plane, cell = state
        return self.rules.options(step, plane, cell) if plane in dict(step.subjects) else ()

    def after(self, step: Pass, state: State) -> Iterator[Arc]:
        """What comes of a pass: an arc for each rule that may be the first to match, and one for none."""
        options = self.options(step, state)
        earlier: list[frozenset[Placed]] = []
        for option in options:
            asked = self.asked(option, state)
            if asked is not None:
                yield from self.arc(option, state, asked, earlier)
                if not asked:
                    return
                earlier.append(asked)
        yield from guarded(NOTHING, state, frozenset(), earlier)

    def asked(self, option: Option, state: State) -> frozenset[Placed] | None:
        """What an option asks of the design; None where what moves does not let it fire.

        Nothing moves but the piece itself, as far as rules look (`refuse_company`).
        """
        plane, cell = state
        asked = set()
        for question in option.questions:
            own = question.cell == cell and plane in question.planes
            if own:
                if not question.wanted:
                    return None
            elif question.pieces:
                asked.add(Placed(question.cell, question.pieces, question.wanted))
            elif question.wanted:
                return None
        return frozenset(asked)

    def arc(
        self, option: Option, state: State, asked: frozenset[Placed], earlier: Sequence[frozenset[Placed]]
    ) -> Iterator[Arc]:
        """The arc of an option; none where its move runs into something."""
        target, needs = state, set(asked)
        for move in option.moves:
            assert move.result is not None
            target = move.result, move.target
            for rival in self.rivals(move.result):
                if self.search.start[rival] & move.target:
                    return
                if rival in self.rules.placed and self.search.free & move.target:
                    piece = self.transition.planes[rival]
                    needs.add(Placed(move.target, frozenset({piece}), False))
        yield from guarded(option.rule.name, target, frozenset(needs), earlier)

    def rivals(self, plane: int) -> list[int]:
        """What stays where it is and must not share a cell with a piece of the plane."""
        hard, soft = self.transition.shares[self.transition.layers[plane]]
        rivals = hard if plane in self.transition.exempt else (*hard, *soft)
        return [rival for rival in rivals if rival not in self.movers]

    # --- where a run has won

    def ending_states(self) -> frozenset[State]:
        """The states in which a mover has won, and stays so. Raises Unfit where that is not all there is."""
        turns = distances(self.starts, lambda state: [arc.target for arc in self.every[state]])
        good = {state for state in self.every if self.judged(state)}
        if self.any_turn and len(self.starts) == 1:
            return frozenset(good)
        kept = set(good)
        while True:
            left = {s for s in kept if self.stays(s, kept)}
            if left == kept:
                break
            kept = left
        lost = next((one for one, turn in turns.items() if one in good - kept and turn <= self.horizon), None)
        if lost is not None:
            row, column = self.search.cell_of[lost[1]]
            name = self.transition.planes[lost[0]].kind
            raise Unfit(f"a {name} that is where the goal wants it at ({row}, {column}) may leave again")
        return frozenset(kept)

    def stays(self, state: State, kept: set[State]) -> bool:
        """Whatever is placed, is a mover still in `kept` states after a turn? (No turn may break off.)"""
        arcs = self.every[state]
        return all(arc.target in kept for arc in arcs) and self.never_breaks(state)

    def never_breaks(self, state: State) -> bool:
        """Can no option of a state run into something, in whatever pass of a turn?"""
        there = {state}
        for step in self.steps:
            if not all(self.is_safe(step, one) for one in there):
                return False
            there = {arc.target for one in there for arc in self.after(step, one)}
        return True

    def is_safe(self, step: Pass, state: State) -> bool:
        """Can no option of a pass run into something?"""
        for option in self.options(step, state):
            for move in option.moves:
                for rival in self.rivals(move.result if move.result is not None else state[0]):
                    open_ = rival in self.rules.placed and self.search.free & move.target
                    if self.search.start[rival] & move.target or open_:
                        return False
        return True

    def judged(self, state: State) -> bool:
        """Do the goal's terms about movers hold, and none that loses, with the mover there and no other?"""
        readers = self.search.readers
        terms = [term for term in self.instance.game.goal.terms if id(term) not in readers]
        return not self.lost(state) and self.holds(state, terms, all)

    def lost(self, state: State) -> bool:
        """Is the game lost with the mover there?"""
        lose = self.instance.game.goal.lose
        return bool(lose) and self.holds(state, lose, any)

    def holds(self, state: State, terms: Iterable[Any], fold: Callable[[Iterable[bool]], bool]) -> bool:
        """What the terms say of the board with this mover only."""
        boards = [0 if p in self.movers else board for p, board in enumerate(self.search.start)]
        boards[state[0]] = state[1]
        self.search.view.boards = tuple(boards)
        return fold(bool(term.test(self.search.bits, self.search.view)) for term in terms)

    # --- what is left of it

    @cached_property
    def arcs_on(self) -> dict[State, list[Arc]]:
        """The arcs that a path may use: none from an end, none that stands still, none through a loss."""
        return {
            state: [arc for arc in arcs if arc.target != state and not self.lost(arc.target)]
            for state, arcs in self.every.items()
            if state not in self.ends and not self.lost(state)
        }

    @cached_property
    def walks(self) -> list[Walk]:
        """That of each mover that has not won yet."""
        return [self.walk(start) for start in self.starts if start not in self.ends]

    def walk(self, start: State) -> Walk:
        """The part of the graph that a simple path of one mover to an end may use, in time and in budget."""
        arcs = {s: [arc for arc in found if arc.target != start] for s, found in self.arcs_on.items()}
        walk = self.in_time(start, arcs)
        most = budget(self.instance)
        if most is None or start not in walk.arcs:
            return walk
        return self.in_time(start, affordable(walk, self.ends, most, self.tick))

    def in_time(self, start: State, arcs: Mapping[State, list[Arc]]) -> Walk:
        """Those of the arcs that a path to an end within the turns may use."""
        before: dict[State, list[State]] = {}
        for state, found in arcs.items():
            for arc in found:
                before.setdefault(arc.target, []).append(state)
        forward = distances([start], lambda state: [arc.target for arc in arcs.get(state, [])])
        backward = distances(self.ends, lambda state: before.get(state, []))

        def in_time(state: State, arc: Arc) -> bool:
            return forward.get(state, FAR) + 1 + backward.get(arc.target, FAR) <= self.horizon

        kept = {s: [arc for arc in found if in_time(s, arc)] for s, found in arcs.items()}
        return Walk(start, {state: found for state, found in kept.items() if found}, backward)

    @cached_property
    def read_at_ends(self) -> frozenset[int]:
        """The cells of which a mover may ask what was placed there when it has won already."""
        seen, todo, cells = set[State](), [] if self.any_turn and len(self.starts) == 1 else [*self.ends], 0
        while todo:
            state = todo.pop()
            if state not in seen and state in self.every:
                seen.add(state)
                for arc in self.every[state]:
                    todo.append(arc.target)
                    for cell in arc.reads:
                        cells |= cell
        return frozenset(bits_of(cells))


def refuse_company(graph: StateGraph) -> None:
    """Raise Unfit where several movers may meet, or where what they do or want takes others into account."""
    transition, movers = graph.transition, graph.movers
    if len(graph.starts) == 0:
        raise Unfit("no piece of it moves")
    if len(graph.starts) == 1:
        return
    for _, rules in (one for step in graph.steps for one in step.subjects):
        for rule in rules:
            if any(set(term.planes) & movers for term in rule.terms):
                raise Unfit(f"{rule.name} looks at pieces that move, and there are several")
    layers = [transition.layers[plane] for plane in sorted(movers) if plane not in transition.exempt]
    if layers:
        raise Unfit(f"there are several movers, and those of the layer {layers[0]} must not meet")
    of_design = {id(term) for term in graph.of_design}
    for term in (*graph.instance.game.goal.terms, *graph.instance.game.goal.lose):
        if id(term) not in of_design and not apart(graph, term, graph.instance.game.goal.lose):
            raise Unfit(f"there are several movers, and `{term.source()}` is not about each of them")


def apart(graph: StateGraph, term: Any, lose: Sequence[Any]) -> bool:
    """Does a term of the goal speak of each piece by itself, and of ground that stays?"""
    if term in lose:
        asked = getattr(term, "ground_asked", lambda: None)()
        ground = asked[2] if asked is not None and asked[0] == "some" else None
    else:
        required = getattr(term, "ground_required", lambda: None)()
        ground = required[1] if required is not None else None
    return ground is not None and not graph.movers & set(graph.transition.planes_of(graph.instance, ground))
