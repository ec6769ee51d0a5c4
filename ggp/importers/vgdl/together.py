"""The game and the map of a file that holds both, apart."""

from __future__ import annotations

import re

EXPORTED = "# ---- map ----"
"""The line between them, as `--to vgdl` writes it."""
BETWEEN = re.compile(rf"(?m)^(?:{EXPORTED}|[ \t]*-{{3,}}[ \t]*)(?:\n|\Z)")
"""That line, or one of dashes alone, which tells no dialect."""


def apart(text: str) -> tuple[str, str | None]:
    """The text of the game, and that of the map behind it; None where there is none."""
    found = BETWEEN.search(text)
    return (text, None) if found is None else (text[: found.start()], text[found.end() :])
