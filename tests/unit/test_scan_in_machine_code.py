"""Rules in scan order as machine code: turns as the referee makes them, on boards of one word and of more."""

from __future__ import annotations

import random

import pytest

from ggp.errors import IllFormed
from ggp.referee.turns import Packed
from ggp.transition.native import compiling
from tests.puzzlescript_games import PUSH, instance

pytestmark = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
SMALL = "########/#p*...#/#.**.bo#/#..#@.m#/#om.b..#/########"
LARGE = "/".join(["." * 13, *["p*.b.o..m#.*."] * 3, "#.*..@.b..m.#", *["..m.*.b...o.."] * 4])  # three words
TURNS = 12
RULES = {
    "pushing": PUSH,
    "pushing in rows": "[ > Player | Thing ] -> [ > Player | > Thing ]\n"
    "[ > Thing | Thing ] -> [ > Thing | > Thing ]",
    "one after another": "[ Crate | Crate ] -> [ | Ball ]\n[ Ball | ] -> [ | Ball ]",
    "to the right": "right [ Mark | no Mark ] -> [ Mark | Mark ]\n[ Mark | Mark | Mark ] -> [ | Crate | ]",
    "two brackets": f"{PUSH}\n[ > Player ] [ Ball | ] -> [ > Player ] [ | Ball ]",
    "brackets that change each other": "[ Crate ] [ Ball ] -> [ Ball ] [ Crate ]\n"
    "[ Mark ] [ Crate | Ball ] -> [ ] [ | ]",
    "row by row": "right [ Mark | no Mark ] [ Crate Target ] -> [ | Mark ] [ Target ]",
    "far away": "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "two gaps": "[ Player | ... | Ball | ... | Mark ] -> [ Player | ... | | ... | Mark ]",
    "a group": f"{PUSH}\n[ > Crate | Ball ] -> [ > Crate | > Ball ]\n"
    "+ [ > Ball | Ball ] -> [ > Ball | > Ball ]",
    "a loop": "startloop\n[ Mark | no Mark no Solid ] -> [ Mark | Mark ]\n"
    "[ Mark | Mark Target ] -> [ | Target ]\nendloop",
    "late": f"{PUSH}\nlate [ Crate | Crate | Crate ] -> [ | Mark | ]",
    "cancel": f"{PUSH}\n[ > Crate | Ball ] -> cancel",
    "restart": f"{PUSH}\nlate [ Crate Mark ] -> restart",
    "again": f"{PUSH}\nlate down [ Ball | no Solid no Player ] -> [ | Ball ] again",
    "again and cancel": f"{PUSH}\n[ > Crate | Ball ] -> cancel again\n"
    "late [ Mark | no Mark ] -> [ | Mark ] again",
    "win": f"{PUSH}\nlate [ Crate Target ] -> win",
    "action": "[ action Player | Crate ] -> [ action Player | ]\n"
    "[ stationary Player | Ball ] -> [ Player | > Ball ]",
    "perpendicular": "[ > Player | Crate ] -> [ > Player | ^ Crate ]\n"
    "[ moving Crate | Ball ] -> [ moving Crate | v Ball ]",
}


@pytest.mark.parametrize("board", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("name", RULES)
def test_turns_are_the_referees(name: str, board: str) -> None:
    """All inputs in the states of a random run: the same board, won or not, and the same are no turns."""
    from ggp.transition.in_order.stepper import InOrder

    prelude = "require_player_movement\n" if name in ("pushing", "far away") else ""
    one = instance(RULES[name], board, prelude=prelude, wins="All Target on Crate")
    stepper, chance = InOrder(one, lambda: None), random.Random(name)
    state, changes = stepper.start, 0
    for _ in range(TURNS):
        after, changed, won = stepper.all_turns(state)
        before = stepper.unpacked(state[0])
        for action, verb in enumerate(stepper.verbs):
            try:
                made = stepper.turns.turn(Packed(before), verb)
            except IllFormed:
                assert not changed[0, action] and not won[0, action]
                continue
            assert stepper.unpacked(after[0, action]) == made.planes, verb
            assert won[0, action] == made.won, verb
            changes += made.planes != before
        legal = [action for action in range(len(stepper.verbs)) if changed[0, action] and not won[0, action]]
        if not legal:
            break
        state = after[:, chance.choice(legal)]
    assert changes


@pytest.mark.parametrize(
    "rules", ["random [ Crate ] -> [ Ball ]", f"rigid {PUSH}", "[ Player ] -> checkpoint"]
)
def test_what_is_not_taken(rules: str) -> None:
    """Chance, rigid rules, and what is kept beside the board."""
    from ggp.transition.in_order.stepper import InOrder, Unfit

    with pytest.raises(Unfit):
        InOrder(instance(rules), lambda: None)


def test_too_many_matches_are_left_to_the_referee() -> None:
    """Rules that are found in too many ways at once for the room that there is."""
    from ggp.transition.in_order.stepper import InOrder

    row = "." * 40
    rules = "[ Mark ] [ no Mark no Player ] [ Wall ] -> [ Mark ] [ ] [ Ball ]"
    one = instance(rules, f"pm{row}/#{row}." + f"/m{row}#" * 9)
    stepper = InOrder(one, lambda: None)
    after, changed, _ = stepper.all_turns(stepper.start)
    made = stepper.turns.turn(Packed(stepper.unpacked(stepper.start[0])), "right")
    assert changed[0, stepper.verbs.index("right")]
    assert stepper.unpacked(after[0, stepper.verbs.index("right")]) == made.planes
