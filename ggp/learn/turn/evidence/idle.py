"""Turns in which the input did nothing: they show what happens by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ggp.learn.boards import Turn, known_once, pointed, word_of
from ggp.learn.fit.program import pointing, subjects_on
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.halfway import NEAR
from ggp.learn.turn.evidence.steady import busy
from ggp.model import OFFSETS

FEWEST = 40  # turns in which the input did nothing, to say what most of them are
OFTEN = 0.5  # of these
SOMETIMES = 10  # of these, in which something happened all the same
RESTING = ("noop", "wait")  # inputs that are none by what they are called


def idle_turns(turns: Iterable[Turn], structure: Structure, actor: str) -> Iterator[list[Turn]]:
    """Turns in which the input did nothing, without it: by its name; or also where the actor stays.

    Or, where that contradicts itself or is not enough, such as what bars the actor's way: a belt may carry it
    back to where it came from. Where inputs pick, the input did nothing if nothing changes near the cell, or
    if nothing is picked: what slides away may fall back to where it was.
    """
    named = [turn for turn in turns if turn.word is None or turn.word in RESTING]
    staying = [turn for turn in turns if stays(turn, structure, actor)]
    barred = [turn for turn in turns if bars(turn, structure, actor)]
    for some in ([*named, *staying], named, [*named, *barred]) if named else (staying, barred):
        once = known_once(turn._replace(word=None) for turn in some)
        if once is not None and any(turn.before != turn.after for turn in once):
            yield once


def goes_on_alone(turns: Sequence[Turn], structure: Structure) -> bool:
    """Does the board hardly ever rest where the input did nothing? Then things go on by themselves."""
    actor = PICK if pointed(turns) else actor_of(turns, structure)
    sorts = idle_turns(turns, structure, actor) if actor is not None else iter(())
    return any(len(some) >= FEWEST and busy(some) >= OFTEN * len(some) for some in sorts)


def happens_alone(turns: Sequence[Turn], structure: Structure) -> bool:
    """Does something happen where the input did nothing? Then it is not the actor's doing alone."""
    actor = PICK if pointed(turns) else actor_of(turns, structure)
    sorts = idle_turns(turns, structure, actor) if actor is not None else iter(())
    return any(busy(some) >= SOMETIMES for some in sorts)


def stays(turn: Turn, structure: Structure, actor: str) -> bool:
    """Has the actor stayed where an input points? Or has nothing happened near what was picked?"""
    if actor == PICK:
        cell = word_of(turn.word).cell if turn.word is not None else None
        if cell is None:
            return False
        return all(structure.distance(turn.before, one[1], cell) > NEAR for one in changes_of(turn))
    if pointing(structure, turn.word) is None:
        return False
    return not any(structure.name(token) == actor for _, _, token in changes_of(turn))


def bars(turn: Turn, structure: Structure, actor: str) -> bool:
    """Does the board end ahead of every actor, or stands there what never moves and never shares its cell?

    Or is nothing picked that ever comes or goes?
    """
    if actor == PICK:
        cell = word_of(turn.word).cell if turn.word is not None else None
        return cell is not None and structure.fixed.issuperset(turn.before.at(cell) or ())
    way = pointing(structure, turn.word)
    if way is None:
        return False
    down, right = OFFSETS[way]
    apart = structure.exclusions().get(actor, frozenset())
    there = [cell for cell, _ in subjects_on(turn.before, actor, structure)]
    aheads = [structure.at(turn.before, (row + down, column + right)) for row, column in there]
    return bool(there) and all(
        stack is None or any(token in structure.fixed and structure.name(token) in apart for token in stack)
        for stack in aheads
    )
