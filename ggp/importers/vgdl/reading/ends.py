"""The TerminationSet of a VGDL text: when a game is over, and who has won."""

from __future__ import annotations

from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.game import Termination
from ggp.importers.vgdl.reading.lines import Line
from ggp.importers.vgdl.reading.text import Text
from ggp.importers.vgdl.reading.words import words
from ggp.model.words import near_or_known


def termination(text: Text, line: Line) -> Termination:
    """Read a line of the TerminationSet."""
    name, args = words(text, line.text, line.number)
    if name is None or name not in text.dialect.terminations:
        message = f"there is no termination called {line.text[:40]!r}"
        raise text.error(message, line.number, near_or_known(str(name), text.dialect.terminations))
    many = name == "MultiSpriteCounter"
    if text.dialect is not PY_VGDL:
        for unknown in sorted(args.keys() - text.dialect.terminations[name]):
            text.refuse(f"the argument `{unknown[:40]}` of `{name}`", line.number, unknown)
            del args[unknown]
    name = "SpriteCounterMore" if args.pop("min", False) is True else name
    score = 0 if many else args.pop("scoreChange", 0)
    limit = args.pop("limit", 0)
    win = args.pop("win", True if many and text.dialect is PY_VGDL else text.dialect.ends_by_default)
    stypes = tuple(str(args.pop(key)) for key in list(args) if key.startswith("stype"))
    if win is None:
        raise text.error(f"`{name}` needs `win=True` or `win=False`", line.number)
    if args:
        raise text.error(f"`{name}` takes no {min(args)[:40]!r}", line.number, "leave it out", min(args))
    if not stypes and name != "Timeout":
        raise text.error(f"`{name}` needs `stype=...`", line.number)
    assert isinstance(limit, int | float) and isinstance(score, int | float)
    return Termination(name, bool(win), limit, stypes, score, line.number)
