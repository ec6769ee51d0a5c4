"""PuzzleScript files in a PuzzleScript engine. Boards that were made are written as levels of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from ggp.engines import puzzlescript
from ggp.engines.puzzlescript import Job, Run
from ggp.errors import DescriptionError, Place, SolverError
from ggp.files.reading import decoded, file_bytes
from ggp.learn.boards import Board, Episode, Stack, Step
from ggp.watch import Start, one_of

SPARE = (
    "abcdefghijklmnopqrstuvwxyz0123456789!$%&*+@?~ßäöüéèàùçñøåæþðλμπσφω"
    "áâãêëíîïóôõúûýÿαβγδεζηθικνξορτυχψабвгдежзийклмнопрстуфхцчшщъыьэюя"
)
UNDOES = re.compile(r"\b(cancel|restart|require_player_movement)\b", re.IGNORECASE)  # a turn, as it may be
SECTION = re.compile(
    r"^\s*(objects|legend|sounds|collisionlayers|rules|winconditions|levels)\s*$", re.IGNORECASE
)


class PuzzleScriptWorld:
    """Plays the levels of a PuzzleScript file.

    An object `background` with a layer of its own is everywhere, and not passed on. `pick`: one level alone,
    from 1. `theories`: which ones may say what is played here (`ggp.watch.theory`).
    """

    theories = "puzzlescript"

    def __init__(self, path: Path, *, pick: int | None = None) -> None:
        self.name = path.stem
        self.text = decoded(file_bytes(path), str(path))
        (game,) = puzzlescript.play([Job(self.text, [])])
        if game.faults:
            raise DescriptionError(f"the engine says {game.faults[0]}", "mend the text", Place(str(path)))
        self.screens = [n for n, screen in enumerate(game.levels) if not isinstance(screen, str)]
        if not self.screens:
            raise DescriptionError("the game has no level", "add one under LEVELS", Place(str(path)))
        self.screens = one_of(self.screens, pick, path)
        layers = (re.split(r"[\s,]+", line.strip().lower()) for line in self.lines_of("collisionlayers"))
        objects = (line.lower().split()[:1] for line in self.lines_of("objects"))
        alone = ["background"] in layers and ["background"] in objects
        self.hidden = frozenset({"background"} if alone else ())
        self.verbs = () if re.search(r"^\s*noaction\b", self.text, re.I | re.M) else ("action",)
        self.undoes = UNDOES.search(self.text) is not None
        self.head = self.text[: self.at("levels")]
        self.own: dict[Board, int] = {}

    def lines_of(self, section: str) -> Iterator[str]:
        """The lines of a section."""
        now = ""
        for line in self.text.split("\n"):
            match = SECTION.match(line)
            if match:
                now = match[1].lower()
            elif now == section:
                yield line

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
        found: list[Episode | None] = [None for _ in starts]
        jobs = [self.job(board, [word or "action" for word in words]) for board, words in starts]
        try:
            games = iter(puzzlescript.play([job for job in jobs if job is not None]))
        except SolverError:
            return found
        for number, job in enumerate(jobs):
            game = next(games) if job is not None else None
            run = game.runs[0] if game is not None and game.runs else None
            if game is not None and run is not None and not game.faults and not run.faults and run.frames:
                found[number] = self.episode(run, starts[number][1])
        return found

    def episode(self, run: Run, words: Sequence[str | None]) -> Episode:
        """A run of the engine: the last frame of each key, and those before it as frames of the turn."""
        frames = list(run.shown())
        by_key: dict[int, list[Board]] = {}
        won = {}
        for frame in frames:
            by_key.setdefault(frame.key, []).append(self.board(run, frame.cells))
            won[frame.key] = frame.won
        steps: list[Step] = []
        before = by_key[-1][-1]
        for key, (*inside, after) in sorted(by_key.items()):
            if key >= 0:
                says = won[key] if won[key] or inside or after != before or not self.undoes else None
                steps.append(Step(words[key], after, False, says, False, tuple(inside)))
                before = after
        # Whether it is won is not asked of the board that a run begins with, nor after a turn that was
        # undone, as where the player must move and cannot: nobody sees whether one that changes nothing was.
        return Episode(by_key[-1][-1], tuple(steps), won[-1] or None, False, self.name)

    def job(self, board: Board, keys: Sequence[str]) -> Job | None:
        """A board as a level of the game; None for one with more sorts of cells than there are characters."""
        if board in self.own:
            return Job(self.text, [(self.own[board], list(keys))])
        stacks = sorted(set(board.cells), key=sorted)
        if len(stacks) > len(self.spare):
            return None
        chars = dict(zip(stacks, self.spare, strict=False))
        legend = [f"{chars[stack]} = {' and '.join(self.objects(stack))}" for stack in stacks]
        rows = [
            "".join(chars[stack] for stack in board.cells[start : start + board.width])
            for start in range(0, len(board.cells), board.width)
        ]
        return Job(self.with_level(legend, rows), [(0, list(keys))])

    def objects(self, stack: Stack) -> list[str]:
        """The objects of one cell, with what is everywhere."""
        return [*sorted(self.hidden), *sorted(stack)] or ["background"]

    @cached_property
    def spare(self) -> list[str]:
        """Characters that are no names in the game: rules may speak of things by these."""
        lines = [*self.lines_of("objects"), *(line.split("=")[0] for line in self.lines_of("legend"))]
        used = {word.lower() for line in lines for word in line.split() if len(word) == 1}
        return [char for char in SPARE if char not in used]

    def with_level(self, legend: Sequence[str], rows: Sequence[str]) -> str:
        """The text with one level, whose characters stand for nothing else."""
        found: list[str] = []
        for line in self.head.split("\n"):
            match = SECTION.match(line)
            found.append(line)
            if match and match[1].lower() == "legend":
                found += ["", *legend]
        return "\n".join([*found, "LEVELS", "", *rows, ""])
