"""Compares what the engine showed with what must be seen, frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.engines.puzzlescript import Frame, Run
from ggp.exporters.puzzlescript.play import Expected, Shown
from ggp.exporters.puzzlescript.script import Script
from ggp.model import Cell, Instance, Piece
from ggp.model.board import height, width

# Helpers that no turn may leave behind.
PASSING = (
    *("going ", "do ", "do_", "sense ", "was ", "kept ", "inner ", "live", "at "),
    *("changed", "tick", "last", "turn", "done"),
)


def difference(script: Script, expected: Expected, run: Run) -> str | None:
    """Where a run differs from what must be seen, in words; None if it nowhere does."""
    if run.faults:
        return f"the engine says: {run.faults[0][:200]}"
    judge = Judge(script, expected.instance, run.width)
    size, wanted = (run.height, run.width), (len(judge.sheet.grid), len(judge.sheet.grid[0]))
    if size != wanted:
        return f"the map has {size[0]} rows of {size[1]} cells, and must have {wanted[0]} of {wanted[1]}"
    played = list(run.shown())
    for number, (frame, (key, shown)) in enumerate(zip(played, expected.frames, strict=False)):
        wrong = judge.wrong(frame, shown) if frame.key == key else f"this frame belongs to key {frame.key}"
        if wrong is not None:
            pressed = expected.keys[key] if key >= 0 else "nothing"
            return f"frame {number}, after key {key + 1} ({pressed}): {wrong}"
    if len(played) != len(expected.frames):
        return f"there are {len(played)} frames, and there must be {len(expected.frames)}"
    return None


class Judge:
    """Compares one frame of the engine with what must be seen."""

    def __init__(self, script: Script, instance: Instance, columns: int) -> None:
        self.instance = instance
        self.columns = columns
        self.sheet = script.sheets[script.instances.index(instance)]
        cast = script.cast
        self.pieces = {name.lower(): cast.transition.planes[p] for p, name in enumerate(cast.pieces)}
        self.sets: dict[frozenset[str], frozenset[Piece]] = {}
        self.helpers = {word: name.lower() for word, name in cast.helpers.items()}
        self.marks = {
            "free": {self.helpers[word] for word in ("slot",) if word in self.helpers},
            "wrong": {name for word, name in self.helpers.items() if word.endswith(" wrong")},
        }
        self.passing = {name for word, name in self.helpers.items() if word.lower().startswith(PASSING)}

    def wrong(self, frame: Frame, shown: Shown) -> str | None:
        """What is wrong with a frame; None if nothing is."""
        columns = width(self.instance)
        found = [self.held(here) for here in self.on_board(frame)]
        if found != list(shown.board):
            pairs = enumerate(zip(found, shown.board, strict=True))
            index = next(number for number, (one, other) in pairs if one != other)
            here, there = said(found[index]), said(shown.board[index])
            return f"at {divmod(index, columns)} there is {here}, and the referee has {there}"
        for what, cells in (("free", shown.slots), ("wrong", shown.wrong)):
            marked = self.marked(frame, self.marks[what])
            if marked != cells:
                return f"{sorted(marked)} are marked as {what}, and must be {sorted(cells)}"
        every = [name for here in frame.cells for name in here]
        left_over = self.passing.intersection(every)
        if left_over:
            return f"the turn leaves {', '.join(sorted(left_over))} behind"
        lost = not frame.won and bool(
            {self.helpers.get("over"), self.helpers.get("lost")}.intersection(every)
        )
        if frame.won and not shown.won or lost != shown.lost or shown.won != frame.won:
            return f"won is {frame.won} and lost is {lost}; the referee has {shown.won} and {shown.lost}"
        for counter, left in shown.stock:
            if every.count(self.helpers[counter]) != left:
                return f"{every.count(self.helpers[counter])} of {counter} are there, and it must be {left}"
        if shown.clock is not None and self.clock(frame) != shown.clock:
            return f"the clock shows {self.clock(frame)}, and {shown.clock} turns are left"
        cursor = self.cursor(frame)
        return None if cursor == shown.cursor else f"the cursor is at {cursor}, and must be at {shown.cursor}"

    def on_board(self, frame: Frame) -> Iterator[frozenset[str]]:
        """What the cells of the board hold, row by row."""
        for row in range(height(self.instance)):
            start = (self.sheet.top + row) * self.columns + self.sheet.left
            yield from frame.cells[start : start + width(self.instance)]

    def held(self, here: frozenset[str]) -> frozenset[Piece]:
        """The pieces among some objects; there are few sets of objects, so each is looked at once."""
        if here not in self.sets:
            self.sets[here] = frozenset(self.pieces[name] for name in here if name in self.pieces)
        return self.sets[here]

    def marked(self, frame: Frame, names: set[str]) -> frozenset[Cell]:
        """The cells of the board on which one of these objects stands."""
        if not names:
            return frozenset()
        found = (divmod(index, self.columns) for index, here in enumerate(frame.cells) if names & here)
        return frozenset((row - self.sheet.top, column - self.sheet.left) for row, column in found)

    def clock(self, frame: Frame) -> int:
        """The number that the clock shows."""
        digits = {self.helpers[f"clock {digit}"]: str(digit) for digit in range(10)}
        cells = (frame.cells[row * self.columns + column] for row, column in self.sheet.bars)
        return int("".join(digits[name] for here in cells for name in here if name in digits) or -1)

    def cursor(self, frame: Frame) -> Cell | None:
        """Where the cursor is; None where there is none."""
        names = {self.helpers.get("cursor"), self.helpers.get("picker")}
        found = [index for index, here in enumerate(frame.cells) if names & here]
        return divmod(found[0], self.columns) if found else None


def said(pieces: Iterable[Piece]) -> str:
    """Pieces in words."""
    return ", ".join(sorted(map(str, pieces))) or "nothing"
