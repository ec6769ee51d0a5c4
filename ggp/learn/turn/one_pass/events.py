"""From transitions to a program: who made what happen, seen from where, and under which conditions.

Two ways of telling are tried, and the smaller program wins: a *mover* answers for all that changes around
it (a walker, a cursor), or each *cell* answers for what changes in it (a lamp, a growing plant). Where
several movers are close together, what each did is found by exact cover with what was seen of single ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Program, marked, pointing, subjects_on
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import begin
from ggp.learn.seen.edges import plain
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.crowd.crowds import FAR, REACH, attributed, closer_moves, lone_moves, plain_moves, seeds
from ggp.learn.turn.crowd.herds import in_herds
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.crowd.readings import MOST_CLUSTERS, Reader, Reading, fitted
from ggp.learn.turn.evidence.changes import changes_of, changing, names_beside
from ggp.learn.turn.one_pass.cells import cell_examples, hosts_of
from ggp.model import DIRECTIONS

MOST_SUBJECTS = 3
LIMITS = (16.0, 40.0)  # sizes of programs, small ones looked for first: what is wrong is long
HOSTED = 100.0  # the size of a program in which what comes is due to what stands there
SCARCE = 20  # deeds of a mover alone: with fewer a crowd is looked at as a whole
SHORT = 8.0  # the size of a program of movers that is not held against one of what stands beside
ALONE = 1.5  # times as large may be what one mover does that is nowhere beside another: nothing is guessed
MIXED = 2.5  # times as large may be cells that say apart what movers do at once


@remembered
def learn_pass(
    turns: Sequence[Turn],
    structure: Structure,
    shake: random.Random | None = None,
    limits: Sequence[float] = LIMITS,
) -> Program:
    """The smallest program of one pass that says what was seen; raises PuzzleError where none was found.

    `limits`: how large it may be, at first and at last.
    """
    structure = with_marks(turns, structure)
    unique = list(dict.fromkeys(turns))
    changed = changing(unique, structure)
    if not changed:
        return Program(structure, ())
    with one_thread():
        best = smallest(unique, structure, changed, shake, limits)
    if best is None:
        raise NotLearned(
            f"no rules of one pass explain what happens to {', '.join(changed[:6])}",
            "more roll-outs may help; or record the boards inside a turn",
        )
    return best


def smallest(
    unique: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    limits: Sequence[float],
) -> Program | None:
    """The smallest program of movers or of cells; None where neither says what was seen."""
    begin()
    best = None
    for limit in limits:
        best = by_movers_and_picks(unique, structure, changed, shake, limit)
        mixed = best is not None and mixes(best)
        if best is None or best.cost > PLAIN or mixed:
            most = MIXED * limit if mixed else limit if best is None else best.cost
            for full in (False, True):
                cells = cell_program(unique, structure, changed, shake, most, full=full)
                if cells is None or not any(map(cells.wrong, unique)):
                    best = cells or best
                    break
        if best is not None:
            break
    return best


def mixes(program: Program) -> bool:
    """Is one outcome of a part two others of it at once? What it does is then several things, each by itself.

    Its list would need a decision for every choice of them, of which few are ever seen.
    """
    for part in program.parts:
        listed = {frozenset(one.outcome) for one in part.decisions.decisions if one.outcome}
        pairs = combinations(sorted(listed, key=sorted), 2)
        if any(one | other in listed for one, other in pairs if not one & other):
            return True
    return False


def with_marks(turns: Iterable[Turn], structure: Structure) -> Structure:
    """The structure with the mark of picks as a thing with facings, where picks have directions."""
    directed = any(
        turn.word is not None and "(" in turn.word and pointing(structure, turn.word) for turn in turns
    )
    if not directed or f"{PICK}:up" in structure.facing:
        return structure
    marks = {f"{PICK}:{direction}": (PICK, direction) for direction in DIRECTIONS}
    return replace(structure, facing={**structure.facing, **marks})


def by_some_movers(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    most: float,
) -> Program | None:
    """The smallest program of the fewest kinds of mover that answer for everything."""
    picks = [PICK] if pointed(turns) else []
    seen = changes_seen(turns, structure, [*picks, *changed])
    best: Program | None = None
    for number in range(1, MOST_SUBJECTS + 1):
        for subjects in combinations([*picks, *changed], number):
            if not all(one.is_of(frozenset(subjects)) for one in seen):
                continue
            limit = most if best is None else min(most, best.cost)
            alone = (ALONE * most if number == 1 else most) if best is None else best.cost
            program = by_movers(turns, structure, subjects, shake, limit, alone)
            if program is not None and not any(map(program.wrong, turns)):
                best = program
            if best is not None and best.cost <= PLAIN:
                return best if best.cost <= SHORT else by_bystanders(turns, structure, changed, shake, best)
        if best is not None:
            break
    return best


def by_bystanders(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    best: Program,
) -> Program:
    """A smaller program in which what stands beside all that changes answers for it; else the one there is.

    Who melts one block of ice beside it, the first of four, changes nothing of itself. To the ice it looks
    as if it melted where no other did.
    """
    for name in bystanders(turns, structure, changed):
        program = by_movers(turns, structure, (name,), shake, best.cost, best.cost)
        if program is not None and not any(map(program.wrong, turns)):
            best = program
    return best


def bystanders(turns: Sequence[Turn], structure: Structure, changed: Sequence[str]) -> list[str]:
    """The names of what stands beside each change, and never changes itself."""
    found = set(map(structure.name, structure.tokens)) - set(changed)
    for turn in turns:
        for _, cell, _ in changes_of(turn):
            found &= names_beside(cell, turn.before, structure)
            if not found:
                return []
    return sorted(found)


def by_movers_and_picks(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    most: float,
) -> Program | None:
    """The same, and where that is long or nothing, one in which it is asked where a pick points, if shorter.

    Where more may be asked another list is found, which is longer looked for: most games need no more.
    """
    best = by_some_movers(turns, structure, changed, shake, most)
    if f"{PICK}:up" not in structure.facing or (best is not None and best.cost <= PLAIN):
        return best
    structure = replace(structure, picks_asked=True)
    other = by_some_movers(turns, structure, changed, shake, most if best is None else min(most, best.cost))
    return min((one for one in (best, other) if one is not None), key=lambda one: one.cost, default=None)


class DueTo(NamedTuple):
    """Who may answer for a change: `near` it, or as the only mover `there` is, if that is one of `alone`."""

    near: frozenset[str]
    alone: frozenset[str]
    there: frozenset[str]

    def is_of(self, subjects: Set[str]) -> bool:
        """May these answer for it?"""
        return not self.near.isdisjoint(subjects) or (
            len(self.there & subjects) == 1 and not self.alone.isdisjoint(subjects)
        )


def changes_seen(turns: Sequence[Turn], structure: Structure, names: Sequence[str]) -> set[DueTo]:
    """What is seen of all changes, with who of these names may answer for them.

    To give all changes to each choice of movers takes long where there are many kinds, and most are for none.
    """
    found = set[DueTo]()
    for turn in turns:
        cells = {cell for _, cell, _ in changes_of(turn)}
        board = marked(turn.before, turn.word, structure) if cells else turn.before
        if not cells or (structure.joined and not plain(board)):
            continue
        places = {name: [at for at, _ in subjects_on(board, name, structure)] for name in names}
        for cell in cells:
            far = {name: [structure.distance(board, at, cell) for at in ats] for name, ats in places.items()}
            near = frozenset(name for name, some in far.items() if min(some, default=FAR) <= REACH)
            alone = frozenset(name for name, some in far.items() if len(some) == 1 and some[0] <= FAR)
            found.add(DueTo(near, alone, frozenset(filter(far.get, far))))
    return found


# --- movers -----------------------------------------------------------------------------------------------


def by_movers(
    turns: Sequence[Turn],
    structure: Structure,
    subjects: Sequence[str],
    shake: random.Random | None,
    limit: float,
    alone: float,
) -> Program | None:
    """A program in which these answer for everything; None where something changes out of their reach.

    It costs less than `limit`, or than `alone` where no mover was near another.
    """
    found = attributed(turns, structure, subjects)
    if found is None:
        return None
    examples, clusters = found
    alone_seen = {subject: list(given) for subject, given in examples.items()}
    if not all(any(one.changes for one in given) for given in examples.values()):
        for cluster in clusters:
            for subject, example in plain_moves(cluster, structure):
                examples[subject].append(example)
    if not all(any(one.changes for one in given) for given in examples.values()):
        return None
    limit = limit if clusters else alone
    every = sorted(clusters, key=lambda one: not one.changes)
    clusters = every[:MOST_CLUSTERS]
    herds = in_herds(alone_seen, turns, clusters, structure) if clusters and scarce(alone_seen) else ()
    # What a closer look at crowds tells comes last: it is longer looked for, and seldom needed.
    closer = seeds(alone_seen, clusters, structure, closer_moves)
    lone = seeds(alone_seen, clusters, structure, lone_moves)
    plainly = (*seeds(examples, clusters, structure, plain_moves), examples, *lone)
    longer = chain(
        (Reading(first, ()) for first in herds),  # what was sure to be done leaves nothing to guess
        (Reading(first, every) for first in closer),
    )
    plain_ones = [Reading(first, every) for first in plainly]
    return Reader(turns, examples, structure, shake, limit).smallest(plain_ones, longer)


def scarce(alone: dict[str, list[Example]]) -> bool:
    """Was hardly ever a mover seen to do something alone? Else a crowd tells no more, at length."""
    return all(sum(bool(one.changes) for one in given) < SCARCE for given in alone.values())


# --- cells ------------------------------------------------------------------------------------------------


def cell_program(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    limit: float,
    hosts: frozenset[str] = frozenset(),
    *,
    full: bool = False,
) -> Program | None:
    """A program in which each cell answers for what changes in it; or where there is one, its host.

    `full`: cells say, too, that nothing comes where something goes.
    """
    return fitted(cell_examples(turns, structure, changed, hosts, full=full), structure, shake, limit)


def hosted_program(turns: Sequence[Turn], structure: Structure, limit: float = HOSTED) -> Program | None:
    """A program in which what comes to a cell is due to what stands there; None where that cannot be."""
    structure = with_marks(turns, structure)
    hosts = hosts_of(turns, structure)
    if not hosts:
        return None
    with one_thread():
        program = cell_program(turns, structure, changing(turns, structure), None, limit, hosts)
    return program if program is not None and not any(map(program.wrong, turns)) else None
