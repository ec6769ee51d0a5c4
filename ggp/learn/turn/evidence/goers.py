"""Who goes where in a turn: where the input sends it, where it faces, or before what pushes it.

Told by what is not where it was, if it nearly always went there when it went at all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import pointing, subjects_on
from ggp.learn.fit.toil import spend
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.fliers import beyond
from ggp.model import OFFSETS, Cell

MOSTLY = 0.7  # of the times that a thing of a name goes at all
NEARLY = 0.9  # of the times that it is seen where it went, of what is pushed
FEWEST = 3  # times that it went under an input

Way = str
"""A direction on the board."""


@dataclass(frozen=True)
class Goers:
    """Where things of some names would go under each input: (name, word) to a way.

    `faced`: the names of what goes where it faces, whatever the input. `pushed`: what goes only where
    something goes right behind it, and the names of that.
    """

    structure: Structure
    sent: Mapping[tuple[str, str], Way]
    faced: frozenset[str] = frozenset()
    pushed: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def willing(self) -> list[str]:
        """The names of all that go of themselves."""
        return sorted({name for name, _ in self.sent} | self.faced)

    @cached_property
    def names(self) -> list[str]:
        """The names of all that go."""
        return [*self.willing, *sorted(self.pushed)]

    @cached_property
    def apart(self) -> Mapping[str, frozenset[str]]:
        """What bars the way of each."""
        return {name: self.structure.exclusions(perhaps=True)[name] | {name} for name in self.names}

    def bars(self, board: Board, cell: Cell, name: str) -> bool:
        """Is the cell off the board, or does something stand there that bars the way?"""
        stack = board.at(cell)
        return stack is None or any(self.structure.name(token) in self.apart[name] for token in stack)

    def way(self, name: str, token: Token, word: str | None) -> Way | None:
        """Where one of a name would go."""
        if name in self.faced:
            return self.structure.facing[token][1] if token in self.structure.facing else None
        return self.sent.get((name, word or ""))

    def heading(self, turn: Turn) -> Iterator[tuple[str, Cell, Token, Way]]:
        """All that may go of themselves in a turn, with where each stands and would go."""
        for name in self.willing:
            for at, token in subjects_on(turn.before, name, self.structure):
                way = self.way(name, token or "", turn.word)
                if token is not None and way is not None:
                    yield name, at, token, way

    def contested(self, turn: Turn) -> bool:
        """Do two head for one cell in which nothing bars the way?"""
        spend(len(turn.before.cells))
        ahead = Counter(
            to
            for name, at, _, way in self.heading(turn)
            if not self.bars(turn.before, to := beyond(at, way), name)
        )
        return any(number > 1 for number in ahead.values())

    def ways_of(self, name: str) -> set[Way]:
        """The ways that things of a name may go."""
        pushers = self.pushed.get(name, frozenset()) - {name}
        found = {way for (one, _), way in self.sent.items() if one == name}
        faced = (
            {self.structure.facing[one][1] for one in self.structure.members(name)}
            if name in self.faced
            else ()
        )
        return found.union(faced, *map(self.ways_of, pushers))

    def at_once(self, ways: Sequence[Way]) -> bool:
        """Do things go some of these ways under one input?"""
        together: dict[str, set[Way]] = defaultdict(set)
        always = {way for name in self.faced for way in self.ways_of(name)}
        for (_, word), way in self.sent.items():
            together[word] |= {way} | always
        return any(len(found.intersection(ways)) > 1 for found in (always, *together.values()))


def goers_of(turns: Sequence[Turn], structure: Structure) -> Goers:
    """Where things of each name go, if they nearly always go there when they go at all."""
    sent: dict[tuple[str, str], Way] = {}
    faced, pushed = set[str](), dict[str, frozenset[str]]()
    gone = [one for turn in turns if turn.before != turn.after for one in gone_in(turn, structure)]
    for name in sorted({one.name for one in gone}):
        own = [one for one in gone if one.name == name]
        by = [one for one in own if one.behind]
        if mostly(sum(one.faces in one.ways for one in own), own):
            faced.add(name)
        elif len(by) >= max(FEWEST, NEARLY * sum(bool(one.ways) for one in own)):
            pushed[name] = frozenset().union(*(one.behind for one in by))
        else:
            for word in {one.word for one in own if pointing(structure, one.word) is not None}:
                under = [one for one in own if one.word == word]
                ways = Counter(way for one in under for way in one.ways)
                way, times = max(ways.items(), key=lambda one: (one[1], one[0]), default=("", 0))
                if mostly(times, under):
                    sent[name, word] = way
    known = {name for name, _ in sent} | faced
    pushed = {name: by & known for name, by in pushed.items() if by & known}
    return Goers(structure, sent, frozenset(faced), pushed)


class Gone(NamedTuple):
    """A thing that is not where it was: the ways it may have gone, and who may have pushed it."""

    name: str
    word: str
    faces: Way
    ways: frozenset[Way]
    behind: frozenset[str]


def gone_in(turn: Turn, structure: Structure) -> Iterator[Gone]:
    """All that is not where it was."""
    spend(len(turn.before.cells))
    for name in set(map(structure.name, structure.tokens)) - structure.still:
        for at, token in subjects_on(turn.before, name, structure):
            if not there(turn.after, at, name, structure):
                ways = frozenset(ways_gone(turn, at, name, structure))
                behind = frozenset(one for way in ways for one in followed(turn, at, way, structure))
                facing = structure.facing.get(token or "", ("", ""))[1]
                yield Gone(name, turn.word or "", facing, ways, behind - {name})


def followed(turn: Turn, at: Cell, way: Way, structure: Structure) -> Iterator[str]:
    """The names of what came to where something stood, from right behind it."""
    (row, column), (down, right) = at, OFFSETS[way]
    behind = (row - down, column - right)
    for token in turn.before.at(behind) or ():
        name = structure.name(token)
        if there(turn.after, at, name, structure) and not there(turn.before, at, name, structure):
            yield name


def mostly(times: int, of: Sequence[Gone]) -> bool:
    """Is that often, and most of the times that something of a name went at all?"""
    return times >= max(FEWEST, MOSTLY * len(of))


def ways_gone(turn: Turn, at: Cell, name: str, structure: Structure) -> Iterator[Way]:
    """The ways that something may have gone that is not where it was: to where there was none."""
    for way in OFFSETS:
        to = beyond(at, way)
        if there(turn.after, to, name, structure) and not there(turn.before, to, name, structure):
            yield way


def there(board: Board, cell: Cell, name: str, structure: Structure) -> bool:
    """Does something of a name stand in a cell?"""
    return not structure.named(name).isdisjoint(board.at(cell) or ())
