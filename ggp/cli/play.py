"""Playing a level in the terminal. What playing means is in `ggp.referee.session`; this shows it and reads
keys.

Textual is imported with this module, so import it only where somebody wants to play.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, ScrollableContainer
from textual.events import Key, Resize
from textual.geometry import Region
from textual.widgets import Static

from ggp.cli.joining import Joining
from ggp.cli.panel import VERB_KEYS, Panel
from ggp.cli.pencil import Pencil
from ggp.cli.shelf import Shelf
from ggp.errors import PuzzleError
from ggp.model import DIRECTIONS, OFFSETS, Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, height, width
from ggp.model.features import require_played_alone
from ggp.players.advice import Advice, advice
from ggp.players.opponents import Opponents, seated
from ggp.referee.semantics import parse_action, pick_directions
from ggp.referee.session import Session, Snapshot, Status
from ggp.referee.trajectory import write_plan
from ggp.referee.view import seen
from ggp.render.terminal import Sheet
from ggp.render.terminal import text as board_text

TOWARD = {**{way: way for way in DIRECTIONS}, "w": "up", "a": "left", "s": "down", "d": "right"}
SMALL = (80, 20)  # columns and rows of a screen on which the panel stands beside the board
PACE = 0.25  # seconds a turn when a run plays by itself


def play(instance: Instance, save_to: Path | None = None, seed: int = 0) -> Status:
    """Play a level until the player quits; returns how the game then stood.

    Plans are saved to `save_to`, by default `GAME-LEVEL.plan.json` in the current folder. Raises PuzzleError
    where there is no terminal to play in, UnsupportedFeature for a game that cannot be played yet.
    """
    return play_sessions(instance, save_to, seed=seed)[-1].status()


def play_sessions(
    instance: Instance,
    save_to: Path | None = None,
    opponents: Opponents | None = None,
    seed: int = 0,
    shelf: Shelf | None = None,
    hints: str | None = None,
) -> list[Session]:
    """The same; returns the sessions as they were left, one for each level, with their states and inputs.

    `shelf` has the levels before and after this one; `hints` names the player that is asked what to do.
    """
    require_played_alone(instance, "ggp play")
    streams = (sys.stdin, sys.stdout)
    if os.environ.get("TERM") == "dumb" or not all(stream and stream.isatty() for stream in streams):
        raise PuzzleError(
            "playing needs a terminal, and this is none",
            "run it in one; `ggp show`, `ggp render` and `ggp replay` do without",
        )
    app = PlayApp(Session(instance, seed=seed), save_to, opponents, shelf, hints)
    app.run()
    return [*app.left, app.session]


@contextmanager
def sitting_opposite(
    instance: Instance, own: str | None, against: tuple[str, ...], playouts: int, seed: int
) -> Iterator[Opponents | None]:
    """Opponents as long as they are needed; None where nobody is named."""
    if not against:
        if own is not None:
            raise PuzzleError("--as says which of several players you are", "add --against NAME")
        yield None
        return
    opponents = Opponents(instance, seated(instance, own, against), playouts, seed)
    try:
        yield opponents
    finally:
        opponents.leave()


class PlayApp(App[None]):
    """The screen: the board at the left; goal, counters, verdict and keys at the right."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #board-area { width: 1fr; padding: 1 2; }
    #board { width: auto; height: auto; }
    #panel { width: 42; padding: 1 1; }
    .small { layout: vertical; }
    .small #board-area { width: 100%; height: 1fr; padding: 0; }
    .small #panel { width: 100%; height: auto; max-height: 4; padding: 0; }
    .keys #board-area { display: none; }
    .keys #panel { max-height: 100%; height: 100%; overflow-y: auto; }
    """
    BINDINGS = [
        Binding("ctrl+s", "save", priority=True),
        Binding("ctrl+c", "quit", priority=True),
        # Else Textual would move the focus with it.
        Binding("tab", "switch", priority=True),
    ]

    def __init__(
        self,
        session: Session,
        save_to: Path | None = None,
        opponents: Opponents | None = None,
        shelf: Shelf | None = None,
        hints: str | None = None,
    ) -> None:
        super().__init__()
        self.shelf, self.hints = shelf, hints
        self.named = save_to  # the file for plans that was asked for
        self.left: list[Session] = []  # of levels that were left for others
        self.opponents = opponents
        self.begin(session)

    def begin(self, session: Session) -> None:
        """Sit down to a level."""
        name = re.sub(r"[^\w.-]+", "-", session.instance.name)
        self.session = session
        self.save_to = self.named or Path(f"{name}.plan.json")
        self.cursor: Cell = min(session.free, default=(0, 0))
        self.message = ""
        self.may_overwrite = False
        self.pencil = Pencil()
        self.advised: Advice | None = None  # what `?` was last told
        self.wondering: Snapshot | None = None  # what it is being asked about
        declared = session.instance.game.input
        self.moves = declared.moves if declared is not None else ()
        self.verbs = declared.verbs if declared is not None else ()
        self.waits = declared is not None and declared.wait
        self.picks = pick_directions(session.instance)
        self.picking = bool(self.picks) and not self.moves  # do arrows move the cursor in the run?
        self.lifted: Cell | None = None  # the picked cell that still needs a direction
        self.playing = False
        self.asked: State | None = None  # what one of them was asked about
        self.failed: State | None = None  # what one of them had no answer to
        together = session.instance.game.simultaneous
        seats = self.opponents.seats if self.opponents is not None else ()
        self.joining = Joining(session.instance, seats) if together else None

    small = False  # is the screen too small for board and panel side by side?

    def compose(self) -> ComposeResult:
        """The two halves of the screen."""
        area = ScrollableContainer(Static(id="board"), id="board-area")
        area.can_focus = False  # arrows are for the game, not for scrolling
        yield Horizontal(area, Static(id="panel"), id="both")

    def on_resize(self, event: Resize) -> None:
        """Where there is no room for both, the panel goes under the board, and tells less."""
        self.small = event.size.width < SMALL[0] or event.size.height < SMALL[1]
        self.query_one("#both").set_class(self.small, "small")
        self.call_after_refresh(self.refresh_all)

    def on_mount(self) -> None:
        self.title = self.session.instance.name
        self.set_interval(PACE, self.tick)
        self.refresh_all()

    # --- keys ---------------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Find what a key means now, and do it; every error becomes the message."""
        command = self.command(event.key, event.character or "")
        if command is not None:
            event.stop()
            self.attempt(command)
        elif event.is_printable or event.key in ("enter", "backspace", "delete", *TOWARD):
            event.stop()
            self.message = self.means_nothing(event)
            self.refresh_all()

    def means_nothing(self, event: Key) -> str:
        """What is said of a key that does nothing now."""
        if self.thinking():
            return "it is not your turn"
        key = event.character if event.is_printable and event.key != "space" else event.key
        known = "h shows the keys" if self.small else "the keys are in the list"
        return f"`{key}` does nothing now: {known}"

    def command(self, key: str, character: str) -> Callable[[], object] | None:
        """What a key means in the present phase; None if nothing."""
        general: dict[str, Callable[[], object]] = {
            "q": self.exit,
            "u": self.undo,
            "r": self.restart,
            "e": self.edit,
            "p": self.toggle_playing,
            "escape": self.put_down,
        }
        said: dict[str, Callable[[], object]] = {
            "S": self.action_save,
            "?": self.ask_advice,
            "y": self.follow_advice,
            "h": self.toggle_keys,
            ">": lambda: self.turn_page(1),
            "<": lambda: self.turn_page(-1),
        }
        if character in said:
            return said[character]
        if key in general:
            return general[key]
        if self.session.phase == "design":
            return self.design_command(key)
        return self.run_command(key, character)

    def design_command(self, key: str) -> Callable[[], object] | None:
        """Keys that place and take back."""
        if key in TOWARD:
            return lambda: self.move_cursor(TOWARD[key])
        if key == "t" and self.values():
            return self.pencil.toggle
        if key.isdecimal() and key != "0" and self.pencil.on:
            return lambda: self.pencil.mark(self.cursor, int(key), self.values())
        if key in ("enter", "space"):
            return lambda: self.session.cycle(self.cursor)
        if key in ("backspace", "delete", "0"):
            return lambda: self.session.take_back(self.cursor)
        if key.isdecimal():
            return lambda: self.type_digit(int(key))
        return self.release if key == "g" else None

    def run_command(self, key: str, character: str) -> Callable[[], object] | None:
        """Keys that make turns, unless it is somebody else's; meanwhile the cursor may be moved."""
        if self.thinking() and not (key in TOWARD and self.picking and self.lifted is None):
            return None
        if key in TOWARD:
            return lambda: self.toward(TOWARD[key])
        if key in ("enter", "space") and self.picking:
            return self.pick
        if key == "space" and (self.session.moves_by_itself or self.verbs):
            return lambda: self.act(self.verbs[0] if self.verbs else None)
        if character and character in VERB_KEYS[: len(self.verbs)]:
            return lambda: self.act(self.verbs[VERB_KEYS.index(character)])
        if character == "." and self.waits:
            return lambda: self.act("wait")
        return None

    def attempt(self, command: Callable[[], object]) -> None:
        """Do it; what goes wrong is told to the player."""
        self.message = ""
        before = self.session.now
        try:
            command()
        except PuzzleError as error:
            finding = error.findings[0]
            self.message = f"{finding.message}: {finding.remedy}" if finding.remedy else finding.message
            self.playing = False
        if self.session.now is not before:
            self.advised = None
        self.refresh_all()

    # --- what keys do -------------------------------------------------------------------------------------

    def move_cursor(self, direction: str) -> None:
        """Move the cursor by one cell, round the edge if need be."""
        down, right = OFFSETS[direction]
        rows, columns = height(self.session.instance), width(self.session.instance)
        self.cursor = ((self.cursor[0] + down) % rows, (self.cursor[1] + right) % columns)

    def type_digit(self, digit: int) -> None:
        """Place a value; where two digits make one that exists, the second is added to the first."""
        by_value = {piece.variant: piece for piece in self.session.choices}
        before = self.session.placed_at(self.cursor)
        longer = before.variant * 10 + digit if before and isinstance(before.variant, int) else digit
        self.session.place(self.cursor, by_value.get(longer) or by_value.get(digit) or Piece(str(digit)))

    def release(self) -> None:
        """Begin the run; where nothing moves, say instead what is not right yet."""
        if not self.session.still:
            self.session.release()
        elif self.session.status().outcome != "won":
            left = len(self.session.free) - len(self.session.plan().design)
            empty = "" if self.session.complete() else f"{left} cells are empty"
            self.message = "not yet: " + ", ".join(filter(None, [empty, *self.session.missing()]))

    def toward(self, direction: str) -> None:
        """A direction in the run: of a pick, for the cursor, or a move."""
        if self.lifted is not None:
            cell, self.lifted = self.lifted, None
            self.act(Action("pick", cell, direction))
        elif self.picking:
            self.move_cursor(direction)
        elif direction in self.moves:
            self.act(direction)

    def pick(self) -> None:
        """Pick the cursor's cell; where picks have directions, wait for one."""
        if self.picks == (None,):
            self.act(Action("pick", self.cursor))
        else:
            self.lifted = self.cursor

    def put_down(self) -> None:
        """Pick nothing after all."""
        self.lifted = None

    def act(self, action: Action | str | None) -> None:
        """Make a turn; where all move at the same time, choose what one does in it."""
        if self.joining is None or action is None:
            self.session.act(action)
            return
        state = self.session.state
        self.joining.choose(state, parse_action(action) if isinstance(action, str) else action)
        self.failed = self.asked = None
        if self.opponents is None and self.joining.next(state) is None:
            self.session.act("+".join(self.joining.chosen[place] for place in self.joining.here))

    def undo(self) -> None:
        """Take back the last change."""
        self.playing, self.lifted = False, None
        if self.joining is not None and self.joining.take_back():
            self.asked = None
            return
        if not self.session.undo():
            self.message = "there is nothing to undo"
        self.asked = None
        while self.of_opponent() and self.session.undo():  # back to where one's own turn was
            pass

    def restart(self) -> None:
        """Begin again."""
        self.playing, self.lifted = False, None
        self.session.restart()

    def edit(self) -> None:
        """Back to the design."""
        self.playing = False
        self.session.edit()

    def toggle_playing(self) -> None:
        """Let the run go on by itself, or stop it."""
        if not self.session.moves_by_itself or self.session.still:
            return
        if self.session.phase == "design":
            self.session.release()
        self.playing = not self.playing

    # --- other levels, advice and pencil marks ------------------------------------------------------------

    def turn_page(self, by: int) -> None:
        """Go to the next level of the game, or to the one before."""
        if self.opponents is not None:
            raise PuzzleError("the opponents sit at this level", "quit first, to play another one")
        if self.shelf is None:
            raise PuzzleError("this level stands alone", "there is no next one")
        following = self.shelf.turned(by)
        self.left.append(self.session)
        self.begin(Session(following, seed=self.session.seed))
        self.title = following.name

    def values(self) -> tuple[int, ...]:
        """The numbers that may be placed, where there are any."""
        return tuple(piece.variant for piece in self.session.choices if isinstance(piece.variant, int))

    def ask_advice(self) -> None:
        """Have somebody think about what to do; this runs beside the screen."""
        now = self.session.now
        if self.wondering is now:
            self.message = "still thinking"
            return
        if self.session.status().outcome != "open":
            raise PuzzleError("it has ended", "undo, or restart")
        self.wondering, self.message = now, "thinking ..."
        self.run_worker(lambda: self.wonder(now), thread=True, exit_on_error=False)

    def wonder(self, now: Snapshot) -> None:
        """Think about what to do."""
        player = self.joining.next(now.states[-1]) if self.joining is not None else None
        try:
            said = advice(
                self.session.instance,
                Plan(now.design, now.actions),
                now.states,
                released=now.phase == "run",
                by=self.hints,
                player=player,
            )
        except PuzzleError as error:
            said = Advice(str(error))
        self.call_from_thread(self.told, now, said)

    def told(self, now: Snapshot, said: Advice) -> None:
        """Say what was found, unless things have changed in the meantime."""
        self.wondering = None
        if self.session.now is not now:
            return
        self.advised, self.message = said, said.words
        if said.action is not None:
            self.message += " (y: do it)"
        if said.cells:
            self.cursor = said.cells[0]
        self.refresh_all()

    def follow_advice(self) -> None:
        """Do what was said."""
        if self.advised is None or self.advised.action is None:
            raise PuzzleError("there is no advice to follow", "ask for some: ?")
        self.act(self.advised.action)

    def toggle_keys(self) -> None:
        """Where the screen is small: show the whole panel instead of the board, and back."""
        if self.small:
            self.query_one("#both").toggle_class("keys")

    # --- opponents ----------------------------------------------------------------------------------------

    def of_opponent(self) -> bool:
        """Is it somebody else's turn?"""
        state = self.session.state
        awaited = self.joining is not None and self.joining.next(state) is None
        on = self.opponents is not None and (awaited or self.opponents.plays(state))
        return on and self.session.status().outcome == "open"

    def thinking(self) -> bool:
        """Is one of them asked for this turn, and may still answer?"""
        return self.of_opponent() and self.failed is not self.session.state

    def think(self, state: State, turn: int) -> None:
        """Ask the one whose turn it is; this runs beside the screen."""
        assert self.opponents is not None
        try:
            if self.joining is not None:
                said = self.opponents.joined(dict(self.joining.chosen), state, turn)
            else:
                said = self.opponents.answer(state, turn)
            self.call_from_thread(self.answered, state, said, "")
        except PuzzleError as error:
            self.call_from_thread(self.answered, state, None, str(error))

    def answered(self, state: State, action: str | None, fault: str) -> None:
        """Make the turn that was answered, unless it was undone in the meantime."""
        if state is not self.session.state:
            self.asked = None
        elif action is not None:
            self.attempt(lambda: self.session.act(action))
        else:
            self.message, self.failed = fault, state
            if self.joining is not None:
                self.joining.take_back()
            self.refresh_all()

    def tick(self) -> None:
        """One turn, if the run plays by itself; or somebody else's."""
        state = self.session.state
        if self.of_opponent() and self.asked is not state:
            self.asked = state
            self.run_worker(lambda: self.think(state, self.session.turn), thread=True, exit_on_error=False)
            self.refresh_all()
        if self.playing and self.session.status().outcome == "open":
            self.attempt(self.session.act)
        elif self.playing:
            self.playing = False
            self.refresh_all()

    def action_save(self) -> None:
        """Save the plan; a file that this game has not written is replaced only when asked twice."""
        if self.save_to.exists() and not self.may_overwrite:
            self.may_overwrite = True
            self.message = f"{self.save_to} exists: save again to replace it"
        else:
            try:
                write_plan(self.save_to, self.session.instance, self.session.plan())
                self.may_overwrite = True
                self.message = f"saved to {self.save_to}"
            except PuzzleError as error:
                self.message = str(error)
        self.refresh_all()

    def action_switch(self) -> None:
        """Tab: release, or change between moving and picking."""
        if self.session.phase == "design":
            self.attempt(self.release)
        elif self.moves and self.picks:
            self.picking, self.lifted = not self.picking, None
            self.refresh_all()

    # --- showing ------------------------------------------------------------------------------------------

    def refresh_all(self) -> None:
        """Draw the board and the panel anew, and keep what matters in sight."""
        session = self.session
        chosen = self.cursor if session.phase == "design" or self.picking else None
        marked = self.advised.cells if self.advised is not None and self.advised.wrong else ()
        pencilled = self.pencil.texts if session.phase == "design" else {}
        board = board_text(
            session.instance, session.shown, numbers=True, cursor=chosen, marked=marked, pencilled=pencilled
        )
        self.query_one("#board", Static).update(board)
        self.query_one("#panel", Static).update(self.panel())
        # The text has row numbers at the left of the sheet, and a line of column numbers above it.
        column, line = Sheet(session.instance).place_of(chosen or self.changed_cell())
        near = Region(column, line, 6, 3)
        self.query_one("#board-area", ScrollableContainer).scroll_to_region(near, animate=False)

    def changed_cell(self) -> Cell:
        """The first cell that the last turn changed; the first of all where there was none."""
        states = [seen(self.session.instance, state) for state in self.session.now.states[-2:]]
        pairs = enumerate(zip(states[-2:][0].board, states[-1].board, strict=True))
        index = next((index for index, (old, new) in pairs if old != new), 0)
        return divmod(index, width(self.session.instance))

    def panel(self) -> Text:
        """The text at the right, or the few lines below the board."""
        shown = Panel(
            session=self.session,
            message=self.message,
            pencil=self.pencil if self.pencil.on or self.pencil.at(self.cursor) else None,
            note=self.pencil.at(self.cursor),
            follows=self.advised is not None and self.advised.action is not None,
            opponents=self.opponents,
            joining=self.joining,
            shelf=self.shelf is not None,
            picking=self.picking,
            small=self.small,
        )
        few = self.small and not self.query_one("#both").has_class("keys")
        return shown.few_lines() if few else shown.text()
