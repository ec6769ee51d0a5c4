"""Expressions: what a tree of operators comes to, whether it holds, and that it must hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from ggp.engines.instances.xcsp.poster import OPPOSITE, Poster, Truth, negated
from ggp.engines.instances.xcsp.scope import Node
from ggp.engines.instances.xcsp.totals import Total, sum_of

MOST_POWER = 64


def towards_zero(a: int, b: int) -> int | None:
    """The quotient without what is left, as Java has it."""
    return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def left_over(a: int, b: int) -> int | None:
    """What is left then; it has the sign of the dividend."""
    return None if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1)


def power(a: int, b: int) -> int | None:
    """a to the power of b."""
    return a**b if 0 <= b <= MOST_POWER else None


FUNCTIONS: Mapping[str, tuple[int, Callable[..., int | None]]] = {  # with how many operands
    "abs": (1, abs),
    "sqr": (1, lambda a: a * a),
    "div": (2, towards_zero),
    "mod": (2, left_over),
    "pow": (2, power),
}
LOGIC = ("not", "and", "or", "xor", "iff", "imp")
COUNTS: Mapping[str, tuple[int, int]] = {  # the fewest and the most operands
    **dict.fromkeys(("add", "mul", "min", "max", "eq", "and", "or", "xor", "iff"), (2, 10**6)),
    **dict.fromkeys(("neg", "abs", "sqr", "not"), (1, 1)),
    **dict.fromkeys(
        ("sub", "div", "mod", "pow", "dist", "lt", "le", "ge", "gt", "ne", "imp", "in", "notin"), (2, 2)
    ),
    "if": (3, 3),
}


class Trees:
    """Expressions over the variables of a file, whose `numbers` in the encoding are told."""

    def __init__(self, post: Poster, numbers: Mapping[str, int]) -> None:
        self.post = post
        self.numbers = numbers
        self.found: dict[Node, Total] = {}

    def operands(self, node: tuple[str, tuple[Node, ...]]) -> tuple[Node, ...]:
        """The operands of an operator that there is, as many as it has."""
        op, operands = node
        if op not in COUNTS:
            raise self.post.refuse(f"there is no operator `{op[:40]}` here", "XCSP3-core has others")
        low, high = COUNTS[op]
        if not low <= len(operands) <= high:
            raise self.post.refuse(f"`{op}` has {len(operands)} operands", "see what it is about")
        return operands

    def variable(self, node: Node) -> int:
        """The variable of the encoding that has this value."""
        return self.post.variable(self.total(node))

    def variables(self, nodes: Sequence[Node]) -> list[int]:
        """The variables that have these values."""
        return [self.variable(node) for node in nodes]

    # --- numbers

    def total(self, node: Node) -> Total:
        """What an expression comes to; of one that is true or false, 1 or 0."""
        if isinstance(node, int):
            return Total(node)
        if isinstance(node, str):
            return Total(0, {self.numbers[node]: 1})
        if node not in self.found:
            self.found[node] = self.worked_out(node)
        return self.found[node]

    def worked_out(self, node: tuple[str, tuple[Node, ...]]) -> Total:
        """The same, of an operator."""
        op, operands = node[0], self.operands(node)
        if op in LOGIC or op in OPPOSITE or op in ("in", "notin"):
            return self.post.number(self.truth(node))
        if op == "if":
            return self.post.chosen(self.truth(operands[0]), self.total(operands[1]), self.total(operands[2]))
        totals = [self.total(one) for one in operands]
        if op == "add":
            return sum_of(totals)
        if op in ("sub", "neg"):
            return totals[0] - totals[1] if op == "sub" else totals[0].times(-1)
        if op in ("min", "max"):
            return self.post.extreme(totals, op == "max")
        if op == "dist":
            return self.function("abs", [totals[0] - totals[1]])
        if op == "mul":
            return reduce(self.product, totals)
        return self.function(op, totals)

    def product(self, one: Total, other: Total) -> Total:
        """The one times the other."""
        if one.known or other.known:
            return other.times(one.constant) if one.known else one.times(other.constant)
        return self.of_table("mul", [one, other], lambda a, b: a * b)

    def function(self, op: str, totals: Sequence[Total]) -> Total:
        """What a function gives. Division by what may be 0 is refused: readers differ about it."""
        work = FUNCTIONS[op][1]
        if all(one.known for one in totals):
            value = work(*(one.constant for one in totals))
            if value is not None:
                return Total(value)
        if op in ("div", "mod") and self.may_be(totals[1], lambda value: value == 0):
            raise self.post.refuse(f"what `{op}` divides by may be 0", "give it a domain without 0")
        if op == "pow" and self.may_be(totals[1], lambda value: not 0 <= value <= MOST_POWER):
            raise self.post.refuse("an exponent may be outside 0..64", "give it a narrower domain")
        return self.of_table(op, totals, work)

    def may_be(self, total: Total, what: Callable[[int], bool]) -> bool:
        """May it have such a value?"""
        return any(map(what, self.post.domain(self.post.variable(total))))

    def of_table(self, op: str, totals: Sequence[Total], work: Callable[..., int | None]) -> Total:
        """The variable that has what a function gives."""
        variables = [self.post.variable(one) for one in totals]
        if len(variables) == 2 and variables[0] == variables[1]:
            return Total(0, {self.post.function(variables[:1], lambda a: work(a, a), op): 1})
        return Total(0, {self.post.function(variables, work, op): 1})

    # --- truths

    def truth(self, node: Node) -> Truth:
        """Does an expression hold? A number does where it is 1; readers differ about others than 0 and 1."""
        if not isinstance(node, tuple) or not self.says(node[0]):
            total = self.total(node)
            if not {*self.post.ends(total)} <= {0, 1}:
                raise self.post.refuse("a number that may be more than 1 stands for what holds", "compare it")
            return self.post.compared(total, "ne", 0)
        op, operands = node[0], self.operands(node)
        if op in ("in", "notin"):
            return self.membership(op, operands)
        if op == "eq":
            first, *others = (self.total(one) for one in operands)
            return self.post.both(self.post.compared(one - first, "eq", 0) for one in others)
        if op in OPPOSITE:
            return self.post.compared(self.total(operands[0]) - self.total(operands[1]), op, 0)
        truths = [self.truth(one) for one in operands]
        if op in ("and", "or"):
            return self.post.both(truths) if op == "and" else self.post.either(truths)
        if op == "imp":
            return self.post.either((negated(truths[0]), truths[1]))
        if op == "not":
            return negated(truths[0])
        if op == "xor":  # of several: an odd number of them
            return reduce(lambda one, other: negated(self.post.same(one, other)), truths)
        return self.post.both(self.post.same(truths[0], one) for one in truths[1:])

    def says(self, op: str) -> bool:
        """Is it an operator whose expression holds or does not?"""
        return op in LOGIC or op in OPPOSITE or op in ("in", "notin")

    def membership(self, op: str, operands: Sequence[Node]) -> Truth:
        """Is it one of the values of a set?"""
        truth = self.post.among(self.variable(operands[0]), self.values_of(operands[1]))
        return truth if op == "in" else negated(truth)

    def values_of(self, node: Node) -> set[int]:
        """The whole numbers of a set."""
        parts = node[1] if isinstance(node, tuple) and node[0] == "set" else (node,)
        found = set[int]()
        for part in parts:
            if isinstance(part, int):
                found.add(part)
            elif isinstance(part, tuple) and part[0] == "range":
                low, high = part[1]
                assert isinstance(low, int) and isinstance(high, int)
                if high - low > 10**6:
                    raise self.post.refuse("a set has too many values", "take a smaller range")
                found |= {*range(low, high + 1)}
            else:
                raise self.post.refuse("a set has what is no whole number", "write numbers")
        return found

    # --- what must hold

    def require(self, node: Node) -> None:
        """It must hold: said without a literal where that can be."""
        post = self.post
        op = node[0] if isinstance(node, tuple) else ""
        if not isinstance(node, tuple) or op not in {*OPPOSITE, "and", "or", "imp"}:
            post.clause((self.truth(node),))
            return
        operands = self.operands(node)
        if op == "and":
            for one in operands:
                self.require(one)
        elif op == "or":
            post.clause(self.truth(one) for one in operands)
        elif op == "imp":
            post.clause((negated(self.truth(operands[0])), self.truth(operands[1])))
        else:
            first = self.total(operands[0])
            for one in operands[1:]:
                post.compare(first - self.total(one), op, 0)
