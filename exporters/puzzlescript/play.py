"""What must be seen when an exported game is played: each key, told by the session and the referee.

A `Keyboard` knows the cursor, the bar and the clock of an exported level, and nothing of PuzzleScript's
rules. What it expects after each key is compared with what the engine shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ggp.analysis.random_walk import random_walk, referee
from ggp.errors import IllegalAction, IllFormed, PlanError
from ggp.exporters.puzzlescript.levels import Sheet
from ggp.exporters.puzzlescript.mistakes import mistakes
from ggp.exporters.puzzlescript.script import Script
from ggp.model import DIRECTIONS, OFFSETS, Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, height, width
from ggp.referee.designs import free_cells
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import is_lost
from ggp.referee.session import Outcome, Session, Snapshot
from ggp.referee.stock import stocks

SENSE = 0.9  # how often a pick at random is one that changes something
AFTERWARDS = ("right", "action", "up", "undo", "undo")  # when a run is lost: the first three must do nothing
UNDOING = 0.06  # how often a key at random is one that takes back


class Shown(NamedTuple):
    """What must be seen: the board, the cursor's cell in the grid, pieces and turns left, the outcome.

    `slots` are the cells on which something may be placed now, `wrong` those that break a rule of the goal.
    """

    board: tuple[frozenset[Piece], ...]
    slots: frozenset[Cell]
    wrong: frozenset[Cell]
    cursor: Cell | None
    stock: tuple[tuple[str, int], ...]  # of each counter
    clock: int | None
    won: bool
    lost: bool


class Held(NamedTuple):
    """What a keyboard was before a key."""

    now: Snapshot
    cursor: Cell | None
    held: bool
    awake: bool


class Keyboard:
    """A level of an exported game as it is played with keys."""

    def __init__(self, script: Script, instance: Instance) -> None:
        self.script = script
        self.instance = instance
        self.mode = script.mode
        self.sheet: Sheet = script.sheets[script.instances.index(instance)]
        self.session = Session(instance, referee(instance).step)
        if script.plan is not None and script.plan.design:
            self.session.load(Plan(script.plan.design))
        self.cursor = self.sheet.cursor if self.mode.design or self.mode.keys == "picks" else None
        self.held = False
        self.awake = False  # the engine judges after a key, so it sees nothing before the first one
        self.pressed: list[str] = []
        self.turns = 0  # that were made, also those taken back
        self.past: list[Held] = []
        self.judged: tuple[Snapshot, Outcome] | None = None
        self.marked: tuple[Snapshot, frozenset[Cell]] | None = None
        self.free = frozenset(free_cells(instance))

    # --- what is seen -----------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """What the referee says of the run so far; asked once for each state of affairs."""
        if self.judged is None or self.judged[0] is not self.session.now:
            self.judged = (self.session.now, self.session.judged()[0])
        return self.judged[1]

    def wrong(self) -> frozenset[Cell]:
        """The cells that are marked as wrong; likewise."""
        if self.marked is None or self.marked[0] is not self.session.now:
            self.marked = (self.session.now, wrong_cells(self.instance, self.session.state))
        return self.marked[1]

    def shown(self) -> Shown:
        """What must be seen now."""
        outcome, placed = self.outcome(), [piece.kind for _, piece in self.session.now.design]
        horizon = self.instance.level.horizon
        in_run = self.session.phase == "run"
        return Shown(
            self.session.state.board,
            frozenset() if in_run else self.free,
            self.wrong() if self.awake else frozenset(),
            self.cursor if not in_run or self.mode.keys == "picks" else None,
            tuple(
                (
                    self.script.player.counter("stock", kinds),
                    min(limit, len(self.free)) - sum(map(placed.count, kinds)),
                )
                for kinds, limit in (stocks(self.instance).items() if self.mode.stock else ())
            ),
            horizon - self.session.turn if self.mode.clock and horizon is not None else None,
            outcome == "won" and self.awake,
            outcome == "lost" and not self.mode.still,
        )

    def left(self, placed: Sequence[str]) -> Iterator[tuple[str, int]]:
        """What each counter in the bar must show, where pieces of these kinds are placed."""
        for kinds, limit in stocks(self.instance).items():
            most = min(limit, len(self.free))
            yield self.script.player.counter("stock", kinds), most - sum(map(placed.count, kinds))

    def over(self) -> bool:
        """Is the level won or lost, and was that seen?"""
        outcome = self.outcome() if self.awake else "open"
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
        if key == "undo":
            return self.undo()
        before, shown = self.hold(), self.shown()
        frames = self.going_on(key)
        # PuzzleScript goes back to before the last key that changed anything.
        if (shown, before.held) != (self.shown(), self.held):
            self.past.append(before)
        return frames

    def hold(self) -> Held:
        """All that undoing brings back."""
        return Held(self.session.now, self.cursor, self.held, self.awake)

    def undo(self) -> list[Shown]:
        """What must be seen after the last key that changed anything is taken back."""
        if self.past:
            self.session.now, self.cursor, self.held, self.awake = self.past.pop()
        return [self.shown()]

    def going_on(self, key: str) -> list[Shown]:
        """What must be seen after any other key."""
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
        self.turns += 1
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
            self.turns += 1
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
        return next((Action(word) for word, own in self.mode.pressed.items() if own == key), None)

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
        for cell, piece in plan.design:
            if self.session.placed_at(cell) != piece:
                yield from self.way_to(cell)
            for _ in self.session.choices:  # those of which none is left are passed over
                if self.session.placed_at(cell) != piece:
                    yield "action"
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
                yield self.mode.pressed.get(action.verb, action.verb)
                continue
            yield from self.way_to(action.cell)
            yield "action"
            if action.direction is not None:
                yield action.direction


def wrong_cells(instance: Instance, state: State) -> frozenset[Cell]:
    """The cells that are marked because what stands there breaks a rule."""
    found = (mistakes(term, instance, state) for term in instance.game.goal.terms)
    return frozenset(cell for some in found for cell in some)


# --- runs and what they must show -------------------------------------------------------------------------


class Expected(NamedTuple):
    """Keys, and what must be seen: as the level opens, then after each key and tick.

    `turns` are all that were made, also those that were taken back.
    """

    instance: Instance
    keys: tuple[str, ...]
    frames: tuple[tuple[int, Shown], ...]  # (index of the key, what must be seen)
    turns: int


def of_plan(script: Script, instance: Instance, plan: Plan) -> Expected:
    """What must be seen when a plan is played."""
    keyboard = Keyboard(script, instance)
    return of_keys(keyboard, keyboard.keys_of(plan))


def of_keys(keyboard: Keyboard, keys: Iterable[str]) -> Expected:
    """What must be seen when these keys are pressed, up to a win.

    Raises IllFormed where the game has no next state.
    """
    frames = [(-1, keyboard.shown())]
    for key in keys:
        if frames[-1][1].won:
            break
        seen = keyboard.press(key)
        frames += ((len(keyboard.pressed) - 1, shown) for shown in seen)
    return Expected(keyboard.instance, tuple(keyboard.pressed), tuple(frames), keyboard.turns)


def at_random(script: Script, instance: Instance, seed: str, most: int) -> Expected:
    """A run of keys at random, of at most so many: arrows, X, Z, and mostly what gets on with the game."""
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
        for key in AFTERWARDS if keyboard.shown().lost else ():
            seen = keyboard.press(key)
            frames += ((len(keyboard.pressed) - 1, shown) for shown in seen)
    return Expected(instance, tuple(keyboard.pressed), tuple(frames), keyboard.turns)


def whim(keyboard: Keyboard, rng: random.Random) -> Iterator[str]:
    """What to press next."""
    if rng.random() < UNDOING:
        yield "undo"
        return
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
    """A pick, rather one that changes something."""
    found = random_walk(keyboard.instance)
    move = found.move(keyboard.session.state, rng) if rng.random() < SENSE else None
    return move or rng.choice(found.actions)
