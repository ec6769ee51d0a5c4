"""Rules and goal terms as text: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.errors import DescriptionError, Place
from ggp.goals.count import Count
from ggp.goals.different import Different
from ggp.goals.on import On
from ggp.language import rule_language
from ggp.language.rule_language import RuleText, read_goal, read_piece, read_rule
from ggp.model import DIRECTIONS, Condition, Effect, InputIs, Pattern, Piece


def locate(offset: int) -> Place:
    return Place("game.toml", 7, offset + 1)


def rule(text: str) -> RuleText:
    return read_rule(text, locate)


def fault(text: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        rule(text)
    return str(caught.value)


def goal_fault(text: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        read_goal(text, locate)
    return str(caught.value)


def condition(text: str) -> Condition | InputIs:
    return rule(f"r: {text} => stay").conditions[0]


def effect(text: str) -> Effect:
    return rule(f"r: x here => {text}").effects[0]


# --- rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("crate here", Condition("present", (), Pattern("crate"))),
        ("no crate ahead.ahead", Condition("absent", ("ahead", "ahead"), Pattern("crate"))),
        ("me:left left.down", Condition("present", ("left", "down"), Pattern("me", "left"))),
        ("me:behind up", Condition("present", ("up",), Pattern("me", "behind"))),
        ("digit:7 here", Condition("present", (), Pattern("digit", 7))),
        ("digit:-7 here", Condition("present", (), Pattern("digit", -7))),
        ("$colour leftward", Condition("present", ("leftward",), Pattern("colour", None, True))),
        ("no $colour:up down", Condition("absent", ("down",), Pattern("colour", "up", True))),
        ("outside rightward", Condition("outside", ("rightward",))),
        ("inside behind", Condition("inside", ("behind",))),
        ("input action", InputIs("action")),
        ("input ahead", InputIs("ahead")),
        ("dark-blue-2 here", Condition("present", (), Pattern("dark-blue-2"))),
        ("nobody here", Condition("present", (), Pattern("nobody"))),
    ],
)
def test_conditions(text: str, expected: Condition | InputIs) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("crate here -> ahead", Effect("move", Pattern("crate"), (), ("ahead",))),
        ("me here->ahead:ahead", Effect("move", Pattern("me"), (), ("ahead",), "ahead")),
        ("digit:1 up -> here :2", Effect("move", Pattern("digit", 1), ("up",), (), 2)),
        ("remove $gem down", Effect("remove", Pattern("gem", None, True), ("down",))),
        ("add me:left up", Effect("add", Pattern("me", "left"), ("up",))),
        ("turn me here behind", Effect("turn", Pattern("me"), (), None, "behind")),
        ("turn digit:1 here 2", Effect("turn", Pattern("digit", 1), (), None, 2)),
    ],
)
def test_effects(text: str, expected: Effect) -> None:
    assert effect(text) == expected


def test_stay_is_a_rule_without_effects() -> None:
    assert rule("rest: crate here => stay").effects == ()


def test_several_conditions_and_effects() -> None:
    read = rule("push: me here, crate ahead => crate ahead -> ahead.ahead, me here -> ahead")
    assert (read.name, len(read.conditions), len(read.effects)) == ("push", 2, 2)
    assert (read.toward, read.directions) == (None, DIRECTIONS)


@pytest.mark.parametrize(
    ("header", "toward", "directions"),
    [
        ("toward facing", "facing", DIRECTIONS),
        ("toward input", "input", DIRECTIONS),
        ("toward none", "none", DIRECTIONS),
        ("toward any", "any", DIRECTIONS),
        ("toward left right", "any", ("left", "right")),
        ("toward down", "any", ("down",)),
    ],
)
def test_headers(header: str, toward: str, directions: tuple[str, ...]) -> None:
    read = rule(f"roll {header}: rock here => rock here -> ahead")
    assert (read.toward, read.directions) == (toward, directions)


def test_comments_and_blanks_mean_nothing() -> None:
    assert rule("  a  :x here=>stay# as it is")[:5] == rule("a: x here => stay")[:5]


def test_words_of_the_language_can_name_rules() -> None:
    assert [rule(f"{name}: x here => stay").name for name in ("turn", "stay", "toward")] == [
        "turn",
        "stay",
        "toward",
    ]


def test_places_point_at_the_words() -> None:
    read = rule("push: me here, crate ahead => me here -> ahead")
    assert [part.place for part in (*read.conditions, *read.effects)] == [locate(6), locate(15), locate(30)]


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("push me here => stay", 6, "`me` cannot stand here in a rule\n  expected `:` or `toward`"),
        ("push: me heer => stay", 10, "there is no step `heer`\n  did you mean `here`?"),
        ("push: me up.ahed => stay", 13, "there is no step `ahed`\n  did you mean `ahead`?"),
        ("push: me here.up => stay", 10, "there is no step `here`: it names cells by itself\n  leave it out"),
        ("push: me here crate ahead => stay", 15, "`crate` cannot stand here in a rule\n  expected `,`"),
        ("push: me here", 14, "this rule ends too early\n  expected `,` or `=>`"),
        ("push: me here =>", 17, "this rule ends too early"),
        ("push: me here = stay", 15, "`=` cannot stand here in a rule"),
        ("push: => stay", 7, "`=>` cannot stand here in a rule"),
        ("push: me here => me here ahead", 26, "`ahead` cannot stand here in a rule"),
        ("push: mé here => stay", 8, "the character 'é' cannot stand here in a rule"),
        ("push: me:1234567890 here => stay", 10, "this number is too large"),
        ("push toward sideways: me here => stay", 13, "there is no direction `sideways`"),
        ("push toward lefft: me here => stay", 13, "did you mean `left`"),
        ("push toward any left: me here => stay", 13, "`any` cannot stand with other directions"),
        ("push toward left left: me here => stay", 13, "`left` cannot stand with other directions"),
    ],
)
def test_faults_say_where_and_what_was_expected(text: str, column: int, words: str) -> None:
    message = fault(text)
    assert message.startswith(f"game.toml:7:{column}: error: ")
    assert words in message


# --- goals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every crate on target", On("every", Pattern("crate"), "on", Pattern("target"))),
        ("no lemming:left off exit", On("no", Pattern("lemming", "left"), "off", Pattern("exit"))),
        ("some onion on nobody", On("some", Pattern("onion"), "on", Pattern("nobody"))),
        ("count peg = 1", Count(Pattern("peg"), "=", 1)),
        ("count gem on hand >= gems", Count(Pattern("gem"), ">=", "gems", "on", Pattern("hand"))),
        ("count count <= count", Count(Pattern("count"), "<=", "count")),
        ("different digit in rows, boxes", Different("digit", ("rows", "boxes"))),
    ],
)
def test_goals(text: str, expected: object) -> None:
    term = read_goal(text, locate)
    assert term == expected
    assert read_goal(expected.source(), locate) == expected  # type: ignore[attr-defined]


def test_a_goal_knows_its_place() -> None:
    assert getattr(read_goal("every crate on target", locate), "place") == locate(0)  # noqa: B009


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("evry crate on target", 1, "there is no goal word 'evry'\n  did you mean every?"),
        ("xyzzy", 1, "there is no goal word 'xyzzy'\n  a goal begins with"),
        ("every crate", 12, "this goal ends too early\n  expected `on`, `off`"),
        ("every crate in target", 13, "cannot stand here in a goal"),
        ("count crate == 3", 14, "cannot stand here in a goal"),
        ("", 1, "this goal ends too early"),
    ],
)
def test_goal_faults(text: str, column: int, words: str) -> None:
    message = goal_fault(text)
    assert message.startswith(f"game.toml:7:{column}: error: ")
    assert words in message


# --- pieces ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("crate", Piece("crate")),
        ("me:left", Piece("me", "left")),
        ("digit:12", Piece("digit", 12)),
        ("digit:-1", Piece("digit", -1)),
    ],
)
def test_pieces(text: str, piece: Piece) -> None:
    assert read_piece(text, Place("x")) == piece


@pytest.mark.parametrize("text", ["", ":", "a:", "7", "a b", "a:left:up", "a:9999999999", "é"])
def test_what_is_no_piece(text: str) -> None:
    with pytest.raises(DescriptionError, match="does not name a piece"):
        read_piece(text, Place("x"))


def test_a_parser_is_kept_and_made_anew_where_what_is_kept_is_spoilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_language, "bases", lambda package, sort: [tmp_path])
    grammar = 'word: "a" INT\nINT: /[0-9]+/\n%ignore " "'
    made = rule_language._parser(grammar, "word").parse("a 12")
    (kept,) = (tmp_path / rule_language.FOLDER).iterdir()
    stamp = kept.stat().st_mtime_ns
    assert rule_language._parser(grammar, "word").parse("a 12") == made
    assert kept.stat().st_mtime_ns == stamp, "it was made once more"
    kept.write_bytes(kept.read_bytes()[:-20])
    assert rule_language._parser(grammar, "word").parse("a 12") == made
    rule_language._parser(grammar + "\n", "word")
    assert len(list((tmp_path / rule_language.FOLDER).iterdir())) == 2
