"""Symmetries: images of an example that must end as the example did, turned or mirrored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.views import Change, Look, Outcome, Seen
from ggp.model import DIRECTIONS

SLACK = 1.3  # how much longer a list may be that holds for mirrored (turned) examples too
SIDES = {"rightward": "leftward", "leftward": "rightward"}
FLIP = {"left": "right", "right": "left"}


class Image(NamedTuple):
    """Where an image has each cell, and how it calls each facing."""

    place: Callable[[Offset], Offset]
    facing: Callable[[str], str]

    def look(self, look: Look) -> Look:
        """What is seen in a cell, in the image."""
        return None if look is None else frozenset(Seen(one.name, self.facing(one.facing)) for one in look)

    def outcome(self, outcome: Outcome) -> Outcome:
        """What happens, in the image."""
        changes = (
            Change(c.sign, self.place(c.offset), Seen(c.thing.name, self.facing(c.thing.facing)))
            for c in outcome
        )
        return tuple(sorted(changes))

    def word(self, word: str) -> str:
        """The input, in the image."""
        return self.facing(word) if word in DIRECTIONS else word


Symmetry = tuple[Image, ...]
"""All images of an example, itself among them."""


def aside(offset: Offset) -> Offset:
    """A cell in a mirror along the way ahead."""
    return offset[0], -offset[1]


def turned_offset(offset: Offset, quarters: int, flip: bool) -> Offset:
    """An offset (right, down) after quarter turns clockwise and, if so, an exchange of left and right."""
    right, down = offset
    for _ in range(quarters):
        right, down = -down, right
    return (-right, down) if flip else (right, down)


def turned_facing(facing: str, quarters: int, flip: bool) -> str:
    """A direction after quarter turns clockwise and, if so, an exchange of left and right."""
    if facing not in DIRECTIONS:
        return facing
    turned = DIRECTIONS[(DIRECTIONS.index(facing) + quarters) % 4]
    return FLIP.get(turned, turned) if flip else turned


def turn(quarters: int, *, flip: bool) -> Image:
    """The image after quarter turns and, if so, an exchange of left and right."""
    return Image(
        partial(turned_offset, quarters=quarters, flip=flip),
        partial(turned_facing, quarters=quarters, flip=flip),
    )


ITSELF = turn(0, flip=False)
NONE: Symmetry = (ITSELF,)
MIRROR: Symmetry = (ITSELF, Image(aside, lambda facing: SIDES.get(facing, facing)))
SIDEWAYS: Symmetry = (ITSELF, turn(0, flip=True))
AROUND: Symmetry = tuple(turn(quarters, flip=flip) for quarters in range(4) for flip in (False, True))


def symmetries(frame: Frame) -> Iterator[tuple[Symmetry, float]]:
    """The symmetries that a frame may have, the largest first, and how each counts against a smaller one."""
    if frame.toward == "none":
        yield AROUND, 1 / SLACK**2
        yield SIDEWAYS, 1 / SLACK
    elif not frame.mirrored:
        yield MIRROR, 1 / SLACK
    yield NONE, 1.0


def closed(patch: frozenset[Offset], symmetry: Symmetry) -> frozenset[Offset]:
    """The offsets with all to which the symmetry takes them."""
    return frozenset(image.place(offset) for offset in patch for image in symmetry)
