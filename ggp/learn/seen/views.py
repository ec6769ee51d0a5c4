"""What stands around an anchor, as seen from it: tokens and cells named relative to where it looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ggp.learn.boards import Board, Stack, Token
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.model import DIRECTIONS, Cell

QUARTERS = ("ahead", "rightward", "behind", "leftward")
PICK = "picked"  # the name of the mark that stands where an input points
OWN = "own"  # the facing or value of the anchor itself, whichever it has; "own+1": a value that is one more


class Seen(NamedTuple):
    """A thing and its facing, both as seen by the anchor, or its value; plain things have the facing "".

    In what happens to the anchor itself it may be `OWN`: it goes from there, whatever it faces.
    """

    name: str
    facing: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.facing}" if self.facing else self.name


class Change(NamedTuple):
    """Something comes (`+`) or goes (`-`) at an offset from the anchor."""

    sign: str
    offset: Offset
    thing: Seen


def more_than_own(thing: Seen) -> int | None:
    """By how much its value is more than that of the anchor; None where it is not told so."""
    return int(thing.facing[len(OWN) :]) if thing.facing.startswith((f"{OWN}+", f"{OWN}-")) else None


Outcome = tuple[Change, ...]
"""Sorted; empty: nothing happens."""

Look = frozenset[Seen] | None
"""What is seen in one cell; None outside the board."""


@dataclass(frozen=True)
class View:
    """A frame with the structure that says which tokens turn with it.

    `own`: the name of anchors of which it is not told what they face, or which value they have, where they
    go; and, if it `keeps`, where they come to with the same. If it `counts`, what comes with another value is
    told by how much more that is.
    """

    frame: Frame
    structure: Structure
    own: str = ""
    keeps: bool = False
    counts: bool = False

    def seen(self, token: Token, direction: str | None) -> Seen:
        """A token as the anchor sees it."""
        if token not in self.structure.facing:
            return Seen(token)
        family, facing = self.structure.facing[token]
        return Seen(family, self.facing_seen(facing, direction))

    def facing_seen(self, facing: str, direction: str | None) -> str:
        """A direction as the anchor sees it."""
        if self.frame.toward == "none" or direction is None or facing not in DIRECTIONS:
            return facing
        return self.frame.turned(facing, direction)

    def changed(self, sign: str, token: Token, direction: str | None, own: Token | None) -> Seen:
        """What comes or goes, as the anchor sees it. `own`: the anchor, if it is that which stood there."""
        if self.own and own is not None and self.structure.name(token) == self.own:
            if token == own and (self.keeps or sign == "-"):
                return Seen(self.own, OWN)
            if self.counts and sign == "+":
                value, before = (int(self.structure.facing[one][1]) for one in (token, own))
                return Seen(self.own, f"{OWN}{value - before:+d}")
        return self.seen(token, direction)

    def token(self, thing: Seen, direction: str | None, own: Token | None = None) -> Token | None:
        """The token that something seen stands for; None where none was ever seen. `own`: the anchor."""
        if not thing.facing:
            return thing.name
        if thing.facing == OWN:
            return own
        more = more_than_own(thing)
        facing = self.facing_meant(thing.facing, direction)
        if more is not None and own is not None:
            facing = str(int(self.structure.facing[own][1]) + more)
        wanted = (thing.name, facing)
        return next((t for t, known in self.structure.facing.items() if known == wanted), None)

    @staticmethod
    def facing_meant(facing: str, direction: str | None) -> str:
        """The direction that a relative facing stands for."""
        if facing not in QUARTERS or direction is None:
            return facing
        return DIRECTIONS[(DIRECTIONS.index(direction) + QUARTERS.index(facing)) % 4]

    def window(
        self, board: Board, at: Cell, direction: str | None, offsets: Iterable[Offset]
    ) -> tuple[Look, ...]:
        """What is seen at some offsets."""
        found: list[Look] = []
        for offset in offsets:
            stack = self.structure.at(board, self.frame.cell(at, offset, direction))
            found.append(None if stack is None else self.look(stack, direction))
        return tuple(found)

    def stacks(self, board: Board, at: Cell, steps: Iterable[Cell]) -> tuple[Stack | None, ...]:
        """What stands so many rows and columns from a cell."""
        (row, column), (height, width, cells) = at, board
        if self.structure.joined:
            return tuple(
                [cells[(row + down) % height * width + (column + right) % width] for down, right in steps]
            )
        return tuple(
            [
                cells[(row + down) * width + column + right]
                if 0 <= row + down < height and 0 <= column + right < width
                else None
                for down, right in steps
            ]
        )

    @cached_property
    def known(self) -> dict[tuple[Stack, str | None], frozenset[Seen]]:
        """What stacks look like that were looked at so far."""
        return {}

    def look(self, stack: Stack, direction: str | None) -> frozenset[Seen]:
        """What stands in one cell, as the anchor sees it."""
        key = stack, direction
        if key not in self.known:
            self.known[key] = frozenset(self.seen(token, direction) for token in stack)
        return self.known[key]

    def apply(
        self, outcome: Outcome, at: Cell, direction: str | None, own: Token | None = None
    ) -> Iterable[tuple[str, Cell, Token | None]]:
        """What an outcome changes, in cells and tokens of the board. `own`: the anchor."""
        key = outcome, direction, own
        if key not in self.made:
            self.made[key] = [
                (
                    change.sign,
                    self.frame.cell((0, 0), change.offset, direction),
                    self.token(change.thing, direction, own),
                )
                for change in outcome
            ]
        row, column = at
        return [(sign, (row + down, column + right), token) for sign, (down, right), token in self.made[key]]

    @cached_property
    def made(
        self,
    ) -> dict[tuple[Outcome, str | None, Token | None], list[tuple[str, Cell, Token | None]]]:
        """What outcomes change around an anchor, of those that were asked for so far."""
        return {}
