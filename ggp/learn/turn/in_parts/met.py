"""Who takes whom at the end of a turn: pits take what comes to them, and who comes to grass eats it.

No board shows the two in one cell, so they seem to be in each other's way. But where something gets lost, one
of the few kinds that take it is near, or has come to where it was. So it is put back with that one, which
gives the board before the last pass, wherever it is plain which one it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ggp.learn.boards import Turn
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import subjects_on
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of
from ggp.learn.turn.evidence.guesses import steps_between
from ggp.learn.turn.evidence.steady import net_of
from ggp.model import Cell

FAR = 2  # steps to what takes something: what is pushed onto a belt is carried on
FEWEST = 3  # turns in which something got lost
NEARLY = 0.95  # of what got lost of a kind, one of those that take it was near
LIFT = 0.15  # by so much more often it was beside that than its like that was not lost
OTHERS = 400  # of its like, that are looked at

Names = frozenset[str]


class Around(NamedTuple):
    """The names of what stands beside a cell, or in it; and of what is not too far away."""

    beside: Names
    near: Names


class Taking(NamedTuple):
    """What gets lost to what. `comes`: that comes to where the first one is, else the first one to it."""

    lost: str
    taker: str
    comes: bool


class Seen(NamedTuple):
    """A turn with its changes, and the names of which there are fewer then, and how many."""

    turn: Turn
    changes: tuple[Changed, ...]
    fewer: Counter[str]


@remembered
def takings(turns: Sequence[Turn], structure: Structure) -> tuple[Taking, ...]:
    """All that is taken, with all that takes it; nothing of a kind of which some get lost otherwise."""
    seen = [
        Seen(turn, tuple(changes_of(turn)), Counter({name: -more for name, more in net_of(turn, structure)}))
        for turn in turns
    ]
    lasting = [one for one in seen if not one.fewer or min(one.fewer.values()) > 0]  # nothing became another
    often = Counter(name for one in seen for name, number in one.fewer.items() if number > 0)
    came = {structure.name(token) for one in seen for sign, _, token in one.changes if sign == "+"}
    names = set(map(structure.name, structure.tokens))
    found: list[Taking] = []
    for name in sorted(name for name, times in often.items() if times >= FEWEST):
        lost = [one for one in lasting if one.fewer[name] > 0]
        if len(lost) < NEARLY * often[name]:
            continue
        kept = [around for one in seen if not one.fewer for around in standing(one, name, structure)][:OTHERS]
        stays = name not in came
        where = [around for one in lost for around in (came_there if stays else alone)(one, name, structure)]
        others = (came if stays else names - came) - {name}
        found += (Taking(name, other, stays) for other in covering(where, [] if stays else kept, others))
    return tuple(found)


def covering(lost: Sequence[Around], kept: Sequence[Around], names: set[str]) -> list[str]:
    """The few names near which nearly all got lost, and beside which others seldom are; none if none are."""
    taken, left = list[str](), list(lost)
    while len(left) > (1 - NEARLY) * len(lost):
        lifts = {one: share(one, left) - share(one, kept) for one in sorted(names - set(taken))}
        likely = [one for one, lift in lifts.items() if lift >= LIFT]
        if not likely:
            return []
        best = max(likely, key=lambda one: (sum(one in around.near for around in left), lifts[one]))
        taken.append(best)
        left = [around for around in left if best not in around.near]
    return taken


def share(name: str, around: Sequence[Around]) -> float:
    """How many of these have a name beside them."""
    return sum(name in one.beside for one in around) / max(1, len(around))


def gone_from(one: Seen, name: str, structure: Structure) -> list[Cell]:
    """The cells from which things of a name are gone."""
    return [cell for sign, cell, token in one.changes if sign == "-" and structure.name(token) == name]


def came_there(one: Seen, name: str, structure: Structure) -> list[Around]:
    """What has come to each cell from which something of a name is gone."""
    come = [(cell, structure.name(token)) for sign, cell, token in one.changes if sign == "+"]
    there = (frozenset(n for at, n in come if at == cell) for cell in gone_from(one, name, structure))
    return [Around(names, names) for names in there]


def alone(one: Seen, name: str, structure: Structure) -> list[Around]:
    """What stood around the one that got lost, where it is plain which one that was."""
    gone = gone_from(one, name, structure)
    return [around(one.turn, gone[0], structure)] if len(gone) == 1 else []


def standing(one: Seen, name: str, structure: Structure) -> list[Around]:
    """What stood around each of a name."""
    return [around(one.turn, cell, structure) for cell, _ in subjects_on(one.turn.before, name, structure)]


def around(turn: Turn, at: Cell, structure: Structure) -> Around:
    """What stood around a cell."""
    return Around(within(1, turn, at, structure), within(FAR, turn, at, structure))


def within(far: int, turn: Turn, at: Cell, structure: Structure) -> Names:
    """What stood in a cell, and some steps from it."""
    span = range(-far, far + 1)
    steps = ((down, right) for down in span for right in span if abs(down) + abs(right) <= far)
    stacks = (structure.at(turn.before, (at[0] + down, at[1] + right)) for down, right in steps)
    return frozenset(structure.name(one) for stack in stacks for one in stack or ())


# --- the board before it was taken ------------------------------------------------------------------------


def untaken(turn: Turn, taken: Sequence[Taking], structure: Structure) -> Turn | None:
    """The turn with all that was taken still there at its end; None where it is not plain where."""
    fewer = {name: -more for name, more in net_of(turn, structure) if more < 0}
    back: list[Changed] = []
    for name in sorted(fewer.keys() & {one.lost for one in taken}):
        found = put_back(turn, name, fewer, taken, structure)
        if found is None:
            return None
        back += found
    return turn._replace(after=changed(turn.after, back)) if back else turn


def put_back(
    turn: Turn, name: str, fewer: dict[str, int], taken: Sequence[Taking], structure: Structure
) -> list[Changed] | None:
    """What got lost of a name, where it was before it did; None where that is not plain."""
    own = structure.named(name)
    gone = [(cell, token) for sign, cell, token in changes_of(turn) if sign == "-" and token in own]
    if all(one.comes for one in taken if one.lost == name):
        return [("+", cell, token) for cell, token in gone]
    if len({token for _, token in gone}) > 1:
        return None
    token = gone[0][1]
    takers = {one.taker for one in taken if one.lost == name}
    spots = [
        (cell, other)
        for taker in sorted(takers)
        for cell, other in subjects_on(turn.before, taker, structure)
        if any(steps_between(cell, source) <= FAR for source, _ in gone)
        and (taker not in fewer or other not in (turn.after.at(cell) or ()))
    ]
    if len(spots) != fewer[name] or any(token in (turn.after.at(cell) or ()) for cell, _ in spots):
        return None
    back = [("+", cell, token) for cell, _ in spots]
    both = [("+", cell, other) for cell, other in spots if other and structure.name(other) in fewer]
    return [*back, *both]
