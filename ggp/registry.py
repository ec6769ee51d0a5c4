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
    "akari": "akari.toml",
    "anti-knight-sudoku": "anti-knight-sudoku.toml",
    "atomix": "atomix.toml",
    "boulder-dash": "boulder-dash.toml",
    "bouncers": "bouncers.toml",
    "fill-a-pix": "fill-a-pix.toml",
    "fillomino": "fillomino.toml",
    "fire-and-ice": "fire-and-ice.toml",
    "futoshiki": "futoshiki.toml",
    "hashiwokakero": "hashiwokakero.toml",
    "hitori": "hitori.toml",
    "kakuro": "kakuro.toml",
    "killer-sudoku": "killer-sudoku.toml",
    "knights-tour": "knights-tour.toml",
    "lasertank": "lasertank.toml",
    "latin-square": "latin-square.toml",
    "lemmings": "lemmings.toml",
    "lights-out": "lights-out.toml",
    "magic-square": "magic-square.toml",
    "masyu": "masyu.toml",
    "minesweeper-clues": "minesweeper-clues.toml",
    "nonogram": "nonogram.toml",
    "nurikabe": "nurikabe.toml",
    "peg-solitaire": "peg-solitaire.toml",
    "polar-slide": "polar-slide.toml",
    "psychopath": "psychopath.toml",
    "psychopath-2": "psychopath-2.toml",
    "queens": "queens.toml",
    "rush-hour": "rush-hour.toml",
    "samegame": "samegame.toml",
    "skyscrapers": "skyscrapers.toml",
    "slitherlink": "slitherlink.toml",
    "sokoban": "sokoban.toml",
    "sudoku": "sudoku.toml",
    "sudoku-x": "sudoku-x.toml",
    "takuzu": "takuzu.toml",
}
FIRST_LEVEL = "lemmings/seed"  # what is shown to someone who asks for nothing in particular
EXPORTERS = {
    "puzzlescript": "ggp.exporters.puzzlescript",
    "vgdl": "ggp.exporters.vgdl",
    "xcsp3": "ggp.exporters.xcsp3",
    "pddl": "ggp.exporters.pddl",
    "url": "ggp.exporters.url",
    "lines": "ggp.exporters.lines",
    "xsb": "ggp.exporters.xsb",
    "null": "ggp.exporters.null",
}
SOLVERS = {
    "cp-sat": "ggp.solvers.cpsat",
    "cbc": "ggp.solvers.cbc",
    "sat": "ggp.solvers.sat",
    "search": "ggp.solvers.search",
    "ace": "ggp.solvers.ace",
    "choco": "ggp.solvers.choco",
    "cpmpy": "ggp.solvers.cpmpy_gateway",
    "xcsp": "ggp.solvers.xcsp",
    "pyperplan": "ggp.solvers.pyperplan",
    "fast-downward": "ggp.solvers.fast_downward",
    "null": "ggp.solvers.null",
}
LEARNERS = {
    "tree": "ggp.learn.learner",
}
GENERATORS = {  # asked in this order; the first that suits a game makes its levels
    "deduction": "ggp.generate.deduction",
    "moving": "ggp.generate.moving",
}
GOALS = {
    "on": "ggp.goals.on",
    "count": "ggp.goals.count",
    "different": "ggp.goals.different",
    "shape": "ggp.goals.pattern",
    "tally": "ggp.goals.tally",
    "total": "ggp.goals.total",
    "each": "ggp.goals.each",
    "order": "ggp.goals.order",
    "runs": "ggp.goals.runs",
    "visible": "ggp.goals.visible",
    "distinct": "ggp.goals.distinct",
    "cover": "ggp.goals.cover",
    "connected": "ggp.goals.connected",
    "loop": "ggp.goals.loop",
    "areas": "ggp.goals.areas",
    "parts": "ggp.goals.parts",
    "tour": "ggp.goals.tour",
}
FORMS = {
    "xsb": "ggp.language.readers.xsb",
    "headed": "ggp.language.readers.headed",
    "placed": "ggp.language.readers.placed",
    "lines": "ggp.language.readers.lines",
    "url": "ggp.language.readers.url",
}
ENCODINGS = {
    "occupancy": "ggp.encoding.occupancy",
}
LOWERINGS = {
    "different-to-linear": "ggp.encoding.lowering.different_to_linear",
    "globals-to-simple": "ggp.encoding.lowering.globals_to_simple",
    "integers-to-booleans": "ggp.encoding.lowering.integers_to_booleans",
    "conserved": "ggp.encoding.lowering.conserved",
    "exclusive": "ggp.encoding.lowering.exclusive",
    "readable": "ggp.encoding.lowering.readable",
}
PASSES = {  # switched on by whoever asks (`--with`), applied in the order asked for
    "value-symmetry": "ggp.encoding.lowering.value_symmetry",
    "board-symmetry": "ggp.encoding.lowering.board_symmetry",
    "redundant-sums": "ggp.encoding.lowering.redundant_sums",
}
TABLES = {
    "exporter": EXPORTERS,
    "solver": SOLVERS,
    "learner": LEARNERS,
    "generator": GENERATORS,
    "goal word": GOALS,
    "level form": FORMS,
    "encoding": ENCODINGS,
    "lowering": LOWERINGS,
    "pass": PASSES,
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
