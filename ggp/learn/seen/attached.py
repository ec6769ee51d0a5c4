"""What never stands without something that goes with it: the speed of who falls, what somebody holds.

On the game's own boards nothing parts such a thing from its company, so boards that are made do not hold it
alone, either. At an edge that no board of the game leaves open who falls may go on without its speed. Strewn
over boards, speeds meet one another in cells where no play puts two, and rules must say what becomes of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from ggp.learn.boards import Board, Episode, Stack, Turn, turns_of
from ggp.learn.seen.structure import Structure

ENOUGH = 3  # times that something came in company, before it is said that it never stands alone


class Attached:
    """The names that came to cells in company alone, each with the companies that it was seen in.

    What never came is none, and no company: nobody knows what the others would be without it.
    """

    def __init__(self, turns: Iterable[Turn], structure: Structure, own: Iterable[Board] = ()) -> None:
        """`turns`: of play that began on the game's `own` boards, of which not all may have been played."""
        self.name = structure.name
        came, stacks = Counter[str](), {stack for board in own for stack in board.cells}
        for turn in dict.fromkeys(turns):
            stacks.update(turn.before.cells, turn.after.cells)
            if turn.before != turn.after:
                pairs = zip(turn.before.cells, turn.after.cells, strict=True)
                came.update(self.name(token) for old, new in pairs if old != new for token in new - old)
        self.companies: dict[str, set[frozenset[str]]] = {}
        # A peg is seen in holes alone, but holes stay: there may be other ground, on no board so far.
        for names in {frozenset(filter(came.get, map(self.name, stack))) for stack in stacks}:
            for name in names:
                self.companies.setdefault(name, set()).add(names)
        self.companies = {
            name: some
            for name, some in self.companies.items()
            if came[name] >= ENOUGH and frozenset({name}) not in some
        }

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


def attached_in(episodes: Iterable[Episode], own: Collection[Board], structure: Structure) -> Attached:
    """What is attached in the runs that began on one of the game's own boards."""
    return Attached(turns_of([one for one in episodes if one.start in own]), structure, own)


def nothing_attached(structure: Structure) -> Attached:
    """Where nobody knows which boards are the game's own."""
    return Attached((), structure)
