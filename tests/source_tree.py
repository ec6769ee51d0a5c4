"""The source as the tests of its rules see it: modules, and what each of them imports."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path


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

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        base = self.name if self.is_package else self.name.rpartition(".")[0]
        return tuple(found_imports(self.tree, base, True))


Modules = Mapping[str, Module]
Rule = Callable[[Mapping[str, Module]], list[str]]
parse = cache(ast.parse)


def found_imports(node: ast.AST, base: str, top_level: bool) -> Iterator[Import]:
    """All imports below `node`; `base` is the package that relative ones start from."""
    for child in below(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, top_level) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            start = base.split(".")[: len(base.split(".")) - child.level + 1] if child.level else []
            stem = ".".join([*start, *([child.module] if child.module else [])])
            yield from (Import(f"{stem}.{alias.name}", child.lineno, top_level) for alias in child.names)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from found_imports(child, base, False)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from found_imports(child, base, top_level and not function)


def below(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a statement, with what holds some: no import stands in an expression, and most of a
    tree is that."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        yield from getattr(node, field, ())


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
    return any(
        fnmatch(name, package) or fnmatch(name, f"{package}.*")
        if "*" in package  # which takes longer to look for
        else name == package or name.startswith(f"{package}.")
        for package in packages
    )
