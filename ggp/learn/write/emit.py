"""What was learned, as rules of the description language: they can be read, run, exported and solved.

A vocabulary says which kind each token is. The learner's own comes from what it found out; whoever judges
it by a described game brings that game's, so that the two can be compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Literal

from ggp.learn.boards import Token
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import CELL, Part, Passes, Program, meaning, programs_of
from ggp.learn.fit.questions import Test, word_order
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.views import OWN, PICK, QUARTERS, Change, Seen, View, more_than_own
from ggp.learn.write.beside import Asked, without_marks
from ggp.learn.write.sensing import (
    lines_of,
    mark_of,
    names_in,
    neighbours_of,
    rays_read,
    sensed,
    signs_read,
)
from ggp.model import (
    DIRECTIONS,
    Class,
    Condition,
    Effect,
    Game,
    Group,
    Input,
    InputIs,
    Kind,
    Pattern,
    Piece,
    Rule,
    Value,
)

MOST_RULES = 64  # that one decision may be split into
COUNTED = "n"  # the variable for the value of the subject


@dataclass
class Vocabulary:
    """The piece that each token is, the kinds, and the classes that were needed so far."""

    pieces: dict[Token, Piece]
    pick: str | None = None
    classes: dict[tuple[str, ...], str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()

    def piece(self, token: Token) -> Piece:
        """What a token is."""
        name, _, facing = token.partition(":")
        if name == PICK and self.pick is not None:
            return Piece(self.pick, facing or None)
        return self.pieces[token]

    def values_apart(self, names: set[str]) -> set[str]:
        """Which of some tokens are values of a kind, of which not all are among them."""
        pieces = {name: self.pieces[name] for name in names if name in self.pieces}
        several = {piece.kind for token, piece in self.pieces.items() if token not in pieces}
        return {name for name, one in pieces.items() if one.variant is not None and one.kind in several}

    def class_of(self, kinds: Sequence[str]) -> str:
        """The name of a kind, or of a class of several."""
        members = tuple(sorted(set(kinds)))
        if len(members) == 1:
            return members[0]
        if members not in self.classes:
            name = "-or-".join(members)
            if len(name) > 40:
                name = f"any-of-{len(members)}"
            while name in self.taken or name in self.classes.values():
                name += "-too"
            self.classes[members] = name
        return self.classes[members]

    def forget(self, kinds: Container[str]) -> None:
        """Drop the classes of kinds that there are none of after all."""
        self.classes = {
            members: name
            for members, name in self.classes.items()
            if not any(one in kinds for one in members)
        }

    def declared(self) -> tuple[Class, ...]:
        """The classes as a game declares them."""
        return tuple(Class(name, members) for members, name in self.classes.items())


def group_of(
    program: Program, vocabulary: Vocabulary, name: str = "learned", bound: str | None = None
) -> Group:
    """The rules of a program, as one group."""
    rules = tuple(rule for part in program.parts for rule in rules_of(part, vocabulary))
    names: dict[str, int] = defaultdict(int)
    numbered = []
    for rule in rules:
        names[rule.name] += 1
        numbered.append(replace(rule, name=f"{rule.name}-{names[rule.name]}"))
    return Group(name, tuple(numbered), bound)


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
        things = self.own_things()
        rest = []
        for test in decision.tests:
            own = {thing for thing in test.things if thing.name == subject}
            if test.offset == (0, 0) and own == set(test.things) and not test.word:
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


def with_program(shell: Game, program: Program | Passes, vocabulary: Vocabulary) -> Game:
    """The shell of a game (kinds, goal; no rules) with a learned turn."""
    marks = passing_marks(program, vocabulary)
    idle = idle_buttons(program, shell.input) if shell.input is not None else set()
    told = (without_inputs(group, idle) for group in groups_of(program, vocabulary, marks))
    groups = tuple(group for group in told if group.rules)
    known = {known.name for known in shell.classes}
    shell = replace(shell, kinds=(*shell.kinds, *marks))
    more = tuple(one for one in vocabulary.declared() if one.name not in known)
    game = replace(shell, classes=shell.classes + more, turn=(), physics=())
    return replace(game, turn=groups) if shell.input is not None else replace(game, physics=groups)


def idle_buttons(program: Program | Passes, declared: Input) -> set[str]:
    """The inputs that were tried, and are none of the game's, since nothing was ever seen to come of them."""
    tried = {meaning(program.structure, verb) for verb in program.structure.verbs}
    return tried - {*DIRECTIONS, *declared.verbs, "wait"}


def without_inputs(group: Group, words: set[str]) -> Group:
    """The group without the rules for these inputs: what is asked for "not left" is said of all others."""
    kept = (
        rule
        for rule in group.rules
        if not any(isinstance(one, InputIs) and one.word in words for one in rule.conditions)
    )
    return replace(group, rules=tuple(kept))


def passing_marks(program: Program | Passes, vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of what stands on the board inside turns alone, and on no board that was seen."""
    passing = sorted(program.passing) if isinstance(program, Passes) else []
    marks: dict[str, Kind] = {}
    for token in passing:
        if token not in vocabulary.pieces:
            family, facing = program.structure.facing.get(token, (token, None))
            if family not in marks:
                taken = {piece.kind for piece in vocabulary.pieces.values()} | vocabulary.taken
                name = next(one for one in (family + "-too" * n for n in count()) if one not in taken)
                marks[family] = replace(mark_of(name), facings=DIRECTIONS if facing else ())
            vocabulary.pieces[token] = Piece(marks[family].name, facing)
    return list(marks.values())


def groups_of(program: Program | Passes, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The rules of each pass, after those of the signs that it reads, whose marks are added to `marks`."""
    passes = [one for one in programs_of(program) for _ in range(one.times)]
    several = len(passes) > 1 or isinstance(program, Passes)
    for number, one in enumerate(passes, start=1):
        yield from signs_of(one, vocabulary, marks)
        bound = ("width * height" if one.wanders else "width + height") if one.loop else None
        known = len(marks)
        sensing, nears = list(rays_of(one, vocabulary, marks)), nears_of(one, vocabulary)
        group = group_of(one, vocabulary, f"learned {number}" if several else "learned", bound)
        group = replace(group, rules=tuple(plain_where_it_can_be(rule) for rule in group.rules))
        members = {name: kinds for kinds, name in vocabulary.classes.items()}
        plain = without_marks(group, nears, members, vocabulary.class_of) if nears else None
        if plain is not None:
            group, sensing = plain, [one for one in sensing if one.name not in nears]
            marks[known:] = [mark for mark in marks[known:] if mark.name not in nears]
            vocabulary.forget(nears.keys())
        yield from sensing
        if group.rules:
            yield group


def signs_of(program: Program, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The groups that find out which signs are true, each with a mark of its own: a pass may change it."""
    signs = signs_read(program)
    names = names_in(signs)
    kinds = {name: patterns_of(name, program, vocabulary) for name in sorted(names)}
    for sign in signs:
        words = "-".join(one.name for name in (sign.what, *sign.ground) for one in kinds[name][:1])
        mark = mark_of(f"some-{words}-{len(marks) + 1}")
        marks.append(mark)
        vocabulary.pieces[sign.token] = Piece(mark.name)
        yield sensed(sign, mark.name, kinds)


def rays_of(program: Program, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The groups that find out where rays go, each with a mark of its own that faces where it goes."""
    for ray in rays_read(program):
        if isinstance(ray, Near):
            named = [name for name in (ray.source, ray.ground) if name]
            kinds = {name: patterns_of(name, program, vocabulary) for name in named}
            words = "-".join(kinds[name][0].name for name in named)
            mark = mark_of(f"near-{words}-{len(marks) + 1}")
            marks.append(mark)
            vocabulary.pieces[ray.name] = Piece(mark.name)
            yield neighbours_of(ray, mark.name, kinds)
            continue
        kinds = {
            name: patterns_of(name, program, vocabulary) for name in (ray.source, *ray.barred, *ray.along)
        }
        words = "-".join(one.name for one in kinds[ray.source][:1])
        mark = replace(mark_of(f"line-{words}-{len(marks) + 1}"), facings=DIRECTIONS, merge=True)
        marks.append(mark)
        for direction in DIRECTIONS:
            vocabulary.pieces[ray.token(direction)] = Piece(mark.name, direction)
        ways = {way for name, way in program.structure.facing.values() if name == ray.source}
        yield from lines_of(ray, mark.name, kinds, faced=not ways.isdisjoint(DIRECTIONS))


def nears_of(program: Program, vocabulary: Vocabulary) -> dict[str, Asked]:
    """What the marks of neighbours stand for, by their kinds."""
    return {
        vocabulary.pieces[near.name].kind: (
            near,
            {name: patterns_of(name, program, vocabulary) for name in (near.source, near.ground) if name},
        )
        for near in rays_read(program)
        if isinstance(near, Near)
    }


def patterns_of(name: str, program: Program, vocabulary: Vocabulary) -> list[Pattern]:
    """What a name stands for: the kinds of a family, or one thing with the facing that it has."""
    members = program.structure.members(name)
    pieces = map(vocabulary.piece, members)
    alone = members == [name]
    return list(dict.fromkeys(Pattern(one.kind, one.variant if alone else None) for one in pieces))


def plain_where_it_can_be(rule: Rule) -> Rule:
    """A rule that names nothing relative needs no direction, unless it is for inputs that have one."""
    if rule.toward != "facing":
        return rule
    paths = [c.path for c in rule.conditions if isinstance(c, Condition)]
    paths += [path for effect in rule.effects for path in (effect.path, effect.to or ())]
    relative = any(step not in DIRECTIONS for path in paths for step in path)
    variants = [c.pattern.variant for c in rule.conditions if isinstance(c, Condition) and c.pattern]
    variants += [v for effect in rule.effects for v in (effect.variant, effect.pattern.variant)]
    turned = any(isinstance(v, str) and v not in DIRECTIONS for v in variants)
    return rule if relative or turned else replace(rule, toward="none")
