"""The tool that breaks the core: what it breaks, and that its page and its tables are up to date."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

from tests.mutation import __main__ as tool
from tests.mutation import notes
from tests.mutation.breaking import compiles, draw, mutants_of
from tests.mutation.running import Tree

ROOT = Path(__file__).parents[2]
if not (ROOT / "docs" / "mutants.md").exists():
    pytest.skip("the documents and the sources were not copied with the tests", allow_module_level=True)
SOURCE = '''"""Words."""

def least(words: list[int], most: int = 3) -> int:
    """Words that stay."""
    if not words and most > 0:
        raise ValueError(f"{most - 1}")
    total = min(words, most)  # a comment
    total += 1
    return total
'''


def test_what_is_broken(tmp_path: Path) -> None:
    """One place at a time; no words, no types; everything else stays, comments too."""
    file = tmp_path / "core.py"
    file.write_text(SOURCE)
    found = mutants_of(file, "core.py")
    texts = {one.written(SOURCE) for one in found}
    assert len(texts) == len(found) and all(map(compiles, texts))
    changed = {(one.before, one.after) for one in found}
    wanted = [
        ("not words and most > 0", "most > 0"),
        ("not words and most > 0", "(not words) or (most > 0)"),
        ("most > 0", "most >= 0"),
        ("not words", "(words)"),
        ("min(words, most)", "max(words, most)"),
        ("min(words, most)", "min(most, words)"),
        ("total += 1", "pass"),
        ("1", "2"),
    ]
    assert changed.issuperset(wanted)
    assert all("# a comment" in text and "Words that stay" in text and "most - 1" in text for text in texts)
    assert draw(tmp_path, ["core.py"], 4, Random(1)) == draw(tmp_path, ["core.py"], 4, Random(1))


def test_the_file_is_whole_again_afterwards(tmp_path: Path) -> None:
    compiled = "ggp/search/push/compiled/walk.py"  # a file of loops: those of the whole tree will not do
    file = tmp_path / "source" / compiled
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    tree = Tree(tmp_path / "source", tmp_path / "work")
    one = mutants_of(file, compiled)[0]
    copy = tree.root / compiled
    stamp = copy.stat().st_mtime_ns
    with tree.broken(one) as caches:
        assert copy.read_text() == one.written(file.read_text()) != file.read_text()
        assert caches.name == "mutant" and not any(caches.iterdir())
    assert copy.read_text() == file.read_text() and copy.stat().st_mtime_ns == stamp
    with pytest.raises(ValueError, match="draw anew"):
        one.written(SOURCE[5:])


def test_the_tables_name_what_is_there() -> None:
    """Each core file in one area, the nearest tests in the tree, and texts that mutants by hand replace."""
    files = [name for area in tool.areas() for name in area.files]
    assert len(files) == len(set(files)) > 100
    for area in tool.areas():
        for test in area.tests:
            name, _, function = test.partition("[")[0].partition("::")
            assert not function or f"def {function}(" in (ROOT / name).read_text(encoding="utf-8"), test
            assert (ROOT / name).is_file()
    assert len(notes.by_hand(ROOT / "tests/mutation/by_hand.toml", ROOT)) >= 20
    told = tomllib.loads((ROOT / "tests/mutation/explained.toml").read_text(encoding="utf-8"))["survivor"]
    assert all(one["why"] for one in told)


def test_the_page_is_what_the_command_writes() -> None:
    written = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
    assert written == tool.page(), "write it anew: python -m tests.mutation table"
