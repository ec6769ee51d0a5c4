"""Descriptions say rules in scan order: they are read, written, played, solved and exported."""

from __future__ import annotations

import random

import pytest

from ggp import api
from ggp.engines import puzzlescript as engine
from ggp.errors import DescriptionError
from ggp.exporters.puzzlescript.replayed import difference
from ggp.exporters.puzzlescript.retold import as_read
from ggp.language.description import check_text, read_game, write_game
from ggp.language.description.scan import goal_of
from ggp.model import Instance
from ggp.referee.keys import press
from ggp.referee.session import Session
from ggp.registry import load

PICKAXE = """name = "pickaxe"

[kinds]
wall = { layer = "solid" }
player = { layer = "solid" }
boulder = { layer = "solid" }
pick = { layer = "low" }
load = { layer = "high" }

[classes]
thing = ["boulder", "wall"]

[symbols]
"." = ""
"#" = "wall"
"P" = "player"
"B" = "boulder"
"T" = "pick"

[input]
moves = ["up", "right", "down", "left"]
verbs = ["action"]

[scan]
player = ["player"]
rules = \"\"\"
[ > player no load | boulder | no pick no thing ] -> [ > player | > boulder | ]
[ > player load ] -> [ > player > load ]  # what is carried goes along
late [ player no load pick ] -> [ player load ]
\"\"\"

[goal]
win = ["count pick = 0"]

[[level]]
name = "1"
map = \"\"\"
######
#P.BT#
#....#
######
\"\"\"
"""


def read(text: str) -> Instance:
    game, levels = read_game(text.encode(), "pickaxe.toml")
    return Instance(game, levels[0])


def test_what_is_written_reads_back_equal() -> None:
    instance = read(PICKAXE)
    text = write_game(instance.game, [instance.level])
    again = read(text)
    assert again == instance
    assert again.game.scan == instance.game.scan
    assert instance.game.scan is not None
    assert len(instance.game.scan.rules) == 4 + 4 + 1  # a rule for each direction, where that matters


def test_it_is_played_as_the_rules_say() -> None:
    session = Session(read(PICKAXE))
    for word in ("right", "right"):  # the boulder is not pushed onto the pick
        press(session, word)
    assert stood(session) == {"player": [(1, 2)], "boulder": [(1, 3)], "pick": [(1, 4)]}
    for word in ("down", "right", "right", "up"):
        press(session, word)
    assert stood(session) == {"player": [(1, 4)], "boulder": [(1, 3)], "load": [(1, 4)]}
    assert session.judged()[0] == "won"


def stood(session: Session) -> dict[str, list[tuple[int, int]]]:
    """Where each kind but walls stands."""
    width = len(session.instance.level.board[0])
    found: dict[str, list[tuple[int, int]]] = {}
    for n, here in enumerate(session.shown.board):
        for piece in here:
            if piece.kind != "wall":
                found.setdefault(piece.kind, []).append(divmod(n, width))
    return found


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
def test_solvers_find_its_fewest_turns(solver: str) -> None:
    result = api.solve(read(PICKAXE), solver, objective="turns")
    assert result.objective == 5


def test_it_becomes_a_game_that_the_engine_plays_alike() -> None:
    exporter = load("exporter", "puzzlescript")
    instance = read(PICKAXE)
    assert not exporter.unfit(instance)
    text = exporter.text(instance, None)
    assert "background" in text
    checks = list(exporter.verify_turns(instance, text, None, 100))
    assert checks
    assert all(check.passed for check in checks), checks


def test_what_rules_speak_of_is_used() -> None:
    assert check_text(PICKAXE.encode(), "pickaxe.toml") == ()
    idle = PICKAXE.replace("load = {", 'spare = { layer = "high" }\nload = {')
    (finding,) = check_text(idle.encode(), "pickaxe.toml")
    assert "`spare` is never used" in finding.message


def test_what_a_restart_left_is_there_again_after_undo() -> None:
    instance = as_read([read(PICKAXE)])[0]
    keys = ["right", "down", "restart", "undo"]
    text = load("exporter", "puzzlescript").text(read(PICKAXE), None)
    (game,) = engine.play([engine.Job(text, [(0, keys)], tests=True)])
    assert difference(instance, keys, game.runs[0]) == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "| boulder |",
            "| bolder |",
            "pickaxe.toml:27:22: error: there is no BOLDER\n  declare it as a kind or a class",
        ),
        ('player = ["player"]', 'player = ["hero"]', "there is no kind or class 'hero'"),
        ("count pick = 0", "count pick = 3", "nothing can be won by `count pick = 3`"),
        ("late [ player", "startloop\nlate [ player", "no loops"),
        ("[scan]\nplayer", "[scan]\nspeed = 3\nplayer", "speed"),
        ("load = {", "Load = {", "small letters"),
        ("[goal]\n", '[[turn]]\nrules = ""\n\n[goal]\n', "do not go together"),
        ("[ > player load ] -> [ > player > load ]", "[ > player load", "pickaxe.toml:28:"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, said: str) -> None:
    assert old in PICKAXE
    with pytest.raises(DescriptionError) as error:
        read(PICKAXE.replace(old, new))
    assert said in str(error.value)


def test_goal_words_become_win_conditions() -> None:
    instance = read(PICKAXE.replace("count pick = 0", "every boulder on pick"))
    kinds = {kind.name: kind for kind in instance.game.kinds}
    (goal,) = instance.game.scan.goals if instance.game.scan is not None else ()
    assert (goal.quantifier, goal.what.kinds, goal.ground and goal.ground.kinds) == (
        "every",
        ("boulder",),
        ("pick",),
    )
    assert goal_of(instance.game.goal.terms[0], kinds, {}) == goal


def test_random_keys_end_where_the_same_keys_end_again() -> None:
    rng = random.Random(1)
    instance = read(PICKAXE)
    words = [rng.choice(["up", "right", "down", "left"]) for _ in range(40)]
    ends = []
    for one in (instance, read(write_game(instance.game, [instance.level]))):
        session = Session(one)
        for word in words:
            press(session, word)
        ends.append(session.shown.board)
    assert ends[0] == ends[1]
