"""The words of description files: which names are good, which are taken, and which were meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from ggp.model import DIRECTIONS, RELATIVE

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*")
LEVEL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
STEPS = (*DIRECTIONS, *RELATIVE)
TOWARD = ("facing", "input", "any", "none")
# Words with a meaning of their own: a kind of such a name could not be spoken of.
RESERVED = frozenset(
    ["no", "outside", "inside", "if", "input", "remove", "add", "turn", "stay", "here"]
    + ["every", "some", "count", "on", "off", *STEPS]
)


def name_fault(name: str) -> tuple[str, str] | None:
    """Why nothing can be called so: (message, remedy), or None."""
    if not NAME.fullmatch(name):
        return f"{name[:60]!r} is not a name", "a name has letters, digits and `-`, and begins with a letter"
    if name in RESERVED:
        return f"`{name}` is a word of the rule language", "choose another name"
    return None


def near_or_known(word: str, known: Iterable[str]) -> str:
    """`did you mean ...?`, or what is known if nothing is near."""
    names = list(dict.fromkeys(known))
    near = difflib.get_close_matches(word[:80], names, n=2)
    if near:
        return f"did you mean `{'` or `'.join(near)}`?"
    return f"known are {', '.join(names)}" if names else "there are none"
