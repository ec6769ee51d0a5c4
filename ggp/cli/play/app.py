"""The screen on which a level is played: what each key means, what thinks beside it, what is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, ScrollableContainer
from textual.events import Key, Resize
from textual.geometry import Region
from textual.widgets import Static

from ggp.cli.play.panel import VERB_KEYS, Panel
from ggp.cli.play.shelf import Shelf
from ggp.cli.play.sitting import Sitting
from ggp.errors import PuzzleError
from ggp.model import DIRECTIONS, Plan
from ggp.model.board import State
from ggp.players.advice import Advice, advice
from ggp.players.opponents import Opponents
from ggp.referee.session import Session, Snapshot
from ggp.render.terminal import Sheet
from ggp.render.terminal import text as board_text

TOWARD = {**{way: way for way in DIRECTIONS}, "w": "up", "a": "left", "s": "down", "d": "right"}
SMALL = (80, 20)  # columns and rows of a screen on which the panel stands beside the board
PACE = 0.25  # seconds a turn when a run plays by itself


class PlayApp(App[None]):
    """The board at the left; goal, counters, verdict and keys at the right."""

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
    small = False  # is the screen too small for board and panel side by side?

    def __init__(
        self,
        session: Session,
        save_to: Path | None = None,
        opponents: Opponents | None = None,
        shelf: Shelf | None = None,
        hints: str | None = None,
    ) -> None:
        super().__init__()
        self.shelf, self.hints, self.opponents = shelf, hints, opponents
        self.named = save_to  # the file for plans that was asked for
        self.left: list[Session] = []  # of levels that were left for others
        self.sit_down(session)

    def sit_down(self, session: Session) -> None:
        """Begin to play a level."""
        self.sitting = Sitting(session, self.named, self.opponents)
        self.wondering: Snapshot | None = None  # what somebody is being asked about

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
        self.title = self.sitting.session.instance.name
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
            self.sitting.message = self.means_nothing(event)
            self.refresh_all()

    def means_nothing(self, event: Key) -> str:
        """What is said of a key that does nothing now."""
        if self.sitting.thinking():
            return "it is not your turn"
        key = event.character if event.is_printable and event.key != "space" else event.key
        known = "h shows the keys" if self.small else "the keys are in the list"
        return f"`{key}` does nothing now: {known}"

    def command(self, key: str, character: str) -> Callable[[], object] | None:
        """What a key means in the present phase; None if nothing."""
        at = self.sitting
        general: dict[str, Callable[[], object]] = {
            "q": self.exit,
            "u": at.undo,
            "r": at.restart,
            "e": at.edit,
            "p": at.toggle_playing,
            "escape": at.put_down,
        }
        said: dict[str, Callable[[], object]] = {
            "S": at.save,
            "?": self.ask_advice,
            "y": at.follow_advice,
            "h": self.toggle_keys,
            ">": lambda: self.turn_page(1),
            "<": lambda: self.turn_page(-1),
        }
        if character in said:
            return said[character]
        if key in general:
            return general[key]
        if at.session.phase == "design":
            return self.design_command(key)
        return self.run_command(key, character)

    def design_command(self, key: str) -> Callable[[], object] | None:
        """Keys that place and take back."""
        at = self.sitting
        if key in TOWARD:
            return lambda: at.move_cursor(TOWARD[key])
        if key == "t" and at.values():
            return at.pencil.toggle
        if key.isdecimal() and key != "0" and at.pencil.on:
            return lambda: at.pencil.mark(at.cursor, int(key), at.values())
        if key in ("enter", "space"):
            return lambda: at.session.cycle(at.cursor)
        if key in ("backspace", "delete", "0"):
            return lambda: at.session.take_back(at.cursor)
        if key.isdecimal():
            return lambda: at.type_digit(int(key))
        return at.release if key == "g" else None

    def run_command(self, key: str, character: str) -> Callable[[], object] | None:
        """Keys that make turns, unless it is somebody else's; meanwhile the cursor may be moved."""
        at = self.sitting
        if at.thinking() and not (key in TOWARD and at.picking and at.lifted is None):
            return None
        if key in TOWARD:
            return lambda: at.toward(TOWARD[key])
        if key in ("enter", "space") and at.picking:
            return at.pick
        if key == "space" and (at.session.moves_by_itself or at.verbs):
            return lambda: at.act(at.verbs[0] if at.verbs else None)
        if character and character in VERB_KEYS[: len(at.verbs)]:
            return lambda: at.act(at.verbs[VERB_KEYS.index(character)])
        if character == "." and at.waits:
            return lambda: at.act("wait")
        return None

    def attempt(self, command: Callable[[], object]) -> None:
        """Do it; what goes wrong is told to the player."""
        at = self.sitting
        at.message = ""
        before = at.session.now
        try:
            command()
        except PuzzleError as error:
            finding = error.findings[0]
            at.message = f"{finding.message}: {finding.remedy}" if finding.remedy else finding.message
            at.playing = False
        if at.session.now is not before:
            at.advised = None
        self.refresh_all()

    def action_save(self) -> None:
        """Control and s: save the plan."""
        self.sitting.save()
        self.refresh_all()

    def action_switch(self) -> None:
        """Tab: release, or change between moving and picking."""
        if self.sitting.session.phase == "design":
            self.attempt(self.sitting.release)
        else:
            self.sitting.switch()
            self.refresh_all()

    def turn_page(self, by: int) -> None:
        """Go to the next level of the game, or to the one before."""
        if self.opponents is not None:
            raise PuzzleError("the opponents sit at this level", "quit first, to play another one")
        if self.shelf is None:
            raise PuzzleError("this level stands alone", "there is no next one")
        following = self.shelf.turned(by)
        self.left.append(self.sitting.session)
        self.sit_down(Session(following, seed=self.sitting.session.seed))
        self.title = following.name

    # --- what thinks beside the screen ----------------------------------------------------------------------

    def ask_advice(self) -> None:
        """Have somebody think about what to do."""
        session = self.sitting.session
        now = session.now
        if self.wondering is now:
            self.sitting.message = "still thinking"
            return
        if session.status().outcome != "open":
            raise PuzzleError("it has ended", "undo, or restart")
        self.wondering, self.sitting.message = now, "thinking ..."
        self.run_worker(lambda: self.wonder(now), thread=True, exit_on_error=False)

    def wonder(self, now: Snapshot) -> None:
        """Think about what to do."""
        at = self.sitting
        player = at.joining.next(now.states[-1]) if at.joining is not None else None
        try:
            said = advice(
                at.session.instance,
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
        if self.sitting.session.now is now:
            self.sitting.take_advice(said)
            self.refresh_all()

    def think(self, state: State, turn: int) -> None:
        """Ask the one whose turn it is."""
        assert self.opponents is not None
        joining = self.sitting.joining
        try:
            if joining is not None:
                said = self.opponents.joined(dict(joining.chosen), state, turn)
            else:
                said = self.opponents.answer(state, turn)
            self.call_from_thread(self.answered, state, said, "")
        except PuzzleError as error:
            self.call_from_thread(self.answered, state, None, str(error))

    def answered(self, state: State, action: str | None, fault: str) -> None:
        """Make the turn that was answered, unless it was undone in the meantime."""
        at = self.sitting
        if state is not at.session.state:
            at.asked = None
        elif action is not None:
            self.attempt(lambda: at.session.act(action))
        else:
            at.has_failed(state, fault)
            self.refresh_all()

    def tick(self) -> None:
        """One turn, if the run plays by itself; or somebody else's."""
        at = self.sitting
        state = at.session.state
        if at.of_opponent() and at.asked is not state:
            at.asked = state
            self.run_worker(lambda: self.think(state, at.session.turn), thread=True, exit_on_error=False)
            self.refresh_all()
        if at.playing and at.session.status().outcome == "open":
            self.attempt(at.session.act)
        elif at.playing:
            at.playing = False
            self.refresh_all()

    # --- showing ------------------------------------------------------------------------------------------

    def toggle_keys(self) -> None:
        """Where the screen is small: show the whole panel instead of the board, and back."""
        if self.small:
            self.query_one("#both").toggle_class("keys")

    def refresh_all(self) -> None:
        """Draw the board and the panel anew, and keep what matters in sight."""
        at, session = self.sitting, self.sitting.session
        chosen = at.chosen_cell()
        board = board_text(
            session.instance,
            session.shown,
            numbers=True,
            cursor=chosen,
            marked=at.advised.cells if at.advised is not None and at.advised.wrong else (),
            pencilled=at.pencil.texts if session.phase == "design" else {},
        )
        self.query_one("#board", Static).update(board)
        self.query_one("#panel", Static).update(self.panel())
        # The text has row numbers at the left of the sheet, and a line of column numbers above it.
        column, line = Sheet(session.instance).place_of(chosen or at.changed_cell())
        near = Region(column, line, 6, 3)
        self.query_one("#board-area", ScrollableContainer).scroll_to_region(near, animate=False)

    def panel(self) -> Text:
        """The text at the right, or the few lines below the board."""
        at = self.sitting
        shown = Panel(
            session=at.session,
            message=at.message,
            pencil=at.pencil if at.pencil.on or at.pencil.at(at.cursor) else None,
            note=at.pencil.at(at.cursor),
            follows=at.advised is not None and at.advised.action is not None,
            opponents=self.opponents,
            joining=at.joining,
            shelf=self.shelf is not None,
            picking=at.picking,
            small=self.small,
        )
        few = self.small and not self.query_one("#both").has_class("keys")
        return shown.few_lines() if few else shown.text()
