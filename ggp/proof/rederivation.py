"""The plain way: try everything, with nothing but the referee.

Every design there is, and by breadth every state that inputs lead to. It shares no code with the searches,
the compiled program or the encodings, and is as slow as the referee: it comes to an end on small levels.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, kinds_of
from ggp.proof.claims import Claim, Evidence, in_order, in_words
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import PassRecord, ending, initial_state, is_goal, is_lost, step
from ggp.referee.stock import budget, surplus, ways
from ggp.referee.trajectory import replay, worth
from ggp.tasks.needed import matters

Design = tuple[tuple[Cell, Piece], ...]
MOST_DESIGNS = 2_000_000  # that are tried; minutes, where a run is short
MOST_STATES = 300_000  # that are kept; some 500 megabytes


class TooMany(Exception):
    """There is more to try than is tried."""


def apt(claim: Claim) -> bool:
    """Can everything be tried: are there few enough designs, and an end to every run?"""
    game = claim.instance.game
    if claim.sort in ("no-more", "count") and game.input is not None and claim.instance.level.horizon is None:
        return False
    return number_of_designs(claim) <= MOST_DESIGNS


def sizes(claim: Claim) -> range:
    """How many pieces may be placed."""
    design, limit = claim.instance.game.design, budget(claim.instance)
    free = len(free_cells(claim.instance))
    if design is not None and design.fill:
        return range(free, free + 1)
    most = free if limit is None else min(limit, free)
    if claim.below is not None and claim.objective is not None and claim.objective.counts == "placements":
        most = min(most, claim.below - 1)
    return range(most + 1)


def number_of_designs(claim: Claim) -> int:
    """How many designs there are."""
    pieces, free, allowed = placeable(claim.instance), len(free_cells(claim.instance)), sizes(claim)
    by_size = ways(claim.instance, pieces, free, max(allowed, default=0))
    return sum(by_size[size] for size in allowed)


def designs(claim: Claim) -> Iterator[Design]:
    """Every design, the smaller ones first."""
    free, pieces = free_cells(claim.instance), placeable(claim.instance)
    for size in sizes(claim):
        for cells in combinations(free, size):
            for chosen in product(pieces, repeat=size):
                if surplus(claim.instance, chosen) is None:
                    yield tuple(zip(cells, chosen, strict=True))


def derive(claim: Claim) -> Generator[int, None, Evidence]:
    """Try everything; yields now and then how many states were looked at. Raises TooMany."""
    if claim.sort in ("no-more", "count"):
        return (yield from every_win(claim))
    states, cut = 0, False
    for design in designs(claim):
        walk = Walk(claim, design)
        if claim.instance.game.input is None:
            verdict = replay(claim.instance, Plan(design))
            states += len(verdict.states)
            plan, cut = Plan(design) if verdict.won else None, True
            yield states
        else:
            plan = yield from walk.search(states)
            states, cut = states + walk.states, cut or walk.cut
        value = claim.better(plan) if plan is not None else None
        if plan is not None and value is not None:
            of = "" if claim.objective is None else f", with {value} {claim.objective.name}"
            note = f"the referee replays a win{of}: {in_words(claim.instance, plan)}"
            return Evidence("wrong", "referee", states, note)
    if cut and claim.ever and claim.instance.level.horizon is not None:
        return Evidence(None, note="longer runs than the horizon's were not tried")
    return Evidence("checked", f"referee, {states} states", states)


@dataclass
class Walk:
    """From one design, through all states by breadth; a state again only where it costs less than before."""

    claim: Claim
    design: Design
    states: int = 0
    cut: bool = False  # was there more to see at the horizon?
    came: dict[tuple[int, State], tuple[State, Action]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.instance: Instance = self.claim.instance
        self.any_turn = ending(self.instance) == "any-turn"
        objective = self.claim.objective if self.claim.sort == "none-better" else None
        self.counts = "" if objective is None else objective.counts
        self.kinds = (
            kinds_of(self.instance.game, objective.kind or "") if objective and objective.kind else ()
        )
        self.actions = tuple(all_actions(self.instance))

    def search(self, before: int) -> Generator[int, None, Plan | None]:
        """A plan that wins for less than is claimed, or None."""
        horizon, turn = self.instance.level.horizon, 0
        start = initial_state(self.instance, self.design)
        layer, cheapest = {start: 0}, {start: 0}
        while layer:
            last = horizon is not None and turn >= horizon
            for state, cost in layer.items():
                if self.wins_for_less(state, cost, last=last):
                    return Plan(self.design, self.way(turn, state))
            if last:
                self.cut = True
                return None
            following: dict[State, int] = {}
            for state, cost in layer.items():
                for action, after, more in self.turns(state):
                    known = (cheapest if self.any_turn else following).get(after)
                    too_much = not self.may_gain and self.enough(cost + more)
                    if too_much or (known is not None and known <= cost + more):
                        continue
                    following[after] = cheapest[after] = cost + more
                    self.came[turn + 1, after] = (state, action)
                    if len(self.came) > MOST_STATES:
                        raise TooMany
                self.states += 1
                yield before + self.states
            layer, turn = following, turn + 1
            if not self.any_turn:
                cheapest = {}
        return None

    def wins_for_less(self, state: State, cost: int, *, last: bool) -> bool:
        """Is the run won here, at no such cost as is claimed to be the best?"""
        ends = (last or self.any_turn) and not (self.may_gain and self.enough(cost))
        return ends and not is_lost(self.instance, state) and is_goal(self.instance, state)

    @property
    def may_gain(self) -> bool:
        """Can a turn cost less than nothing?"""
        return self.counts == "score"

    def enough(self, cost: int) -> bool:
        """Is that no less than what is claimed to be the best?"""
        return bool(self.counts) and self.claim.below is not None and cost >= self.claim.below

    def turns(self, state: State) -> Iterator[tuple[Action, State, int]]:
        """Each input in a state, where it leads, and what it costs; none where the run is over."""
        won = self.may_gain and self.any_turn and is_goal(self.instance, state)
        if won or is_lost(self.instance, state):
            return
        for action in self.actions:
            record: list[PassRecord] = []
            try:
                after = step(self.instance, state, action, record)
            except (IllegalAction, IllFormed):
                continue
            yield action, after, self.cost(record)

    def cost(self, record: list[PassRecord]) -> int:
        """What a turn costs under the objective."""
        if self.counts == "score":
            return -worth(record)
        if self.counts != "moves":
            return int(self.counts == "turns")
        moved = (piece for one in record for firing in one.firings for _, piece in firing.moved)
        return sum(piece.kind in self.kinds for piece in moved)

    def way(self, turn: int, state: State) -> tuple[str, ...]:
        """The inputs that lead to a state in so many turns."""
        inputs: list[str] = []
        while turn:
            state, action = self.came[turn, state]
            inputs.append(str(action))
            turn -= 1
        return tuple(reversed(inputs))

    def wins(self) -> Generator[int, None, int]:
        """How many ways there are to win within the horizon."""
        horizon, found = self.instance.level.horizon or 0, 0
        layer = {initial_state(self.instance, self.design): 1}
        for turn in range(horizon + 1):
            following: dict[State, int] = {}
            for state, number in layer.items():
                over = is_lost(self.instance, state)
                if not over and (turn == horizon or self.any_turn) and is_goal(self.instance, state):
                    found, over = found + number, True
                for _, after, _ in () if over or turn == horizon else self.turns(state):
                    following[after] = following.get(after, 0) + number
                self.states += 1
                yield self.states
                if len(following) > MOST_STATES:
                    raise TooMany
            layer = following
        return found


def every_win(claim: Claim) -> Generator[int, None, Evidence]:
    """All plans that win: are they the known ones, or as many as claimed?"""
    states, found = 0, 0
    known = {in_order(plan) for plan in claim.known}
    listing = claim.sort == "no-more"
    for design in designs(claim):
        if claim.instance.game.input is not None:
            walk = Walk(claim, design)
            wins = yield from walk.wins()
            states, found = states + walk.states, found + wins
            continue
        verdict = replay(claim.instance, Plan(design))
        states += len(verdict.states)
        yield states
        if verdict.won and (not listing or matters(claim.instance, Plan(design))):
            found += 1
            if listing and Plan(design) not in known:
                told = in_words(claim.instance, Plan(design))
                return Evidence(
                    "wrong", "referee", states, f"the referee replays a plan that is not among them: {told}"
                )
    claimed = len(known) if listing else claim.count
    if found != claimed:
        return Evidence(
            "wrong", "referee", states, f"the referee finds {found} plans, and {claimed} are claimed"
        )
    return Evidence("checked", f"referee, {states} states", states)
