"""How a compiled pass is evaluated: once, for every algebra.

An algebra says what a board of truth values is. With machine words the same lines step one state
(`ggp.transition.bits`) or many at once (`ggp.transition.batch`); with formulas they write an encoding
(`ggp.encoding.symbolic`). A board supports `&`, `|` and `~`; where a test would only save work, `algebra.
empty(board)` may answer False. A complement may have bits outside the board: it is only ever intersected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, Protocol

from ggp.transition.program import (
    Change,
    CompiledRule,
    Loop,
    Offset,
    Pass,
    Program,
    Term,
    Transition,
    Whole,
)

Board = Any
Boards = tuple[Board, ...]  # one board a plane, in the order of Transition.planes


class Algebra(Protocol):
    """What the kernel asks of a kind of board."""

    transition: Transition
    zero: Board

    def everywhere(self) -> Board:
        """The board that is true on every cell."""

    def empty(self, board: Board) -> bool:
        """Is the board known to be false everywhere?"""

    def shift(self, board: Board, offset: Offset) -> Board:
        """The board that holds at each cell what `board` holds at that cell + offset; false outside."""

    def inside(self, offset: Offset) -> Board:
        """True on the cells for which cell + offset is on the board."""

    def tally(self, where: Board, boards: list[Board], low: int, high: int) -> Board:
        """Where, of the cells that are true in `where`, from `low` to `high` of the boards are true."""

    def input(self, words: tuple[str, ...]) -> Board | None:
        """True everywhere if the input has all these words, else zero; None for always."""

    def fired(self, rule: CompiledRule, subject: int | None, where: Board) -> Board:
        """Called with the anchors of each rule that may fire; may give the board a name."""

    def moved(self, plane: int, where: Board) -> None:
        """Called with the cells from which pieces of a plane are moved or turned by one rule."""

    def settle(self, plane: int, board: Board) -> Board:
        """Called with each board that a pass changed; may give it a name."""

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        """No cell may be true in boards of two companies: else the firings collide. Within one they may."""

    def idle(self, step: Pass, rule: CompiledRule, where: Board) -> None:
        """Inside a loop: a firing at `where` that changes nothing is an error."""

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        """Run the body until it changes nothing."""


Company = list[tuple[CompiledRule | None, Board]]
"""Boards of firings, or (None) of what stays there, that may meet one another."""


class Fired(NamedTuple):
    """A rule with the board of the anchors where it fires."""

    rule: CompiledRule
    subject: int | None
    where: Board


def run_program(algebra: Algebra, program: Program, boards: Boards) -> Boards:
    """The boards after the steps of a program, each once or, for a loop, until stable."""
    for step in program:
        boards = algebra.loop(step, boards) if isinstance(step, Loop) else run_pass(algebra, step, boards)
    return boards


def clear_markers(algebra: Algebra, boards: Boards) -> Boards:
    """The boards at the end of a turn, without markers."""
    markers = algebra.transition.markers
    if not markers:
        return boards
    return tuple(algebra.zero if plane in markers else board for plane, board in enumerate(boards))


def run_pass(algebra: Algebra, step: Pass, boards: Boards) -> Boards:
    """One pass: find what fires, then make all removals, then all additions."""
    fired: list[Fired] = []
    stays: dict[int, Board] = {}  # of each subject plane, the pieces that no rule of their own removes
    shared: dict[Term, Board] = {}
    for subject, rules in step.subjects:
        remaining = algebra.everywhere() if subject is None else boards[subject]
        if algebra.empty(remaining):
            continue
        kept = algebra.zero
        whole: Whole | None = None
        for rule in rules:
            if rule.whole is not None and rule.whole == whole:
                continue  # it has been counted together with the one before
            whole = rule.whole
            rule = rule if whole is None else replace(whole.rule, inputs=rule.inputs)
            given = algebra.input(rule.inputs)
            where = matches(algebra, rule, remaining, given, boards, shared)
            if whole is not None:
                where = counted(algebra, whole, where, boards, shared)
            if algebra.empty(where):
                continue
            where = algebra.fired(rule, subject, where)
            if step.must_change:
                idle = idle_firings(algebra, rule, subject, where, boards)
                if not algebra.empty(idle):
                    algebra.idle(step, rule, idle)
            fired.append(Fired(rule, subject, where))
            if not removes_subject(rule, subject):
                kept = kept | where
            # A rule without any condition takes all that remain; said so, no algebra has to find it out.
            always = not rule.terms and given is None and whole is None
            remaining = algebra.zero if always else remaining & ~where
            if algebra.empty(remaining):
                break
        if subject is not None:
            stays[subject] = remaining | kept
    return apply(algebra, step, boards, fired, stays) if fired else boards


def matches(
    algebra: Algebra,
    rule: CompiledRule,
    remaining: Board,
    given: Board | None,
    boards: Boards,
    shared: dict[Term, Board],
) -> Board:
    """The anchors among `remaining` at which the input (`given`) and every term of the rule hold."""
    where = remaining if given is None else remaining & given
    for term in rule.terms:
        if algebra.empty(where):
            break
        board = shared.get(term)
        if board is None:
            board = shared[term] = evaluate(algebra, term, boards)
        where = where & board
    return where


def counted(algebra: Algebra, whole: Whole, where: Board, boards: Boards, shared: dict[Term, Board]) -> Board:
    """The anchors among these at which the cells that a rule counts come to its numbers."""
    for spots, low, high in whole.tallies:
        if algebra.empty(where):
            break
        held = []
        for offset, planes in spots:
            term = Term(offset, planes, True)
            if term not in shared:
                shared[term] = evaluate(algebra, term, boards)
            held.append(shared[term])
        where = algebra.tally(where, held, low, high)
    return where


def tallied(algebra: Algebra, where: Board, boards: list[Board], low: int, high: int) -> Board:
    """The same by `&` and `|`: board after board, the cells at which 1, 2, ... were true so far."""
    levels: list[Board] = [algebra.zero] * min(max(low, high + 1), len(boards))
    for board in boards:
        below = [where, *levels]
        levels = [level | (less & board) for level, less in zip(levels, below, strict=False)]
    if low > 0:
        where = where & levels[low - 1] if low <= len(boards) else algebra.zero
    return where & ~levels[high] if 0 <= high < len(boards) else where if high >= 0 else algebra.zero


def evaluate(algebra: Algebra, term: Term, boards: Boards) -> Board:
    """The anchors at which a term holds."""
    if not term.planes:
        board = algebra.inside(term.offset)
    else:
        board = union(algebra, (boards[plane] for plane in term.planes))
        if term.offset != (0, 0):
            board = algebra.shift(board, term.offset)
    return board if term.wanted else ~board


def union(algebra: Algebra, boards: Iterable[Board]) -> Board:
    """The board that is true where any of these is."""
    total: Board | None = None
    for board in boards:
        total = board if total is None else total | board
    return algebra.zero if total is None else total


def overlaps(algebra: Algebra, companies: list[Company]) -> Iterator[Board]:
    """Where each of these companies meets one of those before it."""
    seen: Board | None = None
    for company in companies:
        board = union(algebra, (where for _, where in company))
        if seen is not None:
            yield seen & board
        seen = board if seen is None else seen | board


def removes_subject(rule: CompiledRule, subject: int | None) -> bool:
    """Does a firing of the rule take its own subject away?"""
    return any(change.plane == subject and change.source == (0, 0) for change in rule.changes)


def idle_firings(
    algebra: Algebra, rule: CompiledRule, subject: int | None, where: Board, boards: Boards
) -> Board:
    """The anchors among `where` at which a firing of the rule does no more than put back what it takes."""
    if always_changes(rule, subject):
        return algebra.zero
    taken: dict[tuple[int, Offset], Board] = {}
    put: dict[tuple[int, Offset], Board] = {}
    for change in rule.changes:
        effective = where
        if change.plane is not None:
            if not change.sure:
                effective = where & algebra.shift(boards[change.plane], change.source)
            thing = change.plane, change.source
            taken[thing] = taken.get(thing, algebra.zero) | effective
        if change.result is not None:
            thing = change.result, change.target
            put[thing] = put.get(thing, algebra.zero) | effective
    idle = where
    for thing in taken | put:
        out: Board = taken.get(thing, algebra.zero)
        back: Board = put.get(thing, algebra.zero)
        idle = idle & ~((out & ~back) | (back & ~out))
    return idle


def always_changes(rule: CompiledRule, subject: int | None) -> bool:
    """Does each firing of the rule take what it does not put back, or put what it did not take?

    Told from the rule alone: an algebra of formulas takes long to find it out.
    """
    takes = {(change.plane, change.source) for change in rule.changes}
    puts = {(change.result, change.target) for change in rule.changes}
    for change in rule.changes:
        thing = change.plane, change.source
        if change.plane is None or change.sure or thing == (subject, (0, 0)):
            if change.plane is not None and thing not in puts:
                return True
            if change.result is not None and (change.result, change.target) not in takes:
                return True
    return False


class Contribution(NamedTuple):
    """The cells at which one change of one rule takes or puts a piece."""

    rule: CompiledRule
    change: Change
    where: Board


def apply(
    algebra: Algebra, step: Pass, boards: Boards, fired: list[Fired], stays: dict[int, Board]
) -> Boards:
    """Make all removals, then all additions, and see that no two firings collide."""
    taken: dict[int, list[tuple[Contribution, bool]]] = {}
    put: dict[int, list[Contribution]] = {}
    for rule, subject, where in fired:
        for change in rule.changes:
            effective, own = where, False
            if change.plane is not None:
                own = change.source == (0, 0) and change.plane == subject
                if not own and not change.sure:
                    effective = where & algebra.shift(boards[change.plane], change.source)
                at = algebra.shift(effective, negative(change.source))
                taken.setdefault(change.plane, []).append((Contribution(rule, change, at), own))
                if change.result is not None:
                    algebra.moved(change.plane, at)
            if change.result is not None:
                at = algebra.shift(effective, negative(change.target))
                put.setdefault(change.result, []).append(Contribution(rule, change, at))
    left = {plane: remain(algebra, boards, stays, plane, taken.get(plane, [])) for plane in taken}
    check(algebra, step, boards, left, taken, put)
    after = list(boards)
    for plane in left.keys() | put.keys():
        arrived = union(algebra, (one.where for one in put.get(plane, ())))
        after[plane] = algebra.settle(plane, left.get(plane, boards[plane]) | arrived)
    return tuple(after)


def remain(
    algebra: Algebra,
    boards: Boards,
    stays: dict[int, Board],
    plane: int,
    taken: list[tuple[Contribution, bool]],
) -> Board:
    """The pieces of a plane that nothing removes."""
    others = union(algebra, (one.where for one, own in taken if not own))
    return stays.get(plane, boards[plane]) & ~others


def negative(offset: Offset) -> Offset:
    """The way back."""
    return -offset[0], -offset[1]


def check(
    algebra: Algebra,
    step: Pass,
    boards: Boards,
    left: dict[int, Board],
    taken: dict[int, list[tuple[Contribution, bool]]],
    put: dict[int, list[Contribution]],
) -> None:
    """Hand to the algebra every set of boards that must not meet in a cell."""
    transition = algebra.transition
    for plane, removals in taken.items():
        if plane not in transition.exempt:
            check_removals(algebra, step, plane, removals)
    for layer in dict.fromkeys(transition.layers[plane] for plane in put):
        hard, soft = transition.shares[layer]
        if hard:
            check_layer(algebra, step, layer, boards, left, put)


def check_removals(
    algebra: Algebra, step: Pass, plane: int, removals: list[tuple[Contribution, bool]]
) -> None:
    """Nothing is removed by two firings of which one moves it.

    Of the rules for one subject only one fires, so those that take their own subject count as one; and what
    one rule takes twice from one place, one firing takes.
    """
    what = f"the removal of {algebra.transition.planes[plane]}"
    mine: list[Contribution] = []
    foreign: dict[tuple[int, Offset], list[Contribution]] = {}
    for one, own in removals:
        (mine if own else foreign.setdefault((id(one.rule), one.change.source), [])).append(one)
    still = [group for group in foreign.values() if not any(map(moves, group))]
    moving = [group for group in foreign.values() if any(map(moves, group))]
    if moving:
        algebra.exclude(what, step, [firings(chain(mine, *still)), *map(firings, moving)])
    if still and any(map(moves, mine)):
        algebra.exclude(what, step, [firings(filter(moves, mine)), firings(chain(*still))])


def moves(one: Contribution) -> bool:
    """Is what is taken put somewhere else?"""
    return one.change.result is not None


def firings(some: Iterable[Contribution]) -> Company:
    """Contributions that may meet one another."""
    return [(one.rule, one.where) for one in some]


def check_layer(
    algebra: Algebra,
    step: Pass,
    layer: str,
    boards: Boards,
    left: dict[int, Board],
    put: dict[int, list[Contribution]],
) -> None:
    """Nothing arrives where another arrives or stays, unless both are of kinds that may share a place."""
    hard, soft = algebra.transition.shares[layer]
    arriving = firings(one for plane in hard for one in put.get(plane, ()))
    soft_ones = firings(one for plane in soft for one in put.get(plane, ()))
    standing = union(algebra, (left.get(plane, boards[plane]) for plane in hard))
    if arriving:
        others = union(algebra, (left.get(plane, boards[plane]) for plane in soft))
        algebra.exclude(layer, step, [*([one] for one in arriving), [(None, standing | others)]])
    if soft_ones:
        algebra.exclude(layer, step, [soft_ones, [*arriving, (None, standing)]])
