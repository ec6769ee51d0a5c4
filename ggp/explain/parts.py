"""Which constraints say what a clue says: those that are gone when the clue is.

Not one encoding for each clue is written but two for each binary digit of its number: with the clues that
have a 1 there, and with the others. A constraint that one clue says is in exactly one of the two, for each
digit, and so spells the number of its clue; what is always there is there without any clue too. What does
not do so, or an encoding that has something new to say without a clue, means that the clues cannot be told
apart in this way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from ggp.encoding.alike import Sayings, definition
from ggp.encoding.constraints import Encoding, Iff
from ggp.encoding.switched import Unswitchable

One = TypeVar("One", bound=Hashable)


def parts_of(
    encoding: Encoding, encoded: Callable[[frozenset[One]], Encoding], every: Sequence[One]
) -> list[list[int]]:
    """For each clue the numbers of the constraints that it makes; raises Unswitchable.

    `encoding` is that with every clue, `encoded` makes one with some of them.
    """
    sayings = Sayings()
    said = sayings.of(encoding)
    number = [0] * len(said)  # of the clue, as far as it is spelt
    spelt = [0] * len(said)  # how many of its digits are
    digits = max(1, (len(every) - 1).bit_length()) if every else 0
    for digit in range(digits):
        halves = [
            frozenset(one for place, one in enumerate(every) if place >> digit & 1 == wanted)
            for wanted in (0, 1)
        ]
        kept = [remaining(sayings, said, encoding, encoded(half)) for half in halves]
        for place, (with_0, with_1) in enumerate(zip(*kept, strict=True)):
            spelt[place] += with_0 != with_1
            number[place] |= int(with_1) << digit
    parts: list[list[int]] = [[] for _ in every]
    rules = remaining(sayings, said, encoding, encoded(frozenset())) if every else [True] * len(said)
    for place, constraint in enumerate(encoding.constraints):
        # Definitions stay: they say what a variable means, and no more.
        if (rules[place] and not spelt[place]) or (
            isinstance(constraint, Iff) and definition(encoding, constraint) is not None
        ):
            continue
        if spelt[place] != digits or number[place] >= len(every):
            raise Unswitchable
        parts[number[place]].append(place)
    return parts


def remaining(sayings: Sayings, said: Sequence[int], whole: Encoding, part: Encoding) -> list[bool]:
    """Which constraints of an encoding are still there in one with fewer clues."""
    left, all_of_it = Counter(sayings.of(part)), Counter(said)
    if decided(part) != decided(whole) or any(left[one] not in (0, all_of_it[one]) for one in left):
        raise Unswitchable
    return [one in left for one in said]


def decided(encoding: Encoding) -> set[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """The variables that make up a plan, by name and place, with their values."""
    variables = (encoding.variables[number] for number in encoding.decisions)
    return {(one.name, one.index, one.domain) for one in variables}
