"""Commands that look at a game: list, show, check, play, render."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ggp import registry
from ggp.cli import LISTS
from ggp.cli.report.listing import cell_text
from ggp.model.features import FEATURES
from ggp.solvers import search
from tests.commands import EMPTY_SUDOKU, Answer, Ask, error_only

# --- list -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", LISTS)
def test_list_one(ask: Ask, what: str) -> None:
    rows = ask("list", what, "--json").data
    text = ask("list", what)
    assert text.status == 0 and text.err == ""
    assert text.out.startswith(what)
    for row in rows:
        assert row["name"] in text.out
        assert row["name"] != "null", "templates are not for users"


def test_list_all(ask: Ask) -> None:
    tables = ask("list", "--json").data
    assert tuple(tables) == LISTS
    text = ask("list").out
    assert all(name in text for name in ("lemmings/seed", "cp-sat", *LISTS))
    assert {row["name"] for row in tables["games"]} == set(registry.GAMES)
    assert {row["name"] for row in tables["solvers"]} == set(registry.SOLVERS) - {"null"}


def test_list_says_what_is_known_of_a_level(ask: Ask) -> None:
    (row,) = (row for row in ask("list", "levels", "--json").data if row["name"] == "lemmings/seed")
    assert row["size"] == "10x10"
    assert (row["solvable"], row["solutions"], row["optimum"]) == (True, 6, {"bricks": 3})


def test_list_says_why_a_solver_is_not_available(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "available", lambda: "install it with `apt install luck`")
    (row,) = (row for row in ask("list", "solvers", "--json").data if row["name"] == "search")
    assert row["available"] is False
    assert row["why"] == "install it with `apt install luck`"
    assert "apt install luck" in ask("list", "solvers").out


# --- show, check, play ------------------------------------------------------------------------------------


def test_show(ask: Ask) -> None:
    answer = ask("show", "lemmings/seed")
    assert answer.status == 0 and answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "lemmings/seed: The level that started it"
    assert lines[1:11] == [
        "XXXXXXXXXX",
        "X<     XXX",
        "X X      X",
        "X        X",
        "X      X X",
        "X XX     X",
        "X    X X X",
        "XX   XX  X",
        "XX   X XTX",
        "XXXXXXXXXX",
    ]
    assert lines[11:] == [
        "goal at the last turn: no lemming off target",
        "turns: 19",
        "to place: brick, at most 3",
    ]


def test_a_terminal_obeys_no_title(ask: Ask, level_file: Callable[[str], Path]) -> None:
    """Titles come from files of others: what would clear the screen, or worse, is shown as numbers."""
    text = EMPTY_SUDOKU.replace("[[level]]", '[[level]]\ntitle = "A\\u001b[2Jtitle"')
    said = ask("show", str(level_file(text))).out
    assert "A\\x1b[2Jtitle" in said and "\x1b" not in said


def test_list_shows_no_control_characters() -> None:
    assert cell_text("A\x1b[2Jtitle") == "A\\x1b[2Jtitle"


def test_show_says_the_inputs(ask: Ask) -> None:
    assert "inputs: up, right, down, left" in ask("show", "sokoban/first").out


def test_show_numbers_rows_and_columns(ask: Ask) -> None:
    lines = ask("show", "lemmings/seed", "--numbers").out.splitlines()
    assert lines[1].split() == list("0123456789")
    assert [line[0] for line in lines[2:12]] == list("0123456789")


def test_show_plays_a_plan(ask: Ask, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    assert ask("solve", "sokoban/first", "--solver", "search", "-o", str(plan)).status == 0
    lines = ask("show", "sokoban/first", "--plan", str(plan)).out.splitlines()
    assert lines[0] == "sokoban/first: the start" and lines[-1].startswith("WIN: ")
    assert lines[6] == "turn 1: up"
    assert lines[1:6] == ask("show", "sokoban/first").out.splitlines()[1:6] and lines[7:12] != lines[1:6]

    data = ask("show", "sokoban/first", "--plan", str(plan), "--json").data
    assert data["won"] and len(data["boards"]) == data["turn"] + 1
    assert data["boards"][0] == ask("show", "sokoban/first", "--json").data["board"]


def test_show_json(ask: Ask) -> None:
    data = ask("show", "lemmings/seed", "--json").data
    assert set(data) == set("level title height width horizon numbers board goal when needs".split())
    assert (data["height"], data["width"], data["horizon"], data["numbers"]) == (10, 10, 19, {"budget": 3})
    assert data["board"][1][1] == ["lemming:left"] and data["board"][8][8] == ["target"]
    assert data["goal"] == ["no lemming off target"] and data["when"] == "horizon"


def test_check_of_a_good_file(ask: Ask) -> None:
    for name in ("lemmings", "sokoban/first"):
        assert ask("check", name) == Answer(0, f"{name}: 0 errors, 0 warnings\n", "")
    assert ask("check", "sudoku", "--json").data == []


def test_check_shows_every_finding_with_its_place(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("horizon = 0", "horizn = 0").replace(".\n'''", "!\n'''"))
    answer = ask("check", file)
    assert answer.status == 2 and answer.err == ""
    assert f"{file}:4:1: error: a level has no `horizn`" in answer.out
    assert f"{file}:14:9: error: " in answer.out
    assert answer.out.endswith(f"{file}: 2 errors, 0 warnings\n")
    found = ask("check", file, "--json")
    assert found.status == 2
    assert [(one["line"], one["column"]) for one in found.data] == [(4, 1), (14, 9)]
    for one in found.data:
        assert set(one) == set("severity message remedy file line column".split())
        assert one["file"] == str(file) and one["severity"] == "error"


SLIPS = """name = "g"
[kinds]
wall = { layer = "a", tile = "wal", colour = "#ggg" }
me = { layer = "b", tile = "person", colour = "teal", count = "1" }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
[input]
moves = ["left", "right"]
[[turn]]
rules = \"\"\"
step: me here, no wall ahead => me here -> ahead
step: me here, wall ahead => remove wall ahead
\"\"\"
[goal]
win = ["every wall on me"]
[[level]]
horizon = 3
map = "@.#"
[level.known]
wins = [{ actions = "right" }, { actions = "right right" }, { actions = "rihgt" }]
loses = [{ actions = "left" }, { actions = "right right" }]
"""


def test_check_warns_of_pictures_and_plans_that_are_not_as_the_file_says(
    ask: Ask, level_file: Callable[[str], Path]
) -> None:
    file = level_file(SLIPS)
    answer = ask("check", file)
    for said in (
        ":3:1: warning: `wall` has the tile 'wal', and there is none of that name\n  did you mean `wall`",
        ":3:1: warning: `wall` has the colour '#ggg', which is none\n  write #rgb, #rrggbb or a word; known",
        ":14:1: warning: 2 rules are called `step`",
        ":18:3: warning: level 1: plan 1 of `wins` does not win: the plan stops after turn 1",
        ":18:3: warning: level 1: plan 3 of `wins` does not win: turn 1: there is no input rihgt",
        ":18:3: warning: level 1: plan 2 of `loses` wins at turn 2",
    ):
        assert f"{file}{said}" in answer.out
    assert answer.status == 0 and answer.out.endswith("0 errors, 6 warnings\n")


def test_a_name_that_is_none_does_not_hide_what_is_wrong_with_others(
    ask: Ask, level_file: Callable[[str], Path]
) -> None:
    file = level_file("name = 3")
    answer = ask("check", "no-such-game", file)
    assert answer.status == 2 and "there is no game called 'no-such-game'" in answer.out
    assert f"{file}:1:" in answer.out and "no-such-game: 1 error, 0 warnings" in answer.out
    told = ask("check", "no-such-game", file, "--json").data
    assert {one["file"] for one in told} == {None, str(file)}


def test_files_are_checked_one_after_another(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("horizon = 0", "horizn = 0"))
    answer = ask("check", "akari", file, "sokoban")
    assert answer.status == 2
    lines = answer.out.splitlines()
    assert lines[0] == "akari: 0 errors, 0 warnings" and lines[-1] == "sokoban: 0 errors, 0 warnings"
    assert f"{file}:4:1: error: a level has no `horizn`" in answer.out
    assert [one["file"] for one in ask("check", "akari", file, "--json").data] == [str(file)]


def test_a_warning_stops_nothing(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("horizon = 0", "horizon = 0\nbudget = 1\nlives = 3"))
    answer = ask("check", file)
    assert answer.status == 0
    assert "warning: level empty: nothing asks for the number `lives`" in answer.out
    assert answer.out.endswith(f"{file}: 0 errors, 1 warning\n")


def test_a_bad_file_is_an_error_of_every_command(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("empty", "em pty"))
    for command in ("show", "solve", "play"):
        error_only(ask(command, file), f"{file}:3:8: error: 'em pty' is not a name for a level")


def test_playing_needs_a_terminal(ask: Ask) -> None:
    error_only(ask("play", "lemmings/seed"), "playing needs a terminal")


# --- render -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.gif", b"GIF89a"), ("a.GIF", b"GIF89a"), ("a.png", b"\x89PNG"), ("a.svg", b"<svg")],
)
def test_render(ask: Ask, plan: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    out = tmp_path / name
    frames = "20 frames" if name.lower().endswith("gif") else "1 frame"
    assert ask("render", "lemmings/seed", "--plan", plan, "-o", out) == Answer(0, f"{out}: {frames}\n", "")
    assert out.read_bytes().startswith(begins)


def test_render_without_a_plan(ask: Ask, tmp_path: Path) -> None:
    """A world that moves by itself is shown moving; a board still to be filled is shown as it is."""
    for level, frames in (
        ("lemmings/seed", "20 frames"),
        ("sudoku/paper-4x4", "1 frame"),
        ("sokoban/first", "1 frame"),
    ):
        assert ask("render", level, "-o", tmp_path / "a.gif").out.endswith(f": {frames}\n")
        assert ask("render", level, "-o", tmp_path / "a.png").out.endswith(": 1 frame\n")


def test_render_says_that_a_plan_does_not_win(ask: Ask, plan: Path, tmp_path: Path) -> None:
    out, stopped = tmp_path / "a.gif", tmp_path / "stopped.json"
    stopped.write_text('{"actions": "up up"}')
    answer = ask("render", "sokoban/first", "--plan", stopped, "-o", out)
    assert (answer.status, answer.out) == (0, f"{out}: 2 frames\n")
    assert answer.err == "note: this plan does not win: turn 2: up changes nothing\n"
    assert ask("render", "lemmings/seed", "--plan", plan, "-o", out).err == ""


def test_render_refuses_a_plan_of_another_level(ask: Ask, plan: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.gif"
    error_only(ask("render", "sokoban/first", "--plan", plan, "-o", out), "this plan is for lemmings/seed")
    assert not out.exists()


def test_a_plan_of_pieces_without_a_symbol_is_shown_with_a_legend(ask: Ask, tmp_path: Path) -> None:
    description = tmp_path / "tents.toml"
    description.write_text("""\
name = "tents"
kinds = { tent = { layer = "solid", facing = ["up", "left"] } }
symbols = { "." = "" }
design = { place = "tent", free-of = ["tent"], limit = 1 }
goal = { win = ["some tent:left on tent"] }
[[level]]
horizon = 0
map = "."
""")
    plan = tmp_path / "plan.json"
    plan.write_text('{"design": [[0, 0, "tent:left"]], "actions": []}')
    code, out, _ = ask("show", str(description), "--plan", str(plan))
    assert code == 0 and "?" not in out and out.splitlines()[-3:-1] == ["<", "<  tent:left"]
    code, out, _ = ask("solve", str(description), "--solver", "search")
    assert code == 0 and out.splitlines()[1:3] == ["<", "<  tent:left"]


@pytest.mark.parametrize(
    ("more", "line", "told"),
    [
        ("kinds.mine = { layer = 'm', hidden = true }", 4, FEATURES["hidden"]),
    ],
)
@pytest.mark.parametrize("command", ["play", "replay", "show", "render"])
def test_games_that_nobody_plays_alone_are_refused_by_name(
    ask: Ask, tmp_path: Path, command: str, more: str, line: int, told: str
) -> None:
    """Several players who do not see all: what would be played is another game."""
    description = tmp_path / "g.toml"
    description.write_text(f"""\
name = "g"
players = ["a", "b"]
kinds.peg = {{ layer = "solid" }}
{more}
symbols = {{ "." = "", "o" = "peg", "m" = "peg" }}
input = {{ moves = ["right"] }}
turn = [{{ rules = "step: peg here => peg here -> right" }}]
goal = {{ win = ["count peg = 0"] }}
level = [{{ map = "o." }}]
""")
    plan = tmp_path / "plan.json"
    plan.write_text('{"actions": ["right"]}')
    rest = {"play": [], "replay": [plan], "show": ["--plan", plan]}
    answer = ask(command, description, *rest.get(command, ["-o", tmp_path / "out.gif"]))
    assert answer.status == 1 and answer.out == "" and f"error: ggp {command}" in answer.err
    assert f"does not support {told}" in answer.err and f"g.toml:{line}:" in answer.err
