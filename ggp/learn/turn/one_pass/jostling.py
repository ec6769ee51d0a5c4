"""All go at once, each its own way, and of those that head for one cell the first one comes there.

Puppets go where the input points and kites go the other way, or each goes where it faces. Who would go is
learned from those that went, and from those that stayed though nothing was in their way, before the turn or
after it; these get a mark that faces where they would go, and so does what they push. Then a loop for each
way lets those with a mark go as soon as nothing is ahead, those that go right first, say: which comes first,
and whether all have their turn once more, is told by the turns in which that makes a difference. An engine
that goes through its cells again and again lets those that go the same way go one by one. What happens
besides comes after that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, permutations

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Turn, known_once, pointed
from ggp.learn.fit.fitting import best_part
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import OWN, Change, Seen, View
from ggp.learn.turn.evidence.goers import Goers, Way, goers_of, there
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inorder import HERE, ahead_of
from ggp.model import OFFSETS, Cell

ORDER = ("right", "down", "up", "left")  # of who stands first, column by column
MEETINGS = 3  # turns in which two head for one free cell
ROUNDS = (1, 2, 3)  # times that all ways have their turn: a cell may be left only after somebody wanted it
TELLING = 80  # turns in which orders differ, by which one is chosen
MARK = "goes"
COST = 1.0  # of letting things of one name go
WORK = 3e6


def learn_jostling(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Who would go, that they go one way after another, and what comes after; raises NotLearned."""
    if not pointed(turns) and not structure.joined:
        goers = goers_of(turns, structure)
        meetings = [turn for turn in turns if goers.contested(turn)] if len(goers.willing) > 1 else []
        if len(meetings) >= MEETINGS or (goers.faced and goers.sent and goers.pushed):
            with account(WORK):
                found = in_turns(turns, goers, limits)
            if found is not None:
                return found
            raise NotLearned("who goes first does not explain all turns", "more roll-outs may help")
    raise NotLearned("nobody heads for a cell for which another heads", "more roll-outs may help")


def in_turns(turns: Sequence[Turn], goers: Goers, limits: Sequence[float]) -> Passes | None:
    """All passes; None where those who would go are not told from those who would not, or it is not all."""
    known = with_marks(goers)
    first = willing(turns, goers, known, limits)
    if first is None:
        return None
    pushing = [pushing_on(goers, known)] if goers.pushed else []
    marks = frozenset(known.tokens) - frozenset(goers.structure.tokens)

    def passes(order: Sequence[Way], rounds: int) -> Passes:
        groups = grouped(order, goers)
        whole = [stepping(ways, goers, known) for ways in groups]
        # Who goes the way in which cells are gone through goes a step a round, the first of a row first.
        once = [
            replace(one, loop=not set(ways) <= set(order[:2]))
            for one, ways in zip(whole, groups, strict=True)
        ]
        before = once * (rounds - 1) if rounds > 2 else whole * (rounds - 1)
        return Passes(known, (first, *pushing, *before, *whole), marks)

    ways = [way for way in ORDER if any(way in goers.ways_of(name) for name in goers.names)]
    some = [passes(order, rounds) for rounds in ROUNDS for order in (ways, ways[::-1])]
    telling = [turn for turn in turns if len({one.after(turn.before, turn.word) for one in some}) > 1]
    orders = (passes(order, rounds) for order in permutations(ways) for rounds in ROUNDS)
    return with_the_rest(fewest_wrong(orders, telling[:TELLING], goers), turns, limits)


def fewest_wrong(orders: Iterable[Passes], turns: Sequence[Turn], goers: Goers) -> Passes:
    """The first after which all stand where they do in the end, or most. Who turns then does so later."""
    fewest = len(turns) + 1
    best: Passes | None = None
    for one in orders:
        wrong = (
            end is None or elsewhere(end, turn.after, goers)
            for turn in turns
            for end in [one.after(turn.before, turn.word)]
        )
        number = sum(1 for _ in islice(filter(None, wrong), fewest))  # more than that is not counted
        if number < fewest:
            fewest, best = number, one
        if not number:
            break
    assert best is not None  # there is an order
    return best


def elsewhere(end: Board, after: Board, goers: Goers) -> bool:
    """Does anything that goes stand elsewhere on the one board than on the other?"""

    def called(stack: Stack) -> frozenset[str]:
        return frozenset(map(goers.structure.name, stack)).intersection(goers.names)

    pairs = zip(end.cells, after.cells, strict=True)
    return any(one != other and called(one) != called(other) for one, other in pairs)


def with_marks(goers: Goers) -> Structure:
    """The structure with a mark for each name, which faces where it would go."""
    structure = goers.structure
    for name in goers.names:
        family = unused(structure, f"{MARK}-{name}")
        marks = {f"{family}:{way}": (family, way) for way in ORDER}
        structure = replace(
            structure, tokens=(*structure.tokens, *marks), facing={**structure.facing, **marks}
        )
    return structure


def marked_as(name: str, known: Structure, goers: Goers) -> str:
    """The family of the marks of a name."""
    new = known.tokens[len(goers.structure.tokens) :]
    return known.name(new[goers.names.index(name) * len(ORDER)])


def willing(turns: Sequence[Turn], goers: Goers, known: Structure, limits: Sequence[float]) -> Program | None:
    """The pass in which who would go gets its mark."""
    examples: dict[str, list[Example]] = {name: [] for name in goers.willing}
    for turn in turns:
        for name, at, token, way in goers.heading(turn):
            goes = would_go(turn, name, at, way, goers)
            if goes is not None:
                mark = f"{marked_as(name, known, goers)}:{way}"
                changes = frozenset({("+", at, mark)}) if goes else frozenset()
                examples[name].append(Example(turn, turn.before, at, token, changes))
    parts: list[Part] = []
    with one_thread():
        for name, some in examples.items():
            found = best_part(name, some, known, None, limits[-1]) if some else None
            if found is None:
                return None
            parts += found
    return Program(known, tuple(parts))


def would_go(turn: Turn, name: str, at: Cell, way: Way, goers: Goers) -> bool | None:
    """Did something go, or stay though nothing was in its way; None where neither is plain."""
    to = ahead_of(at, way)
    here, ahead = (there(turn.after, cell, name, goers.structure) for cell in (at, to))
    if ahead and not here and not there(turn.before, to, name, goers.structure):
        return True
    free = not goers.bars(turn.before, to, name) and not goers.bars(turn.after, to, name)
    return False if here and free else None


def grouped(order: Sequence[Way], goers: Goers) -> list[list[Way]]:
    """The ways one after another; together those that no input has things go at once."""
    groups: list[list[Way]] = []
    for way in order:
        if groups and not goers.at_once([*groups[-1], way]):
            groups[-1].append(way)
        else:
            groups.append([way])
    return groups


def pushing_on(goers: Goers, known: Structure) -> Program:
    """The pass in which what stands before somebody with a mark has one, too, that faces the same way."""
    view = View(Frame("none"), known)
    parts = []
    for name, pushers in goers.pushed.items():
        mark, decisions = marked_as(name, known, goers), []
        for way in sorted(goers.ways_of(name), key=ORDER.index):
            (down, right) = OFFSETS[way]
            behind = view.frame.offset(HERE, (-down, -right), None)
            marked = frozenset(Seen(marked_as(one, known, goers), way) for one in pushers)
            decisions.append(
                (behind, Decision((Test(behind, marked),), (Change("+", HERE, Seen(mark, way)),)))
            )
        offsets = (HERE, *(behind for behind, _ in decisions))
        parts.append(Part(name, view, Decisions(offsets, tuple(one for _, one in decisions), COST)))
    return Program(known, tuple(parts))


def stepping(ways: Sequence[Way], goers: Goers, known: Structure) -> Program:
    """The loop in which who has a mark goes as soon as nothing is ahead, without it."""
    parts = []
    for name in goers.names:
        faces = known.named(name) != {name}
        view = View(Frame("none"), known, name, keeps=True) if faces else View(Frame("none"), known)
        decisions = []
        for way in sorted(goers.ways_of(name).intersection(ways), key=ORDER.index):
            to = view.frame.offset(HERE, OFFSETS[way], None)
            mark, own = Seen(marked_as(name, known, goers), way), Seen(name, OWN if faces else "")
            barred = frozenset(
                view.seen(one, None) for one in known.tokens if known.name(one) in goers.apart[name]
            )
            tests = (
                Test(HERE, frozenset({mark})),
                Test(to, barred, edge=True, wanted=False),
            )
            outcome = (Change("-", HERE, own), Change("-", HERE, mark), Change("+", to, own))
            decisions.append((to, Decision(tests, tuple(sorted(outcome)))))
        if decisions:
            offsets = (HERE, *(to for to, _ in decisions))
            cost = COST * len(decisions) / len(ORDER)  # it is one rule, turned
            listed = Decisions(offsets, tuple(one for _, one in decisions), cost)
            parts.append(Part(name, view, listed))
    return Program(known, tuple(parts), loop=True)


def with_the_rest(passes: Passes, turns: Sequence[Turn], limits: Sequence[float]) -> Passes | None:
    """The passes, and one more where they leave something; None where none says all that they leave."""
    ends = [passes.after(turn.before, turn.word) for turn in turns]
    left = [turn._replace(before=end) for turn, end in zip(turns, ends, strict=True) if end is not None]
    if len(left) < len(turns):
        return None
    if any(turn.before != turn.after for turn in left):
        rest = known_once(left)
        after = learned_from(rest, passes.structure, limits) if rest is not None else None
        if after is None:
            return None
        passes = replace(passes, programs=(*passes.programs, after))
    return None if any(map(passes.wrong, turns)) else passes
