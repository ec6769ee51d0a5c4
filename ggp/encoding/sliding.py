"""Loops in which pieces slide straight on until something is in the way, told without their passes.

Pass by pass a slide over n cells is n boards. As nothing else changes in such a loop, one look along each
line tells the same: who comes by a cell, and who stops there. Where several slide at once, each of them stops
behind those that were before it; how many come by is told in unary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.encoding.fields import Field, Fields
from ggp.encoding.formula import Formula, negate
from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.model.board import kinds_of
from ggp.transition.kernel import Boards
from ggp.transition.program import (
    CompiledRule,
    Loop,
    Offset,
    Pass,
    Program,
    Term,
    Transition,
    changes_of,
    passes_of,
)

FEW = 3  # pieces that slide at once; of more, the boards of all passes say no more


class Way(NamedTuple):
    """How pieces slide in one direction, by rules of that `name`.

    `marker`: only what stands where this one does, and it comes along. `terms` are what a step asks of the
    cell that is left and of the next one. What is `removed` vanishes where they come.
    """

    name: str
    step: Offset
    marker: int | None
    terms: frozenset[Term]
    removed: frozenset[int]


class Slide(NamedTuple):
    """A loop in which `movers` slide in these `ways`, at `most` so many of them at once."""

    movers: tuple[int, ...]
    ways: tuple[Way, ...]
    most: int


# --- which loops are slides


def slide_of(program: Program, place: int, transition: Transition, instance: Instance) -> Slide | None:
    """What a step of a program is as a slide; None where it is none."""
    step = program[place]
    if not isinstance(step, Loop) or len(step.body) != 1 or transition.wraps:
        return None
    (one,) = step.body
    if not isinstance(one, Pass) or step.bound < max(transition.height, transition.width):
        return None
    pieces: dict[Way, set[int]] = {}
    names: dict[Way, str] = {}
    for subject, rules in one.subjects:
        for rule in rules:
            found = way_of(rule, subject, transition)
            if found is None:
                return None
            # Rules that say the same of several pieces are one way, whatever each is called.
            way = found[0]._replace(name="")
            names.setdefault(way, found[0].name)
            pieces.setdefault(way, set()).update(found[1])
    ways = tuple(way._replace(name=names[way]) for way in pieces)
    movers = min(map(sorted, pieces.values()), default=[])
    markers = {way.marker for way in ways}
    if len(markers) < len(ways) or any(one != {*movers} for one in pieces.values()):
        return None
    if not all(in_order(way, movers, transition) for way in ways) or is_counted(movers, transition, instance):
        return None
    if None in markers:
        return all_at_once(movers, ways, transition, instance)
    alone = place == 0 and untouched(markers, program[1:])
    return Slide(tuple(movers), ways, 1) if alone and only_picked(markers, transition, instance) else None


def way_of(rule: CompiledRule, subject: int | None, transition: Transition) -> tuple[Way, set[int]] | None:
    """The way in which a rule lets pieces slide, and which pieces; None where it does anything else."""
    moved = [one for one in rule.changes if one.source == (0, 0) and one.result is not None]
    steps = {one.target for one in moved}
    if len(steps) != 1 or any(one.plane != one.result for one in moved) or rule.whole is not None:
        return None
    (step,) = steps
    taken = [one for one in rule.changes if one not in moved]
    if any(one.plane is None or one.result is not None or one.source != step for one in taken):
        return None
    planes = {one.plane for one in moved if one.plane is not None}
    removed = frozenset(one.plane for one in taken if one.plane is not None)
    markers, movers = planes & transition.markers, planes - transition.markers
    if subject in movers and len({transition.layers[mover] for mover in movers}) == 1:
        movers = {subject} - {None}  # the others have no room beside it
    marker = chosen_by(rule, subject, sorted(markers), transition)
    terms = asked(rule, step, (markers, movers), removed)
    there = subject in movers or Term((0, 0), tuple(sorted(movers)), True) in rule.terms
    if sorted(map(abs, step)) != [0, 1] or marker is None or terms is None or not there:
        return None
    return Way(rule.name, step, marker[0] if marker else None, terms, removed), movers


def chosen_by(
    rule: CompiledRule, subject: int | None, markers: list[int], transition: Transition
) -> tuple[int, ...] | None:
    """The one marker with which a rule can fire, none where it needs none; None where that is not all.

    A direction of the input is that of the mark which it puts.
    """
    if not markers and not rule.inputs:
        return ()
    wanted = (one.planes for one in rule.terms if one.wanted and one.offset == (0, 0))
    asked = [planes for planes in wanted if planes and {*planes} <= {*markers}]
    if subject in markers:
        asked.append((subject,))
    if len(asked) != 1:
        return None
    (some,) = asked
    if rule.inputs:
        variants = [transition.planes[one].variant for one in some]
        if len(rule.inputs) > 1 or not {*variants} <= {*DIRECTIONS}:
            return None
        some = tuple(one for one, told in zip(some, variants, strict=True) if told == rule.inputs[0])
    return some if len(some) == 1 else None


def asked(
    rule: CompiledRule, step: Offset, moved: tuple[set[int], set[int]], removed: frozenset[int]
) -> frozenset[Term] | None:
    """What a rule asks besides of what stays as it is; None where it asks for anything that does not.

    That nothing which slides is ahead it may ask: those that are there are in the way.
    """
    markers, movers = moved
    found = set[Term]()
    for term in rule.terms:
        here = term.offset == (0, 0) and term.wanted and bool(term.planes)
        if term == Term(step, (), True) or (here and ({*term.planes} <= markers or {*term.planes} == movers)):
            continue
        free = term.offset == step and not term.wanted
        planes = {*term.planes}
        if not planes or term.offset not in ((0, 0), step) or planes & (markers | removed):
            return None
        if planes & movers and not free:
            return None
        found.add(term)
    return frozenset(found)


def in_order(way: Way, movers: Sequence[int], transition: Transition) -> bool:
    """Are what slides one at most in a cell, and what it removes other pieces?"""
    layers = {transition.layers[mover] for mover in movers}
    return (
        len(layers) == 1
        and way.removed.isdisjoint(movers)
        and barred(way.terms, way.step, transition, movers[0])
    )


def barred(terms: frozenset[Term], step: Offset, transition: Transition, mover: int) -> bool:
    """Does a step ask that nothing of the layer be ahead, so that nobody runs into anything?"""
    free = {plane for term in terms if term.offset == step and not term.wanted for plane in term.planes}
    return free.issuperset(transition.of_layer(transition.layers[mover]))


def is_counted(movers: Sequence[int], transition: Transition, instance: Instance) -> bool:
    """Does an objective count how often such a piece moves?"""
    kinds = {transition.planes[mover].kind for mover in movers}
    moves = (one.kind or "" for one in instance.game.objectives if one.counts == "moves")
    return any(not kinds.isdisjoint(kinds_of(instance.game, kind)) for kind in moves)


def untouched(markers: set[int | None], program: Program) -> bool:
    """Is it nothing to this part of a program where the markers are?"""
    for step in passes_of(program):
        for subject, rules in step.subjects:
            read = {plane for rule in rules for term in rule.terms for plane in term.planes}
            if not markers.isdisjoint({subject, *read} - {None}):
                return False
    return all(markers.isdisjoint({one.plane, one.result} - {None}) for one in changes_of(program))


def only_picked(markers: set[int | None], transition: Transition, instance: Instance) -> bool:
    """Does the input, and nothing else, mark what slides: one cell a turn?"""
    declared = instance.game.input
    kinds = {transition.planes[marker].kind for marker in markers if marker is not None}
    standing = (piece.kind for row in instance.level.board for here in row for piece in here)
    return declared is not None and kinds == {declared.pick} and kinds.isdisjoint(standing)


def all_at_once(
    movers: Sequence[int], ways: tuple[Way, ...], transition: Transition, instance: Instance
) -> Slide | None:
    """The slide of all pieces of a plane; None where there may be many, or any of several planes."""
    if len(ways) != 1 or len(movers) != 1:
        return None
    (mover,) = movers
    piece, design = transition.planes[mover], instance.game.design
    changes = changes_of((*transition.turn, *transition.physics))
    made = any(one.plane != mover and one.result == mover for one in changes)
    if made or (design is not None and piece.kind in design.kinds):
        return None
    most = sum(piece in here for row in instance.level.board for here in row)
    few = 0 < most <= (1 if ways[0].removed else FEW)
    return Slide(tuple(movers), ways, most) if few else None


# --- what stands there afterwards


def slid(slide: Slide, algebra: Fields, boards: Boards) -> Boards:
    """The boards after a slide."""
    lines = Lines(algebra, boards)
    return lines.one_of_them(slide) if slide.most == 1 else lines.all_at_once(slide)


class Lines:
    """What comes by the cells of a board, line by line."""

    def __init__(self, algebra: Fields, boards: Boards) -> None:
        self.algebra = algebra
        self.boards = boards

    def along(self, step: Offset) -> Iterator[tuple[int, int, int]]:
        """Each cell after the one before it, with that and the one after it (-1: none)."""
        after, before = self.algebra.way(step), self.algebra.way((-step[0], -step[1]))
        cells = range(len(after))
        for cell in cells if sum(step) > 0 else reversed(cells):
            yield before[cell], cell, after[cell]

    def held(self, planes: Sequence[int], cell: int) -> Formula:
        """Does one of these planes stand there?"""
        total: Formula = False
        for plane in planes:
            total = self.algebra.disj(total, self.boards[plane].at(cell))
        return total

    def open(self, way: Way, cell: int, after: int, sliding: Sequence[int] = ()) -> Formula:
        """Can a step be made from a cell, as far as what does not slide is in the way?"""
        if after < 0:
            return False
        found: Formula = True
        for term in sorted(way.terms):
            planes = [plane for plane in term.planes if plane not in sliding]
            there = self.held(planes, cell if term.offset == (0, 0) else after)
            found = self.algebra.conj(found, there if term.wanted else negate(there))
        return found

    def called(self, way: Way, formula: Formula, cell: int, number: int = 0) -> Formula:
        """The formula as a literal that is called after the rule."""
        if isinstance(formula, bool | int):
            return formula
        direction = next(name for name, offset in OFFSETS.items() if offset == way.step)
        name = f"{way.name}_{direction}" + (f"_{number}" if number else "")
        return self.algebra.literal(formula, name, cell)

    def one_of_them(self, slide: Slide) -> Boards:
        """One piece, the only one or the one that is marked, comes to where it stops."""
        algebra, conj, disj = self.algebra, self.algebra.conj, self.algebra.disj
        size = algebra.transition.height * algebra.transition.width
        stops: dict[int, Formula] = dict.fromkeys(range(size), False)
        begun = stops.copy()
        gone: dict[int, dict[int, Formula]] = {}
        for way in slide.ways:
            came: dict[int, Formula] = {}
            for _, cell, after in self.along(way.step):
                start = self.held(slide.movers, cell)
                if way.marker is not None:
                    start = conj(start, self.boards[way.marker].at(cell))
                passed = self.called(way, disj(start, came.get(cell, False)), cell)
                goes = self.open(way, cell, after)
                begun[cell] = disj(begun[cell], start)
                stops[cell] = disj(stops[cell], conj(passed, negate(goes)))
                came[after] = conj(passed, goes)
                if after >= 0:
                    for plane in way.removed:
                        there = gone.setdefault(plane, {})
                        there[after] = disj(there.get(after, False), came[after])
        return self.moved(slide, stops, begun, gone)

    def moved(
        self,
        slide: Slide,
        stops: dict[int, Formula],
        begun: dict[int, Formula],
        gone: dict[int, dict[int, Formula]],
    ) -> Boards:
        """The boards on which what began somewhere has stopped, and what it came over is gone."""
        algebra, conj, disj = self.algebra, self.algebra.conj, self.algebra.disj
        after = list(self.boards)
        for mover in slide.movers:
            board = self.boards[mover]
            is_it: Formula = True
            if len(slide.movers) > 1:
                is_it = algebra.some(Field(algebra, {c: conj(board.at(c), begun[c]) for c in begun}))
                is_it = is_it if isinstance(is_it, bool) else algebra.literal(is_it)
            cells = {
                cell: disj(conj(board.at(cell), negate(begun[cell])), conj(stop, is_it))
                for cell, stop in stops.items()
            }
            after[mover] = algebra.settle(mover, Field(algebra, cells))
        for plane, there in gone.items():
            board = self.boards[plane]
            cells = {cell: conj(board.at(cell), negate(there.get(cell, False))) for cell in board.cells}
            after[plane] = algebra.settle(plane, Field(algebra, cells))
        for way in slide.ways:
            if way.marker is not None:  # nobody asks for it any more
                after[way.marker] = algebra.zero
        return tuple(after)

    def all_at_once(self, slide: Slide) -> Boards:
        """All pieces of a plane come to where they stop, one behind another."""
        algebra, conj, disj = self.algebra, self.algebra.conj, self.algebra.disj
        (way,), (mover,) = slide.ways, slide.movers
        numbers, order = range(1, slide.most + 1), list(self.along(way.step))
        goes = {cell: self.open(way, cell, after, slide.movers) for _, cell, after in order}
        passed: dict[tuple[int, int], Formula] = {}  # so many or more come by a cell, or begin there
        for before, cell, _ in order:
            here = self.boards[mover].at(cell)
            for number in numbers:
                come = self.over(passed, number, before, goes)
                more = here if number == 1 else conj(here, self.over(passed, number - 1, before, goes))
                passed[number, cell] = self.called(way, disj(come, more), cell, number)
        left: dict[tuple[int, int], Formula] = {}  # so many or more stop at a cell or before it
        for _, cell, after in reversed(order):
            for number in numbers:
                behind = left.get((number + 1, after), False)
                total = disj(conj(passed[number, cell], negate(goes[cell])), conj(goes[cell], behind))
                left[number, cell] = total if isinstance(total, bool) else algebra.literal(total)
        stopped = Field(algebra, {cell: left[1, cell] for _, cell, _ in order})
        boards = list(self.boards)
        boards[mover] = algebra.settle(mover, stopped)
        return tuple(boards)

    def over(
        self, passed: dict[tuple[int, int], Formula], number: int, before: int, goes: dict[int, Formula]
    ) -> Formula:
        """Do so many come on from the cell before?"""
        if before < 0:
            return False
        return self.algebra.conj(passed[number, before], goes[before])
