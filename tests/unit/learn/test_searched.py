"""Passes that are searched for, from the ends of turns alone: rules are put in one by one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from ggp.errors import NotLearned
from ggp.harness.from_play import LastOf, Watched, learn_with_more
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.fit import questions
from ggp.learn.fit.program import Part, Passes, Program, programs_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame, window
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.searched import nodes, search
from ggp.learn.turn.searched.calls import did
from ggp.learn.turn.searched.field import Field
from ggp.learn.turn.searched.learning import learn_promising, learn_searched
from ggp.learn.turn.searched.likewise import likewise
from ggp.learn.turn.searched.playing import Asked, Deeds, Player
from ggp.learn.turn.searched.rules import Rule, Sight, Step
from ggp.learn.turn.searched.search import Search
from ggp.learn.turn.searched.steps import Draft, every_rule, placed, places, with_exception, without
from ggp.learn.turn.searched.told import told_of
from ggp.learn.turn.searched.worth import STEP as STEP_NEARER
from ggp.learn.turn.searched.worth import tried
from ggp.learn.turn.searched.written import program_of
from ggp.learn.turn.ways import MoreWanted, Ways
from ggp.learn.whole import explained
from ggp.model import DIRECTIONS
from ggp.model.result import Clock
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import more_of, slowly

HEAD = """
name = "tried"
[kinds]
wall = { layer = "solid" }
rock = { layer = "solid" }
player = { layer = "solid", count = "1" }
mark = { layer = "mark", marker = true }
[classes]
solid = ["wall", "rock", "player"]
[symbols]
"." = ""
"#" = "wall"
"o" = "rock"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
wait = true
"""
STEP = "step: player here, no solid ahead => player here -> ahead"
PUSH = (
    "push: player here, rock ahead, no solid ahead.ahead => rock ahead -> ahead.ahead, player here -> ahead"
)
ASIDE = PUSH.replace("push: player here", "push toward left right: player here, input ahead")
FALL = "fall: rock here, no solid down => rock here -> down"
ROLL = "roll: rock here, rock down, no solid right, no solid right.down => rock here -> right"
SEND = "send: player here, rock ahead => add mark ahead"
SLIDE = "slide toward input: rock here, mark here, no solid ahead => rock here -> ahead, mark here -> ahead"
LEVELS = """
[goal]
win = ["count rock = 0"]
[[level]]
horizon = 9
map = '''
.......
.o...o.
.@.....
...#...
.o.....
'''
[[level]]
horizon = 9
map = '''
..........
.@o.....#.
..........
'''
"""
CAVE = ((STEP, ""), (FALL, ""), (ROLL, ""))  # three passes, of which boards show the ends alone
CURLING = ((SEND + "\n" + STEP, ""), (SLIDE, "until = 'stable'\nbound = 12"))


def world(*passes: tuple[str, str]) -> DescribedWorld:
    """A game of some passes, each with its rules and what else is said of it."""
    turn = "\n".join(
        f"[[turn]]\nname = 'pass {n}'\n{more}\nrules = '''\n{r}\n'''" for n, (r, more) in enumerate(passes)
    )
    return DescribedWorld(*read_game((HEAD + turn + LEVELS).encode(), "tried.toml"))


def played(of: DescribedWorld, number: int, seed: int = 0) -> list[Episode]:
    """So many roll-outs."""
    return list(islice(rollouts(of, random.Random(seed)), number))


def distinct(episodes: Sequence[Episode]) -> list[Turn]:
    """Their turns, each once."""
    return list(dict.fromkeys(turns_of(episodes)))


def found_in(of: DescribedWorld, number: int) -> tuple[list[Episode], Program | Passes]:
    """What is found from so many roll-outs."""
    episodes = played(of, number)
    turns = distinct(episodes)
    return episodes, learn_searched(Ways(), turns, structure_of(turns))


def wrong_on_other_play(of: DescribedWorld, program: Program | Passes) -> int:
    """How many turns of other play it says otherwise."""
    return sum(map(program.wrong, turns_of(played(of, 40, seed=1))))


def test_a_step_a_fall_and_a_roll_are_three_passes() -> None:
    cave = world(*CAVE)
    _, program = found_in(cave, 60)
    assert len(programs_of(program)) > 1 and wrong_on_other_play(cave, program) == 0


def test_what_is_sent_goes_on_with_a_mark_and_is_read_again() -> None:
    curling = world(*CURLING)
    episodes, program = found_in(curling, 150)
    assert isinstance(program, Passes) and program.passing
    assert any(one.loop for one in programs_of(program)) and wrong_on_other_play(curling, program) == 0
    learned = explained(episodes, "curling", lambda _, structure: program)
    again = DescribedWorld(
        *read_game(write_game(learned.game, learned.levels).encode(), "c.toml"), go_on=True
    )
    for episode in played(curling, 10, seed=2):
        (said,) = again.play([(episode.start, [step.word for step in episode.steps])])
        assert said is not None
        assert [step.after for step in said.steps] == [step.after for step in episode.steps]


CRADLE = (
    """
name = "cradle"
[kinds]
wall = { layer = "solid" }
light = { layer = "solid" }
heavy = { layer = "solid" }
picked = { layer = "hand", facing = ["up", "right", "down", "left"], marker = true }
[classes]
ball = ["light", "heavy"]
solid = ["wall", "ball"]
[symbols]
"." = ""
"#" = "wall"
"l" = "light"
"h" = "heavy"
[input]
pick = "picked"
[[turn]]
until = "stable"
bound = "width + height"
rules = """
    + "'''"
    + """
slide toward input: ball here, picked here, no solid ahead => ball here -> ahead, picked here -> ahead
strike toward input: ball here, picked here, ball ahead    => picked here -> ahead
"""
    + "'''"
    + """
[goal]
win = ["count wall = 0"]
[[level]]
horizon = 6
map = '''
l..h.
.#...
...l.
'''
"""
)


def test_what_is_struck_by_what_was_sent_goes_on_in_its_place() -> None:
    """Who is picked is sent, and a mark that no board shows is handed on."""
    cradle = DescribedWorld(*read_game(CRADLE.encode(), "cradle.toml"))
    _, program = found_in(cradle, 150)
    assert isinstance(program, Passes) and program.passing
    assert wrong_on_other_play(cradle, program) == 0


@more_of(test_a_step_a_fall_and_a_roll_are_three_passes)
def test_a_push_and_a_fall_are_found_as_well() -> None:
    other = world((PUSH + "\n" + STEP, ""), (FALL, ""))
    _, program = found_in(other, 120)
    assert wrong_on_other_play(other, program) == 0


def test_what_is_done_by_inputs_of_one_axis_alone_is_one_rule() -> None:
    other = world((ASIDE + "\n" + STEP, ""), (FALL, ""))
    _, program = found_in(other, 120)
    asked = [test.words for one in programs_of(program) for part in one.parts for test in words_in(part)]
    assert wrong_on_other_play(other, program) == 0
    assert len(asked) == 1 and set(asked[0]) in ({"left", "right"}, {"up", "down"})


THIN = """
sink: player here, hole here => remove player here, add sunk here
break: player here, ice here, no solid ahead => player here -> ahead, remove ice here, add hole here
slide: player here, no solid ahead => player here -> ahead
"""
ICE = """
[[level]]
horizon = 9
map = '''
@-..-
..-..
-.#..
.#.-.
...-#
'''
"""


def test_what_breaks_on_the_way_breaks_when_it_is_left() -> None:
    """Later would do as well, where that can be, so that it helps on many boards on the way."""
    head = (
        HEAD.replace(
            "[classes]",
            """ice = { layer = "ice" }
hole = { layer = "ice" }
sunk = { layer = "sign", merge = true }
[classes]""",
        )
        .replace("[input]", "'-' = 'ice'\n'~' = 'hole'\n[input]")
        .replace(', count = "1"', "")
    )
    turn = f"[[turn]]\nuntil = 'stable'\nbound = 12\nrules = '''{THIN}'''\n"
    goal = "[goal]\nwin = ['count rock = 0']\nlose = ['count sunk >= 1']\n"
    thin = DescribedWorld(*read_game((head + turn + goal + ICE).encode(), "thin.toml"))
    _, program = found_in(thin, 120)
    assert wrong_on_other_play(thin, program) == 0


GATES = """
name = "gates"
[kinds]
wall = { layer = "solid" }
rock = { layer = "solid" }
lever = { layer = "solid" }
player = { layer = "solid", count = "1" }
plate = { layer = "floor" }
shut = { layer = "frame" }
open = { layer = "frame" }
rung = { layer = "rung", marker = true }
[classes]
bar = ["wall", "rock", "lever", "player", "shut"]
thing = ["rock", "player"]
[symbols]
"." = ""
"#" = "wall"
"o" = "rock"
"l" = "lever"
"_" = "plate"
"|" = "shut"
"=" = "open"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
push: player here, rock ahead, no bar ahead.ahead => rock ahead -> ahead.ahead, player here -> ahead%s
pull: player here, lever ahead                    => add rung here
step: player here, no bar ahead                   => player here -> ahead
'''
[[turn]]
name = "gates"
rules = '''
%s
'''
[goal]
win = ["count rock = 0"]
[[level]]
horizon = 12
map = '''
..|....=.
.@o._....
.l..o..|.
.._......
'''
[[level]]
horizon = 12
map = '''
.|..=..l
...o_...
=.@.o._.
.l...|..
'''
"""
OVER = (
    "lift: shut here, count rung >= 1 => remove shut here, add open here\n"
    "drop: open here, no thing here, count rung >= 1 => remove open here, add shut here"
)
PULL = "pull: player here, lever ahead                    => add rung here\n"
WHOLE = "lift: shut here, some rock on plate => remove shut here, add open here"


@pytest.mark.parametrize(
    "number, calls, answers",
    [
        slowly(pytest.param(60, "", OVER, id="what somebody runs into calls")),
        pytest.param(60, ", add rung here", OVER, id="what is done calls"),
        pytest.param(120, "", WHOLE, id="what stands somewhere"),
    ],
)
def test_what_is_done_or_stands_anywhere_is_asked_for(number: int, calls: str, answers: str) -> None:
    """All gates change over at once, whatever they are near."""
    text = (GATES % (calls, answers)).replace(PULL if calls else "", "")
    of = DescribedWorld(*read_game(text.encode(), "gates.toml"))
    episodes, program = found_in(of, number)
    assert wrong_on_other_play(of, program) == 0
    assert any(one.structure.signs for one in programs_of(program))
    learned = explained(episodes, "gates", lambda _, structure: program)
    again = DescribedWorld(
        *read_game(write_game(learned.game, learned.levels).encode(), "g.toml"), go_on=True
    )
    for episode in played(of, 10, seed=2):
        (said,) = again.play([(episode.start, [step.word for step in episode.steps])])
        assert said is not None
        assert [step.after for step in said.steps] == [step.after for step in episode.steps]


def words_in(part: Part) -> list[questions.Test]:
    """The tests of which input it was."""
    return [test for decision in part.decisions.decisions for test in decision.tests if test.word]


def test_the_search_goes_on_from_what_it_found_when_it_was_cut_off() -> None:
    turns = distinct(played(world(*CAVE), 60))
    ways, structure = Ways(), structure_of(turns)
    with pytest.raises(NotLearned), account(3e5):
        learn_searched(ways, turns, structure)
    begun = ways.steps
    assert begun and ways.searched == len(turns)
    with account() as whole:
        learn_searched(Ways(), turns, structure)
    with account() as rest:
        learn_searched(ways, turns, structure)
    assert rest.work < whole.work


def with_one_odd_turn(turns: Sequence[Turn]) -> list[Turn]:
    """Turns of which one has an end that no rule of a few words tells."""
    odd = next(turn for turn in turns if turn.before != turn.after)
    cells = tuple(reversed(odd.after.cells))
    return [
        turn if turn is not odd else odd._replace(after=odd.after._replace(cells=cells)) for turn in turns
    ]


def test_more_play_is_wanted_where_nearly_all_is_said() -> None:
    turns = with_one_odd_turn(distinct(played(world((STEP, "")), 40)))
    structure, ways = structure_of(turns), Ways(longer=True)
    with pytest.raises(NotLearned):  # no rule is made for it
        learn_searched(ways, turns, structure)
    assert ways.part is not None and len(ways.part.left) == 1
    with pytest.raises(MoreWanted):
        learn_promising(ways, turns, structure)
    with pytest.raises(NotLearned):  # where most is left it promises nothing
        learn_promising(Ways(), turns, structure)


def test_what_a_search_knows_in_part_is_kept() -> None:
    turns = with_one_odd_turn(distinct(played(world(*CAVE), 60)))
    structure, ways = structure_of(turns), Ways()
    with pytest.raises(NotLearned):
        learn_searched(ways, turns, structure)
    known = ways.part
    assert known is not None and len(known.left) == 1
    ways.note_what_is_left(turns, structure)  # what one pass knows is less, and is not put in its place
    assert ways.part is known and ways.left == known.text


def test_what_two_turns_speak_for_is_left_to_others_at_first() -> None:
    turns = distinct(played(world((PUSH + "\n" + STEP, "")), 60))
    pushes = [turn for turn in turns if rocks(turn.before) != rocks(turn.after)]
    few = [turn for turn in turns if turn not in pushes[2:]]
    structure, ways = structure_of(turns), Ways()
    with pytest.raises(NotLearned):
        learn_searched(ways, few, structure)
    with pytest.raises(MoreWanted):  # where more can be watched, more may speak for it
        learn_searched(Ways(longer=True), few, structure)
    program = learn_promising(ways, few, structure)  # where no other way knows more
    assert not any(map(program.wrong, few))
    assert not any(map(learn_searched(Ways(), turns, structure).wrong, turns))


def test_for_what_two_turns_speak_for_more_is_wanted_of_long_passes_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nodes, "LONG", 0.0)
    turns = distinct(played(world((PUSH + "\n" + STEP, "")), 60))
    pushes = [turn for turn in turns if rocks(turn.before) != rocks(turn.after)]
    few = [turn for turn in turns if turn not in pushes[2:]]
    structure = structure_of(turns)
    with pytest.raises(MoreWanted):
        learn_searched(Ways(longer=True), few, structure)
    for ways, some in ((Ways(), few), (Ways(longer=True), turns)):
        assert not any(map(learn_searched(ways, some, structure).wrong, some))


def test_where_fewer_turns_were_nearly_said_many_may_be_left_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "PATIENCE", 0.0)
    monkeypatch.setattr(search, "PROMISING", 0.0)
    turns = distinct(played(world(*CAVE), 60))
    structure = structure_of(turns)
    with pytest.raises(NotLearned), account(6e7):
        learn_searched(Ways(), turns, structure)
    with account(6e7):
        assert not any(map(learn_searched(Ways(promising=True), turns, structure).wrong, turns))


def test_passes_are_as_bad_where_only_what_changes_is_played() -> None:
    """A rule less, more or elsewhere, in passes of which one puts things twice into a cell."""
    turns = distinct(played(world((STEP, ""), (FALL, "until = 'stable'\nbound = 9"), (PUSH, "")), 20))
    looked_for = Search(told_of(turns, structure_of(turns)))
    rock, none = Seen("rock"), Sight(Frame("none"))
    rolls = Rule("rock", none, None, (), (Change("+", (0, 1), rock), Change("-", (0, 0), rock)))
    falls = rolls._replace(outcome=(Change("+", (1, 0), rock), Change("-", (0, 0), rock)))
    twice = rolls._replace(outcome=(Change("+", (-1, 0), rock), Change("+", (0, 1), rock)))
    above = questions.Test((-1, 0), frozenset({rock}))
    free = questions.Test((1, 0), frozenset({rock, Seen("wall")}), edge=True, wanted=False)
    steps = (
        Step((rolls,)),
        Step((falls._replace(tests=(free,)),), loop=True),
        Step((twice._replace(tests=(above,)), rolls)),
    )
    node = looked_for.node(steps)
    drafts = [Draft(0.0, rule, k, within) for rule in (falls, twice) for k, within in places(steps)]
    others = [one for draft in drafts for one in placed(steps, draft)]
    others += [(without(steps, k, place), k) for k, place in every_rule(steps)]
    trials = [looked_for.trial(node, *other) for other in others]
    anew = [looked_for.node(one) for one, _ in others]
    assert [one.loss for one in trials] == pytest.approx([one.loss for one in anew])
    assert len({round(one.loss, 3) for one in anew}) > 5 and any(one.stages[-1].twice.any() for one in anew)


def test_what_one_thing_is_worth_is_what_comes_of_it() -> None:
    """It is told from many boards at once; here each is played by itself."""
    turns = distinct(played(world((STEP, ""), (FALL, "until = 'stable'\nbound = 9")), 10))
    looked_for = Search(told_of(turns, structure_of(turns)))
    player, told = looked_for.player, looked_for.told
    rock, none = Seen("rock"), Sight(Frame("none"))
    rolls = Rule("rock", none, None, (), (Change("+", (0, 1), rock), Change("-", (0, 0), rock)))
    free = questions.Test((1, 0), frozenset({rock, Seen("wall")}), edge=True, wanted=False)
    falls = Rule("rock", none, None, (free,), (Change("+", (1, 0), rock), Change("-", (0, 0), rock)))
    node = looked_for.node((Step((falls,)),))
    rows = np.flatnonzero(node.wrong)[1::2]
    astray = told.wrongness(node.stages[-1]).astray
    asked = Asked(rows, node.stages[0].take(rows), node.steps, node.wrong[rows], astray[rows])
    found = tried(player, rolls, asked, looked_for.rng, within=False)
    assert found is not None and len(found.rows) > 20 and (found.worth != 0).any()
    for way, some in found.ways:
        for place in range(some.start, some.stop):
            row, cell = found.rows[[place]], found.cells[[place]]
            deeds = Deeds(row, cell, np.zeros(1, np.intp), [("rock", way)])
            end = told.wrongness(player.run(node.steps, player.changed(asked.board, deeds)), asked.turns)
            less = (asked.wrong - end.places)[row[0]] / 2
            nearer = (asked.astray - end.astray)[row[0]] * STEP_NEARER / 2
            assert found.worth[place] == pytest.approx(less or nearer * (end.places[row[0]] > 0))


def rocks(board: Board) -> list[int]:
    """The cells with a rock."""
    return [index for index, stack in enumerate(board.cells) if "rock" in stack]


def test_arrays_say_what_passes_say_on_boards_of_all_sizes() -> None:
    """No rule looks or reaches across the edge of one board into another."""
    turns = distinct(played(world((PUSH + "\n" + STEP, ""), (FALL, "until = 'stable'\nbound = 9")), 20))
    player = Player(told_of(turns, structure_of(turns)))
    rock, none = Seen("rock"), Sight(Frame("none"))
    for at in window(2):
        asked = questions.Test(at, frozenset({rock, Seen("wall")}), edge=True)
        rolls = (Change("+", (0, 1), rock), Change("-", (0, 0), rock))
        for test in (asked, asked._replace(wanted=False), asked._replace(things=frozenset())):
            still = Rule("rock", none, None, (test,), ())  # who looks so does nothing, all others roll
            come = (Change("+", at, rock),)
            reaches = Rule("player", Sight(Frame("input")), frozenset(DIRECTIONS), (test,), come)
            for loop in (False, True):
                steps = Step((still, still._replace(tests=(), outcome=rolls)), loop), Step((reaches,))
                program = program_of(steps, player)
                end = player.run(steps, player.told.before)
                for row, turn in enumerate(player.told.turns):
                    after = program.after(turn.before, turn.word)
                    assert after is None or tokens_at(player, end, row, after) == list(after.cells)


@pytest.mark.parametrize("loop", [False, True])
def test_arrays_say_what_passes_say_of_what_stands_anywhere(loop: bool) -> None:
    """Signs are true of the board before a pass, in a loop to its end, whatever is done meanwhile."""
    of = DescribedWorld(*read_game((GATES % ("", OVER)).encode(), "gates.toml"))
    turns = distinct(played(of, 10))
    player = Player(told_of(turns, structure_of(turns)))
    none, lever = Sight(Frame("none")), questions.Test((0, 1), frozenset({Seen("lever")}))
    inside = questions.Test((0, 1), frozenset(), edge=True, wanted=False)
    calls = Rule("player", none, None, (lever,), (Change("+", (0, 0), Seen(player.told.calls[0])),))
    goes = (Change("+", (0, 1), Seen("open")), Change("-", (0, 0), Seen("open")))
    seen = set[bool]()
    assert {(bool(sign.ground), sign.off) for sign in player.told.signs} == {
        (True, True),
        (True, False),
        (False, False),
    }
    for sign in player.told.signs:
        for wanted in (True, False):
            asked = questions.Test((0, 0), frozenset({Seen(sign.token)}), wanted=wanted)
            steps = Step((calls,)), Step((Rule("open", none, None, (asked, inside), goes),), loop)
            program = program_of(steps, player)
            end = player.run(steps, player.told.before)
            signed = player.signed(player.run(steps[:1], player.told.before), [sign])
            for row, turn in enumerate(player.told.turns):
                after = program.after(turn.before, turn.word)
                assert after is not None
                said = [stack - {*player.told.calls} for stack in tokens_at(player, end, row, after)]
                assert said == list(after.cells)
                seen.add(bool(signed.plane(player.told.number[sign.token])[row].any()))
    assert seen == {True, False}


def rules_of_gates() -> dict[str, Rule]:
    """Who steps and pushes, as it is, and what gates that are shut do when the first mark is left."""
    words, bar = frozenset(DIRECTIONS), frozenset(map(Seen, ("rock", "lever", "shut")))
    ahead, beyond = (questions.Test(at, bar, edge=True, wanted=False) for at in ((1, 0), (2, 0)))
    rung = questions.Test((0, 0), frozenset({Seen("some call0")}))

    def by_input(tests: tuple[questions.Test, ...], *outcome: tuple[str, tuple[int, int], str]) -> Rule:
        changes = tuple(sorted(Change(sign, at, Seen(name)) for sign, at, name in outcome))
        return Rule("player", Sight(Frame("input")), words, tests, changes)

    rock = questions.Test((1, 0), frozenset({Seen("rock")}))
    return {
        "push": by_input((rock, beyond), ("-", (1, 0), "rock"), ("+", (2, 0), "rock")),
        "step": by_input((ahead,), ("-", (0, 0), "player"), ("+", (1, 0), "player")),
        "pull": by_input((questions.Test((1, 0), frozenset({Seen("lever")})),), ("+", (0, 0), "call0")),
        "lift": by_input((rung,), ("-", (0, 0), "shut"), ("+", (0, 0), "open"))._replace(
            subject="shut", sight=Sight(Frame("none")), words=None
        ),
    }


def search_of_gates(calls: str) -> Search:
    """A search that asks for what is far, of turns in which those call who run into levers, and others."""
    of = DescribedWorld(*read_game((GATES % (calls, OVER)).encode(), "gates.toml"))
    turns = distinct(played(of, 40))
    return Search(told_of(turns, structure_of(turns)))


def test_what_somebody_runs_into_is_asked_for_where_nothing_near_helps() -> None:
    rules, looked_for = rules_of_gates(), search_of_gates("")
    looked_for.cost = 2.0
    node = looked_for.node((Step((rules["push"],)), Step((rules["step"],))))
    better = looked_for.from_afar(node)
    assert better is not None and looked_for.afar
    (call,) = (rule for step in better.steps for rule in step.rules if rule.tests == rules["pull"].tests)
    (mark,) = call.outcome
    asking = [
        rule
        for step in better.steps
        for rule in step.rules
        for test in rule.tests
        if Seen(f"some {mark.thing.name}") in test.things
    ]
    assert {rule.subject for rule in asking} <= {"shut", "open"} and asking
    assert looked_for.from_afar(better) is None  # it is asked for already


def test_several_may_call_for_one_thing() -> None:
    """A rule that calls for nothing yet is tried with the mark that another leaves."""
    rules, looked_for = rules_of_gates(), search_of_gates(", add rung here")
    looked_for.afar = True
    assert looked_for.told.calls[0] == "call0"
    node = looked_for.node((Step((rules["pull"], rules["push"])), Step((rules["lift"],))))
    joined = looked_for.joined(node)
    assert joined is not None and joined.loss < node.loss
    assert rules["pull"].outcome[0] in joined.steps[0].rules[1].outcome
    assert "call0" not in looked_for.callers(joined)
    silent = looked_for.shorter(looked_for.node((Step((*joined.steps[0].rules,)),)))
    assert not any(one.thing.name == "call0" for rule in silent.steps[0].rules for one in rule.outcome)


def test_whoever_calls_when_another_does_is_not_asked() -> None:
    """Else rules that are done together would each be put in, and nothing would tell which is meant."""
    looked_for = search_of_gates("")
    looked_for.afar = True
    rules = rules_of_gates()
    node = looked_for.node((Step((rules["pull"], rules["push"])), Step((rules["step"],))))
    pulled, callers = did(looked_for.player, node, (0, 0)).turns, looked_for.callers(node)
    assert pulled.any() and len(callers) > 2
    assert all((one.turns != pulled).any() for one in callers.values())
    looked_for.afar = False
    assert not looked_for.callers(looked_for.node(()))


def tokens_at(player: Player, end: Field, row: int, board: Board) -> list[frozenset[str]]:
    """What stands in the cells of one of the boards."""
    cells = [end.grid.along(divmod(index, board.width)) for index in range(len(board.cells))]
    tokens = player.told.tokens
    return [
        frozenset(token for n, token in enumerate(tokens) if words[n // 64] >> n % 64 & 1)
        for words in end.boards[row, cells].tolist()
    ]


@pytest.mark.parametrize("others", [0, 70])
def test_the_way_to_where_something_is_lacking_leads_over_the_board(others: int) -> None:
    """However many other things there are, of which boards take more than a word a cell."""
    none: frozenset[str] = frozenset()
    rock = frozenset({"rock"})
    before, after = (none,) * 4 + (rock,) + (none,) * 5, (none,) * 5 + (rock,) + (none,) * 4
    other = frozenset(f"thing{number:02}" for number in range(others))
    boards = [Board(2, 5, cells) for cells in (before, after, (other,) * 10)]
    told = told_of(
        turns := [Turn(boards[0], "up", boards[1]), Turn(boards[2], "up", boards[2])], structure_of(turns)
    )
    assert told.before.cells.shape[1] == 1 + (others > 0)
    wrong = told.wrongness(told.before)
    first = told.turns.index(turns[0])
    assert wrong.places[first] == 2 and wrong.astray[first] == 5  # and 4 through the margin
    assert wrong.places.sum() == 2 and wrong.astray.sum() == 5


def test_rules_of_a_loop_are_read_from_all_boards_on_its_way() -> None:
    turns = distinct(played(world((STEP, ""), (FALL, "until = 'stable'\nbound = 9")), 40))
    search = Search(told_of(turns, structure_of(turns)))
    rolls = (Change("+", (0, 1), Seen("rock")), Change("-", (0, 0), Seen("rock")))
    free = questions.Test(
        (0, 1), frozenset({Seen("rock"), Seen("wall"), Seen("player")}), edge=True, wanted=False
    )
    falls = Rule("rock", Sight(Frame("none")), None, (free,), rolls)
    node = search.node((Step((falls,), loop=True),))
    at_first = search.asked(node, 0, right=False, within=False)
    on_the_way = search.asked(node, 0, right=False, within=True)
    assert set(on_the_way.turns.tolist()) == set(at_first.turns.tolist())
    assert len(on_the_way.board) > len(at_first.board)


def test_what_comes_twice_to_a_cell_is_worse() -> None:
    """Some games break off there: what is put there by one rule alone is preferred."""
    turns = distinct(played(world((STEP, "")), 20))
    looked_for = Search(told_of(turns, structure_of(turns)))
    rock, none = Seen("rock"), Sight(Frame("none"))
    right = questions.Test((1, 0), frozenset({rock}))
    here = Rule("", none, None, (right,), (Change("+", (0, 0), rock),))
    there = Rule("rock", none, None, (), (Change("+", (-1, 0), rock),))
    alone, both = (looked_for.node((Step(rules),)) for rules in ((here,), (here, there)))
    assert not alone.stages[1].twice.any() and (alone.wrong == both.wrong).all()
    with_left = [any(index % turn.before.width for index in rocks(turn.before)) for turn in turns]
    assert both.stages[1].twice.sum() == sum(with_left) > 0
    assert both.loss > looked_for.priced(both._replace(stages=alone.stages)).loss


def test_no_test_is_left_out_where_that_makes_turns_wrong_in_another_way() -> None:
    """A rock that should roll on is as wrong where it sticks: but nothing speaks for that it does."""

    def row(width: int, rock: int, *walls: int) -> Board:
        stands = {rock: "rock"} | dict.fromkeys((width, *walls), "wall")
        return Board(
            1, width + 1, tuple(frozenset({stands[n]} if n in stands else ()) for n in range(width + 1))
        )

    turns = [
        Turn(row(width, at), "wait", row(width, at + 1) if at + 1 < width else row(width, -1, at))
        for width in range(3, 12)
        for at in range(width)
    ]
    looked_for = Search(told_of(turns, structure_of(turns)))
    barred = questions.Test((1, 0), frozenset({Seen("wall")}))
    sticks = (Change("+", (0, 0), Seen("wall")), Change("-", (0, 0), Seen("rock")))
    rule = Rule("rock", Sight(Frame("none")), None, (barred,), sticks)
    node = looked_for.node((Step((rule,)),))
    less = looked_for.trial(node, (Step((rule._replace(tests=()),)),), 0)
    assert less.loss < node.loss and less.idle == np.count_nonzero(node.wrong) > 50
    assert looked_for.shorter(node).steps == node.steps


def test_no_rule_of_a_loop_says_that_something_rests() -> None:
    """A game cannot be written so; in a pass that is not repeated two tests may be an exception together."""
    rule = Rule("rock", Sight(Frame("none")), None, (), (Change("-", (0, 0), Seen("rock")),))
    tests = [questions.Test((0, 1), frozenset({Seen(name)})) for name in ("rock", "wall")]
    for loop in (False, True):
        found = [steps[0].rules for steps in with_exception((Step((rule,), loop),), 0, 0, tests)]
        assert any(not one.outcome for rules in found for one in rules) != loop
        assert sum(len(rules) == 1 for rules in found) == len(tests)


def test_values_are_no_directions_to_look_in() -> None:
    turns = distinct(played(world((STEP, "")), 5))
    structure = structure_of(turns)
    structure = replace(
        structure, facing={**structure.facing, "rock": ("rocks", "0"), "wall": ("walls", "up")}
    )
    player = Player(told_of(turns, structure))
    goes = (Change("+", (1, 0), Seen("player")),)
    counter, faced = (
        player.ways(Rule(name, Sight(Frame("facing")), None, (), goes)) for name in ("rocks", "walls")
    )
    assert not counter and [way.direction for way in faced] == ["up"]


def test_it_is_watched_for_longer_where_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """By who learns from play: twice as long again, for what is seldom is lacking."""
    longer = Watched([], "longer", None)
    between = Watched([], "between", None, more=lambda: longer)
    known = LastOf(Watched([], "short", None, more=lambda: between))
    heard = list[tuple[str, bool, bool]]()

    def learn(play: Watched, learner: object, turns: int, clock: Clock, say: object) -> tuple[None, None]:
        heard.append((play.name, known.ways.longer, known.ways.promising))
        if known.ways.longer:
            known.ways.searched = 7
            raise MoreWanted("nearly", "watch")
        return None, None

    monkeypatch.setattr("ggp.harness.from_play.learn_and_try", learn)
    learn_with_more(known, lambda *_: None, 0, Clock(None), lambda _: None)  # type: ignore[arg-type]
    assert heard == [("short", True, False), ("longer", False, True)] and known.play is longer


def test_nothing_is_looked_for_where_edges_join_or_nothing_happens() -> None:
    turns = distinct(played(world((STEP, "")), 5))
    still = [turn._replace(after=turn.before) for turn in turns]
    for some, joined in ((turns, True), (still, False)):
        structure = structure_of(some)
        with pytest.raises(NotLearned):
            learn_searched(Ways(), some, replace(structure, joined=joined))


def test_what_rolls_right_may_roll_left_and_other_things_too() -> None:
    roll = (Change("+", (1, 0), Seen("rock")), Change("-", (0, 0), Seen("rock")))
    rule = Rule("rock", Sight(Frame("none")), None, (), roll)
    found = list(likewise(rule, ("rock", "gem")))
    assert {one.subject for one in found} == {"rock", "gem"}
    assert {change.offset for one in found for change in one.outcome if change.sign == "+"} == {
        (1, 0),
        (-1, 0),
    }
