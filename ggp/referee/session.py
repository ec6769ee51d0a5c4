"""A game being played: placing, releasing, moving, undoing. No terminal here; `ggp.cli.play` shows it.

A session is in one of two phases. In `design` the player places and takes back; `release` begins the `run`,
in which turns are made. A game without a design is always in `run`. Every change can be undone, the
restart too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ggp.errors import IllegalAction, PlanError
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import Action, State
from ggp.model.features import lucky
from ggp.referee import turns
from ggp.referee.contest import Outcome as Outcome
from ggp.referee.contest import goals_of_each
from ggp.referee.designs import check_design, free_cells, placeable
from ggp.referee.dice import dice_of
from ggp.referee.inputs import check_input, parse_action
from ggp.referee.semantics import PassRecord, ending, initial_state, is_goal, legal_actions, step
from ggp.referee.stock import budget, surplus
from ggp.referee.trajectory import judge, worth
from ggp.referee.view import seen

Phase = Literal["design", "run"]
Step = Callable[[Instance, State, Action | None], State]
"""`ggp.referee.semantics.step`, or what answers in its place."""


class Status(NamedTuple):
    """What a player wants to know.

    `horizon` and `budget` are None where there is no limit, `score` where the game has none; `reason` says
    in words why the run ended, or what is still missing.
    """

    phase: Phase
    turn: int
    horizon: int | None
    placed: int
    budget: int | None
    outcome: Outcome
    reason: str
    score: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that undoing brings back."""

    phase: Phase
    design: tuple[tuple[Cell, Piece], ...]
    states: tuple[State, ...]
    actions: tuple[str, ...] = ()
    chance: tuple[tuple[str, ...], ...] = ()  # what it said, before the first turn and in each
    score: int = 0  # what the turns were worth


def opening(instance: Instance, seed: int = 0) -> State:
    """What a picture of a level shows: where chance or hidden kinds have a part, what a player sees first."""
    if lucky(instance):
        return Session(instance, seed=seed).shown
    return initial_state(instance, partial=True)


class Session:
    """One level being played.

    Methods that change something raise a PuzzleError (PlanError for a placement, IllegalAction for a turn)
    and then have changed nothing. The seed says all that chance will say: to undo a turn and make it again
    brings no other luck.
    """

    def __init__(self, instance: Instance, step: Step = step, seed: int | str = 0) -> None:
        self.instance = instance
        self.step = step
        self.seed = seed
        self.lucky = lucky(instance)
        self.scores = instance.game.scan is None and any(one.highest for one in instance.game.objectives)
        self.free = frozenset(free_cells(instance))
        self.choices = placeable(instance)
        self.now = self.beginning()
        self.past: list[Snapshot] = []
        if instance.game.scan is not None:
            kept = turns.kept_from_opening(instance)
            self.past += [replace(self.now, states=(state,)) for state in kept]

    # --- what is ------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The board as it stands."""
        return self.now.states[-1]

    @property
    def shown(self) -> State:
        """What the player sees of the board."""
        return seen(self.instance, self.state)

    @property
    def phase(self) -> Phase:
        """`design` or `run`."""
        return self.now.phase

    @property
    def turn(self) -> int:
        """How many turns have been made."""
        return len(self.now.states) - 1

    @property
    def moves_by_itself(self) -> bool:
        """Does a run go on without inputs?"""
        return self.instance.game.input is None

    @property
    def still(self) -> bool:
        """Does nothing move at all, so that the design is the whole answer?"""
        return self.moves_by_itself and not self.instance.game.physics

    @property
    def score(self) -> int | None:
        """What the turns that stand are worth; None where the game has no score."""
        return self.now.score if self.scores else None

    def plan(self) -> Plan:
        """What has been placed and done so far."""
        return Plan(tuple(sorted(self.now.design)), self.now.actions, chance=self.now.chance)

    def placed_at(self, cell: Cell) -> Piece | None:
        """What the player has placed there."""
        return dict(self.now.design).get(cell)

    def status(self) -> Status:
        """How the game stands."""
        outcome, reason = self.judged()
        limit, horizon = budget(self.instance), self.instance.level.horizon
        placed = len(self.now.design)
        return Status(self.phase, self.turn, horizon, placed, limit, outcome, reason, self.score)

    def judged(self) -> tuple[Outcome, str]:
        """(outcome, reason): what the referee says of the run so far.

        A design is judged before its release only where nothing moves, and then only to say that it is
        right: one that is not yet right is not lost. Where several players take turns it is won when one of
        them has won.
        """
        if self.phase == "design":
            if self.still and self.complete() and is_goal(self.instance, self.state):
                return "won", "everything is right"
            return "open", ""
        won, reason = judge(self.instance, list(self.now.states))
        if reason is None:
            return "open", ""
        if len(self.instance.game.players) > 1:
            return "won" if won else "drawn", reason
        missing = ", ".join(self.missing())
        return ("won", reason) if won else ("lost", f"{reason}; wanted: {missing}" if missing else reason)

    def complete(self) -> bool:
        """Is the design one that may be released?"""
        design = self.instance.game.design
        return design is None or not design.fill or len(self.now.design) == len(self.free)

    def missing(self) -> tuple[str, ...]:
        """Those parts of the goal that do not hold now, in words."""
        terms = self.instance.game.goal.terms
        return tuple(term.say(self.instance) for term in terms if not term.holds(self.instance, self.state))

    def goal_text(self) -> str:
        """The goal in words, and when it must hold."""
        if self.instance.game.simultaneous:
            return goals_of_each(self.instance)
        terms = ", ".join(term.say(self.instance) for term in self.instance.game.goal.terms)
        horizon = self.instance.level.horizon
        if len(self.instance.game.players) > 1:
            lost = ", ".join(term.say(self.instance) for term in self.instance.game.goal.lose)
            said = (("wins by", terms), ("loses by", lost))
            return "; ".join(f"whoever makes the turn {how}: {what}" for how, what in said if what)
        if horizon is None or self.still:
            return terms
        return (
            f"{terms}, {'within' if ending(self.instance) == 'any-turn' else 'at the end of'} {horizon} turns"
        )

    def legal_actions(self) -> tuple[Action, ...]:
        """The inputs that are moves now; none before the release and after the end."""
        if self.phase == "design" or self.judged()[0] != "open":
            return ()
        return legal_actions(self.instance, self.state)

    # --- designing ----------------------------------------------------------------------------------------

    def place(self, cell: Cell, piece: Piece | None = None) -> None:
        """Place a piece on a free cell, instead of the one that the player had there.

        None means the first that may be placed. Raises PlanError: not a free cell, no such piece, more
        than the budget, or released already.
        """
        self.must_design()
        if piece is None:
            if not self.choices:
                raise PlanError("nothing may be placed in this game", "see its goal and its inputs")
            piece = self.choices[0]
        design = {**dict(self.now.design), cell: piece}
        check_design(self.instance, design.items(), partial=True)
        self.change_design(design)

    def take_back(self, cell: Cell) -> None:
        """Take back what the player placed there; raises PlanError if there is nothing of the player's."""
        self.must_design()
        design = dict(self.now.design)
        if design.pop(cell, None) is None:
            raise PlanError("there is nothing here to take back", "what the level gives stays")
        self.change_design(design)

    def cycle(self, cell: Cell, by: int = 1) -> None:
        """Place the next piece that may stand there; after the last one the cell is empty again.

        Kinds of which none is left are passed over.
        """
        before = self.placed_at(cell)
        others = [piece for at, piece in self.now.design if at != cell]
        left = [piece for piece in self.choices if surplus(self.instance, (*others, piece)) is None]
        pieces = [None, *(piece for piece in self.choices if piece in left or piece == before)]
        piece = pieces[(pieces.index(before) + by) % len(pieces)]
        if piece is None:
            self.take_back(cell)
        else:
            self.place(cell, piece)

    def must_design(self) -> None:
        """Raise PlanError unless placing is possible now."""
        if self.phase != "design":
            raise PlanError("the run has begun", "go back to the design first")

    def change_design(self, design: dict[Cell, Piece]) -> None:
        """Take over a checked design."""
        items = tuple(design.items())
        self.change(Snapshot("design", items, (initial_state(self.instance, items, partial=True),)))

    # --- running ------------------------------------------------------------------------------------------

    def release(self) -> None:
        """End the design and begin the run; raises PlanError where cells are still to be filled."""
        self.must_design()
        check_design(self.instance, self.now.design)
        self.change(replace(self.now, phase="run"))

    def edit(self) -> None:
        """Go back from the run to the design, with everything still placed."""
        if self.instance.game.design is None:
            raise PlanError("there is no design in this game", "undo or restart instead")
        if self.phase == "run":
            start = self.now.states[0]
            self.change(Snapshot("design", self.now.design, (start,)))

    def act(self, action: Action | str | None = None) -> None:
        """Make a turn: with an input, or None where the game goes on by itself.

        Raises IllegalAction where the input is no move or the run is not on, IllFormed where the game has
        no next state.
        """
        if self.phase == "design":
            raise IllegalAction("the run has not begun", "release first")
        if self.judged()[0] != "open":
            raise IllegalAction("the run is over", "undo, or restart")
        if isinstance(action, str):
            action = parse_action(action)
        if self.instance.game.scan is not None:
            self.act_in_order(action)
            return
        chance, record = self.now.chance, list[PassRecord]()
        if self.lucky:
            dice = dice_of(self.seed, self.turn + 1)
            after = step(self.instance, self.state, action, record, dice)
            chance = (*chance, tuple(dice.said))
        elif self.scores:  # what is worth something are firings, and only the referee tells of these
            after = step(self.instance, self.state, action, record)
        else:
            after = self.step(self.instance, self.state, action)
        actions = self.now.actions if action is None else (*self.now.actions, str(action))
        states, score = (*self.now.states, after), self.now.score + worth(record)
        self.change(replace(self.now, states=states, actions=actions, chance=chance, score=score))

    def act_in_order(self, action: Action | None) -> None:
        """Make a turn where rules are in scan order: one that changes nothing is none, and not undone.

        Where it began again it leaves boards to undo to all the same.
        """
        check_input(self.instance, action)
        after, kept = turns.turn_with_kept(self.instance, self.state, action)
        for state in kept:
            if state.board == self.state.board:
                self.past.append(self.now)
            else:
                self.past.append(replace(self.now, states=(*self.now.states, state)))
        if after == self.state:
            return
        actions = (*self.now.actions, str(action))
        self.now = replace(self.now, states=(*self.now.states, after), actions=actions)

    # --- back ---------------------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take back the last change; False if there is none, or none may be taken back."""
        scan = self.instance.game.scan
        if scan is not None:
            if not scan.undo:
                return False
            while self.past and self.past[-1].states[-1].board == self.state.board:
                self.past.pop()
        if not self.past:
            return False
        state, self.now = self.state, self.past.pop()
        if scan is not None:
            back = turns.undone(self.state, state)
            self.now = replace(self.now, states=(*self.now.states[:-1], back))
        return True

    def restart(self) -> None:
        """Begin again: in a run before its first turn or at the last checkpoint, else with nothing placed."""
        if self.instance.game.scan is not None:
            self.restart_in_order()
            return
        fresh = self.beginning()
        if self.phase == "run" and self.turn:
            first = self.now.states[:1]
            fresh = replace(self.now, states=first, actions=(), chance=self.now.chance[:1], score=0)
        if fresh != self.now:
            self.change(fresh)

    def restart_in_order(self) -> None:
        """Begin again where rules are in scan order, if the game lets the player."""
        scan, now = self.instance.game.scan, self.now
        if scan is None or not scan.restart:
            return
        checkpoint = self.state.beside.checkpoint if self.state.beside is not None else None
        boards = [state.board for state in now.states]
        first = len(boards) - 1 - boards[::-1].index(checkpoint) if checkpoint in boards else 0
        fresh, kept = turns.restarted(self.instance, self.state)
        states = (*now.states[:first], fresh)
        self.change(replace(now, states=states, actions=now.actions[:first]))
        self.past += [replace(self.now, states=(*states[:-1], state)) for state in kept]

    def beginning(self) -> Snapshot:
        """The level as it is opened."""
        phase: Phase = "run" if self.instance.game.design is None else "design"
        if not self.lucky:
            return Snapshot(phase, (), (initial_state(self.instance, partial=True),))
        dice = dice_of(self.seed, 0)
        start = initial_state(self.instance, partial=True, dice=dice)
        return Snapshot(phase, (), (start,), chance=(tuple(dice.said),))

    def change(self, after: Snapshot) -> None:
        """Take over a new state of affairs, and keep the old one for undoing."""
        self.past.append(self.now)
        self.now = after

    def load(self, plan: Plan) -> None:
        """Take over a plan: its design, and its turns as far as they go. Raises PlanError."""
        fresh = Session(self.instance, self.step, self.seed)
        if plan.design:
            check_design(self.instance, plan.design, partial=True)
            fresh.change_design(dict(plan.design))
        if plan.actions:
            if fresh.phase == "design":
                fresh.release()
            for action in plan.actions:
                fresh.act(action)
        self.change(fresh.now)
