"""Exported games, played in a real PuzzleScript engine, against the referee: board, win, loss, turn, budget.

The engine is the npm package, or the checkout that `PUZZLESCRIPT_HOME` names. The recorded traces come from
the present increpare/PuzzleScript; they are held against the referee without any engine, and the engine that
is found must reproduce them. All runs of a test go through one Node process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ggp.bench.reachable import by_puzzlescript, by_transition, smallest, without_horizon
from ggp.engines import puzzlescript as engine
from ggp.exporters import puzzlescript
from ggp.exporters.puzzlescript import script as script_module
from ggp.exporters.puzzlescript.judge import difference
from ggp.exporters.puzzlescript.play import Expected, Keyboard, at_random, of_keys, of_plan
from ggp.exporters.puzzlescript.record import (
    KEYS,
    first_of_each_text,
    frame_row,
    plays,
    read_trace,
    run_of,
    script_of,
    turns_of,
)
from ggp.exporters.puzzlescript.recording import NUMBERS, board_text, record_of
from ggp.exporters.puzzlescript.script import Script
from ggp.language import levels
from ggp.language.description import read_file, read_game
from ggp.model import Block, Group, Instance, Phase, Plan
from ggp.referee.trajectory import replay
from tests.puzzlescript_games import text as small
from tests.random_rules import random_instance
from tests.slow import few_or_many, one_in, slow_unless
from tests.solver_levels import GAMES as ALONE

DATA = Path(__file__).parents[1] / "data" / "puzzlescript"
RECORD = "PUZZLESCRIPT_HOME=CHECKOUT python -m ggp.exporters.puzzlescript.record tests/data/puzzlescript {}"
LATER = [*sorted(DATA.glob("games/*.toml")), DATA.parent / "vgdl" / "pictures.toml"]
STILL = ("sudoku", "queens", "takuzu", "akari")  # of the games in which nothing moves


def played_games() -> list[str]:
    """The built-in games of one player that move, and one in which nothing does."""
    loaded = {game: levels.load_game(game)[0] for game in ALONE}
    return [name for name, game in loaded.items() if game.input or game.physics or name in STILL]


GAMES = played_games()
MOVING = [game for game in GAMES if levels.load_game(game)[0].input is not None]


@pytest.fixture
def node() -> None:
    """The test needs an engine. Where the whole suite must run its absence is a failure."""
    reason = engine.available()
    if reason is not None and os.environ.get("CI"):
        pytest.fail(f"no PuzzleScript engine: {reason}")
    if reason is not None:
        pytest.skip(f"no PuzzleScript engine: {reason}")


def faults(rehearsals: Iterable[tuple[Script, list[Expected]]]) -> list[str]:
    """Everything in which the engine differs from what must be seen."""
    found, played = [], list(rehearsals)
    jobs = [
        engine.Job(script.text(), [(script.level_number(one.instance), one.keys) for one in some])
        for script, some in played
    ]
    for (script, some), game in zip(played, engine.play(jobs), strict=True):
        found += [f"{script.instance.name}: {fault}" for fault in game.faults]
        for one, run in zip(some, game.runs, strict=True):
            wrong = difference(script, one, run)
            if wrong is not None:
                found.append(f"{one.instance.name}, {' '.join(one.keys)}: {wrong}")
    return found


# --- recorded traces ------------------------------------------------------------------------------------


@cache
def kept(game: str) -> dict[str, Any]:
    """What was recorded."""
    return read_trace(DATA / f"{game}.json.gz")


@cache
def script(game: str, index: int) -> Script:
    """A text of a trace as it is exported now."""
    return script_of(kept(game)["games"][index])


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_trace_of_what_is_exported_now(game: str) -> None:
    assert "PuzzleScript" in kept(game)["engine"]
    for index, entry in enumerate(kept(game)["games"]):
        assert plays(entry["text"]) == plays(script(game, index).text()), (
            f"record it again: {RECORD.format(game)}"
        )


@pytest.mark.parametrize("game", one_in(4, GAMES))
def test_the_recorded_turns_are_the_referees(game: str) -> None:
    """Board, win, loss, turn and budget after every key and tick; Z among the keys."""
    turns, keys = 0, set[str]()
    for index, entry in enumerate(kept(game)["games"]):
        one = script(game, index)
        by_name = {level.level.name: level for level in one.instances}
        for row in entry["runs"]:
            pressed = [KEYS[letter] for letter in row["keys"]]
            expected = of_keys(Keyboard(one, by_name[row["level"]]), pressed)
            assert difference(one, expected, run_of(row)) is None
            turns += len(expected.keys) if one.mode.still else expected.turns
            keys.update(pressed)
    assert turns >= turns_of(game)
    assert "undo" in keys


@pytest.mark.parametrize("game", one_in(12, GAMES))
def test_the_engine_here_reproduces_them(game: str, node: None) -> None:
    entries = kept(game)["games"]
    jobs = [
        engine.Job(
            entry["text"], [(row["screen"], [KEYS[key] for key in row["keys"]]) for row in entry["runs"]]
        )
        for entry in entries
    ]
    for entry, played in zip(entries, engine.play(jobs), strict=True):
        assert not played.faults
        for row, run in zip(entry["runs"], played.runs, strict=True):
            assert not run.faults
            assert [frame_row(frame, run.objects) for frame in run.frames] == row["frames"]


# --- plans that are known, through the player's part ------------------------------------------------------


@pytest.mark.parametrize("game", slow_unless({"lemmings", "akari", "queens"}, GAMES))
def test_the_engine_wins_with_each_plan_that_wins_and_with_no_other(game: str, node: None) -> None:
    rehearsals = []
    texts = first_of_each_text(game)
    for first in [next(texts)] if game in STILL else texts:  # large boards take very many keys to fill
        one = Script(first)
        some = []
        for level in one.instances:
            known = level.level.known
            wins = [of_plan(one, level, plan) for plan in known.wins]
            # A plan that goes on after its win is a failing one; the engine knows nothing of what comes then.
            others = [of_plan(one, level, plan) for plan in known.loses if not wins_early(level, plan)]
            assert all(run.frames[-1][1].won for run in wins)
            assert not any(run.frames[-1][1].won for run in others)
            some += wins + others
        rehearsals.append((one, some))
    assert sum(len(some) for _, some in rehearsals) > 1
    assert not faults(rehearsals)


def wins_early(instance: Instance, plan: Plan) -> bool:
    """Does a plan win before its last action?"""
    shorter = [replace(plan, actions=plan.actions[:count]) for count in range(len(plan.actions))]
    return any(replay(instance, one).won for one in shorter)


# --- all that can be reached ------------------------------------------------------------------------------


def test_as_many_boards_can_be_reached_as_in_the_compiled_program(node: None) -> None:
    """On the smallest level of each game, without its limit on the turns: exactly the same boards."""
    walked = [without_horizon(smallest(game)) for game in MOVING]
    wanted = [{state.board for state in by_transition(one)} for one in walked]
    for one, boards, found in zip(walked, wanted, by_puzzlescript(walked), strict=True):
        assert found == boards, one.name
    assert sum(len(boards) for boards in wanted) > 200


def test_the_seeds_six_solutions_win_and_the_unaided_run_does_not(node: None) -> None:
    """The same without anything of ours in between but the keys: what the engine itself says."""
    instance = levels.load("lemmings/seed")
    script = Script(instance)
    plans = [*instance.level.known.wins, Plan()]
    keys = [of_plan(script, instance, plan).keys for plan in plans]
    (game,) = engine.play([engine.Job(script.text(), [(1, some) for some in keys])])
    assert [run.frames[-1]["won"] for run in game.runs] == [True] * 6 + [False]


def test_a_late_arrival_does_not_win(node: None) -> None:
    """All six arrive with turn 15 and then stay: a horizon of 15 is enough, one of 14 is not."""
    instance = levels.load("lemmings/seed")
    plan = instance.level.known.wins[0]
    rehearsals, ends = [], []
    for horizon in (14, 15, 16):
        other = Instance(instance.game, replace(instance.level, name=f"in-{horizon}", horizon=horizon))
        script = Script(other)
        rehearsals.append((script, [of_plan(script, other, plan)]))
        ends.append(rehearsals[-1][1][0].frames[-1][1])
    assert [end.won for end in ends] == [False, True, True]
    assert [end.lost for end in ends] == [True, False, False]
    assert not faults(rehearsals)


@pytest.mark.parametrize("name", ["lemmings/seed", "sudoku/paper-4x4", "sokoban/first"])
def test_a_plan_can_be_placed_already(name: str, node: None) -> None:
    instance = levels.load(name)
    plan = instance.level.known.wins[0] if instance.level.known.wins else Plan(actions=("down", "up"))
    script = Script(instance, plan)
    expected = of_plan(script, instance, plan)
    assert len(expected.keys) == max(1, len(plan.actions))
    assert not faults([(script, [expected])])


def test_undo_brings_the_design_back_and_restart_the_beginning(node: None) -> None:
    instance = levels.load("lemmings/seed")
    script = Script(instance)
    placed = of_plan(script, instance, instance.level.known.loses[1])
    keys = [*placed.keys, "undo", "restart"]
    (game,) = engine.play([engine.Job(script.text(), [(1, keys)])])
    frames = list(game.runs[0].shown())
    released = next(number for number, frame in enumerate(frames) if frame.key == len(placed.keys) - 1)
    assert frames[-2].cells == frames[released - 1].cells  # before X on the bar, with all that was placed
    assert frames[-1].cells == frames[0].cells


# --- what will be exported later ----------------------------------------------------------------------------


def test_games_of_other_kinds_are_exact(node: None) -> None:
    """Picks, loops, blocks, facings, classes, waiting, losing, a design before moves: all data files."""
    rehearsals = []
    for file in LATER:
        game, found = read_file(file)
        script = Script(Instance(game, found[0]))
        assert [one.level for one in script.instances] == list(found)
        some = [at_random(script, one, f"{number}", 50) for one in script.instances for number in range(5)]
        rehearsals.append((script, some))
    assert sum(one.turns for _, some in rehearsals for one in some) > 1000
    assert not faults(rehearsals)


@pytest.mark.parametrize(
    "name",
    one_in(
        2,
        "lemmings/cavern sokoban/two-crates psychopath-2/first polar-slide/first peg-solitaire/first".split(),
    ),
)
def test_the_general_scheme_is_exact_where_a_plainer_one_would_do(
    name: str, node: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Script(levels.load(name))
    monkeypatch.setattr(script_module, "PLAIN", [])
    monkeypatch.setattr(script_module, "REPEATED", [])
    monkeypatch.setattr(Script, "hero_plane", lambda self: (None, ""))
    general = Script(levels.load(name))
    assert len(general.rules) > len(plain.rules)
    some = [at_random(general, one, f"{number}", 40) for one in general.instances for number in range(4)]
    assert not faults([(general, some)])


@few_or_many("seeds", 16, 200)
@pytest.mark.parametrize("leaving_out", [False, True])
def test_rules_at_random_are_exact(node: None, leaving_out: bool, seeds: int) -> None:
    rehearsals = []
    for seed in range(seeds):
        instance = random_instance(seed, leaving_out=leaving_out)
        if instance is not None:
            script = Script(instance)
            rehearsals.append((script, [at_random(script, instance, f"{number}", 12) for number in range(2)]))
    assert len(rehearsals) > seeds / 8
    assert not faults(rehearsals)


def nameless(instance: Instance) -> Instance:
    """The same with rules as programs make them: all of one name, and from no file."""

    def unnamed(group: Group) -> Group:
        rules = (replace(rule, name="rule", place=None) for rule in group.rules)
        return replace(group, rules=tuple(rules))

    def all_of(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
        return tuple(
            replace(one, groups=tuple(map(unnamed, one.groups))) if isinstance(one, Block) else unnamed(one)
            for one in phases
        )

    game = instance.game
    return replace(instance, game=replace(game, turn=all_of(game.turn), physics=all_of(game.physics)))


SEEDS = """
name = "seeds"

[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
seed = { layer = "seed" }
bell = { layer = "bell" }
bed = { layer = "floor" }

[symbols]
"." = ""
"#" = "wall"
"@" = "me"
"o" = "bed"

[input]
moves = ["up", "right", "down", "left"]
verbs = ["act"]

[[turn]]
rules = \"\"\"
walk toward input: me here, no wall ahead, no me ahead => me here -> ahead
ring toward any: me here, bed ahead, no bell here => add bell here
sow: me here, input act, no seed here => add seed here
\"\"\"

[goal]
win = ["every bed on seed"]

[[level]]
name = "first"
map = \"\"\"
#@.o#
#...#
\"\"\"
"""


def test_rules_that_share_a_name_are_all_kept(node: None) -> None:
    """Rules for the arrows, for a verb and for any neighbour, of one name and about one thing."""
    game, found = read_game(SEEDS.encode(), "seeds.toml")
    instance = nameless(Instance(game, found[0]))
    script = Script(instance)
    won = of_plan(script, instance, Plan(actions=("right", "right", "act")))
    assert won.frames[-1][1].won
    assert not faults([(script, [won, *(at_random(script, instance, f"{n}", 30) for n in range(4))])])


HOSTILE = """
name = "message"
title = {title}

[kinds]
{kinds}

[symbols]
{symbols}

[input]
moves = ["up", "right", "down", "left"]

[[turn]]
rules = \"\"\"
step: player here, inside ahead, no {first} ahead => player here -> ahead
\"\"\"

[goal]
win = ["count {first} = 0"]

[[level]]
name = "objects"
title = {title}
map = \"\"\"
{map}
\"\"\"
"""
WORDS = """levels levelset Objects rulebook sounds winconditions legendary collisionlayers message messenger
win again cancel restart late rigid random randomdir moving action horizontal perpendicular startloop endloop
sfx0 sfx10 red transparent background cursor bar slot keys run over clock-1 Clock_1 wall Wall x y1 constructor
prototype hasOwnProperty and or orthogonal checkpoint some_ title a-b a_b A-B""".split()
TITLES = ["((", "=====", "a (b) c", "LEVELS", "\\n \\n", "été <b>№ 1</b>", "x" * 300, ""]


@pytest.mark.parametrize("title", one_in(2, TITLES))
def test_names_and_titles_that_the_syntax_would_swallow(title: str, node: None) -> None:
    """Every kind has its object, and the engine shows every one of them where it stands."""
    signs = [chr(0x4E00 + number) for number in range(len(WORDS))]
    text = HOSTILE.format(
        title=f'"{title}"',
        kinds="\n".join(f'{word} = {{ layer = "solid" }}' for word in (*WORDS, "player")),
        symbols="\n".join(
            [
                *(f'"{sign}" = "{word}"' for sign, word in zip(signs, WORDS, strict=True)),
                '"p" = "player"',
                '"." = ""',
            ]
        ),
        first=WORDS[0],
        map="".join(signs) + "\np" + "." * (len(signs) - 1),
    )
    game, found = read_game(text.encode(), "hostile.toml")
    script = Script(Instance(game, found[0]))
    assert len({name.lower() for name in script.cast.looks}) == len(script.cast.looks)
    some = [at_random(script, script.instance, f"{number}", 20) for number in range(2)]
    assert not faults([(script, some)])


# --- verification -------------------------------------------------------------------------------------------


@few_or_many("step", 6, 1)
def test_verification_passes_and_sees_what_is_broken(step: int, node: None) -> None:
    """Taking any one rule away from a text is seen."""
    instance = levels.load("lemmings/cavern")
    script = Script(instance)
    text = script.text()
    assert all(check.passed for check in puzzlescript.verify(instance, text))
    runs = []
    for one in script.instances:
        runs += [
            of_plan(script, one, plan) for plan in (*one.level.known.wins[:2], *one.level.known.loses[:1])
        ]
        runs += [at_random(script, one, f"{number}", 40) for number in range(3)]
    keys = [(script.level_number(run.instance), run.keys) for run in runs]
    lines = text.splitlines()
    rules = [number for number, line in enumerate(lines) if "] -> " in line][::step]
    broken = [engine.Job("\n".join(lines[:number] + lines[number + 1 :]), keys) for number in rules]
    unseen = [
        lines[number]
        for number, game in zip(rules, engine.play(broken, ticks=40), strict=True)
        if all(difference(script, one, run) is None for one, run in zip(runs, game.runs, strict=True))
    ]
    assert not unseen


def test_each_level_of_a_file_is_verified_and_the_broken_one_named(node: None, tmp_path: Path) -> None:
    file = tmp_path / "three.xsb"
    file.write_text("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n\n#####\n#.$@#\n#####\n")
    instances = levels.every(str(file))
    text = puzzlescript.text_together(instances)
    checks = list(puzzlescript.verify_together(instances, text))
    assert len(checks) == 4 and all(check.passed for check in checks)
    broken = list(puzzlescript.verify_together(instances, text.replace("#@.$t#", "#@$.t#")))
    assert [check.passed for check in broken] == [True, True, False, True]
    assert instances[1].level.name in broken[2].what


@pytest.mark.parametrize("style", [puzzlescript.EDITABLE, puzzlescript.EXACT])
def test_both_styles_are_what_they_say(style: puzzlescript.Style, node: None) -> None:
    """Without a clock the same boards are seen and won; a run that is too long is lost with one alone."""
    instance = levels.load("sokoban/first")
    text = style.text(instance)
    assert all(check.passed for check in style.verify(instance, text))
    other = (puzzlescript.EXACT if style is puzzlescript.EDITABLE else puzzlescript.EDITABLE).text(instance)
    assert not all(check.passed for check in style.verify(instance, other))


# --- plans as keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lemmings/seed", "sokoban/first", "lights-out/small", "rush-hour/first"])
def test_plans_are_keys_and_records_that_win(name: str, node: None) -> None:
    """Of a design, of moves, of picks with and without a direction."""
    instance = levels.load(name)
    plan = instance.level.known.wins[0]
    name, (text, inputs, board, screen) = puzzlescript.recorded(instance, plan)
    keys = puzzlescript.keys(instance, plan)
    assert text == puzzlescript.text(instance) and [NUMBERS[key] for key in keys] == inputs
    (game,) = engine.play([engine.Job(text, [(screen, keys), (screen, keys[:-1])])])
    ends = [list(run.shown())[-1] for run in game.runs]
    assert [end.won for end in ends] == [True, False]
    if "again" not in script_rules(text):  # what a win sets going goes on in a record
        assert board == board_text(ends[0].cells, game.runs[0].width)


def script_rules(text: str) -> str:
    """The section of rules."""
    return text.partition("\nRULES\n")[2].partition("\nWINCONDITIONS\n")[0]


def test_a_record_goes_on_after_the_win(node: None) -> None:
    """As in the engine's own tests, which play what `again` sets going on the board that was won."""
    rules = "[ Crate Target ] -> [ Target ]\n[ > Player | Crate ] -> [ > Player | > Crate ] again"
    text = small(rules=rules, maps="#p*o#//message On!//#p*o#")
    (_, (_, _, board, _)) = record_of("on", text, 0, ["right"])
    assert "crate" not in board


def test_a_record_ends_where_the_engine_does(node: None) -> None:
    """A map that follows without a message is opened by the win."""
    maps = "#p*o#", "#p.*o#"
    text = small(maps="\n\n".join(maps))
    for following, wide in ((text, len(maps[1])), (text.replace("\n\n#p.*", "\n\nmessage On!\n\n#p.*"), 5)):
        (_, (_, inputs, board, screen)) = record_of("two", following, 0, ["right"])
        assert (inputs, screen) == ([3], 0) and sum(line.count(",") for line in board.splitlines()) == wide


def test_where_keys_make_no_turn_nothing_differs(node: None) -> None:
    """Asked for random turns of a puzzle in which nothing moves, it says that there were none."""
    level = levels.load("queens/4")
    *_, last = puzzlescript.verify_turns(level, Script(level).text(), None, 5)
    assert last.passed and "0 turns" in last.detail
