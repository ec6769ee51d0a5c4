"""What merges: things of one kind that come to one cell and are one from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Change
from ggp.learn.turn.crowd.acts import Act, acts_of_pass, boards_before_passes
from ggp.model import Cell


class Meeting(NamedTuple):
    """A change that puts a token where it stands, or where another change puts it, too."""

    act: Act
    change: Change
    token: Token
    stood: bool


def merging(
    boards: Iterable[Board], turns: Iterable[Turn], program: Program | Passes, structure: Structure
) -> frozenset[str]:
    """The names of which two shared a cell, or one came in a turn to where another came or was."""
    stacks = {stack for board in boards for stack in board.cells if len(stack) > 1}
    found = set()
    for stack in stacks:
        names = Counter(map(structure.name, stack))
        found |= {name for name, number in names.items() if number > 1}
    for turn in turns:
        found |= {structure.name(one.token) for one in meetings(program, turn)}
    several = {name for name in map(structure.name, structure.tokens) if structure.number(name)[1] > 1}
    return frozenset(found | several & heedless(program))


def heedless(program: Program | Passes) -> frozenset[str]:
    """The names of what goes on where it looks, whether its like is there, or comes there as well, or not.

    Two that look at one another come to one cell so, though nobody may have seen that.
    """
    going = ((part, one) for part in program.parts for one in part.decisions.decisions)
    return frozenset(part.subject for part, one in going if goes_ahead(part, one) and not minds(part, one))


def goes_ahead(part: Part, decision: Decision) -> bool:
    """Does it go to the next cell where it looks?"""
    came = [
        change.offset for change in decision.outcome if change[0] == "+" and change.thing.name == part.subject
    ]
    return part.view.frame.toward == "facing" and came == [(1, 0)]


def minds(part: Part, decision: Decision) -> bool:
    """Does it ask for its like ahead of it?"""
    asked = (thing.name for test in decision.tests if test.offset[0] > 0 for thing in test.things)
    return part.subject in asked


def meetings(program: Program | Passes, turn: Turn) -> Iterator[Meeting]:
    """Where a pass of a turn puts one token twice, or where it stands and stays."""
    for one, board in boards_before_passes(program, turn.before, turn.word):
        yield from meetings_of_pass(one, board, turn.word)


def meetings_of_pass(program: Program, board: Board, word: str | None) -> Iterator[Meeting]:
    """The same of one pass, over a board with its mark."""
    come: Counter[tuple[Cell, Token]] = Counter()
    put: list[tuple[Act, Change, Cell, Token]] = []
    gone: set[tuple[Cell, Token]] = set()
    for act in acts_of_pass(program, board, word):
        for change, (sign, cell, token) in zip(act.decision.outcome, act.changes(), strict=True):
            cell = program.structure.cell(board, cell)
            if sign == "-" and token is not None:
                gone.add((cell, token))
            elif token is not None:
                come[cell, token] += 1
                put.append((act, change, cell, token))
    for act, change, cell, token in put:
        stood = token in (board.at(cell) or ()) and (cell, token) not in gone
        if stood or come[cell, token] > 1:
            yield Meeting(act, change, token, stood)


# --- where nothing merges ---------------------------------------------------------------------------------


def without_meetings(
    program: Program | Passes, turns: Sequence[Turn], merge: Callable[[Token], bool]
) -> Program | Passes:
    """The program that says the same and puts nothing where it stands, but what merges.

    On boards of tokens it is all one. The referee calls it a collision, for kinds that a description does not
    let merge, and there the game that was learned would break off.
    """
    while True:
        stood = (one for turn in turns for one in meetings(program, turn) if one.stood)
        found = next((one for one in stood if not merge(one.token)), None)
        if found is None:
            return program
        parted = with_decision_parted(program, found)
        if parted == program or any(map(parted.wrong, turns)):
            return program
        program = parted


def with_decision_parted(program: Program | Passes, found: Meeting) -> Program | Passes:
    """The program with a decision in two: as it is where the change is one, and else without the change."""
    if isinstance(program, Passes):
        return replace(program, programs=tuple(of_program(one, found) for one in program.programs))
    return of_program(program, found)


def of_program(program: Program, found: Meeting) -> Program:
    """The same of the program of one pass."""
    parts = (of_part(part, found) if part is found.act.part else part for part in program.parts)
    return replace(program, parts=tuple(parts))


def of_part(part: Part, found: Meeting) -> Part:
    """The same of the part whose decision it is."""
    decision, change = found.act.decision, found.change
    there = part.view.seen(found.token, found.act.direction)
    both = (
        decision._replace(tests=also_absent(decision.tests, change._replace(thing=there))),
        decision._replace(outcome=tuple(one for one in decision.outcome if one != change)),
    )
    listed = part.decisions.decisions
    place = next(number for number, one in enumerate(listed) if one is decision)
    after = listed[place + 1 :]
    # That nothing happens need not be said last.
    kept = both if both[1].outcome or after else both[:1]
    return replace(part, decisions=replace(part.decisions, decisions=(*listed[:place], *kept, *after)))


def also_absent(tests: Sequence[Test], change: Change) -> tuple[Test, ...]:
    """The tests, and that what a change puts is not there: asked together with what else must not be."""
    there = next((t for t in tests if t.offset == change.offset and not t.wanted and not t.word), None)
    absent = Test(change.offset, frozenset({change.thing}), wanted=False)
    if there is None:
        return (*tests, absent)
    wider = there._replace(things=there.things | absent.things)
    return tuple(wider if test is there else test for test in tests)
