"""What a learned description with chance says of fresh turns: can what was seen be, and how often is what?

The referee plays each turn twice. First it tells what chance is asked, and what each answer does. Then it is
given the answers that lead to where things that go by chance were seen; if there are none, or another board
comes of it, the turn could not be. Where it is plain who did what, answers are counted beside their weights.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any, NamedTuple

from ggp.errors import IllegalAction, PuzzleError
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.chance.weights import keeping
from ggp.learn.seen.states import piece_of
from ggp.learn.whole import Learned
from ggp.model import Cell, Group, Instance, Piece
from ggp.model.board import Action, State, width
from ggp.model.rules import groups_of
from ggp.referee.dice import Recorded, Seeded
from ggp.referee.inputs import parse_action
from ggp.referee.laying import firing_words
from ggp.referee.passes import Firing, firings_of
from ggp.referee.readied import subjects
from ggp.referee.semantics import PassRecord, initial_state, is_goal, is_lost, step
from ggp.watch.described import shown
from ggp.watch.foresight import Foreseen, Foresight

LEVEL = 0.01  # that right weights are called wrong so often at most
MOST_WAYS = 5_000  # that are tried in which some together did what was seen

Done = frozenset[tuple[str, Cell, Piece]]
"""What comes (`+`) and goes (`-`), and where."""


class Question(NamedTuple):
    """What chance is asked for one subject: words for its answers, what each does, and its weight."""

    at: Cell
    words: tuple[str, ...]
    done: tuple[Done, ...]
    weights: tuple[Fraction, ...]


@dataclass
class Odds:
    """How often chance did what, by the answers that there were with how likely each was."""

    counts: dict[tuple[tuple[str, Fraction], ...], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def note(self, question: Question, answer: Done) -> None:
        """Count one answer; what comes to the same is one."""
        weights: dict[str, Fraction] = defaultdict(Fraction)
        for done, weight in zip(question.done, question.weights, strict=True):
            weights[in_words(done, question.at)] += weight
        total = sum(weights.values())
        sorts = tuple(sorted((word, weight / total) for word, weight in weights.items()))
        if len(sorts) > 1:
            self.counts[sorts][in_words(answer, question.at)] += 1

    @property
    def number(self) -> int:
        """How many answers were counted."""
        return sum(times.total() for times in self.counts.values())

    @property
    def keeping(self) -> float:
        """How likely it is that counts are as far from the weights as these, or further."""
        return keeping(
            ([float(odds) for _, odds in sorts], [times[word] for word, _ in sorts])
            for sorts, times in self.counts.items()
        )

    @property
    def fits(self) -> bool:
        """Are the counts in keeping with the weights?"""
        return self.keeping >= LEVEL

    @property
    def line(self) -> str:
        """What there is to say."""
        if not self.number:
            return "trial: chance: nothing was counted"
        verdict = "in keeping with the weights" if self.fits else "NOT in keeping with the weights"
        return (
            f"trial: chance: what it did {self.number:,} times is {verdict} "
            f"(chi-squared: {self.keeping:.2g}; right weights have less than {LEVEL:g} once in {1 / LEVEL:g})"
        )

    @property
    def data(self) -> dict[str, Any]:
        """The same for programs."""
        rows = [
            {word: {"odds": str(odds), "seen": times[word]} for word, odds in sorts}
            for sorts, times in self.counts.items()
        ]
        return {
            "counted": self.number,
            "keeping": self.keeping,
            "level": LEVEL,
            "fits": self.fits,
            "of": rows,
        }


class OddsForesight(Foresight):
    """A learned description with chance that is asked about turns. `odds`: what chance did in them."""

    def __init__(self, learned: Learned) -> None:
        super().__init__(learned)
        game = learned.game
        found = (group for phase in (*game.turn, *game.physics) for group in groups_of(phase))
        self.group: Group = next(group for group in found if group.draw is not None)
        self.lucky = {
            (sign, piece.kind)
            for token, piece in learned.pieces.items()
            for sign in "+-"
            if (sign, learned.structure.name(token)) in learned.by_chance
        }
        self.odds = Odds()

    def of(self, episode: Episode) -> Iterator[Foreseen]:
        """Of each turn of a run whether it can be, from the board that was seen before it."""
        for turn, seen in zip(turns_of([episode]), episode.steps, strict=True):
            said = self.led_to(turn)
            if said is None:
                yield Foreseen(turn, None)
                continue
            instance, state, board = said
            lost = is_lost(instance, state)
            told = replace(seen, won=is_goal(instance, state) and not lost, lost=lost)
            flags = self.flags(seen, told)
            right = board == turn.after
            ended = right and bool(seen.won or seen.lost)
            yield Foreseen(turn, board, right * len(flags), right * flags.count(False), ended)

    def led_to(self, turn: Turn) -> tuple[Instance, State, Board] | None:
        """What a turn leads to, if chance says what it was seen to; None where it cannot."""
        before, after = self.written(turn.before), self.written(turn.after)
        if before is None or after is None:
            return None
        instance, word = self.world.instance(before), self.word(turn.word)
        state = initial_state(instance, partial=True)
        found: list[int] | None = []
        try:
            action = parse_action(word) if word is not None else None
            questions = self.asked(instance, state, action)
            found = answers(questions, self.changed(before, after))
            if found is None:
                return None
            dice = Recorded([one.words[number] for one, number in zip(questions, found, strict=True)])
            made = step(instance, state, action, None, dice)
            dice.end()
        except IllegalAction:  # no move, as nothing goes by chance on this board: all stays
            made, questions = state, []
        except PuzzleError:
            return None
        board = self.translated(shown(before, made))
        if board == turn.after and found is not None:
            for number in alone(questions):
                self.odds.note(questions[number], questions[number].done[found[number]])
        return instance, made, board

    def asked(self, instance: Instance, state: State, action: Action | None) -> list[Question]:
        """What chance is asked in a turn, in the order of the referee."""
        record: list[PassRecord] = []
        step(instance, state, action, record, Seeded(0))
        place = next((n for n, one in enumerate(record) if one.group == self.group), None)
        if place is None:
            return []
        if place:
            state = record[place - 1].after
        weight_of = dict(zip((rule.name for rule in self.group.rules), self.group.weights, strict=True))
        found = []
        for cell, subject in subjects(instance, state, self.group):
            at = divmod(cell, width(instance))
            some = list(firings_of(instance, state, action, self.group, at, subject))
            if some:
                weights = tuple(Fraction(weight_of[one.rule.name]) for one in some)
                found.append(Question(at, tuple(firing_words(some)), tuple(map(done_by, some)), weights))
        return found

    def changed(self, before: Board, after: Board) -> Done:
        """What was seen to come and go of what goes by chance."""
        found: set[tuple[str, Cell, Piece]] = set()
        for index, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
            at = divmod(index, before.width)
            for sign, texts in (("-", old - new), ("+", new - old)):
                found |= {(sign, at, piece_of(text)) for text in texts}
        return frozenset(one for one in found if (one[0], one[2].kind) in self.lucky)


def done_by(firing: Firing) -> Done:
    """What a firing changes; what it puts back is no change."""
    gone, come = set(firing.removed), set(firing.added)
    return frozenset(
        (sign, at, piece) for sign, some in (("-", gone - come), ("+", come - gone)) for at, piece in some
    )


def in_words(done: Done, at: Cell) -> str:
    """What was done, seen from where it was done."""
    changes = sorted((sign, cell[0] - at[0], cell[1] - at[1], str(piece)) for sign, cell, piece in done)
    return " ".join(f"{sign}{piece}({down},{right})" for sign, down, right, piece in changes) or "nothing"


def together(questions: Sequence[Question]) -> list[list[int]]:
    """The questions in groups whose answers may touch the same cells, by their numbers."""
    groups: list[tuple[set[Cell], list[int]]] = []
    for number, one in enumerate(questions):
        cells = {one.at} | {cell for done in one.done for _, cell, _ in done}
        members = [number]
        for group in [group for group in groups if not cells.isdisjoint(group[0])]:
            groups.remove(group)
            cells |= group[0]
            members += group[1]
        groups.append((cells, members))
    return [sorted(members) for _, members in groups]


def alone(questions: Sequence[Question]) -> list[int]:
    """The questions of which no other has an answer that touches the same cells."""
    return [members[0] for members in together(questions) if len(members) == 1]


def answers(questions: Sequence[Question], changed: Done) -> list[int] | None:
    """An answer to each question by which just this comes and goes; None where there are none."""
    found = [0] * len(questions)
    left = set(changed)
    for members in together(questions):
        cells = {at for n in members for done in questions[n].done for _, at, _ in done}
        wanted = frozenset(one for one in changed if one[1] in cells)
        left -= wanted
        possible = [
            [n for n, done in enumerate(questions[number].done) if done <= wanted] for number in members
        ]
        chosen = next(
            (
                some
                for some in islice(product(*possible), MOST_WAYS)
                if summed(questions[m].done[n] for m, n in zip(members, some, strict=True)) == wanted
            ),
            None,
        )
        if chosen is None:
            return None
        for member, answer in zip(members, chosen, strict=True):
            found[member] = answer
    return None if left else found


def summed(done: Iterable[Done]) -> Done:
    """What comes of several answers together."""
    return frozenset().union(*done)
