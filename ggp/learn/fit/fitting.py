"""The view from which what a subject does is said shortest: its frame, how far it looks, its symmetry."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ggp.learn.boards import word_of
from ggp.learn.fit.alike import in_all_facings, in_mixed_pairs, in_one_way
from ggp.learn.fit.company import in_company
from ggp.learn.fit.lists import RULE, Decisions, Table, Undecided
from ggp.learn.fit.memory import replayed
from ggp.learn.fit.program import CELL, Part, meaning, pointing
from ggp.learn.fit.questions import Excluded
from ggp.learn.fit.sample import Sample
from ggp.learn.fit.sights import Example, Sights, view_for
from ggp.learn.seen.frames import Frame, Offset, window
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.symmetry import Symmetry, closed, symmetries
from ggp.learn.seen.views import PICK, QUARTERS, View
from ggp.model import DIRECTIONS

AMENDED = 6  # lists that are tried where not all rows are looked at
FURTHER = 1  # windows tried beyond the first that tells all examples apart


class Fit(NamedTuple):
    """A list, what it costs, and the rows that it was found for."""

    decisions: Decisions
    cost: float
    sample: Sample


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


def least_cost(subject: str, examples: Sequence[Example], structure: Structure) -> float:
    """What the parts of a subject cost at least, in the frame in which the fewest different things happen."""
    busy = [example for example in examples if example.changes]
    directed = [example for example in busy if pointing(structure, example.turn.word)]
    words = frozenset(meaning(structure, example.turn.word) for example in directed)
    frames = [(frame, busy) for frame in plain_frames(subject, structure)]
    frames += [(frame, directed) for frame in sent_frames(words) if directed]
    views = [(view_for(subject, frame, structure, some), some) for frame, some in frames]
    return RULE * min(len({example.seen(subject, view)[1] for example in some}) for view, some in views)


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
    first = best_view(subject, there, structure, directed, sent_frames(directed), shake, limit)
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
    if not rest and all(word_of(e.turn.word or "").cell is not None for e in there):
        return [replace_words(part, None) for part in parts]
    return parts


def replace_words(part: Part, words: frozenset[str] | None) -> Part:
    """The part for other inputs."""
    return Part(part.subject, part.view, part.decisions, words, part.examples)


def sent_frames(directed: frozenset[str]) -> list[Frame]:
    """The frames for inputs with a direction; where these are left and right, up and down may stay."""
    turned = [Frame("input")]
    return [Frame("input", mirrored=True), *turned] if directed <= {"left", "right"} else turned


def plain_frames(subject: str, structure: Structure) -> list[Frame]:
    """The frames that do not depend on the input."""
    facings = {way for name, way in structure.facing.values() if name == subject and way in DIRECTIONS}
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
        view = view_for(subject, frame, structure, examples)
        sights = Sights(subject, view, examples)
        for symmetry, slack in symmetries(frame):
            limit = min(most, best[0] / slack if best is not None else math.inf)
            fit = fitted(subject, sights, symmetry, shake, limit)
            if fit is None:
                continue
            if best is None or fit.cost * slack < best[0]:
                best = (fit.cost * slack, view, fit)
    if best is None:
        return None
    _, view, fit = best
    rows = fit.sample.rows()
    decisions = in_company(in_one_way(fit.decisions, rows), rows)
    if not view.frame.mirrored:
        facings = DIRECTIONS if view.frame.toward == "none" else QUARTERS
        decisions = in_all_facings(decisions, rows, facings)
        decisions = in_mixed_pairs(decisions, rows)
    return Part(subject, view, decisions, words, len(examples))


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


def with_ways(patch: frozenset[Offset]) -> frozenset[Offset]:
    """The cells, and those that lie between the anchor and one of them along a line.

    Of crates that are pushed in twos the second one comes and goes at once in its cell, which so seems
    unchanged: a window of all that changes would look past it.
    """
    between = {
        (ahead // far * step, side // far * step)
        for ahead, side in patch
        if 0 in (ahead, side)
        for far in (max(abs(ahead), abs(side)),)
        for step in range(1, far)
    }
    return patch | between


def listed(
    subject: str, sample: Sample, structure: Structure, shake: random.Random | None, limit: float
) -> Fit | None:
    """The shortest list that gets nothing wrong in a window; None where it costs more than `limit`.

    Several ways of learning ask for the same lists, so they are searched for once. Raises Undecided.
    """
    search = partial(searched, subject == CELL, sample, structure, shake, limit)
    if shake is None:
        excluded = structure.apart, structure.perhaps, structure.names
        found = replayed((listed, sample.content(), excluded, subject == CELL, limit), search)
    else:
        found = search()
    if found is None:
        raise Undecided
    decisions, sample.taken = found
    return None if decisions is None else Fit(decisions, decisions.cost, sample)


def searched(
    cells_only: bool, sample: Sample, structure: Structure, shake: random.Random | None, limit: float
) -> tuple[Decisions | None, Any] | None:
    """The shortest list (None where it costs more) and the rows that it took; None where nothing tells."""
    excluded = Excluded(structure.exclusions(), structure.exclusions(perhaps=True))
    offsets = tuple(sample.place)
    for _ in range(AMENDED):
        table = Table(sample.told(), offsets, excluded, cells_only=cells_only, shake=shake)
        try:
            decisions = table.smallest(limit)
        except Undecided:
            return None
        if decisions is None or not sample.amended(decisions):
            break
    return decisions, sample.taken


def fitted(
    subject: str,
    sights: Sights,
    symmetry: Symmetry,
    shake: random.Random | None,
    limit: float = math.inf,
) -> Fit | None:
    """The shortest list in the first windows that tell all examples apart; None where none does."""
    structure = sights.view.structure
    best: Fit | None = None
    tried = 0
    for offsets in windows(closed(with_ways(sights.patch), symmetry)):
        sample = sights.sample(offsets, symmetry)
        if sample is None:
            continue
        if best is not None and not sample.whole:
            break  # not all rows are looked at here, so a list is easily shorter than where they are
        if RULE * sample.deeds > limit:
            return best  # each outcome takes a decision at least
        try:
            found = listed(subject, sample, structure, shake, limit if best is None else best.cost)
        except Undecided:
            continue
        if found is not None and (best is None or found.cost < best.cost):
            best = found
        tried += 1
        if tried > FURTHER:
            break
    return best
