"""Passes with what they leave wrong, and outcomes with what they may be worth."""

from __future__ import annotations

from typing import NamedTuple

from ggp.learn.turn.searched.field import Field, Numbers
from ggp.learn.turn.searched.rules import Steps
from ggp.learn.turn.searched.steps import Draft
from ggp.learn.turn.searched.worth import Places

LONG = 40.0  # a size above which passes are long
PASS = 1.0  # what each pass costs


class Node(NamedTuple):
    """Passes, what they leave wrong, and the boards between them."""

    loss: float
    steps: Steps
    stages: tuple[Field, ...]
    wrong: Numbers

    @property
    def right(self) -> bool:
        """Is nothing left wrong?"""
        return not self.wrong.any()

    @property
    def left(self) -> float:
        """The share of turns that are left wrong."""
        return float((self.wrong > 0).mean())


class Trial(NamedTuple):
    """Passes, and how bad they are. `of`: what they were made of; `start`: the first pass that is new.

    `idle`: turns that end otherwise than by these, and as wrong.
    """

    loss: float
    of: Node
    steps: Steps
    start: int
    idle: int


class Hope(NamedTuple):
    """An outcome at a place, and the most that it can be worth: only turns that are wrong can be better."""

    most: float
    draft: Draft
    places: Places


def size_of(steps: Steps) -> float:
    """How long it takes to say some passes."""
    return sum(rule.cost for step in steps for rule in step.rules) + PASS * len(steps)


def long(steps: Steps) -> bool:
    """Do passes say so much that no other way is likely to say it?"""
    return size_of(steps) > LONG
