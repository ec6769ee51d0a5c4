"""What there is one of: the player of a game, whatever it becomes, even where it can be lost.

A game gives boards with one player, and boards that are made should have one, too: of two nobody sees what
each did. That all boards seen hold one does not tell, for where the player can die some hold none, and where
it becomes something else (who has a key, say) another name stands for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import Structure

MOST = 0.9  # of the boards hold one: where the player can die, some run begins without


def single_movers(own: Sequence[Board], turns: Iterable[Turn], structure: Structure) -> list[frozenset[str]]:
    """Sets of names of which each board that play begins on holds one in all, and that were seen to move.

    Some of these boards may hold none, and none holds two. A name belongs to such a set, too, if it came in a
    turn in which one of the set went, and no such board holds both. Who rests until it is its turn (of two
    heroes the other one) has become what moves.
    """
    numbers = [numbers_on(board, structure) for board in own]
    several = {name for found in numbers for name, number in found.items() if number > 1}
    beside = {
        name: set[str]().union(*(found for found in numbers if name in found))
        for name in set().union(*numbers)
    }
    moved = set[str]()
    became: dict[str, set[str]] = {}
    for turn in turns:
        if turn.before != turn.after:
            moves, changes = moves_and_changes(turn, structure)
            moved |= moves
            for name, others in changes.items():
                became.setdefault(name, set()).update(others - beside.get(name, set()))
    teams = {name: closure(name, became, beside) for name in sorted(beside.keys() - several)}
    fit = {name: team for name, team in teams.items() if alone(team, numbers)}
    found = {fit[name] for name in fit.keys() & moved}
    for name in sorted(fit.keys() - moved):
        if fit[name] & moved and not any(fit[name] & other for other in found):
            found.add(fit[name])
    return sorted(found, key=sorted)


class Troupe:
    """Of what there is one each, in several sets of names: which boards hold together.

    Of two heroes that take turns one moves, and the other rests: play leads to no board on which both move.
    Of one set alone nothing is said.
    """

    def __init__(
        self, single: Sequence[frozenset[str]], boards: Iterable[Board], structure: Structure
    ) -> None:
        self.structure = structure
        self.names = frozenset[str]().union(*single) if len(single) > 1 else frozenset[str]()
        self.casts = {self.cast(board) for board in boards} if self.names else {frozenset[str]()}
        whole = (cast for cast in self.casts if all(len(cast & names) == 1 for names in single))
        self.whole = list(whole) if len(single) > 1 else []  # of each set there is one

    def cast(self, board: Board) -> frozenset[str]:
        """Those of the names that a board holds."""
        return self.names & {self.structure.name(token) for stack in board.cells for token in stack}

    def plays(self, board: Board) -> bool:
        """Does a board hold such as were on a board together?"""
        return self.cast(board) in self.casts


def moves_and_changes(turn: Turn, structure: Structure) -> tuple[Set[str], dict[str, set[str]]]:
    """The names that went and came in a turn, and what each that one was lost of may have become.

    That is what came in its cell, if anything did; else what came anywhere.
    """
    gone, come = Counter[str](), Counter[str]()
    here: dict[str, set[str]] = {}
    for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
        if old != new:
            out, into = {*map(structure.name, old - new)}, {*map(structure.name, new - old)}
            gone.update(map(structure.name, old - new))
            come.update(map(structure.name, new - old))
            for name in out:
                here.setdefault(name, set()).update(into)
    lost, made = gone - come, come - gone
    ones = {name for name, number in made.items() if number == 1}
    changes = {name: here[name] & ones or ones for name, number in lost.items() if number == 1}
    return gone.keys() & come.keys(), changes


def alone(team: frozenset[str], numbers: Sequence[Counter[str]]) -> bool:
    """Do most boards hold one of these, and none two?"""
    found = [sum(number[name] for name in team) for number in numbers]
    return max(found) <= 1 and sum(found) >= MOST * len(found)


def one_of_each(single: Iterable[frozenset[str]], board: Board, structure: Structure) -> bool:
    """Does a board hold one at most of each of these sets? Who has a key and who has none are one."""
    number = numbers_on(board, structure)
    return all(sum(number[name] for name in team) <= 1 for team in single)


def numbers_on(board: Board, structure: Structure) -> Counter[str]:
    """How many of each name a board holds."""
    return Counter(structure.name(token) for stack in board.cells for token in stack)


def closure(name: str, became: Mapping[str, Set[str]], beside: Mapping[str, Set[str]]) -> frozenset[str]:
    """A name with all that it became, and what that became, but what stood on a board with one of these.

    Who is lost in the turn in which a sword is drawn did not become a sword.
    """
    found, left = {name}, [name]
    while left:
        for other in sorted(became.get(left.pop(), set()) - found):
            if not found & beside.get(other, set()):
                found.add(other)
                left.append(other)
    return frozenset(found)
