"""One part of what was learned as rules of the description language: a rule for each decision, or a few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Literal

from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import CELL, Part, meaning
from ggp.learn.fit.questions import Test, word_order
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.views import OWN, PICK, QUARTERS, Change, Seen, View, more_than_own
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import (
    DIRECTIONS,
    Condition,
    Effect,
    InputIs,
    Pattern,
    Piece,
    Rule,
    Value,
)

MOST_RULES = 64  # that one decision may be split into
COUNTED = "n"  # the variable for the value of the subject


def rules_of(part: Part, vocabulary: Vocabulary) -> Iterator[Rule]:
    """The rules of one part: one for each decision, or a few where a decision asks for "one or the other"."""
    writer = Writer(part, vocabulary)
    for word in sorted(part.words) if part.words is not None and part.view.frame.toward != "input" else [""]:
        for decision in part.decisions.decisions:
            for one in writer.in_facings(decision):
                yield from writer.rules(one, word)


class Writer:
    """Writes the decisions of one part."""

    def __init__(self, part: Part, vocabulary: Vocabulary) -> None:
        self.part, self.vocabulary = part, vocabulary
        self.frame: Frame = part.view.frame
        self.view: View = part.view
        self.structure = part.view.structure

    def rules(self, decision: Decision, word: str) -> Iterator[Rule]:
        """One decision as rules, the same outcome under each way in which its tests can hold."""
        base: list[Condition | InputIs] = []
        if word:
            base.append(InputIs(word))
        added = {c.offset for c in decision.outcome if c.sign == "+"}
        present = [c for c in decision.outcome if c.sign == "-"]
        subject, rest = self.subject_ways(decision)
        ways = [self.ways(test, added) for test in rest]
        sources = [
            self.there(c.offset, [c.thing])
            for c in present
            if c.offset != (0, 0) or self.part.subject == PICK
        ]
        here = [
            self.there((0, 0), [c.thing])
            for c in present
            if c.offset == (0, 0) and self.part.subject not in (PICK, c.thing.name, CELL)
        ]
        effects = tuple(self.effects(decision))
        toward = self.toward(decision)
        for number, chosen in enumerate(product(subject, *ways)):
            if number >= MOST_RULES:
                return
            tests = [c for way in (*sources, *here, *chosen[1:]) for c in way]
            # What comes wherever no rule before it holds is asked nothing, and a rule must ask something.
            conditions = (*chosen[0], *base, *dict.fromkeys(tests)) or (Condition("inside", ()),)
            yield Rule(self.name(decision), toward, tuple(dict.fromkeys(conditions)), effects)

    def in_facings(self, decision: Decision) -> Iterator[Decision]:
        """The decision; or one for each facing of the subject, where rules cannot say "whichever it has".

        They can where it goes, and comes to one place with the same if at all.
        """
        own = Seen(self.part.subject, OWN)
        signs = sorted(change.sign for change in decision.outcome if change.thing == own)
        if not signs or (signs in (["-"], ["+", "-"]) and self.one_kind(own.name)):
            yield decision
            return
        for thing in self.own_things():
            changes = [c._replace(thing=self.told(c.thing, thing)) for c in decision.outcome]
            tests = (*decision.tests, Test((0, 0), frozenset({thing})))
            if all(self.view.token(c.thing, None) for c in changes if c.thing.name == thing.name):
                yield decision._replace(tests=tests, outcome=tuple(sorted(changes)))

    @staticmethod
    def told(thing: Seen, own: Seen) -> Seen:
        """Something that comes or goes, for an anchor with this facing or value."""
        more = more_than_own(thing)
        if thing == Seen(own.name, OWN):
            return own
        return thing if more is None else Seen(own.name, str(int(own.facing) + more))

    def name(self, decision: Decision) -> str:
        """What a rule is called: by who acts and what happens."""
        who = "cell" if self.part.subject == CELL else self.kinds([Seen(self.part.subject)])[0]
        gone = {(c.thing.name) for c in decision.outcome if c.sign == "-"}
        come = {(c.thing.name) for c in decision.outcome if c.sign == "+"}
        if not decision.outcome:
            return f"{who}-rests"
        if gone == come:
            kinds = [k for name in sorted(gone) for k in self.kinds([Seen(name)])[:1]]
            still = all(c.offset == (0, 0) for c in decision.outcome)
            others = [k for k in dict.fromkeys(kinds) if k != who]
            return f"{who}-turns" if still else f"{who}-moves" + "".join(f"-{k}" for k in others)
        if gone - come and come - gone:
            return f"{who}-changes"
        return f"{who}-takes" if gone - come else f"{who}-makes"

    def subject_ways(self, decision: Decision) -> tuple[list[tuple[Condition, ...]], list[Test]]:
        """The first condition of the rules (who acts), and the tests that are left to be said."""
        subject = self.part.subject
        if subject == CELL:
            return [()], list(decision.tests)
        itself = things = self.own_things()
        rest = []
        for test in decision.tests:
            own = {thing for thing in test.things if thing.name == subject}
            beside = own.isdisjoint(itself)  # its like that looks elsewhere, in the same cell
            if test.offset == (0, 0) and own == set(test.things) and not test.word and not beside:
                things = [t for t in things if (t in own) == test.wanted]
            else:
                rest.append(test)
        taken = {c.thing for c in decision.outcome if c.sign == "-" and c.offset == (0, 0)}
        own_taken = [thing for thing in things if thing in taken]
        if own_taken and subject != PICK:
            things = own_taken
        others = [thing for thing in self.own_things() if thing not in things]
        if any(more_than_own(change.thing) is not None for change in decision.outcome):
            here = Pattern(self.kinds([Seen(subject)])[0], computed=Value(COUNTED))
            absent = (one for way in self.absent((), others) for one in way)
            return [(Condition("present", (), here), *absent)], rest
        if self.view.own and len(others) == 1 and self.one_kind(subject):  # shorter than all but one
            return [(*self.there((0, 0), self.own_things()), *self.absent((), others)[0])], rest
        return self.present((), things), rest

    def own_things(self) -> list[Seen]:
        """The subject as it sees itself, in all its facings."""
        subject = self.part.subject
        facings = [facing for name, facing in self.structure.facing.values() if name == subject]
        if not facings:
            return [Seen(subject)]
        if facings[0].isdecimal():
            return [Seen(subject, value) for value in sorted(facings, key=int)]
        if self.frame.toward == "facing":
            return [Seen(subject, "ahead")]
        if self.frame.toward == "input":
            if subject == PICK:
                return [Seen(PICK, "ahead")]
            return [Seen(subject, q) for q in (("ahead", "behind") if self.frame.mirrored else QUARTERS)]
        return [Seen(subject, facing) for facing in sorted(facings)]

    # --- conditions ---------------------------------------------------------------------------------------

    def there(self, offset: Offset, things: Sequence[Seen]) -> tuple[Condition, ...]:
        """The condition that one thing stands somewhere."""
        return self.present(self.frame.path(offset), things)[0]

    def ways(self, test: Test, added: set[Offset]) -> list[tuple[Condition | InputIs, ...]]:
        """One test as conditions: several ways where one of several must hold."""
        if test.word:
            return self.word_ways(test)
        path = self.frame.path(test.offset)
        things = sorted(test.things)
        inside = test.offset in added
        if test.wanted:
            found: list[tuple[Condition | InputIs, ...]] = list(self.present(path, things)) if things else []
            if test.edge and not inside:
                found.append((Condition("outside", path),))
            return found
        conditions: list[Condition] = [c for way in self.absent(path, things) for c in way]
        if test.edge and not inside:
            conditions.append(Condition("inside", path))
        return [tuple(conditions)]

    def word_ways(self, test: Test) -> list[tuple[Condition | InputIs, ...]]:
        """A test of the input; that it is not one thing is said as all others."""
        if test.wanted:
            return [(InputIs(word),) for word in test.words]
        words = {meaning(self.structure, verb) for verb in self.structure.verbs}
        words.update(DIRECTIONS if self.structure.picks_asked else ())
        return [(InputIs(word),) for word in sorted(words.difference(test.words), key=word_order)]

    def patterns(self, things: Sequence[Seen]) -> Iterator[Pattern]:
        """The fewest patterns that match these things and no others."""
        whole: list[str] = []
        apart = self.vocabulary.values_apart({thing.name for thing in things})
        for name in dict.fromkeys(thing.name for thing in things):
            asked = {thing.facing for thing in things if thing.name == name}
            every = self.facings_of(name)
            kinds = self.kinds([Seen(name)])
            if name in apart:
                yield self.pattern(Seen(name))
            elif asked >= every or "" in asked:
                whole += kinds
            else:
                for facing in sorted(asked):
                    yield self.pattern(Seen(name, facing))
        if whole:
            yield Pattern(self.vocabulary.class_of(whole))

    def pattern(self, thing: Seen) -> Pattern:
        """One thing as a pattern, with the facing that the rule sees."""
        if thing.facing == OWN:
            return Pattern(self.kinds([thing])[0])
        more = more_than_own(thing)
        if more is not None:
            return Pattern(self.kinds([thing])[0], computed=Value(COUNTED, more))
        if not thing.facing:
            piece = self.vocabulary.piece(thing.name)
            return Pattern(piece.kind, piece.variant)
        kinds = self.kinds([thing])
        token = self.view.token(Seen(thing.name, self.any_facing(thing)), None)
        piece = self.vocabulary.piece(token) if token is not None else Piece(kinds[0])
        if piece.variant is None:  # each facing is a kind of its own in this vocabulary
            return Pattern(piece.kind)
        return Pattern(piece.kind, variant_of(thing.facing))

    def any_facing(self, thing: Seen) -> str:
        """A facing of the family, to find its kind by."""
        known = [facing for name, facing in self.structure.facing.values() if name == thing.name]
        return thing.facing if thing.facing in known else known[0]

    def facings_of(self, name: str) -> set[str]:
        """All facings of a family as this frame sees them; {""} for what has none."""
        known = {facing for family, facing in self.structure.facing.values() if family == name}
        if not known:
            return {""}
        if self.frame.toward == "none" or any(map(str.isdecimal, known)):
            return known
        if self.frame.mirrored:
            return {"ahead", "behind"}
        return set(QUARTERS)

    def kinds(self, things: Iterable[Seen]) -> list[str]:
        """The kinds that some names stand for."""
        found: list[str] = []
        for thing in things:
            if thing.name == PICK:
                found.append(self.vocabulary.pick or PICK)
                continue
            members = [t for t, (family, _) in self.structure.facing.items() if family == thing.name]
            found += [self.vocabulary.piece(token).kind for token in members or [thing.name]]
        return list(dict.fromkeys(found))

    def present(self, path: tuple[str, ...], things: Sequence[Seen]) -> list[tuple[Condition, ...]]:
        """The ways in which one of some things stands at the end of a path."""
        return [(Condition("present", path, pattern),) for pattern in self.patterns(things)]

    def absent(self, path: tuple[str, ...], things: Sequence[Seen]) -> list[tuple[Condition, ...]]:
        """None of some things stands there."""
        return [(Condition("absent", path, pattern),) for pattern in self.patterns(things)]

    # --- effects ------------------------------------------------------------------------------------------

    def effects(self, decision: Decision) -> Iterator[Effect]:
        """The changes of an outcome: what goes from one cell and comes to another moves."""
        gone = [c for c in decision.outcome if c.sign == "-"]
        come = [c for c in decision.outcome if c.sign == "+"]
        for source in gone:
            target = self.partner(source, come)
            if target is None:
                yield Effect("remove", self.pattern(source.thing), self.frame.path(source.offset))
                continue
            come.remove(target)
            yield self.move(source, target)
        for target in come:
            yield Effect("add", self.pattern(target.thing), self.frame.path(target.offset))

    def partner(self, source: Change, come: Sequence[Change]) -> Change | None:
        """Where what goes comes again; the nearest place."""
        same = [c for c in come if c.thing.name == source.thing.name and self.one_kind(source.thing.name)]
        if source.thing.facing == OWN or any(c.thing.facing == OWN for c in same):
            itself = [c for c in same if c.thing == source.thing]
            same = itself or [c for c in same if c.thing.facing != OWN]

        def far(change: Change) -> tuple[int, bool]:
            steps = abs(change.offset[0] - source.offset[0]) + abs(change.offset[1] - source.offset[1])
            return steps, change.thing != source.thing

        return min(same, key=far, default=None)

    def one_kind(self, name: str) -> bool:
        """Is a family one kind in this vocabulary?"""
        return len(self.kinds([Seen(name)])) == 1

    def move(self, source: Change, target: Change) -> Effect:
        """A move, or a turn where it stands."""
        pattern = self.pattern(source.thing)
        facing = target.thing.facing if target.thing.facing != source.thing.facing else None
        if self.frame.toward == "facing" and source.offset == (0, 0) and source.thing.facing == "ahead":
            pattern = Pattern(pattern.name)  # the subject itself
        path = self.frame.path(source.offset)
        to = None if source.offset == target.offset else self.frame.path(target.offset)
        more = more_than_own(target.thing)
        effect = Effect("turn" if to is None else "move", pattern, path, to)
        if more is not None:
            return replace(effect, computed=Value(COUNTED, more))
        return replace(effect, variant=variant_of(facing))

    def toward(self, decision: Decision) -> Literal["facing", "input", "none"]:
        """What the rule's relative steps are relative to."""
        return self.frame.toward


def variant_of(facing: str | None) -> str | int | None:
    """A facing as rules say it; a value is a number."""
    return int(facing) if facing is not None and facing.isdecimal() else facing
