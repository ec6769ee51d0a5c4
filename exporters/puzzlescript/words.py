"""Goal words of pen-and-paper puzzles as late rules: counts along lines, clues, order, lines that differ.

Each word marks with `off` where it does not hold, which no win may show, and with `wrong` what cannot be
right whatever is placed besides. All other helpers vanish within the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ggp.errors import Finding
from ggp.exporters.puzzlescript.cast import Cast, part_look
from ggp.exporters.puzzlescript.lines import Course, courses
from ggp.exporters.puzzlescript.patterns import Spot, bare, line
from ggp.goals.areas import Areas
from ggp.goals.connected import Connected
from ggp.goals.cover import Cover
from ggp.goals.distinct import Distinct
from ggp.goals.each import Each
from ggp.goals.loop import Loop
from ggp.goals.order import Order
from ggp.goals.parts import Parts
from ggp.goals.regions import Region, regions
from ggp.goals.tally import Tally
from ggp.model import OFFSETS, Cell, Instance, Pattern, Term
from ggp.model.board import height, width
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

Stands = dict[Cell, list[str]]
Placing = Callable[[Instance], Stands]
Floods = Connected | Loop | Areas | Parts
MOST_AREAS = 198  # that a loop of PuzzleScript goes through: it is left after 200 rounds
FULL_LINES = ("rows", "columns", "rows-reversed", "columns-reversed")

WHY = {
    "goal:total": "PuzzleScript cannot add up values: each sum that a region can reach would be an object,"
    " and each value a rule for every one of them",
    "goal:runs": "PuzzleScript has no numbers that could tell how far a run and its list of clues have come;"
    " each state would be an object in each line",
    "goal:visible": "PuzzleScript cannot remember the highest value so far together with how many were seen"
    " but by an object for each pair of them",
    "goal:pairs": "PuzzleScript has no numbers that could tell which of several partners is still to be had;"
    " each way of pairing would be a rule",
    "goal:tour": "the next number may stand on any cell a step away, and a board of n cells would need n"
    " objects and as many rules for every step",
}
"""Why PuzzleScript text is not written for a goal word."""


def unfit(instance: Instance, transition: Transition | None = None) -> Iterator[Finding]:
    """The words of a goal that are in a form for which there are no rules, with the reason."""
    game = instance.game
    moving = game.input is not None or bool(game.physics)
    counted = transition or compile_instance(instance)
    for term in game.goal.every_term:
        if isinstance(term, Tally | Each | Order | Distinct | Cover | Floods):
            found = list(faults_of(term, instance, counted))
            if moving:
                found.append("is written for puzzles in which nothing moves")
            yield from (Finding(f"`{term.source()}` {fault}", "", term.place) for fault in found)


def faults_of(term: Term, instance: Instance, transition: Transition) -> Iterator[str]:
    """What stands against a term, to be read after it."""
    design = instance.game.design
    names: tuple[str, ...] = ()
    match term:
        case Tally():
            names = term.names
            if not alone(transition, transition.planes_of(instance, term.what)):
                yield "counts pieces of which a cell may hold several"
        case Cover():
            names = term.names
        case Distinct():
            if design is None or not design.fill:
                yield "compares lines that are full, and cells may stay empty here"
            if not set(term.names) <= set(FULL_LINES):
                yield "compares whole rows or columns only"
    goal = instance.game.goal
    looping = [one for one in goal.every_term if isinstance(one, Areas | Parts)]
    most = sum(most_areas(one, instance) for one in looping)  # they share the rounds
    if isinstance(term, Areas | Parts) and most > MOST_AREAS:
        yield (
            "goes through the areas one at a time, and PuzzleScript leaves that after 200 rounds:"
            f" there may be {most} areas before one is wrong, and {MOST_AREAS} is the most"
        )
    for name in names:
        if courses(name, [regions(instance, name)]) is None:
            yield f"goes along straight lines that share no cell, and some of `{name}` are not such"


def most_areas(term: Areas | Parts, instance: Instance) -> int:
    """How many areas can be right, and the first one that is wrong.

    No two areas touch, so there are no more than half as many as cells. Each area of a value has as many
    cells as it says, so those of more than one have two at least. Right parts have a clue each.
    """
    cells = height(instance) * width(instance)
    halves = (cells + 1) // 2
    if isinstance(term, Areas):
        return halves + (cells - halves) // 2 + 1
    return min(halves, len(term.clues(instance))) + 1


def alone(transition: Transition, planes: tuple[int, ...]) -> bool:
    """Can a cell hold no more than one of these planes?"""
    shared = {transition.layers[plane] for plane in planes}
    return len(planes) < 2 or (len(shared) == 1 and not set(planes) & transition.exempt)


class Word:
    """Writes the late rules of one term of a goal."""

    def __init__(self, cast: Cast, levels: list[Instance], term: Term, name: str) -> None:
        self.cast = cast
        self.levels = levels
        self.term: Any = term
        self.name = name
        self.off = cast.helper(f"{name} off")
        self.placed: list[Placing] = []
        self.passing: list[str] = []

    def rules(self, own: Callable[[Word], Iterator[str]]) -> Iterator[str]:
        """All late rules of the term, in order; `own` are those that its word has."""
        yield f"late {bare(self.off, '')}"
        if not isinstance(self.term, Cover | Floods):  # of what is to come nothing is wrong for good
            yield f"late {bare(self.wrong, '')}"
        yield from own(self)
        for name in dict.fromkeys(self.passing):
            yield f"late {bare(name, '')}"

    @property
    def wrong(self) -> str:
        """The helper that marks a mistake, a line below: what stands on the cell may fill it.

        What breaks a word that loses, or that something else may excuse, is none, and is not seen.
        """
        if self.term not in self.cast.instance.game.goal.terms:
            return self.cast.helper(f"{self.name} amiss")
        return self.cast.helper(f"{self.name} wrong", part_look("mistake"))

    def passes(self, word: str, layer: str | None = None) -> str:
        """A helper that vanishes within the turn."""
        found = self.cast.helper(f"{self.name} {word}", layer=layer and f"{self.name} {layer}")
        self.passing.append(found)
        return found

    def planes(self, pattern: Pattern) -> tuple[int, ...]:
        """The planes that a pattern matches."""
        return self.cast.transition.planes_of(self.cast.instance, pattern)

    def any_of(self, pattern: Pattern) -> str:
        """The object or group that a pattern stands for."""
        return self.cast.any_of(frozenset(self.planes(pattern)))

    def values(self, kind: str) -> list[str]:
        """The objects of a kind with values, the lowest first."""
        planes = self.cast.transition.planes
        own = [p for p in self.planes(Pattern(kind)) if isinstance(planes[p].variant, int)]
        return [self.cast.pieces[p] for p in sorted(own, key=lambda p: int(str(planes[p].variant)))]

    def along(self, name: str, found: list[tuple[Region, ...]]) -> tuple[Course, ...]:
        """The lines of a name in all levels, with helpers where they begin and end."""
        some = courses(name, found)
        if some is None:
            raise TypeError(f"`{name}` are no lines: see `unfit`")
        for course in some:
            self.placed.append(partial(course.stand, self.cast, self.levels))
        return some

    # --- counts along lines ---------------------------------------------------------------------------------

    def tally(self) -> Iterator[str]:
        """Count along each line; at its end the number is compared with what is wanted there."""
        for name in self.term.names:
            own = replace(self.term, names=(name,))
            asked = [
                {tuple(sorted(region)): number for _, region, number in own.asked(one)} for one in self.levels
            ]
            for course in self.along(name, [tuple(some) for some in asked]):
                numbers = {
                    some[cells] for some, there in zip(asked, course.lines, strict=True) for cells in there
                }
                self.placed.append(
                    lambda one, course=course, asked=asked: {  # type: ignore[misc]
                        cells[-1]: [self.want(course, asked[self.levels.index(one)][cells])]
                        for cells in course.lines[self.levels.index(one)]
                    }
                )
                yield from self.counted(course, sorted(numbers))

    def want(self, course: Course, number: int) -> str:
        """The helper at the end of a line that says how many it wants."""
        return self.cast.helper(
            f"{self.name} {course.word} wants {number}", layer=f"{self.name} {course.word}"
        )

    def counted(self, course: Course, numbers: list[int]) -> Iterator[str]:
        """The rules for the lines that run one way."""
        cast, what, layer = self.cast, self.any_of(self.term.what), f"{course.word} count"
        top = max(numbers, default=0) + 1
        counts = [self.passes(f"{course.word} count {number}", layer) for number in range(top + 1)]
        some = cast.group(f"{course.word} counted", counts)
        first = course.first(cast)
        yield f"late {bare(f'{first} {what}', f'{first} {what} {counts[1]}')}"
        yield f"late {bare(f'{first} no {what}', f'{first} {counts[0]}')}"
        moves = []
        for count, after in zip(counts, counts[1:], strict=False):
            moves.append((count, f"no {what} no {some}", count))
            moves.append((count, f"{what} no {some}", f"{what} {after}"))
        yield from course.carry(cast, [*moves, (counts[top], f"no {some}", counts[top])])
        for number in numbers:
            want = self.want(course, number)
            more = cast.group(f"{course.word} more than {number}", counts[number + 1 :])
            if self.term.comparison != ">=":
                much = self.passes(f"{course.word} much")
                yield f"late {bare(f'{want} {more}', f'{want} {more} {much} {self.off}')}"
            if self.term.comparison != "<=" and number:
                fewer = cast.group(f"{course.word} fewer than {number}", counts[:number])
                yield f"late {bare(f'{want} {fewer}', f'{want} {fewer} {self.off}')}"
        if self.term.comparison != ">=" and numbers:
            yield from course.carry(cast, [(much, f"no {much}", much)], back=True)
            yield f"late {bare(f'{much} {what}', f'{much} {what} {self.wrong}')}"

    def cover(self) -> Iterator[str]:
        """What covers sends rays along its lines; what no ray has reached shows that it does not hold."""
        cast, what, by = self.cast, self.any_of(self.term.what), self.any_of(self.term.by)
        ray, lit = self.passes("ray"), self.passes("lit")
        for name in self.term.names:
            for course in self.along(name, [regions(one, name, self.term.place) for one in self.levels]):
                self.placed.append(partial(course.inside, cast, self.levels))
                member = course.member(cast)
                yield f"late {bare(f'{member} {by}', f'{member} {by} {ray}')}"
                yield from course.carry(cast, [(ray, f"no {ray}", ray)])
                yield from course.carry(cast, [(ray, f"no {ray}", ray)], back=True)
                yield f"late {bare(ray, lit)}"
        yield f"late {bare(f'{what} no {lit}', f'{what} {self.off}')}"

    # --- clues on the map -----------------------------------------------------------------------------------

    def each(self) -> Iterator[str]:
        """A clue owes its value, and each piece near it pays one; what is paid once too often is wrong."""
        planes = self.cast.transition.planes
        clues = {p: planes[p].variant for p in self.planes(self.term.clue)}
        owing = {plane: value for plane, value in clues.items() if isinstance(value, int) and value >= 0}
        owes = [self.passes(f"owes {number}", "owes") for number in range(max(owing.values(), default=0) + 1)]
        excess = self.passes("excess", "owes")
        for plane, value in owing.items():
            clue = self.cast.pieces[plane]
            yield f"late {bare(clue, f'{clue} {owes[value]}')}"
        for part in self.term.near():
            pieces = self.planes(part.what)
            exclusive = [pieces] if alone(self.cast.transition, pieces) else [(plane,) for plane in pieces]
            for group in exclusive:
                what = self.cast.any_of(frozenset(group))
                for offset in part.offsets:
                    yield from self.paid(what, offset, [excess, *owes])
        settled = self.cast.group(f"{self.name} not settled", [excess, *owes[1:]])
        yield f"late {bare(settled, f'{settled} {self.off}')}"
        yield f"late {bare(excess, f'{excess} {self.wrong}')}"

    def paid(self, what: str, offset: Cell, owes: list[str]) -> Iterator[str]:
        """What stands so far away from a clue pays one; of `owes` each leads to the one before it."""
        down, right = offset
        rows = "down" if down > 0 else "up"
        seen = what
        if down and right:  # PuzzleScript sees straight lines only: what is beside them is sensed first
            seen = self.passes(f"{what} {rows} {abs(down)}")
            yield f"late {bare(seen, '')}"
            yield line(f"late {rows}", far(Spot("", seen), down, Spot(what, what)))
        way = ("right" if right > 0 else "left") if right else rows
        for less, more in zip(owes, owes[1:], strict=False):
            if offset == (0, 0):
                yield f"late {bare(f'{more} {what}', f'{less} {what}')}"
            else:
                yield line(f"late {way}", far(Spot(more, less), right or down, Spot(seen, seen)))

    def order(self) -> Iterator[str]:
        """A sign between values that are in order shows it; between two others it is a mistake."""
        planes, values = self.cast.transition.planes, self.values(self.term.kind)
        kind, fine = self.cast.group(f"{self.name} values", values), self.passes("fine")
        for plane in self.planes(self.term.sign):
            way = str(planes[plane].variant)
            if way not in OFFSETS:
                continue
            sign = self.cast.pieces[plane]
            for index, larger in enumerate(values[1:], start=1):
                smaller = self.cast.group(f"{self.name} below {index}", values[:index])
                row = [Spot(smaller, smaller), Spot(sign, f"{sign} {fine}"), Spot(larger, larger)]
                yield line(f"late {way}", row)
            marked = f"{kind} {self.wrong}"
            row = [Spot(kind, marked), Spot(f"{sign} no {fine}", sign), Spot(kind, marked)]
            yield line(f"late {way}", row)
            yield f"late {bare(f'{sign} no {fine}', f'{sign} {self.off}')}"

    # --- lines that differ ----------------------------------------------------------------------------------

    def distinct(self) -> Iterator[str]:
        """For each distance cells are marked that have their value so far on; a line of them is wrong."""
        cast, values = self.cast, self.values(self.term.kind)
        same, all_, hit = (self.passes(word) for word in ("same", "all", "hit"))
        used = cast.group(f"{self.name} compared", [same, all_, hit])
        for name in self.term.names:
            found = [regions(one, name, self.term.place) for one in self.levels]
            (course,) = self.along(name, found)
            way = "down" if course.step == (0, 1) else "right"
            for far_on in range(1, max(map(len, found))):
                for value in values:
                    yield line(f"late {way}", far(Spot(value, f"{value} {same}"), far_on, Spot(value, value)))
                first, last = course.first(cast), course.last(cast)
                yield f"late {bare(f'{first} {same}', f'{first} {same} {all_}')}"
                yield from course.carry(cast, [(all_, f"{same} no {all_}", f"{same} {all_}")])
                yield f"late {bare(f'{last} {all_}', f'{last} {all_} {hit} {self.off}')}"
                yield from course.carry(cast, [(hit, f"no {hit}", hit)], back=True)
                row = far(Spot(hit, f"{hit} {self.wrong}"), far_on, Spot("", self.wrong))
                yield line(f"late {way}", row)
                yield f"late {bare(used, '')}"


def far(one: Spot, steps: int, other: Spot) -> list[Spot]:
    """A row with two cells so many steps apart."""
    return [one, *[Spot()] * (abs(steps) - 1), other]
