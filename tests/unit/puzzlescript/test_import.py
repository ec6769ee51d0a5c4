"""PuzzleScript files that come in: what rules in scan order mean, what a player may do, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import DescriptionError, IllegalAction, IllFormed, UnsupportedFeature
from ggp.importers import puzzlescript
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Instance, Plan
from ggp.model.board import width
from ggp.model.features import needs
from ggp.referee.keys import Played, play, with_seed
from ggp.referee.session import Session
from ggp.referee.trajectory import replay
from ggp.tasks import exporting
from tests.puzzlescript_games import PUSH, instance, text
from tests.slow import slowly

SIGNS = {"wall": "#", "player": "p", "crate": "*", "ball": "b", "mark": "m", "target": "o"}


def shown(played: Played) -> str:
    """The board at the end, rows with `/` between them; of each cell the sign that stands highest."""
    wide = width(played.instance)
    cells = [
        next((sign for kind, sign in SIGNS.items() if kind in {piece.kind for piece in here}), ".")
        for here in played.state.board
    ]
    return "/".join("".join(cells[at : at + wide]) for at in range(0, len(cells), wide))


def after(one: Instance, words: str) -> str:
    """What stands there after inputs."""
    return shown(play([one], words.split()))


# --- what rules mean ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "maps", "words", "end"),
    [
        # Pushing, and walls.
        ("[ > Player | Crate ] -> [ > Player | > Crate ]", "p*.#", "right right", ".p*#"),
        # A chain: rules of a group go on until none applies.
        (
            "[ > Player | Crate ] -> [ > Player | > Crate ]/+ [ > Crate | Crate ] -> [ > Crate | > Crate ]",
            "p**.",
            "right",
            ".p**",
        ),
        # Matches are found first: each crate is swapped once for each match, from the left.
        ("late right [ Crate | Ball ] -> [ Ball | Crate ]", "p*bb", "action", "pbb*"),
        # Two movers for one place: the one that comes first in the order of cells (down the columns).
        (
            "[ action Player ] [ Crate ] [ Ball ] -> [ Player ] [ down Crate ] [ up Ball ]",
            "p*./.../.b.",
            "action",
            "p../.*./.b.",
        ),
        (
            "[ action Player ] [ Crate ] [ Ball ] -> [ Player ] [ right Crate ] [ left Ball ]",
            "p../*.b",
            "action",
            "p../.*b",
        ),
        # Of matches that touch one another the first spoils the second.
        ("late right [ Crate | Crate ] -> [ Ball | Ball ]", "p***", "action", "pbb*"),
        # Rules that look to the side find their matches row by row, others column by column.
        ("late right [ Crate | ] [ Ball ] -> [ Mark | ] [ ]", "p.*./*..b", "action", "p.m./*..."),
        ("late down [ Crate | ] [ Ball ] -> [ Mark | ] [ ]", "p.*./*..b/....", "action", "p.*./m.../...."),
        # Several brackets; one that changes nothing is a condition.
        ("late [ Crate ] [ Mark ] -> [ Ball ] [ Mark ]", "p*.m/*..*", "action", "pb.m/b..b"),
        ("late [ Crate ] [ Mark ] -> [ Ball ] [ Mark ]", "p*../*..*", "action", "p*../*..*"),
        # Ellipsis: the nearest first, and to the other side too.
        ("late right [ Crate | ... | Ball ] -> [ | ... | Mark ]", "p*.b.b", "action", "p..m.b"),
        (
            "right [ > Player | ... | Crate ] -> [ > Player | ... | ]",
            "p...*",
            "right",
            ".p...",
        ),
        # A property on the right is what it was on the left.
        ("late [ Thing | Mark ] -> [ | Thing ]", "p*mbm", "action", "p*b.m"),
        # A word for several directions, too.
        (
            "[ moving Player ] [ Crate ] -> [ moving Player ] [ moving Crate ]",
            "p.*./....",
            "down",
            "..../p.*.",
        ),
        # `no`, and what is spawned stands still.
        ("[ > Player | no Solid ] -> [ Mark | Player ]", "p..", "right", "mp."),
        # `late` comes after the movement.
        (
            "[ > Player | Crate ] -> [ > Player | > Crate ]/late [ Crate Mark ] -> [ Mark ]",
            "p*m.",
            "right",
            ".pm.",
        ),
        # A loop goes through its groups again as long as something changes.
        (
            "startloop/late right [ Crate | no Solid ] -> [ Mark | Crate ]/late [ Mark ] -> [ ]/endloop",
            "p*...",
            "action",
            "p...*",
        ),
        # Rigid: what cannot move together does not move.
        (
            "[ > Player | Crate ] -> [ > Player | > Crate ]/"
            "+ rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
            "..../p*../.*#.",
            "right",
            "..../p*../.*#.",
        ),
        # The player is not marked by what follows in the same turn.
        ("[ > Player ] -> [ < Player ]", ".p.", "right", "p.."),
    ],
)
def test_what_rules_do(rules: str, maps: str, words: str, end: str) -> None:
    assert after(instance(rules.replace("/", "\n"), maps), words) == end


def test_of_two_rigid_groups_that_mark_one_thing_none_is_banned() -> None:
    """Their numbers become one that no group has, so what moved beside it stays moved, as in the engine."""
    first = "rigid right [ > Crate ] -> [ > Crate ]"
    groups = f"{PUSH}\n{first}\nrigid right [ > Crate Target ] -> [ > Crate > Target ]"
    assert stacked(groups, "p@#", "right") == [
        {"background", "player"},
        {"background", "crate"},
        {"background", "wall", "target"},
    ]


@pytest.mark.parametrize(
    ("rules", "maps", "words", "end"),
    [
        # Time goes on until nothing changes, within the turn.
        ("late right [ Ball | no Solid ] -> [ | Ball ] again", "pb...", "action", "p...b"),
        # `cancel` undoes the turn, `restart` leads to the start, or to the last checkpoint.
        ("[ > Player | Crate ] -> cancel", "p*.", "right", "p*."),
        ("late [ Player Mark ] -> restart", "p.m", "right right", "p.m"),
        (
            "late [ Player Mark ] -> [ Player ] checkpoint/late [ Player Target ] -> restart",
            "pm..o",
            "right right right right",
            ".p..o",
        ),
        # `cancel` goes before everything that the turn has commanded.
        ("[ > Player ] -> [ > Player ] restart/[ > Player | Crate ] -> cancel", "p.*", "right right", "p.*"),
    ],
)
def test_what_commands_do(rules: str, maps: str, words: str, end: str) -> None:
    assert after(instance(rules.replace("/", "\n"), maps), words) == end


def test_a_turn_without_end_is_an_error() -> None:
    there = "late [ Crate no Mark ] -> [ Ball Mark ] again"
    back = "late [ Ball no Mark ] -> [ Crate Mark ] again"
    one = instance(f"{there}\n{back}\nlate [ Mark ] -> [ ]", "p*..")
    with pytest.raises(IllFormed, match="goes on for ever"):
        play([one], ["action"])


def test_a_group_that_never_rests_is_cut_as_the_engine_cuts_it() -> None:
    """After 200 rounds the turn goes on: an even number of swaps leaves the crate where it was."""
    one = instance(
        "late right [ Crate | Ball ] -> [ Ball | Crate ]\n+ late right [ Ball | Crate ] -> [ Crate | Ball ]",
        "p*b",
    )
    assert after(one, "action") == "p*b"


def test_rules_run_at_the_start_only_where_the_game_says_so() -> None:
    rule = "late [ Crate ] -> [ Ball ]"
    assert after(instance(rule, "p*"), "") == "p*"
    assert after(instance(rule, "p*", prelude="run_rules_on_level_start"), "") == "pb"


def test_a_turn_may_need_a_move_of_the_player() -> None:
    rule = "[ > Player ] [ Ball ] -> [ > Player ] [ Mark ]"
    free, needing = (instance(rule, "#pb", prelude=one) for one in ("", "require_player_movement"))
    assert after(free, "left") == "#pm"
    assert after(needing, "left") == "#pb"


# --- winning, undo ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "maps", "words", "won"),
    [
        ("Some Target on Crate", "p*o", "right", True),
        ("Some Target on Player", "p.o", "right", False),
        ("Some Target on Player", "p.o", "right right", True),
        ("No Crate", "p*o", "right", False),
        ("Some Crate\nNo Ball", "p*.", "right", True),
        ("", "p*o", "right", False),
    ],
)
def test_winning(wins: str, maps: str, words: str, won: bool) -> None:
    assert play([instance(maps=maps, wins=wins)], words.split()).won is won


def test_a_level_is_won_by_a_turn_not_by_its_start() -> None:
    one = instance(maps="p@.#", wins="Some Target on Crate")
    assert not play([one], []).won
    assert replay(one, Plan((), ("left",))).won
    assert play([one], ["left"]).turns == 1


def test_undo_and_restart() -> None:
    one = instance(maps="p.*.o")
    assert after(one, "right right undo") == ".p*.o"
    assert after(one, "right right left restart") == "p.*.o"
    assert after(one, "right left left undo undo") == "p.*.o"  # the second `left` meets the edge: no turn
    assert after(one, "right restart undo") == ".p*.o"
    for word in ("noundo", "norestart"):
        kept = instance(maps="p.*.o", prelude=word)
        assert after(kept, f"right {word.removeprefix('no')}") == ".p*.o"


def test_a_restart_as_the_level_opens_leaves_a_board_to_undo_to() -> None:
    """That before the rules ran, as in the engine; and so does one in a turn that ends where it began."""
    rules = "late [ Player ] -> [ Player Mark ]\nlate [ Crate ] -> restart"
    one = instance(rules, "p*.", prelude="run_rules_on_level_start", wins="")
    marked = ["", "undo", "action", "undo action", "left", "right", "undo right undo"]
    boards = [play([one], words.split()).state.board for words in marked]
    found = ["mark" in {piece.kind for here in board for piece in here} for board in boards]
    assert found == [True, False, True, True, True, True, False]


def test_a_game_goes_on_with_its_next_level() -> None:
    game, kept = puzzlescript.read(text(maps="p*o/\n\n#p..*.o").encode(), "two.txt")
    both = [Instance(game, level) for level in kept]
    played = play(both, ["right", "right"])
    assert (played.won, played.turns, shown(played)) == (True, 2, "#.p.*.o")
    assert shown(play(both[:1], ["right", "right"])) == ".p*"


def test_ticks_are_inputs_where_time_goes_on_by_itself() -> None:
    rule = "[ Ball ] -> [ right Ball ]"
    one = instance(rule, "p../b..", prelude="realtime_interval 0.5")
    assert after(one, "tick") == "p../.b."
    assert after(one, "tick right undo") == "p../.b."  # a tick cannot be undone by itself


def test_a_key_that_the_game_does_not_take_is_passed_over() -> None:
    rule = "[ Ball ] -> [ right Ball ]"
    one = instance(rule, "p..../b....", prelude="noaction")
    assert after(one, "tick action") == "p..../b...."
    assert after(one, "right tick undo") == "p..../b....", "a tick that is none is not undone"
    with pytest.raises(IllegalAction, match="no input jump"):
        after(one, "jump")


def test_chance_is_seeded() -> None:
    one = instance("late [ Mark ] -> [ random Thing ]", "pmmmmmmmm")
    ends = {after(with_seed(one, str(seed)), "action") for seed in range(6)}
    assert len(ends) > 1
    assert all(set(end[1:]) <= {"*", "b"} for end in ends)
    assert after(with_seed(one, "3"), "action") == after(with_seed(one, "3"), "action")


# --- as data of ours ----------------------------------------------------------------------------------------


def test_chance_makes_no_room_among_what_a_rule_says_stays() -> None:
    """Then two things of one layer stand in a cell, and a rule that puts one there takes the other."""
    both = "late [ Player | Crate ] -> [ Player | Crate random Ball ]"
    assert stacked(both, "p*#", "action")[1] == {"background", "crate", "ball"}
    taken = "[ > Player | Ball ] -> [ > Player | Ball ]"
    assert stacked(f"{both}\n{taken}", "p*#", "action right")[1] == {"background", "ball"}


def stacked(rules: str, maps: str, words: str) -> list[set[str]]:
    """What stands in each cell after inputs."""
    return [
        {piece.kind for piece in here} for here in play([instance(rules, maps)], words.split()).state.board
    ]


def test_what_is_needed_is_named_with_its_rule() -> None:
    one = instance("late [ Mark ] -> [ random Thing ]\nlate [ Crate ] [ Ball ] -> again")
    found = {need.feature: need.place for need in needs(one)}
    assert {"scan", "rows", "again", "chance-in-turns"} <= found.keys()
    place = found["again"]
    assert place is not None
    assert (
        text("late [ Mark ] -> [ random Thing ]\nlate [ Crate ] [ Ball ] -> again")
        .split("\n")[place.line - 1]
        .endswith("again")
    )


def test_search_finds_the_shortest_and_the_others_refuse_by_name() -> None:
    import ggp

    one = instance(maps="p.*.o/.....")
    result = ggp.solve(one, "search")
    assert (result.stop, result.objective) == ("optimal", 3)
    assert replay(one, result.plans[0]).won
    assert ggp.solve(instance(maps="p.#*o"), "search").stop == "unsolvable"
    with pytest.raises(UnsupportedFeature, match="scan order.*rigid"):
        ggp.solve(instance(f"rigid {PUSH}", "p.*.o"), "sat")
    with pytest.raises(UnsupportedFeature, match="chance"):
        ggp.solve(instance("late [ Mark ] -> [ random Thing ]"), "search")


def test_a_session_plays_it() -> None:
    session = Session(instance(maps="p.*.o"))
    assert {str(action) for action in session.legal_actions()} == {"right"}
    for word in ("right", "right", "right"):
        session.act(word)
    assert session.status().outcome == "won"
    assert session.plan().actions == ("right", "right", "right")


def test_files_are_read_by_their_looks(tmp_path: Path) -> None:
    file = tmp_path / "Two Maps.txt"
    file.write_text(text(maps="p*o/\n\nmessage hm/\n\np.*o/.#.."))
    assert {piece.kind for piece in levels.load(f"{file}#2").level.board[1][1]} == {"background", "wall"}
    assert levels.load(f"{file}#2").name == "two-maps/2"
    assert levels.load(f"{file}#2").level.title == "hm"
    assert len(levels.rest_of(f"{file}#1")) == 2
    assert levels.check(str(file)) == ()


# --- what is refused, and where -----------------------------------------------------------------------------


def faults(source: str) -> list[tuple[int, int]]:
    """(line, column) of every error."""
    return [
        (one.place.line, one.place.column)
        for one in puzzlescript.check(source.encode(), "bad.txt")
        if one.severity == "error" and one.place is not None
    ]


@pytest.mark.parametrize(
    ("rule", "column"),
    [
        ("[ > Player | Nothing ] -> [ > Player | ]", 14),
        ("[ > Player | Crate ] [ > Player | ]", 1),
        ("[ > Player | Crate ] -> [ > Player ]", 1),
        ("[ > ] -> [ ]", 5),
        ("[ > > Player ] -> [ Player ]", 5),
        ("> [ Player ] -> [ ]", 1),
        ("late [ > Player ] -> [ Player ]", 8),
        ("[ Player Player ] -> [ ]", 10),
        ("[ Player ] -> [ Player ] -> [ ]", 26),
        ("[ Player Wall ] -> [ ]", 1),
        ("[ Player ] -> [ Player Wall ]", 1),
        ("[ Player ] -> [ Thing ]", 1),
        ("[ Player ] -> [ moving Player ]", 1),
        ("[ ... | Player ] -> [ ... | ]", 1),
        ("[ Player | ... | Crate ] -> [ Player | | Crate ]", 1),
        ("[ random Thing ] -> [ ]", 1),
        ("[ no @ ] -> [ Mark ]", 1),
        ("win [ Player ] -> [ ]", 1),
        ("[ win Player ] -> [ ]", 3),
        ("+ [ Player ] -> [ ]", 1),
        ("rigid late [ Player ] -> [ ]", 1),
        ("startloop", 1),
        ("endloop", 1),
        ("[ Player ( why ) ] -> [ ]", 1),
        ("[ Player ] -> [ Crate no Crate ]", 1),
        ("Crate [ Player ] -> [ ]", 1),
    ],
)
def test_a_wrong_rule_is_told_with_line_and_column(rule: str, column: int) -> None:
    source = text(rule)
    line = source.split("\n").index(rule) + 1
    assert (line, column) in faults(source)


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("Black\n", "Blackish\n", "Blackish", 6),
        ("00000\n", "00100\n", "00100", 3),
        ("Player p", "Player #", "Player #", 8),
        ("Solid = Wall or Crate or Ball", "Solid = Wall or Crate and Ball", "Solid =", 23),
        ("Solid = Wall or Crate or Ball", "Solid = Wall or Nothing", "Solid =", 17),
        ("Solid = Wall or Crate or Ball", "Solid = Wall or", "Solid =", 14),
        ("Solid = Wall or Crate or Ball", "Solid Wall", "Solid Wall", 1),
        ("Solid = Wall or Crate or Ball", "Solid = Solid or Crate", "Solid =", 9),
        ("Solid = Wall or Crate or Ball", "Solid = Wall or @", "Solid =", 17),
        ("Player, Wall, Crate, Ball", "Player, Wall, Crate", "Ball b", 1),
        ("Player, Wall, Crate, Ball", "Player, Wall; Crate, Ball", "Player, Wall;", 13),
        ("Background\nTarget", "Background, Target", "Background, Target", 13),
        ("@ = Crate and Target", "@ = Crate and Ball", "@ =", 1),
        ("Crate move 36772507", "Crate fly 36772507", "Crate fly", 7),
        ("Crate move 36772507", "Crate move up north", "Crate move up", 15),
        ("Some Target on Crate", "Some Target at Crate", "Some Target at", 13),
        ("Some Target on Crate", "Every Target on Crate", "Every", 1),
        ("Some Target on Crate", "Some Target on Goal", "Some Target on", 16),
        ("title Small", "titel Small", "titel", 1),
        ("#p*.o#", "#p*?o#", "#p*?o#", 4),
        ("RULES\n", "RULES x\n", "RULES x", 7),
        ("SOUNDS\n", "SOUND\n", "SOUND", 1),
        ("LEGEND\n", "OBJECTS\n", "OBJECTS", 1),
    ],
)
def test_a_wrong_line_is_told_with_line_and_column(old: str, new: str, line: str, column: int) -> None:
    source = text()
    assert not faults(source)
    source = source.replace(old, new, 1) if old != "LEGEND\n" else source.replace(old, new)
    found = [number for number, one in enumerate(source.split("\n"), start=1) if one.startswith(line)]
    assert (found[-1], column) in faults(source)


@pytest.mark.parametrize(
    ("legend", "more", "lines"),
    [
        ("x = Wall and Nothing", {"maps": "px"}, ["x = Wall", "px"]),
        ("x = Wall or Crate and Ball", {"rules": "[ x ] -> [ ]"}, ["x = Wall", "[ x ]"]),
        ("x = Wall foe Crate\ny = x", {}, ["x = Wall", "y = x"]),
        ("Ghost = Nothing or Nobody", {"layer": "Ghost,"}, ["Ghost =", "Ghost,"]),
        ("x = Ghost and Wall", {"object": "Ghost"}, ["Ghost", "x = Ghost"]),
    ],
)
def test_what_follows_from_a_wrong_entry_is_told_where_the_editor_tells_it(
    legend: str, more: dict[str, str], lines: list[str]
) -> None:
    source = text(more.get("rules", PUSH), more.get("maps", "#p*.o#"), legend=legend)
    if "layer" in more:
        source = source.replace("Background\nTarget", f"Background\n{more['layer']}\nTarget")
    if "object" in more:
        source = source.replace("LEGEND\n", f"{more['object']}\nRed\n\nLEGEND\n")
    told = {source.split("\n")[line - 1] for line, _ in faults(source)}
    assert all(any(one.startswith(line) for one in told) for line in lines)


@pytest.mark.parametrize("missing", ["Player p\nWhite\n", "LEVELS\n\n#p*.o#\n"])
def test_what_is_missing_is_told(missing: str) -> None:
    with pytest.raises(DescriptionError):
        puzzlescript.read(text().replace(missing, "").encode(), "bad.txt")


# --- hostile files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000,
        ")" * 9_000 + text(),
        text("[ Player ]" * 900 + " -> " + "[ Player ]" * 900),
        text("[" * 4_000),
        text("[ Player | " * 800 + "] -> []"),
        text(" ".join(["[ Thing | Solid ]"] * 60) + " -> " + " ".join(["[ Thing | Solid ]"] * 60)),
        text("[ moving Player | moving Crate | moving Ball ] -> win"),
        slowly(text("[ moving Player | moving Crate | moving Ball | moving Mark | moving Target ] -> win")),
        text(legend="\n".join(f"x{n} = x{n + 1} or x{n + 2}" for n in range(2_000))),
        text(legend="a1 = Crate or Ball\n" + "\n".join(f"a{n + 1} = a{n} or a{n}" for n in range(1, 60))),
        text(legend="a1 = Crate and Mark\n" + "\n".join(f"a{n + 1} = a{n} and a{n}" for n in range(1, 60))),
        text(maps="\n".join("p" * 9_000 for _ in range(100))),
        text().replace("Crate", "ÇrÄtÉ"),
        text().replace("Player", "İstanbul"),
        "\x0c" + text(),
        "objects\nlegend\nsounds\ncollisionlayers\nrules\nwinconditions\nlevels\n",
    ],
    ids=range(16),
)
def test_hostile_files_are_read_or_refused_soon(source: str) -> None:
    """Nothing but an error of ours, and not after minutes."""
    try:
        puzzlescript.read(source.encode(), "hostile.txt")
    except DescriptionError as error:
        assert all(str(finding) for finding in error.findings)


def test_comments_nest_and_go_over_lines() -> None:
    source = text(maps="p*o").replace("RULES\n", "RULES\n( one ( two\n) three\n) \n")
    assert not faults(source)
    assert not faults(source.replace("WINCONDITIONS", "(((WINCONDITIONS)))\nWINCONDITIONS"))


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        (text(maps="#p*.o#/......)"), True),  # cut off, and nothing that a sign could be
        (text(maps="#p*.o#/.)..."), False),
        (text(maps="#p*.o#/) nothing"), True),
        (text().replace("LEVELS\n", "LEVELS\n===(x)\n"), False),
        (text().replace("LEVELS\n", "LEVELS\n==== \n"), True),
        (text().replace("White", "White rules"), True),
        (text().replace("White", "White laws"), False),
        (text().replace("Ball b", "Up b").replace("Ball", "Up").replace(PUSH, f"up {PUSH}"), True),
        (text("[ Player | Crate-> ] -> [ Player | Crate ]"), False),
        (text("moving [ Player ] -> [ ]"), False),
        (text(prelude="color_palette ega ( or c64 )"), True),
        (text(prelude="color_palette ) ega"), False),
        (text(prelude="author ( me )"), False),
        (text().replace("#p*.o#", "message The end"), True),
        (text(legend="x = Wall)"), True),
        (text(legend="x = Wall)", maps="px"), False),
        (text(legend="x = Wall )( why )", maps="px"), True),
        (text(legend="x) = Wall"), True),
        (text(legend="x) = Wall", maps="px"), False),
        (text(legend="( why ) x) = Wall\ny = x"), False),
        (text(f"startloop\n{PUSH}\nendloop"), True),
        (text(f"startloop (why)\n{PUSH}\nendloop"), False),
        (text(f"startloop\n{PUSH}\n(why) endloop"), False),
        (text(maps="(a row)#p*.o#/(a row) (another) ######"), True),
        (text(maps="#p*.o#/(two/rows) #....#"), True),
        (text(wins="Some *"), False),
        (text(wins="All . on Crate"), False),
        (text(wins="All Target (why) on Crate"), True),
        (text(wins="All Target (why) of Crate"), False),
        (text(wins="No (why) Crate"), False),
        (text(wins="No Crate )"), True),
        (text(wins="(why)No Crate"), True),
        (text(wins="(why) No Crate"), False),
    ],
    ids=range(33),
)
def test_what_the_editor_takes_is_taken(source: str, taken: bool) -> None:
    """Corners of the language, each tried in the editor's compiler."""
    assert (not faults(source)) is taken


@pytest.mark.parametrize(
    ("wins", "won"), [("No Crate", False), ("(why)No Crate", True), ("No Wall )", False)]
)
def test_a_comment_that_touches_a_condition_is_part_of_its_word(wins: str, won: bool) -> None:
    """And a word that the editor does not know means SOME."""
    assert play([instance(PUSH, "#p*.o#", wins=wins)], ["right"]).won is won


def test_comments_may_lead_the_rows_of_a_map() -> None:
    game, kept = puzzlescript.read(text(maps="(a row)#p*#/(more/rows) #..# (end)").encode(), "led.txt")
    assert [len(row) for row in kept[0].board] == [4, 4]


def test_no_before_what_has_no_room_is_left_out_as_in_the_compiler() -> None:
    """Where chance has put two things of one layer into a cell it makes a difference."""
    rules = "late [ Crate ] -> [ Crate random Ball ]\nlate [ Crate no Ball ] -> [ Crate Mark ]"
    assert stacked(rules, "p*", "action")[1] == {"background", "crate", "mark"}


def test_a_rule_that_matches_in_too_many_ways_is_an_error() -> None:
    one = instance("[ Solid ]" * 30 + " -> " + "[ Solid ]" * 29 + "[ Crate ]", "#p*b#")
    with pytest.raises(IllFormed, match=r"30 brackets is found in [\d,]+ ways"):
        play([one], ["right"])


def test_a_row_that_is_short_goes_on_with_its_last_sign() -> None:
    game, kept = puzzlescript.read(text(maps="p*o/#").encode(), "short.txt")
    assert [{piece.kind for piece in here} for here in kept[0].board[1]] == [{"background", "wall"}] * 3


def test_no_description_is_written_of_rules_in_scan_order() -> None:
    """It would have none of them."""
    with pytest.raises(DescriptionError, match="no description says rules in scan order"):
        write_game(instance().game)


def test_whose_game_it_is_goes_out_again(tmp_path: Path) -> None:
    """In a description, in a PuzzleScript text, and in what is said of it."""
    file = tmp_path / "mine.txt"
    file.write_text(text().replace("title ", "author Ada & Bo\nhomepage example.org/~ada\ntitle ", 1))
    one = levels.load(str(file))
    assert (one.game.author, one.game.homepage) == ("Ada & Bo", "example.org/~ada")
    assert one.game.said == "By Ada & Bo. example.org/~ada"
    written = exporting.export(one, "puzzlescript").text.splitlines()
    assert written[1:3] == ["author Ada & Bo", "homepage example.org/~ada"]
    own = levels.load("sokoban/first")
    mine = replace(own.game, author="Cy (and Di)", homepage="https://example.org")
    assert "\nauthor Cy [and Di]\n" in exporting.export(Instance(mine, own.level), "puzzlescript").text
    told = write_game(mine, (own.level,))
    game, _ = read_game(told.encode(), "own.toml")
    assert (game.author, game.homepage) == ("Cy (and Di)", "https://example.org")
    with pytest.raises(DescriptionError, match="`author` has several lines"):
        read_game(told.replace("(and", r"\n(and").encode(), "own.toml")


def test_a_comment_that_never_ends_is_told_where_it_begins() -> None:
    """All that follows is no part of the game, so what is missing then is no help."""
    written = text(PUSH, "p*.").replace("title", "(not closed\ntitle", 1)
    found = puzzlescript.check(written.encode(), "open.txt")
    told = [one for one in found if "goes on to the end" in one.message]
    assert [(one.place.line, one.place.column) for one in told if one.place] == [(1, 1)]
    closed = puzzlescript.check(written.replace("closed", "closed)").encode(), "closed.txt")
    assert not any("goes on to the end" in one.message for one in closed)


def test_a_second_object_of_a_name_is_one_mistake() -> None:
    """Its colours are no name of another object, of which more would be missing."""
    twice = text().replace("Ball b\n", "Crate k\nBlue\n\nBall b\n", 1)
    (finding,) = [one for one in puzzlescript.check(twice.encode(), "twice.txt") if one.severity == "error"]
    assert "CRATE is in use already" in finding.message


@pytest.mark.parametrize("line", ["Wall #", "Grey", "Target\nMark", "Some Target on Crate"])
def test_a_stray_end_of_a_comment_that_begins_a_line_is_an_error(line: str) -> None:
    """The editor reads what follows as something else, or fails, but in rules, where it goes on."""
    source = text(PUSH, "#p*.o#", wins="Some Target on Crate")
    assert line in source
    with pytest.raises(DescriptionError, match="closes a comment, and none is open here"):
        puzzlescript.read(source.replace(line, f") {line}").encode(), "stray.txt")
    game, _ = puzzlescript.read(source.replace(PUSH, f") {PUSH}").encode(), "stray.txt")
    assert game.scan == puzzlescript.read(source.encode(), "stray.txt")[0].scan


@pytest.mark.parametrize(("rules", "maps"), [(f"{PUSH} LOADLEVEL 7", "p*.o"), (PUSH, "LOADLEVEL 7/p*.o")])
def test_a_level_to_go_to_is_no_word_of_the_language(rules: str, maps: str) -> None:
    """It is an error on the line where the compiler has one, whether there is such a level or not."""
    source = text(rules, maps)
    with pytest.raises(DescriptionError) as raised:
        puzzlescript.read(source.encode(), "go.txt")
    (line,) = (n for n, one in enumerate(source.split("\n"), 1) if "LOADLEVEL" in one)
    assert {finding.place.line for finding in raised.value.findings if finding.place} == {line}


@pytest.mark.parametrize(
    ("gone", "message", "heading"),
    [
        ("Player p\nWhite\n", "there is no PLAYER", "OBJECTS"),
        ("Background .\nBlack\n", "there is no BACKGROUND", "OBJECTS"),
        ("\n#p*.o#\n", "there are no levels", "LEVELS"),
        (
            "Background\nTarget\nMark\nPlayer, Wall, Crate, Ball\n",
            "there are no collision layers",
            "COLLISIONLAYERS",
        ),
    ],
)
def test_what_is_nowhere_has_a_place(gone: str, message: str, heading: str) -> None:
    """An error for something that is not there stands at the heading of its section."""
    source = text()
    assert gone in source
    source = source.replace(gone, "\n")
    with pytest.raises(DescriptionError) as refused:
        puzzlescript.read(source.encode(), "small.txt")
    findings = refused.value.findings
    assert all(one.place is not None and one.place.line and one.place.column for one in findings)
    places = [(one.place.line, one.place.column) for one in findings if one.message == message and one.place]
    assert (source.splitlines().index(heading) + 1, 1) in places
