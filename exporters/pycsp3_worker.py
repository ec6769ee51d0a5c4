"""Hands a model to PyCSP3 and lets it write the XCSP3 file. Run as a script of its own, never imported.

PyCSP3 is a script rather than a library: importing it reads the command line, changes what lists and numbers
do, and compiles whatever was posted when the process ends. So it lives here, in a process that does nothing
else. Arguments: the file to write. Standard input: the model as JSON,

    {"arrays": [{"name", "note", "size": [...], "domains": [[[values], [[index], ...]], ...]}, ...],
     "groups": [{"note", "constraints": [...]}, ...],
     "minimise": null or [[weight, expression], ...]}

where a constraint is `["all-different", variables, excepted values]`, `["sum", [[weight, expression], ...],
"le" | "eq" | "ge", number]`, or an expression: a variable's name, a number, or `[operator, expression, ...]`.
"""

import json
import sys
from typing import Any

OUTPUT = sys.argv[1] if __name__ == "__main__" else ""


def main(model: dict[str, Any]) -> None:
    """Declare, post, compile."""
    sys.argv = [__file__]  # PyCSP3 would take the arguments for its own, and wants the name of a real file
    import pycsp3

    variables: dict[str, Any] = {}
    for array in model["arrays"]:
        declare(array, variables)
    posted = pycsp3.satisfy(
        *([constraint(one, variables) for one in group["constraints"]] for group in model["groups"]),
        no_comment_tags_extraction=True,
    )
    for entity, group in zip(posted.entities, model["groups"], strict=True):
        entity.note(group["note"])
    if model["minimise"]:
        pycsp3.minimize(pycsp3.Sum(terms(model["minimise"], variables)))
    pycsp3.compile(OUTPUT, verbose=-1)


def declare(given: dict[str, Any], variables: dict[str, Any]) -> None:
    """Declare one array. Cells without a domain stay undefined."""
    from pycsp3 import VarArray

    domains = {tuple(index): set(values) for values, cells in given["domains"] for index in cells}
    # It looks for comments in the source around this call: one declaration, on one line.
    array = VarArray(size=given["size"], dom=lambda *i: domains.get(i), id=given["name"], comment=given["note"])
    for index in domains:
        variable = array
        for number in index:
            variable = variable[number]
        variables[str(variable)] = variable


def constraint(given: list[Any], variables: dict[str, Any]) -> Any:
    """One constraint, ready to be posted."""
    import pycsp3
    from pycsp3.functions import _Intension

    if given[0] == "all-different":
        _, names, free = given
        return pycsp3.AllDifferent([variables[name] for name in names], excepting=free or None)
    if given[0] == "sum":
        _, weighted, comparison, number = given
        return pycsp3.Sum(terms(weighted, variables), condition=(comparison, number))
    return _Intension(expression(given, variables))


def terms(weighted: list[Any], variables: dict[str, Any]) -> list[Any]:
    """The terms of a sum."""
    each = [(weight, variables[e] if isinstance(e, str) else expression(e, variables)) for weight, e in weighted]
    return [term if weight == 1 else term * weight for weight, term in each]


def expression(given: Any, variables: dict[str, Any]) -> Any:
    """A tree of PyCSP3. Built node by node: its overloaded operators are slow, and rewrite what they see."""
    from pycsp3.classes.nodes import Node, TypeNode

    if isinstance(given, str):
        return Node(TypeNode.VAR, variables[given])
    if isinstance(given, int):
        return Node(TypeNode.INT, given)
    return Node(getattr(TypeNode, given[0].upper()), [expression(part, variables) for part in given[1:]])


if __name__ == "__main__":
    main(json.load(sys.stdin))
