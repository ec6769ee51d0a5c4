"""What `import ggp` offers: real signatures, also after the packages of the same name were imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ggp
from ggp import api

NAMES = "compare env export generate hint learn load replay results solutions solve unique".split()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_function(name: str) -> None:
    assert getattr(ggp, name) is getattr(api, name)
    assert name in dir(ggp)


def test_a_function_keeps_its_name_when_the_package_of_that_name_comes_in() -> None:
    """Importing a submodule sets it as an attribute of its package, which would hide the function."""
    program = (
        "import ggp, ggp.learn.movers.learner, ggp.generate.interface\n"
        "assert ggp.learn.__module__ == 'ggp.api' and ggp.generate.__module__ == 'ggp.api'\n"
        "made = next(iter(ggp.generate('latin-square', size=(3, 3), seed=1)))\n"
        "print(len(made.level.board))"
    )
    root = str(Path(ggp.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "3", done.stderr


def test_type_checkers_see_real_signatures(tmp_path: Path) -> None:
    """Each name is imported for type checkers; none is left to `__getattr__`, which says `object`."""
    text = Path(ggp.__file__).read_text(encoding="utf-8")
    for name in NAMES:
        assert f"    from ggp.api import {name} as {name}\n" in text
