"""The compiled puzzle: a small program of passes over planes of cells.

A plane is a piece that can stand somewhere (`crate`, `lemming:left`, `digit:7`). Rules are turned to their
directions, their classes and variables are spelt out, and sorted by subject. Whatever runs a game fast,
encodes it or learns it works on this form and does not know whether rules or examples made it; how a pass
is evaluated is in `ggp.transition.kernel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ggp.errors import Place
from ggp.model import (
    Instance,
    Pattern,
    Piece,
)
from ggp.model.board import (
    Action,
    Binding,
    kinds_of,
    number_meant,
    turned,
)
from ggp.transition.counting import Offset as Offset
from ggp.transition.counting import Tally
from ggp.transition.counting import Term as Term


class Change(NamedTuple):
    """What a firing does to one plane: take `plane` from `source`, put `result` at `target`.

    `plane` None: nothing is taken. `result` None: nothing is put. `sure`: the conditions already say that
    the piece is there.
    """

    plane: int | None
    source: Offset
    result: int | None
    target: Offset
    sure: bool


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule turned to one direction, for subjects of one plane. `inputs` are words the input must have.

    A rule that counts cells is compiled to several that stand together, one for each way to come to the
    number. Each has as its `whole` what they are all together, for who can count. `score` is what a firing
    is worth. `cut`: of interest are only runs in which it fires at these cells (`ggp.transition.seen`).
    """

    name: str
    direction: str | None
    inputs: tuple[str, ...]
    terms: tuple[Term, ...]
    changes: tuple[Change, ...]
    place: Place | None = field(default=None, compare=False)
    whole: Whole | None = None
    score: int = 0
    cut: Cut | None = None


class Cut(NamedTuple):
    """The numbers of cells at which a rule may fire, and of those where it may in a last round.

    In the last round of a loop, or of one around it, nothing changes.
    """

    cells: frozenset[int]
    at_rest: frozenset[int]


class Whole(NamedTuple):
    """A rule without what it counts, and what it counts."""

    rule: CompiledRule
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """For each subject plane (None: the cell itself) its rules in the order of trying."""

    name: str
    subjects: tuple[tuple[int | None, tuple[CompiledRule, ...]], ...]
    must_change: bool = False  # inside a loop every firing changes something
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Loop:
    """Passes run one after another, again and again until a run changes nothing, within `bound` runs.

    `cut`: the bound before it was cut down, to what was seen to happen; 0 where it was not.
    """

    name: str
    body: tuple[Pass | Loop, ...]
    bound: int
    place: Place | None = field(default=None, compare=False)
    cut: int = 0


Program = tuple[Pass | Loop, ...]


@dataclass(frozen=True)
class Transition:
    """The compiled program of an instance. Planes are numbered as they stand in `planes`."""

    planes: tuple[Piece, ...]
    layers: tuple[str, ...]  # of each plane
    exempt: frozenset[int]  # planes that may share a place: kinds that merge, and markers
    markers: frozenset[int]
    turn: Program
    physics: Program
    height: int
    width: int
    wraps: bool

    @cached_property
    def number(self) -> dict[Piece, int]:
        """The number of each plane."""
        return {piece: index for index, piece in enumerate(self.planes)}

    @cached_property
    def dynamic(self) -> frozenset[int]:
        """The planes that some rule takes from or puts to; all others stay as they start."""
        return self.markers | changed_by((*self.turn, *self.physics))

    @cached_property
    def radius(self) -> tuple[int, int]:
        """How many rows and columns a rule looks or reaches away from its anchor, at most."""
        offsets = [(0, 0)]
        for rule in self.rules():
            offsets += [term.offset for term in rule.terms]
            offsets += [offset for change in rule.changes for offset in (change.source, change.target)]
        return max(abs(row) for row, _ in offsets), max(abs(column) for _, column in offsets)

    @cached_property
    def shares(self) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Of each layer, the planes that must have a place for themselves, and those that may share one."""
        return {
            layer: (
                tuple(p for p in self.of_layer(layer) if p not in self.exempt),
                tuple(p for p in self.of_layer(layer) if p in self.exempt),
            )
            for layer in dict.fromkeys(self.layers)
        }

    def of_layer(self, layer: str) -> tuple[int, ...]:
        """The planes of a layer."""
        return tuple(plane for plane, other in enumerate(self.layers) if other == layer)

    def rules(self) -> Iterator[CompiledRule]:
        """Every compiled rule of the program."""
        for step in passes_of((*self.turn, *self.physics)):
            yield from (rule for _, rules in step.subjects for rule in rules)

    def planes_of(
        self, instance: Instance, pattern: Pattern, direction: str | None = None
    ) -> tuple[int, ...]:
        """The planes that a pattern without a rule variable matches."""
        return tuple(matching(by_kind(self.planes), instance, pattern, direction, {}))


def passes_of(program: Program) -> Iterator[Pass]:
    """Every pass of a program, those of loops included."""
    for step in program:
        if isinstance(step, Loop):
            yield from passes_of(step.body)
        else:
            yield step


def changes_of(program: Program) -> Iterator[Change]:
    """Every change that a rule of a program makes."""
    for step in passes_of(program):
        yield from (change for _, rules in step.subjects for rule in rules for change in rule.changes)


def changed_by(program: Program) -> set[int]:
    """The planes that the rules of a program take or put."""
    touched = (plane for change in changes_of(program) for plane in (change.plane, change.result))
    return {plane for plane in touched if plane is not None}


def concerned(program: Program) -> set[int]:
    """The planes that what the program does hangs on, and those that it changes."""
    found = changed_by(program)
    for step in passes_of(program):
        for subject, rules in step.subjects:
            found |= {subject} if subject is not None else set()
            wholes = (rule.whole for rule in rules if rule.whole is not None)
            looks = (term for rule in (*rules, *(whole.rule for whole in wholes)) for term in rule.terms)
            found |= {plane for term in looks for plane in term.planes}
            tallies = (tally for rule in rules if rule.whole is not None for tally in rule.whole.tallies)
            found |= {plane for spots, _, _ in tallies for _, planes in spots for plane in planes}
    return found


def input_words(action: Action | None, players: tuple[str, ...] = (), mover: int = 0) -> frozenset[str]:
    """The words that a rule may ask of this input; where there are several players, also whose it is."""
    if action is None:
        return frozenset()
    whose = players[mover : mover + 1] if len(players) > 1 else ()
    return frozenset({action.verb, action.toward or action.verb, *whose})


def given(program: Program, words: frozenset[str]) -> Program:
    """The program for an input with these words: without the rules that it rules out."""
    return tuple(
        replace(step, body=given(step.body, words)) if isinstance(step, Loop) else pass_given(step, words)
        for step in program
    )


def pass_given(step: Pass, words: frozenset[str]) -> Pass:
    """The same for one pass."""
    subjects = []
    for subject, rules in step.subjects:
        left = tuple(
            replace(rule, inputs=()) if rule.inputs else rule
            for rule in rules
            if words.issuperset(rule.inputs)
        )
        if left:
            subjects.append((subject, left))
    return replace(step, subjects=tuple(subjects))


Planes = Mapping[str, Sequence[tuple[int, Piece]]]
"""Of each kind, the numbers of its planes, and what stands in them."""


def by_kind(planes: tuple[Piece, ...]) -> Planes:
    """Planes by their kinds: rules made of other systems' files are thousands, about dozens of kinds."""
    found: dict[str, list[tuple[int, Piece]]] = {}
    for index, piece in enumerate(planes):
        found.setdefault(piece.kind, []).append((index, piece))
    return found


def matching(
    planes: Planes, instance: Instance, pattern: Pattern, direction: str | None, binding: Binding
) -> list[int]:
    """The numbers of the planes that a pattern matches in a rule turned to `direction`, in their order."""
    names = (binding[pattern.name],) if pattern.bound else kinds_of(instance.game, pattern.name, direction)
    variant = pattern.variant
    if isinstance(variant, str):
        variant = turned(variant, direction)
    if pattern.computed is not None:
        variant = number_meant(instance, pattern.computed, binding)
    return sorted(
        index
        for name in names
        for index, piece in planes.get(name, ())
        if variant is None or piece.variant == variant
    )
