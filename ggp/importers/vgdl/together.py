"""The game and the map of a file that holds both, apart."""

from __future__ import annotations

import re

BETWEEN = re.compile(r"(?m)^(?:# ---- map ----|[ \t]*-{3,}[ \t]*)(?:\n|\Z)")
"""The line between them: as `--to vgdl` writes it, or of dashes alone."""


def apart(text: str) -> tuple[str, str | None]:
    """The text of the game, and that of the map behind it; None where there is none."""
    found = BETWEEN.search(text)
    return (text, None) if found is None else (text[: found.start()], text[found.end() :])
