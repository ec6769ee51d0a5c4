"""Rules in scan order: matches are found first, in an order of cells, and applied one after another.

This is the second way in which a game can say what a turn does; `ggp.model.rules` has the first, in which all
firings of a pass read the same state. Here a rule changes the board as it goes, and pieces do not move: rules
*mark* layers of cells with the way that what stands there is to go, and after the rules everything that is
marked moves where there is room. `ggp.referee.scanning` says what all of it means.

Pieces are named by their kinds, layers by their names; marks are `up`, `down`, `left`, `right`, and `action`,
which goes nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ggp.errors import Place

Mark = tuple[str, str]
"""A layer, and the way that what stands on it is to go."""

MARKS = ("up", "down", "left", "right", "action")


@dataclass(frozen=True, slots=True)
class ScanChange:
    """What a rule does to one cell, all at once: what is taken away goes first.

    `clear` are marks that go, `settle` layers that lose every mark; on a layer of `settle` a rigid rule
    leaves its own mark. `one_of`: one of these kinds, by chance, comes instead of what is on its layer;
    `any_way`: on these layers one of the four directions, by chance.
    """

    remove: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    clear: tuple[Mark, ...] = ()
    settle: tuple[str, ...] = ()
    mark: tuple[Mark, ...] = ()
    one_of: tuple[str, ...] = ()
    any_way: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanCell:
    """What a rule asks of one cell, and what it does there.

    All of `present`, none of `absent`, one at least of each tuple of `some`; all marks of `marked`, and no
    mark on the layers of `still`.
    """

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    some: tuple[tuple[str, ...], ...] = ()
    marked: tuple[Mark, ...] = ()
    still: tuple[str, ...] = ()
    change: ScanChange | None = None


ScanRow = tuple[ScanCell | None, ...]
"""Cells one after another in the rule's direction; None stands for any number of cells, also for none."""


@dataclass(frozen=True, slots=True)
class ScanRule:
    """Rows that must all be found somewhere, and commands that are given wherever they are.

    A rule that changes nothing (`changes` is False) gives its commands and does not count as applied.
    """

    direction: str
    rows: tuple[ScanRow, ...]
    commands: tuple[str, ...] = ()
    changes: bool = True
    rigid: bool = False
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ScanGroup:
    """Rules that are tried in turn until none of them changes anything; with `random` one of all matches."""

    rules: tuple[ScanRule, ...]
    random: bool = False
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ScanStage:
    """Groups one after another. `loops`: (first, last) groups that are gone through again after a change."""

    groups: tuple[ScanGroup, ...] = ()
    loops: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Crowd:
    """Kinds that a condition speaks of: a cell holds it with one of them, or (`together`) with all."""

    kinds: tuple[str, ...]
    together: bool = False


@dataclass(frozen=True, slots=True)
class ScanGoal:
    """`every`, `some` or `no` cell with `what` also holds `ground` (None: whatever it holds)."""

    quantifier: Literal["every", "some", "no"]
    what: Crowd
    ground: Crowd | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a turn does: the input marks the player, `early` rules, what is marked moves, `late` rules.

    `layers` are in the order in which what is marked moves. `goals` hold at the end of a turn that wins;
    where there are none, only a rule's command does. `at_start`: the rules run once, without input, before
    the first turn. `must_move`: a turn in which no player leaves its cell is undone. `ticks`: time goes on
    without the player, and a tick is an input. `undo` and `restart`: the player may. `seed`: what chance
    begins with, so that the same inputs lead to the same end. `said`: the rules as a description says them,
    None where it is another file that does.
    """

    layers: tuple[str, ...]
    player: Crowd
    early: ScanStage
    late: ScanStage
    goals: tuple[ScanGoal, ...] = ()
    at_start: bool = False
    must_move: bool = False
    ticks: bool = False
    undo: bool = True
    restart: bool = True
    seed: str = "1"
    said: str | None = field(default=None, compare=False)
    place: Place | None = field(default=None, compare=False)

    @property
    def groups(self) -> tuple[ScanGroup, ...]:
        """Of both stages."""
        return (*self.early.groups, *self.late.groups)

    @property
    def rules(self) -> tuple[ScanRule, ...]:
        """Of both stages."""
        return tuple(rule for group in self.groups for rule in group.rules)
