"""What a turn does: rules, each a local rewrite of cells round an anchor, in groups that run as passes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from ggp.errors import Place
from ggp.model.goal import Term
from ggp.model.kinds import DIRECTIONS, Amount, Pattern, Value

MOST_TURNS = MOST_PASSES = 100_000  # of a run, of a loop: no horizon and no bound is larger

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

Path = tuple[str, ...]
"""Steps from the anchor: () is `here`, ("left", "down") is `left.down`, ("ahead",) is relative."""


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
    keeps the rules below it from firing for the same subject. `score` is what each firing is worth.
    """

    name: str
    toward: Literal["facing", "input", "any", "none"]
    conditions: tuple[Asked, ...]
    effects: tuple[Effect, ...]
    directions: tuple[str, ...] = DIRECTIONS
    place: Place | None = field(default=None, compare=False)
    score: int = 0


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


def scoring(phases: Iterable[Phase]) -> bool:
    """Is a firing of any rule worth something?"""
    return any(rule.score for phase in phases for group in groups_of(phase) for rule in group.rules)


def groups_of(phase: Phase) -> tuple[Group, ...]:
    """A group by itself, or all groups of a block."""
    if isinstance(phase, Group):
        return (phase,)
    return tuple(group for inner in phase.groups for group in groups_of(inner))
