"""The view from which what a subject does is said shortest: its frame, how far it looks, its symmetry."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ggp.learn.alike import in_all_facings, in_mixed_pairs, in_one_way
from ggp.learn.boards import Board, Token, Turn
from ggp.learn.frames import Frame, Offset, window
from ggp.learn.lists import RULE, Decisions, Table, Undecided, contradiction
from ggp.learn.program import CELL, Part, meaning, pointing
from ggp.learn.questions import Excluded, Row
from ggp.learn.structure import Structure
from ggp.learn.views import (
    PICK,
    QUARTERS,
    Change,
    Look,
    Outcome,
    Seen,
    View,
    mirrored,
    mirrored_look,
    turned_facing,
    turned_offset,
)
from ggp.model import DIRECTIONS, Cell

MOST_ROWS = 6_000  # different examples that one list is fitted to
SYMMETRY = 1.3  # how much longer a list may be that holds for mirrored (turned) examples too
FURTHER = 1  # windows tried beyond the first that tells all examples apart

Turner = Callable[[Row, Sequence[Offset]], Iterator[Row]]


class Example(NamedTuple):
    """A subject on a cell, and what it changed (sign, cell, token)."""

    turn: Turn
    board: Board  # with the mark of the input
    at: Cell
    token: Token | None
    changes: frozenset[tuple[str, Cell, Token]]


class Fit(NamedTuple):
    """A list and what it costs with its penalty for looking far."""

    decisions: Decisions
    cost: float
    rows: Sequence[Row]


def best_part(
    subject: str,
    examples: Sequence[Example],
    structure: Structure,
    shake: random.Random | None,
    limit: float = math.inf,
) -> list[Part] | None:
    """The parts that say what a subject does: one for all inputs, or one for those with a direction.

    None where no window tells the examples apart.
    """
    choices = []
    directed = frozenset(
        meaning(structure, e.turn.word) for e in examples if pointing(structure, e.turn.word)
    )
    if directed:
        split = by_words(subject, examples, structure, directed, shake, limit)
        if split is not None:
            choices.append(split)
            limit = min(limit, sum(part.decisions.cost for part in split))
    whole = best_view(subject, examples, structure, None, plain_frames(subject, structure), shake, limit)
    if whole is not None:
        choices.append([whole])
    if not choices:
        return None
    return min(choices, key=lambda parts: sum(part.decisions.cost for part in parts))


def by_words(
    subject: str,
    examples: Sequence[Example],
    structure: Structure,
    directed: frozenset[str],
    shake: random.Random | None,
    limit: float,
) -> list[Part] | None:
    """One part for the inputs with a direction, turned by it, and one for all others."""
    parts = []
    there = [e for e in examples if pointing(structure, e.turn.word)]
    rest = [e for e in examples if not pointing(structure, e.turn.word)]
    first = best_view(subject, there, structure, directed, [Frame("input")], shake, limit)
    if first is None:
        return None
    parts.append(first)
    words = frozenset(meaning(structure, e.turn.word) for e in rest)
    if rest:
        limit -= first.decisions.cost
        second = best_view(subject, rest, structure, words, plain_frames(subject, structure), shake, limit)
        if second is None:
            return None
        parts.append(second)
    return [replace_words(part, None) for part in parts] if not rest and directed == {""} else parts


def replace_words(part: Part, words: frozenset[str] | None) -> Part:
    """The part for other inputs."""
    return Part(part.subject, part.view, part.decisions, words, part.examples)


def plain_frames(subject: str, structure: Structure) -> list[Frame]:
    """The frames that do not depend on the input."""
    facings = {facing for name, facing in structure.facing.values() if name == subject}
    frames = [Frame("none")]
    if facings and subject not in (PICK, CELL):
        frames.insert(0, Frame("facing", mirrored=facings <= {"left", "right"}))
    return frames


def best_view(
    subject: str,
    examples: Sequence[Example],
    structure: Structure,
    words: frozenset[str] | None,
    frames: Sequence[Frame],
    shake: random.Random | None,
    most: float = math.inf,
) -> Part | None:
    """The part with the shortest list over some frames and their symmetries."""
    best: tuple[float, View, Fit] | None = None
    for frame in frames:
        view = View(frame, structure)
        for turner, slack in symmetries(frame):
            limit = min(most, best[0] / slack if best is not None else math.inf)
            fit = fitted(subject, view, examples, turner, shake, limit)
            if fit is None:
                continue
            if best is None or fit.cost * slack < best[0]:
                best = (fit.cost * slack, view, fit)
    if best is None:
        return None
    _, view, fit = best
    decisions = in_one_way(fit.decisions, fit.rows)
    if not view.frame.mirrored:
        facings = DIRECTIONS if view.frame.toward == "none" else QUARTERS
        decisions = in_all_facings(decisions, fit.rows, facings)
        decisions = in_mixed_pairs(decisions, fit.rows)
    return Part(subject, view, decisions, words, len(examples))


def symmetries(frame: Frame) -> Iterator[tuple[Turner, float]]:
    """Ways to make more examples of one, the most first, with how they count against one that makes fewer."""
    if frame.toward == "none":
        yield around, 1 / SYMMETRY**2
        yield sideways, 1 / SYMMETRY
    elif not frame.mirrored:
        yield in_the_mirror, 1 / SYMMETRY
    yield none, 1.0


def none(row: Row, offsets: Sequence[Offset]) -> Iterator[Row]:
    """The row alone."""
    yield row


def in_the_mirror(row: Row, offsets: Sequence[Offset]) -> Iterator[Row]:
    """The row, and its mirror image along the way ahead."""
    yield row
    place = {offset: index for index, offset in enumerate(offsets)}
    looks = tuple(mirrored_look(row.window[place[ahead, -side]]) for ahead, side in offsets)
    yield Row(looks, row.word, mirrored(row.outcome))


def sideways(row: Row, offsets: Sequence[Offset]) -> Iterator[Row]:
    """The row, and its image with left and right exchanged."""
    yield row
    yield turned_row(row, offsets, 0, True)


def around(row: Row, offsets: Sequence[Offset]) -> Iterator[Row]:
    """The row in all eight positions of a square."""
    for quarters in range(4):
        for flip in (False, True):
            yield turned_row(row, offsets, quarters, flip)


def turned_row(row: Row, offsets: Sequence[Offset], quarters: int, flip: bool) -> Row:
    """A row of a frame that is not turned, after quarter turns and, if so, an exchange of left and right."""

    def place(offset: Offset) -> Offset:
        right, down = turned_offset(offset, quarters)
        return (-right, down) if flip else (right, down)

    def facing(word: str) -> str:
        turned = turned_facing(word, quarters)
        return {"left": "right", "right": "left"}.get(turned, turned) if flip else turned

    def look(one: Look) -> Look:
        return None if one is None else frozenset(Seen(t.name, facing(t.facing)) for t in one)

    looks = {place(offset): look(row.window[index]) for index, offset in enumerate(offsets)}
    changes = (
        Change(c.sign, place(c.offset), Seen(c.thing.name, facing(c.thing.facing))) for c in row.outcome
    )
    word = facing(row.word) if row.word in DIRECTIONS else row.word
    return Row(tuple(looks[offset] for offset in offsets), word, tuple(sorted(changes)))


# --- windows ----------------------------------------------------------------------------------------------


def windows(patch: frozenset[Offset]) -> Iterator[list[Offset]]:
    """Windows from small to large, each with all that is ever changed, closed under turns and mirrors."""
    seen: set[frozenset[Offset]] = set()
    for radius, diamond in ((0, False), (1, True), (1, False), (2, True), (2, False), (3, True)):
        inside = {o for o in window(radius) if not diamond or abs(o[0]) + abs(o[1]) <= radius}
        offsets = frozenset(inside | patch)
        if offsets not in seen:
            seen.add(offsets)
            yield sorted(offsets, key=lambda o: (abs(o[0]) + abs(o[1]), -o[0], -o[1]))


def fitted(
    subject: str,
    view: View,
    examples: Sequence[Example],
    turner: Turner,
    shake: random.Random | None,
    limit: float = math.inf,
) -> Fit | None:
    """The shortest list in the first windows that tell all examples apart; None where none does."""
    outcomes = [outcome_seen(view, subject, example) for example in examples]
    patch = closed(frozenset(c.offset for outcome in outcomes for c in outcome), turner)
    best: Fit | None = None
    tried = 0
    for offsets in windows(patch):
        rows = rows_of(view, subject, examples, outcomes, offsets, turner)
        if rows is None:
            continue
        if RULE * (len({row.outcome for row in rows} - {()})) > limit:
            return best  # each outcome takes a decision at least
        excluded = Excluded(view.structure.exclusions(), view.structure.exclusions(perhaps=True))
        try:
            table = Table(rows, offsets, excluded, cells_only=subject == CELL, shake=shake)
            decisions = table.smallest(limit if best is None else best.cost)
        except Undecided:
            continue
        if decisions is not None and (best is None or decisions.cost < best.cost):
            best = Fit(decisions, decisions.cost, rows)
        tried += 1
        if tried > FURTHER:
            break
    return best


def closed(patch: frozenset[Offset], turner: Turner) -> frozenset[Offset]:
    """The offsets with all to which the symmetry takes them."""
    if turner is in_the_mirror:
        return patch | {(ahead, -side) for ahead, side in patch}
    if turner is sideways:
        return patch | {(-right, down) for right, down in patch}
    if turner is around:
        turned = {turned_offset(offset, n) for offset in patch for n in range(4)}
        return frozenset(turned | {(-right, down) for right, down in turned})
    return patch


def outcome_seen(view: View, subject: str, example: Example) -> Outcome:
    """What an example's subject changed, as it sees it."""
    direction = Part(subject, view, NOTHING).direction(example.token, example.turn.word)
    return tuple(
        sorted(
            Change(sign, view.frame.offset(example.at, cell, direction), view.seen(token, direction))
            for sign, cell, token in example.changes
        )
    )


NOTHING = Decisions((), (), 0.0)


def rows_of(
    view: View,
    subject: str,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    offsets: Sequence[Offset],
    turner: Turner,
) -> list[Row] | None:
    """The different rows; None where two of them look alike and end differently."""
    blank = Part(subject, view, NOTHING)
    found: Counter[Row] = Counter()
    for example, outcome in zip(examples, outcomes, strict=True):
        direction = blank.direction(example.token, example.turn.word)
        word = meaning(view.structure, example.turn.word)
        looks = view.window(example.board, example.at, direction, offsets)
        found[Row(looks, word, outcome)] += 1
    turned = Counter[Row]()
    for row, number in found.items():
        for one in dict.fromkeys(turner(row, offsets)):
            turned[one] += number
    if contradiction(turned) is not None:
        return None
    rows = sorted(turned, key=lambda row: (-turned[row], row.order()))
    return thinned(rows)


def thinned(rows: list[Row]) -> list[Row]:
    """At most so many rows; those in which something happens stay."""
    if len(rows) <= MOST_ROWS:
        return rows
    active = [row for row in rows if row.outcome]
    return active[:MOST_ROWS] + [row for row in rows if not row.outcome][: max(0, MOST_ROWS - len(active))]
