"""One level as somebody sits at it: the cursor, what is held, the message; and what commands do to them.

No screen here and no keys: `ggp.cli.play.app` has those.
"""

from __future__ import annotations

import re
from pathlib import Path

from ggp.cli.play.joining import Joining
from ggp.cli.play.pencil import Pencil
from ggp.errors import PuzzleError
from ggp.model import OFFSETS, Cell, Piece
from ggp.model.board import Action, State, height, width
from ggp.players.advice import Advice
from ggp.players.opponents import Opponents
from ggp.referee.inputs import parse_action, pick_directions
from ggp.referee.session import Session
from ggp.referee.trajectory import write_plan
from ggp.referee.view import seen


class Sitting:
    """The session, and what the one at the keys sees of it.

    Plans are saved to `named`, by default to a file called like the level. Commands raise PuzzleError where
    they cannot be done.
    """

    def __init__(self, session: Session, named: Path | None, opponents: Opponents | None) -> None:
        name = re.sub(r"[^\w.-]+", "-", session.instance.name)
        self.session, self.opponents = session, opponents
        self.save_to = named or Path(f"{name}.plan.json")
        self.may_overwrite = False
        self.cursor: Cell = min(session.free, default=(0, 0))
        self.message = ""
        self.pencil = Pencil()
        self.advised: Advice | None = None  # what somebody who was asked said to do
        declared = session.instance.game.input
        self.moves = declared.moves if declared is not None else ()
        self.verbs = declared.verbs if declared is not None else ()
        self.waits = declared is not None and declared.wait
        self.picks = pick_directions(session.instance)
        self.picking = bool(self.picks) and not self.moves  # do arrows move the cursor in the run?
        self.lifted: Cell | None = None  # the picked cell that still needs a direction
        self.playing = False  # does the run go on by itself?
        self.asked: State | None = None  # what one of the opponents was asked about
        self.failed: State | None = None  # what one of them had no answer to
        seats = opponents.seats if opponents is not None else ()
        self.joining = Joining(session.instance, seats) if session.instance.game.simultaneous else None

    # --- the design -----------------------------------------------------------------------------------------

    def move_cursor(self, direction: str) -> None:
        """Move the cursor by one cell, round the edge if need be."""
        down, right = OFFSETS[direction]
        rows, columns = height(self.session.instance), width(self.session.instance)
        self.cursor = ((self.cursor[0] + down) % rows, (self.cursor[1] + right) % columns)

    def values(self) -> tuple[int, ...]:
        """The numbers that may be placed, where there are any."""
        return tuple(piece.variant for piece in self.session.choices if isinstance(piece.variant, int))

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

    # --- the run --------------------------------------------------------------------------------------------

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

    def switch(self) -> None:
        """Change between moving and picking, where there are both."""
        if self.moves and self.picks:
            self.picking, self.lifted = not self.picking, None

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

    def follow_advice(self) -> None:
        """Do what was said."""
        if self.advised is None or self.advised.action is None:
            raise PuzzleError("there is no advice to follow", "ask for some: ?")
        self.act(self.advised.action)

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

    # --- opponents ------------------------------------------------------------------------------------------

    def of_opponent(self) -> bool:
        """Is it somebody else's turn?"""
        state = self.session.state
        awaited = self.joining is not None and self.joining.next(state) is None
        on = self.opponents is not None and (awaited or self.opponents.plays(state))
        return on and self.session.status().outcome == "open"

    def thinking(self) -> bool:
        """Is one of them asked for this turn, and may still answer?"""
        return self.of_opponent() and self.failed is not self.session.state

    def has_failed(self, state: State, fault: str) -> None:
        """One of them had no answer: say so, and let one's own choice be made again."""
        self.message, self.failed = fault, state
        if self.joining is not None:
            self.joining.take_back()

    # --- what is kept and shown -----------------------------------------------------------------------------

    def save(self) -> None:
        """Save the plan; a file that this game has not written is replaced only when asked twice."""
        if self.save_to.exists() and not self.may_overwrite:
            self.may_overwrite = True
            self.message = f"{self.save_to} exists: save again to replace it"
            return
        try:
            write_plan(self.save_to, self.session.instance, self.session.plan())
            self.may_overwrite = True
            self.message = f"saved to {self.save_to}"
        except PuzzleError as error:
            self.message = str(error)

    def take_advice(self, said: Advice) -> None:
        """Keep what was said, and look where it points."""
        self.advised, self.message = said, said.words
        if said.action is not None:
            self.message += " (y: do it)"
        if said.cells:
            self.cursor = said.cells[0]

    def chosen_cell(self) -> Cell | None:
        """The cursor, where there is one now."""
        return self.cursor if self.session.phase == "design" or self.picking else None

    def changed_cell(self) -> Cell:
        """The first cell that the last turn changed; the first of all where there was none."""
        states = [seen(self.session.instance, state) for state in self.session.now.states[-2:]]
        pairs = enumerate(zip(states[0].board, states[-1].board, strict=True))
        index = next((index for index, (old, new) in pairs if old != new), 0)
        return divmod(index, width(self.session.instance))
