"""One pass on one state, when just one rule fires in one place: what most turns of most puzzles are.

Then nothing can collide but the firing with what stays, and the many steps in which the kernel collects and
compares firings come to a few operations on integers. Wherever more than that happens, or anything is in the
way, the answer is None, and the kernel does the pass: so it alone says what collisions are.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.transition.program import Offset, Pass, Transition

Boards = tuple[int, ...]


class Test(NamedTuple):
    """A term: `distance` bits from the anchor one of `planes` stands; or none, if not `wanted`."""

    planes: tuple[int, ...]
    distance: int
    wanted: bool
    inside: int  # for a term without planes: where it holds


class Effect(NamedTuple):
    """A change: what is taken and put, how many bits from the anchor, and what must not be in the way."""

    plane: int
    source: int
    result: int
    target: int
    rivals: tuple[int, ...]


NOTHING = -1  # instead of a plane
Choice = tuple[tuple[Test, ...], tuple[Effect, ...]]


class Single:
    """A pass made ready for boards whose rows take `stride` bits; `inside` is as the algebras have it."""

    def __init__(self, step: Pass, transition: Transition, stride: int, inside: dict[Offset, int]) -> None:
        self.full = inside[0, 0]
        self.subjects: list[tuple[int, list[Choice]]] = []
        scores = any(rule.score for _, rules in step.subjects for rule in rules)  # nothing here counts them
        by_cell = any(subject is None for subject, _ in step.subjects)
        self.able = not (step.must_change or transition.wraps or by_cell or scores)
        if not self.able:
            return

        def along(offset: Offset) -> int:
            return offset[0] * stride + offset[1]

        for subject, rules in step.subjects:
            choices: list[Choice] = []
            for rule in rules:
                tests = []
                for offset, planes, wanted in rule.terms:
                    there = 0 if planes else inside[offset] if wanted else self.full & ~inside[offset]
                    tests.append(Test(planes, along(offset), wanted, there))
                effects = []
                for plane, source, result, target, _ in rule.changes:
                    rivals: tuple[int, ...] = ()
                    if result is not None:
                        hard, soft = transition.shares[transition.layers[result]]
                        rivals = hard if result in transition.exempt else (*hard, *soft)
                    effects.append(
                        Effect(
                            NOTHING if plane is None else plane,
                            along(source),
                            NOTHING if result is None else result,
                            along(target),
                            rivals,
                        )
                    )
                choices.append((tuple(tests), tuple(effects)))
            if subject is not None:
                self.subjects.append((subject, choices))

    def run(self, boards: Boards, moves: list[tuple[int, int]]) -> Boards | None:
        """The boards after the pass, and in `moves` what moved; None where more than one thing happens."""
        found, anchor = None, 0
        for subject, choices in self.subjects:
            remaining = boards[subject]
            if not remaining:
                continue
            for tests, effects in choices:
                where = remaining
                for planes, distance, wanted, inside in tests:
                    if planes:
                        there = 0
                        for plane in planes:
                            there |= boards[plane]
                        there = there >> distance if distance >= 0 else there << -distance
                        where &= there if wanted else ~there
                    else:
                        where &= inside
                    if not where:
                        break
                else:
                    if anchor or where & (where - 1):
                        return None
                    found, anchor = effects, where
                    remaining ^= where
                    if not remaining:
                        break
        return boards if found is None else self.apply(boards, found, anchor, moves)

    def apply(
        self, boards: Boards, effects: tuple[Effect, ...], anchor: int, moves: list[tuple[int, int]]
    ) -> Boards | None:
        """Make the changes of a firing, first what is taken; None if something is in the way."""
        after, moved = list(boards), []
        for plane, source, result, _, _ in effects:
            if plane >= 0:
                cell = anchor << source if source >= 0 else anchor >> -source
                if boards[plane] & cell:
                    after[plane] &= ~cell
                    if result >= 0:
                        moved.append((plane, cell))
        for plane, source, result, target, rivals in effects:
            if result < 0:
                continue
            if plane >= 0:
                cell = anchor << source if source >= 0 else anchor >> -source
                if not boards[plane] & cell:
                    continue
            cell = anchor << target if target >= 0 else anchor >> -target
            for rival in rivals:
                if after[rival] & cell:
                    return None
            after[result] |= cell
        moves += moved
        return tuple(after)
