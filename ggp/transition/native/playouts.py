"""Random runs of a level, many side by side, in machine code: in each state any legal action, all as likely.

Each run has the actions in a random order, and the first of them that is legal is done: so nobody asks which
of them all are. As many are tried together as fill the lanes. Where none is legal, the player passes, if
the game says so, or the run ends there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ggp.transition.native.compiling import inlined, tight
from ggp.transition.native.lanes import CHANGED, LANES, LOST, WON, Machine, first_turns, row_of

Array = Any
GOING, STOPPED, HAS_WON, HAS_LOST, STUCK = range(
    5
)  # how a run stands; STOPPED: after as many turns as it may
ONE = np.uint64(1)


class Room(NamedTuple):
    """Room for so many runs, and what becomes of each: how it stands, its turns, who made the last one.

    `order` has the actions of each run in some order, of which the first `tried` were tried in this state,
    those from `begun` on at last, and `found` is the place of the first of these that is legal; `passed`
    counts the players who could do nothing, `mover` is the one who tries. `who`, `places`, `chosen` and
    `told` are what is tried together: runs, places in their orders, actions, and what these come to.
    """

    order: Array  # (runs, actions)
    begun: Array
    tried: Array
    found: Array
    passed: Array
    stands: Array
    made: Array
    mover: Array
    last: Array
    who: Array
    places: Array
    chosen: Array
    told: Array
    dice: Array  # (1,), the state of the generator


def room_for(runs: int, actions: int) -> Room:
    """Room for so many runs of a level with so many actions."""
    order = np.tile(np.arange(actions, dtype=np.int64), (runs, 1))
    most = max(runs, LANES)
    of_runs = [np.zeros(runs, np.int64) for _ in range(8)]
    tries = [np.zeros(most, np.int64) for _ in range(3)]
    return Room._make([order, *of_runs, *tries, np.zeros(most, np.uint8), np.zeros(1, np.uint64)])


def emptied(room: Room, seed: int) -> None:
    """Make room for new runs, with dice of their own."""
    for numbers in (room.tried, room.passed, room.stands, room.made, room.mover, room.last):
        numbers[:] = 0
    room.dice[0] = seed or 1


@inlined
def drawn(dice: Array, sides: int) -> int:
    """A number below `sides` (xorshift, Marsaglia, 2003; multiplied as Vigna has it)."""
    state = dice[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    dice[0] = state
    number: Any = ((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % np.uint64(sides)
    return np.int64(number)  # type: ignore[return-value]


@tight
def random_runs(machine: Machine, states: Array, room: Room, depth: int, wins: bool, passes: bool) -> None:
    """Play a run from each of the states, of `depth` turns at most; the states become those of their ends.

    With `wins` a run ends where the goal holds after a turn. The room must be as `room_for` makes it, or
    `emptied`.
    """
    going = goers(room)
    while going:
        together = max(LANES // going, 1)
        draw(room, together)
        count = gather(machine, states, room, False)
        if together > 1:  # try them, and do the first that is legal
            first_turns(machine, states, room.who, room.chosen, room.told, False, count)
            for index in range(count):
                run, place = room.who[index], room.places[index]
                if room.told[index] & CHANGED and place < room.found[run]:
                    room.found[run] = place
            count = gather(machine, states, room, True)
        first_turns(machine, states, room.who, room.chosen, room.told, True, count)
        for index in range(count):
            if room.told[index] & CHANGED:
                turned(room, room.who[index], room.told[index], depth, wins)
        for run in range(room.stands.size):
            if room.stands[run] == GOING and room.tried[run] == room.order.shape[1]:
                out_of_actions(machine, states, room, run, passes)
        going = goers(room)


@tight
def goers(room: Room) -> int:
    """How many runs go on."""
    going = 0
    for run in range(room.stands.size):
        if room.stands[run] == GOING:
            going += 1
    return going


@tight
def draw(room: Room, together: int) -> None:
    """Let each run that goes on draw the actions that it tries next."""
    actions = room.order.shape[1]
    for run in range(room.stands.size):
        if room.stands[run] != GOING:
            continue
        first = room.tried[run]
        after = min(first + together, actions)
        for place in range(first, after):
            other = place + drawn(room.dice, actions - place)
            action = room.order[run, other]
            room.order[run, other] = room.order[run, place]
            room.order[run, place] = action
        room.begun[run], room.tried[run], room.found[run] = first, after, actions


@tight
def gather(machine: Machine, states: Array, room: Room, legal: bool) -> int:
    """List the actions that are tried, or the `legal` ones that were found, those of one program together."""
    count, actions = 0, room.order.shape[1]
    for program in range(machine.programs.shape[0]):
        for run in range(room.stands.size):
            if room.stands[run] != GOING or (legal and room.found[run] == actions):
                continue
            first, after = room.begun[run], room.tried[run]
            if legal:
                first, after = room.found[run], room.found[run] + 1
            if machine.players > 1:
                room.mover[run] = np.int64(states[states.shape[0] - 1, 0, run])
            for place in range(first, after):
                action = room.order[run, place]
                if machine.actions[row_of(machine, states, run, action), 0] == program:
                    room.who[count], room.places[count], room.chosen[count] = run, place, action
                    count += 1
    return count


@tight
def turned(room: Room, run: int, told: int, depth: int, wins: bool) -> None:
    """Note what a turn came to."""
    room.made[run] += 1
    room.last[run] = room.mover[run]
    room.tried[run] = 0
    room.passed[run] = 0
    if told & LOST:
        room.stands[run] = HAS_LOST
    elif wins and told & WON:
        room.stands[run] = HAS_WON
    elif room.made[run] == depth:
        room.stands[run] = STOPPED


@tight
def out_of_actions(machine: Machine, states: Array, room: Room, run: int, passes: bool) -> None:
    """Let the player pass whose turn it is, or end the run."""
    room.passed[run] += 1
    if not passes or room.passed[run] == machine.players:
        room.stands[run] = STUCK
        return
    board = states.shape[0] - 1
    states[board, 0, run] = (states[board, 0, run] + ONE) % np.uint64(machine.players)
    room.tried[run] = 0
