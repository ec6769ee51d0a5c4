"""Values are what one thing has, and who faces where may be what things far away hang on."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, Turn, board_of
from ggp.learn.fit.questions import remainders
from ggp.learn.seen.facings import facings
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Seen
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs, telling_signs
from ggp.learn.turn.one_pass.inorder import learn_in_order
from ggp.learn.whole import Learned, learn_whole
from ggp.watch.described import DescribedWorld
from ggp.watch.foresight import Foresight
from tests.in_one_pass import learn_in_one_pass
from tests.slow import few_or_many

Cells = list[set[str]]
SIZE = 7


def line(cells: Cells, *, upright: bool = False) -> Board:
    """A board of one row, or of one column."""
    stacks = tuple(map(frozenset[str], cells))
    return Board(len(stacks), 1, stacks) if upright else Board(1, len(stacks), stacks)


def driven(cells: Cells, word: str) -> Cells:
    """The car goes on as long as there is fuel; a can fills it up."""
    at = next(n for n, stack in enumerate(cells) if any(t.startswith("car:") for t in stack))
    (token,) = [t for t in cells[at] if t.startswith("car:")]
    fuel, to = int(token[4:]), at + (1 if word == "right" else -1)
    found = [set(stack) for stack in cells]
    if fuel and 0 <= to < SIZE and "wall" not in found[to]:
        found[at].remove(token)
        found[to].add("car:3" if "can" in found[to] else f"car:{fuel - 1}")
        found[to].discard("can")
    return found


def falling(cells: Cells, word: str) -> Cells:
    """Stones go where the lever points, and it may be turned over."""
    up = "lever:up" in cells[0]
    turned = up != (word == "turn")
    found = [{"lever:up" if turned else "lever:down"}, *map(set[str], cells[1:])]
    step = -1 if up else 1
    free = [n for n, stack in enumerate(found) if not stack]
    for n, stack in enumerate(found[1:], start=1):
        if "stone" in stack and n + step in free:
            found[n + step], found[n] = found[n], found[n + step]
            free.remove(n + step)
    return found


def run_of(rules: Callable[[Cells, str], Cells], cells: Cells, words: list[str], *, upright: bool) -> Episode:
    """A run of these inputs, won where a car is at home."""
    start, steps, won = line(cells, upright=upright), list[Step](), wins(cells)
    for word in words:
        cells = rules(cells, word)
        steps.append(Step(word, line(cells, upright=upright), won=wins(cells)))
    return Episode(start, tuple(steps), won=won)


def wins(cells: Cells) -> bool:
    """Is a car at home?"""
    return any("home" in stack and any(t.startswith("car:") for t in stack) for stack in cells)


def fuelled(rng: random.Random) -> Episode:
    """A run of the car."""
    cells = [{name} if name else set[str]() for name in rng.choices(["", "wall", "can"], [6, 1, 2], k=SIZE)]
    cells[rng.randrange(SIZE)] = {f"car:{rng.randrange(4)}"}
    home = rng.randrange(SIZE)
    if not any(t.startswith("car:") for t in cells[home]):
        cells[home] = {"home"}
    return run_of(driven, cells, rng.choices(["left", "right"], k=5), upright=False)


def levered(rng: random.Random) -> Episode:
    """A run of the lever."""
    cells = [{name} if name else set[str]() for name in rng.choices(["", "wall", "stone"], [4, 1, 2], k=SIZE)]
    cells[0] = {rng.choice(["lever:up", "lever:down"])}
    return run_of(falling, cells, rng.choices(["turn", "wait"], [1, 2], k=5), upright=True)


def wrong_again(learned: Learned, runs: list[Episode]) -> int:
    """The runs that the description, written and read, plays otherwise."""
    world = DescribedWorld(*read_game(write_game(learned.game, learned.levels).encode(), "x.toml"))
    again = world.play([(run.start, [step.word for step in run.steps]) for run in runs])
    pairs = zip(again, runs, strict=True)
    return sum(
        one is None or [step.after for step in one.steps] != [step.after for step in run.steps]
        for one, run in pairs
    )


def test_tokens_with_numbers_are_one_kind_with_values() -> None:
    rng = random.Random(2)
    learned = learn_in_one_pass([fuelled(rng) for _ in range(150)], "fuel")
    (car,) = [kind for kind in learned.game.kinds if kind.name == "car"]
    assert car.values == (0, 3)
    assert {part.subject for part in learned.program.parts} <= {"car", "can"}, "no rules for each value"
    goal = write_game(learned.game, learned.levels).partition("[goal]")[2].partition("[[level]]")[0]
    assert "car" in goal and "car:" not in goal, "whatever its value is"
    assert wrong_again(learned, [fuelled(rng) for _ in range(40)]) == 0


def test_a_number_that_never_comes_is_no_value() -> None:
    turn = Turn(line([{"tree:1"}, {"tree:2"}, set()]), None, line([{"tree:1"}, set(), {"box"}]))
    assert structure_of([turn]).name("tree:1") == "tree:1"
    structure = structure_of([turn._replace(after=line([{"tree:2"}, {"tree:2"}, set()]))])
    assert structure.name("tree:1") == structure.name("tree:2") == "tree"


@few_or_many("learn", partial(learn_in_one_pass, learn=learn_with_signs), learn_whole)
def test_who_faces_where_is_a_condition_elsewhere(learn: Callable[[list[Episode]], Learned]) -> None:
    rng = random.Random(3)
    runs = [levered(rng) for _ in range(60)]
    turns = [Turn(a, None, b.after) for run in runs for a, b in zip(run.boards(), run.steps, strict=False)]
    assert {"lever:up", "lever:down"} & {sign.what for sign in telling_signs(turns, structure_of(turns))}
    assert Sign("lever") not in telling_signs(turns, structure_of(turns)), "there always is one"
    learned = learn(runs)
    assert wrong_again(learned, [levered(rng) for _ in range(40)]) == 0


def test_values_are_no_facings_in_which_things_go_first() -> None:
    burns = Turn(line([{"fuse:2"}, {"fuse:1"}, set()]), None, line([{"fuse:1"}, set(), set()]))
    goes_out = Turn(burns.after, None, line([set(), set(), set()]))
    structure = structure_of([burns, goes_out])
    assert structure.name("fuse:1") == structure.name("fuse:2") == "fuse"
    program = learn_in_order([burns, goes_out], structure)
    assert not program.wrong(burns) and not program.wrong(goes_out)


def held(cells: Cells, word: str) -> Cells:
    """Who holds keys (one each, two at most) and gems (three each) opens doors with any key."""
    at = next(n for n, stack in enumerate(cells) if any(t.startswith("hero:") for t in stack))
    (token,) = [t for t in cells[at] if t.startswith("hero:")]
    value, to = int(token[5:]), at + (1 if word == "right" else -1)
    found = [set(stack) for stack in cells]
    if not 0 <= to < SIZE or ("door" in found[to] and value % 3 == 0):
        return found
    more = 1 if "key" in found[to] and value % 3 < 2 else 3 if "gem" in found[to] else 0
    found[at], found[to] = set(), {f"hero:{value + more}"}
    return found


def laden(rng: random.Random) -> Episode:
    """A run of who holds things."""
    cells = [
        {name} if name else set[str]()
        for name in rng.choices(["", "door", "key", "gem"], [6, 2, 1, 1], k=SIZE)
    ]
    cells[rng.randrange(SIZE)] = {f"hero:{rng.randrange(9)}"}
    return run_of(held, cells, rng.choices(["left", "right"], k=4), upright=False)


@few_or_many("learn", learn_in_one_pass, learn_whole)
def test_a_value_can_be_two_numbers_in_one(learn: Callable[[list[Episode]], Learned]) -> None:
    """What is left over threes is a question, as a gem counts three: so it is asked of all values at once."""
    rng = random.Random(3)
    learned = learn([laden(rng) for _ in range(60)])
    values = [int(token[5:]) for token in learned.structure.members("hero")]
    assert max(values) > 9
    for value in values:
        for name in ("door", "key"):
            cells = [{f"hero:{value}"}, {name}, *[set[str]()] * (SIZE - 2)]
            after = line(held(cells, "right"))
            if after.cells[1] <= set(learned.structure.tokens):
                assert learned.program.after(line(cells), "right") == after
    # A value that was never seen is called as the others are, and is no error.
    foresight = Foresight(learned)
    del foresight.tokens["hero:4"]
    assert foresight.translated(line([{"hero:4"}])) == line([{"hero:4"}])
    for text in ("crate", "cart:up"):  # what is like nothing that was seen keeps its name
        assert foresight.called(text) == text


def test_what_is_left_over_a_long_step_is_asked_of_what_was_seen_alone() -> None:
    """A score that goes up by a million has a million remainders, of which hardly any came."""
    score = [Seen("score", str(value)) for value in (0, 1, 5, 10**6, 10**6 + 1)]
    zero, one = frozenset((score[0], score[3])), frozenset((score[1], score[4]))
    found = {zero, one, zero | one, one | {score[2]}}
    assert set(remainders(score, [10**6])) == found


def test_a_name_with_directions_and_numbers_has_facings_alone() -> None:
    cells = [["cart:up"], ["cart:right"], ["cart:1"], ["cart:2"]]
    turns = [Turn(board_of([cells]), "up", board_of([cells[::-1]]))]
    found, _ = facings(turns, ("cart:1", "cart:2", "cart:right", "cart:up"), {}, names=True)
    assert found == {"cart:right": ("cart", "right"), "cart:up": ("cart", "up")}
