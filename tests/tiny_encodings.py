"""Tiny encodings with all their assignments, and tiny levels with all their plans: for trying everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

from hypothesis import strategies as st

from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
    Values,
)
from ggp.encoding.judging import holds
from ggp.encoding.literals import Why
from ggp.encoding.lowering.route import routed
from ggp.errors import Place
from ggp.language import levels
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level, Plan
from ggp.referee.designs import free_cells, placeable
from ggp.solvers import sat

WHY = Why("test")


def tiny(domains: list[tuple[int, ...]]) -> Encoding:
    """An encoding with these variables, all of them decisions; its plans just list the values."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    for index, domain in enumerate(domains):
        variable = encoding.new("v", (index,), domain, "design")
        encoding.decisions[variable] = lambda plan, index=index: int(plan.actions[index])  # type: ignore[misc]
    encoding.decoder = listed(len(domains))
    return encoding


def listed(number: int) -> Callable[[Values], Plan]:
    """Plans that list the values of so many variables."""
    return lambda values: Plan(actions=tuple(str(values[v]) for v in range(number)))


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


def in_booleans(encoding: Encoding) -> Encoding:
    """The encoding as SAT solvers take it, with nothing worked out on the way."""
    return routed(encoding, sat.BACKEND, again=False).encoding


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
    row = st.tuples(*(st.none() | st.integers(-1, 4) for _ in range(2)))
    yield st.builds(Table, two, st.lists(row, min_size=1, max_size=5).map(tuple), st.just(WHY))
    yield st.builds(Element, several, variable, variable, st.just(WHY))
    yield st.builds(Circuit, st.lists(variable, min_size=2, max_size=4, unique=True).map(tuple), st.just(WHY))
    task = st.tuples(variable, st.integers(1, 3), st.integers(1, 3))
    tasks = st.lists(task, min_size=1, max_size=3)
    yield st.builds(
        lambda tasks, most: Cumulative(*zip(*tasks, strict=True), most, WHY), tasks, st.integers(1, 4)
    )
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


def worth(encoding: Encoding, values: Values) -> int:
    """What is to be small, by its definition."""
    total = encoding.offset
    for weight, lit in encoding.minimise:
        variable, value = encoding.atoms[abs(lit)]
        total += weight * ((values[variable] == value) == (lit > 0))
    return total


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
