"""Search in layers of turns, in machine code: as search turn by turn, or it says that it cannot tell."""

from __future__ import annotations

from itertools import product

import pytest

from ggp.model import Instance
from ggp.referee.trajectory import replay
from ggp.search.broad import Broad, Unsure
from ggp.search.choice import by_turns
from ggp.search.moving import Found
from ggp.transition.native import compiling
from tests.puzzlescript_games import PUSH, instance
from tests.slow import slow_unless

pytestmark = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
WIDE = "########/#p.....#/#.**..o#/#..#...#/#o.....#/########"


def nothing() -> None:
    """Nobody waits."""


def both(one: Instance) -> tuple[Found, Found]:
    """The same question to the search in layers, and to that of single turns."""
    return Broad(one, nothing, 10**9).best(), by_turns(one, None).best(nothing)


@pytest.mark.parametrize(
    ("rules", "wins"),
    slow_unless(
        lambda case: (
            case[1] != "No Crate" or PUSH not in case[0]
        ),  # all states are gone through where none goes
        product(
            [
                PUSH,
                "[ > Player | Crate ] -> [ > Player | ]",
                f"{PUSH}\n[ > Crate | Crate ] -> cancel",
                f"{PUSH}\nlate right [ Crate | no Solid no Player ] -> [ | Crate ] again",
            ],
            ["All Target on Crate", "Some Crate on Target", "No Crate"],
        ),
    ),
)
def test_plans_are_as_short(rules: str, wins: str) -> None:
    """And there is none where the other finds none; states may be fewer, since lost ones are left out."""
    one = instance(rules, WIDE, wins=wins)
    found, known = both(one)
    assert (found.plan is None, found.cost, found.cut) == (known.plan is None, known.cost, known.cut)
    if found.plan is not None:
        assert replay(one, found.plan).won and len(found.plan.actions) == found.cost


def test_a_horizon_cuts() -> None:
    """One turn less than is needed."""
    from ggp.tasks.questions import with_horizon

    one = instance(PUSH, "p.*.o")
    assert Broad(with_horizon(one, 3), nothing, 10**9).best().cost == 3
    assert Broad(with_horizon(one, 2), nothing, 10**9).best()[::2] == (None, True)


FLOOD = f"{PUSH}\nlate [ Mark | no Mark no Wall ] -> [ Mark | Mark ]\n+ late [ Mark Target ] -> [ Target ]"


@pytest.mark.parametrize(
    ("rules", "board"),
    [(f"rigid {PUSH}", "p.*.o"), (FLOOD, "m....../######./......./.######/.....po/......*")],
)
def test_what_passes_cannot_tell_is_said(rules: str, board: str) -> None:
    """Rules that are no passes, and turns that are cut off, since marks spread further than is likely."""
    with pytest.raises(Unsure):
        Broad(instance(rules, board, wins="Some Ball"), nothing, 10**9).best()


def test_memory_has_an_end() -> None:
    """Known states are counted."""
    with pytest.raises(MemoryError):
        Broad(instance(PUSH, WIDE, wins="No Crate"), nothing, 10_000).best()
