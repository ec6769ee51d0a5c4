"""How pieces could move if nothing else were in their way: distances to where the goal wants them.

What is found here holds for every run: a piece on a cell from which no wanted ground can be reached is on a
dead square, and a matching of pieces with ground costs no more than any plan (the minimum matching bound of
Junghanns and Schaeffer, 2001). Cells are numbered in reading order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ggp.model import Instance, Objective
from ggp.model.board import Action, kinds_of
from ggp.transition.macros import Agent
from ggp.transition.program import CompiledRule, Offset

Spot = tuple[int, int]  # (plane, cell)
FAR = 1 << 30  # a distance that is none


class Push(NamedTuple):
    """A turn that moves what counts: the input, the rule, those tried before it, and where the agent stands.

    `moves` are the (from, to) spots of the pieces that count.
    """

    action: Action
    rule: CompiledRule
    before: tuple[CompiledRule, ...]
    anchor: int
    moves: tuple[tuple[Spot, Spot], ...]


@dataclass(frozen=True)
class Relaxed:
    """An instance with an agent, seen with nothing on the board but what never moves."""

    instance: Instance
    agent: Agent
    objective: Objective

    @cached_property
    def still(self) -> dict[int, frozenset[int]]:
        """Of each cell, the planes of the pieces on it that no rule takes or puts."""
        transition, board = self.agent.transition, self.instance.level.board
        numbers = [[transition.number[piece] for piece in here] for row in board for here in row]
        return {
            cell: frozenset(plane for plane in planes if plane not in transition.dynamic)
            for cell, planes in enumerate(numbers)
        }

    @cached_property
    def counted(self) -> frozenset[int]:
        """The planes whose moves the objective counts."""
        kinds = [] if self.objective.kind is None else kinds_of(self.instance.game, self.objective.kind)
        planes = self.agent.transition.planes
        return frozenset(p for p, piece in enumerate(planes) if piece.kind in kinds)

    def at(self, cell: int, offset: Offset) -> int | None:
        """The cell at an offset, None outside."""
        transition = self.agent.transition
        row, column = cell // transition.width + offset[0], cell % transition.width + offset[1]
        inside = 0 <= row < transition.height and 0 <= column < transition.width
        return row * transition.width + column if inside else None

    def possible(self, rule: CompiledRule, anchor: int) -> bool:
        """May the rule ever fire there, as far as what never moves has a say?"""
        dynamic = self.agent.transition.dynamic
        for term in rule.terms:
            cell = self.at(anchor, term.offset)
            if not term.planes:
                if (cell is not None) != term.wanted:
                    return False
                continue
            sure = cell is not None and bool(self.still[cell] & set(term.planes))
            open_ = cell is not None and bool(dynamic & set(term.planes))
            if (term.wanted and not sure and not open_) or (not term.wanted and sure):
                return False
        return True

    @cached_property
    def ground(self) -> frozenset[int]:
        """The cells on which the agent may ever stand."""
        found, todo = {self.agent.start}, [self.agent.start]
        while todo:
            cell = todo.pop()
            for _, rules in self.agent.plans:
                for rule in rules:
                    offset = self.agent.moved_to(rule)
                    after = self.at(cell, offset) if offset is not None else None
                    if after is not None and after not in found and self.possible(rule, cell):
                        found.add(after)
                        todo.append(after)
        return frozenset(found)

    @cached_property
    def pushes(self) -> tuple[Push, ...]:
        """Every turn that may ever move what counts; steps among them, where the agent itself does."""
        turns = self.agent.pushes if self.agent.plane not in self.counted else self.agent.turns
        return tuple(
            Push(action, rule, before, anchor, tuple(self.moved(rule, anchor)))
            for action, rule, before in turns
            for anchor in sorted(self.ground)
            if self.possible(rule, anchor)
        )

    def moved(self, rule: CompiledRule, anchor: int) -> Iterator[tuple[Spot, Spot]]:
        """The moves of pieces that count in one firing."""
        for one in rule.changes:
            if one.plane in self.counted and one.plane is not None and one.result is not None:
                source, target = self.at(anchor, one.source), self.at(anchor, one.target)
                assert source is not None and target is not None
                yield (one.plane, source), (one.result, target)

    # --- the goal

    @cached_property
    def wanted(self) -> tuple[frozenset[int], tuple[int, ...]] | None:
        """(planes, cells) where the goal wants each piece of these planes on a cell of its own.

        None where it does not say so of pieces that count and that rules only move.
        """
        transition = self.agent.transition
        for term in self.instance.game.goal.terms:
            required: Any = getattr(term, "ground_required", lambda: None)()
            if required is None:
                continue
            planes = frozenset(transition.planes_of(self.instance, required[0]))
            grounds = set(transition.planes_of(self.instance, required[1]))
            apart = len({transition.layers[p] for p in planes}) == 1 and not planes & transition.exempt
            kept = all(
                (one.plane in planes) == (one.result in planes)
                for rule in transition.rules()
                for one in rule.changes
            )
            if planes and planes <= self.counted and apart and kept and not grounds & transition.dynamic:
                return planes, tuple(cell for cell, here in sorted(self.still.items()) if here & grounds)
        return None

    @cached_property
    def distances(self) -> dict[int, dict[Spot, int]]:
        """For each wanted cell, the fewest moves from a spot to it."""
        if self.wanted is None:
            return {}
        planes, cells = self.wanted
        back: dict[Spot, set[Spot]] = defaultdict(set)
        for push in self.pushes:
            for source, target in push.moves:
                back[target].add(source)
        return {cell: breadth_first(back, [(plane, cell) for plane in planes]) for cell in cells}

    @cached_property
    def pieces(self) -> tuple[Spot, ...]:
        """Where the wanted pieces stand at the start."""
        planes = self.wanted[0] if self.wanted is not None else frozenset()
        number = self.agent.transition.number
        board = [here for row in self.instance.level.board for here in row]
        spots = [(number[piece], cell) for cell, here in enumerate(board) for piece in here]
        return tuple(sorted(spot for spot in spots if spot[0] in planes))

    @cached_property
    def matching(self) -> tuple[int, Mapping[int, int]]:
        """(what it costs to bring each piece to a wanted cell of its own, the price of each such cell).

        FAR or more where that cannot be. The distance to a cell minus its price, at its least, is what a
        piece still costs at least: summed over pieces and prices it is never more than what is left, as
        prices are a solution of the dual problem (weak duality of linear programs).
        """
        rows = [[self.distances[cell].get(spot, FAR) for cell in self.distances] for spot in self.pieces]
        if not rows:
            return 0, dict.fromkeys(self.distances, 0)
        if len(rows) > len(self.distances):
            return FAR, dict.fromkeys(self.distances, 0)
        cost, prices = assignment(rows)
        return cost, dict(zip(self.distances, prices, strict=True))

    @cached_property
    def potential(self) -> dict[Spot, int]:
        """What each spot still costs at least, prices taken off; a spot that is not there is dead."""
        prices, found = self.matching[1], dict[Spot, int]()
        for cell, spots in self.distances.items():
            for spot, distance in spots.items():
                found[spot] = min(found.get(spot, FAR), distance - prices[cell])
        return found

    @cached_property
    def stride(self) -> int:
        """The numbers of pushes that can win differ by multiples of this: 2 on a chequered board, else 1.

        By parity: each push moves one piece to the other colour, and at the end every wanted cell is taken.
        """
        if self.wanted is None or len(self.pieces) != len(self.wanted[1]):
            return 1
        width = self.agent.transition.width

        def colour(cell: int) -> int:
            return (cell // width + cell % width) % 2

        crossing = all(
            len(push.moves) == 1
            and push.moves[0][0][0] in self.wanted[0]
            and colour(push.moves[0][0][1]) != colour(push.moves[0][1][1])
            for push in self.pushes
        )
        return 2 if crossing else 1


def reaches(instance: Instance, agent: Agent) -> dict[int, dict[int, int]]:
    """Of each plane whose pieces the goal wants on some ground: the cells, and the fewest moves from there.

    A piece on any other cell is lost. Empty where the goal does not say so of pieces that rules only move.
    """
    found: dict[int, dict[int, int]] = {}
    for term in instance.game.goal.terms:
        required: Any = getattr(term, "ground_required", lambda: None)()
        if required is None:
            continue
        relaxed = Relaxed(instance, agent, Objective("moves", "moves", required[0].name))
        if relaxed.wanted is None:
            continue
        for spots in relaxed.distances.values():
            for (plane, cell), moves in spots.items():
                cells = found.setdefault(plane, {})
                cells[cell] = min(cells.get(cell, FAR), moves)
    return found


def longest_way(instance: Instance, agent: Agent) -> int:
    """A lower bound of the turns: how many moves some piece has before it. FAR where it never gets there."""
    number, found = agent.transition.number, reaches(instance, agent)
    board = [here for row in instance.level.board for here in row]
    spots = [(number[piece], cell) for cell, here in enumerate(board) for piece in here]
    return max((found[plane].get(cell, FAR) for plane, cell in spots if plane in found), default=0)


def breadth_first(back: Mapping[Spot, set[Spot]], starts: Sequence[Spot]) -> dict[Spot, int]:
    """The distance from each spot to the nearest of `starts`, along edges that are given backwards."""
    found, front = dict.fromkeys(starts, 0), list(starts)
    while front:
        after = []
        for spot in front:
            for before in back.get(spot, ()):
                if before not in found:
                    found[before] = found[spot] + 1
                    after.append(before)
        front = after
    return found


def assignment(rows: Sequence[Sequence[int]]) -> tuple[int, list[int]]:
    """The least cost of giving each row a column of its own, and the price of each column (0 or less).

    The Hungarian method (Kuhn, 1955; Munkres, 1957) with potentials, row by row; no more rows than columns.
    """
    columns = len(rows[0])
    u, v = [0] * (len(rows) + 1), [0] * (columns + 1)
    row_of, way = [0] * (columns + 1), [0] * (columns + 1)
    for number in range(1, len(rows) + 1):
        row_of[0], at = number, 0
        least, used = [FAR * 4] * (columns + 1), [False] * (columns + 1)
        while row_of[at]:
            used[at] = True
            row, step, after = row_of[at], FAR * 4, 0
            for column in range(1, columns + 1):
                if not used[column]:
                    reduced = rows[row - 1][column - 1] - u[row] - v[column]
                    if reduced < least[column]:
                        least[column], way[column] = reduced, at
                    if least[column] < step:
                        step, after = least[column], column
            for column in range(columns + 1):
                if used[column]:
                    u[row_of[column]] += step
                    v[column] -= step
                else:
                    least[column] -= step
            at = after
        while at:
            row_of[at], at = row_of[way[at]], way[at]
    cost = sum(rows[row_of[c] - 1][c - 1] for c in range(1, columns + 1) if row_of[c])
    return cost, v[1:]
