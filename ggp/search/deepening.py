"""Single turns under any rules: depth first with rising limits (IDA*: Korf, 1985), and greedy best-first.

IDA* keeps one path, and a transposition table of a fixed size of what was seen in this round (Reinefeld and
Marsland, 1994): where that is full it only searches longer. Its bound is one turn until the game is won, if
turns are what is counted: admissible, as whatever is not won yet takes a turn.

The limit of a round is the least cost that the last one ruled out, so nothing between them is passed over.
Where a path comes back to a state on itself it is left: from that state all is tried with no less left to
spend.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.model import Instance, Objective, Plan
from ggp.search.moving import Boards, Found, Move, MovingSearch, Tick

MOST = 500_000  # states in the transposition table
ENDLESS = 1 << 30


class Left(NamedTuple):
    """What may still be spent. Where turns have no limit they stay at 0, and the limit is not looked at."""

    cost: int
    turns: int


class Deepening:
    """Iterative deepening on cost."""

    def __init__(self, instance: Instance, objective: Objective | None) -> None:
        self.space = MovingSearch(instance, objective)
        self.by_turns = objective is None or objective.counts == "turns"
        self.turns = int(self.space.horizon is not None)  # what a turn takes of the turns
        self.cut = False
        self.beyond = ENDLESS  # the least cost that was ruled out
        self.states = 0
        self.seen: dict[Boards, Left] = {}

    def best(self, tick: Tick) -> Found:
        """A plan of least cost."""
        limit = 0
        while True:
            self.beyond, self.cut = ENDLESS, False
            self.seen.clear()
            path = self.search(Left(limit, self.space.horizon or 0), tick)
            self.states = max(self.states, len(self.seen))
            if path is not None:
                return Found(Plan((), tuple(path)), limit, self.cut, self.states)
            if self.beyond == ENDLESS:
                return Found(None, 0, self.cut, self.states)
            limit = self.beyond

    def search(self, left: Left, tick: Tick) -> list[str] | None:
        """The inputs of a plan within the limits, None if there is none."""
        space, limit = self.space, left.cost
        if self.wins(space.start, left):
            return []
        path: list[str] = []
        on_path = {space.start}
        stack = [(space.start, left, self.moves(space.start, left))]
        while stack:
            tick()
            boards, left, moves = stack[-1]
            if not moves:
                stack.pop()
                on_path.discard(boards)
                del path[-1:]
                continue
            move = moves.pop()
            then = Left(left.cost - move.cost, left.turns - self.turns)
            short = self.bound(move.boards) - then.cost
            if short > 0:
                self.beyond = min(self.beyond, limit + short)
            elif self.wins(move.boards, then):
                return [*path, str(move.action)]
            elif not (space.any_turn and move.boards in on_path) and self.fresh(move.boards, then):
                path.append(str(move.action))
                on_path.add(move.boards)
                stack.append((move.boards, then, self.moves(move.boards, then)))
        return None

    def bound(self, boards: Boards) -> int:
        """What a plan from here costs at least."""
        return int(self.by_turns and not self.space.judge(boards)[0])

    def wins(self, boards: Boards, left: Left) -> bool:
        """Does the run end here with a win?"""
        return self.space.judge(boards)[0] and (self.space.any_turn or left.turns == 0)

    def moves(self, boards: Boards, left: Left) -> list[Move[Boards]]:
        """The moves from a state, the last one first."""
        space = self.space
        if len(space.led_to) > MOST:
            space.led_to.clear()
            space.judged.clear()
        won, lost = space.judge(boards)
        if lost or (won and space.any_turn):
            return []
        if self.turns and left.turns == 0:
            self.cut = True
            return []
        return list(reversed(space.moves(boards)))

    def fresh(self, boards: Boards, left: Left) -> bool:
        """Was the state not seen before in this round with as much left? It is noted, if there is room."""
        known = self.seen.get(boards)
        if known is None:
            if len(self.seen) < MOST:
                self.seen[boards] = left
            return True
        enough = known.cost >= left.cost and known.turns >= left.turns
        if known == left or (enough and self.space.any_turn):
            return False
        if left.cost >= known.cost:
            self.seen[boards] = left
        return True


def greedy(instance: Instance, objective: Objective | None, tick: Tick) -> Found:
    """Some plan: always on from the state in which the goal terms want fewest pieces."""
    space = MovingSearch(instance, objective)
    if not space.any_turn:
        return space.best(tick)
    came: dict[Boards, tuple[Boards, str, int]] = {space.start: (space.start, "", 0)}
    queue = [(missing(space, space.start), 0, space.start)]
    cut = False
    while queue:
        tick()
        _, _, boards = heapq.heappop(queue)
        won, lost = space.judge(boards)
        turns = came[boards][2]
        if won:
            actions: list[str] = []
            while boards != space.start:
                boards, action, _ = came[boards]
                actions.append(action)
            return Found(Plan((), tuple(reversed(actions))), 0, cut, len(came))
        if lost:
            continue
        if space.horizon is not None and turns >= space.horizon:
            cut = True
            continue
        for move in space.moves(boards):
            if move.boards not in came:
                came[move.boards] = boards, str(move.action), turns + 1
                heapq.heappush(queue, (missing(space, move.boards), len(came), move.boards))
    # With a horizon, a state that was first reached late may hide a plan.
    return space.best(tick) if cut else Found(None, 0, False, len(came))


def missing(space: MovingSearch, boards: Boards) -> int:
    """How many pieces are not where, or not as many as, the goal terms want; 1 for a term of another word."""
    space.view.boards = boards
    total = 0
    for term in space.instance.game.goal.terms:
        if term.test(space.bits, space.view):
            continue
        total += 1
        if isinstance(term, On) and term.quantifier != "some":
            what, ground = space.view.present(term.what), space.view.present(term.ground)
            on = (term.placing == "on") == (term.quantifier == "every")
            total += (what & (~ground if on else ground)).bit_count()
        elif isinstance(term, Count):
            total += sum(board.bit_count() for board in space.view.each(term.what))
    return total
