"""What goes by itself goes on wherever that leads, then the actor acts, then what has met is undone or gone.

That is a turn of VGDL: all go at once, and what has come to one cell is then sent back, turned round or
taken, an effect at a time. So nothing bars a flight, and the board after it is known of every turn. What that
leaves is a step of the actor, or of each of several (who has the axe is another one), seen or supposed; what
comes of meeting; and with that known, whatever else inputs do (a shot is made).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, known_once, pointed
from ggp.learn.fit.program import Passes, Program, in_a_row, subjects_on
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actors_of
from ggp.learn.turn.evidence.between import known_after, left_by
from ggp.learn.turn.evidence.changes import changed, changes_of
from ggp.learn.turn.evidence.clocks import clocks
from ggp.learn.turn.evidence.fliers import Fliers, fleeting, fliers, flight, leaves
from ggp.learn.turn.evidence.taken import is_gone, supposed_steps
from ggp.learn.turn.evidence.unmet import meeting
from ggp.learn.turn.in_parts.acted import Acted, notions
from ggp.learn.turn.in_parts.flown import plain
from ggp.learn.turn.in_parts.returned import meetings
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS

LITTLE = 1e7  # work on it with one notion of what the actor takes along: each pass is small


def learn_unbarred(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """What goes on, what inputs do, and what comes of meeting; raises NotLearned.

    Asked only where something beside the actors mostly goes on the same way, or never stays for a turn.
    """
    actors = () if pointed(turns) else actors_of(turns, structure)
    some = fliers(turns, structure, actors)
    goes_on = going_on(turns, structure, actors, some) if actors else None
    rest = known_after(turns, goes_on) if goes_on is not None and goes_on.parts else None
    if goes_on is not None and rest is not None:
        for split in notions(turns, structure, actors):
            with suppress(NotLearned), account(LITTLE):
                found = acting_and_meeting(rest, structure, actors, some, split, limits)
                passes = in_a_row(found.structure, (goes_on, found)) if found is not None else None
                if passes is not None and not any(map(passes.wrong, turns)):
                    return passes
    raise NotLearned("nothing that goes on unbarred explains a turn", "record the boards inside a turn")


def going_on(turns: Sequence[Turn], structure: Structure, actors: Sequence[str], some: Fliers) -> Program:
    """What goes on by itself, what is gone by itself, and what keeps time."""
    others = {*actors, *map(structure.name, some)}
    keeping = clocks(turns, structure, others)
    others |= {part.subject for part in keeping}
    gone = fleeting([turn for turn in turns if plain(turn, structure)], structure, others)
    flying = flight(some, gone, structure, leaving=leaves(turns, some, structure))
    return replace(flying, parts=(*flying.parts, *keeping))


def acting_and_meeting(
    rest: Sequence[Turn],
    structure: Structure,
    actors: Sequence[str],
    some: Fliers,
    split: Acted,
    limits: Sequence[float],
) -> Passes | None:
    """What inputs do, and what comes of what has met by then, from turns without what goes on."""
    names = ({structure.name(one) for one in stack} for turn in rest for stack in set(turn.before.cells))
    known = meeting(
        structure, {(one, other) for stack in names for one in stack for other in stack if one < other}
    )
    pointing_ones = [turn for turn in rest if plain(turn, known)]
    step = steps(pointing_ones, known, actors, split, limits)
    if step is None:
        return None
    others = [turn for turn in rest if not plain(turn, known)]
    resting = [Turn(turn.after, None, turn.after) for turn in others]
    for ended in (resting, []) if others else ([],):
        met = after(step, pointing_ones, known, some, ended)
        if met is None or not others:
            found = in_a_row(known, (step, met)) if met is not None else None
        else:
            deed = deeds(rest, known, actors, step, met, limits)
            met = after(deed, rest, known, some) if deed is not None else None
            found = in_a_row(known, (deed, met)) if met is not None and deed is not None else None
        if found is not None:
            return found
    return None


def after(
    first: Program, rest: Sequence[Turn], structure: Structure, some: Fliers, ended: Sequence[Turn] = ()
) -> Passes | None:
    """What comes of meeting after a first part; None where that is not known, or no rules say it.

    `ended`: boards that are the end of a turn, of which nothing comes any more: who shot is in one cell with
    the shot there, and with the others' turns alone it might as well be gone.
    """
    ends = left_by(first, rest)
    every = known_once([*ends, *ended]) if ends is not None else None
    return meetings(every, structure, some) if every is not None else None


def steps(
    turns: Sequence[Turn], structure: Structure, actors: Sequence[str], split: Acted, limits: Sequence[float]
) -> Program | None:
    """The steps of all actors, each learned where it is there; None where those of one have no rules."""
    each = (
        supposed_steps(
            with_one(turns, one, structure),
            structure,
            one,
            split,
            is_gone,
            partial(split.along, structure=structure, actor=one),
        )
        for one in actors
    )
    return side_by_side((from_these(some, structure, limits) for some in each), structure)


def deeds(
    turns: Sequence[Turn],
    structure: Structure,
    actors: Sequence[str],
    step: Program,
    met: Passes,
    limits: Sequence[float],
) -> Program | None:
    """Steps, and what other inputs do; None where that has no rules.

    What is different from what would come by itself was done, if it comes of that. What is made is learned
    first: where it is seen at the end of a turn, all else in that turn comes of it. It may be gone by then.
    """
    stepped = [stepping(turn, step) for turn in turns if plain(turn, structure)]
    others = [turn for turn in turns if not plain(turn, structure)]
    did = [deed for turn in others if (deed := done(turn, met)) is not None]
    shown = [deed for deed in did if deed.before != deed.after]
    made = [deed for deed in shown if all(sign == "+" for sign, _, _ in changes_of(deed))]
    first = learned_each([*stepped, *(made or shown)], structure, actors, limits)
    if first is None:
        return None
    both = in_a_row(first.structure, (first, met))
    told = [stepping(turn, first) for turn in others if not both.wrong(turn) or made_in(turn, first)]
    known = {(turn.before, turn.word) for turn in told}
    rest = [deed for deed in did if (deed.before, deed.word) not in known]
    return learned_each([*stepped, *told, *rest], structure, actors, limits)


def stepping(turn: Turn, first: Program) -> Turn:
    """The first part of a turn."""
    return turn._replace(after=first.after(turn.before, turn.word) or turn.before)


def made_in(turn: Turn, first: Program) -> bool:
    """Is all that comes in the first part of a turn there at its end?"""
    come = [(cell, token) for sign, cell, token in changes_of(stepping(turn, first)) if sign == "+"]
    return bool(come) and all(token in (turn.after.at(cell) or ()) for cell, token in come)


def done(turn: Turn, met: Passes) -> Turn | None:
    """What an input did, if it did what is different from what would come by itself."""
    alone = met.after(turn.before, None)
    if alone is None:
        return None
    middle = changed(turn.before, changes_of(turn._replace(before=alone)))
    return turn._replace(after=middle) if met.after(middle, None) == turn.after else None


def learned_each(
    some: Sequence[Turn], structure: Structure, actors: Sequence[str], limits: Sequence[float]
) -> Program | None:
    """What each actor does, learned where it is there, in one pass; None where one has no rules."""
    each = (with_one(some, actor, structure) for actor in actors)
    return side_by_side((from_these(own, structure, limits) for own in each), structure)


def from_these(some: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program | None:
    """One small pass; None where there is none, or the turns contradict one another."""
    return learned_from(known_once(some), structure, limits[:1])


def with_one(turns: Sequence[Turn], actor: str, structure: Structure) -> list[Turn]:
    """The turns before which an actor is on the board."""
    return [turn for turn in turns if any(True for _ in subjects_on(turn.before, actor, structure))]


def side_by_side(programs: Iterable[Program | None], structure: Structure) -> Program | None:
    """One pass with the parts of all; None where one of them is none."""
    listed = list(programs)
    known = [one for one in listed if one is not None]
    signs = dict.fromkeys(sign for one in known for sign in one.structure.signs)
    structure = replace(structure, signs=tuple(signs))
    parts = (part for one in known for part in one.parts)
    both = (replace(part, view=replace(part.view, structure=structure)) for part in parts)
    return Program(structure, tuple(both)) if len(known) == len(listed) else None
