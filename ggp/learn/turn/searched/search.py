"""The search: what is lacking most is put in as a rule, with the conditions under which that helps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from ggp.learn.fit.toil import spend
from ggp.learn.turn.searched.conditions import conditions
from ggp.learn.turn.searched.effects import Outcomes
from ggp.learn.turn.searched.field import Field, Numbers
from ggp.learn.turn.searched.likewise import likewise
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule, Step, Steps
from ggp.learn.turn.searched.sending import Sending, sendings
from ggp.learn.turn.searched.steps import Draft, every_rule, placed, places, with_exception, with_rule, without
from ggp.learn.turn.searched.told import Told
from ggp.learn.turn.searched.worth import Asked, Places, all_tried, barred, drawn_out, tried

PASS = 1.0  # what each pass costs
COSTS = 2.0, 0.4  # one after another, what a unit of size is worth, in turns that are wrong
PRUNED = 1.0  # the same of rules that were found from other turns
CHEAP = 0.08  # the same where nothing else helps: what few turns tell may be wrong, which other turns show
NEARLY = 0.02  # of the turns, at most, may be left for guesses
WRONG = 0.5  # what each place that is otherwise is worth, in turns that are wrong
SCHEMAS = 24  # outcomes that are looked at
MOST_RIGHT = 400  # turns that are right so far, of which is seen what a rule harms
AKIN = 8  # outcomes that a rule may have instead of its own
LIKE = 6  # rules like others that are played
SENDINGS = 3  # ways in which something may be sent that are looked at
SLACK = 2.0  # how much worse it may be than a rule for a few of the lengths that were seen
FEWEST = 3  # turns in which that must be lacking
MOST_READ = 40  # outcomes at places of which conditions are read
DRAFTS = 8  # rules that are played
SAID = 0.6  # what a unit of a test is worth while it is looked for, of what it is worth at last
LEAST = 1.2  # units of size that a rule must be worth where it is read from


class Node(NamedTuple):
    """Passes, what they leave wrong, and the boards between them."""

    loss: float
    steps: Steps
    stages: tuple[Field, ...]
    wrong: Numbers

    @property
    def right(self) -> bool:
        """Is nothing left wrong?"""
        return not self.wrong.any()


class Hope(NamedTuple):
    """An outcome at a place, and the most that it can be worth: only turns that are wrong can be better."""

    most: float
    draft: Draft
    places: Places


class Search:
    """Looks for passes that say some turns."""

    def __init__(self, told: Told) -> None:
        self.told, structure = told, told.structure
        self.player = Player(told)
        self.rng = np.random.default_rng(0)
        self.cost = COSTS[-1]
        self.best: Steps = ()
        self.halves: tuple[Node, dict[tuple[int, bool, bool], Asked], Numbers] | None = None
        self.actors = sorted({structure.name(self.told.tokens[plane]) for plane in self.told.changing})
        self.outcomes = Outcomes(self.player, self.actors)

    def left(self, steps: Steps) -> Numbers:
        """The numbers of the turns that passes do not say."""
        return np.flatnonzero(self.told.wrongness(self.player.run(steps, self.told.before)))

    def node(self, steps: Steps, start: int = 0, stages: Sequence[Field] = ()) -> Node:
        """Passes, played from the first one that is new."""
        boards = [*stages[: start + 1]] or [self.told.before]
        spend(300 + (len(steps) - len(boards) + 1) * self.told.before.cells / 50)
        for step in steps[len(boards) - 1 :]:
            boards.append(self.player.step(step, boards[-1]))
        wrong = self.told.wrongness(boards[-1])
        return Node(self.loss(steps, wrong), steps, tuple(boards), wrong)

    def loss(self, steps: Steps, wrong: Numbers) -> float:
        """How bad passes are: which turns are wrong, how wrong they are, and how long it takes to say it."""
        size = sum(rule.cost for step in steps for rule in step.rules) + PASS * len(steps)
        return float((wrong > 0).sum() + WRONG * wrong.sum()) + self.cost * size

    def run(self, steps: Steps = (), *, others: bool = False, surely: bool = False) -> Node:
        """The best passes that are found from some others; raises NotLearned where the work is at its end.

        What was found from other turns (`others`) may lead nowhere; then it is begun anew. `surely`: without
        rules for a few turns alone, which are guesses.
        """
        self.best = steps
        best = self.node(steps)
        if steps:
            best = self.climbed(self.well_founded(best) if others else best)
        else:
            best = self.cooled(best)
        if others and steps and not best.right:
            best = min(best, self.cooled(self.node(())), key=lambda one: one.loss)
        if not best.right and (not surely or len(best.wrong.nonzero()[0]) <= NEARLY * len(best.wrong)):
            self.cost = CHEAP
            best = self.climbed(best._replace(loss=self.loss(best.steps, best.wrong)))
        best = self.shorter(best)
        self.best = best.steps
        return best

    def cooled(self, best: Node) -> Node:
        """The best passes that are found from some others, at first with rules that much speaks for.

        What few turns speak for may be guessed wrongly as long as little is known, and stands in the way then.
        """
        for cost in COSTS:
            self.cost = cost
            best = self.climbed(best._replace(loss=self.loss(best.steps, best.wrong)))
        return best

    def climbed(self, best: Node) -> Node:
        """The passes with better rules, one after another, as long as there is one."""
        least = self.loss(self.best, self.node(self.best).wrong)
        while not best.right:
            better = self.least(self.improved(best), self.excepted(best))
            better = self.sent(best, better) or better or self.moved(best) or self.recast(best)
            if better is None:
                break
            best = self.shorter(better)
            best = self.anew(best) or best
            if best.loss < least:
                least, self.best = best.loss, best.steps
        return best

    # --- a rule more

    def improved(self, node: Node) -> Node | None:
        """The passes with one rule more, the best that is found; None where none is better."""
        drafts = self.drafts(node, self.hopes(node, self.lacking(node)[: SCHEMAS if self.cost > CHEAP else 3 * SCHEMAS]))
        return self.best_of(node, (*drafts, *self.like_others(node)))

    def like_others(self, node: Node) -> list[Draft]:
        """Rules like those that there are, where they make turns better that are wrong."""
        known = {rule for step in node.steps for rule in step.rules}
        more = (other for rule in known for other in likewise(rule, self.actors))
        hopes = self.hopes(node, sorted(set(more) - known, key=repr))
        return [one.draft for one in hopes[:LIKE] if one.most >= 1]

    def lacking(self, node: Node) -> list[Rule]:
        """The outcomes that are lacking most often."""
        rows = self.rng.permutation(np.nonzero(node.wrong > 0)[0]).tolist()
        return self.outcomes.lacking(node.stages[-1], rows)

    def hopes(self, node: Node, outcomes: Sequence[Rule]) -> list[Hope]:
        """What some outcomes can be worth at each place, the most promising first."""
        found = [one for k, within in places(node.steps) for one in self.hope(node, outcomes, k, within=within)]
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
            self.halves = node, {}, self.told.astray(node.stages[-1])
        _, known, astray = self.halves
        on_the_way = within and node.steps[k].loop
        if (k, right, on_the_way) not in known:
            turns = np.nonzero((node.wrong == 0) == right)[0]
            if len(turns) > MOST_RIGHT and right:
                turns = np.sort(self.rng.choice(turns, MOST_RIGHT, replace=False))
            board = node.stages[k].take(turns)
            if on_the_way:
                rows, boards = zip(*self.player.on_the_way(node.steps[k], board), strict=True)
                turns, board = turns[np.concatenate(rows)], Field.joined(boards)
                order = np.argsort(board.heard, kind="stable")
                turns, board = turns[order], board.take(order)
            known[k, right, on_the_way] = Asked(
                turns, board, node.steps[k:], node.wrong[turns], astray[turns]
            )
        return known[k, right, on_the_way]

    def drafts(self, node: Node, hopes: Iterable[Hope]) -> list[Draft]:
        """The most promising rules."""
        found: list[Draft] = []
        for hope in islice(hopes, MOST_READ):
            if len(found) >= DRAFTS and hope.most < found[DRAFTS - 1].worth:
                break
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

    def best_of(self, node: Node, drafts: Iterable[Draft]) -> Node | None:
        """The best passes with one of these rules, wherever it may be put; None where none is better."""
        best: Node | None = None
        for draft in drafts:
            for steps, first in placed(node.steps, draft):
                trial = self.node(steps, first, node.stages)
                if trial.loss < (best or node).loss - 1e-6:
                    best = trial
        return best

    # --- what is sent, and goes on by itself

    def sent(self, node: Node, other: Node | None) -> Node | None:
        """The passes with a mark that somebody leaves on what then goes on as far as it can.

        None where that is worse than some others, or hardly anything went far.
        """
        rows = np.nonzero(node.wrong > 0)[0].tolist()
        found = sendings(self.player, node.stages[-1], rows, self.actors)
        likely = [one for one in found[:SENDINGS] if one.often >= FEWEST]
        nodes = [
            one
            for sending in likely
            for k in range(len(node.steps) + 1)
            for one in self.sent_before(node, sending, k)
        ]
        best = min(nodes, key=lambda one: one.loss, default=None)
        most = min(node.loss, other.loss + SLACK) if other is not None else node.loss
        return best if best is not None and best.loss < most - 1e-6 else None

    def sent_before(self, node: Node, sending: Sending, k: int) -> Iterator[Node]:
        """Passes in which something is sent before one of them."""
        marked = self.node((*node.steps[:k], Step((sending.first,)), *node.steps[k:]), k, node.stages)
        wrong, right = (self.asked(marked, k + 1, right=right) for right in (False, True))
        places = drawn_out(self.player, sending.then, wrong, self.rng)
        if not any((one.worth > 0).any() for one in places):
            return
        harm = tried(self.player, sending.then, right, self.rng, within=False)
        told = [*places, *([harm] if harm is not None else [])]
        for said in conditions(self.player, sending.then, told, self.cost * SAID, 2):
            goes_on = Step((sending.then._replace(tests=said.tests),), loop=True)
            less = self.node((*node.steps[:k], goes_on, *node.steps[k:]), k, node.stages)
            found = self.best_of(less, self.drafts(less, self.hope(less, [sending.first], k, within=False)))
            if found is not None:
                yield found

    # --- rules otherwise

    @staticmethod
    def least(*nodes: Node | None) -> Node | None:
        """The best of some passes."""
        return min((one for one in nodes if one is not None), key=lambda one: one.loss, default=None)

    def excepted(self, node: Node) -> Node | None:
        """The passes in which a rule is not followed under some conditions; None where that is no better."""
        best: Node | None = None
        for k, place in every_rule(node.steps):
            rule = node.steps[k].rules[place]
            help_ = barred(self.player, rule, self.asked(node, k, right=False, within=True), self.rng)
            if help_ is None or float(help_.worth[help_.worth > 0].sum()) < 1:
                continue
            harm = barred(self.player, rule, self.asked(node, k, right=True, within=True), self.rng)
            told = [help_, *([harm] if harm is not None else [])]
            for said in conditions(self.player, rule, told, self.cost * SAID, 2):
                for steps in with_exception(node.steps, k, place, said.tests):
                    trial = self.node(steps, k, node.stages)
                    if trial.loss < (best or node).loss - 1e-6:
                        best = trial
        return best

    def anew(self, node: Node) -> Node | None:
        """The passes with the conditions of one of their rules read anew; None where that is no better."""
        best: Node | None = None
        for k, place in every_rule(node.steps):
            steps = without(node.steps, k, place)
            less = self.node(steps, k, node.stages)
            bare = node.steps[k].rules[place]._replace(tests=())
            hope = self.hope(less, [bare], k, within=len(steps) == len(node.steps))
            found = self.best_of(less, self.drafts(less, hope))
            if found is not None and found.loss < (best or node).loss - 1e-6:
                best = found
        return best

    def moved(self, node: Node) -> Node | None:
        """The passes with one of their rules elsewhere; None where that is no better."""
        best: Node | None = None
        for k, place in every_rule(node.steps):
            rule = node.steps[k].rules[place]
            less = self.node(without(node.steps, k, place), k, node.stages)
            drafts = (Draft(0.0, rule, at, within) for at, within in places(less.steps))
            found = self.best_of(less, drafts)
            if found is not None and found.loss < (best or node).loss - 1e-6:
                best = found
        return best

    def recast(self, node: Node) -> Node | None:
        """The passes in which a rule does more, less, or part of it otherwise; None where that is no better."""
        best: Node | None = None
        for k, place in every_rule(node.steps):
            steps, rule = without(node.steps, k, place), node.steps[k].rules[place]
            less = self.node(steps, k, node.stages)
            akin = [one for one in self.lacking(less) if set(one.outcome) & set(rule.outcome)]
            found = self.best_of(less, self.drafts(less, self.hopes(less, akin[:AKIN])))
            if found is not None and found.loss < (best or node).loss - 1e-6:
                best = found
        return best

    def well_founded(self, node: Node) -> Node:
        """The passes without the rules that few turns speak for: with other turns there may be better."""
        cost, self.cost = self.cost, PRUNED
        node = self.shorter(node._replace(loss=self.loss(node.steps, node.wrong)))
        self.cost = cost
        return node._replace(loss=self.loss(node.steps, node.wrong))

    def shorter(self, node: Node) -> Node:
        """The passes without the rules and tests without which no more is wrong."""
        for k, place in reversed(every_rule(node.steps)):
            less = self.node(without(node.steps, k, place), k, node.stages)
            if less.loss < node.loss:
                node = less
        for k, place in every_rule(node.steps):
            for test in node.steps[k].rules[place].tests:
                rule = node.steps[k].rules[place]
                left = tuple(one for one in rule.tests if one != test)
                less = self.node(with_rule(node.steps, k, place, rule._replace(tests=left)), k, node.stages)
                if less.loss < node.loss:
                    node = less
        return node


def goes_far(places: Places) -> bool:
    """Does something come nearer to where it should be, and not there?"""
    return bool(((places.worth > 0) & (places.worth < WRONG)).any())
