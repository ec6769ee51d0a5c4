"""Turns in several stages, each of which is machine code of its own, as games are made for parts of a turn.

Between stages the markers stay: there they are kinds like others. All stages of an instance keep their states
in one form: the boards of everything that varies during a turn, markers included.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Condition, Effect, Game, Goal, Group, Instance, Pattern, Phase, Piece, Rule
from ggp.model.board import State
from ggp.transition.compiler import compile_instance
from ggp.transition.stepper import States, Stepper

ILL_FORMED = -1  # instead of a set of winners


def stage(instance: Instance, **changes: object) -> Instance:
    """A part of each turn as a game of its own, in which markers stay; nothing is laid, and nobody wins."""
    game = instance.game
    kinds = tuple(replace(kind, marker=False, merge=kind.merge or kind.marker) for kind in game.kinds)
    bare = replace(game, kinds=kinds, chance=(), turn=(), physics=(), goal=Goal(()))
    made: Game = replace(bare, **changes)  # type: ignore[arg-type]
    return Instance(made, instance.level)


def without_hand(instance: Instance) -> Group:
    """A group that takes the marker of a pick away."""
    assert instance.game.input is not None and instance.game.input.pick is not None
    hand = Pattern(instance.game.input.pick)
    rule = Rule("let-go", "none", (Condition("present", (), hand),), (Effect("remove", hand, ()),))
    return Group("let go", (rule,))


class Form(NamedTuple):
    """What the states of all stages of an instance have in common: what varies in them, and their margin."""

    loose: tuple[Piece, ...]
    margin: int


def form_of(instance: Instance) -> Form:
    """The form of the states of the stages of an instance."""
    undrawn = without_draws(instance)
    whole = compile_instance(undrawn)
    laid = {whole.number[scatter.piece] for scatter in instance.game.chance}
    return Form(tuple(whole.planes[plane] for plane in sorted(whole.dynamic | laid)), whole.radius[1])


def without_draws(instance: Instance) -> Instance:
    """The same groups, with nothing left to chance in them."""
    game = instance.game

    def plain(phase: Phase) -> Phase:
        return replace(phase, draw=None, weights=()) if isinstance(phase, Group) else phase

    turn, physics = (tuple(map(plain, phases)) for phases in (game.turn, game.physics))
    return Instance(replace(game, turn=turn, physics=physics, chance=()), instance.level)


def marked(instance: Instance, stepper: Stepper) -> tuple[list[int], list[int]]:
    """The places of the markers among the boards of a stage, and those of all others among its pieces."""
    markers = {kind.name for kind in instance.game.kinds if kind.marker}
    planes = stepper.transition.planes
    places = [place for place, plane in enumerate(stepper.varying) if planes[plane].kind in markers]
    return places, [place for place, piece in enumerate(stepper.pieces) if piece.kind not in markers]


class JointStepper:
    """Turns in which all players move at the same time, of thousands of states at once.

    First what each chose is declared, then physics runs, then markers vanish and each goal is judged; see
    `ggp.referee.semantics.joint_step`. States are as those of a `Stepper`, with a last board for whose input
    is declared.
    """

    def __init__(self, instance: Instance) -> None:
        game, declared = instance.game, instance.game.input
        assert declared is not None
        form = form_of(instance)
        hand = (without_hand(instance),) if declared.pick is not None else ()
        input = replace(declared, simultaneous=False, stuck="draws")
        self.declaring = Stepper(stage(instance, turn=(*game.turn, *hand), input=input), *form)
        alone = {"input": None, "players": ("all",)}
        self.resolving = Stepper(stage(instance, physics=game.physics, **alone), *form)
        own = [Stepper(stage(instance, goal=Goal(terms), **alone), *form) for terms in game.goal.own]
        self.judges = own if all(judge.judged for judge in own) else []
        self.players = len(game.players)
        self.markers, self.shown = marked(instance, self.declaring)

    def pack(self, state: State) -> States:
        """A state of the referee, as one of a single state."""
        return self.declaring.pack(state)

    def unpack(self, states: States, index: int = 0) -> State:
        """One of the states, for the referee."""
        return self.declaring.unpack(states, index)

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What stands where, as zeros and ones: (states, pieces, rows, columns), without markers."""
        made: NDArray[np.uint8] = self.declaring.planes(states)[:, self.shown]
        return made

    def legal(self, states: States) -> NDArray[np.bool_]:
        """What each player may choose in each state: (states, players, actions)."""
        found = []
        for player in range(self.players):
            states[-1, 0] = player
            found.append(self.declaring.legal(states))
        states[-1, 0] = 0
        return np.stack(found, axis=1)

    def advance(self, states: States, choices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Make a turn in each state with what all have chosen, (states, players), which must be legal.

        Returns who has won, a bit a player, or `ILL_FORMED`: then the state is of no more use.
        """
        from ggp.transition.native import lanes

        faulty = np.zeros(len(choices), np.bool_)
        for player in range(self.players):
            states[-1, 0] = player
            told = self.declaring.advance(states, np.ascontiguousarray(choices[:, player]))
            faulty |= (told & lanes.ILL_FORMED) != 0
        states[-1, 0] = 0
        boards, nothing = states[:-1], np.zeros(len(choices), np.int64)
        faulty |= (self.resolving.advance(boards, nothing) & lanes.ILL_FORMED) != 0
        states[self.markers] = 0
        won = np.zeros(len(choices), np.int64)
        for player, judge in enumerate(self.judges):
            won |= ((judge.tried(boards)[:, 0] & lanes.WON) != 0).astype(np.int64) << player
        won[faulty] = ILL_FORMED
        return won
