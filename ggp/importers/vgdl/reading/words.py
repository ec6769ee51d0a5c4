"""Words of a VGDL line and what they mean: numbers, truth values, directions, names."""

from __future__ import annotations

import re

from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.importers.vgdl.reading.lines import Line
from ggp.importers.vgdl.reading.text import Text

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]{0,11})(\.[0-9]{0,12})?|\.[0-9]{1,12})", re.ASCII)
MOST_REPEATS = 100  # of an effect: it stands there so many times
MOST_HEALTH = 1_000  # points, each of which is a form of a sprite; GVGAI's own limit where a game says none
LARGEST = 2**31 - 1
NUMBERS = frozenset(
    """limit value amount scoreChange scoreChangeIfKilled prob spreadprob cons total cooldown speed strength
    spend healthPoints limitHealthPoints maxHealthPoints minAmmo ammoCost repeat timer epsilon geq
    leq""".split()
)
SCORES = ("scoreChange", "scoreChangeIfKilled")  # of which GVGAI reads `2`, and not `2.0`
PARTS = frozenset({"prob", "spreadprob", "epsilon", "speed", "strength", "cooldown", *SCORES})
"""Numbers that need not be whole, or of which that is said elsewhere."""
HEALTH = frozenset({"healthPoints", "limitHealthPoints", "maxHealthPoints"})
TRUTHS = frozenset(
    """win singleton killSecond killResource subtract forceOrientation rotateInPlace pixelPerfect
    align repeating min""".split()
)
NAMES = frozenset({"stype", "target", "spawnBehind"})  # arguments whose value is the name of a sprite
WORDS = frozenset({"resource", "heldResource", "ammo", "res_type"})  # ... or of a resource


def halves(text: Text, line: Line, example: str) -> tuple[str, str]:
    """What stands before and after the one `>` of a line."""
    parts = line.text.split(">")
    if len(parts) != 2:
        raise text.error("this line needs exactly one `>`", line.number, f"such as `{example}`")
    return parts[0].strip(), parts[1].strip()


def words(text: Text, written: str, line: int) -> tuple[str | None, dict[str, Value]]:
    """`Name key=value ...`: the name, if there is one, and the arguments."""
    parts = written.split()
    name = parts.pop(0) if parts and "=" not in parts[0] else None
    args: dict[str, Value] = {}
    for part in parts:
        pieces = part.split("=")
        if len(pieces) != 2 or not all(pieces):
            raise text.error(
                f"{part[:60]!r} is not an argument",
                line,
                "write `name=value`, without spaces",
                part,
            )
        args[pieces[0]] = value(text, pieces[0], pieces[1], line)
    return name, args


def value(text: Text, key: str, word: str, line: int) -> Value:
    """What an argument's text means: a number, a truth value, a direction, or a name."""
    if key in text.dialect.looks and key not in TRUTHS or key in ("title", "key_handler", "obs"):
        return word
    if key in NAMES or key in WORDS or key.startswith("stype"):
        if word in text.dialect.swallowed or NAME.fullmatch(word) is None:
            message = f"{text.dialect.name} would not read {word[:40]!r} as a name"
            raise text.error(message, line, "call it otherwise", word)
        return word
    found: Value = DIRECTIONS.get(word, word)
    if NUMBER.fullmatch(word):
        found = int(word) if word.lstrip("+-").isdecimal() else float(word)
    elif word in ("True", "False") or (text.dialect is not PY_VGDL and word.lower() in ("true", "false")):
        found = word.lower() == "true"
    as_whole = text.dialect is not PY_VGDL and key not in SCORES
    if isinstance(found, float) and found.is_integer() and as_whole:
        found = int(found)
    number = isinstance(found, int | float) and not isinstance(found, bool)
    if key in NUMBERS and not number:
        raise text.error(f"`{key}` is a number, not {word[:40]!r}", line, "write digits", word)
    if key in NUMBERS:
        check_number(text, key, word, found, line)
    if key in ("orientation", "spawnorientation") and word not in DIRECTIONS:
        raise text.error(f"{word[:40]!r} is no direction", line, f"write {', '.join(DIRECTIONS)}", word)
    if key in TRUTHS and not isinstance(found, bool):
        raise text.error(f"`{key}` is True or False, not {word[:40]!r}", line, "write one of these", word)
    return found


def check_number(text: Text, key: str, word: str, value: Value, line: int) -> None:
    """Raise where a number is none that engines take, or more than can be followed."""
    assert isinstance(value, int | float)
    if key not in PARTS and not isinstance(value, int):
        raise text.error(f"`{key}` is a whole number, not {word}", line, "leave the fraction out", word)
    most = {"repeat": MOST_REPEATS, **dict.fromkeys(HEALTH, MOST_HEALTH)}.get(key, LARGEST)
    if abs(value) > most:
        raise text.error(f"`{key}` is {most:,} at most, not {word}", line, "lower it", word)
