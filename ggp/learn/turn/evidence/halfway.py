"""The boards in the middle of turns whose second part is known: after something that was seen near the actor.

What an input does is looked for among all that was ever seen to change near the actor, the most frequent
first: a deed after which the second part makes the board that was seen explains the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import NamedTuple

from ggp.learn.boards import Board, Token, Turn, word_of
from ggp.learn.fit.program import Passes, Program, Unmade, pointing, subjects_on
from ggp.learn.fit.sights import Example, view_for
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK, Outcome, Seen, View
from ggp.learn.turn.evidence.changes import changes_of
from ggp.model import Cell

NEAR = 2  # rows and columns from the actor in which the input does something
FEWEST = 2  # turns in which the same was seen near the actor, for it to be thought of
MOST_DEEDS = 40  # that are thought of
SHARES = (0.05, 0.02)  # of the turns in which something is done: what is done so often is the actor's doing
OFTEN_DONE = 12  # of these, the most frequent, that must lead to one board alone for it to be sure


class Deed(NamedTuple):
    """What an input did around the actor, as the actor sees it. `directed`: of an input with a direction."""

    directed: bool
    outcome: Outcome


class Halfway:
    """Finds the boards in the middle of turns."""

    def __init__(
        self, turns: Sequence[Turn], structure: Structure, actor: str, physics: Program | Passes
    ) -> None:
        self.turns, self.structure, self.actor, self.physics = turns, structure, actor, physics
        own = self.examples()
        self.views = {
            directed: view_for(actor, Frame("input" if directed else "none"), structure, some)
            for directed, some in own.items()
        }
        self.after: dict[Board, Board | None] = {}

    def deeds_done(self) -> list[Turn] | None:
        """The first parts of all turns with one actor; None where nothing seen explains one."""
        deeds = self.deeds()
        found = []
        for turn in self.turns:
            at = self.place(turn)
            if at is None:
                continue
            middle = self.middle(turn, *at, deeds)
            if middle is None:
                return None
            found.append(Turn(turn.before, turn.word, middle))
        return found

    def place(self, turn: Turn) -> tuple[Cell, Token] | None:
        """The only actor of a turn with its cell: what is picked; None where there are several, or none."""
        if self.actor == PICK:
            picked = word_of(turn.word).cell if turn.word is not None else None
            return None if picked is None else (picked, PICK)
        there = list(subjects_on(turn.before, self.actor, self.structure))
        (cell, token), *others = there or [((0, 0), None)]
        return None if others or token is None else (cell, token)

    @cached_property
    def often(self) -> list[Deed]:
        """That nothing is done, and what was seen most often."""
        often = self.deeds()[: 2 + OFTEN_DONE]
        return often + [other for deed in often for other in self.before_it_became(deed)]

    def examples(self) -> dict[bool, list[Example]]:
        """What was seen to change near the actor, under inputs with a direction and without."""
        found: dict[bool, list[Example]] = {True: [], False: []}
        for turn in self.turns:
            at = self.place(turn)
            if at is not None:
                far = partial(self.structure.distance, turn.before, at[0])
                near = frozenset(one for one in changes_of(turn) if far(one[1]) <= NEAR)
                directed = pointing(self.structure, turn.word) is not None
                found[directed].append(Example(turn, turn.before, *at, near))
        return found

    def deeds(self) -> list[Deed]:
        """That nothing is done, and what was seen to change near the actor, the most frequent first."""
        often = Counter(
            Deed(directed, one.seen(self.actor, self.views[directed])[1])
            for directed, some in self.examples().items()
            for one in some
        )
        seen = [one for one, times in often.items() if times >= FEWEST and one.outcome]
        seen.sort(key=lambda one: (-often[one], one))
        return [Deed(True, ()), Deed(False, ()), *seen[:MOST_DEEDS]]

    @cached_property
    def becoming(self) -> dict[Seen, list[Seen]]:
        """What becomes another thing by itself where it stands, by what it becomes."""
        found: dict[Seen, list[Seen]] = {}
        for part in self.physics.parts:
            for one in part.decisions.decisions:
                signs = [change.sign for change in one.outcome if change.offset == (0, 0)]
                things = {change.sign: change.thing for change in one.outcome if change.offset == (0, 0)}
                if sorted(signs) == ["+", "-"] and all(map(told, things.values())):
                    found.setdefault(things["+"], []).append(things["-"])
        return found

    def before_it_became(self, deed: Deed) -> Iterator[Deed]:
        """The deed with what becomes by itself, in the same turn, what was seen to come.

        A bomb that is lit is never seen at the end of the turn: by then it burns.
        """
        for change in deed.outcome:
            for thing in self.becoming.get(change.thing, ()) if change.sign == "+" else ():
                outcome = (one if one != change else change._replace(thing=thing) for one in deed.outcome)
                yield deed._replace(outcome=tuple(sorted(outcome)))

    def explained(self, turn: Turn) -> list[tuple[Deed, Board]]:
        """The most frequent deeds that lead to the end of a turn, each with the board in the middle."""
        at = self.place(turn)
        if at is None:
            return []
        return [(deed, board) for deed in self.often for board in self.middles(turn, *at, [deed])]

    @cached_property
    def sure(self) -> list[tuple[Deed, Turn]]:
        """What is done in the turns that one board in the middle alone explains, with their first parts."""
        told = ((turn, self.explained(turn)) for turn in self.turns)
        return [
            (found[0][0], turn._replace(after=found[0][1]))
            for turn, found in told
            if len({board for _, board in found}) == 1
        ]

    def deeds_often(self) -> Iterator[list[Turn]]:
        """The first parts of turns that one board alone explains, if what is done in them often is.

        Where what happens by itself is known wrongly, what the actor is then thought to do is hardly ever the
        same.
        """
        often = Counter(deed for deed, _ in self.sure if deed.outcome)
        known: list[Turn] = []
        for share in SHARES:
            found = [
                step for deed, step in self.sure if not deed.outcome or often[deed] >= share * often.total()
            ]
            if len(found) > len(known):
                yield found
            known = found

    def deeds_needed(self) -> Iterator[list[Turn]]:
        """The first parts of turns, where of the fewest deeds that explain most turns one alone leads there.

        Where hardly anything is done without something that happens by itself, a push and a fall, seen
        together, are more frequent than a push alone.
        """
        deeds = self.deeds()
        deeds += [other for deed in deeds for other in self.before_it_became(deed)]
        leads = {deed: self.led_to(deed) for deed in deeds}
        left = {index for found in leads.values() for index in found}
        needed: list[dict[int, Board]] = []
        while left:
            most = max(leads.values(), key=lambda found: len(left & found.keys()))
            if len(left & most.keys()) < FEWEST:
                break
            needed.append(most)
            left -= most.keys()
        steps = []
        for index, turn in enumerate(self.turns):
            boards = {found[index] for found in needed if index in found}
            if len(boards) == 1:
                steps.append(turn._replace(after=boards.pop()))
        yield steps

    def led_to(self, deed: Deed) -> dict[int, Board]:
        """The numbers of the turns that a deed explains, each with the board in the middle."""
        found = {}
        for index, turn in enumerate(self.turns):
            at = self.place(turn)
            middle = self.middle(turn, *at, [deed]) if at is not None else None
            if middle is not None:
                found[index] = middle
        return found

    def deeds_sure(self) -> list[Turn] | None:
        """The first parts of the turns that one board in the middle alone explains.

        None where every turn has one: then it is the same as `deeds_done`.
        """
        torn = any(len({board for _, board in self.explained(turn)}) > 1 for turn in self.turns)
        return [step for _, step in self.sure] if torn else None

    def middle(self, turn: Turn, at: Cell, token: Token, deeds: Iterable[Deed]) -> Board | None:
        """The board after what the input does, by the first deed that leads to the end of the turn."""
        return next(self.middles(turn, at, token, deeds), None)

    def middles(self, turn: Turn, at: Cell, token: Token, deeds: Iterable[Deed]) -> Iterator[Board]:
        """The boards after the deeds that lead to the end of the turn."""
        way = pointing(self.structure, turn.word)
        for deed in deeds:
            if deed.directed != (way is not None):
                continue
            board = done(turn.before, self.views[deed.directed], deed.outcome, at, way, token)
            if board is None or not self.conceivable(turn.before, board):
                continue
            if self.by_itself(board) == turn.after:
                yield board

    @cached_property
    def going(self) -> frozenset[str]:
        """The names of what goes by itself, from its cell or for good: others may come to where it is."""
        decisions = (one for part in self.physics.parts for one in part.decisions.decisions)
        return frozenset(c.thing.name for one in decisions for c in one.outcome if c.sign == "-")

    def conceivable(self, before: Board, board: Board, going: frozenset[str] | None = None) -> bool:
        """Does nothing come to a cell with what it never shares one with, unless that goes away then?

        `going`: the names of what does, if that is not known from what happens by itself.
        """
        going = self.going if going is None else going
        for old, new in zip(before.cells, board.cells, strict=True):
            if new is not old and new - old:
                stayed = set(map(self.structure.name, new & old)) - going
                names = stayed.union(map(self.structure.name, new - old))
                if any(frozenset(pair) in self.structure.apart for pair in combinations(names, 2)):
                    return False
        return True

    def by_itself(self, board: Board) -> Board | None:
        """What becomes of a board without an input."""
        if board not in self.after:
            self.after[board] = self.physics.after(board, None)
        return self.after[board]


def told(thing: Seen) -> bool:
    """Is it the same thing seen from anywhere? It faces nothing, and its value is not told by another's."""
    return not thing.facing or thing.facing.isdecimal()


def done(board: Board, view: View, outcome: Outcome, at: Cell, way: str | None, own: Token) -> Board | None:
    """The board after an outcome; None where that cannot be."""
    try:
        made = view.apply(outcome, at, way, own)
    except Unmade:
        return None
    for sign, there, token in made:  # most deeds are seen here to be none, before anything is put in order
        if sign == "-" and token not in (view.structure.at(board, there) or ()):
            return None
    cells = list(board.cells)
    for sign, there, token in sorted(made, key=lambda one: one[0] == "+"):
        cell = view.structure.cell(board, there)
        if token is None or not board.inside(cell):
            return None
        index = cell[0] * board.width + cell[1]
        if (sign == "-") != (token in cells[index]):
            return None
        cells[index] = cells[index] - {token} if sign == "-" else cells[index] | {token}
    return Board(board.height, board.width, tuple(cells))
