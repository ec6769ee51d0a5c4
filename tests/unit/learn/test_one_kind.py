"""Kinds that are moved alike: learned as one, said of each, and written as a class."""

from __future__ import annotations

from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Turn, board_of, turns_of
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Program
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.evidence.moved_alike import one_name
from ggp.learn.turn.one_kind import OneKind, in_rows
from ggp.learn.turn.turns import learn_ends
from ggp.learn.whole import learn_whole
from ggp.learn.write.one_rule import OneRule
from ggp.model import Condition, Effect, Pattern, Rule
from tests.slow import more_of
from tests.unit.learn.test_blind import VARIANTS, watched

NUDGE = str(VARIANTS / "nudge.toml")


def row(text: str) -> Board:
    """A board of one row."""
    return board_of([[[] if char == "." else [char] for char in text]])


def pushed(*told: tuple[str, str]) -> list[Turn]:
    """Turns to the right, by their boards."""
    return [Turn(row(before), "right", row(after)) for before, after in told]


def test_whoever_moves_otherwise_has_its_own_name() -> None:
    """Red crates and blue ones are pushed alike; the player is not, and green ones never go."""
    turns = pushed(
        *((f"P{crate}{rest}", f".P{crate}{rest[1:]}") for crate in "rb" for rest in ("..", ".#", ".g", ".r")),
        *((f"P.{rest}", f".P{rest}") for rest in ("g#", "r#", "b#", "..")),
        *((f"P{crate}#.", f"P{crate}#.") for crate in "rbg"),
    )
    structure = structure_of(turns)
    assert one_name(turns, structure) == {"r": "b"}
    assert one_name(turns[4:], structure_of(turns[4:])) == {}  # nobody saw a red one pushed


def test_what_goes_in_a_row_goes_one_by_one() -> None:
    """Of two crates of one name it looks as if the first had gone over the second."""
    gone, come = (Change(sign, place, Seen("b")) for sign, place in (("-", (1, 0)), ("+", (3, 0))))
    there = Asked((2, 0), frozenset({Seen("b")}))
    moves = [(one.offset, other.offset) for one, other in in_rows([(gone, come)], [there], "b")]
    assert moves == [((1, 0), (2, 0)), ((2, 0), (3, 0))]
    assert list(in_rows([(gone, come)], [], "b")) == [(gone, come)]  # it jumps
    kinds = OneKind(structure_of(pushed(("Pb.", ".Pb"), ("Pr.", ".Pr"))), {"r": "b"})
    told = kinds.decisions(Decision((there,), (come, gone)), "P", "P")
    assert [sorted((c.sign, c.offset[0], c.thing.name) for c in one.outcome) for one in told] == [
        [("+", 2, one), ("+", 3, other), ("-", 1, one), ("-", 2, other)] for one in "br" for other in "br"
    ]


def test_crates_of_two_colours_are_learned_as_one_and_said_in_few_words() -> None:
    """Each is pushed where nothing bars its way; a blue one before a red one was never seen."""
    turns = pushed(
        *((f"P{crate}{rest}.", f".P{crate}{rest}") for crate in "rb" for rest in ("", ".", "..")),
        *((f"P.{crate}{rest}", f".P{crate}{rest}") for crate in "rb" for rest in ("", ".", "#", ".#")),
        *(
            (f"P{barred}", f"P{barred}")
            for barred in ("#..", "r#.", "b#.", "rr.", "bb.", "rb.", "rr#", "bb#")
        ),
        *((f"P.{rest}", f".P{rest}") for rest in ("..", "#.", ".r", ".b")),
    )
    program = learn_ends(turns, structure_of(turns))
    assert program.cost < 5 and not any(map(program.wrong, turns))
    assert program.after(row("Pbr."), "right") == row("Pbr.")
    assert program.after(row("Pb.r"), "right") == row(".Pbr")


def rule(*kinds: str, wants: str = "present") -> Rule:
    """A rule by which what is ahead is pushed, for each kind that may be there."""
    (kind, beyond) = kinds
    here, there = Pattern("player"), Pattern(kind)
    conditions = (Condition("present", (), here), Condition("present", ("ahead",), there))
    last = Condition(wants, ("ahead", "ahead"), Pattern(beyond))  # type: ignore[arg-type]
    effects = Effect("move", there, ("ahead",), ("ahead", "ahead")), Effect("move", here, (), ("ahead",))
    return Rule("push", "input", (*conditions, last), effects)


def named(kinds: object) -> str:
    """A class by its kinds."""
    return "-or-".join(sorted(kinds))  # type: ignore[call-overload]


def test_rules_that_differ_in_one_kind_become_one() -> None:
    apart = {frozenset({"red", "blue"})}
    few = OneRule({"any": ("wall", "gate")}, apart, named).as_few
    assert few([rule("red", "any"), rule("blue", "any")]) == (rule("blue-or-red", "any"),)
    every = [rule(one, other) for one in ("red", "blue") for other in ("red", "blue")]
    assert few(every) == (rule("blue-or-red", "blue-or-red"),)
    assert few([rule("red", "any"), rule("red", "ice")]) == (rule("red", "gate-or-ice-or-wall"),)


@more_of(
    test_crates_of_two_colours_are_learned_as_one_and_said_in_few_words,
    test_whoever_moves_otherwise_has_its_own_name,
    test_what_goes_in_a_row_goes_one_by_one,
    test_rules_that_differ_in_one_kind_become_one,
)
def test_pairs_that_were_never_seen_are_moved_as_others_are() -> None:
    """Cars before cars of two kinds are sixteen rules, few of which are seen.

    They are written as one, of a class.
    """
    learned = learn_whole(watched(NUDGE, 60), "nudge")
    program = learned.program
    assert isinstance(program, Program) and program.cost < 8
    lane = [[["car:left"], ["red:right"], ["red:left"], ["car:right"], []]]
    moved = [[[], ["car:left"], ["red:right"], ["red:left"], ["car:right"]]]
    assert program.after(board_of(lane), "pick(0,1,right)") == board_of(moved)
    assert not any(map(program.wrong, turns_of(watched(NUDGE, 20, 1))))
    assert len([rule for group in learned.game.turn for rule in group.rules]) == 3
    assert "car-or-red:ahead ahead.ahead -> ahead.ahead.ahead" in write_game(learned.game, learned.levels)


def test_rules_that_mean_something_else_together_stay_two() -> None:
    red, blue = rule("red", "wall"), rule("blue", "wall")
    assert OneRule({}, set(), named).as_few([red, blue]) == (red, blue)  # both may lie in one cell
    few = OneRule({}, {frozenset({"red", "blue"})}, named).as_few
    assert few([red, rule("green", "wall"), blue]) == (red, rule("green", "wall"), blue)
    neither = [rule("red", beyond, wants="absent") for beyond in ("wall", "gate")]
    assert few(neither) == tuple(neither)  # no wall, or no gate, is not neither
