"""Passes in which the rules that there are do otherwise, stand elsewhere, or are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ggp.learn.turn.searched.conditions import IDLE, conditions
from ggp.learn.turn.searched.nodes import Node, Trial
from ggp.learn.turn.searched.rules import Rule
from ggp.learn.turn.searched.steps import Draft, every_rule, places, with_exception, with_rule, without
from ggp.learn.turn.searched.trying import COSTS, SAID, Trying
from ggp.learn.turn.searched.worth import barred

PRUNED = 1.0  # what a unit of size is worth in rules that were found from other turns
AKIN = 8  # outcomes that a rule may have instead of its own, and of which conditions are read


class Otherwise(Trying):
    """Looks for better passes among those with a rule otherwise."""

    @staticmethod
    def least(*nodes: Node | None) -> Node | None:
        """The best of some passes."""
        return min((one for one in nodes if one is not None), key=lambda one: one.loss, default=None)

    def excepted(self, node: Node) -> Node | None:
        """The passes in which a rule is not followed under some conditions; None where that is no better."""
        return self.chosen(self.exceptions(node), node.loss)

    def exceptions(self, node: Node) -> Iterator[Trial]:
        """The passes in which a rule is not followed under some conditions."""
        for k, place in every_rule(node.steps):
            rule = node.steps[k].rules[place]
            help_ = barred(self.player, rule, self.asked(node, k, right=False, within=True), self.rng)
            if help_ is None or float(help_.worth[help_.worth > 0].sum()) < 1:
                continue
            harm = barred(self.player, rule, self.asked(node, k, right=True, within=True), self.rng)
            told = [help_, *([harm] if harm is not None else [])]
            for said in conditions(self.player, rule, told, self.cost * SAID, 2):
                for steps in with_exception(node.steps, k, place, said.tests):
                    yield self.trial(node, steps, k)

    def anew(self, node: Node) -> Node | None:
        """The passes with the conditions of one of their rules read anew; None where that is no better."""

        def read(less: Node, rule: Rule, k: int) -> Iterable[Draft]:
            bare, within = rule._replace(tests=()), len(less.steps) == len(node.steps)
            return self.drafts(less, self.hope(less, [bare], k, within=within))

        return self.instead(node, read)

    def moved(self, node: Node) -> Node | None:
        """The passes with one of their rules elsewhere; None where that is no better."""

        def anywhere(less: Node, rule: Rule, k: int) -> Iterable[Draft]:
            return (Draft(0.0, rule, at, within) for at, within in places(less.steps))

        return self.instead(node, anywhere)

    def recast(self, node: Node) -> Node | None:
        """The passes in which a rule does more, less, or partly otherwise; None where that is no better."""

        def akin(less: Node, rule: Rule, k: int) -> Iterable[Draft]:
            found = [one for one in self.lacking(less) if set(one.outcome) & set(rule.outcome)]
            return self.drafts(less, self.hopes(less, found[:AKIN]), AKIN)

        return self.instead(node, akin)

    def instead(self, node: Node, others: Callable[[Node, Rule, int], Iterable[Draft]]) -> Node | None:
        """The best passes with another rule in the place of one; None where none are better.

        `others`: the rules that are tried, of the passes without it, the rule, and the pass that it was in.
        """
        trials = (
            trial
            for k, place in every_rule(node.steps)
            for less in [self.node(without(node.steps, k, place), k, node.stages)]
            for trial in self.with_one(less, others(less, node.steps[k].rules[place], k))
            if trial.loss < less.loss - 1e-6
        )
        return self.chosen(trials, node.loss)

    def well_founded(self, node: Node) -> Node:
        """The passes without the rules that few turns speak for: with other turns there may be better."""
        cost, self.cost = self.cost, PRUNED
        node = self.shorter(self.priced(node))
        self.cost = cost
        return self.priced(node)

    def sure(self, node: Node) -> bool:
        """Does much speak for every rule and every test of some passes?"""
        cost, self.cost = self.cost, COSTS[0]
        less = self.shorter(self.priced(node))
        self.cost = cost
        return less.steps == node.steps

    def shorter(self, node: Node) -> Node:
        """The passes without the rules and tests without which no more is wrong."""
        for k, place in reversed(every_rule(node.steps)):
            less = self.trial(node, without(node.steps, k, place), k)
            node = self.chosen([less], node.loss) or node
        for k, place in every_rule(node.steps):
            for test in node.steps[k].rules[place].tests:
                rule = node.steps[k].rules[place]
                left = tuple(one for one in rule.tests if one != test)
                less = self.trial(node, with_rule(node.steps, k, place, rule._replace(tests=left)), k)
                node = self.chosen([less], node.loss - IDLE * less.idle) or node
        return self.without_calls(node)

    def without_calls(self, node: Node) -> Node:
        """The passes without marks for which nobody asks any more."""
        for k, place in every_rule(node.steps):
            rule = node.steps[k].rules[place]
            silent = tuple(one for one in rule.outcome if one.thing.name not in self.told.calls)
            if silent != rule.outcome:
                less = self.trial(node, with_rule(node.steps, k, place, rule._replace(outcome=silent)), k)
                node = self.chosen([less], node.loss) or node
        return node
