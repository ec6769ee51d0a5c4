"""A level as a link: the other way of `ggp.language.readers.url`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.errors import DescriptionError, Finding, Place
from ggp.language.readers.code_layouts import Grid, Sheet, Told
from ggp.language.readers.common import usual_horizon
from ggp.language.readers.link_form import LinkForm
from ggp.model import Instance

ADDRESS = "https://puzz.link/p?"


class Written(NamedTuple):
    """A link, and what it leaves out of the level; where it is empty, why there is none."""

    link: str
    found: tuple[Finding, ...]


def write(instance: Instance) -> Written:
    """The link for a level, and what it does not tell: plain, or with the flag that leaves least untold."""
    place = instance.level.place or instance.game.place or Place(instance.name)
    try:
        form = LinkForm(instance.game, place)
    except DescriptionError as error:
        return unwritten(error, place)
    plain = written(instance, form, place)
    if plain.link and not plain.found:
        return plain
    flagged = (written(instance, LinkForm(instance.game, place, flag), place, flag) for flag in form.flags)
    return min([plain, *(one for one in flagged if one.link)], key=lambda one: (not one.link, len(one.found)))


def written(instance: Instance, form: LinkForm, place: Place, flag: str = "") -> Written:
    """The link of this form."""
    try:
        grid = grid_of(instance, form, place)
        text = form.layout.write(Sheet(grid, clues_of(instance, form)))
    except DescriptionError as error:
        return unwritten(error, place)
    start = f"{form.types[0]}/{flag}" if flag else form.types[0]
    link = f"{ADDRESS}{start}/{len(grid[0])}/{len(grid)}/{text}"
    # A link that ends in a sign is easily cut off where it is pasted into a sentence.
    return Written(link if link[-1].isalnum() else f"{link}/", tuple(untold(instance, form, place)))


def unwritten(error: DescriptionError, place: Place) -> Written:
    """That there is no link, and why."""
    return Written("", tuple(one if one.place else finding_at(one, place) for one in error.findings))


def finding_at(finding: Finding, place: Place) -> Finding:
    """The finding with a place."""
    return Finding(finding.message, finding.remedy, place, finding.severity)


def grid_of(instance: Instance, form: LinkForm, place: Place) -> Grid:
    """The codes of the map. Raises DescriptionError for what no code stands for."""
    board = instance.level.board
    size = form.unit.cells(len(board), len(board[0]))
    if size is None:
        message = f"the map of {len(board)} by {len(board[0])} is not drawn cell by cell as links are"
        raise DescriptionError(message, "see `unit` and `margin` under [forms.url]", place)
    grid: Grid = [[None] * size[1] for _ in range(size[0])]
    findings = []
    for (row, column), cell, drawn in form.unit.places(*size):
        here = board[row][column]
        code = form.code(here) if cell is not None else None
        if cell is not None and code is not None:
            grid[cell[0]][cell[1]] = code[0]
        elif cell is not None or here != drawn:
            what = " ".join(sorted(map(str, here))) or "nothing"
            message = f"a link cannot show `{what}` at row {row}, column {column}"
            findings.append(Finding(message, "take it off the map, or write another form", place))
    if findings:
        raise DescriptionError.of(tuple(findings))
    return grid


def clues_of(instance: Instance, form: LinkForm) -> tuple[list[Told], ...]:
    """The lists of clues. Raises DescriptionError where the level lacks one."""
    clues = dict(instance.level.clues)
    for name in form.clues:
        if name not in clues:
            raise DescriptionError(f"the level has no clues for `{name}`", "add them under [level.clues]")
    return tuple([(clue, 0) for clue in clues[name]] for name in form.clues)


def untold(instance: Instance, form: LinkForm, place: Place) -> Iterator[Finding]:
    """What the level says and its link does not."""
    level = instance.level
    numbers = dict(form.numbers(level))
    for name, number in level.numbers:
        if numbers.get(name) != number:
            instead = f"who reads it takes {numbers[name]}" if name in numbers else "take it out"
            yield Finding(f"a link does not say that `{name}` is {number}", instead, place)
    if level.horizon != usual_horizon(instance.game):
        yield Finding(f"a link does not say that the horizon is {level.horizon}", "", place)
    parts = [f"clues for `{name}`" for name, _ in level.clues if name not in form.clues]
    parts += [f"regions `{name}`" for name, _ in level.regions]
    parts += [f"pattern `{name}`" for name, _ in level.patterns]
    parts += ["ending"] if level.when is not None else []
    for part in parts:
        yield Finding(f"a link does not hold the {part} of the level", "", place)
