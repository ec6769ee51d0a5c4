"""Who may import whom, and the other promises that the source as a whole keeps.

Each rule is a function from modules to complaints. It is run on the real source, where it must find
nothing, and in `test_arrows_invented.py` on small bad sources, where it must find what is wrong.

A new room goes into a row of tests/layers.toml. To add an exporter or a solver, nothing is needed here.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ggp.registry import GAMES
from tests.source_tree import Import, Module, Modules, Rule, real_modules, within

# The rooms, lowest first: an entry stands for a module or a package with all that is in it.
TABLE = Path(__file__).parents[2] / "tests" / "layers.toml"
ROWS = tomllib.loads(TABLE.read_text(encoding="utf-8"))["layer"]
ROW_OF_ENTRY = {entry: index for index, row in enumerate(ROWS) for entry in row}

# Only these reach what is registered without naming it. The others are handed what they need.
REGISTRY_USERS = """
ggp.api ggp.bench ggp.cli ggp.harness ggp.lab ggp.players ggp.tasks ggp.language ggp.generate
ggp.model.features
ggp.encoding.lowering.route
ggp.engines.beside_worker
ggp.encoding.choices
ggp.solvers.auto.choosing
ggp.solvers.auto.race
""".split()

# Members of these never import one another, so that adding or removing one touches no other.
SEPARATE = ("ggp.exporters", "ggp.solvers")

# Learners see trajectories; whoever could read the rules would not be learning them.
HIDDEN_FROM_LEARNERS = "ggp.language ggp.descriptions ggp.importers".split()

# Imported inside functions of solvers/ (and of the benchmarks' baselines) and nowhere else.
SOLVER_PACKAGES = set("ortools pulp pycsp3 cpmpy pysat pychoco highspy mip clingo z3".split())

# A module whose name ends so is the script of a child process, and may do there what would harm ours.
WORKER = "worker"
SOLVER_USERS = ["ggp.solvers", "ggp.bench", "ggp.engines.sat.looking", "ggp.learn.fit.hitting"]

# What takes long to import; `ggp --help` does without.
HEAVY = SOLVER_PACKAGES | set(
    "numba numpy pandas scipy sklearn rich textual PIL imageio lark tree_sitter tree_sitter_toml "
    "resvg_py gymnasium pettingzoo".split()
)


def module_of(target: str, modules: Modules) -> str:
    """The module that an imported name belongs to: `ggp.model.Kind` belongs to `ggp.model`."""
    name = target
    while name not in modules and name.count(".") > 1:
        name = name.rpartition(".")[0]
    return name if name in modules or row_of(name) is not None else "ggp"


def arrows(modules: Modules) -> Iterator[tuple[str, Import, str]]:
    """(importing module, import, imported module) for every import of one of ours by another."""
    for module in modules.values():
        for imported in module.imports:
            if within(imported.target, ["ggp"]):
                yield module.name, imported, module_of(imported.target, modules)


# --- the rules ----------------------------------------------------------------------------------------


@cache
def row_of(name: str) -> tuple[int, str] | None:
    """The row that a module stands in, and the entry that says so: the longest that fits."""
    entry = name
    while entry not in ROW_OF_ENTRY and "." in entry:
        entry = entry.rpartition(".")[0]
    if entry not in ROW_OF_ENTRY or (entry == "ggp" and name != "ggp"):
        return None
    return ROW_OF_ENTRY[entry], entry


def imports_point_down(modules: Modules) -> list[str]:
    complaints = [
        f"{name} stands in no row of tests/layers.toml: add it" for name in modules if row_of(name) is None
    ]
    for importer, imported, target in arrows(modules):
        mine, theirs = row_of(importer), row_of(target)
        if mine is None or theirs is None or theirs[0] < mine[0] or theirs == mine:
            continue
        if target != "ggp" or not only_the_version(modules[importer], imported):
            complaints.append(f"{importer}:{imported.line} imports {target}, which is not below it")
    return complaints


def only_the_version(module: Module, imported: Import) -> bool:
    """Whether an import of `ggp` itself serves for `ggp.__version__` and the like only."""
    taken = {
        node.attr
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ggp"
    }
    names = taken if imported.target == "ggp" else {imported.target.rpartition(".")[2]}
    return all(name.startswith("__") for name in names)


def members_stay_separate(modules: Modules) -> list[str]:
    return [
        f"{importer}:{imported.line} imports its sibling {target}"
        for importer, imported, target in arrows(modules)
        for package in SEPARATE
        if within(importer, [package]) and within(target, [package]) and target not in (importer, package)
        if family(importer) != family(target)
    ]


def family(module: str) -> str:
    """What a member and its parts share: `ggp.exporters.vgdl.sheet` is a part of `ggp.exporters.vgdl`."""
    return ".".join(module.split(".")[:3])


def learners_see_only_trajectories(modules: Modules) -> list[str]:
    return [
        f"{importer}:{imported.line} imports {target}, which knows the rules that are to be learned"
        for importer, imported, target in arrows(modules)
        if within(importer, ["ggp.learn"]) and within(target, HIDDEN_FROM_LEARNERS)
    ]


def few_reach_the_registry(modules: Modules) -> list[str]:
    return [
        f"{importer}:{imported.line} imports the registry; only {', '.join(REGISTRY_USERS)} may"
        for importer, imported, target in arrows(modules)
        if target == "ggp.registry" and not within(importer, REGISTRY_USERS)
    ]


def solver_packages_stay_in_their_adapters(modules: Modules) -> list[str]:
    complaints = []
    for module in modules.values():
        for imported in module.imports:
            if imported.target.split(".")[0] not in SOLVER_PACKAGES:
                continue
            if module.name.endswith(WORKER):
                continue
            if not within(module.name, SOLVER_USERS):
                complaints.append(f"{module.name}:{imported.line} imports {imported.target} outside solvers/")
            elif imported.top_level:
                complaints.append(
                    f"{module.name}:{imported.line} imports {imported.target} outside a function"
                )
    return complaints


def workers_are_not_imported(modules: Modules) -> list[str]:
    return [
        f"{importer}:{imported.line} imports {target}, which is a script for a process of its own"
        for importer, imported, target in arrows(modules)
        if target.endswith(WORKER)
    ]


def mapped_packages_are_named_in_full(modules: Modules) -> list[str]:
    return [
        f"{module.name}:{imported.line} imports {imported.target}: begin it with `ggp.`"
        for module in modules.values()
        for imported in module.imports
        if within(imported.target, ["exporters", "solvers", "descriptions"])
    ]


def the_command_line_starts_light(modules: Modules) -> list[str]:
    """Follow the imports that run when `ggp.cli` is imported; nothing heavy may be among them."""
    complaints, seen, waiting = [], set(), ["ggp.cli"]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in modules:
            continue
        seen.add(name)
        waiting.append(name.rpartition(".")[0])
        for imported in modules[name].imports:
            if not imported.top_level:
                continue
            if within(imported.target, ["ggp"]):
                waiting.append(module_of(imported.target, modules))
            elif imported.target.split(".")[0] in HEAVY:
                complaints.append(
                    f"{name}:{imported.line} imports {imported.target}, and ggp.cli imports {name}"
                )
    return complaints


def code_knows_no_game(modules: Modules) -> list[str]:
    """No name and no text in the code, docstrings apart, is the name of a game; that is data."""
    return [
        f"{module.name}:{line} knows {word!r} by name"
        for module in modules.values()
        if module.name != "ggp.registry" and game_names(module.source)  # of few is a tree looked through
        for line, text in words(module.tree)
        for word in game_names(text)
    ]


def game_names(text: str) -> list[str]:
    """What in a text is the name of a game."""
    return GAME_NAMES.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower())


# `peg-solitaire`, `peg_solitaire`, `PegSolitaire`; `lemmings` and `lemming`.
GAME_NAMES = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(re.sub("[-]", "[-_ ]?", game.removesuffix("s")) + "s?" for game in GAMES)
    + r")(?![a-z])"
)


def words(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every identifier and every text of a module, except docstrings, with its line."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) in docstrings:
            continue
        for _, value in ast.iter_fields(node):
            if isinstance(value, str):
                yield getattr(node, "lineno", 0), value


def libraries_neither_print_nor_exit(modules: Modules) -> list[str]:
    calls = {"print", "exit", "quit", "sys.exit", "os._exit", "SystemExit"}
    last = {call.rpartition(".")[2] for call in calls}  # few calls are written out to be looked at
    written = re.compile(rf"\b(?:{'|'.join(last)})\b")  # and the trees of few modules gone through
    return [
        f"{module.name}:{node.lineno} calls {ast.unparse(node.func)}; only ggp.cli may"
        for module in modules.values()
        if not within(module.name, ["ggp.cli", "ggp.__main__"]) and not module.name.endswith(WORKER)
        if written.search(module.source)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        if (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in last
        if ast.unparse(node.func) in calls
    ]


RULES: tuple[Rule, ...] = (
    imports_point_down,
    members_stay_separate,
    learners_see_only_trajectories,
    few_reach_the_registry,
    solver_packages_stay_in_their_adapters,
    workers_are_not_imported,
    mapped_packages_are_named_in_full,
    the_command_line_starts_light,
    code_knows_no_game,
    libraries_neither_print_nor_exit,
)


# --- the rules on the real source ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def source() -> dict[str, Module]:
    return real_modules()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_keeps_the_rule(rule: Rule, source: Modules) -> None:
    complaints = list(dict.fromkeys(rule(source)))
    assert not complaints, "\n".join(complaints)


def test_the_source_was_found(source: Modules) -> None:
    assert {"ggp", "ggp.model", "ggp.exporters", "ggp.solvers", "ggp.goals.on"} <= set(source)
    assert not any(within(name, ["ggp.tests", "ggp.ggp"]) for name in source)


def test_every_package_is_in_the_distribution(source: Modules) -> None:
    configuration = Path(__file__).parents[2] / "pyproject.toml"
    listed = tomllib.loads(configuration.read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    packages = {name if module.is_package else name.rpartition(".")[0] for name, module in source.items()}
    assert listed == sorted(packages), "bring [tool.setuptools] packages in pyproject.toml up to date"


def test_help_imports_nothing_heavy() -> None:
    """The same as `the_command_line_starts_light`, by doing it."""
    program = (
        "import sys\nfrom ggp.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print('imported:', *sorted({name.split('.')[0] for name in sys.modules}))"
    )
    root = Path(str(importlib.import_module("ggp").__file__)).parents[1]
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    imported = set(result.stdout.splitlines()[-1].split())
    assert not imported & HEAVY
