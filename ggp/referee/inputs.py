"""The inputs that a game declares: which there are, how they are written, and whether one is among them.

Which of them are moves in a state is for `ggp.referee.semantics` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ggp.errors import IllegalAction, PlanError
from ggp.model import DIRECTIONS, Input, Instance
from ggp.model.board import Action, cells, height, width


def check_input(instance: Instance, action: Action | None) -> None:
    """Raise IllegalAction unless the game declares this input."""
    declared = instance.game.input
    if action is None or declared is None:
        if (action is None) == (declared is None):
            return
        wanted = "needs an input each turn" if action is None else "takes no inputs"
        raise IllegalAction(f"{instance.game.name} {wanted}", "see `ggp show` for what it takes")
    if instance.game.simultaneous:
        check_joint(instance, action)
        return
    check_own(instance, declared, action)


def check_joint(instance: Instance, action: Action) -> None:
    """Raise IllegalAction unless there is an input for each player."""
    names, declared = instance.game.players, instance.game.input
    assert declared is not None
    if len(action.each) != len(names):
        message = f"{action} has inputs for {len(action.each)} of {len(names)} players"
        raise IllegalAction(message, f"write one for each, joined by `+`: {', '.join(names)}")
    for own in action.each:
        check_own(instance, declared, own)


def check_own(instance: Instance, declared: Input, action: Action) -> None:
    """Raise IllegalAction unless the game declares this input of one player."""
    if action.others:
        raise IllegalAction(f"there is no input {action}", "one player moves at a time")
    if action.cell is None:
        allowed = (*declared.moves, *declared.verbs, *(("wait",) if declared.wait else ()))
        if action.verb not in allowed or action.direction is not None:
            raise IllegalAction(f"there is no input {action}", f"the inputs are {', '.join(allowed)}")
        return
    faced = pick_directions(instance)
    inside = 0 <= action.cell[0] < height(instance) and 0 <= action.cell[1] < width(instance)
    if action.verb != "pick" or declared.pick is None or not inside or action.direction not in faced:
        raise IllegalAction(f"there is no input {action}", "a pick names a cell of the board")


def pick_directions(instance: Instance) -> tuple[str | None, ...]:
    """The directions a pick may have: (None,) where picks have none, () where nothing is picked."""
    declared = instance.game.input
    if declared is None or declared.pick is None:
        return ()
    kind = next(kind for kind in instance.game.kinds if kind.name == declared.pick)
    return kind.facings or (None,)


def all_actions(instance: Instance) -> Iterator[Action]:
    """Every input that the game declares, legal in the present state or not; where players move at the same
    time, every joint one.
    """
    if not instance.game.simultaneous:
        yield from own_actions(instance)
        return
    own = tuple(own_actions(instance))
    for first, *others in product(own, repeat=len(instance.game.players)):
        yield first._replace(others=tuple(others))


def own_actions(instance: Instance) -> Iterator[Action]:
    """Every input that a player has."""
    declared = instance.game.input
    if declared is None:
        return
    for word in (*(d for d in DIRECTIONS if d in declared.moves), *declared.verbs):
        yield Action(word)
    if declared.wait:
        yield Action("wait")
    for direction in pick_directions(instance):
        for cell in cells(instance):
            yield Action("pick", cell, direction)


def parse_action(text: str) -> Action:
    """Read `up`, `action`, `wait`, `pick(3,4)` or `pick(3,4,left)`; raises PlanError.

    Inputs of players who move at the same time are joined: `up+wait`.
    """
    if not isinstance(text, str):  # types say so, to those who look at types
        raise PlanError(f"{str(text)[:60]!r} is not an action", "write it as a text: `up`, `pick(3,4)`")
    if "+" in text:
        first, *others = map(parse_action, text.split("+", 8))
        return first._replace(others=tuple(others))
    match = re.fullmatch(r"([a-z][a-z0-9-]*)(?:\((\d{1,4}),(\d{1,4})(?:,([a-z]+))?\))?", text.strip())
    if match is None or (match[4] is not None and match[4] not in DIRECTIONS):
        raise PlanError(f"{text[:60]!r} is not an action", "write `up`, `action`, `wait` or `pick(3,4,left)`")
    cell = (int(match[2]), int(match[3])) if match[2] is not None else None
    return Action(match[1], cell, match[4])
