"""What the tests share: asking a command, files to ask about, and comparisons of solvers that misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from ggp import registry
from ggp.cli import main
from ggp.harness.jobs import Settings
from ggp.harness.runner import Comparison, compare
from ggp.language.levels import load
from tests.commands import Answer, Ask
from tests.comparing import LEVEL, PLUGINS, TESTS, Compare, gone


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run a command in this process."""

    def run(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        status = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        out, err = capsys.readouterr()
        return Answer(status, out, err)

    return run


@pytest.fixture
def plan(ask: Ask, tmp_path: Path) -> Path:
    """A plan file that wins lemmings/seed."""
    file = tmp_path / "won.json"
    assert ask("solve", "lemmings/seed", "--solver", "search", "-o", file).status == 0
    return file


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A plan file that does not."""
    file = tmp_path / "lost.json"
    file.write_text('{"level": "lemmings/seed", "design": [[5, 1, "brick"]]}')
    return file


@pytest.fixture
def level_file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        file = tmp_path / "level.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Compare]:
    """Compares with the fakes, and sees that nothing is left running."""
    monkeypatch.syspath_prepend(str(TESTS))
    import harness_fakes

    monkeypatch.setenv(harness_fakes.MARK, str(tmp_path / "log"))
    table: dict[str, str] = {}
    harness_fakes.register(table)
    for name, module in table.items():
        monkeypatch.setitem(registry.SOLVERS, name, module)

    def run(*solvers: str, **options: Any) -> Comparison:
        own = {"time_limit": 20.0, "memory_limit": 1000, "plugins": PLUGINS}
        own |= {key: options.pop(key) for key in list(options) if key in Settings.__dataclass_fields__}
        options.setdefault("paths", ["described"])
        return compare([load(LEVEL)], solvers=solvers, settings=Settings(**own), **options)

    yield run
    assert gone(lambda process: str(tmp_path) in " ".join(process.cmdline())), "a fake's process is left"
    assert not psutil.Process().children(recursive=True), "a process of the harness is left"
