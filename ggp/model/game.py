"""What a puzzle is: frozen values, no behaviour.

A `Game` has kinds, rules and a goal; a `Level` is one map with its numbers; an `Instance` is both. What
they mean is said in `ggp.referee.semantics`, how they are written in `ggp.language.description`. Cells are
pairs (row, column) counted from 0 at the top left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from ggp.errors import Place
from ggp.model.hints import Hints
from ggp.model.scan import Scan
from ggp.model.shown import Shown, line, number_of

Cell = tuple[int, int]
MOST_TURNS = MOST_PASSES = 100_000  # of a run, of a loop: no horizon and no bound is larger
DIRECTIONS = ("up", "right", "down", "left")  # the order in which a rule is turned
OFFSETS: Mapping[str, Cell] = MappingProxyType(
    {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
)
# Quarter turns clockwise from the direction that `ahead` stands for.
RELATIVE: Mapping[str, int] = MappingProxyType({"ahead": 0, "rightward": 1, "behind": 2, "leftward": 3})

# Words for several cells round one, each as steps from it.
NEAR: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        "here": ((),),
        "beside": (("up",), ("right",), ("down",), ("left",)),
        "around": (
            *(("up", "left"), ("up",), ("up", "right"), ("left",)),
            *(("right",), ("down", "left"), ("down",), ("down", "right")),
        ),
    }
)

Amount = int | str
"""A number, or the name of one of the level's numbers (`horizon`, `budget`, `height`, `width`, ...)."""


class Piece(NamedTuple):
    """Something that stands in a cell: a kind and, where the kind has one, its variant.

    The variant is a facing (`"left"`) or a value (`7`). Pieces are written `crate`, `lemming:left`,
    `digit:7`.
    """

    kind: str
    variant: str | int | None = None

    def __str__(self) -> str:
        return self.kind if self.variant is None else f"{self.kind}:{self.variant}"


@dataclass(frozen=True, slots=True)
class Kind:
    """What can stand in a cell. A kind has facings, or values, or neither.

    `values` are inclusive bounds. `count` bounds how many a level's map must hold (None: any number).
    """

    name: str
    layer: str
    facings: tuple[str, ...] = ()
    values: tuple[Amount, Amount] | None = None
    merge: bool = False  # two of the same facing that meet become one
    marker: bool = False  # vanishes at the end of the turn
    hidden: bool | str = False  # not seen by the player: never, or where such a kind or class stands, too
    count: tuple[int, int | None] | None = None
    tile: str = ""  # the name of a picture in ggp/render/tiles
    colour: str = ""
    place: Place | None = field(default=None, compare=False)
    narrow: bool = False  # for pictures: rows and columns between the cells cross where it stands


@dataclass(frozen=True, slots=True)
class Class:
    """A name for several kinds. One that depends on the direction has members per direction."""

    name: str
    members: tuple[str, ...] = ()
    by_direction: tuple[tuple[str, tuple[str, ...]], ...] = ()
    place: Place | None = field(default=None, compare=False)


# --- rules ------------------------------------------------------------------------------------------

Path = tuple[str, ...]
"""Steps from the anchor: () is `here`, ("left", "down") is `left.down`, ("ahead",) is relative."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a rule variable over values (`$n`) stands for, and so much more: `$n + 1`."""

    name: str
    plus: int = 0

    def __str__(self) -> str:
        return f"${self.name}" + (f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}" if self.plus else "")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind or class as a rule names it, with the variant asked for.

    `variant` is None (any), a facing, a value, or a relative facing (`ahead`, `behind`, ...).
    `bound` marks a rule variable over the class (`$colour`): the same kind wherever it stands in the rule.
    `computed` is a value that a rule variable tells (`tile:$n + 1`); then there is no `variant`.
    """

    name: str
    variant: str | int | None = None
    bound: bool = False
    computed: Value | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold at one cell. `outside` and `inside` ask for the edge of the board, not for a kind."""

    wants: Literal["present", "absent", "outside", "inside"]
    path: Path
    pattern: Pattern | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class InputIs:
    """The condition that the player's input is this one: a direction, `ahead` and its like, or a verb.

    Where several players take turns the name of the one whose input it is may be asked, too.
    """

    word: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Nearby:
    """The condition that so many of some cells hold a piece that matches; a cell named twice counts twice.

    `cells` are paths, or a word of `NEAR` alone: `cells_counted` of `ggp.model.board` spells these out.
    """

    pattern: Pattern
    cells: tuple[Path, ...]
    comparison: str
    number: Amount
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class OnBoard:
    """The condition that something holds of the whole board, said as a goal says it: `count gem = 0`."""

    sentence: Term
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Compared:
    """The condition that two values compare so, such as `$n + 1 <= $m`."""

    left: Value
    comparison: str
    right: Value | Amount
    place: Place | None = field(default=None, compare=False)


Asked = Condition | InputIs | Nearby | OnBoard | Compared
"""Whatever a rule may ask before it fires."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a firing changes. `move` takes the pieces that match from `path` to `to`; `turn` re-faces them.

    `variant` is the new facing or value of what was moved or turned (None: as it was), `computed` a new value
    that a rule variable tells; where there is no such value the rule does not match. `if_inside`: left out
    where it would put something outside the board; without it the rule does not match there.
    """

    verb: Literal["move", "remove", "add", "turn"]
    pattern: Pattern
    path: Path
    to: Path | None = None
    variant: str | int | None = None
    place: Place | None = field(default=None, compare=False)
    if_inside: bool = False
    computed: Value | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A local rewrite. `toward` says what relative directions are relative to.

    `facing`: the facing of the subject; `input`: the direction of the input; `any`: each of `directions`
    in turn; `none`: the rule has no relative direction. A rule without effects still fires, and so
    keeps the rules below it from firing for the same subject.
    """

    name: str
    toward: Literal["facing", "input", "any", "none"]
    conditions: tuple[Asked, ...]
    effects: tuple[Effect, ...]
    directions: tuple[str, ...] = DIRECTIONS
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Rules of which, for each subject, the first that matches fires. One run of a group is a pass.

    With `bound` it runs until a pass changes nothing, which must happen within that many passes.

    With `draw` chance says what fires of all that matches: `one` firing, or one for `each` subject.
    `weights` are those of the rules, in their order; without them each firing is as likely as any other.
    """

    name: str
    rules: tuple[Rule, ...]
    bound: Amount | None = None
    place: Place | None = field(default=None, compare=False)
    draw: Literal["one", "each"] | None = None
    weights: tuple[int | Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Groups run one after another, again and again until a run changes nothing, within `bound` runs.

    In descriptions these are groups; a block may stand in one where a game of passes is made of another game.
    """

    name: str
    groups: tuple[Group | Block, ...]
    bound: Amount
    place: Place | None = field(default=None, compare=False)


Phase = Group | Block


def groups_of(phase: Phase) -> tuple[Group, ...]:
    """A group by itself, or all groups of a block."""
    if isinstance(phase, Group):
        return (phase,)
    return tuple(group for inner in phase.groups for group in groups_of(inner))


Stuck = Literal["draws", "loses", "passes"]


# --- what the player decides, what chance decides ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Design:
    """What may be placed before the run.

    One of `kinds` may stand on a free cell: one that holds nothing of the kinds and classes in `free_of`.
    With `fill` every free cell takes exactly one, else at most `limit` are placed in all (None: no limit),
    or at most so many of each kind that `limits` names.
    """

    kinds: tuple[str, ...]
    free_of: tuple[str, ...]
    limit: Amount | None = None
    fill: bool = False
    place_in_file: Place | None = field(default=None, compare=False)
    limits: tuple[tuple[str, Amount], ...] = ()

    @property
    def named(self) -> str:
        """What is placed, in words."""
        return " or ".join(self.kinds)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """The limits, whatever they are of."""
        return (*(() if self.limit is None else (self.limit,)), *(limit for _, limit in self.limits))


@dataclass(frozen=True, slots=True)
class Input:
    """What the player may do each turn.

    `moves`: directions; `verbs`: buttons without a direction (`action`); `pick`: the name of the marker
    that a picked cell gets, a kind with facings where the pick has a direction; `wait`: a turn that
    changes nothing is allowed.

    Where several players take turns: `again` is a marker, and whoever's turn ends with one on the board has
    the next turn, too; `stuck` says what becomes of a player who has no legal input. `simultaneous`: in each
    turn all of them choose, and nobody sees what the others do.
    """

    moves: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    pick: str | None = None
    wait: bool = False
    place: Place | None = field(default=None, compare=False)
    again: str | None = None
    stuck: Stuck = "draws"
    simultaneous: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Chance: `count` pieces of `kind` laid at random on cells that hold nothing of `free_of`.

    `when`: before the first turn, or in it, after the input is known: then the marker of a pick can be among
    what must not be there. `tells`: goal words that hold whenever such pieces have been laid, by which who
    sees some of the board can reckon where the others are.
    """

    kind: str
    count: Amount
    free_of: tuple[str, ...] = ()
    place: Place | None = field(default=None, compare=False)
    variant: str | int | None = None
    when: Literal["start", "first-turn"] = "start"
    tells: tuple[Term, ...] = ()

    @property
    def piece(self) -> Piece:
        """What is laid."""
        return Piece(self.kind, self.variant)


# --- goals, objectives --------------------------------------------------------------------------------


class Term(Protocol):
    """One goal word with its arguments; the classes stand in `ggp.goals`, one file a word."""

    @property
    def word(self) -> str:
        """The goal word, as the registry names it."""

    def holds(self, instance: Instance, state: Any) -> bool:
        """Judge it: does it hold in this `ggp.model.board.State`?"""

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards, in any algebra of `ggp.algebras`."""

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""

    def source(self) -> str:
        """The text of the term in a description."""

    def say(self, instance: Instance) -> str:
        """The term in words, for people."""


@dataclass(frozen=True, slots=True)
class Goal:
    """All `terms` hold: at the horizon, or at any turn up to it (then the run ends when they first do).

    Where several players take turns it is the goal, and the loss, of the one who has made the turn. Where
    they move at the same time each has a goal: `own` has the terms of each player, in their order.
    """

    terms: tuple[Term, ...]
    when: Literal["horizon", "any-turn"] = "any-turn"
    lose: tuple[Term, ...] = ()  # if any of these holds the run is lost; losing wins ties
    place: Place | None = field(default=None, compare=False)
    own: tuple[tuple[Term, ...], ...] = ()

    @property
    def every_term(self) -> tuple[Term, ...]:
        """All terms, whatever they decide."""
        return (*self.terms, *self.lose, *(term for terms in self.own for term in terms))

    def sources(self, players: tuple[str, ...]) -> list[str]:
        """The texts of what wins in a description; where each player has a goal they say whose it is."""
        owned = zip(players, self.own, strict=False)
        return [
            *(f"{name}: {term.source()}" for name, terms in owned for term in terms),
            *(term.source() for term in self.terms),
        ]


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be fewest: `placements`, `turns`, or `moves` of a kind (pushes are moves of crates)."""

    name: str
    counts: Literal["placements", "turns", "moves"]
    kind: str | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Family:
    """Levels that are made rather than kept: an empty square board of every size within the bounds.

    `numbers` are the level's, each as (name, coefficients, divisor): with the size n a number is
    (c0 + c1 n + c2 n n + ...) / divisor.
    """

    smallest: int
    largest: int
    numbers: tuple[tuple[str, tuple[int, ...], int], ...] = ()
    place: Place | None = field(default=None, compare=False)


# --- the whole ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """Things that only make sense together, for makers of levels: a small map, and how many are laid."""

    rows: tuple[tuple[frozenset[Piece], ...], ...]
    count: tuple[int, int]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Generate:
    """What makers of levels cannot see in the game's own levels.

    `effort`: the bits of decisions from which a level is of medium difficulty, and hard. `ground`: kinds of
    clues that are part of the board, not put on it later. `lines`: these are joined, and no lines cross.
    `without`: kinds of clues that are not used.
    """

    parts: tuple[Part, ...] = ()
    effort: tuple[int, int] | None = None
    ground: tuple[str, ...] = ()
    lines: bool = False
    without: tuple[str, ...] = ()
    place: Place | None = field(default=None, compare=False)


class Hashed:
    """Frozen values that are keys of caches: what tells them apart is hashed once, and the hash is kept.

    It is kept beside the fields: hashes of text differ from process to process, so it is not pickled, and a
    changed copy has its own.
    """

    __slots__ = ("_hash", "_kept")
    _hash: int
    _kept: dict[Any, Any]

    def __hash__(self) -> int:
        """The hash of `told_by`."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(self.told_by()))
            return self._hash

    def told_by(self) -> tuple[object, ...]:
        """Of what is compared, that by which values of one name mostly differ."""
        raise NotImplementedError

    @property
    def kept(self) -> dict[Any, Any]:
        """What is worked out of this value and asked for again and again, kept with the value itself.

        A cache that has the value as its key compares the whole of it with an equal one that was there
        before: a game that is read a second time was played twenty times slower.
        """
        try:
            return self._kept
        except AttributeError:
            object.__setattr__(self, "_kept", {})
            return self._kept


@dataclass(frozen=True, slots=True)
class Game(Hashed):
    """A puzzle without a map. `symbols` maps a character of a level's map to what stands there."""

    name: str
    title: str
    kinds: tuple[Kind, ...]
    goal: Goal
    classes: tuple[Class, ...] = ()
    design: Design | None = None
    input: Input | None = None
    turn: tuple[Phase, ...] = ()  # what the input does
    physics: tuple[Phase, ...] = ()  # what happens by itself afterwards
    objectives: tuple[Objective, ...] = ()  # the first one is the default
    players: tuple[str, ...] = ("player",)
    chance: tuple[Scatter, ...] = ()
    wraps: bool = False
    symbols: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    forms: tuple[tuple[str, Mapping[str, Any]], ...] = field(default=(), compare=False)
    about: str = ""
    place: Place | None = field(default=None, compare=False)
    family: Family | None = None
    generate: Generate | None = None
    hints: Hints | None = None
    scan: Scan | None = None  # instead of `turn` and `physics`: rules in scan order
    author: str = ""
    homepage: str = ""

    __hash__ = Hashed.__hash__

    def __repr__(self) -> str:
        """Its name, and how much there is in it."""
        phases, terms = (*self.turn, *self.physics), self.goal.every_term
        counted = (("kind", self.kinds), ("phase", phases), ("goal term", terms))
        return line("Game", self.name, [number_of(what, len(some)) for what, some in counted])

    @property
    def simultaneous(self) -> bool:
        """Do several players choose at the same time?"""
        return self.input is not None and self.input.simultaneous

    @property
    def said(self) -> str:
        """What is said of it for people, on one line: what it is about, by whom, and where more stands."""
        by = f"By {' '.join(self.author.split())}." if self.author else ""
        return " ".join([*self.about.split(), *by.split(), *self.homepage.split()])

    def told_by(self) -> tuple[object, ...]:
        """Its name, its pieces, its rules and its goal."""
        return self.name, self.kinds, self.classes, self.turn, self.physics, self.goal, self.scan


LISTED = 24  # placements, and inputs, that the line of a plan begins with


@dataclass(frozen=True, slots=True)
class Plan(Shown):
    """An answer: what is placed where before the run, and an action a turn.

    `instance` is what it answers, where it came from a solver: a picture needs it. It tells no plans apart.
    `chance` is what chance drew, before the first turn and in each.
    """

    design: tuple[tuple[Cell, Piece], ...] = ()
    actions: tuple[str, ...] = ()
    instance: Instance | None = field(default=None, compare=False)
    chance: tuple[tuple[str, ...], ...] = ()

    def __repr__(self) -> str:
        """How much it holds, and how it begins."""
        some = [f"{piece} ({row},{column})" for (row, column), piece in self.design[:LISTED]]
        begins = " ".join([*some, *self.actions[:LISTED]])
        numbers = [("placement", len(self.design)), ("turn", len(self.actions))]
        counted = ", ".join(number_of(what, number) for what, number in numbers if number)
        return line("Plan", "", [f"{counted}: {begins}" if counted else "nothing to do"])


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a level, each part checked by the tests. None: not known.

    `value`: of several players, what the first one gets if all play as well as can be: 1, 0 or -1.
    """

    solvable: bool | None = None
    solutions: int | None = None
    optimum: tuple[tuple[str, int], ...] = ()
    wins: tuple[Plan, ...] = ()
    loses: tuple[Plan, ...] = ()
    value: int | None = None


Clue = tuple[int, ...] | None
"""What is told of one region: a number, several in their order, or nothing."""

Drawing = tuple[tuple[frozenset[Piece], ...], ...]
"""A small map: the pieces that it shows, row by row."""


Start = tuple[int, int, str]
"""Where a piece starts from and where it faces, "" for a kind without facings."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of designs beside what a level says; told with the answer, it changes nothing itself.

    So many placements, nothing on some cells, other places from which the walker may start.
    """

    exactly: int | None = None
    avoid: frozenset[Cell] = frozenset()
    robust: tuple[Start, ...] = ()

    def words(self) -> list[str]:
        """Each part in a few words."""
        cells = " ".join(f"({row},{column})" for row, column in sorted(self.avoid))
        starts = " ".join(f"({row},{column}) {facing}".rstrip() for row, column, facing in self.robust)
        number = None if self.exactly is None else f"exactly {self.exactly} placed"
        parts = (number, cells and f"nothing on {cells}", starts and f"also from {starts}")
        return [part for part in parts if part]

    def data(self) -> dict[str, object]:
        """The parts that are asked, as JSON data."""
        cells, starts = sorted(map(list, self.avoid)), [list(start) for start in self.robust]
        parts = {"exactly": self.exactly, "avoid": cells or None, "robust": starts or None}
        return {name: part for name, part in parts.items() if part is not None}


@dataclass(frozen=True, slots=True)
class Level(Hashed):
    """One map and its numbers. `board[row][column]` is the set of pieces that stand there at the start.

    `horizon` counts turns; None means that there is none. `numbers` holds `budget` and whatever else the
    game names; `regions` are named lists of cell sets that goals speak of (cages, pieces of a jigsaw), and
    `clues` hold what a goal is told of each region of that name, in their order. `patterns` are small maps
    that goals look for on the board. `avoid` are cells on which a design is to place nothing: part of a
    question, not of a level's file. `question` tells what was asked, for whoever shows the answer.
    """

    name: str
    board: tuple[tuple[frozenset[Piece], ...], ...]
    horizon: int | None = None
    numbers: tuple[tuple[str, int], ...] = ()
    regions: tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...] = ()
    when: Literal["horizon", "any-turn"] | None = None  # another ending than the game's, for this level
    title: str = ""
    known: Known = Known()
    place: Place | None = field(default=None, compare=False)
    clues: tuple[tuple[str, tuple[Clue, ...]], ...] = ()
    clue_places: tuple[tuple[str, tuple[Place, ...]], ...] = field(default=(), compare=False)
    patterns: tuple[tuple[str, Drawing], ...] = ()
    avoid: frozenset[Cell] = frozenset()
    question: Question = Question()

    __hash__ = Hashed.__hash__

    def __repr__(self) -> str:
        """Its name, and how large it is."""
        return line("Level", self.name, self.facts())

    def facts(self) -> list[str]:
        """How large it is, in a few words."""
        columns = len(self.board[0]) if self.board else 0
        pieces = sum(len(here) for row in self.board for here in row)
        turns = "no horizon" if self.horizon is None else f"horizon {self.horizon}"
        return [f"{len(self.board)}x{columns}", turns, number_of("piece", pieces)]

    def told_by(self) -> tuple[object, ...]:
        """Its name, its map and its numbers."""
        return self.name, self.board, self.horizon, self.numbers


@dataclass(frozen=True, slots=True)
class Instance(Shown):
    """A game and one of its levels: what is played, exported and solved."""

    game: Game
    level: Level

    def __repr__(self) -> str:
        """Its name, and how large it is."""
        design = f"{self.game.design.named} to place" if self.game.design is not None else ""
        return line("Instance", self.name, [*self.level.facts(), design])

    @property
    def name(self) -> str:
        """`game/level`, as the command line writes it."""
        return f"{self.game.name}/{self.level.name}"
