"""What validation finds in games and levels that no file was read for: those that programs make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from ggp.language.levels import builtin
from ggp.language.validate import findings
from ggp.model import (
    Class,
    Condition,
    Design,
    Effect,
    Game,
    Goal,
    Group,
    Kind,
    Known,
    Level,
    Pattern,
    Piece,
    Plan,
    Rule,
    Scatter,
)


def a_game(**changes: Any) -> Game:
    kinds = (Kind("a", "x"), Kind("b", "x", ("left",)), Kind("c", "y", values=(1, 3)))
    goal = Goal((builtin("sokoban")[0].goal.terms[0],))
    goal = Goal(tuple(replace(term, what=Pattern("a"), ground=Pattern("c")) for term in goal.terms))  # type: ignore[type-var]
    return replace(Game("g", "g", kinds, goal), **changes)


def a_level(**changes: Any) -> Level:
    return replace(Level("l", ((frozenset({Piece("a")}),),), horizon=0), **changes)


def said(game: Game, levels: Iterable[Level] = ()) -> str:
    return "\n".join(str(finding) for finding in findings(game, levels) if finding.severity == "error")


HERE = (Condition("present", (), Pattern("a")),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kinds": ()}, "the game has no kinds"),
        ({"kinds": (Kind("a", "x"), Kind("a", "y"), Kind("c", "z"))}, "2 kinds or classes are called `a`"),
        ({"kinds": (Kind("no", "x"),)}, "`no` is a word of the rule language"),
        ({"kinds": (Kind("a b", "x"),)}, "'a b' is not a name"),
        ({"kinds": (Kind("a", "x", ("ahead",)),)}, "`a` cannot face `ahead`"),
        ({"kinds": (Kind("a", "x", ("up",), (1, 2)),)}, "cannot have both facings and values"),
        ({"symbols": (("ab", ()),)}, "'ab' is not one character"),
        ({"symbols": (("x", (Piece("z"),)),)}, "there is no kind `z`"),
        ({"symbols": (("x", (Piece("b"),)),)}, "`b` needs a facing"),
        ({"symbols": (("x", (Piece("c"),)),)}, "`c` needs a value"),
        ({"symbols": (("x", (Piece("a", "up"),)),)}, "`a` has neither facings nor values"),
        ({"goal": Goal(())}, "the game has no goal"),
        ({"players": ()}, "each player needs a name"),
        ({"chance": (Scatter("a", 1, ("q",)),)}, "there is no kind or class `q`"),
        ({"design": Design(("c",), ("c",), 1, True)}, "`limit` means nothing with `fill`"),
        ({"physics": (Group("g", ()),)}, "this group has no rules"),
        ({"physics": (Group("g", (Rule("r", "none", (), ()),)),)}, "rule r: it has no conditions"),
        ({"physics": (Group("g", (Rule("r", "any", HERE, (), ()),)),)}, "() are not directions"),
        (
            {"physics": (Group("g", (Rule("r", "none", HERE, (Effect("turn", Pattern("a"), ()),)),)),)},
            "`turn` says no new facing",
        ),
        (
            {"physics": (Group("g", (Rule("r", "none", HERE, (Effect("remove", Pattern("a"), ("x",)),)),)),)},
            "there is no step `x`",
        ),
        ({"classes": (Class("k", ("l",)), Class("l", ("k",)))}, "the class `k` contains itself"),
    ],
)
def test_games_made_by_programs(changes: dict[str, Any], message: str) -> None:
    assert message in said(a_game(**changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": ()}, "the map is empty"),
        ({"board": ((),)}, "the map is empty"),
        ({"board": ((frozenset(),), (frozenset(), frozenset()))}, "the rows of the map differ in length"),
        ({"board": ((frozenset({Piece("q")}),),)}, "cell (0, 0): there is no kind `q`"),
        ({"board": ((frozenset({Piece("c", 9)}),),)}, "there is no `c:9` in this level"),
        ({"board": ((frozenset({Piece("a"), Piece("b", "left")}),),)}, "`a` and `b:left` share a cell"),
        ({"horizon": None}, "there is no horizon"),
        ({"horizon": -1}, "the horizon is -1"),
        ({"regions": (("r", ((),)),)}, "a region of `r` is empty"),
        ({"regions": (("r", (((0, 1),),)),)}, "a region of `r` is empty or leaves the board"),
        ({"regions": (("r", (((0, 0), (0, 0)),)),)}, "a region of `r` holds a cell twice"),
        ({"known": Known(wins=(Plan((), ("UP",)),))}, "'UP' is not an action"),
    ],
)
def test_levels_made_by_programs(changes: dict[str, Any], message: str) -> None:
    assert said(a_game(), [a_level()]) == ""
    assert message in said(a_game(), [a_level(**changes)])


def test_levels_of_one_name() -> None:
    assert "2 levels are called 'l'" in said(a_game(), [a_level(), a_level()])


def test_what_is_never_used() -> None:
    game = a_game(classes=(Class("k", ("a",)),))
    found = [finding for finding in findings(game, [a_level()]) if finding.severity == "warning"]
    said = [finding.message for finding in found if not finding.message.startswith("level")]
    never = "`c` can never be there: no symbol draws it, and no rule adds it"
    assert said == ["`b` is never used", never, "`k` is never used"]
    drawn = a_level(board=((frozenset({Piece("c", 1)}),),))
    assert never not in [finding.message for finding in findings(game, [drawn])]


@pytest.mark.parametrize(("values", "warned"), [((1, 3), True), ((1, "width"), False), (("width", 8), True)])
def test_a_value_that_is_never_there_is_warned_of(values: tuple[int | str, int | str], warned: bool) -> None:
    """A facing that a kind has not is an error; a value was asked for in silence."""
    kinds = (Kind("a", "x"), Kind("b", "x", ("left",)), Kind("c", "y", values=values))
    asked = Condition("present", ("up",), Pattern("c", 9))
    rule = Rule("r", "none", (*HERE, asked), (Effect("remove", Pattern("a"), ()),))
    game = replace(a_game(), kinds=kinds, physics=(Group("g", (rule,)),))
    told = [str(one) for one in findings(game, ()) if "rule r: there is never a `c:9`" in one.message]
    assert bool(told) == warned and all("warning" in one and "its values go from" in one for one in told)
