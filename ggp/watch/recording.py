"""Play of a described level as recorded play: what `--record` writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.learn.boards import Board, Episode, Placed, Step
from ggp.learn.seen.states import board_of_state
from ggp.model import Instance
from ggp.model.board import State, height, width
from ggp.referee.semantics import is_goal, is_lost
from ggp.referee.session import Session


def episode_of(
    instance: Instance,
    states: Sequence[State],
    words: Sequence[str],
    frames: Sequence[Iterable[State]] = (),
) -> Episode:
    """The run as a learner may see it. `words` are the inputs, none of them in a game that takes none.

    `frames` are the states inside each turn, if they are to be kept. Flags say whether a board is won or
    lost, whenever it is judged.
    """
    sides = height(instance), width(instance)
    boards = [board_of_state(state, *sides) for state in states]
    inside = [tuple(board_of_state(one, *sides) for one in some) for some in frames]
    steps = []
    for number, state in enumerate(states[1:]):
        word = words[number] if number < len(words) else None
        lost = is_lost(instance, state)
        won = is_goal(instance, state) and not lost
        within = inside[number] if number < len(inside) else ()
        steps.append(Step(word, boards[number + 1], False, won, lost, within))
    lost = is_lost(instance, states[0])
    won = is_goal(instance, states[0]) and not lost
    return Episode(boards[0], tuple(steps), won, lost, instance.level.name, placed(instance, boards[0]))


def episodes_of(sessions: Sequence[Session]) -> list[Episode]:
    """What stands of what was played, level by level: turns that were taken back are not among it.

    Levels of which no turn stands are left out, unless that is all there is.
    """
    played = [one for one in sessions if one.turn] or sessions[-1:]
    return [episode_of(one.instance, one.now.states, one.now.actions) for one in played]


def placed(instance: Instance, start: Board) -> tuple[Placed, ...]:
    """What stands on a start board and not on the level's map."""
    own = [frozenset(map(str, cell)) for row in instance.level.board for cell in row]
    return tuple(
        Placed(divmod(index, start.width), token)
        for index, (old, new) in enumerate(zip(own, start.cells, strict=True))
        for token in sorted(new - old)
    )
