"""The small languages inside a description file: rules and goal terms. Text in, model values out.

A rule is one line, `name: conditions => effects`; a goal term is a short sentence whose first word stands
in the registry. Both are read by LALR grammars made from `SHARED_GRAMMAR`. A function from an offset in the
text to a place makes every error and every `Place` point into the file.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta

from ggp import registry
from ggp.errors import DescriptionError, Place
from ggp.files.kept import bases, digest, folder_in
from ggp.model import (
    DIRECTIONS,
    NEAR,
    Asked,
    Compared,
    Condition,
    Effect,
    InputIs,
    Nearby,
    OnBoard,
    Path,
    Pattern,
    Piece,
    Term,
    Value,
)
from ggp.model.words import NAME, STEPS, TOWARD, near_or_known

FOLDER = "parsers"  # of their tables
Locate = Callable[[int], Place]
"""From an offset in the text that is read to its place in the file."""

# What rules and goal words share. A goal word's GRAMMAR fragment defines a rule of the word's name and
# may use these (or define a terminal anew). `build(items, place)` gets a Pattern for `pattern`, a tuple of
# steps for `cell`, a tuple of str for `names`, an int or a str for `amount`, an int for INT, a str for any
# other named terminal, None for an absent optional part `[...]`. Quoted words are not among the items.
# A step that some goal word also uses as a word of its own must be a terminal here, or it is read as that.
SHARED_GRAMMAR = r"""
pattern: [BOUND] NAME [":" variant]
cell: step ("." step)*
?step: NAME | DOWN
names: NAME ("," NAME)*
amount: INT | NAME
seen: pattern cell             -> present
    | "no" pattern cell        -> absent
    | "outside" cell           -> outside
    | "inside" cell            -> inside
QUANTIFIER.2: "every" | "some" | "no"
PLACING.2: "on" | "off"
COMPARISON: "<=" | ">=" | "="
DOWN: "down"
BOUND: "$"
NAME: /[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*/
INT: /-?[0-9]+/
%ignore /[ \t]+/
"""

GOAL_GRAMMAR = """
variant: NAME | INT
"""

RULE_GRAMMAR = r"""
variant: NAME | INT | value
value: BOUND NAME [SIGN INT]
SIGN: "+" | "-"
rule: NAME header ":" condition ("," condition)* _ARROW effects
_ARROW.1: "=>"
header: ["toward" NAME+]
?condition: seen
          | "input" NAME            -> input_is
          | "count" pattern "at" spot ("," spot)* COMPARISON amount     -> nearby
          | "count" pattern [PLACING pattern] COMPARISON amount         -> counted
          | "every" pattern PLACING pattern                             -> every
          | "some" pattern PLACING pattern                              -> some
          | "no" pattern PLACING pattern                                -> none
          | value COMPARISON (value | amount)                           -> compared
spot: step ("." step)*
effects: "stay" ["," score]         -> stay
       | effect ("," effect)* ["," score]
       | score
score: _SCORE INT
_SCORE.2: /score(?=[ \t]+-?[0-9])/
effect: pattern cell "->" cell [":" variant] [if_inside]    -> move
      | "remove" pattern cell                               -> remove
      | "add" pattern cell [if_inside]                      -> add
      | "turn" pattern cell variant [if_inside]             -> turn
if_inside: "if" "inside"
%ignore /#.*/
"""

EXAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "rule": "a rule reads `push: crate here, no wall ahead => crate here -> ahead`",
        "goal": "a goal reads `every crate on target`",
    }
)
# How the terminals that have no fixed spelling are called in a message.
SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        "NAME": "a name",
        "INT": "a number",
        "COMPARISON": "`=`, `<=`, `>=`",
        "SIGN": "`+`, `-`",
        "PLACING": "`on`, `off`",
        "QUANTIFIER": "`every`, `some`, `no`",
        "_SCORE": "`score`",
        "$END": "the end",
    }
)


class RuleText(NamedTuple):
    """A rule as written. `toward` is None where the line has no `toward` header."""

    name: str
    toward: str | None
    directions: tuple[str, ...]
    conditions: tuple[Asked, ...]
    effects: tuple[Effect, ...]
    place: Place
    score: int = 0


class Done(NamedTuple):
    """What a firing does, and what it is worth."""

    effects: tuple[Effect, ...]
    score: int


# --- reading --------------------------------------------------------------------------------------------


def read_rule(line: str, locate: Locate) -> RuleText:
    """Read one line of rules; raises DescriptionError that points at what is wrong."""
    rule: RuleText = _parse(_rule_parser(), line, locate, "rule")
    return rule


def read_goal(text: str, locate: Locate) -> Term:
    """Read one goal term, such as `every crate on target`; raises DescriptionError."""
    word, items = _parse(_goal_parser(), text, locate, "goal")
    term: Term = registry.load("goal word", word).build(items, locate(0))
    return term


def read_piece(text: str, place: Place) -> Piece:
    """Read `crate`, `lemming:left` or `digit:7`; raises DescriptionError."""
    kind, colon, variant = text.partition(":")
    numeral = re.fullmatch(r"-?[0-9]{1,9}", variant)
    if not NAME.fullmatch(kind) or (colon and not numeral and not NAME.fullmatch(variant)):
        remedy = "write `kind`, `kind:facing` or `kind:value`"
        raise DescriptionError(f"{text[:60]!r} does not name a piece", remedy, place)
    return Piece(kind, (int(variant) if numeral else variant) if colon else None)


@functools.cache
def _rule_parser() -> Lark:
    return _parser(SHARED_GRAMMAR + RULE_GRAMMAR, "rule")


@functools.cache
def _goal_parser() -> Lark:
    """One grammar of all goal words in the registry."""
    shared = dict(_definitions(SHARED_GRAMMAR + GOAL_GRAMMAR))
    own: dict[str, str] = {}
    for word in registry.GOALS:
        for name, text in _definitions(registry.load("goal word", word).GRAMMAR):
            if own.setdefault(name, text).split() != text.split():
                raise ValueError(
                    f"{name} of the goal word {word} is defined otherwise by another word: rename it"
                )
    plain = "plain: " + " | ".join(word for word in registry.GOALS if word != "unless")
    grammar = "\n".join(["goal: " + " | ".join(registry.GOALS), plain, *(shared | own).values()])
    return _parser(grammar, "goal")


def _parser(grammar: str, start: str) -> Lark:
    """A parser. Its tables are kept on this machine: making them takes longer than reading most files.

    Lark looks whether what is kept was made of this grammar by this version, and makes it anew if not.
    """
    folder = folder_in(bases(FilePath(__file__).parents[1], FOLDER), FOLDER)
    file = False if folder is None else str(folder / f"{start}-{digest(grammar.encode())}")
    return Lark(grammar, start=start, parser="lalr", propagate_positions=True, cache=file)


def _definitions(grammar: str) -> Iterable[tuple[str, str]]:
    """The definitions of a grammar as (name, text), continuation lines included."""
    for text in re.split(r"\n(?=[?!]?\w[\w.]*\s*:|%)", grammar.strip()):
        name = re.match(r"%.*|[?!]?(\w+)", text)
        assert name is not None
        yield name[1] or name[0], text


def _parse(parser: Lark, text: str, locate: Locate, what: str) -> Any:
    """Run a parser and build values; faults are raised as DescriptionError."""
    try:
        return Builder(locate).transform(parser.parse(text))
    except UnexpectedInput as error:
        raise _unexpected(error, parser, text, locate, what) from None
    except VisitError as error:
        if isinstance(error.orig_exc, DescriptionError):
            raise error.orig_exc from None
        raise


def _unexpected(
    error: UnexpectedInput, parser: Lark, text: str, locate: Locate, what: str
) -> DescriptionError:
    """What the parser found and what it would have taken."""
    offset = error.pos_in_stream or 0
    token = error.token if isinstance(error, UnexpectedToken) else None
    if token is not None and token.type == "$END":
        offset, found = len(text.split("#")[0].rstrip()), f"this {what} ends too early"
    elif token is not None:
        found = f"`{token[:40]}` cannot stand here in a {what}"
    else:
        found = f"the character {text[offset]!r} cannot stand here in a {what}"
    expected = (
        getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None)
    )
    words = sorted({_spoken(parser, name) for name in expected or ()})
    if what == "goal" and offset == 0 and text:
        first = text.split()[0] if text.split() else text
        near = difflib.get_close_matches(first, re.findall(r"\w+", " ".join(words)), n=1)
        hint = f"did you mean {near[0]}?" if near else f"a goal begins with {', '.join(words)}"
        return DescriptionError(f"there is no goal word {first[:40]!r}", hint, locate(0))
    hint = f"expected {' or '.join(words)}; " if 0 < len(words) <= 8 else ""
    return DescriptionError(found, hint + EXAMPLES[what], locate(offset))


def _spoken(parser: Lark, name: str) -> str:
    """A terminal as a person would write it."""
    if name in SPOKEN:
        return SPOKEN[name]
    found = next((terminal for terminal in parser.terminals if terminal.name == name), None)
    return f"`{found.pattern.value}`" if found is not None and found.pattern.type == "str" else name.lower()


def told_apart(variant: str | int | Value | None) -> tuple[str | int | None, Value | None]:
    """A variant that is said, or one that a rule variable tells."""
    return (None, variant) if isinstance(variant, Value) else (variant, None)


# --- parse trees into values ------------------------------------------------------------------------------


@v_args(meta=True)
class Builder(Transformer[Token, Any]):
    """Turns the trees of both grammars into model values; a goal becomes (word, items)."""

    def __init__(self, locate: Locate) -> None:
        super().__init__(visit_tokens=True)
        self.locate = locate

    def at(self, where: Meta | Token) -> Place:
        """The place of a token or of a tree that is not empty."""
        return self.locate(where.start_pos or 0)

    def INT(self, token: Token) -> int:
        if len(token) > 9:
            raise DescriptionError("this number is too large", "write at most nine digits", self.at(token))
        return int(token)

    def variant(self, meta: Meta, items: list[Any]) -> str | int | Value:
        return items[0] if isinstance(items[0], int | Value) else str(items[0])

    amount = variant

    def value(self, meta: Meta, items: list[Any]) -> Value:
        _, name, sign, number = items
        return Value(str(name), 0 if number is None else -number if sign == "-" else number)

    def names(self, meta: Meta, items: list[Token]) -> tuple[str, ...]:
        return tuple(map(str, items))

    def pattern(self, meta: Meta, items: list[Any]) -> Pattern:
        bound, name, variant = items
        fixed, computed = told_apart(variant)
        return Pattern(str(name), fixed, bound is not None, computed)

    def cell(self, meta: Meta, items: list[Token]) -> Path:
        return () if list(items) == ["here"] else self.path(items, ("here", *STEPS))

    def spot(self, meta: Meta, items: list[Token]) -> Path:
        return (str(items[0]),) if len(items) == 1 and items[0] in NEAR else self.path(items, (*NEAR, *STEPS))

    def path(self, items: list[Token], known: Iterable[str]) -> Path:
        """The steps of a path; raises DescriptionError for a word that is none."""
        for token in items:
            if token in ("here", *NEAR) and len(items) > 1:
                message = f"there is no step `{token}`: it names cells by itself"
                raise DescriptionError(message, "leave it out, or write it alone", self.at(token))
            if token not in STEPS:
                hint = near_or_known(token, known)
                raise DescriptionError(f"there is no step `{token[:40]}`", hint, self.at(token))
        return tuple(map(str, items))

    def present(self, meta: Meta, items: list[Any]) -> Condition:
        return Condition("present", items[1], items[0], self.at(meta))

    def absent(self, meta: Meta, items: list[Any]) -> Condition:
        return Condition("absent", items[1], items[0], self.at(meta))

    def outside(self, meta: Meta, items: list[Any]) -> Condition:
        return Condition("outside", items[0], None, self.at(meta))

    def inside(self, meta: Meta, items: list[Any]) -> Condition:
        return Condition("inside", items[0], None, self.at(meta))

    def input_is(self, meta: Meta, items: list[Token]) -> InputIs:
        return InputIs(str(items[0]), self.at(meta))

    def nearby(self, meta: Meta, items: list[Any]) -> Nearby:
        pattern, *cells, comparison, number = items
        return Nearby(pattern, tuple(cells), str(comparison), number, self.at(meta))

    def compared(self, meta: Meta, items: list[Any]) -> Compared:
        return Compared(items[0], str(items[1]), items[2], self.at(meta))

    def counted(self, meta: Meta, items: list[Any]) -> OnBoard:
        return self.sentence("count", items, meta)

    def every(self, meta: Meta, items: list[Any]) -> OnBoard:
        return self.sentence("on", ["every", *items], meta)

    def some(self, meta: Meta, items: list[Any]) -> OnBoard:
        return self.sentence("on", ["some", *items], meta)

    def none(self, meta: Meta, items: list[Any]) -> OnBoard:
        return self.sentence("on", ["no", *items], meta)

    def sentence(self, word: str, items: list[Any], meta: Meta) -> OnBoard:
        """A condition that is said, and means the same, as by a goal word."""
        return OnBoard(registry.load("goal word", word).build(items, self.at(meta)), self.at(meta))

    def move(self, meta: Meta, items: list[Any]) -> Effect:
        fixed, computed = told_apart(items[3])
        pattern, path, to = items[:3]
        return Effect("move", pattern, path, to, fixed, self.at(meta), bool(items[4]), computed)

    def remove(self, meta: Meta, items: list[Any]) -> Effect:
        return Effect("remove", items[0], items[1], place=self.at(meta))

    def add(self, meta: Meta, items: list[Any]) -> Effect:
        return Effect("add", items[0], items[1], place=self.at(meta), if_inside=bool(items[2]))

    def turn(self, meta: Meta, items: list[Any]) -> Effect:
        fixed, computed = told_apart(items[2])
        return Effect("turn", items[0], items[1], None, fixed, self.at(meta), bool(items[3]), computed)

    def if_inside(self, meta: Meta, items: list[Any]) -> bool:
        return True

    def stay(self, meta: Meta, items: list[Any]) -> Done:
        return Done((), items[0] or 0)

    def effects(self, meta: Meta, items: list[Any]) -> Done:
        effects = tuple(one for one in items if isinstance(one, Effect))
        return Done(effects, next((one for one in items if isinstance(one, int)), 0))

    def score(self, meta: Meta, items: list[int]) -> int:
        return items[0]

    def header(self, meta: Meta, items: list[Token | None]) -> tuple[str | None, tuple[str, ...]]:
        words = [token for token in items if token is not None]
        for token in words:
            if token not in (*TOWARD, *DIRECTIONS):
                hint = near_or_known(token, (*TOWARD, *DIRECTIONS))
                raise DescriptionError(f"there is no direction `{token[:40]}`", hint, self.at(token))
            if len(words) > 1 and (token in TOWARD or words.count(token) > 1):
                remedy = f"write one of {', '.join(TOWARD)}, or directions such as `toward left right`"
                raise DescriptionError(
                    f"`{token}` cannot stand with other directions", remedy, self.at(token)
                )
        if not words or words[0] in TOWARD:
            return (str(words[0]) if words else None), DIRECTIONS
        return "any", tuple(map(str, words))

    def rule(self, meta: Meta, items: list[Any]) -> RuleText:
        name, (toward, directions), *conditions, done = items
        where = self.at(meta)
        return RuleText(str(name), toward, directions, tuple(conditions), done.effects, where, done.score)

    def plain(self, meta: Meta, items: list[Any]) -> Term:
        """A goal term within another one."""
        word, inner = self.goal(meta, items)
        term: Term = registry.load("goal word", word).build(inner, self.at(meta))
        return term

    def excuse(self, meta: Meta, items: list[Term]) -> tuple[Term, ...]:
        """The terms that together excuse another one."""
        return tuple(items)

    def goal(self, meta: Meta, items: list[Any]) -> tuple[str, list[Any]]:
        tree = items[0]
        return str(tree.data), [str(item) if isinstance(item, Token) else item for item in tree.children]
