"""Hands a model to PyCSP3 and lets it write the XCSP3 file. Run as a script of its own, never imported.

PyCSP3 is a script rather than a library: importing it reads the command line, changes what lists and numbers
do, and compiles whatever was posted when the process ends. So it lives here, in a process that does nothing
else. The argument is the file to write; standard input is a `ggp.encoding.lowering.expressions.Model` as
JSON.
"""

import gc
import json
import sys
from copy import copy
from typing import Any

OUTPUT = sys.argv[1] if __name__ == "__main__" else ""


def main(model: dict[str, Any]) -> None:
    """Declare, post, compile."""
    gc.disable()  # many small things are made, and none is dropped before the end
    sys.argv = [__file__]  # PyCSP3 would take the arguments for its own, and wants the name of a real file
    import pycsp3
    from pycsp3.dashboard import options

    options.uncurse = True  # leave `in` and its like as they are: nothing here needs them changed
    variables: dict[str, Any] = {}
    for array in model["arrays"]:
        declare(array, variables)
    # One call for all: each one looks through the whole stack for comments.
    posted = pycsp3.satisfy(
        *(list(constraints(group, variables)) for group in model["groups"]), no_comment_tags_extraction=True
    )
    for entity, group in zip(posted.entities, model["groups"], strict=True):
        entity.note(group["note"])
    if model["minimise"]:
        pycsp3.minimize(pycsp3.Sum(terms(model["minimise"], variables)))
    if model["decide"]:
        annotate(model["decide"], variables)
    pycsp3.compile(OUTPUT, verbose=-1)


def annotate(given: dict[str, Any], variables: dict[str, Any]) -> None:
    """Say which variables to decide first, and which value of them; PyCSP3 cannot write an order of them."""
    import pycsp3
    from pycsp3.classes.main.annotations import ValHeuristic

    first = [variables[name] for name in given["variables"]]
    values = {value for variable in first for value in variable.dom.all_values()}
    order = sorted(values, reverse=given["values"] == "highest")
    pycsp3.annotate(decision=first, valHeuristic=ValHeuristic().static(first, order=order))


def declare(given: dict[str, Any], variables: dict[str, Any]) -> None:
    """Declare one array. Cells without a domain stay undefined."""
    from pycsp3 import VarArray

    domains = {tuple(index): domain(values) for values, cells in given["domains"] for index in cells}
    # It reads the source around this call: one declaration, on one line.
    array = VarArray(
        size=given["size"], dom=lambda *i: domains.get(i), id=given["name"], comment=given["note"]
    )
    for index in domains:
        variable = array
        for number in index:
            variable = list.__getitem__(variable, number)
        variables[variable.id] = variable


def domain(values: list[int]) -> Any:
    """A domain as PyCSP3 takes it soonest."""
    first, last = min(values), max(values)
    return range(first, last + 1) if last - first + 1 == len(values) else set(values)


def constraints(group: dict[str, Any], variables: dict[str, Any]) -> Any:
    """What a group posts: a form with many rows at once, all else one by one."""
    from pycsp3.classes.entities import EGroup
    from pycsp3.functions import _Intension

    for form in group["forms"]:
        # Each once: of equal constraints PyCSP3 makes a group without arguments, and stops.
        rows = [[variables[name] for name in row] for row in dict.fromkeys(map(tuple, form["rows"]))]
        first = _Intension(expression(form["tree"], rows[0]))
        # An equation stays by itself: PyCSP3 makes an instantiation of many.
        if len(rows) == 1 or form["tree"][0] == "eq":
            yield first
            yield from (_Intension(expression(form["tree"], row)) for row in rows[1:])
            continue
        # What PyCSP3 would find out by comparing each constraint with each other one.
        entity = EGroup()
        entity.entities = [first]
        entity.abstraction = template(form["tree"])
        entity.all_args = rows
        yield entity
    for one in group["globals"]:
        if one[0] == "table":
            yield from tables(one, variables)
        else:
            yield global_constraint(one, variables)


def tables(given: list[Any], variables: dict[str, Any]) -> Any:
    """Lists of variables that have the values of one of the same rows."""
    from pycsp3 import ANY
    from pycsp3.classes.entities import ECtr
    from pycsp3.classes.main.constraints import TypeCtrArg
    from pycsp3.functions import _Extension

    _, scopes, rows = given
    table = [tuple(ANY if value is None else value for value in row) for row in rows]
    lists = [[variables[name] for name in names] for names in scopes]
    first = _Extension(scope=lists[0], table=table)
    yield first
    for others in lists[1:]:  # what it works out about a long table it would work out for each of them
        twin = copy(first.constraint)
        twin.arguments = first.constraint.arguments.copy()
        yield ECtr(twin.arg(TypeCtrArg.LIST, others, content_ordered=True))


def global_constraint(given: list[Any], variables: dict[str, Any]) -> Any:
    """A constraint that XCSP3 has a name for."""
    import pycsp3

    if given[0] == "all-different":
        _, names, free = given
        return pycsp3.AllDifferent([added(name, variables) for name in names], excepting=free or None)
    if given[0] == "regular":
        _, names, ways, finals = given
        return pycsp3.Regular(scope=[variables[name] for name in names], automaton=automaton(ways, finals))
    if given[0] == "different-lists":
        return pycsp3.AllDifferentList([[variables[name] for name in names] for names in given[1]])
    if given[0] == "circuit":
        return pycsp3.Circuit([variables[name] for name in given[1]])
    if given[0] == "element":
        _, names, index, result = given
        return element([variables[name] for name in names], variables[index], variables[result])
    _, weighted, comparison, number = given
    return pycsp3.Sum(terms(weighted, variables), condition=(comparison, number))


def added(given: Any, variables: dict[str, Any]) -> Any:
    """A variable, or one and a number."""
    if isinstance(given, str):
        return variables[given]
    name, number = given
    return expression(["add", "%0", number], [variables[name]])


def element(names: list[Any], index: Any, result: Any) -> Any:
    """What stands at a place of a list; by its class, as indexing is one of the things left uncursed."""
    from pycsp3.classes.auxiliary.conditions import Condition
    from pycsp3.classes.auxiliary.enums import TypeConditionOperator
    from pycsp3.classes.entities import ECtr
    from pycsp3.classes.main.constraints import ConstraintElement

    same = Condition.build_condition((TypeConditionOperator.EQ, result))
    return ECtr(ConstraintElement(names, index=index, condition=same))


def automaton(ways: list[list[int]], finals: list[int]) -> Any:
    """An automaton whose states are called q0, q1, ..."""
    from pycsp3 import Automaton

    transitions = [(f"q{state}", value, f"q{after}") for state, value, after in ways]
    return Automaton(start="q0", transitions=transitions, final=[f"q{state}" for state in finals])


def terms(weighted: list[Any], variables: dict[str, Any]) -> list[Any]:
    """The terms of a sum."""
    trees = [(weight, expression(tree, [variables[name] for name in row])) for weight, tree, row in weighted]
    plain = [(weight, tree.cnt if tree.is_leaf() else tree) for weight, tree in trees]
    return [term if weight == 1 else term * weight for weight, term in plain]


def expression(tree: Any, row: list[Any]) -> Any:
    """A tree of PyCSP3, built node by node: its overloaded operators are slow and rewrite what they see."""
    from pycsp3.classes.nodes import Node, TypeNode

    if isinstance(tree, str):
        return Node(TypeNode.VAR, row[int(tree[1:])])
    if isinstance(tree, int):
        return Node(TypeNode.INT, tree)
    return Node(getattr(TypeNode, tree[0].upper()), [expression(part, row) for part in tree[1:]])


def template(tree: Any) -> str:
    """A tree as XCSP3 writes it, its parameters as they are."""
    if isinstance(tree, list):
        return f"{tree[0]}({','.join(map(template, tree[1:]))})"
    return str(tree)


if __name__ == "__main__":
    main(json.load(sys.stdin))
