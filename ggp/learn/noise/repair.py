"""Play in which a share of what was seen is wrong: what can be told before any rule is known.

A cell that shows something else for one board and is then as before was seen wrongly, unless what came or
went there went from or to another cell in the same turn. At the ends of runs that cannot be told, so their
first and last turns are left out. So are turns with changes that are seen hardly anywhere else, and turns
that do not keep numbers which all others keep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from ggp.learn.boards import Board, Episode, Stack, Token, Turn
from ggp.learn.turn.evidence.changes import changes_of, distance
from ggp.model import Cell

NEAR = 2  # rows and columns that things go in a turn; along a row or column they may go further
SELDOM = 2  # times: what is seen no more often is left out
MOSTLY = 0.8  # of the boards: as many of a name are on so many of them
NEARLY = 0.9  # of the turns: so many keep the number of a name

Name = Callable[[Token], str]
Changed = tuple[str, Cell, Token]
Signature = tuple[str | None, frozenset[tuple[str, Cell, Token]]]
"""Changes close together, counted from their corner, under an input."""


def stem(token: Token) -> str:
    """What a thing is called without its facing."""
    return token.partition(":")[0]


def without_blips(episode: Episode) -> list[Board]:
    """The boards of a run, with cells put right that were wrong for one board."""
    boards = list(episode.boards())
    for at in range(1, len(boards) - 1):
        before, here, after = boards[at - 1 : at + 2]
        cells = list(here.cells)
        for index, stack in enumerate(here.cells):
            past = before.cells[index]
            if stack != past == after.cells[index] and not all(
                partnered(Turn(before, None, here), index, stack ^ past)
            ):
                cells[index] = past
        boards[at] = Board(here.height, here.width, tuple(cells))
    return boards


def partnered(turn: Turn, index: int, tokens: Iterable[Token]) -> Iterator[bool]:
    """For each token that came or went in a cell: did one like it go or come elsewhere in the turn?"""
    cell = divmod(index, turn.before.width)
    here: Stack = turn.after.cells[index]
    changes = list(changes_of(turn))
    for token in sorted(tokens):
        sign = "-" if token in here else "+"
        yield any(
            sign == other and stem(token) == stem(thing) and reaches(cell, where)
            for other, where, thing in changes
        )


def reaches(cell: Cell, other: Cell) -> bool:
    """Are two cells near to each other, or in one row or column?"""
    return distance(cell, other) <= NEAR or cell[0] == other[0] or cell[1] == other[1]


def plausible_turns(episodes: Sequence[Episode], runs: Sequence[Sequence[Board]]) -> list[Turn]:
    """The turns that rules may be learned from; `runs` are the boards of the episodes, put right."""
    turns: list[Turn] = []
    for episode, boards in zip(episodes, runs, strict=True):
        words = [step.word for step in episode.steps]
        own = [Turn(old, word, new) for (old, new), word in zip(pairwise(boards), words, strict=True)]
        turns += own[1:-1]
    for allowed in (familiar(turns), usual(turns), conserving(turns)):
        turns = [turn for turn in turns if allowed(turn)]
    return turns


def familiar(turns: Sequence[Turn]) -> Callable[[Turn], bool]:
    """Whether all changes of a turn were seen more often than seldom."""
    seen = Counter(one for turn in turns for one in signatures(turn))
    return lambda turn: all(seen[one] > SELDOM for one in signatures(turn))


def usual(turns: Sequence[Turn]) -> Callable[[Turn], bool]:
    """Whether there are as many of each name as there nearly always are, if there is such a number."""
    numbers: dict[str, Counter[int]] = {}
    names = {name for turn in turns for name in census(turn.before)}
    for turn in turns:
        found = census(turn.before)
        for name in names:
            numbers.setdefault(name, Counter())[found[name]] += 1
    always = {name: found.most_common(1)[0][0] for name, found in numbers.items() if mostly(found, MOSTLY)}
    return lambda turn: all(
        census(board)[name] == number
        for board in (turn.before, turn.after)
        for name, number in always.items()
    )


def conserving(turns: Sequence[Turn]) -> Callable[[Turn], bool]:
    """Whether a turn keeps the number of each name that turns nearly always keep."""
    kept: dict[str, Counter[bool]] = {}
    for turn in turns:
        before, after = census(turn.before), census(turn.after)
        for name in before | after:
            kept.setdefault(name, Counter())[before[name] == after[name]] += 1
    always = [name for name, found in kept.items() if found[True] >= NEARLY * found.total()]
    return lambda turn: all(census(turn.before)[name] == census(turn.after)[name] for name in always)


def mostly(found: Counter[int], share: float) -> bool:
    """Is one value there so often?"""
    return found.most_common(1)[0][1] >= share * found.total()


def census(board: Board) -> Counter[str]:
    """How many of each name a board holds, facings apart."""
    return Counter(stem(token) for stack in board.cells for token in stack)


def signatures(turn: Turn) -> list[Signature]:
    """The patches of changes of a turn, wherever on the board they are."""
    left = list(changes_of(turn))
    found = []
    while left:
        patch = [left.pop()]
        for _, cell, _ in patch:
            near = [one for one in left if distance(one[1], cell) <= NEAR]
            left = [one for one in left if one not in near]
            patch += near
        top, side = min(cell[0] for _, cell, _ in patch), min(cell[1] for _, cell, _ in patch)
        verb = (turn.word or "").partition("(")[0] or None
        found.append((verb, frozenset((s, (r - top, c - side), t) for s, (r, c), t in patch)))
    return found
