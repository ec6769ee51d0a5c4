"""What never stands without something that goes with it: the speed of who falls, what somebody holds.

On the game's own boards nothing parts such a thing from its company, so boards that are made do not hold it
alone, either. At an edge that no board of the game leaves open who falls may go on without its speed. Strewn
over boards, speeds meet one another in cells where no play puts two, and rules must say what becomes of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ggp.learn.boards import Board, Episode, Stack, Token, Turn, turns_of
from ggp.learn.seen.structure import Structure

ENOUGH = 3  # times that something came in company, before it is said that it never stands alone


class Attached:
    """The names that came to cells in company alone, each with the companies that it was seen in.

    What never came is none, and no company: nobody knows what the others would be without it.
    """

    def __init__(
        self,
        turns: Iterable[Turn],
        structure: Structure,
        own: Iterable[Board] = (),
        others: Iterable[Sequence[Turn]] = (),
    ) -> None:
        """`turns`: of play that began on the game's `own` boards, of which not all may have been played.

        `others`: runs from other boards. Of what is on no board of the game they tell, too, if they begin
        without it; and it is attached from the first time on.
        """
        self.name, every = structure.name, frozenset(structure.names)
        stacks = {stack for board in own for stack in board.cells}
        known = frozenset(map(self.name, frozenset[Token]().union(*stacks)))
        play: list[tuple[Sequence[Turn], frozenset[str]]] = [(list(dict.fromkeys(turns)), every)]
        strange = every - known
        for run in others if strange else ():
            if run and (names := strange - self.names_on(run)):
                play.append((run, names))
        came, told = Counter[str](), {(stack, known) for stack in stacks}
        for run, names in play:
            came.update(filter(names.__contains__, (self.name(one) for turn in run for one in come_in(turn))))
            found = {stack for turn in run for stack in (*turn.before.cells, *turn.after.cells)}
            told |= {(stack, names) for stack in found}
        companies: dict[str, set[frozenset[str]]] = {}
        # A peg is seen in holes alone, but holes stay: there may be other ground, on no board so far.
        for names, judged in {(frozenset(filter(came.get, map(self.name, one))), some) for one, some in told}:
            for name in names & judged:
                companies.setdefault(name, set()).add(names)
        self.companies = {
            name: some
            for name, some in companies.items()
            if came[name] >= (ENOUGH if name in known else 1) and frozenset({name}) not in some
        }

    def names_on(self, run: Sequence[Turn]) -> frozenset[str]:
        """What stands on the board that a run begins on."""
        return frozenset(self.name(token) for stack in run[0].before.cells for token in stack)

    def stands(self, stack: Stack) -> bool:
        """Is all in a cell there with a company that it was seen in?"""
        return not self.astray(stack)

    def stand(self, board: Board) -> bool:
        """Is it so in all cells?"""
        return not self.companies or all(map(self.stands, set(board.cells)))

    def astray(self, stack: Stack) -> Stack:
        """What is in a cell without any of its companies."""
        if not self.companies:
            return frozenset()
        names = frozenset(map(self.name, stack))
        lost = {
            name
            for name in names & self.companies.keys()
            if not any(company <= names for company in self.companies[name])
        }
        return frozenset(token for token in stack if self.name(token) in lost)

    def settled(self, stack: Stack) -> Stack:
        """What is left of the contents of a cell once nothing is astray."""
        while astray := self.astray(stack):
            stack -= astray
        return stack


def come_in(turn: Turn) -> Iterator[Token]:
    """What has come to a cell in a turn."""
    if turn.before != turn.after:
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old != new:
                yield from new - old


def attached_in(episodes: Iterable[Episode], own: Collection[Board], structure: Structure) -> Attached:
    """What is attached in runs; others than from the game's own boards tell of what is on none of these."""
    runs = list(episodes)
    others = (list(turns_of([one])) for one in runs if one.start not in own)
    return Attached(turns_of([one for one in runs if one.start in own]), structure, own, others)


def nothing_attached(structure: Structure) -> Attached:
    """Where nobody knows which boards are the game's own."""
    return Attached((), structure)
