"""Plans that lose, put into encodings as they are written and as they are lowered."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import api, registry
from ggp.analysis.relaxed import Relaxed
from ggp.encoding import macro
from ggp.encoding.constraints import Encoding
from ggp.encoding.debug import assume, broken, violations
from ggp.encoding.lowering.propagate import lower
from ggp.encoding.occupancy import encode
from ggp.errors import IllegalAction, PlanError
from ggp.model import Instance, Piece, Plan
from ggp.referee.trajectory import replay
from ggp.transition.macros import find_agent
from ggp.transition.program import compile_instance
from tests.commands import Ask
from tests.tiny_encodings import TINY

NO_PLANS = [Plan(), Plan((), ("up",)), Plan((), ("jump", "up")), Plan((), ("wait",) * 40)]


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("lowering", [None, *registry.LOWERINGS])
def test_every_encoding_takes_a_plan_that_loses(name: str, lowering: str | None) -> None:
    instance = TINY[name]
    encoding = encode(instance)
    if lowering is not None:
        encoding = registry.load("lowering", lowering).lower(encoding)
    for plan in NO_PLANS:
        # Inputs for a game that takes none are told by `misfits`.
        judged = plan if instance.game.input is not None else Plan()
        found = broken(encoding, assume(encoding, plan))
        # An equation of `exclusive` does not say which variable it defines.
        assert replay(instance, judged).won == (not found) or lowering == "exclusive"
        pruned = lower(encoding)
        broken(pruned, assume(pruned, plan))  # what was fixed is not asked again, so this may be nothing


def macro_turns(instance: Instance, pushes: int) -> Encoding:
    found = find_agent(instance, compile_instance(instance))
    assert found is not None
    return macro.encode(Relaxed(instance, found, instance.game.objectives[-1]), pushes)


def test_macro_turns_take_only_inputs_of_the_game() -> None:
    encoding = macro_turns(api.load("sokoban/two-crates"), 3)
    for plan in (Plan(), Plan((), ("down", "right", "right", "up"))):
        for one in (encoding, lower(encoding)):
            assert broken(one, assume(one, plan))
    with pytest.raises(PlanError, match="turn 2: sokoban/two-crates has no input 'jump'"):
        assume(encoding, Plan((), ("down", "jump")))
    with pytest.raises(IllegalAction, match="up changes nothing"):
        assume(encoding, Plan((), ("up",)))


@pytest.mark.parametrize(
    ("level", "cell", "piece"),
    [("lemmings/seed", (5, 4), Piece("wall")), ("sudoku/paper-4x4", (0, 0), Piece("digit", 9))],
)
def test_what_cannot_be_placed_is_told(level: str, cell: tuple[int, int], piece: Piece) -> None:
    with pytest.raises(PlanError, match=f"{piece} cannot be placed at \\({cell[0]}, {cell[1]}\\) of {level}"):
        violations(api.load(level), Plan(((cell, piece),)))


def test_replaying_a_loss_against_the_encoding_names_what_is_wrong(ask: Ask, tmp_path: Path) -> None:
    plan = tmp_path / "lost.json"
    plan.write_text('{"actions": ["left", "action", "left"]}')
    answer = ask("replay", "sokoban/two-crates", plan, "--encoding")
    assert answer.status == 1 and "the encoding says no: there is an input of the game" in answer.out
