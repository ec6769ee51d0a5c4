"""Certificates of variants of the games that move, of different kinds: one that is lost is seen.

`ggp bench variants` makes them all, which takes an hour; here are some that do not take long.
"""

from __future__ import annotations

from importlib import resources

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
TOLD = {"rollouts": 200, "first_seed": 0}


@pytest.mark.parametrize("name", slow_unless(["left-climb"], CERTIFIED))
def test_a_variant_is_certified_as_before(name: str) -> None:
    with resources.as_file(resources.files("ggp.bench") / "worlds" / "variants" / f"{name}.toml") as file:
        assert certified(file, TOLD) == {"said": CERTIFIED[name]}
