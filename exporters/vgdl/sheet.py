"""A VGDL text while it is being written: its names, sprites, effects, ends and map, and their layout.

The text is one file. A line `# ---- map ----` divides it into the two strings that py-vgdl takes:

    game, level = text.split("# ---- map ----\\n")
    level = VGDLParser().parse_game(game).build_level(level)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ggp.errors import DescriptionError
from ggp.importers.vgdl.ontology import SPECIAL, SWALLOWED
from ggp.language.maps import symbols_of
from ggp.model import Cell, Instance, Kind, Piece
from ggp.model.board import variants
from ggp.model.names import Names
from ggp.render.colours import kind_colour
from ggp.render.tileset import tile

SEPARATOR = "# ---- map ----\n"
WORD = r"[A-Za-z][A-Za-z0-9_]*"
SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet", "BasicGame", "avatar")
RESERVED = SWALLOWED | SPECIAL | set(SECTIONS)
FORBIDDEN = set("#>")  # `#` begins a comment, and the mapping's own line is cut at its `>`
POOL = "wabcdefghijklmnopqrstuvxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~+-_*%&!?$@:;,|/^"
MOST_WIDTH = 100  # of a comment line
DIVIDED = "For py-vgdl divide the file at the last comment: the game, then the level."


def split(text: str) -> tuple[str, str]:
    """The game and the map of a text, as py-vgdl takes them; raises DescriptionError without a map."""
    game, line, level_map = text.rpartition(SEPARATOR)
    if not line:
        raise DescriptionError("the text has no map", f"a map follows the line `{SEPARATOR.strip()}`")
    return game, level_map


@dataclass(frozen=True)
class Layout:
    """How a text is played, and how its sprites are read as pieces of ours.

    `pieces` says which piece the sprites of a key are. The board's top left cell stands at `origin` of the
    map. `scheme` is `idiom` or `general`; `hand` says what the keys do: `none`, `release` (a cursor that
    places, and the button at `button`), `keys` (each key a move) or `cursor` (a cursor that picks).
    `design` is what has been placed already. `gone`, if not empty, are two types: where a sprite of the first
    stands, one of the second counts no more, for GVGAI leaves an avatar that was killed where it was. `held`:
    a type, a resource, and which piece a sprite of that type is by how much of it it holds. `resting`, if
    not empty, is a type of which a sprite is there when a turn is over, which may take some ticks.
    """

    text: str
    pieces: Mapping[str, Piece]
    origin: Cell
    scheme: str
    hand: str
    start: Cell = (0, 0)
    button: Cell = (0, 0)
    design: tuple[tuple[Cell, Piece], ...] = ()
    gone: tuple[str, ...] = ()
    held: tuple[str, str, tuple[Piece, ...]] | None = None
    resting: str = ""


class Sheet:
    """Collects the parts of one text. Kinds get their names first, so theirs are the shortest."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = Names(WORD, RESERVED)
        self.head: list[str] = []
        self.sprites: list[tuple[str, str]] = []  # key ("" for a comment) and definition
        self.hints: dict[str, str] = {}  # the character that a cell with such a sprite should have
        self.ground: list[tuple[str, str]] = []  # what is drawn below all others
        self.parents: set[str] = set()
        self.effects: list[str] = []
        self.ends: list[str] = []
        self.cells: dict[Cell, list[str]] = {}
        self.pieces: dict[Piece, str] = {}
        for kind in instance.game.kinds:
            for variant in variants(instance, kind):
                piece = Piece(kind.name, variant)
                self.pieces[piece] = self.names.of(str(piece))

    # --- names --------------------------------------------------------------------------------------------

    def name(self, text: str) -> str:
        """A new name for something that is not of the game but of the export."""
        ours = f"({text})"
        while ours in self.names.theirs:
            ours = f"({ours})"
        return self.names.of(ours)

    def each(self, key: str) -> str:
        """The parent of a sprite type: as an actor it names all sprites that there were before the effect.

        An effect that removes the sprite it acts on makes py-vgdl skip the next one of the type's own list;
        a parent's list is made once a tick and not touched. So a parent may begin a line only when all its
        sprites of the tick have been made.
        """
        self.parents.add(key)
        return self.names.of(f"(each {key})")

    # --- parts --------------------------------------------------------------------------------------------

    def sprite(self, key: str, base: str, **arguments: object) -> str:
        """Define a sprite type."""
        self.sprites.append((key, " ".join([base, *words(arguments)])))
        return key

    def under(self, key: str, base: str, **arguments: object) -> str:
        """Define a sprite type that is drawn below the others."""
        self.ground.append((key, " ".join([base, *words(arguments)])))
        return key

    def state(self, text: str) -> str:
        """Define a sprite type that stands for a moment of the reasoning within a tick."""
        return self.sprite(self.name(text), "Immovable")

    def note(self, text: str) -> None:
        """A comment among the sprites."""
        self.sprites.append(("", text))

    def act(self, actor: str, partners: str, effect: str, **arguments: object) -> None:
        """An effect: of `actor` meeting each of `partners` (names with blanks between)."""
        if partners:
            self.effects.append(" ".join([actor, partners, ">", effect, *words(arguments)]))

    def say(self, text: str) -> None:
        """A comment among the effects."""
        self.effects.append(f"# {plain(text)}")

    def end(self, name: str, **arguments: object) -> None:
        """A termination."""
        self.ends.append(" ".join([name, *words(arguments)]))

    def hint(self, key: str, character: str) -> None:
        """A character for cells with such a sprite and no piece of the game; what is put last decides."""
        self.hints[key] = character

    def hinted(self, content: tuple[str, ...]) -> list[str]:
        """The characters that suit a cell without pieces."""
        return [*(self.hints[key] for key in reversed(content) if key in self.hints), "."]

    def put(self, cell: Cell, *keys: str) -> None:
        """Let sprites stand on a cell of the map."""
        self.cells.setdefault(cell, []).extend(keys)

    # --- the text -----------------------------------------------------------------------------------------

    def text(self, *, here: Iterable[str] = ()) -> str:
        """The whole text. Every cell of the map holds `here` under all else."""
        contents = self.contents(tuple(here))
        chosen = self.characters(content for row in contents for content in row)
        return self.game(chosen) + SEPARATOR + drawn(contents, chosen)

    def game(self, chosen: Mapping[tuple[str, ...], str]) -> str:
        """The text without a map, with these characters for what a cell holds."""
        lines = [f"# {plain(line)}".rstrip() for line in self.head]
        lines += ["BasicGame", "    SpriteSet", *self.sprite_lines(), "    LevelMapping"]
        lines += [f"        {character} > {' '.join(keys)}" for keys, character in chosen.items()]
        return "\n".join([*lines, *self.rules()]) + "\n"

    def rules(self) -> Iterator[str]:
        """The lines that say what happens, and how a level ends."""
        yield "    InteractionSet"
        yield from (f"        {line}" for line in self.effects)
        yield "    TerminationSet"
        yield from (f"        {line}" for line in self.ends)

    def sprite_lines(self) -> Iterator[str]:
        """The lines of the SpriteSet, each type below its parent where it has one."""
        for key, definition in [("", "the ground, and what is not of the game"), *self.ground, *self.sprites]:
            if not key:
                yield f"        # {plain(definition)}"
            elif key in self.parents:
                yield f"        {self.each(key)} >"
                yield f"            {key} > {definition}"
            else:
                yield f"        {key} > {definition}"

    def contents(self, here: tuple[str, ...] = ()) -> list[list[tuple[str, ...]]]:
        """What each cell of the map holds, row by row."""
        rows = max(row for row, _ in self.cells) + 1
        columns = max(column for _, column in self.cells) + 1
        return [
            [(*here, *self.cells.get((row, column), ())) for column in range(columns)] for row in range(rows)
        ]

    def characters(self, contents: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
        """A character for each content of a cell: the description's own where that is possible."""
        keys = {key: piece for piece, key in self.pieces.items()}
        theirs: dict[frozenset[Piece], list[str]] = {}
        for symbol, pieces in symbols_of(self.instance.game).items():
            theirs.setdefault(pieces, []).append(symbol)
        chosen: dict[tuple[str, ...], str] = {}
        taken: set[str] = set()
        for content in dict.fromkeys(contents):
            pieces = frozenset(keys[key] for key in content if key in keys)
            own = theirs.get(pieces, []) if pieces else self.hinted(content)
            chosen[content] = next(c for c in chain(own, spare()) if usable(c) and c not in taken)
            taken.add(chosen[content])
        return chosen


def drawn(contents: list[list[tuple[str, ...]]], chosen: Mapping[tuple[str, ...], str]) -> str:
    """A map, with these characters for what a cell holds."""
    return "".join("".join(chosen[content] for content in row) + "\n" for row in contents)


def usable(character: str) -> bool:
    """Can the character stand in a LevelMapping?"""
    return len(character) == 1 and character not in FORBIDDEN and not character.isspace()


def spare() -> Iterator[str]:
    """Characters for what the description has none for; there is no end to them."""
    yield from POOL
    yield from (chr(code) for code in range(0x00C0, 0xD800) if chr(code).isalpha())


def words(arguments: Mapping[str, object]) -> list[str]:
    """Arguments as VGDL writes them."""
    return [f"{key}={value}" for key, value in arguments.items() if value is not None]


def plain(text: str) -> str:
    """A text that can stand in one comment: on one line, and never the line before the map."""
    return " ".join(text.split()).replace("----", "--")


def wrapped(text: str) -> Iterator[str]:
    """The text as lines of comments of a moderate width."""
    line = ""
    for word in plain(text).split():
        if line and len(line) + len(word) >= MOST_WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


def heading(instance: Instance, how: Iterable[str], divided: str = DIVIDED) -> Iterator[str]:
    """The comments at the top: what it is, how it is played, and where its levels are."""
    game, level = instance.game, instance.level
    yield from wrapped(f"{game.title}: {level.title or level.name} ({instance.name})")
    yield from wrapped(game.about)
    yield ""
    yield from how
    yield divided
    yield ""


def colour(kind: Kind) -> str:
    """The colour of a kind, as VGDL takes it."""
    drawn = tile(kind.tile)
    code = kind_colour(kind, drawn.colour if drawn is not None else "")
    return f"({','.join(str(int(code[at : at + 2], 16)) for at in (1, 3, 5))})"
