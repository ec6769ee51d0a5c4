"""The template of an exporter: a plain listing of the instance. Copy it to start a new one.

It is built and tested every time, so it cannot rot.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.errors import Finding
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.features import FEATURES as EVERYTHING
from ggp.model.features import GOAL_WORDS, needs
from ggp.referee.semantics import initial_state

NAME = "null"
SUFFIX = ".txt"
# What the target format can say. Whatever an instance needs beyond this is refused with its place.
FEATURES = frozenset(EVERYTHING) | GOAL_WORDS
TOLD = {"instance": "the name", "needs": "what it needs", "at": "what stands where"}


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Why there is no text of this instance although the format has every feature, each with its place."""
    return ()


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What the text leaves out or does differently. An honest exporter lists everything."""
    return ()


def text(instance: Instance, plan: Plan | None = None) -> str:
    """A listing of what stands where at the start, and of what the game needs."""
    state = initial_state(instance, plan.design if plan is not None else (), partial=True)
    columns = len(instance.level.board[0])
    lines = [f"instance {instance.name}"]
    lines += [f"needs {need.feature}" for need in needs(instance)]
    for index, here in enumerate(state.board):
        row, column = divmod(index, columns)
        lines += [f"at {row} {column} {piece}" for piece in sorted(here, key=str)]
    return "\n".join(lines) + "\n"


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Here the foreign engine would play the text. A listing can only be read back."""
    state = initial_state(instance, plan.design if plan is not None else (), partial=True)
    columns = len(instance.level.board[0])
    stands = [
        f"{index // columns} {index % columns} {piece}"
        for index, here in enumerate(state.board)
        for piece in here
    ]
    expected = {
        "instance": [instance.name],
        "needs": [need.feature for need in needs(instance)],
        "at": stands,
    }
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        found.setdefault(word, []).append(rest)
    yield Check("what is listed", set(found) <= set(expected), ", ".join(sorted(set(found) - set(expected))))
    for word, rows in expected.items():
        yield Check(TOLD[word], sorted(found.get(word, [])) == sorted(rows))
