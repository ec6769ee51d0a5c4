"""Rules in scan order written down: the game of ours that they are, with goal and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.language.description.scan import goal_of
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.goal.aims import aim_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.starts import levels_of
from ggp.learn.whole import Learned, safe_name, symbols_of
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import DIRECTIONS, Game, Goal, Input, Kind, Objective, Piece
from ggp.model.scan import Crowd, Scan, ScanGoal
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.questions import questions
from ggp.watch.theory.puzzlescript.rules import Theory
from ggp.watch.theory.puzzlescript.scenes import Scene, parts_of
from ggp.watch.theory.puzzlescript.things import Endless, Things
from ggp.watch.theory.told import learned_by

UNSAID = "what was found of winning is said by no win condition of PuzzleScript's"


class Told:
    """Rules as whoever tries them asks them: what stands there after a turn."""

    def __init__(self, theory: Theory, things: Things, naming: Naming, name: str) -> None:
        self.theory, self.things, self.naming, self.name = theory, things, naming, name
        self.written, self.translated = naming.written, naming.translated

    def __str__(self) -> str:
        return str(self.theory)

    def word(self, word: str | None) -> str | None:
        """An input as the game has it."""
        return word

    def after(self, board: Board, word: str | None) -> Board | None:
        """The board after a turn; None where something is there that was never seen."""
        known = self.written(board)
        if known is None:
            return None
        scene = Scene(Turn(known, word, known), self.things)
        try:
            said = scene.said(parts_of(self.theory, scene.table))
        except Endless:
            return None
        return self.translated(scene.table.board(said.after))

    def wrong(self, turn: Turn) -> bool:
        """Does it say something else of a turn?"""
        return self.after(turn.before, turn.word) != turn.after

    @property
    def alike(self) -> bool:
        """Is each token a piece of the same name?"""
        return True

    def questions(self, episodes: Sequence[Episode]) -> list[tuple[Board, str | None]]:
        """Turns that would tell it from others that say all these runs."""
        turns = list(dict.fromkeys(turns_of(map(self.naming.episode, episodes))))
        asked = questions(self.theory, self.things, turns)
        return [(self.translated(board), word) for board, word in asked]

    def goal_anew(self, episodes: Sequence[Episode]) -> Learned:
        """The game with the goal that the flags of some runs tell, and its levels."""
        shown = list(map(self.naming.episode, episodes))
        turns = list(turns_of(shown))
        structure = structure_of(turns, [one.start for one in shown], names=False)
        known = {name: Piece(name) for name in self.things.tokens}
        spoken = {name for rule in self.theory.rules for name in rule.names}
        groups = {name: some for some, name in self.things.classes.items() if name in spoken}
        called = {tuple(sorted(some)): name for name, some in groups.items()}
        vocabulary = Vocabulary(known, classes=called, taken=frozenset(known))
        aim = aim_of(shown, structure, vocabulary)
        aim = replace(aim, goal=replace(aim.goal, when="any-turn"))  # whatever runs of one turn look like
        kinds = tuple(
            Kind(name, layer)
            for layer, members in zip(self.things.layer_names, self.things.layers, strict=True)
            for name in members
        )
        # For the goal boards were made with things on each other that bar each other, for all that is known.
        standing = [one for one in shown if all(map(self.things.hold, one.boards()))]
        classes = vocabulary.declared()  # those that rules speak of, and what the goal needs beside them
        by_name = {kind.name: kind for kind in kinds}, {one.name: one for one in classes}
        wins = [goal_of(term, *by_name) for term in aim.goal.terms]
        if aim.goal.lose or None in wins:
            aim, wins = replace(aim, goal=Goal(()), speaks_of=(), doubt=UNSAID), []
        game = Game(
            safe_name(self.name, frozenset()) or "learned",
            self.name,
            kinds,
            aim.goal,
            classes,
            input=inputs_of(turns),
            objectives=(Objective("turns", "turns"),),
            symbols=tuple(symbols_of(list(turns_of(standing)), known)),
            scan=self.scan([one for one in wins if one is not None]),
        )
        levels = levels_of(standing, known, aim, None, structure, takes_inputs=True)
        pieces = {token: Piece(name) for token, name in self.naming.names.items()}
        return learned_by(self, game, levels, structure, aim, episodes, pieces)

    def scan(self, goals: Sequence[ScanGoal]) -> Scan:
        """The rules, and what wins."""
        return Scan(
            self.things.layer_names,
            Crowd(self.things.player),
            self.things.stage(self.theory.early),
            self.things.stage(self.theory.late),
            tuple(goals),
            must_move=self.theory.must_move,
            said="".join(f"{rule}\n" for rule in self.theory.rules),
        )


def inputs_of(turns: Sequence[Turn]) -> Input:
    """What may be pressed: what was. A turn in which nothing happens may win, too."""
    words = {turn.word for turn in turns}
    return Input(tuple(d for d in DIRECTIONS if d in words), ("action",) if "action" in words else ())


def written(
    theory: Theory, things: Things, naming: Naming, episodes: Sequence[Episode], name: str
) -> Learned:
    """The rules as a game of ours that was learned."""
    return Told(theory, things, naming, name).goal_anew(episodes)
