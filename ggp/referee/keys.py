"""Inputs played as a player gives them: undo and restart among them, and no harm in pushing against walls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ggp.errors import IllegalAction
from ggp.model import Instance
from ggp.model.board import State
from ggp.referee.inputs import all_actions, check_input, parse_action
from ggp.referee.session import Session

BACK = ("undo", "restart")
PASSED_OVER = ("action", "tick")


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a run of inputs.

    `won` and `lost` are said of the level in which it began; `instance` is the one in which it ended, `state`
    what stands there. `turns` counts the turns that stand (not what was undone) over all levels, `score` what
    they are worth (None where the game has no score), `unused` the inputs that came after the end. `sessions`
    has each level that was begun, with what stands of it.
    """

    instance: Instance
    state: State
    won: bool
    lost: bool
    turns: int
    score: int | None
    reason: str
    unused: int
    sessions: tuple[Session, ...]


def play(instances: Sequence[Instance], words: Sequence[str], seed: str = "0") -> Played:
    """Play inputs, from level to level as each is won.

    Raises IllegalAction for an input that the game does not have, IllFormed where rules collide.
    """
    rest = list(instances)
    session = Session(rest.pop(0), seed=seed)
    sessions = [session]
    won, turns, score, reason, unused = False, 0, 0, "", 0
    for index, word in enumerate(words):
        press(session, word)
        outcome, why = session.judged()
        if outcome == "open":
            continue
        won, reason = won or outcome == "won", reason or why
        if outcome == "won" and rest:
            turns, score = turns + session.turn, score + session.now.score
            session = Session(rest.pop(0), seed=seed)
            sessions.append(session)
        elif not set(words[index + 1 :]) & set(BACK):
            unused = len(words) - index - 1
            break
    outcome, why = session.judged()
    lost = not won and outcome == "lost"
    reason = reason or why or f"not won after {session.turn} turns"
    total = score + session.now.score if session.scores else None
    turns += session.turn
    return Played(session.instance, session.shown, won, lost, turns, total, reason, unused, tuple(sessions))


def press(session: Session, word: str) -> None:
    """Give one input: an action, `undo` or `restart`. One that changes nothing is no turn."""
    if word == "undo":
        session.undo()
    elif word == "restart":
        session.restart()
    else:
        if session.phase == "design":
            session.release()
        action = parse_action(word)
        scan = session.instance.game.scan
        if scan is not None and word in PASSED_OVER and action not in all_actions(session.instance):
            return  # a game that has no use for the key does not take it, and none for time does not hear it
        check_input(session.instance, action)
        try:
            session.act(action)
        except IllegalAction:  # it is a wall that the player pushes against, or the end
            return


def with_seed(instance: Instance, seed: str) -> Instance:
    """The instance with another beginning of chance, where there is any."""
    scan = instance.game.scan
    if scan is None:
        return instance
    return replace(instance, game=replace(instance.game, scan=replace(scan, seed=seed)))
