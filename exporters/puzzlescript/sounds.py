"""The section of sounds: cues for what a key sets off, and for a level that is won.

Only groups of `[[turn]]` are asked: what goes on by itself would sound all the time. What moves has one sound
for both ways in which texts move it: PuzzleScript's own movement, and taking it away to put it elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ggp.exporters.puzzlescript.cast import Cast
from ggp.model import Design
from ggp.transition.program import Change, Transition, passes_of

# The engine makes a sound of each number; its last two digits say what it is like.
WON, TAKEN, MADE, MOVED = 41683503, 17029900, 52761406, 36772507


def cues(cast: Cast, transition: Transition, design: Design | None) -> Iterator[str]:
    """The lines of the section, one for each sound of each kind."""
    yield f"EndLevel {WON}"
    changes: dict[str, list[Change]] = defaultdict(list)
    for step in passes_of(transition.turn):
        for change in (change for _, rules in step.subjects for rule in rules for change in rule.changes):
            plane = change.result if change.plane is None else change.plane
            if plane is not None:
                changes[transition.planes[plane].kind].append(change)
    for kind, planes in seen_kinds(cast, transition).items():
        placed = design is not None and kind in design.kinds
        for verb, sound in sounds_of(changes[kind], placed=placed):
            yield f"{cast.any_of(planes)} {verb} {sound}"


def seen_kinds(cast: Cast, transition: Transition) -> dict[str, frozenset[int]]:
    """The planes of each kind that is seen; not of the piece that the keys move, which has no sound."""
    planes: dict[str, set[int]] = defaultdict(set)
    for plane, piece in enumerate(transition.planes):
        if plane != cast.hero and not cast.kind(plane).marker:
            planes[piece.kind].add(plane)
    return {kind: frozenset(some) for kind, some in planes.items()}


def sounds_of(changes: list[Change], *, placed: bool) -> Iterator[tuple[str, int]]:
    """What is heard of a kind."""
    if any(one.plane is not None and one.result is not None and one.source != one.target for one in changes):
        yield from (("Move", MOVED), ("Create", MOVED))
        return
    if placed or any(one.result is not None for one in changes):
        yield "Create", MADE
    if placed or any(one.result is None for one in changes):
        yield "Destroy", TAKEN
