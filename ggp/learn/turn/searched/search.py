"""The search: what is lacking most is put in as a rule, with the conditions under which that helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.learn.fit.toil import room, too_long
from ggp.learn.seen.views import PICK
from ggp.learn.turn.searched.calls import joining
from ggp.learn.turn.searched.conditions import conditions
from ggp.learn.turn.searched.likewise import likewise
from ggp.learn.turn.searched.nodes import Node, Trial, long
from ggp.learn.turn.searched.otherwise import Otherwise
from ggp.learn.turn.searched.rules import Step, Steps
from ggp.learn.turn.searched.sending import Sending, handings, sendings
from ggp.learn.turn.searched.steps import Draft, placed
from ggp.learn.turn.searched.trying import COSTS, SAID
from ggp.learn.turn.searched.worth import drawn_out, tried

PATIENCE = 1.6e7  # work after which few turns must be left
PROMISING = 0.15  # of the turns, at most, are left then
CHEAP = 0.08  # what a unit is worth where nothing else helps: few turns may tell it wrongly, others show that
GUESSED = 0.01  # of the turns, at most, may be left for guesses
SCHEMAS = 24  # outcomes that are looked at
LIKE = 6  # rules like others that are played
SENDINGS = 3  # ways in which something may be sent that are looked at
SLACK = 2.0  # how much worse it may be than a rule for a few of the lengths that were seen
FEWEST = 3  # turns in which that must be lacking


class Search(Otherwise):
    """Looks for passes that say some turns."""

    def run(
        self, steps: Steps = (), *, others: bool = False, surely: bool = False, patient: bool = False
    ) -> Node:
        """The best passes that are found from some others; raises NotLearned where the work is at its end.

        What was found from other turns (`others`) may lead nowhere; then it is begun anew. `surely`: without
        rules for a few turns alone, which are guesses. `patient`: though many turns are left for long.
        """
        self.best, self.at_first, self.patient = steps, room(), patient
        best = self.node(steps)
        if steps:
            best = self.climbed(self.well_founded(best) if others else best)
        else:
            best = self.cooled(best)
        if others and steps and not best.right:
            best = min(best, self.cooled(self.node(())), key=lambda one: one.loss)
        if not best.right and (not surely or (long(best.steps) and best.left <= GUESSED)):
            self.cost = CHEAP
            best = self.climbed(self.priced(best))
        best = self.shorter(best)
        self.best = best.steps
        return best

    def cooled(self, best: Node) -> Node:
        """The best passes that are found from some others, at first with rules that much speaks for.

        What few turns speak for may be guessed wrongly while little is known, and stands in the way then.
        """
        for cost in COSTS:
            self.cost = cost
            best = self.climbed(self.priced(best))
        return best

    def climbed(self, best: Node) -> Node:
        """The passes with better rules, one after another, as long as there is one."""
        least = self.node(self.best).loss
        while not best.right:
            if not self.patient and self.at_first - room() > PATIENCE and best.left > PROMISING:
                raise too_long()
            better = self.least(self.improved(best), self.excepted(best), self.joined(best))
            better = self.sent(best, better) or better or self.moved(best) or self.recast(best)
            better = better or self.from_afar(best)
            if better is None:
                break
            best = self.shorter(better)
            best = self.anew(best) or best
            if best.loss < least:
                least, self.best = best.loss, best.steps
        return best

    def from_afar(self, node: Node) -> Node | None:
        """The passes with a rule that asks for what stands anywhere, or for what another rule did."""
        if self.afar:
            return None
        self.afar, self.halves = True, None
        better = self.improved(node)
        if better is None:  # nothing near is told wrongly by it meanwhile
            self.afar, self.halves = False, None
        return better

    def joined(self, node: Node) -> Node | None:
        """The passes in which one more calls as others do; None where that is no better."""
        others = joining(self.player, node, self.callers(node))
        return self.chosen((self.trial(node, steps, first) for steps, first in others), node.loss)

    def improved(self, node: Node) -> Node | None:
        """The passes with one rule more, the best that is found; None where none is better."""
        lacking = self.lacking(node)[: SCHEMAS if self.cost > CHEAP else 3 * SCHEMAS]
        drafts = self.drafts(node, self.hopes(node, [*lacking, *handings(node.steps, self.told.mark)]))
        return self.chosen(self.with_one(node, (*drafts, *self.like_others(node))), node.loss)

    def like_others(self, node: Node) -> list[Draft]:
        """Rules like those that there are, where they make turns better that are wrong."""
        known = {rule for step in node.steps for rule in step.rules}
        more = (other for rule in known for other in likewise(rule, self.actors))
        hopes = self.hopes(node, sorted(set(more) - known, key=repr))
        return [one.draft for one in hopes[:LIKE] if one.most >= 1]

    def sent(self, node: Node, other: Node | None) -> Node | None:
        """The passes with a mark that somebody leaves on what then goes on as far as it can.

        None where that is worse than some others, or hardly anything went far.
        """
        rows = np.nonzero(node.wrong > 0)[0].tolist()
        found = sendings(self.player, node.stages[-1], rows, self.actors)
        likely = [one for one in found[:SENDINGS] if one.often >= FEWEST]
        trials = (
            one
            for sending in likely
            for k in range(len(node.steps) + 1)
            for one in self.sent_before(node, sending, k)
        )
        most = min(node.loss, other.loss + SLACK) if other is not None else node.loss
        return self.chosen(trials, most)

    def sent_before(self, node: Node, sending: Sending, k: int) -> Iterator[Trial]:
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
            found = self.drafts(less, self.hope(less, [sending.first], k, within=False))
            for steps, first in (one for draft in found for one in placed(less.steps, draft)):
                # What is picked is marked to the end of the turn: in the loop it would be sent again.
                if goes_on in steps or sending.first.subject != PICK:
                    yield self.trial(less, steps, first)
