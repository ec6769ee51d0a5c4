"""Groups in which chance draws, as machine code: what may fire in each state, and what comes of what does.

What chance may choose from, in which order and with which words, is as the referee has it
(`ggp.referee.laying.draw_pass`): the same dice say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Group, Instance
from ggp.referee.dice import Dice, Weight
from ggp.transition.compiler import Compiler
from ggp.transition.kernel import Fired, apply, matches, removes_subject, union
from ggp.transition.program import CompiledRule, input_words
from ggp.transition.stages import Form, stage
from ggp.transition.stepper import States, Stepper, machine_of
from ggp.transition.tracing import Straight, Tracing, Wire, straight


class Able(NamedTuple):
    """A compiled rule for subjects of one plane (None: the cell itself)."""

    rule: CompiledRule
    subject: int | None


class Words(Sequence[str]):
    """The words of some firings, each put together when it is asked for."""

    def __init__(self, drawing: Drawing, some: list[tuple[int, int]]) -> None:
        self.drawing, self.some = drawing, some

    def __len__(self) -> int:
        return len(self.some)

    def __getitem__(self, place: Any) -> Any:
        word = self.drawing.word(*self.some[place])
        if self.drawing.alone:
            return word
        before = sum(self.drawing.word(*one) == word for one in self.some[:place])
        return word if not before else f"{word}#{before + 1}"


class Drawing:
    """A group in which chance draws. States are in the form of the stages of the instance."""

    def __init__(self, instance: Instance, group: Group, form: Form) -> None:
        bare = stage(instance, players=("all",))
        self.stepper = Stepper(bare, *form)
        self.transition, self.group = self.stepper.transition, group
        compiler = Compiler(bare, self.transition.planes)
        self.step = compiler.group(group.__class__(group.name, group.rules, place=group.place), looping=False)
        able = [Able(rule, subject) for subject, rules in self.step.subjects for rule in rules]
        self.able = sorted(able, key=self.rank)  # Python's sort keeps the order of the rules of one subject
        told = {(one.rule.name, one.rule.direction) for one in self.able}
        self.alone = len(told) == len(self.able)  # no two firings have one word
        self.on_pieces = sum(one.subject is not None for one in self.able)
        weights = dict(zip((rule.name for rule in group.rules), group.weights, strict=False))
        self.weights: list[Weight] = [weights.get(one.rule.name, 1) for one in self.able]
        sorts: dict[frozenset[str], int] = {}
        names = instance.game.players
        self.sort_of = np.array(
            [
                [sorts.setdefault(input_words(one, names, who), len(sorts)) for one in self.stepper.actions]
                for who in range(len(names))
            ],
            np.int64,
        )
        rows = [(number, -1) for number in range(len(sorts))]
        finding = [self.finding(words) for words in sorts]
        self.found = machine_of(finding, rows, self.stepper.words, waits=True, players=1)
        self.made = machine_of([self.making()], [(0, -1)], self.stepper.words, waits=True, players=1)
        height, width, stride = self.transition.height, self.transition.width, self.stepper.bits.stride
        self.bits = np.array([row * stride + column for row in range(height) for column in range(width)])

    def rank(self, one: Able) -> tuple[bool, str]:
        """Pieces come before cells, in the order of their names."""
        if one.subject is None:
            return True, ""
        return False, str(self.transition.planes[one.subject])

    def word(self, cell: int, number: int) -> str:
        """What the referee calls this firing."""
        rule, (row, column) = self.able[number].rule, divmod(cell, self.transition.width)
        turned = f",{rule.direction}" if rule.direction else ""
        return f"{rule.name}({row},{column}{turned})"

    # --- the machine code ---------------------------------------------------------------------------------

    def traced(self) -> tuple[Tracing, list[Wire], list[Any], list[Wire]]:
        """A trace, its boards that come in, all boards of the state, and one for each rule."""
        tracing = Tracing(self.transition, self.stepper.bits.stride - self.transition.width)
        boards: list[Any] = list(self.stepper.start)
        given = [tracing.trace.wire() for _ in self.stepper.varying]
        for plane, wire in zip(self.stepper.varying, given, strict=True):
            boards[plane] = wire
        return tracing, given, boards, [tracing.trace.wire() for _ in self.able]

    def finding(self, words: frozenset[str]) -> Straight:
        """The code that finds where each rule may fire with such an input."""
        tracing, given, boards, chosen = self.traced()
        found: list[Any] = []
        shared: dict[Any, Any] = {}
        for one in self.able:
            remaining = tracing.everywhere() if one.subject is None else boards[one.subject]
            fits = words.issuperset(one.rule.inputs)
            found.append(matches(tracing, one.rule, remaining, None, tuple(boards), shared) if fits else 0)
        return straight(tracing, [*given, *chosen], None, [*given, *found], (False, False, False))

    def making(self) -> Straight:
        """The code that makes what was chosen."""
        tracing, given, boards, chosen = self.traced()
        fired = [Fired(one.rule, one.subject, where) for one, where in zip(self.able, chosen, strict=True)]
        stays: dict[int, Any] = {}
        for subject in {one.subject for one in self.able} - {None}:
            own = [
                one.where for one in fired if one.subject == subject and removes_subject(one.rule, subject)
            ]
            assert subject is not None
            stays[subject] = boards[subject] & ~union(tracing, own)
        after = apply(tracing, self.step, tuple(boards), fired, stays) if fired else tuple(boards)
        results = [*(after[plane] for plane in self.stepper.varying), *chosen]
        return straight(tracing, [*given, *chosen], None, results, (False, False, False))

    # --- drawing -----------------------------------------------------------------------------------------

    def draw(
        self,
        states: States,
        movers: NDArray[np.int64],
        actions: NDArray[np.int64],
        dice: Sequence[Dice] | None,
    ) -> NDArray[np.bool_]:
        """Let chance draw in each state, with dice of its own; returns in which of them rules collide.

        Without dice nothing is drawn, and what is returned is in which states chance would be asked.
        """
        from ggp.transition.native.lanes import ILL_FORMED, turns

        count = states.shape[2]
        room = np.zeros((states.shape[0] + len(self.able), self.stepper.words, count), np.uint64)
        room[: states.shape[0]] = states
        sorts = self.sort_of[movers, actions]
        who = np.argsort(sorts, kind="stable")
        told = np.empty(count, np.uint8)
        turns(self.found, room, who, sorts[who], told, True)
        there = self.cells(room[states.shape[0] :])
        if dice is None:
            asked: NDArray[np.bool_] = np.asarray(there.any(axis=(1, 2)))
            return asked
        room[states.shape[0] :] = 0
        for state, some in self.able_in(there):
            for cell, number in self.drawn(some, dice[state]):
                bit = int(self.bits[cell])
                room[states.shape[0] + number, bit // 64, state] |= np.uint64(1 << (bit % 64))
        everyone = np.arange(count)
        turns(self.made, room, everyone, np.zeros(count, np.int64), told, True)
        states[:] = room[: states.shape[0]]
        return np.asarray((told & ILL_FORMED) != 0)

    def cells(self, boards: States) -> NDArray[np.bool_]:
        """Where each rule may fire, (states, cells, rules)."""
        octets = np.ascontiguousarray(boards.transpose(2, 0, 1)).view(np.uint8)
        flat = np.unpackbits(octets, axis=2, bitorder="little")[:, :, self.bits]
        found: NDArray[np.bool_] = flat.transpose(0, 2, 1).astype(np.bool_)
        return found

    def able_in(self, there: NDArray[np.bool_]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Each state in which something may fire, with the firings (cell, rule) in the referee's order."""
        split = self.on_pieces
        parts = [np.nonzero(there[:, :, :split]), np.nonzero(there[:, :, split:])]
        states, cells = (np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
        numbers = np.concatenate([parts[0][2], parts[1][2] + split])
        order = np.argsort(states, kind="stable")  # pieces stay before cells
        rows = zip(*(one[order].tolist() for one in (states, cells, numbers)), strict=True)
        for state, some in groupby(rows, key=itemgetter(0)):
            yield state, [(cell, number) for _, cell, number in some]

    def drawn(self, able: list[tuple[int, int]], dice: Dice) -> Iterator[tuple[int, int]]:
        """The firings that the dice choose."""
        for some in [able] if self.group.draw == "one" else self.by_subject(able):
            weights = [self.weights[number] for _, number in some]
            yield some[dice.one(Words(self, some), weights)]

    def by_subject(self, able: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """The firings of each subject by themselves."""
        return [list(some) for _, some in groupby(able, key=lambda one: (one[0], self.able[one[1]].subject))]
