"""Collisions that the groups before exclude are not told; all others are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ggp.errors import IllegalAction, IllFormed
from ggp.language.description import check_file, read_game
from ggp.language.validate.collisions import collision_findings
from ggp.model import Instance, Level
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, step
from tests.slow import one_in

GAME = """\
name = "chain"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid" }
target = { layer = "floor" }
going = { layer = "going", marker = trueFACING }
[classes]
loose = ["crate", "player"]
[symbols]
" " = ""
"#" = "wall"
"$" = "crate"
"@" = "player"
"." = "target"
[input]
moves = ["up", "right", "down", "left"]
GROUPS
[goal]
win = ["every crate on target"]
[[level]]
map = "@ $."
"""
WANT = '[[turn]]\nrules = "want toward input: player here => add going here"\n'
LOOP = '[[turn]]\nuntil = "stable"\nbound = 20\n'
PUSH = LOOP + 'rules = "push toward input: going here, crate ahead, no going ahead => add going ahead"\n'
STOP = (
    LOOP
    + """rules = '''
stop toward input: going here, wall ahead => remove going here
block toward input: going here, loose ahead, no going ahead => remove going here
edge toward input: going here, outside ahead => remove going here
'''
"""
)
MOVE_RULE = "move toward input: loose here, going here => loose here -> ahead, going here -> ahead"
MOVE = f"[[turn]]\nrules = '{MOVE_RULE}'\n"
FACING = ', facing = ["up", "right", "down", "left"]'
FACED = [
    part.replace("add going ", "add going:ahead ").replace("toward input: going", "toward any: going:ahead")
    for part in (WANT, PUSH, STOP)
]
MOVE_FACED = (
    "[[turn]]\nrules = '''\n"
    "move toward any: loose here, going:ahead here => loose here -> ahead, going here -> ahead\n'''\n"
)


def collisions(tmp_path: Path, groups: str, facing: str = "") -> list[str]:
    file = tmp_path / "chain.toml"
    file.write_text(GAME.replace("GROUPS", groups).replace("FACING", facing))
    found = check_file(file)
    assert not [finding for finding in found if finding.severity == "error"], found
    return [finding.message for finding in found if "collides" in finding.message]


def test_want_push_stop_move_has_no_collision(tmp_path: Path) -> None:
    assert collisions(tmp_path, WANT + PUSH + STOP + MOVE) == []


def test_directions_of_a_marker_are_those_of_the_input(tmp_path: Path) -> None:
    assert collisions(tmp_path, "".join(FACED) + MOVE_FACED, FACING) == []


@pytest.mark.parametrize(
    "left_out",
    [
        "stop toward input: going here, wall ahead => remove going here\n",
        "block toward input: going here, loose ahead, no going ahead => remove going here\n",
    ],
)
def test_one_rule_less_and_it_is_told(tmp_path: Path, left_out: str) -> None:
    assert left_out in STOP
    assert collisions(tmp_path, WANT + PUSH + STOP.replace(left_out, "") + MOVE)


def test_a_group_that_comes_later_excludes_nothing(tmp_path: Path) -> None:
    assert collisions(tmp_path, WANT + PUSH + MOVE + STOP)


def test_a_loop_that_is_disturbed_excludes_nothing(tmp_path: Path) -> None:
    """After the stop everything wants to move again."""
    again = '[[turn]]\nrules = "again: crate here => add going here"\n'
    assert collisions(tmp_path, WANT + PUSH + STOP + again + MOVE)


def test_a_block_that_goes_round_again_excludes_nothing_from_the_last_round(tmp_path: Path) -> None:
    block = """
[[turn]]
until = "stable"
bound = 9
[[turn.group]]
rules = "move toward input: loose here, going here => loose here -> ahead, going here -> ahead"
"""
    assert collisions(tmp_path, WANT + PUSH + STOP + block)


PICKED = """
name = "picked"
[kinds]
leaf = { layer = "water" }
peg = { layer = "solid" }
hand = { layer = "hand", marker = true }
[symbols]
"." = "leaf"
"o" = "leaf peg"
[input]
pick = "hand"
GROUPS
[[turn]]
rules = "go toward right down: peg here, hand here, leaf ahead, no peg ahead => peg here -> ahead"
[goal]
win = ["count peg = 0"]
[[level]]
horizon = 1
map = '''
o.
.o
'''
"""


@pytest.mark.parametrize(
    ("rules", "many"),
    [("", False), ("more: hand here => add hand up.right if inside", True)],
)
def test_one_cell_is_picked_unless_rules_mark_more(tmp_path: Path, rules: str, many: bool) -> None:
    file = tmp_path / "picked.toml"
    file.write_text(PICKED.replace("GROUPS", f"[[turn]]\nrules = '{rules}'" if rules else ""))
    assert any("collides" in finding.message for finding in check_file(file)) == many


@pytest.mark.parametrize(
    ("count", "made", "warned"),
    [
        ("0", "", False),
        ("0", "hatch: target here, no crate here => remove target here, add crate here", True),
        ("1", "hop: crate here, no crate right => remove crate here, add crate right", False),
        ("1", "hop: crate here, no crate right => add crate right", True),
        ("1", "split: crate here => remove crate here, add crate left, add crate right", True),
    ],
)
def test_what_maps_do_not_hold_may_come_of_rules(count: str, made: str, warned: bool) -> None:
    """Two crates collide where rules can make two; a map alone does not say how many there will be."""
    careless = "push: player here, crate ahead => crate ahead -> ahead.ahead"
    groups = f"[[turn]]\nrules = '{careless}'\n" + (f"[[physics]]\nrules = '{made}'\n" if made else "")
    text = GAME.replace("GROUPS", groups).replace("FACING", "").replace("@ $.", f"@ {'$' * int(count)}.")
    counted = text.replace('crate = { layer = "solid"', f'crate = {{ layer = "solid", count = "{count}"')
    game, _ = read_game(counted.encode(), "chain.toml")
    assert any("with crate" in finding.message for finding in collision_findings(game)) == warned


def random_collision(groups: str, facing: str, rng: Random) -> bool:
    """Do rules collide on some of many crowded boards?"""
    game, _ = read_game(GAME.replace("GROUPS", groups).replace("FACING", facing).encode(), "chain.toml")
    for _ in range(300):
        signs = [rng.choice("  $$@#") for _ in range(16)]
        rows = tuple(
            tuple(frozenset(dict(game.symbols)[sign]) for sign in signs[i : i + 4]) for i in (0, 4, 8, 12)
        )
        instance = Instance(game, Level("random", rows))
        try:
            step(instance, initial_state(instance), rng.choice(list(all_actions(instance))))
        except IllegalAction:
            continue
        except IllFormed as error:
            if "collides" in error.findings[0].message:
                return True
    return False


@pytest.mark.parametrize("number", one_in(4, range(16)))
def test_what_is_not_told_never_happens(number: int, tmp_path: Path) -> None:
    """Variants of the idiom, most of them with a fault."""
    rules = [line for line in STOP.splitlines() if line.startswith(("stop", "block", "edge"))]
    kept = [rule for index, rule in enumerate(rules) if number >> index & 1]
    stop = LOOP if number & 8 else "[[turn]]\n"
    stop += "rules = '''\n" + "\n".join(kept) + "\n'''\n"
    groups = WANT + PUSH + (stop if kept else "") + MOVE
    told = bool(collisions(tmp_path, groups))
    assert told or not random_collision(groups, "", Random(number))
