"""Pictures that a goal looks for, as late rules: a helper appears where one is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ggp.exporters.puzzlescript.cast import Cast
from ggp.exporters.puzzlescript.patterns import (
    Beside,
    Spot,
    Test,
    Tests,
    bare,
    laid_out,
    line,
    row_of,
    simplified,
    words,
)
from ggp.goals.pattern import Picture, Shape
from ggp.model import Game, Instance
from ggp.transition.program import Transition


def shapes_of(game: Game) -> Iterator[Shape]:
    """The pictures that a goal looks for."""
    return (term for term in game.goal.every_term if isinstance(term, Shape))


def picture_tests(picture: Picture, instance: Instance, transition: Transition) -> Tests | None:
    """What a picture asks of the cells around its anchor; None if it can never be seen."""
    tests: Tests = {(0, 0): Test()}
    for offset, pattern, wanted in picture:
        test = tests.get(offset, Test())
        planes = (
            frozenset(transition.planes_of(instance, pattern)) if pattern is not None else frozenset[int]()
        )
        if pattern is None:
            if test.inside not in (None, wanted):
                return None
            test = replace(test, inside=wanted)
        elif wanted:
            test = replace(test, present=test.present | {planes})
        else:
            test = replace(test, absent=test.absent | planes)
        tests[offset] = test
    found: Tests = {}
    for offset, test in tests.items():
        if test.present and test.inside is False:
            return None
        simpler = simplified(test, frozenset(), transition)
        if simpler is None:
            return None
        found[offset] = simpler
    return found


def late_rules(cast: Cast, outside: str, some: Iterable[Tests], found: str, guard: str) -> Iterator[str]:
    """The late rules that put `found` on a cell where one of some pictures is seen.

    `guard` stands somewhere in the levels that this is about; empty where it is about all of them.
    """
    rows = [[Spot(guard, guard)]] if guard else []
    senses: dict[Beside, str] = {}
    for tests in some:
        plan = laid_out(tests)
        spots: dict[int, Spot] = {}
        for step, test in {0: Test(), **plan.main}.items():
            said = words(test, cast, outside)
            seen = []
            if step in plan.beside:
                beside = plan.beside[step]
                if beside not in senses:
                    senses[beside] = cast.helper(f"seen {found} {len(senses) + 1}")
                    yield sensing(beside, senses[beside], cast, outside, rows)
                seen = [senses[beside]]
            before = " ".join((*said.kept, *seen, *said.denied))
            spots[step] = Spot(before, " ".join((*said.kept, *seen, *([found] if not step else []))))
        yield line(f"late {plan.way if len(spots) > 1 else ''}", *rows, row_of(spots))
    if senses:
        yield f"late {bare(cast.group(f'seen {found}', senses.values()), '')}"


def sensing(beside: Beside, sense: str, cast: Cast, outside: str, rows: list[list[Spot]]) -> str:
    """The late rule that marks where these conditions hold beside a cell."""
    spots = {step: words(test, cast, outside).spot() for step, test in beside.tests}
    return line(f"late {beside.way}", *rows, row_of({**spots, 0: Spot("", sense)}))
