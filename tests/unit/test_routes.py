"""Lowerings from the registry, and routes to solvers: each way there and back, by trying everything."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp import registry
from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Clause,
    Distances,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Values,
)
from ggp.encoding.debug import assume
from ggp.encoding.literals import Why
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Lowering, is_uneven, kinds_of, never
from ggp.encoding.lowering.route import Backend, Step, lowered, lowerings, route, routed
from ggp.encoding.occupancy import encode
from ggp.errors import Place, UnsupportedFeature
from ggp.language import levels
from ggp.referee.trajectory import replay
from ggp.tasks.oracle import has_backend
from tests.slow import examples, one_in
from tests.tiny_encodings import TINY, WHY, assignments, encodings, plans, tiny
from tests.ways import faults, first_line, keeps, source_for, there_and_back

BACKENDS = [name for name in registry.SOLVERS if has_backend(name)]
DIFFERENT = ["cp-sat", "cbc", "sat", "ace", "choco", "flatzinc", "cpmpy"]  # of those that take the same, one
SMALL = [  # a level for each kind of constraint, and some that move
    "akari/5x5",
    "fillomino/tiny",
    "hitori/small",
    "kakuro/small",
    "knights-tour/small",
    "lemmings/seed",
    "magic-square/small",
    "nonogram/5x5",
    "nurikabe/small",
    "slitherlink/tiny",
    "sudoku/paper-4x4",
    "takuzu/small",
]


def backend_of(solver: str) -> Backend:
    backend: Backend = registry.load("solver", solver).BACKEND
    return backend


@st.composite
def with_parts(draw: st.DrawFn) -> Encoding:
    """As `encodings`, with parts that are defined and no part of a plan; some of them nothing speaks of."""
    encoding = draw(encodings(whole=True))
    lits = [
        lit * sign
        for v, one in enumerate(encoding.variables)
        for value in one.domain
        for sign in (1, -1)
        if not isinstance(lit := encoding.atom(v, value), bool)
    ]
    made: list[Any] = []
    for part in range(draw(st.integers(0, 2))):
        lit = encoding.number(encoding.new("aux", (part,), (0, 1)), 1)
        parts = draw(st.lists(st.sampled_from(lits), min_size=1, max_size=3).map(tuple))
        made.append(Iff(lit, draw(st.sampled_from(["and", "or"])), parts, WHY))
        lits += [lit, -lit]
        if draw(st.booleans()):
            made.append(Clause((draw(st.sampled_from([lit, -lit])), draw(st.sampled_from(lits))), WHY))
    encoding.constraints = [*made, *encoding.constraints]
    return encoding


@pytest.mark.parametrize("name", registry.LOWERINGS)
@settings(deadline=None, max_examples=examples(20))
@given(encoding=with_parts())
def test_a_lowering_leads_there_and_back(name: str, encoding: Encoding) -> None:
    lowering = lowerings()[name]
    for source in (source_for(lowering, encoding), source_for(lowering, propagated(encoding))):
        assert list(faults(source, lowering)) == []


def test_propagation_says_that_it_leaves_what_is_uneven() -> None:
    """What one clause takes from a domain, no automaton's and no all-different's other domains lose."""
    encoding = tiny([(1, 2, 3)] * 3)
    word = Automaton(((0, 1, 0), (0, 2, 0), (0, 3, 0)), (0,))
    encoding.constraints = [Regular((0, 1, 2), word, WHY), AllDifferent((0, 1, 2), WHY)]
    encoding.constraints.append(Clause((-cast(int, encoding.atom(0, 3)),), WHY))
    assert kinds_of(encoding) == {"regular", "all-different", "clause", "integers"}
    done = lowerings()["propagation"]
    assert (
        {"uneven-regular", "uneven-all-different"}
        <= kinds_of(done.lower(encoding).encoding)
        <= done.LEAVES | {"integers"}
    )


def test_propagation_says_that_what_was_uneven_may_be_plain() -> None:
    """Of three for three values one is certain: the two that are left have the same."""
    encoding = tiny([(0, 1), (0, 1), (2,)])
    encoding.constraints = [AllDifferent((0, 1, 2), WHY)]
    assert kinds_of(encoding) == {"uneven-all-different", "integers"}
    assert list(faults(encoding, lowerings()["propagation"])) == []


@pytest.mark.parametrize("level", one_in(4, TINY))
@pytest.mark.parametrize("name", registry.LOWERINGS)
def test_a_lowering_leads_there_and_back_on_levels(name: str, level: str) -> None:
    """Where something moves: each plan that there could be, put into the encoding."""
    lowering, instance = lowerings()[name], TINY[level]
    source = encode(instance)
    every = [assume(source, plan) for plan in plans(instance)]
    fit = [values for values in every if in_domains(source, values)]
    wins = sum(replay(instance, plan).won for plan in plans(instance))
    assert sum(keeps(source, values) for values in fit) == wins
    assert list(faults(source, lowering, fit)) == []


def in_domains(encoding: Encoding, values: Values) -> bool:
    """Is there a value of its own for each variable? A plan that is too short has none for some inputs."""
    return all(values[v] in one.domain for v, one in enumerate(encoding.variables))


@pytest.mark.parametrize("solver", DIFFERENT)
@settings(deadline=None, max_examples=examples(10))
@given(encoding=with_parts())
def test_a_solver_gets_what_holds_exactly_where_the_encoding_does(solver: str, encoding: Encoding) -> None:
    backend = backend_of(solver)
    done = lowered(encoding, backend)
    assert kinds_of(done.encoding) <= backend.takes
    for values in assignments(encoding):
        breaks = first_line(backend, done, values)
        assert (breaks is None) == keeps(encoding, values), f"{values}: {breaks}"


@pytest.mark.parametrize("level", SMALL)
@pytest.mark.parametrize("solver", DIFFERENT)
def test_known_plans_go_into_what_solvers_get(solver: str, level: str) -> None:
    instance, backend = levels.load(level), backend_of(solver)
    source = encode(instance)
    done = lowered(source, backend)
    assert kinds_of(done.encoding) <= backend.takes
    for plan in instance.level.known.wins:
        values = assume(source, plan)
        assert first_line(backend, done, values) is None
        there = done.forward(values)
        assert done.encoding.decode(there) == source.decode(values)
        assert keeps(source, done.back(there))


@pytest.mark.parametrize("solver", BACKENDS)
def test_solvers_that_are_not_tried_take_what_another_takes(solver: str) -> None:
    assert backend_of(solver) in [backend_of(name) for name in DIFFERENT]


@pytest.mark.parametrize("solver", BACKENDS)
def test_all_kinds_lead_to_every_solver(solver: str) -> None:
    takes = backend_of(solver).takes
    assert route(EVERY, takes) is not None
    assert all(route(frozenset({kind}), takes) is not None for kind in EVERY)


# --- the search for a route


def made_up(takes: set[str], leaves: set[str], beside: Kinds = EVERY) -> Lowering:
    """A lowering that only declares something."""
    made = SimpleNamespace(TAKES=takes, LEAVES=leaves, BESIDE=beside, AGAIN=False)
    return cast(Lowering, made)


def test_the_shortest_route_is_taken_and_of_several_the_first() -> None:
    known = {
        "long": made_up({"circuit"}, {"regular"}),
        "longer": made_up({"regular"}, {"sum"}),
        "late": made_up({"circuit"}, {"sum"}),
        "later": made_up({"circuit"}, {"sum"}),
    }
    kinds, takes = cast(Kinds, frozenset({"circuit", "sum"})), cast(Kinds, frozenset({"sum"}))
    assert route(kinds, takes, known) == (Step("late", frozenset({"circuit"})),)
    del known["late"], known["later"]
    assert [step.name for step in route(kinds, takes, known) or ()] == ["long", "longer"]
    assert route(takes, takes, known) == ()


def test_a_lowering_waits_until_only_what_it_can_stand_beside_is_left() -> None:
    known = {
        "picky": made_up({"integers"}, {"clause"}, cast(Kinds, frozenset({"clause"}))),
        "easy": made_up({"circuit"}, {"clause"}),
    }
    kinds = cast(Kinds, frozenset({"circuit", "integers"}))
    steps = route(kinds, cast(Kinds, frozenset({"clause"})), known)
    assert [step.name for step in steps or ()] == ["easy", "picky"]


def test_what_is_taken_anyway_goes_where_nothing_else_helps() -> None:
    """A lowering that stands beside sums only: all-different must go although the solver would take it."""
    known = {
        "sums": made_up({"linear", "all-different"}, {"sum"}),
        "picky": made_up({"integers"}, {"sum"}, cast(Kinds, frozenset({"sum"}))),
    }
    kinds = cast(Kinds, frozenset({"all-different", "integers", "linear"}))
    steps = route(kinds, cast(Kinds, frozenset({"sum", "all-different"})), known)
    assert steps == (
        Step("sums", frozenset({"all-different", "linear"})),
        Step("picky", frozenset({"integers"})),
    )


def test_only_what_the_solver_lacks_is_taken_out() -> None:
    encoding = tiny([(0, 1, 2)] * 3)
    encoding.constraints = [Linear(((1, 0), (1, 1), (1, 2)), "<=", 4, WHY), AllDifferent((0, 1, 2), WHY)]
    done = routed(encoding, Backend("constraint", EVERY - {"linear"}))
    assert done.steps == ("globals-to-simple", "propagation")
    assert [type(one) for one in done.encoding.constraints] == [Sum, AllDifferent]


def test_a_kind_without_a_way_is_named_with_its_place() -> None:
    encoding = tiny([(0, 1), (0, 1)])
    encoding.constraints = [
        Sum(((1, encoding.number(0, 1)),), "<=", 1, Why("so many", place=Place("a.toml", 7)))
    ]
    with pytest.raises(UnsupportedFeature) as caught:
        routed(encoding, Backend("clause", frozenset({"clause"})))
    (finding,) = caught.value.findings
    assert "from sum, which says: so many" in finding.message and finding.place == Place("a.toml", 7)


# --- faults that are planted

HOW = ["drops a constraint", "says too much", "wrong way forward", "wrong way back"]


def sample() -> Encoding:
    """Two variables that differ, and one value that one of them has not."""
    encoding = tiny([(1, 2, 3)] * 2)
    encoding.constraints = [AllDifferent((0, 1), WHY), Clause((-encoding.number(0, 1),), WHY)]
    return encoding


def spoilt(name: str, how: str) -> Lowering:
    """A registered lowering with a fault."""
    whole = lowerings()[name]

    def lower(encoding: Encoding) -> Lowered:
        done = whole.lower(encoding, never, whole.TAKES)
        dropped = replace(done.encoding, constraints=done.encoding.constraints[:-1])
        extra = Clause((done.encoding.number(0, 1),), WHY)
        added = replace(done.encoding, constraints=[*done.encoding.constraints, extra])

        def shifted(values: Values) -> Values:
            return {**values, 0: next(v for v in done.encoding.variables[0].domain if v != values[0])}

        def other(values: Values) -> Values:
            found = done.back(values)
            return {**found, 0: found[1], 1: found[0]}

        return {
            "none": done,
            "drops a constraint": replace(done, encoding=dropped),
            "says too much": replace(done, encoding=added),
            "wrong way forward": replace(done, forward=lambda values: shifted(done.forward(values))),
            "wrong way back": replace(done, back=other),
        }[how]

    made = SimpleNamespace(TAKES=whole.TAKES, LEAVES=whole.LEAVES, BESIDE=whole.BESIDE, lower=lower)
    return cast(Lowering, made)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["different-to-linear", "integers-to-booleans"])
def test_a_fault_is_found(name: str, how: str) -> None:
    source = sample()
    if name == "integers-to-booleans":
        number = source.number
        source.constraints = [Clause((-number(0, 2), -number(1, 2)), WHY), Clause((-number(0, 1),), WHY)]
    assert list(faults(source, spoilt(name, "none"))) == []
    assert list(faults(source, spoilt(name, how)))


def test_kinds_that_are_left_and_not_declared_are_found() -> None:
    whole = lowerings()["different-to-linear"]
    silent = SimpleNamespace(**{key: getattr(whole, key) for key in ("TAKES", "BESIDE", "AGAIN", "lower")})
    silent.LEAVES = frozenset()
    assert "it leaves ['sum']" in list(faults(sample(), cast(Lowering, silent)))


def test_what_nothing_speaks_of_any_more_is_worked_out_again_on_the_way_back() -> None:
    """A part that only says what it is: propagation leaves its definition out."""
    encoding = tiny([(0, 1), (0, 1)])
    part = encoding.number(encoding.new("aux", (0,), (0, 1)), 1)
    encoding.constraints = [Iff(part, "or", (encoding.number(0, 1), encoding.number(1, 1)), WHY)]
    done = lowerings()["propagation"].lower(encoding)
    assert done.encoding.constraints == [] and done.encoding.idle == {2: 0}
    assert [done.back({0: a, 1: b, 2: 0})[2] for a, b in ((0, 0), (0, 1), (1, 0))] == [0, 1, 1]


@pytest.mark.parametrize("ranges", [(0, 1), (0, 1, 2)])
def test_distances_of_which_nothing_else_speaks_are_said_by_layers(ranges: tuple[int, ...]) -> None:
    """Their variables are settled then; the way back has what they must be, and wrong ones are refused."""
    encoding = tiny([(0, 1)] * 3)
    inside = tuple(encoding.number(v, 1) for v in range(3))
    far = tuple(encoding.new("far", (v,), ranges) for v in range(3))
    links = (0, 1, True), (1, 2, True)
    encoding.constraints = [Distances(far, inside, (True, False, False), links, WHY)]
    lowering = lowerings()["globals-to-simple"]
    assert set(far) <= lowering.lower(encoding).encoding.fixed.keys()
    assert list(faults(encoding, lowering)) == []


def uneven_ones() -> list[Encoding]:
    """An all-different, and words, over variables with different values."""
    different = tiny([(1, 2, 3), (1, 2), (2, 3)])
    different.constraints = [AllDifferent((0, 1, 2), WHY)]
    words = tiny([(0, 1), (0, 1, 2), (1, 2)])
    automaton = Automaton(((0, 0, 0), (0, 1, 1), (1, 2, 1), (1, 1, 1)), (1,))
    words.constraints = [Regular((0, 1, 2), automaton, WHY)]
    return [different, words]


@pytest.mark.parametrize("solver", ["ace", "xcsp"])  # which may be ACE
def test_what_is_uneven_becomes_even_for_ace(solver: str) -> None:
    lowering = lowerings()["uneven"]
    for encoding in uneven_ones():
        assert kinds_of(encoding) & lowering.TAKES
        done = routed(encoding, backend_of(solver))
        assert done.steps == ("uneven",) and not kinds_of(done.encoding) & lowering.TAKES
        assert list(faults(encoding, lowering)) == []


@pytest.mark.parametrize("name", registry.LOWERINGS)
def test_what_contradicts_a_definition_breaks_something(name: str) -> None:
    """A run that wins, with one variable turned round that the plan does not decide."""
    lowering, instance = lowerings()[name], TINY["one crate"]
    source = encode(instance)
    values = next(v for v in map(partial(assume, source), plans(instance)) if keeps(source, v))
    done = lowering.lower(source)
    own = source.decisions.keys()
    derived = [v for v, one in enumerate(source.variables) if one.domain == (0, 1) and v not in own]
    assert len(derived) > 10
    for v in derived:
        assert list(there_and_back(source, done, {**values, v: 1 - values[v]})) == []


@pytest.mark.parametrize(
    ("domains", "uneven"),
    [
        ([(1, 3), (1, 2, 3), (1, 3)], True),
        ([(1, 2, 3, 4), (1, 2), (1, 2, 3), (1, 4)], True),
        ([(1, 2, 3), (1, 2, 3), (1, 2, 3)], False),  # each can have each value
        ([(1, 2), (1, 2, 3), (1, 4)], False),  # there are more values than variables
        ([(1,), (1, 2)], False),  # two
    ],
)
def test_what_is_uneven(domains: list[tuple[int, ...]], uneven: bool) -> None:
    encoding = tiny(domains)
    assert is_uneven(encoding, AllDifferent(tuple(range(len(domains))), WHY)) is uneven
