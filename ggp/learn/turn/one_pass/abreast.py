"""All that go where an input points go at once, and who stays bars the way of who comes behind.

In a crowd that is no deed of each by itself: who goes hangs on who stands ahead, and on who stands ahead of
that. But along a line as many are there as before, so that it is known of each who went. Who would go is
learned from those that went, and those that stayed though nothing that stays was ahead; these leave a mark. A
mark goes again where something ahead stays, until none does, and who has one then goes. What happens
besides comes after that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Token, Turn, known_once, pointed
from ggp.learn.fit.fitting import best_part
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, pointing
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Outcome, Seen, View
from ggp.learn.turn.evidence.changes import changing
from ggp.learn.turn.evidence.went import Goers, Went, goers_of, in_two_lines
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inorder import ahead_of
from ggp.model import Cell

MOSTLY = 0.7  # of the turns in which it goes or comes at all
FEWEST = 3  # turns in which something went, for it to be one that goes
SEVERAL = 20  # turns in which things went in two lines at once
WORK = 5e6  # with those that are pushed told as such, and then without
MARK = "goes"
HERE, AHEAD, BEHIND = (0, 0), (1, 0), (-1, 0)
DECISION = 1.0  # what each costs that is not learned


class Herd(NamedTuple):
    """Who goes, with the mark of each, and what bars its way: for ever, or as long as it stays."""

    structure: Structure
    marks: Mapping[Token, Token]
    still: Mapping[Token, frozenset[str]]
    others: Mapping[Token, frozenset[str]]


def learn_abreast(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Who would go, who is barred, that they go, and what comes after.

    Raises NotLearned where that does not say all.
    """
    if not pointed(turns) and not structure.joined:
        told = [(turn, goers_of(turn, structure)) for turn in turns if pointing(structure, turn.word)]
        names = going_so(told, structure)
        if sum(in_two_lines(turn, some, names, structure) for turn, some in told) >= SEVERAL:
            herd = herd_of(told, names, structure)
            for pushers in filter(None, (pushers_of(told, herd), {name: [] for name in names})):
                found = None
                with suppress(NotLearned), account(WORK):
                    found = with_who_goes(turns, told, herd, pushers, limits)
                if found is not None:
                    return found
    raise NotLearned("no crowd that goes where inputs point explains a turn", "more roll-outs may help")


def with_who_goes(
    turns: Sequence[Turn],
    told: Sequence[tuple[Turn, Goers]],
    herd: Herd,
    pushers: Mapping[Token, Sequence[Token]],
    limits: Sequence[float],
) -> Passes | None:
    """All passes; None where those who would go are not told from those who would not, or it is not all."""
    parts: list[Part] = []
    with one_thread():
        for name in (one for one, others in pushers.items() if not others):
            found = best_part(name, list(willing(told, name, herd)), herd.structure, None, limits[-1])
            if found is None:
                return None
            parts += found
    first = Program(herd.structure, tuple(parts))
    pushed = [pushing(herd, pushers)] if any(pushers.values()) else []
    marks = frozenset(herd.marks.values())
    passes = Passes(herd.structure, (first, *pushed, barring(herd), going(herd)), marks)
    if not any(map(passes.wrong, turns)):
        return passes
    ends = [passes.after(turn.before, turn.word) for turn in turns]
    left = [turn._replace(before=end) for turn, end in zip(turns, ends, strict=True) if end is not None]
    rest = known_once(left) if len(left) == len(turns) else None
    after = learned_from(rest, herd.structure, limits) if rest is not None else None
    if after is None:
        return None
    passes = replace(passes, programs=(*passes.programs, after))
    return None if any(map(passes.wrong, turns)) else passes


def going_so(told: Sequence[tuple[Turn, Goers]], structure: Structure) -> list[Token]:
    """The names of what goes where inputs point nearly whenever it goes or comes at all."""
    changed = Counter(name for turn, _ in told for name in changing([turn], structure))
    often = Counter(name for _, some in told for name, went in some.items() if went.gone)
    return sorted(name for name, times in often.items() if times >= max(FEWEST, MOSTLY * changed[name]))


# --- what bars the way ------------------------------------------------------------------------------------


def herd_of(told: Sequence[tuple[Turn, Goers]], names: Sequence[Token], structure: Structure) -> Herd:
    """Who goes, and what bars its way: what never shares its cell, has not made room, and has stopped it.

    Who comes to lava is gone, so that they are never seen together, and is not stopped by it.
    """
    marks = {name: unused(structure, f"{MARK}-{name}") for name in names}
    known = replace(structure, tokens=(*structure.tokens, *marks.values()))
    apart, goers = structure.exclusions(), frozenset(names)
    still, others = dict[Token, frozenset[str]](), dict[Token, frozenset[str]]()
    for name in names:
        bars = apart.get(name, frozenset()) - set(made_room(told, name, goers, structure))
        still[name] = bars.intersection(stopped_by(told, name, bars, structure)) - goers
        others[name] = (bars & goers) | {name}
    return Herd(known, marks, still, others)


def made_room(
    told: Sequence[tuple[Turn, Goers]], name: Token, goers: frozenset[str], structure: Structure
) -> Iterator[str]:
    """What stood where one of a name went, and does not go so itself: it may be taken."""
    for turn, some in told:
        for cell in some[name].gone if name in some else ():
            there = turn.before.at(ahead(cell, turn, structure)) or frozenset()
            yield from map(structure.name, there - goers)


def stopped_by(
    told: Sequence[tuple[Turn, Goers]], name: Token, bars: frozenset[str], structure: Structure
) -> Iterator[str]:
    """Of what may bar the way of a name, what alone was ahead of one that stayed."""
    for turn, some in told:
        for cell in some[name].stayed if name in some else ():
            stack = turn.before.at(ahead(cell, turn, structure)) or ()
            there = bars.intersection(map(structure.name, stack))
            if len(there) == 1:
                yield from there


def ahead(cell: Cell, turn: Turn, structure: Structure) -> Cell:
    """The cell where the input points, as it does in all turns here."""
    way = pointing(structure, turn.word)
    assert way is not None
    return ahead_of(cell, way)


def willing(told: Sequence[tuple[Turn, Goers]], name: Token, herd: Herd) -> Iterator[Example]:
    """Those that went leave a mark, and those do not that stayed though nothing was in their way."""
    mark = herd.marks[name]
    for turn, some in told:
        went = some.get(name, Went(frozenset(), frozenset()))
        for cell in sorted(went.gone):
            yield Example(turn, turn.before, cell, name, frozenset({("+", cell, mark)}))
        for cell in sorted(went.stayed):
            if not barred(turn, ahead(cell, turn, herd.structure), name, some, herd):
                yield Example(turn, turn.before, cell, name, frozenset())


def pushers_of(told: Sequence[tuple[Turn, Goers]], herd: Herd) -> Mapping[Token, Sequence[Token]]:
    """Who is pushed by whom: what goes only where something goes right behind it. Empty where nothing is.

    Who is gone may have pushed before that, so all that stand on either board must be known.
    """
    found: dict[Token, set[Token]] = {name: set() for name in herd.marks}
    alone = set[Token]()
    for turn, some in told:
        there = herd.marks.keys() & set().union(*turn.before.cells, *turn.after.cells)
        for name in there if some.keys() >= there else ():
            for cell in some[name].gone:
                (row, column), (down, right) = cell, ahead((0, 0), turn, herd.structure)
                behind = (row - down, column - right)
                by = {other for other in there if behind in some[other].gone}
                found[name] |= by
                alone |= set() if by else {name}
    pushed = {name: [] if name in alone else sorted(others) for name, others in found.items()}
    return pushed if alone and any(pushed.values()) else {}


def barred(turn: Turn, cell: Cell, name: Token, some: Goers, herd: Herd) -> bool:
    """Is the cell off the board, or does something stay there that bars the way, or may have?"""
    stack = turn.before.at(cell)
    if stack is None:
        return True
    names = set(map(herd.structure.name, stack))
    others = names & herd.others[name]
    return bool(names & herd.still[name]) or any(
        other not in some or cell in some[other].stayed for other in others
    )


# --- passes that are known --------------------------------------------------------------------------------


def pushing(herd: Herd, pushers: Mapping[Token, Sequence[Token]]) -> Program:
    """The loop in which who is pushed by somebody with a mark has one, too."""
    parts = []
    for name, others in pushers.items():
        mark = Seen(herd.marks[name])
        marked = Test(BEHIND, frozenset(Seen(herd.marks[other]) for other in others))
        tests = (marked, Test(HERE, frozenset({mark}), wanted=False))
        if others:
            parts.append(part_of(name, [Decision(tests, (Change("+", HERE, mark),))], herd))
    return Program(herd.structure, tuple(parts), loop=True)


def barring(herd: Herd) -> Program:
    """The loop in which marks go where something ahead stays."""

    def tests_of(name: Token) -> Iterator[tuple[Test, ...]]:
        yield (Test(AHEAD, frozenset(map(Seen, herd.still[name])), edge=True),)
        for other in sorted(herd.others[name]):
            marked = Test(AHEAD, frozenset({Seen(herd.marks[other])}), wanted=False)
            yield Test(AHEAD, frozenset({Seen(other)})), marked

    parts = []
    for name, mark in herd.marks.items():
        unmarked = (Change("-", HERE, Seen(mark)),)
        parts.append(part_of(name, [Decision(tests, unmarked) for tests in tests_of(name)], herd))
    return Program(herd.structure, tuple(parts), loop=True)


def going(herd: Herd) -> Program:
    """The pass in which who has a mark goes, without it."""

    def step(name: Token) -> Outcome:
        changes = (("+", AHEAD, name), ("-", HERE, name), ("-", HERE, herd.marks[name]))
        return tuple(sorted(Change(sign, at, Seen(thing)) for sign, at, thing in changes))

    return Program(
        herd.structure, tuple(part_of(name, [Decision((), step(name))], herd) for name in herd.marks)
    )


def part_of(name: Token, decisions: Sequence[Decision], herd: Herd) -> Part:
    """What things of a name do, seen where the input points."""
    listed = Decisions((BEHIND, HERE, AHEAD), tuple(decisions), DECISION * len(decisions))
    words = frozenset(herd.structure.toward.values())
    return Part(name, View(Frame("input"), herd.structure), listed, words)
