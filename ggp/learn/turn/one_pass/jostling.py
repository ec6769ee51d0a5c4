"""All go at once, each its own way, and of those that head for one cell the first one comes there.

Puppets go where the input points and kites go the other way, or each goes where it faces. Who would go is
learned from those that went, and from those that stayed though nothing was in their way, before the turn or
after it; these get a mark that faces where they would go. Then a loop for each way lets those with a mark go
as soon as nothing is ahead, those that go right first, say: which comes first is told by the turns in which
two head for one cell. What happens besides comes after that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once, pointed
from ggp.learn.fit.fitting import best_part
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, pointing, subjects_on
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import account, spend
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inorder import HERE, ahead_of
from ggp.model import OFFSETS, Cell

ORDER = ("right", "down", "up", "left")  # of who stands first, column by column
MOSTLY = 0.7  # of the times that a thing of a name goes at all
FEWEST = 3  # times that it went under an input
MEETINGS = 3  # turns in which two head for one free cell
MARK = "goes"
COST = 1.0  # of letting things of one name go
WORK = 1e7

Way = str
"""A direction on the board."""


@dataclass(frozen=True)
class Goers:
    """Where things of some names would go under each input: (name, word) to a way."""

    structure: Structure
    sent: Mapping[tuple[str, str], Way]

    @cached_property
    def names(self) -> list[str]:
        """The names of all that go."""
        return sorted({name for name, _ in self.sent})

    @cached_property
    def apart(self) -> Mapping[str, frozenset[str]]:
        """What bars the way of each."""
        return {name: self.structure.exclusions()[name] | {name} for name in self.names}

    def bars(self, board: Board, cell: Cell, name: str) -> bool:
        """Is the cell off the board, or does something stand there that bars the way?"""
        stack = board.at(cell)
        return stack is None or any(self.structure.name(token) in self.apart[name] for token in stack)

    def heading(self, turn: Turn) -> Iterator[tuple[str, Cell, Token, Way]]:
        """All that may go in a turn, with where each stands and would go."""
        for name in self.names:
            way = self.sent.get((name, turn.word or ""))
            for at, token in subjects_on(turn.before, name, self.structure) if way is not None else ():
                if token is not None and way is not None:
                    yield name, at, token, way

    def contested(self, turn: Turn) -> bool:
        """Do two head for one cell in which nothing bars the way?"""
        spend(len(turn.before.cells))
        ahead = Counter(
            to
            for name, at, _, way in self.heading(turn)
            if not self.bars(turn.before, to := ahead_of(at, way), name)
        )
        return any(number > 1 for number in ahead.values())

    def at_once(self, ways: Sequence[Way]) -> bool:
        """Do things go some of these ways under one input?"""
        together = defaultdict(set)
        for (_, word), way in self.sent.items():
            together[word].add(way)
        return any(len(found.intersection(ways)) > 1 for found in together.values())


def learn_jostling(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """Who would go, that they go one way after another, and what comes after; raises NotLearned."""
    if not pointed(turns) and not structure.joined:
        goers = goers_of(turns, structure)
        meetings = [turn for turn in turns if goers.contested(turn)] if len(goers.names) > 1 else []
        if len(meetings) >= MEETINGS:
            with suppress(NotLearned), account(WORK):
                found = in_turns(turns, meetings, goers, limits)
                if found is not None:
                    return found
    raise NotLearned("nobody heads for a cell for which another heads", "more roll-outs may help")


def goers_of(turns: Sequence[Turn], structure: Structure) -> Goers:
    """Where things of each name go under each input, if they nearly always go there when they go at all."""
    went: dict[tuple[str, str], Counter[Way]] = defaultdict(Counter)
    left: Counter[tuple[str, str]] = Counter()
    for turn in turns:
        if pointing(structure, turn.word) is not None and turn.before != turn.after:
            for name in set(map(structure.name, structure.tokens)) - structure.still:
                key = name, turn.word or ""
                for at, _ in subjects_on(turn.before, name, structure):
                    if not there(turn.after, at, name, structure):
                        left[key] += 1
                        went[key].update(ways_gone(turn, at, name, structure))
    sent = {}
    for key, ways in went.items():
        way, times = max(ways.items(), key=lambda one: (one[1], one[0]), default=("", 0))
        if times >= max(FEWEST, MOSTLY * left[key]):
            sent[key] = way
    return Goers(structure, sent)


def ways_gone(turn: Turn, at: Cell, name: str, structure: Structure) -> Iterator[Way]:
    """The ways that something may have gone that is not where it was: to where there was none."""
    for way in OFFSETS:
        to = ahead_of(at, way)
        if there(turn.after, to, name, structure) and not there(turn.before, to, name, structure):
            yield way


def there(board: Board, cell: Cell, name: str, structure: Structure) -> bool:
    """Does something of a name stand in a cell?"""
    return not structure.named(name).isdisjoint(board.at(cell) or ())


# --- the passes -------------------------------------------------------------------------------------------


def in_turns(
    turns: Sequence[Turn], meetings: Sequence[Turn], goers: Goers, limits: Sequence[float]
) -> Passes | None:
    """All passes; None where those who would go are not told from those who would not, or it is not all."""
    known = with_marks(goers)
    first = willing(turns, goers, known, limits)
    if first is None:
        return None

    def passes(order: Sequence[Way]) -> Passes:
        steps = (stepping(ways, goers, known) for ways in grouped(order, goers))
        return Passes(known, (first, *steps), frozenset(known.tokens) - frozenset(goers.structure.tokens))

    ways = [way for way in ORDER if way in goers.sent.values()]
    orders = [passes(order) for order in permutations(ways)]
    best = min(orders, key=lambda one: sum(map(one.wrong, meetings)))
    return with_the_rest(best, turns, limits)


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
    examples: dict[str, list[Example]] = {name: [] for name in goers.names}
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
    """The ways one after another; at once those which no input sends things."""
    groups: list[list[Way]] = []
    for way in order:
        if groups and not goers.at_once([*groups[-1], way]):
            groups[-1].append(way)
        else:
            groups.append([way])
    return groups


def stepping(ways: Sequence[Way], goers: Goers, known: Structure) -> Program:
    """The loop in which who has a mark goes as soon as nothing is ahead, without it."""
    view = View(Frame("none"), known)
    parts = []
    for name in goers.names:
        decisions = []
        for way in (one for one in ways if one in {goers.sent.get((name, word)) for _, word in goers.sent}):
            to = view.frame.offset(HERE, OFFSETS[way], None)
            mark, own = Seen(marked_as(name, known, goers), way), Seen(name)
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
            listed = Decisions(offsets, tuple(one for _, one in decisions), COST)
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
