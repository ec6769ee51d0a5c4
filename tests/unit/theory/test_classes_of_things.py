"""Rules in scan order that speak of classes, and data and searches that tell the right one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Episode, Step, Turn
from ggp.learn.fit.toil import account
from ggp.watch import Start
from ggp.watch.theory.puzzlescript.confronted import confronted
from ggp.watch.theory.puzzlescript.learning import ByRules
from ggp.watch.theory.puzzlescript.questions import questions
from ggp.watch.theory.puzzlescript.rules import Rule
from ggp.watch.theory.puzzlescript.search import Search
from ggp.watch.theory.puzzlescript.things import Things
from ggp.watch.theory.puzzlescript.weighing import HARM
from ggp.watch.theory.puzzlescript.weighing import Step as Put
from ggp.watch.theory.puzzlescript.widening import converse, smaller, widened

NAMES = {"P": "player", "C": "crate", "S": "sack", "#": "wall", ".": ""}
GROUNDS = ("grass", "sand", "mud", "ice")
LAYERS = [("player", "wall", "crate", "sack"), GROUNDS]


def board(cells: str, grounds: Sequence[str]) -> Board:
    """One row: what stands in each cell, and on what."""
    pairs = zip(cells, grounds, strict=True)
    return Board(1, len(cells), tuple(frozenset({NAMES[char], ground} - {""}) for char, ground in pairs))


def pushes(right: Sequence[str], things: str = "C") -> list[Turn]:
    """Somebody pushes something to the right, onto each ground; it goes only onto some."""
    turns = []
    for thing in things:
        for ground in GROUNDS:
            for under in GROUNDS:
                row = ["", under, ground, ""]
                after = f".P{thing}." if ground in right else f"P{thing}.."
                turns.append(Turn(board(f"P{thing}..", row), "right", board(after, row)))
    walks = [Turn(board("P...", [one] * 4), "right", board(".P..", [one] * 4)) for one in GROUNDS]
    stays = [Turn(board(f"P{one}#.", [""] * 4), "right", board(f"P{one}#.", [""] * 4)) for one in things]
    return [*turns, *walks, *stays]


def found(turns: Sequence[Turn]) -> Search:
    """A search that came to an end."""
    search = Search(turns, Things(LAYERS, ("player",)))
    assert search.run() == []
    return search


def test_what_may_be_of_two_sorts_is_one_rule() -> None:
    """A crate goes onto grass and sand, and onto nothing else: one rule says so."""
    search = found(pushes(("grass", "sand")))
    (rule,) = search.best.rules
    asked = {(how, search.things.members(name)) for how, name in rule.items}
    assert asked & {("", ("grass", "sand")), ("no", ("mud", "ice"))}


def test_what_is_done_to_two_things_is_one_rule() -> None:
    search = found(pushes(GROUNDS, "CS"))
    (rule,) = search.best.rules
    assert ("crate", "sack") in map(search.things.members, rule.names)


def test_a_rule_is_widened_by_one_thing_or_by_all_of_a_layer() -> None:
    things = Things(LAYERS, ("player",))
    push = Rule((((("", "crate"),),),), (((("right", "crate"),),),))
    members = {things.members(name) for rule in widened(push, things) for name in rule.names}
    assert members == {("player", "crate"), ("wall", "crate"), ("crate", "sack"), LAYERS[0]}
    assert all(rule.left[0][0][0][1] == rule.right[0][0][0][1] for rule in widened(push, things))


def test_a_class_has_one_name_and_no_name_is_of_two() -> None:
    things = Things([tuple("abcdefgh")], ("a",))
    assert things.either("ba") == things.either("ab") == "a-or-b"
    assert things.either("a") == "a"
    assert things.either("abcdefgh") == "any-1"
    assert things.either("abcdefg") == "any-1-but-h"
    names = [things.either(some) for some in ("abcd", "abce", "abcf")]
    assert len(set(names)) == 3
    assert [things.members(name) for name in names] == [tuple("abcd"), tuple("abce"), tuple("abcf")]


def test_what_harms_counts_more_than_what_helps() -> None:
    """A push anywhere says two turns more, and one less."""
    turns = pushes(("grass", "sand", "mud"))
    search = Search(turns, Things(LAYERS, ("player",)))
    push = Rule((((((">", "player"),), (("", "crate"),))),), (((((">", "player"),), ((">", "crate"),))),))
    step = Put(push, (False, 0), 0)
    more = [search.delta(step, n) for n in range(len(turns))]
    helps, harms = sum(one for one in more if one < 0), sum(one for one in more if one > 0)
    assert helps < 0 < harms
    assert search.delta_of_all(step, 1000) == helps + HARM * harms


def test_a_rule_that_was_right_by_chance_is_found_anew() -> None:
    """What stands under the player goes with the ground ahead in all turns but one."""
    turns = [turn for turn in pushes(("grass",)) if turn.word]
    odd = board("PC..", ["mud", "ice", "grass", ""]), board(".PC.", ["mud", "ice", "grass", ""])
    search = Search([*turns, Turn(odd[0], "right", odd[1])], Things(LAYERS, ("player",)))
    wrong = Rule(
        (((((">", "player"),), (("", "crate"), ("no", "ice")), (("", "grass"),))),),
        (((((">", "player"),), ((">", "crate"),), (("", "grass"),))),),
    )
    search.settle(search.best.with_rule(wrong, 0))
    assert 0 < len(search.wrong) < 6
    assert search.found_anew(-4)
    assert not search.wrong
    assert len(search.best.rules) == 1


class World:
    """Boards of one row on which nothing happens; what was asked is kept."""

    name, theories = "row", "puzzlescript"

    def __init__(self) -> None:
        self.asked: list[Start] = []

    def levels(self) -> list[Board]:
        return []

    def inputs(self, board: Board) -> list[str]:
        return ["up", "left", "down", "right", "action"]

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        self.asked += starts
        return [Episode(board, (Step(words[0], board),), None, False, "row") for board, words in starts]


def test_whoever_plays_is_confronted_with_everything_that_there_may_be_more_of() -> None:
    """Each thing comes to stand ahead and behind that; the one wall of each board stays where it is."""
    rows = ["#..PC.S", "C.SP..#", ".SCP..#"]
    boards = [board(row, ["", "grass", "sand", "", "mud", "", ""]) for row in rows]
    begun, gone = (board(row, [""] * 7) for row in ("...P..#", "....P.#"))
    walk = Episode(begun, (Step("right", gone),), None, False, "row")
    episodes = [walk, *(Episode(one, (Step("up", one),), None, False, "row") for one in boards)]
    world = World()
    made = confronted(world, 10 * episodes)
    assert len(made) == len(world.asked) > 100
    asked = [(start, word) for start, (word,) in world.asked]
    for way, steps in (("right", 1), ("right", 2), ("left", -1), ("left", -2)):
        met = {token for start, word in asked if word == way for token in beside(start, steps)}
        assert {"crate", "sack", *GROUNDS[:3]} <= met
    assert {word for _, word in asked} == set(world.inputs(begun))
    walls = {tuple("wall" in stack for stack in one.cells) for one in (begun, *boards)}
    assert {tuple("wall" in stack for stack in start.cells) for start, _ in asked} <= walls


def beside(start: Board, steps: int) -> frozenset[str]:
    """What stands so many cells to the right of whoever plays."""
    at = next(n for n, stack in enumerate(start.cells) if "player" in stack) + steps
    return start.cells[at] if 0 <= at < len(start.cells) else frozenset()


def test_where_nobody_goes_where_keys_say_nobody_is_confronted() -> None:
    still = board("P.C..", [""] * 5)
    episodes = [Episode(still, (Step("up", still),), None, False, "row")]
    assert confronted(World(), episodes) == []


def test_none_of_some_is_told_from_one_of_the_others() -> None:
    """Whether a crate goes onto the bare floor is asked for, where nobody saw one there."""
    turns = [turn for turn in pushes(("grass", "sand")) if turn.word]
    things = Things(LAYERS, ("player",))
    none = things.either(("mud", "ice"))
    push = Rule(
        (((((">", "player"),), (("", "crate"),), (("no", none),))),),
        (((((">", "player"),), ((">", "crate"),), ())),),
    )
    search = Search(turns, things)
    search.settle(search.best.with_rule(push, 0))
    assert not search.wrong
    (other,) = converse(push, things)
    assert ("", things.either(("grass", "sand"))) in set(other.items)
    assert set(converse(other, things)) >= {push}
    asked = questions(search.best, things, turns)
    bare = [(now, word) for now, word in asked if word == "right" and ahead_of_crate(now) == frozenset()]
    assert bare


def ahead_of_crate(start: Board) -> frozenset[str] | None:
    """What stands behind the crate that somebody pushes to the right; None where nobody does."""
    at = next((n for n, stack in enumerate(start.cells) if "player" in stack), len(start.cells))
    pushed = at + 2 < len(start.cells) and "crate" in start.cells[at + 1]
    return start.cells[at + 2] if pushed else None


def test_a_thing_is_left_out_of_a_class() -> None:
    things = Things(LAYERS, ("player",))
    three = things.either(("crate", "sack", "wall"))
    push = Rule((((("", three),),),), (((("right", three),),),))
    left = {things.members(name) for rule in smaller(push, things) for name in rule.names}
    assert left == {("wall", "crate"), ("wall", "sack"), ("crate", "sack")}


@dataclass(frozen=True)
class Found:
    """What a learner gives."""

    evidence: tuple[str, ...] = ("found",)


def test_more_is_asked_for_once_where_roll_outs_alone_do_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    still = board("P...", [""] * 4)
    one = Episode(still, (Step("up", still),), None, False, "row")
    asked, learned_from, found = list[int](), list[int](), True

    def confront(episodes: Sequence[Episode]) -> list[Episode]:
        asked.append(len(episodes))
        return [one, one]

    def ruled(self: ByRules, episodes: Sequence[Episode], name: str) -> Found:
        learned_from.append(len(episodes))
        if not found and len(episodes) < 4:
            raise NotLearned("nothing says them")
        return Found()

    monkeypatch.setattr(ByRules, "ruled", ruled)
    with account(100):
        assert ByRules(confront)([one] * 3, "row").evidence == ("found",)
        assert (asked, learned_from) == ([], [3])
        found, by = False, ByRules(confront)
        first = by([one] * 3, "row")
        assert (asked, learned_from) == ([3], [3, 3, 5])
        assert first.evidence[1].startswith("theory: told by 2 turns more")
        by([one] * 3, "row")
        assert (asked, learned_from) == ([3], [3, 3, 5, 3, 5])
        assert len(by([one] * 4, "row").evidence) == 2  # the third time that is what is tried first
    assert (asked, learned_from) == ([3], [3, 3, 5, 3, 5, 6])
