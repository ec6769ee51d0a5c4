"""Smallest sets of reasons: minimal ones by leaving out, the smallest by hitting sets.

`enough(reasons)` says whether a set of reasons suffices. It must be monotone: more reasons never suffice
less. A **minimal** set is one from which nothing can be left out; there may be a smaller one elsewhere. The
**smallest** has the fewest reasons of all: every set that does not suffice leaves out some reason that is
needed, so the answer hits each set of reasons that was left out (Ignatiev et al., CP 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from ggp.encoding.constraints import Clause, Encoding, Sum
from ggp.encoding.literals import Why
from ggp.explain.asking import answer
from ggp.model import Instance

Reason = TypeVar("Reason", bound=Hashable)


def minimal(reasons: Sequence[Reason], enough: Callable[[frozenset[Reason]], bool]) -> frozenset[Reason]:
    """A set that suffices, from which nothing can be left out; the later reasons are tried first.

    `reasons` themselves must suffice. Halves are left out before single ones, so that a few reasons among
    many are found with few questions.
    """
    needed: list[Reason] = []
    todo = list(reasons)
    size = max(1, len(todo) // 2)
    while todo:
        part, rest = todo[-size:], todo[:-size]
        if enough(frozenset(rest) | frozenset(needed)):
            todo = rest
        elif size == 1:
            needed += part
            todo = rest
        else:
            size = max(1, size // 2)
            continue
        size = min(max(1, len(todo)), size * 2) if todo == rest and size > 1 else size
    return frozenset(needed)


def smallest(
    reasons: Sequence[Reason],
    enough: Callable[[frozenset[Reason]], bool],
    known: frozenset[Reason],
    instance: Instance,
    questions: int,
) -> tuple[frozenset[Reason], bool]:
    """(a set that suffices, whether it is proved to have the fewest reasons).

    `known` is one that suffices. At most so many `questions` are asked of `enough`; when they are used up
    the answer is the best set known, and nothing is proved.
    """
    left = questions

    def ask(chosen: frozenset[Reason]) -> bool:
        nonlocal left
        left -= 1
        return enough(chosen)

    missing: list[frozenset[Reason]] = []
    chosen: frozenset[Reason] = frozenset()
    while left > 0:
        chosen = hitting_set(reasons, missing, len(chosen), instance)
        if len(chosen) >= len(known):
            return known, True
        if ask(chosen):
            return chosen, True
        # Grow it as far as it stays too little: then what is left out is small, and tells most.
        grown, waiting = chosen, [[reason for reason in reasons if reason not in chosen]]
        while waiting and left > 0:
            part = waiting.pop()
            if not ask(grown | frozenset(part)):
                grown |= frozenset(part)
            elif len(part) > 1:
                waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        if waiting:
            break
        missing.append(frozenset(reasons) - grown)
    return known, False


def hitting_set(
    reasons: Sequence[Reason], sets: Sequence[frozenset[Reason]], least: int, instance: Instance
) -> frozenset[Reason]:
    """The fewest reasons with at least one of each set; fewer than `least` are known not to do."""
    while True:
        encoding = Encoding(instance, 0)
        lits = {
            reason: encoding.number(encoding.new("taken", (number,), (0, 1)), 1)
            for number, reason in enumerate(reasons)
        }
        for one in sets:
            encoding.add(Clause(tuple(lits[r] for r in reasons if r in one), Why("one of these is needed")))
        terms = tuple((1, lit) for lit in lits.values())
        encoding.add(Sum(terms, "<=", least, Why(f"at most {least} reasons")))
        values = answer(encoding)
        if values is not None:
            return frozenset(reason for reason, lit in lits.items() if values[encoding.atoms[lit][0]])
        least += 1
