"""What goes by itself goes on wherever that leads, then the actor acts, then what has met is undone or gone.

That is a turn of VGDL: all go at once, and what has come to one cell is then sent back, turned round or
taken, an effect at a time. So nothing bars a flight, and the board after it is known of every turn. What that
leaves is a step of the actor, or of each of several (who has the axe is another one), seen or supposed; what
comes of meeting; and with that known, whatever else inputs do (a shot is made).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once, pointed
from ggp.learn.fit.program import Passes, Program, in_a_row, subjects_on
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actors_of
from ggp.learn.turn.evidence.between import known_after, left_by
from ggp.learn.turn.evidence.changes import changed, changes_of
from ggp.learn.turn.evidence.fliers import Fliers, fleeting, fliers, flight, leaves
from ggp.learn.turn.evidence.taken import Split, cell_ahead, is_gone, lonely, supposed_steps
from ggp.learn.turn.evidence.unmet import meeting
from ggp.learn.turn.in_parts.driven import alone, driven
from ggp.learn.turn.in_parts.flown import plain
from ggp.learn.turn.in_parts.returned import meetings
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import Cell

LITTLE = 1e7  # work on it with one notion of what the actor takes along: each pass is small
FEWEST = 2  # times that something was pushed
MOSTLY = 0.5  # of the times that it was gone from where the actor came to: crates go into holes as well


def learn_unbarred(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """What goes on, what inputs do, and what comes of meeting; raises NotLearned.

    Asked only where something beside the actors mostly goes on the same way, or never stays for a turn.
    """
    actors = () if pointed(turns) else actors_of(turns, structure)
    some = fliers(turns, structure, actors)
    goes_on = going_on(turns, structure, actors, some) if actors else None
    rest = known_after(turns, goes_on) if goes_on is not None and goes_on.parts else None
    if goes_on is not None and rest is not None:
        for split in (*pushes(turns, structure, actors), alone, driven):
            with suppress(NotLearned), account(LITTLE):
                found = acting_and_meeting(rest, structure, actors, some, split, limits)
                passes = in_a_row(found.structure, (goes_on, found)) if found is not None else None
                if passes is not None and not any(map(passes.wrong, turns)):
                    return passes
    raise NotLearned("nothing that goes on unbarred explains a turn", "record the boards inside a turn")


def going_on(turns: Sequence[Turn], structure: Structure, actors: Sequence[str], some: Fliers) -> Program:
    """What goes on by itself, and what is gone by itself."""
    others = {*actors, *map(structure.name, some)}
    gone = fleeting([turn for turn in turns if plain(turn, structure)], structure, others)
    return flight(some, gone, structure, leaving=leaves(turns, some, structure))


def acting_and_meeting(
    rest: Sequence[Turn],
    structure: Structure,
    actors: Sequence[str],
    some: Fliers,
    split: Split,
    limits: Sequence[float],
) -> Passes | None:
    """What inputs do, and what comes of what has met by then, from turns without what goes on."""
    names = ({structure.name(one) for one in stack} for turn in rest for stack in set(turn.before.cells))
    known = meeting(
        structure, {(one, other) for stack in names for one in stack for other in stack if one < other}
    )
    pointing_ones = [turn for turn in rest if plain(turn, known)]
    step = steps(pointing_ones, known, actors, split, limits)
    met = after(step, pointing_ones, known, some) if step is not None else None
    if met is None or step is None or len(pointing_ones) == len(rest):
        return in_a_row(known, (step, met)) if met is not None and step is not None else None
    deed = deeds(rest, known, actors, step, met, limits)
    met = after(deed, rest, known, some) if deed is not None else None
    return in_a_row(known, (deed, met)) if met is not None and deed is not None else None


def pushes(turns: Sequence[Turn], structure: Structure, actors: Sequence[str]) -> Iterator[Split]:
    """The actor goes, and what stood where it came to is a cell further, though it may be gone there since.

    Pushed is what was seen to be so, and goes nowhere by itself.
    """
    seen, gone = Counter[str](), Counter[str]()
    for turn in turns:
        for _, beyond, token in chain.from_iterable(pushed_by(turn, structure, actor) for actor in actors):
            gone[structure.name(token)] += 1
            seen[structure.name(token)] += token in set(turn.after.at(beyond) or ()) - set(
                turn.before.at(beyond) or ()
            )
    some = frozenset(name for name, times in seen.items() if times >= max(FEWEST, MOSTLY * gone[name]))

    def pushing(turn: Turn, structure: Structure, actor: str) -> Board:
        found = (one for one in pushed_by(turn, structure, actor) if structure.name(one[2]) in some)
        both = ((("-", there, token), ("+", beyond, token)) for there, beyond, token in found)
        return changed(alone(turn, structure, actor), chain.from_iterable(both))

    if some:
        yield pushing


def pushed_by(turn: Turn, structure: Structure, actor: str) -> Iterator[tuple[Cell, Cell, Token]]:
    """What is gone from where the only actor came to, that cell, and the next one the same way."""
    source, target = lonely(turn, structure, actor), cell_ahead(turn, structure, actor)
    if source is None or target is None:
        return
    old, new = turn.before.at(target) or frozenset(), turn.after.at(target) or frozenset()
    beyond = structure.cell(turn.before, (2 * target[0] - source[0][0], 2 * target[1] - source[0][1]))
    if actor in map(structure.name, new - old) and turn.before.inside(beyond):
        yield from ((target, beyond, token) for token in sorted(old - new))


def after(first: Program, rest: Sequence[Turn], structure: Structure, some: Fliers) -> Passes | None:
    """What comes of meeting after a first part; None where that is not known, or no rules say it."""
    ends = left_by(first, rest)
    return meetings(ends, structure, some) if ends is not None else None


def steps(
    turns: Sequence[Turn], structure: Structure, actors: Sequence[str], split: Split, limits: Sequence[float]
) -> Program | None:
    """The steps of all actors, each learned where it is there; None where those of one have no rules."""
    each = (supposed_steps(with_one(turns, one, structure), structure, one, split, is_gone) for one in actors)
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
