"""What needs room or time: noOverlap, cumulative, binPacking, knapsack."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ggp.encoding.constraints import Cumulative
from ggp.encoding.literals import Lit
from ggp.engines.instances.xcsp.poster import BOOLEAN
from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.scope import Condition
from ggp.engines.instances.xcsp.totals import Total, sum_of
from ggp.engines.instances.xcsp.writing import Truth, Writer


def no_overlap(said: Said, write: Writer) -> None:
    """No two tasks, or boxes, are at one place; those of no length nowhere, if that is said."""
    boxes = [dimensions(said.one(tag), write) for tag in ("origins", "lengths")]
    write.as_many(said.one("lengths"), len(boxes[1]), len(boxes[0]))
    post, ignored = write.post, said.flag("zeroIgnored", True)
    if all(len(one) == 1 for one in (*boxes[0], *boxes[1])):
        given = known([long for (long,) in boxes[1]])
        if given is not None and (ignored or min(given, default=1) > 0):
            share([at for (at,) in boxes[0]], given, [1] * len(given), 1, write)
            return
    pairs = combinations(zip(*boxes, strict=True), 2)
    for (at, long), (there, far) in pairs:
        write.as_many(said, len({len(at), len(long), len(there), len(far)}), 1)
        if len(at) == 1 and post.ends(long[0])[0] > 0 and post.ends(far[0])[0] > 0:
            one_first(at[0] + long[0] - there[0], there[0] + far[0] - at[0], write)
            continue
        apart: list[Truth] = []
        for a, la, b, lb in zip(at, long, there, far, strict=True):
            apart += [post.compared(a + la - b, "le", 0), post.compared(b + lb - a, "le", 0)]
        if ignored:
            apart += [post.compared(length, "eq", 0) for length in (*long, *far)]
        post.clause(apart)


def known(totals: list[Total]) -> list[int] | None:
    """The numbers, where all are known and none is below 0."""
    numbers = [one.constant for one in totals if one.known and one.constant >= 0]
    return numbers if len(numbers) == len(totals) else None


def share(starts: list[Total], lengths: list[int], heights: list[int], limit: int, write: Writer) -> None:
    """Tasks need no more than so much at any time; those that take no time or need nothing are left out."""
    post, tasks = write.post, zip(starts, lengths, heights, strict=True)
    left = [(post.variable(at), long, high) for at, long, high in tasks if long and high]
    if left:
        on, long, high = zip(*left, strict=True)
        post.add(Cumulative(on, long, high, limit, post.why))


def one_first(overlap: Total, other: Total, write: Writer) -> None:
    """One of two overlaps is 0 or less. Both cannot be, so the literal that says which is certain."""
    first = write.post.encoding.number(write.post.fresh("first", BOOLEAN), 1)
    write.post.compare(overlap, "le", 0, first)
    write.post.compare(other, "le", 0, -first)


def dimensions(said: Said, write: Writer) -> list[list[Total]]:
    """The numbers of each box: one, or a tuple of them."""
    if said.text.startswith("(") or write.scope.dimensions(said.text) > 1:
        return [[write.trees.total(node) for node in row] for row in write.scope.matrix(said)]
    return [[one] for one in write.totals(said)]


def cumulative(said: Said, write: Writer) -> None:
    """At no time do the tasks that run need more than there is; it is asked where each begins."""
    origins, lengths, heights = (write.totals(said.one(tag)) for tag in ("origins", "lengths", "heights"))
    condition, post = write.condition(said), write.post
    for tag, some in (("lengths", lengths), ("heights", heights)):
        write.as_many(said.one(tag), len(some), len(origins))
        if any(post.ends(one)[0] < 0 for one in some):
            said.refuse(f"some of the {tag} may be below 0", "give them other domains")
    at_most(condition, said)
    given, needs = known(lengths), known(heights)
    if given is not None and needs is not None and isinstance(condition.node, int):
        limit = condition.node - (condition.op == "lt")
        if limit >= 0:
            share(origins, given, needs, limit, write)
            return
    for at in origins:
        needed = []
        for origin, length, height in zip(origins, lengths, heights, strict=True):
            begun = post.compared(origin - at, "le", 0)
            goes_on = post.compared(origin + length - at, "gt", 0)
            needed.append(if_holds(post.both((begun, goes_on)), height, write))
        write.meet(sum_of(needed), condition)


def at_most(condition: Condition, said: Said) -> None:
    """Refuse what is no upper limit."""
    if condition.op not in ("le", "lt"):
        said.refuse(f"the condition is `{condition.op}`", "only a most, le or lt, is taken here")


def if_holds(truth: Truth, number: Total, write: Writer) -> Total:
    """The number where that holds, else 0."""
    if isinstance(truth, bool) or number.known:
        return write.post.number(truth).times(number.constant) if number.known else number.times(int(truth))
    lit: Lit = truth
    return write.post.chosen(lit, number, Total())


def bin_packing(said: Said, write: Writer) -> None:
    """What is put into each bin is as its condition, limit or load says."""
    post, sizes = write.post, write.totals(said.one("sizes"))
    line = said.one("list")
    bins = [write.shifted(node, line.number("startIndex")) for node in write.scope.nodes(line)]
    write.as_many(said.one("sizes"), len(sizes), len(bins))
    limits, loads = said.get("limits"), said.get("loads")
    given = limits or loads

    def load(number: int) -> Total:
        inside = (post.equal(v, number) for v in bins)
        return sum_of(if_holds(lit, size, write) for lit, size in zip(inside, sizes, strict=True))

    if given is None:
        condition = write.condition(said)
        at_most(condition, said)  # readers differ about bins that are empty
        for number in sorted({value for v in bins for value in post.domain(v)}):
            write.meet(load(number), condition)
        return
    wanted = write.totals(given)
    for variable in bins:
        post.clause((post.among(variable, range(len(wanted))),))
    for number, most in enumerate(wanted):
        post.compare(load(number) - most, "le" if limits is not None else "eq", 0)


def knapsack(said: Said, write: Writer) -> None:
    """What is packed weighs, and is worth, as the conditions say: each stands after what it is about."""
    totals, parts = write.totals(said.one("list")), [one for one in said.parts if one.tag != "list"]
    about = {one.tag: after for one, after in zip(parts[::2], parts[1::2], strict=False)}
    tags = [one.tag for one in parts]
    if sorted(tags[::2]) != ["profits", "weights"] or tags[1::2] != ["condition"] * 2:
        said.refuse("weights and profits each have a condition after them", "write them so")
    for tag, condition in about.items():
        weights = write.totals(said.one(tag))
        write.as_many(said.one(tag), len(weights), len(totals))
        write.meet(weighed(weights, totals, write), write.scope.condition(condition))


def weighed(weights: Sequence[Total], totals: Sequence[Total], write: Writer) -> Total:
    """A sum of products."""
    return sum_of(write.trees.product(w, one) for w, one in zip(weights, totals, strict=True))
