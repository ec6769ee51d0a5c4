"""What a turn works out anew: beams, light, wires under power, whatever follows from all else on the board.

Such things come and go far from the actor, many at once, and no event says where. But after every turn they
stand where the rest of the board says. So this is learned from the boards that turns end with: of each, one
such thing is taken away, and a pass must bring back that one and no other. Repeated until nothing changes it
makes all of them from none. A turn is then a deed, which is learned from turns in which what is worked out
stays as it was; a pass that takes all of it away; the pass that makes it again; and what comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Turn, known_once, without
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import changing
from ggp.learn.turn.evidence.halfway import NEAR
from ggp.learn.turn.evidence.steady import busy, net_of
from ggp.learn.turn.evidence.unmet import meeting
from ggp.learn.turn.in_parts.aftermath import often_done
from ggp.learn.turn.loop.loops import looping
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS, cell_program, learn_pass
from ggp.learn.turn.one_pass.faraway import FEWEST, single

ENDS = 60  # boards that turns end with, from which it is learned where things stand
HOLES = 6  # things that are taken away of each, one by one
ENOUGH = 0.9  # of these boards must be made again: what comes of what is worked out may change the rest


def learn_derived(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Deed, taking away, making again, what comes of it; raises NotLearned where these do not say all."""
    for names in worked_out(turns, structure):
        tokens = frozenset(token for token in structure.tokens if structure.name(token) in names)
        making = made_again(turns, tokens, structure, limits)
        if making is not None:
            found = around(making, turns, tokens, structure, limits)
            if found is not None:
                return found
    raise NotLearned("nothing that is worked out anew explains a turn", "record the boards inside a turn")


def worked_out(turns: Sequence[Turn], structure: Structure) -> Iterator[frozenset[str]]:
    """Names that come or go far from the only actor, and do not just move: one by one, then all."""
    actor = actor_of(turns, structure)
    if actor is None:
        return
    often: Counter[str] = Counter()
    for one in single(turns, structure, actor):
        net: Counter[str] = Counter()
        for sign, cell, token in one.changes:
            if structure.distance(one.board, one.at, cell) > NEAR:
                net[structure.name(token)] += 1 if sign == "+" else -1
        often.update(name for name, more in net.items() if more)
    names = [name for name, times in often.most_common() if times >= FEWEST and name != actor]
    yield from (frozenset({name}) for name in names)
    if len(names) > 1:
        yield frozenset(names)


def made_again(
    turns: Sequence[Turn], tokens: Stack, structure: Structure, limits: Sequence[float]
) -> Program | None:
    """The pass that makes them all from none, repeated; None where no rules do."""
    ends = list(dict.fromkeys(with_what_goes_there(turn, tokens, structure) for turn in turns))
    some = ends[:: max(1, len(ends) // ENDS)]
    steps = known_once(step for board in some for step in (Turn(board, None, board), *holes(board, tokens)))
    if steps is None or not any(turn.before != turn.after for turn in steps):
        return None
    with one_thread():
        program = cell_program(steps, structure, changing(steps, structure), None, limits[0])
    if program is None:
        return None
    program = looping(program)
    right = {board for board in ends if program.after(without(board, tokens), None) == board}
    # Where they come only to what is lost with that, one thing became another, and nothing is worked out.
    unaided = right.intersection(turn.after for turn in turns)
    told = any(stack & tokens for board in unaided for stack in board.cells)
    return program if told and len(right) >= ENOUGH * len(ends) else None


def with_what_goes_there(turn: Turn, tokens: Stack, structure: Structure) -> Board:
    """The board that a turn ends with, and on it what was lost in it where such things stand then.

    What is burnt by a beam was there when the beam came; else beams would seem to stop at what they burn.
    """
    lost = {name for name, more in net_of(turn, structure) if more < 0}
    if not lost:
        return turn.after
    gone = frozenset(token for token in structure.tokens if structure.name(token) in lost) - tokens
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    return turn.after._replace(cells=tuple(new | (old & gone) if new & tokens else new for old, new in pairs))


def holes(board: Board, tokens: Stack) -> Iterator[Turn]:
    """A board without one of these, which comes again."""
    there = [(index, token) for index, stack in enumerate(board.cells) for token in sorted(stack & tokens)]
    for index, token in islice(there, 0, None, max(1, len(there) // HOLES)):
        cells = list(board.cells)
        cells[index] -= {token}
        yield Turn(board._replace(cells=tuple(cells)), None, board)


def around(
    making: Program, turns: Sequence[Turn], tokens: Stack, structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """The making with what comes before it and after it; None where no such passes say every turn.

    What an actor did before a beam took it is not seen. So it is learned at first from those that are still
    there, on boards without beams: else it would seem to stop at them.
    """
    ends = list(dict.fromkeys(turn.after for turn in turns))
    taking = learned_from([Turn(board, None, without(board, tokens)) for board in ends], structure, limits)
    if taking is None:
        return None
    for deed in deeds(turns, tokens, structure, limits[:1]):
        passes = completed(Passes(deed.structure, (deed, taking, making)), turns, limits)
        if passes is not None:
            return passes
    return None


def deeds(
    turns: Sequence[Turn], tokens: Stack, structure: Structure, limits: Sequence[float]
) -> Iterator[Program]:
    """What may be done before such things are made again: by one that they do not bar, and by any."""
    actor = actor_of(turns, structure) or ""
    free = meeting(structure, ((actor, structure.name(token)) for token in tokens))
    blind = known_once(
        Turn(without(turn.before, tokens), turn.word, without(turn.after, tokens))
        for turn in turns
        if all(name != actor or more > 0 for name, more in net_of(turn, structure))
    )
    kept = [turn._replace(after=with_those_of(turn, tokens)) for turn in turns]
    for some, within in ((blind, free), (kept, structure)):
        for common in (*often_done(some, within), some) if some is not None else ():
            with suppress(NotLearned):
                yield learn_pass(common, within, limits=limits)


def with_those_of(turn: Turn, tokens: Stack) -> Board:
    """The board after a turn with such things where they stood before it."""
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    return turn.after._replace(cells=tuple((new - tokens) | (old & tokens) for old, new in pairs))


def completed(passes: Passes, turns: Sequence[Turn], limits: Sequence[float]) -> Passes | None:
    """The passes, and one more where they leave something; None where none says all that they leave."""
    middles = [(passes.after(turn.before, turn.word), turn.after) for turn in turns]
    rest = known_once(Turn(middle, None, after) for middle, after in middles if middle is not None)
    if rest is None or any(middle is None for middle, _ in middles):
        return None
    if busy(rest):
        last = learned_from(rest, passes.structure, limits)
        if last is None:
            return None
        passes = Passes(passes.structure, (*passes.programs, last))
    return None if any(map(passes.wrong, turns)) else passes
