"""The highest score: the states turn by turn, each with the most that a way to it has scored.

What a turn is worth may be below 0, so states cannot be taken in the order of their cost (Dijkstra). They
are gone through in layers of turns, as Bellman and Ford do. Where a run ends as soon as it is won, a state
is gone on from again only if it is reached with a higher score than in any turn before: else whatever
follows now followed then. Where it ends at the horizon alone each turn has states of its own.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from ggp.errors import PuzzleError
from ggp.model import Plan
from ggp.search.moving import B, Found, Move, StateSearch, Tick


class Label(NamedTuple, Generic[B]):
    """A state as it is reached in a turn: the score by then, from which state of the turn before, and how."""

    score: int
    before: B | None
    move: Move[B] | None


Layer = dict[B, Label[B]]


def highest(search: StateSearch[B], tick: Tick) -> Found:
    """A plan with the highest score, and of those the one of fewest turns; its cost is the score below 0.

    Raises PuzzleError where no horizon bounds the turns and a run could go round and score more each time.
    """
    layers: list[Layer[B]] = [{search.start: Label(0, None, None)}]
    most: dict[B, int] = {search.start: 0}  # by any turn so far
    best: tuple[int, int, B] | None = None  # score, turn, state
    cut = False
    while layers[-1]:
        turn, after = len(layers) - 1, dict[B, Label[B]]()
        last = search.horizon is not None and turn >= search.horizon
        for boards, label in layers[-1].items():
            tick()
            won, lost = search.judge(boards)
            if won and (search.any_turn or last) and (best is None or label.score > best[0]):
                best = label.score, turn, boards
            if lost or (won and search.any_turn):
                continue
            if last:
                cut = True
                continue
            for move in search.moves(boards):
                score = label.score - move.cost
                here = after.get(move.boards)
                if here is not None and here.score >= score:
                    continue
                if search.any_turn and most.get(move.boards, score - 1) >= score:
                    continue
                most[move.boards] = score
                after[move.boards] = Label(score, boards, move)
        if search.horizon is None and turn > len(most):
            raise endless(search)
        layers.append(after)
    if best is None:
        return Found(None, 0, cut, len(most))
    score, turn, boards = best
    return Found(plan_to(layers, turn, boards), -score, cut, len(most))


def endless(search: StateSearch[B]) -> PuzzleError:
    """That a way with more turns than there are states scores more than any shorter one: it goes round."""
    return PuzzleError(
        f"the score of {search.instance.name} has no end: a run can go round, and score each time",
        "say in the level how many turns there are (`horizon`), or with `--horizon N`",
    )


def plan_to(layers: list[Layer[B]], turn: int, boards: B) -> Plan:
    """The inputs that led to a state in a turn."""
    actions: list[str] = []
    while turn:
        label = layers[turn][boards]
        assert label.move is not None and label.before is not None
        actions.append(str(label.move.action))
        boards, turn = label.before, turn - 1
    return Plan((), tuple(reversed(actions)))
