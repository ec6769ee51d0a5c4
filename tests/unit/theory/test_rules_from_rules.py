"""Rules are found from turns that known rules make: what goes becomes something else, or slides on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import pytest

from ggp.harness.from_play import fault_of
from ggp.learn.boards import Board, Episode, Step, Turn
from ggp.learn.fit.toil import account
from ggp.model.scan import MARKS
from ggp.referee.scanning import Scanner
from ggp.referee.scanning.ground import WAYS
from ggp.referee.scanning.turn import Turn as Played
from ggp.watch.theory.puzzlescript.learning import ByRules
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.questions import questions
from ggp.watch.theory.puzzlescript.rules import Cell, Rule, Theory
from ggp.watch.theory.puzzlescript.scenes import Scene, cost, more_wrong, parts_of
from ggp.watch.theory.puzzlescript.search import Search
from ggp.watch.theory.puzzlescript.sorting import (
    APART,
    Apart,
    heard_out,
    left_behind,
    may_have_to_move,
    taking,
    things_of,
    ways_of_layers,
)
from ggp.watch.theory.puzzlescript.things import Things
from ggp.watch.theory.puzzlescript.written import written
from tests.slow import slowly

PLAYER, WALL, CRATE, BALL, PIT = "player", "wall", "crate", "ball", "pit"
LAYER = (PLAYER, WALL, CRATE, BALL)
WORDS = MARKS[:4]


def rule(left: Sequence[Cell], right: Sequence[Cell]) -> Rule:
    """A rule of one row."""
    return Rule((tuple(left),), (tuple(right),))


PUSH = rule([((">", PLAYER),), (("", CRATE),)], [((">", PLAYER),), ((">", CRATE),)])
PUSHED_CHANGES = rule([((">", PLAYER),), (("", CRATE),)], [((">", PLAYER),), ((">", BALL),)])
PULLED_CHANGES = rule([(("<", PLAYER),), (("", BALL),)], [(("<", PLAYER),), (("<", CRATE),)])
SLIDES = rule([((">", CRATE),), (("no", "any-1"),)], [(), ((">", CRATE),)])
LEAVES = rule([((">", PLAYER), ("no", PIT))], [((">", PLAYER), ("", PIT))])
NO_WAY_BACK = rule([((">", PLAYER),), (("", PIT),)], [((">", PLAYER),), (("", PIT),)])._replace(cancel=True)


def made(theory: Theory, things: Things, number: int, seed: int) -> list[Turn]:
    """Turns on boards at random, as the rules say them."""
    rng = random.Random(seed)
    things.any_on(0)
    found = dict[Turn, None]()
    while len(found) < number:
        stacks = [frozenset({name} - {"."}) for name in rng.choices((*LAYER[1:], "."), (1, 2, 1, 14), k=20)]
        stacks[rng.randrange(20)] = frozenset({PLAYER})
        board = Board(2, 10, tuple(stacks))
        # The second of two turns in a row sees what the first one left behind.
        for word in rng.choices(WORDS, k=3):
            scene = Scene(Turn(board, word, board), things)
            after = scene.table.board(scene.said(parts_of(theory, scene.table)).after)
            found[Turn(board, word, after)] = None
            board = after
    return list(found)


def wrong(search: Search, turns: Sequence[Turn]) -> int:
    """How many turns what was found says otherwise."""
    scenes = [Scene(turn, search.things) for turn in turns]
    told = [scene.said(parts_of(search.best, scene.table)).after for scene in scenes]
    return sum(one.after != after for one, after in zip(scenes, told, strict=True))


@pytest.mark.parametrize(
    ("theory", "apart"),
    [
        slowly(
            pytest.param(
                Theory((PUSHED_CHANGES, PULLED_CHANGES), must_move=True), "nothing", id="becomes-and-goes"
            )
        ),
        pytest.param(Theory((PUSH, SLIDES)), "nothing", id="slides"),
        slowly(
            pytest.param(Theory((NO_WAY_BACK, LEAVES, PUSH), must_move=True), "trodden", id="leaves-pits")
        ),
    ],
)
def test_rules_are_found_that_say_turns_made_by_others(theory: Theory, apart: Apart) -> None:
    things = Things([LAYER, (PIT,)], (PLAYER,))
    turns = made(theory, things, 150, 1)
    search = Search(turns, things_of(turns, apart))
    with account(2e7):
        assert search.run() == []
    assert wrong(search, made(theory, things, 150, 2)) <= 3  # what was never seen may be otherwise


@pytest.mark.parametrize("ways", [("up", "left", "right"), ("down",), ("left", "right")])
def test_a_rule_for_all_directions_is_narrowed_to_those_in_which_it_is_right(ways: Sequence[str]) -> None:
    """Of who goes down alone it is right in three directions that it never goes, and shortest to say."""
    things = Things([LAYER], (PLAYER,))
    stops = rule([((">", PLAYER),)], [(("", PLAYER),)])
    theory = Theory(tuple(stops._replace(ways=(way,)) for way in ways))
    search = Search(made(theory, things, 80, 5), things, begin=Theory((stops,)))
    assert search.wrong
    while search.altered():
        pass
    assert not search.wrong
    assert {way for one in search.best.early for way in one.ways} == set(ways)


def test_boards_that_were_made_and_bar_their_things_are_no_levels() -> None:
    """They tell who has won; a description would not be read that has two things of a layer in one cell."""
    things = Things([LAYER, (PIT,)], (PLAYER,))
    turns = made(Theory((PUSH,)), things, 30, 6)
    episodes = [Episode(one.before, (Step(one.word, one.after, won=False),), won=None) for one in turns]
    odd = Board(2, 10, (frozenset({CRATE, BALL}), frozenset({PLAYER}), *[frozenset[str]()] * 18))
    assert things.hold(turns[0].before) and not things.hold(odd)
    episodes.append(Episode(odd, (Step("left", odd, won=True),), won=None))
    learned = written(Theory((PUSH,)), things, Naming(episodes), episodes, "crates")
    assert not fault_of(learned)


def test_a_class_that_rules_and_the_goal_speak_of_is_written_once() -> None:
    """Either of two players wins on a pit, and a rule is about either of them."""
    players = ("bare", "laden")
    things = Things([(*players, CRATE), (PIT,)], players)
    either = things.either(players)
    push = rule([((">", either),), (("", CRATE),)], [((">", either),), ((">", CRATE),)])
    turns = [Turn(row(start), "right", row(f".{start[:-1]}")) for start in ("b.", "l.", "bc.", "lc.")]
    ends = {board: not board.cells[1].isdisjoint(players) for turn in turns for board in turn[::2]}
    episodes = [Episode(a, (Step(word, b, won=ends[b]),), won=ends[a]) for a, word, b in turns]
    learned = written(Theory((push,)), things, Naming(episodes), episodes, "either")
    assert [one.name for one in learned.game.classes] == [either] and learned.game.goal.terms
    assert not fault_of(learned)


def row(letters: str) -> Board:
    """A row with a pit in its second cell."""
    names = {"b": {"bare"}, "l": {"laden"}, "c": {CRATE}, ".": set[str]()}
    cells = (frozenset(names[one] | ({PIT} if at == 1 else set())) for at, one in enumerate(letters))
    return Board(1, len(letters), tuple(cells))


def test_a_turn_in_which_nobody_moves_is_undone_where_that_is_asked() -> None:
    things = Things([LAYER], (PLAYER,))
    row = Board(1, 2, (frozenset({PLAYER}), frozenset({CRATE})))
    free, bound = Theory((PUSHED_CHANGES,)), Theory((PUSHED_CHANGES,), must_move=True)
    scene = Scene(Turn(row, "right", row), things)
    changed = scene.said(parts_of(free, scene.table))
    assert scene.table.board(changed.after).cells[1] == {BALL}  # in its place, as there is no room
    kept = scene.said(parts_of(bound, scene.table))
    assert (kept.after, kept.undone) == (scene.before, None)
    without = parts_of(Theory(must_move=True), scene.table)
    new = parts_of(free, scene.table).early
    assert scene.otherwise(scene.said(without), without, (False, 0), 0, new) == scene.before
    assert str(bound).splitlines()[-1] == "must move"


@pytest.mark.parametrize("told", [True, False])
def test_a_turn_after_which_it_is_asked_who_has_won_was_not_undone(told: bool) -> None:
    """So nobody must move, and no rule undoes such a turn, though nothing else speaks against either."""
    things = Things([LAYER], (PLAYER,))
    turns = made(Theory((PUSH,)), things, 60, 7)
    won = False if told else None
    heard = heard_out([Episode(one.before, (Step(one.word, one.after, won=won),)) for one in turns])
    still = {one for one in turns if one.before == one.after}
    assert still and heard == (still if told else set())
    plain, search = Search(turns, things), Search(turns, things, heard=heard)
    assert plain.best.must_move and search.best.must_move != told
    search.settle(Theory((rule([((">", PLAYER),)], [(("", CRATE),)]),)))
    undone = [
        rule
        for n in search.wrong
        if search.scenes[n].turn in still
        for deed in search.finder.deeds(n, (False, 0))
        for _, rule in search.finder.rules(deed, search.finder.sample(n))
        if rule.cancel
    ]
    assert bool(undone) != told


def test_boards_are_asked_for_that_tell_whether_somebody_must_move() -> None:
    things = Things([LAYER], (PLAYER,))
    theory = Theory((PUSHED_CHANGES,))
    turns = [turn for turn in made(theory, things, 200, 3) if may_have_to_move([turn], (PLAYER,))]
    assert may_have_to_move(turns, (PLAYER,))
    bound = theory._replace(must_move=True)

    def after(one: Theory, board: Board, word: str | None) -> object:
        scene = Scene(Turn(board, word, board), things)
        return scene.said(parts_of(one, scene.table)).after

    asked = questions(theory, things, turns)
    assert any(after(theory, *one) != after(bound, *one) for one in asked)


def test_who_is_pushed_each_time_that_it_goes_does_not_play() -> None:
    things = Things([LAYER], (PLAYER,))
    names = {"p": PLAYER, "c": CRATE}
    turns = []
    for row in ("pc...", ".pc..", "..pc.", "p...c"):
        board = Board(1, 5, tuple(frozenset({names[one]} if one in names else ()) for one in row))
        scene = Scene(Turn(board, "right", board), things)
        after = scene.said(parts_of(Theory((PUSH,)), scene.table)).after
        turns.append(Turn(board, "right", scene.table.board(after)))
    assert things_of(turns).player == (PLAYER,)


def test_what_comes_where_it_is_may_stand_on_a_layer_of_its_own() -> None:
    things = Things([LAYER, (PIT,)], (PLAYER,))
    turns = made(Theory((NO_WAY_BACK, LEAVES, PUSH), must_move=True), things, 200, 4)
    together, *apart = (
        next(layer for layer in things_of(turns, one).layers if PIT in layer) for one in APART
    )
    taking_nobody = apart.pop()
    assert APART[-1] == "taking" and PLAYER in together and PLAYER in taking_nobody
    assert apart and all(PLAYER not in layer for layer in apart)


def test_a_turn_undone_that_should_not_be_is_no_better_however_much_is_back() -> None:
    things = Things([LAYER], (PLAYER,))
    before, after = (
        Board(1, 4, tuple(frozenset({PLAYER} if n in where else ()) for n in range(4)))
        for where in ((0, 2), (1, 2))
    )
    scene = Scene(Turn(before, "right", after), things)
    moved = scene.said(parts_of(Theory(), scene.table)).after
    more = partial(more_wrong, scene, scene.before, cost(scene.differs(moved)) + 5)
    assert more(undone=False) < 0 < more(undone=True)
    assert more_wrong(scene, scene.after, 9, undone=True) == -9


def test_what_goes_one_way_goes_at_once_as_it_goes_one_by_one() -> None:
    """All on a layer that go one way are moved together; each by itself they come to the same."""
    things = Things([LAYER, (PIT,)], (PLAYER,))
    table = things.table(5, 6)
    rng = random.Random(7)
    moved = 0
    for _ in range(400):
        stacks = [frozenset(rng.sample((*LAYER, PIT), rng.choice((0, 1, 1)))) for _ in range(30)]
        planes = table.planes(Board(5, 6, tuple(stacks)))
        board = [*planes, *(0 for _ in range(table.ground.planes - len(planes)))]
        for layer in range(2):
            ways = rng.sample(range(WAYS), rng.choice((1, 1, 2)))
            for cell in range(30):
                mark = len(planes) + WAYS * layer + rng.choice(ways)
                board[mark] |= rng.choice((0, 1)) << cell
        together, one_by_one = Played(list(board), None), Played(list(board), None)
        table.move(together)
        each(table, one_by_one.board, len(planes))
        assert together.board[: len(planes)] == one_by_one.board[: len(planes)]
        moved += together.board[: len(planes)] != list(planes)
    assert moved > 300


def each(table: Scanner, board: list[int], kinds: int) -> None:
    """Move what is marked one by one, again and again."""
    waiting = table.marked(board, kinds, together=False)
    while True:
        left = [one for one in waiting if not table.step(board, *one)]
        if len(left) == len(waiting):
            return
        waiting = left


def test_what_is_left_behind_where_whoever_plays_was_is_looked_for_apart_first() -> None:
    things = Things([LAYER, (PIT,)], (PLAYER,))
    turns = made(Theory((NO_WAY_BACK, LEAVES, PUSH), must_move=True), things, 100, 5)
    assert left_behind(turns, things_of(turns))
    assert [apart for _, apart in ByRules().searches(turns, frozenset())] == ["trodden", "nothing"]
    pushes = made(Theory((PUSH,)), things, 100, 5)
    assert [apart for _, apart in ByRules().searches(pushes, frozenset())] == ["nothing", "nothing"]


def test_what_takes_whoever_goes_there_lies_underfoot() -> None:
    """A pit takes, and a gate sends on, once to where he was; a wall bars, and a crate goes."""
    names = {"P": PLAYER, "#": WALL, "C": CRATE, "O": PIT, "G": "gate", ".": None}

    def line(cells: str) -> Board:
        return Board(1, len(cells), tuple(frozenset(filter(None, [names[one]])) for one in cells))

    ways = [
        ("PO.", ".O."),
        ("PO#", ".O#"),
        ("PG.", ".GP"),
        ("PG..", ".G.P"),
        ("PG...", ".G..P"),
        ("PG#", "PG#"),
    ]
    ways += [("P#.", "P#."), ("P#O", "P#O"), ("P..", ".P."), ("PC.", ".PC"), ("PC..", ".PC.")]
    turns = [Turn(line(before), "right", line(after)) for before, after in ways]
    assert taking(turns, (PLAYER,)) == {PIT, "gate"}
    first = next(iter(ways_of_layers(turns)))
    assert first == "taking" and things_of(turns, first).layers[0] == (PLAYER, WALL, CRATE)
    assert not taking(turns[:1] + turns[6:], (PLAYER,)), "once is too little"
    assert "taking" not in ways_of_layers(turns[6:])


def test_what_becomes_something_else_underfoot_lies_beside_whoever_plays() -> None:
    """Fish is in hand once somebody comes to it; a cat that goes away bars the way, and is on his layer."""
    one, other = frozenset({PLAYER}), frozenset({PLAYER, "hand"})
    fish, cat, empty = frozenset({"fish"}), frozenset({"cat"}), frozenset[str]()
    rows = [((one, fish, empty), (empty, other, empty)), ((one, cat, empty), (one, empty, empty))]
    rows += [((one, empty, cat), (empty, one, cat)), ((other, cat, fish), (other, cat, fish))]
    turns = [Turn(Board(1, 3, before), "right", Board(1, 3, after)) for before, after in rows]
    ways = ways_of_layers(turns)
    assert list(ways) == ["trodden", "nothing", "coming"]
    (first, *_), *others = (things.layers for things in ways.values())
    assert "cat" in first and "fish" not in first
    assert all(("fish" in some[0]) == ("cat" in some[0]) for some in others)
    assert list(ways_of_layers(turns[1:3]))[0] == "nothing"


def test_where_rules_did_not_hold_other_layers_are_tried_first() -> None:
    things = Things([LAYER, (PIT,)], (PLAYER,))
    turns = made(Theory((NO_WAY_BACK, LEAVES, PUSH), must_move=True), things, 100, 5)
    learner = ByRules()
    learner.rules, learner.apart = Theory(), "trodden"
    assert [apart for _, apart in learner.searches(turns, frozenset())] == ["trodden", "nothing", "trodden"]


def test_which_direction_comes_first_is_asked_where_nobody_saw_it() -> None:
    """Who is beside a crate takes it and its place; of two crates that which the rule comes to first."""
    things = Things([LAYER, (PIT,)], (PLAYER,))
    takes = rule([(("", PLAYER),), (("", CRATE),)], [(), (("", PLAYER),)])._replace(late=True)
    theory, back = (Theory(late=some) for some in ((takes,), tuple(one_way(takes))))

    def differ(turn: Turn) -> bool:
        scene = Scene(turn, things)
        first, other = (scene.said(parts_of(one, scene.table)).after for one in (theory, back))
        return first != other

    turns = made(theory, things, 150, 3)
    assert any(map(differ, turns))
    alike = [turn for turn in turns if not differ(turn)]
    asked = questions(theory, things, alike)
    assert any(differ(Turn(board, word, board)) for board, word in asked)


def one_way(takes: Rule) -> Iterator[Rule]:
    """A rule for each direction, the last one first."""
    return (takes._replace(ways=(way,)) for way in reversed(takes.ways))
