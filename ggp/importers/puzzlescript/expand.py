"""From rules as they are written to the plain rules that they stand for.

A rule is turned to its directions; names for several things, and words for several ways to go, become one
rule for each choice. Order matters, because rules are tried in turn: it is that in which the choices are made
here, first come, first expanded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.rules import Cell, Rule
from ggp.importers.puzzlescript.words import SEVERAL, TURNED

MOST_RULES = 50_000  # that a file may come to
REVERSED = {"up": "down", "left": "right"}
NO_INFERENCE = "on the left the same must stand in the same cell, or once only"


class TooMany(Exception):
    """A file stands for more rules than anybody can have meant."""


def expand(rules: list[Rule], names: Names, faults: Faults) -> list[Rule]:
    """The plain rules, in the order in which they are tried."""
    for rule in rules:
        leave_out_implied(rule, names)
    turned = [rule.turned(direction) for rule in rules for direction in rule.directions]
    for rule in turned:
        absolute(rule)
        forward(rule)
        take_apart(rule, names, faults)
        for cell in cells(rule):
            cell[:] = [(how, names.same.get(name, name)) for how, name in cell]
    count = 0
    plain = []
    try:
        for rule in turned:
            for moving in by_ways(rule, faults):
                for one in by_names(moving, names, faults):
                    stand_still(one, names)
                    plain.append(one)
                    count += 1
                    if count > MOST_RULES:
                        raise TooMany
    except TooMany:
        message = f"the rules up to this one stand for more than {MOST_RULES} plain ones"
        faults.error(rule.line, rule.column, message, "use fewer names with `or` in one rule")
        return []
    return without_doubles(plain)


def cells(rule: Rule) -> Iterator[Cell]:
    """Every cell of both sides."""
    return (cell for row in (*rule.left, *rule.right) for cell in row)


def leave_out_implied(rule: Rule, names: Names) -> None:
    """Leave out `no X` where what must stand there fills the layers of X, as the compiler does.

    It makes a difference where chance has put two things of one layer into a cell.
    """
    for cell in (cell for row in rule.left for cell in row):
        held = [name for how, name in cell if how != "no" and name not in names.same]
        known = [name for name in held if name in names.all_of or names.one_layer(name) is not None]
        there = {kind for name in known for kind in names.members(name)}
        filled = {names.objects[kind].layer for kind in there}
        cell[:] = [
            (how, name) for how, name in cell if how != "no" or not implied(name, there, filled, names)
        ]


def implied(name: str, there: set[str], filled: set[int | None], names: Names) -> bool:
    """Does `no` before a name say nothing more?"""
    kinds = set(names.members(name)) if name not in names.all_of else set[str]()
    return bool(kinds) and not kinds & there and {names.objects[kind].layer for kind in kinds} <= filled


def absolute(rule: Rule) -> None:
    """Relative directions become those of the rule's direction."""
    turned = TURNED[rule.direction]
    for cell in cells(rule):
        cell[:] = [(turned.get(how, how), name) for how, name in cell]


def forward(rule: Rule) -> None:
    """Rules that go up or left are turned round, so that matches are found from the top left."""
    if any(cell[:1] == [("...", "...")] for row in rule.left for cell in row):
        return
    if rule.direction in REVERSED:
        rule.directions = (REVERSED[rule.direction],)
        for row in (*rule.left, *rule.right):
            row.reverse()


def take_apart(rule: Rule, names: Names, faults: Faults) -> None:
    """Names for several things together become those things."""
    for cell in cells(rule):
        for how, name in list(cell):
            if name not in names.all_of:
                continue
            if how == "no":
                message = f"`no` cannot stand before {name.upper()}, which is several objects together"
                faults.error(rule.line, rule.column, message, "write `no` before each of them")
            first, *others = names.all_of[name] or (name,)
            cell[cell.index((how, name))] = (how, first)
            cell += [(how, other) for other in others]


# --- ways -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Chosen:
    """A way that was chosen for a word, how often the word stands on the left, and where it stood first."""

    way: str
    count: int
    at: tuple[int, int] | None = None


@dataclass(slots=True)
class Going:
    """A rule, and what has been chosen in it: by (name, word), and by word."""

    rule: Rule
    named: dict[tuple[str, str], Chosen]
    any_name: dict[str, Chosen]


def by_ways(rule: Rule, faults: Faults) -> list[Rule]:
    """The rules in which each thing goes one way only."""
    waiting, done = deque([Going(rule, {}, {})]), list[Going]()
    while waiting:
        one = waiting.popleft()
        # The compiler makes every choice in every order, and keeps the last of equal rules: those in which
        # the last cell was first.
        choices = list(ambiguous_cells(one.rule))
        if not choices:
            done.append(one)
            continue
        row, column, name, word = choices[-1]
        waiting += (choose_way(one, row, column, name, word, way) for way in SEVERAL[word])
        if len(waiting) + len(done) > MOST_RULES:
            raise TooMany
    for one in done:
        infer_ways(one)
    left = [
        how for one in done for row in one.rule.right for cell in row for how, _ in cell if how in SEVERAL
    ]
    if left:
        word = left[0].partition("_")[0]
        message = f"`{word}` on the right could be any of several directions"
        faults.error(rule.line, rule.column, message, NO_INFERENCE)
    return [one.rule for one in done]


def ambiguous_cells(rule: Rule) -> Iterator[tuple[int, int, str, str]]:
    """Each cell on the left with a word for several ways: (row, column, name, word), the first word of it."""
    for j, row in enumerate(rule.left):
        for k, cell in enumerate(row):
            first = next(((name, how) for how, name in cell if how in SEVERAL), None)
            if first is not None:
                yield j, k, *first


def choose_way(one: Going, j: int, k: int, name: str, word: str, way: str) -> Going:
    """The rule with one way chosen in a cell, on both sides."""
    rule = one.rule.copy()
    for side in (rule.left, rule.right):
        if side:
            set_way(side[j][k], word, name, way)
    named = {key: Chosen(kept.way, kept.count, kept.at) for key, kept in one.named.items()}
    any_name = {key: Chosen(kept.way, kept.count) for key, kept in one.any_name.items()}
    known = named.setdefault((name, word), Chosen(way, 1, (j, k)))
    if known.at != (j, k):
        known.count += 1
    if word in any_name:
        any_name[word].count += 1
    else:
        any_name[word] = Chosen(way, 1)
    return Going(rule, named, any_name)


def set_way(cell: Cell, word: str, name: str | None, way: str) -> None:
    """Replace a word in a cell, of one name or (None) of all."""
    cell[:] = [(way if how == word and name in (None, it) else how, it) for how, it in cell]


def infer_ways(one: Going) -> None:
    """What stands once on the left is known on the right: for the same name first, then for any."""
    for (name, word), chosen in one.named.items():
        if chosen.count == 1:
            for cell in (cell for row in one.rule.right for cell in row):
                set_way(cell, word, name, chosen.way)
    for word, chosen in one.any_name.items():
        if chosen.count == 1:
            for cell in (cell for row in one.rule.right for cell in row):
                set_way(cell, word, None, chosen.way)


# --- names ------------------------------------------------------------------------------------------------


def several(cell: Cell, names: Names) -> list[str]:
    """The names in a cell that stand for one of several things."""
    return [name for how, name in cell if how != "random" and name in names.either]


def by_names(rule: Rule, names: Names, faults: Faults) -> list[Rule]:
    """The rules in which names stand for one thing; those on one layer that nothing hangs on may stay."""
    for cell in cells(rule):
        cell[:] = [item for one in cell for item in each_absent(one, names)]
    pairs = [pair for rows in zip(rule.left, rule.right, strict=False) for pair in zip(*rows, strict=False)]
    unclear = {
        name for left, right in pairs for name in several(right, names) if name not in several(left, names)
    }
    waiting, done = deque([(rule, dict[str, tuple[str, int]]())]), list[Rule]()
    while waiting:
        one, chosen = waiting.popleft()
        choice = open_name(one, names, unclear)
        if choice is None:
            infer_names(one, chosen)
            done.append(one)
            continue
        j, k, name = choice
        for kind in names.either[name]:
            copy = one.copy()
            for side in (copy.left, copy.right):
                if side:
                    set_name(side[j][k], name, kind)
            first, count = chosen.get(name, (kind, 0))
            waiting.append((copy, {**chosen, name: (first, count + 1)}))
        if len(waiting) + len(done) > MOST_RULES:
            raise TooMany
    left = [
        name
        for one in done
        for row in one.right
        for cell in row
        for name in several(cell, names)
        if name in unclear
    ]
    if left:
        message = f"{left[-1].upper()} on the right could be any of several objects"
        faults.error(rule.line, rule.column, message, NO_INFERENCE)
        return []
    return done


def each_absent(item: tuple[str, str], names: Names) -> list[tuple[str, str]]:
    """`no A` where A is one of several: none of them."""
    how, name = item
    if how == "no" and name in names.either:
        return [("no", kind) for kind in names.either[name]]
    return [item]


def open_name(rule: Rule, names: Names, unclear: set[str]) -> tuple[int, int, str] | None:
    """The first name on the left for which a choice is to be made: (row, column, name)."""
    for j, row in enumerate(rule.left):
        for k, cell in enumerate(row):
            for name in several(cell, names):
                if names.one_layer(name) is None or name in unclear:
                    return j, k, name
    return None


def set_name(cell: Cell, name: str, kind: str) -> None:
    """Replace a name in a cell by what was chosen for it."""
    cell[:] = [(how, kind if it == name and how != "random" else it) for how, it in cell]


def infer_names(rule: Rule, chosen: dict[str, tuple[str, int]]) -> None:
    """A name that was chosen once on the left is known everywhere on the right."""
    for name, (kind, count) in chosen.items():
        if count == 1:
            for cell in (cell for row in rule.right for cell in row):
                set_name(cell, name, kind)


def stand_still(rule: Rule, names: Names) -> None:
    """What appears on a layer of which the left says nothing stands still, whatever was there before."""
    if rule.late:
        return
    for left, right in zip(rule.left, rule.right, strict=False):
        for before, after in zip(left, right, strict=True):
            held = [kind for _, name in before for kind in names.members(name)]
            layers = {names.objects[kind].layer for kind in held}
            for index, (how, name) in enumerate(after):
                new = how == "" and name in names.objects and name not in held
                if new and names.objects[name].layer not in layers:
                    after[index] = ("stationary", name)


def without_doubles(rules: list[Rule]) -> list[Rule]:
    """Of the same rules in a group only the last stays."""
    kept: list[Rule] = []
    group, seen = -1, set[object]()
    for rule in reversed(rules):
        if rule.group != group:
            group, seen = rule.group, set()
        key = told_by(rule)
        if key not in seen:
            seen.add(key)
            kept.append(rule)
    return kept[::-1]


def told_by(rule: Rule) -> object:
    """What makes two rules the same."""
    sides = tuple(
        tuple(tuple(tuple(cell) for cell in row) for row in side) for side in (rule.left, rule.right)
    )
    direction = rule.direction if any(len(row) > 1 for row in rule.left) else ""
    return rule.line, direction, rule.rigid, rule.random, rule.late, sides, rule.commands
