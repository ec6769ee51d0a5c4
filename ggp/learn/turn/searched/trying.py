"""What outcomes and rules are worth in passes that there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from ggp.learn.fit.toil import room, spend
from ggp.learn.turn.searched.calls import Callers, callers_in, calling, with_calls
from ggp.learn.turn.searched.conditions import conditions
from ggp.learn.turn.searched.effects import Outcomes
from ggp.learn.turn.searched.field import Field, Numbers
from ggp.learn.turn.searched.nodes import Hope, Node, Trial, size_of
from ggp.learn.turn.searched.playing import Asked, Player
from ggp.learn.turn.searched.rules import Rule, Steps
from ggp.learn.turn.searched.steps import Draft, placed, places
from ggp.learn.turn.searched.told import Told
from ggp.learn.turn.searched.worth import Places, all_tried, drawn_out, tried

COSTS = 2.0, 0.4  # one after another, what a unit of size is worth, in turns that are wrong
WRONG = 0.5  # what each place that is otherwise is worth, in turns that are wrong
MOST_RIGHT = 400  # turns that are right so far, of which is seen what a rule harms
MOST_READ = 40  # outcomes at places of which conditions are read
DRAFTS = 8  # rules that are played
TWICE = 0.1  # for each turn in which one thing comes twice to a cell
SAID = 0.6  # what a unit of a test is worth while it is looked for, of what it is worth at last
LEAST = 1.2  # units of size that a rule must be worth where it is read from


class Trying:
    """Passes that are played on some turns, and rules that are tried in them."""

    def __init__(self, told: Told) -> None:
        self.told, structure = told, told.structure
        self.player = Player(told)
        self.rng = np.random.default_rng(0)
        self.cost = COSTS[-1]
        self.best: Steps = ()
        self.at_first, self.patient = room(), False
        self.halves: tuple[Node, dict[tuple[int, bool, bool], Asked], Numbers] | None = None
        self.actors = sorted({structure.name(token) for token in told.changed})
        self.outcomes = Outcomes(self.player, self.actors)
        self.afar = False  # are what stands anywhere, and what rules did, asked for?
        self.heard: tuple[Node, Callers] | None = None

    def not_said(self, steps: Steps) -> Numbers:
        """The numbers of the turns that passes do not say."""
        return np.flatnonzero(self.told.wrongness(self.player.run(steps, self.told.before)).places)

    def node(self, steps: Steps, start: int = 0, stages: Sequence[Field] = ()) -> Node:
        """Passes, played from the first one that is new."""
        self.spend_on(len(steps) - start)
        return self.played(steps, start, stages)

    def spend_on(self, passes: int) -> None:
        """Count the work that it is to play so many passes."""
        spend(100 + passes * self.told.before.size / 150)

    def played(self, steps: Steps, start: int, stages: Sequence[Field]) -> Node:
        """The same, of which the work is counted."""
        boards = [*stages[: start + 1]] or [self.told.before]
        for step in steps[start:]:
            boards.append(self.player.step(step, boards[-1]).board)
        return self.priced(Node(0.0, steps, tuple(boards), self.told.wrongness(boards[-1]).places))

    def trial(self, node: Node, steps: Steps, start: int) -> Trial:
        """How bad other passes are, which begin as some: they are played as far as boards are otherwise."""
        self.spend_on(len(steps) - start)
        later = min(start + 1 + len(node.steps) - len(steps), len(node.steps))
        turns, places, often, idle = self.player.compared(
            steps[start:],
            node.stages[start],
            node.stages[later],
            node.stages[-1],
            node.wrong,
            often_in(node.stages[later + 1 :], len(node.wrong)),
        )
        often += int(often_in(node.stages[: start + 1], len(node.wrong)).sum())
        return Trial(self.loss(turns, places, often, steps), node, steps, start, idle)

    def loss(self, turns: int, places: int, often: int, steps: Steps) -> float:
        """How bad passes are: how many turns are wrong, how wrong these are, and how long it is.

        And how often one thing comes twice to a cell: some games break off there.
        """
        return turns + WRONG * places + TWICE * often + self.cost * size_of(steps)

    def chosen(self, trials: Iterable[Trial], most: float) -> Node | None:
        """The best of some passes; None where none are better than so bad."""
        best = min(trials, key=lambda one: round(one.loss, 6), default=None)
        if best is None or best.loss >= most - 1e-6:
            return None
        return self.played(best.steps, best.start, best.of.stages)

    def priced(self, node: Node) -> Node:
        """The passes, and how bad they are."""
        often = int(often_in(node.stages, len(node.wrong)).sum())
        loss = self.loss(int(np.count_nonzero(node.wrong)), int(node.wrong.sum()), often, node.steps)
        return node._replace(loss=loss)

    def lacking(self, node: Node) -> list[Rule]:
        """The outcomes that are lacking most often."""
        rows = self.rng.permutation(np.nonzero(node.wrong > 0)[0]).tolist()
        loops = any(step.loop for step in node.steps)
        return self.outcomes.lacking(node.stages[-1], rows, loops)

    def hopes(self, node: Node, outcomes: Sequence[Rule]) -> list[Hope]:
        """What some outcomes can be worth at each place, the most promising first."""
        found = [
            one for k, within in places(node.steps) for one in self.hope(node, outcomes, k, within=within)
        ]
        return sorted(found, key=lambda one: -one.most)

    def hope(self, node: Node, outcomes: Sequence[Rule], k: int, *, within: bool) -> Iterator[Hope]:
        """What some outcomes can be worth at a place."""
        asked = self.asked(node, k, right=False, within=within)
        found = all_tried(self.player, outcomes, asked, self.rng, within=within)
        for rule, one in zip(outcomes, found, strict=True):
            if one is not None and (one.worth > 0).any():
                yield Hope(float(one.worth[one.worth > 0].sum()), Draft(0.0, rule, k, within), one)

    def asked(self, node: Node, k: int, *, right: bool, within: bool = False) -> Asked:
        """The turns that are right so far, or those that are wrong, before a pass.

        Within a loop all boards are looked at on which its rules are asked.
        """
        if self.halves is None or self.halves[0] is not node:
            self.halves = node, {}, self.told.wrongness(node.stages[-1]).astray
        _, known, astray = self.halves
        on_the_way = within and node.steps[k].loop
        if (k, right, on_the_way) not in known:
            turns = np.nonzero((node.wrong == 0) == right)[0]
            if len(turns) > MOST_RIGHT and right:
                turns = np.sort(self.rng.choice(turns, MOST_RIGHT, replace=False))
            board = node.stages[k].take(turns)
            if self.afar:
                signed = self.player.signed(board, self.told.signs)
                board = with_calls(self.player, self.callers(node), k, signed, turns)
            if on_the_way:
                rows, boards = zip(*self.player.on_the_way(node.steps[k], board), strict=True)
                turns, board = turns[np.concatenate(rows)], Field.joined(boards)
                order = np.argsort(board.heard, kind="stable")
                turns, board = turns[order], board.take(order)
            known[k, right, on_the_way] = Asked(
                turns, board, node.steps[k:], node.wrong[turns], astray[turns]
            )
        return known[k, right, on_the_way]

    def callers(self, node: Node) -> Callers:
        """Who may call, if that is asked for."""
        if not self.afar:
            return {}
        if self.heard is None or self.heard[0] is not node:
            self.heard = node, callers_in(self.player, node)
        return self.heard[1]

    def drafts(self, node: Node, hopes: Iterable[Hope], most: int = MOST_READ) -> list[Draft]:
        """The most promising rules, read from so many outcomes at most."""
        found: list[Draft] = []
        for hope in islice(hopes, most):
            if len(found) >= DRAFTS and hope.most < found[DRAFTS - 1].worth:
                break
            if hope.most < self.cost * hope.draft.rule.cost and not goes_far(hope.places):
                continue  # not worth its words
            found = sorted((*found, *self.read(node, hope)), key=lambda one: -one.worth)[:DRAFTS]
        return found

    def read(self, node: Node, hope: Hope) -> Iterator[Draft]:
        """Rules with an outcome, their conditions read from where it helps and harms, in a loop as well."""
        _, rule, k, within = hope.draft
        asked = self.asked(node, k, right=True, within=within)
        harm = tried(self.player, rule, asked, self.rng, within=within)
        harms = [harm] if harm is not None else []
        told = [[hope.places, *harms]]
        if not within and goes_far(hope.places):
            told.append([*drawn_out(self.player, rule, self.asked(node, k, right=False), self.rng), *harms])
        for some in told:
            for said in conditions(self.player, rule, some, self.cost * SAID, 2):
                if said.worth > self.cost * LEAST:
                    yield Draft(said.worth, rule._replace(tests=(*rule.tests, *said.tests)), k, within)

    def with_one(self, node: Node, drafts: Iterable[Draft]) -> Iterator[Trial]:
        """The passes with one of some rules, wherever it may be put."""
        for draft in drafts:
            for steps, first in placed(node.steps, draft):
                yield self.trial(node, *calling(self.callers(node), steps, first, draft.rule))


def often_in(stages: Sequence[Field], turns: int) -> Numbers:
    """How often one thing came twice to a cell in each turn."""
    found = np.zeros(turns, np.int64)
    for stage in stages:
        found += stage.twice
    return found


def goes_far(places: Places) -> bool:
    """Does something come nearer to where it should be, and not there?"""
    return bool(((places.worth > 0) & (places.worth < WRONG)).any())
