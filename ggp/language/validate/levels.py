"""Says what is wrong with one level of a game: its map, its numbers, its regions, what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ggp.errors import DescriptionError, Finding, PlanError
from ggp.language.maps import LocateCell
from ggp.language.validate.winning import unwinnable
from ggp.model import (
    MOST_PASSES,
    MOST_TURNS,
    Amount,
    Block,
    Cell,
    Class,
    Game,
    Instance,
    Kind,
    Level,
    Piece,
    Plan,
    Term,
    groups_of,
)
from ggp.model.board import amount
from ggp.model.pieces import amounts_of_rules, asked_numbers, members, piece_fault
from ggp.referee.inputs import parse_action

MOST_VALUES = 2500  # of one kind: as many as a board of 50x50 has cells; every value is a plane
OF_A_LOOP = "the bound of a loop"


def level_findings(game: Game, level: Level, locate: LocateCell | None = None) -> list[Finding]:
    """What is wrong with a level of a game that has no errors itself.

    `locate` says where a cell of the map stands in the file; without it the level's own place is shown.
    """
    checker = LevelChecker(game, level, locate)
    found = list(checker.shape())
    if not found:
        found += checker.numbers()
    if not any(finding.severity == "error" for finding in found):
        found += [*checker.board(), *checker.counts(), *checker.ending()]
        found += [*checker.regions(), *checker.chance(), *checker.made()]
    if not any(finding.severity == "error" for finding in found):
        found += [*checker.goals(), *checker.known(), *checker.winning()]
    return found


class LevelChecker:
    """Judges the parts of one level."""

    def __init__(self, game: Game, level: Level, locate: LocateCell | None) -> None:
        self.game = game
        self.level = level
        self.instance = Instance(game, level)
        self.locate = locate
        self.kinds = {kind.name: kind for kind in game.kinds}
        self.ranges: dict[str, tuple[int, int]] = {}  # of the kinds of pieces that were looked at

    def fault(self, message: str, remedy: str = "", cell: Cell | None = None) -> Finding:
        """An error of this level, at a cell of its map if one is given."""
        if cell is None:
            return Finding(f"level {self.level.name}: {message}", remedy, self.level.place)
        if self.locate is not None:
            return Finding(message, remedy, self.locate(*cell))
        return Finding(f"level {self.level.name}, cell {cell}: {message}", remedy, self.level.place)

    def shape(self) -> Iterator[Finding]:
        board = self.level.board
        if not board or not board[0]:
            yield self.fault("the map is empty", "draw at least one cell")
        elif len({len(row) for row in board}) > 1:
            yield self.fault("the rows of the map differ in length", "pad them")

    def numbers(self) -> Iterator[Finding]:
        """Every number that the game asks for must be there and make sense."""
        if self.level.horizon is not None and self.level.horizon < 0:
            yield self.fault(f"the horizon is {self.level.horizon}", "write 0 or more")
        if self.level.horizon is not None and self.level.horizon > MOST_TURNS:
            message = f"the horizon is {self.level.horizon:,}, and a run has at most {MOST_TURNS:,} turns"
            yield self.fault(message, "write a smaller one, or leave it out where it need not be there")
        for value, what in self.counting():
            try:
                number = amount(self.instance, value)
            except DescriptionError:
                yield self.fault(f"there is no number `{value}`, {what}", f"add `{value} = ...` to the level")
                continue
            if number < 0:
                yield self.fault(f"{value} is {number}, and it is {what}", "write 0 or more")
            if number > MOST_PASSES and what == OF_A_LOOP:
                message = f"{value} is {number:,}, {what}, which runs at most {MOST_PASSES:,} times"
                yield self.fault(message, "write a smaller one")
        for kind in self.game.kinds:
            yield from self.values(kind)
        asked = asked_numbers(self.game) | {"budget"}
        for name, _ in self.level.numbers:
            if name not in asked:
                message = f"level {self.level.name}: nothing asks for the number `{name}`"
                yield Finding(message, "take it out", self.level.place, "warning")

    def counting(self) -> Iterator[tuple[Amount, str]]:
        """The amounts of the game that count something, and what each is."""
        game = self.game
        for limit in game.design.amounts if game.design is not None else ():
            yield limit, "the limit of the design"
        for scatter in game.chance:
            yield scatter.count, f"how many of `{scatter.kind}` are laid at random"
        for phase in (*game.turn, *game.physics):
            for part in (phase, *(phase.groups if isinstance(phase, Block) else ())):
                if part.bound is not None:
                    yield part.bound, OF_A_LOOP
        yield from ((number, "with which a rule compares") for number in amounts_of_rules(game))

    def values(self, kind: Kind) -> Iterator[Finding]:
        if kind.values is None:
            return
        try:
            low, high = (amount(self.instance, bound) for bound in kind.values)
        except DescriptionError:
            missing = " or ".join(f"`{bound}`" for bound in kind.values if isinstance(bound, str))
            message = f"there is no number {missing}, a bound of the values of `{kind.name}`"
            yield self.fault(message, f"add {missing} to the level")
            return
        if not 0 <= high - low < MOST_VALUES:
            message = f"`{kind.name}` has values from {low} to {high}"
            yield self.fault(message, f"there must be 1 to {MOST_VALUES} of them")

    def board(self) -> Iterator[Finding]:
        """Every piece must be one of the game's, and have its place for itself."""
        for row, line in enumerate(self.level.board):
            for column, here in enumerate(line):
                for piece in here:
                    wrong = self.wrong(piece)
                    if wrong is not None:
                        yield self.fault(*wrong, (row, column))
                if len(here) > 1:
                    yield from self.sharing(sorted(here, key=str), (row, column))

    def wrong(self, piece: Piece) -> tuple[str, str] | None:
        """Why there can be no such piece in this level: (message, remedy), or None."""
        fault = piece_fault(self.kinds, piece)
        if fault is not None:
            return fault
        bounds = self.kinds[piece.kind].values
        if bounds is None or not isinstance(piece.variant, int):
            return None
        if piece.kind not in self.ranges:
            low, high = (amount(self.instance, bound) for bound in bounds)
            self.ranges[piece.kind] = low, high
        low, high = self.ranges[piece.kind]
        if low <= piece.variant <= high:
            return None
        message = f"there is no `{piece}` in this level"
        return message, f"the values of `{piece.kind}` go from {low} to {high}"

    def made(self) -> Iterator[Finding]:
        """The values that rules make must be there in a level of this size."""
        for phase in (*self.game.turn, *self.game.physics):
            for group in groups_of(phase):
                for rule in group.rules:
                    for effect in rule.effects:
                        variant = effect.pattern.variant if effect.verb == "add" else effect.variant
                        kinds = members(self.classes(), effect.pattern.name) if type(variant) is int else ()
                        for name in sorted(kinds):
                            wrong = self.wrong(Piece(name, variant))
                            if wrong is not None:
                                yield self.fault(f"rule {rule.name} makes one: {wrong[0]}", wrong[1])

    def sharing(self, here: list[Piece], cell: Cell) -> Iterator[Finding]:
        known = [piece for piece in here if piece.kind in self.kinds]
        for index, piece in enumerate(known):
            for other in known[:index]:
                both = self.kinds[piece.kind], self.kinds[other.kind]
                if both[0].layer == both[1].layer and not all(kind.merge or kind.marker for kind in both):
                    layer = both[0].layer
                    message = f"`{other}` and `{piece}` share a cell, and both are on the layer `{layer}`"
                    yield self.fault(message, "take one of them away", cell)

    def counts(self) -> Iterator[Finding]:
        """`count` of each kind; one too many is shown where it stands."""
        for kind in self.game.kinds:
            if kind.count is None:
                continue
            low, high = kind.count
            cells = [
                (row, column)
                for row, line in enumerate(self.level.board)
                for column, here in enumerate(line)
                if any(piece.kind == kind.name for piece in here)
            ]
            wanted = "exactly" if low == high else "at least" if high is None else f"{low} to"
            number = high if wanted.endswith("to") else low
            if high is not None and len(cells) > high:
                message = f"this is `{kind.name}` number {high + 1}, and a map holds {wanted} {number}"
                yield self.fault(message, "take one of them away", cells[high])
            elif len(cells) < low:
                message = f"the map has {len(cells)} of `{kind.name}`, and must hold {wanted} {number}"
                yield self.fault(message, self.how_to_draw(kind), (0, 0) if self.locate else None)

    def how_to_draw(self, kind: Kind) -> str:
        """Which symbols draw a kind."""
        symbols = [
            f"`{symbol}`" for symbol, pieces in self.game.symbols if any(p.kind == kind.name for p in pieces)
        ]
        return f"draw one with {' or '.join(symbols[:6])}" if symbols else "add a symbol for it"

    def ending(self) -> Iterator[Finding]:
        """Runs without inputs never end by themselves, and a goal at the horizon needs one."""
        when = self.level.when or self.game.goal.when
        if self.level.horizon is None and (when == "horizon" or self.game.input is None):
            yield self.fault("there is no horizon", "add `horizon = ...`, the number of turns")

    def regions(self) -> Iterator[Finding]:
        height, width = len(self.level.board), len(self.level.board[0])
        for name, regions in self.level.regions:
            for region in regions:
                if not region or not all(0 <= row < height and 0 <= column < width for row, column in region):
                    yield self.fault(f"a region of `{name}` is empty or leaves the board", "draw it anew")
                elif len(set(region)) < len(region):
                    yield self.fault(f"a region of `{name}` holds a cell twice", "take it out once")
            yield from self.covering(name, regions)

    def covering(self, name: str, regions: tuple[tuple[Cell, ...], ...]) -> Iterator[Finding]:
        """Warnings for cells that two regions of a name share, and for those that none of them holds."""
        board, held = self.level.board, Counter(cell for region in regions for cell in region)
        shared = [cell for cell, times in sorted(held.items()) if times > 1]
        every = [(row, column) for row, line in enumerate(board) for column in range(len(line))]
        left = [cell for cell in every if cell not in held]
        for cells, what in ((shared, "two regions"), (left, "none of the regions")):
            if cells:
                more = f", and {len(cells) - 1} more" if len(cells) > 1 else ""
                message = f"the cell {cells[0]} lies in {what} of `{name}`{more}"
                yield replace(self.fault(message, "see that this is meant", cells[0]), severity="warning")

    def chance(self) -> Iterator[Finding]:
        for scatter in self.game.chance:
            taken = {n for word in scatter.free_of for n in members(self.classes(), word)}
            free = sum(
                not any(piece.kind in taken for piece in here) for line in self.level.board for here in line
            )
            if amount(self.instance, scatter.count) > free:
                message = f"{scatter.count} of `{scatter.kind}` do not fit on {free} free cells"
                yield self.fault(message, "lay fewer, or draw a larger map")

    def classes(self) -> dict[str, Class]:
        return {group.name: group for group in self.game.classes}

    def goals(self) -> Iterator[Finding]:
        """The goal must be something that can be said of this board: regions that fit, numbers that exist."""
        goal = self.game.goal
        late = (self.level.when or goal.when) == "horizon"
        for term in (*goal.terms, *goal.lose):
            if not hasattr(term, "test") and (not late or term in goal.lose):
                remedy = 'write `when = "horizon"`, and the word under `win`'
                yield self.fault(f"the goal word `{term.word}` is judged at the end only", remedy)
            parts = (term, *getattr(term, "inner", ()))
            asked = ((part, question) for part in parts for question in ("regions", "say"))
            found = [misfit for part, question in asked for misfit in self.misfits(part, question)]
            yield from found[:1]
            # What cannot be won is no fault where the level itself says so.
            if not found and hasattr(term, "faults") and self.level.known.solvable is not False:
                for message, remedy, cell in term.faults(self.instance):
                    yield self.fault(message, remedy, cell)

    def misfits(self, term: Term, question: str) -> Iterator[Finding]:
        """Why the term cannot answer the question; at the clue that is to blame, if one is."""
        try:
            if hasattr(term, question):
                getattr(term, question)(self.instance)
        except DescriptionError as error:
            first = error.findings[0]
            message = f"the goal `{term.word}` does not fit: {first.message}"
            clues = {place for _, places in self.level.clue_places for place in places}
            at_clue = first.place in clues
            yield (
                Finding(message, first.remedy, first.place) if at_clue else self.fault(message, first.remedy)
            )

    def winning(self) -> Iterator[Finding]:
        """A warning for what shows that it can never be won; none where that is known."""
        if self.level.known.solvable is not False:
            for message, remedy, cell in unwinnable(self.instance):
                yield replace(self.fault(message, remedy, cell), severity="warning")

    # --- what is known ----------------------------------------------------------------------------------

    def known(self) -> Iterator[Finding]:
        known = self.level.known
        objectives = [objective.name for objective in self.game.objectives]
        for name, _ in known.optimum:
            if name not in objectives:
                remedy = f"objectives are {', '.join(objectives) or 'none'}"
                yield self.fault(f"an optimum is known for `{name}`, which is no objective", remedy)
        if known.solvable is False and (known.wins or known.solutions):
            yield self.fault("it is known to be unsolvable, and to have solutions", "take one of them out")
        for plan in (*known.wins, *known.loses):
            yield from self.plan(plan)

    def plan(self, plan: Plan) -> Iterator[Finding]:
        height, width = len(self.level.board), len(self.level.board[0])
        for (row, column), piece in plan.design:
            if not (0 <= row < height and 0 <= column < width):
                remedy = f"rows go from 0 to {height - 1}, columns from 0 to {width - 1}"
                yield self.fault(f"a known plan places {piece} at {(row, column)}, outside the board", remedy)
            elif self.game.design is None:
                yield self.fault(f"a known plan places `{piece}`", "the game has no [design]")
            elif piece.kind not in self.game.design.kinds:
                yield self.fault(f"a known plan places `{piece}`", f"it must be `{self.game.design.named}`")
            elif (wrong := self.wrong(piece)) is not None:
                yield self.fault(f"a known plan is wrong: {wrong[0]}", wrong[1])
        for word in plan.actions:
            try:
                parse_action(word)
            except PlanError as error:
                yield self.fault(f"in a known plan {error.findings[0].message}", error.findings[0].remedy)
