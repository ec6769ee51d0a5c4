"""Expressions as trees, and what is done with them whatever they say."""

from __future__ import annotations

from typing import Any

Tree = Any
"""A variable's name, a number, or a list of an operator and trees."""

COMPARISONS = {"<=": "le", "=": "eq", ">=": "ge"}


def truth(tree: Tree) -> Tree:
    """A tree that can stand alone: a 0/1 variable becomes an equation."""
    if isinstance(tree, str):
        return ["eq", tree, 1]
    if tree[0] == "not" and isinstance(tree[1], str):
        return ["eq", tree[1], 0]
    return tree


def same(one: Tree, other: Tree) -> Tree:
    """An equivalence."""
    if isinstance(one, str) and isinstance(other, str):
        return ["eq", one, other]
    if isinstance(one, str) and other[0] == "not" and isinstance(other[1], str):
        return ["ne", one, other[1]]
    return ["iff", one, other]


def abstracted(tree: Tree, row: list[str]) -> Tree:
    """The tree with its variables replaced by parameters; the variables are added to `row`."""
    if isinstance(tree, str):
        row.append(tree)
        return f"%{len(row) - 1}"
    if isinstance(tree, int):
        return tree
    return [tree[0], *(abstracted(part, row) for part in tree[1:])]
