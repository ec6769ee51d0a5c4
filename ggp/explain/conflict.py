"""Of a level without an answer: which of its clues contradict each other, and under which rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from ggp.encoding.constraints import Clause, Constraint
from ggp.encoding.literals import Why
from ggp.encoding.occupancy import encode
from ggp.errors import SolverError, UnsupportedFeature
from ggp.explain.asking import answer
from ggp.explain.clues import Clue, clues_of, keeping
from ggp.explain.opened import given_pieces, opened, with_room
from ggp.explain.questions import Asked, Questions
from ggp.explain.reasoning import rules_of
from ggp.explain.smallest import minimal, smallest
from ggp.model import Cell, Instance
from ggp.model.result import Clock, OutOfTime

QUESTIONS = 200  # put to the solver to find the smallest set; a few seconds
RULES_ASKED = 2.0  # seconds for what a part of the rules allows
RULES_SOUGHT = 60.0  # for all such questions


@dataclass(frozen=True)
class Conflict:
    """Clues that contradict each other under the rules named.

    `proved`: no fewer clues do; else none of these can be left out. No clues: without any the level has no
    answer either. (That may be since some rules ask for clues: which of them is to blame is then not known.)
    """

    clues: tuple[Clue, ...]
    rules: tuple[Why, ...]
    proved: bool


def conflict_or_none(instance: Instance, clock: Clock) -> Conflict | None:
    """The clues that contradict each other; None for puzzles that move, and when time is up."""
    try:
        opened(instance)
        return conflict(instance, clock)
    except (UnsupportedFeature, OutOfTime):
        return None


def conflict(instance: Instance, clock: Clock) -> Conflict:
    """The fewest clues that contradict each other, of a level without an answer; raises OutOfTime."""
    every = clues_of(instance)

    def part(clues: frozenset[Clue]) -> Instance:
        level = keeping(instance.game, instance.level, clues, every)
        gone = (piece for (row, column), piece in given.items() if piece not in level.board[row][column])
        return Instance(replace(instance.game, design=with_room(instance, gone)), level)

    given = given_pieces(instance)
    told = [clue for clue in every if clue.piece is None or given.get(clue.cell) != clue.piece]
    with closing(Asked()) as asked:
        questions = Questions(asked, part, told, clock)

        def fails(clues: frozenset[Clue]) -> bool:
            facts = {clue.cell: clue.piece for clue in clues.difference(told)}
            return questions.assignment(clues.intersection(told), facts) is None

        found, proved = frozenset[Clue](), True
        if not fails(found):
            fails(frozenset(every))
            some = [c for c in every if c in questions.core or (c.cell in questions.needed and c not in told)]
            found, proved = fewest(every, some, fails, instance)
    if answer(encode(part(found)), clock) is not None:  # another solver vouches for it
        raise SolverError(
            f"{instance.name} has an answer with clues that were found to contradict each other",
            "this is a fault of the encoding or the solver: see docs/debugging.md",
        )
    return Conflict(tuple(sorted(found, key=clue_order)), rules_against(part(found), clock), proved)


def fewest(
    every: Sequence[Clue],
    some: Sequence[Clue],
    fails: Callable[[frozenset[Clue]], bool],
    instance: Instance,
) -> tuple[frozenset[Clue], bool]:
    """(clues that contradict each other, whether no fewer do); `some` are known to."""
    found, proved = smallest(every, fails, minimal(some, fails), instance, QUESTIONS)
    # Taking a clue away can, in a few games, take away an answer too; what is claimed is tried out.
    if not fails(found) or any(fails(found - {clue}) for clue in found):
        return minimal(every, fails), False
    return found, proved


def clue_order(clue: Clue) -> tuple[tuple[str, int], Cell]:
    """Reading order, the clues of regions last."""
    return clue.region, clue.cell


def rules_against(instance: Instance, clock: Clock) -> tuple[Why, ...]:
    """A few rules under which a level without an answer has none; what is given is taken for granted.

    How a part of the rules is answered may be far harder to tell than of all of them. So nobody is asked for
    long, and a rule that would be left out stays where that is not told in time.
    """
    end = Clock(RULES_SOUGHT)
    encoding = encode(instance)
    rules, owner = rules_of(encoding)
    certain = {
        number
        for number, rule in enumerate(rules)
        if all(is_given(encoding.constraints[constraint]) for constraint in rule.constraints)
    }

    def fails(chosen: frozenset[int]) -> bool:
        clock.check()
        end.check()
        kept = [
            constraint
            for constraint, rule in zip(encoding.constraints, owner, strict=True)
            if rule < 0 or rule in chosen or rule in certain
        ]
        part = replace(
            encoding, constraints=kept, atoms=[*encoding.atoms], atom_numbers={**encoding.atom_numbers}
        )
        return answer(part, Clock(RULES_ASKED)) is None

    def known_to_fail(chosen: frozenset[int]) -> bool:
        try:
            return fails(chosen)
        except OutOfTime:
            clock.check()
            return False

    every = [number for number in range(len(rules)) if number not in certain]
    found = minimal(every, known_to_fail)
    with suppress(OutOfTime):
        found, _ = smallest(every, fails, found, instance, QUESTIONS)
    clock.check()
    return tuple(rules[number].why for number in sorted(found) if rules[number].why.text)


def is_given(constraint: Constraint) -> bool:
    """Does it only say what stands on one cell?"""
    return isinstance(constraint, Clause) and len(constraint.lits) == 1 and constraint.why.cell is not None
