"""What there is one of: the player of a game, whatever it becomes, even where it can be lost.

A game gives boards with one player, and boards that are made should have one, too: of two nobody sees what
each did. That all boards seen hold one does not tell, for where the player can die some hold none, and where
it becomes something else (who has a key, say) another name stands for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import Structure


def single_movers(own: Sequence[Board], turns: Iterable[Turn], structure: Structure) -> list[frozenset[str]]:
    """Sets of names of which each of the game's own boards holds one in all, and that were seen to move.

    A name that none of these boards holds belongs to such a set if it came in a turn in which one of it went.
    """
    numbers = [numbers_on(board, structure) for board in own]
    ones = {name for name in numbers[0] if all(found[name] == 1 for found in numbers)} if numbers else set()
    given = {name for found in numbers for name in found}
    moved = set[str]()
    became: dict[str, set[str]] = {}
    for turn in turns:
        if turn.before == turn.after:
            continue
        gone, come = Counter[str](), Counter[str]()
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old != new:
                gone.update(map(structure.name, old - new))
                come.update(map(structure.name, new - old))
        moved |= gone.keys() & come.keys()
        lost, made = gone - come, come - gone
        for name in lost:
            if lost[name] == 1:
                became.setdefault(name, set()).update(o for o in made if made[o] == 1 and o not in given)
    return [closure(name, became) for name in sorted(ones & moved)]


def numbers_on(board: Board, structure: Structure) -> Counter[str]:
    """How many of each name a board holds."""
    return Counter(structure.name(token) for stack in board.cells for token in stack)


def closure(name: str, became: dict[str, set[str]]) -> frozenset[str]:
    """A name with all that it became, and what that became."""
    found, left = {name}, [name]
    while left:
        for other in became.get(left.pop(), set()) - found:
            found.add(other)
            left.append(other)
    return frozenset(found)
