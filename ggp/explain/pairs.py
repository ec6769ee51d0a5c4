"""What two constraints say together that neither says alone.

Of two sums, what they share cancels out, and the rest must make up the difference. And of a sum of values
that all differ, only some sets of values come to that number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ggp.encoding.constraints import Constraint, Linear, Sum

MOST_TERMS = 40  # of two sums; larger ones are not subtracted from each other by anybody
MOST_VALUES = 6  # of a sum of different values; longer ones exclude little
LEAST_SHARED = 2  # terms; what shares less says no more together than each by itself


def differences(constraints: Sequence[Constraint]) -> Mapping[int, list[tuple[int, Sum | Linear]]]:
    """For each sum, by number, the others (by number) that share terms with it, and their difference.

    Only sums that must be equal to a number, always, are taken.
    """
    exact = {
        number: one
        for number, one in enumerate(constraints)
        if isinstance(one, Sum | Linear) and one.comparison == "=" and one.when is None
    }
    with_term: dict[tuple[type, int, int], list[int]] = defaultdict(list)
    for number, one in exact.items():
        for weight, what in one.terms:
            with_term[type(one), weight, what].append(number)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for numbers in with_term.values():
        for index, first in enumerate(numbers):
            for second in numbers[index + 1 :]:
                shared[first, second] += 1
    found: dict[int, list[tuple[int, Sum | Linear]]] = defaultdict(list)
    for (first, second), count in shared.items():
        one, other = exact[first], exact[second]
        if count >= LEAST_SHARED and len(one.terms) + len(other.terms) <= MOST_TERMS:
            rest = difference(one, other)
            found[first].append((second, rest))
            found[second].append((first, rest))
    return found


def difference(one: Sum | Linear, other: Sum | Linear) -> Sum | Linear:
    """The first sum less the second."""
    weights: dict[int, int] = defaultdict(int)
    for weight, what in one.terms:
        weights[what] += weight
    for weight, what in other.terms:
        weights[what] -= weight
    terms = tuple((weight, what) for what, weight in weights.items() if weight)
    return type(one)(terms, "=", one.number - other.number, one.why)


def adding_up(domains: Sequence[set[int]], number: int) -> list[set[int]]:
    """The values that each may have where all differ and add up to `number`; empty sets if they cannot."""
    left: list[set[int]] = [set() for _ in domains]
    failed: set[tuple[int, frozenset[int]]] = set()

    def fill(index: int, taken: frozenset[int]) -> bool:
        rest = number - sum(taken)
        if index == len(domains):
            return rest == 0
        if (index, taken) in failed:
            return False
        found = False
        for value in domains[index] - taken:
            if fill(index + 1, taken | {value}):
                left[index].add(value)
                found = True
        if not found:
            failed.add((index, taken))
        return found

    fill(0, frozenset())
    return left
