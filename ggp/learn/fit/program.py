"""A learned turn, on tokens: for each subject a list of decisions, all of them reading the same board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeGuard

from ggp.learn.boards import Board, Stack, Token, Turn, without, word_of
from ggp.learn.fit.lists import Decisions
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.signs import is_sign, with_tokens
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK, Look, Outcome, View
from ggp.model import DIRECTIONS, Cell

MOST_SAID = 20_000  # turns whose ends are kept
MOST_SENSED = 4_000  # boards of which is kept what their cells sense
CELL = ""  # the subject of decisions that are about a cell, not about what stands there


class Unmade(Exception):
    """An outcome cannot be made: it puts something where no such token was ever seen, or off the board."""


@dataclass(frozen=True)
class Part:
    """What one subject does under some inputs (`words`; None: under all of them).

    `entire`: its decisions belong together, so that none is left out because no turn that was seen needs it.
    """

    subject: str
    view: View
    decisions: Decisions
    words: frozenset[str] | None = None
    examples: int = 0
    entire: bool = False

    def direction(self, token: Token | None, word: str | None) -> str | None:
        """Where the subject looks."""
        toward = self.view.frame.toward
        if toward == "facing":
            facing = self.view.structure.facing.get(token or "")
            return facing[1] if facing is not None else None
        return pointing(self.view.structure, word) if toward == "input" else None

    def outcome(self, board: Board, at: Cell, direction: str | None, word: str | None) -> Outcome:
        """What comes of one subject. What stands around it is hardly ever new, so that is looked up first."""
        meant = meaning(self.view.structure, word)
        key = direction, meant, self.view.stacks(board, at, self.steps[direction])
        if key not in self.known:
            asked = self.decisions.asked
            window = self.view.window(board, at, direction, asked)
            looks: Mapping[Offset, Look] = dict(zip(asked, window, strict=True))
            self.known[key] = self.decisions.outcome(looks, meant)
        return self.known[key]

    @cached_property
    def known(self) -> dict[tuple[str | None, str, tuple[Stack | None, ...]], Outcome]:
        """What comes of all that stood around a subject so far."""
        return {}

    @cached_property
    def steps(self) -> Mapping[str | None, tuple[Cell, ...]]:
        """How many rows and columns away is what decisions ask for, by where the subject looks."""
        frame, asked = self.view.frame, self.decisions.asked
        return {way: tuple(frame.cell((0, 0), one, way) for one in asked) for way in (None, *DIRECTIONS)}


@dataclass(frozen=True)
class Program:
    """All parts of one pass. `weights`: of the parts, of which chance draws one that applies to a subject."""

    structure: Structure
    parts: tuple[Part, ...]
    loop: bool = False  # it goes on until nothing changes
    times: int = 1  # that it is run one after another, if it is no loop
    weights: tuple[int, ...] = ()

    @property
    def cost(self) -> float:
        """The size of all lists."""
        return sum(part.decisions.cost for part in self.parts)

    @property
    def examples(self) -> int:
        """How many examples all parts rest on."""
        return sum(part.examples for part in self.parts)

    def after(self, before: Board, word: str | None) -> Board | None:
        """The board after one turn; None where what is to be done cannot be, or chance decides."""
        if self.weights:
            return None
        key = before, word
        if key not in self.said:
            if len(self.said) >= MOST_SAID:
                self.said.clear()
            self.said[key] = self.played(before, word)
        return self.said[key]

    @cached_property
    def said(self) -> dict[tuple[Board, str | None], Board | None]:
        """What it said of turns so far: whoever puts passes together asks for the same ones again."""
        return {}

    def played(self, before: Board, word: str | None) -> Board | None:
        """The same, worked out."""
        board = marked(before, word, self.structure)
        plain = board is before  # nothing was marked, so nothing need be taken away
        try:
            following = self.one_pass(board, word)
            left = self.most_passes(before) if self.loop else self.times - 1
            while left and following != board:
                board, following = following, self.one_pass(following, word)
                left -= 1
        except Unmade:
            return None
        if self.loop and following != board:
            return None
        return following if plain else unmarked(following)

    @cached_property
    def grows(self) -> bool:
        """Does anything come that does not go elsewhere? Then it may come to one cell after another."""
        outcomes = [one.outcome for part in self.parts for one in part.decisions.decisions]
        return any(sum(1 if change.sign == "+" else -1 for change in one) > 0 for one in outcomes)

    def most_passes(self, board: Board) -> int:
        """How often a loop may go on."""
        return board.height * board.width if self.wanders else board.height + board.width

    @cached_property
    def wanders(self) -> bool:
        """May it go on for longer than a line is? What grows does, and what is turned aside on its way."""
        outcomes = [one.outcome for part in self.parts for one in part.decisions.decisions]
        faced = {"ahead", "behind", "leftward", "rightward", *DIRECTIONS}
        ways = (
            ({c.thing for c in one if c.sign == sign and c.thing.facing in faced} for sign in "-+")
            for one in outcomes
        )
        return self.grows or any(gone and come and gone != come for gone, come in ways)

    def one_pass(self, board: Board, word: str | None) -> Board:
        """All removals, then all additions."""
        gone: set[tuple[int, Token]] = set()
        come: set[tuple[int, Token]] = set()
        for part, at, token in self.anchors(board, word):
            spend(5)
            direction = part.direction(token, word)
            outcome = part.outcome(board, at, direction, word)
            for sign, cell, thing in part.view.apply(outcome, at, direction, token):
                cell = self.structure.cell(board, cell)
                if thing is None or not board.inside(cell):
                    raise Unmade
                (gone if sign == "-" else come).add((cell[0] * board.width + cell[1], thing))
        if not gone and not come:
            return board
        cells = list(board.cells)
        for index, token in gone:
            cells[index] -= {token}
        for index, token in come:
            cells[index] |= {token}
        return Board(board.height, board.width, tuple(cells))

    def anchors(self, board: Board, word: str | None) -> Iterator[tuple[Part, Cell, Token | None]]:
        """Each part with each of its subjects on the board."""
        meant = meaning(self.structure, word)
        for part in self.parts:
            if part.words is None or meant in part.words:
                for at, token in subjects_on(board, part.subject, self.structure):
                    yield part, at, token

    def wrong(self, turn: Turn) -> bool:
        """Does it say something else of a turn than what was seen?"""
        return self.after(turn.before, turn.word) != turn.after


@dataclass(frozen=True)
class Passes:
    """A turn of several passes, one after another. What is `passing` is gone after the last one."""

    structure: Structure
    programs: tuple[Program, ...]
    passing: frozenset[Token] = frozenset()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of all passes."""
        return tuple(part for program in self.programs for part in program.parts)

    @property
    def cost(self) -> float:
        """The size of all passes."""
        return sum(program.cost for program in self.programs)

    @property
    def examples(self) -> int:
        """How many examples all passes rest on."""
        return sum(program.examples for program in self.programs)

    def after(self, before: Board, word: str | None) -> Board | None:
        """The board after one turn; None where what is to be done cannot be."""
        board: Board | None = before
        for program in self.programs:
            board = program.after(board, word) if board is not None else None
        return without(board, self.passing) if board is not None else None

    def wrong(self, turn: Turn) -> bool:
        """Does it say something else of a turn than what was seen?"""
        return self.after(turn.before, turn.word) != turn.after


def in_a_row(structure: Structure, parts: Iterable[Program | Passes]) -> Passes:
    """Some parts of a turn, one after another. What is passing in one of them is gone after the last."""
    listed = tuple(parts)
    passing = frozenset[Token]().union(*(one.passing for one in listed if isinstance(one, Passes)))
    return Passes(structure, tuple(one for part in listed for one in programs_of(part)), passing)


def one_pass(program: Program | Passes) -> TypeGuard[Program]:
    """Is it rules that all read the board before the turn?"""
    return isinstance(program, Program) and not program.loop and program.times == 1


def programs_of(program: Program | Passes) -> tuple[Program, ...]:
    """The passes of a turn."""
    return program.programs if isinstance(program, Passes) else (program,)


def subjects_on(board: Board, subject: str, structure: Structure) -> Iterable[tuple[Cell, Token | None]]:
    """Where the tokens of a name stand; every cell for `CELL`."""
    if subject == CELL:
        return ((divmod(index, board.width), None) for index in range(len(board.cells)))
    return places(board, structure.named(subject))


@lru_cache(maxsize=MOST_SAID)
def places(board: Board, tokens: frozenset[Token]) -> tuple[tuple[Cell, Token], ...]:
    """Where some tokens stand, row by row: each pass asks for it on the same boards, again and again."""
    return tuple(
        (divmod(index, board.width), token)
        for index, stack in enumerate(board.cells)
        if not tokens.isdisjoint(stack)
        for token in sorted(tokens & stack)
    )


def pointing(structure: Structure, word: str | None) -> str | None:
    """The direction that an input has."""
    if word is None:
        return None
    parts = word_of(word)
    return structure.toward.get(parts.toward or parts.verb if parts.cell is None else parts.toward or "")


def meaning(structure: Structure, word: str | None) -> str:
    """What decisions ask of an input: its direction, else its verb; "" where it points at a cell.

    The direction of that is only asked for where the structure says so.
    """
    if word is None:
        return ""
    parts = word_of(word)
    if parts.cell is not None:
        return structure.toward.get(parts.toward or "", "") if structure.picks_asked else ""
    return structure.toward.get(parts.verb, parts.verb)


def marked(board: Board, word: str | None, structure: Structure) -> Board:
    """The board with a mark where the input points, the signs that are true of it, and what cells sense.

    What cells sense is kept: each choice of movers asks for it on the same boards.
    """
    if not structure.senses:
        return with_pick(signed(board, structure), word, structure)
    known = structure.sensed_so_far
    if (board, word) not in known:
        if len(known) >= MOST_SENSED:
            known.clear()
        known[board, word] = sensed(with_pick(signed(board, structure), word, structure), structure)
    return known[board, word]


def sensed(board: Board, structure: Structure) -> Board:
    """The board with what its cells sense."""
    cells = list(board.cells)
    for sense in structure.senses:
        for (row, column), token in sense.where(board, structure.facing):
            cells[row * board.width + column] |= {token}
    return board._replace(cells=tuple(cells))


def with_pick(board: Board, word: str | None, structure: Structure) -> Board:
    """The board with a mark where the input points."""
    parts = word_of(word) if word is not None else None
    if parts is None or parts.cell is None or not board.inside(parts.cell):
        return board
    facing = structure.toward.get(parts.toward or "")
    index = parts.cell[0] * board.width + parts.cell[1]
    cells = list(board.cells)
    cells[index] |= {PICK if facing is None else f"{PICK}:{facing}"}
    return Board(board.height, board.width, tuple(cells))


def signed(board: Board, structure: Structure) -> Board:
    """The board with the signs that are true of it in every cell."""
    if not structure.signs:
        return board
    stacks = [structure.called(stack) for stack in set(board.cells)]
    return with_tokens(board, (sign.token for sign in structure.signs if any(map(sign.of, stacks))))


def unmarked(board: Board) -> Board:
    """The board without marks, signs and senses."""
    return Board(board.height, board.width, tuple(map(bare, board.cells)))


@lru_cache(maxsize=4096)
def bare(stack: Stack) -> Stack:
    """What stands in a cell, without marks, signs and senses."""
    return frozenset(t for t in stack if t.partition(":")[0] != PICK and not is_sign(t))
