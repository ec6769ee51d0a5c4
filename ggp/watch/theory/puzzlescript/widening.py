"""Rules about a thing or a class of things said of another class.

Of one thing more or less, or of none of the others in place of some.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.watch.theory.puzzlescript.rules import Cell, Row, Rule, put
from ggp.watch.theory.puzzlescript.things import Things


def widened(rule: Rule, things: Things) -> Iterator[Rule]:
    """The rules that ask for one of more things, wherever they ask for a thing (or for none of it)."""
    for name in dict.fromkeys(name for _, name in rule.items):
        members, layer = things.members(name), things.layers[things.layer_of[name]]
        wider = [things.either((*members, other)) for other in layer if other not in members]
        for other in dict.fromkeys((*wider, things.any_on(things.layer_of[name]))):
            if other != name:
                yield renamed(rule, name, other)


def smaller(rule: Rule, things: Things) -> Iterator[Rule]:
    """The rules that leave out one thing of a class."""
    for name in dict.fromkeys(name for _, name in rule.items):
        members = things.members(name)
        for one in members if len(members) > 1 else ():
            yield renamed(rule, name, things.either(other for other in members if other != one))


def converse(rule: Rule, things: Things) -> Iterator[Rule]:
    """The rules that ask for one of the others of a layer in place of none of some; or the other way."""
    for r, row in enumerate(rule.left):
        for c, cell in enumerate(row):
            right = rule.right[r][c]
            for n, (how, name) in enumerate(cell):
                layer = things.layer_of[name]
                members = things.members(name)
                others = [one for one in things.layers[layer] if one not in members]
                if others and how == "no" and all(things.layer_of[one] != layer for _, one in right):
                    asked = "", things.either(others)
                    yield rule.with_cell(r, c, put(cell, n, asked), (*right, asked))
                elif others and how == "" and ("", name) in right:
                    kept = tuple(one for one in right if one != ("", name))
                    yield rule.with_cell(r, c, put(cell, n, ("no", things.either(others))), kept)


def renamed(rule: Rule, name: str, other: str) -> Rule:
    """The rule with another name in the place of one."""

    def cell(one: Cell) -> Cell:
        return tuple((how, other if said == name else said) for how, said in one)

    def rows(some: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(tuple(map(cell, row)) for row in some)

    return rule._replace(left=rows(rule.left), right=rows(rule.right))
