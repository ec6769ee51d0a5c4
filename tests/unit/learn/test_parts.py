"""What learning is made of, part by part, on boards and rows made by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from ggp.language import levels
from ggp.learn.boards import Board, Turn, board_of, word_of
from ggp.learn.deeds import Lively, sensible
from ggp.learn.fit import trees
from ggp.learn.fit.alike import in_all_facings, in_mixed_pairs, in_one_way, says
from ggp.learn.fit.lists import Chosen, Decision, Decisions, Table
from ggp.learn.fit.questions import Excluded, Row, told_of
from ggp.learn.fit.questions import Test as Question
from ggp.learn.fit.sights import Example, Sights
from ggp.learn.fit.trees import Ground, grown, most_telling
from ggp.learn.probe.exchanging import exchanged
from ggp.learn.probe.making import Maker
from ggp.learn.seen.exclusion import CHANCE, exclusions
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.seen.symmetry import AROUND, MIRROR, NONE, Symmetry
from ggp.learn.seen.turning import turned
from ggp.learn.seen.views import Change, Look, Seen, View
from ggp.learn.turn.crowd import pruned
from ggp.learn.turn.crowd.pruned import without_guesses
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.watch.described import DescribedWorld
from ggp.watch.novelty import ALONE, CROWDED, Novelty

NAMES = {".": [], "#": ["wall"], "@": ["player"], "$": ["crate"], "t": ["target"], "*": ["crate", "target"]}
NAMES |= {"{": ["bus:left"], "}": ["bus:right"]}
NAMES |= {"<": ["car:left"], ">": ["car:right"], "[": ["van:left"], "]": ["van:right"], "n": ["car:up"]}
HERE, AHEAD = (0, 0), (1, 0)


def drawn(*rows: str) -> Board:
    """A board from characters."""
    return board_of([[NAMES[char] for char in row] for row in rows])


def turn(before: str, word: str | None, after: str) -> Turn:
    """A turn on a board of one row."""
    return Turn(drawn(before), word, drawn(after))


# --- what never shares a cell -------------------------------------------------------------------------------


def pairs(turns: Sequence[Turn]) -> tuple[set[frozenset[str]], frozenset[frozenset[str]]]:
    """What excludes what, and what may."""
    boards = [board for one in turns for board in (one.before, one.after)]
    tokens = sorted({token for board in boards for stack in board.cells for token in stack})
    found = exclusions(turns, boards, tokens, lambda token: token)
    return set(found.apart), found.perhaps


BARRED = frozenset(("player", "wall"))
GOES = [turn("@..", "right", ".@."), turn("#@.", "right", "#.@"), turn("@.#", "right", ".@#")]


def stopped(number: int) -> list[Turn]:
    """So many situations in which the player is stopped by a wall: they differ in what is behind that."""
    ends = ["..", ".#", "#.", "##", ".$", "$."][:number]
    return [turn(f"@#{end}", "right", f"@#{end}") for end in ends]


def test_what_would_have_met_often_excludes_each_other() -> None:
    apart, perhaps = pairs([*GOES, *stopped(4)])
    assert BARRED in apart and BARRED not in perhaps


def test_the_same_situation_counts_once() -> None:
    assert CHANCE == 3
    far = [f"@#....{end}" for end in ("...", "$..", ".$.", "..$", "$$.", ".$$")]
    apart, perhaps = pairs([*GOES, *(turn(row, "right", row) for row in far)])
    assert BARRED not in apart and BARRED in perhaps


def test_who_would_not_have_gone_is_not_barred() -> None:
    idle = [one._replace(word="wait") for one in stopped(6)]
    apart, perhaps = pairs([*GOES, turn("@..", "wait", "@.."), turn("@.#", "wait", "@.#"), *idle])
    assert BARRED not in apart and BARRED in perhaps
    assert pairs([*stopped(4), turn("@..", "left", "@..")]) == (set(), frozenset())


def test_what_stood_together_excludes_nothing() -> None:
    turns = [*GOES, *stopped(4), turn("$.t", "right", ".$t"), turn(".$t", "right", "..*")]
    assert frozenset(("crate", "target")) not in pairs(turns)[0] | pairs(turns)[1]


# --- decisions that are made alike --------------------------------------------------------------------------


def goes(name: str, facing: str = "") -> tuple[Change, ...]:
    """A thing goes from here ahead."""
    thing = Seen(name, facing)
    return Change("+", AHEAD, thing), Change("-", HERE, thing)


def no(*names: str) -> Question:
    """None of these is ahead."""
    return Question(AHEAD, frozenset(map(Seen, names)), wanted=False)


def here(name: str, facing: str = "") -> Question:
    """This is here."""
    return Question(HERE, frozenset({Seen(name, facing)}))


def listed(*decisions: Decision) -> Decisions:
    """A list that looks here and ahead."""
    return Decisions((HERE, AHEAD), decisions, 0.0)


def row(look: str | Seen, ahead: str, outcome: tuple[Change, ...]) -> Row:
    """One thing here, one ahead or nothing."""
    there: Look = frozenset({Seen(ahead)} if ahead else ())
    return Row((frozenset({look if isinstance(look, Seen) else Seen(look)}), there), "", outcome)


def test_what_is_in_the_way_of_one_is_in_the_way_of_all() -> None:
    car = Decision((here("car"), no("wall", "tree")), goes("car"))
    van = Decision((here("van"), no("tree", "house")), goes("van"))
    rows = [row("car", "", goes("car")), row("van", "", goes("van")), row("car", "wall", ())]
    for one in in_one_way(listed(car, van), rows).decisions:
        assert one.tests[1] == no("wall", "tree", "house")


def test_what_was_not_in_the_way_of_one_is_in_nobodys() -> None:
    car = Decision((here("car"), no("wall", "exit")), goes("car"))
    van = Decision((here("van"), no("wall")), goes("van"))
    rows = [row("van", "exit", goes("van")), row("car", "wall", ())]
    for one in in_one_way(listed(car, van), rows).decisions:
        assert one.tests[1] == no("wall")


def test_what_was_seen_to_differ_stays_different() -> None:
    car = Decision((here("car"), no("wall", "tree")), goes("car"))
    van = Decision((here("van"), no("tree", "house")), goes("van"))
    rows = [row("van", "wall", goes("van")), row("car", "house", goes("car"))]
    rows += [row("van", "house", ()), row("car", "wall", ())]
    assert in_one_way(listed(car, van), rows) == listed(car, van) and says(listed(car, van), rows)


def test_what_goes_in_two_facings_goes_in_all() -> None:
    ways = ("ahead", "behind", "rightward")
    known = [Decision((here("bed", way),), goes("bed", way)) for way in ways[:2]]
    rows = [row(Seen("bed", way), "", goes("bed", way)) for way in ways[:2]]
    found = in_all_facings(listed(*known), rows, ways)
    assert {one.outcome for one in found.decisions} == {goes("bed", way) for way in ways}
    against = [*rows, row(Seen("bed", "rightward"), "", ())]
    assert in_all_facings(listed(*known), against, ways) == listed(*known)
    assert in_all_facings(listed(*known[:1]), rows[:1], ways) == listed(*known[:1])


def both(front: str, back: str) -> Decision:
    """Two ends go on together."""
    ends = {AHEAD: Seen(front, "ahead"), HERE: Seen(back, "behind")}
    tests = tuple(Question(offset, frozenset({thing})) for offset, thing in ends.items())
    gone = [Change("-", offset, thing) for offset, thing in ends.items()]
    come = [Change("+", (offset[0] + 1, 0), thing) for offset, thing in ends.items()]
    return Decision(tests, tuple(sorted(gone + come)))


def test_two_of_each_kind_go_together_so_do_one_of_each() -> None:
    found = in_mixed_pairs(listed(both("car", "car"), both("van", "van")), [])
    wanted = [both(one, other) for one in ("car", "van") for other in ("car", "van")]
    assert {one.outcome for one in found.decisions} == {one.outcome for one in wanted}
    assert in_mixed_pairs(listed(both("car", "car")), []) == listed(both("car", "car"))


# --- trees that choose tests --------------------------------------------------------------------------------

TELLS, HALF, NOISE = [1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 1, 0]


def test_the_test_that_tells_most_is_asked_first() -> None:
    label = np.array([0, 0, 1, 1, 1, 1])
    assert grown(Ground(np.array([NOISE, HALF, TELLS]), label), 10) == ([2], 2)
    assert most_telling(Ground(np.array([HALF, TELLS]), label).root, None) == 1


def test_answers_are_counted_alike_however_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng()
    answers, rows = rng.random((50, 40)) < 0.4, np.sort(rng.choice(40, 17, replace=False))
    label = rng.integers(0, 3, 40)
    label[0] = 2
    expected = answers[:, rows].astype(int) @ np.eye(3)[label[rows]]
    for at_once in (1, 17, 100, 10_000):
        monkeypatch.setattr(trees, "AT_ONCE", at_once)
        assert (Ground(answers, label).counted(rows) == expected).all()


def test_what_is_left_of_a_branch_is_what_is_counted_in_it() -> None:
    rng = np.random.default_rng()
    answers, label = rng.random((30, 50)) < 0.4, rng.integers(0, 3, 50)
    answers[0, :3], label[:3] = (True, False, False), (2, 0, 1)
    ground = Ground(answers, label)
    for part in ground.split(ground.root, 0):
        assert part.there is None or (part.there == ground.counted(part.rows)).all()
        assert part.total.tolist() == np.bincount(label[part.rows], minlength=3).tolist()
    assert sum(len(part.rows) for part in ground.split(ground.root, 0)) == 50


def test_a_tree_goes_on_until_all_is_told() -> None:
    label = np.array([0, 0, 1, 2, 2, 2])
    asked, leaves = grown(Ground(np.array([NOISE, HALF, TELLS]), label), 10)
    assert set(asked) == {1, 2} and leaves == 3


def test_a_tree_stops_where_nothing_tells_or_it_is_too_large() -> None:
    assert grown(Ground(np.array([NOISE]), np.array([0, 1, 1, 0, 1, 0])), 10)[1] == 2
    six = Ground(np.eye(6), np.arange(6))
    assert 3 < grown(six, 3)[1] < grown(six, 9)[1] == 6
    assert grown(Ground(np.array([TELLS]), np.zeros(6, dtype=int)), 3) == ([], 1)


# --- boards that are made -----------------------------------------------------------------------------------


def maker(*boards: Board) -> Maker:
    """A maker that knows what stands on these boards."""
    return Maker(boards, structure_of([Turn(board, None, board) for board in boards]))


def variations(before: Board, after: Board, number: int = 300) -> Iterator[Board]:
    """Variations of the board before a turn, made of what stands there and on a board with more."""
    known = maker(before, drawn("@$*t#.", "#...$$"))
    rng = random.Random(0)
    return (known.varied(Turn(before, "right", after), rng) for _ in range(number))


def test_a_variation_differs_where_something_happened_or_beside_it() -> None:
    before, after = drawn("@$..#", "....#", "....#", "..$.#"), drawn(".@$.#", "....#", "....#", "..$.#")
    near = {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)}
    different = set()
    for board in variations(before, after):
        changed = {divmod(n, 5) for n in range(20) if board.cells[n] != before.cells[n]}
        assert board[:2] == before[:2] and len(changed) <= 6
        assert not changed or changed & near
        different |= changed & near
    assert different == near


def test_a_variation_keeps_the_number_of_what_there_is_one_of() -> None:
    before, after = drawn("@$..#", "....#"), drawn(".@$.#", "....#")
    assert all(sum("player" in stack for stack in board.cells) == 1 for board in variations(before, after))


def test_one_thing_more_stands_where_it_was_seen_to() -> None:
    known = maker(drawn("@$*t#"), drawn("@.$t##"))
    assert known.joined(frozenset({"target"}), "crate") == {"crate", "target"}
    assert known.joined(frozenset({"crate", "target"}), "wall") == {"wall"}
    assert known.joined(frozenset({"crate"}), "player") is None  # there is always one
    assert known.joined(frozenset({"player"}), "crate") is None


def test_kinds_change_places_where_they_face_alike() -> None:
    board = drawn("<>..[]{}#")
    structure = structure_of([Turn(board, None, board)])
    found = {exchanged(board, [0, 1], structure, random.Random(seed)) for seed in range(60)}
    vans = {drawn("[]..<>{}#"), drawn("[>..<]{}#"), drawn("<]..[>{}#")}
    assert found == vans | {drawn("{}..[]<>#"), drawn("{>..[]<}#"), drawn("<}..[]{>#")}
    assert exchanged(drawn("<>..#"), [0, 1], structure, random.Random(0)) is None
    assert exchanged(drawn("...[]"), [0, 1], structure, random.Random(0)) is None


def test_no_engine_is_given_what_cannot_stand_together() -> None:
    world = DescribedWorld(*levels.load_game("lemmings"), lambda *given: pytest.fail(str(given)))
    brick, target = frozenset({"brick"}), frozenset({"target"})
    both = frozenset({"lemming:left", "lemming:right"})
    assert world.may_stand(brick) and world.may_stand(both) and world.may_stand(both | target)
    assert not world.may_stand(brick | {"wall"})
    assert world.play([(Board(1, 1, (brick | {"wall"},)), [None])]) == [None]


# --- turned boards and rows ---------------------------------------------------------------------------------


def test_a_turned_board_has_the_same_going_on() -> None:
    before, after = drawn("@$.", "..#", "<>."), drawn(".@$", "..#", "<>.")
    inputs = [Turn(before, word, before) for word in ("up", "right", "down", "left")]
    structure = structure_of([Turn(before, "right", after), *inputs, turn("n", "up", "n")])
    seen = set()
    for seed in range(60):
        board, word = turned(Turn(before, "right", after), structure, random.Random(seed))
        row, column = next(divmod(n, 3) for n, stack in enumerate(board.cells) if "player" in stack)
        ways = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
        assert word is not None
        assert board.at((row + ways[word][0], column + ways[word][1])) == {"crate"}
        assert sum(len(stack) for stack in board.cells) == 5
        seen.add(word)
    assert len(seen) == 4


def test_an_input_that_points_is_turned_with_its_cell() -> None:
    board = drawn("<>.")
    one = Turn(board, "pick(0,1,right)", drawn(".<>"))
    structure = structure_of([one, Turn(board, "pick(0,0,left)", board), Turn(board, "pick(0,0,up)", board)])
    found = {turned(one, structure, random.Random(seed)) for seed in range(40)}
    assert (drawn(".<>"), "pick(0,1,left)") in found
    for turned_board, word in found:
        cell = word_of(word or "").cell
        assert cell is not None and turned_board.at(cell)


def sights(*seen: tuple[Board, str]) -> Sights:
    """What the player of each board sees, and that it goes where it is sent."""
    turns = [Turn(board, word, board) for board, word in seen]
    structure = structure_of(turns)
    examples = []
    for one in turns:
        index = next(n for n, stack in enumerate(one.before.cells) if "player" in stack)
        gone = frozenset({("-", divmod(index, one.before.width), "player")})
        examples.append(Example(one, one.before, divmod(index, one.before.width), "player", gone))
    return Sights("player", View(Frame("input"), structure), examples)


def rows_of(seen: Sights, offsets: list[Offset], symmetry: Symmetry) -> list[Row]:
    """The rows of a window that tells all examples apart."""
    sample = seen.sample(offsets, symmetry)
    assert sample is not None
    return sample.rows()


def test_rows_are_seen_from_where_the_input_points() -> None:
    offsets: list[Offset] = [(0, 0), (1, 0), (0, 1), (0, -1)]
    boards = [(drawn("@#", ".$"), "right"), (drawn(".@", "$#"), "down")]
    wanted = (frozenset({Seen("player")}), frozenset({Seen("wall")}), frozenset(), None)
    assert [one.window for one in rows_of(sights(*boards), offsets, NONE)] == [wanted, wanted]
    both_sides = rows_of(sights(*boards), offsets, MIRROR)
    assert {one.window[2:] for one in both_sides} == {(frozenset(), None), (None, frozenset())}


def test_rows_that_look_alike_and_end_differently_need_more() -> None:
    one = sights((drawn("@#"), "right"), (drawn("@$"), "right"))
    one.done[0] = one.outcomes(())
    assert one.sample([(0, 0)], NONE) is None and len(rows_of(one, [(0, 0), (1, 0)], NONE)) == 2


def test_a_row_that_is_its_own_image_counts_once() -> None:
    one_side, both_sides = (drawn(".#.", ".@.", "..."), "right"), (drawn("...", ".@#", "..."), "right")
    seen = sights(*[both_sides] * 2, *[one_side] * 3)
    found = rows_of(seen, [(0, 0), (1, 0), (0, 1), (0, -1)], MIRROR)
    assert [one.window[1] for one in found] == [frozenset(), frozenset(), frozenset({Seen("wall")})]


@pytest.mark.parametrize("rows, number", [(("...", ".@#", "..."), 4), (("...", ".@#", ".$."), 8)])
def test_a_row_has_an_image_for_each_way_in_which_it_looks_different(
    rows: tuple[str, ...], number: int
) -> None:
    board = drawn(*rows)
    gone = frozenset({("-", (1, 1), "player")})
    one = Example(Turn(board, None, board), board, (1, 1), "player", gone)
    seen = Sights("player", View(Frame("none"), structure_of([one.turn])), [one])
    offsets: list[Offset] = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)]
    assert len(rows_of(seen, offsets, AROUND)) == number


# --- inputs -------------------------------------------------------------------------------------------------


@pytest.fixture
def structure() -> Structure:
    """Cars and vans that face left and right, and inputs that point."""
    board = drawn("<>[].")
    words = ("pick(0,0,left)", "pick(0,0,right)")
    return structure_of([Turn(board, word, board) for word in words])


def test_what_worked_with_one_kind_is_tried_with_others(structure: Structure) -> None:
    lively = Lively()
    lively.structure = structure
    words = [f"pick(0,{column},{way})" for column in range(6) for way in ("left", "right")]
    board = drawn("<>.[].")
    plain = Counter(
        lively.inputs([f"pick(0,1,{way})" for way in ("left", "right")], board, 400, rng := random.Random(0))
    )
    assert all(150 < plain[word] < 250 for word in plain)
    for word in words:
        lively.remember(Turn(board, word, board))
    lively.remember(Turn(board, "pick(0,1,right)", drawn(".<>[].")))
    often = Counter(lively.inputs(words, board, 400, rng))
    like = ("pick(0,1,right)", "pick(0,4,right)", "pick(0,0,left)", "pick(0,3,left)")
    assert all(50 < often[word] < 150 for word in like)


def test_what_was_never_pointed_at_is_tried(structure: Structure) -> None:
    lively, board = Lively(), drawn("<>.")
    for word in ("pick(0,0,left)", "pick(0,1,left)"):
        lively.remember(Turn(board, word, board))
    words = [f"pick(0,{column},left)" for column in range(3)]
    assert sum(sensible(words, board, random.Random(seed)) == words[2] for seed in range(400)) < 20
    assert lively.inputs(words, board, 400, random.Random(0)).count(words[2]) > 30


# --- which made board is played -----------------------------------------------------------------------------


def test_what_is_beside_a_mover_is_new_once_and_counts_less_in_a_crowd() -> None:
    novelty = Novelty({"player"})
    assert novelty.of(drawn("#@$")) == 4 * ALONE  # above and below it is the end of the board
    novelty.remember(drawn("#@$"))
    assert novelty.of(drawn("#@$")) == 0 and novelty.of(drawn(".#@$.t")) == 0
    assert novelty.of(drawn("#@#")) == ALONE and novelty.of(drawn("$$#")) == 0
    assert novelty.of(drawn("#@#.@$")) == 2 * CROWDED
    novelty.remember(drawn("#@#.@$"))
    assert novelty.of(drawn("#@#")) == ALONE  # who did what was not plain there


def test_the_same_thing_beside_other_company_is_new() -> None:
    board = board_of([[["wall"], ["player", "target"], ["crate"]]])
    novelty = Novelty({"player"})
    novelty.remember(drawn("#@$"))
    assert novelty.of(board) == 4 * ALONE


# --- lists -----------------------------------------------------------------------------------------------


def test_a_decision_that_others_make_idle_is_left_out() -> None:
    """A greedy list may begin with one that covers much, and end with others that cover all of it."""
    gone, crate = (Change("-", HERE, Seen("crate")),), frozenset({Seen("crate")})
    wall, none = frozenset({Seen("wall")}), frozenset[Seen]()
    rows = [Row((crate, ahead), "", outcome) for ahead, outcome in ((wall, gone), (crate, gone), (none, ()))]
    table = Table(told_of(rows, (HERE, AHEAD)), (HERE, AHEAD), Excluded())
    label = {outcome: number for number, outcome in enumerate(table.outcomes)}
    masks = [np.array(mask, dtype=bool) for mask in ([1, 1, 0], [1, 0, 0], [0, 1, 0])]
    most, one, other = (Chosen(2.0, (), label[gone], mask) for mask in masks)
    assert table.without_idle([one, other, most]) == [most]
    assert table.without_idle([one, other]) == [one, other]
    idle = Chosen(1.0, (), label[()], np.array([0, 0, 1], dtype=bool))
    assert table.without_idle([idle, one, other]) == [one, other]


def test_what_crowds_were_thought_to_have_done_is_left_out_where_it_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards = [("@..", ".@."), (".@.", "..@"), ("@#.", "@#."), (".@#", ".@#"), ("@$.", "@$."), ("..@", "..@")]
    turns = [turn(before, "right", after) for before, after in boards]
    right = learn_pass(turns, structure_of(turns))
    (part,) = right.parts
    guess = Decision((), part.decisions.decisions[0].outcome, 1)
    listed = replace(part.decisions, decisions=(guess, *part.decisions.decisions))
    wrong = replace(right, parts=(replace(part, decisions=listed),))
    assert any(map(wrong.wrong, turns)) and without_guesses(wrong, turns) == wrong  # of too many turns
    monkeypatch.setattr(pruned, "MOST_GUESSED", 0.5)
    assert without_guesses(wrong, turns) == right
    assert without_guesses(right, turns) == right
