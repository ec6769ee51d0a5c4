"""What learned rules say of turns that they were not learned from: the referee plays the description.

The tokens and inputs of what was watched become the pieces and inputs of the description, and back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from typing import NamedTuple

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Step, Token, Turn, renamed, turns_of, word_of
from ggp.learn.habits import standing
from ggp.learn.hidden import faced, positions, positions_only
from ggp.learn.whole import Learned
from ggp.watch.described import DescribedWorld

MOST_FACINGS = 64  # that a board may have, where they are not shown
NONE = "none"  # an input that no description has: it changes nothing


class Foreseen(NamedTuple):
    """A fresh turn and what the rules say of it: the board after it, None where they say nothing.

    `flags`: how many times it was told whether the board after it is won or lost, and `wrong`: how many of
    these the goal says otherwise. `ended`: was it won or lost?
    """

    turn: Turn
    board: Board | None
    flags: int = 0
    wrong: int = 0
    ended: bool = False

    @property
    def agrees(self) -> bool:
        """Is the board the one that was seen?"""
        return self.board == self.turn.after


class Foresight:
    """A learned description that is asked about turns."""

    def __init__(self, learned: Learned) -> None:
        self.learned = learned
        self.world = DescribedWorld(learned.game, learned.levels, go_on=True)
        self.texts = {token: str(piece) for token, piece in learned.pieces.items()}
        self.tokens = {text: token for token, text in self.texts.items()}
        declared = learned.game.input
        words = () if declared is None else (*declared.moves, *declared.verbs, *["wait"] * declared.wait)
        self.inputs = frozenset(words)

    def of(self, episode: Episode) -> Iterator[Foreseen]:
        """What is foreseen of each turn of a run, each from the board that was seen before it."""
        if self.learned.invented is not None:
            yield from self.of_positions(episode, self.learned.invented)
            return
        turns, at = list(turns_of([episode])), 0
        while at < len(turns):
            said = self.played(turns[at:])
            for step in (said.steps if said is not None else ())[: len(turns) - at]:
                seen = episode.steps[at]
                board = self.translated(step.after)
                flags = self.flags(seen, step)
                right = board == turns[at].after
                # Of a board that was not foreseen the description was not asked who has won.
                ended = right and not seen.refused and bool(seen.won or seen.lost)
                yield Foreseen(turns[at], board, right * len(flags), right * flags.count(False), ended)
                at += 1
                if not right:
                    break
            else:
                if at < len(turns):  # the rules say nothing of this turn
                    yield Foreseen(turns[at], None)
                    at += 1

    def of_positions(self, episode: Episode, token: Token) -> Iterator[Foreseen]:
        """What is foreseen where facings are not shown: with those that foresee most, to their end.

        Nothing where there are too many of them to try.
        """
        turns = self.shown([episode])
        cells = standing(turns[0].before, token) if turns else []
        ways = [way for name, way in self.learned.structure.facing.values() if name == token]
        if not turns or len(ways) ** len(cells) > MOST_FACINGS:
            return
        found: list[Foreseen] = []
        for some in product(ways, repeat=len(cells)):
            before = faced(turns[0].before, token, dict(zip(cells, some, strict=True)))
            said = self.played([turns[0]._replace(before=before), *turns[1:]]) if before is not None else None
            steps = said.steps if said is not None else ()
            boards = [positions(self.translated(step.after)) for step in steps]
            told = [Foreseen(*pair) for pair in zip_longest(turns, boards[: len(turns)])]
            wrong = next((n for n, one in enumerate(told) if not one.agrees), len(told))
            found = max(found, told[: wrong + 1], key=lambda some: sum(one.agrees for one in some))
        yield from found

    def shown(self, episodes: Sequence[Episode]) -> list[Turn]:
        """The turns of some runs, as they are shown."""
        return list(turns_of(positions_only(episodes) if self.learned.invented is not None else episodes))

    def flags(self, seen: Step, said: Step | Episode) -> list[bool]:
        """Of each flag that was told, and that the goal speaks of: does it say the same?"""
        if seen.refused:
            return []
        told = [(getattr(seen, flag), getattr(said, flag)) for flag in self.learned.speaks_of]
        return [one == other for one, other in told if one is not None]

    def flags_of_board(self, seen: Step) -> list[bool]:
        """The same of the board after a turn, without the turn; none where only a turn wins."""
        if self.learned.game.scan is not None:
            return []
        board = self.written(seen.after)
        said = self.world.one(board, []) if board is not None else None
        return self.flags(seen, said) if said is not None else []

    def played(self, turns: list[Turn]) -> Episode | None:
        """The turns as the referee plays them, from the first board; None where it cannot stand."""
        board = self.written(turns[0].before)
        if board is None:
            return None
        try:
            return self.world.one(board, [self.word(turn.word) for turn in turns])
        except PuzzleError:
            return None

    def written(self, board: Board) -> Board | None:
        """The board with pieces for tokens; None where one was never seen."""
        if self.learned.theory is not None:
            return self.learned.theory.written(board)
        if not all(token in self.texts for stack in set(board.cells) for token in stack):
            return None
        return renamed(board, self.texts)

    def translated(self, board: Board) -> Board:
        """The board with tokens for pieces; a value that was never seen is called as those that were."""
        if self.learned.theory is not None:
            return self.learned.theory.translated(board)
        new = {text for stack in set(board.cells) for text in stack} - self.tokens.keys()
        self.tokens |= {text: self.called(text) for text in new}
        return renamed(board, self.tokens)

    def called(self, text: str) -> Token:
        """The token of a piece with a value that was not seen, as far as can be told; else its text."""
        kind, _, value = text.rpartition(":")
        same = (token for token, piece in self.learned.pieces.items() if piece.kind == kind)
        names = (token.rpartition(":")[0] for token in same)
        name = next(filter(None, names), None)
        return f"{name}:{value}" if name else text

    def word(self, word: str | None) -> str | None:
        """An input as the description has it; one under which nothing was ever seen is none of its own."""
        if word is None:
            return None
        if self.learned.theory is not None:
            return self.learned.theory.word(word)
        parts, toward = word_of(word), self.learned.structure.toward
        if parts.cell is None:
            plain = toward.get(parts.verb, parts.verb)
            return plain if plain in self.inputs else NONE
        facing = toward.get(parts.toward or "", parts.toward)
        return f"pick({parts.cell[0]},{parts.cell[1]}{f',{facing}' if facing is not None else ''})"
