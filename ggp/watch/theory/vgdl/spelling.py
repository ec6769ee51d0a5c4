"""How sprites are called on the boards that were seen: their facings, what they hold, and their clocks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from ggp.engines.vgdl.insides import Inside
from ggp.learn.boards import Board, Token, Turn
from ggp.model import Cell
from ggp.watch.vgdl_names import Names, type_of

MORE = 4  # than was seen may be held, where no limit was seen, or as much again
HELD = "held"  # the one thing that is held, where names do not tell it
SUM = re.compile(r"(?P<stem>.*)\((?P<terms>[^()]*)\)")
TERM = re.compile(r"(?P<count>\d*)(?P<name>.+)")


class Spelling:
    """Reads tokens as sprites, and names sprites as tokens.

    `holders` are the sorts that hold something, `clocked` those whose number is a clock, each with its round.
    """

    def __init__(self, names: Names, clocked: dict[str, int], tokens: Iterable[Token]) -> None:
        self.names, self.clocked = names, clocked
        self.inside_of = lru_cache(maxsize=None)(self.read)
        self.tokens = tuple(sorted(tokens))
        self.resting = any(self.inside_of(token)[0].rest for token in self.tokens)
        self.keys = frozenset(self.inside_of(token)[0].key for token in tokens)
        amounts = [self.inside_of(token)[0].held for token in sorted(tokens)]
        self.most: dict[str, int] = {}  # of each thing that is held, the most that was seen; it may be more
        for name in (*names.valued, *(name for held in amounts for name in held)):
            self.most[name] = max((int(held.get(name, 0)) for held in amounts), default=0)

    @property
    def room(self) -> dict[str, int]:
        """Of each thing that is held, the most that is told of."""
        return {name: most + max(MORE, most) for name, most in self.most.items()}

    @property
    def held(self) -> tuple[str, ...]:
        """What can be held."""
        return tuple(self.most)

    def key(self, word: str | None) -> str:
        """The key that an input is."""
        return word if word is not None else "noop"

    def knows(self, board: Board) -> bool:
        """Was a sprite of each name on a board seen before?"""
        return all(self.inside_of(token)[0].key in self.keys for stack in set(board.cells) for token in stack)

    def inside(self, token: Token, cell: Cell) -> tuple[Inside, int | None]:
        """The sprite that a token shows, and its clock."""
        inside, clock = self.inside_of(token)
        return inside._replace(cell=cell), clock

    def read(self, token: Token) -> tuple[Inside, int | None]:
        """The same, anywhere."""
        stem, _, end = token.rpartition(":")
        if stem in self.clocked and end.isdecimal():
            return self.names.inside(stem, (0, 0)), int(end)
        return self.names.inside(token, (0, 0)), None

    def token(self, inside: Inside, clock: int | None) -> Token:
        """How a sprite is called."""
        name = self.names.token(inside)
        return name if clock is None else f"{name}:{clock}"


def spelling_of(turns: Iterable[Turn]) -> Spelling:
    """The spelling of what was seen."""
    tokens, steps = set[Token](), defaultdict[str, set[tuple[int, int]]](set)
    for turn in turns:
        for before, after in zip(turn.before.cells, turn.after.cells, strict=True):
            tokens |= before | after
            for token in before:
                stem, _, end = token.rpartition(":")
                if end.isdecimal():
                    steps[stem] |= {
                        (int(end), int(other.rpartition(":")[2]))
                        for other in after
                        if other.rpartition(":")[0] == stem
                    }
    clocked = {stem: len(some) for stem, some in steps.items() if goes_round(some)}
    valued = {t.rpartition(":")[0] for t in tokens if t.rpartition(":")[2].isdecimal()} - clocked.keys()
    named = {type_of(t) for t in tokens if "+" in SUM.sub(r"\g<stem>", t)}
    holders, counts = set(named), dict[str, int]()
    for stem in valued:
        found = SUM.fullmatch(stem)
        holders.add(type_of(stem))
        for term in found["terms"].split("+") if found else (HELD,):
            parts = TERM.fullmatch(term)
            if parts:
                counts[parts["name"]] = int(parts["count"] or 1)
    names = Names(frozenset(holders), dict(sorted(counts.items(), key=lambda one: one[1])))
    return Spelling(names, clocked, tokens)


def goes_round(steps: set[tuple[int, int]]) -> bool:
    """Do numbers go up by one with each turn, and from the last one to the first?"""
    size = max((number for step in steps for number in step), default=0) + 1
    return size > 1 and steps == {(number, (number + 1) % size) for number in range(size)}
