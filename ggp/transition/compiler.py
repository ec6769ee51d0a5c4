"""Rules to passes: turned to their directions, classes and variables spelt out, sorted by subject."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from ggp.errors import DescriptionError, UnsupportedFeature
from ggp.model import (
    DIRECTIONS,
    OFFSETS,
    Block,
    Compared,
    Condition,
    Effect,
    Group,
    InputIs,
    Instance,
    Nearby,
    Path,
    Pattern,
    Phase,
    Piece,
    Rule,
)
from ggp.model.board import (
    COMPARE,
    Binding,
    amount,
    bindings_of,
    can_have,
    cells_counted,
    height,
    number_meant,
    subject_pattern,
    turned,
    variants,
    width,
)
from ggp.model.pieces import at_edges
from ggp.referee.inputs import pick_directions
from ggp.transition.counting import Offset, Tally, Term, ways_to_count
from ggp.transition.program import (
    Change,
    CompiledRule,
    Loop,
    Pass,
    Planes,
    Transition,
    Whole,
    by_kind,
    matching,
)
from ggp.transition.whole_board import said_by_cells


def compile_instance(instance: Instance) -> Transition:
    """The rules of a game, compiled for the size and numbers of a level; kept with the level.

    What a rule asks of the whole board is said by cells first, with markers that come after the other planes.
    """
    kept, key = instance.level.kept, (Transition, instance.game)
    known: Transition | None = kept.get(key)
    if known is None:
        known = kept[key] = compiled(said_by_cells(instance))
    return known


def compiled(instance: Instance) -> Transition:
    """The same, worked out."""
    planes: list[Piece] = []
    layers: list[str] = []
    exempt, markers = set(), set()
    for kind in instance.game.kinds:
        for variant in variants(instance, kind):
            if kind.merge or kind.marker:
                exempt.add(len(planes))
            if kind.marker:
                markers.add(len(planes))
            planes.append(Piece(kind.name, variant))
            layers.append(kind.layer)
    compiler = Compiler(instance, tuple(planes))
    return Transition(
        tuple(planes),
        tuple(layers),
        frozenset(exempt),
        frozenset(markers),
        tuple(compiler.phase(phase) for phase in instance.game.turn),
        tuple(compiler.phase(phase) for phase in instance.game.physics),
        height(instance),
        width(instance),
        instance.game.wraps,
    )


def counted_out(rule: CompiledRule, tallies: tuple[Tally, ...]) -> Iterator[CompiledRule]:
    """The rule, once for each way in which as many cells hold something as the tallies say."""
    if not tallies:
        yield rule
        return
    for ways in product(*(tuple(ways_to_count(*one)) for one in tallies)):
        terms = (*rule.terms, *(term for way in ways for term in way))
        yield replace(rule, terms=tuple(dict.fromkeys(terms)), whole=Whole(rule, tallies))


@dataclass(frozen=True)
class Compiler:
    """Turns the rules of one instance into passes."""

    instance: Instance
    planes: tuple[Piece, ...]

    @cached_property
    def by_kind(self) -> Planes:
        """The planes by their kinds."""
        return by_kind(self.planes)

    @cached_property
    def number(self) -> dict[Piece, int]:
        """The number of each plane."""
        return {piece: index for index, piece in enumerate(self.planes)}

    @cached_property
    def places(self) -> tuple[str | None, ...]:
        """Of each plane the layer, if it has a place there for itself."""
        alone = {k.name: None if k.merge or k.marker else k.layer for k in self.instance.game.kinds}
        return tuple(alone[piece.kind] for piece in self.planes)

    def phase(self, phase: Phase, *, looping: bool = False) -> Pass | Loop:
        """Compile a group or a block."""
        if isinstance(phase, Block):
            body: tuple[Pass | Loop, ...] = tuple(self.phase(group, looping=True) for group in phase.groups)
            return Loop(phase.name, body, amount(self.instance, phase.bound), phase.place)
        if phase.bound is not None:
            once = self.group(phase, looping=True)
            return Loop(phase.name, (once,), amount(self.instance, phase.bound), phase.place)
        return self.group(phase, looping=looping)

    def group(self, group: Group, *, looping: bool) -> Pass:
        """Sort the compiled rules of a group by subject, in the order in which they are tried."""
        if group.draw is not None:
            raise UnsupportedFeature("what chance draws cannot be compiled", "", group.place)
        by_subject: dict[int | None, list[CompiledRule]] = {}
        for rule in group.rules:
            for subject, direction, binding in self.turnings(rule):
                for one in self.rule(rule, subject, direction, binding):
                    by_subject.setdefault(subject, []).append(one)
        subjects = tuple((subject, tuple(rules)) for subject, rules in by_subject.items())
        return Pass(group.name, subjects, group.bound is not None or looping, group.place)

    def turnings(self, rule: Rule) -> Iterator[tuple[int | None, str | None, Binding]]:
        """The subjects of a rule, with directions it is turned to and what its variables may stand for."""
        wanted = subject_pattern(rule)
        ways: dict[str | None, list[tuple[Binding, Container[int | None]]]] = {}
        for subject in range(len(self.planes)) if wanted is not None else (None,):
            for direction in self.directions(rule, subject):
                if direction not in ways:
                    ways[direction] = [
                        (binding, (None,) if wanted is None else set(self.match(wanted, direction, binding)))
                        for binding in bindings_of(self.instance, rule, direction)
                    ]
                for binding, subjects in ways[direction]:
                    if subject in subjects:
                        yield subject, direction, binding

    def edge(self, effect: Effect, direction: str | None) -> Offset | None:
        """Where an effect puts something if it is left out outside the board; None where it never is."""
        target = self.offset(effect.path if effect.to is None else effect.to, direction)
        may_be_outside = effect.if_inside and target != (0, 0) and not self.instance.game.wraps
        return target if may_be_outside else None

    def directions(self, rule: Rule, subject: int | None) -> tuple[str | None, ...]:
        """The directions that a rule is turned to for subjects of this plane."""
        if rule.toward == "none":
            return (None,)
        if rule.toward == "facing":
            facing = None if subject is None else self.planes[subject].variant
            return (facing,) if isinstance(facing, str) else ()
        if rule.toward == "input":
            return tuple(direction for direction in rule.directions if direction in self.pointing())
        return rule.directions

    def pointing(self) -> set[str | None]:
        """The directions that an input may have."""
        declared = self.instance.game.input
        return {*(declared.moves if declared else ()), *pick_directions(self.instance)}

    def rule(
        self, rule: Rule, subject: int | None, direction: str | None, binding: Binding
    ) -> Iterator[CompiledRule]:
        """One rule for one subject plane, direction and choice of variables; none if it cannot match.

        More than one where effects are left out at the border, and where cells are counted.
        """
        if not self.in_range(rule, direction, binding):
            return
        inputs = [direction] if rule.toward == "input" and direction is not None else []
        inputs += [turned(one.word, direction) for one in rule.conditions if isinstance(one, InputIs)]
        if set(inputs) & set(DIRECTIONS) - self.pointing():
            return
        edges = [(one, self.edge(one, direction)) for one in rule.effects]
        terms: list[Term] = []
        plain = (one for one in rule.conditions if isinstance(one, Condition))
        if not all(self.term(one, subject, direction, binding, terms) for one in plain):
            return
        counted = [one for one in rule.conditions if isinstance(one, Nearby)]
        tallies = tuple(self.tally(one, subject, direction, binding) for one in counted)
        for effects, inside in at_edges(edges):
            changes: list[Change] = []
            asked = [*terms, *(Term(end, (), wanted) for end, wanted in inside.items())]
            for effect in effects:
                self.effect(effect, subject, direction, binding, asked, changes)
            yield from counted_out(
                CompiledRule(
                    rule.name,
                    direction,
                    tuple(dict.fromkeys(inputs)),
                    tuple(dict.fromkeys(asked)),
                    tuple(changes),
                    rule.place,
                    score=rule.score,
                ),
                tallies,
            )

    def in_range(self, rule: Rule, direction: str | None, binding: Binding) -> bool:
        """Do the values compare as the rule asks, and can there be what its effects make?"""
        for one in rule.conditions:
            if isinstance(one, Compared):
                left, right = (number_meant(self.instance, side, binding) for side in (one.left, one.right))
                if not COMPARE[one.comparison](left, right):
                    return False
        made = [(e.pattern, e.computed if e.verb != "add" else e.pattern.computed) for e in rule.effects]
        return all(
            value is None
            or can_have(self.instance, what, number_meant(self.instance, value, binding), direction, binding)
            for what, value in made
        )

    def tally(self, condition: Nearby, subject: int | None, direction: str | None, binding: Binding) -> Tally:
        """What a condition counts; the subject itself is certain to be where it stands."""
        planes = tuple(self.match(condition.pattern, direction, binding))
        offsets = [self.offset(path, direction) for path in cells_counted(condition)]
        sure = offsets.count((0, 0)) if subject in planes else 0
        spots = tuple((offset, planes) for offset in offsets if planes and not (sure and offset == (0, 0)))
        number, comparison = amount(self.instance, condition.number) - sure, condition.comparison
        return Tally(spots, 0 if comparison == "<=" else number, len(spots) if comparison == ">=" else number)

    def match(self, pattern: Pattern, direction: str | None, binding: Binding) -> list[int]:
        """The planes that a pattern matches."""
        return matching(self.by_kind, self.instance, pattern, direction, binding)

    def offset(self, path: Path, direction: str | None) -> Offset:
        """Where a path leads to from the anchor; on a board that wraps, within one board."""
        row = column = 0
        for step in path:
            down, right = OFFSETS[turned(step, direction)]
            row, column = row + down, column + right
        if self.instance.game.wraps:
            return row % height(self.instance), column % width(self.instance)
        return row, column

    def term(
        self,
        condition: Condition,
        subject: int | None,
        direction: str | None,
        binding: Binding,
        terms: list[Term],
    ) -> bool:
        """Add the term of a condition, unless it always holds; False if it never can."""
        offset = self.offset(condition.path, direction)
        if condition.pattern is None:
            if offset == (0, 0) or self.instance.game.wraps:
                return condition.wants == "inside"
            terms.append(Term(offset, (), condition.wants == "inside"))
            return True
        planes = tuple(self.match(condition.pattern, direction, binding))
        present = condition.wants == "present"
        if offset == (0, 0) and subject in planes:
            return present  # the subject itself is the piece that is asked for
        if not planes:
            return not present
        terms.append(Term(offset, planes, present))
        return True

    def effect(
        self,
        effect: Effect,
        subject: int | None,
        direction: str | None,
        binding: Binding,
        terms: list[Term],
        changes: list[Change],
    ) -> None:
        """Add the changes of an effect, and the term that nothing is put outside the board."""
        source = self.offset(effect.path, direction)
        target = self.offset(effect.to, direction) if effect.to is not None else source
        stops = effect.verb != "remove" and not effect.if_inside
        if stops and target != (0, 0) and not self.instance.game.wraps:
            terms.append(Term(target, (), True))
        if effect.verb == "add":
            (plane,) = self.match(effect.pattern, direction, binding)
            changes.append(Change(None, source, plane, source, True))
            return
        planes = tuple(self.match(effect.pattern, direction, binding))
        if source == (0, 0) and subject in planes:
            planes = (subject,) if subject is not None else ()
        alone = source == (0, 0) and planes == (subject,)
        asked = [term.planes for term in terms if term.wanted and term.offset == source and term.planes]
        if source == (0, 0) and subject is not None:
            asked.append((subject,))
        planes = tuple(plane for plane in planes if not any(self.bars(those, plane) for those in asked))
        variant = turned(effect.variant, direction) if isinstance(effect.variant, str) else effect.variant
        if effect.computed is not None:
            variant = number_meant(self.instance, effect.computed, binding)
        for plane in planes:
            piece = self.planes[plane]
            after = piece if variant is None else Piece(piece.kind, variant)
            result = None if effect.verb == "remove" else self.plane(after, effect)
            sure = alone or (len(planes) == 1 and Term(source, planes, True) in terms)
            changes.append(Change(plane, source, result, target, sure))

    def bars(self, those: tuple[int, ...], plane: int) -> bool:
        """Can a piece of a plane not be where one of these others stands, as they exclude it?"""
        layer = self.places[plane]
        return layer is not None and plane not in those and all(self.places[one] == layer for one in those)

    def plane(self, piece: Piece, effect: Effect) -> int:
        """The number of a piece's plane."""
        if piece not in self.number:
            raise DescriptionError(
                f"there is no {piece}", "the kind has no such facing or value", effect.place
            )
        return self.number[piece]
