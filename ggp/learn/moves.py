"""Which inputs are moves: what the player may do, and whether an input that changes nothing counts as one."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.boards import Episode, Step, Turn, word_of
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.model import DIRECTIONS, Input, Kind


def inputs_of(
    turns: Sequence[Turn], episodes: Sequence[Episode], structure: Structure, taken: frozenset[str]
) -> tuple[Input | None, Kind | None]:
    """What the player may do, and the kind of the mark of a pick."""
    words = [word_of(word) for word in sorted({turn.word for turn in turns if turn.word is not None})]
    if all(word.verb == "wait" for word in words):  # who may only wait does nothing: the game runs by itself
        return None, None
    plain = [word.verb for word in words if word.cell is None]
    moves = tuple(d for d in DIRECTIONS if d in {structure.toward.get(word) for word in plain})
    # A button under which nothing was ever seen to happen is none.
    busy = {turn.word for turn in turns if turn.before != turn.after}
    verbs = tuple(w for w in plain if w not in structure.toward and w != "wait" and w in busy)
    pick = None
    if any(word.cell is not None for word in words):
        facings = {structure.toward.get(word.toward or "") for word in words}
        name = PICK if PICK not in taken else f"{PICK}-here"
        pick = Kind(name, "layer-of-picks", tuple(d for d in DIRECTIONS if d in facings), marker=True)
    wait = any(not step.refused for episode in episodes for step in idle(episode)) or "wait" in plain
    return Input(moves, verbs, pick.name if pick is not None else None, wait), pick


def idle(episode: Episode) -> list[Step]:
    """The steps that were accepted and changed nothing, where refusals are told at all."""
    told = any(step.refused for step in episode.steps)
    before, found = episode.start, []
    for step in episode.steps:
        if told and step.after == before and not step.refused:
            found.append(step)
        before = step.after
    return found


def moves_evidence(episodes: Sequence[Episode]) -> list[str]:
    """What was seen of inputs that change nothing."""
    if not any(step.word is not None for one in episodes for step in one.steps):
        return []
    refused = sum(step.refused for one in episodes for step in one.steps)
    waits = sum(len(idle(one)) for one in episodes)
    if not refused and not waits:
        return ["inputs: none was refused, so one that changes nothing is taken for no move"]
    return [f"inputs: {refused} were refused; {waits} changed nothing and were accepted"]
