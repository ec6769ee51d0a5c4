"""What would have to be done to a few cells, at one place among the rules, for a turn to come out right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import NamedTuple

from ggp.learn.boards import Token
from ggp.model.scan import MARKS
from ggp.referee.scanning.ground import WAYS, bits
from ggp.watch.theory.puzzlescript.rules import Item
from ggp.watch.theory.puzzlescript.scenes import Planes, Scene
from ggp.watch.theory.puzzlescript.things import Table

DIRECTIONS = MARKS[:4]
MOST = 16  # ways to mend all of one turn, and as many to mend something of it
FEW = 8  # things that are wrong in a turn of which all are mended at once


class Fix(NamedTuple):
    """One thing done to a cell: what is there is marked (`go`), loses its mark (`stay`), goes, or comes.

    `into`: what comes instead; it may go (`go`) at once.
    """

    cell: int
    deed: str
    token: Token
    way: str = ""
    into: Token = ""


Fixes = tuple[Fix, ...]


def holds(planes: Planes, table: Table, cell: int) -> list[Item]:
    """What stands in a cell, each with how it is marked."""
    ground, things = table.ground, table.things
    found = []
    for number, token in enumerate(things.tokens):
        if planes[number] >> cell & 1:
            found.append((mark_of(planes, ground.layer_of[number], len(things.tokens), cell), token))
    return found


def mark_of(planes: Planes, layer: int, kinds: int, cell: int) -> str:
    """How a layer of a cell is marked; "" where it is not."""
    first = kinds + WAYS * layer
    return next((way for n, way in enumerate(MARKS) if planes[first + n] >> cell & 1), "")


def beside(table: Table, cell: int, way: str, steps: int = 1) -> int | None:
    """The cell so many steps away; None beyond the edge."""
    ground = table.ground
    for _ in range(steps):
        if ground.edge[way] >> cell & 1:
            return None
        cell += ground.steps[way]
    return cell


def mends(scene: Scene, planes: Planes, after: Planes, *, late: bool) -> Iterator[Fixes]:
    """Ways to mend a turn from what stands there before a rule; `after`: how it comes out without."""
    lacking, odd = wrong_things(scene, after)
    fors = [list(fixes_for(scene, planes, after, one, late=late)) for one in lacking]
    against = [list(fixes_against(scene, planes, one, late=late)) for one in odd]
    found = dict[Fixes, None]()
    if len(lacking) <= FEW and len(odd) <= FEW:
        for some in islice(product(*[one or [()] for one in fors]), 4 * MOST):
            begun = [fix for fixes in some for fix in fixes]
            left = [one for one in against if not any(set(begun) & set(other) for other in one)]
            left = [one for one in left if not explained(begun, one)]
            for rest in islice(product(*[one or [()] for one in left]), MOST):
                found.setdefault(joined([*begun, *(fix for fixes in rest for fix in fixes)]))
    together = sorted((fixes for fixes in found if fixes), key=len)
    alone = [fixes for one in (*fors, *against) for fixes in map(joined, one) if fixes]
    yield from dict.fromkeys([*together[:MOST], *alone[:MOST]])


def explained(begun: list[Fix], choices: list[Fixes]) -> bool:
    """Is what should go gone by what is done to it already?"""
    done = {(fix.cell, fix.token) for fix in begun if fix.deed in ("go", "into", "stay")}
    return any((fix.cell, fix.token) in done for fixes in choices for fix in fixes)


def joined(fixes: Iterable[Fix]) -> Fixes:
    """Fixes without doubles; what goes elsewhere, or becomes something else, is gone by that.

    None where two do something else to one thing.
    """
    unique = list(dict.fromkeys(fixes))
    moved = {(fix.cell, fix.token) for fix in unique if fix.deed in ("go", "into")}
    kept = [fix for fix in unique if fix.deed != "gone" or (fix.cell, fix.token) not in moved]
    things = {(fix.cell, fix.token) for fix in kept}
    return tuple(sorted(kept)) if len(things) == len(kept) else ()


def wrong_things(scene: Scene, after: Planes) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """(kind, cell) of what should be there and is not, and of what is there and should not."""
    lacking, odd = list[tuple[int, int]](), list[tuple[int, int]]()
    for kind, (is_, should) in enumerate(zip(after, scene.after, strict=True)):
        if is_ != should:
            lacking += [(kind, cell) for cell in bits(should & ~is_)]
            odd += [(kind, cell) for cell in bits(is_ & ~should)]
    return lacking, odd


def fixes_for(
    scene: Scene, planes: Planes, after: Planes, lacks: tuple[int, int], *, late: bool
) -> Iterator[Fixes]:
    """Ways in which something would be where it is lacking."""
    kind, cell = lacks
    table = scene.table
    token = table.things.tokens[kind]
    kinds, layer = len(table.things.tokens), table.ground.layer_of[kind]
    if not late:
        if planes[kind] >> cell & 1 and mark_of(planes, layer, kinds, cell):
            yield (Fix(cell, "stay", token, mark_of(planes, layer, kinds, cell)),)
        for way in DIRECTIONS:
            source = beside(table, cell, OPPOSITE[way])
            if source is None:
                continue
            if planes[kind] >> source & 1:
                # What is marked already goes by itself where nothing is in the way.
                going = mark_of(planes, layer, kinds, source) == way
                yield () if going else (Fix(source, "go", token, way),)
            for other in table.ground.of_layer[layer]:
                if other == kind or not planes[other] >> source & 1:
                    continue
                marked = mark_of(planes, layer, kinds, source)
                if marked == way and after[other] >> cell & 1:
                    yield (Fix(source, "into", table.things.tokens[other], "", token),)
                elif not marked and not scene.after[other] >> source & 1:
                    yield (Fix(source, "go", table.things.tokens[other], way, token),)
    for other in table.ground.of_layer[layer]:
        if other != kind and planes[other] >> cell & 1:
            yield (Fix(cell, "into", table.things.tokens[other], "", token),)
            return
    if not planes[kind] >> cell & 1:
        yield (Fix(cell, "come", token),)


def fixes_against(scene: Scene, planes: Planes, there: tuple[int, int], *, late: bool) -> Iterator[Fixes]:
    """Ways in which something would not be where it is odd."""
    kind, cell = there
    table = scene.table
    token = table.things.tokens[kind]
    kinds, layer = len(table.things.tokens), table.ground.layer_of[kind]
    if planes[kind] >> cell & 1:
        yield (Fix(cell, "gone", token),)
        if any(scene.after[other] >> cell & 1 for other in table.ground.of_layer[layer]):
            yield ()  # what comes here instead says so
        if not late and not mark_of(planes, layer, kinds, cell):
            for way in DIRECTIONS:
                target = beside(table, cell, way)
                if target is not None and scene.after[kind] >> target & 1:
                    yield (Fix(cell, "go", token, way),)
    if not late:
        for way in DIRECTIONS:
            source = beside(table, cell, OPPOSITE[way])
            if source is None or not planes[kind] >> source & 1:
                continue
            if mark_of(planes, layer, kinds, source) == way:
                yield (Fix(source, "gone", token),)
                yield (Fix(source, "stay", token, way),)


OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
