"""Rewrites that know what stands where, on tiny levels with every plan there is."""

from __future__ import annotations

from itertools import product

import pytest

from ggp.api import solve
from ggp.encoding.constraints import Clause, Sum
from ggp.encoding.debug import assume, broken, disagreements
from ggp.encoding.judging import holds
from ggp.encoding.lowering import conserved, exclusive, readable
from ggp.encoding.occupancy import encode
from ggp.encoding.scopes import scope
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.referee.trajectory import replay
from tests.slow import slow_unless
from tests.tiny_encodings import TINY, in_booleans, plans


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "two crates", TINY))
def test_conserved_keeps_what_wins(name: str) -> None:
    instance = TINY[name]
    before = encode(instance)
    after = conserved.with_numbers(before, sharing=True)
    assert after.variables == before.variables
    won = 0
    for plan in plans(instance):
        values = assume(before, plan)
        wins = replay(instance, plan).won
        assert wins == (not broken(before, values)) == (not broken(after, values)), plan
        won += wins
    assert won or name == "no way"


def test_conserved_says_what_there_is_one_of() -> None:
    after = conserved.with_numbers(encode(TINY["two crates"]))
    said = {one.why.text for one in after.constraints if isinstance(one, Sum)}
    assert said == {"there is always 1 player", "there are always 2 crate"}
    clauses = [one.why.text for one in after.constraints if isinstance(one, Clause)]
    assert not any("push does not collide with push" in text for text in clauses)
    walkers = conserved.with_numbers(encode(TINY["two walkers"]), sharing=True)
    assert not any("there " in one.why.text for one in walkers.constraints), "two may become one"


@pytest.mark.parametrize("name", TINY)
def test_exclusive_keeps_what_wins(name: str) -> None:
    instance = TINY[name]
    before = conserved.with_numbers(encode(instance))
    after = exclusive.lower(before).encoding
    for plan in plans(instance):
        values = assume(before, plan)
        assert (not broken(before, values)) == (not broken(after, values)), plan


@pytest.mark.parametrize("name", TINY)
def test_an_equation_says_all_that_the_definition_said(name: str) -> None:
    before = conserved.with_numbers(encode(TINY[name]))
    after = exclusive.lower(before).encoding
    replaced = 0
    for definition, equation in zip(before.constraints, after.constraints, strict=True):
        if definition is equation:
            continue
        replaced += 1
        spoken = sorted(scope(before, definition))
        assert spoken == sorted(scope(before, equation))
        for chosen in product(*(before.variables[v].domain for v in spoken)):
            values = dict(zip(spoken, chosen, strict=True))
            assert not holds(before, equation, values) or holds(before, definition, values)
    assert replaced


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "two crates", TINY))
def test_readable_keeps_what_wins_and_says_what_stands_where(name: str) -> None:
    instance = TINY[name]
    after = readable.lower(encode(instance)).encoding
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
    after = readable.lower(encode(TINY[name])).encoding
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


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "two crates", TINY))
def test_booleans_of_levels_hold_exactly_where_plans_win(name: str) -> None:
    instance = TINY[name]
    encoding = in_booleans(encode(instance))
    for plan in plans(instance):
        assert replay(instance, plan).won == (not broken(encoding, assume(encoding, plan))), plan


PUSHED_TWICE = """
name = "two"
[kinds]
bug = { layer = "solid" }
rock = { layer = "solid" }
[symbols]
"." = ""
"b" = "bug"
"o" = "rock"
[design]
place = "bug"
free-of = ["bug", "rock"]
limit = 1
[[physics]]
rules = "push toward any: bug here, rock ahead => rock ahead -> ahead.ahead"
[goal]
win = ["count bug >= 2"]
[[level]]
horizon = 1
map = '''
...
bo.
...
'''
"""


@pytest.mark.parametrize("solver", ["cp-sat", "sat", "cbc"])
def test_nothing_is_conserved_after_the_end(solver: str) -> None:
    """Two bugs have won before they push one rock two ways, and nobody minds that there are two then."""
    game, (level,) = read_game(PUSHED_TWICE.encode(), "two.toml")
    assert solve(Instance(game, level), solver, "count").count == 7
