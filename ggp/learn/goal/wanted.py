"""What may win where nobody has won yet, and how two goals that fit what was seen can be told apart.

Winning asks for what play can bring about: none is left of a thing, one is, all of it is on another or has
become another. What was true of a board that is not won is struck out; so are pairs of such claims.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations, islice, product
from math import dist

from ggp.learn.boards import Board, Episode, Turn, turns_of, without
from ggp.learn.goal.claims import Claim, taste_of
from ggp.learn.goal.goals import unlike
from ggp.learn.probe.challenges import with_stack
from ggp.learn.probe.wishes import GONE, Become, Fate, there, ways_of
from ggp.learn.seen.structure import Structure

Claims = tuple[Claim, ...]

MOST_BOARDS = 200  # on which it is looked at what things may stand on
TURNS = 4  # on whose boards little is left
BAREST = 3  # of the boards that runs began with
NEAR = 2.0  # cells from what changed, in which the last thing of a name is put
PLACES = 8  # of these for each turn


def thinkable(
    episodes: Sequence[Episode], known: Mapping[Board, bool], structure: Structure
) -> Iterator[Claims]:
    """What may win, likeliest first, as far as no board that is `known` not to be won speaks against it."""
    turns = list(turns_of(episodes))
    boards = list(dict.fromkeys(one.start for one in episodes))[:MOST_BOARDS]
    ways = ways_of(boards, turns, structure, None)
    no = unlike(structure, (board for board, won in known.items() if not won))
    singles = sorted(dict.fromkeys(claims_of(ways)), key=taste_of(structure).rank)
    true = {one: {number for number, facts in enumerate(no) if facts.holds(one)} for one in singles}
    yield from ((one,) for one in singles if not true[one])
    yield from (
        pair
        for pair in combinations(singles, 2)
        if true[pair[0]] and true[pair[1]] and not true[pair[0]] & true[pair[1]]
    )


def claims_of(ways: Mapping[str, Sequence[Fate]]) -> Iterator[Claim]:
    """Each thing that may become of all of a name, as a goal says it."""
    for name, fates in ways.items():
        for fate in fates:
            if fate is GONE or isinstance(fate, Become):
                yield from (Claim("count", name), Claim("count", name, number=1))
            elif fate:
                yield from (Claim("every", name, fate), Claim("some", name, fate), Claim("every", fate, name))


def boards_for(
    goal: Claims, episodes: Sequence[Episode], structure: Structure, rng: random.Random
) -> Iterator[Board]:
    """Boards from which a goal may be near: little is left of what it speaks of.

    First those of turns in which that came or went, without all of it that stood elsewhere, then the barest
    that runs began with.
    """
    names = {claim.what for claim in goal}
    turns = [turn for turn in dict.fromkeys(turns_of(episodes)) if names & changed(turn, structure)]
    for turn in rng.sample(turns, min(TURNS, len(turns))):
        yield thinned(turn, names, structure)
    left = {
        board: sum(len(there(board, name, structure)) for name in names)
        for board in dict.fromkeys(one.start for one in episodes)
    }
    yield from islice(
        sorted((board for board, number in left.items() if number), key=left.__getitem__), BAREST
    )


def last_where_it_is_lost(
    goal: Claims, episodes: Sequence[Episode], structure: Structure, rng: random.Random
) -> Iterator[Board]:
    """Boards before a turn that lost, with one thing alone that a goal speaks of, near cells that it changes.

    So a turn that loses may be one that wins, too.
    """
    steps = [pair for run in episodes for pair in zip(run.boards(), run.steps, strict=False)]
    losses = list(dict.fromkeys((board, step.after) for board, step in steps if step.lost))
    apart = structure.exclusions()
    for before, after in rng.sample(losses, min(TURNS, len(losses))):
        pairs = enumerate(zip(before.cells, after.cells, strict=True))
        changes = [divmod(index, before.width) for index, (old, new) in pairs if old != new]
        cells = [
            cell
            for cell in product(range(before.height), range(before.width))
            if any(dist(cell, one) <= NEAR for one in changes)
        ]
        for name in dict.fromkeys(claim.what for claim in goal):
            stood = there(before, name, structure)
            bare = without(before, frozenset(token for _, token in stood))
            for cell in rng.sample(cells, min(PLACES, len(cells))) if stood else ():
                stack = bare.at(cell) or frozenset()
                if not apart[name] & set(map(structure.name, stack)):
                    yield with_stack(bare, cell, stack | {stood[0][1]})


def changed(turn: Turn, structure: Structure) -> set[str]:
    """The names of what came or went."""
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    return {structure.name(token) for old, new in pairs if old != new for token in old ^ new}


def thinned(turn: Turn, names: Set[str], structure: Structure) -> Board:
    """The board before a turn without things of some names in the cells that it does not change."""
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    cells = (
        old if old != new else frozenset(t for t in old if structure.name(t) not in names)
        for old, new in pairs
    )
    return turn.before._replace(cells=tuple(cells))


def telling(goal: Claims, rival: Claims) -> Iterator[Claims]:
    """What holds of boards of which two goals say different things."""
    for one, other in ((goal, rival), (rival, goal)):
        yield from ((*one, denied) for claim in other if (denied := denial(claim)) is not None)


def denial(claim: Claim) -> Claim | None:
    """What holds where a claim does not; None where no claim says it."""
    if claim.word == "count":
        return (
            claim._replace(compare=">=", number=claim.number + 1)
            if claim.compare != ">="
            else (claim._replace(compare="<=", number=claim.number - 1))
        )
    if claim.word in ("somewhere", "nowhere"):
        return claim._replace(word="nowhere" if claim.word == "somewhere" else "somewhere")
    if claim.word == "every":
        return claim._replace(word="some", placing="off" if claim.placing == "on" else "on")
    return claim._replace(word="no" if claim.word == "some" else "some")
