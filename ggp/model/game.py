"""What a puzzle is, without a map: kinds, what the player decides, rules, and a goal.

These are frozen values without behaviour. What they mean is said in `ggp.referee.semantics`, how they are
written in `ggp.language.description`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.model.decisions import Design, Input, Scatter
from ggp.model.goal import Goal, Objective
from ggp.model.hashed import Hashed
from ggp.model.hints import Hints
from ggp.model.kinds import Class, Kind, Piece
from ggp.model.making import Family, Generate
from ggp.model.rules import Phase
from ggp.model.scan import Scan
from ggp.model.shown import line, number_of


@dataclass(frozen=True, slots=True)
class Origin:
    """A game that was read from another system's file: what is said there, and what became of it.

    `things` and `rules` are (what it is called in the file, the kinds or the rules that it became). What is
    in none of them is said nowhere in the file.
    """

    things: tuple[tuple[str, tuple[str, ...]], ...]
    rules: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Game(Hashed):
    """A puzzle without a map. `symbols` maps a character of a level's map to what stands there."""

    name: str
    title: str
    kinds: tuple[Kind, ...]
    goal: Goal
    classes: tuple[Class, ...] = ()
    design: Design | None = None
    input: Input | None = None
    turn: tuple[Phase, ...] = ()  # what the input does
    physics: tuple[Phase, ...] = ()  # what happens by itself afterwards
    objectives: tuple[Objective, ...] = ()  # the first one is the default
    players: tuple[str, ...] = ("player",)
    chance: tuple[Scatter, ...] = ()
    wraps: bool = False
    symbols: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    forms: tuple[tuple[str, Mapping[str, Any]], ...] = field(default=(), compare=False)
    about: str = ""
    place: Place | None = field(default=None, compare=False)
    family: Family | None = None
    generate: Generate | None = None
    hints: Hints | None = None
    scan: Scan | None = None  # instead of `turn` and `physics`: rules in scan order
    author: str = ""
    homepage: str = ""
    origin: Origin | None = field(default=None, compare=False)
    unscored: str = field(default="", compare=False)  # why there is no score, where one would look for it

    __hash__ = Hashed.__hash__

    def __repr__(self) -> str:
        """Its name, and how much there is in it."""
        phases, terms = (*self.turn, *self.physics), self.goal.every_term
        counted = (("kind", self.kinds), ("phase", phases), ("goal term", terms))
        return line("Game", self.name, [number_of(what, len(some)) for what, some in counted])

    @property
    def simultaneous(self) -> bool:
        """Do several players choose at the same time?"""
        return self.input is not None and self.input.simultaneous

    @property
    def said(self) -> str:
        """What is said of it for people, on one line: what it is about, by whom, and where more stands."""
        by = f"By {' '.join(self.author.split())}." if self.author else ""
        return " ".join([*self.about.split(), *by.split(), *self.homepage.split()])

    def told_by(self) -> tuple[object, ...]:
        """Its name, its pieces, its rules and its goal."""
        return self.name, self.kinds, self.classes, self.turn, self.physics, self.goal, self.scan
