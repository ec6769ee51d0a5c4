"""The character that stands for a cell in a plain map, and a legend of those that the game does not give.

Where the game has no symbol for a piece it gets a sign of its own: its value if that has one digit, an arrow
for a facing, else a letter of its name. They hang on the level alone, so a piece keeps its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from string import ascii_letters, ascii_lowercase, ascii_uppercase

from ggp.language.maps import first_symbols
from ggp.model import Game, Instance, Piece
from ggp.model.board import State, variants
from ggp.render.layout import stacked

ARROWS = {"up": "^", "right": ">", "down": "v", "left": "<"}
GREEK = "".join(map(chr, range(0x3B1, 0x3CA)))
SPARE = ascii_lowercase + ascii_uppercase + GREEK
"""What is left to pieces that find no sign of their own."""
UNKNOWN = "?"


@lru_cache(maxsize=64)
def symbols_of(game: Game) -> Mapping[frozenset[Piece], str]:
    """The game's first character for each set of pieces that has one."""
    return {pieces: symbol for pieces, symbol in first_symbols(game).items() if len(symbol) == 1}


@lru_cache(maxsize=64)
def signs(instance: Instance) -> Mapping[Piece, str]:
    """A sign for each piece that no symbol of the game shows by itself; `?` where all are taken."""
    game = instance.game
    table, used = symbols_of(game), {symbol for symbol, _ in game.symbols} | {" ", UNKNOWN}
    drawn = {piece for pieces in table for piece in pieces}
    pieces = [Piece(kind.name, variant) for kind in game.kinds for variant in variants(instance, kind)]
    lacking = [piece for piece in pieces if frozenset({piece}) not in table]
    found: dict[Piece, str] = {}
    # Those that no symbol shows together with others need one most.
    for piece in sorted(lacking, key=lambda piece: piece in drawn):
        found[piece] = next((sign for sign in wishes(piece) if sign not in used), UNKNOWN)
        used.add(found[piece])
    return found


def wishes(piece: Piece) -> Iterator[str]:
    """The signs that would do for a piece, the best one first."""
    if isinstance(piece.variant, int):
        yield from (str(piece.variant),) if 0 <= piece.variant <= 9 else ()
    elif piece.variant is not None:
        yield ARROWS[piece.variant]
    own = [letter for letter in piece.kind if letter in ascii_letters]
    yield from (*own, *(letter.upper() for letter in own), *SPARE)


def symbol(instance: Instance, pieces: frozenset[Piece]) -> str:
    """The character for a cell: that of just these pieces, else one that shows the topmost of them.

    A space for an empty cell of a game without a symbol for that.
    """
    table = symbols_of(instance.game)
    if pieces in table:
        return table[pieces]
    if not pieces:
        return " "
    top = stacked(instance.game, pieces)[-1]
    shown = [some for some in table if top in some and some < pieces]
    return table[max(shown, key=len)] if shown else signs(instance)[top]


def legend(instance: Instance, states: Iterable[State]) -> dict[str, list[Piece]]:
    """The signs on these boards that the game's symbols do not tell, and the pieces that each stands for."""
    table, found = symbols_of(instance.game), dict[str, set[Piece]]()
    for pieces in {here for state in states for here in state.board if here and here not in table}:
        sign, top = symbol(instance, pieces), stacked(instance.game, pieces)[-1]
        if sign == signs(instance).get(top):
            found.setdefault(sign, set()).add(top)
    told = {sign: sorted(pieces, key=str) for sign, pieces in found.items()}
    return dict(sorted(told.items(), key=lambda item: str(item[1][0])))
