"""A search that takes long tries each choice of each open cell before it decides: the same answers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from ggp.language import levels
from ggp.model import Instance, Level, Piece
from ggp.search.narrowing import probing_loops, solving
from ggp.search.narrowing.choices import Dead
from ggp.search.narrowing.different import Plain
from ggp.search.narrowing.probing import Probing, load, probing
from ggp.search.narrowing.search import Narrowing, Placed

AT_ONCE, LATER, NEVER = 1, 9, 10**9  # `LATER` some answers are found
GIVEN = 3  # of 16 cells


def latin(rows: int, seed: int) -> Instance:
    """A latin square with some digits, of which some may contradict one another."""
    game, _ = levels.load_game("latin-square")
    rng = Random(seed)
    given = {(rng.randrange(rows), rng.randrange(rows)): rng.randint(1, rows) for _ in range(GIVEN)}
    board = tuple(
        tuple(frozenset({Piece("digit", given[r, c])} if (r, c) in given else ()) for c in range(rows))
        for r in range(rows)
    )
    return Instance(game, Level(f"seed-{seed}", board, horizon=0))


def answers(instance: Instance, decisions: int, monkeypatch: pytest.MonkeyPatch) -> list[Placed]:
    monkeypatch.setattr(solving, "PLAIN", decisions)
    return list(Narrowing(instance).solutions(lambda: None))


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_the_search_without_tries(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = latin(4, seed)
    without = answers(instance, NEVER, monkeypatch)
    for when in (AT_ONCE, LATER):
        with_tries = answers(instance, when, monkeypatch)
        assert len(with_tries) == len(set(with_tries)) and set(with_tries) == set(without)


@pytest.mark.parametrize("game", ["sudoku", "anti-knight-sudoku", "sudoku-x"])
@pytest.mark.parametrize("decisions", [AT_ONCE, 3])
def test_each_answer_is_listed_once_wherever_tries_begin(
    game: str, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = levels.load(f"{game}/ambiguous")
    found = answers(instance, decisions, monkeypatch)
    assert len(found) == len(set(found)) == instance.level.known.solutions


def test_what_leads_to_a_contradiction_is_taken_away() -> None:
    """Two pairs of cells share one, two and three: whoever takes three in the first row leaves no way."""
    one, two, three, four = 1, 2, 4, 8
    start = [one | two, one | two, three | four, three | four, one | two | three, two | three, one | three]
    regions = [Plain((0, 1, 2, 3), 16), Plain((4, 5, 6), 16), Plain((0, 4), 16), Plain((1, 4), 16)]
    left = Probing(regions, start, 16).narrowed(start, lambda: None)
    assert left[4] == three  # with one or two of the pair gone whichever way, only three is left
    assert (left[5], left[6]) == (two, one)


def test_a_hard_board_takes_few_decisions_with_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds without."""
    instance, decided = levels.load("sudoku/hard-16x16"), 0

    def counted(*given: Any, real: Any = solving.Tree.tried) -> Any:
        nonlocal decided
        decided += 1
        return real(*given)

    monkeypatch.setattr(solving.Tree, "shave", lambda *given: None)
    monkeypatch.setattr(solving.Tree, "tried", counted)
    assert len(answers(instance, AT_ONCE, monkeypatch)) == 1
    assert decided < 30


def test_make_compiles_the_loops() -> None:
    """What it has compiled is all that a search calls."""
    makefile = Path(__file__).parents[2] / "Makefile"
    if not makefile.exists():
        pytest.skip("only the tests were copied, not the Makefile")
    assert "from ggp.search.narrowing import probing; probing.load()" in makefile.read_text(encoding="utf-8")
    load()
    ready = list(probing_loops.sweep.signatures)  # what it calls is in its code
    assert len(ready) == 1
    instance = levels.load("latin-square/5")
    found = Narrowing(instance)
    tries = probing(found.rules()[:-1], found.grid)
    assert tries is not None
    tries.narrowed(found.grid.start, lambda: None)
    assert probing_loops.sweep.signatures == ready


def test_a_board_without_an_answer_is_dead() -> None:
    start = [1 | 2, 1 | 2, 1 | 2]
    with pytest.raises(Dead):
        Probing([Plain((0, 1), 4), Plain((0, 2), 4), Plain((1, 2), 4)], start, 4).narrowed(
            start, lambda: None
        )


@pytest.mark.parametrize(("name", "suits"), [("sudoku/ambiguous", True), ("killer-sudoku/ambiguous", False)])
def test_tries_are_for_boards_on_which_cells_differ_and_no_more(name: str, suits: bool) -> None:
    search = Narrowing(levels.load(name))
    assert (probing(search.rules()[:-1], search.grid) is not None) == suits
