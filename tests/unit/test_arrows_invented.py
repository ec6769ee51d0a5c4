"""The rules of `test_arrows.py` on small bad sources: a rule that sees nothing is no rule."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.source_tree import Module, Rule
from tests.unit.test_arrows import (
    RULES,
    code_knows_no_game,
    few_reach_the_registry,
    imports_point_down,
    learners_see_only_trajectories,
    libraries_neither_print_nor_exit,
    mapped_packages_are_named_in_full,
    members_stay_separate,
    solver_packages_stay_in_their_adapters,
    the_command_line_starts_light,
    workers_are_not_imported,
)

# rule: (sources, what it must complain about, or None)
CASES: dict[Rule, list[tuple[dict[str, str], str | None]]] = {
    imports_point_down: [
        (
            {"ggp.model": "from ggp.referee.semantics import step"},
            "ggp.model:1 imports ggp.referee.semantics",
        ),
        ({"ggp.model": "def f():\n    import ggp.api"}, "ggp.model:2 imports ggp.api"),
        ({"ggp.errors": "from .model import Kind"}, "ggp.errors:1 imports ggp.model"),
        ({"ggp.exporters.a": "from ggp.solvers import b"}, "ggp.exporters.a:1 imports ggp.solvers.b"),
        ({"ggp.exporters.a": "from ..solvers import b"}, "ggp.exporters.a:1 imports ggp.solvers.b"),
        ({"ggp.referee.semantics": "import ggp\nx = ggp.solve"}, "ggp.referee.semantics:1 imports ggp,"),
        ({"ggp.referee.semantics": "from ggp import solve"}, "ggp.referee.semantics:1 imports ggp,"),
        ({"ggp.search.a": "from ggp.explain import b"}, "ggp.search.a:1 imports ggp.explain"),
        (
            {"ggp.model.board": "if TYPE_CHECKING:\n    from ggp.cli import main"},
            "ggp.model.board:2 imports ggp.cli",
        ),
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
        (
            {"ggp.learn.movers.tree": "from ggp.language.readers import xsb"},
            "ggp.learn.movers.tree:1 imports ggp.language.readers.xsb",
        ),
        (
            {"ggp.learn.movers.tree": "import ggp.language.description"},
            "ggp.learn.movers.tree:1 imports ggp.language.description",
        ),
        ({"ggp.learn.movers.tree": "from ggp.model import Kind"}, None),
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
}


def invented(sources: Mapping[str, str]) -> dict[str, Module]:
    """Modules with these sources, and empty ones for what they may import."""
    packages = """ggp ggp.exporters ggp.goals ggp.language.readers ggp.search ggp.solvers
        ggp.explain""".split()
    modules = """ggp.model ggp.errors ggp.referee.semantics ggp.registry ggp.language.description
        ggp.language.readers.xsb ggp.exporters.b ggp.solvers.b ggp.goals.b ggp.search.b ggp.api
        ggp.cli""".split()
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
