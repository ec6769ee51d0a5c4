"""Kinds told apart: each kind of thing answers for itself alone, and one pass is what they all do.

Who carries two keys, opens two doors and pushes crates does all of that at once, and hardly ever the same
twice; what becomes of a key is one of three things. So of every turn only what happened to one kind is looked
at, and rules are learned that say that. They read the same board as those of all others, so together they are
one pass. It is larger than where a mover answers for all around it, but each kind is learned in no time.
What does not say itself where it comes from is left to the cells, for all such kinds together. Or it comes of
what the others have done, in a pass of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of, changing
from ggp.learn.turn.evidence.steady import net_of
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import ALONE, LIMITS, by_some_movers, cell_program

FEWEST = 3  # kinds that anything happens to: fewer have been tried together
MOST = 5.0  # times as large as what one kind may do may be what all do
ENOUGH = 0.5  # of the turns, in which nothing becomes of what does not say it itself

Alone = Mapping[str, Program | None]
"""What each kind does on its own; None for one that does not say it."""


def learn_kinds(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS[:1]
) -> Program | Passes:
    """Parts for each kind, each within the limits, in one pass or followed by one; raises NotLearned."""
    names = changing(turns, structure)
    if len(names) >= FEWEST and not pointed(turns):
        with one_thread():
            alone = {name: on_its_own(turns, structure, name, limits[-1]) for name in names}
            for way in (followed, at_once):
                found = way(turns, structure, alone, limits)
                if found is not None and not any(map(found.wrong, turns)):
                    return found
    raise NotLearned("no rules for each kind alone explain what happens", "more roll-outs may help")


def on_its_own(turns: Sequence[Turn], structure: Structure, name: str, limit: float) -> Program | None:
    """What one kind does, which may be larger than in company; None where it does not say that itself."""
    return by_some_movers(of_kinds(turns, structure, {name}), structure, [name], None, ALONE * limit)


def at_once(
    turns: Sequence[Turn], structure: Structure, alone: Alone, limits: Sequence[float]
) -> Program | None:
    """What each kind does, and what cells do for those that do not say it; None where nothing says that."""
    silent = [name for name, program in alone.items() if program is None]
    parts = [part for program in alone.values() if program is not None for part in program.parts]
    if not silent:
        return kept(Program(structure, tuple(parts)), limits)
    rest = of_kinds(turns, structure, silent)
    for full in (False, True):
        cells = cell_program(rest, structure, silent, None, len(silent) * limits[-1], full=full)
        if cells is not None and not any(map(cells.wrong, rest)):
            return kept(Program(structure, (*parts, *cells.parts)), limits)
    return None


def kept(program: Program, limits: Sequence[float]) -> Program | None:
    """The program, if it is not too large."""
    return program if program.cost <= MOST * limits[-1] else None


def followed(
    turns: Sequence[Turn], structure: Structure, alone: Alone, limits: Sequence[float]
) -> Passes | None:
    """What each kind does, and then what becomes of those that do not say it; None where that is not so.

    Who comes to a key takes it then, however it came there. So the first part is learned from the turns in
    which nothing becomes of keys.
    """
    silent = {name for name, program in alone.items() if program is None}
    common = [turn for turn in turns if silent.isdisjoint(changing([turn], structure))]
    names = changing(common, structure)
    if not silent or len(common) < ENOUGH * len(turns) or len(names) < FEWEST:
        return None
    parts: list[Part] = []
    for name in names:
        program = alone.get(name)
        if program is None or asks_for(program, silent):
            program = on_its_own(common, structure, name, limits[-1])
        if program is None:
            return None
        parts += program.parts
    first = kept(Program(structure, tuple(parts)), limits)
    rest = left_by(first, turns) if first is not None else None
    second = learned_from(rest, structure, limits)
    return Passes(structure, (first, second)) if first is not None and second is not None else None


def asks_for(program: Program, names: Collection[str]) -> bool:
    """Does it ask for any of some kinds?"""
    tests = (test for part in program.parts for one in part.decisions.decisions for test in one.tests)
    return any(thing.name in names for test in tests for thing in test.things)


def of_kinds(turns: Sequence[Turn], structure: Structure, names: Collection[str]) -> list[Turn]:
    """The turns as if nothing had happened but what these kinds answer for."""
    return [
        turn._replace(
            after=changed(turn.before, [one for one, name in answering(turn, structure) if name in names])
        )
        for turn in turns
    ]


def answering(turn: Turn, structure: Structure) -> Iterator[tuple[Changed, str]]:
    """Each change with the kind that answers for it: its own, or what became it.

    What there is more of than before comes of what has gone from its cell, if there is less of that.
    """
    net = dict(net_of(turn, structure))
    became = {
        cell: structure.name(token)
        for sign, cell, token in changes_of(turn)
        if sign == "-" and net.get(structure.name(token), 0) < 0
    }
    for one in changes_of(turn):
        name = structure.name(one[2])
        grown = one[0] == "+" and net.get(name, 0) > 0
        yield one, became.get(one[1], name) if grown else name
