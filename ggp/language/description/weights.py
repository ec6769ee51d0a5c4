"""Reads the weights of a group in which chance draws: whole numbers, or probabilities that sum to 1."""

from __future__ import annotations

import re
from fractions import Fraction

from ggp.language.toml.tables import Table
from ggp.model import Rule
from ggp.model.words import near_or_known

LARGEST = 10**6
WRITE = 'write whole numbers above 0, or probabilities such as "9/10" that sum to 1'


def read_weights(table: Table, rules: tuple[Rule, ...], drawn: bool) -> tuple[int | Fraction, ...]:
    """The weight of each rule; empty where there are none, and they are all alike."""
    if "weights" not in table:
        return ()
    inner = table.table("weights")
    if not drawn:
        table.error("`weights` mean nothing without `draw`", 'add `draw = "one"`', table.at("weights"))
    names = [rule.name for rule in rules]
    found = {name: read_weight(inner, name) for name in inner.values}
    inner.asked += list(inner.values)
    for name in found:
        if name not in names:
            inner.error(f"there is no rule `{name}` here", near_or_known(name, names), inner.at(name))
    for name in sorted({name for name in names if name not in found or names.count(name) > 1}):
        what = "has no weight" if name not in found else "is the name of two rules"
        inner.error(f"`{name}` {what}", "give each rule a name and a weight of its own", table.at("weights"))
    weights = list(found.values())
    if any(isinstance(weight, Fraction) for weight in weights):
        if not all(isinstance(weight, Fraction) for weight in weights):
            inner.error("some weights are probabilities, and some are not", WRITE, table.at("weights"))
        elif sum(weights) != 1:
            inner.error(f"the probabilities sum to {sum(weights)}, not to 1", WRITE, table.at("weights"))
    return tuple(found.get(name, 1) for name in names)


def read_weight(table: Table, name: str) -> int | Fraction:
    """One weight; 1 where there is a fault, which is noted."""
    value = table.values[name]
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}/[0-9]{1,6}", value):
        above, below = map(int, value.split("/"))
        if 0 < above <= below:
            return Fraction(above, below)
    elif isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST:
        return value
    table.error(f"the weight of `{name}` cannot be {str(value)[:40]!r}", WRITE, table.value_at(name))
    return 1
