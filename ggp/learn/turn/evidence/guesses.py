"""Guesses of what comes first in a turn of several passes: the boards in the middle, where there is no doubt.

What happens is of few sorts, and a guess says that all of one comes first: what the actor does near it, what
goes where the input points, ahead or one way, what becomes another thing where it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from ggp.learn.boards import Board, Token, Turn, pointed
from ggp.learn.fit.program import Program, pointing
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of, changing
from ggp.learn.turn.evidence.halfway import Deed, Halfway, done
from ggp.learn.turn.evidence.taken import is_taken
from ggp.model import OFFSETS, Cell

FEWEST = 3  # turns in which a sort of thing happens

Split = Callable[[Turn], Board | None]
"""The board after the first of some passes; None where a guess leaves doubt."""


def deeds(turns: Sequence[Turn], structure: Structure) -> Iterator[Split]:
    """What the only actor does near it: what is most often done of all with which it is where it was seen.

    What it never shares a cell with bars its way; then only that of these which never comes or goes where the
    actor stays: what goes on by itself may be gone from there at the end.
    """
    actor = actor_of(turns, structure) if not pointed(turns) else None
    if actor is not None:
        own = structure.named(actor)
        still = [turn for turn in turns if not any(one[2] in own for one in changes_of(turn))]
        halfway = Halfway(turns, structure, actor, Program(structure, ()))
        known = halfway.deeds()
        barred = partial(plain_deed, halfway=halfway, known=known, going=frozenset())
        going = partial(plain_deed, halfway=halfway, known=known, going=frozenset(changing(still, structure)))
        yield barred
        if any(barred(turn) != going(turn) for turn in turns):
            yield going


def plain_deed(turn: Turn, halfway: Halfway, known: Sequence[Deed], going: frozenset[str]) -> Board | None:
    """The board after what is most often done, if that can be, and the actor then is where it was seen.

    `going`: the names of what may be gone from where the actor comes to.
    """
    at = halfway.place(turn)
    way, own = pointing(halfway.structure, turn.word), halfway.structure.named(halfway.actor)
    seen = [own & stack for stack in turn.after.cells]
    if at is None or is_taken(turn, halfway.structure, halfway.actor):
        return None
    for deed in known:
        if deed.directed == (way is not None):
            board = done(turn.before, halfway.views[deed.directed], deed.outcome, at[0], way, at[1])
            if board is None or [own & stack for stack in board.cells] != seen:
                continue
            if halfway.conceivable(turn.before, board, going):
                return board
    return None


def sorts(turns: Sequence[Turn], structure: Structure) -> Iterator[Split]:
    """What all things do that go one way: where the input points, ahead, or up; or become others."""
    sent = sent_names(turns, structure)
    for toward in ("input", "facing", *OFFSETS):
        steps = Steps(turns, structure, toward, sent)
        if steps.names:
            yield steps.middle
    became = Became(turns, structure)
    if became.seen:
        yield became.middle


def single_steps(turn: Turn) -> Iterator[tuple[Token, Cell]]:
    """What has gone from one cell to one beside it, and which way."""
    gone, come = ends_of(turn)
    for token, cells in gone.items():
        if len(cells) == len(come.get(token, ())) == 1:
            step = less(come[token][0], cells[0])
            if steps_between(step, (0, 0)) == 1:
                yield token, step


def sent_names(turns: Sequence[Turn], structure: Structure) -> frozenset[str]:
    """The names of what goes where inputs point, whichever way that is."""
    often = Counter(
        (structure.name(token), step)
        for turn in turns
        for token, step in single_steps(turn)
        if step == OFFSETS.get(pointing(structure, turn.word) or "")
    )
    ways = Counter(name for (name, _), times in often.items() if times >= FEWEST)
    return frozenset(name for name, number in ways.items() if number > 1)


class Steps:
    """Things that go a step one way, whatever else they do."""

    def __init__(
        self, turns: Sequence[Turn], structure: Structure, toward: str, sent: frozenset[str]
    ) -> None:
        self.structure, self.toward = structure, toward
        often: Counter[tuple[str, bool, Cell]] = Counter()
        for turn in turns:
            pointed_at = OFFSETS.get(pointing(structure, turn.word) or "")
            for token, step in single_steps(turn):
                name = structure.name(token)
                if toward == "input" or name not in sent or step != pointed_at:
                    often[name, step == self.way(turn, token), step] += 1
        seen = [(name, along, step) for (name, along, step), times in often.items() if times >= FEWEST]
        self.names = frozenset(name for name, along, _ in seen if along)
        self.names &= sent if toward == "input" else self.names
        self.others: dict[str, set[Cell]] = defaultdict(set)
        for name, along, step in seen:
            if not along:
                self.others[name].add(step)

    def way(self, turn: Turn, token: Token) -> Cell | None:
        """The step that something takes in a turn."""
        if self.toward in OFFSETS:
            return OFFSETS[self.toward]
        facing = self.structure.facing.get(token)
        way = pointing(self.structure, turn.word) if self.toward == "input" else facing and facing[1]
        return OFFSETS.get(way or "")

    def middle(self, turn: Turn) -> Board | None:
        """The board on which they have gone that step alone; None where it is not plain which have."""
        gone, come = ends_of(turn)
        changes: list[Changed] = []
        for token in {token for stack in set(turn.before.cells) for token in stack}:
            way, name = self.way(turn, token), self.structure.name(token)
            if name not in self.names or way is None:
                continue
            others = self.others[name]
            if way in others or less((0, 0), way) in others:
                return None
            went = self.went(turn, token, way, gone.get(token, ()), come.get(token, ()))
            if went is None:
                return None
            changes += [one for cell in went for one in (("-", cell, token), ("+", more(cell, way), token))]
        return board_after(turn.before, changes)

    def went(
        self, turn: Turn, token: Token, way: Cell, gone: Sequence[Cell], come: Sequence[Cell]
    ) -> list[Cell] | None:
        """The cells from which things of a kind have gone that way; None where that is not plain.

        Where one went on from where another of its kind stood, both may have gone a part of the way.
        """
        others, found, ends = self.others[self.structure.name(token)], list[Cell](), set[Cell]()
        for cell in gone:
            steps = [step for step in (way, *others) if more(cell, step) in come]
            further = [other for other in others if more(more(cell, way), other) in come]
            if len(steps) + len(further) != 1:
                return None
            like = (turn.before.at(more(cell, step)) or () for step in (way, *further))
            if further and any(token in stack for stack in like):
                return None
            end = more(cell, steps[0]) if steps else more(more(cell, way), further[0])
            if end in ends:
                return None
            ends.add(end)
            if further or steps[0] == way:
                found.append(cell)
        return found


class Became:
    """Things that become others where they are, and may go on then, or a step before."""

    def __init__(self, turns: Sequence[Turn], structure: Structure) -> None:
        often = Counter(pair for turn in turns for pair in in_place(turn, structure))
        self.seen = frozenset(pair for pair, times in often.items() if times >= FEWEST)

    def middle(self, turn: Turn) -> Board | None:
        """The board on which they have become others, where they were; None where it is not plain which."""
        gone, come = ends_of(turn)
        changes: list[Changed] = []
        ends = Counter[tuple[Cell, Token]]()
        for token, cell in ((token, cell) for token, cells in gone.items() for cell in cells):
            others = [other for one, other in self.seen if one == token]
            found = [
                (end, other)
                for other in (token, *others)
                for end in come.get(other, ())
                if steps_between(end, cell) <= 1
            ]
            if others and len(found) > 1:
                return None
            ends.update(found)
            changes += [("-", cell, token), ("+", cell, found[0][1])] if others and found else []
        return board_after(turn.before, changes) if max(ends.values(), default=1) == 1 else None


def in_place(turn: Turn, structure: Structure) -> Iterator[tuple[Token, Token]]:
    """What is gone from a cell with what has come there: itself, otherwise; or what goes nowhere else."""
    gone, come = ends_of(turn)
    left, new = set(map(structure.name, gone)), set(map(structure.name, come))
    for token, cells in sorted(gone.items()):
        for other, ends in sorted(come.items()):
            names = {structure.name(token), structure.name(other)}
            if not set(cells).isdisjoint(ends) and (len(names) == 1 or not names & left & new):
                yield token, other


def ends_of(turn: Turn) -> tuple[Mapping[Token, list[Cell]], Mapping[Token, list[Cell]]]:
    """Where each thing is gone, and where it has come."""
    gone: dict[Token, list[Cell]] = defaultdict(list)
    come: dict[Token, list[Cell]] = defaultdict(list)
    for sign, cell, token in changes_of(turn):
        (gone if sign == "-" else come)[token].append(cell)
    return gone, come


def board_after(board: Board, changes: Sequence[Changed]) -> Board | None:
    """The board after all that goes has gone, and come; None where something would leave it."""
    if not all(board.inside(cell) for _, cell, _ in changes):
        return None
    return changed(board, sorted(changes, key=lambda one: one[0] == "+"))


def steps_between(a: Cell, b: Cell) -> int:
    """How many steps one cell is from another."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def more(cell: Cell, step: Cell) -> Cell:
    """A cell a step further."""
    return cell[0] + step[0], cell[1] + step[1]


def less(cell: Cell, step: Cell) -> Cell:
    """A cell a step back."""
    return cell[0] - step[0], cell[1] - step[1]
