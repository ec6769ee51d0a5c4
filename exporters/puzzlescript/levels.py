"""The levels of an exported game: which of them one text can hold, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ggp.errors import PuzzleError
from ggp.exporters.puzzlescript.cast import Cast
from ggp.exporters.puzzlescript.goals import LINES, Goals
from ggp.exporters.puzzlescript.words import unfit
from ggp.goals.different import Different
from ggp.goals.order import Order
from ggp.goals.regions import regions
from ggp.language import levels
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import cells, height, width
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import ending, initial_state
from ggp.referee.stock import stocks
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Program, Transition

# No letter with which a row of a map could spell a word of the language, and no sign of its grammar.
WRITTEN = "abcdfghijklmnopqrtuxyz0123456789"
SIGNS = WRITTEN + "#*@$%&+-_!?,;:'/\\{}~`\""
LETTERS = "".join(
    map(chr, [*range(0x430, 0x450), *range(0x561, 0x587), *range(0x3041, 0x3060), *range(0x10D0, 0x10F0)])
)
MOST_CONTENTS = len(SIGNS) + len(LETTERS)
MOST_PLACED = 9  # pieces to place in a text that also holds levels with fewer: each is many rules


# --- which levels ---------------------------------------------------------------------------------------


def siblings(instance: Instance) -> list[Instance]:
    """The other levels of the game, where this level is one of them; none for a level from elsewhere."""
    game = instance.game
    try:
        found = levels.load_game(game.name)
    except PuzzleError:
        found = None
    if found is None or found[0] != game:
        file = Path(game.place.file) if game.place is not None else None
        try:
            found = levels.load_game(str(file)) if file is not None and file.is_file() else None
        except PuzzleError:
            found = None
    if found is None or found[0] != game or instance.level not in found[1]:
        return []
    return [Instance(game, level) for level in found[1] if level != instance.level]


def widest(instance: Instance, others: Iterable[Instance]) -> Instance:
    """The level whose pieces a text has: this one, or one that has the same and more.

    Where numbers go up to the size of the board, a text for the largest level holds the smaller ones, whether
    they only stand there or are placed.
    """
    own = found = compile_instance(instance)
    level = instance
    for other in others:
        theirs = compile_instance(other)
        if len(theirs.planes) > len(found.planes) and goes_with(other, theirs, instance, own):
            level, found = other, theirs
    return level


def more_stand(instance: Instance, transition: Transition, others: Transition) -> bool:
    """Has this level the other one's pieces, and more that no rule and no player puts or takes?"""
    more = set(transition.planes) - set(others.planes)
    if not more or transition.turn or transition.physics or others.turn or others.physics:
        return False
    kept = [at for at in zip(transition.planes, transition.layers, strict=True) if at[0] not in more]
    placed = set(placeable(instance))
    return kept == list(zip(others.planes, others.layers, strict=True)) and not more & placed


def more_placed(one: Instance, transition: Transition, other: Instance, others: Transition) -> bool:
    """Has this level the other one's pieces, and more that come after them when they are placed?

    There is no count of what is left, and all that the goal asks is that some differ, or are in order.
    """
    if not all(isinstance(term, Different | Order) for term in one.game.goal.every_term):
        return False
    more = set(transition.planes) - set(others.planes)
    mine, theirs = placeable(one), placeable(other)
    if transition.turn or transition.physics or one.game.input is not None or stocks(one) or stocks(other):
        return False
    kept = [at for at in zip(transition.planes, transition.layers, strict=True) if at[0] not in more]
    fits = theirs == mine[: len(theirs)] and more == set(mine[len(theirs) :]) and len(mine) <= MOST_PLACED
    return fits and kept == list(zip(others.planes, others.layers, strict=True))


def goes_with(one: Instance, transition: Transition, other: Instance, others: Transition) -> bool:
    """Can both levels stand in one text? Its pieces, rules and ending are the same for all its levels."""
    same = one.game == other.game and ending(one) == ending(other)
    alike = (transition.planes, transition.layers) == (others.planes, others.layers)
    larger = more_placed(one, transition, other, others)
    same = same and (alike or larger or more_stand(one, transition, others))
    for mine, theirs in ((transition.turn, others.turn), (transition.physics, others.physics)):
        same = same and unbounded(mine) == unbounded(theirs)
    here, there = region_counts(one), region_counts(other)
    covered = here == there or (larger and all(a >= b for a, b in zip(here, there, strict=True)))
    return same and covered and not any(unfit(other, others))


def region_counts(instance: Instance) -> list[int]:
    """How many regions the goal speaks of, word by word: each has an object of its own."""
    terms = [term for term in instance.game.goal.terms if isinstance(term, Different)]
    return [len(regions(instance, name)) for term in terms for name in term.names if name not in LINES]


def unbounded(program: Program) -> Program:
    """The program without the bounds of its loops, which PuzzleScript does not know."""
    return tuple(
        replace(step, body=unbounded(step.body), bound=0) if isinstance(step, Loop) else step
        for step in program
    )


# --- how a level is drawn -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """One level as a grid of object names. The board's first cell is at `top`, `left`; bars are below it."""

    grid: tuple[tuple[frozenset[str], ...], ...]
    top: int
    left: int
    bars: tuple[Cell, ...]
    cursor: Cell


def sheet(instance: Instance, plan: Plan | None, goals: Goals, margin: Mapping[str, int]) -> Sheet:
    """The level with its margin, its bar and all helpers that stand there from the start."""
    player, cast = goals.player, goals.cast
    mode, rows, columns = player.mode, height(instance), width(instance)
    design = plan.design if plan is not None else ()
    state = initial_state(instance, design, partial=True)
    top, left = margin["up"], margin["left"]
    counters = counted(instance, [piece for _, piece in design], goals)
    wide = max(left + columns + margin["right"], digits(instance) if mode.clock else 0)
    needed = len(counters) or (1 if mode.design and not mode.still else 0)
    deep = -(-needed // wide)
    tall = top + rows + max(margin["down"], deep)
    grid: dict[Cell, set[str]] = {(row, column): set() for row in range(tall) for column in range(wide)}
    for (row, column), here in zip(cells(instance), state.board, strict=True):
        grid[top + row, left + column] |= {cast.pieces[cast.transition.number[piece]] for piece in here}
    bars = tuple((top + rows + row, column) for row in range(deep) for column in range(wide))
    board = {(top + row, left + column) for row, column in cells(instance)}
    for cell, names in grid.items():
        if cell in bars:
            names.add(cast.helper("bar"))
        elif cell not in board:
            names.add(player.blocking("edge", "cursor", "over"))
    show_counters(instance, counters, bars, grid, goals)
    first = (top, left)
    free = free_cells(instance) if mode.design else ()
    slot = player.slots(instance) if free else ()
    for row, column in free:
        grid[top + row, left + column].update(slot)
    start = bars[0] if plan is not None and bars and not mode.still else first
    if (plan is None or mode.still) and free:
        start = (top + free[0][0], left + free[0][1])
    if mode.design:
        grid[start].add(cast.helper("cursor"))
    else:
        stand_in(grid, goals, first, bars)
    if "home" in cast.helpers:
        grid[first].add(cast.helper("home"))
    if "trail" in cast.helpers:
        for names in (names for names in grid.values() if player.keys in names):
            names.add(cast.helper("trail"))
    for place in goals.placed:
        for (row, column), stands in place(instance).items():
            grid[top + row, left + column].update(stands)
    lines = tuple(tuple(frozenset(grid[row, column]) for column in range(wide)) for row in range(tall))
    return Sheet(lines, top, left, bars, start)


def stand_in(grid: dict[Cell, set[str]], goals: Goals, first: Cell, bars: tuple[Cell, ...]) -> None:
    """Put what the engine takes for the player where nothing on the board serves for it."""
    player, mode = goals.player, goals.player.mode
    if mode.keys in ("keys", "picks") and not mode.acting:
        grid[first].add(player.keys)
    elif mode.keys == "none" and player.going:
        grid[bars[0] if bars else first].add(player.going)


def digits(instance: Instance) -> int:
    """How many digits the clock of a level needs."""
    return len(str(instance.level.horizon)) if instance.level.horizon is not None else 0


def counted(instance: Instance, placed: Sequence[Piece], goals: Goals) -> list[str]:
    """The counters in the bar: what is left to place, then what is placed already, then the clock."""
    cast, mode = goals.cast, goals.player.mode
    found: list[str] = []
    for kinds, limit in stocks(instance).items() if mode.stock else ():
        most, spent = min(limit, len(free_cells(instance))), sum(piece.kind in kinds for piece in placed)
        stock, gone = (cast.helper(goals.player.counter(word, kinds)) for word in ("stock", "spent"))
        found += [stock] * (most - spent) + [gone] * spent
    if mode.clock and instance.level.horizon is not None:
        found += [cast.helper(f"clock {digit}") for digit in str(instance.level.horizon)]
    return found


def show_counters(
    instance: Instance, counters: list[str], bars: tuple[Cell, ...], grid: dict[Cell, set[str]], goals: Goals
) -> None:
    """Put what is to be placed at the start of the bar, and the clock at its end."""
    clock = digits(instance) if goals.player.mode.clock else 0
    for name, cell in zip(counters[: len(counters) - clock], bars, strict=False):
        grid[cell].add(name)
    for name, cell in zip(reversed(counters), reversed(bars[len(bars) - clock :]), strict=False):
        grid[cell].add(name)
    if clock:
        grid[bars[-1]].add(goals.cast.helper("ones"))


# --- signs ----------------------------------------------------------------------------------------------


def contents(sheets: Iterable[Sheet]) -> Counter[frozenset[str]]:
    """What cells hold, and how many hold it. A map has one sign for each content."""
    return Counter(here for one in sheets for row in one.grid for here in row)


def signs_for(sheets: Iterable[Sheet], cast: Cast) -> dict[frozenset[str], str]:
    """A sign for each content of a cell.

    A dot is the commonest floor. A piece has its sign of the description, where that one can be used; what is
    left takes a letter or a digit of its name, or any sign.
    """
    every = contents(sheets)
    ordered = sorted(every, key=lambda here: (-every[here], sorted(here)))
    pieces = {name: cast.transition.planes[plane] for plane, name in enumerate(cast.pieces)}
    own = own_signs(cast)
    found: dict[frozenset[str], str] = {}

    def take(here: frozenset[str], wanted: str) -> None:
        sign = next((sign for sign in wanted if sign not in found.values()), None)
        if here not in found and sign is not None:
            found[here] = sign

    for here in ordered:
        if not here & {*pieces, *cast.helpers.values()} - {cast.helpers.get("slot")}:
            take(here, ".")
    for here in ordered:
        stands = frozenset(pieces[name] for name in here if name in pieces)
        if len(stands) == len(here - {cast.helpers.get("trail")}):
            take(here, own.get(stands, ""))
    for here in ordered:
        names = sorted(here, key=lambda name: (not name[-1:].isdigit(), name not in pieces, name))
        spelt = "".join((name[-1:] if name[-1:].isdigit() else "") + name for name in names).lower()
        take(here, "".join(sign for sign in spelt if sign in WRITTEN))
        take(here, SIGNS + LETTERS)
    return {here: found[here] for here in every}


def own_signs(cast: Cast) -> dict[frozenset[Piece], str]:
    """The signs that the description's own maps have, where PuzzleScript can use them."""
    wanted: dict[frozenset[Piece], str] = {}
    for symbol, pieces in cast.instance.game.symbols:
        if len(symbol) == 1 and symbol.lower() in SIGNS:
            wanted.setdefault(frozenset(pieces), symbol.lower())
    return wanted
