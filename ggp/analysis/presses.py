"""Games in which it only matters how often each cell is picked: presses, in any order.

Where a pick turns what stands on each cell near it to the next of a few contents, whatever stands elsewhere,
and the contents of a cell only ever go round one cycle, presses commute: the board after a run is told by how
often each input was given, counted modulo small numbers. Source: the compiled rules and the level, of which
everything that a pick can find near it is tried. The lamps of Lights Out are the best known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product
from math import gcd, lcm, prod

from ggp.errors import IllegalAction, IllFormed, Unfit
from ggp.model import Cell, Instance, Piece
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.kernel import Boards
from ggp.transition.program import CompiledRule, Pass, Term, Transition

MOST = 4096  # ways in which the cells near a pick can be filled; where there are more nothing is tried

Content = frozenset[int]
"""What stands on a cell, as planes."""
Turned = dict[Content, Content]
"""What a pick makes of each content of a cell."""


@dataclass(frozen=True)
class Press:
    """An input that is always allowed; as often as its `order` (at least 2) it changes nothing."""

    action: Action
    order: int


@dataclass(frozen=True)
class Turning:
    """A cell that presses change: its contents round the cycle, from the one at the start.

    `by`: (number of the press, how many contents it goes on), for those that change it.
    """

    cell: Cell
    contents: tuple[Content, ...]
    by: tuple[tuple[int, int], ...]


class Presses:
    """The inputs of a level that do anything, and the cells that they change. Raises Unfit."""

    def __init__(self, instance: Instance, transition: Transition, tick: Callable[[], None]) -> None:
        self.instance, self.transition, self.tick = instance, transition, tick
        self.near = offsets_near(instance, transition)
        self.bits = Bits(transition)
        self.start = self.bits.pack(initial_state(instance))
        self.contents: dict[Cell, list[Content]] = {}
        # What came of a pick, by its direction and all that can stand around it.
        self.tried: dict[object, dict[Cell, Turned]] = {}
        turned = self.closed()
        self.all, self.cells = self.numbered(turned)

    # --- what a pick does

    def closed(self) -> dict[Action, dict[Cell, Turned]]:
        """What each input makes of each content that presses can bring about near it."""
        while True:
            before = sum(map(len, self.contents.values()))
            turned = {action: self.turned(action) for action in self.picks()}
            if before == sum(map(len, self.contents.values())):
                return turned

    def picks(self) -> Iterator[Action]:
        """The inputs but for waiting, which brings nothing about."""
        return (action for action in all_actions(self.instance) if action.cell is not None)

    def turned(self, action: Action) -> dict[Cell, Turned]:
        """What an input makes of each content of each cell near it, as far as contents are known."""
        assert action.cell is not None
        self.tick()
        around = self.around(action)
        for cell in around.values():
            self.contents.setdefault(cell, [self.content(cell)])
        known = {offset: tuple(self.contents[cell]) for offset, cell in around.items()}
        key = (action.direction, tuple(known.items()))
        if key not in self.tried:
            self.tried[key] = self.all_ways(action, around)
        made = {around[offset]: turned for offset, turned in self.tried[key].items()}
        for cell, turned in made.items():
            for one in turned.values():
                if one not in self.contents[cell]:
                    self.contents[cell].append(one)
        return made

    def around(self, action: Action) -> dict[Cell, Cell]:
        """The cells that an input looks at or changes, by their offsets from what is picked."""
        assert action.cell is not None
        transition, (row, column) = self.transition, action.cell
        found = {}
        for down, right in self.near[action.direction]:
            at = row + down, column + right
            if transition.wraps:
                at = at[0] % transition.height, at[1] % transition.width
            if 0 <= at[0] < transition.height and 0 <= at[1] < transition.width:
                found[down, right] = at
        return found

    def all_ways(self, action: Action, around: dict[Cell, Cell]) -> dict[Cell, Turned]:
        """What an input makes of every way to fill the cells around it, by offset. Raises Unfit."""
        cells = list(dict.fromkeys(around.values()))
        if prod(len(self.contents[cell]) for cell in cells) > MOST:
            raise Unfit(f"there are more than {MOST:,} ways to fill the cells that a pick looks at")
        turned: dict[Cell, Turned] = {cell: {} for cell in cells}
        for way in product(*(self.contents[cell] for cell in cells)):
            self.tick()
            after = self.after(action, dict(zip(cells, way, strict=True)))
            for cell, one in zip(cells, way, strict=True):
                made = content_of(self.bits, after, cell)
                if turned[cell].setdefault(one, made) != made:
                    raise Unfit("what a pick makes of a cell depends on what stands elsewhere")
        return {offset: turned[cell] for offset, cell in around.items()}

    def after(self, action: Action, filled: dict[Cell, Content]) -> Boards:
        """The boards after an input, on the first board with some cells filled otherwise."""
        mask = sum(self.bits.bit(*cell) for cell in filled)
        boards = [board & ~mask for board in self.start]
        for cell, planes in filled.items():
            for plane in planes:
                boards[plane] |= self.bits.bit(*cell)
        try:
            return self.bits.act(tuple(boards), action, self.instance.game.input)
        except IllegalAction:
            return tuple(boards)
        except IllFormed as error:
            raise Unfit("its rules may collide") from error

    # --- cycles

    def numbered(
        self, turned: dict[Action, dict[Cell, Turned]]
    ) -> tuple[tuple[Press, ...], tuple[Turning, ...]]:
        """The inputs that do anything, and by how much each turns which cells."""
        doing = {
            action: changes
            for action, made in turned.items()
            if (changes := {cell: one for cell, one in made.items() if any(a != b for a, b in one.items())})
        }
        for changes in doing.values():
            if not any(all(a != b for a, b in one.items()) for one in changes.values()):
                raise Unfit("whether an input is allowed depends on what stands there")
        cells = []
        for cell in sorted({cell for changes in doing.values() for cell in changes}):
            by = [(number, made[cell]) for number, made in enumerate(doing.values()) if cell in made]
            cells.append(self.turning(cell, by))
        orders = [1] * len(doing)
        for one in cells:
            for number, far in one.by:
                orders[number] = lcm(orders[number], len(one.contents) // gcd(far, len(one.contents)))
        presses = (Press(action, order) for action, order in zip(doing, orders, strict=True))
        return tuple(presses), tuple(cells)

    def turning(self, cell: Cell, by: list[tuple[int, Turned]]) -> Turning:
        """The cycle of a cell, and how far each of these takes it. Raises Unfit."""
        known = self.contents[cell]
        cycles = (cycle(turned, known[0]) for _, turned in by)
        whole = next((one for one in cycles if len(one) == len(known)), None)
        if whole is None:
            raise Unfit("no pick alone takes a cell through all that can stand there")
        steps = []
        for number, turned in by:
            far = whole.index(turned[known[0]])
            if any(turned[one] != whole[(place + far) % len(whole)] for place, one in enumerate(whole)):
                raise Unfit("what two picks do to a cell depends on their order")
            if far:
                steps.append((number, far))
        return Turning(cell, whole, tuple(steps))

    # --- the way back

    def content(self, cell: Cell) -> Content:
        """What stands on a cell at the start."""
        return content_of(self.bits, self.start, cell)

    def run(self, times: Sequence[int]) -> tuple[str, ...]:
        """The inputs, each given so many times, up to the turn at which they have won."""
        words: list[str] = []
        view, boards = Named(self.instance, self.transition, self.start), self.start
        for press in self.given(times):
            if all(term.test(self.bits, view) for term in self.instance.game.goal.terms):
                break
            boards = self.bits.act(boards, press.action, self.instance.game.input)
            view.boards = boards
            words.append(str(press.action))
        return tuple(words)

    def given(self, times: Sequence[int]) -> Iterator[Press]:
        """The presses, one after another."""
        for press, number in zip(self.all, times, strict=True):
            yield from (press,) * number


def cell_by_cell(instance: Instance) -> bool:
    """Does the goal say of each cell alone how it is to be?"""
    terms = instance.game.goal.terms
    return all(hasattr(term, "cell_by_cell") and term.cell_by_cell(instance) for term in terms)


def offsets_near(instance: Instance, transition: Transition) -> dict[str | None, tuple[Cell, ...]]:
    """For each direction that a pick can have, the offsets from its cell at which a turn looks or acts."""
    declared, program = instance.game.input, (*transition.turn, *transition.physics)
    if declared is None or declared.pick is None or declared.moves or declared.verbs:
        raise Unfit("its inputs are not all picks of a cell")
    if len(instance.game.players) > 1 or instance.game.scan is not None or instance.game.design is not None:
        raise Unfit("it has several players, rules in scan order, or something to place")
    if instance.game.goal.lose or ending(instance) != "any-turn":
        raise Unfit("it can be lost, or is won at the horizon only")
    if not all(hasattr(term, "test") for term in instance.game.goal.terms):
        raise Unfit("its goal is judged at the end of a run only")
    passes = [step for step in program if isinstance(step, Pass)]
    if len(passes) < len(program):
        raise Unfit("its turn has a loop")
    if any(not transition.markers.isdisjoint(standing(transition, row)) for row in instance.level.board):
        raise Unfit("a marker stands there before anything is picked")
    picks = {p: piece.variant for p, piece in enumerate(transition.planes) if piece.kind == declared.pick}
    return {
        direction if isinstance(direction, str) else None: tuple(sorted(reached(plane, passes, transition)))
        for plane, direction in picks.items()
    }


def standing(transition: Transition, row: Iterable[Iterable[Piece]]) -> set[int]:
    """The planes of all that stands in a row of the level."""
    return {transition.number[piece] for here in row for piece in here}


def reached(pick: int, passes: Iterable[Pass], transition: Transition) -> set[Cell]:
    """Where a turn looks and acts when this plane's pick is made, from its cell.

    A rule fires only where a marker is that it asks for: the pick itself, or what a pass before has put near
    it. Raises Unfit for a rule that asks for none.
    """
    found: set[Cell] = set()
    marks: dict[int, set[Cell]] = {pick: {(0, 0)}}
    for step in passes:
        put: list[tuple[int, Cell]] = []
        for subject, rules in step.subjects:
            for rule in rules:
                for down, right in anchors(subject, rule, marks, transition.markers):
                    asked = [term.offset for term in rule.terms]
                    done = [offset for change in rule.changes for offset in (change.source, change.target)]
                    found |= {(down + row, right + column) for row, column in ((0, 0), *asked, *done)}
                    put += [
                        (change.result, (down + change.target[0], right + change.target[1]))
                        for change in rule.changes
                        if change.result in transition.markers
                    ]
        for plane, cell in put:
            marks.setdefault(plane, set()).add(cell)
    return found


def anchors(
    subject: int | None, rule: CompiledRule, marks: Mapping[int, Set[Cell]], markers: frozenset[int]
) -> set[Cell]:
    """From where a rule may fire, with the markers that may be there. Raises Unfit if it needs none."""
    about = () if subject is None else (Term((0, 0), (subject,), True),)
    wanted = (term for term in (*about, *rule.terms) if term.wanted and term.planes)
    asked = [term for term in wanted if markers.issuperset(term.planes)]
    if not asked or rule.inputs:
        raise Unfit("its rules fire elsewhere than where is picked")
    ways = [
        {
            (row - term.offset[0], column - term.offset[1])
            for plane in term.planes
            for row, column in marks.get(plane, ())
        }
        for term in asked
    ]
    return set.intersection(*ways)


def content_of(bits: Bits, boards: Boards, cell: Cell) -> Content:
    """What stands on a cell."""
    bit = bits.bit(*cell)
    return frozenset(plane for plane, board in enumerate(boards) if board & bit)


def cycle(turned: Turned, start: Content) -> tuple[Content, ...]:
    """What comes of a content, again and again, until it comes back or goes elsewhere."""
    found = [start]
    while (one := turned[found[-1]]) not in found:
        found.append(one)
    return tuple(found)
