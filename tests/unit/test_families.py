"""Families of levels that are made by size, and the search that fills boards region by region."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from ggp.errors import DescriptionError, UnknownName
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.search.regionwise import matching
from ggp.tasks.solving import Run

FAMILY = """
name = "family"
[kinds]
digit = {{ layer = "digit", values = [1, "width"] }}
[symbols]
"." = ""
[design]
place = "digit"
free-of = ["digit"]
fill = true
[goal]
when = "horizon"
win = ["different digit in rows, columns", "sum digit in rows = total"]
[family]
{family}
"""
GOOD = "sizes = [2, 9]\n[family.numbers]\ntotal = { powers = [0, 1, 1], over = 2 }"


def test_a_member_has_its_size_and_its_numbers() -> None:
    instance = levels.load("magic-square/5")
    assert (len(instance.level.board), len(instance.level.board[0])) == (5, 5)
    assert dict(instance.level.numbers) == {"total": 65}
    assert instance.name == "magic-square/5"


@pytest.mark.parametrize("name", ["queens/3", "queens/100000", "queens/08", "queens/0", "sudoku/9"])
def test_what_is_no_member(name: str) -> None:
    with pytest.raises(UnknownName):
        levels.load(name)


def test_a_family_reads_back_as_it_is_written() -> None:
    game, _ = read_game(FAMILY.format(family=GOOD).encode(), "family.toml")
    assert game.family is not None and game.family.numbers == (("total", (0, 1, 1), 2),)
    assert read_game(write_game(game).encode(), "again.toml")[0] == game


@pytest.mark.parametrize(
    ("family", "message"),
    [
        ("sizes = [9, 2]", "no sizes from 9 to 2"),
        ("sizes = 9", "smallest and the largest"),
        ("sizes = [1, 1000000]", "no sizes"),
        (GOOD.replace("2 }", "0 }"), "`over` is 0"),
        (GOOD.replace("[0, 1, 1]", "1.5"), "list of whole numbers"),
        ("sizes = [2, 9]\nsize = 3", "size"),
    ],
)
def test_what_is_no_family(family: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        read_game(FAMILY.format(family=family).encode(), "family.toml")
    finding = caught.value.findings[0]
    assert message in finding.message and finding.place is not None and finding.place.line >= 15


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_a_latin_square_needs_no_search(size: int) -> None:
    run = Run(levels.load(f"latin-square/{size}"), "search", "first")
    assert len(list(run)) == 1  # replayed by the referee


def test_all_of_a_size_are_found_once_each() -> None:
    plans = list(Run(levels.load("latin-square/3"), "search", "all"))
    assert len(plans) == len(set(plans)) == 12


def test_a_matching_is_found_exactly_where_there_is_one() -> None:
    rng = Random(6)
    for _ in range(300):
        free = [rng.randrange(16) for _ in range(rng.randint(1, 4))]
        found = matching(free)
        possible = any(
            all(bits >> place & 1 for bits, place in zip(free, places, strict=True))
            for places in permutations(range(4), len(free))
        )
        assert (found is not None) == possible
        if found is not None:
            assert len(set(found)) == len(free)
            assert all(bit & bits and bit.bit_count() == 1 for bit, bits in zip(found, free, strict=True))
