"""What one variable says of others: element, channel, instantiation, circuit."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.encoding.constraints import Circuit, Element
from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.scope import Condition, Node
from ggp.engines.instances.xcsp.totals import Total, sum_of
from ggp.engines.instances.xcsp.writing import Writer, negated


def element(said: Said, write: Writer) -> None:
    """What stands at a place of a list or matrix is as the condition says; without a place, some of it is."""
    matrix, index = said.get("matrix"), said.get("index")
    value = said.get("value")
    if value is None:
        condition = write.condition(said)
    else:
        nodes = write.scope.nodes(value)
        write.as_many(value, len(nodes), 1)
        condition = Condition("eq", nodes[0])
    if index is None:
        some = write.totals(said.one("list"))
        write.post.clause([write.meets(one, condition) for one in some])
        return
    places = write.scope.nodes(index)
    if matrix is not None:
        held, place = of_matrix(matrix, places, index, write)
    else:
        line = said.one("list")
        write.as_many(index, len(places), 1)
        held = write.scope.numbers_or_nodes(line)
        place = write.shifted(places[0], line.number("startIndex"))
    at_place(held, place, condition, write)


def of_matrix(matrix: Said, places: Sequence[Node], index: Said, write: Writer) -> tuple[Sequence[Node], int]:
    """The cells of a matrix row after row, and the variable that says which of them."""
    rows, post = write.scope.matrix(matrix), write.post
    write.as_many(index, len(places), 2)
    starts = matrix.number("startRowIndex"), matrix.number("startColIndex")
    sides = len(rows), len(rows[0])
    row, column = (write.shifted(node, start) for node, start in zip(places, starts, strict=True))
    for variable, side in zip((row, column), sides, strict=True):
        post.clause((post.among(variable, range(side)),))
    flat = [node for one in rows for node in one]
    where = Total(0, {row: sides[1]}) + Total(0, {column: 1})
    return flat, post.variable(where)


def at_place(held: Sequence[Node], place: int, condition: Condition, write: Writer) -> None:
    """What stands at that place of the list is as the condition says."""
    post = write.post
    if all(isinstance(node, int) for node in held):
        values = {at: int(node) for at, node in enumerate(held) if isinstance(node, int)}
        if condition.op == "eq":
            result = write.trees.variable(condition.node)
        else:
            result = post.fresh("held", values.values())
        rows = [(at, values[at]) for at in post.domain(place) if at in values]
        post.table((place, result), rows)
    else:
        variables = write.trees.variables(held)
        if condition.op == "eq":
            result = write.trees.variable(condition.node)
        else:
            result = post.fresh("held", {value for v in variables for value in post.domain(v)})
        post.add(Element(tuple(variables), place, result, post.why))
    if condition.op != "eq":
        write.meet(write.value(result), condition)


def channel(said: Said, write: Writer) -> None:
    """Lists of places say the same of one another; or one of Booleans says which of them it is."""
    lists, value, post = said.all("list") or [said], said.get("value"), write.post
    starts = [one.number("startIndex") for one in lists]
    if value is not None:
        truths = write.variables(lists[0])
        (place,) = (write.shifted(node, starts[0]) for node in write.scope.nodes(value))
        post.clause((post.among(place, range(len(truths))),))
        for at, variable in enumerate(truths):
            post.clause((post.among(variable, (0, 1)),))
            is_it, there = post.equal(variable, 1), post.equal(place, at)
            post.clause((negated(is_it), there))
            post.clause((is_it, negated(there)))
        return
    nodes = [write.scope.nodes(one) for one in lists]
    # Each list has places of the other one, which count from its start.
    one = [write.shifted(node, starts[-1]) for node in nodes[0]]
    other = [write.shifted(node, starts[0]) for node in nodes[-1]]
    leads(one, other, write)
    if len(lists) > 1 and len(one) == len(other):
        leads(other, one, write)
    if len(lists) > 2 or len(one) > len(other):
        said.refuse("these lists cannot tell places of one another", "write the longer one second")


def leads(one: Sequence[int], other: Sequence[int], write: Writer) -> None:
    """Where a variable of the one says j, variable j of the other leads back."""
    post = write.post
    for at, variable in enumerate(one):
        for value in post.domain(variable):
            there = post.equal(other[value], at) if value in range(len(other)) else False
            post.clause((negated(post.equal(variable, value)), there))


def instantiation(said: Said, write: Writer) -> None:
    """Each variable has its value."""
    variables, values = write.variables(said.one("list")), said.one("values")
    numbers = write.scope.whole(values)
    write.as_many(values, len(numbers), len(variables))
    for variable, value in zip(variables, numbers, strict=True):
        write.post.clause((write.post.equal(variable, value),))


def circuit(said: Said, write: Writer) -> None:
    """Variables say what comes after them, and what is not its own successor forms one circuit."""
    line, size, post = said.main, said.get("size"), write.post
    after = [write.shifted(node, line.number("startIndex")) for node in write.scope.nodes(line)]
    for variable in after:
        post.clause((post.among(variable, range(len(after))),))
    post.add(Circuit(tuple(after), post.why))
    if size is not None:
        on = sum_of(post.number(negated(post.equal(v, at))) for at, v in enumerate(after))
        write.meet(on, Condition("eq", write.scope.node(size.text, size.place)))
