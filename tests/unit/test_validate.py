"""What validation finds: every test spoils a game that has no findings, and names what must be said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import DescriptionError, Finding
from ggp.language.description import check_file, read_game
from ggp.language.levels import builtin
from ggp.language.validate import findings
from ggp.language.validate.collisions import collision_findings
from ggp.model import (
    Group,
    Instance,
)
from ggp.transition.compiler import compile_instance

GAME = """
name = "g"
[kinds]
wall = { layer = "solid" }
rock = { layer = "solid" }
me = { layer = "solid", facing = ["left", "right"], count = "1" }
goal = { layer = "floor" }
digit = { layer = "digit", values = [1, 9] }
flag = { layer = "flag", marker = true }
[classes]
thing = ["wall", "rock", "me"]
ahead-only = { left = ["rock"], right = ["wall"] }
[symbols]
" " = ""
"#" = "wall"
"o" = "rock"
"<" = "me:left"
"." = "goal"
"5" = "digit:5"
[input]
moves = ["left", "right"]
verbs = ["act"]
[[turn]]
rules = \"\"\"
RULES
walk toward input: me here, no thing ahead, no ahead-only behind => me here -> ahead :ahead
mark: rock here, input act, no flag here => add flag here
\"\"\"
[goal]
win = ["some me on goal", "count digit >= 0"]
[[level]]
name = "one"
map = \"\"\"
#< .5#
\"\"\"
"""
PHYSICS = """
[[physics]]
rules = '''
RULES
'''
"""
LOOP = """
[[physics]]
until = "stable"
bound = 9
rules = '''
RULES
'''
"""


def found(text: str) -> str:
    """Everything that reading or validating a text finds, errors and warnings."""
    try:
        game, levels = read_game(text.encode(), "g.toml")
    except DescriptionError as error:
        return str(error)
    return "\n".join(map(str, findings(game, levels)))


def with_rule(rule: str, where: str = "turn") -> str:
    """The game with one more rule: first under [[turn]], or in a group of its own."""
    if where == "turn":
        return GAME.replace("RULES", rule)
    section = {"physics": PHYSICS, "loop": LOOP}[where].replace("RULES", rule)
    return GAME.replace("RULES", "").replace("[goal]", section + "[goal]")


def line_of(text: str, part: str) -> str:
    """`g.toml:LINE:COLUMN` of the first place where `part` stands."""
    before = text[: text.index(part)]
    return f"g.toml:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_the_game_itself_has_no_findings() -> None:
    assert found(GAME.replace("RULES", "")) == ""


@pytest.mark.parametrize(
    ("rule", "at", "message"),
    [
        ("r: rok here => stay", "rok", "rule r: there is no kind or class `rok`\n  did you mean `rock`"),
        ("r: rock here => remove thng here", "remove thng", "there is no kind or class `thng`"),
        ("r: rock:left here => stay", "rock:left", "asks for a facing, and `rock` has no facings"),
        ("r: digit:left here => stay", "digit:left", "`digit` has no facings"),
        ("r: rock:3 here => stay", "rock:3", "asks for a value, and `rock` has no values"),
        ("r: me:lft here => stay", "me:lft", "`me` never faces `lft`\n  did you mean `left`?"),
        ("r: me:up here => stay", "me:up", "`me` never faces `up`"),
        ("r: me here => turn me here up", "turn me", "`me` would face up, and it faces left or right only"),
        ("r: me here => turn me here leftward", "turn me", "`me` would face"),
        ("r: me here => me here -> here :sideways", "me here -> here", "there is no facing `sideways`"),
        ("r: rock here => turn rock here left", "turn rock", "`rock` has no facings, so there is no"),
        ("r: rock here => turn rock here 2", "turn rock", "`rock` has no values, so there is no `rock:2`"),
        ("r: rock here => add me up", "add me", "adds `me` without a facing\n  write `add me:left CELL`"),
        ("r: rock here => add digit here", "add digit", "adds `digit` without a value"),
        ("r: rock here => add thing up", "add thing", "adds `thing`, which is a class"),
        ("r toward none: rock here, no rock ahead => stay", "r toward none", "has none that it could be"),
        ("r toward none: me here, ahead-only up => stay", "ahead-only up", "`ahead-only` depends on the dir"),
        ("r toward facing: rock here, wall ahead => stay", "r toward facing", "first thing that it asks"),
        ("r toward facing: wall ahead => stay", "r toward facing", "it goes toward a facing"),
        ("r: rock here, input up => stay", "input up", "there is no input `up`"),
        ("r: rock here, input atc => stay", "input atc", "there is no input `atc`\n  did you mean `act`?"),
        ("r: rock here, input wait => stay", "input wait", "there is no input `wait`"),
        ("r: rock here => remove $thing up", "remove $thing", "nothing says which kind `$thing` is"),
        ("r: rock here, no $thing up => stay", "no $thing", "nothing says which kind `$thing` is"),
        ("r: goal here => add wall here, add rock here", "add rock", "it puts `wall` and `rock` on one cell"),
        (
            "r toward left: me here, rock up => me here -> ahead, rock up -> up.down.left",
            "rock up -> ",
            "it puts `me` and `rock` on one cell, both on the layer `solid`",
        ),
        (
            "r: rock here, wall up => rock here -> up",
            "rock here -> up",
            "puts `rock` where `wall` must stand",
        ),
    ],
)
def test_errors_in_rules(rule: str, at: str, message: str) -> None:
    text = with_rule(rule)
    assert message in found(text)
    assert f"{line_of(text, at)}: error: " in found(text)


@pytest.mark.parametrize(
    ("rule", "at", "message"),
    [
        ("r: rock here, no rock here => stay", "r:", "can never fire: `rock here` and `no rock here` cannot"),
        ("r: rock here, no thing here => stay", "r:", "can never fire: `rock here` and `no thing here`"),
        ("r: rock here, wall here => stay", "r:", "can never fire: `rock here` and `wall here` cannot both"),
        ("r: wall up, outside up => stay", "r:", "can never fire: `wall up` and `outside up` cannot both"),
        ("r: rock up, no rock left.up.right => stay", "r:", "can never fire"),
        ("r toward any: rock ahead, no thing ahead => stay", "r:", "can never fire"),
        ("r: rock here, outside here => stay", "r:", "can never fire: `outside here`"),
        ("r: rock here => rock here -> here", "rock here -> here", "this effect changes nothing"),
        ("r: me here => turn me:left here left", "turn me", "this effect changes nothing"),
        (
            "r: rock here => rock up -> here.x".replace("here.x", "up.up"),
            "rock up ->",
            "is not required where",
        ),
        ("r: rock here, input act => stay\nr: wall here => stay", "r: wall", "2 rules are called `r`"),
    ],
)
def test_warnings_about_rules(rule: str, at: str, message: str) -> None:
    text = with_rule(rule).replace("r toward any:", "r toward any:")
    said = found(text)
    assert "error" not in said
    assert message in said
    start = line_of(text, rule) if at == "r:" else line_of(text, at)
    assert f"{start}: warning: " in said


@pytest.mark.parametrize(
    ("earlier", "later", "warns"),
    [
        ("a: rock here => stay", "b: rock here, wall up => stay", True),
        ("a: rock here, wall up => stay", "b: wall up, rock here => stay", True),
        ("a: rock here, wall up => stay", "b: rock here => stay", False),
        ("a: rock here => stay", "b: wall here => stay", False),
        ("a: rock here => rock here -> up", "b: rock here, wall left => stay", False),
        ("a: rock here => rock here -> up", "b: rock here, inside up => stay", True),
        ("a toward left: rock here, no wall ahead => stay", "b: rock here, no wall ahead => stay", False),
        ("a: rock here => stay", "b toward input: rock here, wall ahead => stay", True),
        ("a: digit:$n here => turn digit here $n + 1", "b: digit:$n here => turn digit here 1", False),
        ("a: digit:$n here => stay", "b: digit:$n here => turn digit here 1", True),
    ],
)
def test_rules_that_come_too_late(earlier: str, later: str, warns: bool) -> None:
    said = found(with_rule(f"{earlier}\n{later}", "physics"))
    assert ("rule b can never fire: whenever it could, a above it does" in said) == warns
    assert "error" not in said


def test_what_another_rule_of_the_group_may_take_away_is_no_error() -> None:
    train = "follow: rock here, rock up => rock here -> up\nlead: rock here, no thing up => rock here -> up"
    assert "error" not in found(with_rule(train, "physics"))


@pytest.mark.parametrize(
    "rule",
    ["r: rock here => stay", "r: rock here => rock here -> here", "r: rock here => rock here -> up.down"],
)
def test_in_a_loop_every_firing_changes_something(rule: str) -> None:
    text = with_rule(rule, "loop")
    assert "rule r: it changes nothing, in a group that runs until nothing changes" in found(text)
    assert line_of(text, rule) in found(text)
    assert "error" not in found(with_rule(rule, "physics"))


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('thing = ["wall",', 'thing = ["wal",', "thing =", "there is no kind or class `wal`"),
        ('thing = ["wall",', 'thing = ["thing",', "thing =", "the class `thing` contains itself"),
        (
            "moves = [",
            'pick = "rock"\nmoves = [',
            "input]",
            "`rock` marks the picked cell, and is not a mark",
        ),
        ("moves = [", 'pick = "pic"\nmoves = [', "input]", "there is no kind `pic` to mark a picked cell"),
        ('verbs = ["act"]', 'verbs = ["act", "up"]', "input]", "'up' cannot be a verb"),
        ('verbs = ["act"]', 'verbs = ["Act"]', "input]", "'Act' cannot be a verb"),
        ('"some me on goal"', '"some me on gaol"', "some me", "there is no kind or class `gaol`"),
        ('"some me on goal"', '"some $thing on goal"', "some $", "which means nothing in a goal"),
        (
            '"some me on goal"',
            '"some me:ahead on goal"',
            "some me",
            "is relative, and nothing here has a dir",
        ),
        ('"some me on goal"', '"some ahead-only on goal"', "some ah", "depends on the direction"),
        ('"some me on goal"', '"different rok in rows"', "different", "there is no kind or class `rok`"),
        (
            '"some me on goal"',
            '"order digit along me"',
            "order",
            "`order` reads `me` off the map, and `me` does not stay as the map has it",
        ),
        ("[goal]", '[objectives]\nx = "moves rok"\n[goal]', "x =", "there is no kind or class `rok`"),
        ("[goal]", '[objectives]\nx = "placements"\n[goal]', "x =", "counts placements, and the game has no"),
        (
            "[goal]",
            '[[chance]]\nkind = "rok"\ncount = 1\n[goal]',
            "chance]]",
            "no kind `rok` to lay at random",
        ),
        (
            "[goal]",
            '[design]\nplace = "thing"\n[goal]',
            "design]",
            "no kind `thing` to place\n  `thing` is a",
        ),
        ("[goal]", '[design]\nplace = "flag"\n[goal]', "design]", "`flag` is a marker and cannot be placed"),
        (
            "[goal]",
            '[design]\nplace = "wall"\nfree-of = ["wall", "me"]\n[goal]',
            "design]",
            "on `rock`, which",
        ),
        ("[goal]", '[design]\nplace = "wall"\nfree-of = ["ahead-only"]\n[goal]', "design]", "depends on"),
        ('"5" = "digit:5"', '"5" = "digit:5 flag"', "g.toml", "holds `flag`, a marker"),
    ],
)
def test_errors_elsewhere_in_a_game(old: str, new: str, at: str, message: str) -> None:
    text = GAME.replace("RULES", "").replace(old, new)
    said = found(text)
    assert message in said
    if at != "g.toml":
        assert f"{line_of(text, at)}: error: " in said


def test_turn_rules_without_an_input() -> None:
    text = GAME.replace("RULES", "").replace('[input]\nmoves = ["left", "right"]\nverbs = ["act"]\n', "")
    assert "there are rules under [[turn]], but no [input] that could set them off" in found(text)


def test_input_in_a_game_without_inputs() -> None:
    game, levels = builtin("lemmings")
    group = game.physics[0]
    assert isinstance(group, Group)
    rule = replace(group.rules[0], toward="input")
    spoilt = replace(game, physics=(replace(group, rules=(rule,)),))
    assert "no input of this game has a direction" in "\n".join(map(str, findings(spoilt, levels)))


# --- levels -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "one"', 'name = "one"\nwhen = "horizon"', "there is no horizon\n  add `horizon = ...`"),
        (
            'name = "one"',
            'name = "one"\nregions.cages = [[[0, 9]]]',
            "the cell (0, 9) of this region is not on the board",
        ),
        ('name = "one"', 'name = "one"\nknown.optimum.x = 1', "known for `x`, which is no objective"),
        ('name = "one"', 'name = "one"\nknown.wins = [{ actions = "jump!" }]', "'jump!' is not an action"),
        ('name = "one"', 'name = "one"\nknown.wins = [{ design = [[9, 0, "rock"]] }]', "outside the board"),
        (
            'name = "one"',
            'name = "one"\nknown.wins = [{ design = [[0, 2, "rock"]] }]',
            "the game has no [design]",
        ),
        (
            '"some me on goal"',
            '"different digit in cages"',
            "does not fit: there are no regions called `cages`",
        ),
        ('"some me on goal"', '"different digit in boxes"', "`boxes` needs a square board"),
        ("count digit >= 0", "count digit >= wanted", "level one gives no number `wanted`"),
        (
            "[goal]",
            '[[chance]]\nkind = "rock"\ncount = "many"\n[goal]',
            "no number `many`, how many of `rock`",
        ),
        ("[goal]", '[[chance]]\nkind = "rock"\ncount = 9\n[goal]', "9 of `rock` do not fit on 6 free cells"),
        (
            "values = [1, 9]",
            'values = [1, "most"]',
            "there is no number `most`, a bound of the values of `digit`",
        ),
        ("values = [1, 9]", 'values = [7, "width"]', "`digit` has values from 7 to 6"),
        ("values = [1, 9]", "values = [1, 4]", "there is no `digit:5` in this level"),
        (
            'name = "one"',
            'name = "one"\nknown.solvable = false\nknown.solutions = 1',
            "known to be unsolvable",
        ),
    ],
)
def test_errors_in_levels(old: str, new: str, message: str) -> None:
    text = GAME.replace("RULES", "").replace(old, new)
    assert message in found(text)


def test_the_bound_of_a_loop_must_be_a_number_of_the_level() -> None:
    text = with_rule("r: rock here => remove rock here", "loop").replace("bound = 9", 'bound = "rounds"')
    assert "there is no number `rounds`, the bound of a loop\n  add `rounds = ...` to the level" in found(
        text
    )
    assert "rounds is -1, and it is the bound of a loop" in found(
        text.replace('name = "one"', 'name = "one"\nrounds = -1')
    )


def test_values_that_rules_make_must_be_there() -> None:
    assert "rule r makes one: there is no `digit:12` in this level" in found(
        with_rule("r: rock here => add digit:12 here")
    )


# --- collisions ---------------------------------------------------------------------------------------------


def collisions(text: str) -> list[Finding]:
    game, _ = read_game(text.encode(), "g.toml")
    return list(collision_findings(game))


def test_two_rules_that_can_collide_are_both_named() -> None:
    rules = "fall: rock here, no thing down => rock here -> down\nrise: goal here, no thing up => add wall up"
    (finding,) = collisions(with_rule(rules, "physics"))
    assert finding.severity == "warning"
    assert "rule rise" in finding.message and "rule fall" in finding.message
    assert "the map: |" in finding.remedy


def test_a_rule_that_puts_something_on_what_stands_there() -> None:
    found = collisions(with_rule("fall: rock here, no wall down => rock here -> down", "physics"))
    assert any("collides" in finding.message and "rock" in finding.message for finding in found)


def test_what_no_input_says_never_happens() -> None:
    """`me` goes left and right only: of what lies above it nothing is said, nor is a rule compiled for it."""
    text = with_rule("fly toward any: me here, input ahead => me here -> ahead", "turn")
    said = [finding.message for finding in collisions(text)]
    assert any("rule fly" in one and one.endswith("when the input is right") for one in said)
    assert not any(one.endswith(("when the input is up", "when the input is down")) for one in said)
    game, levels = read_game(text.encode(), "g.toml")
    fly = {rule.inputs for rule in compile_instance(Instance(game, levels[0])).rules() if rule.name == "fly"}
    assert fly == {("left",), ("right",)}


@pytest.mark.parametrize("name", ["lemmings", "sokoban", "sudoku"])
def test_built_in_rules_do_not_collide(name: str) -> None:
    assert list(collision_findings(builtin(name)[0])) == []


def test_check_file_tells_of_collisions(tmp_path: Path) -> None:
    file = tmp_path / "g.toml"
    file.write_text(with_rule("fall: rock here, no wall down => rock here -> down", "physics"))
    assert {finding.severity for finding in check_file(file)} == {"warning"}


# --- the promise ----------------------------------------------------------------------------------------


def test_what_passes_compiles() -> None:
    text = GAME.replace("RULES", "").replace('["left", "right"]', '["up", "right", "down", "left"]')
    game, levels = read_game(text.encode(), "g.toml")
    for level in levels:
        assert compile_instance(Instance(game, level)).planes


def test_an_input_goes_only_where_the_game_lets_it() -> None:
    # `me` faces left and right, and `:ahead` is fine because the moves are left and right.
    assert found(GAME.replace("RULES", "")) == ""
    wider = GAME.replace("RULES", "").replace('moves = ["left", "right"]', 'moves = ["left", "up"]')
    assert "`me` would face up, and it faces left or right only" in found(wider)
