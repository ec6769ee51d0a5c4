"""States, actions, and the small questions that everything asks of an instance: sizes, numbers, classes."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ggp.errors import DescriptionError
from ggp.model import (
    DIRECTIONS,
    NEAR,
    RELATIVE,
    Amount,
    Cell,
    Condition,
    Game,
    Instance,
    Kind,
    Level,
    Nearby,
    Path,
    Pattern,
    Piece,
    Rule,
    Value,
)

COMPARE: Mapping[str, Callable[[int, int], bool]] = MappingProxyType(
    {"=": operator.eq, "<=": operator.le, ">=": operator.ge}
)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a state holds beside its board, in games whose rules are in scan order.

    `won`: the last turn won the level. `checkpoint`: the board to which a restart leads, if it is not the
    first one. `chance`: where the generator of chance stands, if there is any chance.
    """

    won: bool = False
    checkpoint: tuple[frozenset[Piece], ...] | None = None
    chance: bytes | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What stands where, and whose turn it is. `board` is row-major, a set of pieces per cell.

    `lays`: when chance has yet to lay something, the earliest such time of `ggp.model.Scatter`.
    """

    board: tuple[frozenset[Piece], ...]
    mover: int = 0
    beside: Beside | None = None
    lays: Literal["", "start", "first-turn"] = ""


class Action(NamedTuple):
    """An input: a direction, a verb, a pick of a cell (with a direction or not), or `wait`.

    Where several players move at the same time it is the input of the first, and `others` are those of all
    others, in their order: such a joint input is written `up+wait`.
    """

    verb: str
    cell: Cell | None = None
    direction: str | None = None
    others: tuple[Action, ...] = ()

    @property
    def each(self) -> tuple[Action, ...]:
        """The input of each player who moves now."""
        return (self._replace(others=()), *self.others)

    def __str__(self) -> str:
        if self.others:
            return "+".join(map(str, self.each))
        if self.cell is None:
            return self.verb
        where = f"{self.verb}({self.cell[0]},{self.cell[1]}"
        return f"{where},{self.direction})" if self.direction else f"{where})"

    @property
    def toward(self) -> str | None:
        """The direction that the input has: of the move, or of the pick."""
        return self.verb if self.verb in DIRECTIONS else self.direction


def height(instance: Instance) -> int:
    """The number of rows."""
    return len(instance.level.board)


def width(instance: Instance) -> int:
    """The number of columns."""
    return len(instance.level.board[0])


def cells(instance: Instance) -> Iterator[Cell]:
    """Every cell in reading order."""
    return ((row, column) for row in range(height(instance)) for column in range(width(instance)))


def amount(instance: Instance, value: Amount) -> int:
    """A number, the level's number of that name, or sums and products of such (`width + 2 * height`).

    Raises DescriptionError if the level has no such number.
    """
    if isinstance(value, int):
        return value
    summands = (summand.split("*") for summand in value.split("+"))
    return sum(prod(number_of(instance, factor.strip()) for factor in summand) for summand in summands)


def number_of(instance: Instance, value: str) -> int:
    """A numeral, or the level's number of that name; raises DescriptionError if the level has none."""
    if re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    sides = {"height": height(instance), "width": width(instance)}
    longest = max(sides.values())
    sizes = {**sides, "longest": longest, "horizon": instance.level.horizon}
    number = dict(instance.level.numbers).get(value, sizes.get(value))
    if number is None and value == "highest":
        number = max(longest, *values_on(instance.level))
    if number is None:
        raise DescriptionError(
            f"level {instance.level.name} gives no number `{value}`",
            f"add `{value} = ...` to the level",
            instance.level.place,
        )
    return number


def values_on(level: Level) -> Iterator[int]:
    """The values of what stands on a level's map, and 0."""
    yield 0
    for row in level.board:
        for here in row:
            for piece in here:
                if isinstance(piece.variant, int):
                    yield piece.variant


def variants(instance: Instance, kind: Kind) -> tuple[str | int | None, ...]:
    """The facings or values that a kind can have in this instance; (None,) for a plain kind."""
    if kind.values is not None:
        low, high = (amount(instance, bound) for bound in kind.values)
        return tuple(range(low, high + 1))
    return kind.facings or (None,)


def kinds_of(game: Game, name: str, direction: str | None = None) -> tuple[str, ...]:
    """The kinds that a kind's or class's name stands for, turned to `direction`, in order of declaration.

    Classes may hold classes. Raises DescriptionError for an unknown name.
    """
    known: tuple[str, ...] | None = game.kept.get((name, direction))
    if known is None:
        known = game.kept[name, direction] = kinds_named(game, name, direction)
    return known


def single(kinds: Collection[Kind]) -> bool:
    """Is there one such piece in a cell at most: one layer, on which nothing merges?"""
    return len({kind.layer for kind in kinds}) == 1 and not any(kind.merge or kind.marker for kind in kinds)


def kinds_named(game: Game, name: str, direction: str | None) -> tuple[str, ...]:
    """The same, looked up in the classes."""
    kinds = {kind.name for kind in game.kinds}
    classes = {group.name: group for group in game.classes}
    found: dict[str, None] = {}
    work, seen = [name], set[str]()
    while work:
        word = work.pop()
        if word in kinds:
            found[word] = None
        elif word not in classes:
            message = f"there is no kind or class `{word}`"
            raise DescriptionError(message, "declare it under [kinds] or [classes]")
        elif word not in seen:
            seen.add(word)
            group = classes[word]
            inner = dict(group.by_direction).get(direction or "", ()) or group.members
            work += reversed(inner)
    return tuple(found)


def matches_any(game: Game, piece: Piece, names: Iterable[str]) -> bool:
    """Is the piece of one of these kinds or classes?"""
    return any(piece.kind in kinds_of(game, name) for name in names)


def turned(word: str, direction: str | None) -> str:
    """A direction as it is, or a relative one (`ahead`, `behind`, ...) turned from `direction`."""
    if word not in RELATIVE:
        return word
    if direction is None:
        raise DescriptionError(f"`{word}` is relative, but nothing here has a direction")
    return DIRECTIONS[(DIRECTIONS.index(direction) + RELATIVE[word]) % 4]


def matches(game: Game, piece: Piece, pattern: Pattern, direction: str | None) -> bool:
    """Does a piece match a pattern (rule variables apart) in a rule turned to `direction`?"""
    if piece.kind not in kinds_of(game, pattern.name, direction):
        return False
    wanted = pattern.variant
    if isinstance(wanted, str):
        wanted = turned(wanted, direction)
    return wanted is None or piece.variant == wanted


def matching(game: Game, pieces: Iterable[Piece], pattern: Pattern) -> frozenset[Piece]:
    """Those of some pieces that match a pattern in no direction: soonest where many cells hold few sorts."""
    return frozenset(piece for piece in pieces if matches(game, piece, pattern, None))


# --- rules -------------------------------------------------------------------------------------------

Binding = Mapping[str, Any]
"""A kind for each rule variable over kinds, by its name; a number for each over values, by `$` and name."""


def subject_pattern(rule: Rule) -> Pattern | None:
    """The first thing that a rule requires at its anchor; None if it requires nothing there."""
    for condition in rule.conditions:
        if isinstance(condition, Condition) and condition.wants == "present" and not condition.path:
            return condition.pattern
    return None


def variables(rule: Rule) -> bool:
    """May the rule have variables, over kinds or over values?"""
    told = (one.pattern for one in rule.conditions if isinstance(one, Condition))
    return bool(bound_names(rule)) or any(pattern is not None and pattern.computed for pattern in told)


def bound_names(rule: Rule) -> tuple[str, ...]:
    """The rule's variables over kinds, by name."""
    patterns = [c.pattern for c in rule.conditions if isinstance(c, Condition) and c.pattern is not None]
    patterns += [effect.pattern for effect in rule.effects]
    return tuple(dict.fromkeys(pattern.name for pattern in patterns if pattern.bound))


def bindings_of(instance: Instance, rule: Rule, direction: str | None) -> Iterator[Binding]:
    """Each way of choosing what the rule variables stand for.

    Kinds go in the order of the classes' members, values go up.
    """
    names = bound_names(rule)
    values = values_told(instance, rule, direction)
    for kinds in product(*(kinds_of(instance.game, name, direction) for name in names)):
        for numbers in product(*values.values()):
            yield dict(zip((*names, *values), (*kinds, *numbers), strict=True))


def values_told(instance: Instance, rule: Rule, direction: str | None) -> dict[str, list[int]]:
    """For each rule variable over values, with its `$`: what it may be, going by the pieces that tell it."""
    told: dict[str, set[int]] = {}
    for one in rule.conditions:
        if isinstance(one, Condition) and one.wants == "present" and one.pattern and one.pattern.computed:
            value, names = one.pattern.computed, kinds_of(instance.game, one.pattern.name, direction)
            for kind in instance.game.kinds:
                if kind.name in names and kind.values is not None:
                    numbers = (int(number or 0) - value.plus for number in variants(instance, kind))
                    told.setdefault(f"${value.name}", set()).update(numbers)
    return {name: sorted(numbers) for name, numbers in told.items()}


def number_meant(instance: Instance, value: Value | Amount, binding: Binding) -> int:
    """The number that a rule means by `$n + 1`, or by an amount."""
    return binding[f"${value.name}"] + value.plus if isinstance(value, Value) else amount(instance, value)


def can_have(
    instance: Instance, pattern: Pattern, number: int, direction: str | None, binding: Binding
) -> bool:
    """Has every kind that the pattern may mean this value?"""
    bound = pattern.bound
    names = (binding[pattern.name],) if bound else kinds_of(instance.game, pattern.name, direction)
    return all(number in variants(instance, kind) for kind in instance.game.kinds if kind.name in names)


def cells_counted(condition: Nearby) -> Iterator[Path]:
    """The cells that a condition counts, each as steps from the anchor."""
    for path in condition.cells:
        yield from NEAR.get(path[0], (path,)) if len(path) == 1 else (path,)
