"""Rules in scan order as machine code: turns as the referee makes them, on boards of one word and of more."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ggp.errors import DescriptionError, IllFormed, Unfit
from ggp.importers import puzzlescript
from ggp.model import Instance
from ggp.referee.turns import Packed
from ggp.transition.native import compiling
from tests.oracles import random_puzzlescript
from tests.puzzlescript_games import PUSH, instance
from tests.slow import few_or_many

if TYPE_CHECKING:
    from ggp.transition.in_order.stepper import InOrder

pytestmark = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
SIZES = {"one word": (6, 8), "several words": (9, 15)}
THINGS = "......###**bbmmo@"
BOARDS, TURNS = 5, 4


def drawn(chance: random.Random, rows: int, columns: int) -> str:
    """A random board with a player."""
    cells = chance.choices(THINGS, k=rows * columns)
    cells[chance.randrange(len(cells))] = "p"
    return "/".join("".join(cells[at : at + columns]) for at in range(0, len(cells), columns))


RULES = {
    "pushing": PUSH,
    "pushing in rows": "[ > Player | Thing ] -> [ > Player | > Thing ]\n"
    "[ > Thing | Thing ] -> [ > Thing | > Thing ]",
    "one after another": "[ Crate | Crate ] -> [ | Ball ]\n[ Ball | ] -> [ | Ball ]",
    "to the right": "right [ Mark | no Mark ] -> [ Mark | Mark ]\n[ Mark | Mark | Mark ] -> [ | Crate | ]",
    "two brackets": f"{PUSH}\n[ > Player ] [ Ball | ] -> [ > Player ] [ | Ball ]",
    "brackets that change each other": "[ Crate | Mark ] [ Ball | ] -> [ Ball | ] [ Crate | ]\n"
    "[ Mark ] [ Crate | Ball ] -> [ ] [ | ]",
    "row by row": "right [ Mark | no Mark ] [ Crate Target ] -> [ | Mark ] [ Target ]",
    "far away": "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "as far as the edge": "[ Player | ... | Ball ] -> [ Player | ... | ]",
    "two gaps": "[ Player | ... | Ball | ... | Mark ] -> [ Player | ... | | ... | Mark ]",
    "a group": f"{PUSH}\n[ > Crate | Ball ] -> [ > Crate | > Ball ]\n"
    "+ [ > Ball | Ball ] -> [ > Ball | > Ball ]",
    "a loop": "startloop\n[ Ball | Crate ] -> [ Mark | Crate ]\n[ Mark | Crate ] -> [ | Ball ]\nendloop",
    "late": f"{PUSH}\nlate [ Crate | Crate | Crate ] -> [ | Mark | ]",
    "cancel": f"{PUSH}\n[ > Crate | Ball ] -> cancel",
    "restart": f"{PUSH}\nlate [ Crate Mark ] -> restart",
    "again": f"{PUSH}\nlate down [ Ball | no Solid no Player ] -> [ | Ball ] again",
    "again and cancel": f"{PUSH}\n[ > Crate | Ball ] -> cancel again\n"
    "late [ Mark | no Mark ] -> [ | Mark ] again",
    "win as time goes on": f"{PUSH}\n[ stationary Player | Solid ] -> win\nlate [ Player | Solid ] -> again",
    "win": f"{PUSH}\nlate [ Crate Target ] -> win",
    "action": "[ action Player | Crate ] -> [ action Player | ]\n"
    "[ stationary Player | Ball ] -> [ Player | > Ball ]",
    "rigid": f"rigid {PUSH}\n+ rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
    "rigid groups": f"[ Crate ] -> [ Crate Target ]\n{PUSH}\nrigid [ > Crate ] -> [ > Crate ]\n"
    "rigid [ > Crate Target ] -> [ > Crate > Target ]\n[ > Ball | Thing ] -> [ > Ball | > Thing ]",
    "rigid and again": f"rigid {PUSH}\nrigid [ > Crate | Thing ] -> [ > Crate | > Thing ]\n"
    "late down [ Ball | no Solid no Player ] -> [ | Ball ] again",
    "checkpoint": f"{PUSH}\nlate [ Crate Target ] -> checkpoint\n"
    "late [ Ball | Crate ] -> [ | Crate ] checkpoint",
    "back to a checkpoint": f"{PUSH}\nlate [ Crate Target ] -> checkpoint\n[ > Player | Ball ] -> restart\n"
    "[ action Player ] -> [ action Player Mark ] checkpoint",
    "back, and on": f"{PUSH} checkpoint again\n[ > Player | Ball ] -> restart\n"
    "late [ Player | Wall ] -> checkpoint\nlate right [ Mark | no Mark ] -> [ | Mark ] again",
    "perpendicular": "[ > Player | Crate ] -> [ > Player | ^ Crate ]\n"
    "[ moving Crate | Ball ] -> [ moving Crate | v Ball ]",
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RULES)
def test_turns_are_the_referees(name: str, size: str) -> None:
    """All inputs in the states of random runs from random boards: the same board, and won or not."""
    from ggp.transition.in_order.stepper import InOrder

    chance, changes = random.Random(name), 0
    prelude = "require_player_movement\n" if name in ("pushing", "far away") else ""
    for _ in range(BOARDS):
        one = instance(RULES[name], drawn(chance, *SIZES[size]), prelude=prelude, wins="All Target on Crate")
        stepper = InOrder(one, lambda: None)
        state = stepper.start
        for _ in range(TURNS):
            after, changed, won = stepper.all_turns(state)
            before = stepper.unpacked(state[0])
            for action, verb in enumerate(stepper.verbs):
                then, wins = made(stepper, before, verb)
                assert stepper.unpacked(after[0, action]) == then, verb
                assert won[0, action] == wins, verb
                assert changed[0, action] or then == before, verb
                changes += then != before
            legal = np.flatnonzero(changed[0] & ~won[0])
            if not legal.size:
                break
            state = after[:, chance.choice(legal)]
    assert changes


def made(stepper: InOrder, before: Packed, verb: str) -> tuple[Packed, bool]:
    """What the referee makes of a turn, and whether it wins; one without an end is none."""
    try:
        after = stepper.turns.turn(before, verb)
    except IllFormed:
        return before, False
    kept = after.checkpoint if stepper.keeps else None  # else nothing leads back to it
    return after._replace(won=False, checkpoint=kept), after.won


@few_or_many("count", 30, 1_500)
def test_turns_of_random_games_are_the_referees(count: int) -> None:
    """Rigid rules and checkpoints among them; the referee is held against the engine with the same games."""
    turns = 0
    for seed in range(count):
        turns += compared(random_puzzlescript.made(30_000 + seed)[0], random.Random(seed))
    assert turns > 10 * count


def compared(text: str, chance: random.Random) -> int:
    """How many turns of a game were compared: none of one that is refused, or not taken."""
    from ggp.transition.in_order.stepper import InOrder

    try:
        game, levels = puzzlescript.read(text.encode(), "random.txt")
        stepper = InOrder(Instance(game, levels[0]), lambda: None)
    except (DescriptionError, Unfit, IllFormed):
        return 0
    state, turns = stepper.start, 0
    for _ in range(12):
        after, changed, won = stepper.all_turns(state)
        before = stepper.unpacked(state[0])
        for action, verb in enumerate(stepper.verbs):
            told = stepper.unpacked(after[0, action]), bool(won[0, action])
            assert told == made(stepper, before, verb), f"{verb} in {text}"
            turns += 1
        legal = np.flatnonzero(changed[0] & ~won[0])
        if not legal.size:
            break
        state = after[:, chance.choice(legal)]
    return turns


def test_chance_is_not_taken() -> None:
    from ggp.transition.in_order.stepper import InOrder

    with pytest.raises(Unfit):
        InOrder(instance("random [ Crate ] -> [ Ball ]"), lambda: None)


def test_too_many_matches_are_left_to_the_referee() -> None:
    """Rules that are found in too many ways at once for the room that there is."""
    from ggp.transition.in_order.stepper import InOrder

    row = "." * 40
    rules = "[ Mark ] [ no Mark no Player ] [ Wall ] -> [ Mark ] [ ] [ Ball ]"
    one = instance(rules, f"pm{row}/#{row}." + f"/m{row}#" * 9)
    stepper = InOrder(one, lambda: None)
    after, changed, _ = stepper.all_turns(stepper.start)
    made = stepper.turns.turn(stepper.unpacked(stepper.start[0]), "right")
    assert changed[0, stepper.verbs.index("right")]
    assert stepper.unpacked(after[0, stepper.verbs.index("right")]) == made
