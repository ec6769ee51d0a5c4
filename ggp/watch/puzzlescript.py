"""PuzzleScript files in a PuzzleScript engine. Boards that were made are written as levels of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ggp.engines import puzzlescript
from ggp.engines.puzzlescript import Job, Run
from ggp.errors import DescriptionError, Place, SolverError
from ggp.files.reading import decoded, file_bytes
from ggp.learn.boards import Board, Episode, Stack, Step
from ggp.watch import Start

SPARE = "abcdefghijklmnopqrstuvwxyz0123456789!$%&*+@?~ßäöüéèàùçñøåæþðλμπσφω"
SECTION = re.compile(r"^\s*(legend|levels|sounds|collisionlayers)\s*$", re.IGNORECASE)


class PuzzleScriptWorld:
    """Plays the levels of a PuzzleScript file. The object `background` is everywhere, and not passed on."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.text = decoded(file_bytes(path), str(path))
        (game,) = puzzlescript.play([Job(self.text, [])])
        if game.faults:
            raise DescriptionError(f"the engine says {game.faults[0]}", "mend the text", Place(str(path)))
        self.screens = [n for n, screen in enumerate(game.levels) if not isinstance(screen, str)]
        if not self.screens:
            raise DescriptionError("the game has no level", "add one under LEVELS", Place(str(path)))
        self.hidden = frozenset({"background"})
        self.verbs = () if re.search(r"^\s*noaction\b", self.text, re.I | re.M) else ("action",)
        self.head = self.text[: self.at("levels")]
        self.own: dict[Board, int] = {}

    def at(self, section: str) -> int:
        """Where a section begins."""
        position = 0
        for line in self.text.split("\n"):
            match = SECTION.match(line)
            if match and match[1].lower() == section:
                return position
            position += len(line) + 1
        return len(self.text)

    def levels(self) -> list[Board]:
        """The levels as they open."""
        (game,) = puzzlescript.play([Job(self.text, [(number, []) for number in self.screens])])
        found = []
        for number, run in zip(self.screens, game.runs, strict=True):
            board = self.board(run, next(iter(run.shown())).cells)
            self.own[board] = number
            found.append(board)
        return found

    def inputs(self, board: Board) -> list[str]:
        """The keys."""
        return ["up", "left", "down", "right", *self.verbs]

    def board(self, run: Run, cells: Sequence[frozenset[str]]) -> Board:
        """What stands where, without what is everywhere."""
        return Board(run.height, run.width, tuple(cell - self.hidden for cell in cells))

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """All starts in one process."""
        jobs = [self.job(board, [word or "action" for word in words]) for board, words in starts]
        try:
            games = puzzlescript.play(jobs)
        except SolverError:
            return [None for _ in starts]
        found: list[Episode | None] = []
        for (_, words), game in zip(starts, games, strict=True):
            run = game.runs[0] if game.runs else None
            if game.faults or run is None or run.faults or not run.frames:
                found.append(None)
            else:
                found.append(self.episode(run, words))
        return found

    def episode(self, run: Run, words: Sequence[str | None]) -> Episode:
        """A run of the engine: the last frame of each key, and those before it as frames of the turn."""
        frames = list(run.shown())
        by_key: dict[int, list[Board]] = {}
        won = {}
        for frame in frames:
            by_key.setdefault(frame.key, []).append(self.board(run, frame.cells))
            won[frame.key] = frame.won
        steps = [
            Step(words[key], boards[-1], False, won[key], False, tuple(boards[:-1]))
            for key, boards in sorted(by_key.items())
            if key >= 0
        ]
        return Episode(by_key[-1][-1], tuple(steps), won[-1], False, self.name)

    def job(self, board: Board, keys: Sequence[str]) -> Job:
        """A board as a level of the game."""
        if board in self.own:
            return Job(self.text, [(self.own[board], list(keys))])
        stacks = sorted(set(board.cells), key=sorted)
        chars = {stack: SPARE[index % len(SPARE)] for index, stack in enumerate(stacks)}
        legend = [f"{chars[stack]} = {' and '.join(self.objects(stack))}" for stack in stacks]
        rows = [
            "".join(chars[stack] for stack in board.cells[start : start + board.width])
            for start in range(0, len(board.cells), board.width)
        ]
        return Job(self.with_level(legend, rows), [(0, list(keys))])

    def objects(self, stack: Stack) -> list[str]:
        """The objects of one cell, with what is everywhere."""
        return ["background", *sorted(stack)]

    def with_level(self, legend: Sequence[str], rows: Sequence[str]) -> str:
        """The text with one level, whose characters stand for nothing else."""
        section = ""
        found: list[str] = []
        for line in self.head.split("\n"):
            match = SECTION.match(line)
            if match:
                section = match[1].lower()
                if section == "sounds":
                    found += legend
            single = re.match(r"\s*(\S)\s*=", line)
            if section == "legend" and single:
                continue  # its characters are given anew
            found.append(line)
        return "\n".join([*found, "LEVELS", "", *rows, ""])
