"""What goes into a PuzzleScript text, what is refused and where, and what happens when the engine fails.

No engine is needed here; that the texts play as the referee does is tested in tests/conformance.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.exporters import puzzlescript
from ggp.exporters.puzzlescript import cast
from ggp.exporters.puzzlescript.cast import WORD, Cast, piece_look, sprites, turned_rows
from ggp.exporters.puzzlescript.levels import LETTERS, MOST_CONTENTS, SIGNS
from ggp.exporters.puzzlescript.patterns import Test as CellTest
from ggp.exporters.puzzlescript.patterns import laid_out, margin, plain, simplified
from ggp.exporters.puzzlescript.player import mode_of
from ggp.exporters.puzzlescript.script import Script
from ggp.importers import puzzlescript as importer
from ggp.language import levels
from ggp.language.description import read_file, read_game
from ggp.model import Instance, Piece, Plan
from ggp.model.features import missing, require
from ggp.referee.designs import placeable
from ggp.render.tileset import NUMBER, tile_names
from ggp.tasks.exporting import export, load_exporter
from ggp.transition.compiler import compile_instance
from tests.solver_levels import GAMES as ALONE

GAMES = Path(__file__).parents[2] / "data" / "puzzlescript" / "games"


def described(text: str) -> Instance:
    """The first level of a description."""
    game, found = read_game(text.encode(), "test.toml")
    return Instance(game, found[0])


def later(name: str) -> Instance:
    """The first level of one of the tests' own games."""
    game, found = read_file(GAMES / f"{name}.toml")
    return Instance(game, found[0])


def section(text: str, name: str) -> list[str]:
    """The lines of one section of a text."""
    return re.split(r"\n=+\n[A-Z]+\n=+\n", text.partition(f"\n{name}\n")[2])[0].splitlines()[1:]


# --- the text ----------------------------------------------------------------------------------------


def test_a_line_names_no_more_than_a_hundred_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer lists go by way of names for parts of them, and say the same."""
    instance = levels.load("boulder-dash/first")
    plain, _ = importer.read(puzzlescript.text(instance).encode(), "plain.txt")
    puzzlescript.written.cache_clear()
    monkeypatch.setattr(cast, "MOST_NAMED", 3)
    text = puzzlescript.text(instance)
    puzzlescript.written.cache_clear()
    lists = [*section(text, "COLLISIONLAYERS"), *section(text, "LEGEND")]
    assert max(len(re.split(", | or ", line)) for line in lists) <= 4  # the parts themselves are named
    assert importer.read(text.encode(), "plain.txt")[0].scan == plain.scan


PLAINLY = {
    "sokoban/first": ["[ > Player | Crate ] -> [ > Player | > Crate ]"],
    "psychopath/first": ["[ > Player | Movable ] -> [ > Player | > Movable ]"],
    "psychopath-2/first": [
        "up [ > Player | Gate no Gate_up ] -> [ Player | Gate ]",
        "[ > Player no Turn | Movable | Hole ] -> [ > Player Turn | | ]",
        "[ > Player no Turn | Movable | no Full ] -> [ > Player Turn | > Movable | ]",
    ],
    "polar-slide/first": ["[ > Player | no Full ] -> [ Turn | > Player ]"],
    "peg-solitaire/first": [
        "[ > Picker Turn ] [ Peg Picked | Peg | Hole no Peg ] -> [ > Picker Turn ] [ Picked | | Hole Peg ]"
    ],
    "boulder-dash/first": [
        "left [ > Player Turn | Rock no Falling | no Solid no Edge ] -> [ Turn | Player | Rock ]",
        "[ > Player Turn | Dirt ] -> [ Turn | Player no Falling ]",
    ],
    "samegame/first": [
        "[ Red no Hit | Red Hit ] -> [ Red Hit | Red Hit ]",
        "[ Red Hit ] -> [ Hit ]",
        "down [ Turn ] [ Red | no Colour no Edge ] -> [ Turn ] [ | Red ]",
    ],
    "atomix/first": ["[ Hydrogen | Oxygen | Hydrogen ] ->"],
}


@pytest.mark.parametrize("name", PLAINLY)
def test_what_can_be_said_plainly_is(name: str) -> None:
    rules = section(puzzlescript.text(levels.load(name)), "RULES")
    assert [wanted for wanted in PLAINLY[name] if not any(wanted in line for line in rules)] == []


def test_a_text_that_is_to_be_edited_has_no_clock_and_an_exact_one_has() -> None:
    first = levels.load("sokoban/first")
    assert first.level.horizon is not None
    drawn = section(puzzlescript.text(first), "LEVELS")
    assert "######" in drawn and not any(line.startswith("bbb") for line in drawn)
    kept = section(puzzlescript.EXACT.text(first), "LEVELS")
    assert any(line.startswith("bbb") for line in kept)  # a bar below the board, with the clock in it
    (told,) = puzzlescript.left_out(first, None)
    assert f"within {first.level.horizon} turns" in told.message and told.place == first.level.place
    assert puzzlescript.losses(first, None) == puzzlescript.EXACT.left_out(first, None) == ()


@pytest.mark.parametrize("name", ["lemmings/seed", "sudoku/paper-4x4"])
def test_a_clock_that_decides_stays_in_a_text_that_is_to_be_edited(name: str) -> None:
    """Won at the horizon, or where nothing moves: both styles are one text."""
    instance = levels.load(name)
    assert puzzlescript.text(instance) == puzzlescript.EXACT.text(instance)
    assert puzzlescript.left_out(instance, None) == ()


def test_rules_may_speak_of_a_horizon_that_is_not_kept() -> None:
    instance = walk(loop='until = "stable"\nbound = "horizon"', level="horizon = 7")
    shaped = puzzlescript.editable(instance)
    assert shaped.level.horizon is None
    assert compile_instance(shaped).turn == compile_instance(instance).turn


def test_a_style_that_is_not_there_is_refused_with_those_that_are() -> None:
    assert load_exporter("puzzlescript:style=editable") is puzzlescript.EDITABLE
    for given in ("style=neat", "neat", "look=neat"):
        with pytest.raises(PuzzleError, match="neat|look"):
            load_exporter(f"puzzlescript:{given}")


def test_what_puzzlescript_does_by_itself_needs_no_rule() -> None:
    rules = section(puzzlescript.text(levels.load("sokoban/first")), "RULES")
    (step,) = (line for line in rules if line.startswith("( step: "))
    assert step.endswith(": PuzzleScript does that by itself )")
    assert [line for line in rules if "Player" in line and not line.startswith(("(", "late "))] == PLAINLY[
        "sokoban/first"
    ]


def test_every_rule_of_ours_stands_there_as_a_comment() -> None:
    for name in ("lemmings/seed", "sokoban/first"):
        instance = levels.load(name)
        comments = [line for line in section(puzzlescript.text(instance), "RULES") if line.startswith("( ")]
        for group in (*instance.game.turn, *instance.game.physics):
            for rule in group.rules:  # type: ignore[union-attr]
                assert any(line.startswith(f"( {rule.name}: ") for line in comments)


def test_all_levels_are_there_the_one_asked_for_first_and_those_left_out_are_named() -> None:
    text = puzzlescript.text(levels.load("lemmings/cavern"))
    titles = [line for line in section(text, "LEVELS") if line.startswith("message ")]
    assert titles[0].startswith("message Two lemmings, one door: ")
    assert len(titles) == 4 and "left out, since one text cannot hold both: reach" in text


@pytest.mark.parametrize("name", ["hitori", "nurikabe"])
def test_where_numbers_only_stand_there_the_largest_level_has_those_of_all(name: str) -> None:
    game, found = levels.load_game(name)
    instances = [Instance(game, level) for level in found]
    assert len({len(compile_instance(one).planes) for one in instances}) > 2
    script = Script(instances[0], among=instances[1:])
    assert script.instances == instances and len(script.sheets) == len(instances)
    assert importer.screens(script.text().encode(), "all.txt").count(True) == len(instances)


def test_digits_that_players_place_go_no_further_than_in_the_level() -> None:
    """In a text for the largest board a sign on the free cells of a smaller one says where X begins anew."""
    game, found = levels.load_game("latin-square")
    small, *others = (Instance(game, level) for level in found)
    script = Script(small, among=others)
    assert len(placeable(script.base)) == 9 and not script.left_out
    kept = [line for line in script.player.designing() if "First_" in line]
    sizes = {len(placeable(one)) for one in script.instances} - {9}
    assert (
        len(kept) == len(sizes)
        and "[ action Cursor Slot Digit_4 First_4 ] -> [ Cursor Slot First_4 ]" in kept
    )


def test_a_level_from_elsewhere_comes_alone() -> None:
    first = levels.load("sokoban/first")
    other = Instance(first.game, replace(first.level, name="mine"))
    assert Script(first).others and not Script(other).others


def test_a_plan_is_placed_and_the_budget_counts_it() -> None:
    instance = levels.load("lemmings/seed")
    plan = instance.level.known.wins[0]
    script = Script(instance, plan)
    (drawn,) = script.sheets
    every = [name for row in drawn.grid for here in row for name in here]
    assert every.count("Brick") == 3 and every.count("Stock") == 0 and every.count("Spent") == 3
    assert drawn.cursor in drawn.bars  # so that X lets go at once
    assert "Stock" in {name for row in Script(instance).sheets[0].grid for here in row for name in here}


def test_the_keys_of_a_plan_stand_in_a_comment() -> None:
    text = puzzlescript.text(levels.load("sokoban/first"), Plan(actions=("up", "left")))
    assert "( keys of the plan: up left )" in text


def test_the_same_text_comes_each_time_and_within_a_second() -> None:
    for name in ("lemmings/seed", "sokoban/first", "sudoku/easy-9x9"):
        instance = levels.load(name)
        start = time.perf_counter()
        text = export(instance, "puzzlescript").text
        assert time.perf_counter() - start < 1
        assert text == export(instance, "puzzlescript").text


@pytest.mark.parametrize("title", ["a (b)", "((((", "two\nlines", "  "])
def test_a_title_cannot_begin_a_comment_or_end_a_line(title: str) -> None:
    first = levels.load("sokoban/first")
    text = puzzlescript.text(Instance(replace(first.game, title=title), replace(first.level, title=title)))
    head, *_ = text.splitlines()
    assert head.startswith("title ") and len(head) > 6 and "(" not in head


def test_plain_text() -> None:
    assert plain(" a\t(b)\n c ") == "a [b] c"


# --- names, signs, looks -----------------------------------------------------------------------------


def test_names_fit_whatever_the_kinds_are_called() -> None:
    words = "rules rulebook LEVELS up no win x player background wall Wall a-b a_b constructor".split()
    kinds = "\n".join(f'{word} = {{ layer = "{word}" }}' for word in words if word not in ("up", "no"))
    instance = described(
        f'name = "n"\ntitle = "N"\n[kinds]\n{kinds}\n[symbols]\n"." = ""\n"w" = "wall"\n[input]\n'
        'moves = ["up"]\n[[turn]]\nrules = """\nstep: wall here, inside up => wall here -> up\n"""\n'
        '[goal]\nwin = ["count wall = 0"]\n[[level]]\nname = "a"\nmap = """\nw.\n"""\n'
    )
    cast = Cast(instance, compile_instance(instance), None)
    assert len({name.lower() for name in cast.pieces}) == len(cast.pieces)
    for name in cast.pieces:
        assert re.fullmatch(WORD, name)
        assert not name.lower().startswith(("rules", "levels")) and len(name) > 1
        assert name.lower() not in ("win", "player", "background", "constructor")


def test_helpers_do_not_take_the_names_of_kinds() -> None:
    instance = later("settles")
    cast = Cast(instance, compile_instance(instance), None)
    assert cast.helper("hand") not in cast.pieces
    assert cast.group("hand", ["A", "B"]) not in (cast.helper("hand"), "Hand")
    assert cast.group("decided", ["A", "C"]) != cast.group("decided", ["A", "D"])


def test_no_row_of_a_map_can_spell_a_word_of_the_language() -> None:
    heads = "objects legend sounds collisionlayers rules winconditions levels message".split()
    assert all(set(word) - set(SIGNS) for word in heads)
    assert len({sign.lower() for sign in SIGNS + LETTERS}) == MOST_CONTENTS
    assert not set("()=<>[]^v| ") & set(SIGNS)


def test_signs_are_one_to_one_and_the_descriptions_own_where_they_can_be() -> None:
    script = Script(levels.load("sokoban/first"))
    assert len(set(script.signs.values())) == len(script.signs)
    assert script.signs[frozenset({"Wall"})] == "#" and script.signs[frozenset({"Player", "Trail"})] == "@"
    assert script.signs[frozenset()] == "."


def test_every_tile_has_a_sprite() -> None:
    assert set(sprites()["tiles"]) | {NUMBER} == set(tile_names())
    for rows in sprites()["tiles"].values():
        assert [len(row) for row in rows.split()] == [5] * 5


def test_sprites_use_the_colours_they_have() -> None:
    for name in ("lemmings/seed", "sokoban/first", "sudoku/easy-9x9"):
        for look in Script(levels.load(name)).cast.looks.values():
            assert len(look.rows) in (0, 5)
            assert {int(dot) for row in look.rows for dot in row if dot != "."} <= set(
                range(len(look.colours))
            )


def test_sprites_turn_with_what_they_show() -> None:
    rows = ("..1..", "..01.", "00001", "..01.", "..1..")
    assert turned_rows(rows, "left")[2] == "10000"
    assert turned_rows(rows, "up")[0] == turned_rows(rows, "down")[4][::-1] == "..1.."
    kinds = {kind.name: kind for kind in later("turns").game.kinds}
    planes = [piece for piece in compile_instance(later("turns")).planes if piece.kind == "walker"]
    assert len({piece_look(kinds["walker"], piece).rows for piece in planes}) == 4


# --- conditions --------------------------------------------------------------------------------------


def test_what_goes_without_saying_is_not_said() -> None:
    transition = compile_instance(levels.load("sokoban/first"))
    number = {str(piece): plane for piece, plane in transition.number.items()}
    crate, wall, target = (number[name] for name in ("crate", "wall", "target"))
    here = CellTest(frozenset({frozenset({crate})}), frozenset({wall, target}))
    assert simplified(here, frozenset(), transition) == replace(here, absent=frozenset({target}))
    assert simplified(replace(here, absent=frozenset({crate})), frozenset(), transition) is None
    both = CellTest(frozenset({frozenset({crate}), frozenset({wall})}))
    assert simplified(both, frozenset(), transition) is None
    either = CellTest(frozenset({frozenset({crate, wall})}), frozenset({wall}))
    assert simplified(either, frozenset(), transition).present == {frozenset({crate})}  # type: ignore[union-attr]


def test_rows_are_laid_so_that_little_is_beside_them() -> None:
    test = CellTest(inside=True)
    assert laid_out({(0, 0): test, (0, -1): test}).way == "left"
    assert laid_out({(0, 0): test, (2, 0): test}).way == "down"
    plan = laid_out({(0, 0): test, (0, 1): test, (1, 1): test})
    assert (plan.way, list(plan.beside)) == ("right", [1])
    assert list(plan.beside[1].tests) == [(1, test)] and plan.beside[1].way == "down"


def test_the_margin_is_as_wide_as_rules_look_outside() -> None:
    inside, free = CellTest(inside=True), CellTest(absent=frozenset({0}))
    assert margin([{(0, 0): inside, (0, 2): inside}]) == dict.fromkeys(("up", "right", "down", "left"), 0)
    assert margin([{(-1, 2): free}, {(0, -1): free}]) == {"up": 1, "right": 2, "down": 0, "left": 1}


# --- what is refused, what is lost -------------------------------------------------------------------

WALK = """name = "w"
title = "W"
{extra}
[kinds]
man = {{ layer = "man" }}
{kinds}
[symbols]
"." = ""
"m" = "man"
[input]
{input}
[[turn]]
{loop}
rules = \"\"\"
step: man here, inside up => man here -> up
\"\"\"
[goal]
win = ["{win}"]
[[level]]
name = "a"
{level}
map = \"\"\"
..
m.
\"\"\"
"""


def walk(**parts: str) -> Instance:
    """A small game with some of its parts changed."""
    usual = {
        "extra": "",
        "kinds": "",
        "input": 'moves = ["up"]',
        "loop": "",
        "win": "count man = 0",
        "level": "",
    }
    return described(WALK.format(**{**usual, **parts}))


REFUSED = {
    "and no key is left for e": ({"input": 'moves = ["up"]\nverbs = ["a", "b", "c", "d", "e"]'}, 10),
    "cannot make moves as well": (
        {"input": 'moves = ["up"]\npick = "p"', "kinds": 'p = { layer = "p", marker = true }'},
        10,
    ),
    "ends before its first turn": ({"level": "horizon = 0"}, 19),
    "more than 36 values": (
        {
            "kinds": 'v = { layer = "v", values = [1, 40] }',
            "loop": 'rules = "write: man here => add v:40 here"\n[[turn]]',
        },
        6,
    ),
    "counts further than the board": ({"win": "count man >= 5"}, 18),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_puzzlescript_cannot_do_is_refused_with_its_place(message: str) -> None:
    parts, line = REFUSED[message]
    instance = walk(**parts)
    with pytest.raises(UnsupportedFeature, match=re.escape(message)) as caught:
        export(instance, "puzzlescript", allow_loss=True)
    assert caught.value.findings == puzzlescript.unfit(instance)
    (finding,) = caught.value.findings
    assert finding.place is not None and finding.place.line == line


def test_of_what_never_changes_the_values_on_the_map_count() -> None:
    """A 7x7 nurikabe may have 49 values, and holds a few. Two that are drawn alike are refused."""
    assert not puzzlescript.unfit(levels.load("nurikabe/7x7"))
    kinds = 'v = { layer = "v", values = [1, 40] }\nw = { layer = "w", values = [1, 40] }'
    one = walk(kinds=kinds)
    assert not puzzlescript.unfit(one)
    _, *rest = one.level.board
    alike = (frozenset({Piece("v", 1)}), frozenset({Piece("v", 37)}))
    (finding,) = puzzlescript.unfit(replace(one, level=replace(one.level, board=(alike, *rest))))
    assert "drawn alike" in finding.message and finding.place is not None and finding.place.line == 6


def test_features_that_it_lacks_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedFeature, match="wraps round") as caught:
        export(walk(extra="wraps = true"), "puzzlescript")
    assert caught.value.findings[0].place is not None
    for feature in ("wrapping", "hidden", "chance", "players"):
        assert feature not in puzzlescript.FEATURES
    require(levels.load("lemmings/seed"), "puzzlescript", puzzlescript.FEATURES)


LOST = {
    "no key left for waiting": {"input": 'moves = ["up"]\nverbs = ["x", "y", "z", "u"]\nwait = true'},
    "loops may take 302 rounds": {"loop": 'until = "stable"\nbound = 300'},
    "is won at the start": {"win": "count man = 1"},
}


@pytest.mark.parametrize("message", LOST)
def test_losses_are_errors_with_a_place_unless_allowed(message: str) -> None:
    instance = walk(**LOST[message])
    (finding,) = puzzlescript.losses(instance, None)
    assert message in finding.message and finding.place is not None and finding.place.line > 0
    with pytest.raises(UnsupportedFeature, match=message):
        export(instance, "puzzlescript")
    exported = export(instance, "puzzlescript", allow_loss=True)
    assert exported.losses == (finding,) and "LEVELS" in exported.text


@pytest.mark.parametrize("game", ALONE)
def test_the_built_in_games_lose_nothing(game: str) -> None:
    """Those of a first level's text; others would be left out of it. Games that move are never refused."""
    first = levels.load(levels.levels(game)[0])
    lacking = missing(first, puzzlescript.FEATURES)
    assert not (lacking and (first.game.input or first.game.physics))
    if not lacking:
        assert puzzlescript.losses(first, None) == ()


def test_how_each_kind_of_game_is_played() -> None:
    modes = {file.stem: mode_of([later(file.stem)], "") for file in GAMES.glob("*.toml")}
    assert {name for name, mode in modes.items() if mode.keys == "picks"} == {"lamps", "jumps"}
    assert {name for name, mode in modes.items() if mode.design} == {"melts", "fills"}
    assert modes["digs"].pressed["wait"] == modes["settles"].pressed["pop"] == "action"
    assert modes["fills"].keys == "none" and modes["melts"].at_end
    assert Script(levels.load("sokoban/first")).mode.keys == "hero"


def test_a_rule_that_may_leave_all_as_it_was_is_no_hero_rule() -> None:
    """Such a firing is no turn, and the rules of a pushing hero take each for one."""
    moves = 'moves = ["up", "right", "down", "left"]'
    usual = {"extra": "", "input": moves, "loop": "", "win": "count man = 0", "level": "horizon = 5"}
    text = WALK.format(**usual, kinds='mark = { layer = "mark", marker = true }\ndust = { layer = "dust" }')
    step = "step: man here, inside up => man here -> up"
    for rule, manner in (
        ("go: man here => man here -> ahead", "natural"),
        ("no: man here => add mark ahead", ""),
        ("off: man here => remove dust ahead", ""),  # which need not be there
    ):
        assert Script(described(text.replace(step, rule))).manner == manner


def test_a_hero_who_pushes_may_be_gone() -> None:
    """He stays out of what is written for what comes of it, where he had stood on for ever."""
    moves = 'moves = ["up", "right", "down", "left"]'
    usual = {"extra": "", "input": moves, "loop": "", "win": "count man = 0", "level": "horizon = 5"}
    text = WALK.format(**usual, kinds='dust = { layer = "dust" }')
    step = "step: man here, inside up => man here -> up"
    both = (
        "fall: man here, dust ahead => remove man here\n"
        "go: man here, inside ahead, no dust ahead => man here -> ahead"
    )
    script = Script(described(text.replace(step, both)))
    assert script.manner == "pushing"
    assert "[ > Man no Turn | Dust ] -> [ Turn | Dust ]" in script.text()


@pytest.mark.parametrize(
    ("name", "cues"),
    [
        ("sokoban/first", ["EndLevel 41683503", "Crate Move 36772507", "Crate Create 36772507"]),
        (
            "samegame/first",
            ["EndLevel 41683503", *(f"{one} Destroy 17029900" for one in ("Red", "Green", "Blue"))],
        ),
        ("queens/small", ["EndLevel 41683503", "Queen Create 52761406", "Queen Destroy 17029900"]),
        ("polar-slide/first", ["EndLevel 41683503"]),  # who goes by the keys has none
    ],
)
def test_what_a_key_sets_off_is_heard(name: str, cues: list[str]) -> None:
    text = puzzlescript.text(levels.load(name))
    assert text.split("SOUNDS\n======\n")[1].split("\n====")[0].split("\n")[1:-1] == cues
