"""What an actor did of what is seen of a turn: it went, with what it pushed, and with what it held before.

What is pushed may be gone by the end, and so may the actor be; what it holds may be more or less by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import Changed, changed
from ggp.learn.turn.evidence.taken import Split, cell_ahead, lonely
from ggp.learn.turn.in_parts.driven import alone, driven
from ggp.model import OFFSETS, Cell

FEWEST = 2  # times that something was pushed
MOSTLY = 0.5  # of the times that it was gone from where the actor came to: crates go into holes as well


@dataclass(frozen=True)
class Acted:
    """A notion of what an actor did: what `split` says, and what it `pushed`, by name.

    `keeps`: what it holds is what it held before.
    """

    split: Split
    pushed: frozenset[str] = frozenset()
    keeps: bool = False

    def __call__(self, turn: Turn, structure: Structure, actor: str) -> Board:
        """The board when it had acted."""
        board = changed(self.split(turn, structure, actor), self.pushes(turn, structure, actor))
        source = lonely(turn, structure, actor)
        if not self.keeps or source is None or not holds(source[1], structure):
            return board
        return changed(board, self.as_before(board, source[1], structure))

    def along(self, turn: Turn, structure: Structure, actor: str) -> list[Changed]:
        """What an actor had pushed that is gone since."""
        return list(self.pushes(turn, structure, actor, taken=True))

    def pushes(
        self, turn: Turn, structure: Structure, actor: str, *, taken: bool = False
    ) -> Iterator[Changed]:
        """What is pushed goes a cell further."""
        for there, beyond, token in pushed_by(turn, structure, actor, taken=taken) if self.pushed else ():
            if structure.name(token) in self.pushed:
                yield from (("-", there, token), ("+", beyond, token))

    @staticmethod
    def as_before(board: Board, own: Token, structure: Structure) -> Iterator[Changed]:
        """The actor holds what it held."""
        for index, stack in enumerate(board.cells):
            for token in sorted(stack & structure.named(structure.name(own))):
                cell = divmod(index, board.width)
                yield from (("-", cell, token), ("+", cell, own))


def notions(turns: Sequence[Turn], structure: Structure, actors: Sequence[str]) -> Iterator[Acted]:
    """All notions of what actors did, the likelier ones first."""
    some = often_pushed(turns, structure, actors)
    plain = [*([Acted(alone, some)] if some else []), Acted(alone), Acted(driven)]
    if any(holds(token, structure) for actor in actors for token in structure.members(actor)):
        yield from (replace(one, keeps=True) for one in plain)
    yield from plain


def holds(token: Token, structure: Structure) -> bool:
    """Does a thing have a value, and no facing?"""
    return token in structure.facing and structure.facing[token][1] not in OFFSETS


def often_pushed(turns: Sequence[Turn], structure: Structure, actors: Sequence[str]) -> frozenset[str]:
    """The names of what mostly is a cell further where an actor came to it, and goes nowhere by itself."""
    seen, gone = Counter[str](), Counter[str]()
    for turn in turns:
        for _, beyond, token in chain.from_iterable(pushed_by(turn, structure, actor) for actor in actors):
            gone[structure.name(token)] += 1
            seen[structure.name(token)] += token in set(turn.after.at(beyond) or ()) - set(
                turn.before.at(beyond) or ()
            )
    return frozenset(name for name, times in seen.items() if times >= max(FEWEST, MOSTLY * gone[name]))


def pushed_by(
    turn: Turn, structure: Structure, actor: str, *, taken: bool = False
) -> Iterator[tuple[Cell, Cell, Token]]:
    """What is gone from where the only actor came to, that cell, and the next one the same way.

    `taken`: the actor is gone since, and came there as is supposed.
    """
    source, target = lonely(turn, structure, actor), cell_ahead(turn, structure, actor)
    if source is None or target is None:
        return
    old, new = turn.before.at(target) or frozenset(), turn.after.at(target) or frozenset()
    beyond = structure.cell(turn.before, (2 * target[0] - source[0][0], 2 * target[1] - source[0][1]))
    came = taken or actor in map(structure.name, new - old)
    if came and turn.before.inside(beyond):
        yield from ((target, beyond, token) for token in sorted(old - new))
