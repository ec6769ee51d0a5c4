"""Rules without what no turn needs, which comes of crowds explained wrongly, or of what another pass says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ggp.learn.boards import Turn
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Passes, Program

Rules = TypeVar("Rules", Program, Passes)

PLAIN = 15.0  # a program of movers that is so small is not held against one of cells
MOST_GUESSED = 0.05  # of the turns, at most, may be wrong for what crowds were thought to have done


def without_guesses(program: Program, turns: Sequence[Turn]) -> Program:
    """The program without decisions that make turns wrong: of crowds explained wrongly few are left."""
    wrong = list(filter(program.wrong, turns))
    again = 0 < len(wrong) <= MOST_GUESSED * len(turns)
    while wrong and again:
        again = False
        for shorter in fewer_decisions(program):
            if sum(map(shorter.wrong, wrong)) < len(wrong):
                left = list(filter(shorter.wrong, turns))
                if len(left) < len(wrong):
                    program, wrong, again = shorter, left, True
                    break
    return program


def without_idle_words(program: Program, turns: Sequence[Turn]) -> Program:
    """The program without decisions and tests that no turn needs: they come of crowds explained wrongly."""
    return needed(program, turns, shortened)


def without_idle_decisions(passes: Passes, turns: Sequence[Turn]) -> Passes:
    """The passes without decisions that no turn needs: a later pass says the same, and says it everywhere.

    Who goes to a door is sent to its other end by a call. A step that was seen to end there once is a leap
    by so many cells, which comes to nothing wherever there is a call, and is wrong where there is none.
    """
    return needed(passes, turns, fewer_in_passes)


def without_idle_loops(passes: Passes) -> Passes:
    """The passes, each loop that has nothing to do after its first time as a plain pass.

    What a hole takes is gone, and the hole with it: all that are met go at once. How long a loop may go on is
    a number of a level, of which nothing can be proved for boards of all sizes.
    """
    once = (replace(one, loop=False) if one.loop and takes_at_once(one) else one for one in passes.programs)
    return replace(passes, programs=tuple(once))


def takes_at_once(program: Program) -> bool:
    """Does each of its decisions take away whom it is about, and ask for nothing that then comes true?

    Nothing comes, and no absence is asked for: whom nothing took the first time has less beside it later.
    """
    asks_of_all = program.structure.signs or program.structure.senses
    return not asks_of_all and all(
        all(change.sign == "-" for change in one.outcome)
        and any(change.offset == (0, 0) and change.thing.name == part.subject for change in one.outcome)
        and all(test.wanted for test in one.tests)
        for part in program.parts
        for one in part.decisions.decisions
    )


def needed(rules: Rules, turns: Sequence[Turn], shortened: Callable[[Rules], Iterator[Rules]]) -> Rules:
    """The rules, shortened as long as they say all turns; those that say not all are left as they are."""
    hard = sorted(turns, key=lambda turn: turn.before == turn.after)
    if any(map(rules.wrong, hard)):
        return rules
    again = True
    while again:
        again = False
        for shorter in shortened(rules):
            wrong = next((n for n, turn in enumerate(hard) if shorter.wrong(turn)), None)
            if wrong is None:
                rules, again = shorter, True
                break
            hard.insert(0, hard.pop(wrong))  # what tells most is asked first
    return rules


def shortened(program: Program) -> Iterator[Program]:
    """The program without one of its decisions, those with the fewest examples first.

    Of a large one, in which the crowds have their part, also without one test, or one decision and one test.
    """
    shorter = list(fewer_decisions(program))
    yield from shorter
    if program.cost > PLAIN:
        for one in (program, *shorter):
            yield from with_a_test_less(one)


def fewer_in_passes(passes: Passes) -> Iterator[Passes]:
    """The passes without one decision of one of them."""
    for number, program in enumerate(passes.programs):
        for shorter in fewer_decisions(program):
            programs = (*passes.programs[:number], shorter, *passes.programs[number + 1 :])
            yield replace(passes, programs=programs)


def fewer_decisions(program: Program) -> Iterator[Program]:
    """The program without one of its decisions, those with the fewest examples first."""
    places = sorted(
        (one.support, number, place)
        for number, part in enumerate(program.parts)
        if not part.entire
        for place, one in enumerate(part.decisions.decisions)
    )
    yield from (with_decisions(program, number, place, ()) for _, number, place in places)


def with_a_test_less(program: Program) -> Iterator[Program]:
    """The program without one of the tests of its decisions."""
    for number, part in enumerate(program.parts):
        for place, one in enumerate(part.decisions.decisions):
            for test in one.tests:
                fewer = one._replace(tests=tuple(other for other in one.tests if other is not test))
                yield with_decisions(program, number, place, (fewer,))


def with_decisions(program: Program, number: int, place: int, instead: tuple[Decision, ...]) -> Program:
    """The program with others in place of one decision of a part."""
    listed = program.parts[number].decisions
    decisions = (*listed.decisions[:place], *instead, *listed.decisions[place + 1 :])
    parts = list(program.parts)
    parts[number] = replace(program.parts[number], decisions=replace(listed, decisions=decisions))
    return replace(program, parts=tuple(parts))
