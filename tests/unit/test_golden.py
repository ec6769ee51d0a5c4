"""The golden fixture itself: missing, different, equal, renewed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
COMMAND = "python -m pytest 'tests/x.py::test_x' --accept"

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module")
def conftest() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conftest_under_test", CONFTEST)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_missing_file_fails_with_a_command_and_the_command_makes_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makepyfile(test_page='def test_it(golden):\n    golden("sub/page.txt", "one\\n")\n')
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*there is no */golden/sub/page.txt*", "*pytest 'test_page.py::test_it' --accept"]
    )
    assert not (pytester.path / "golden").exists()
    pytester.runpytest("test_page.py::test_it", "--accept").assert_outcomes(passed=1)
    assert (pytester.path / "golden/sub/page.txt").read_bytes() == b"one\n"


def test_an_equal_file_passes(conftest: ModuleType, tmp_path: Path) -> None:
    conftest.compare(tmp_path / "page.txt", "one\ntwö\n", True, COMMAND)
    conftest.compare(tmp_path / "page.txt", "one\ntwö\n", False, COMMAND)


def test_a_different_file_fails_with_the_difference_and_the_command(
    conftest: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "page.txt").write_bytes(b"one\nthree\n")
    with pytest.raises(pytest.fail.Exception) as caught:
        conftest.compare(tmp_path / "page.txt", "one\ntwo\n", False, COMMAND)
    assert "-three\n+two" in str(caught.value)
    assert COMMAND in str(caught.value)


def test_other_line_ends_are_a_difference(conftest: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_bytes(b"one\r\n")
    with pytest.raises(pytest.fail.Exception, match="how lines end"):
        conftest.compare(tmp_path / "page.txt", "one\n", False, COMMAND)
