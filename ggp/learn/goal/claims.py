"""What the goal language can say of a board of tokens: claims with names in place of kinds.

A claim is `every a on b`, `count a = 0`, `somewhere a here, b right` and the like. Which of them are worth
holding against boards is read off the boards: two things that never shared a cell are no `on`, and numbers
and pictures are those that were seen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from ggp.learn.boards import Board, Stack
from ggp.learn.seen.structure import Structure
from ggp.model import Condition, Pattern

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda found, number: found == number,
    "<=": lambda found, number: found <= number,
    ">=": lambda found, number: found >= number,
}
SIZES = {"every": 2, "some": 2, "no": 2, "somewhere": 3, "nowhere": 4}
ORDER = ("every", "count", "some", "no", "somewhere", "nowhere")
WAYS = {"right": (0, 1), "down": (1, 0)}

Apart = Mapping[str, Set[str]]
"""What each name was never seen to share a cell with."""

Picture = tuple[str, tuple[str, ...]]
"""Names in neighbouring cells along `right`, `down`, or (`ahead`) any direction."""


class Claim(NamedTuple):
    """One goal word with names in place of kinds. `placing`: on or off `ground`; `picture` for pictures."""

    word: str
    what: str = ""
    ground: str = ""
    placing: str = "on"
    compare: str = "="
    number: int = 0
    picture: Picture = ("", ())
    also: tuple[str, ...] = ()  # names that count with `what`
    beside: tuple[str, ...] = ()  # names that are as good as `ground`

    @property
    def text(self) -> str:
        """As a description says it."""
        where = f" {self.placing} {'-or-'.join((self.ground, *self.beside))}" if self.ground else ""
        what = "-or-".join((self.what, *self.also))
        if self.word == "count":
            return f"count {what}{where} {self.compare} {self.number}"
        if self.ground:
            return f"{self.word} {what}{where}"
        way, names = self.picture
        turning = " toward any:" if way == "ahead" else ""
        seen = (f"{name} {'.'.join([way] * far) or 'here'}" for far, name in enumerate(names))
        return f"{self.word}{turning} {', '.join(seen)}"


@dataclass(frozen=True)
class Facts:
    """What claims are judged by: how many of a name there are, stand on a name, or make a picture."""

    numbers: Mapping[str, int]
    together: Mapping[tuple[str, str], int]
    pictures: frozenset[Picture]

    def key(self) -> object:
        """Equal for boards of which the same claims are true."""
        return frozenset(self.numbers.items()), frozenset(self.together.items()), self.pictures

    def holds(self, claim: Claim) -> bool:
        """Is a claim true of the board?"""
        if claim.word in ("somewhere", "nowhere"):
            return (claim.picture in self.pictures) == (claim.word == "somewhere")
        whats = (claim.what, *claim.also)
        there = sum(self.numbers.get(name, 0) for name in whats)
        pairs = ((name, ground) for name in whats for ground in (claim.ground, *claim.beside))
        on = sum(self.together.get(pair, 0) for pair in pairs)
        if claim.word == "count":
            return COMPARE[claim.compare](on if claim.ground else there, claim.number)
        wanted = on if claim.placing == "on" else there - on
        return {"every": wanted == there, "some": wanted > 0, "no": wanted == 0}[claim.word]


def facts_of(board: Board, structure: Structure) -> Facts:
    """What claims about a board are judged by."""
    numbers: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    names = {stack: names_in(stack, structure) for stack in set(board.cells)}
    for stack in board.cells:
        here = names[stack]
        numbers.update(here)
        for one, times in here.items():
            for other in here:
                if structure.name(one) != structure.name(other):
                    together[one, other] += times
    moving = {stack: [name for name in here if name not in structure.still] for stack, here in names.items()}
    return Facts(numbers, together, frozenset((*pictures_in(board, names), *threes_in(board, moving))))


def names_in(stack: Stack, structure: Structure) -> Counter[str]:
    """How many of each name are in a cell; what has a facing is known by its family and by itself."""
    found = Counter(structure.name(token) for token in sorted(stack))
    found.update(token for token in sorted(stack) if structure.name(token) != token)
    return found


def pictures_in(board: Board, names: Mapping[Stack, Mapping[str, int]]) -> Iterator[Picture]:
    """Every pair of names in neighbouring cells, and every three of one name in a line."""
    for index, stack in enumerate(board.cells):
        if not stack:
            continue
        row, column = divmod(index, board.width)
        for way, (down, right) in WAYS.items():
            line = [board.at((row + far * down, column + far * right)) for far in (1, 2)]
            second, third = (names[one] if one is not None else {} for one in line)
            for one in names[stack]:
                for other in second:
                    yield way, (one, other)
                    yield from (("ahead", (one, other)), ("ahead", (other, one)))
                if one in second and one in third:
                    yield from ((way, (one,) * 3), ("ahead", (one,) * 3))


def threes_in(board: Board, names: Mapping[Stack, Sequence[str]]) -> Iterator[Picture]:
    """Every three names in a line, not all the same; of what changes, for there is much of the rest."""
    for index, stack in enumerate(board.cells):
        if not names[stack]:
            continue
        row, column = divmod(index, board.width)
        for way, (down, right) in WAYS.items():
            line = [board.at((row + far * down, column + far * right)) for far in (1, 2)]
            second, third = (names[one] if one is not None else () for one in line)
            for three in product(names[stack], second, third):
                if len(set(three)) > 1:
                    yield from ((way, three), ("ahead", three), ("ahead", three[::-1]))


def claims_about(boards: Sequence[Facts], wanted: Sequence[Facts], structure: Structure) -> Iterator[Claim]:
    """Every claim that says something of these boards; numbers and pictures are those of the wanted ones."""
    for apart in (structure.exclusions(), never_together(boards, structure)):
        yield from nothing_left(boards, wanted, structure, apart)
        yield from on_any(wanted, apart)
        yield from of_several(wanted, structure, apart)
    names = sorted({name for one in boards for name in one.numbers})
    everywhere = under_all(boards, names)
    pairs = sorted({pair for one in boards for pair in one.together if not everywhere.intersection(pair)})
    for name in names:
        yield Claim("count", name)
        yield from counts(name, "", [one.numbers.get(name, 0) for one in wanted])
    for name, ground in pairs:
        yield from (Claim(word, name, ground) for word in ("every", "some", "no"))
        yield Claim("some", name, ground, "off")
        yield from counts(name, ground, [one.together.get((name, ground), 0) for one in wanted])
    seen = sorted(frozenset[Picture]().union(*(one.pictures for one in boards)))
    for picture in seen:
        yield Claim("somewhere", picture=picture)
        yield Claim("nowhere", picture=picture)


def under_all(boards: Sequence[Facts], names: Sequence[str]) -> set[str]:
    """The names of what is below all else, on all boards: that things stand on it is said by how many are."""
    return {
        ground
        for ground in names
        if len(names) > 1
        and all(
            one.together.get((name, ground), 0) == number
            for one in boards
            for name, number in one.numbers.items()
            if name != ground
        )
    }


def never_together(boards: Sequence[Facts], structure: Structure) -> Apart:
    """For each name, those that it was never seen to share a cell with, and those it never met on a board.

    What is on no board with another thing may be that thing in another form, as who is dry or wet.
    """
    names = {structure.name(token) for token in structure.tokens} - structure.still
    met = defaultdict[str, set[str]](set)
    for one in boards:
        here = names & {name for name, number in one.numbers.items() if number}
        for name in here:
            met[name] |= here
    apart = structure.exclusions(perhaps=True)
    return {name: others | (names - met[name] if name in names else set()) for name, others in apart.items()}


def nothing_left(
    boards: Sequence[Facts], wanted: Sequence[Facts], structure: Structure, apart: Apart
) -> Iterator[Claim]:
    """That none is left of all the things that exclude each other and were gone on the wanted boards."""
    names = sorted({structure.name(token) for token in structure.tokens})
    there = {name for one in boards for name, number in one.numbers.items() if number}
    gone = [name for name in names if name in there and not any(one.numbers.get(name) for one in wanted)]
    for first in gone:
        group = [first]
        for other in gone:
            if other not in group and all(other in apart[one] for one in group):
                group.append(other)
        if len(group) > 1 and first == min(group):
            yield Claim("count", first, also=tuple(sorted(group[1:])))


def on_any(wanted: Sequence[Facts], apart: Apart) -> Iterator[Claim]:
    """That all of a name is on one of several that exclude each other, as it was on wanted boards."""
    found: dict[str, list[str]] = {}
    for name, ground in sorted({pair for one in wanted for pair, number in one.together.items() if number}):
        if name in apart and ground in apart:
            found.setdefault(name, []).append(ground)
    for name, grounds in found.items():
        for first, beside in groups(grounds, apart):
            yield Claim("every", name, first, beside=beside)


def of_several(wanted: Sequence[Facts], structure: Structure, apart: Apart) -> Iterator[Claim]:
    """What is true of one of several things that exclude each other, as of one in this and that colour.

    That one of them is on something, where none of them alone always was; and how many there are of all.
    """
    names = sorted({name for one in wanted for name, number in one.numbers.items() if number} & set(apart))
    for first, also in groups([name for name in names if name not in structure.still], apart):
        numbers = [sum(one.numbers.get(name, 0) for name in (first, *also)) for one in wanted]
        yield from counts(first, "", numbers, also)
    found: dict[str, list[str]] = {}
    for name, ground in sorted({pair for one in wanted for pair, number in one.together.items() if number}):
        if name in apart and ground in apart and not all(one.together.get((name, ground)) for one in wanted):
            found.setdefault(ground, []).append(name)
    for ground, whats in found.items():
        for first, also in groups(whats, apart):
            yield Claim("some", first, ground, also=also)


def groups(names: Sequence[str], apart: Apart) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Of names in order, the pairs that exclude each other and as many as all exclude each other."""
    for first in names:
        group = [first]
        for other in names:
            if other > first and all(other in apart[one] for one in group):
                group.append(other)
        for others in sorted({*((other,) for other in group[1:]), tuple(group[1:])} - {()}):
            yield first, others


def counts(name: str, ground: str, numbers: Sequence[int], also: tuple[str, ...] = ()) -> Iterator[Claim]:
    """That there are as many of a name, at most or at least as many, as on the wanted boards."""
    least, most = min(numbers, default=0), max(numbers, default=0)
    if least == most > 0:
        yield Claim("count", name, ground, number=most, also=also)
    if most > 0:
        yield Claim("count", name, ground, compare="<=", number=most, also=also)
    if least > (1 if ground else 0):  # that there is one on another is said as `some`
        yield Claim("count", name, ground, compare=">=", number=least, also=also)
    if least > 1 and not ground:  # that there is any
        yield Claim("count", name, compare=">=", number=1, also=also)


@dataclass(frozen=True)
class Taste:
    """Which of several claims that agree with all that was seen is taken: smallest first, then likeliest."""

    fixed: frozenset[str]
    turned: frozenset[str]

    def size(self, claim: Claim) -> int:
        """How much it says. Numbers but zero, and single facings, say more; none of a thing says least."""
        if claim.word == "count":
            any_at_all = (claim.compare, claim.number) == (">=", 1)  # says as little as that there is none
            compared = claim.compare != "=" and not any_at_all
            extent = 1 + (claim.number > 0) + compared + 2 * bool(claim.ground) + bool(claim.also)
        else:
            extent = SIZES[claim.word] + (claim.placing == "off") + max(0, len(claim.picture[1]) - 2)
            extent += bool(claim.beside) + bool(claim.also)
        return extent + sum(name in self.turned for name in (claim.what, claim.ground, *claim.picture[1]))

    def rank(self, claim: Claim) -> tuple[int, int, int, int, str]:
        """Of claims that are as small, those that people mean more often come first.

        They speak of what moves, then of where it stands.
        """
        names = (claim.what,) if claim.what else claim.picture[1]
        still = all(name in self.fixed for name in names)
        turned = claim.picture[0] == "ahead"
        return self.size(claim), int(still), ORDER.index(claim.word), int(turned), claim.text


def taste_of(structure: Structure) -> Taste:
    """What a structure says about names: those of what never changes, and of single facings."""
    faced = frozenset(token for token in structure.tokens if structure.name(token) != token)
    changing = {structure.name(token) for token in structure.tokens if token not in structure.fixed}
    names = {structure.name(token) for token in structure.tokens}
    return Taste(frozenset(names - changing) | structure.fixed, faced)


def terms(
    claims: Iterable[Claim], patterns: Mapping[str, Pattern], class_of: Callable[[Sequence[str]], str]
) -> tuple[Any, ...]:
    """The claims as goal terms.

    `patterns` has the kind, or the kind with a facing, of each name; `class_of` names a class of kinds.
    """
    from ggp.goals.count import Count
    from ggp.goals.on import On
    from ggp.goals.pattern import Shape

    found: list[Any] = []
    for claim in claims:
        ground = patterns[claim.ground] if claim.ground else None
        if claim.beside:
            ground = Pattern(class_of([patterns[name].name for name in (claim.ground, *claim.beside)]))
        what = patterns[claim.what] if claim.what else None
        if claim.also:
            what = Pattern(class_of([patterns[name].name for name in (claim.what, *claim.also)]))
        if claim.word == "count" and what is not None:
            found.append(Count(what, claim.compare, claim.number, claim.placing, ground))
        elif ground is not None and what is not None:
            found.append(On(claim.word, what, claim.placing, ground))
        else:
            way, names = claim.picture
            conditions = tuple(
                Condition("present", (way,) * far, patterns[name]) for far, name in enumerate(names)
            )
            found.append(Shape(claim.word, conditions=conditions, toward="any" if way == "ahead" else "none"))
    return tuple(found)
