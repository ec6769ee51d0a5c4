"""What can be said of tokens and inputs before any rule is learned, each with its evidence.

Which tokens exclude each other, which never change, which are one thing with a facing, and which way an
input points: all from what was seen. Names of tokens only break ties, and say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ggp.learn.boards import Board, Stack, Token, Turn, word_of
from ggp.learn.seen.edges import on_board, over_edges, short_way
from ggp.learn.seen.exclusion import Pair, exclusions
from ggp.learn.seen.facings import facings
from ggp.learn.seen.going import directions_of_words
from ggp.learn.seen.senses import Sense
from ggp.learn.seen.signs import Sign
from ggp.model import Cell
from ggp.model.shown import number_of


@dataclass(frozen=True)
class Structure:
    """What was found out. `facing` gives (family, direction) of tokens that have one, or (family, value).

    `apart`: names that never share a cell; `perhaps`: that were never seen to, which may be by chance.
    """

    tokens: tuple[Token, ...]
    fixed: frozenset[Token]
    apart: frozenset[Pair]
    facing: Mapping[Token, tuple[str, str]] = field(hash=False)
    toward: Mapping[str, str] = field(hash=False)
    counts: Mapping[Token, tuple[int, int]] = field(hash=False)
    perhaps: frozenset[Pair] = frozenset()
    verbs: tuple[str, ...] = ()  # the inputs seen that point at no cell
    evidence: tuple[str, ...] = field(default=(), compare=False)
    signs: tuple[Sign, ...] = ()  # what is asked of the whole board
    senses: tuple[Sense, ...] = ()  # what is asked of lines, neighbours, numbers, groups
    joined: bool = False  # what goes over an edge comes in from the opposite one
    picks_asked: bool = False  # where a pick points is a question, as it is of a move

    def name(self, token: Token) -> str:
        """The family of a token, or the token itself."""
        return self.facing[token][0] if token in self.facing else token

    @cached_property
    def still(self) -> frozenset[str]:
        """The names of what never changes."""
        return frozenset(map(self.name, self.fixed))

    def called(self, stack: Stack) -> frozenset[str]:
        """What signs may call the things of a cell: their families, and themselves with their facings."""
        return stack | {self.facing[token][0] for token in stack if token in self.facing}

    def members(self, name: str) -> list[Token]:
        """The tokens of a family; of another name itself."""
        return [token for token, (family, _) in self.facing.items() if family == name] or [name]

    def named(self, name: str) -> frozenset[Token]:
        """All that `name` answers with this name."""
        if name not in self.named_so_far:
            family = (token for token, (one, _) in self.facing.items() if one == name)
            self.named_so_far[name] = frozenset(family) | ({name} - self.facing.keys())
        return self.named_so_far[name]

    @cached_property
    def named_so_far(self) -> dict[str, frozenset[Token]]:
        """What `named` said: it is asked for each mover on each board."""
        return {}

    @cached_property
    def sensed_so_far(self) -> dict[tuple[Board, str | None], Board]:
        """Boards with what their cells sense under an input, of those that were asked for so far."""
        return {}

    def number(self, name: str) -> tuple[int, int]:
        """How many of a family without facings, or of each of its facings, a board holds: fewest and most."""
        fewest, most = zip(*(self.counts[token] for token in self.members(name)), strict=True)
        return sum(fewest), sum(most)

    def at(self, board: Board, cell: Cell) -> Stack | None:
        """What stands in a cell; None beyond an edge, unless edges join."""
        return board.at(self.cell(board, cell))

    def cell(self, board: Board, cell: Cell) -> Cell:
        """The cell itself; one beyond an edge is the one that it joins."""
        return on_board(board, cell) if self.joined else cell

    def near(self, board: Board, source: Cell, target: Cell) -> Cell:
        """The target as it is reached from the source: beyond an edge, where that is shorter."""
        return short_way(board, source, target) if self.joined else target

    def distance(self, board: Board, a: Cell, b: Cell) -> int:
        """Rows or columns between two cells, whichever is more."""
        row, column = self.near(board, a, b)
        return max(abs(a[0] - row), abs(a[1] - column))

    def exclusions(self, *, perhaps: bool = False) -> Mapping[str, frozenset[str]]:
        """For each name, those that never share its cell; with `perhaps` those that may not, too."""
        pairs = self.apart | self.perhaps if perhaps else self.apart
        names = self.names
        return {one: frozenset(o for pair in pairs if one in pair for o in pair - {one}) for one in names}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all tokens, in their order."""
        return tuple(dict.fromkeys(map(self.name, self.tokens)))


def structure_of(turns: Sequence[Turn], inside: Iterable[Board] = (), *, names: bool = True) -> Structure:
    """All that is found in some transitions. Without `names` what tokens are called is not looked at.

    `inside`: boards inside turns, on which things may meet that never do at the end of one.
    """
    ends = (board for turn in turns for board in (turn.before, turn.after))
    boards = list(dict.fromkeys((*ends, *inside)))
    tokens = tuple(sorted({token for board in boards for stack in board.cells for token in stack}))
    fixed, evidence = never_changing(turns, tokens)
    toward, why = directions_of_words(turns)
    joined, over = over_edges(turns, toward)
    facing, because = facings(turns, tokens, toward, names)
    shares = exclusions(turns, boards, tokens, lambda token: facing[token][0] if token in facing else token)
    sharing = sharing_evidence(shares.apart, shares.perhaps)
    counts = {token: counted(boards, token) for token in tokens}
    heard = map(word_of, sorted({turn.word for turn in turns if turn.word is not None}))
    verbs = tuple(word.verb for word in heard if word.cell is None)
    return Structure(
        tokens,
        fixed,
        frozenset(shares.apart),
        facing,
        toward,
        counts,
        shares.perhaps,
        verbs,
        (*evidence, *sharing, *alone(counts, fixed), *why, *over, *because),
        joined=joined,
    )


def sharing_evidence(apart: Mapping[Pair, float], perhaps: Iterable[Pair]) -> Iterator[str]:
    """What was found out about things that share no cell, and what was not."""
    for pair, times in apart.items():
        a, b = sorted(pair)
        yield f"{a} and {b} never share a cell: they would have met {times:.0f} times"
    for a, b in sorted(map(sorted, perhaps)):
        yield f"{a} and {b}: it is not certain whether they may share a cell"


def alone(counts: Mapping[Token, tuple[int, int]], fixed: frozenset[Token]) -> Iterator[str]:
    """What there is one of at most, if it comes or goes: nobody has seen what two of it do."""
    single = sorted(token for token, (_, most) in counts.items() if most == 1 and token not in fixed)
    if single:
        yield f"one at most stood on each board, so what two do is not known: {', '.join(single)}"


def counted(boards: Iterable[Board], token: Token) -> tuple[int, int]:
    """How many of a token a board holds: fewest and most."""
    numbers = [sum(token in stack for stack in board.cells) for board in boards]
    return min(numbers), max(numbers)


def never_changing(turns: Iterable[Turn], tokens: Iterable[Token]) -> tuple[frozenset[Token], list[str]]:
    """The tokens that never came or went, with a line for each."""
    changed: Counter[Token] = Counter()
    number = 0
    for turn in turns:
        number += 1
        if turn.before == turn.after:
            continue
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old != new:
                changed.update(old ^ new)
    fixed = frozenset(token for token in tokens if token not in changed)
    return fixed, [f"{token} never came or went in {number_of('turn', number)}" for token in sorted(fixed)]
