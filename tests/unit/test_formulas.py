"""Formulas are written as shortly as it goes, and say the same: judged by all that their variables can be."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import ggp
from ggp.encoding.cases import Cases
from ggp.encoding.constraints import Clause, Encoding, Iff
from ggp.encoding.formula import And, Formula, Or, negate
from ggp.encoding.judging import true
from ggp.encoding.literals import Why
from ggp.encoding.occupancy import Unroller
from ggp.encoding.spreading import Spread, with_spreads
from ggp.encoding.symbolic import Formulas
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.transition.compiler import compile_instance
from ggp.transition.scanned import in_passes
from tests.puzzlescript_games import instance
from tests.unit.test_unroll import SLIDING

LEAVES = 5
EVERY = list(product((0, 1), repeat=LEAVES))


def table(encoding: Encoding, formula: Formula) -> list[bool]:
    """Is the formula true, for all values of the first variables? The others follow as they are defined."""
    told = []
    for chosen in EVERY:
        values = dict(enumerate(chosen))
        for one in encoding.constraints:
            assert isinstance(one, Iff)
            held = (true(encoding, lit, values) for lit in one.lits)
            values[encoding.atoms[one.lit][0]] = int(all(held) if one.op == "and" else any(held))
        if isinstance(formula, bool):
            told.append(formula)
        elif isinstance(formula, int):
            told.append(true(encoding, formula, values))
        else:
            held = (true(encoding, lit, values) for lit in formula.lits)
            told.append(all(held) if isinstance(formula, And) else any(held))
    return told


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_told_as_one_by_one(seed: int) -> None:
    """Of constants, opposites, what is twice there and literals that stand for others, too."""
    rng, made = Random(seed), []
    groups: list[list[Formula]] = []
    for together in (False, True):
        encoding = Encoding(levels.load("sokoban/first"), 0)
        algebra = Formulas(encoding, compile_instance(encoding.instance))
        atoms = [encoding.number(encoding.new("v", (number,), (0, 1)), 1) for number in range(LEAVES)]
        several = algebra.literal(algebra.conj(atoms[0], atoms[1]))
        assert isinstance(several, int)
        lits = [*atoms, *([several] if seed % 2 else [])]
        choices: list[Formula] = [False, *lits, *map(negate, lits), *([True] if seed % 3 == 0 else [])]
        groups = groups or [rng.choices(choices, k=rng.randint(1, 4)) for _ in range(12)]
        if together:
            algebra.require_one_of_each(groups, Why("some"))
        else:
            for group in groups:
                algebra.require_one(group, Why("some"))
        made.append([one for one in encoding.constraints if isinstance(one, Clause)])
    assert made[0] == made[1] and made[0]


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_the_rest_is_left_out(seed: int) -> None:
    rng = Random(seed)
    encoding = Encoding(levels.load("sokoban/first"), 0)
    algebra = Formulas(encoding, compile_instance(encoding.instance))
    known: list[tuple[Formula, list[bool]]] = []
    for number in range(LEAVES):
        lit = encoding.number(encoding.new("v", (number,), (0, 1)), 1)
        known.append((lit, [bool(chosen[number]) for chosen in EVERY]))
    for step in range(40):
        (one, first), (two, second) = rng.sample(known, 2)
        if rng.random() < 0.5:
            one, first = negate(one), [not value for value in first]
        if rng.random() < 0.5:
            made, meant = algebra.conj(one, two), [a and b for a, b in zip(first, second, strict=True)]
        else:
            made, meant = algebra.disj(one, two), [a or b for a, b in zip(first, second, strict=True)]
        if step == 20:
            algebra.begin(1, False)  # of a turn before it is not known any more what literals stand for
        if not isinstance(made, bool):
            assert algebra.possible(made) or not any(meant)
            made = algebra.literal(made)
        assert table(encoding, made) == meant
        known.append((made, meant))
    assert len(encoding.constraints) < 40, "nothing was left out"


@pytest.mark.parametrize("seed", range(20))
def test_what_is_alike_in_all_cases_is_the_same(seed: int) -> None:
    """Formulas are told apart by the cases there are; of what is said of some, the others do not count."""
    rng = Random(seed)
    encoding = Encoding(levels.load("sokoban/first"), 0)
    algebra = Formulas(encoding, compile_instance(encoding.instance))
    leaves = [encoding.number(encoding.new("v", (number,), (0, 1)), 1) for number in range(LEAVES)]
    there = rng.sample(EVERY, 9)
    held = {leaf: sum(case[at] << n for n, case in enumerate(there)) for at, leaf in enumerate(leaves)}
    algebra.cases = Cases(len(there), held)
    places = [EVERY.index(case) for case in there]

    def random(times: int, known: list[tuple[Formula, list[bool]]], some: list[int]) -> None:
        for _ in range(times):
            (one, first), (two, second) = rng.sample(known, 2)
            if rng.random() < 0.5:
                one, first = negate(one), [not value for value in first]
            join, word = rng.choice([(algebra.conj, all), (algebra.disj, any)])
            made, meant = join(one, two), [word(pair) for pair in zip(first, second, strict=True)]
            made = made if isinstance(made, bool) else algebra.literal(made)
            told = table(encoding, made)
            assert [told[place] for place in some] == [meant[place] for place in some]
            assert algebra.possible(made) == any(meant[place] for place in some)
            known.append((made, told))

    known: list[tuple[Formula, list[bool]]] = [(leaf, table(encoding, leaf)) for leaf in leaves]
    random(20, known, places)
    chosen, when = known[rng.randrange(LEAVES)]
    mine = [place for place in places if when[place]]
    inner = list(known)
    with algebra.only(chosen):
        if mine:
            random(20, inner, mine)
        said = algebra.always(inner[-1][0], negate(chosen))
    expected = [not there or value for there, value in zip(when, inner[-1][1], strict=True)]
    told = table(encoding, said)
    assert [told[place] for place in places] == [expected[place] for place in places]
    random(10, known, places)
    assert len(encoding.constraints) < 2 ** len(there)


# Crates in a row push one another, in a loop, and a mark goes as soon as one lies on a plate elsewhere.
RULES = """[ > Player | Crate ] -> [ > Player | > Crate ]
+ [ > Crate | Crate ] -> [ > Crate | > Crate ]
late [ Crate Target ] [ Mark ] -> [ Crate Target ] [ ]
late [ Mark | Crate ] [ Ball ] -> [ Mark | ] [ ]"""


@pytest.mark.parametrize("board", ["p**.o/...#m", "m.b./.**o/p..."])
def test_inputs_apart_and_what_is_heard_everywhere_change_no_plan(board: str) -> None:
    """As many plans as search finds by the same passes, which it makes one by one."""
    one = in_passes(instance(RULES, board, wins="no Mark"))
    unroller = Unroller(one, compile_instance(one), Encoding(one, 4), lambda: None)
    assert unroller.first, "turns are written for each input"
    assert any(isinstance(step, Spread) for step in with_spreads(unroller.rest, unroller.transition))
    counts = [ggp.solve(one, solver, "count", horizon=4).count for solver in ("sat", "search")]
    assert counts[0] == counts[1] > 0


def test_what_one_input_may_not_do_others_may() -> None:
    """To the left it would slide further than the loop goes; that turn is no turn, and the others are."""
    text = SLIDING.replace("BOUND", "1").replace("HORIZON", "horizon = 2")
    game, (level,) = read_game(text.replace("@..\n...\n..E", "..@.#\n###E#\n#####").encode(), "sliding.toml")
    for solver in ("sat", "cp-sat"):
        result = ggp.solve(Instance(game, level), solver, "all")
        assert [plan.actions for plan in result.plans] == [("right", "down")]


def test_a_clause_leaves_out_what_is_said_by_another_literal() -> None:
    """Where literals say nothing of one another it is written as it is; others are thought about."""
    encoding = Encoding(levels.load("sokoban/first"), 0)
    algebra = Formulas(encoding, compile_instance(encoding.instance))
    a, b = (encoding.number(encoding.new("v", (number,), (0, 1)), 1) for number in range(2))
    x = encoding.new("x", (), (1, 2, 3))
    one, two = (encoding.number(x, value) for value in (1, 2))
    why = Why("test")
    for clause in ([a, -a], [-one, -two], [True, b], [Or(frozenset({a, b})), -a]):
        algebra.require_one(clause, why)
    assert not encoding.constraints, "these hold anyway"
    both = algebra.literal(algebra.conj(a, b))
    written = len(encoding.constraints)
    for clause, expected in (([b, False, -a], (-a, b)), ([a, both], (a,)), ([False], ())):
        algebra.require_one(clause, why)
        assert encoding.constraints[-1] == Clause(expected, why)
    assert len(encoding.constraints) == written + 3
