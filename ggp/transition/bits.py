"""One state at a time: a board is a Python integer with one bit a cell."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import chain
from operator import or_
from typing import Any

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Cell, Input, Instance, Pattern, Piece, Term
from ggp.model.board import Action, State
from ggp.transition.kernel import Boards, Company, clear_markers, run_program, tallied, union
from ggp.transition.program import (
    CompiledRule,
    Loop,
    Offset,
    Pass,
    Transition,
    given,
    input_words,
)
from ggp.transition.single import Single


class Bits:
    """Boards as integers. Each row takes `stride` bits: its cells, then a margin that stays zero.

    The margin is as wide as rules look sideways (or wider, as said), so a shift never brings in a cell of
    another row. Bit
    `row * stride + column` stands for a cell. After each pass `moves` has the moved pieces by plane. After a
    turn `score` is what its firings were worth.
    """

    zero = 0

    def __init__(self, transition: Transition, margin: int | None = None) -> None:
        self.transition = transition
        self.stride = transition.width + (transition.radius[1] if margin is None else margin)
        row = (1 << transition.width) - 1
        self.full = sum(row << (index * self.stride) for index in range(transition.height))
        self.programs: dict[frozenset[str] | None, list[tuple[Pass | Loop, Single | None]]] = {}  # by input
        self.moves: list[tuple[int, int]] = []
        self.score = 0
        self.inside = lru_cache(maxsize=None)(self._inside)

    # --- what the kernel asks

    def everywhere(self) -> int:
        return self.full

    def empty(self, board: int) -> bool:
        return not board

    def shift(self, board: int, offset: Offset) -> int:
        if self.transition.wraps:
            return self.rotate(board, offset)
        distance = offset[0] * self.stride + offset[1]
        return board >> distance if distance >= 0 else (board << -distance) & self.full

    def rotate(self, board: int, offset: Offset) -> int:
        """The shift on a board that wraps: each part goes its own way round."""
        height, width, stride = self.transition.height, self.transition.width, self.stride
        down, right = offset[0] % height, offset[1] % width
        if down:
            whole = (1 << (stride * down)) - 1
            board = (board >> (stride * down)) | ((board & whole) << (stride * (height - down)))
        if right:
            ahead = sum(((1 << right) - 1) << (row * stride) for row in range(height))
            board = ((board & ~ahead) >> right) | ((board & ahead) << (width - right))
        return board

    def _inside(self, offset: Offset) -> int:
        # Goals may look further sideways than rules do, so this must not depend on the width of the margin.
        height, width = self.transition.height, self.transition.width
        at = ((row, column) for row in range(height) for column in range(width))
        far = [(row, column, row + offset[0], column + offset[1]) for row, column in at]
        wraps = self.transition.wraps
        return sum(self.bit(r, c) for r, c, y, x in far if wraps or (0 <= y < height and 0 <= x < width))

    def tally(self, where: Any, boards: list[Any], low: int, high: int) -> Any:
        return tallied(self, where, boards, low, high)

    def input(self, words: tuple[str, ...]) -> int | None:
        assert not words, "the program has been made for one input"
        return None

    def fired(self, rule: CompiledRule, subject: int | None, where: int) -> int:
        if rule.score:
            self.score += rule.score * (where & self.full).bit_count()
        return where

    def moved(self, plane: int, where: int) -> None:
        self.moves.append((plane, where))

    def settle(self, plane: int, board: int) -> int:
        return board

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        seen = 0
        for number, company in enumerate(companies):
            for rule, board in company:
                if board & seen:
                    self.collide(what, rule, chain(*companies[:number]), board & seen)
            seen |= union(self, (board for _, board in company))

    def collide(
        self, what: str, rule: CompiledRule | None, others: Iterable[tuple[CompiledRule | None, int]], at: int
    ) -> None:
        """Raise IllFormed naming both rules and the cell."""
        first = next(other for other, board in others if board & at)
        names = [one.name if one is not None else "what stays there" for one in (first, rule)]
        cell = divmod((at & -at).bit_length() - 1, self.stride)
        raise IllFormed(
            f"rule {names[0]} collides with {names[1]} at {cell} over {what}",
            "split the group by direction, mark what has moved, or declare the kind `merge`",
            first.place if first is not None else None,
        )

    def idle(self, step: Pass, rule: CompiledRule, where: int) -> None:
        raise IllFormed(
            f"{rule.name} changes nothing, in a group that runs until stable",
            "there every firing must change something",
            rule.place,
        )

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        for _ in range(loop.bound + 1):
            after = run_program(self, loop.body, boards)
            if after == boards:
                return boards
            boards = after
        raise IllFormed(
            f"{loop.name or 'a loop'} is still changing after {loop.bound} passes",
            "raise the bound, or make the rules come to rest",
            loop.place,
        )

    # --- for those who step

    def step(self, boards: Boards, words: frozenset[str] | None = None, pick: Boards | None = None) -> Boards:
        """The boards after one turn; `words` is the input (None where the game has none).

        Whether the input is legal is for the caller to see: it is not when the boards stay the same.
        `pick` is what the boards are with the marker of a pick on them.
        """
        self.moves = []
        self.score = 0
        if words not in self.programs:
            turn = self.transition.turn if words is not None else ()
            program = given(turn + self.transition.physics, words or frozenset())
            self.programs[words] = [self.ready(one) for one in program]
        after = pick or boards
        for one, single in self.programs[words]:
            done = None if single is None else single.run(after, self.moves)
            after = run_program(self, (one,), after) if done is None else done
        return clear_markers(self, after)

    def ready(self, step: Pass | Loop) -> tuple[Pass | Loop, Single | None]:
        """A step of a program, with the short way of doing it if there is one."""
        if isinstance(step, Loop):
            return step, None
        offsets = {term.offset for _, rules in step.subjects for rule in rules for term in rule.terms}
        inside = {offset: self.inside(offset) for offset in offsets | {(0, 0)}}
        single = Single(step, self.transition, self.stride, inside)
        return step, single if single.able else None

    def bit(self, row: int, column: int) -> int:
        """The board with just this cell."""
        return 1 << (row * self.stride + column)

    def pack(self, state: State) -> Boards:
        """A state of the referee as boards."""
        boards = [0] * len(self.transition.planes)
        number, columns = self.transition.number, self.transition.width
        for index, here in enumerate(state.board):
            for piece in here:
                boards[number[piece]] |= self.bit(*divmod(index, columns))
        return tuple(boards)

    def unpack(self, boards: Boards) -> State:
        """Boards as a state of the referee (of the first player)."""
        transition = self.transition
        board: list[frozenset[Piece]] = []
        for row in range(transition.height):
            for column in range(transition.width):
                bit = self.bit(row, column)
                here = (piece for piece, one in zip(transition.planes, boards, strict=True) if one & bit)
                board.append(frozenset(here))
        return State(tuple(board))

    def act(
        self,
        boards: Boards,
        action: Action | None,
        declared: Input | None = None,
        players: tuple[str, ...] = (),
        mover: int = 0,
    ) -> Boards:
        """One turn with an action of the referee; raises IllegalAction where it changes nothing.

        `declared` is the game's input: which marker a pick places, and whether waiting is allowed. Where
        several `players` take turns `mover` is the number of the one whose turn it is.
        """
        if action is None:
            return self.step(boards)
        pick = None
        if action.cell is not None and declared is not None and declared.pick is not None:
            plane = self.transition.number[Piece(declared.pick, action.direction)]
            here = boards[plane] | self.bit(*action.cell)
            pick = (*boards[:plane], here, *boards[plane + 1 :])
        after = self.step(boards, input_words(action, players, mover), pick)
        if after == boards and not (declared is not None and declared.wait):
            raise IllegalAction(f"{action} changes nothing", "such an input is not a move in this game")
        return after

    # --- what goal words ask

    def cells(self, region: Iterable[Cell]) -> int:
        """The board that is true on these cells."""
        return sum(self.bit(row, column) for row, column in region)

    def every(self, truths: Iterable[bool]) -> bool:
        """All of them."""
        return all(truths)

    def opposite(self, truth: bool) -> bool:
        """True where it is not."""
        return not truth

    def some(self, board: int) -> bool:
        """Is any cell true?"""
        return bool(board & self.full)

    def none(self, board: int) -> bool:
        """Is no cell true?"""
        return not board & self.full

    def count(self, boards: list[int], comparison: str, number: int) -> bool:
        """Compare the number of true cells of all the boards with a number."""
        total = sum((board & self.full).bit_count() for board in boards)
        return {"=": total == number, "<=": total <= number, ">=": total >= number}[comparison]


class Named:
    """Boards as goal words see them: by pattern. One object serves many boards of the same instance."""

    def __init__(self, instance: Instance, transition: Transition, boards: Boards = ()) -> None:
        self.instance = instance
        self.transition = transition
        self.boards = boards
        self.planes: dict[Pattern, tuple[int, ...]] = {}

    def each(self, pattern: Pattern) -> list[Any]:
        """The boards of the planes that match."""
        if pattern not in self.planes:
            self.planes[pattern] = self.transition.planes_of(self.instance, pattern)
        return [self.boards[plane] for plane in self.planes[pattern]]

    def present(self, pattern: Pattern) -> Any:
        """Where a piece that matches stands."""
        return reduce(or_, self.each(pattern) or [self.boards[0] & ~self.boards[0]])

    def holds(self, bits: Bits, term: Term) -> bool:
        """Does a term hold of these boards? A word of finished boards judges a state, as the referee does."""
        if hasattr(term, "test"):
            return bool(term.test(bits, self))
        return term.holds(self.instance, bits.unpack(self.boards))
