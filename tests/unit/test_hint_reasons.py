"""Hints by each way of reasoning: what is told follows from the reasons told, by trying every board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from ggp.encoding.judging import holds
from ggp.explain.asking import assignment
from ggp.explain.hints import Adviser, Forced, Reasons
from ggp.explain.opened import opened
from ggp.language import levels
from ggp.model import Cell, Piece
from tests.slow import few_or_many

SIZE = 3
PUZZLE = opened(levels.load(f"latin-square/{SIZE}"))
CELLS = sorted(PUZZLE.variables)
SQUARES = [
    dict(zip(CELLS, digits, strict=True))
    for digits in product(range(1, SIZE + 1), repeat=SIZE * SIZE)
    if all(
        len(set(digits[i * SIZE : (i + 1) * SIZE])) == len(set(digits[i::SIZE])) == SIZE for i in range(SIZE)
    )
]


def boards(adviser: Adviser, reasons: Reasons) -> Iterator[dict[Cell, int]]:
    """Every filled board on which the facts stand and the rules hold; no other rule is looked at."""
    every, encoding = adviser.reasoner.rules, PUZZLE.encoding
    numbers = [n for rule in every if rule.why in reasons.rules for n in rule.constraints]
    facts = {cell: piece.variant for cell, piece in reasons.facts.items() if piece is not None}
    choices = [[facts[cell]] if cell in facts else range(1, SIZE + 1) for cell in CELLS]
    for digits in product(*choices):
        filled = dict(zip(CELLS, digits, strict=True))
        values = {PUZZLE.variables[c]: PUZZLE.value(c, Piece("digit", digit)) for c, digit in filled.items()}
        if all(holds(encoding, encoding.constraints[number], values) for number in numbers):
            yield filled


def told(adviser: Adviser) -> Iterator[Forced | None]:
    """What each way of reasoning tells on this board, those that would not be asked any more too."""
    left = [cell for cell in CELLS if cell not in adviser.facts]
    answer = assignment(PUZZLE, adviser.facts)
    assert answer is not None
    yield from (adviser.by_rules(left), adviser.by_subsets(left), adviser.by_assuming(left))
    yield adviser.by_answers(answer)


@few_or_many("seeds", 1, 12)
def test_what_is_told_follows_from_the_reasons(seeds: int) -> None:
    """And is what stands there in every square with these pieces; no fact of the last way can be spared."""
    ways: Counter[str] = Counter()
    for seed in range(seeds):
        rng = Random(seed)
        square = rng.choice(SQUARES)
        given = {cell: Piece("digit", square[cell]) for cell in rng.sample(CELLS, rng.choice([2, 3, 3, 4]))}
        adviser = Adviser(PUZZLE, given)
        answers = [one for one in SQUARES if all(one[c] == piece.variant for c, piece in given.items())]
        for forced in filter(None, told(adviser)):
            assert forced.cell not in given
            assert forced.piece is not None and {one[forced.cell] for one in answers} == {
                forced.piece.variant
            }
            assert forced.reasons.facts.items() <= given.items()
            found = {board[forced.cell] for board in boards(adviser, forced.reasons)}
            assert found == {forced.piece.variant}, (seed, forced)
            if forced.way == "all answers":
                for cell in forced.reasons.facts:
                    fewer = {c: piece for c, piece in forced.reasons.facts.items() if c != cell}
                    less = Reasons(fewer, forced.reasons.rules, False)
                    assert len({board[forced.cell] for board in boards(adviser, less)}) > 1, (seed, forced)
            ways[forced.way] += 1
    assert len(ways) == 4 and min(ways.values()) >= seeds / 3, ways


def test_of_what_assuming_finds_the_one_with_the_fewest_reasons_is_told() -> None:
    """Cell by cell the same way of reasoning finds none with fewer."""
    several = 0
    for seed in range(12):
        rng = Random(seed)
        square = rng.choice(SQUARES)
        given = {cell: Piece("digit", square[cell]) for cell in rng.sample(CELLS, 3)}
        adviser, left = Adviser(PUZZLE, given), [cell for cell in CELLS if cell not in given]
        each = [len(one.reasons) for cell in left if (one := adviser.by_assuming([cell])) is not None]
        best = adviser.by_assuming(left)
        assert best is None if not each else best is not None
        assert best is None or len(best.reasons) == min(each), seed
        several += len(set(each)) > 1
    assert several >= 3


@few_or_many("seeds", 5, 10)
def test_a_contradiction_follows_from_its_reasons(seeds: int) -> None:
    """Whether thinking finds it or only asking for an answer does."""
    seen = 0
    for seed in range(seeds):
        rng = Random(seed)
        placed = {cell: Piece("digit", rng.randint(1, SIZE)) for cell in rng.sample(CELLS, 3)}
        if any(all(one[c] == piece.variant for c, piece in placed.items()) for one in SQUARES):
            continue
        adviser = Adviser(PUZZLE, placed)
        for reasons in (
            adviser.contradiction(),
            adviser.reasons(adviser.all_reasons, adviser.unanswered(None)),
        ):
            assert next(boards(adviser, reasons), None) is None, (seed, reasons)
        seen += 1
    assert seen >= seeds / 2
