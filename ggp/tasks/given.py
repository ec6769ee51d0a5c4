"""What is given to `import ggp`: types say most of it, to those who look at types; others read a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ggp.errors import PlanError, PuzzleError
from ggp.model import Plan


def text(name: object, what: str, other: str) -> str:
    """The name or path that stands for a level or a game. Raises PuzzleError."""
    if isinstance(name, Path):
        return str(name)
    if not isinstance(name, str):
        remedy = f"give {other}, or as text the name of a {what} or the path of a file"
        raise PuzzleError(f"{str(name)[:60]!r} is no {what}, and no name of one", remedy)
    return name


def plan(given: object) -> Plan:
    """The plan, if it is one whose parts can be gone through. Raises PuzzleError."""
    if not isinstance(given, Plan):
        remedy = 'give a Plan, such as Plan(actions=("up", "left")), or one of a result\'s `plans`'
        raise PlanError(f"{str(given)[:60]!r} is no plan", remedy)
    actions: object = given.actions
    design: object = given.design
    if not isinstance(actions, tuple | list):
        raise PlanError(f"{str(actions)[:60]!r} are no actions", 'give a tuple, such as ("up", "left")')
    if not isinstance(design, tuple | list):
        remedy = 'give pairs, such as (((0, 1), Piece("brick")),)'
        raise PlanError(f"{str(design)[:60]!r} is no design", remedy)
    return given


def number(what: str, number: object, least: int) -> None:
    """Refuse what is no such number. Raises PuzzleError."""
    if number is not None and (type(number) is not int or number < least):
        raise PuzzleError(f"{str(number)[:60]!r} is no number of {what}", f"give one from {least} on")


def seed(seed: object) -> None:
    """Refuse what is no seed. Raises PuzzleError."""
    if type(seed) is not int:  # chance would take a text for a seed, and a level be named after it
        raise PuzzleError(f"{str(seed)[:60]!r} is no seed", "give a whole number")


def several(names: Sequence[str]) -> tuple[str, ...]:
    """These names. A text alone is one name, though it is a sequence of texts, too."""
    if isinstance(names, str):
        return (names,)
    found = tuple(names) if isinstance(names, Iterable) else (names,)
    if not all(isinstance(name, str) for name in found):
        raise PuzzleError(f"{str(names)[:60]!r} are no names", "give a list of texts")
    return found
