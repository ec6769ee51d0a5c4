"""Where something could be done, in turns that were seen: what comes of it there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from ggp.importers.puzzlescript.words import TURNED
from ggp.learn.fit.toil import spend
from ggp.referee.scanning.ground import bits
from ggp.referee.scanning.turn import Turn
from ggp.watch.theory.puzzlescript.drafts import Deed, Draft
from ggp.watch.theory.puzzlescript.fixes import DIRECTIONS
from ggp.watch.theory.puzzlescript.rules import Row
from ggp.watch.theory.puzzlescript.scenes import PLAYED, Parts, Place, Planes, Said, Scene, more_wrong
from ggp.watch.theory.puzzlescript.things import Endless, Table

EACH = 6  # places in one turn, for one direction
MANY = 400  # of them that are looked at


class Shown(NamedTuple):
    """A turn, what a theory says of it, and how wrong that is."""

    scene: Scene
    said: Said
    cost: int


class Instance(NamedTuple):
    """Where it could be done: in which turn, turned to which direction, and the first cells of its rows.

    `worth`: how much more is wrong of the turn then; 1 where it comes out otherwise, and no better.
    """

    number: int
    direction: str
    starts: tuple[int, ...]
    worth: int


def instances(
    draft: Draft, place: Place, shown: Sequence[Shown], parts: Mapping[Table, Parts], rng: random.Random
) -> Iterator[Instance]:
    """Where it could be done at a place among the rules, and what comes of it."""
    for number, one in enumerate(shown):
        planes, table = one.said.at(place), one.scene.table
        for direction in DIRECTIONS:
            found = [where(table, planes, row, direction) for row in draft.rule.left]
            if not all(found):
                continue
            places = list(islice(product(*map(bits, found)), MANY))
            if number and len(places) > EACH:
                places = rng.sample(places, EACH)
            for starts in places:
                spend(PLAYED)
                after = done(draft, place, one, parts[table], direction, starts)
                if after is not None:
                    same = after == one.said.after
                    worth = 0 if same else more_wrong(one.scene, after, one.cost, undone=draft.rule.cancel)
                    yield Instance(number, direction, starts, worth)


def where(table: Table, planes: Planes, row: Row, direction: str) -> int:
    """The cells from which a row is found."""
    ground, things = table.ground, table.things
    found = ground.room(direction, len(row))
    for k, cell in enumerate(row):
        distance = k * ground.steps[direction]
        for how, name in cell:
            there = 0
            for member in things.names.members(name):
                there |= planes[things.number[member]]
            if how == "no":
                there = ground.full & ~there
            elif how == "stationary":
                for mark in ground.marks_of(things.layer_of[name]):
                    there &= ~planes[mark]
            elif how:
                layer = things.layer_names[things.layer_of[name]]
                there &= planes[ground.mark(layer, TURNED[direction].get(how, how))]
            found &= there >> distance if distance >= 0 else there << -distance
    return found


def done(
    draft: Draft, place: Place, one: Shown, parts: Parts, direction: str, starts: tuple[int, ...]
) -> Planes | None:
    """What stands there at the end of the turn if it is done there; None if it changes nothing at once."""
    if draft.rule.cancel:
        return one.scene.before
    planes, table = one.said.at(place), one.scene.table
    board = list(planes)
    for deed in draft.deeds:
        cell = starts[deed.row] + deed.cell * table.ground.steps[direction]
        do(deed, board, cell, direction, table)
    if tuple(board) == planes:
        return None
    try:
        return one.scene.onward(Turn(board, None), one.said, parts, place)
    except Endless:
        return None


def do(deed: Deed, board: list[int], cell: int, direction: str, table: Table) -> None:
    """Do one thing to a cell."""
    ground, things = table.ground, table.things
    bit = 1 << cell
    name = deed.into or deed.token
    layer = things.layer_of[name]
    if deed.deed in ("gone", "go", "stay", "come"):
        for mark in ground.marks_of(layer):
            board[mark] &= ~bit
    if deed.into or deed.deed in ("gone", "come"):
        for kind in ground.of_layer[layer]:
            board[kind] &= ~bit
    if deed.into or deed.deed == "come":
        board[things.number[name]] |= bit
    if deed.deed == "go":
        board[ground.mark(things.layer_names[layer], TURNED[direction].get(deed.way, deed.way))] |= bit
