"""VGDL files that no description here knows, in the built-in engine or in py-vgdl.

The levels are the maps in `NAME_lvl*.txt` beside `NAME.txt`, or the map in the file itself. What stands in a
cell are the names of sprites, with how they face and what they hold (`vgdl_names`), and the clocks of spawn
points (`vgdl_clocks`), and how long they rest, but in GVGAI's dialect and in py-vgdl itself. How many turns
went by is not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ggp.engines import pyvgdl
from ggp.engines.vgdl import VgdlFault, VgdlLevel, build, read
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.engines.vgdl.luck import Seeded
from ggp.errors import DescriptionError, Place, PuzzleError
from ggp.files.reading import decoded, file_bytes
from ggp.importers.vgdl import dialect_of
from ggp.importers.vgdl.dialects import GVGAI
from ggp.importers.vgdl.facts import Kind, chance_in
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.ontology import BASES
from ggp.importers.vgdl.together import apart
from ggp.learn.boards import Board, Episode, Stack, Step
from ggp.learn.seen.contradictions import side_by_side
from ggp.model import Cell
from ggp.model.result import OutOfTime
from ggp.watch import Start, one_of
from ggp.watch.vgdl_clocks import clock_of, cooldowns_of, split, wind
from ggp.watch.vgdl_names import names_of

MOST_SAID = 200  # characters of what an engine says that stops
SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$%&*+=?@^~"


class VgdlWorld:
    """Plays the maps of a VGDL file. `stock`: by py-vgdl instead of the built-in engine.

    What py-vgdl's dialect lacks is played as GVGAI's. Each run has its own luck. `pick`: one
    map alone, from 1.
    """

    repeats = True

    def __init__(self, path: Path, *, stock: bool = False, pick: int | None = None) -> None:
        self.name, self.stock, self.runs, self.luck = path.stem, stock, 0, ""
        self.turns, self.passed_over = Counter[bool](), Counter[bool]()  # True: of a run from an own board
        self.first_passed_over = ""
        text = decoded(file_bytes(path), str(path))
        self.text, own = apart(text)
        self.game: VgdlGame | None = None
        if stock:  # our engine lacks some of what py-vgdl plays
            self.mapping: dict[str, tuple[str, ...]] = self.stopping(lambda: pyvgdl.mapping(self.text))
        else:
            self.game = as_either(self.text, str(path))
            self.mapping = dict(self.game.mapping)
        beside = sorted(path.parent.glob(f"{path.stem}_lvl*.txt"), key=lambda one: (len(one.stem), one.stem))
        self.maps = [own] if own else [decoded(file_bytes(one), str(one)) for one in beside]
        if not self.maps:
            remedy = f"put maps beside it: {path.stem}_lvl0.txt"
            raise DescriptionError("the game has no level", remedy, Place(str(path)))
        self.maps = one_of(self.maps, pick, path)
        self.chars = {frozenset(keys): char for char, keys in self.mapping.items()}
        self.extra: dict[Stack, str] = {}
        first = self.built(self.maps[0])
        self.names = names_of(first.holders, first.collected, getattr(first, "limits", {}))
        self.cooldowns = cooldowns_of(first)
        self.resting: frozenset[str] = getattr(first, "resting", frozenset())
        self.own = set(self.levels())
        self.led_to = {stack for board in self.own for stack in board.cells}

    def levels(self) -> list[Board]:
        """What the maps set up."""
        return [self.look(self.built(level_map), level_map) for level_map in self.maps]

    def inputs(self, board: Board) -> list[str]:
        """The keys of the avatar, and none."""
        return [*self.built(self.maps[0]).keys, "noop"]

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played; None where the engine refuses the board."""
        return [self.one(board, words) for board, words in starts]

    def one(self, board: Board, words: Sequence[str | None]) -> Episode | None:
        """One run; None for a board with a cell to whose contents no map and no turn has led so far.

        Sprites have no layers: any may be put into one cell, such as a crate into a wall, and what comes of
        that tells nothing of play.
        """
        if not self.led_to.issuperset(board.cells):
            return None
        level_map = self.map_of(board)
        self.runs += 1
        self.luck = f"run {self.runs} of {words} on {level_map}"
        try:
            level = self.built(level_map)
            if not self.fill(level, board):
                return None
            start = self.look(level, level_map)
            steps: list[Step] = []
            for word in words:
                self.tick(level, word or "noop")
                self.turns[board in self.own] += 1
                if self.left_the_map(level, board) or self.doubled(level):
                    break  # what is off the map, or doubled, is not seen: nothing can be learned from it
                if self.passes_over(board, words[: len(steps) + 1], level):
                    self.passed_over[board in self.own] += 1
                    break
                won = level.won if level.ended else None
                after = self.look(level, level_map)
                self.led_to.update(after.cells)
                steps.append(Step(word, after, False, won is True, won is False))
                if level.ended:
                    break
        except (VgdlFault, DescriptionError):
            return None
        # Terminations are asked at the end of a turn: of the board that a run begins with nothing is told.
        return Episode(start, tuple(steps), None, None, self.name)

    def built(self, level_map: str) -> Any:
        """A level of the engine."""
        if self.game is None:
            return self.stopping(lambda: pyvgdl.build(self.text_with_extra(), level_map))
        mapping = {**self.mapping, **{c: tuple(sorted(s)) for s, c in self.extra.items()}}
        game = replace(self.game, mapping=mapping)
        return (GvgaiLevel if game.dialect is GVGAI else build)(game, level_map, Seeded(self.luck))

    def tick(self, level: Any, key: str) -> None:
        """One turn in the engine."""
        if self.stock:
            self.stopping(lambda: level.tick(key))
        else:
            level.tick(key)

    def stopping(self, ask: Callable[[], Any]) -> Any:
        """What py-vgdl answers; raises VgdlFault for whatever it raises: it has no errors of its own."""
        try:
            return ask()
        except (PuzzleError, OutOfTime):
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}"[:MOST_SAID]
            raise VgdlFault(f"py-vgdl stops in {self.name} with {said}", "mend the game") from error

    def text_with_extra(self) -> str:
        """The game's text with the characters that boards needed."""
        lines = self.text.split("\n")
        at = next(n for n, line in enumerate(lines) if line.strip() == "LevelMapping")
        deep = " " * (len(lines[at + 1]) - len(lines[at + 1].lstrip()))
        more = [f"{deep}{char} > {' '.join(sorted(stack))}" for stack, char in self.extra.items()]
        return "\n".join([*lines[: at + 1], *more, *lines[at + 1 :]])

    def look(self, level: Any, level_map: str) -> Board:
        """What stands where."""
        rows = [row for row in level_map.split("\n") if row]
        height, width = len(rows), len(rows[0])
        cells: list[set[str]] = [set() for _ in range(height * width)]
        for inside in level.insides():
            row, column = inside.cell
            if 0 <= row < height and 0 <= column < width:
                cooldown = self.cooldowns.get(inside.key)
                clock = f":{clock_of(level, inside.key, inside.cell, cooldown)}" if cooldown else ""
                cells[row * width + column].add(self.names.token(inside) + clock)
        return Board(height, width, tuple(map(frozenset, cells)))

    def fill(self, level: Any, board: Board) -> bool:
        """Let sprites face, and hold, what they do on a board; False where its clocks cannot be so."""
        clocks = dict[tuple[str, Cell], int]()
        for index, stack in enumerate(board.cells):
            cell = divmod(index, board.width)
            for token in stack:
                name, clock = split(token, self.cooldowns)
                inside = self.names.inside(name, cell)
                if clock is not None:
                    clocks[inside.key, cell] = clock
                plain = inside.facing is None and not inside.held and inside.key not in self.names.holders
                if not plain or inside.key in self.resting:
                    level.put(inside)
        return not clocks or wind(level, clocks, self.cooldowns)

    @property
    def theories(self) -> str:
        """Which theories may say what is played here: those of py-vgdl's dialect, or none."""
        return "vgdl" if self.game is None or self.game.dialect is not GVGAI else ""

    @property
    def left_out(self) -> str:
        """What no board shows, and was left out for that; nothing if there was nothing."""
        if not self.passed_over:
            return ""
        return (
            f"{self.passed_over.total()} of {self.turns.total()} turns, {self.passed_over[True]} of the "
            f"{self.turns[True]} in runs from its own boards, in which the engine passed over one of "
            "several things that are gone at once, or took the first one, by the order in which it lists "
            "them. No board shows that order: there the rules may be wrong, as of this one, "
            f"{self.first_passed_over}"
        )

    @property
    def share_left_out(self) -> float:
        """The share of the turns that were left out: of all, or of runs from its own boards if that is more.

        On boards that are made less may meet at once, and of many one turn alone is asked for.
        """
        all_of_them = self.passed_over.total() / max(1, self.turns.total())
        return max(all_of_them, self.passed_over[True] / max(1, self.turns[True]))

    def passes_over(self, board: Board, words: Sequence[str | None], level: Any) -> bool:
        """Would the last of these turns have ended otherwise, if the engine's lists were in another order?

        Where a sprite is gone from the list that it goes through, py-vgdl's loop skips the next one. And of
        two that meet a third one in its cell the first in the list is gone with it. Who comes next, or first,
        hangs on who was there first, which no board shows.
        """
        if not isinstance(level, VgdlLevel) or not level.thinned:
            return False
        level_map = self.map_of(board)
        ended = self.look(level, level_map)
        for backwards in (False,) if level.draws else (False, True):  # luck is drawn in the lists' order
            again = self.built(level_map)
            self.fill(again, board)
            for word in words[:-1]:
                again.tick(word or "noop")
            before = self.look(again, level_map)
            again.skips = False
            if backwards:
                again.turn_lists_round()
            try:
                again.tick(words[-1] or "noop")
            except VgdlFault:
                return True
            otherwise = self.look(again, level_map)
            if otherwise != ended:
                if not self.first_passed_over:
                    three = side_by_side(before, ended, otherwise)
                    what = "before, as seen, and with another order"
                    self.first_passed_over = f"input {words[-1] or 'none'}: {what}\n{three}"
                return True
        return False

    @staticmethod
    def left_the_map(level: Any, board: Board) -> bool:
        """Is something outside the map?"""
        return any(not board.inside(cell) for cells in level.sprites().values() for cell in cells)

    @staticmethod
    def doubled(level: Any) -> bool:
        """Are there two sprites of a type in one cell? They look like one, and may act like two."""
        return any(len(set(cells)) < len(cells) for cells in level.sprites().values())

    def map_of(self, board: Board) -> str:
        """A map that sets up a board."""
        rows = []
        for start in range(0, len(board.cells), board.width):
            rows.append("".join(self.char(stack) for stack in board.cells[start : start + board.width]))
        return "\n".join(rows)

    def char(self, tokens: Stack) -> str:
        """The character for what stands in one cell; a new one where the game has none."""
        stack = frozenset(self.names.inside(split(token, self.cooldowns)[0], (0, 0)).key for token in tokens)
        if not stack:
            return next((c for c in ". _-" if c not in self.mapping and c not in self.extra.values()), ".")
        if stack in self.chars:
            return self.chars[stack]
        if stack not in self.extra:
            used = {*self.mapping, *self.extra.values(), "w", "A"}
            free = next((c for c in SPARE if c not in used), None)
            if free is None:
                raise PuzzleError(
                    f"{self.name} has more sorts of cells than characters", "watch smaller boards"
                )
            self.extra[stack] = free
        return self.extra[stack]


def as_either(text: str, file: str) -> VgdlGame:
    """The game as py-vgdl reads it; else, if nothing in it is py-vgdl's alone, as GVGAI does.

    Games with chance of which both can be meant are GVGAI's, as they are where they are imported.
    Raises PuzzleError: that of py-vgdl's reading where neither takes it.
    """
    either = dialect_of(text) is GVGAI
    try:
        found = read(text, file)
        if not (either and chance_in(found, (Kind(one, BASES[one.base]) for one in found.sprites))):
            return found
    except PuzzleError:
        if not either:
            raise
        with suppress(PuzzleError):
            return read(text, file, GVGAI)
        raise
    with suppress(PuzzleError):
        return read(text, file, GVGAI)
    return found
