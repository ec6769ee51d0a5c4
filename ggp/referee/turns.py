"""Turns of games whose rules are in scan order: commands, time that goes on by itself, restarts, winning.

A turn is an input and all that follows without another one (`again`). What its rules command is done when
they have run: `cancel` undoes it, `restart` leads back to the start or the last `checkpoint`, `win` wins; a
level is won at the end of a turn only, never before the first one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ggp.errors import IllFormed
from ggp.model import Game, Instance, Piece
from ggp.model.board import Action, Beside, State
from ggp.referee.chance import Generator, seeded
from ggp.referee.scanning import Scanner, scanner
from ggp.referee.scanning.turn import Pause, no_pause

MOST_AGAIN = 10_000  # times that a turn goes on without input
Planes = tuple[int, ...]


class Packed(NamedTuple):
    """A state as numbers, one for each kind, a bit a cell; for search. See `ggp.model.board.Beside`."""

    planes: Planes
    won: bool = False
    checkpoint: Planes | None = None
    chance: bytes | None = None


class Turns:
    """Makes the turns of an instance. What it takes and gives is packed.

    `pause` is called now and then within a turn.
    """

    def __init__(self, instance: Instance, pause: Pause = no_pause) -> None:
        self.pause = pause
        level = instance.level
        self.game = instance.game
        self.height, self.width = len(level.board), len(level.board[0])
        self.scanner: Scanner = scanner(self.game, self.height, self.width)
        self.scan = self.scanner.scan
        self.first = self.pack_board(tuple(here for row in level.board for here in row))

    # --- states as numbers --------------------------------------------------------------------------------

    def pack_board(self, board: tuple[frozenset[Piece], ...]) -> Planes:
        """A board as numbers."""
        planes = [0] * len(self.scanner.ground.kinds)
        for (row, column), here in zip(
            ((row, column) for row in range(self.height) for column in range(self.width)), board, strict=True
        ):
            bit = 1 << column * self.height + row
            for kind in numbers_of(self.game, here):
                planes[kind] |= bit
        return tuple(planes)

    def board(self, planes: Planes) -> tuple[frozenset[Piece], ...]:
        """The board that numbers stand for."""
        held = [0] * (self.height * self.width)
        for number, plane in enumerate(planes):
            one = 1 << number
            while plane:
                low = plane & -plane
                held[low.bit_length() - 1] |= one
                plane ^= low
        return tuple(pieces_of(self.game, held[cell]) for cell in self.scanner.ground.by_rows)

    def pack(self, state: State) -> Packed:
        """A state as numbers."""
        beside = state.beside or Beside()
        checkpoint = None if beside.checkpoint is None else self.pack_board(beside.checkpoint)
        return Packed(self.pack_board(state.board), beside.won, checkpoint, beside.chance)

    def state(self, packed: Packed) -> State:
        """The state that numbers stand for."""
        checkpoint = None if packed.checkpoint is None else self.board(packed.checkpoint)
        return State(self.board(packed.planes), beside=Beside(packed.won, checkpoint, packed.chance))

    # --- turns --------------------------------------------------------------------------------------------

    def start(self, kept: list[Planes] | None = None) -> Packed:
        """The state before the first turn; where the game says so, the rules have run once.

        `kept` takes the boards to which an undo leads: a restart that is commanded here leaves some.
        """
        chance = seeded(self.scan.seed) if self.scanner.chance else None
        return self.opened(Packed(self.first, False, None, chance), kept, restarting=False)

    def opened(self, packed: Packed, kept: list[Planes] | None, *, restarting: bool) -> Packed:
        """A level that is begun, or begun again, when a commanded restart is not heard."""
        if not self.scan.at_start:
            return packed
        once = Tick(self, packed, None, may_win=False, restarting=restarting)
        if kept is not None:
            kept += once.kept
        return self.settle(once.after, once.goes_on, kept)

    def restart(self, packed: Packed, kept: list[Planes] | None = None) -> Packed:
        """What a restart leads to: the last checkpoint, or the start. `kept` as in `start`."""
        planes = self.first if packed.checkpoint is None else packed.checkpoint
        return self.opened(packed._replace(planes=planes, won=False), kept, restarting=True)

    def turn(self, packed: Packed, word: str, kept: list[Planes] | None = None) -> Packed:
        """The state after an input: a direction, `action`, or `tick`.

        `kept` takes the boards to which an undo leads, the last one first.
        """
        way = None if word == "tick" else word
        tick = Tick(self, packed._replace(won=False), way)
        if kept is not None:
            kept += tick.kept
        return self.settle(tick.after, tick.goes_on, kept)

    def settle(self, packed: Packed, goes_on: bool, kept: list[Planes] | None = None) -> Packed:
        """Let time go on until nothing commands `again`, or nothing changes any more."""
        seen = {packed}
        for _ in range(MOST_AGAIN):
            if not goes_on or packed.won:
                return packed
            tick = Tick(self, packed, None)
            packed, goes_on = tick.after, tick.goes_on
            if kept is not None:
                kept += tick.kept
            if goes_on and packed in seen:
                break
            seen.add(packed)
        if not goes_on:
            return packed
        message = f"a turn of {self.game.name} goes on for ever: its rules command `again` without end"
        raise IllFormed(message, "command it only where something is still to happen", self.scan.place)


class Tick:
    """One run of the rules and what its commands do.

    `after` is the state then, `goes_on` whether time goes on without an input. `trying`: only whether
    anything would happen is asked (`happens`), and nothing is kept but what chance has drawn. `kept`: the
    boards that an undo can come back to; a commanded restart adds one, even where it is only tried.
    """

    def __init__(
        self,
        turns: Turns,
        before: Packed,
        way: str | None,
        *,
        may_win: bool = True,
        trying: bool = False,
        restarting: bool = False,
    ) -> None:
        self.turns, self.before = turns, before
        self.may_win, self.trying, self.restarting = may_win, trying, restarting
        self.after, self.goes_on, self.happens = before, False, False
        self.kept: list[Planes] = []
        self.generator = Generator(before.chance) if before.chance is not None else None
        self.run(way)
        if self.generator is not None:
            self.after = self.after._replace(chance=self.generator.state)

    def run(self, way: str | None) -> None:
        """Run the rules, and do what they command."""
        turn = self.turns.scanner.run(self.before.planes, way, self.generator, self.turns.pause)
        if turn is None:
            return
        commands = turn.commands
        if "cancel" in commands:
            self.happens = len(commands) > 1
            return
        planes = tuple(turn.board[: len(self.before.planes)])
        if "restart" in commands:
            self.kept.append(self.before.planes)
        if "restart" in commands and not self.trying and not self.restarting:
            planes, commands = self.restarted(), []
        changed = planes != self.before.planes
        if self.trying and (changed or "win" in commands or "restart" in commands):
            self.happens = True
            return
        self.happens = changed
        if changed and way is not None:
            self.kept.append(self.before.planes)
        self.after = self.after._replace(planes=planes)
        won = "win" in commands or self.turns.scanner.won(list(planes))
        if self.may_win and won:
            self.after, self.goes_on = self.after._replace(won=True), False
            return
        if "checkpoint" in commands:
            self.after = self.after._replace(checkpoint=planes)
        if "again" in commands and changed:
            self.goes_on = self.would_happen()

    def restarted(self) -> Planes:
        """The board that a commanded restart leads to."""
        planes = self.before.checkpoint if self.before.checkpoint is not None else self.turns.first
        if not self.turns.scan.at_start:
            return planes
        chance = None if self.generator is None else self.generator.state
        start = self.before._replace(planes=planes, chance=chance)
        once = Tick(self.turns, start, None, may_win=False, restarting=True)
        self.take(once)
        self.kept += once.kept
        self.goes_on = once.goes_on
        return once.after.planes

    def would_happen(self) -> bool:
        """Would anything happen if time went on? Asking draws from chance, too."""
        chance = None if self.generator is None else self.generator.state
        look = Tick(self.turns, self.after._replace(chance=chance), None, may_win=False, trying=True)
        self.take(look)
        self.kept += look.kept
        return look.happens

    def take(self, other: Tick) -> None:
        """Go on with chance where another run has left it, and with its checkpoint."""
        if self.generator is not None and other.after.chance is not None:
            self.generator = Generator(other.after.chance)
        self.after = self.after._replace(checkpoint=other.after.checkpoint)


@lru_cache(maxsize=65_536)
def numbers_of(game: Game, here: frozenset[Piece]) -> tuple[int, ...]:
    """The kinds in a cell as numbers."""
    return tuple(number for number, kind in enumerate(game.kinds) if Piece(kind.name) in here)


@lru_cache(maxsize=65_536)
def pieces_of(game: Game, held: int) -> frozenset[Piece]:
    """The pieces in a cell, from a number with a bit a kind."""
    return frozenset(Piece(kind.name) for number, kind in enumerate(game.kinds) if held >> number & 1)


@lru_cache(maxsize=64)
def turns_of(instance: Instance) -> Turns:
    """What makes the turns of an instance; kept, because rules take a while to be made ready."""
    return Turns(instance)


# --- for the referee --------------------------------------------------------------------------------------


def opened(instance: Instance) -> State:
    """The state before the first turn."""
    turns = turns_of(instance)
    return turns.state(turns.start())


def kept_from_opening(instance: Instance) -> list[State]:
    """To which states the first undo leads before any turn, the last one first; mostly to none."""
    turns = turns_of(instance)
    if not turns.scan.at_start:
        return []
    kept: list[Planes] = []
    opening = turns.state(turns.start(kept))
    return [State(turns.board(planes), beside=opening.beside) for planes in kept]


def turn(instance: Instance, state: State, action: Action | None) -> State:
    """The state after a turn; one that changes nothing is allowed, the player has pushed against a wall."""
    return turn_with_kept(instance, state, action)[0]


def turn_with_kept(instance: Instance, state: State, action: Action | None) -> tuple[State, list[State]]:
    """The state after a turn, and those to which the next undo leads, the last one first."""
    assert action is not None
    turns = turns_of(instance)
    kept: list[Planes] = []
    after = turns.turn(turns.pack(state), action.verb, kept)
    boards = (turns.board(planes) for planes in kept)
    return turns.state(after), [State(board, beside=state.beside) for board in boards]


def restarted(instance: Instance, state: State) -> tuple[State, list[State]]:
    """The state after the player has begun again, and those to which the next undo leads then."""
    turns = turns_of(instance)
    kept: list[Planes] = []
    fresh = turns.restart(turns.pack(state), kept)
    boards = (turns.board(planes) for planes in kept)
    return turns.state(fresh), [State(board, beside=state.beside) for board in boards]


def undone(before: State, now: State) -> State:
    """The state after an undo: a checkpoint stays, and what chance has drawn has been drawn."""
    beside, held = before.beside or Beside(), now.beside or Beside()
    return State(before.board, beside=Beside(beside.won, held.checkpoint, held.chance))
