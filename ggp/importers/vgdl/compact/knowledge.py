"""What is known of the cells before the avatar, while a tick is gone through without a board.

Where nothing but the avatar sets things going, a tick hangs on a few cells in a row: 0 is the avatar's own,
1 the next one in the direction of the input, and so on. They are asked about only when the tick needs to
know; each answer is a condition of the rule that comes of it. `Told` answers what follows from what has been
answered before, and else takes both answers in turn, one run of the tick each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MOST_RUNS = 10_000  # of a tick, for one game: some five seconds


class NotLocal(Exception):
    """The tick cannot be said as rules about the avatar and the cells before it."""


class Literal(NamedTuple):
    """One answer. `cell`: where; `keys`: one of these types stands there, or none of them does.

    Without keys it is about the edge: the cell is on the board, or outside. With `amount` the avatar has so
    much of the resource.
    """

    cell: int
    keys: frozenset[str]
    holds: bool
    amount: int | None = None


class Together:
    """Which types can be in one cell at rest, and what must lie on the edge of the board; both proved later.

    `pairs` begins with what the maps show and grows with what runs of the tick leave behind, until no run
    adds to it: then it holds for ever. `amounts` has, for an avatar, what is in its cell, and a resource, how
    much of it the avatar can have there; in the maps it has nothing. `edges` has for each cell of an edge
    what can never be taken from it. `company` is at rest where the avatar is, always, and nowhere else.
    """

    def __init__(
        self,
        cells: Iterator[frozenset[str]],
        edges: set[frozenset[str]],
        players: frozenset[str],
        company: frozenset[str] = frozenset(),
    ) -> None:
        self.pairs: set[frozenset[str]] = set()
        self.known: set[str] = set()
        self.amounts: dict[tuple[str, str, str], set[int]] = {}
        self.edges, self.players, self.company = edges, players, company
        self.runs = 0
        for here in cells:
            self.known |= here
            self.pairs |= {frozenset((one, other)) for one in here for other in here if one != other}
        self.began = frozenset(self.pairs)

    def fit(self, one: str, other: str) -> bool:
        """Can these two be in one cell at rest? Two of one type cannot."""
        return frozenset((one, other)) in self.pairs

    def amounts_of(self, avatar: str, other: str, resource: str) -> set[int]:
        """How much of a resource the avatar can have where it is at rest with something."""
        began = {0} if frozenset((avatar, other)) in self.began else set[int]()
        return self.amounts.setdefault((avatar, other, resource), began)

    @property
    def size(self) -> int:
        """How much is in it; it only grows."""
        return len(self.pairs) + len(self.known) + sum(map(len, self.amounts.values()))

    def add(self, one: str, other: str) -> None:
        """They can."""
        if one == other:
            raise NotLocal(f"two of `{one}` come to rest in one cell")
        self.pairs.add(frozenset((one, other)))


class Told:
    """The answers of one run: those of `script` first, then the first answer to each new question."""

    def __init__(self, together: Together, script: list[int]) -> None:
        self.together, self.script = together, script
        self.taken: list[tuple[int, int]] = []  # (answer, how many answers there are)
        self.literals: list[Literal] = []
        self.yes: dict[int, set[str]] = {}
        self.no: dict[int, set[str]] = {}
        self.some: dict[int, list[frozenset[str]]] = {}
        self.ends: int | None = None  # the first cell outside
        self.within = 0  # the last cell that is known to be on the board
        self.amounts: dict[str, int] = {}

    def choose(self, answers: int) -> int:
        """One of several answers."""
        at = len(self.taken)
        answer = self.script[at] if at < len(self.script) else 0
        self.taken.append((answer, answers))
        return answer

    def inside(self, cell: int) -> bool:
        """Is the cell on the board?"""
        if self.ends is not None:
            return cell < self.ends
        while self.within < cell:
            here = self.yes.get(self.within, set())
            off = self.no.get(self.within, set())
            edge = any(
                not edge & off
                and all(one in edge or self.together.fit(one, other) for one in here for other in edge)
                for edge in self.together.edges
            )
            beyond = self.within + 1
            if edge and self.choose(2):
                self.ends = beyond
                self.literals.append(Literal(beyond, frozenset(), False))
                return False
            if edge:
                self.literals.append(Literal(beyond, frozenset(), True))
            self.within = beyond
        return True

    def possible(self, key: str, cell: int) -> bool:
        """Could a sprite of the type have been there at rest, for all that is known?"""
        if key in self.no.get(cell, ()) or key not in self.together.known:
            return False
        if key in self.together.players | self.together.company and cell:
            return False  # there is one avatar
        here = self.yes.get(cell, set())
        if cell == 0 and here & self.together.players:
            (avatar,) = here & self.together.players
            with_it = self.together.amounts_of
            if any(amount not in with_it(avatar, key, name) for name, amount in self.amounts.items()):
                return False
        return all(self.together.fit(key, other) for other in here if other != key)

    def any_of(self, keys: frozenset[str], cell: int) -> bool:
        """Did one of these types stand there, of which none is known to have?"""
        if not self.inside(cell):
            return False
        keys = frozenset(key for key in keys if self.possible(key, cell))
        here = self.yes.setdefault(cell, set())
        if not keys or keys & here:
            return bool(keys)
        off = self.no.setdefault(cell, set())
        if any(not some & here and some - off <= keys for some in self.some.get(cell, ())):
            if len(keys) == 1:
                here |= keys
            return True
        holds = not self.choose(2)
        self.literals.append(Literal(cell, keys, holds))
        if not holds:
            off |= keys
        elif len(keys) == 1:
            here |= keys
        else:
            self.some.setdefault(cell, []).append(keys)
        return holds

    def has(self, resource: str, most: int) -> int:
        """How much of a resource the avatar had."""
        if resource not in self.amounts:
            (avatar,) = self.yes[0] & self.together.players
            others = [self.together.amounts_of(avatar, key, resource) for key in self.yes[0] - {avatar}]
            amounts = [n for n in range(most + 1) if all(n in one for one in others)]
            if not amounts:
                raise NotLocal(f"`{resource}` is nothing that the avatar has an amount of")
            amount = amounts[self.choose(len(amounts)) if len(amounts) > 1 else 0]
            self.amounts[resource] = amount
            if len(amounts) > 1:
                self.literals.append(Literal(0, frozenset((resource,)), True, amount))
        return self.amounts[resource]

    def next_script(self) -> list[int] | None:
        """The answers of the next run; None after the last one."""
        taken = list(self.taken)
        while taken:
            answer, answers = taken.pop()
            if answer + 1 < answers:
                return [one for one, _ in taken] + [answer + 1]
        return None
