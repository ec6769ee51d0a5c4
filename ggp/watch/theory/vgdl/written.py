"""A theory written down: the game of ours that it is, by way of the importer, with goal and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ggp.engines.vgdl.insides import Inside
from ggp.errors import NotLearned
from ggp.importers.vgdl import game_without_ends
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.refused import Refused
from ggp.learn.boards import Board, Episode, Stack, Token, Turn, turns_of
from ggp.learn.goal.aims import aim_of
from ggp.learn.seen.states import piece_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.starts import levels_of
from ggp.learn.whole import Learned, safe_name, symbols_of
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Game, Piece
from ggp.watch.theory.told import learned_by
from ggp.watch.theory.vgdl.questions import questions
from ggp.watch.theory.vgdl.spelling import Spelling
from ggp.watch.theory.vgdl.stage import Scene
from ggp.watch.theory.vgdl.theories import Theory


class Pieces:
    """Boards that were seen as boards of the imported game's pieces, and back.

    What somebody holds is a piece beside them there, and a clock is the name of a kind.
    """

    def __init__(self, lower: Lowering, spelling: Spelling) -> None:
        self.lower, self.spelling = lower, spelling
        self.written_stack = lru_cache(maxsize=None)(self.stack)
        self.read_stack = lru_cache(maxsize=None)(self.tokens)

    def form(self, inside: Inside, clock: int | None) -> Form:
        """The form of a sprite, but for what an avatar holds."""
        form = self.lower.begun(inside.key)
        if inside.facing is not None:
            form = form._replace(facing=inside.facing)
        if clock is not None:
            form = form._replace(age=(clock + 1) % self.spelling.clocked[inside.key])
        if self.lower.can_rest(inside.key):
            form = form._replace(rest=inside.rest)
        if inside.key not in self.lower.players and inside.held:
            held = {name: int(number) for name, number in inside.held.items()}
            form = form._replace(held=tuple(sorted(held.items())))
        return form

    def pieces(self, token: Token) -> tuple[Piece, ...]:
        """The pieces that a token is."""
        inside, clock = self.spelling.inside(token, (0, 0))
        found = [self.lower.forms.piece(self.form(inside, clock))]
        if inside.key in self.lower.players:
            for name, number in inside.held.items():
                held = self.lower.held(name, int(number))
                found.append(Piece(held.name, held.variant))
        return tuple(found)

    def stack(self, stack: Stack) -> Stack:
        """What stands in a cell, as texts of pieces."""
        return frozenset(str(piece) for token in stack for piece in self.pieces(token))

    def tokens(self, stack: Stack) -> Stack:
        """What stands in a cell, as it would be seen; a text that is nothing of the kind stays."""
        amounts, found, names = dict[str, int](), set[Token](), {}
        for resource in self.spelling.held:
            names[self.lower.held(resource).name] = resource
        for text in stack:
            kind, _, variant = text.partition(":")
            if kind in names:
                amounts[names[kind]] = int(variant or 1)
        for text in stack:
            kind, _, variant = text.partition(":")
            if kind not in names:
                found |= self.token(text, kind, variant or None, amounts)
        return frozenset(found)

    def token(self, text: str, kind: str, facing: str | None, amounts: dict[str, int]) -> set[Token]:
        """How a piece would be seen: not at all where it is an avatar that is gone."""
        forms = self.lower.forms.kinds.get(kind)
        if not forms:
            return {text}
        form = min(forms)
        if form.dead or form.off:
            return set()
        held = amounts if form.key in self.lower.players else dict(form.held)
        cycle = self.spelling.clocked.get(form.key)
        clock = (form.age - 1) % cycle if cycle else None
        return {self.spelling.token(Inside(form.key, (0, 0), facing, held, form.rest), clock)}

    def written(self, board: Board) -> Board | None:
        """A board as texts of pieces; None where one was never seen."""
        return self.known(board) if self.spelling.knows(board) else None

    def translated(self, board: Board) -> Board:
        """A board as it would be seen."""
        return Board(board.height, board.width, tuple(map(self.read_stack, board.cells)))

    def word(self, word: str | None) -> str | None:
        """An input as the imported game has it."""
        key = self.spelling.key(word)
        return {"space": "action", "noop": "wait"}.get(key, key)

    def episode(self, episode: Episode) -> Episode:
        """A run that was learned from, on boards of pieces."""
        steps = tuple(replace(step, after=self.known(step.after)) for step in episode.steps)
        return replace(episode, start=self.known(episode.start), steps=steps)

    def known(self, board: Board) -> Board:
        """A board of which each token was seen, as texts of pieces."""
        return Board(board.height, board.width, tuple(map(self.written_stack, board.cells)))


class Told:
    """A theory as whoever tries it asks it: what stands after a turn, as the built-in engine plays it."""

    def __init__(self, theory: Theory, game: Game, pieces: Pieces) -> None:
        self.theory, self.game, self.pieces = theory, game, pieces
        self.written, self.translated, self.word = pieces.written, pieces.translated, pieces.word

    def __str__(self) -> str:
        return str(self.theory)

    def after(self, board: Board, word: str | None) -> Board | None:
        """The board after a turn; None where the engine stops, or something is there that was never seen."""
        if not self.pieces.spelling.knows(board):
            return None
        scene = Scene(Turn(board, word, board), self.pieces.spelling, frozenset())
        seen = scene.played(self.theory).seen
        if seen is None:
            return None
        cells = [set[Token]() for _ in board.cells]
        for (row, column), token in seen:
            cells[row * board.width + column].add(token)
        return Board(board.height, board.width, tuple(map(frozenset, cells)))

    def wrong(self, turn: Turn) -> bool:
        """Does it say something else of a turn?"""
        return self.after(turn.before, turn.word) != turn.after

    @property
    def alike(self) -> bool:
        """Is each token a piece of the same name?"""
        spelling = self.pieces.spelling
        return not (spelling.held or spelling.clocked or spelling.resting)

    def questions(self, episodes: Sequence[Episode]) -> list[tuple[Board, str | None]]:
        """Turns that would tell it from others that say all these runs."""
        return questions(self.theory, self.pieces.spelling, list(dict.fromkeys(turns_of(episodes))))

    def goal_anew(self, episodes: Sequence[Episode]) -> Learned:
        """The game with the goal that the flags of some runs tell, and its levels."""
        shown = [self.pieces.episode(one) for one in episodes]
        turns = list(turns_of(shown))
        structure = structure_of(turns, [one.start for one in shown])
        known = {token: piece_of(token) for token in structure.tokens}
        vocabulary = Vocabulary(known, taken=frozenset(kind.name for kind in self.game.kinds))
        aim = aim_of(shown, structure, vocabulary)
        levels = levels_of(shown, known, aim, None, structure, takes_inputs=True)
        classes = (*self.game.classes, *vocabulary.declared())
        symbols = tuple(symbols_of(turns, known))
        game = replace(self.game, goal=aim.goal, classes=classes, symbols=symbols)
        return learned_by(self, game, levels, structure, aim, episodes, known)


def written(theory: Theory, spelling: Spelling, episodes: Sequence[Episode], name: str) -> Learned:
    """The theory as a game of ours that was learned; raises NotLearned where the importer refuses it."""
    boards = list(dict.fromkeys(board for one in episodes for board in one.boards()))
    if not all(map(spelling.knows, boards)):
        raise NotLearned("something stands on boards of which no turn was seen")
    stacks = {stack for board in boards for stack in board.cells}
    title = safe_name(name, frozenset()) or "learned"
    try:
        lower = Lowering(theory.game)
        pieces = Pieces(lower, spelling)
        settled = {pieces.form(*spelling.inside(token, (0, 0))) for token in sorted(set().union(*stacks))}
        types = [types_on(board, spelling) for board in boards]
        game = game_without_ends(lower, settled, types, spelling.room, title)
    except Refused as refused:
        raise NotLearned(f"a theory is no game of ours: {refused.message}", refused.remedy) from refused
    if any(pieces.tokens(pieces.stack(stack)) != stack for stack in stacks):
        raise NotLearned("two names would be one in the game of a theory")
    return Told(theory, replace(game, title=name), pieces).goal_anew(episodes)


def types_on(board: Board, spelling: Spelling) -> list[list[frozenset[str]]]:
    """The types in each cell, by rows."""
    cells = [frozenset(spelling.inside(token, (0, 0))[0].key for token in stack) for stack in board.cells]
    return [cells[at : at + board.width] for at in range(0, len(cells), board.width)]
