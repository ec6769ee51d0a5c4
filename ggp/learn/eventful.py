"""The learner of events, as the registry offers it: roll-outs of a described game in, that game's rules out.

It is given trajectories and the shell of the game, and looks at the shell only to write what it has learned
in the game's words, so that the two can be compared. What it learns from is boards of tokens alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ggp.learn.boards import Board, Episode, Step, Turn, turns_of
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.probe.challenges import Asked, challenges
from ggp.learn.seen.states import board_of_state, piece_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.merging import without_meetings
from ggp.learn.turn.turns import learn_ends
from ggp.learn.turn.ways import Ways
from ggp.learn.write.emit import with_program
from ggp.learn.write.meanwhile import speaking_of, standing_in, with_marks_meanwhile
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Game, Piece
from ggp.referee.trajectory import Trajectory

NAME = "events"


@dataclass(frozen=True)
class Model:
    """A learned game, and the program that its rules were written from."""

    game: Game
    program: Program | Passes
    examples: int
    ways: Ways = field(default_factory=Ways, compare=False)

    @cached_property
    def movers(self) -> tuple[Part, ...]:
        """What the rules are about."""
        return self.program.parts


def available() -> str | None:
    """None: it needs nothing but numpy, which comes with the package."""
    return None


def learn(shell: Game, seen: Sequence[Trajectory], seed: int = 0) -> Model:
    """Learn the rules of a game; raises PuzzleError where no rules explain what was seen."""
    return learned_in(Ways(), shell, seen)


def learn_more(shell: Game, seen: Sequence[Trajectory], model: Model, seed: int = 0) -> Model:
    """The same, where a model was learned from fewer of these: in the same way, or as a small program."""
    return learned_in(replace(model.ways, hasty=model.ways.last is not None), shell, seen)


def learned_in(ways: Ways, shell: Game, seen: Sequence[Trajectory]) -> Model:
    """What is learned, if it can be in the ways in which fewer turns were said."""
    turns = list(dict.fromkeys(turns_of(map(episode_of, seen))))
    program = learn_ends(turns, structure_of(turns), ways)
    return Model(with_rules(shell, program, turns), program, program.examples, ways)


def with_rules(shell: Game, program: Program | Passes, turns: Sequence[Turn]) -> Game:
    """The shell with the rules of a program that was learned from some turns of that game."""
    merges = {kind.name for kind in shell.kinds if kind.merge or kind.marker}
    program = without_meetings(program, turns, lambda token: piece_of(token).kind in merges)
    vocabulary = vocabulary_of(shell, [turn.before for turn in turns])
    marks = standing_in(shell, program, turns, vocabulary)
    shell = replace(shell, kinds=(*shell.kinds, *marks.values()))
    return with_marks_meanwhile(with_program(shell, program, speaking_of(marks, vocabulary)), marks)


def surprises(shell: Game, model: Model, seen: Sequence[Trajectory]) -> bool:
    """Is there anything in the trajectories that the model gets wrong?"""
    return any(model.program.wrong(turn) for turn in dict.fromkeys(turns_of(map(episode_of, seen))))


def questions(model: Model, seen: Sequence[Trajectory], seed: int = 0) -> list[Asked]:
    """Turns to play: such in which a rule was seen to act, with one cell around it otherwise."""
    return challenges(model.program, list(dict.fromkeys(turns_of(map(episode_of, seen)))), seed)


def episode_of(trajectory: Trajectory) -> Episode:
    """A trajectory as a learner sees it: tokens for pieces, words for inputs."""
    boards = [board_of_state(state, trajectory.height, trajectory.width) for state in trajectory.states]
    words = [None if action is None else str(action) for action in trajectory.inputs]
    return Episode(boards[0], tuple(Step(*pair) for pair in zip(words, boards[1:], strict=True)))


def vocabulary_of(shell: Game, boards: Sequence[Board]) -> Vocabulary:
    """The pieces of the game that tokens are the texts of."""
    tokens = {token for board in boards for stack in board.cells for token in stack}
    pieces = {token: piece_of(token) for token in tokens}
    for kind in shell.kinds:
        for facing in kind.facings or ("",):
            piece = Piece(kind.name, facing or None)
            pieces[str(piece)] = piece
    taken = frozenset(kind.name for kind in shell.kinds) | {one.name for one in shell.classes}
    return Vocabulary(pieces, shell.input.pick if shell.input is not None else None, {}, taken)
