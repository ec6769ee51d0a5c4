"""What all constraints of a file are written with: the poster, the words, the expressions, conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from ggp.engines.instances.xcsp.poster import Poster, Truth, negated
from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.scope import Condition, Node, Scope
from ggp.engines.instances.xcsp.totals import Total, sum_of
from ggp.engines.instances.xcsp.trees import Trees

__all__ = ["Kind", "Truth", "Writer", "negated"]


class Writer:
    """Writes the constraints of one file."""

    def __init__(self, post: Poster, scope: Scope, trees: Trees) -> None:
        self.post = post
        self.scope = scope
        self.trees = trees

    # --- what lists hold

    def variables(self, said: Said) -> list[int]:
        """The variables that a list names; an expression gets one."""
        return self.trees.variables(self.scope.nodes(said))

    def totals(self, said: Said) -> list[Total]:
        """The numbers of a list: whole numbers, variables, expressions."""
        return [self.trees.total(node) for node in self.scope.numbers_or_nodes(said)]

    def rows(self, said: Said) -> list[list[int]]:
        """The variables of a matrix, by rows."""
        return [self.trees.variables(row) for row in self.scope.matrix(said)]

    def shifted(self, node: Node, start: int) -> int:
        """The variable that counts from 0 what this one counts from `start`."""
        return self.post.variable(self.trees.total(node) - Total(start))

    def as_many(self, said: Said, number: int, wanted: int) -> None:
        """Refuse a list that has not as many parts as it must."""
        if number != wanted:
            said.refuse(f"<{said.tag}> has {number} parts, and {wanted} are wanted", "see the other lists")

    # --- conditions

    def condition(self, said: Said) -> Condition:
        """The condition of a constraint."""
        return self.scope.condition(said.one("condition"))

    def meet(self, total: Total, condition: Condition) -> None:
        """A number must be as the condition says."""
        if condition.op in ("in", "notin"):
            self.post.clause((self.meets(total, condition),))
        else:
            self.post.compare(total - self.trees.total(condition.node), condition.op, 0)

    def meets(self, total: Total, condition: Condition) -> Truth:
        """Is it as the condition says?"""
        if condition.op not in ("in", "notin"):
            return self.post.compared(total - self.trees.total(condition.node), condition.op, 0)
        variable = self.post.variable(total)
        inside = self.post.among(variable, filter(condition.within, self.post.domain(variable)))
        return inside if condition.op == "in" else negated(inside)

    # --- what several kinds say

    def equal(self, one: Total, other: Total) -> Truth:
        """Are they the same?"""
        return self.post.compared(one - other, "eq", 0)

    def value(self, variable: int) -> Total:
        """The value of a variable of the encoding."""
        return Total(0, {variable: 1})

    def count(self, truths: Iterable[Truth]) -> Total:
        """How many of these hold."""
        return sum_of(map(self.post.number, truths))

    def in_order(self, totals: Sequence[Total], op: str, added: Sequence[Total] = ()) -> None:
        """Each, with what is added to it, compares so with the next."""
        for at, (one, after) in enumerate(pairwise(totals)):
            self.post.compare((one + added[at] if added else one) - after, op, 0)


Kind = Callable[[Said, Writer], None]
"""Writes a constraint of one kind."""
