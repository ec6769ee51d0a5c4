"""What hangs together, as late rules of PuzzleScript in a real engine: it wins where the referee does.

Each word is the whole goal of a small game. Boards are drawn until enough of them win and enough do not, and
are filled key by key, each key a board of its own to be judged.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from ggp.errors import DescriptionError
from ggp.exporters import puzzlescript
from ggp.exporters.puzzlescript.play import Keyboard, of_keys
from ggp.exporters.puzzlescript.script import Script
from ggp.language.description import read_game
from ggp.model import Instance, Piece
from ggp.referee.designs import free_cells
from ggp.referee.semantics import initial_state, is_goal
from tests.conformance.test_puzzlescript import faults, node

__all__ = ["node"]

Signs = dict[str, tuple[str, ...]]
"""What may stand where a map has a sign."""

OWN = """
name = "own"
[kinds]
digit = {{ layer = "digit", values = [1, 3] }}
shade = {{ layer = "shade" }}
island = {{ layer = "island" }}
bridge = {{ layer = "bridge", values = [1, 2] }}
star = {{ layer = "star" }}
spot = {{ layer = "spot" }}
line = {{ layer = "line" }}
[symbols]
"." = ""
"123" = "digit:1.."
"*" = "star"
"#" = "shade"
"o" = "island"
"+" = "spot"
[classes]
clue = ["digit", "star"]
[design]
place = "{place}"
free-of = ["{place}", "spot", "island"]
[goal]
when = "horizon"
win = ["{win}"]
[[level]]
name = "one"
map = \"\"\"
{map}
\"\"\"
"""
SHADED: Signs = {"?": ("", "shade")}
CASES: list[tuple[str, str, str, Signs]] = [
    ("shade", "connected shade", "???/???/???", SHADED),
    ("shade", "connected no shade", "???/???/???", SHADED),
    (
        "bridge",
        "connected island sideways bridge:1 upright bridge:2",
        "o?o/?.?/o?o/...",
        {"?": ("bridge:1", "bridge:2", "", "island")},
    ),
    ("line", "loop line through spot", "+?+?+/?.?.?/+?+?+", {"?": ("", "line")}),
    ("line", "loop line through spot", "+?+./?!?./+?+!", {"?": ("line",), "!": ("", "line")}),
    ("digit", "areas digit", "???/???/..?", {"?": ("", "digit:1", "digit:2", "digit:3")}),
    ("shade", "parts no shade with digit", "1??/??!", {"?": ("", "shade"), "!": ("", "digit:3", "digit:2")}),
    (
        "shade",
        "parts shade with clue",
        "!??/.??/..2",
        {"?": ("", "shade"), "!": ("shade star", "shade"), "2": ("digit:2 shade",)},
    ),
    # One fault each, which boards drawn at random hide: a branch, no line, two clues, a clue alone.
    ("line", "loop line through spot", "+-+-+/-.-.-/+-+-+", {"-": ("line",)}),
    ("line", "loop line through spot", "+.+/.../+.+", {}),
    ("shade", "parts no shade with digit", "22/#.", {".": ("shade",)}),
    ("shade", "parts shade with clue", "*./..", {}),
]
EACH = 6  # boards that win, and as many that do not
DRAWN = 1_200


def made(place: str, win: str, drawn: str) -> Instance:
    """The game with one level."""
    game, (level,) = read_game(OWN.format(place=place, win=win, map=drawn).encode(), "own.toml")
    return Instance(game, level)


def pieces(text: str) -> frozenset[Piece]:
    """What a cell holds, of `KIND` or `KIND:NUMBER` each."""
    words = (word.partition(":") for word in text.split())
    return frozenset(Piece(kind, int(number) if number else None) for kind, _, number in words)


def boards(place: str, win: str, drawn: str, signs: Signs, seed: str) -> dict[bool, list[Instance]]:
    """Levels that are won as they stand, and as many that are not, drawn at random."""
    rng, rows = random.Random(seed), drawn.split("/")
    plain = made(place, win, re.sub("[?!-]", ".", drawn).replace("/", "\n"))
    found: dict[bool, dict[object, Instance]] = {True: {}, False: {}}
    for number in range(DRAWN):
        board = tuple(
            tuple(
                pieces(rng.choice(signs[sign])) if sign in signs else here
                for sign, here in zip(*both, strict=True)
            )
            for both in zip(rows, plain.level.board, strict=True)
        )
        one = Instance(plain.game, replace(plain.level, name=f"drawn {number}", board=board))
        some = found[is_goal(one, initial_state(one))]
        if len(some) < EACH and free_cells(one):
            some.setdefault(board, one)
        if all(len(some) == EACH for some in found.values()):
            break
    return {won: list(some.values()) for won, some in found.items()}


def test_the_engine_wins_where_the_referee_says_so(node: None) -> None:
    played = []
    for number, (place, win, drawn, signs) in enumerate(CASES):
        found = boards(place, win, drawn, signs, str(number))
        assert (found[True] and len(found[False]) >= 3) or len(found[False]) == 1, win
        first, *others = (*found[True], *found[False])
        assert not list(puzzlescript.unfit(first)), win
        script = Script(first, None, others)
        assert not script.left_out
        runs = [of_keys(Keyboard(script, one), ["right"]) for one in script.instances]
        assert [run.frames[-1][1].won for run in runs].count(True) == len(found[True])
        played.append((script, runs))
    assert not faults(played)


@pytest.mark.parametrize("gap", [False, True])
def test_a_flood_goes_further_than_a_line_is_repeated(gap: bool, node: None) -> None:
    """A path of 241 cells; PuzzleScript leaves a group after 200 rounds."""
    rows = ["." * 21 if row % 2 == 0 else "#" * 20 + "." for row in range(21)]
    drawn = "\n".join(row[::-1] if number % 4 == 3 else row for number, row in enumerate(rows))
    instance = made("shade", "connected no shade", drawn)
    if gap:
        board = [list(row) for row in instance.level.board]
        board[2][9] = pieces("shade")
        instance = replace(instance, level=replace(instance.level, board=tuple(map(tuple, board))))
    script = Script(instance)
    seen = of_keys(Keyboard(script, instance), ["right"])
    assert seen.frames[-1][1].won is not gap
    assert not faults([(script, [seen])])


def test_more_areas_than_rounds_are_refused() -> None:
    (fault,) = puzzlescript.unfit(made("digit", "areas digit", "\n".join(["." * 20] * 14)))
    assert "there may be 211 areas before one is wrong, and 198 is the most" in fault.message
    most = "." * 263  # every second cell a 1, half of what is left a 2 with its like, and one that is wrong
    assert not list(puzzlescript.unfit(made("digit", "areas digit", most)))
    both = 'areas digit", "parts no shade with star'  # one count of rounds for both
    found = list(puzzlescript.unfit(made("digit", both, most)))
    assert [fault.message.count("there may be 199 areas") for fault in found] == [1, 1]
    with pytest.raises(DescriptionError, match="`parts` reads `digit` off the map"):
        made("digit", "parts no shade with digit", "1..")
