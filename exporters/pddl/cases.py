"""The rules of a pass taken apart into the cases in which they fire, each with all that it needs and does.

What an earlier rule would do first becomes something that must fail; where a change may find one of several
things there is a case for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from ggp.model import Instance
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state
from ggp.transition.program import (
    Change,
    CompiledRule,
    Offset,
    Pass,
    Term,
    Transition,
    input_words,
)

HERE: Offset = (0, 0)


class NotLifted(Exception):
    """The turn is not a single firing, or cannot be said so."""


@dataclass(frozen=True)
class Case:
    """One way in which a rule fires: everything that stands somewhere is one piece, and all changes are sure.

    `verb` is the input's word, `pick` for a pick, which is then of the cell at `picked` from the anchor, with
    the direction `toward`. `before` are the terms of rules that come first, of which one must fail.
    """

    rule: CompiledRule
    subject: int
    verb: str
    picked: Offset | None
    toward: str | None
    terms: frozenset[Term]
    changes: tuple[Change, ...]
    before: frozenset[frozenset[Term]] = frozenset()


@dataclass
class Cases:
    """Takes the rules of a pass apart."""

    instance: Instance
    transition: Transition
    step: Pass

    def all(self) -> Iterator[Case]:
        """Every case that can happen; raises NotLifted where two could happen at once."""
        found = []
        for subject, rules in self.step.subjects:
            if subject is None:
                raise NotLifted("a rule is for every cell")
            for words in self.inputs():
                found += self.ordered(subject, rules, words)
        self.check_single(found)
        for case in found:
            if case.changes:
                yield case

    def inputs(self) -> list[Action]:
        """An input of each sort: the moves and verbs, and a pick in each direction."""
        sorts: dict[tuple[str, str | None], Action] = {}
        for action in all_actions(self.instance):
            sorts.setdefault((action.verb, action.direction), action)
        return list(sorts.values())

    def ordered(self, subject: int, rules: tuple[CompiledRule, ...], action: Action) -> list[Case]:
        """The cases of one subject and input, each with what must fail for it to have its turn."""
        found: list[Case] = []
        earlier: list[tuple[frozenset[Term], Offset | None]] = []
        for rule in rules:
            if not input_words(action).issuperset(rule.inputs):
                continue
            seen = self.seen(rule, subject, action)
            if seen is None:
                continue
            terms, picked = seen
            for case in self.split(
                Case(rule, subject, action.verb, picked, action.toward, terms, rule.changes)
            ):
                # Of two rules that ask for the pick in different places only one can match.
                before = [self.left(case.terms, other) for other, at in earlier if at == picked]
                if frozenset() not in before:
                    failing = frozenset(one for one in before if one is not None)
                    found.append(replace(case, before=failing))
            earlier.append((terms, picked))
        return found

    def seen(
        self, rule: CompiledRule, subject: int, action: Action
    ) -> tuple[frozenset[Term], Offset | None] | None:
        """The terms of a rule without those on markers, and where the pick is; None if it cannot match."""
        markers, picked = self.transition.markers, None
        terms = {Term(HERE, (subject,), True)}
        for term in rule.terms:
            planes = tuple(plane for plane in term.planes if plane not in markers)
            hands = [plane for plane in term.planes if plane in markers and self.is_pick(plane, action)]
            if not term.planes or len(planes) == len(term.planes):
                terms.add(term)
            elif planes or not term.wanted:
                raise NotLifted(f"{rule.name} asks for markers in a way that is not a pick")
            elif not hands or picked not in (None, term.offset):
                return None
            else:
                picked = term.offset
        if subject in markers:
            raise NotLifted(f"{rule.name} is for a marker")
        return frozenset(terms), picked

    def is_pick(self, plane: int, action: Action) -> bool:
        """Is the plane that of the marker that this pick places?"""
        piece, declared = self.transition.planes[plane], self.instance.game.input
        named = declared is not None and piece.kind == declared.pick and action.verb == "pick"
        return named and piece.variant == action.direction

    def split(self, case: Case) -> Iterator[Case]:
        """The case for each choice of the pieces that its changes may find; then all changes are sure."""
        markers = self.transition.markers
        changes = [one for one in case.changes if one.plane not in markers and one.result not in markers]
        if len(changes) < sum(one.plane not in markers for one in case.changes):
            raise NotLifted(f"{case.rule.name} places a marker")
        unsure = {one.source for one in changes if one.plane is not None and not one.sure}
        open_terms = [t for t in case.terms if t.wanted and t.offset in unsure and len(t.planes) > 1]
        for chosen in product(*(term.planes for term in open_terms)):
            picks = [t._replace(planes=(p,)) for t, p in zip(open_terms, chosen, strict=True)]
            terms = (case.terms - set(open_terms)) | set(picks)
            kept = []
            for one in changes:
                present = None if one.plane is None or one.sure else self.present(terms, one)
                if present is False:
                    continue
                if present is None and not one.sure:
                    raise NotLifted(f"{case.rule.name} takes what may or may not be there")
                kept.append(one._replace(sure=True))
            net = tuple(kept)
            taken = {(one.plane, one.source) for one in net if one.plane is not None}
            put = {(one.result, one.target) for one in net if one.result is not None}
            yield replace(case, terms=frozenset(terms), changes=net if taken != put else ())

    def present(self, terms: set[Term] | frozenset[Term], change: Change) -> bool | None:
        """Do the terms say whether the piece is there that a change takes? None if they do not."""
        assert change.plane is not None
        for term in terms:
            if term.offset != change.source or not term.planes:
                continue
            if term.wanted and term.planes == (change.plane,):
                return True
            if not term.wanted and change.plane in term.planes:
                return False
            if term.wanted and all(self.exclude(change.plane, plane) for plane in term.planes):
                return False
        return None

    def exclude(self, one: int, other: int) -> bool:
        """Can the two pieces never share a cell?"""
        layers, exempt = self.transition.layers, self.transition.exempt
        return one != other and layers[one] == layers[other] and not {one, other} <= exempt

    def left(self, terms: frozenset[Term], other: frozenset[Term]) -> frozenset[Term] | None:
        """What is left of another rule's terms where these hold; None if it cannot match then."""
        rest = set()
        for term in other:
            known = {self.implied(one, term) for one in terms}
            if False in known:
                return None
            if True not in known:
                rest.add(term)
        return frozenset(rest)

    def implied(self, given: Term, term: Term) -> bool | None:
        """What one term says about another: that it holds, or does not, or nothing."""
        if given.offset != term.offset:
            return None
        mine, asked = set(given.planes), set(term.planes)
        if not asked:  # about the edge
            if not mine:
                return given.wanted == term.wanted
            return term.wanted if given.wanted else None
        if not mine:
            return not term.wanted if not given.wanted else None
        if given.wanted and mine <= asked:
            return term.wanted
        if given.wanted and all(self.exclude(a, b) for a in mine for b in asked):
            return not term.wanted
        if not given.wanted and asked <= mine:
            return not term.wanted
        return None

    def check_single(self, cases: list[Case]) -> None:
        """Raise NotLifted unless no input can set off two of the cases at once."""
        declared = self.instance.game.input
        subjects = {case.subject for case in cases}
        picked = {case.picked for case in cases}
        if declared is None or not cases:
            raise NotLifted("there is no input")
        if declared.pick is not None:
            first = min(subjects)
            apart = all(self.exclude(first, other) for other in subjects - {first})
            if (
                picked != {next(iter(picked))}
                or None in picked
                or not apart
                or first in self.transition.exempt
            ):
                raise NotLifted("a pick may set off several rules")
            return
        board = initial_state(self.instance).board
        pieces = {self.transition.planes[subject] for subject in subjects}
        if sum(len(here & pieces) for here in board) > 1:
            raise NotLifted("an input may move several pieces")
        for case in cases:
            arrive = sum(one.result in subjects for one in case.changes)
            if arrive > sum(one.plane in subjects for one in case.changes):
                raise NotLifted("there may come to be several pieces that an input moves")
