"""Description files: what is read, that every place points into the file, and that writing reads back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import registry
from ggp.errors import DescriptionError, Place
from ggp.goals.on import On
from ggp.language.description import check_file, read_file, read_game, read_levels, write_game
from ggp.language.levels import builtin
from ggp.model import (
    DIRECTIONS,
    Block,
    Class,
    Condition,
    Game,
    Group,
    Input,
    Kind,
    Known,
    Level,
    Objective,
    Pattern,
    Piece,
    Plan,
    Scatter,
)
from tests.slow import one_in

Golden = Callable[[str, str], None]

EVERYTHING = (Path(__file__).parents[1] / "data" / "everything.toml").read_text(encoding="utf-8")


def read(text: str, file: str = "game.toml") -> tuple[Game, tuple[Level, ...]]:
    return read_game(text.encode(), file)


@pytest.fixture(scope="module")
def dash() -> tuple[Game, tuple[Level, ...]]:
    return read(EVERYTHING)


# --- reading --------------------------------------------------------------------------------------------


def test_the_head(dash: tuple[Game, tuple[Level, ...]]) -> None:
    game = dash[0]
    assert (game.name, game.title, game.about) == ("dash", "Everything at once", "Two lines\nof words.")
    assert (game.players, game.wraps) == (("red", "blue"), True)


def test_kinds(dash: tuple[Game, tuple[Level, ...]]) -> None:
    kinds = {kind.name: kind for kind in dash[0].kinds}
    assert kinds["wall"] == Kind("wall", "solid")
    assert kinds["me"] == Kind("me", "solid", DIRECTIONS, count=(1, 1), tile="person")
    assert kinds["exit"] == Kind("exit", "floor", hidden=True, colour="#ff0", count=(0, 2))
    assert kinds["picked"] == Kind("picked", "pick", ("left", "right"), marker=True)
    assert kinds["number"] == Kind("number", "number", values=(0, "most"))


def test_classes(dash: tuple[Game, tuple[Level, ...]]) -> None:
    slope = Class("slope", ("wall",), (("left", ("rock",)), ("right", ("gem",))))
    assert dash[0].classes[0] == Class("round", ("rock", "gem"))
    assert dash[0].classes[2] == slope


def test_symbols(dash: tuple[Game, tuple[Level, ...]]) -> None:
    symbols = dict(dash[0].symbols)
    assert symbols[" "] == ()
    assert symbols["\\"] == (Piece("gem"), Piece("exit"))
    assert symbols["<"] == (Piece("me", "left"),)
    assert [symbols[digit] for digit in "0123"] == [(Piece("number", value),) for value in range(4)]
    assert "".join(symbols) == ' #o\\<"0123é'


def test_what_players_and_chance_decide(dash: tuple[Game, tuple[Level, ...]]) -> None:
    game = dash[0]
    assert game.input == Input(DIRECTIONS, ("action",), "picked", True)
    assert game.chance == (Scatter("gem", "gems", ("thing",)),)
    assert game.objectives == (Objective("steps", "turns"), Objective("rolls", "moves", "round"))


def test_phases(dash: tuple[Game, tuple[Level, ...]]) -> None:
    walk, block = dash[0].turn[0], dash[0].physics[0]
    assert isinstance(walk, Group)
    assert (walk.name, [rule.name for rule in walk.rules]) == ("walk", ["walk", "pick", "act", "slip"])
    assert isinstance(block, Block)
    assert (block.name, block.bound, [group.bound for group in block.groups]) == ("fall", "height", [None, 3])


def test_what_rules_go_toward(dash: tuple[Game, tuple[Level, ...]]) -> None:
    assert [rule.toward for rule in dash[0].turn[0].rules] == ["input", "none", "none", "any"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("section", "rule", "toward"),
    [
        ("turn", "rock here, no rock ahead => rock here -> ahead", "input"),
        ("physics", "rock here, no rock ahead => rock here -> ahead", "any"),
        ("turn", "me here, no rock ahead => me here -> ahead", "facing"),
        ("physics", "me here => turn me here behind", "facing"),
        ("physics", "me here, no rock down => me here -> down", "none"),
        ("turn", "rock here => remove rock here", "none"),
        ("physics", "rock ahead => remove rock ahead", "any"),
        ("physics", "walker here, no rock ahead => stay", "facing"),
        ("physics", "mixed here, no rock ahead => stay", "any"),
        ("physics", "rock here, way ahead => stay", "any"),
        ("turn", "rock here, way here => stay", "input"),
    ],
)
def test_what_a_rule_goes_toward_by_itself(section: str, rule: str, toward: str) -> None:
    game, _ = read(f"""
name = "g"
[kinds]
rock = {{ layer = "solid" }}
me = {{ layer = "solid", facing = ["left", "right"] }}
[classes]
walker = ["me"]
mixed = ["me", "rock"]
way = {{ left = ["rock"] }}
[input]
moves = ["left", "right"]
[[{section}]]
rules = "r: {rule}"
[goal]
win = ["some me on rock"]
""")
    assert (*game.turn, *game.physics)[0].rules[0].toward == toward  # type: ignore[union-attr]


def test_the_goal(dash: tuple[Game, tuple[Level, ...]]) -> None:
    goal = dash[0].goal
    assert (goal.when, len(goal.terms)) == ("horizon", 2)
    assert goal.lose == (On("no", Pattern("me"), "off", Pattern("exit")),)


@pytest.mark.parametrize(
    ("section", "objectives"),
    [
        ('[design]\nplace = "a"\nfree-of = ["a"]', (Objective("placements", "placements"),)),
        ('[design]\nplace = "a"\nfree-of = ["a"]\nfill = true', ()),
        (
            '[input]\nverbs = ["act"]\n[[turn]]\nrules = "r: a here => remove a here"',
            (Objective("turns", "turns"),),
        ),
        ('[design]\nplace = "a"\nfree-of = ["a"]\n[objectives]', ()),
    ],
)
def test_objectives_by_themselves(section: str, objectives: tuple[Objective, ...]) -> None:
    game, _ = read(f'name = "g"\n[kinds]\na = {{ layer = "a" }}\n{section}\n[goal]\nwin = ["count a = 1"]')
    assert game.objectives == objectives


def test_levels(dash: tuple[Game, tuple[Level, ...]]) -> None:
    first, second = dash[1]
    assert (first.name, first.title, first.horizon, first.when) == ("a", "The first", 3, "any-turn")
    assert first.numbers == (("gems", 1), ("most", 9))
    assert (len(first.board), len(first.board[0])) == (4, 7)
    assert first.board[1][4] == {Piece("gem"), Piece("exit")}
    assert first.board[2][4] == {Piece("number", 0)}
    cages, pairs = dict(first.regions)["cages"], dict(first.regions)["pairs"]
    assert cages == (((1, 1), (1, 2), (2, 1)), ((1, 3), (1, 4), (2, 4)))
    assert pairs == (((0, 0), (1, 1)), ((0, 0),))
    assert (second.name, second.board) == (
        "2",
        ((frozenset({Piece("me", "left")}), frozenset({Piece("rock"), Piece("exit")})),),
    )


def test_what_is_known(dash: tuple[Game, tuple[Level, ...]]) -> None:
    known = dash[1][0].known
    assert (known.solvable, known.solutions, known.optimum) == (True, 2, (("steps", 3),))
    assert known.wins == (Plan((), ("right", "right", "pick(1,2,left)", "wait")), Plan((), ("up",)), Plan())
    assert known.loses == (Plan((), ("left",)),)
    assert dash[1][1].known == Known()


def test_a_placed_value_alone_names_the_piece() -> None:
    game, levels = builtin("sudoku")
    bare = replace(levels[0], known=Known())
    text = write_game(game, (bare,)) + '[level.known]\nwins = [{ design = [[0, 0, 3], [0, 2, "digit:1"]] }]\n'
    plan = read(text)[1][0].known.wins[0]
    assert plan.design == (((0, 0), Piece("digit", 3)), ((0, 2), Piece("digit", 1)))


@pytest.mark.parametrize("name", one_in(8, sorted(registry.GAMES), 1))
def test_built_in_games_have_no_findings(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_bytes(registry.description_text(name))
    assert check_file(file) == ()


def test_levels_alone_name_their_game(tmp_path: Path) -> None:
    game, levels = builtin("sokoban")
    text = 'game = "sokoban"\ntitle = "Mine"\n[[level]]\nmap = """\n$.@\n"""'
    (level,) = read_levels(text.encode(), "mine.toml", game)
    assert (level.name, level.horizon) == ("1", None)
    with pytest.raises(DescriptionError, match="holds levels of 'sokoban' and no game"):
        read(text)


# --- places ---------------------------------------------------------------------------------------------


def text_at(place: Place | None) -> str:
    """What stands at a place of EVERYTHING, up to the end of the line."""
    assert place is not None
    assert place.file == "game.toml"
    return EVERYTHING.split("\n")[place.line - 1][place.column - 1 :]


def test_places_of_declarations(dash: tuple[Game, tuple[Level, ...]]) -> None:
    game, levels = dash
    for named in (*game.kinds, *game.classes):
        assert text_at(named.place).startswith(f"{named.name} = ")
    for objective in game.objectives:
        assert text_at(objective.place).startswith(f"{objective.name} = ")
    assert text_at(game.input.place if game.input else None) == "input]"
    assert text_at(game.chance[0].place) == "chance]]"
    assert [text_at(level.place) for level in levels] == ["level]]"] * 2


def test_places_in_rules_and_goals(dash: tuple[Game, tuple[Level, ...]]) -> None:
    game = dash[0]
    assert isinstance(game.physics[0], Block)
    for group in (*game.turn, *game.physics[0].groups):
        assert isinstance(group, Group)
        for rule in group.rules:
            assert text_at(rule.place).startswith(rule.name)
            for condition in rule.conditions:
                words = ("no ", "input ", "inside ", "$")
                if isinstance(condition, Condition) and condition.pattern is not None:
                    words = ("no ", "$", condition.pattern.name)
                assert text_at(condition.place).startswith(words)
            for effect in rule.effects:
                assert text_at(effect.place).startswith((effect.verb, effect.pattern.name))
    for term in (*game.goal.terms, *game.goal.lose):
        assert text_at(getattr(term, "place", None)).startswith(term.source())  # type: ignore[attr-defined]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks_move_no_place(
    newline: str, mark: str, dash: tuple[Game, tuple[Level, ...]]
) -> None:
    game, levels = read(mark + EVERYTHING.replace("\n", newline))
    assert (game, levels) == dash
    assert [kind.place for kind in game.kinds] == [kind.place for kind in dash[0].kinds]


def test_places_behind_escapes_and_joined_lines() -> None:
    text = EVERYTHING.replace("[[chance]]", '[[physics]]\nrules = "\\u0061\\t: \\\\"\n\n[[chance]]')
    with pytest.raises(DescriptionError) as caught:
        read(text)
    place = caught.value.findings[0].place
    assert place is not None
    line = text.split("\n")[place.line - 1]
    assert line[place.column - 1 :] == '\\\\"'
    joined = text.replace('"\\u0061\\t: \\\\"', '"""\n  ab: \\\n    rock here, \\\n   !"""')
    with pytest.raises(DescriptionError) as caught:
        read(joined)
    place = caught.value.findings[0].place
    assert place is not None
    assert joined.split("\n")[place.line - 1][place.column - 1 :] == '!"""'


# --- files ----------------------------------------------------------------------------------------------


def test_read_file_and_check_file(tmp_path: Path) -> None:
    file = tmp_path / "dash.toml"
    file.write_text(EVERYTHING, encoding="utf-8")
    assert read_file(file)[0].name == "dash"
    assert [finding.severity for finding in check_file(file)].count("error") == 0
