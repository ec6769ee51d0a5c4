"""What stands beside the board while a level is played: goal, counters, verdict, messages and keys."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from ggp.cli.play.joining import Joining
from ggp.cli.play.pencil import Pencil
from ggp.players.opponents import Opponents
from ggp.referee.contest import ended
from ggp.referee.inputs import pick_directions
from ggp.referee.session import Session, Status
from ggp.referee.stock import budgets
from ggp.render.terminal import legend_lines

VERB_KEYS = "xcvbn"  # the keys of a game's verbs, in the order of its description
STYLES = {
    "won": "bold white on dark_green",
    "lost": "bold white on dark_red",
    "drawn": "bold black on yellow",
}


@dataclass(frozen=True)
class Panel:
    """What is told, of these things.

    `pencil` is there where it matters, `note` what it wrote on the cursor's cell; `follows`: is there advice
    to follow; `shelf`: are there other levels; `picking`: do arrows move the cursor; `small`: is there no
    room.
    """

    session: Session
    message: str
    pencil: Pencil | None
    note: str
    follows: bool
    opponents: Opponents | None
    joining: Joining | None
    shelf: bool
    picking: bool
    small: bool

    def text(self) -> Text:
        """All of it."""
        status, instance = self.session.status(), self.session.instance
        panel = Text()
        panel.append(f"{instance.game.title}\n", "bold")
        panel.append(f"{instance.level.title or instance.name}\n\n", "dim")
        panel.append(f"Goal: {self.session.goal_text()}\n\n")
        if status.phase == "run":
            of = f" of {status.horizon}" if status.horizon is not None else ""
            panel.append(f"Turn {status.turn}{of}\n")
            panel.append("" if status.score is None else f"Score {status.score}\n")
            panel.append(self.whose_turn(status))
        if instance.game.design is not None:
            limit = len(self.session.free) if instance.game.design.fill else status.budget
            panel.append(f"Placed {status.placed}{f' of {limit}' if limit is not None else ''}\n")
            own = [piece.kind for _, piece in self.session.now.design]
            for kind, most in budgets(instance).items():
                panel.append(f"  {kind}: {own.count(kind)} of {most}\n")
        if status.outcome != "open":
            panel.append("\n")
            panel.append(*self.verdict(status))
            panel.append(f" {status.reason}\n")
        if self.pencil is not None:
            panel.append(f"Pencil{'' if self.pencil.on else ' (off)'}: {self.note}\n")
        if self.message:
            panel.append(f"\n{self.message}\n", "yellow")
        panel.append("\n")
        for line in legend_lines(instance, (self.session.shown,), colour=True):
            panel.append(f"{line}\n", "dim")
        for keys, meaning in self.help():
            panel.append(f"{keys:<12}", "bold")
            panel.append(f"{meaning}\n", "dim")
        return panel

    def few_lines(self) -> Text:
        """What matters most, where there is no room."""
        status, lines = self.session.status(), Text()
        if status.phase == "run":
            lines.append(self.whose_turn(status))
        if status.outcome != "open":
            lines.append(*self.verdict(status))
            lines.append(f" {status.reason}\n")
        if self.message:
            lines.append(f"{self.message}\n", "yellow")
        of = f"/{status.horizon}" if status.horizon is not None else ""
        turn = f"turn {status.turn}{of}" if status.phase == "run" else f"placed {status.placed}"
        score = "" if status.score is None else f"score {status.score}  "
        lines.append(f"{turn}  {score}", "bold")
        lines.append("h keys  ? hint  u undo  q quit", "dim")
        return lines

    def whose_turn(self, status: Status) -> str:
        """Who is to move, where several players take turns."""
        names, mover = self.session.instance.game.players, self.session.state.mover
        if len(names) == 1 or status.outcome != "open":
            return ""
        if self.joining is not None:
            place = self.joining.next(self.session.state)
            return f"{names[place]} chooses\n" if place is not None else "the others choose\n"
        if self.opponents is None:
            return f"{names[mover]} to move\n"
        seat = self.opponents.seats.get(mover)
        return f"{names[mover]} to move: {f'{seat.name}, thinking' if seat is not None else 'you'}\n"

    def verdict(self, status: Status) -> tuple[str, str]:
        """How it ended, and in which colours: against opponents as the player at the keys sees it."""
        outcome = status.outcome
        if self.opponents is not None and outcome == "won":
            end = ended(self.session.instance, self.session.now.states)
            lost = end is not None and any(end.utilities[place] > 0 for place in self.opponents.seats)
            outcome = "lost" if lost else "won"
        return f" {outcome.upper()} ", STYLES[outcome]

    def help(self) -> list[tuple[str, str]]:
        """The keys that mean something now."""
        common = [("?", "what now?"), ("u", "undo"), ("r", "restart"), ("S or ctrl+s", "save the plan")]
        common += [("y", "do what was said")] if self.follows else []
        common += [("> <", "next level, last one")] if self.shelf else []
        common += [("h", "back to the board")] if self.small else []
        common += [("q", "quit")]
        session, declared = self.session, self.session.instance.game.input
        moves, verbs = (declared.moves, declared.verbs) if declared is not None else ((), ())
        picks = pick_directions(session.instance)
        if session.phase == "design":
            valued = any(isinstance(piece.variant, int) for piece in session.choices)
            own = [("arrows wasd", "move the cursor"), ("enter space", "place, change, take back")]
            own += [("1 to 9", "place a value"), ("0 backspace", "take back")] if valued else []
            own += [("t", "pencil on, off")] if valued else []
            own.append(("g", "what is not right yet?" if session.still else "release"))
            return own + ([("p", "release and watch")] if can_watch(session) else []) + common
        own = [("arrows wasd", "move the cursor" if self.picking else "move")] if moves or picks else []
        if self.picking:
            own.append(("enter space", "then a direction" if picks != (None,) else "pick"))
        own += [("tab", "move or pick")] if moves and picks else []
        own += [("space", "one step"), ("p", "play, stop")] if session.moves_by_itself else []
        own += [(key, verb) for key, verb in zip(VERB_KEYS, verbs, strict=False)]
        own += [(".", "wait")] if declared is not None and declared.wait else []
        own += [("e", "back to the design")] if session.instance.game.design is not None else []
        return own + common


def can_watch(session: Session) -> bool:
    """Does a run go on by itself, and change something?"""
    return session.moves_by_itself and not session.still
