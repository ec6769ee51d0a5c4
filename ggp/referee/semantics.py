"""The referee: what a puzzle means, said as simply as it can be said.

Everything that claims to have solved, exported or learned a puzzle is judged by replay here. It is written
to be read, not to be fast; `ggp.transition.program` is the fast one, and is tested against this.

This module is turns and goals. How one pass matches and fires is in `ggp.referee.passes`, what may be placed
in `ggp.referee.designs`, and which inputs there are in `ggp.referee.inputs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Block, Cell, Group, Instance, Phase, Piece
from ggp.model.board import Action, State, amount, width
from ggp.referee import turns
from ggp.referee.designs import check_design
from ggp.referee.dice import Dice, Seeded, Unsaid
from ggp.referee.inputs import all_actions, check_input, own_actions
from ggp.referee.laying import awaited, draw_pass, lay
from ggp.referee.passes import Firing, run_pass


class PassRecord(NamedTuple):
    """What happened in one pass of a turn: kept for explanations and for debugging encodings."""

    group: Group
    firings: tuple[Firing, ...]
    after: State


def ending(instance: Instance) -> str:
    """When the goal must hold: `horizon`, or `any-turn` up to it."""
    return instance.level.when or instance.game.goal.when


def initial_state(
    instance: Instance,
    design: Iterable[tuple[Cell, Piece]] = (),
    *,
    partial: bool = False,
    dice: Dice | None = None,
) -> State:
    """The state before the first turn, with the design placed (`partial`: a design still being made).

    `dice` say what chance lays. Without them a state that is `partial` is one before that.
    """
    if instance.game.scan is not None:
        return turns.opened(instance)
    placed = check_design(instance, design, partial=partial)
    board = tuple(
        here | {placed[row, column]} if (row, column) in placed else here
        for row, line in enumerate(instance.level.board)
        for column, here in enumerate(line)
    )
    if not instance.game.chance:
        return State(board)
    state = State(board, lays=awaited(instance))
    if state.lays == "start" and (dice is not None or not partial):
        return lay(instance, state, "start", dice or Unsaid())
    return state


# --- turns --------------------------------------------------------------------------------------------


def step(
    instance: Instance,
    state: State,
    action: Action | None = None,
    record: list[PassRecord] | None = None,
    dice: Dice | None = None,
) -> State:
    """The state after one turn: the input's groups, then physics, then the markers vanish.

    `action` is None in a game without inputs. Raises IllegalAction when the game has no such input, or
    when it changes nothing and the game has no waiting; IllFormed when rules collide or a loop never
    comes to rest. `record` takes what happened in each pass, `dice` say what chance does. Where chance was
    asked something the input was a move, whatever came of it: so what is a move never hangs on chance.
    """
    check_input(instance, action)
    if instance.game.scan is not None:
        return turns.turn(instance, state, action)
    if instance.game.simultaneous and action is not None:
        return joint_step(instance, state, action, record)
    made = made_turn(instance, state, action, record, dice)
    after = State(without_markers(instance, made), state.mover)
    return (
        after if len(instance.game.players) == 1 else replace(after, mover=next_mover(instance, made, after))
    )


def joint_step(
    instance: Instance, state: State, action: Action, record: list[PassRecord] | None = None
) -> State:
    """The state after a turn in which all players move at the same time.

    The groups of `turn` run with the input of each, in the order of the players; then physics, once. An
    input must be a move in the state in which all chose, so what is one never hangs on the others.
    """
    made = state
    for mover, own in enumerate(action.each):
        if not is_choice(instance, state, mover, own):
            message = f"{own} of {instance.game.players[mover]} changes nothing"
            raise IllegalAction(message, "such an input is not a move in this game")
        made = declared_by(instance, made, mover, own, record)
    for phase in instance.game.physics:
        made = run_phase(instance, made, None, phase, record)
    return State(without_markers(instance, made))


def declared_by(
    instance: Instance, state: State, mover: int, own: Action, record: list[PassRecord] | None = None
) -> State:
    """The state after the groups of `turn` with the input of one of those who move at the same time."""
    made = place_pick(instance, replace(state, mover=mover), own)
    for phase in instance.game.turn:
        made = run_phase(instance, made, own, phase, record)
    hand = instance.game.input.pick if instance.game.input is not None else None
    board = tuple(frozenset(piece for piece in here if piece.kind != hand) for here in made.board)
    return State(board if hand is not None else made.board)


def is_choice(instance: Instance, state: State, mover: int, own: Action) -> bool:
    """May this player, who moves at the same time as others, choose this? It must do something."""
    declared = instance.game.input
    waits = declared is not None and declared.wait
    return waits or declared_by(instance, state, mover, own).board != state.board


def choices(instance: Instance, state: State, mover: int) -> tuple[Action, ...]:
    """The inputs that a player may choose who moves at the same time as others."""
    return tuple(own for own in own_actions(instance) if is_choice(instance, state, mover, own))


def made_turn(
    instance: Instance,
    state: State,
    action: Action | None,
    record: list[PassRecord] | None = None,
    dice: Dice | None = None,
) -> State:
    """The state at the end of a turn, markers still standing; raises as `step` does."""
    game = instance.game
    dice = dice or Unsaid()
    asked = len(dice.said)
    made = place_pick(instance, laid_at_start(instance, state, dice), action)
    if made.lays == "first-turn":
        made = lay(instance, made, "first-turn", dice)
    for phase in (*game.turn, *game.physics) if action is not None else game.physics:
        made = run_phase(instance, made, action, phase, record, dice=dice)
    waiting = (game.input is not None and game.input.wait) or len(dice.said) > asked
    if action is not None and not waiting and without_markers(instance, made) == state.board:
        raise IllegalAction(f"{action} changes nothing", "such an input is not a move in this game")
    return made


def next_mover(instance: Instance, made: State, after: State) -> int:
    """Whose turn is next: the next player's, or again the same one's; who must pass is passed over."""
    players, declared = len(instance.game.players), instance.game.input
    if declared is None:
        return (made.mover + 1) % players
    again = any(piece.kind == declared.again for here in made.board for piece in here)
    first = made.mover if again else (made.mover + 1) % players
    if declared.stuck != "passes":
        return first
    order = ((first + further) % players for further in range(players))
    return next((one for one in order if can_move(instance, replace(after, mover=one))), first)


def can_move(instance: Instance, state: State) -> bool:
    """Is there a legal input in this state?"""
    for action in all_actions(instance):
        try:
            made_turn(instance, state, action, dice=Seeded(0))  # whatever chance says, the same are moves
        except IllegalAction:
            continue
        return True
    return False


def laid_at_start(instance: Instance, state: State, dice: Dice) -> State:
    """The state after chance has laid what it lays before the first turn, if it has not yet."""
    return lay(instance, state, "start", dice) if state.lays == "start" else state


def run_phase(
    instance: Instance,
    state: State,
    action: Action | None,
    phase: Phase,
    record: list[PassRecord] | None = None,
    *,
    looping: bool = False,
    dice: Dice | None = None,
) -> State:
    """Run a group or a block: once, or until it changes nothing."""
    if isinstance(phase, Group) and phase.bound is None:
        if phase.draw is not None:
            firings, after = draw_pass(instance, state, action, phase, dice or Unsaid())
        else:
            firings, after = run_pass(instance, state, action, phase, looping=looping)
        if record is not None:
            record.append(PassRecord(phase, firings, after))
        return after
    bound = amount(instance, phase.bound) if phase.bound is not None else 0
    once = phase.groups if isinstance(phase, Block) else (Group(phase.name, phase.rules, place=phase.place),)
    seen = [state]
    known = {state}
    # One run more than the bound: the last one must show that nothing changes any more.
    for _ in range(bound + 1):
        for group in once:
            state = run_phase(instance, state, action, group, record, looping=True)
        if state == seen[-1]:
            return state
        seen.append(state)
        if state in known:  # a run does the same to the same state, so this goes on for ever
            break
        known.add(state)
    raise IllFormed(
        never_rests(phase, bound, seen), "raise the bound, or make the rules come to rest", phase.place
    )


def never_rests(phase: Phase, bound: int, seen: list[State]) -> str:
    """Say that a loop went past its bound, and which of its states come again."""
    message = f"{phase.name or 'a loop'} is still changing after {bound} passes"
    for index, state in enumerate(seen):
        if state in seen[index + 1 :]:
            length = seen.index(state, index + 1) - index
            return f"{message}: the state after pass {index} comes again after {length} more"
    return message


def place_pick(instance: Instance, state: State, action: Action | None) -> State:
    """Put the marker of a pick on its cell."""
    if action is None or action.cell is None or instance.game.input is None:
        return state
    marker = Piece(str(instance.game.input.pick), action.direction)
    index = action.cell[0] * width(instance) + action.cell[1]
    board = (*state.board[:index], state.board[index] | {marker}, *state.board[index + 1 :])
    return State(board, state.mover, lays=state.lays)


def without_markers(instance: Instance, state: State) -> tuple[frozenset[Piece], ...]:
    """The board after the markers have vanished."""
    markers = {kind.name for kind in instance.game.kinds if kind.marker}
    if not markers:
        return state.board
    return tuple(frozenset(piece for piece in here if piece.kind not in markers) for here in state.board)


def legal_actions(instance: Instance, state: State) -> tuple[Action, ...]:
    """The inputs that are moves in this state: those that change something, or any if waiting is allowed."""
    legal = []
    for action in all_actions(instance):
        try:
            after = step(instance, state, action, dice=Seeded(0))  # whatever chance says, the same are moves
        except IllegalAction:
            continue
        if instance.game.scan is None or after != state:
            legal.append(action)
    return tuple(legal)


# --- the goal -------------------------------------------------------------------------------------------


def is_goal(instance: Instance, state: State) -> bool:
    """Do all terms of the goal hold in this state? (When they must hold is `ending`.)

    Where rules are in scan order a turn wins, not a state: the level is won after one that did.
    """
    if instance.game.scan is not None:
        return state.beside is not None and state.beside.won
    if instance.game.simultaneous:
        return bool(winners(instance, state))
    terms = instance.game.goal.terms
    if not terms and len(instance.game.players) > 1:  # there are only ways to lose
        return False
    return all(term.holds(instance, state) for term in terms)


def winners(instance: Instance, state: State) -> tuple[int, ...]:
    """The numbers of the players whose goal holds, where they move at the same time."""
    goals = enumerate(instance.game.goal.own)
    return tuple(who for who, terms in goals if all(term.holds(instance, state) for term in terms))


def is_lost(instance: Instance, state: State) -> bool:
    """Does one of the terms hold that lose the game?"""
    return any(term.holds(instance, state) for term in instance.game.goal.lose)
