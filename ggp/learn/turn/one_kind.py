"""Kinds that are moved alike are learned as one: cars and a red car, crates of two colours.

What four cells may hold of two kinds is sixteen rules, each of which must have been seen. So two kinds are
called by one name where most of what happens to either, with nothing of the other, happens to both; the rules
are learned from boards with that name, and then said of each kind. They must say every turn with the kinds
apart. What is not moved alike after all they say otherwise, or there are no such rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from math import prod

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sorts import NAME, names_in
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import OWN, Change, Outcome, Seen
from ggp.learn.turn.evidence.moved_alike import Names

MOST = 40  # decisions that one may become


class OneKind:
    """Turns in which some kinds have the name of another, and rules about these said of each kind."""

    def __init__(self, structure: Structure, names: Names) -> None:
        self.structure, self.names = structure, names
        self.kinds: dict[str, list[str]] = defaultdict(list)
        for name in structure.names:
            self.kinds[names.get(name, name)].append(name)
        self.tokens = {token: self.token(token) for token in structure.tokens}

    def token(self, token: Token) -> Token:
        """What a token is called: that of the other kind with its facing, or a new one."""
        name = self.structure.name(token)
        if name not in self.names:
            return token
        facing = self.structure.facing[token][1] if token in self.structure.facing else None
        if facing is None:
            return self.names[name]
        known = {told: one for one, told in self.structure.facing.items()}
        return known.get((self.names[name], facing), f"{self.names[name]}:{facing}")

    def board(self, board: Board) -> Board:
        """A board with one name for all."""
        cells = tuple(frozenset(self.tokens[token] for token in stack) for stack in board.cells)
        return board._replace(cells=cells)

    def turns(self, turns: Iterable[Turn]) -> list[Turn]:
        """The turns on such boards."""
        told = (Turn(self.board(turn.before), turn.word, self.board(turn.after)) for turn in turns)
        return list(dict.fromkeys(told))

    @property
    def known(self) -> Structure:
        """What is known of these."""
        known, facing = self.structure, dict[Token, tuple[str, str]]()
        counts: dict[Token, tuple[int, int]] = {}
        for token in known.tokens:
            called = self.tokens[token]
            few, many = counts.get(called, (0, 0))
            counts[called] = few + known.counts[token][0], many + known.counts[token][1]
            if token in known.facing:
                facing[called] = self.called(known.name(token)), known.facing[token][1]
        return replace(
            known,
            tokens=tuple(sorted(counts)),
            fixed=frozenset(self.tokens[token] for token in known.fixed),
            apart=self.pairs(known.apart),
            perhaps=self.pairs(known.perhaps | known.apart) - self.pairs(known.apart),
            facing=facing,
            counts=counts,
        )

    def called(self, name: str) -> str:
        """What a name is called."""
        return self.names.get(name, name)

    def pairs(self, pairs: frozenset[frozenset[str]]) -> frozenset[frozenset[str]]:
        """The pairs of names that are there for all kinds that have these names."""
        return frozenset(
            frozenset({one, other})
            for one, other in combinations(self.kinds, 2)
            if all(frozenset(pair) in pairs for pair in product(self.kinds[one], self.kinds[other]))
        )

    def of_each(self, rules: Program | Passes) -> Program | Passes | None:
        """The rules said of each kind; None where that cannot be."""
        if isinstance(rules, Program):
            return self.program(rules)
        told = tuple(one for program in rules.programs if (one := self.program(program)) is not None)
        whole = replace(rules, structure=self.apart_in(rules.structure), programs=told)
        return whole if len(told) == len(rules.programs) else None

    def program(self, program: Program) -> Program | None:
        """One pass said of each kind."""
        sensed = {one.token for one in program.structure.signs} | {
            one.name for one in program.structure.senses
        }
        if any(
            not sensed.isdisjoint(names_in(one)) for part in program.parts for one in part.decisions.decisions
        ):
            return None  # what is asked of the whole board is asked of one name
        structure = replace(self.apart_in(program.structure), signs=(), senses=())
        try:
            parts = [told for part in program.parts for told in self.parts(part, structure)]
        except NotOneByOne:
            return None
        return replace(program, structure=structure, parts=tuple(parts))

    def apart_in(self, structure: Structure) -> Structure:
        """What rules know, with the kinds apart; of marks and the like they know more than boards show."""
        own = self.structure
        more = tuple(token for token in structure.tokens if token not in self.tokens.values())
        marks = {token: told for token, told in structure.facing.items() if token not in self.tokens.values()}
        return replace(
            structure,
            tokens=(*own.tokens, *more),
            fixed=own.fixed | structure.fixed.intersection(more),
            apart=own.apart | {pair for pair in structure.apart if not pair <= self.kinds.keys()},
            perhaps=own.perhaps,
            facing={**own.facing, **marks},
            counts={
                **own.counts,
                **{token: structure.counts[token] for token in more if token in structure.counts},
            },
        )

    def parts(self, part: Part, structure: Structure) -> Iterator[Part]:
        """A part said of each kind that it is about."""
        for subject in self.kinds.get(part.subject, [part.subject]):
            own = subject if part.view.own == part.subject else part.view.own
            view = replace(part.view, structure=structure, own=own)
            told = tuple(
                one
                for decision in part.decisions.decisions
                for one in self.decisions(decision, part.subject, subject)
            )
            cost = part.decisions.cost + NAME * len(self.names) if subject == part.subject else NAME
            yield replace(
                part, subject=subject, view=view, decisions=Decisions(part.decisions.offsets, told, cost)
            )

    def decisions(self, decision: Decision, called: str, subject: str) -> Iterator[Decision]:
        """A decision for all kinds that it may be about."""
        tests = tuple(self.test(test, called, subject) for test in decision.tests)
        goes, rest = self.moves(decision)
        itself = Seen(called, OWN)
        choices = [
            [subject] if source.thing == itself else self.kinds[source.thing.name] for source, _ in goes
        ]
        if prod(map(len, choices)) > MOST:
            raise NotOneByOne
        for kinds in product(*choices):
            moved = [
                change._replace(thing=change.thing._replace(name=kind))
                for pair, kind in zip(goes, kinds, strict=True)
                for change in pair
            ]
            yield decision._replace(tests=tests, outcome=tuple(sorted((*rest, *moved))))

    def test(self, test: Test, called: str, subject: str) -> Test:
        """A test that asks for all kinds; in its own cell, for the subject."""
        things = {
            thing._replace(name=kind)
            for thing in test.things
            for kind in (
                [subject]
                if (thing.name, test.offset) == (called, (0, 0))
                else self.kinds.get(thing.name, [thing.name])
            )
        }
        return test._replace(things=frozenset(things))

    def moves(self, decision: Decision) -> tuple[list[tuple[Change, Change]], list[Change]]:
        """What of the kinds goes, each with where it comes to; and all other changes."""
        several = {name for name, kinds in self.kinds.items() if len(kinds) > 1}
        rest = [one for one in decision.outcome if one.thing.name not in several]
        found = list[tuple[Change, Change]]()
        for name in sorted(several):
            own = [one for one in decision.outcome if one.thing.name == name]
            found += in_rows(paired(own), decision.tests, name)
        return found, rest


class NotOneByOne(Exception):
    """It cannot be said which kind goes where."""


def paired(changes: Outcome | list[Change]) -> list[tuple[Change, Change]]:
    """What goes with where it comes to: those that face alike, and the nearest. Raises NotOneByOne."""
    gone, come = ([one for one in changes if one.sign == sign] for sign in "-+")
    if len(gone) != len(come):
        raise NotOneByOne

    def far(order: Iterable[Change]) -> tuple[int, int]:
        pairs = list(zip(gone, order, strict=True))
        return sum(one.thing != other.thing for one, other in pairs), sum(map(length, pairs))

    return list(zip(gone, min(permutations(come), key=far), strict=True))


def length(pair: tuple[Change, Change]) -> int:
    """How far something goes."""
    (_, (a, b), _), (_, (c, d), _) = pair
    return abs(a - c) + abs(b - d)


def in_rows(
    pairs: list[tuple[Change, Change]], tests: Sequence[Test], name: str
) -> Iterator[tuple[Change, Change]]:
    """The same; where some stand in a row, and one more comes at its end as the first goes, all have gone."""
    asked = {test.offset for test in tests if test.wanted and {thing.name for thing in test.things} == {name}}
    for source, target in pairs:
        far = length((source, target))
        (a, b), (c, d) = source.offset, target.offset
        way = [(a + (c - a) * n // (far or 1), b + (d - b) * n // (far or 1)) for n in range(far + 1)]
        if far > 1 and 0 in (a - c, b - d) and asked.issuperset(way[1:-1]):
            for one, other in zip(way, way[1:], strict=False):
                yield source._replace(offset=one), target._replace(offset=other)
        else:
            yield source, target
