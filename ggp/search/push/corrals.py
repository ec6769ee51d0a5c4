"""The tables of `push.compiled.corrals`, for rules of a simple form: each push moves one piece."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from ggp.search.push.compiled.corrals import Pens
from ggp.search.push.compiled.match import Match
from ggp.search.push.grounding import PUSH, STEP, Effect, Grounded, Operator, Spot
from ggp.search.push.tables import Array, Goal, Layout, Operators, both
from ggp.transition.program import Transition


def pens_for(grounded: Grounded, layout: Layout, ops: Operators, goal: Goal, match: Match | None) -> Pens:
    """The tables; without operators where the rules or the goal are of another form."""
    if match is None or not fit(grounded, ops, goal):
        return room_for(layout.words, 0, 0)
    pens = room_for(layout.words, len(grounded.operators), len(grounded.cells))
    for cell, number in layout.number.items():
        row = layout.row((plane, cell) for plane in range(len(grounded.transition.planes)))
        if row.any():
            word = int(np.flatnonzero(row)[0])
            pens.cell_word[number], pens.cell_mask[number] = word, row[word]
    for number, operator in enumerate(grounded.operators):
        pens.bars[number] = layout.row(denied(operator))
        if operator.kind == PUSH:
            note_push(pens, number, operator, layout, match)
    note_steps(pens, ops, len(grounded.operators))
    return by_piece(pens, ops, layout.words)


def fit(grounded: Grounded, ops: Operators, goal: Goal) -> bool:
    """Do rules and goal have the form that pens need?

    Each push takes one piece that it asks for by itself, and puts it elsewhere; a step asks for room alone;
    of the operators of an input two are never possible at once; the goal is about the other pieces alone.
    """
    if not ops.step_target.size or goal.asks_at or goal.lose.base.size or goal.off.any():
        return False
    pushes = [operator for operator in grounded.operators if operator.kind == PUSH]
    if not all(map(moves_one, pushes)):
        return False
    tried = groupby(grounded.operators, lambda operator: (operator.cell, operator.action))
    return all(apart(list(operators), grounded.transition) for _, operators in tried)


def moves_one(operator: Operator) -> bool:
    """Does it move one piece, of which alone it asks that it is there?"""
    if len(operator.effects) != 1:
        return False
    source, target = operator.effects[0]
    wanted = [(ask.cell, ask.planes) for ask in operator.asks if ask.wanted]
    return source is not None and target is not None and wanted == [(source[1], (source[0],))]


def apart(tried: list[Operator], transition: Transition) -> bool:
    """Is no step or push of an input possible together with what is tried before it?"""
    return not any(
        both(operator, before) and both(before, operator) and not rivals(operator, before, transition)
        for number, operator in enumerate(tried)
        if operator.kind in (STEP, PUSH)
        for before in tried[:number]
    )


def rivals(one: Operator, other: Operator, transition: Transition) -> bool:
    """Do they take two pieces of which a cell holds one?"""
    if one.kind != PUSH or other.kind != PUSH:
        return False
    first, second = one.effects[0].source, other.effects[0].source
    if first is None or second is None or first[1] != second[1] or first[0] == second[0]:
        return False
    hard, _ = transition.shares[transition.layers[first[0]]]
    return second[0] in hard and first[0] not in transition.exempt


def denied(operator: Operator) -> set[Spot]:
    """The spots that must be clear for it."""
    return {(plane, ask.cell) for ask in operator.asks if not ask.wanted for plane in ask.planes}


def note_push(pens: Pens, number: int, operator: Operator, layout: Layout, match: Match) -> None:
    """Note what a push takes and where it puts it."""
    effect: Effect = operator.effects[0]
    assert effect.source is not None
    assert effect.target is not None
    word, bit = layout.place[effect.source]
    pens.take_word[number], pens.take_bit[number] = word, 1 << bit
    word, bit = layout.place[effect.target]
    pens.put_word[number], pens.put_bit[number] = word, 1 << bit
    pens.put_spot[number] = match.spot[word * 64 + bit]
    pens.put_cell[number] = layout.number.get(effect.target[1], -1)


def note_steps(pens: Pens, ops: Operators, operators: int) -> None:
    """Note for which pushes a step goes after the piece, with nothing in its way but the piece.

    What the step asks to be clear nothing may fill while the piece is there, so each push that puts something
    there must ask that the piece be away; nor may the push itself put the piece there, or where the agent
    stood.
    """
    inputs = (ops.first.size - 1) // len(pens.zone)
    pushes = np.flatnonzero(ops.kind[:operators] == PUSH)
    for number in pushes:
        steps = slice(ops.source[number] * inputs, (ops.source[number] + 1) * inputs)
        found = np.flatnonzero(ops.step_target[steps] == ops.target[number])
        if not found.size:
            continue
        word, mask = int(ops.step_word[steps][found[0]]), ops.step_mask[steps][found[0]]
        filling = pushes[(pens.put_word[pushes] == word) & ((pens.put_bit[pushes] & mask) != 0)]
        asked = pens.bars[filling, pens.take_word[number]] & pens.take_bit[number]
        back = pens.put_cell[number] != ops.source[number]  # he can step back to where he was
        pens.follows[number] = back and number not in filling and asked.all()
        pens.clear_word[number], pens.clear_mask[number] = word, mask


def by_piece(pens: Pens, ops: Operators, words: int) -> Pens:
    """With the pushes listed by the bit of the piece that they move."""
    lists: list[list[int]] = [[] for _ in range(words * 64)]
    for number in np.flatnonzero(ops.kind == PUSH).tolist():
        lists[int(pens.take_word[number]) * 64 + int(pens.take_bit[number]).bit_length() - 1].append(number)
    first = np.cumsum([0, *map(len, lists)])
    return pens._replace(by_first=first, by_operator=np.array(sum(lists, []), np.int64))


def room_for(words: int, operators: int, cells: int) -> Pens:
    """Empty tables."""

    def numbers(size: int) -> Array:
        return np.zeros(size, np.int64)

    def masks(size: int) -> Array:
        return np.zeros(size, np.uint64)

    return Pens(
        bars=np.zeros((operators, words), np.uint64),
        take_word=numbers(operators),
        take_bit=masks(operators),
        put_word=numbers(operators),
        put_bit=masks(operators),
        put_spot=numbers(operators),
        put_cell=numbers(operators),
        follows=np.zeros(operators, np.bool_),
        clear_word=numbers(operators),
        clear_mask=masks(operators),
        cell_word=numbers(cells),
        cell_mask=masks(cells),
        by_first=numbers(words * 64 + 1),
        by_operator=numbers(0),
        pen=masks(words),
        used=masks(words),
        zone=numbers(cells),
        known=numbers(cells),
        queue=numbers(cells),
        chosen=numbers(operators),
        marks=numbers(3),
    )


def with_own_room(pens: Pens) -> Pens:
    """The same tables with marks of their own: these are written to while pens are looked for."""
    own = ("pen", "used", "zone", "known", "queue", "chosen", "marks")
    return pens._replace(**{name: getattr(pens, name).copy() for name in own})
