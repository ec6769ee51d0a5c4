"""Certificates of variants of the games that move, of different kinds: one that is lost is seen.

`ggp bench variants` makes them all, which takes an hour; here are some that do not take long.
"""

from __future__ import annotations

from importlib import resources
from itertools import product

import pytest

from ggp.bench.variants import certified
from tests.slow import slow_unless

CERTIFIED = {  # name: what its certificate says
    "left-climb": "exact",  # lemmings that climb
    "keys": "exact",  # things that are taken, and doors
    "fish": "exact but for bounds",  # a slide
    "falling": "exact",  # what goes on after each move, and is one pass with what the player eats
    "two-pegs": "exact",  # picks
    "dim": "exact",  # lamps of three states
}
FEW, MANY = ({"rollouts": number, "first_seed": 0} for number in (30, 200))
CASES = [("dim", FEW), *product(CERTIFIED, [MANY])]


@pytest.mark.parametrize(("name", "told"), slow_unless(CASES[:1], CASES))
def test_a_variant_is_certified_as_before(name: str, told: dict[str, int]) -> None:
    with resources.as_file(resources.files("ggp.bench") / "worlds" / "variants" / f"{name}.toml") as file:
        assert certified(file, told) == {"said": CERTIFIED[name]}
