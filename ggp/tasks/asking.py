"""Questions about designs, asked by changing the instance: how many, none on some cells, other starts.

So the referee, every solver and every format get the same question, and none knows that one was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ggp.errors import PuzzleError
from ggp.goals.count import Count
from ggp.model import Cell, Class, Design, Game, Instance, Known, Pattern, Plan, Start
from ggp.model.board import height, width
from ggp.model.features import placed_moves
from ggp.referee.designs import free_cells, placeable
from ggp.referee.stock import budget

ASK = "leave the question out, or ask it of a level in which what is placed is a choice"


def asked(
    instance: Instance,
    exactly: int | None = None,
    avoid: Iterable[Cell] = (),
    robust: Iterable[tuple[int, int] | Start] = (),
) -> Instance:
    """The instance whose designs have exactly so many placements, and none on these cells (row, column).

    And they win as well if the walker starts at one of `robust` (row, column, and where it faces if not as
    on the map). As it is where nothing is asked. Raises PuzzleError for a game without such a choice, for
    cells that are not free, for a number of placements that the level does not allow whatever is avoided, and
    for starts that cannot be asked about at once.
    """
    asked: tuple[object, ...] = (avoid, robust)
    for told in asked:
        if not isinstance(told, Iterable):
            raise PuzzleError(f"{str(told)[:60]!r} are no cells", "give a list of (row, column)")
    cells, starts = frozenset(map(cell_of, avoid)), tuple(robust)
    if exactly is None and not cells and not starts:
        return instance
    design = chosen_freely(instance)
    if starts:
        from ggp.tasks.robust import with_starts

        instance = with_starts(instance, starts)
    most = budget(instance)
    check_cells(instance, cells)
    free = len(free_cells(instance))
    before = instance.level.question
    question = replace(before, exactly=exactly, avoid=before.avoid | cells)
    level = replace(instance.level, avoid=instance.level.avoid | cells, question=question)
    made = replace(instance, level=level)
    if exactly is not None:
        allowed = (
            (free, f"there are {free} free cells")
            if most is None or free < most
            else (most, f"the budget is {most}")
        )
        check_number(instance, exactly, *allowed)
        made = replace(made, game=with_number(made, design, exactly))
    return replace(made, level=replace(level, known=still_known(instance.level.known, exactly, cells)))


def chosen_freely(instance: Instance) -> Design:
    """The design of an instance that leaves open how much is placed; raises PuzzleError."""
    design, name = instance.game.design, instance.game.name
    if design is None:
        raise PuzzleError(f"{name} places nothing, so there are no placements to ask about", ASK)
    if design.fill:
        raise PuzzleError(f"{name} fills every free cell, so no number and no cells are left to choose", ASK)
    return design


def check_cells(instance: Instance, cells: frozenset[Cell]) -> None:
    """Raise PuzzleError unless each is a free cell of the board."""
    free = set(free_cells(instance))
    for cell in sorted(cells - free):
        inside = 0 <= cell[0] < height(instance) and 0 <= cell[1] < width(instance)
        where = f"the board has {height(instance)} rows and {width(instance)} columns, counted from 0"
        raise PuzzleError(
            f"({cell[0]},{cell[1]}) is {'no free cell' if inside else 'not on the board'} of {instance.name}",
            "nothing can be placed there anyway: leave it out" if inside else where,
        )


def check_number(instance: Instance, exactly: int, most: int, why: str) -> None:
    """Raise PuzzleError for a number of placements that the level has no room for."""
    if type(exactly) is not int:
        raise PuzzleError(f"{str(exactly)[:60]!r} is no number of placements", "give a whole number")
    if not 0 <= exactly <= most:
        raise PuzzleError(
            f"{instance.name} has no designs of exactly {exactly:,} placements: {why}", f"ask for 0 to {most}"
        )


def with_number(instance: Instance, design: Design, exactly: int) -> Game:
    """The game with one more term of its goal: the count of what is placed, with what stands there already.

    Raises PuzzleError where that count does not tell how much was placed.
    """
    game, pieces = instance.game, frozenset(placeable(instance))
    place = placed_moves(instance.game)
    if place is not None:
        message = (
            f"rules of {game.name} move, add or remove `{design.named}`, so it tells no more what was placed"
        )
        raise PuzzleError(f"{message} ({place})", "ask for the best plan, or count all")
    board = instance.level.board
    for row, column in free_cells(instance):
        if pieces & board[row][column]:
            message = (
                f"a `{design.named}` stands at ({row},{column}) of {instance.name}, and may be placed there"
            )
            raise PuzzleError(
                f"{message} again: how much is placed cannot be counted", "avoid that cell, too"
            )
    standing = sum(piece.kind in design.kinds for rows in board for here in rows for piece in here)
    classes, name = game.classes, design.kinds[0]
    if len(design.kinds) > 1:
        name = unused(game, "placed")
        classes = (*classes, Class(name, design.kinds))
    term = Count(Pattern(name), "=", exactly + standing)
    fewer = design if design.limits else replace(design, limit=exactly)
    goal = replace(game.goal, terms=(*game.goal.terms, term))
    return replace(game, classes=classes, goal=goal, design=fewer)


def unused(game: Game, name: str) -> str:
    """The name, lengthened until no kind and no class has it."""
    taken = {kind.name for kind in game.kinds} | {one.name for one in game.classes}
    while name in taken:
        name += "-x"
    return name


def still_known(known: Known, exactly: int | None, avoid: frozenset[Cell]) -> Known:
    """What is known of a level and holds of the question: the plans that answer it, and those that lose."""

    def answers(plan: Plan) -> bool:
        number = exactly is None or len(plan.design) == exactly
        return number and avoid.isdisjoint(cell for cell, _ in plan.design)

    return Known(wins=tuple(filter(answers, known.wins)), loses=tuple(filter(answers, known.loses)))


def cell_of(cell: object) -> Cell:
    """A pair of whole numbers as a cell; raises PuzzleError for anything else."""
    match cell:
        case int(row), int(column):
            return row, column
    raise PuzzleError(f"{str(cell)[:60]!r} is not a cell", "give pairs (row, column), counted from 0")


def read_starts(texts: Iterable[str]) -> tuple[tuple[int, int] | Start, ...]:
    """Starts as the command line writes them: `2,3 4,5,left`. Raises PuzzleError."""
    found: list[tuple[int, int] | Start] = []
    for word in (word for text in texts for word in text.split()):
        match = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6})(?:,([A-Za-z_-]+))?", word)
        if match is None:
            raise PuzzleError(
                f"{word[:60]!r} is not a start", "write `2,3 4,5,left`: row and column, from 0, and a facing"
            )
        cell = int(match[1]), int(match[2])
        found.append((*cell, match[3]) if match[3] else cell)
    return tuple(found)


def read_cells(texts: Iterable[str]) -> tuple[Cell, ...]:
    """Cells as the command line writes them: `2,3 4,5`, rows and columns from 0. Raises PuzzleError."""
    found = []
    for word in (word for text in texts for word in text.split()):
        match = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6})", word)
        if match is None:
            raise PuzzleError(f"{word[:60]!r} is not a cell", "write `2,3 4,5`: rows and columns, from 0")
        found.append((int(match[1]), int(match[2])))
    return tuple(found)
