"""What was found out about a puzzle as text and JSON data: `ggp solve --unique` and `ggp hint`.

Rows, columns and regions are counted from 0, and a piece that is placed is written as in plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ggp.explain.clues import Clue, clue_words
from ggp.explain.conflict import Conflict
from ggp.explain.hints import Forced, Hint, Mistakes, Reasons
from ggp.explain.obstacles import Obstacles
from ggp.explain.opened import Placed
from ggp.explain.unique import Differences, Uniqueness
from ggp.explain.words import (
    ITEMS,
    cell_words,
    clipped,
    fact_words,
    listing,
    piece_words,
    rule_words,
    rules_lines,
)
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.result import to_json
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import piece_text, plan_line, plan_to_json


def board(instance: Instance, plan: Plan, marked: Collection[Cell], *, colour: bool) -> Any:
    """The board with a plan placed; on a terminal some cells are marked."""
    from ggp.render import terminal

    state = initial_state(instance, plan.design, partial=True)
    if not colour:
        return terminal.plain(instance, state)
    drawn = terminal.text(instance, state, marked=marked)
    drawn.rstrip()
    return drawn


def board_legend(instance: Instance, plan: Plan, *, colour: bool) -> Iterator[str]:
    """What the characters of that board stand for where the game has no symbol."""
    from ggp.render import terminal

    state = initial_state(instance, plan.design, partial=True)
    return terminal.legend_lines(instance, (state,), colour=colour)


# --- ggp solve --unique ---------------------------------------------------------------------------------


def unique_text(instance: Instance, found: Uniqueness, *, colour: bool) -> Iterator[Any]:
    """What `ggp solve --unique` prints."""
    head = ", ".join([found.result.level, *found.result.asked(), found.result.solver])
    words = {"unique": "one answer, and no other", "several": "more than one answer", "none": "no answer"}
    known = words.get(found.answers, f"not known ({found.result.stop})")
    by = f" by {', '.join(found.result.vouched)}" if found.result.vouched else ""
    yield f"{head}: {known}{f', proof {found.result.proof}{by}' if found.result.proof else ''}"
    if found.result.note:
        yield found.result.note
    placing = instance.game.design is not None
    for plan in found.plans:
        if placing:
            yield board(instance, plan, [cell for cell, _, _ in found.differ], colour=colour)
            yield from board_legend(instance, plan, colour=colour)
        if plan.actions:
            yield f"plan: {' '.join(plan.actions)}"
        if len(found.plans) > 1 and plan is not found.plans[-1]:
            yield ""
    if found.differ:
        yield f"they differ in {len(found.differ)} cells: {either(instance, found.differ)}"
    if found.conflict is not None:
        yield from conflict_text(instance, found.conflict)
    if found.obstacles is not None:
        yield from obstacles_text(instance, found.obstacles, colour=colour)


def obstacles_text(instance: Instance, found: Obstacles, *, colour: bool) -> Iterator[Any]:
    """What stands in the way, drawn where there is colour, and how it is won without."""
    first, *others = found.sets
    if others:
        each = listing((clue_words(instance, one) for (one,) in found.sets), ITEMS)
        yield f"it can be won without any one of these: {each}"
    else:
        pieces = listing((clue_words(instance, one) for one in first), ITEMS)
        which = "" if len(first) == 1 else " (no fewer do)" if found.proved else " (none of them can stay)"
        yield f"it can be won without {pieces}{which}"
    if colour:
        yield board(instance, Plan(), [clue.cell for one in found.sets for clue in one], colour=True)
    gone = listing(clue_words(instance, one) for one in first)
    yield f"plan without {gone}: {plan_line(instance, found.plan)}"


def conflict_text(instance: Instance, conflict: Conflict) -> Iterator[str]:
    """Which clues contradict each other, and under which rules; long lists are cut short."""
    which = "the fewest clues that do" if conflict.proved else "none of them can be left out"
    if len(conflict.clues) == 1:
        yield f"{clue_words(instance, conflict.clues[0])} by itself contradicts the rules"
    elif conflict.clues:
        clues = listing((clue_words(instance, clue) for clue in conflict.clues), ITEMS)
        yield f"{clues} contradict each other ({which})"
    else:
        yield "the board has no answer without its clues either, so none can be named; what clashes:"
    yield from (f"  {line}" for line in clipped(rules_lines(instance, conflict.rules)))


def either(instance: Instance, differ: Differences) -> str:
    """What two answers have on the cells on which they differ."""
    cells = [
        f"{cell_words(cell)}: {piece_words(instance, one)} or {piece_words(instance, other)}"
        for cell, one, other in differ
    ]
    return "; ".join(clipped(cells, ITEMS))


def unique_json(instance: Instance, found: Uniqueness) -> dict[str, Any]:
    """What `ggp solve --unique --json` prints: the usual answer, and what it says about uniqueness."""
    conflict = found.conflict
    return {
        **to_json(found.result, [plan_to_json(instance, plan) for plan in found.plans]),
        "answers": found.answers,
        "differ": [
            [*cell, piece_json(instance, one), piece_json(instance, other)]
            for cell, one, other in found.differ
        ],
        "conflict": None
        if conflict is None
        else {
            "clues": [clue_json(instance, clue) for clue in conflict.clues],
            "rules": [rule_words(instance, rule) for rule in conflict.rules],
            "smallest": conflict.proved,
        },
        "obstacles": None
        if found.obstacles is None
        else {
            "sets": [[clue_json(instance, clue) for clue in one] for one in found.obstacles.sets],
            "smallest": found.obstacles.proved,
            "plan": plan_to_json(instance, found.obstacles.plan),
        },
    }


def clue_json(instance: Instance, clue: Clue) -> dict[str, Any]:
    """A clue as JSON data."""
    if clue.piece is not None:
        return {"cell": list(clue.cell), "piece": piece_json(instance, clue.piece)}
    name, number = clue.region
    return {"regions": name, "number": number, "told": list(dict(instance.level.clues)[name][number] or ())}


# --- ggp hint -------------------------------------------------------------------------------------------


def hint_text(instance: Instance, placed: Mapping[Cell, Piece], hint: Hint, *, colour: bool) -> Iterator[Any]:
    """What `ggp hint` prints."""
    if hint.mistakes is not None:
        yield from mistakes_text(instance, placed, hint.mistakes)
    elif hint.forced is not None:
        yield from forced_text(instance, hint.forced)
    elif hint.done:
        yield "it is solved"
    else:
        first, second = hint.answers
        differ = tuple((cell, first[cell], second[cell]) for cell in first if first[cell] != second[cell])
        yield "nothing is forced: from here there is more than one answer"
        yield f"such as: {either(instance, differ)}"
    if hint.forced is not None and colour:
        marked = [hint.forced.cell, *hint.forced.reasons.facts]
        yield board(instance, Plan(tuple(sorted(placed.items()))), marked, colour=colour)


def forced_text(instance: Instance, forced: Forced) -> Iterator[str]:
    """Which cell takes what, how one sees it, and from what."""
    row, column = forced.cell
    what = piece_words(instance, forced.piece)
    yield f"row {row}, column {column} (from 0) takes {what}"
    others = f"nothing but {what}" if forced.piece is not None else "nothing at all"
    steps = "each by itself" if forced.rounds == 1 else f"one after another, {forced.rounds} times"
    how = {
        "rules": f"the rules, looked at {steps}, leave {others} there:",
        "subsets": f"the rules, taken together for a few cells at a time, leave {others} there:",
        "assumption": "assume anything else there, and the rules contradict each other:",
        "all answers": f"no answer has anything else there; to see it takes trying out ({others} fits):",
    }
    yield how[forced.way]
    yield from reasons_text(instance, forced.reasons)


def reasons_text(instance: Instance, reasons: Reasons) -> Iterator[str]:
    """The facts and the rules, and whether there are fewer."""
    if reasons.facts:
        facts = (fact_words(instance, cell, piece) for cell, piece in reasons.facts.items())
        yield f"  {listing(facts, ITEMS)}"
    yield from (f"  {line}" for line in clipped(rules_lines(instance, reasons.rules)))
    yield f"  ({'no fewer reasons do' if reasons.proved else 'none of these reasons can be left out'})"


def mistakes_text(instance: Instance, placed: Mapping[Cell, Piece], mistakes: Mistakes) -> Iterator[str]:
    """What is wrong, what stands there in the answer, and why it cannot be."""
    if not mistakes.cells:
        yield "this level has no answer, whatever is filled in: see `ggp solve --unique`"
    elif mistakes.answers:
        lines = []
        for cell in mistakes.cells:
            answer = mistakes.answers[cell]
            there = "nothing stands there" if answer is None else f"it is {piece_words(instance, answer)}"
            lines.append(f"{fact_words(instance, cell, placed[cell])} is a mistake: {there}")
        yield from clipped(lines)
    else:
        together = listing((fact_words(instance, cell, placed[cell]) for cell in mistakes.cells), ITEMS)
        wrong = "is a mistake" if len(mistakes.cells) == 1 else "cannot all be right"
        yield f"{together} {wrong}: no answer has that"
    yield "these contradict each other:"
    yield from reasons_text(instance, mistakes.reasons)


def hint_json(instance: Instance, hint: Hint) -> dict[str, Any]:
    """What `ggp hint --json` prints."""
    forced, mistakes = hint.forced, hint.mistakes
    kind = "mistakes" if mistakes else "forced" if forced else "done" if hint.done else "open"
    return {
        "level": instance.name,
        "hint": kind,
        "forced": None
        if forced is None
        else {
            "cell": list(forced.cell),
            "piece": piece_json(instance, forced.piece),
            "way": forced.way,
            "rounds": forced.rounds,
            "reasons": reasons_json(instance, forced.reasons),
        },
        "mistakes": None
        if mistakes is None
        else {
            "cells": [list(cell) for cell in mistakes.cells],
            "answers": placed_json(instance, mistakes.answers),
            "reasons": reasons_json(instance, mistakes.reasons),
        },
        "answers": [placed_json(instance, answer) for answer in hint.answers],
    }


def reasons_json(instance: Instance, reasons: Reasons) -> dict[str, Any]:
    """Reasons as JSON data."""
    return {
        "facts": placed_json(instance, reasons.facts),
        "rules": [rule_words(instance, rule) for rule in reasons.rules],
        "smallest": reasons.proved,
    }


def placed_json(instance: Instance, placed: Placed) -> list[list[Any]]:
    """[row, column, piece] of each cell, as in plans; null where nothing stands."""
    return [[*cell, piece_json(instance, piece)] for cell, piece in sorted(placed.items())]


def piece_json(instance: Instance, piece: Piece | None) -> str | None:
    """A piece as plans write it: what is placed by its value alone; all else with its kind."""
    if piece is None:
        return None
    design = instance.game.design
    return piece_text(instance, piece) if design is not None and piece.kind in design.kinds else str(piece)
