"""What is seen along a line, as a condition of what happens here: a guard that comes when it sees the player.

How far away that is no window says, so it is a token on the way of a ray (`seen.rays`), which rules ask for
where they ask for anything else. Who looks, and what is in the way, is tried: those that tell most about what
becomes of things that move come first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, pointed
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Program, marked, pointing, subjects_on
from ggp.learn.fit.toil import account
from ggp.learn.seen.exclusion import around
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.crowd.crowds import REACH
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.changes import changes_of, changing
from ggp.learn.turn.one_pass.apart import learn_apart
from ggp.learn.turn.one_pass.elsewhere import entropy
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass, with_marks
from ggp.model import DIRECTIONS, OFFSETS, Cell

MOST_RAYS = 2  # that are tried
FAR = 3  # cells away, at least, is what no window is thought to show
ENOUGH = 12.0  # bits beyond what chance says, for a ray to be thought of
SHARE = 0.08  # of all that there is to say, too: what says a little of much is chance of another sort
WORK = 2e6  # on each
ON_ALL = 2 * MOST_RAYS * WORK  # each is tried in two ways


def learn_in_line(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """One pass that asks for what is seen along a line; raises NotLearned where none says what was seen."""
    ways: tuple[Callable[..., Program], ...] = (learn_apart, learn_pass)
    for learn, ray in product(ways, telling_rays(turns, structure)):
        found = learned_with(learn, ray, turns, structure, limits)
        if found is not None:
            return found
    raise NotLearned("nothing that is seen along a line says what happens", "more roll-outs may help")


def learn_near_or_in_line(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program:
    """One pass, which asks for what is seen along a line where that says it shorter; raises NotLearned."""
    return shorter_in_line(learn_pass(turns, structure, limits=limits), turns, structure)


def shorter_in_line(near: Program, turns: Sequence[Turn], structure: Structure) -> Program:
    """One pass, or a shorter one that asks for what is seen along a line.

    One pass can say all shots that were seen, with a decision for each distance. A small one that looks no
    further than two cells away says nothing of lines.
    """
    if near.cost <= PLAIN and farthest(near) <= REACH:
        return near
    try:
        return learn_in_line(turns, structure, (near.cost,))
    except NotLearned:
        return near


def farthest(program: Program) -> int:
    """How many cells away, along a row or a column, the rules of a program look or change something."""
    return max((abs(far) for part in program.parts for at in part.decisions.asked for far in at), default=0)


def learned_with(
    learn: Callable[..., Program],
    ray: Ray,
    turns: Sequence[Turn],
    structure: Structure,
    limits: Sequence[float],
) -> Program | None:
    """The program that may ask for a ray; None where there is none."""
    try:
        with account(WORK):
            return learn(turns, with_its_tokens(structure, ray), limits=limits)
    except NotLearned:
        return None


def with_its_tokens(structure: Structure, ray: Ray) -> Structure:
    """The structure with a ray, and its tokens as one thing with facings."""
    tokens = {ray.token(direction): (ray.name, direction) for direction in DIRECTIONS}
    return replace(structure, senses=(ray,), facing={**structure.facing, **tokens})


@remembered
def telling_rays(turns: Sequence[Turn], structure: Structure) -> list[Ray]:
    """The rays that say most about what becomes of things far from where they come from.

    What never moves says something by chance, for boards have it in the same places: it comes last.
    """
    if structure.joined:
        return []
    structure = with_marks(turns, structure)
    watched = [watched_in(turn, structure) for turn in turns]
    found = ((told_by(ray, watched, structure), ray) for ray in thinkable(turns, structure))
    best = sorted((ray.source in structure.still, -bits, ray.name, ray) for bits, ray in found if bits > 0)
    return [ray for *_, ray in best[:MOST_RAYS]]


def thinkable(turns: Sequence[Turn], structure: Structure) -> Iterator[Ray]:
    """Everything may look as far as what bars the way of things that move, or to what never moves of that.

    Or along a row of what becomes another thing where it stands, such as lamps, up to a gap.
    """
    excluded = structure.exclusions(perhaps=True)
    names = list(dict.fromkeys(map(structure.name, structure.tokens)))
    barred = frozenset[str]().union(*(excluded.get(name, frozenset()) for name in changing(turns, structure)))
    still = barred & {structure.name(token) for token in structure.fixed}
    switched = switched_in(turns, structure)
    for source in [PICK, *names] if pointed(turns) else names:
        yield from (Ray(source, some) for some in dict.fromkeys((barred, still, frozenset[str]())))
        if switched:
            yield Ray(source, along=switched)


def switched_in(turns: Sequence[Turn], structure: Structure) -> frozenset[str]:
    """The names of what was seen to become one of the others where it stands, and that again."""
    pairs = set[tuple[str, str]]()
    for turn in turns:
        there = defaultdict[Cell, dict[str, str]](dict)
        for sign, cell, token in changes_of(turn):
            there[cell][sign] = structure.name(token)
        pairs.update((one["-"], one["+"]) for one in there.values() if len(one) == 2)
    return frozenset(old for old, new in pairs if old != new and (new, old) in pairs)


class Watched(NamedTuple):
    """A board with its mark, the sort of its input, and all that may move: where, what, what became of it."""

    board: Board
    sort: str | None
    things: list[tuple[Cell, str, Hashable, Hashable]]


def watched_in(turn: Turn, structure: Structure) -> Watched:
    """What a turn shows, whichever ray it is held against; with each thing what stands around it."""
    return Watched(
        marked(turn.before, turn.word, structure),
        "" if pointing(structure, turn.word) else turn.word,
        [
            (cell, structure.name(token), became(turn, cell, token), around(turn.before, cell))
            for cell, token in movable(turn.before, structure)
        ],
    )


def told_by(ray: Ray, watched: Sequence[Watched], structure: Structure) -> float:
    """How many bits a ray says of what becomes of things that are far from everything that may look.

    Each sort of thing and of input is counted for itself, what stands alike around it once. What chance alone
    would say is taken off.
    """
    seen: dict[Hashable, dict[Hashable, tuple[Hashable, Hashable]]] = defaultdict(dict)
    for board, sort, things in watched:
        sources = [cell for cell, _ in subjects_on(board, ray.source, structure)]
        far = [
            one for one in things if all(structure.distance(board, one[0], cell) >= FAR for cell in sources)
        ]
        ways: dict[Cell, set[str]] = defaultdict(set)
        for cell, direction in ray.lit(board, structure.facing) if sources and far else ():
            ways[cell].add(direction)
        for cell, name, event, beside in far if sources else ():
            pair = frozenset(ways.get(cell, ())), event
            seen[sort, name][pair, beside] = pair
    return sum(map(told_of, (list(pairs.values()) for pairs in seen.values())))


def told_of(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """How many bits one half of some pairs says of the other, beyond chance; 0 where that is little."""
    by_way: dict[Hashable, list[Hashable]] = defaultdict(list)
    for way, event in pairs:
        by_way[way].append(event)
    events = [event for _, event in pairs]
    every = len(pairs) * entropy(events)
    freedom = (len(by_way) - 1) * (len(set(events)) - 1)
    bits = every - sum(len(some) * entropy(some) for some in by_way.values()) - freedom / (2 * math.log(2))
    return bits if bits > max(ENOUGH, SHARE * every) else 0.0


def movable(board: Board, structure: Structure) -> Iterator[tuple[Cell, Token]]:
    """Everything that ever changes, with its cell."""
    for index, stack in enumerate(board.cells):
        for token in sorted(stack - structure.fixed) if stack else ():
            yield divmod(index, board.width), token


def became(turn: Turn, cell: Cell, token: Token) -> Hashable:
    """What became of something: it stayed, it went to a cell beside it, or it was gone."""
    if token in (turn.after.at(cell) or ()):
        return "stayed"
    for direction, (down, right) in OFFSETS.items():
        there = (cell[0] + down, cell[1] + right)
        if token in (turn.after.at(there) or ()) and token not in (turn.before.at(there) or ()):
            return direction
    return "gone"
