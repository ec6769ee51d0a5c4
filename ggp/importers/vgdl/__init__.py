"""VGDL games as games of ours: py-vgdl's VGDL 2.0, and the files of GVGAI.

A file is read section by section, every fault with its line and column. Its levels stand beside it, in files
`NAME_lvl0.txt`, `NAME_lvl1.txt`, ..., or in it, behind a line of dashes or `# ---- map ----`. What a tick
does becomes groups of rules (`ggp.importers.vgdl.tick`), so that whatever takes games of ours takes these;
what cannot be said exactly is refused with its line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import NamedTuple

from ggp.errors import DescriptionError, Finding, Place, PuzzleError
from ggp.files.reading import decoded, file_bytes
from ggp.goals.count import Count
from ggp.importers.vgdl import clocks
from ggp.importers.vgdl.compact import Board
from ggp.importers.vgdl.dialects import COLLECTS, GVGAI, PY_VGDL, Dialect
from ggp.importers.vgdl.ends import Ends, counts_turns, ends_of, goal_of
from ggp.importers.vgdl.facts import pixels
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.origin import origin_of
from ggp.importers.vgdl.pyorder import check_order
from ggp.importers.vgdl.reading import read as read_rules
from ggp.importers.vgdl.refused import Refused
from ggp.importers.vgdl.tick import lower_tick, pass_by_pass
from ggp.importers.vgdl.together import EXPORTED, apart
from ggp.importers.vgdl.wins import CLOCK
from ggp.model import DIRECTIONS, Game, Input, Level, Objective, Pattern, Piece

EXTENSIONS = (".txt", ".vgdl")
OUT_ONLY = "if `--to vgdl` has written this, it was changed since: undo that, or take its level itself"
WRITTEN = re.compile(r"(?m)^#[|=]")  # how the comments begin in which that carries a description
MOST_LEVELS = 100
MOST_CELLS = 250_000
AFAR = ("stype", "target")  # arguments that name what an effect makes or changes
DEFAULT = {"w": ("wall",), "A": ("avatar",)}
EMPTY = " ."
PYTHON_WORDS = re.compile(
    r"(?m)^\s*BasicGame\b.*\bblock_size=|>\s*Immutable\b|\b(conveySprite|TransformOthersTo|KillOthers|ANY)\b"
)


def belongs(data: bytes) -> bool:
    """Does this look like a VGDL file? Its first line with something on it begins with `BasicGame`."""
    first = re.search(rb"(?m)^[ \t]*(?!#)[^\s#].*$", data.removeprefix(BOM_UTF8))
    return first is not None and first[0].split()[0] == b"BasicGame"


def read(data: bytes, file: str) -> tuple[Game, tuple[Level, ...]]:
    """The game in a file, and its levels. Raises DescriptionError, or UnsupportedFeature."""
    found = look(data, file)
    return found.game, found.levels


def check(data: bytes, file: str) -> tuple[Finding, ...]:
    """Every finding of a file, warnings as well."""
    try:
        return look(data, file).warnings
    except PuzzleError as error:
        return error.findings


def dialect_of(text: str) -> Dialect:
    """The dialect of a text: py-vgdl's where it has a word of that alone, or its map in it as exported."""
    return PY_VGDL if f"{EXPORTED}\n" in text or PYTHON_WORDS.search(re.sub("#.*", "", text)) else GVGAI


class Look(NamedTuple):
    """What was read: the game of VGDL and its maps, ours, and how one became the other."""

    theirs: VgdlGame
    maps: tuple[str, ...]
    game: Game
    levels: tuple[Level, ...]
    lower: Lowering
    warnings: tuple[Finding, ...]


def look(data: bytes, file: str) -> Look:
    """Read a file and the maps that belong to it."""
    text = decoded(data, file).replace("\r\n", "\n")
    rules, inside = apart(text)
    game = read_rules(rules, file, dialect_of(text))
    own = [] if inside is None else [("0", inside, file, rules.count("\n") + 1)]
    maps = own or maps_beside(Path(file))
    if not maps:
        message = "there is no map for this game"
        remedy = f"put one beside it, in a file {PurePath(file).stem}_lvl0.txt"
        raise DescriptionError(message, remedy, Place(file, 1, 1))
    lower = Lowering(game)
    lower.block = pixels_of(game, [map_text for _, map_text, _, _ in maps], file)
    drawn = [(name, cells_of(game, lower, map_text, where, at), where) for name, map_text, where, at in maps]
    settled = {piece for _, rows, _ in drawn for row in rows for here in row for piece in here}
    try:
        if game.dialect is PY_VGDL:
            check_collected(lower)
            check_order(lower, (here for _, rows, _ in drawn for row in rows for here in row))
        lower_tick(lower, settled, [types_of(rows) for _, rows, _ in drawn])
        check_exits(lower, drawn)
        check_singles(lower, drawn)
        check_lone(lower, drawn)
        ends = ends_of(lower, settled)
        made = game_of(game, lower, ends, settled, PurePath(file).stem)
    except Refused as refused:
        remedy = "; ".join(filter(None, (refused.remedy, OUT_ONLY if WRITTEN.search(rules) else "")))
        raise DescriptionError(refused.message, remedy, at_words(rules, file, refused.line)) from refused
    levels = tuple(
        level_of(number, name, rows, ends, lower, where)
        for number, (name, rows, where) in enumerate(drawn, start=1)
    )
    return Look(game, tuple(one[1] for one in maps), made, levels, lower, (*lower.warnings, *ends.warnings))


def at_words(text: str, file: str, line: int) -> Place:
    """Where the words of a line begin: the type, or the first of an effect, that a refusal is about."""
    said = text.split("\n")[line - 1]
    return Place(file, line, len(said) - len(said.lstrip()) + 1)


def pixels_of(game: VgdlGame, maps: list[str], file: str) -> int:
    """How many pixels a cell is wide, in all maps alike; 1 where nothing moves by parts of cells."""
    found = set()
    for text in maps:
        rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        found.add(pixels(game, len(rows), len(rows[0])))
    if len(found) > 1:
        message = (
            f"a cell has {' or '.join(map(str, sorted(found)))} pixels by level, and speeds are parts of it"
        )
        raise DescriptionError(message, "say `square_size=...` behind `BasicGame`", Place(file, 1, 1))
    return found.pop()


# --- maps -------------------------------------------------------------------------------------------------

Cells = list[list[list[Form]]]


def maps_beside(path: Path) -> list[tuple[str, str, str, int]]:
    """The maps in the files beside a game: their numbers, texts and files, and the lines before them."""
    found = []
    for number in range(MOST_LEVELS):
        beside = path.with_name(f"{path.stem}_lvl{number}{path.suffix}")
        if not beside.exists():
            break
        found.append((str(number), decoded(file_bytes(beside), str(beside)), str(beside), 0))
    return found


def cells_of(game: VgdlGame, lower: Lowering, text: str, file: str, at: int) -> Cells:
    """What stands in each cell of a map, in the forms in which a level begins."""
    mapping = {**DEFAULT, **game.mapping}
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    width = len(lines[0])
    if len(lines) * max(map(len, lines)) > MOST_CELLS:
        raise DescriptionError(
            f"a map has more than {MOST_CELLS:,} cells", "divide it", Place(file, at + 1, 1)
        )
    rows: Cells = []
    avatars = 0
    for number, line in enumerate(lines, at + 1):
        if not line or (len(line) != width and game.dialect is PY_VGDL):
            message = f"this row has {len(line)} characters, and the first has {width}"
            raise DescriptionError(
                message, "give all rows the same length", Place(file, number, len(line) + 1)
            )
        if len(line) > width:
            message = f"this row has {len(line)} characters, and the first has {width}: GVGAI cuts it off"
            where = Place(file, number, width + 1)
            lower.warnings.append(Finding(message, "give all rows the same length", where, "warning"))
        row = []
        for column, sign in enumerate(line[:width].ljust(width), 1):  # as GVGAI does
            place = Place(file, number, column)
            row.append([lower.begun(key) for key in keys_at(game, mapping, sign, place)])
            avatars += sum(form.key in lower.players for form in row[-1])
            if len(set(row[-1])) < len(row[-1]):
                message = f"{sign!r} puts two sprites of one type into a cell"
                raise DescriptionError(message, "name each type once in the LevelMapping", place)
        rows.append(row)
    if avatars != 1:
        message = f"the map has {avatars} avatars, and one plays"
        raise DescriptionError(message, "put exactly one on it", Place(file, at + 1, 1))
    return rows


def types_of(rows: Cells) -> Board:
    """The types in each cell."""
    return [[frozenset(form.key for form in here) for here in row] for row in rows]


def keys_at(game: VgdlGame, mapping: dict[str, tuple[str, ...]], sign: str, place: Place) -> tuple[str, ...]:
    """The types that a character stands for; blanks and dots may stand for nothing."""
    known = {one.key for one in game.sprites}
    if sign in mapping and set(mapping[sign]) <= known:
        return mapping[sign]
    if sign in EMPTY:
        return ()
    message = f"{sign!r} stands for nothing: the LevelMapping does not have it"
    raise DescriptionError(message, f"map it: `{sign} > wall`", place)


def check_collected(lower: Lowering) -> None:
    """What is collected must be a Resource: else py-vgdl stops where the two meet."""
    for line in lower.lines:
        actor, name = line.effect.actor, line.effect.name
        if name in COLLECTS and not any(lower.kinds[key].base.resource for key in line.actors):
            message = f"`{actor}` is collected here, and is no Resource: py-vgdl stops"
            raise Refused(message, f"who collects comes last: `coin {actor} > {name}`", line.effect.line)


def check_exits(lower: Lowering, drawn: list[tuple[str, Cells, str]]) -> None:
    """Where a portal leads must be one place, for good."""
    changed = {key for line in lower.lines for key in line.actors if line.effect.name != "teleportToExit"}
    named = {str(line.effect.args[one]) for line in lower.lines for one in AFAR if one in line.effect.args}
    changed |= named | lower.keys_below(named)
    for stype in sorted(lower.exits):
        for _, rows, _ in drawn:
            times = sum(form.key == stype for row in rows for here in row for form in here)
            if times != 1 or stype in changed or stype in lower.faces:
                message = f"a portal leads to `{stype}`, of which there must be one that nothing changes"
                raise Refused(message, "chance chooses among several", lower.line_of(stype))


def check_singles(lower: Lowering, drawn: list[tuple[str, Cells, str]]) -> None:
    """Of what there can be one there must not be several on a map: engines make the first they come to."""
    for single in sorted({name for kind in lower.kinds.values() for name in kind.singles}):
        for _, rows, _ in drawn:
            if sum(form.key in lower.below[single] for row in rows for here in row for form in here) > 1:
                message = f"a map has several of `{single}`, of which there can be one"
                raise Refused(message, "leave `singleton` out, or put one on each map", lower.line_of(single))


def check_lone(lower: Lowering, drawn: list[tuple[str, Cells, str]]) -> None:
    """Of what makes something of which there can be one there must be one itself."""
    for key in sorted(lower.lone):
        for _, rows, _ in drawn:
            if sum(form.key == key for row in rows for here in row for form in here) > 1:
                message = f"several of `{key}` make what there can be one of"
                raise Refused(message, "leave `singleton` out, or put one on each map", lower.line_of(key))


# --- the game ---------------------------------------------------------------------------------------------


def game_of(game: VgdlGame, lower: Lowering, ends: Ends, settled: set[Form], name: str) -> Game:
    """The game that was lowered."""
    goal = goal_of(ends, lower)
    keys = {key for form in settled if form.key in lower.players for key in lower.kinds[form.key].base.keys}
    moves = tuple(way for way in DIRECTIONS if way in keys)
    verbs = ("action",) if "space" in keys else ()
    declared = Input(moves, verbs, wait=not counts_turns(lower), place=lower.place(1))
    symbols = tuple(
        (sign, tuple(lower.forms.piece(lower.begun(key)) for key in types))
        for sign, types in {**DEFAULT, **game.mapping}.items()
        if set(types) <= set(lower.kinds)
    )
    phases = tuple(lower.phases)
    kinds, classes = lower.made()
    return Game(
        re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "vgdl",
        name,
        kinds,
        goal,
        classes,
        input=declared,
        turn=phases,
        objectives=(Objective("turns", "turns"), *(() if lower.unscored else (Objective("score", "score"),))),
        symbols=symbols,
        about=f"from a game of {game.dialect.name}",
        place=lower.place(1),
        origin=origin_of(lower),
        unscored=lower.unscored and f"{name}: {lower.unscored}",
    )


def game_without_ends(
    lower: Lowering, settled: set[Form], boards: list[Board], held: Mapping[str, int], name: str
) -> Game:
    """The game of rules whose terminations are told elsewhere. Raises Refused.

    `settled` are the forms that sprites can have between two ticks, `boards` what can stand together, `held`
    is what avatars are seen to hold, each up to so much, whether or not anything asks for it.
    """
    lower.ordered = False  # who tells it has left out the turns that hang on an order
    if held:
        lower.limits, lower.resources = dict(held), dict(held)
        pass_by_pass(lower, settled)
    else:
        lower_tick(lower, settled, boards)
    some = min(lower.forms.name(form) for form in settled)
    never = Ends([Count(Pattern(some), ">=", MOST_CELLS + 1)])
    return replace(game_of(lower.game, lower, never, settled, name), objectives=(), origin=None, about="")


def level_of(number: int, name: str, rows: Cells, ends: Ends, lower: Lowering, file: str) -> Level:
    """A map as a level."""
    pieces = [[frozenset(map(lower.forms.piece, here)) for here in row] for row in rows]
    if ends.clock:
        pieces[0][0] |= {Piece(CLOCK, 1)}
    pieces[0][0] |= clocks.begun(lower.strikes)
    board = tuple(map(tuple, pieces))
    return Level(str(number), board, horizon=ends.turns, title=f"level {name}", place=Place(file, 1))
