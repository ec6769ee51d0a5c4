"""The actor moves first, with what is in its way; then all else happens.

What is gone by the end has gone somewhere before. Where the actor goes as an input says, and things go with
it, the board on which only these have changed is the one in the middle of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, known_once, pointed
from ggp.learn.fit.program import Passes
from ggp.learn.fit.toil import account
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of
from ggp.learn.turn.evidence.taken import is_taken
from ggp.learn.turn.loop.loops import learn_loop
from ggp.learn.turn.one_pass.elsewhere import learned_from, while_there
from ggp.learn.turn.one_pass.events import LIMITS

LITTLE = 3e6  # work on what is plain
MORE = 2  # times as much may be spent, and so much larger may be both parts, where the actor may be taken


def learn_driven(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The actor moves, with what is in its way, then all else happens; raises NotLearned.

    Where something comes of nearly every step, what is done is hardly seen alone. A little work finds it.
    """
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is not None:
        taken = any(is_taken(turn, structure, actor) for turn in turns)
        with account(MORE * LITTLE if taken else LITTLE):
            found = actor_first(turns, structure, actor, limits, (driven,))
        if found is not None and found.cost <= (MORE if taken else 1) * PLAIN:
            return found
    raise NotLearned("no step and what comes of it explain a turn", "record the boards inside a turn")


def actor_first(
    turns: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
    splits: Iterable[Callable[[Turn, Structure, str], Board]],
) -> Passes | None:
    """The actor moves, with what is in its way, then all else happens; None where that does not say it.

    Or it moves alone, and what it comes to goes on by itself. It may go as far as it can. If it is gone and
    more happened, what happens by itself may have taken it. Where it had gone by then is not seen: that is
    what the first part, learned from all other turns, says of these.
    """
    unclear = {turn for turn in turns if is_taken(turn, structure, actor)}
    tried = list[list[Turn]]()
    for split in splits:
        for unseen in (unclear, set[Turn]()):
            steps = [
                turn._replace(after=split(turn, structure, actor)) for turn in turns if turn not in unseen
            ]
            if steps not in tried:
                tried.append(steps)
                passes = step_and_rest(turns, steps, structure, actor, limits)
                if passes is not None:
                    return passes
    return None


def step_and_rest(
    turns: Sequence[Turn],
    steps: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
) -> Passes | None:
    """What such steps are, and what that leaves of all turns; None where they do not say them.

    What is left may be done while the actor is there alone: a run that is over goes on no more.
    """
    once = known_once(steps)
    first = learn_loop(once, structure, None) if once is not None else None
    first = first or learned_from(once, structure, limits)
    if first is None:
        return None
    ends = [first.after(turn.before, turn.word) for turn in turns]
    rest = [turn._replace(before=end) for turn, end in zip(turns, ends, strict=True) if end is not None]
    if len(rest) < len(turns):
        return None
    silent, still = known_once(turn._replace(word=None) for turn in rest), Sign(actor)
    going = [turn for turn in silent or () if any(map(still.of, map(structure.called, turn.before.cells)))]
    for some in (
        (going, silent, known_once(rest))
        if silent and len(going) < len(silent)
        else (silent, known_once(rest))
    ):
        second = learned_from(some, structure, limits)
        if second is not None:
            passes = Passes(structure, (first, while_there(second, still) if some is going else second))
            if not any(map(passes.wrong, turns)):
                return passes
    return None


def alone(turn: Turn, structure: Structure, actor: str) -> Board:
    """The board on which only the actor has changed."""
    return changed(turn.before, [one for one in changes_of(turn) if structure.name(one[2]) == actor])


def driven(turn: Turn, structure: Structure, actor: str) -> Board:
    """The same, and what was in its way has gone to where it came to; and what was in the way of that."""
    left = [one for one in changes_of(turn) if structure.name(one[2]) != actor]
    board = alone(turn, structure, actor)
    while barring := next((one for one in left if in_the_way(one, board, structure)), None):
        _, (row, column), token = barring
        to = [one for one in left if (one[0], one[2]) == ("+", token)]
        nearest = min(to, key=lambda one: abs(one[1][0] - row) + abs(one[1][1] - column), default=None)
        board = changed(board, [one for one in (barring, nearest) if one is not None])
        left = [one for one in left if one not in (barring, nearest)]
    return board


def in_the_way(change: Changed, board: Board, structure: Structure) -> bool:
    """Does something go from a cell that shares it, on this board, with what it never does at the end?"""
    sign, cell, token = change
    name, names = structure.name(token), set(map(structure.name, board.at(cell) or ()))
    return sign == "-" and name in names and any({name, other} in structure.apart for other in names - {name})
