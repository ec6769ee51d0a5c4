"""Effects that are left out outside the board: the cases that a rule was compiled to are one rule again.

A line of PuzzleScript that would reach beyond the board does not match, which is just what is wanted. So
markers need one rule and a line for each effect, where whole lines would need each case of the border.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ggp.exporters.puzzlescript.passes import Family
from ggp.exporters.puzzlescript.patterns import Test
from ggp.model.pieces import borders


def joined(found: Iterable[Family]) -> list[Family]:
    """The rules of a pass, those that are cases of one rule at the border together, in the same order."""
    alike: dict[object, list[Family]] = {}
    for family in found:
        alike.setdefault(but_for_borders(family), []).append(family)
    return [one for cases in alike.values() for one in as_one(cases)]


def but_for_borders(family: Family) -> object:
    """What all cases of a rule at the border share."""
    rule = family.rule
    asked = {cell: (test.present, test.absent) for cell, test in family.tests.items()}
    things = tuple(sorted((cell, test) for cell, test in asked.items() if any(test)))
    return (rule.name, rule.place, rule.direction, rule.inputs, family.subject, family.relative, things)


def as_one(cases: Sequence[Family]) -> Sequence[Family]:
    """The cases as one rule; as they are where they are not all cases of a rule that only adds there."""
    full = max(cases, key=lambda case: len(case.rule.changes))
    outside = [{cell for cell, test in case.tests.items() if test.inside is False} for case in cases]
    edges = sorted(set().union(*outside))
    said = [{cell: cell not in beyond for cell in edges} for beyond in outside]
    whole = borders(edges)
    if len(cases) == 1 or len(said) != len(whole) or any(one not in said for one in whole):
        return cases
    for case, beyond in zip(cases, outside, strict=True):
        left = tuple(c for c in full.rule.changes if c.plane is not None or c.target not in beyond)
        if case.rule.changes != left:
            return cases
    tests = {cell: replace(test, inside=None) if cell in edges else test for cell, test in full.tests.items()}
    kept = {cell: test for cell, test in tests.items() if cell == (0, 0) or test != Test()}
    return [replace(full, tests=kept, edges=frozenset(edges))]
