"""Turns in which chance draws, of many states at once: stages of machine code, and dice between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ggp.model import Group, Instance, Phase
from ggp.model.board import State
from ggp.referee.dice import Dice
from ggp.transition.drawing import Drawing
from ggp.transition.stages import Form, form_of, marked, stage
from ggp.transition.stepper import States, Stepper
from ggp.transition.whole_board import said_by_cells


def draws(phase: Phase) -> bool:
    """Does chance draw in this group?"""
    return isinstance(phase, Group) and phase.draw is not None


class DrawnStepper:
    """The turns of an instance in which chance draws; all else is as a `Stepper` has it."""

    def __init__(self, instance: Instance) -> None:
        instance = said_by_cells(instance)
        game, declared = instance.game, instance.game.input
        assert declared is not None
        self.declared, self.players = declared, len(game.players)
        form = form_of(instance)
        self.stages: list[Stepper | Drawing] = []
        self.first = self.between(instance, (), form)
        plain: list[Phase] = []
        for phase in (*game.turn, *game.physics):
            if isinstance(phase, Group) and phase.draw is not None:
                if plain or not self.stages:
                    self.stages.append(self.between(instance, tuple(plain), form))
                self.stages.append(Drawing(instance, phase, form))
                plain = []
            else:
                plain.append(phase)
        if plain:
            self.stages.append(self.between(instance, tuple(plain), form))
        self.judge = Stepper(stage(instance, goal=game.goal, input=None, players=("all",)), *form)
        self.may_win = bool(game.goal.terms) or self.players == 1
        self.markers, self.shown = marked(instance, self.first)
        planes = self.first.transition.planes
        varying = [planes[plane].kind for plane in self.first.varying]
        self.again = [place for place, kind in enumerate(varying) if kind == declared.again]
        self.actions = self.first.actions
        self.words, self.boards = self.first.words, len(self.first.varying)
        self.rows = self.boards + (self.players > 1)
        self.judged = self.judge.judged

    def between(self, instance: Instance, phases: tuple[Phase, ...], form: Form) -> Stepper:
        """The groups between two draws; the first of them have the hand put on the board."""
        later = bool(self.stages)
        input = replace(self.declared, stuck="draws", again=None)
        return Stepper(stage(instance, turn=phases, input=input), *form, in_hand=later, waits=True)

    def pack(self, state: State) -> States:
        """A state of the referee, as one of a single state."""
        return self.first.pack(state)

    def unpack(self, states: States, index: int = 0) -> State:
        """One of the states, for the referee."""
        return self.first.unpack(states, index)

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What stands where, as zeros and ones: (states, pieces, rows, columns), without markers."""
        made: NDArray[np.uint8] = self.first.planes(states)[:, self.shown]
        return made

    def advance(
        self, states: States, actions: NDArray[np.int64], dice: Sequence[Dice] | None
    ) -> NDArray[np.uint8]:
        """Make a turn in each state, with dice of its own; an action below zero is no turn.

        Without dice chance says nothing, and no state changes: what is told is only whether it is a turn.
        """
        from ggp.transition.native.lanes import CHANGED, LOST, WON

        told = np.zeros(actions.size, np.uint8)
        who = np.flatnonzero(actions >= 0)
        before = np.ascontiguousarray(states[:, :, who])
        own = None if dice is None else [dice[state] for state in who.tolist()]
        after, asked, faulty = self.staged(before.copy(), actions[who], own)
        moved = (after[: self.boards] != before[: self.boards]).any(axis=(0, 1))
        good = ~faulty & (moved | asked | self.declared.wait)
        if dice is None:
            told[who] = np.where(good, CHANGED, 0)
            return told
        came = np.where(good, self.judge.tried(after[: self.boards])[:, 0], 0)
        told[who] = np.where(good, CHANGED, 0) | (came & (LOST | (WON if self.may_win else 0)))
        states[:, :, who[good]] = after[:, :, good]
        if self.players > 1 and self.declared.stuck == "passes":
            self.pass_over(states, who[good])
        return told

    def staged(
        self, states: States, actions: NDArray[np.int64], dice: Sequence[Dice] | None
    ) -> tuple[States, NDArray[np.bool_], NDArray[np.bool_]]:
        """The states after all stages, in which of them chance was asked, and in which rules collided."""
        from ggp.transition.native.lanes import ILL_FORMED

        movers = self.movers(states)
        asked, faulty = (np.zeros(actions.size, np.bool_) for _ in range(2))
        said = [len(one.said) for one in dice or ()]
        for one in self.stages:
            if isinstance(one, Stepper):
                faulty |= (one.advance(states, actions) & ILL_FORMED) != 0
                if self.players > 1:
                    states[-1, 0] = movers
            elif dice is None:
                asked |= one.draw(states[: self.boards], movers, actions, None)
            else:
                faulty |= one.draw(states[: self.boards], movers, actions, dice)
        if dice is not None:
            asked = np.array([len(one.said) for one in dice], np.int64) > said
        if self.players > 1:
            again = (states[self.again] != 0).any(axis=(0, 1))
            states[-1, 0] = np.where(again, movers, (movers + 1) % self.players)
        states[self.markers] = 0
        return states, asked, faulty

    def movers(self, states: States) -> NDArray[np.int64]:
        """The number of the player whose turn it is in each state."""
        return self.first.movers(states)

    def legal(self, states: States) -> NDArray[np.bool_]:
        """Which actions are turns in each state, whatever chance says: (states, actions)."""
        from ggp.transition.native.lanes import CHANGED

        count, each = states.shape[2], np.arange(len(self.actions))
        many = np.repeat(states, each.size, axis=2)
        told = self.advance(many, np.tile(each, count), None)
        found: NDArray[np.bool_] = ((told & CHANGED) != 0).reshape(count, each.size)
        return found

    def pass_over(self, states: States, who: NDArray[np.int64]) -> None:
        """Let those pass who have no legal action; where nobody has one, the turn stays where it is."""
        for _ in range(self.players):
            who = who[~self.legal(np.ascontiguousarray(states[:, :, who])).any(axis=1)]
            if not who.size:
                return
            states[-1, 0, who] = (states[-1, 0, who] + np.uint64(1)) % np.uint64(self.players)
