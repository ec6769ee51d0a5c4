"""What constraints of XCSP3 mean, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

Values = Sequence[int]
Row = Sequence[int | None]
Case = tuple[str, Callable[[Values], bool]]


def compares(op: str, a: int, b: int) -> bool:
    """Does the one compare so with the other?"""
    return {"lt": a < b, "le": a <= b, "ge": a >= b, "gt": a > b, "eq": a == b, "ne": a != b}[op]


def divided(a: int, b: int) -> int:
    """The quotient, without what is left."""
    return int(a / b)


def text(rows: Sequence[Row]) -> str:
    """A table as the format has it."""
    return "".join(f"({','.join('*' if v is None else str(v) for v in row)})" for row in rows)


def fit(rows: Sequence[Row], x: Values) -> bool:
    """Are the values one of the rows?"""
    return any(all(a in (None, b) for a, b in zip(row, x, strict=True)) for row in rows)


def running(x: Values, most: int, heights: Values, lengths: Values) -> bool:
    """Is it at most so much at any time?"""
    for time in range(-3, 12):
        on = [h for at, h, n in zip(x, heights, lengths, strict=False) if at <= time < at + n]
        if on and sum(on) > most:
            return False
    return True


def one_loop(x: Values) -> bool:
    """Do those that are not their own successors form one circuit?"""
    n = len(x)
    if any(not 0 <= v < n for v in x) or len(set(x)) < n:
        return False
    on = [i for i in range(n) if x[i] != i]
    if not on:
        return False
    seen, at = set(), on[0]
    while at not in seen:
        seen.add(at)
        at = x[at]
    return len(seen) == len(on)


def accepts(ways: Sequence[tuple[int, int, int]], finals: Sequence[int], x: Values) -> bool:
    """Do the values lead the automaton from state 0 to a final state?"""
    state, after = 0, {(a, value): b for a, value, b in ways}
    for value in x:
        if (state, value) not in after:
            return False
        state = after[state, value]
    return state in finals


def preceded(x: Values, values: Values) -> bool:
    """Is each value there only after the one before it?"""
    for a, b in pairwise(values):
        if b in x and (a not in x or list(x).index(a) > list(x).index(b)):
            return False
    return True
