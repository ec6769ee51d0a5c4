"""Kinds told apart: each kind of thing answers for itself alone, and one pass is what they all do.

Who carries two keys, opens two doors and pushes crates does all of that at once, and hardly ever the same
twice; what becomes of a key is one of three things. So of every turn only what happened to one kind is looked
at, and rules are learned that say that. They read the same board as those of all others, so together they are
one pass. It is larger than where a mover answers for all around it, but each kind is learned in no time.
What does not say itself where it comes from is left to the cells, for all such kinds together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Part, Program
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.aftermath import net_of
from ggp.learn.turn.events import LIMITS, Changed, by_some_movers, cell_program, changes_of, changing
from ggp.learn.turn.loops import changed

FEWEST = 3  # kinds that anything happens to: fewer have been tried together
MOST = 5.0  # times as large as what one kind may do may be what all do


def learn_kinds(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS[:1]) -> Program:
    """One pass with parts for each kind, each within the limits; raises NotLearned where there are none."""
    names = changing(turns, structure)
    if len(names) >= FEWEST and not any("(" in (turn.word or "") for turn in turns):
        with one_thread():
            parts = parts_of(turns, structure, names, limits[-1])
        found = Program(structure, tuple(parts or ()))
        if parts is not None and found.cost <= MOST * limits[-1] and not any(map(found.wrong, turns)):
            return found
    raise NotLearned("no rules for each kind alone explain what happens", "more roll-outs may help")


def parts_of(
    turns: Sequence[Turn], structure: Structure, names: Sequence[str], limit: float
) -> list[Part] | None:
    """What each kind does, and what cells do for those that do not say it; None where nothing says that."""
    parts: list[Part] = []
    silent = []
    for name in names:
        own = of_kinds(turns, structure, {name})
        program = by_some_movers(own, structure, [name], None, limit)
        if program is None:
            silent.append(name)
        else:
            parts += program.parts
    if not silent:
        return parts
    rest = of_kinds(turns, structure, silent)
    for full in (False, True):
        cells = cell_program(rest, structure, silent, None, len(silent) * limit, full=full)
        if cells is not None and not any(map(cells.wrong, rest)):
            return [*parts, *cells.parts]
    return None


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
