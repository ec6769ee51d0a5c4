"""Constraints as trees of expressions: they hold exactly where the constraints do."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.encoding.constraints import AllDifferent, Automaton, Distances, Encoding, Iff, Linear, Regular, Sum
from ggp.encoding.debug import assume
from ggp.encoding.judging import holds
from ggp.encoding.lowering import readable
from ggp.encoding.lowering.expressions import Model, Trees
from ggp.encoding.occupancy import encode
from ggp.model.names import Names
from ggp.referee.trajectory import replay
from tests.slow import examples, slow_unless
from tests.tiny_encodings import TINY, WHY, assignments, encodings, plans, tiny, whole_numbers, worth


def value_of(tree: Any, row: list[str], values: Mapping[str, int]) -> int:
    """The value of a tree of expressions."""
    if isinstance(tree, str):
        return values[row[int(tree[1:])]]
    if isinstance(tree, int):
        return tree
    parts = [value_of(part, row, values) for part in tree[1:]]
    first, second = parts[0], parts[-1]
    match tree[0]:
        case "and":
            return int(all(parts))
        case "or":
            return int(any(parts))
        case "not":
            return int(not first)
        case "imp":
            return int(not first or bool(second))
        case "iff" | "eq":
            return int(first == second)
        case "ne":
            return int(first != second)
        case "lt" | "gt" | "le" | "ge" as word:
            return int(getattr(operator, word)(first, second))
        case "dist":
            return abs(first - second)
        case "add":
            return sum(parts)
        case "mul":
            return first * second
    raise AssertionError(tree)


def kept(model: Model, values: Mapping[str, int]) -> bool:
    """Do all constraints of a model hold?"""
    for group in model["groups"]:
        for form in group["forms"]:
            if not all(value_of(form["tree"], row, values) for row in form["rows"]):
                return False
        for one in group["globals"]:
            if one[0] == "all-different":
                pairs = [(term, 0) if isinstance(term, str) else term for term in one[1]]
                terms = [values[name] + added for name, added in pairs]
                taken = [value for value in terms if value not in one[2]]
                if len(taken) != len(set(taken)):
                    return False
            elif one[0] == "table":
                if not all(any(fits(names, row, values) for row in one[2]) for names in one[1]):
                    return False
            else:
                total = sum(weight * value_of(tree, row, values) for weight, tree, row in one[1])
                if not value_of([one[2], total, one[3]], [], values):
                    return False
    return True


def fits(names: list[str], row: tuple[int | None, ...], values: Mapping[str, int]) -> bool:
    """Do these have the values of a row of a table?"""
    return all(wanted is None or values[name] == wanted for name, wanted in zip(names, row, strict=True))


@settings(deadline=None, max_examples=examples(150))
@given(encodings())
def test_trees_hold_exactly_where_the_constraints_do(encoding: Encoding) -> None:
    trees = Trees(encoding, Names())
    model = trees.model(minimise=True)
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


@settings(deadline=None, max_examples=examples(60))
@given(encodings(), st.data())
def test_trees_of_distances_and_sums_of_numbers(encoding: Encoding, data: st.DataObject) -> None:
    """Those that are expressions; a solver's own global constraints are not judged here."""
    numbers = st.sampled_from(range(len(encoding.variables)))
    lits = st.sampled_from([*encoding.atom_numbers.values()]).flatmap(
        lambda lit: st.sampled_from([lit, -lit])
    )
    linear, pair, *_, distances = whole_numbers(lits, numbers)
    encoding.constraints = data.draw(st.lists(linear | pair | distances, min_size=1, max_size=2))
    trees = Trees(encoding, Names(), tables=data.draw(st.booleans()))
    model = trees.model(minimise=False)
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


@pytest.mark.parametrize("tables", [False, True])
def test_the_distances_of_what_is_linked(tables: bool) -> None:
    """Two neighbours are one apart at most, if the link between them is there."""
    encoding = tiny([(0, 1, 2)] * 3 + [(0, 1)])
    link = encoding.number(3, 1)
    inside, roots = (True, True, True), (True, False, True)
    encoding.constraints = [Distances((0, 1, 2), inside, roots, ((0, 1, True), (1, 2, link)), WHY)]
    trees = Trees(encoding, Names(), tables)
    model = trees.model(minimise=False)
    assert ("table" if tables else "dist") in str(model["groups"])
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tables", [False, True])
def test_distances_on_random_graphs(seed: int, tables: bool) -> None:
    """Of four nodes; what is inside, a root or linked is certain or hangs on two variables."""
    rng = Random(seed)
    encoding = tiny([(0, 1, 2, 3)] * 4 + [(0, 1), (1, 2, 3)])
    lits = [sign * encoding.number(*atom) for sign in (1, -1) for atom in ((4, 1), (5, 2))]

    def some(*weights: int) -> tuple[int | bool, ...]:
        return tuple(rng.choice([*lits, *([True] * weights[0]), *([False] * weights[1])]) for _ in range(4))

    inside, roots, (a, b, c, d) = some(12, 1), (True, *some(0, 8)[1:]), some(8, 0)
    links = ((0, 1, a), (1, 2, b), (0, 2, c), (2, 3, d))
    encoding.constraints = [Distances((0, 1, 2, 3), inside, roots, links, WHY)]
    trees = Trees(encoding, Names(), tables)
    model = trees.model(minimise=False)
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


def test_every_variable_is_in_an_array() -> None:
    """Each variable is in an array that is large enough, with its domain; off the board too."""
    encoding = tiny([(0, 1), (1, 2, 3)])
    for index in [(0, 1), (2, 9), (7, 0)]:
        encoding.decisions[encoding.new("w", index, (0, 1), "design")] = lambda plan: 0
    trees = Trees(encoding, Names())
    told = {}
    for array in trees.model(False)["arrays"]:
        for domain, indices in array["domains"]:
            for index in indices:
                assert all(0 <= one < size for one, size in zip(index, array["size"], strict=True))
                told[array["name"] + "".join(f"[{one}]" for one in index)] = tuple(domain)
    assert told == {name: encoding.variables[number].domain for number, name in trees.called.items()}


@pytest.mark.parametrize(("number", "one"), [(1, True), (0, False), (2, False)])
def test_two_sums_are_an_equivalence_only_where_nothing_lies_between(number: int, one: bool) -> None:
    encoding = tiny([(0, 1)] * 3)
    a, b, c = (encoding.number(variable, 1) for variable in range(3))
    terms = ((1, a), (1, b))
    encoding.constraints = [Sum(terms, ">=", 2, WHY, c), Sum(terms, "<=", number, WHY, -c)]
    trees = Trees(encoding, Names())
    model = trees.model(False)
    assert ("iff" in str(model["groups"])) == one
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


def test_a_condition_that_is_renamed_is_turned_too() -> None:
    for when in (None, 3, -3):
        for before in (Linear(((1, 0),), "<=", 1, WHY, when), Sum(((1, 2),), "<=", 1, WHY, when)):
            after = readable.in_terms(before, lambda lit: -lit)
            assert isinstance(after, Linear | Sum)
            assert after.when == (None if when is None else -when)


@pytest.mark.parametrize("finals", [(1,), (0, 2), (0, 1, 2)])
def test_a_word_of_one_value_is_told_without_an_automaton(finals: tuple[int, ...]) -> None:
    """Which ACE takes for words of two values and more only."""
    encoding = tiny([(0, 1, 2, 3)])
    automaton = Automaton(((0, 0, 0), (0, 1, 1), (0, 3, 2), (1, 2, 1), (2, 2, 1)), finals)
    encoding.constraints = [Regular((0,), automaton, WHY)]
    trees = Trees(encoding, Names())
    model = trees.model(minimise=False)
    assert not any(group["globals"] for group in model["groups"])
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == holds(encoding, encoding.constraints[0], values)


@settings(deadline=None, max_examples=examples(100))
@given(encodings())
def test_what_trees_minimise_differs_by_a_constant(encoding: Encoding) -> None:
    trees = Trees(encoding, Names())
    goal = trees.model(minimise=True)["minimise"] or []
    differences = set()
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        total = sum(weight * value_of(tree, row, named) for weight, tree, row in goal)
        differences.add(worth(encoding, values) - total)
    assert len(differences) <= 1


def test_a_nameless_part_that_is_used_once_is_written_out() -> None:
    encoding = tiny([(0, 1)] * 3)
    a, b, c = (encoding.number(variable, 1) for variable in range(3))
    part = encoding.number(encoding.new("aux", (7,), (0, 1)), 1)
    encoding.constraints = [Iff(part, "and", (b, -c), WHY), Iff(a, "or", (part, c), WHY)]
    trees = Trees(encoding, Names())
    (group,) = trees.model(False)["groups"]
    (form,) = group["forms"]
    assert form == {
        "tree": ["iff", "%0", ["or", ["and", "%1", ["not", "%2"]], "%3"]],
        "rows": [["v[0]", "v[1]", "v[2]", "v[2]"]],
    }
    assert "aux" not in str(trees.called)


def test_a_sum_that_says_both_is_one_equivalence() -> None:
    encoding = tiny([(0, 1)] * 3)
    a, b, c = (encoding.number(variable, 1) for variable in range(3))
    terms = ((1, a), (1, b))
    encoding.constraints = [Sum(terms, ">=", 2, WHY, c), Sum(terms, "<=", 1, WHY, -c)]
    (group,) = Trees(encoding, Names()).model(False)["groups"]
    assert [form["tree"] for form in group["forms"]] == [["iff", "%0", ["ge", ["add", "%1", "%2"], 2]]]


def test_names_that_the_format_keeps_for_itself() -> None:
    encoding = tiny([(0, 1)])
    number = encoding.new("not", (0,), (0, 1), "design")
    spaced = encoding.new("a kind: of", (0, 0), (0, 1), "design")
    encoding.decisions |= {number: lambda plan: 0, spaced: lambda plan: 0}
    trees = Trees(encoding, Names(reserved=["not"]))
    model = trees.model(False)
    names = [array["name"] for array in model["arrays"]]
    assert len(set(names)) == 3 and "not" not in names and all(name.isidentifier() for name in names)
    assert [trees.names.back(name) for name in names] == ["v", "not", "a kind: of"]


def test_one_name_for_arrays_of_two_dimensions() -> None:
    encoding = tiny([(0, 1)])
    for index in [(1,), (2, 3)]:
        encoding.decisions[encoding.new("w", index, (0, 1), "design")] = lambda plan: 0
    trees = Trees(encoding, Names())
    arrays = {array["name"]: array["size"] for array in trees.model(False)["arrays"]}
    assert len(arrays) == 3 and sorted(map(len, arrays.values())) == [1, 1, 2]
    assert len(set(trees.called.values())) == 3


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "two crates", TINY))
def test_trees_of_levels_hold_exactly_where_plans_win(name: str) -> None:
    instance = TINY[name]
    encoding = readable.lower(encode(instance)).encoding
    trees = Trees(encoding, Names())
    model = trees.model(False)
    for plan in plans(instance):
        values = assume(encoding, plan)
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == replay(instance, plan).won, plan


def slopes(spoilt: str) -> Encoding:
    """Three numbers that differ, and that differ with 0, 1 and 2 added; some way or other not only that."""
    encoding = tiny([(0, 1, 2)] * 3)
    ups = [encoding.new("up", (v,), [value + v for value in range(3)]) for v in (1, 2)]
    encoding.constraints = [Linear(((1, up), (-1, v)), "=", v, WHY) for v, up in enumerate(ups, start=1)]
    encoding.constraints += [AllDifferent((0, 1, 2), WHY), AllDifferent((0, *ups), WHY)]
    if spoilt == "said elsewhere":
        encoding.add(Linear(((1, ups[0]), (1, 0)), "<=", 4, WHY))
    elif spoilt == "said twice":
        encoding.add(Linear(((1, ups[0]), (-1, 2)), "=", 1, WHY))
    elif spoilt == "a value may repeat":
        encoding.add(AllDifferent((2, ups[0]), WHY, (1,)))
    elif spoilt == "narrower":
        encoding.variables[ups[0]] = replace(encoding.variables[ups[0]], domain=(1, 3))
    elif spoilt == "a decision":
        encoding.decisions[ups[0]] = lambda plan: 0
    elif spoilt == "to be small":
        encoding.minimise = ((1, encoding.number(ups[0], 2)),)
    return encoding


@pytest.mark.parametrize(
    "spoilt",
    ["", "said elsewhere", "said twice", "a value may repeat", "narrower", "a decision", "to be small"],
)
def test_what_is_a_variable_and_a_number_is_written_out(spoilt: str) -> None:
    """But for one of which anything else is said, or that would be asked for."""
    encoding = slopes(spoilt)
    trees = Trees(encoding, Names(), shifted=True)
    model = trees.model(minimise=False)
    assert len(trees.called) == (4 if spoilt else 3)
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        shifted = all(values[v] == values[one] + added for v, (one, added) in trees.shifts.items())
        right = all(holds(encoding, one, values) for one in encoding.constraints)
        assert (shifted and kept(model, named)) == right
