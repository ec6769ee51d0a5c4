"""What an exported puzzle marks as wrong: cells that break a rule whatever is placed besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ggp.goals.different import Different
from ggp.goals.distinct import Distinct
from ggp.goals.each import Each
from ggp.goals.order import Order
from ggp.goals.pattern import Shape
from ggp.goals.regions import Region
from ggp.goals.tally import Tally
from ggp.model import Cell, Instance, Pattern, Piece, Term
from ggp.model.board import State, matches, width


def mistakes(term: Term, instance: Instance, state: State) -> Iterator[Cell]:
    """The cells that a goal word has marked as wrong on this board."""
    judge = JUDGES.get(type(term))
    if judge is not None:
        yield from judge(term, instance, state)


def twice(term: Different, instance: Instance, state: State) -> Iterator[Cell]:
    """Values that stand elsewhere in a region in which all must differ."""
    columns, counting = width(instance), term.counting(instance, state)
    for region in term.regions(instance):
        where: dict[Piece, list[Cell]] = {}
        for row, column in region:
            for piece in counting[row * columns + column]:
                where.setdefault(piece, []).append((row, column))
        yield from (cell for found in where.values() if len(found) > 1 for cell in found)


def too_many(term: Tally, instance: Instance, state: State) -> Iterator[Cell]:
    """The pieces of a region that holds more of them than it may."""
    for _, region, number in term.asked(instance):
        found = [cell for cell in region if stands(instance, state, cell, term.what)]
        if term.comparison != ">=" and len(found) > number:
            yield from found


def exceeded(term: Each, instance: Instance, state: State) -> Iterator[Cell]:
    """Clues near which there is more than they say."""
    for cell, number, looked in term.told(instance):
        if sum(stands(instance, state, at, what) for what, at in looked) > number:
            yield cell


def unordered(term: Order, instance: Instance, state: State) -> Iterator[Cell]:
    """Both cells of a sign that faces the smaller value, or an equal one."""
    for _, *pair in term.pairs(instance):
        lower, higher = (term.value(instance, state, cell) for cell in pair)
        if lower is not None and higher is not None and lower >= higher:
            yield from pair


def alike(term: Distinct, instance: Instance, state: State) -> Iterator[Cell]:
    """Lines without an empty cell that hold the same as another."""
    for _, lines in term.alike(instance):
        where: dict[tuple[Piece, ...], list[Region]] = {}
        for region in lines:
            read = [value_of(instance, state, cell, term.kind) for cell in region]
            if None not in read:
                where.setdefault(tuple(one for one in read if one is not None), []).append(region)
        for same in where.values():
            yield from (cell for region in same if len(same) > 1 for cell in region)


def seen(term: Shape, instance: Instance, state: State) -> Iterator[Cell]:
    """Where a picture begins that must be nowhere; marked only while nothing but the design changes."""
    if term.where == "nowhere" and instance.game.input is None and not instance.game.physics:
        yield from term.found(instance, state)


def stands(instance: Instance, state: State, cell: Cell, what: Pattern) -> int:
    """How many pieces of a cell match."""
    here = state.board[cell[0] * width(instance) + cell[1]]
    return sum(matches(instance.game, piece, what, None) for piece in here)


def value_of(instance: Instance, state: State, cell: Cell, kind: str) -> Piece | None:
    """The piece of a kind on a cell."""
    here = state.board[cell[0] * width(instance) + cell[1]]
    return next((piece for piece in here if piece.kind == kind), None)


JUDGES: dict[type, Callable[[Any, Instance, State], Iterator[Cell]]] = {
    Different: twice,
    Tally: too_many,
    Each: exceeded,
    Order: unordered,
    Distinct: alike,
    Shape: seen,
}
