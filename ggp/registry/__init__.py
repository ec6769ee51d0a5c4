"""Name -> where it stands, for everything that can be added. Nothing is imported until it is asked for.

A game is found by its file in `descriptions/`. Adding an exporter, a solver, a goal word, a level form, an
encoding or a lowering touches its own file and one line here. What others bring comes in by
`ggp.registry.plugins`, when a table is first asked for; a plugin never takes the place of what stands here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from ggp.errors import NotAvailable, UnknownName
from ggp.registry import plugins

FIRST_LEVEL = "lemmings/seed"  # what is shown to someone who asks for nothing in particular
_EXPORTERS = {
    "puzzlescript": "ggp.exporters.puzzlescript",
    "vgdl": "ggp.exporters.vgdl",
    "gvgai": "ggp.exporters.vgdl.gvgai",
    "xcsp3": "ggp.exporters.xcsp3",
    "dimacs": "ggp.exporters.dimacs",
    "wcnf": "ggp.exporters.wcnf",
    "opb": "ggp.exporters.opb",
    "mps": "ggp.exporters.mps",
    "lp": "ggp.exporters.lp",
    "flatzinc": "ggp.exporters.flatzinc",
    "pddl": "ggp.exporters.pddl",
    "url": "ggp.exporters.url",
    "lines": "ggp.exporters.lines",
    "xsb": "ggp.exporters.xsb",
    "null": "ggp.exporters.null",
}
_SOLVERS = {
    "cp-sat": "ggp.solvers.cpsat",
    "cbc": "ggp.solvers.cbc",
    "scip": "ggp.solvers.scip",
    "highs": "ggp.solvers.highs",
    "sat": "ggp.solvers.sat",
    "auto": "ggp.solvers.auto",
    "search": "ggp.solvers.search",
    "gradient": "ggp.solvers.gradient",
    "ace": "ggp.solvers.ace",
    "choco": "ggp.solvers.choco",
    "cpmpy": "ggp.solvers.cpmpy_gateway",
    "xcsp": "ggp.solvers.xcsp",
    "flatzinc": "ggp.solvers.flatzinc",
    "pyperplan": "ggp.solvers.pyperplan",
    "fast-downward": "ggp.solvers.fast_downward",
    "null": "ggp.solvers.null",
}
USUAL_LEARNER = "events"
_LEARNERS = {
    "events": "ggp.learn.eventful",
    "tree": "ggp.learn.movers.learner",
    "null": "ggp.learn.null",
}
_PLAYERS = {
    "random": "ggp.players.chance",
    "greedy": "ggp.players.greedy",
    "safest": "ggp.players.safest",
    "lookahead": "ggp.players.lookahead",
    "expectimax": "ggp.players.expectimax",
    "best-first": "ggp.players.best_first",
    "alpha-beta": "ggp.players.alpha_beta",
    "exact": "ggp.players.exact",
    "bandit": "ggp.players.bandit",
    "mcts": "ggp.players.mcts",
    "sp-mcts": "ggp.players.sp_mcts",
    "q-learning": "ggp.players.q_learning",
    "learned": "ggp.players.learned",
    "policy": "ggp.players.policy",
    "solver": "ggp.players.solver",
    "null": "ggp.players.null",
}
GENERATORS = {  # asked in this order; the first that suits a game makes its levels
    "deduction": "ggp.generate.deduction",
    "moving": "ggp.generate.moving",
    "walking": "ggp.generate.walking",
}
_GOALS = {
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
    "pairs": "ggp.goals.pairs",
    "parts": "ggp.goals.parts",
    "tour": "ggp.goals.tour",
    "unless": "ggp.goals.unless",
}
FORMS = {
    "xsb": "ggp.language.readers.xsb",
    "headed": "ggp.language.readers.headed",
    "placed": "ggp.language.readers.placed",
    "lines": "ggp.language.readers.lines",
    "url": "ggp.language.readers.url",
}
IMPORTERS = {  # of whole games; the first to which a file belongs reads it
    "puzzlescript": "ggp.importers.puzzlescript",
    "vgdl": "ggp.importers.vgdl",
}
ENCODINGS = {  # where none is named, the first that applies is taken
    "path": "ggp.encoding.choices.path",
    "trajectory": "ggp.encoding.choices.trajectory",
    "macro": "ggp.encoding.choices.macro",
    "presses": "ggp.encoding.choices.presses",
    "seen": "ggp.encoding.choices.seen",
    "layers": "ggp.encoding.choices.layers",
    "objects": "ggp.encoding.choices.objects",
    "merged": "ggp.encoding.choices.merged",
    "occupancy": "ggp.encoding.choices.occupancy",
}
LOWERINGS = {  # of routes that are equally short the one is taken whose lowerings come first
    "propagation": "ggp.encoding.lowering.propagate",
    "conserved": "ggp.encoding.lowering.conserved",
    "exclusive": "ggp.encoding.lowering.exclusive",
    "cumulative-to-linear": "ggp.encoding.lowering.cumulative_to_linear",
    "readable": "ggp.encoding.lowering.readable",
    "uneven": "ggp.encoding.lowering.uneven",
    "globals-to-simple": "ggp.encoding.lowering.globals_to_simple",
    "different-to-linear": "ggp.encoding.lowering.different_to_linear",
    "integers-to-booleans": "ggp.encoding.lowering.integers_to_booleans",
    "flows": "ggp.encoding.lowering.flows",
    "sets": "ggp.encoding.lowering.sets",
    "set-flows": "ggp.encoding.lowering.set_flows",
    "positions": "ggp.encoding.lowering.positions",
    "inverted": "ggp.encoding.lowering.inverted",
}
PASSES = {  # switched on by whoever asks (`--with`), applied in the order asked for
    "value-symmetry": "ggp.encoding.lowering.value_symmetry",
    "board-symmetry": "ggp.encoding.lowering.board_symmetry",
    "redundant-sums": "ggp.encoding.lowering.redundant_sums",
}

# Filled when they are first asked for: finding plugins takes longer than `ggp --help` may.
GAMES: dict[str, str]
EXPORTERS: dict[str, str]
SOLVERS: dict[str, str]
LEARNERS: dict[str, str]
PLAYERS: dict[str, str]
GOALS: dict[str, str]
TABLES: dict[str, dict[str, str]]
ORIGINS: dict[tuple[str, str], str]  # (what, name) -> who brought it; what is not here is built in


def __getattr__(name: str) -> object:
    """Fill the tables, once."""
    if name not in __annotations__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()
    own = {
        "game": {file: f"{file}.toml" for file in sorted(built_in_games())},
        "exporter": _EXPORTERS,
        "solver": _SOLVERS,
        "learner": _LEARNERS,
        "player": _PLAYERS,
        "goal word": _GOALS,
    }
    found = plugins.found(own)
    tables = {what: {**table, **found.targets.get(what, {})} for what, table in own.items()}
    made |= {
        "GAMES": tables["game"],
        "EXPORTERS": tables["exporter"],
        "SOLVERS": tables["solver"],
        "LEARNERS": tables["learner"],
        "PLAYERS": tables["player"],
        "GOALS": tables["goal word"],
        "ORIGINS": found.origins,
        "TABLES": {
            **tables,
            "generator": GENERATORS,
            "level form": FORMS,
            "importer": IMPORTERS,
            "encoding": ENCODINGS,
            "lowering": LOWERINGS,
            "pass": PASSES,
        },
    }
    return made[name]


def built_in_games() -> set[str]:
    """The names of the games whose descriptions come with this package."""
    names = (file.name for file in resources.files("ggp.descriptions").iterdir())
    return {name.removesuffix(".toml") for name in names if name.endswith(".toml")}


def mistakes() -> list[str]:
    """Sentences about folders and files of plugins that come to nothing."""
    own = {"game": built_in_games(), "exporter": _EXPORTERS, "solver": _SOLVERS}
    own |= {"learner": _LEARNERS, "player": _PLAYERS}
    return list(plugins.mistakes({**own, "goal word": _GOALS}))


def origin(what: str, name: str) -> str:
    """Who brought a registered thing: `built-in`, a distribution, or a folder of GGP_PATH."""
    origins: dict[tuple[str, str], str] = _table("ORIGINS")
    return origins.get((what, name), "built-in")


def _table(name: str) -> dict[Any, Any]:
    """One of the tables, filled."""
    if name not in globals():
        __getattr__(name)
    made: dict[Any, Any] = globals()[name]
    return made


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not there, with the nearest names that are."""
    names, name = sorted(known), str(name)  # types say that it is a text, to those who look at types
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are: {', '.join(names) or 'none'}"
    return UnknownName(f"there is no {what} called {name[:80]!r}", hint)


def load(what: str, name: str) -> ModuleType:
    """The module that stands for `name` in the table of `what`; names never become paths.

    `NAME:ARGUMENT` is what the module called NAME makes of the argument, if it takes one.
    """
    table = _table("TABLES")[what]
    if not isinstance(name, str):  # types say so, to those who look at types
        raise unknown(what, str(name), (key for key in table if key != "null"))
    stem, colon, argument = name.partition(":")
    if colon and stem in table and hasattr(module := import_module(table[stem]), "with_argument"):
        made: ModuleType = module.with_argument(argument)
        return made
    if colon and stem in table and not hasattr(import_module(table[stem]), "with_argument"):
        raise UnknownName(f"{stem} takes no options", f"leave out {colon + argument[:40]!r}")
    if name not in table:
        raise unknown(what, name, (key for key in table if key != "null"))
    return imported(what, name, table[name])


def imported(what: str, name: str, target: str) -> ModuleType:
    """The module behind a name; raises NotAvailable where it is a plugin that cannot be imported."""
    if origin(what, name) == "built-in":
        return import_module(target)
    whose = f"the {what} {name} of {origin(what, name)}"
    try:
        module = import_module(target)
    except Exception as error:  # whatever a stranger's module does: it costs itself only
        reason = f"{type(error).__name__}: {error}"[:300]
        raise NotAvailable(f"{whose} cannot be imported: {reason}", "mend or remove the plugin") from error
    missing = [one for one in plugins.OFFERS.get(what, ()) if not hasattr(module, one)]
    if missing:
        raise NotAvailable(f"{whose} does not offer {', '.join(missing)}", "mend or remove the plugin")
    if name != getattr(module, "NAME", name):
        raise NotAvailable(
            f"{whose} calls itself {module.NAME!r}", "let NAME be the name of the file or entry point"
        )
    return module


def description_text(game: str) -> bytes:
    """The bytes of a game's description file, built in or from a plugin."""
    return description_of(game).read_bytes()


def description_place(game: str) -> str:
    """Where the description of a game stands, as messages name it."""
    return f"descriptions/{game}.toml" if origin("game", game) == "built-in" else str(description_of(game))


def description_of(game: str) -> Traversable:
    """The description file of a game; raises UnknownName."""
    games: dict[str, str] = _table("GAMES")
    if game not in games:
        raise unknown("game", game, games)
    if origin("game", game) == "built-in":
        return resources.files("ggp.descriptions") / games[game]
    return plugins.description(games[game])
