"""Rules about one thing said of a class of things: of another one, too, or of all that stand on its layer."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.watch.theory.puzzlescript.rules import Cell, Row, Rule
from ggp.watch.theory.puzzlescript.things import Things


def widened(rule: Rule, things: Things) -> Iterator[Rule]:
    """The rules that ask for one of more things, wherever they ask for a thing (or for none of it)."""
    for name in dict.fromkeys(name for _, name in rule.items):
        members, layer = things.members(name), things.layers[things.layer_of[name]]
        wider = [things.either((*members, other)) for other in layer if other not in members]
        for other in dict.fromkeys((*wider, things.any_on(things.layer_of[name]))):
            if other != name:
                yield renamed(rule, name, other)


def renamed(rule: Rule, name: str, other: str) -> Rule:
    """The rule with another name in the place of one."""

    def cell(one: Cell) -> Cell:
        return tuple((how, other if said == name else said) for how, said in one)

    def rows(some: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(tuple(map(cell, row)) for row in some)

    return rule._replace(left=rows(rule.left), right=rows(rule.right))
