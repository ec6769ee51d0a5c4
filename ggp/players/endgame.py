"""Exact play where few layouts are left: all that may be seen on the way to the end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.players.uncovering import Uncovering

FEW = 5_000  # layouts
BITS = 4  # of what is seen of a cell, in a number that has all of them
Seen = tuple[int, int]  # which cells are uncovered, a bit each; and what is seen there


class Best(NamedTuple):
    """In how many of the layouts the best play wins, and the pick that it begins with."""

    won: int
    action: int


class Endgame:
    """Exact dynamic programming over what may be seen, from a board on which few layouts are left.

    What a pick uncovers is asked of the rules once, for each layout and cell; what several picks uncover is
    all that each does. A cell that is safe in every layout is picked at once: it has to be uncovered anyway,
    never loses, and tells something, so no other pick comes to more.
    """

    def __init__(
        self, game: Uncovering, observed: bytes, layouts: list[frozenset[int]], acted: list[int]
    ) -> None:
        self.game = game
        cells = game.height * game.width
        covered = game.covered(game.planes(observed)).ravel()
        states = game.played(layouts, acted)
        self.held = [sum(1 << cell for cell in layout) for layout in layouts]
        everything = (1 << cells) - 1
        self.safe = [everything & ~held for held in self.held]
        clues = game.clues(states)
        self.clues = [sum(int(clue) << BITS * cell for cell, clue in enumerate(row)) for row in clues]
        self.picks = np.flatnonzero(covered).tolist()
        self.uncovers = {cell: numbers(game.uncovered(states, cell)) for cell in self.picks}
        self.opened = sum(1 << int(cell) for cell in np.flatnonzero(~covered))
        self.spread: dict[int, int] = {}
        self.known: dict[Seen, Best] = {}

    def seen(self, opened: int, layout: int) -> Seen:
        """What is seen where these cells are uncovered and this is the layout."""
        mask = self.spread.get(opened)
        if mask is None:
            ones = (1 << BITS) - 1
            mask = sum(ones << BITS * cell for cell in range(opened.bit_length()) if opened >> cell & 1)
            self.spread[opened] = mask
        return opened, self.clues[layout] & mask

    def agreeing(self, observed: bytes) -> tuple[int, list[int]]:
        """Which cells of a board are uncovered, and the layouts that agree with what is seen there."""
        covered = self.game.covered(self.game.planes(observed)).ravel()
        opened = sum(1 << int(cell) for cell in np.flatnonzero(~covered))
        row = self.game.shown_clues(observed)
        shown = sum(int(clue) << BITS * cell for cell, clue in enumerate(row))
        layouts = range(len(self.held))
        found = [one for one in layouts if self.seen(opened, one)[1] == shown and not opened & self.held[one]]
        return opened, found

    def best(self, opened: int, layouts: list[int]) -> Best:
        """The best pick where these layouts, and no others, agree with what is seen."""
        key = self.seen(opened, layouts[0])
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.searched(opened, layouts)
        return found

    def searched(self, opened: int, layouts: list[int]) -> Best:
        """The same, where it is not known yet."""
        count, best = len(layouts), Best(-1, -1)
        left = [cell for cell in self.picks if not opened >> cell & 1]
        held = {cell: sum(self.held[one] >> cell & 1 for one in layouts) for cell in left}
        for cell in sorted(left, key=held.__getitem__):
            safe = count - held[cell]
            if safe <= best.won:
                break
            won = self.won(opened, [one for one in layouts if not self.held[one] >> cell & 1], cell, best.won)
            if won > best.won:
                best = Best(won, cell)
            if safe == count:
                break
        return best

    def safe_next(self, opened: int, layouts: list[int], cell: int) -> int:
        """In how many of the layouts this pick, and then the safest one, are safe."""
        apart: dict[Seen, list[int]] = {}
        total = 0
        for one in layouts:
            after = opened | self.uncovers[cell][one]
            if after == self.safe[one]:
                total += 1
            elif not self.held[one] >> cell & 1:
                apart.setdefault(self.seen(after, one), []).append(one)
        for (after, _), together in apart.items():
            left = [other for other in self.picks if not after >> other & 1]
            total += len(together) - min(sum(self.held[one] >> c & 1 for one in together) for c in left)
        return total

    def won(self, opened: int, layouts: list[int], cell: int, enough: int) -> int:
        """In how many of the layouts, in which the cell is safe, its pick wins; or at most `enough`."""
        apart: dict[Seen, list[int]] = {}
        uncovers, total, left = self.uncovers[cell], 0, len(layouts)
        for one in layouts:
            after = opened | uncovers[one]
            if after == self.safe[one]:
                total += 1
            else:
                apart.setdefault(self.seen(after, one), []).append(one)
        left -= total
        for (after, _), together in sorted(apart.items(), key=lambda item: -len(item[1])):
            if total + left <= enough:
                return total
            left -= len(together)
            total += 1 if len(together) == 1 else self.best(after, together).won
        return total


def numbers(boards: NDArray[np.bool_]) -> list[int]:
    """Boards of true and false as numbers, the first cell the lowest bit."""
    octets = np.packbits(boards, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]
