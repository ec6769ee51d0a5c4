"""What went along a line in a turn, cell by cell: where one thing alone did, the boards inside are known.

It stood on every cell of its way, and the board that the turn ends with is at rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ggp.learn.boards import Token, Turn, word_of
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of
from ggp.model import Cell

# Of the times that it is further than a cell away: so often what goes is in line with where it was.
STRAIGHT = 0.5


class Slide(NamedTuple):
    """What went alone, the cells that it stood on, first to last, and what else came or went there.

    `token` is what it was, `became` what it is from its first step on: it may turn to where it goes.
    `beside`: what came or went on its way. `trailing`: what goes along with it step by step, each with its
    cells: the other end of a car. `gone`: it is gone with its last step; and so is what is there, `lost`.
    """

    token: Token
    became: Token
    way: list[Cell]
    beside: Sequence[Changed] = ()
    trailing: Sequence[tuple[Token, list[Cell]]] = ()
    gone: bool = False
    lost: Token | None = None

    @property
    def far(self) -> int:
        """How many cells it went."""
        return len(self.way) - 1

    def way_from(self, cell: Cell) -> list[Cell] | None:
        """The cells of what begins on one."""
        ways = (self.way, *(way for _, way in self.trailing))
        return next((way for way in ways if way[0] == cell), None)

    def changes(self, number: int) -> Iterator[Changed]:
        """What changes with a step, counted from 0: where it comes something may go, or come as it leaves.

        What changes where it began changes as it leaves.
        """
        source, target = self.way[number : number + 2]
        yield "-", source, self.became if number else self.token
        if self.gone and target == self.way[-1]:
            if self.lost is not None:
                yield "-", target, self.lost
            return
        yield "+", target, self.became
        for one in self.beside:
            leaving = one[0] == "+" or one[1] == self.way[0]
            if one[1] == (source if leaving else target):
                yield one
        for token, way in self.trailing:
            yield from (("-", way[number], token), ("+", way[number + 1], token))


def slide_of(turn: Turn, structure: Structure) -> Slide | None:
    """What went along a line in a turn, through cells without its like, if all else changed on its way.

    It may take what stands there, and leave something behind; what comes where it ends is none of it.
    """
    changes = list(changes_of(turn))
    for gone, come in gone_and_come(changes, structure) if len(changes) > 1 else ():
        (_, source, token), (_, target, became) = gone, come
        if heading(source, target) is None:
            continue
        way = cells_between(source, target)
        name = structure.name(token)
        if any(name in map(structure.name, turn.before.at(cell) or ()) for cell in way[1:]):
            continue  # several may have gone, each a part of the way
        beside = [one for one in changes if one not in (gone, come)]
        if all(cell in way and (sign, cell) != ("+", target) for sign, cell, _ in beside):
            return Slide(token, became, way, beside)
    return train_of(turn, changes)


def winding(turns: Iterable[Turn], structure: Structure) -> frozenset[str]:
    """The names of what is hardly ever in line with where it was, if that is not beside it.

    Seeds become shoots, and shoots trees: one shoot less here and one more there went no way.
    """
    far, straight = Counter[str](), Counter[str]()
    for turn in turns:
        for (_, source, token), (_, target, _) in gone_and_come(list(changes_of(turn)), structure):
            if abs(source[0] - target[0]) + abs(source[1] - target[1]) > 1:
                far[structure.name(token)] += 1
                straight[structure.name(token)] += heading(source, target) is not None
    return frozenset(name for name, times in far.items() if straight[name] < STRAIGHT * times)


def train_of(turn: Turn, changes: Sequence[Changed]) -> Slide | None:
    """Different things that all went as far as what was picked, in its line, if nothing else changed."""
    gone = {token: cell for sign, cell, token in changes if sign == "-"}
    come = {token: cell for sign, cell, token in changes if sign == "+"}
    if gone.keys() != come.keys() or len(changes) != 2 * len(gone) or len(gone) < 2:
        return None
    if turn.word is None or word_of(turn.word).cell not in gone.values():
        return None
    ways = {token: (come[token][0] - cell[0], come[token][1] - cell[1]) for token, cell in gone.items()}
    (down, right), *others = sorted(set(ways.values()))
    far = max(abs(down), abs(right))
    if others or not far or 0 not in (down, right):
        return None
    step = down // far, right // far
    (token, way), *trailing = (
        (token, [(row + n * step[0], column + n * step[1]) for n in range(far + 1)])
        for token, (row, column) in sorted(gone.items())
    )
    return Slide(token, token, way, (), trailing)


def gone_and_come(changes: Sequence[Changed], structure: Structure) -> Iterator[tuple[Changed, Changed]]:
    """What has gone from one cell and come to one, each name by itself: it may have another facing there."""
    for name in dict.fromkeys(structure.name(token) for _, _, token in changes):
        own = [one for one in changes if structure.name(one[2]) == name]
        gone, come = ([one for one in own if one[0] == sign] for sign in "-+")
        if len(gone) == len(come) == 1:
            yield gone[0], come[0]


def cells_between(source: Cell, target: Cell) -> list[Cell]:
    """The cells of a line, both ends among them."""
    far = abs(source[0] - target[0]) + abs(source[1] - target[1]) or 1
    down, right = (target[0] - source[0]) // far, (target[1] - source[1]) // far
    return [(source[0] + n * down, source[1] + n * right) for n in range(far + 1)]


def passes_of(turn: Turn, slide: Slide | None) -> Iterator[Turn]:
    """What is known of the passes of a turn: each of a slide, and that nothing happens at its end."""
    word = turn.word
    if slide is not None:
        cell = word_of(word).cell if word is not None else None
        picked = slide.way if cell is None else slide.way_from(cell)
        if picked is None:
            return  # it does not go with what was picked, so where the mark is now cannot be said
        board = turn.before
        for number, target in enumerate(picked[1:]):
            following = changed(board, slide.changes(number))
            yield Turn(board, word, following)
            board, word = following, pointing_at(word, target)
        yield Turn(board, word, board)
    elif turn.before == turn.after or word is None or word_of(word).cell is None:
        yield Turn(turn.after, word, turn.after)


def pointing_at(word: str | None, cell: Cell) -> str | None:
    """The same input, pointing at another cell if it points at one."""
    parts = word_of(word) if word is not None else None
    if parts is None or parts.cell is None:
        return word
    toward = f",{parts.toward}" if parts.toward is not None else ""
    return f"{parts.verb}({cell[0]},{cell[1]}{toward})"
