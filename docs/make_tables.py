"""Writes the tables of the README and of docs/ anew, between `<!-- made by ... -->` and `<!-- end -->`.

    python docs/make_tables.py            all but the measured ones (`make readme`)
    python docs/make_tables.py --bench    those too: measures for a minute (`make readme-bench`)

A test fails while a table that holds no measurement is not up to date.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from inspect import cleandoc
from pathlib import Path

from click import Option, Parameter

from ggp import bench, registry
from ggp.bench import Record
from ggp.cli import cli
from ggp.importers.vgdl.dialects import DIALECTS, Dialect
from ggp.importers.vgdl.tick import lowered
from ggp.language import levels
from ggp.model import Game, Level
from ggp.model.export import Narrowed, Worded
from ggp.model.features import FEATURES, SCAN, SCORE, SOLVABLE, describe, missing
from ggp.tasks.exporting import whole

ROOT = Path(__file__).parents[1]
FILES = (
    ROOT / "README.md",
    ROOT / "docs" / "adding-a-goal-word.md",
    ROOT / "docs" / "architecture.md",
    ROOT / "docs" / "command-line.md",
    ROOT / "docs" / "games" / "deduction-puzzles.md",
    ROOT / "docs" / "vgdl-import.md",
)
MARK = re.compile(r"<!-- made by docs/(?:make_tables|studies/tables)\.py: (\w+) -->")
BLOCK = re.compile(rf"({MARK.pattern}\n).*?(?=<!-- end -->)", re.S)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(header)} |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in row)} |"


# --- what there is --------------------------------------------------------------------------------------


def rooms() -> Iterator[str]:
    """Each room of the source with what it is for, lowest first."""
    layers = tomllib.loads((ROOT / "tests" / "layers.toml").read_text(encoding="utf-8"))["layer"]
    rows = ((f"`{room}`", about) for layer in layers for room, about in layer.items())
    return table(("room", "what it is for"), rows)


def commands() -> Iterator[str]:
    """Each command with what it does."""
    rows = (
        (f"`ggp {name}`", (command.help or "").strip().splitlines()[0])
        for name, command in sorted(cli.commands.items())
    )
    return table(("command", "what it does"), rows)


def options() -> Iterator[str]:
    """What each command takes. Not its `--help`, which looks otherwise with each version of click."""
    for name, command in sorted(cli.commands.items()):
        arguments = " ".join(argument(one) for one in command.params if one.param_type_name == "argument")
        yield from [f"### ggp {name}", "", f"`ggp {name} {arguments}`".replace(" `", "`"), ""]
        for paragraph in cleandoc(command.help or "").split("\n\n"):  # Python 3.13 does it by itself
            yield from [*paragraph.strip().splitlines(), ""]
        taken = [one for one in command.params if isinstance(one, Option)]
        if taken:
            yield from [*table(("option", "what it does"), map(option, taken)), ""]


def argument(one: Parameter) -> str:
    """An argument as usage lines write it."""
    name = one.metavar or (one.name or "").upper()
    if name.startswith("[") or name.endswith("..."):
        return name
    name = f"[{name}]" if not one.required else name
    return f"{name}..." if one.nargs == -1 else name


def option(one: Option) -> tuple[str, str]:
    """How an option is written, and what it does."""
    value = "" if one.is_flag else one.metavar or {"path": "FILE", "text": "NAME"}.get(one.type.name, "N")
    default = f" Default: {one.default}." if one.show_default else ""
    return f"`{', '.join(one.opts)} {value}".rstrip() + "`", f"{one.help or ''}{default}".strip()


def games() -> Iterator[str]:
    """Each game: who decides what, how many levels, and what takes all of them."""
    rows = []
    for name in levels.games():
        game, kept = levels.load_game(name)
        link = f"[{name}](descriptions/{registry.GAMES[name]})"
        count = ", ".join(f"`{level.name}`" for level in kept) if len(kept) < 6 else f"{len(kept)}"
        rows.append((link, decides(game), count, takers(name, "solver"), takers(name, "exporter")))
    return table(("game", "what is decided, and what happens", "levels", "solved by", "exported to"), rows)


def decides(game: Game) -> str:
    """What the player decides, and whether the world does something."""
    parts = []
    if game.design is not None and game.design.fill:
        parts.append(f"a {game.design.named} on every free cell")
    elif game.design is not None:
        parts.append(f"where to place each {game.design.named}, before the run")
    if game.input is not None:
        parts.append("an input each turn")
    if game.physics:
        parts.append("then things move by themselves")
    return "; ".join(parts)


def takers(game: str, what: str) -> str:
    """The backends that support every level of a game, and exporters that lose nothing of its first one."""
    names = sorted(set(registry.TABLES[what]) - {"null"})
    instances = [levels.load(level) for level in levels.levels(game)]
    able = []
    for name in names:
        module = registry.load(what, name)
        lacking = any(missing(instance, module.FEATURES) for instance in instances)
        if not lacking and (what != "exporter" or whole(instances[0], name)):
            able.append(name)
    if able == names:
        return "all" if names else "-"
    return ", ".join(able) or "none yet"


def deductions() -> Iterator[str]:
    """Each puzzle in which all is placed and nothing moves: its rules, the words of its goal, its levels."""
    rows = []
    for name in levels.games():
        game, kept = levels.load_game(name)
        if game.design is None or game.input is not None or game.physics:
            continue
        link = f"[{name}](../../descriptions/{registry.GAMES[name]})"
        # The rest of a term says where; its first word is the goal word.
        words = dict.fromkeys(term.source().split()[0].rstrip(":") for term in game.goal.terms)
        rows.append((link, game.about, ", ".join(f"`{word}`" for word in words), levels_known(kept)))
    return table(("puzzle", "rules", "goal words", "levels"), rows)


def levels_known(kept: Sequence[Level]) -> str:
    """How many levels have one solution, none and several, and how large their boards are."""
    sizes = sorted((len(level.board), len(level.board[0])) for level in kept)
    ones = sum(level.known.solutions == 1 for level in kept)
    none = sum(level.known.solvable is False for level in kept)
    size = " to ".join(f"{rows}x{columns}" for rows, columns in dict.fromkeys((sizes[0], sizes[-1])))
    return f"{ones} with one solution, {none} with none, {len(kept) - ones - none} with several; {size}"


def solvers() -> Iterator[str]:
    """Each solver, and what it cannot take of what a solver could."""
    return backends("solver", SOLVABLE | SCAN | SCORE)


def exporters() -> Iterator[str]:
    """Each exporter, and what it cannot take."""
    return backends("exporter", frozenset(FEATURES) - SCORE)  # who exports does not ask for it


def backends(what: str, everything: frozenset[str]) -> Iterator[str]:
    """Each exporter or solver with the first line of its module, and what it refuses."""
    goals = {f"goal:{word}" for word in registry.GOALS}
    rows = []
    for name in sorted(set(registry.TABLES[what]) - {"null"}):
        module = registry.load(what, name)
        about = (module.__doc__ or "").strip().splitlines()[0]
        # Who refuses rules in scan order refuses all that is in them.
        told = set(FEATURES) if "scan" in module.FEATURES else set(FEATURES) - (SCAN - {"scan"})
        lacks = [describe(one) for one in FEATURES if one in told & everything and one not in module.FEATURES]
        words = sorted(f"`{one.partition(':')[2]}`" for one in goals - module.FEATURES)
        lacks += [f"the goal words {', '.join(words)}"] if words else []
        lacks += module.REFUSES if isinstance(module, Narrowed) else ()
        rows.append((f"`{name}`", about, "; ".join(lacks) or "nothing"))
    if not rows:
        return iter(["None yet."])
    return table((what, "what it is", "what it refuses"), rows)


def writers() -> Iterator[str]:
    """Each goal word, and what writes it in each exporter that has a table of them."""
    modules = {name: registry.load("exporter", name) for name in sorted(registry.EXPORTERS)}
    languages = {name: module for name, module in modules.items() if isinstance(module, Worded)}
    rows = []
    for word in sorted(registry.GOALS):
        found = (module.GOAL_WRITERS.get(word) for module in languages.values())
        rows.append((f"`{word}`", *("" if one is None else f"`{one.__qualname__}`" for one in found)))
    return table(("goal word", *(f"`{name}`" for name in languages)), rows)


# --- what was measured ----------------------------------------------------------------------------------


def vgdl_constructs() -> Iterator[str]:
    """Each class, effect and termination of VGDL: does a game with it load, in either dialect?"""
    rows = []
    for what, taken, others in (
        ("class", "bases", "other_bases"),
        ("effect", "effects", "other_effects"),
        ("termination", "terminations", ""),
    ):
        tables = [(one, getattr(one, taken), getattr(one, others, ())) for one in DIALECTS.values()]
        names = sorted({name for _, known, rest in tables for name in (*known, *rest)}, key=str.lower)
        for name in names:
            cells = [loads(dialect, what, name, known, rest) for dialect, known, rest in tables]
            rows.append((f"`{name}`", what, *cells))
    return table(("", "", *DIALECTS), rows)


def loads(dialect: Dialect, what: str, name: str, known: Collection[str], others: Collection[str]) -> str:
    """What becomes of a construct in a dialect."""
    if name not in known:
        return "refused" if name in others else ""
    return "yes" if lowered(dialect, what, name) else "played"


def bench_table(records: Sequence[Record]) -> list[str]:
    """The records of `ggp bench`, and the machine that they were measured on."""
    rows = []
    for record in records:
        time = (
            f"{record.seconds * 1000:.0f} ms" if record.seconds >= 0.01 else f"{record.seconds * 1000:.1f} ms"
        )
        ratio = (
            ""
            if record.ratio is None
            else f"{record.ratio:.0f}"
            if record.ratio >= 10
            else f"{record.ratio:.1f}"
        )
        found = (
            ""
            if record.solutions is None
            else f"{record.solutions}{', and no more' if record.complete else ''}"
        )
        rows.append((record.what, time, ratio, found))
    versions = records[0].versions
    repeats = max(record.repeats for record in records)
    return [
        *table(("what", "time", "times faster", "solutions"), rows),
        "",
        f"Wall time, the best of up to {repeats} runs, on {processor()} with {os.cpu_count()} cores"
        f" ({versions['machine']}), Python {versions['python']}, OR-Tools {versions['ortools']}.",
    ]


def processor() -> str:
    """What the processor is called, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.M) if info.exists() else None
    return (found[1] if found else platform.processor()) or "an unknown processor"


def measured() -> dict[str, Callable[[], Iterable[str]]]:
    """The tables that take time, and come out otherwise on another machine."""
    return {"bench": lambda: bench_table(bench.run("seed", repeats=10))}


# --- writing ----------------------------------------------------------------------------------------------

TABLES: dict[str, Callable[[], Iterable[str]]] = {
    "rooms": rooms,
    "commands": commands,
    "games": games,
    "deductions": deductions,
    "solvers": solvers,
    "exporters": exporters,
    "writers": writers,
    "options": options,
    "vgdl_constructs": vgdl_constructs,
}


def rewritten(text: str, tables: dict[str, Callable[[], Iterable[str]]] = TABLES) -> str:
    """The text with these tables made anew; others stay as they are."""

    def block(match: re.Match[str]) -> str:
        name = match[2]
        return (
            match[0]
            if name not in tables
            else match[1] + "\n" + "\n".join(tables[name]()).strip("\n") + "\n\n"
        )

    return BLOCK.sub(block, text)


def main() -> None:
    """Rewrite the files."""
    tables = TABLES | (measured() if "--bench" in sys.argv[1:] else {})
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        new = rewritten(text, tables)
        if new != text:
            file.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{file.relative_to(ROOT)} is new\n")


if __name__ == "__main__":
    main()
