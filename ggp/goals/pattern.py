"""`somewhere molecule of atom`, `nowhere $digit here, $digit right`: a picture of cells, anywhere.

What a picture asks of its cells is said with the conditions of rules, or drawn by the level as a small map.
`Shape.pictures` spells out every direction and variable, so exporters and encoders only see plain cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import Any, Literal, NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.goals.on import pattern_text
from ggp.model import DIRECTIONS, OFFSETS, RELATIVE, Cell, Condition, Instance, Pattern, Piece, Rule
from ggp.model.board import (
    State,
    cells,
    height,
    kinds_of,
    matches,
    matching,
    turned,
    variants,
    width,
)

# The second form names a picture that the level draws. A colon ends the directions, as it does in rules.
GRAMMAR = """
shape: WHERE [turning] seen ("," seen)*
     | WHERE NAME "of" pattern
turning: "toward" NAME+ ":" -> header
WHERE.3: "somewhere" | "nowhere"
"""


class Look(NamedTuple):
    """One thing that a picture asks: at `offset` from its anchor `pattern` stands, or not (if not `wanted`).

    Without a pattern it asks whether that cell is inside the board.
    """

    offset: Cell
    pattern: Pattern | None
    wanted: bool


Picture = tuple[Look, ...]


class AtMost(NamedTuple):
    """From each of these anchors (None: from every cell) at most so many of the looks hold.

    Nothing stands outside the board; no look asks whether a cell is on it.
    """

    looks: Picture
    most: int
    anchors: tuple[Cell, ...] | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A picture is found somewhere, or nowhere: the level's drawing of that `name`, or the `conditions`."""

    where: str
    name: str = ""
    of: Pattern | None = None  # what the level may draw with
    conditions: tuple[Condition, ...] = ()
    toward: Literal["any", "none"] = "none"
    directions: tuple[str, ...] = DIRECTIONS
    place: Place | None = field(default=None, compare=False)

    word = "shape"

    def pictures(self, instance: Instance) -> tuple[Picture, ...]:
        """Every way in which it can be found, turned and with its variables spelt out; none of them twice.

        Each asks something of its anchor, (0, 0), and all offsets are plain. Raises DescriptionError where
        the level does not draw what is asked for.
        """
        if self.of is not None or any(one.pattern and one.pattern.bound for one in self.conditions):
            return pictures(self, instance)
        kept, key = instance.game.kept, (Shape, self)  # no level says anything of these
        known: tuple[Picture, ...] | None = kept.get(key)
        if known is None:
            known = kept[key] = pictures(self, instance)
        return known

    def holds(self, instance: Instance, state: State) -> bool:
        """Is it anywhere?"""
        found = next(self.found(instance, state), None) is not None
        return found == (self.where == "somewhere")

    def found(self, instance: Instance, state: State) -> Iterator[Cell]:
        """The anchors of the pictures that are there, sought from where the rarest thing of each stands."""
        pictures = self.pictures(instance)
        asked = {look.pattern for picture in pictures for look in picture}
        where = {pattern: standing(instance, state, pattern) for pattern in asked}
        for picture in pictures:
            rarest = min((look for look in picture if look.wanted), key=lambda look: len(where[look.pattern]))
            back = (-rarest.offset[0], -rarest.offset[1])
            for cell in where[rarest.pattern]:
                anchor = looked_at(instance, cell, back)
                if all(
                    (looked_at(instance, anchor, offset) in where[pattern]) == wanted
                    for offset, pattern, wanted in picture
                ):
                    yield anchor

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        found = [anchors(algebra, boards, picture) for picture in self.pictures(boards.instance)]
        if self.where == "nowhere":
            return algebra.every(algebra.none(board) for board in found)
        return algebra.some(reduce(or_, found, algebra.zero))

    def twins(self, instance: Instance) -> tuple[tuple[str, Cell, Cell], ...]:
        """(kind, cell, cell) for each two cells that must not hold the same piece, if it says no more.

        So `nowhere $digit here, $digit right` says that neighbours differ. Empty for any other picture.
        """
        asked = [(one.wants, one.pattern) for one in self.conditions]
        alike = len(asked) == 2 and asked[0] == asked[1] and asked[0][0] == "present"
        pattern = asked[0][1] if alike else None
        if self.where != "nowhere" or instance.game.wraps or pattern is None:
            return ()
        if not pattern.bound or pattern.variant is not None:
            return ()
        found: dict[tuple[str, Cell, Cell], None] = {}
        for picture in self.pictures(instance):
            if len(picture) == 2 and picture[0].pattern is not None:
                (top, left), (down, right) = (look.offset for look in picture)
                for row, column in cells(instance):
                    one, other = (row + top, column + left), (row + down, column + right)
                    if all(0 <= r < height(instance) and 0 <= c < width(instance) for r, c in (one, other)):
                        found[picture[0].pattern.name, one, other] = None
        return tuple(found)

    def constrain(self, values: Any) -> None:
        """Post differences of two values where it says no more, else for each place that it is not there."""
        twins = self.twins(values.instance)
        for kind, *both in twins:
            if all(values.may_hold(kind, cell) for cell in both):
                values.all_different([values.at(kind, cell) for cell in both], self.source())
        if self.where == "somewhere":
            values.require(self)
        for picture in self.pictures(values.instance) if self.where == "nowhere" and not twins else ():
            places = values.places(picture)
            if values.blank:  # then all boards of its size say the same
                values.patterned(no_place, tuple(map(tuple, places)), self.say(values.instance))
                continue
            denied = ([values.denied(one) for one in asked] for asked in places)
            values.clauses(denied, self.say(values.instance))

    def limits(self, instance: Instance) -> Iterator[AtMost]:
        """What it says of cells near one another, place by place; of drawings and variables nothing."""
        if self.where != "nowhere" or self.of is not None:
            return
        if any(one.pattern is None or one.pattern.bound for one in self.conditions):
            return
        for picture in self.pictures(instance):
            if all(look.pattern is not None for look in picture):
                yield AtMost(picture, len(picture) - 1)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at; a relative facing is every facing that it is turned to."""
        found: list[Pattern] = []
        for one in (self.of, *(condition.pattern for condition in self.conditions)):
            if one is None:
                continue
            if isinstance(one.variant, str) and one.variant in RELATIVE:
                found += [Pattern(one.name, turned(one.variant, way)) for way in self.directions]
            else:
                found.append(Pattern(one.name, one.variant))
        return tuple(dict.fromkeys(found))

    def rule(self) -> Rule:
        """Its conditions as those of a rule that does nothing, to be judged by whatever judges rules."""
        return Rule(self.where, self.toward, self.conditions, (), self.directions, self.place)

    def say(self, instance: Instance) -> str:
        """In words; what the level draws as the names of its pieces, row by row."""
        found = self.pictures(instance)
        if not self.name:
            return self.source()
        drawn = dict(instance.level.patterns)[self.name]
        rows = (" ".join("+".join(sorted(map(str, here))) or "-" for here in row) for row in drawn)
        return f"{self.name} stands {self.where}: {' / '.join(rows)}" if found else self.source()

    def source(self) -> str:
        """As the description writes it."""
        if self.of is not None:
            return f"{self.where} {self.name} of {pattern_text(self.of)}"
        toward = "any" if self.directions == DIRECTIONS else " ".join(self.directions)
        turning = f" toward {toward}:" if self.toward == "any" else ""
        return f"{self.where}{turning} {', '.join(map(seen_text, self.conditions))}"


def build(items: list[Any], place: Place) -> Shape:
    """Make the term from what the grammar read."""
    where, second, *rest = items
    if isinstance(second, str):
        return Shape(where, second, rest[0], place=place)
    turning: Any = second or ("none", DIRECTIONS)
    toward, directions = turning
    if toward not in ("any", "none"):
        remedy = "write `toward any`, or directions such as `toward up right`"
        raise DescriptionError(f"a goal has no {toward} that it could go toward", remedy, place)
    return Shape(where, "", None, tuple(rest), toward, directions, place)


def seen_text(condition: Condition) -> str:
    """A condition as descriptions write it."""
    where = ".".join(condition.path) or "here"
    if condition.pattern is None:
        return f"{condition.wants} {where}"
    return f"{'no ' if condition.wants == 'absent' else ''}{pattern_text(condition.pattern)} {where}"


# --- what a picture asks ----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def pictures(shape: Shape, instance: Instance) -> tuple[Picture, ...]:
    """See `Shape.pictures`."""
    if shape.of is not None:
        return (settled(list(drawn(shape, shape.of, instance))),)
    found = []
    for direction in shape.directions if shape.toward == "any" else (None,):
        for binding in bindings(shape, instance):
            found.append(settled([asked(one, direction, binding) for one in shape.conditions]))
    return tuple(dict.fromkeys(found))


def drawn(shape: Shape, of: Pattern, instance: Instance) -> Iterator[Look]:
    """What the level's drawing of that name asks for: the pieces that it shows. Empty cells ask nothing."""
    drawings, level = dict(instance.level.patterns), instance.level
    if shape.name not in drawings:
        remedy = f"draw `{shape.name}` under [level.patterns]"
        raise DescriptionError(f"the level does not draw `{shape.name}`", remedy, level.place)
    shown = False
    for row, line in enumerate(drawings[shape.name]):
        for column, here in enumerate(line):
            for piece in sorted(here, key=str):
                if not matches(instance.game, piece, of, None):
                    remedy = f"draw it with what `{pattern_text(of)}` stands for"
                    raise DescriptionError(f"`{shape.name}` shows {piece}", remedy, level.place)
                shown = True
                yield Look((row, column), Pattern(piece.kind, piece.variant), True)
    if not shown:
        raise DescriptionError(f"`{shape.name}` shows nothing", "draw at least one piece", level.place)


def bindings(shape: Shape, instance: Instance) -> Iterator[Mapping[str, Piece]]:
    """Each choice of a piece for every variable.

    `$digit` is the same digit wherever it stands. Where a variable is written with a facing or a value, it
    stands for the kind alone, as in rules.
    """
    used = [c.pattern for c in shape.conditions if c.pattern is not None and c.pattern.bound]
    kinds = {kind.name: kind for kind in instance.game.kinds}
    choices: dict[str, list[Piece]] = {}
    for name in dict.fromkeys(pattern.name for pattern in used):
        plain = any(pattern.variant is not None for pattern in used if pattern.name == name)
        choices[name] = [
            Piece(kind, variant)
            for kind in kinds_of(instance.game, name)
            for variant in ((None,) if plain else variants(instance, kinds[kind]))
        ]
    for pieces in product(*choices.values()):
        yield dict(zip(choices, pieces, strict=True))


def asked(condition: Condition, direction: str | None, binding: Mapping[str, Piece]) -> Look:
    """A condition turned to a direction, for one choice of the variables."""
    row = column = 0
    for step in condition.path:
        down, right = OFFSETS[turned(step, direction)]
        row, column = row + down, column + right
    pattern = condition.pattern
    if pattern is None:
        return Look((row, column), None, condition.wants == "inside")
    variant = turned(pattern.variant, direction) if isinstance(pattern.variant, str) else pattern.variant
    if pattern.bound:
        piece = binding[pattern.name]
        pattern = Pattern(piece.kind, piece.variant if variant is None else variant)
    else:
        pattern = Pattern(pattern.name, variant)
    return Look((row, column), pattern, condition.wants == "present")


def settled(looks: list[Look]) -> Picture:
    """The picture in a form that two turns of one picture share: its first piece is the anchor.

    What is required comes first, so that a search that narrows down has little left to look at.
    """
    if not any(look.offset == (0, 0) and look.pattern is not None and look.wanted for look in looks):
        looks = [*looks, Look((0, 0), None, True)]
    required = sorted(look.offset for look in looks if look.pattern is not None and look.wanted)
    top, left = required[0] if required else (0, 0)
    moved = {look._replace(offset=(look.offset[0] - top, look.offset[1] - left)) for look in looks}
    plain = {look for look in moved if look != Look((0, 0), None, True)} if required else moved
    return tuple(sorted(plain, key=lambda look: (look.pattern is None, not look.wanted, str(look))))


def no_place(places: Sequence[Sequence[Any]], denied: Callable[[Any], Any]) -> Iterator[Sequence[Any]]:
    """At none of the places all that is asked holds."""
    return ([denied(one) for one in asked] for asked in places)


# --- finding it -------------------------------------------------------------------------------------------


def standing(instance: Instance, state: State, pattern: Pattern | None) -> set[Cell]:
    """The cells on which a piece stands that matches; without a pattern all that there are."""
    if pattern is None:
        return {*cells(instance)}
    meant, columns = matching(instance.game, frozenset().union(*state.board), pattern), width(instance)
    return {divmod(at, columns) for at, here in enumerate(state.board) if not meant.isdisjoint(here)}


def looked_at(instance: Instance, anchor: Cell, offset: Cell) -> Cell:
    """The cell at this offset from an anchor; it may be none of the board's."""
    row, column = anchor[0] + offset[0], anchor[1] + offset[1]
    return (row % height(instance), column % width(instance)) if instance.game.wraps else (row, column)


def anchors(algebra: Any, boards: Any, picture: Picture) -> Any:
    """The board that is true where the picture is found."""
    found = None
    for offset, pattern, wanted in picture:
        inside = algebra.inside(offset)
        if pattern is None:
            board = inside
        else:
            board = boards.present(pattern)
            if offset != (0, 0):
                board = algebra.shift(board, offset) & inside
        if found is None:
            # A complement says nothing of what is outside the board, so something plain must come first.
            found = board if wanted and pattern is not None else algebra.cells(cells(boards.instance))
        found = found & (board if wanted else ~board)
    return found
