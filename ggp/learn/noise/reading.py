"""What runs with wrong cells must have been, before any rule is known: the reading that takes fewest bits.

A run is read as a first board, events and wrong cells. An *event* is a patch of changes; one that happens
often takes few bits, one that was never seen takes many, and each wrong cell takes as many as its share says.
The cheapest reading is found by a beam search over boards. As events are counted in what was read, and what
was read depends on what events cost, this is done a few times over (hard expectation maximisation).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Stack, Token, Turn, word_of
from ggp.learn.noise.repair import Signature, signatures, without_blips
from ggp.learn.turn.evidence.changes import changes_of
from ggp.model import Cell

WIDTH = 12  # boards that are kept
OFTEN = 3  # times that an event must have been read to be proposed
NOVEL, EACH = 14.0, 3.0  # bits of an event that was never read, and of each change in it
WHERE = 3.0  # bits for the place of an event
READINGS = 3
REACH = 4  # steps from a cell that is pointed at
IDLE: Signature = (None, frozenset())
MOST_FLIPPED = 6  # cells of the first board that may be doubted


@dataclass(frozen=True)
class Prices:
    """What wrong cells and events cost, in bits."""

    wrong: float
    events: Mapping[Signature, float]
    nothing: float
    by_change: Mapping[tuple[str | None, str, Token], tuple[tuple[Signature, Cell], ...]]

    def of(self, found: Sequence[Signature], *, pointed: bool) -> float:
        """The bits of some events at once; where an input points, their place is known."""
        if not found:
            return self.nothing
        return (0.0 if pointed else WHERE) + sum(
            self.events.get(one, NOVEL + EACH * len(one[1])) for one in found
        )


class Path(NamedTuple):
    """A reading so far: its bits, its boards, and of each turn whether it is one of those read often."""

    bits: float
    boards: tuple[Board, ...]
    plain: tuple[bool, ...] = ()


def events_of(turn: Turn) -> list[Signature]:
    """The events of a turn: patches of changes, wherever they are.

    Where an input points at a cell, each change is an event, at its distance from that cell.
    """
    parts = word_of(turn.word or "")
    if parts.cell is None:
        return signatures(turn)
    verb, (row, column) = pointing(turn.word), parts.cell
    return [
        (verb, frozenset({(sign, (r - row, c - column), token)})) for sign, (r, c), token in changes_of(turn)
    ]


def pointing(word: str | None) -> str | None:
    """An input without the cell that it points at."""
    parts = word_of(word or "")
    return " ".join(filter(None, (parts.verb, parts.toward))) or None


def prices_of(counts: Counter[Signature], idle: int, share: float, stacks: int) -> Prices:
    """The prices, if events were read so often and so many turns were idle."""
    total = counts.total() + idle + 1
    often = {one: number for one, number in counts.items() if number >= OFTEN}
    events = {one: -math.log2(number / total) for one, number in often.items()}
    by_change: dict[tuple[str | None, str, Token], list[tuple[Signature, Cell]]] = defaultdict(list)
    for one in sorted(often, key=lambda s: (-often[s], repr(s[0]), sorted(s[1]))):
        for sign, cell, token in one[1]:
            by_change[one[0], sign, token].append((one, cell))
    wrong = math.log2((1 - share) / share * max(1, stacks - 1))
    return Prices(wrong, events, -math.log2((idle + 1) / total), {k: tuple(v) for k, v in by_change.items()})


def read(episode: Episode, prices: Prices) -> Path:
    """The cheapest reading of a run."""
    seen = list(episode.boards())
    paths = [Path(prices.wrong * differing(board, seen[0]), (board,)) for board in first_boards(seen)]
    for number, step in enumerate(episode.steps, start=1):
        best: dict[Board, Path] = {}
        for path in paths:
            for board, bits, plain in ways(path.boards[-1], step.word, seen[number], prices):
                total = path.bits + bits + prices.wrong * differing(board, seen[number])
                if board not in best or total < best[board].bits:
                    best[board] = Path(total, (*path.boards, board), (*path.plain, plain))
        paths = sorted(best.values(), key=lambda one: one.bits)[:WIDTH]
    return paths[0]


def first_boards(seen: Sequence[Board]) -> Iterator[Board]:
    """The first board as it was seen, and with cells as the next two boards have them."""
    first = seen[0]
    yield first
    if len(seen) < 3:
        return
    cells = [
        n
        for n, (one, two, three) in enumerate(zip(first.cells, seen[1].cells, seen[2].cells, strict=True))
        if one != two == three
    ]
    if len(cells) > 1:
        yield with_cells(first, {n: seen[1].cells[n] for n in cells})
    for n in cells[:MOST_FLIPPED]:
        yield with_cells(first, {n: seen[1].cells[n]})
        if len(cells) > 2:
            yield with_cells(first, {other: seen[1].cells[other] for other in cells if other != n})


def ways(board: Board, word: str | None, seen: Board, prices: Prices) -> Iterator[tuple[Board, float, bool]]:
    """What a board may become, for how many bits, and whether all of that was read often."""
    yield board, prices.nothing, True
    verb, cell = pointing(word), word_of(word or "").cell
    off = [n for n, (one, other) in enumerate(zip(board.cells, seen.cells, strict=True)) if one != other]
    for after, event in proposed(board, verb, off, seen, prices) if cell is None else ():
        yield after, WHERE + prices.events[event], True
    for part in patches(off, board.width) if cell is None else pointed_at(off, board.width, cell):
        after = with_cells(board, {n: seen.cells[n] for n in part})
        events = events_of(Turn(board, word, after))
        often = cell is not None and all(one in prices.events for one in events)
        yield after, prices.of(events, pointed=cell is not None), often


def pointed_at(off: Sequence[int], width: int, cell: Cell) -> Iterator[tuple[int, ...]]:
    """The cells that are off near to a cell, nearest first: so many of them, and all but one."""
    row, column = cell
    near = sorted(off, key=lambda n: (abs(n // width - row) + abs(n % width - column), n))
    near = [n for n in near if abs(n // width - row) + abs(n % width - column) <= REACH]
    for number in range(1, len(near) + 1):
        yield tuple(near[:number])
        yield from (tuple(m for m in near[:number] if m != n) for n in near[: number - 1])


def proposed(
    board: Board, verb: str | None, off: Iterable[int], seen: Board, prices: Prices
) -> Iterator[tuple[Board, Signature]]:
    """The frequent events that would explain one of the cells that are off."""
    tried: set[tuple[Signature, Cell]] = set()
    for n in off:
        row, column = divmod(n, board.width)
        changes = [("-", t) for t in board.cells[n] - seen.cells[n]]
        changes += [("+", t) for t in seen.cells[n] - board.cells[n]]
        for sign, token in sorted(changes):
            for event, (down, right) in prices.by_change.get((verb, sign, token), ()):
                at = row - down, column - right
                if (event, at) not in tried:
                    tried.add((event, at))
                    after = applied(board, event, at)
                    if after is not None:
                        yield after, event


def applied(board: Board, event: Signature, at: Cell) -> Board | None:
    """The board after an event at a place; None where it cannot happen."""
    cells: dict[int, Stack] = {}
    for sign, (down, right), token in sorted(event[1], reverse=True):  # what goes before what comes
        cell = at[0] + down, at[1] + right
        if not board.inside(cell):
            return None
        n = cell[0] * board.width + cell[1]
        here = cells.get(n, board.cells[n])
        if (token in here) != (sign == "-"):
            return None
        cells[n] = here - {token} if sign == "-" else here | {token}
    return with_cells(board, cells)


def patches(off: Sequence[int], width: int) -> Iterator[tuple[int, ...]]:
    """The cells that are off, in patches of near ones, and each of these without one cell."""
    left = list(off)
    while left:
        patch = [left.pop()]
        for n in patch:
            near = [m for m in left if abs(m // width - n // width) + abs(m % width - n % width) <= 2]
            left = [m for m in left if m not in near]
            patch += near
        if len(patch) <= MOST_FLIPPED:
            yield tuple(patch)
            if len(patch) > 2:
                yield from (tuple(m for m in patch if m != n) for n in patch)


def with_cells(board: Board, cells: Mapping[int, Stack]) -> Board:
    """The board with some cells otherwise."""
    changed = list(board.cells)
    for n, stack in cells.items():
        changed[n] = stack
    return Board(board.height, board.width, tuple(changed))


def differing(board: Board, other: Board) -> int:
    """In how many cells two boards differ."""
    return sum(one != two for one, two in zip(board.cells, other.cells, strict=True))


def turns_by_reading(runs: Sequence[Episode], share: float) -> list[Turn]:
    """The turns of some runs as they are read, but those with events that are seldom read."""
    stacks = len({stack for one in runs for board in one.boards() for stack in board.cells})
    counts = count([without_blips(one) for one in runs], runs)
    paths: list[Path] = []
    for _ in range(READINGS):
        idle = counts.pop(IDLE, 0)
        prices = prices_of(counts, idle, share, stacks)
        paths = [read(one, prices) for one in runs]
        counts = count([path.boards for path in paths], runs)
    return [
        turn
        for path, one in zip(paths, runs, strict=True)
        for turn, plain in zip(turns_read(path.boards, one), path.plain, strict=True)
        if plain
    ]


def count(boards: Iterable[Sequence[Board]], runs: Sequence[Episode]) -> Counter[Signature]:
    """How often each event is in what was read; nothing at all counts, too."""
    found: Counter[Signature] = Counter()
    for some, one in zip(boards, runs, strict=True):
        for turn in turns_read(some, one):
            found.update(events_of(turn) or [IDLE])
    return found


def turns_read(boards: Sequence[Board], run: Episode) -> list[Turn]:
    """The turns of a run as it was read."""
    return [Turn(old, step.word, new) for old, step, new in zip(boards, run.steps, boards[1:], strict=False)]
