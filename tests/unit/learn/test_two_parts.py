"""Turns of two parts, and conditions elsewhere on the board: learned from the ends of turns alone."""

from __future__ import annotations

import random
import re
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.errors import NotLearned
from ggp.harness.from_play import before_rules
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Stack, Step, Turn, turns_of
from ggp.learn.fit.company import in_company
from ggp.learn.fit.lists import Decision, Decisions, Table
from ggp.learn.fit.program import Passes, Program, marked, unmarked
from ggp.learn.fit.questions import Excluded, Row, told_of
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.record import write_episodes
from ggp.learn.seen.frames import window
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.single import single_movers
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.crowd.pruned import PLAIN, without_idle_decisions
from ggp.learn.turn.evidence.arrival import marking, without_idle_mark
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import bars
from ggp.learn.turn.evidence.steady import steady_turns
from ggp.learn.turn.in_parts.aftermath import learn_aftermath
from ggp.learn.turn.in_parts.afterwards import telling_all
from ggp.learn.turn.in_parts.derived import learn_derived
from ggp.learn.turn.in_parts.trodden import learn_trodden
from ggp.learn.turn.one_pass.elsewhere import telling_signs, while_there
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.one_pass.faraway import learn_far, plain_ones, rare_ones, single
from ggp.learn.turn.turns import learn_ends, shorter_in_two
from ggp.learn.turn.unexplained import learn_in_part, with_what_is_left
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned, learn_whole
from ggp.model import OFFSETS
from ggp.model.result import Clock, OutOfTime
from ggp.watch.described import DescribedWorld
from tests.commands import Ask
from tests.slow import slow_unless

Cells = dict[tuple[int, int], set[str]]
Rules = Callable[[Cells, str], Cells]
ROWS, COLUMNS = 5, 5
WAYS = ("up", "right", "down", "left")


def board_of(cells: Cells) -> Board:
    """What stands where, as a learner sees it."""
    stacks: list[Stack] = [frozenset(cells[r, c]) for r in range(ROWS) for c in range(COLUMNS)]
    return Board(ROWS, COLUMNS, tuple(stacks))


def cells_of(board: Board) -> Cells:
    """The same the other way round."""
    return {divmod(index, COLUMNS): set(stack) for index, stack in enumerate(board.cells)}


def strewn(rng: random.Random, weights: dict[str, float]) -> Cells:
    """A board with one player, and other things as often as is said."""
    places = [(r, c) for r in range(ROWS) for c in range(COLUMNS)]
    names = ["", *weights]
    shares = [1.0, *weights.values()]
    cells: Cells = {place: set(filter(None, rng.choices(names, shares))) for place in places}
    at = rng.choice(places)
    cells[at] = (cells[at] & {"belt"}) | {"player"}
    return cells


def moved(cells: Cells, word: str, barred: set[str], pushed: set[str]) -> Cells:
    """The player steps or pushes; nothing leaves the board."""
    found = {place: set(stack) for place, stack in cells.items()}
    (at,) = [place for place, stack in cells.items() if "player" in stack]
    down, right = OFFSETS[word]
    to, beyond = (at[0] + down, at[1] + right), (at[0] + 2 * down, at[1] + 2 * right)
    if to not in cells or cells[to] & barred:
        return found
    taken = cells[to] & pushed
    if taken:
        if beyond not in cells or cells[beyond] & (barred | pushed):
            return found
        found[to] -= taken
        found[beyond] |= taken
    found[at].discard("player")
    found[to].add("player")
    return found


def falling(cells: Cells, word: str) -> Cells:
    """A stone is pushed; then all stones fall until something is below them."""
    found = moved(cells, word, {"wall"}, {"stone"})
    for row in reversed(range(ROWS - 1)):
        for column in range(COLUMNS):
            at = row
            while "stone" in found[at, column] and at + 1 < ROWS and not found[at + 1, column]:
                found[at, column].remove("stone")
                found[at + 1, column].add("stone")
                at += 1
    return found


def guarded(cells: Cells, word: str) -> Cells:
    """After the step every shut gate opens if the player is on a switch, wherever that is."""
    found = moved(cells, word, {"wall", "shut"}, set())
    if any({"player", "switch"} <= stack for stack in found.values()):
        return {place: {"open" if n == "shut" else n for n in stack} for place, stack in found.items()}
    return found


def carried(cells: Cells, word: str) -> Cells:
    """After the step belts carry the player to the right: also back to where it came from."""
    found = moved(cells, word, {"wall"}, set())
    (at,) = [place for place, stack in found.items() if "player" in stack]
    beside = at[0], at[1] + 1
    if "belt" in found[at] and beside in found and "wall" not in found[beside]:
        found[at].discard("player")
        found[beside].add("player")
    return found


def growing(cells: Cells, word: str) -> Cells:
    """After the step vines grow down, over targets, but where something else is."""
    found = moved(cells, word, {"wall", "vine"}, set())
    below = [(row + 1, column) for (row, column), stack in found.items() if "vine" in stack]
    for place in below:
        if place in found and found[place] <= {"target"}:
            found[place].add("vine")
    return found


def toggled(cells: Cells, word: str) -> Cells:
    """Who steps onto a switch shuts all gates that are open, and opens all others, wherever they are."""
    found = moved(cells, word, {"wall", "shut"}, set())
    went = found != cells
    if not went or not any({"player", "switch"} <= stack for stack in found.values()):
        return found
    other = {"shut": "open", "open": "shut"}
    return {place: {other.get(n, n) for n in stack} for place, stack in found.items()}


def levers(cells: Cells, word: str) -> Cells:
    """Who steps onto a red switch opens all red gates, and likewise blue ones; who stands there does not."""
    found = moved(cells, word, {"wall", "red", "blue"}, set())
    if found == cells:
        return found
    (here,) = [stack for stack in found.values() if "player" in stack]
    opened = {colour for colour in ("red", "blue") if f"{colour}-switch" in here}
    return {place: {f"{n}-open" if n in opened else n for n in stack} for place, stack in found.items()}


def unlocked(cells: Cells, word: str) -> Cells:
    """A crate that is pushed onto a button opens all gates; one that is pushed into a hole fills it."""
    found = moved(cells, word, {"wall", "shut"}, {"crate"})
    found = {place: set() if {"hole", "crate"} <= stack else stack for place, stack in found.items()}
    if any({"crate", "button"} <= stack for stack in found.values()):
        return {place: {"open" if n == "shut" else n for n in stack} for place, stack in found.items()}
    return found


def vanishing(cells: Cells, word: str) -> Cells:
    """Three gems side by side vanish after the step, also those that were just pushed there."""
    found = moved(cells, word, {"wall"}, {"gem"})
    gone = set()
    for (row, column), stack in found.items():
        three = [(row, column + n) for n in range(3)]
        if "gem" in stack and all("gem" in found.get(place, ()) for place in three):
            gone.update(three)
    return {place: stack - {"gem"} if place in gone else stack for place, stack in found.items()}


def sent(cells: Cells, word: str) -> Cells:
    """Who steps into a hole comes out of the other one, if no box is there; else nobody comes out."""
    found = moved(cells, word, {"wall", "box"}, set())
    if found != cells and any({"player", "hole"} <= stack for stack in found.values()):
        (into,) = [place for place, stack in found.items() if {"player", "hole"} <= stack]
        found[into].remove("player")
        for place, stack in found.items():
            if "hole" in stack and place != into and "box" not in stack:
                stack.add("player")
    return found


def swapped(cells: Cells, word: str) -> Cells:
    """Who steps into a hole comes out of the other one; if a box is there it stays where it is."""
    found = moved(cells, word, {"wall", "box"}, set())
    if found != cells and any({"player", "hole"} <= stack for stack in found.values()):
        (into,) = [place for place, stack in found.items() if {"player", "hole"} <= stack]
        (other,) = [place for place, stack in found.items() if "hole" in stack and place != into]
        if "box" not in found[other]:
            found[into].remove("player")
            found[other].add("player")
    return found


def lit(cells: Cells, word: str) -> Cells:
    """After the step lamps shine to the right, up to what is in the way; seeds in the light are gone."""
    found = shining(moved(cells, word, {"wall", "lamp"}, {"box"}), {"wall", "box", "lamp", "player"})
    return {place: stack - {"seed"} if "light" in stack else stack for place, stack in found.items()}


def deadly(cells: Cells, word: str) -> Cells:
    """The same, but that light takes the player on its way, and no seeds."""
    found = shining(moved(cells, word, {"wall", "lamp"}, {"box"}), {"wall", "box", "lamp"})
    return {place: stack - {"player"} if "light" in stack else stack for place, stack in found.items()}


def shining(cells: Cells, barred: set[str]) -> Cells:
    """The board with light to the right of all lamps, up to what is in the way."""
    found = {place: stack - {"light"} for place, stack in cells.items()}
    for row, column in [place for place, stack in found.items() if "lamp" in stack]:
        for at in range(column + 1, COLUMNS):
            if found[row, at] & barred:
                break
            found[row, at].add("light")
    return found


def with_two_holes(rng: random.Random, weights: dict[str, float]) -> Cells:
    """A strewn board with two holes, with a box on one of them now and then."""
    cells = strewn(rng, weights)
    places = [place for place, stack in cells.items() if "player" not in stack]
    for place in rng.sample(places, 2):
        cells[place] = {"hole"} | (cells[place] & {"box"})
    return cells


def played(rules: Rules, weights: dict[str, float], rng: random.Random, turns: int) -> Episode:
    """A run of random inputs."""
    cells = with_two_holes(rng, weights) if rules in (sent, swapped) else strewn(rng, weights)
    start, steps = board_of(cells), []
    for _ in range(turns):
        if not any("player" in stack for stack in cells.values()):
            break
        word = rng.choice(WAYS)
        cells = rules(cells, word)
        steps.append(Step(word, board_of(cells)))
    return Episode(start, tuple(steps))


@pytest.mark.parametrize(
    ("rules", "weights"),
    slow_unless(
        lambda case: case[0] is sent,
        [
            (guarded, {"wall": 0.3, "shut": 0.2, "switch": 0.2}),
            (toggled, {"wall": 0.3, "shut": 0.2, "open": 0.2, "switch": 0.2}),
            (sent, {"wall": 0.2, "box": 0.2}),
            (carried, {"wall": 0.3, "belt": 0.3}),
            (growing, {"wall": 0.4, "vine": 0.1, "target": 0.2, "box": 0.1}),
            (falling, {"wall": 0.4, "stone": 0.4}),
        ],
    ),
)
def test_what_is_learned_of_two_parts_is_right_on_fresh_boards(
    rules: Rules, weights: dict[str, float]
) -> None:
    rng = random.Random(7)
    number = 100 if rules is carried else 40  # on a belt the player is seldom barred
    learned = learn_whole([played(rules, weights, rng, 8) for _ in range(number)], "parts")
    assert isinstance(learned.program, Passes)
    game, levels = read_game(write_game(learned.game, learned.levels).encode(), "parts.toml")
    world = DescribedWorld(game, levels, go_on=True)
    for _ in range(15):
        run = played(rules, weights, rng, 8)
        (again,) = world.play([(run.start, [step.word for step in run.steps])])
        assert again is not None
        assert [step.after for step in again.steps] == [step.after for step in run.steps]


def test_what_happens_by_itself_is_learned_from_all_turns_once_the_first_part_is_known() -> None:
    """A rule made of few turns asks for something that only these have in common: no crate above."""
    rng = random.Random(1)
    weights = {"wall": 0.3, "vine": 0.2, "target": 0.2}
    turns = list(dict.fromkeys(turns_of([played(growing, weights, rng, 6) for _ in range(25)])))
    structure = structure_of(turns)
    steps = [
        turn._replace(after=board_of(moved(cells_of(turn.before), turn.word or "", {"wall", "vine"}, set())))
        for turn in turns
    ]
    first = learn_pass(steps, structure)
    nothing = Program(structure, ())
    assert any(map(Passes(structure, (first, nothing)).wrong, turns))
    found = telling_all(turns, structure, (first, nothing), (16.0,))
    assert found is not None and not any(map(found.wrong, turns))
    assert telling_all(turns, structure, (nothing, nothing), (16.0,)) is None


def test_what_falls_as_far_as_it_can_is_a_loop_though_idle_turns_showed_it_fall_by_one() -> None:
    rng = random.Random(2)
    weights = {"wall": 0.3, "stone": 0.3}
    turns = list(dict.fromkeys(turns_of([played(falling, weights, rng, 6) for _ in range(30)])))
    structure = structure_of(turns)
    steps = [
        turn._replace(after=board_of(moved(cells_of(turn.before), turn.word or "", {"wall"}, {"stone"})))
        for turn in turns
    ]
    first = learn_pass(steps, structure)
    found = telling_all(turns, structure, (first, Program(structure, ())), (16.0,))
    assert found is not None and [one.loop for one in found.programs] == [False, True]
    fresh = list(turns_of([played(falling, weights, rng, 6) for _ in range(30)]))
    assert not any(map(found.wrong, fresh))


@pytest.mark.parametrize(
    ("rules", "weights"),
    slow_unless(
        lambda case: case[0] is sent,
        [
            (toggled, {"wall": 0.3, "shut": 0.2, "open": 0.2, "switch": 0.2}),
            (sent, {"wall": 0.2, "box": 0.2}),
            (swapped, {"wall": 0.2, "box": 0.2}),
        ],
    ),
)
def test_what_is_done_far_away_is_a_call_and_its_answer(rules: Rules, weights: dict[str, float]) -> None:
    rng = random.Random(3)
    turns = list(dict.fromkeys(turns_of([played(rules, weights, rng, 8) for _ in range(50)])))
    program = learn_far(turns, structure_of(turns))
    # Who has come to a hole was stopped by nothing: that is shorter than what would have stopped it.
    passing = {"call"} if rules is toggled else {"arrived", "call"}
    assert len(program.programs) == 3 and program.passing == passing
    fresh = list(turns_of([played(rules, weights, rng, 8) for _ in range(50)]))
    assert not any(map(program.wrong, [*turns, *fresh]))


def test_of_two_marks_the_one_that_nothing_asks_for_is_taken_out() -> None:
    """A call is always asked for, and where the actor has arrived is not."""
    weights = {"wall": 0.3}
    turns = list(
        turns_of(
            [played(lambda cells, word: moved(cells, word, {"wall"}, set()), weights, random.Random(1), 8)]
        )
    )
    step = learn_pass(turns, structure_of(turns))
    kept = marking(step, "player", "call")
    told = while_there(step, Sign("call"))
    passes = Passes(
        step.structure, (marking(kept, "player", "arrived"), told), frozenset({"call", "arrived"})
    )
    assert without_idle_mark(passes) == Passes(step.structure, (kept, told), frozenset({"call"}))


def test_a_leap_that_no_turn_needs_is_taken_out() -> None:
    """On small boards it leads over the edge, so nothing that was seen speaks against it, nor for it."""
    walk = played(lambda cells, word: moved(cells, word, {"wall"}, set()), {"wall": 0.3}, random.Random(1), 8)
    turns = list(turns_of([walk]))
    step = learn_pass(turns, structure_of(turns))
    (part,) = step.parts
    leap = Decision((), (Change("+", (9, 0), Seen("player")), Change("-", (0, 0), Seen("player"))))
    decisions = replace(part.decisions, decisions=(leap, *part.decisions.decisions))
    passes = Passes(step.structure, (replace(step, parts=(replace(part, decisions=decisions),)),))
    assert not any(map(passes.wrong, turns))
    assert without_idle_decisions(passes, turns) == replace(passes, programs=(step,))


def test_each_of_two_switches_calls_for_something_else() -> None:
    rng = random.Random(3)
    weights = {"red": 0.1, "blue": 0.1, "red-switch": 0.2, "blue-switch": 0.2}
    turns = list(dict.fromkeys(turns_of([played(levers, weights, rng, 6) for _ in range(60)])))
    program = learn_far(turns, structure_of(turns))
    assert len(program.programs) == 5 and program.passing == {"call-1", "call-2"}
    fresh = list(turns_of([played(levers, weights, rng, 6) for _ in range(50)]))
    assert not any(map(program.wrong, [*turns, *fresh]))


def test_what_is_seldom_done_near_is_no_answer() -> None:
    rng, weights = random.Random(1), {"wall": 0.1, "shut": 0.2, "crate": 0.3, "hole": 0.05, "button": 0.15}
    runs = [played(unlocked, weights, rng, 8) for _ in range(80)]
    turns = list(dict.fromkeys(turns_of(runs)))
    structure = structure_of(turns)
    own = list(single(turns, structure, "player"))
    rare = rare_ones(own, "player", structure)
    near = set(next(plain_ones(own, rare, structure)))
    come = {turn: {name for _, _, name in changes_of(turn)} for turn in rare}
    filled = {turn for turn, names in come.items() if "hole" in names and "open" not in names}
    opened = {turn for turn, names in come.items() if "open" in names}
    assert filled and filled <= near
    assert opened and opened.isdisjoint(near)


@pytest.mark.parametrize("rules", slow_unless([deadly], [lit, deadly]))
def test_what_a_turn_works_out_anew_is_learned_from_the_boards_that_turns_end_with(rules: Rules) -> None:
    """What a player that light took had done before is not seen: it is learned from the other turns."""
    rng = random.Random(3)
    weights = {"wall": 0.2, "lamp": 0.15, "box": 0.15, "seed": 0.15, "light": 0.1}
    turns = list(dict.fromkeys(turns_of([played(rules, weights, rng, 8) for _ in range(60)])))
    program = learn_derived(turns, structure_of(turns))
    assert [one.loop for one in program.programs] == [False, False, True, False]
    assert program.cost < 12
    fresh = list(turns_of([played(rules, weights, rng, 8) for _ in range(20)]))
    assert not any(map(program.wrong, [*turns, *fresh]))


def test_the_deed_is_learned_first_and_what_comes_of_it_from_all_turns() -> None:
    rng = random.Random(3)
    runs = [played(vanishing, {"wall": 0.1, "gem": 0.5}, rng, 8) for _ in range(100)]
    turns = list(dict.fromkeys(turns_of(runs)))
    deed, rest = learn_aftermath(turns, structure_of(turns)).programs
    fresh = list(turns_of([played(vanishing, {"wall": 0.1, "gem": 0.5}, rng, 8) for _ in range(100)]))
    vanished = 0
    for turn in fresh:
        middle = board_of(moved(cells_of(turn.before), turn.word or "", {"wall"}, {"gem"}))
        vanished += middle != turn.after
        assert deed.after(turn.before, turn.word) == middle
        assert rest.after(middle, None) == turn.after
    assert vanished > 20


def test_more_turns_are_said_in_the_way_in_which_fewer_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long before it is not looked for again; where the way leads nowhere, it comes last."""
    modules = [import_module(f"ggp.learn.turn.{name}") for name in ("turns", "tries", "shorter")]
    asked, known = list[str](), {"learn_afterwards"}

    def learner(name: str) -> Callable[..., Passes]:
        def learn(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Passes:
            if asked[-1:] != [name]:  # one pass is asked for more than once in a row, with more work
                asked.append(name)
            if name not in known:
                raise NotLearned(name, "nothing")
            return Passes(structure, ())

        return learn

    names = ("learn_pass", "learn_with_signs", "learn_afterwards", "learn_aftermath")
    for module, name in product(modules, names):
        monkeypatch.setattr(module, name, learner(name), raising=False)
    monkeypatch.setattr(import_module("ggp.learn.turn.one_pass.inline"), "learn_pass", learner("learn_pass"))
    turns, ways = [Turn(Board(1, 1, (frozenset(),)), "up", Board(1, 1, (frozenset(),)))], Ways()
    structure = structure_of(turns)

    def asked_now() -> list[str]:
        asked.clear()
        learn_ends(turns, structure, ways)
        return list(asked)

    assert asked_now() == ["learn_pass", "learn_with_signs", "learn_afterwards"]
    assert asked_now() == ["learn_afterwards"]
    known.clear()
    known.add("learn_aftermath")
    # What said nothing of fewer turns comes after what was not come to; one pass is asked if it is shorter.
    assert asked_now() == ["learn_afterwards", "learn_aftermath", "learn_pass"]
    assert asked_now() == ["learn_aftermath"]


def test_a_refusal_says_how_many_turns_are_left_and_draws_one() -> None:
    rng = random.Random(3)
    runs = [played(vanishing, {"wall": 0.1, "gem": 0.5}, rng, 8) for _ in range(60)]
    turns = list(dict.fromkeys(turns_of(runs)))
    plain = [board_of(moved(cells_of(one.before), one.word or "", {"wall"}, {"gem"})) for one in turns]
    left = sum(middle != turn.after for middle, turn in zip(plain, turns, strict=True))
    refused = NotLearned("no rules explain it", "record more")
    (finding,) = with_what_is_left(refused, learn_in_part(turns, structure_of(turns))).findings
    assert finding.message.startswith("no rules explain it; ") and finding.remedy == "record more"
    assert f"leaves {left} of {len(turns)} different turns unexplained" in finding.message
    assert "before, as seen, and as the rules say\n" in finding.message and finding.message.count("gem") >= 3
    part = learn_in_part(turns[:2], structure_of(turns))
    assert part is None and with_what_is_left(refused, part) is refused
    ways = Ways()
    ways.note_what_is_left(turns, structure_of(turns))
    with pytest.raises(NotLearned) as late, before_rules(Clock(60.0), lambda: ways.left):
        raise OutOfTime
    said = late.value.findings[0].message
    assert said.startswith("no rules were found within 60 seconds; ") and ways.left in finding.message
    assert f"leaves {left} of {len(turns)} different turns unexplained" in said


def test_a_long_pass_gives_way_to_a_deed_and_what_comes_of_it() -> None:
    rng = random.Random(3)
    runs = [played(vanishing, {"wall": 0.1, "gem": 0.5}, rng, 8) for _ in range(8)]
    turns = list(dict.fromkeys(turns_of(runs)))
    long = namedtuple("Whole", "loop cost")(False, 50.0)
    found, again = shorter_in_two(long, turns, structure_of(turns))
    assert again is not None and not any(map(found.wrong, turns)) and found.cost < 50
    for other in (long._replace(cost=PLAIN), long._replace(loop=True)):
        assert shorter_in_two(other, turns, structure_of(turns)) == (other, None)


def test_rules_in_part_are_written_where_none_say_all(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are called so above all else, tried, and no reason for the exit status 0."""

    def cut_short(episodes: Sequence[Episode], name: str, ways: Ways) -> Learned:
        ways.note_what_is_left(turns, structure_of(turns))
        raise NotLearned("it takes too long to find rules", "give it more time")

    rng = random.Random(3)
    runs = [played(vanishing, {"wall": 0.1, "gem": 0.5}, rng, 8) for _ in range(60)]
    turns = list(dict.fromkeys(turns_of(runs)))
    write_episodes(tmp_path / "play.jsonl", runs)
    monkeypatch.setattr(import_module("ggp.learn.chance.whole"), "learn_whole", cut_short)
    model = tmp_path / "model.toml"
    answer = ask("learn", "--from", tmp_path / "play.jsonl", "-o", model)
    assert answer.status == 1 and "rules in part" in answer.out
    text = model.read_text()
    assert text.startswith("# RULES IN PART: they do not say ") and answer.out.startswith(text[:30])
    (right, number), *_ = re.findall(r"trial: (\d+) of (\d+) fresh turns agree", text)
    assert 0.5 * int(number) < int(right) < int(number)
    game, _ = read_game(text.encode(), "model.toml")
    assert game.turn
    untried = ask("learn", "--from", tmp_path / "play.jsonl", "--fresh", "0", "--json")
    assert untried.status == 1 and untried.data["unexplained"] and untried.data["trial"] is None


def test_no_deed_is_looked_for_where_more_is_seen_in_many_turns() -> None:
    """Where vines grow in most turns, how often something is seen does not tell the deed."""
    rng = random.Random(3)
    runs = [played(growing, {"wall": 0.1, "vine": 0.3, "target": 0.2}, rng, 6) for _ in range(15)]
    turns = list(dict.fromkeys(turns_of(runs)))
    with pytest.raises(NotLearned, match="no deed"):
        learn_aftermath(turns, structure_of(turns))


def met(cells: Cells, word: str) -> Cells:
    """The player steps, a ghost goes the other way through everything; where they meet the player is gone."""
    found = moved(cells, word, {"wall"}, set())
    (at,) = [place for place, stack in cells.items() if "ghost" in stack]
    down, right = OFFSETS[word]
    to = (at[0] - down, at[1] - right)
    if to in found:
        found[at].discard("ghost")
        found[to].add("ghost")
    for stack in found.values():
        if {"player", "ghost"} <= stack:
            stack.discard("player")
    return found


def test_who_goes_along_with_the_input_does_not_hide_that_somebody_is_caught() -> None:
    rng, turns = random.Random(5), list[Turn]()
    while len(turns) < 250:
        cells, word = strewn(rng, {"wall": 0.15}), rng.choice(WAYS)
        cells[rng.choice([place for place, stack in cells.items() if "player" not in stack])].add("ghost")
        turns.append(Turn(board_of(cells), word, board_of(met(cells, word))))
    turns = list(dict.fromkeys(turns))
    structure = structure_of(turns)
    caught = [turn for turn in turns if not any("player" in stack for stack in turn.after.cells)]
    assert len(caught) >= 3 and set(steady_turns(turns, structure)) == set(turns) - set(caught)
    program = learn_aftermath(turns[:200], structure)
    assert not any(map(program.wrong, turns))


def test_what_can_be_said_in_one_order_alone_is_said() -> None:
    """That a vine comes must be said first: of cells nobody may ask what is there already."""
    looks = [frozenset(map(Seen, some)) for some in ([], ["wall"], ["box"], ["vine"], ["target"], ["player"])]
    vine, free = Seen("vine"), (frozenset[Seen](), frozenset({Seen("target")}))
    comes = (Change("+", (0, 0), vine),)
    rows = [
        Row((here, up), "", comes if up is not None and vine in up and here in free else ())
        for here in looks
        for up in (*looks, None)
    ]
    found = Table(told_of(rows, [(0, 0), (0, -1)]), [(0, 0), (0, -1)], Excluded(), cells_only=True).smallest()
    assert found is not None and len(found.decisions) == 1
    assert all(
        found.outcome(dict(zip(found.offsets, row.window, strict=True)), "") == row.outcome for row in rows
    )


def test_what_bars_the_way_of_an_actor_is_what_never_moves_and_never_shares_its_cell() -> None:
    rng = random.Random(7)
    runs = [played(guarded, {"wall": 0.3, "switch": 0.2}, rng, 8) for _ in range(20)]
    turns = list(turns_of(runs))
    structure = structure_of(turns)
    for turn in turns:
        (at,) = [divmod(n, COLUMNS) for n, stack in enumerate(turn.before.cells) if "player" in stack]
        down, right = OFFSETS[turn.word or ""]
        ahead = turn.before.at((at[0] + down, at[1] + right))
        assert bars(turn, structure, "player") == (ahead is None or "wall" in ahead)


def test_of_signs_those_are_tried_that_tell_what_turns_change() -> None:
    rng = random.Random(3)
    starts = [strewn(rng, {"shut": 0.2, "switch": 0.2}) for _ in range(60)]
    for cells in starts[::2]:
        next(stack for stack in cells.values() if "player" in stack).add("switch")
    turns = [Turn(board, None, opened(board)) for board in map(board_of, starts)]
    signs = telling_signs(turns, structure_of(turns))
    assert signs[0] == Sign("player", ("switch",))
    assert Sign("player") not in signs  # there always is one


def opened(board: Board) -> Board:
    """The board with its gates open if the player is on a switch."""
    if not any({"player", "switch"} <= stack for stack in board.cells):
        return board
    cells = (frozenset("open" if n == "shut" else n for n in stack) for stack in board.cells)
    return board._replace(cells=tuple(cells))


@given(st.integers(0, 10**6))
def test_signs_are_in_every_cell_and_come_off_again(seed: int) -> None:
    board = board_of(strewn(random.Random(seed), {"switch": 0.03}))
    structure = structure_of([Turn(board, "up", board)])
    sign = Sign("switch", ("player",), off=True)
    seen = marked(board, "up", type(structure)(**{**vars(structure), "signs": (sign,)}))
    there = any("switch" in stack and "player" not in stack for stack in board.cells)
    assert all((sign.token in stack) == there for stack in seen.cells)
    assert unmarked(seen) == board


# --- what there is one of, and what is taken on the way ---------------------------------------------------


def line(*names: str) -> Board:
    """A board of one row."""
    return Board(1, len(names), tuple(frozenset(name.split()) for name in names))


def test_there_is_one_player_also_where_it_dies_or_becomes_something_else() -> None:
    own = [line("plain", "", "key", "", "gem")]
    turns = [
        Turn(own[0], "right", line("", "plain", "key", "", "gem")),
        Turn(line("", "plain", "key", "", "gem"), "right", line("", "", "keyed", "", "gem")),
        Turn(line("", "", "keyed", "", "gem"), "right", line("", "", "", "keyed", "gem")),
    ]
    assert single_movers(own, turns, structure_of(turns)) == [frozenset({"plain", "keyed"})]


def test_there_is_one_player_also_where_some_runs_begin_without() -> None:
    """Made boards hold one as well: of several nobody sees what each did."""
    own = [line("plain", "", "gem")] * 6 + [line("", "keyed", "gem")] * 5 + [line("", "", "gem")]
    turns = [
        Turn(line("plain", "", "gem"), "right", line("", "plain", "gem")),
        Turn(line("plain", "key", "gem"), "right", line("", "keyed", "gem")),
    ]
    assert single_movers(own, turns, structure_of(turns)) == [frozenset({"plain", "keyed"})]
    assert not single_movers([*own, line("plain", "keyed", "gem")], turns, structure_of(turns))
    assert not single_movers([*own, line("", "", "gem")], turns, structure_of(turns))


def step_with(*more: Change) -> tuple[Change, ...]:
    """A step ahead, and what else changes."""
    me = Seen("me")
    return tuple(sorted((Change("-", (0, 0), me), Change("+", (1, 0), me), *more)))


def test_what_is_taken_where_one_steps_and_pushes_is_taken_where_one_kills_too() -> None:
    gem, crate, hole = Seen("gem"), Seen("crate"), Seen("hole")
    take = Change("-", (1, 0), gem)
    push = (Change("-", (1, 0), crate), Change("+", (2, 0), crate))
    sink = (Change("-", (1, 0), crate), Change("-", (2, 0), hole))
    has_gem = Asked((1, 0), frozenset({gem}))
    listed = [
        Decision((), step_with(*sink)),
        Decision((has_gem,), step_with(*push, take)),
        Decision((), step_with(*push)),
        Decision((has_gem,), step_with(take)),
        Decision((), step_with()),
    ]
    offsets = tuple(window(2))
    wider = in_company(Decisions(offsets, tuple(listed), 9.0), ())
    assert step_with(*sink, take) in [one.outcome for one in wider.decisions]
    looks = {offset: frozenset[Seen]() for offset in offsets}
    looks |= {(0, 0): frozenset({Seen("me")}), (1, 0): frozenset({gem, crate}), (2, 0): frozenset({hole})}
    assert wider.outcome(looks, "") == step_with(*sink, take)
    # Where something was seen that speaks against it, it is left out.
    row = Row(tuple(looks[offset] for offset in offsets), "", step_with(*sink))
    assert step_with(*sink, take) not in [
        one.outcome for one in in_company(Decisions(offsets, tuple(listed), 9.0), (row,)).decisions
    ]


def thrown(cells: Cells, word: str) -> Cells:
    """Who steps onto a spring is thrown two cells further, if nothing is there; who stands on one is not."""
    found = moved(cells, word, {"wall"}, {"crate"})
    (at,) = [place for place, stack in found.items() if "player" in stack]
    (down, right), before = OFFSETS[word], [place for place, stack in cells.items() if "player" in stack]
    to = at[0] + 2 * down, at[1] + 2 * right
    if at not in before and "spring" in found[at] and to in found and not found[to] & {"wall", "crate"}:
        found[at].discard("player")
        found[to].add("player")
    return found


def test_a_deed_leaves_a_mark_for_what_comes_of_it() -> None:
    rng = random.Random(3)
    weights = {"wall": 0.2, "spring": 0.3, "crate": 0.2}
    turns = list(dict.fromkeys(turns_of([played(thrown, weights, rng, 8) for _ in range(60)])))
    program = learn_trodden(turns, structure_of(turns), (16.0,))
    assert program.passing == {"arrived"}
    fresh = list(turns_of([played(thrown, weights, rng, 8) for _ in range(60)]))
    assert not any(map(program.wrong, [*turns, *fresh]))


def test_what_goes_by_itself_bars_nobodys_way_inside_a_turn() -> None:
    """Player and walker never share a cell at ends; inside a turn they do, if the walker goes on then."""
    before, middle = line("player", "walker", ""), line("", "player walker", "")
    turns = [Turn(before, "right", line("", "player", "walker"))]
    structure = replace(structure_of(turns), apart=frozenset({frozenset({"player", "walker"})}))
    going = learn_pass([Turn(line("", "walker", ""), None, line("", "", "walker"))], structure)
    nothing = Program(structure, ())
    assert Halfway(turns, structure, "player", going).conceivable(before, middle)
    assert not Halfway(turns, structure, "player", nothing).conceivable(before, middle)
