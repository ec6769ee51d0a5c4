"""Each rewrite of encodings: the same solutions before and after, by trying every assignment of tiny ones.

Rewrites that know what stands where are tried on tiny levels instead, with every plan there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp import levels
from ggp.debug import assume, broken, disagreements
from ggp.encoding import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    DifferentLists,
    Distances,
    Encoding,
    Global,
    Iff,
    Linear,
    Regular,
    Sum,
    Values,
    Why,
    holds,
)
from ggp.encodings.occupancy import encode
from ggp.errors import Place
from ggp.lowering import (
    conserved,
    different_to_linear,
    exclusive,
    globals_to_simple,
    integers_to_booleans,
    linear_rows,
    propagate,
    readable,
)
from ggp.lowering.expressions import Model, Trees
from ggp.maps import read_board, symbols_of
from ggp.model import Instance, Level, Plan
from ggp.names import Names
from ggp.semantics import free_cells, placeable
from ggp.trajectory import replay

WHY = Why("test")


# --- tiny encodings -------------------------------------------------------------------------------------


def tiny(domains: list[tuple[int, ...]]) -> Encoding:
    """An encoding with these variables, all of them decisions; its plans just list the values."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    for index, domain in enumerate(domains):
        variable = encoding.new("v", (index,), domain, "design")
        encoding.decisions[variable] = lambda plan, index=index: int(plan.actions[index])  # type: ignore[misc]
    encoding.decoder = lambda values: Plan(actions=tuple(str(values[v]) for v in range(len(domains))))
    return encoding


def assignments(encoding: Encoding) -> Iterator[Values]:
    """Every assignment of the variables that are not fixed."""
    settled = encoding.settled
    free = [v for v in range(len(encoding.variables)) if v not in settled]
    for values in product(*(encoding.variables[v].domain for v in free)):
        yield {**settled, **dict(zip(free, values, strict=True))}


def solutions(encoding: Encoding) -> list[Plan]:
    """The plan of each assignment that keeps every constraint, in order, each as often as it comes."""
    plans = [
        encoding.decode(values)
        for values in assignments(encoding)
        if all(holds(encoding, constraint, values) for constraint in encoding.constraints)
    ]
    return sorted(plans, key=lambda plan: plan.actions)


@st.composite
def encodings(draw: st.DrawFn, whole: bool = False) -> Encoding:
    """A few variables with small domains, and a few constraints over them; if `whole` all kinds."""
    domain = st.sampled_from([(0, 1), (0, 1), (1, 2, 3), (0, 1, 2), (-1, 4), (2,)])
    encoding = tiny(draw(st.lists(domain, min_size=2, max_size=5)))
    numbers = range(len(encoding.variables))
    lits = []
    for number in numbers:
        for value in encoding.variables[number].domain:
            lit = encoding.atom(number, value)
            assert not isinstance(lit, bool)
            lits += [lit, -lit]
    lit = st.sampled_from(lits)
    several = st.lists(lit, min_size=1, max_size=4).map(tuple)
    terms = st.lists(st.tuples(st.integers(-2, 3), lit), min_size=1, max_size=4).map(tuple)
    variables = st.lists(st.sampled_from(numbers), min_size=2, max_size=5).map(tuple)
    kinds: list[st.SearchStrategy[Constraint]] = [
        st.builds(Clause, several, st.just(WHY)),
        st.builds(Iff, lit, st.sampled_from(["and", "or"]), several, st.just(WHY)),
        st.builds(
            Sum, terms, st.sampled_from(["<=", "=", ">="]), st.integers(-2, 4), st.just(WHY), st.none() | lit
        ),
        st.builds(AllDifferent, variables, st.just(WHY), st.sampled_from([(), (0,), (1, 4)])),
        *(whole_numbers(lit, st.sampled_from(numbers)) if whole else ()),
    ]
    encoding.constraints = draw(st.lists(st.one_of(kinds), max_size=4))
    encoding.minimise = draw(terms)
    encoding.offset = draw(st.integers(-2, 2))
    return encoding


def whole_numbers(
    lit: st.SearchStrategy[int], variable: st.SearchStrategy[int]
) -> Iterator[st.SearchStrategy[Constraint]]:
    """Constraints over integer variables as a whole."""
    comparison, number = st.sampled_from(["<=", "=", ">="]), st.integers(-3, 6)
    terms = st.lists(st.tuples(st.integers(-2, 2), variable), min_size=1, max_size=3).map(tuple)
    yield st.builds(Linear, terms, comparison, number, st.just(WHY), st.none() | lit)
    pair = st.tuples(st.tuples(st.just(1), variable), st.tuples(st.just(-1), variable))
    yield st.builds(Linear, pair, comparison, st.integers(-1, 1), st.just(WHY), st.none() | lit)
    ways = st.dictionaries(st.tuples(st.integers(0, 2), st.integers(-1, 4)), st.integers(0, 2), max_size=12)
    automaton = st.builds(
        lambda ways, finals: Automaton(tuple((s, v, t) for (s, v), t in ways.items()), tuple(finals)),
        ways,
        st.lists(st.integers(0, 2), min_size=1, unique=True),
    )
    several = st.lists(variable, min_size=1, max_size=4).map(tuple)
    yield st.builds(Regular, several, automaton, st.just(WHY))
    two = st.tuples(variable, variable)
    yield st.builds(DifferentLists, st.lists(two, min_size=2, max_size=3).map(tuple), st.just(WHY))
    yield st.builds(Circuit, st.lists(variable, min_size=2, max_size=4, unique=True).map(tuple), st.just(WHY))
    truth = st.booleans() | lit
    nodes = st.lists(st.tuples(variable, truth, truth), min_size=1, max_size=3, unique_by=lambda one: one[0])
    yield st.builds(
        lambda nodes, links: Distances(
            *zip(*nodes, strict=True), tuple((a, b, t) for a, b, t in links if max(a, b) < len(nodes)), WHY
        ),
        nodes,
        st.lists(
            st.tuples(st.integers(0, 1), st.integers(1, 2), truth).filter(lambda link: link[0] < link[1]),
            max_size=3,
        ),
    )


@settings(deadline=None, max_examples=80)
@given(encodings(whole=True))
def test_globals_to_simple_keeps_the_solutions(encoding: Encoding) -> None:
    """Each solution can be completed, in one way."""
    after = globals_to_simple.lower(encoding)
    assert not any(isinstance(one, Global) for one in after.constraints)
    assert completed(after) == solutions(encoding)


@settings(deadline=None, max_examples=60)
@given(encodings(whole=True))
def test_globals_to_simple_after_propagation(encoding: Encoding) -> None:
    propagated = propagate.lower(encoding)
    after = globals_to_simple.lower(propagated)
    assert completed(after) == solutions(propagated)


def completed(encoding: Encoding) -> list[Plan]:
    """As `solutions`, by a solver: what a rewrite added is too much to be tried."""
    from ortools.sat.python import cp_model

    from ggp.solvers.cpsat import Posted

    posted = Posted(replace(encoding, minimise=()), lambda: None)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    plans: list[Plan] = []

    class Hand(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            plans.append(encoding.decode({n: self.value(v) for n, v in posted.variables.items()}))

    solver.solve(posted.model, Hand())
    return sorted(plans, key=lambda plan: plan.actions)


@settings(deadline=None, max_examples=60)
@given(encodings(whole=True))
def test_booleans_say_what_whole_numbers_said(encoding: Encoding) -> None:
    after = integers_to_booleans.lower(encoding)
    assert all(variable.domain == (0, 1) for variable in after.variables)
    assert completed(after) == solutions(encoding)


@settings(deadline=None, max_examples=150)
@given(encodings())
def test_different_to_linear_keeps_the_solutions(encoding: Encoding) -> None:
    after = different_to_linear.lower(encoding)
    assert not any(isinstance(one, AllDifferent) for one in after.constraints)
    assert solutions(after) == solutions(encoding)


@settings(deadline=None, max_examples=150)
@given(encodings())
def test_different_to_linear_after_propagation(encoding: Encoding) -> None:
    """Where some variables are certain by then."""
    propagated = propagate.lower(encoding)
    assert solutions(different_to_linear.lower(propagated)) == solutions(propagated)


@settings(deadline=None, max_examples=150)
@given(encodings())
def test_integers_to_booleans_keeps_the_solutions(encoding: Encoding) -> None:
    after = integers_to_booleans.lower(encoding)
    assert all(variable.domain == (0, 1) for variable in after.variables)
    assert solutions(after) == solutions(encoding)


@settings(deadline=None, max_examples=100)
@given(encodings())
def test_integers_to_booleans_knows_the_decisions(encoding: Encoding) -> None:
    """A plan gives each Boolean the value that brings the plan back."""
    after = integers_to_booleans.lower(encoding)
    for plan in solutions(encoding):
        values = {variable: value(plan) for variable, value in after.decisions.items()}
        assert after.decode(values) == plan
        assert all(holds(after, constraint, values) for constraint in after.constraints)


@settings(deadline=None, max_examples=150)
@given(encodings())
def test_rows_hold_exactly_where_the_constraints_do(encoding: Encoding) -> None:
    booleans = integers_to_booleans.lower(encoding)
    program = linear_rows.lower(booleans)
    assert len(program.columns) == len(booleans.variables)
    for values in assignments(booleans):
        column = [values[number] for number in program.columns]
        kept = all(
            (low is None or low <= total) and (high is None or total <= high)
            for low, high, terms in program.rows
            for total in [sum(weight * column[at] for weight, at in terms)]
        )
        assert kept == all(holds(booleans, constraint, values) for constraint in booleans.constraints)
        total = program.offset + sum(weight * column[at] for weight, at in program.objective)
        assert total == worth(booleans, values)


def worth(encoding: Encoding, values: Values) -> int:
    """What is to be small, by its definition."""
    total = encoding.offset
    for weight, lit in encoding.minimise:
        variable, value = encoding.atoms[abs(lit)]
        total += weight * ((values[variable] == value) == (lit > 0))
    return total


def test_rows_are_those_of_the_docstring() -> None:
    encoding = tiny([(0, 1)] * 4)
    a, b, c, d = (encoding.number(variable, 1) for variable in range(4))
    encoding.constraints = [
        Clause((a, -b), WHY),
        Iff(d, "and", (a, b), WHY),
        Iff(d, "or", (a, b), WHY),
        Sum(((1, a), (2, b)), "<=", 1, WHY, c),
    ]
    rows = [
        (low, high, {at: weight for weight, at in terms})
        for low, high, terms in linear_rows.lower(encoding).rows
    ]
    assert rows == [
        (0, None, {0: 1, 1: -1}),
        (None, 0, {3: 1, 0: -1}),
        (None, 0, {3: 1, 1: -1}),
        (-1, None, {3: 1, 0: -1, 1: -1}),
        (None, 0, {3: -1, 0: 1}),
        (None, 0, {3: -1, 1: 1}),
        (0, None, {3: -1, 0: 1, 1: 1}),
        (None, 3, {0: 1, 1: 2, 2: 2}),
    ]


def test_rows_want_booleans() -> None:
    with pytest.raises(ValueError, match="not Boolean"):
        linear_rows.lower(tiny([(1, 2)]))
    encoding = tiny([(0, 1), (0, 1)])
    encoding.constraints = [AllDifferent((0, 1), WHY)]
    with pytest.raises(ValueError, match="AllDifferent"):
        linear_rows.lower(encoding)


def test_as_many_values_as_variables_are_all_used() -> None:
    encoding = tiny([(1, 2, 3)] * 3)
    encoding.constraints = [AllDifferent((0, 1, 2), Why("they differ"))]
    sums = different_to_linear.lower(encoding).constraints
    assert [(one.comparison, one.number, len(one.terms)) for one in sums if isinstance(one, Sum)] == [
        ("=", 1, 3)
    ] * 3
    assert [one.why.text for one in sums] == [f"they differ: {value}" for value in (1, 2, 3)]


# --- trees ----------------------------------------------------------------------------------------------


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
        case "le":
            return int(first <= second)
        case "ge":
            return int(first >= second)
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
                taken = [values[name] for name in one[1] if values[name] not in one[2]]
                if len(taken) != len(set(taken)):
                    return False
            else:
                total = sum(weight * value_of(tree, row, values) for weight, tree, row in one[1])
                if not value_of([one[2], total, one[3]], [], values):
                    return False
    return True


@settings(deadline=None, max_examples=150)
@given(encodings())
def test_trees_hold_exactly_where_the_constraints_do(encoding: Encoding) -> None:
    trees = Trees(encoding, Names())
    model = trees.model(minimise=True)
    for values in assignments(encoding):
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == all(holds(encoding, one, values) for one in encoding.constraints)


@settings(deadline=None, max_examples=100)
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


# --- what knows where things stand ------------------------------------------------------------------------


def level(game: str, rows: list[str], horizon: int, **numbers: int) -> Instance:
    described = levels.builtin(game)[0]
    board, findings = read_board(rows, symbols_of(described), lambda row, column: Place("here"))
    assert not findings, findings
    return Instance(described, Level("tiny", board, horizon, tuple(numbers.items())))


TINY = {
    "walk": level("lemmings", ["XXXXX", "X>  X", "XX TX", "XXXXX"], 5, budget=2),
    "two walkers": level("lemmings", ["XXXXXX", "X>  <X", "X XT X", "XXXXXX"], 4, budget=1),
    "one crate": level("sokoban", ["#####", "#@$.#", "#   #", "#####"], 4),
    "two crates": level("sokoban", ["@$.", "$  ", ".  "], 4),
    "no way": level("sokoban", ["$@.", "   "], 2),
}


def plans(instance: Instance) -> Iterator[Plan]:
    """Every plan that there could be, those that fail included."""
    if instance.game.input is not None:
        for length in range((instance.level.horizon or 0) + 1):
            for actions in product(instance.game.input.moves, repeat=length):
                yield Plan(actions=actions)
        return
    (piece,) = placeable(instance)
    for number in range(dict(instance.level.numbers)["budget"] + 1):
        for cells in combinations(free_cells(instance), number):
            yield Plan(design=tuple((cell, piece) for cell in cells))


@pytest.mark.parametrize("name", TINY)
def test_conserved_keeps_what_wins(name: str) -> None:
    instance = TINY[name]
    before = encode(instance)
    after = conserved.lower(before, sharing=True)
    assert after.variables == before.variables
    won = 0
    for plan in plans(instance):
        values = assume(before, plan)
        wins = replay(instance, plan).won
        assert wins == (not broken(before, values)) == (not broken(after, values)), plan
        won += wins
    assert won or name == "no way"


def test_conserved_says_what_there_is_one_of() -> None:
    after = conserved.lower(encode(TINY["two crates"]))
    said = {one.why.text for one in after.constraints if isinstance(one, Sum)}
    assert said == {"there is always 1 player", "there are always 2 crate"}
    clauses = [one.why.text for one in after.constraints if isinstance(one, Clause)]
    assert not any("push does not collide with push" in text for text in clauses)
    walkers = conserved.lower(encode(TINY["two walkers"]), sharing=True)
    assert not any("there " in one.why.text for one in walkers.constraints), "two may become one"


@pytest.mark.parametrize("name", TINY)
def test_exclusive_keeps_what_wins(name: str) -> None:
    instance = TINY[name]
    before = conserved.lower(encode(instance))
    after = exclusive.lower(before)
    for plan in plans(instance):
        values = assume(before, plan)
        assert (not broken(before, values)) == (not broken(after, values)), plan


@pytest.mark.parametrize("name", TINY)
def test_an_equation_says_all_that_the_definition_said(name: str) -> None:
    before = conserved.lower(encode(TINY[name]))
    after = exclusive.lower(before)
    replaced = 0
    for definition, equation in zip(before.constraints, after.constraints, strict=True):
        if definition is equation:
            continue
        replaced += 1
        scope = sorted(propagate.scope(before, definition))
        assert scope == sorted(propagate.scope(before, equation))
        for chosen in product(*(before.variables[v].domain for v in scope)):
            values = dict(zip(scope, chosen, strict=True))
            assert not holds(before, equation, values) or holds(before, definition, values)
    assert replaced


@pytest.mark.parametrize("name", TINY)
def test_readable_keeps_what_wins_and_says_what_stands_where(name: str) -> None:
    instance = TINY[name]
    after = readable.lower(encode(instance))
    names = [(variable.name, variable.index) for variable in after.variables]
    assert len(names) == len(set(names))
    for plan in plans(instance):
        verdict = replay(instance, plan)
        values = assume(after, plan)
        assert verdict.won == (not broken(after, values)), plan
        if verdict.won:
            assert disagreements(after, verdict, values) == []


@pytest.mark.parametrize("name", TINY)
def test_readable_names_what_stands_somewhere(name: str) -> None:
    """Whatever is open about a piece is a variable with a piece's name, true where its name says so."""
    after = readable.lower(encode(TINY[name]))
    says: dict[tuple[str, tuple[int, ...]], int] = {}
    spoken_of = set()
    for turn, piece, cell, lit in readable.moving(after):
        says[readable.name_of(piece), (turn, *cell)] = lit
        spoken_of.add(after.atoms[abs(lit)][0])
    pieces = {name for name, _ in says}
    for number in spoken_of:
        variable = after.variables[number]
        if variable.meaning == "design":  # where it stands hangs on nothing but one brick
            continue
        assert variable.name in pieces
        assert says[variable.name, variable.index] == after.number(number, 1)
    assert spoken_of


@pytest.mark.parametrize("name", TINY)
def test_trees_of_levels_hold_exactly_where_plans_win(name: str) -> None:
    instance = TINY[name]
    encoding = readable.lower(encode(instance))
    trees = Trees(encoding, Names())
    model = trees.model(False)
    for plan in plans(instance):
        values = assume(encoding, plan)
        named = {name: values[number] for number, name in trees.called.items()}
        assert kept(model, named) == replay(instance, plan).won, plan


@pytest.mark.parametrize("name", TINY)
def test_booleans_of_levels_hold_exactly_where_plans_win(name: str) -> None:
    instance = TINY[name]
    encoding = integers_to_booleans.lower(encode(instance))
    for plan in plans(instance):
        assert replay(instance, plan).won == (not broken(encoding, assume(encoding, plan))), plan
