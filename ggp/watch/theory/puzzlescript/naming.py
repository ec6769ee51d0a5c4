"""Names for what stands on boards, as rules can speak of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.importers.puzzlescript.words import KEYWORDS
from ggp.learn.boards import Board, Episode, Token, renamed
from ggp.learn.seen.unused import untaken
from ggp.learn.whole import safe_name


class Naming:
    """A name for each token that was seen: small letters, and no word of PuzzleScript's."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self.names: dict[Token, str] = {}
        seen = {
            token
            for one in episodes
            for board in one.boards()
            for stack in set(board.cells)
            for token in stack
        }
        for token in sorted(seen):
            name = safe_name(token.lower(), frozenset()).lower()
            name = f"thing-{name}" if name in KEYWORDS else name
            self.names[token] = untaken(name, frozenset(self.names.values()))
        self.tokens = {name: token for token, name in self.names.items()}

    def written(self, board: Board) -> Board | None:
        """A board with names for its tokens; None where one was never seen."""
        if not all(token in self.names for stack in set(board.cells) for token in stack):
            return None
        return renamed(board, self.names)

    def translated(self, board: Board) -> Board:
        """A board with tokens for names; a name that is none of these stays."""
        new = {name: name for stack in set(board.cells) for name in stack if name not in self.tokens}
        return renamed(board, {**self.tokens, **new})

    def episode(self, episode: Episode) -> Episode:
        """A run with names for tokens."""
        steps = tuple(replace(step, after=renamed(step.after, self.names)) for step in episode.steps)
        return replace(episode, start=renamed(episode.start, self.names), steps=steps)
