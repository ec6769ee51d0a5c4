"""Turns in several stages, each of which is machine code of its own, as games are made for parts of a turn.

Between stages the markers stay: there they are kinds like others. All stages of an instance keep their states
in one form: the boards of everything that varies during a turn, markers included.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ggp.model import Condition, Effect, Game, Goal, Group, Instance, Pattern, Piece, Rule
from ggp.model.board import State, variants
from ggp.transition.program import compile_instance
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


class JointStepper:
    """Turns in which all players move at the same time, of thousands of states at once.

    First what each chose is declared, then physics runs, then markers vanish and each goal is judged; see
    `ggp.referee.semantics.joint_step`. States are as those of a `Stepper`, with a last board for whose input
    is declared.
    """

    def __init__(self, instance: Instance) -> None:
        game, declared = instance.game, instance.game.input
        assert declared is not None
        whole = compile_instance(instance)
        loose = tuple(whole.planes[plane] for plane in sorted(whole.dynamic))
        form = loose, whole.radius[1]
        hand = (without_hand(instance),) if declared.pick is not None else ()
        input = replace(declared, simultaneous=False, stuck="draws")
        self.declaring = Stepper(stage(instance, turn=(*game.turn, *hand), input=input), *form)
        alone = {"input": None, "players": ("all",)}
        self.resolving = Stepper(stage(instance, physics=game.physics, **alone), *form)
        own = [Stepper(stage(instance, goal=Goal(terms), **alone), *form) for terms in game.goal.own]
        self.judges = own if all(judge.judged for judge in own) else []
        self.players = len(game.players)
        number = {plane: place for place, plane in enumerate(self.declaring.varying)}
        self.markers = [number[plane] for plane in whole.markers]
        seen = (kind for kind in game.kinds if not kind.marker)
        pieces = tuple(Piece(kind.name, one) for kind in seen for one in variants(instance, kind))
        self.shown = [self.declaring.pieces.index(piece) for piece in pieces]

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
