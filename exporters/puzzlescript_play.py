"""What must be seen when an exported game is played: each key, told by the session and the referee.

A `Keyboard` knows the cursor, the bar and the clock of an exported level, and nothing of PuzzleScript's
rules. What it expects after each key is compared with what the engine shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ggp.board import Action, height, width
from ggp.engines.puzzlescript import Frame, Run
from ggp.errors import IllegalAction, IllFormed, PlanError
from ggp.exporters.puzzlescript_levels import Sheet
from ggp.exporters.puzzlescript_script import Script
from ggp.model import DIRECTIONS, OFFSETS, Cell, Instance, Piece, Plan
from ggp.semantics import budget, free_cells, is_lost, parse_action, step
from ggp.session import Session

PICKS_TRIED = 12
# Helpers that no turn may leave behind.
PASSING = (
    "going ",
    "do ",
    "do_",
    "sense ",
    "was ",
    "kept ",
    "inner ",
    "live",
    "at ",
    "changed",
    "tick",
    "last",
    "turn",
)


class Shown(NamedTuple):
    """What must be seen: the board, the cursor's cell in the grid, pieces and turns left, the outcome."""

    board: tuple[frozenset[Piece], ...]
    cursor: Cell | None
    stock: int | None
    clock: int | None
    won: bool
    lost: bool


class Keyboard:
    """A level of an exported game as it is played with keys."""

    def __init__(self, script: Script, instance: Instance) -> None:
        self.script = script
        self.instance = instance
        self.mode = script.mode
        self.sheet: Sheet = script.sheets[script.instances.index(instance)]
        self.session = Session(instance)
        if script.plan is not None and script.plan.design:
            self.session.load(Plan(script.plan.design))
        self.cursor = self.sheet.cursor if self.mode.design or self.mode.keys == "picks" else None
        self.held = False
        self.awake = False  # the engine judges after a key, so it sees nothing before the first one
        self.pressed: list[str] = []
        self.free = frozenset(free_cells(instance))

    # --- what is seen -----------------------------------------------------------------------------------

    def shown(self) -> Shown:
        """What must be seen now."""
        status = self.session.status()
        limit = budget(self.instance)
        horizon = self.instance.level.horizon
        in_run = self.session.phase == "run"
        return Shown(
            self.session.state.board,
            self.cursor if not in_run or self.mode.keys == "picks" else None,
            min(limit, len(self.free)) - status.placed if self.mode.stock and limit is not None else None,
            horizon - status.turn if self.mode.clock and horizon is not None else None,
            status.outcome == "won" and self.awake,
            status.outcome == "lost" and not self.mode.still,
        )

    def over(self) -> bool:
        """Is the level won or lost, and was that seen?"""
        outcome = self.session.judged()[0] if self.awake else "open"
        return outcome == "won" or (outcome == "lost" and not self.mode.still)

    def cell(self) -> Cell | None:
        """The cell of the board under the cursor."""
        if self.cursor is None:
            return None
        row, column = self.cursor[0] - self.sheet.top, self.cursor[1] - self.sheet.left
        inside = 0 <= row < height(self.instance) and 0 <= column < width(self.instance)
        return (row, column) if inside else None

    # --- keys -------------------------------------------------------------------------------------------

    def press(self, key: str) -> list[Shown]:
        """What must be seen after a key, and after each tick that follows it.

        Raises IllFormed where the game has no next state; the key then counts as not pressed.
        """
        frames = self.pressing(key)
        self.pressed.append(key)
        return frames

    def pressing(self, key: str) -> list[Shown]:
        """The same before the key is counted."""
        if self.over():
            return [self.shown()]
        self.awake = True
        if self.session.phase == "design":
            return self.design(key)
        if self.mode.keys == "none":
            return self.by_itself()
        action = self.action(key)
        if action is None:
            return [self.shown()]
        try:
            self.session.act(action)
        except IllegalAction:
            return [self.shown()]
        return [self.shown(), *self.told()]

    def design(self, key: str) -> list[Shown]:
        """A key while the design is made."""
        assert self.cursor is not None
        if key != "action":
            self.walk(key, on_bar=True)
            return [self.shown()]
        cell = self.cell()
        if cell is not None and cell in self.free:
            with suppress(PlanError):  # nothing may be left to place
                self.session.cycle(cell)
        elif cell is None and not self.mode.still and self.session.complete():
            self.session.release()
            return self.released()
        return [self.shown()]

    def released(self) -> list[Shown]:
        """What is seen once the design is released."""
        if self.mode.keys == "picks":
            self.cursor = (self.sheet.top, self.sheet.left)
        return [self.shown(), *self.by_itself()]

    def by_itself(self) -> list[Shown]:
        """What is seen of a run that goes on without keys, up to its end."""
        frames = []
        while self.mode.keys == "none" and not self.over():
            self.session.act()
            frames.append(self.shown())
        return frames + (self.told() if frames else [])

    def told(self) -> list[Shown]:
        """One more tick says that time is up, where the run was not lost in another way."""
        horizon = self.instance.level.horizon
        up = self.mode.clock and horizon is not None and self.session.turn >= horizon
        told = up and self.shown().lost and not is_lost(self.instance, self.session.state)
        return [self.shown()] if told else []

    def walk(self, key: str, *, on_bar: bool) -> None:
        """Move the cursor, unless the level ends there."""
        assert self.cursor is not None
        before = self.cursor
        self.cursor = (before[0] + OFFSETS[key][0], before[1] + OFFSETS[key][1])
        if self.cell() is None and not (on_bar and self.cursor in self.sheet.bars):
            self.cursor = before

    def action(self, key: str) -> Action | None:
        """The input that a key of a run is; None where it is none."""
        declared = self.instance.game.input
        if declared is None:
            return None
        if self.mode.keys == "picks":
            return self.pick(key)
        if key == "action":
            return Action(self.mode.act) if self.mode.act else None
        return Action(key) if key in declared.moves else None

    def pick(self, key: str) -> Action | None:
        """A key in a game of picks."""
        ways = self.script.player.pick_ways()
        if key == "action":
            self.held = bool(ways) and not self.held
            return None if ways else Action("pick", self.cell())
        if self.held:
            if key not in ways:
                self.walk(key, on_bar=False)
                return None
            self.held = False
            return Action("pick", self.cell(), key)
        self.walk(key, on_bar=False)
        return None

    # --- plans ------------------------------------------------------------------------------------------

    def way_to(self, cell: Cell) -> Iterator[str]:
        """The arrows that bring the cursor to a cell of the board."""
        assert self.cursor is not None
        row, column = self.sheet.top + cell[0] - self.cursor[0], self.sheet.left + cell[1] - self.cursor[1]
        # From the bar first up, else the margin beside the board would be in the way.
        yield from ["up" if row < 0 else "down"] * abs(row)
        yield from ["left" if column < 0 else "right"] * abs(column)

    def design_keys(self, plan: Plan) -> Iterator[str]:
        """The keys that place a design and release it; each is pressed here before the next one is given."""
        choices = self.session.choices
        for cell, piece in plan.design:
            if self.session.placed_at(cell) != piece:
                yield from self.way_to(cell)
                yield from ["action"] * (choices.index(piece) + 1)
        if not self.mode.still and self.session.phase == "design":
            if self.cell() is not None:
                yield from ["down"] * (self.sheet.top + height(self.instance) - (self.cursor or (0, 0))[0])
            yield "action"

    def keys_of(self, plan: Plan) -> Iterator[str]:
        """The keys that play a plan, likewise."""
        if self.session.phase == "design":
            yield from self.design_keys(plan)
        if not self.awake and self.mode.still:
            yield "up"  # all is placed already
        for text in plan.actions:
            action = parse_action(text)
            if action.cell is None:
                yield action.verb if action.verb in DIRECTIONS else "action"
                continue
            yield from self.way_to(action.cell)
            yield "action"
            if action.direction is not None:
                yield action.direction


# --- runs and what they must show -------------------------------------------------------------------------


class Expected(NamedTuple):
    """Keys, and what must be seen: as the level opens, then after each key and tick."""

    instance: Instance
    keys: tuple[str, ...]
    frames: tuple[tuple[int, Shown], ...]  # (index of the key, what must be seen)
    turns: int


def of_plan(script: Script, instance: Instance, plan: Plan) -> Expected:
    """What must be seen when a plan is played."""
    keyboard = Keyboard(script, instance)
    return of_keys(keyboard, keyboard.keys_of(plan))


def of_keys(keyboard: Keyboard, keys: Iterable[str]) -> Expected:
    """What must be seen when these keys are pressed. Raises IllFormed where the game has no next state."""
    frames = [(-1, keyboard.shown())]
    for key in keys:
        seen = keyboard.press(key)
        frames += ((len(keyboard.pressed) - 1, shown) for shown in seen)
    return Expected(keyboard.instance, tuple(keyboard.pressed), tuple(frames), keyboard.session.turn)


def at_random(script: Script, instance: Instance, seed: str, most: int) -> Expected:
    """A run of keys at random, of at most so many: arrows and X, and mostly what gets on with the game."""
    rng = random.Random(seed)
    keyboard = Keyboard(script, instance)
    frames = [(-1, keyboard.shown())]
    with suppress(IllFormed):  # the referee says nothing of what comes then
        while len(keyboard.pressed) < most and not keyboard.over():
            for key in whim(keyboard, rng):
                if keyboard.over():
                    break
                seen = keyboard.press(key)
                frames += ((len(keyboard.pressed) - 1, shown) for shown in seen)
    return Expected(instance, tuple(keyboard.pressed), tuple(frames), keyboard.session.turn)


def whim(keyboard: Keyboard, rng: random.Random) -> Iterator[str]:
    """What to press next."""
    in_design = keyboard.session.phase == "design"
    if rng.random() < 0.3 or (not in_design and keyboard.mode.keys != "picks"):
        yield rng.choice((*DIRECTIONS, *DIRECTIONS, "action"))
        return
    if not in_design:
        action = some_pick(keyboard, rng)
        yield from keyboard.keys_of(Plan(actions=(str(action),))) if not keyboard.held else ["action"]
        return
    if rng.random() < 0.2 and not keyboard.mode.still:
        yield from keyboard.design_keys(keyboard.session.plan())
        return
    if keyboard.free:
        yield from keyboard.way_to(rng.choice(sorted(keyboard.free)))
        yield from ["action"] * rng.randint(1, len(keyboard.session.choices))


def some_pick(keyboard: Keyboard, rng: random.Random) -> Action:
    """A pick, rather one that changes something; not all are tried, since boards can be large."""
    rows, columns = height(keyboard.instance), width(keyboard.instance)
    ways = keyboard.script.player.pick_ways() or (None,)
    action = Action("pick")
    for _ in range(PICKS_TRIED):
        action = Action("pick", (rng.randrange(rows), rng.randrange(columns)), rng.choice(ways))
        with suppress(IllegalAction):
            step(keyboard.instance, keyboard.session.state, action)
            break
    return action


# --- comparing --------------------------------------------------------------------------------------------


def difference(script: Script, expected: Expected, run: Run) -> str | None:
    """Where a run differs from what must be seen, in words; None if it nowhere does."""
    if run.faults:
        return f"the engine says: {run.faults[0][:200]}"
    judge = Judge(script, expected.instance, run.width)
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
        self.helpers = {word: name.lower() for word, name in cast.helpers.items()}
        self.passing = {name for word, name in self.helpers.items() if word.lower().startswith(PASSING)}

    def wrong(self, frame: Frame, shown: Shown) -> str | None:
        """What is wrong with a frame; None if nothing is."""
        rows, columns = height(self.instance), width(self.instance)
        for row in range(rows):
            for column in range(columns):
                here = frame.cells[(self.sheet.top + row) * self.columns + self.sheet.left + column]
                found = {self.pieces[name] for name in here if name in self.pieces}
                wanted = shown.board[row * columns + column]
                if found != wanted:
                    return f"at {(row, column)} there is {said(found)}, and the referee has {said(wanted)}"
        every = [name for here in frame.cells for name in here]
        left = self.passing.intersection(every)
        if left:
            return f"the turn leaves {', '.join(sorted(left))} behind"
        lost = not frame.won and bool(
            {self.helpers.get("over"), self.helpers.get("lost")}.intersection(every)
        )
        if frame.won and not shown.won or lost != shown.lost or shown.won != frame.won:
            return f"won is {frame.won} and lost is {lost}; the referee has {shown.won} and {shown.lost}"
        if shown.stock is not None and every.count(self.helpers["stock"]) != shown.stock:
            return (
                f"{every.count(self.helpers['stock'])} pieces are left to place, and it must be {shown.stock}"
            )
        if shown.clock is not None and self.clock(frame) != shown.clock:
            return f"the clock shows {self.clock(frame)}, and {shown.clock} turns are left"
        cursor = self.cursor(frame)
        return None if cursor == shown.cursor else f"the cursor is at {cursor}, and must be at {shown.cursor}"

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


def said(pieces: Sequence[Piece] | set[Piece] | frozenset[Piece]) -> str:
    """Pieces in words."""
    return ", ".join(sorted(map(str, pieces))) or "nothing"
