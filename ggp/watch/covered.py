"""Ground that a thing hides: where each cell shows one tile, or one code, a player is drawn over a target.

When it goes on, the target is there again, or a pad has sunk: what comes then hangs on what was there before,
and no board says it. So what is hidden is remembered, as play shows that it must be: a ground after which
something else comes, when what covered it goes, than comes as a rule. It stands below what covers it from
then on. What a run begins with is not known to cover anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Stack, Token, Turn, turns_of
from ggp.learn.seen.structure import Structure, structure_of
from ggp.watch.overlaid import standing

EVIDENCE = 4  # times that a ground was covered, and what covered it went
SURE = 0.9  # of these times the same came
OFTEN = 0.7  # of the turns in which a mover goes or comes it does both


class Covered(NamedTuple):
    """What hides what it stands on, and what of that is remembered."""

    by: frozenset[Token] = frozenset()
    grounds: frozenset[Stack] = frozenset()

    def shown(self, before: Board, after: Board) -> Board:
        """The board with what is hidden, by what was there before."""
        if not self.by:
            return after
        pairs = zip(before.cells, after.cells, strict=True)
        cells = (new | self.below(old) if new and new <= self.by else new for old, new in pairs)
        return after._replace(cells=tuple(cells))

    def below(self, old: Stack) -> Stack:
        """What is hidden where this was, and what covers it is now."""
        ground = old - self.by
        return ground if ground in self.grounds else frozenset()


def covered_in(episodes: Sequence[Episode]) -> Covered:
    """What hides which grounds in these runs; nothing if none has to be remembered."""
    turns = list(dict.fromkeys(turns_of(episodes)))
    structure = structure_of(turns)
    movers = movers_in(turns, structure)
    teams = [movers, *({name} for name in sorted(movers) if len(movers) > 1)]
    for team in teams:
        by = frozenset(token for token in structure.tokens if structure.name(token) in team)
        came: dict[Stack, Counter[Stack]] = defaultdict(Counter)
        for episode in episodes:
            for ground, left in stays(episode, by):
                came[ground][left] += 1
        usual = sum(came.values(), Counter[Stack]()).most_common(1)
        grounds = frozenset(one for one, left in came.items() if one and tells(left, usual[0][0]))
        if grounds:
            return Covered(by, grounds)
    return Covered()


def tells(left: Counter[Stack], usual: Stack) -> bool:
    """Does the same come each time, and something else than as a rule?"""
    (most, number), *_ = left.most_common(1)
    return most != usual and left.total() >= EVIDENCE and number >= SURE * left.total()


def movers_in(turns: Sequence[Turn], structure: Structure) -> set[str]:
    """The names of what goes from one cell to another, but for what is seen most of all that comes anywhere.

    A floor that has a tile of its own comes wherever a player goes.
    """
    both, either = Counter[str](), Counter[str]()
    comes = set[str]()
    for turn in turns:
        gone, come = set[str](), set[str]()
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            gone.update(map(structure.name, old - new))
            come.update(map(structure.name, new - old))
        both.update(gone & come)
        either.update(gone | come)
        comes |= come
    stands = Counter[str]()
    for token, number in standing(turns).items():
        stands[structure.name(token) if token else ""] += number
    floor = max(("", *sorted(comes)), key=lambda name: stands[name])
    return {name for name, number in both.items() if number >= OFTEN * either[name] and name != floor}


def stays(episode: Episode, by: frozenset[Token]) -> Iterator[tuple[Stack, Stack]]:
    """What stood in a cell before it was covered, and what is there when it is no more."""
    boards = list(episode.boards())
    for cell in range(len(boards[0].cells)):
        ground: Stack | None = None
        for old, new in zip(boards, boards[1:], strict=False):
            was, now = old.cells[cell], new.cells[cell]
            if now <= by and now:
                ground = was if not was & by else ground
            else:
                if ground is not None and was <= by and was:
                    yield ground, now
                ground = None
