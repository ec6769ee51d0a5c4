"""Who goes first where several would come to one cell: all that face up, then right, or in another order.

Things that go ahead by themselves meet now and then in a cell, and there one goes and the others stay: those
that face up go first on all boards, say, and each of the others goes if nothing came in its way. What each
does is learned from the turns in which no two face the same cell. Those who would go then get a mark instead,
and a pass for each facing lets them go, in the order that the other turns tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, subjects_on
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.model import DIRECTIONS, OFFSETS, Cell

HERE, AHEAD = (0, 0), (1, 0)
MARK = "going"
FEWEST = 2  # turns in which two face one cell, before an order is thought of
COST = 1.0  # of a pass for one facing


def learn_in_order(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Program | Passes:
    """What all do in one pass, or, where they come to one cell, one after another; raises NotLearned.

    What no rules say of the turns in which none face the same cell, none say of all.
    """
    for name in sorted({name for name, facing in structure.facing.values() if facing in OFFSETS}):
        plain = [turn for turn in turns if not contested(turn.before, name, structure)]
        if len(turns) - len(plain) < FEWEST:
            continue
        program = learn_pass(plain, structure, limits=limits)
        if not any(map(program.wrong, turns)):
            return program
        passes = in_an_order(program, turns, name)
        if passes is not None:
            return passes
    return learn_pass(turns, structure, limits=limits)


def in_an_order(program: Program, turns: Sequence[Turn], name: str) -> Passes | None:
    """The program with a pass for each facing of a name; None where no order says what was seen.

    Who goes ahead needs a cell there; who gets a mark must ask for one, if edges matter.
    """
    for asked in ((), (Test(AHEAD, edge=True, wanted=False),)):
        going = with_marks_for_steps(program, name, asked)
        order = order_seen(going, turns, name) if going is not None else None
        if going is None or order is None:
            continue
        mark = mark_of(going)
        steps = (step_of(name, facing, mark, going.structure) for facing in order)
        passes = Passes(going.structure, (going, *steps), frozenset({mark}))
        if not any(map(passes.wrong, turns)):
            return passes
    return None


def facing_cells(board: Board, name: str, structure: Structure) -> dict[Cell, list[tuple[Cell, Token]]]:
    """Each cell that things of a name face, with those that do and where they stand."""
    found: dict[Cell, list[tuple[Cell, Token]]] = defaultdict(list)
    for at, token in subjects_on(board, name, structure):
        if token is not None and token in structure.facing:
            found[ahead_of(at, structure.facing[token][1])].append((at, token))
    return found


def ahead_of(at: Cell, facing: str) -> Cell:
    """The cell ahead."""
    return at[0] + OFFSETS[facing][0], at[1] + OFFSETS[facing][1]


def contested(board: Board, name: str, structure: Structure) -> bool:
    """Do two things of a name face one cell?"""
    return any(len(those) > 1 for those in facing_cells(board, name, structure).values())


def with_marks_for_steps(program: Program, name: str, asked: tuple[Test, ...]) -> Program | None:
    """The program in which things of a name that would go ahead get a mark instead; None where none goes.

    `asked`: what they must ask for besides.
    """
    mark = unused(program.structure, MARK)
    structure = replace(program.structure, tokens=(*program.structure.tokens, mark))
    step = {Change("-", HERE, Seen(name, "ahead")), Change("+", AHEAD, Seen(name, "ahead"))}

    def stays(one: Decision) -> Decision:
        if not step <= set(one.outcome):
            return one
        outcome = sorted((*(set(one.outcome) - step), Change("+", HERE, Seen(mark))))
        return one._replace(tests=(*one.tests, *asked), outcome=tuple(outcome))

    parts = []
    for part in program.parts:
        own = part.subject == name and part.view.frame == Frame("facing")
        listed = tuple(map(stays, part.decisions.decisions)) if own else part.decisions.decisions
        view = replace(part.view, structure=structure)
        parts.append(replace(part, view=view, decisions=replace(part.decisions, decisions=listed)))
    found = Program(structure, tuple(parts))
    return (
        found
        if [part.decisions for part in found.parts] != [part.decisions for part in program.parts]
        else None
    )


def mark_of(going: Program) -> Token:
    """The mark of a program that leaves one: the last of its tokens."""
    return going.structure.tokens[-1]


def order_seen(going: Program, turns: Sequence[Turn], name: str) -> tuple[str, ...] | None:
    """The first order of facings in which all go as was seen; None where there is none, or none is needed."""
    before: set[tuple[str, str]] = set()
    for turn in turns:
        if contested(turn.before, name, going.structure):
            middle = going.after(turn.before, turn.word)
            before |= set(winners(middle, turn.after, name, going)) if middle is not None else set()
    if not before:
        return None
    orders = permutations(DIRECTIONS)
    return next((o for o in orders if all(o.index(a) < o.index(b) for a, b in before)), None)


def winners(middle: Board, after: Board, name: str, going: Program) -> Iterator[tuple[str, str]]:
    """The facings of those of which one went where another would have gone, too."""
    facing, mark = going.structure.facing, mark_of(going)
    for those in facing_cells(middle, name, going.structure).values():
        would = [(at, token) for at, token in those if mark in (middle.at(at) or ())]
        went = [token for at, token in would if token not in (after.at(at) or ())]
        if len(went) == 1:
            yield from ((facing[went[0]][1], facing[token][1]) for _, token in would if token != went[0])


def step_of(name: str, facing: str, mark: Token, structure: Structure) -> Program:
    """Those that face somewhere and have the mark go on, where nothing is in the way."""
    view = View(Frame("none"), structure)
    to: Offset = view.frame.offset(HERE, OFFSETS[facing], None)
    own = Seen(name, facing)
    apart = structure.exclusions()[name] | {name}
    barred = frozenset(view.seen(token, None) for token in structure.tokens if structure.name(token) in apart)
    tests = (Test(HERE, frozenset({Seen(mark)})), Test(to, barred, wanted=False))
    outcome = (Change("-", HERE, own), Change("+", to, own), Change("-", HERE, Seen(mark)))
    decision = Decision(tests, tuple(sorted(outcome)))
    return Program(structure, (Part(name, view, Decisions((HERE, to), (decision,), COST)),))
