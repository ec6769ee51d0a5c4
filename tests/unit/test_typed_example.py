"""The page on Python is checked by mypy as strictly as it can: what it shows has the types that it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ggp
from tests import documents

PAGE = documents.ROOT / "docs" / "python.md"
if not PAGE.exists():
    pytest.skip("the documents were not copied with the tests", allow_module_level=True)
pytest.importorskip("mypy")

LIES = (  # each is wrong, and would pass if the name were an `object` or an `Any` for type checkers
    "wrong: str = ggp.solve(level)",
    "wrong = ggp.load(1)",
    "wrong = ggp.solve(level).plan",
    "for wrong in ggp.solutions(level): wrong.moves",
    "wrong: int = ggp.export(level, 'xcsp3')",
    "wrong: Plan = next(ggp.generate('latin-square'))",
    "wrong = ggp.learn('sokoban', rollouts='many')",
    "wrong: bool = ggp.hint(level)",
    "wrong = ggp.compare(level, workers=None)",
    "wrong: str = ggp.unique(level)",
    "wrong: Plan = ggp.replay(level, plan or Plan())",
)
# Only what has the types that are spoken of is read: the rest is an `Any`, and a lie about it would be missed
READ = """
[mypy]
[mypy-ggp.*]
follow_imports = skip
[mypy-ggp,ggp.api,ggp.errors,ggp.model.*,ggp.referee.trajectory,ggp.explain.*,ggp.harness.*,ggp.tasks.*]
follow_imports = silent
"""


def complaints(program: str, folder: Path) -> str:
    """What mypy says of a program; "" where it finds nothing."""
    file, config = folder / "program.py", folder / "mypy.ini"
    file.write_text(program, encoding="utf-8")
    config.write_text(READ, encoding="utf-8")
    asked = [
        "--strict",
        f"--config-file={config}",
        "--no-error-summary",
        "--no-color-output",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *asked, f"--cache-dir={folder / 'cache'}", str(file)],
        env=os.environ | {"MYPYPATH": str(Path(ggp.__file__).parents[1])},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_the_page_has_the_types_that_it_says(tmp_path: Path) -> None:
    shown = [block.text for block in documents.blocks(PAGE) if block.language == "python"]
    assert len(shown) == 3 and all("ggp" in text or "level" in text for text in shown)
    program = "\n".join(shown)
    first = program.count("\n") + 1
    found = complaints(program + "\n".join(("", *LIES)), tmp_path)
    lines = {int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line}
    assert lines == set(range(first + 1, first + 1 + len(LIES))), found
