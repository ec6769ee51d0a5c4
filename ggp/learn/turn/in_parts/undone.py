"""A whole turn is taken back where, once all has happened, two have met that may not: `undoAll` in VGDL.

A box that is pushed against a wall stops all carts, too, wherever they are. What happens is learned from the
turns in which something changes, as if nothing barred it. Those after which nothing is otherwise, though
these rules say that something would be, are then told by who shares a cell on the boards between their
passes, and never does in a turn that counts. The passes leave a mark there; all that stood on the board
before left marks as well, and is put back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Token, Turn, pointed
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import OWN, Change, Seen, View
from ggp.learn.turn.crowd.meeting import pairs_in
from ggp.learn.turn.evidence.actors import actors_of
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.clocks import clocks
from ggp.learn.turn.evidence.fliers import fliers, standing
from ggp.learn.turn.evidence.taken import cell_ahead
from ggp.learn.turn.in_parts.unbarred import learn_unbarred
from ggp.learn.turn.one_pass.events import LIMITS

FEWEST = 2  # turns that are taken back
SOON = 1e7  # work on what would happen
HERE = (0, 0)
MARK = "undone"
Fault = tuple[int, tuple[str, ...]]
"""After which pass, and the names of two that share a cell then; of one that comes to where its like is."""


def learn_undone(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """What would happen, and when all of it is taken back; raises NotLearned where that does not say all."""
    ticking = Program(structure, tuple(clocks(turns, structure, actors_of(turns, structure))))
    rests = [turn.after == ticking.after(turn.before, None) for turn in turns]
    still = [turn for turn, at_rest in zip(turns, rests, strict=True) if at_rest]
    counting = [turn for turn, at_rest in zip(turns, rests, strict=True) if not at_rest]
    if not pointed(turns) and len(still) >= FEWEST:
        barred = alone_and_barred(still, counting, structure)
        for some in ([*counting, *barred], counting) if barred else (counting,):
            moves = unbarred(some, structure, limits)
            passes = taking_back(moves, ticking, counting, still) if moves is not None else None
            if passes is not None:
                return passes
    raise NotLearned("no turn that is taken back explains what stands still", "more roll-outs may help")


def alone_and_barred(still: Sequence[Turn], counting: Sequence[Turn], structure: Structure) -> list[Turn]:
    """Turns in which nobody but an actor could have gone, and did not: what it faces bars it, and no more.

    Ahead of it is nothing that was ever seen to come anywhere, so nothing was pushed.
    """
    actors = actors_of(counting, structure)
    some = fliers(counting, structure, actors)
    came = {structure.name(token) for turn in counting for sign, _, token in changes_of(turn) if sign == "+"}

    def barred(turn: Turn, actor: str) -> bool:
        cell = cell_ahead(turn, structure, actor)
        return cell is not None and came.isdisjoint(map(structure.name, turn.before.at(cell) or ()))

    return [
        turn for turn in still if not standing(turn, some) and any(barred(turn, actor) for actor in actors)
    ]


def unbarred(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Passes | None:
    """What would happen if nothing barred it; None where a little work finds no rules for that."""
    try:
        with account(SOON):
            return learn_unbarred(turns, structure, limits=limits)
    except NotLearned:
        return None


def taking_back(
    moves: Passes, ticking: Program, counting: Sequence[Turn], still: Sequence[Turn]
) -> Passes | None:
    """The same, taken back where things meet that may not; None where that does not say all turns.

    `ticking`: what keeps time goes on all the same.
    """
    wrong = [turn for turn in still if moves.wrong(turn)]
    if len(wrong) < FEWEST:
        return None
    undoing = Undoing.of(moves, ticking)
    seen = {one: undoing.faults(one) for one in (*counting, *wrong)}
    for number in (*range(len(moves.programs)), None):  # all asked at once after one pass, or at any time
        faults = told_by(seen, counting, wrong, number)
        passes = undoing.passes(faults) if faults else None
        if passes is not None and not any(map(passes.wrong, chain(counting, still))):
            return passes
    return None


def told_by(
    seen: Mapping[Turn, frozenset[Fault]],
    counting: Sequence[Turn],
    wrong: Sequence[Turn],
    number: int | None,
) -> list[Fault]:
    """The fewest faults of which each turn that is taken back has one, and no other; none if that fails.

    `number`: after this pass; None: after any. Where turns are taken back, what would come to its like is
    held to be so, too, unless it was seen to come there: two alike cannot share a cell, whatever comes of it.
    """
    good = frozenset[Fault]().union(*(seen[turn] for turn in counting))
    left = [{one for one in seen[turn] - good if number in (None, one[0])} for turn in wrong]
    found = list[Fault]()
    while left and all(left):
        often = Counter(chain.from_iterable(left))
        best = min(often, key=lambda one: (-often[one], one))
        found.append(best)
        left = [some for some in left if best not in some]
    likes = {(one, ()) for one, _ in found} - good
    return [] if left else sorted({*found, *likes})


@dataclass(frozen=True)
class Undoing:
    """Passes with what it takes to undo them all. `was`: the mark of each thing that comes or goes."""

    moves: Passes
    structure: Structure
    mark: Token
    was: Mapping[Token, Token]
    crowded: tuple[Program, ...]

    @classmethod
    def of(cls, moves: Passes, ticking: Program) -> Undoing:
        """The passes, and marks that nothing is called by. What keeps time is never put back."""
        structure = moves.structure
        mark = unused(structure, MARK)
        known = replace(structure, tokens=(*structure.tokens, mark))
        was = dict[Token, Token]()
        keeping = {part.subject for part in ticking.parts}
        for token in sorted({one for one in coming_and_going(moves) if structure.name(one) not in keeping}):
            was[token] = unused(known, "was-" + re.sub(r"[^A-Za-z0-9]+", "-", token))
            known = replace(known, tokens=(*known.tokens, was[token]))
        first, *others = moves.programs
        parts = (made_for_good(one, was, structure) if one.subject in keeping else one for one in first.parts)
        moves = replace(moves, programs=(replace(first, parts=tuple(parts)), *others))
        return cls(moves, known, mark, was, tuple(marking_likes(one, mark) for one in moves.programs))

    def faults(self, turn: Turn) -> frozenset[Fault]:
        """What may be a reason to take a turn back, on the boards that the passes lead to."""
        found, board = set[Fault](), turn.before
        for number, program in enumerate(self.moves.programs):
            marked = self.crowded[number].after(board, turn.word)
            if marked is not None and any(self.mark in stack for stack in marked.cells):
                found.add((number, ()))
            following = program.after(board, turn.word)
            if following is None:
                break
            board = following
            pairs = chain.from_iterable(pairs_in(stack, self.structure) for stack in set(board.cells))
            found |= {(number, tuple(sorted(pair))) for pair in pairs}
        return frozenset(found)

    def passes(self, faults: Iterable[Fault]) -> Passes:
        """Marks of what stands where, the passes, each with marks of its faults, and what puts all back."""
        by_pass: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        for number, names in faults:
            by_pass[number].append(names)
        listed = [self.remembering()]
        for number, program in enumerate(self.moves.programs):
            met = by_pass.get(number, [])
            pairs = [(names[0], names[1]) for names in met if names]
            listed.append(self.crowded[number] if len(pairs) < len(met) else program)
            if pairs:
                listed.append(self.meeting(pairs))
        passing = self.moves.passing | {self.mark, *self.was.values()}
        return Passes(self.structure, (*listed, self.putting_back()), passing)

    def remembering(self) -> Program:
        """The mark of each thing where it stands."""
        return self.pass_of(
            (self.structure.name(token), [marks_of(self.seen(token), mark)])
            for token, mark in self.was.items()
        )

    def meeting(self, pairs: Iterable[tuple[str, str]]) -> Program:
        """The mark where two have met."""
        told = (
            (one, [Decision((Test(HERE, self.things(other)),), (Change("+", HERE, Seen(self.mark)),))])
            for one, other in pairs
        )
        return self.pass_of(told, cost=RULE)

    def putting_back(self) -> Program:
        """Where the mark stands anywhere, what has come is gone again, and what is gone is there again."""
        sign = Sign(self.mark)
        structure = replace(self.structure, signs=(*self.structure.signs, sign))
        asked = Test(HERE, frozenset({Seen(sign.token)}))
        told = []
        for token, mark in self.was.items():
            here, then = Test(HERE, frozenset({self.seen(token)})), Test(HERE, frozenset({Seen(mark)}))
            gone = Decision(
                (asked, here, then._replace(wanted=False)), (Change("-", HERE, self.seen(token)),)
            )
            back = Decision((asked, here._replace(wanted=False)), (Change("+", HERE, self.seen(token)),))
            told += [(self.structure.name(token), [gone]), (mark, [back])]
        return self.pass_of(told, structure)

    def pass_of(
        self,
        told: Iterable[tuple[str, list[Decision]]],
        structure: Structure | None = None,
        cost: float = 0.0,
    ) -> Program:
        """A pass of decisions about what stands in a cell: those of one subject one after another.

        Putting all back is one idea, however many things there are: it costs nothing.
        """
        structure = structure if structure is not None else self.structure
        by_subject: dict[str, list[Decision]] = defaultdict(list)
        for subject, decisions in told:
            by_subject[subject] += decisions
        view = View(Frame("none"), structure)
        parts = (
            Part(subject, view, Decisions((HERE,), tuple(decisions), cost * len(decisions)), entire=True)
            for subject, decisions in by_subject.items()
        )
        return Program(structure, tuple(parts))

    def seen(self, token: Token) -> Seen:
        """A thing as it is seen without looking anywhere."""
        return View(Frame("none"), self.structure).seen(token, None)

    def things(self, name: str) -> frozenset[Seen]:
        """All that answer with a name."""
        return frozenset(map(self.seen, self.structure.named(name)))


def made_for_good(part: Part, was: Mapping[Token, Token], structure: Structure) -> Part:
    """What keeps time, with the marks of what it makes: that is there even where all else is taken back."""
    listed = []
    for one in part.decisions.decisions:
        made = [part.view.token(change.thing, None) for change in one.outcome if change.sign == "+"]
        marks = [Change("+", HERE, Seen(was[token])) for token in made if token is not None and token in was]
        listed.append(one._replace(outcome=(*one.outcome, *marks)))
    return replace(part, decisions=replace(part.decisions, decisions=tuple(listed)))


def marks_of(thing: Seen, mark: Token) -> Decision:
    """The mark where a thing is."""
    return Decision((Test(HERE, frozenset({thing})),), (Change("+", HERE, Seen(mark)),))


def coming_and_going(moves: Passes) -> Iterator[Token]:
    """All things that may come or go by some rules."""
    known = set(moves.structure.tokens)
    for part in moves.parts:
        for decision in part.decisions.decisions:
            for change in decision.outcome:
                yield from moves.structure.named(change.thing.name) & known


def marking_likes(program: Program, mark: Token) -> Program:
    """The pass in which whoever brings something to where its like stays leaves a mark instead."""
    parts = []
    for part in program.parts:
        listed = list[Decision]()
        for one in part.decisions.decisions:
            listed += (crowding(one, change, mark) for change in brought(one, part.subject))
            listed.append(one)
        parts.append(replace(part, decisions=replace(part.decisions, decisions=tuple(listed))))
    return replace(program, parts=tuple(parts))


def brought(decision: Decision, subject: str) -> Iterator[Change]:
    """What comes where its like may be, beside the subject itself."""
    gone = {(one.offset, one.thing) for one in decision.outcome if one.sign == "-"}
    for one in decision.outcome:
        comes = one.sign == "+" and one.thing.name != subject and OWN not in one.thing.facing
        if comes and one.offset != HERE and (one.offset, one.thing) not in gone:
            yield one


def crowding(decision: Decision, change: Change, mark: Token) -> Decision:
    """A mark where something would come to its like, asking for all that the decision takes away."""
    away = (one for one in decision.outcome if one.sign == "-" and OWN not in one.thing.facing)
    asked = tuple(Test(one.offset, frozenset({one.thing})) for one in (*away, change))
    return Decision((*decision.tests, *asked), (Change("+", HERE, Seen(mark)),))
