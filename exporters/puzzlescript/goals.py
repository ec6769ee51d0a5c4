"""Goals as PuzzleScript win conditions, with late rules for what these cannot say.

A goal word is put as what refutes it (`No Walker`, `All Crate on Target`) or what proves it (`Some ...`). A
word that speaks of numbers or regions first has late rules that mark what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple

from ggp.exporters.puzzlescript import floods
from ggp.exporters.puzzlescript.cast import Cast, part_look, shaded
from ggp.exporters.puzzlescript.patterns import Spot, bare, line
from ggp.exporters.puzzlescript.player import Player
from ggp.exporters.puzzlescript.shapes import late_rules, picture_tests
from ggp.exporters.puzzlescript.words import Word
from ggp.goals.count import Count
from ggp.goals.different import Different
from ggp.goals.on import On
from ggp.goals.pattern import Shape
from ggp.goals.regions import regions
from ggp.goals.unless import Unless
from ggp.model import Cell, Instance, Pattern, Term
from ggp.model.board import amount, cells

LINES = {"rows": "right", "columns": "down"}
"""Regions that a row of a PuzzleScript rule can run along, and in which direction."""

Stands = Mapping[Cell, list[str]]
"""Helpers that stand on the board from the start."""


class Sign(NamedTuple):
    """Something to look for: an object, on another one, off it, or anywhere (`ground` empty)."""

    proves: bool  # else it refutes
    what: str
    ground: str = ""
    off: bool = False

    @property
    def pattern(self) -> str:
        """The cell that shows it."""
        return f"{self.what} {'no ' if self.ground and self.off else ''}{self.ground}".strip()

    @property
    def kept(self) -> str:
        """The same without what must not be there."""
        return self.what if self.off else self.pattern


@dataclass
class Goals:
    """The win conditions of a game, the late rules that they need, and what must stand on the board."""

    player: Player
    instances: list[Instance]
    outside: str = ""  # what is not board
    wins: list[str] = field(default_factory=list)
    late: list[tuple[str, str]] = field(default_factory=list)  # (what it is for, rule)
    placed: list[Callable[[Instance], Stands]] = field(default_factory=list)

    @property
    def cast(self) -> Cast:
        """Who appears."""
        return self.player.cast

    def write(self) -> None:
        """Write all of it."""
        game, mode = self.cast.instance.game, self.player.mode
        for index, term in enumerate(game.goal.terms):
            for sign in self.signs(term, f"goal {index + 1}"):
                self.wins.append(self.condition(sign, term))
        if mode.fill:
            slot, placed = self.cast.helper("slot"), self.cast.group("placed", self.player.pieces)
            self.wins.append(f"All {slot} on {placed}")
        if mode.at_end:
            self.wins.append(f"Some {self.cast.helper('over')}")
        if mode.design and not mode.still:
            self.wins.append(f"No {self.cast.helper('cursor')}")
        if game.goal.lose:
            lost = self.cast.helper("lost", part_look("lost"))
            self.wins.append(f"No {lost}")
            if mode.still:  # the design can be changed until it is right
                self.late.append(("", f"late {bare(lost, '')}"))
            for index, term in enumerate(game.goal.lose):
                self.lose(term, f"loss {index + 1}")
            if not mode.still:
                said = "message That is lost. Z goes back, R begins again."
                self.late.append(("", f"late [ {lost} ] -> {said}"))
        self.wins = list(dict.fromkeys(self.wins))

    def condition(self, sign: Sign, term: Term) -> str:
        """The win condition that a sign is."""
        if not sign.ground:
            return f"{'Some' if sign.proves else 'No'} {sign.what}"
        if sign.off and sign.proves:
            mark = self.cast.helper(f"{sign.what} off {sign.ground}")
            self.late.append((term.source(), f"late {bare(mark, '')}"))
            row = [Spot(sign.pattern, f"{sign.what} {mark}")]
            self.late.append((term.source(), line("late", row)))
            return f"Some {mark}"
        word = "Some" if sign.proves else "All" if sign.off else "No"
        return f"{word} {sign.what} on {sign.ground}"

    def lose(self, term: Term, name: str) -> None:
        """The late rules that find out whether a way to lose has come true."""
        lost, text = self.cast.helper("lost", part_look("lost")), term.source()
        signs = list(self.signs(term, name))
        alive = self.alive()
        rows = [[Spot(alive, alive)]] if alive else []
        if signs and signs[0].proves:
            for sign in signs:
                self.late.append((text, line("late", *rows, [Spot(sign.pattern, f"{sign.kept} {lost}")])))
            return
        home, maybe = self.player.home(), self.cast.helper(f"{name} maybe")
        self.late.append((text, line("late", *rows, [Spot(home, f"{home} {maybe}")])))
        for sign in signs:
            self.late.append((text, line("late", [Spot(maybe)], [Spot(sign.pattern, sign.kept)])))
        self.late.append((text, line("late", [Spot(maybe, lost)])))

    def alive(self) -> str:
        """What is there only while or after a run is on; empty where that is always so."""
        mode = self.player.mode
        if not mode.design or mode.still:
            return ""
        if mode.keys == "none":
            return self.cast.group("running", [self.player.going, self.cast.helper("over")])
        return self.player.keys

    # --- goal words -----------------------------------------------------------------------------------------

    def signs(self, term: Term, name: str) -> Iterable[Sign]:
        """What to look for."""
        return GOAL_WRITERS[term.word](self, term, name)

    def to_be_won(self, term: Term) -> bool:
        """Is what breaks it a mistake? Not so of what loses, or of what something else may excuse."""
        return term in self.cast.instance.game.goal.terms

    def on(self, term: On, name: str) -> Iterator[Sign]:
        """`every / some / no WHAT on / off GROUND`: a win condition says it."""
        what, ground = self.any_of(term.what), self.any_of(term.ground)
        off = (term.placing == "off") != (term.quantifier == "every")
        yield Sign(term.quantifier == "some", what, ground, off)

    def any_of(self, pattern: Pattern) -> str:
        """The object or group that a pattern of a goal stands for."""
        return self.cast.any_of(frozenset(self.planes(pattern)))

    def planes(self, pattern: Pattern) -> tuple[int, ...]:
        """The planes that a pattern of a goal matches."""
        return self.cast.transition.planes_of(self.cast.instance, pattern)

    def count(self, term: Count, name: str) -> Iterator[Sign]:
        """Each piece takes one of as many tallies as are wanted: a piece or a tally that is left shows it."""
        ground = self.any_of(term.ground) if term.ground is not None else ""
        off = term.placing == "off"
        if (term.number, term.comparison) in ((0, "="), (0, "<="), (1, ">=")):
            yield Sign(term.number == 1, self.any_of(term.what), ground, off)
            return
        tally, taken, excess = (self.cast.helper(f"{name} {word}") for word in ("tally", "taken", "excess"))
        where = f"{'no ' if off else ''}{ground}" if ground else ""
        kept = "" if off else ground
        counted = {p: self.cast.helper(f"{name} counted {p}") for p in self.planes(term.what)}
        text = term.source()
        used = self.cast.group(f"{name} used", [*counted.values(), excess])
        rules = [bare(used, ""), bare(taken, tally)]
        for plane, mark in counted.items():
            piece = self.cast.pieces[plane]
            rules.append(bare(f"{piece} {where} no {mark} ; {tally}", f"{piece} {kept} {mark} ; {taken}"))
            if term.comparison != ">=":
                rules.append(bare(f"{piece} {where} no {mark}", f"{piece} {kept} {excess}"))
        self.late += [(text, f"late {rule}") for rule in rules]
        self.placed.append(
            lambda one: {cell: [tally] for cell in list(cells(one))[: amount(one, term.number)]}
        )
        if term.comparison != ">=":
            yield Sign(False, excess)
        if term.comparison != "<=":
            yield Sign(False, tally)

    def shape(self, term: Shape, name: str) -> Iterable[Sign]:
        """What shows that a picture is somewhere; levels that draw their own have helpers that say so."""
        marked = self.player.mode.still and term.where == "nowhere"  # then it is a mistake that is seen
        if marked and self.to_be_won(term):
            found = self.cast.helper(f"{name} wrong", part_look("mistake"))
        else:
            found = self.cast.helper(f"{name} found")
        text, transition = term.source(), self.cast.transition
        self.late.append((text, f"late {bare(found, '')}"))
        drawn = dict.fromkeys(term.pictures(one) for one in self.instances)
        for number, pictures in enumerate(drawn, 1):
            guard = self.cast.helper(f"{name} picture {number}") if len(drawn) > 1 else ""
            tests = (picture_tests(picture, self.instances[0], transition) for picture in pictures)
            some = [one for one in tests if one is not None]
            self.late += [(text, rule) for rule in late_rules(self.cast, self.outside, some, found, guard)]
            if guard:
                self.placed.append(
                    lambda one, pictures=pictures, guard=guard: (  # type: ignore[misc]
                        {(0, 0): [guard]} if term.pictures(one) == pictures else {}
                    )
                )
        return [Sign(term.where == "somewhere", found)]

    def unless(self, term: Unless, name: str) -> Iterable[Sign]:
        """What shows that a term holds, and not all of the others do."""
        held, text = self.flag((term.what,), name), term.source()
        for number, terms in enumerate(term.excuses, 1):
            excused = self.flag(terms, f"{name} unless {number}")
            self.late.append((text, line("late", [Spot(f"{held} {excused}")])))
        return [Sign(True, held)]

    def flag(self, terms: Sequence[Term], name: str) -> str:
        """A helper that stands on the first cell while all of these hold."""
        home, held, text = self.player.home(), self.cast.helper(f"{name} holds"), terms[0].source()
        found = self.cast.helper(f"{name} seen")
        self.late.append((text, f"late {bare(held, '')}"))
        self.late.append((text, line("late", [Spot(home, f"{home} {held}")])))
        for number, term in enumerate(terms, 1):
            signs = list(self.signs(term, f"{name} {number}"))
            for sign in signs:
                after = f"{held} {found}" if sign.proves else ""
                kept = Spot(sign.pattern, sign.kept)
                self.late.append((text, line("late", [Spot(held, after)], [kept])))
            if signs and signs[0].proves:
                self.late.append((text, f"late {bare(f'{held} no {found}', '')}"))
                self.late.append((text, f"late {bare(found, '')}"))
        return held

    def different(self, term: Different, name: str) -> Iterable[Sign]:
        """What stands twice in a region is marked as wrong: rows and columns by sight, others by asking."""
        if self.to_be_won(term):
            wrong = self.cast.helper(f"{name} wrong", part_look("wrong"), depth="cell")
        else:
            wrong = self.cast.helper(f"{name} twice", depth="cell")
        values = [self.cast.pieces[plane] for plane in self.planes(Pattern(term.kind))]
        self.late.append((term.source(), f"late {bare(wrong, '')}"))
        rules: list[str] = []
        for word in term.names:
            if word in LINES:
                way = LINES[word]
                for value in values:
                    counts, kept = self.counting(term, value)
                    both = Spot(counts, f"{kept} {wrong}")
                    rules.append(line(f"late {way}", [both, Spot("...", "..."), both]))
            else:
                rules += self.asked(term, word, values, wrong)
        self.late += [(term.source(), rule) for rule in rules]
        return [Sign(False, wrong)]

    def counting(self, term: Different, value: str) -> tuple[str, str]:
        """A cell on which a value counts, and the same without what must not be there."""
        if term.ground is None:
            return value, value
        sign = Sign(False, value, self.any_of(term.ground), term.placing == "off")
        return sign.pattern, sign.kept

    def asked(self, term: Different, word: str, values: list[str], wrong: str) -> Iterator[str]:
        """In each region one piece of a value is the first, and another one there is then wrong.

        The two rows of `[ Region Value First ] [ Region Value no First ]` can stand on any cells of the
        region, but never both on the same one.
        """
        found = regions(self.cast.instance, word, term.place)
        apart = all(share_no_cell(regions(one, word, term.place)) for one in self.instances)
        names = [self.region(word, index, apart) for index in range(len(found))]
        # Regions that share cells are gone through one by one.
        for number, some in enumerate([names] if apart else [[name] for name in names]):
            suffix = "" if apart else f" {number + 1}"
            gate, ask, first = (
                self.cast.helper(f"{word} {part}{suffix}") for part in ("gate", "ask", "first")
            )
            done = self.cast.group(f"{word} asked{suffix}", [ask, first])
            for value in values:
                counts, kept = self.counting(term, value)
                yield f"late {bare(gate, f'{gate} {ask}')}"
                for region in some:
                    before = f"{ask} {region} ; {region} {counts}"
                    yield f"late {bare(before, f'{region} ; {region} {kept} {first}')}"
                for region in some:
                    both = f"{region} {counts} {first} ; {region} {counts} no {first}"
                    yield f"late {bare(both, f'{region} {kept} {first} {wrong} ; {region} {kept} {wrong}')}"
                yield f"late {bare(done, '')}"

        def stand(one: Instance) -> Stands:
            where: dict[Cell, list[str]] = {}
            theirs = regions(one, word, term.place)  # a smaller level may have fewer
            for number, (name, region) in enumerate(zip(names, theirs, strict=False)):
                for cell in region:
                    where.setdefault(cell, []).append(name)
                suffix = "" if apart else f" {number + 1}"
                where[region[0]].append(self.cast.helper(f"{word} gate{suffix}"))
            return where

        self.placed.append(stand)

    def region(self, word: str, index: int, apart: bool) -> str:
        """The object that covers a region; where some share cells, each has a layer and is not seen."""
        shades = part_look("region")
        look = shades._replace(colours=(shaded(shades.colours[0], 0.86 + 0.045 * (index * 3 % 4)),))
        layer = word if apart else f"{word} {index + 1}"
        return self.cast.helper(f"{word} {index + 1}", look if apart else None, layer=layer, depth="ground")


def share_no_cell(found: Sequence[Sequence[Cell]]) -> bool:
    """Is each cell in one of these regions at most?"""
    return sum(map(len, found)) == len({cell for region in found for cell in region})


Writer = Callable[[Goals, Any, str], Iterable[Sign]]


def by_rules(rules: Callable[[Word], Iterator[str]]) -> Writer:
    """The writer of a word that has late rules of its own, which mark where it does not hold."""

    @wraps(rules)
    def write(goals: Goals, term: Term, name: str) -> Iterator[Sign]:
        word = Word(goals.cast, goals.instances, term, name)
        goals.late += [(term.source(), rule) for rule in word.rules(rules)]
        goals.placed += word.placed
        yield Sign(False, word.off)

    return write


GOAL_WRITERS: Mapping[str, Writer] = {
    "on": Goals.on,
    "count": Goals.count,
    "different": Goals.different,
    "shape": Goals.shape,
    "tally": by_rules(Word.tally),
    "each": by_rules(Word.each),
    "order": by_rules(Word.order),
    "distinct": by_rules(Word.distinct),
    "cover": by_rules(Word.cover),
    "connected": by_rules(floods.connected),
    "loop": by_rules(floods.loop),
    "areas": by_rules(floods.areas),
    "parts": by_rules(floods.parts),
    "unless": Goals.unless,
}
"""The goal words that can be written, each with what writes it. The exporter promises these and no others."""
