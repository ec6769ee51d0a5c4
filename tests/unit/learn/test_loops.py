"""Turns that go on until nothing changes, learned from the boards at their ends."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import ggp.bench
from ggp.harness import learning
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode, Turn, board_of, turns_of
from ggp.learn.eventful import vocabulary_of
from ggp.learn.fit.program import Passes
from ggp.learn.probe.challenges import challenges
from ggp.learn.seen.facings import chance_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.acts import acts
from ggp.learn.turn.crowd.pruned import with_a_test_less
from ggp.learn.turn.evidence.lost import slides_of
from ggp.learn.turn.evidence.slides import Slide, passes_of, slide_of
from ggp.learn.turn.loop.loops import go_on, learn_loop, learn_repeated
from ggp.learn.turn.loop.sent import way_of
from ggp.learn.turn.turns import learn_ends, learn_program, learn_turn
from ggp.learn.whole import learn_whole
from ggp.learn.write.emit import with_program
from ggp.proof.equivalence.certificate import certify
from ggp.tasks.oracle import model_of
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import few_or_many, more_of, one_in, slow_unless
from tests.unit.learn.test_blind import VARIANTS, watched

WORLDS = Path(ggp.bench.__file__).parent / "worlds" / "variants"


def turn(before: str, word: str | None, after: str) -> Turn:
    """A turn in one row; a dot is an empty cell, any other character a thing."""
    boards = [board_of([[[] if char == "." else [char] for char in row]]) for row in (before, after)]
    return Turn(boards[0], word, boards[1])


def slide_in(one: Turn) -> Slide | None:
    """The slide of a turn of things without facings."""
    return slide_of(one, structure_of([one]))


def test_what_goes_as_one_slides_as_one() -> None:
    """Both ends of a car that is picked; of what nobody picked nothing of the sort is known."""
    one = turn("#lr..", "pick(0,2,right)", "#..lr")
    slide = slide_in(one)
    assert slide is not None and slide.trailing
    assert [(step.word, step.after) for step in passes_of(one, slide)] == [
        ("pick(0,2,right)", turn("", "", "#.lr.").after),
        ("pick(0,3,right)", one.after),
        ("pick(0,4,right)", one.after),
    ]
    assert slide_in(turn("#lr..", "pick(0,2,right)", "#.lr.")) is not None
    assert slide_in(turn("#lr..", "right", "#.lr.")) is None
    assert slide_in(turn("#lr..", "pick(0,2,right)", "#.l.r")) is None


def test_what_meets_its_like_on_its_way_may_have_gone_a_part_of_it() -> None:
    """Of three walkers in a line each goes one cell: it looks as if one had gone back over two cells."""
    cells = [["me:left", "me:right"], ["me:right"], ["me:right"]]
    after = [["me:right"], ["me:right"], ["me:left", "me:right"]]
    one = Turn(board_of([cells]), None, board_of([after]))
    assert slide_in(one) is None
    alone = Turn(board_of([[["me:left"], [], []]]), None, board_of([[[], [], ["me:left"]]]))
    assert slide_of(alone, structure_of([one, alone])) is not None


def test_what_comes_and_goes_anywhere_slides_nowhere() -> None:
    """Seeds become shoots, and shoots trees: one shoot less here and one more there is sometimes in line."""

    def grown(shoot: int, seed: int) -> Turn:
        """Three rows of three cells, on which both grow."""
        boards = []
        for there in ({shoot: "shoot", seed: "seed"}, {shoot: "tree", seed: "shoot"}):
            cells = [[there[cell]] if cell in there else [] for cell in range(9)]
            boards.append(board_of([cells[:3], cells[3:6], cells[6:]]))
        return Turn(boards[0], None, boards[1])

    straight, askew = [grown(0, 2), grown(6, 0)], [grown(0, 5), grown(8, 1), grown(2, 7)]
    assert len(slides_of(straight, structure_of([*straight, *askew]))) == 2
    assert not slides_of([*straight, *askew], structure_of([*straight, *askew]))


@pytest.mark.parametrize(
    "name, number, verdict", one_in(2, [("atomix", 60, "exact"), ("polar-slide", 20, "exact but for bounds")])
)
def test_what_slides_is_learned_from_where_it_stops(name: str, number: int, verdict: str) -> None:
    described, _ = levels.load_game(name)
    turns = list(dict.fromkeys(turns_of(watched(name, number))))
    program = learn_program(turns, structure_of(turns))
    assert program.loop and not any(map(program.wrong, turns))
    shell = learning.shell_of(described)
    learned = with_program(shell, program, vocabulary_of(shell, [one.before for one in turns]))
    assert certify(described, learned, model_of).text.startswith(verdict)


def test_who_has_gone_once_stops_where_others_set_off() -> None:
    """Beside a rail a slider stops, and who stands there sets off: also late, when another one has gone."""
    turns = list(dict.fromkeys(turns_of(watched(str(VARIANTS / "handrail.toml"), 40))))
    program = learn_ends(turns, structure_of(turns))
    assert isinstance(program, Passes) and [one.loop for one in program.programs] == [True]
    assert len(program.passing) == 1 and program.cost < 8
    assert not any(map(program.wrong, turns_of(watched(str(VARIANTS / "handrail.toml"), 40, 1))))


def test_what_is_pushed_slides_on_alone() -> None:
    """Which crate goes on no board shows: the deed leaves a mark, and the mark goes with it."""
    turns = list(dict.fromkeys(turns_of(watched(str(WORLDS / "skid.toml"), 20))))
    program = learn_ends(turns, structure_of(turns))
    assert isinstance(program, Passes) and [one.loop for one in program.programs] == [False, True]
    assert len(program.passing) == 1 and max(one.cost for one in program.programs) < 4
    assert not any(map(program.wrong, turns_of(watched(str(WORLDS / "skid.toml"), 40, 1))))


@more_of(test_what_is_pushed_slides_on_alone)
def test_who_steps_onto_ice_slides() -> None:
    """What one pass would say with a decision for each number of cells."""
    turns = list(dict.fromkeys(turns_of(watched(str(WORLDS / "ice.toml"), 40))))
    program = learn_ends(turns, structure_of(turns))
    assert isinstance(program, Passes) and [one.loop for one in program.programs] == [False, True]
    assert not any(map(program.wrong, turns_of(watched(str(WORLDS / "ice.toml"), 40, 1))))


def falling(before: str, after: str) -> Turn:
    """What happens by itself on a board of one column."""
    boards = [board_of([[[] if char == "." else [char]] for char in rows]) for rows in (before, after)]
    return Turn(boards[0], None, boards[1])


def test_stones_fall_by_two() -> None:
    """One pass run twice. With stones on stones that is no longer what each of them does alone."""
    alone = [
        ("o...", "..o."),
        ("o..", "..o"),
        ("o...#", "..o.#"),
        (".o..", "...o"),
        ("o.#", ".o#"),
        ("o#", "o#"),
    ]
    several = [("oo...", ".o.o."), ("oo..#", ".o.o#"), ("o.o.", "..oo")]
    turns = [falling(*one) for one in [*alone, ("oo#", "oo#")]]
    structure = structure_of([*turns, falling("#", "#")])
    program = learn_repeated(turns, structure)
    assert program is not None and program.times == 2 and not program.loop
    assert not any(program.wrong(turn) for turn in turns)
    assert not any(program.wrong(falling(*one)) for one in several)
    assert learn_repeated(turns[:1], structure) is None  # one alone is no evidence
    other = falling("o....", "....o")  # who falls on beyond two passes is no such stone
    assert learn_repeated([*turns, other], structure) is None


def test_two_that_may_have_gone_a_part_of_the_way_each_tell_nothing() -> None:
    told = structure_of([turn("@.", "right", ".@"), turn(".@", "left", "@."), turn("@o.", "right", ".@o")])
    way = way_of(turn("@o..", "right", ".@.o"), told, "@")
    assert way == ("o", [(0, 1), (0, 2), (0, 3)])
    assert way_of(turn("@oo.", "right", ".@oo"), told, "@") is None
    assert way_of(turn("@o..", "left", "@..o"), told, "@") is None  # against where the input points


def test_rules_that_are_repeated_are_questioned_where_they_acted() -> None:
    turns = list(dict.fromkeys(turns_of(watched("atomix", 60))))
    program = learn_program(turns, structure_of(turns))
    assert program.loop
    forgetful = next(one for one in with_a_test_less(program) if any(map(one.wrong, turns)))
    known = [one for one in turns if not forgetful.wrong(one)]
    asked = challenges(forgetful, known)
    assert any(forgetful.after(board, word) != program.after(board, word) for board, word in asked)
    passes = [{act.board for act in acts(program, one.before, one.word)} for one in turns]
    assert max(map(len, passes)) > 2  # not in the first pass alone


@pytest.mark.parametrize("name", ["sokoban", str(VARIANTS / "fall-two.toml")])
def test_what_goes_on_with_the_next_turn_is_no_loop(name: str) -> None:
    turns = list(dict.fromkeys(turns_of(watched(name, 40))))
    assert learn_loop(turns, structure_of(turns), None) is None


def test_the_way_of_what_went_alone_is_known() -> None:
    slide = slide_in(turn("a...#", "right", "...a#"))
    assert slide is not None and slide.way == [(0, 0), (0, 1), (0, 2), (0, 3)]
    words = [
        one.word for one in passes_of(turn("a..", "pick(0,0,right)", "..a"), Slide("a", "a", slide.way[:3]))
    ]
    assert words == ["pick(0,0,right)", "pick(0,1,right)", "pick(0,2,right)"]


def test_what_is_taken_on_the_way_is_taken_where_it_stands() -> None:
    slide = slide_in(turn("a.g.g#", "right", "....a#"))
    assert slide is not None and len(slide.way) == 5
    inside = [turn("a.g.g#", "right", ".ag.g#"), turn(".ag.g#", "right", "..a.g#")]
    assert list(passes_of(turn("a.g.g#", "right", "....a#"), slide))[:2] == inside
    left = slide_in(turn("a..#", "right", "tta#"))
    assert left is not None
    assert [one.after for one in passes_of(turn("a..#", "right", "tta#"), left)][:1] == [
        turn("ta.#", None, "").before
    ]


@pytest.mark.parametrize(
    "before, after", [("a.g.#", "...ag"), ("a...#", "...x#"), ("a.g..", "..ag."), ("a...#", "..a.t")]
)
def test_where_something_else_changes_than_on_the_way_no_way_is_known(before: str, after: str) -> None:
    assert slide_in(turn(before, "right", after)) is None


TAKING = ["a.g.# ...a#", "a.gg# ...a#", "a...# ...a#", "ag..# ...a#", "ag.#. ..a#.", "a#g.# a#g.#"]
GONE = [
    "a..#. ..a#.",
    "a.#.. .a#..",
    "a...# ...a#",
    "a..o. .....",
    "ao... .....",
    "#.a.o #....",
    ".#a.# .#.a#",
]
FALLEN = [
    "a..#. ..a#.",
    "a.#.. .a#..",
    "a...# ...a#",
    "a..o. ...o.",
    "ao... .o...",
    "#.a.o #...o",
    "a.a.# ..aa#",
    "a.a.o ....o",
    ".#a.# .#.a#",
]


@pytest.mark.parametrize(
    "boards, other",
    [
        (TAKING, ("a.g.g.g#", "......a#")),
        (GONE, ("a....o..", "........")),
        (FALLEN, ("a..aa..o", ".......o")),
    ],
)
def test_who_takes_what_stands_on_the_way_or_is_gone_with_it_is_a_loop(
    boards: list[str], other: tuple[str, str]
) -> None:
    turns = [turn(before, "right", after) for before, after in map(str.split, boards)]
    turns += [one._replace(before=one.after) for one in turns]
    program = learn_loop(turns, structure_of(turns), None)
    assert program is not None and program.loop
    assert not program.wrong(turn(other[0], "right", other[1]))


def test_who_jumps_by_two_is_no_loop() -> None:
    """All go equally far, so no pass is repeated; to look for one took a minute."""
    boards = [("ab..", "..a."), ("a.b.", "a.b."), (".ab.", "...a"), ("#ab.", "#..a")]
    turns = [turn(before, "right", after) for before, after in boards]
    slides = [slide_in(one) for one in turns if one.before != one.after]
    assert None not in slides and not go_on(filter(None, slides))
    assert learn_loop(turns, structure_of(turns), None) is None


TURNS_AND_SLIDES = """
name = "turns-and-slides"
[kinds]
wall = { layer = "solid" }
exit = { layer = "floor" }
me = { layer = "solid", facing = ["up", "right", "down", "left"], count = "1" }
[symbols]
"." = ""
"#" = "wall"
"e" = "exit"
"@" = "me:left"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "look toward input: me here => turn me here ahead"
[[turn]]
until = "stable"
bound = "width + height"
rules = "slide toward facing: me here, no wall ahead => me here -> ahead"
[goal]
win = ["every me on exit"]
[[level]]
map = '''
#.@..#
..#..e
....#.
'''
"""


def test_who_turns_to_where_it_is_sent_and_slides_is_a_loop() -> None:
    """It has the new facing from its first step on; where it cannot go it only turns."""
    world = DescribedWorld(*read_game(TURNS_AND_SLIDES.encode(), "turns-and-slides.toml"))
    turns = list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(1), beside=[]), 40))))
    program = learn_loop(turns, structure_of(turns), None)
    assert program is not None and program.loop
    assert sum(len(part.decisions.decisions) for part in program.parts) <= 3


def test_what_never_met_its_like_is_barred_by_it() -> None:
    """Each board had one ball. Two of them would be in one cell, which is no board."""
    seen = [
        turn("o...#", "right", "...o#"),
        turn("o..#.", "right", "..o#."),
        turn(".o.#.", "right", "..o#."),
        turn("o....", "right", "....o"),
        turn("...o#", "left", "o...#"),
        turn("#..o.", "left", "#o..."),
        turn("o#...", "right", "o#..."),
    ]
    loop = learn_loop(seen, structure_of(seen), None)
    assert loop is not None
    assert loop.after(turn("o.o.#", None, ".....").before, "right") == turn("..oo#", None, "").before


@pytest.mark.parametrize(
    "before, after", [("a.a.#", "..aa#"), ("ab..", "..ab"), ("a..", "a.."), ("a..", "a.a")]
)
def test_where_several_may_have_gone_no_way_is_known(before: str, after: str) -> None:
    assert slide_in(turn(before, "right", after)) is None


def test_a_facing_takes_more_than_a_few_chances() -> None:
    assert chance_of(2, 0) == 0.25 and chance_of(7, 0) < 0.01 < chance_of(6, 0) < chance_of(4, 1)


# --- turns of which the inside was seen ---------------------------------------------------------------------


@cache
def seen_inside(name: str, number: int) -> list[Episode]:
    """Some roll-outs with the boards after each pass."""
    world = DescribedWorld(*levels.load_game(name), frames=True, go_on=True)
    return list(islice(rollouts(world, random.Random(0)), number))


INSIDE = [("bouncers", 120, "exact"), ("polar-slide", 10, "exact but for bounds")]


@pytest.mark.parametrize("name, number, verdict", slow_unless(INSIDE[1:], INSIDE))
def test_passes_are_learned_from_the_inside_of_turns(name: str, number: int, verdict: str) -> None:
    described, _ = levels.load_game(name)
    episodes = seen_inside(name, number)
    turns = list(turns_of(episodes))
    program = learn_turn(episodes, structure_of(turns))
    shell = learning.shell_of(described)
    learned = with_program(shell, program, vocabulary_of(shell, [one.before for one in turns]))
    assert certify(described, learned, model_of).text.startswith(verdict)


@few_or_many("number", 5, 120)
def test_a_turn_of_several_passes_is_a_description_that_says_what_was_seen(number: int) -> None:
    learned = learn_whole(seen_inside("bouncers", number), "seen")
    assert len(learned.game.turn) == 3 and not any(
        map(learned.program.wrong, turns_of(seen_inside("bouncers", number)))
    )
    game, kept = read_game(write_game(learned.game, learned.levels).encode(), "seen.toml")
    world = DescribedWorld(game, kept, go_on=True)
    more = watched("bouncers", 20, 5) if number > 100 else ()
    for episode in (*seen_inside("bouncers", number), *more):
        again = world.one(episode.start, [step.word for step in episode.steps])
        assert again is not None and [s.after for s in again.steps] == [s.after for s in episode.steps]
