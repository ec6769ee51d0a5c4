"""Every kind of constraint of XCSP3-core: solvers list what plain Python says of small random files."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from ggp import registry
from ggp.engines.instances import xcsp3
from ggp.engines.instances.encoding import assignment
from ggp.engines.instances.xcsp.encoding import KINDS, encoding_of
from ggp.errors import DescriptionError, PuzzleError
from ggp.model import Objective
from ggp.model.result import Clock, Query
from tests.slow import SLOW
from tests.unit.xcsp import places, sums
from tests.unit.xcsp.meanings import Case, Values

HEAD = """<instance format="XCSP3" type="CSP"><variables><array id="x" size="[4]"> {values} </array>
<array id="b" size="[3]"> 0 1 </array><array id="y" size="[2]"> 0..2 </array></variables><constraints>
{said}{rest}</constraints></instance>"""
REST = "<instantiation><list> {name}[] </list><values> 0x{count} </values></instantiation>"


def cases(rng: random.Random) -> dict[str, list[Case]]:
    """Instances of all kinds."""
    return {**sums.cases(rng), **places.cases(rng)}


def instance(said: str, rng: random.Random) -> tuple[str, list[list[int]]]:
    """A file, and the domains of its variables; `b` and `y` are 0 where nothing is said of them."""
    values = sorted(rng.sample(range(-1, 4), 4)) if rng.random() < 0.5 else [0, 1, 2, 3]
    domains, rest = [values] * 4, ""
    for name, count, domain in (("b", 3, [0, 1]), ("y", 2, [0, 1, 2])):
        named = f"{name}[" in said
        domains += [domain if named else [0]] * count
        rest += "" if named else REST.format(name=name, count=count)
    return HEAD.format(values=" ".join(map(str, values)), said=said, rest=rest), domains


def expected(said: str, judge: Callable[[Values], bool], domains: list[list[int]]) -> set[tuple[int, ...]]:
    """All solutions; what is said of all `x` is asked of these alone."""
    asked = 9 if "b[" in said or "y[" in said else 4
    return {values for values in product(*domains) if judge(list(values[:asked]))}


def solutions(solver: str, text: str) -> list[tuple[int, ...]]:
    """What a solver lists of a file."""
    encoding = encoding_of(xcsp3.read(text, "a.xml"))
    query = Query("all", None, None, Clock(60), given=encoding)
    return [
        tuple(assignment(plan)) for plan in registry.load("solver", solver).solve(encoding.instance, query)
    ]


def hold(solver: str, kind: str, seed: int) -> None:
    """A solver lists all solutions of the instances of a kind, each once, and no others."""
    rng = random.Random(seed)
    for said, judge in cases(rng)[kind]:
        text, domains = instance(said, rng)
        found = solutions(solver, text)
        assert len(set(found)) == len(found), said
        assert set(found) == expected(said, judge, domains), said


@pytest.mark.parametrize("kind", cases(random.Random(0)))
def test_a_kind_of_constraint_says_what_it_means(kind: str) -> None:
    hold("cp-sat", kind, 0)


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=SLOW) for kind in cases(random.Random(0))])
def test_it_does_for_others_and_on_more(kind: str) -> None:
    for seed in range(1, 4):
        hold("cp-sat", kind, seed)
        hold("sat", kind, seed)


def test_every_kind_is_tried() -> None:
    assert {*KINDS} <= {*cases(random.Random(0))}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("<allDifferent> x[] z </allDifferent>", "'z' is no variable"),
        ("<allDifferent> x[5] </allDifferent>", "not in the array x"),
        ('<allDifferent violable="true"> x[] </allDifferent>', "violable=... of <allDifferent>"),
        ("<sum> x[] <list> x[] </list><condition> (le,3) </condition></sum>", "text stands beside"),
        ("<sum><list> x[] </list><condition> (near,3) </condition></sum>", "compares nothing"),
        ("<sum><list> x[] </list><coeffs> 1 2 </coeffs><condition> (le,3) </condition></sum>", "2 parts"),
        ("<extension><list> x[0..1] </list><supports> (1,2,3) </supports></extension>", "3 parts, and 2"),
        ("<extension><list> x[0] </list><supports> (red) </supports></extension>", "'red' is no value"),
        ("<intension> eq(x[0],div(3,x[1])) </intension>", "divides by may be 0"),
        ("<intension> eq(x[0],union(x[1],x[2])) </intension>", "no operator `union`"),
        ("<intension> eq(x[0],x[1] </intension>", "do not match"),
        (f"<intension> {'not(' * 250}x[0]{')' * 250} </intension>", "nested more than 200"),
        ("<group><allDifferent> %0 %2 </allDifferent><args> x[0] x[1] </args></group>", "no argument %2"),
        (
            "<sum><list> x[] </list><coeffs> 9x9999999 </coeffs><condition> (le,3) </condition></sum>",
            "no whole",
        ),
        (
            "<maximum><list> x[] </list><index> x[0] </index><condition> (le,3) </condition></maximum>",
            "<index>",
        ),
        (
            '<cardinality closed="true"><list> x[] </list><values> 0 </values><occurs> 2 </occurs>'
            "</cardinality>",
            "closed=... of <cardinality>",
        ),
        (
            '<precedence covered="true"><list> x[] </list><values> 0 1 </values></precedence>',
            "covered=... of <precedence>",
        ),
        ("<intension> or(y[0],b[0]) </intension>", "may be more than 1 stands for what holds"),
        (
            "<binPacking><list> x[0..1] </list><sizes> 1 2 </sizes><condition> (ge,1) </condition>"
            "</binPacking>",
            "the condition is `ge`",
        ),
        (
            "<knapsack><list> b[] </list><weights> 1 2 3 </weights><profits> 1 2 3 </profits>"
            "<condition> (le,3) </condition><condition> (ge,1) </condition></knapsack>",
            "each have a condition after them",
        ),
        (
            "<intension> or(b[0],gt(add(mul(x[0],9999999999999999),x[1]),5)) </intension>",
            "come to more than",
        ),
    ],
)
def test_what_is_not_understood_is_refused(said: str, message: str) -> None:
    text, _ = instance(said, random.Random(0))
    with pytest.raises((DescriptionError, PuzzleError)) as caught:
        encoding_of(xcsp3.read(text, "a.xml"))
    assert any(message in str(finding) for finding in caught.value.findings)


def refusal(variables: str, said: str, goals: str = "") -> str:
    """What is said of a file that is refused."""
    kind = "COP" if goals else "CSP"
    text = f"""<instance format="XCSP3" type="{kind}"><variables> {variables} </variables>
    <constraints> {said} </constraints>{goals}</instance>"""
    with pytest.raises((DescriptionError, PuzzleError)) as caught:
        encoding_of(xcsp3.read(text, "a.xml"))
    return str(caught.value.findings)


@pytest.mark.parametrize(
    "said",
    [
        "<element><list> h[0][] </list><index> i </index><value> 1 </value></element>",
        "<element><matrix> h[][] </matrix><index> i i </index><value> 1 </value></element>",
        "<group><intension> lt(%0,%1) </intension><args> h[1][] h[0][1] </args></group>",
    ],
)
def test_a_cell_that_is_not_declared_shifts_no_others(said: str) -> None:
    holes = '<array id="h" size="[2][3]"><domain for="h[][1..2]"> 0..2 </domain></array>'
    assert "[0], which is not declared" in refusal(holes + '<var id="i"> 0..2 </var>', said)


def test_boxes_stand_in_an_array_of_two_dimensions() -> None:
    text = """<instance format="XCSP3" type="CSP"><variables><array id="o" size="[2][2]"> 0..2 </array>
    </variables><constraints><noOverlap><origins> o[][] </origins><lengths> (1,1)(2,1) </lengths></noOverlap>
    </constraints></instance>"""
    apart = [v for v in product(range(3), repeat=4) if v[1] != v[3] or v[0] < v[2] or v[0] >= v[2] + 2]
    assert sorted(solutions("cp-sat", text)) == apart


def test_what_is_too_much_is_refused_at_once() -> None:
    assert "all domains have more than" in refusal('<array id="h" size="[99999]"> 1..9999 </array>', "")
    goal = "<maximize> mul(x,999999999999999999) </maximize>"
    goals = f"<objectives> {goal} </objectives>"
    assert "come to more than" in refusal('<var id="x"> 0..9 </var>', "", goals)


@pytest.mark.parametrize(
    ("goal", "value"),
    [
        ("<minimize> sub(x[0],mul(2,x[1])) </minimize>", -6),
        ("<maximize> x[2] </maximize>", 3),
        ('<minimize type="sum"><list> x[] eq(x[0],x[1]) </list><coeffs> 1 2 3 4 5 </coeffs></minimize>', 10),
        ('<maximize type="minimum"><list> x[0..1] </list></maximize>', 2),
        ('<minimize type="maximum"><list> x[0..1] </list></minimize>', 1),
        ('<minimize type="nValues"><list> x[] y[0] </list></minimize>', 4),
        ('<maximize type="product"><list> x[0..1] </list></maximize>', 6),
    ],
)
def test_what_is_best_is_worth_what_it_says(goal: str, value: int) -> None:
    text = HEAD.format(values="0..3", said="<allDifferent> x[] </allDifferent>", rest="")
    goals = f"</constraints><objectives> {goal} </objectives>"
    file = xcsp3.read(text.replace("</constraints>", goals).replace('"CSP"', '"COP"'), "a.xml")
    encoding = encoding_of(file)
    objective = Objective("cost", "placements")
    asked = registry.load("solver", "cp-sat").solve(
        encoding.instance, Query("best", objective, None, Clock(60), given=encoding)
    )
    while True:
        try:
            next(asked)
        except StopIteration as end:
            assert end.value.stop == "optimal" and file.sign * end.value.bound == value
            return
