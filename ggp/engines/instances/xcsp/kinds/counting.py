"""What is counted or added up: sum, count, nValues, cardinality, minimum, maximum, allDifferent, allEqual."""

from __future__ import annotations

from itertools import combinations

from ggp.encoding.constraints import DifferentLists
from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.scope import RANGE
from ggp.engines.instances.xcsp.totals import Total, sum_of
from ggp.engines.instances.xcsp.writing import Truth, Writer, negated


def weighted(totals: list[Total], said: Said, write: Writer) -> Total:
    """A sum of numbers, each times its coefficient if there are any."""
    coeffs = said.get("coeffs")
    if coeffs is not None:
        weights = write.totals(coeffs)
        write.as_many(coeffs, len(weights), len(totals))
        totals = [write.trees.product(w, one) for w, one in zip(weights, totals, strict=True)]
    return sum_of(totals)


def total(said: Said, write: Writer) -> None:
    """The sum is as the condition says."""
    write.meet(weighted(write.totals(said.one("list")), said, write), write.condition(said))


def count(said: Said, write: Writer) -> None:
    """So many have one of the values."""
    values, post = said.one("values"), write.post
    if write.scope.constants(values):
        wanted = set(write.scope.whole(values))
        truths = [post.among(v, wanted) for v in write.variables(said.one("list"))]
    else:
        totals = write.totals(values)
        truths = [
            post.either(write.equal(one, value) for value in totals) for one in write.totals(said.one("list"))
        ]
    write.meet(write.count(truths), write.condition(said))


def used(variables: list[int], free: set[int], write: Writer) -> Total:
    """How many values there are among the variables, apart from those that are free."""
    post = write.post
    values = sorted({value for v in variables for value in post.domain(v)} - free)
    return write.count(post.either(post.equal(v, value) for v in variables) for value in values)


def free_values(said: Said, write: Writer) -> set[int]:
    """The values that do not count."""
    found = said.get("except")
    return set() if found is None else set(write.scope.whole(found))


def number_of_values(said: Said, write: Writer) -> None:
    """There are so many values."""
    variables = write.variables(said.one("list"))
    write.meet(used(variables, free_values(said, write), write), write.condition(said))


def cardinality(said: Said, write: Writer) -> None:
    """Each value is there so many times."""
    post, values, occurs = write.post, said.one("values"), said.one("occurs")
    totals = write.totals(said.one("list"))
    wanted = write.totals(values)
    times = write.scope.words(occurs.text, occurs.place)
    if write.scope.constants(occurs) and not any(".." in word for word in times):
        times = [str(number) for number in write.scope.whole(occurs)]
    write.as_many(occurs, len(times), len(wanted))
    for value, word in zip(wanted, times, strict=True):
        number = write.count(write.equal(one, value) for one in totals)
        span = RANGE.fullmatch(word)
        if span is not None:
            post.compare(number, "ge", int(span[1]))
            post.compare(number, "le", int(span[2]))
        else:
            post.compare(number - write.trees.total(write.scope.node(word, occurs.place)), "eq", 0)
    if values.flag("closed", False):
        for one in totals:
            post.clause(write.equal(one, value) for value in wanted)


def minimum(said: Said, write: Writer) -> None:
    """The least is as the condition says."""
    extreme(said, write, most=False)


def maximum(said: Said, write: Writer) -> None:
    """The most is as the condition says."""
    extreme(said, write, most=True)


def extreme(said: Said, write: Writer, most: bool) -> None:
    """The least or the most is as the condition says."""
    totals, condition = write.totals(said.one("list")), write.condition(said)
    if not totals:
        said.refuse("the list is empty", "write variables")
    write.meet(write.post.extreme(totals, most), condition)


# --- alike and not alike


def all_different(said: Said, write: Writer) -> None:
    """The values differ: of variables, of lists, or in each row and column."""
    matrix, lists = said.get("matrix"), said.all("list")
    if len(lists) > 1:
        different_lists(said, lists, write)
        return
    free = free_values(said, write)
    if matrix is None:
        write.post.different(write.variables(said.main), free)
        return
    rows = write.rows(matrix)
    for line in (*rows, *zip(*rows, strict=True)):
        write.post.different(list(line), free)


def different_lists(said: Said, lists: list[Said], write: Writer) -> None:
    """No two lists are alike, but where they are one that is excepted."""
    post = write.post
    rows = [write.variables(one) for one in lists]
    for line, row in zip(lists, rows, strict=True):
        write.as_many(line, len(row), len(rows[0]))
    spared = said.get("except")
    if spared is None:
        post.add(DifferentLists(tuple(map(tuple, rows)), post.why))
        return
    free = write.scope.matrix(spared)
    write.as_many(spared, len(free[0]), len(rows[0]))
    for one, other in combinations(rows, 2):
        differ = [negated(alike(one, other, write))]
        none = [alike(one, write.trees.variables(some), write) for some in free]
        post.clause([*differ, *none])


def alike(one: list[int], other: list[int], write: Writer) -> Truth:
    """Have two lists the same values?"""
    pairs = zip(one, other, strict=True)
    return write.post.both(write.equal(write.value(a), write.value(b)) for a, b in pairs)


def all_equal(said: Said, write: Writer) -> None:
    """All have one value."""
    write.in_order(write.totals(said.main), "eq")
