"""Source: a sum of literals. Target: a global one, or a tree where it has a condition: see `expressions`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ggp.encoding.constraints import Sum
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.trees import COMPARISONS, Tree, abstracted


def sum_tree(constraint: Sum, written: Callable[[Lit], Tree]) -> Tree:
    """A sum, or "if this, then that sum"; `written` is the tree of a literal."""
    if constraint.when is not None:
        return ["imp", written(constraint.when), total(constraint, written)]
    found, constant = terms(constraint.terms, written)
    says, number = COMPARISONS[constraint.comparison], constraint.number - constant
    if all(weight < 0 for weight, *_ in found):
        found = [[-weight, *rest] for weight, *rest in found]
        says, number = {"le": "ge", "eq": "eq", "ge": "le"}[says], -number
    return ["sum", found, says, number]


def terms(weighted: Iterable[tuple[int, Lit]], written: Callable[[Lit], Tree]) -> tuple[list[list[Any]], int]:
    """The terms of a sum, and what they are short of it."""
    found: list[list[Any]] = []
    constant = 0
    for weight, lit in weighted:
        tree = written(lit)
        if tree[0] == "not":  # a weight of what does not hold is the weight less that of what does
            weight, tree, constant = -weight, tree[1], constant + weight
        row: list[str] = []
        found.append([weight, abstracted(tree, row), row])
    return found, constant


def total(constraint: Sum, written: Callable[[Lit], Tree]) -> Tree:
    """A sum as an expression."""
    trees = [(weight, written(lit)) for weight, lit in constraint.terms]
    weighted = [tree if weight == 1 else ["mul", tree, weight] for weight, tree in trees]
    added = ["add", *weighted] if len(weighted) > 1 else weighted[0]
    return [COMPARISONS[constraint.comparison], added, constraint.number]


def opposite(one: Sum, other: Sum) -> bool:
    """Do the two say together that the first one's condition holds exactly if its sum does?"""
    if one.when is None or other.when != -one.when or one.terms != other.terms:
        return False
    return (one.comparison, other.comparison, other.number) in (
        (">=", "<=", one.number - 1),
        ("<=", ">=", one.number + 1),
    )
