"""Name -> where it stands, for everything that can be added. Nothing is imported until it is asked for.

Adding a game, an exporter, a solver, a goal word, a level form, an encoding or a lowering touches its own
file, its golden file and one line here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module, resources
from types import ModuleType

from ggp.errors import UnknownName

GAMES = {
    "lemmings": "lemmings.toml",
    "sokoban": "sokoban.toml",
    "sudoku": "sudoku.toml",
}
FIRST_LEVEL = "lemmings/seed"  # what is shown to someone who asks for nothing in particular
EXPORTERS = {
    "puzzlescript": "ggp.exporters.puzzlescript",
    "vgdl": "ggp.exporters.vgdl",
    "xcsp3": "ggp.exporters.xcsp3",
    "null": "ggp.exporters.null",
}
SOLVERS = {
    "cp-sat": "ggp.solvers.cpsat",
    "cbc": "ggp.solvers.cbc",
    "search": "ggp.solvers.search",
    "ace": "ggp.solvers.ace",
    "choco": "ggp.solvers.choco",
    "cpmpy": "ggp.solvers.cpmpy_gateway",
    "xcsp": "ggp.solvers.xcsp",
    "null": "ggp.solvers.null",
}
LEARNERS = {
    "tree": "ggp.learn.learner",
}
GOALS = {
    "on": "ggp.goals.on",
    "count": "ggp.goals.count",
    "different": "ggp.goals.different",
}
FORMS = {
    "xsb": "ggp.readers.xsb",
    "headed": "ggp.readers.headed",
}
ENCODINGS = {
    "occupancy": "ggp.encodings.occupancy",
}
LOWERINGS = {
    "different-to-linear": "ggp.lowering.different_to_linear",
    "integers-to-booleans": "ggp.lowering.integers_to_booleans",
    "conserved": "ggp.lowering.conserved",
    "exclusive": "ggp.lowering.exclusive",
    "readable": "ggp.lowering.readable",
}
TABLES = {
    "exporter": EXPORTERS,
    "solver": SOLVERS,
    "learner": LEARNERS,
    "goal word": GOALS,
    "level form": FORMS,
    "encoding": ENCODINGS,
    "lowering": LOWERINGS,
}


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not there, with the nearest names that are."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are: {', '.join(names) or 'none'}"
    return UnknownName(f"there is no {what} called {name[:80]!r}", hint)


def load(what: str, name: str) -> ModuleType:
    """The module that stands for `name` in the table of `what`; names never become paths.

    `NAME:ARGUMENT` is what the module called NAME makes of the argument, if it takes one.
    """
    table = TABLES[what]
    stem, colon, argument = name.partition(":")
    if colon and stem in table and hasattr(module := import_module(table[stem]), "with_argument"):
        made: ModuleType = module.with_argument(argument)
        return made
    if name not in table:
        raise unknown(what, name, (key for key in table if key != "null"))
    return import_module(table[name])


def description_text(game: str) -> bytes:
    """The bytes of a built-in description file."""
    return (resources.files("ggp.descriptions") / description_file(game)).read_bytes()


def description_file(game: str) -> str:
    """The name of a built-in description file."""
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    return GAMES[game]
