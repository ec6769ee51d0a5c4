"""Who may import whom, and the other promises that the source as a whole keeps.

Each rule is a function from modules to complaints. It is run on the real source, where it must find
nothing, and on small bad sources, where it must find what is wrong: a rule that sees nothing is no rule.

To add a core module, put it into a row of LAYERS. To add an exporter or a solver, nothing is needed here.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from ggp.registry import GAMES

# Lowest first. A module imports from rows before its own, and within a row only from its own entry.
# An entry stands for a module or a package with all that is in it; `*` for every way to go on; entries
# joined by `+` are one.
LAYERS = """
ggp.errors
ggp.hints
ggp.model ggp.files ggp.text_files ggp.names
ggp.registry ggp.result ggp.words ggp.board
ggp.goals ggp.passes ggp.pieces ggp.maps ggp.toml
ggp.semantics ggp.rule_language ggp.features
ggp.trajectory ggp.transition
ggp.kernel ggp.encoding ggp.session
ggp.algebras ggp.macros
ggp.roaming
ggp.relaxed ggp.faults
ggp.search
ggp.lowering ggp.encodings
ggp.unroll ggp.certificate
ggp.validate
ggp.readers
ggp.description ggp.descriptions
ggp.levels
ggp.render ggp.debug
ggp.children
ggp.engines ggp.players ggp.play ggp.envs
ggp.exporting
ggp.exporters
ggp.solvers
ggp.learn
ggp.solving
ggp.explain
ggp.generate
ggp.learning
ggp.harness
ggp.api
ggp
ggp.bench
ggp.report
ggp.console
ggp.cli
ggp.__main__
"""
ROWS = [row.split() for row in LAYERS.strip().splitlines()]

# Only these reach what is registered without naming it. The others are handed what they need.
REGISTRY_USERS = """
ggp.api ggp.bench ggp.cli ggp.description ggp.exporting ggp.generate ggp.harness
ggp.learning ggp.levels ggp.report
ggp.rule_language ggp.solving
""".split()

# Members of these never import one another, so that adding or removing one touches no other.
SEPARATE = ("ggp.exporters", "ggp.solvers")

# Learners see trajectories; whoever could read the rules would not be learning them.
HIDDEN_FROM_LEARNERS = (
    "ggp.description* ggp.readers ggp.levels ggp.maps ggp.rule_language ggp.toml_* ggp.validate*".split()
)

# Imported inside functions of solvers/ (and of the benchmarks' baselines) and nowhere else.
SOLVER_PACKAGES = set("ortools pulp pycsp3 cpmpy pysat pychoco highspy mip clingo z3".split())

# A module so called is the script of a child process, and may do there what would harm ours.
WORKER = "_worker"

# What takes long to import; `ggp --help` does without.
HEAVY = SOLVER_PACKAGES | set(
    "numba numpy pandas scipy sklearn rich textual PIL imageio lark tree_sitter tree_sitter_toml "
    "resvg_py".split()
)

MOST_LINES = 400


# --- the source ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Import:
    """One imported name: `target` is the full dotted name, whether of a module or of something in one."""

    target: str
    line: int
    top_level: bool  # runs when the module is imported


@dataclass(frozen=True)
class Module:
    name: str
    source: str
    is_package: bool = False

    @property
    def tree(self) -> ast.Module:
        return parse(self.source)

    @property
    def imports(self) -> tuple[Import, ...]:
        base = self.name if self.is_package else self.name.rpartition(".")[0]
        return tuple(found_imports(self.tree, base, True))


Modules = Mapping[str, Module]
Rule = Callable[[Mapping[str, Module]], list[str]]
parse = cache(ast.parse)


def found_imports(node: ast.AST, base: str, top_level: bool) -> Iterator[Import]:
    """All imports below `node`; `base` is the package that relative ones start from."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, top_level) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            start = base.split(".")[: len(base.split(".")) - child.level + 1] if child.level else []
            stem = ".".join([*start, *([child.module] if child.module else [])])
            yield from (Import(f"{stem}.{alias.name}", child.lineno, top_level) for alias in child.names)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from found_imports(child, base, False)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from found_imports(child, base, top_level and not function)


def real_modules() -> dict[str, Module]:
    """The source that is being tested: a checkout's, or what is installed."""
    modules = {}
    for package in ("ggp", "ggp.exporters", "ggp.solvers", "ggp.descriptions"):
        folder = Path(str(importlib.import_module(package).__file__)).parent
        for file in sorted(folder.rglob("*.py")):
            parts = [package, *file.relative_to(folder).with_suffix("").parts]
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            modules[name] = Module(name, file.read_text(encoding="utf-8"), is_package)
    return modules


def within(name: str, packages: Iterable[str]) -> bool:
    """Whether a dotted name is one of `packages` or stands in one of them. They may hold `*`."""
    return any(fnmatch(name, package) or fnmatch(name, f"{package}.*") for package in packages)


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


def row_of(name: str) -> tuple[int, str] | None:
    """The row that a module stands in, and the entry of LAYERS that says so."""
    for index, row in enumerate(ROWS):
        for entry in row:
            if name == entry or (entry != "ggp" and within(name, entry.split("+"))):
                return index, entry
    return None


def imports_point_down(modules: Modules) -> list[str]:
    complaints = [f"{name} stands in no row of LAYERS: add it" for name in modules if row_of(name) is None]
    for importer, imported, target in arrows(modules):
        mine, theirs = row_of(importer), row_of(target)
        if (
            mine is None
            or theirs is None
            or (target == "ggp" and only_the_version(modules[importer], imported))
        ):
            continue
        if theirs[0] > mine[0] or (theirs[0] == mine[0] and theirs[1] != mine[1]):
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
    """What a member and its parts share: `ggp.exporters.vgdl_sheet` is a part of `ggp.exporters.vgdl`."""
    return module.partition("_")[0]


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
            if not within(module.name, ["ggp.solvers", "ggp.bench"]):
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
        if module.name != "ggp.registry"
        for line, text in words(module.tree)
        for word in GAME_NAMES.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower())
    ]


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
    return [
        f"{module.name}:{node.lineno} calls {ast.unparse(node.func)}; only ggp.cli may"
        for module in modules.values()
        if not within(module.name, ["ggp.cli"])
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in calls
    ]


def files_are_short(modules: Modules) -> list[str]:
    return [
        f"{module.name} has {lines} lines, more than {MOST_LINES}: split it by what its parts are about"
        for module in modules.values()
        if (lines := len(module.source.splitlines())) > MOST_LINES
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
    files_are_short,
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


# --- the rules on invented sources --------------------------------------------------------------------

# rule: (sources, what it must complain about, or None)
CASES: dict[Rule, list[tuple[dict[str, str], str | None]]] = {
    imports_point_down: [
        ({"ggp.model": "from ggp.semantics import step"}, "ggp.model:1 imports ggp.semantics"),
        ({"ggp.model": "def f():\n    import ggp.api"}, "ggp.model:2 imports ggp.api"),
        ({"ggp.errors": "from .model import Kind"}, "ggp.errors:1 imports ggp.model"),
        ({"ggp.exporters.a": "from ggp.solvers import b"}, "ggp.exporters.a:1 imports ggp.solvers.b"),
        ({"ggp.exporters.a": "from ..solvers import b"}, "ggp.exporters.a:1 imports ggp.solvers.b"),
        ({"ggp.semantics": "import ggp\nx = ggp.solve"}, "ggp.semantics:1 imports ggp,"),
        ({"ggp.semantics": "from ggp import solve"}, "ggp.semantics:1 imports ggp,"),
        ({"ggp.search.a": "from ggp.encodings import b"}, "ggp.search.a:1 imports ggp.encodings"),
        ({"ggp.board": "if TYPE_CHECKING:\n    from ggp.cli import main"}, "ggp.board:2 imports ggp.cli"),
        ({"ggp.newcomer": ""}, "ggp.newcomer stands in no row"),
        ({"ggp.model": "from ggp.errors import Place"}, None),
        ({"ggp.goals.a": "from ggp.goals.b import c"}, None),
        ({"ggp.errors": "from ggp import __version__"}, None),
        ({"ggp.errors": "import ggp\nx = ggp.__version__"}, None),
        ({"ggp.solvers.a": "from ggp.exporters import b"}, None),
    ],
    members_stay_separate: [
        ({"ggp.exporters.a": "from ggp.exporters.b import c"}, "its sibling ggp.exporters.b"),
        ({"ggp.exporters.a": "from . import b"}, "its sibling ggp.exporters.b"),
        ({"ggp.solvers.a": "def f():\n    from ggp.solvers import b"}, "ggp.solvers.a:2 imports its sibling"),
        ({"ggp.solvers.a": "from ggp.exporters import b\nfrom ggp.model import Kind"}, None),
        ({"ggp.exporters.a": "from ggp.exporters import a_sheet"}, None),
    ],
    learners_see_only_trajectories: [
        ({"ggp.learn.tree": "from ggp.readers import xsb"}, "ggp.learn.tree:1 imports ggp.readers.xsb"),
        ({"ggp.learn.tree": "import ggp.description"}, "ggp.learn.tree:1 imports ggp.description"),
        ({"ggp.learn.tree": "from ggp.model import Kind"}, None),
    ],
    few_reach_the_registry: [
        ({"ggp.solvers.a": "from ggp import registry"}, "ggp.solvers.a:1 imports the registry"),
        ({"ggp.cli": "def f():\n    from ggp.registry import load"}, None),
    ],
    solver_packages_stay_in_their_adapters: [
        ({"ggp.solvers.a": "import ortools.sat"}, "imports ortools.sat outside a function"),
        ({"ggp.solvers.a": "try:\n    import pulp\nexcept E: ..."}, "a:2 imports pulp outside a function"),
        ({"ggp.search.b": "def f():\n    from pysat import x"}, "outside solvers/"),
        ({"ggp.solvers.a": "def f():\n    import ortools"}, None),
        ({"ggp.engines.a_worker": "import pycsp3"}, None),
    ],
    workers_are_not_imported: [
        (
            {"ggp.exporters.a": "from ggp.exporters import a_worker", "ggp.exporters.a_worker": ""},
            "a script for a process of its own",
        ),
        ({"ggp.exporters.a": "PATH = 'a_worker.py'"}, None),
    ],
    mapped_packages_are_named_in_full: [
        ({"ggp.api": "import exporters"}, "ggp.api:1 imports exporters"),
        ({"ggp.api": "from solvers.a import b"}, "ggp.api:1 imports solvers.a.b"),
        ({"ggp.api": "from ggp.solvers import a"}, None),
    ],
    the_command_line_starts_light: [
        ({"ggp.cli": "import rich"}, "ggp.cli:1 imports rich"),
        ({"ggp.cli": "from ggp.goals.b import f", "ggp.goals": "import numpy"}, "ggp.goals:1 imports numpy"),
        ({"ggp.cli": "def f():\n    import rich", "ggp.api": "import numpy"}, None),
    ],
    code_knows_no_game: [
        ({"ggp.api": "colour = {'lemming': 'green'}"}, "ggp.api:1 knows 'lemming'"),
        ({"ggp.api": "def load_sokoban_level(): ..."}, "ggp.api:1 knows 'sokoban'"),
        ({"ggp.api": "class SudokuReader: ..."}, "ggp.api:1 knows 'sudoku'"),
        ({"ggp.api": "x = f'{y} of Lemmings'"}, "ggp.api:1 knows 'lemmings'"),
        ({"ggp.api": "import lemmings"}, "ggp.api:1 knows 'lemmings'"),
        ({"ggp.api": '"""Such as lemmings."""\n# and sokoban\nalemmingx = "pseudosudoku"'}, None),
    ],
    libraries_neither_print_nor_exit: [
        ({"ggp.api": "print('hello')"}, "ggp.api:1 calls print"),
        ({"ggp.api": "raise SystemExit(1)"}, "ggp.api:1 calls SystemExit"),
        ({"ggp.cli": "print('hello')"}, None),
        ({"ggp.cli.a": "print('hello')"}, None),
    ],
    files_are_short: [
        ({"ggp.api": "x = 1\n" * (MOST_LINES + 1)}, "ggp.api has 401 lines"),
        ({"ggp.api": "x = 1\n" * MOST_LINES}, None),
    ],
}


def invented(sources: Mapping[str, str]) -> dict[str, Module]:
    """Modules with these sources, and empty ones for what they may import."""
    packages = {"ggp", "ggp.exporters", "ggp.goals", "ggp.readers", "ggp.search", "ggp.solvers"}
    modules = """ggp.model ggp.errors ggp.semantics ggp.registry ggp.description ggp.readers.xsb
        ggp.exporters.b ggp.solvers.b ggp.goals.b ggp.search.b ggp.api ggp.cli""".split()
    return {
        name: Module(name, sources.get(name, ""), name in packages)
        for name in {*packages, *modules, *sources}
    }


@pytest.mark.parametrize(
    ("rule", "sources", "complaint"),
    [pytest.param(rule, *case, id=rule.__name__) for rule, cases in CASES.items() for case in cases],
)
def test_a_rule_sees_what_is_wrong_and_only_that(
    rule: Rule, sources: dict[str, str], complaint: str | None
) -> None:
    found = rule(invented(sources))
    assert len(found) == (complaint is not None)
    assert complaint is None or complaint in found[0]


def test_every_rule_has_been_seen_to_complain_and_to_be_content() -> None:
    assert set(CASES) == set(RULES)
    assert all({complaint is None for _, complaint in cases} == {True, False} for cases in CASES.values())
