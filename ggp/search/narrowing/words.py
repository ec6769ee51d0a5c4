"""Goal word -> the rules that narrow what it allows. A word that is not here is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import inf
from typing import Any

from ggp.model import Cell
from ggp.model.board import amount, matches
from ggp.search.narrowing.areas import AsLarge
from ggp.search.narrowing.choices import Grid, Here, Mask, Rule
from ggp.search.narrowing.connected import OneArea
from ggp.search.narrowing.different import AtMostOnce, Matched, Plain
from ggp.search.narrowing.graphs import grid as neighbours
from ggp.search.narrowing.lines import Apart, Read
from ggp.search.narrowing.loops import Ends, OneLoop
from ggp.search.narrowing.orders import Less
from ggp.search.narrowing.parts import OneClueEach
from ggp.search.narrowing.sums import NotAll, Some, Sum, bounds
from ggp.search.narrowing.tours import StepByStep

Rules = Iterator[Rule]


def some(masks: Iterable[tuple[int, Mask]], grid: Grid) -> Sum:
    """At least one cell takes one of its choices."""
    size = len(grid.pieces) + 1
    return Sum(((cell, tuple(mask >> bit & 1 for bit in range(size))) for cell, mask in masks), 1, inf)


def only(cells: Iterable[int], masks: list[Mask], grid: Grid) -> Rules:
    """Each of the cells takes one of its choices."""
    yield from (some([(cell, masks[cell])], grid) for cell in cells)


def on(term: Any, grid: Grid) -> Rules:
    """`every crate on target`: a cell at a time, but for `some`."""
    game = grid.instance.game

    def stands(here: Here) -> bool:
        ground = any(matches(game, other, term.ground, None) for other in here)
        return bool(ground == (term.placing == "on"))

    def asked(here: Here) -> bool:
        return any(matches(game, piece, term.what, None) for piece in here)

    cells = range(len(grid.base))
    if term.quantifier == "some":
        yield some(enumerate(grid.where(lambda here: asked(here) and stands(here))), grid)
    else:
        right = term.quantifier == "every"
        yield from only(cells, grid.where(lambda here: not asked(here) or stands(here) == right), grid)


def count(term: Any, grid: Grid) -> Rules:
    """`count gem on hand >= gems`."""
    game = grid.instance.game

    def number(here: Here) -> int:
        on_ground = term.ground is None or any(matches(game, piece, term.ground, None) for piece in here)
        counts = on_ground == (term.ground is None or term.placing == "on")
        return counts * sum(matches(game, piece, term.what, None) for piece in here)

    low, high = bounds(term.comparison, amount(grid.instance, term.number))
    yield Sum(enumerate(grid.weights(number)), low, high)


def tally(term: Any, grid: Grid) -> Rules:
    """`count queen in rows = 1`."""
    weights = grid.count(term.what)
    for _, region, number in term.asked(grid.instance):
        yield Sum([(cell, weights[cell]) for cell in grid.numbers(region)], *bounds(term.comparison, number))


def total(term: Any, grid: Grid) -> Rules:
    """`sum digit in cages = clues`."""

    def value(here: Here) -> int:
        return sum(p.variant for p in here if p.kind == term.kind and isinstance(p.variant, int))

    weights = grid.weights(value)
    for _, region, number in term.asked(grid.instance):
        yield Sum([(cell, weights[cell]) for cell in grid.numbers(region)], *bounds(term.comparison, number))


def each(term: Any, grid: Grid) -> Rules:
    """`each clue: count mine at around`."""
    weights = {what: grid.count(what) for what, _ in term.parts}
    for _, number, looked in term.told(grid.instance):
        yield Sum(
            [(grid.number(cell), weights[what][grid.number(cell)]) for what, cell in looked], number, number
        )


def cover(term: Any, grid: Grid) -> Rules:
    """`cover floor by lamp in across, down`."""
    by = grid.there(term.by)
    for others in term.reach(grid.instance).values():
        yield some([(cell, by[cell]) for cell in grid.numbers(others)], grid)


def pairs(term: Any, grid: Grid) -> Rules:
    """`pairs tent with tree at beside`: as many of both, and enough of them near any trees together."""
    game, near = grid.instance.game, term.near(grid.instance)
    weights = grid.weights(lambda here: int(any(matches(game, one, term.what, None) for one in here)))
    yield Sum(enumerate(weights), len(near), len(near))
    some_near = {grid.number(cell) for ends in near.values() for cell in ends}
    for cell, weight in enumerate(weights):
        if any(weight) and cell not in some_near:
            yield Sum([(cell, weight)], 0, 0)
    for number, ends in term.asked(grid.instance):
        yield Sum([(cell, weights[cell]) for cell in grid.numbers(ends)], number, inf)


def different(term: Any, grid: Grid) -> Rules:
    """`different digit in rows`, with or without what values stand on."""
    tables = grid.values(term.kind)
    if term.ground is not None:
        game = grid.instance.game
        counts = grid.where(
            lambda here: any(matches(game, p, term.ground, None) for p in here) == (term.placing == "on")
        )
        tables = [
            {value: mask & right for value, mask in table.items()}
            for table, right in zip(tables, counts, strict=True)
        ]
    for region in term.regions(grid.instance):
        yield from differ(grid, tables, region)


def differ(grid: Grid, tables: list[dict[int, Mask]], region: Iterable[Cell]) -> Rules:
    """The cells of one region."""
    cells = [cell for cell in grid.numbers(region) if tables[cell]]
    plain = {piece.variant: 1 << bit for bit, piece in enumerate(grid.pieces)}
    if all(tables[cell] == plain for cell in cells):
        yield Plain(cells, grid.none)
        if len(cells) > 2 and not any(grid.start[cell] & grid.none for cell in cells):
            yield Matched(cells)
        return
    values = sorted({value for cell in cells for value in tables[cell]})
    if values:
        yield AtMostOnce(cells, [tables[cell] for cell in cells], values)


def order(term: Any, grid: Grid) -> Rules:
    """`order digit along less`."""
    tables = grid.values(term.kind)
    for _, smaller, larger in term.pairs(grid.instance):
        if not (grid.inside(*smaller) and grid.inside(*larger)):
            yield Sum((), 1, inf)
        else:
            one, other = grid.number(smaller), grid.number(larger)
            yield Less(one, other, tables[one], tables[other])


def runs(term: Any, grid: Grid) -> Rules:
    """`runs fill along rows, columns`: (how many runs have begun, how long the last one is, is it over?)."""
    there = grid.weights(lambda here: any(matches(grid.instance.game, p, term.what, None) for p in here))
    for _, line, clue in term.asked(grid.instance):

        def step(state: Any, full: Any, clue: tuple[int, ...] = clue) -> Any:
            begun, long, over = state
            if not full:
                return state if over else (begun, 0, True) if long == clue[begun - 1] else None
            begun, long = (begun + 1, 1) if over else (begun, long + 1)
            return (begun, long, False) if begun <= len(clue) and long <= clue[begun - 1] else None

        def accepts(state: Any, clue: tuple[int, ...] = clue) -> bool:
            begun, long, over = state
            return bool(begun == len(clue) and (over or long == clue[begun - 1]))

        cells = grid.numbers(line)
        yield Read(cells, [there[cell] for cell in cells], (0, 0, True), step, accepts)


def visible(term: Any, grid: Grid) -> Rules:
    """`visible tower along rows`: (the highest so far, how many were seen)."""
    values = kind_values(grid, term.kind)
    for _, line, clue in term.asked(grid.instance):

        def step(state: Any, read: Any, clue: int = clue) -> Any:
            highest, seen = state
            for value in read:
                if value > highest:
                    highest, seen = value, seen + 1
            return (highest, seen) if seen <= clue else None

        def accepts(state: Any, clue: int = clue) -> bool:
            return bool(state[1] == clue)

        cells = grid.numbers(line)
        yield Read(cells, [values[cell] for cell in cells], (-inf, 0), step, accepts)


def kind_values(grid: Grid, kind: str) -> list[list[tuple[int, ...]]]:
    """For each cell and choice the values of the kind there, in the order in which the referee finds them."""
    return [
        [
            tuple(p.variant for p in here if p.kind == kind and isinstance(p.variant, int))
            for here in grid.contents(base)
        ]
        for base in grid.base
    ]


def distinct(term: Any, grid: Grid) -> Rules:
    """`distinct bit along rows, columns`."""
    reads = [
        [frozenset(p.variant for p in here if p.kind == term.kind) for here in grid.contents(base)]
        for base in grid.base
    ]
    for _, lines in term.alike(grid.instance):
        for one, other in combinations(lines, 2):
            yield Apart(list(zip(grid.numbers(one), grid.numbers(other), strict=True)), reads)


def shape(term: Any, grid: Grid) -> Rules:
    """`nowhere toward right down: $bit here, $bit ahead`, and what a level draws."""
    twins = term.twins(grid.instance)
    for kind, *both in twins:
        yield from differ(grid, grid.values(kind), both)
    if twins:
        return
    found = [
        looks
        for picture in term.pictures(grid.instance)
        for anchor in range(len(grid.base))
        if (looks := looked(picture, divmod(anchor, grid.width), grid)) is not None
    ]
    if term.where == "somewhere":
        yield Some(found)
    else:
        yield from map(NotAll, found)


def looked(picture: Any, anchor: Cell, grid: Grid) -> list[tuple[int, Mask]] | None:
    """What a picture asks when it is laid on a cell, by cell; None where it cannot be found there."""
    asked: dict[int, Mask] = {}
    whole = 2 * grid.none - 1
    for offset, pattern, wanted in picture:
        row, column = anchor[0] + offset[0], anchor[1] + offset[1]
        if grid.instance.game.wraps:
            row, column = row % grid.height, column % grid.width
        inside = grid.inside(row, column)
        if pattern is None or not inside:
            if (inside if pattern is None else False) != wanted:
                return None
            continue
        cell = row * grid.width + column
        if pattern not in grid.seen:
            grid.seen[pattern] = grid.there(pattern)
        mask = grid.seen[pattern][cell]
        asked[cell] = asked.get(cell, whole) & (mask if wanted else whole & ~mask)
    possible = all(mask & grid.start[cell] for cell, mask in asked.items())
    return list(asked.items()) if possible else None


def connected(term: Any, grid: Grid) -> Rules:
    """`connected island sideways bridge:1 upright bridge:2`."""
    whole = 2 * grid.none - 1
    both, across, down = (grid.there(*patterns) for patterns in (term.what, term.across, term.down))
    if term.without:
        both = [whole & ~mask for mask in both]
    inside = [a | b | c for a, b, c in zip(both, across, down, strict=True)]
    level = [a | b for a, b in zip(both, across, strict=True)]
    upright = [a | b for a, b in zip(both, down, strict=True)]
    ways = ((level, across), (upright, down)) if term.bridged else ((level, level), (upright, upright))
    yield OneArea(inside, ways, neighbours(grid.height, grid.width), grid.width)


def parts(term: Any, grid: Grid) -> Rules:
    """`parts no sea with clue`."""
    there = grid.there(term.what)
    inside = [2 * grid.none - 1 & ~mask for mask in there] if term.without else there
    clues = {grid.number(cell): size for cell, size in term.clues(grid.instance).items()}
    yield OneClueEach(inside, clues, neighbours(grid.height, grid.width))


def areas(term: Any, grid: Grid) -> Rules:
    """`areas digit`: a rule for each value."""
    tables = grid.values(term.kind)
    near = neighbours(grid.height, grid.width)
    for value in sorted({value for table in tables for value in table}):
        yield AsLarge(tables, value, near)


def loop(term: Any, grid: Grid) -> Rules:
    """`loop line through spot`."""
    line = grid.there(term.line)
    joins = {
        grid.number(cell): (grid.number(one), grid.number(other))
        for cell, (one, other) in term.joins(grid.instance).items()
    }
    ends: dict[int, list[tuple[int, Mask]]] = {}
    for cell, both in joins.items():
        for spot in both:
            ends.setdefault(spot, []).append((cell, line[cell]))
    stray = [cell for cell in range(len(line)) if line[cell] and cell not in joins]
    yield from only(stray, [~mask for mask in line], grid)
    yield some([(cell, line[cell]) for cell in joins], grid)
    yield from map(Ends, ends.values())
    yield OneLoop(joins, line)


def tour(term: Any, grid: Grid) -> Rules:
    """`tour number by up.up.right, right.right.down`."""
    tables, size = grid.values(term.kind), len(grid.base)
    reach, back = [0] * size, [0] * size
    for cell in range(size):
        row, column = divmod(cell, grid.width)
        for down, right in term.moves():
            if grid.inside(row + down, column + right):
                other = (row + down) * grid.width + column + right
                reach[cell] |= 1 << other
                back[other] |= 1 << cell
    yield StepByStep(tables, term.values(grid.instance), reach, back)


def unless(term: Any, grid: Grid) -> Rules:
    """`count lamp = 3 unless every lamp on target`: what the term says does; the end of a run, the others."""
    yield from WORDS[term.what.word](term.what, grid)


WORDS: dict[str, Callable[[Any, Grid], Rules]] = {
    "areas": areas,
    "connected": connected,
    "count": count,
    "cover": cover,
    "different": different,
    "distinct": distinct,
    "each": each,
    "loop": loop,
    "on": on,
    "order": order,
    "pairs": pairs,
    "parts": parts,
    "runs": runs,
    "shape": shape,
    "tally": tally,
    "total": total,
    "tour": tour,
    "unless": unless,
    "visible": visible,
}
