"""Small questions about kinds that reading, writing and validation share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from ggp.model import (
    RELATIVE,
    Amount,
    Asked,
    Cell,
    Class,
    Compared,
    Condition,
    Effect,
    Game,
    InputIs,
    Kind,
    Nearby,
    OnBoard,
    Pattern,
    Piece,
    Value,
    groups_of,
)
from ggp.model.words import near_or_known


def piece_fault(kinds: Mapping[str, Kind], piece: Piece) -> tuple[str, str] | None:
    """Why there can be no such piece: (message, remedy), or None. Bounds of values are not looked at."""
    kind = kinds.get(piece.kind)
    if kind is None:
        return f"there is no kind `{piece.kind[:60]}`", near_or_known(piece.kind, kinds)
    if kind.facings:
        if piece.variant in kind.facings:
            return None
        facings = ", ".join(f"`{kind.name}:{facing}`" for facing in kind.facings)
        lacks = "needs a facing" if piece.variant is None else f"does not face `{str(piece.variant)[:60]}`"
        return f"`{kind.name}` {lacks}", f"write {facings}"
    if kind.values is not None:
        if isinstance(piece.variant, int):
            return None
        return f"`{kind.name}` needs a value", f"write `{kind.name}:1` and the like"
    if piece.variant is not None:
        return f"`{kind.name}` has neither facings nor values", f"write `{kind.name}`, or declare `facing`"
    return None


def nothing_moves(game: Game) -> bool:
    """Is there neither input nor physics? Then a run has no turns, and a level needs no horizon."""
    return game.input is None and not game.physics


def asked_numbers(game: Game) -> frozenset[str]:
    """Every name that the game may mean a level's number by; names of other things may be among them."""
    amounts: list[object] = [scatter.count for scatter in game.chance]
    amounts += [bound for kind in game.kinds for bound in kind.values or ()]
    amounts += game.design.amounts if game.design is not None else ()
    for phase in (*game.turn, *game.physics):
        amounts += [phase.bound, *(group.bound for group in getattr(phase, "groups", ()))]
    amounts += amounts_of_rules(game)
    for term in game.goal.every_term:
        amounts += [getattr(term, part.name) for part in fields(term)]  # type: ignore[arg-type]
    texts = (amount for amount in amounts if isinstance(amount, str))
    return frozenset(word.strip() for text in texts for word in re.split("[+*]", text))


def values_told_in(part: Asked | Effect) -> list[Value]:
    """The rule variables over values that a condition or an effect speaks of."""
    sides = [getattr(part, name, None) for name in ("left", "right", "computed")]
    sides.append(getattr(getattr(part, "pattern", None), "computed", None))
    return [one for one in sides if isinstance(one, Value)]


def amounts_of_rules(game: Game) -> Iterator[Amount]:
    """What rules compare with."""
    groups = (group for phase in (*game.turn, *game.physics) for group in groups_of(phase))
    for one in (one for group in groups for rule in group.rules for one in rule.conditions):
        said = one.sentence if isinstance(one, OnBoard) else one
        number = said.right if isinstance(said, Compared) else getattr(said, "number", None)
        if isinstance(number, int | str):
            yield number


def members(classes: Mapping[str, Class], name: str) -> frozenset[str]:
    """Every kind that a kind's or class's name can stand for, in any direction. Loops are no harm."""
    found: set[str] = set()
    kinds: set[str] = set()
    work = [name]
    while work:
        word = work.pop()
        if word in found:
            continue
        found.add(word)
        if word in classes:
            work += classes[word].members
            work += [member for _, inner in classes[word].by_direction for member in inner]
        else:
            kinds.add(word)
    return frozenset(kinds)


def depends_on_direction(classes: Mapping[str, Class], name: str) -> bool:
    """Has a class, or a class in it, members per direction?"""
    found: set[str] = set()
    work = [name]
    while work:
        word = work.pop()
        if word in found or word not in classes:
            continue
        found.add(word)
        if classes[word].by_direction:
            return True
        work += classes[word].members
    return False


def needs_direction(
    conditions: Iterable[Asked], effects: Iterable[Effect], classes: Mapping[str, Class]
) -> bool:
    """Does a rule say anything that is relative to a direction?"""
    words: list[str | int | None] = []
    patterns: list[Pattern] = []
    for condition in conditions:
        if isinstance(condition, InputIs):
            words.append(condition.word)
        elif isinstance(condition, Nearby):
            words += [step for path in condition.cells for step in path]
            patterns.append(condition.pattern)
        elif isinstance(condition, Condition):
            words += condition.path
            patterns += [condition.pattern] if condition.pattern is not None else []
    for effect in effects:
        words += [*effect.path, *(effect.to or ()), effect.variant]
        patterns.append(effect.pattern)
    words += [pattern.variant for pattern in patterns]
    return any(word in RELATIVE for word in words) or any(
        depends_on_direction(classes, pattern.name) for pattern in patterns
    )


def default_toward(
    conditions: Sequence[Asked],
    effects: Sequence[Effect],
    kinds: Mapping[str, Kind],
    classes: Mapping[str, Class],
    section: str,
) -> str:
    """What a rule's relative directions are relative to where it does not say: see `Rule.toward`.

    `section` is `turn` or `physics`.
    """
    if not needs_direction(conditions, effects, classes):
        return "none"
    subject = next(
        (
            c.pattern
            for c in conditions
            if isinstance(c, Condition) and c.wants == "present" and not c.path and c.pattern is not None
        ),
        None,
    )
    if subject is not None:
        names = members(classes, subject.name)
        if names and all(name in kinds and kinds[name].facings for name in names):
            return "facing"
    return "input" if section == "turn" else "any"


def at_edges(
    effects: Sequence[tuple[Effect, Cell | None]],
) -> Iterator[tuple[list[Effect], dict[Cell, bool]]]:
    """For each choice of what is inside the board: the effects that are left, and the choice.

    With each effect goes the cell outside which it is left out (None: it never is). The choices exclude one
    another, and together they are the rule; most rules leave one choice.
    """
    ends = list(dict.fromkeys(end for _, end in effects if end is not None))
    for inside in borders(ends):
        yield [effect for effect, end in effects if end is None or inside[end]], inside


def borders(cells: Sequence[Cell]) -> list[dict[Cell, bool]]:
    """Which of these cells may be inside the board together, seen from a cell of a board of any size.

    All of them stands first. A board is a rectangle, so these are far fewer than all subsets.
    """
    rows, columns = (sides([cell[axis] for cell in cells]) for axis in (0, 1))
    found = {tuple(c in across and r in down for r, c in cells) for down in rows for across in columns}
    return [dict(zip(cells, choice, strict=True)) for choice in sorted(found, reverse=True)]


def sides(steps: Sequence[int]) -> list[range]:
    """The rows (or columns) that a board may have around one of its own, as far as these steps can tell."""
    before, after = max((0, *(-step for step in steps))), max((0, *steps))
    return [range(-low, high + 1) for low in range(before + 1) for high in range(after + 1)]
