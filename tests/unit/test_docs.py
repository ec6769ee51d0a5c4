"""What the README and the pages of docs/ say is so: files, commands, programs, tables, links, names."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from ggp import registry
from ggp.api import solve
from ggp.bench import Record
from ggp.errors import Place
from ggp.goals.regions import BUILT_IN
from ggp.language import levels
from ggp.language.rule_language import read_goal, read_rule
from ggp.model.features import FEATURES
from ggp.model.result import to_json
from ggp.model.words import RESERVED, STEPS, TOWARD
from ggp.render.colours import NAMED
from ggp.render.tileset import tile_names
from tests import documents
from tests.slow import slow_unless

if not documents.documents():
    pytest.skip("the documents were not copied with the tests", allow_module_level=True)

PAGES = documents.documents()
FORMAT = documents.ROOT / "docs" / "description-format.md"
README = documents.ROOT / "README.md"


def by_name(page: Path) -> str:
    return page.name


# --- everything that can be run is run ----------------------------------------------------------------


def soon(page: Path) -> bool:
    """Is a page tried at once? The pages of games ask the same of each; some others ask for much."""
    if page.parent.name == "games":
        return page.stem in ("lemmings", "sokoban")
    return page.stem not in ("campaigns", "laboratory", "puzzlescript-import", "pddl")


@pytest.mark.parametrize("page", slow_unless(soon, PAGES), ids=by_name)
def test_what_a_page_says_is_what_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    documents.run(page)


def test_the_pages_have_something_to_run() -> None:
    """So that a misspelt fence is no way to pass."""
    assert documents.to_run(README) >= 3
    kinds = {block.language for page in PAGES for block in documents.blocks(page)}
    assert kinds <= {"console", "toml", "python", "text", "sh", "rules", "goals", "json"}, kinds


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text):
        link = "".join(target)
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), f"{page.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
            anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in anchors, f"{page.name}: {link}"


# --- what is run on pages of our own ----------------------------------------------------------------------


def test_a_page_that_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"

    def run(text: str) -> int:
        page.write_text(text, encoding="utf-8")
        return documents.run(page)

    verdict = "WIN: won at turn 6, turns 6, pushes 2"
    plan = '<!-- file: p.json -->\n```json\n{"actions": "up left down left down right"}\n```\n'
    good = f"{plan}```console\n$ ggp replay sokoban/first p.json\n{verdict}\n```\n"
    assert run(good) == 1
    assert run("```console\n$ ggp nope\n...\n$ echo $?\n2\n```\n```python\nx = 1\n```\n") == 2
    assert run("```python\nprint(1)\n```\n<!-- prints -->\n```text\n1\n```\n") == 1
    for bad, told in [
        (good.replace("turn 6", "turn 7"), "page.md:5: $ ggp replay"),
        ("```console\n$ ggp nope\n```\n", "ended with 2"),
        ("```console\n$ ggp --version\n$ echo $?\n2\n```\n", "ended with 0"),
        ("```python\nprint(1)\n```\n<!-- prints -->\n```text\n2\n```\n", "the program above printed"),
    ]:
        with pytest.raises(AssertionError, match=re.escape(told)):
            run(bad)


@pytest.mark.parametrize(
    ("expected", "output", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n...\n", "a\nb\nc\n", True),
        ("...\nc\n", "a\nb\nd\n", False),
        ("x, 0.12 s, 5 variables\n", "x, 17.3 s, 5 variables\n", True),
        ("x, 0.12 s, 5 variables\n", "x, 0.12 s, 99 variables\n", False),
        ("6 plans\n", "5 plans\n", False),
    ],
)
def test_outputs_are_compared_apart_from_times(expected: str, output: str, same: bool) -> None:
    assert documents.alike(expected, output) is same


# --- the tables of the README ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    """docs/make_tables.py, which stands in no package."""
    spec = importlib.util.spec_from_file_location("make_tables", documents.ROOT / "docs" / "make_tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # The tests here ask for the same tables again.
    made: dict[str, Callable[[], Iterable[str]]] = module.TABLES
    made |= {name: cache(lambda one=one: tuple(one())) for name, one in made.items()}
    return module


def test_the_tables_are_up_to_date(tables: ModuleType) -> None:
    for file in tables.FILES:
        text = file.read_text(encoding="utf-8")
        assert tables.rewritten(text) == text, f"bring {file.name} up to date with `make readme`"


def test_the_pictures_of_games_show_as_many_as_there_are() -> None:
    still = 0
    for name in levels.games():
        game, _ = levels.load_game(name)
        still += game.design is not None and game.input is None and not game.physics
    text = README.read_text(encoding="utf-8")
    for alt in (f"{still} deduction puzzles, solved", f"{len(levels.games()) - still} games that move"):
        assert f'alt="{alt}"' in text, f"run `make gallery`, and let the README's picture say: {alt}"


def test_every_table_has_its_place(tables: ModuleType) -> None:
    marks = [name for file in tables.FILES for name in tables.MARK.findall(file.read_text(encoding="utf-8"))]
    studies = ("described", "learned")  # of docs/studies/tables.py
    assert sorted(marks) == sorted([*tables.TABLES, *tables.measured(), *studies])


def test_a_stale_table_is_rewritten_and_the_rest_is_left(tables: ModuleType) -> None:
    text = README.read_text(encoding="utf-8")
    stale = re.sub(r"^\| \[lemmings.*\n", "", text, flags=re.M)
    assert stale != text
    assert tables.rewritten(stale) == tables.rewritten(text)


def test_the_bench_table_says_what_it_was_measured_on(tables: ModuleType) -> None:
    records = [
        Record("seed", "baseline", 4.6, 3, 6, True, ratio=1.0),
        Record("seed", "search", 0.0046, 3, 6, True, True, 1000.0),
        Record("seed", "ggp --help", 0.1, 3, limit=0.3),
    ]
    lines = tables.bench_table(records)
    assert any("cores" in line and "OR-Tools" in line for line in lines)
    assert "| search | 4.6 ms | 1000 | 6, and no more |" in lines
    block = README.read_text(encoding="utf-8").partition("made by docs/make_tables.py: bench")[2]
    assert "cores" in block.partition("<!-- end -->")[0], "measure with `make readme-bench`"


def test_the_readme_says_what_is_not_there_and_no_more() -> None:
    text = README.read_text(encoding="utf-8")
    missing = text.partition("## What is not there yet")[2].partition("\n## ")[0]
    assert ("VGDL exporter" in missing) is ("vgdl" not in registry.EXPORTERS)
    for word in re.findall(r"patterns|sums|orders|connectedness", missing):
        assert word.removesuffix("s") not in registry.GOALS


# --- the reference of the description format ----------------------------------------------------------------


def test_the_reference_names_every_key_that_is_read() -> None:
    text = FORMAT.read_text(encoding="utf-8")
    folder = documents.ROOT / "ggp" / "language" / "description"
    sources = [folder / f"{part}.py" for part in ("game", "levels", "symbols")]
    reads = r"\.(?:text|flag|strings|amount|raw|table|tables|integer|choice|need)\(\"([a-z-]+)\""
    keys = {key for source in sources for key in re.findall(reads, source.read_text(encoding="utf-8"))}
    assert len(keys) > 30
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.S))
    assert {key for key in keys if not re.search(rf"(?<![\w-]){key}(?![\w-])", code)} == set()


def test_the_reference_names_every_word() -> None:
    text = FORMAT.read_text(encoding="utf-8")
    words = {*RESERVED, *STEPS, *TOWARD, *registry.GOALS, *BUILT_IN, *registry.FORMS, *tile_names(), *NAMED}
    assert {word for word in words if f"`{word}`" not in text} == set()


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_rules_and_goals_that_are_shown_can_be_read(page: Path) -> None:
    readers = {"rules": read_rule, "goals": read_goal}
    for block in documents.blocks(page):
        for number, line in enumerate(block.text.splitlines(), start=1):
            if block.language in readers and line.split("#")[0].strip():
                source = line.split("#")[0].rstrip() if block.language == "goals" else line
                where = Place(page.name, block.line + number)
                readers[block.language](source, lambda at, where=where: where)


def test_the_reference_shows_every_sort_of_goal_word() -> None:
    shown = [block.text for block in documents.blocks(FORMAT) if block.language == "goals"]
    words = {
        read_goal(line.split("#")[0].rstrip(), lambda at: Place("x")).word
        for text in shown
        for line in text.splitlines()
    }
    assert words == set(registry.GOALS)


# --- names in other pages ---------------------------------------------------------------------------------


def test_the_page_of_the_command_line_has_every_key(tmp_path: Path) -> None:
    """The keys of `solve --json`, in one table, and no others."""
    page = (documents.ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = page.partition("## What `solve --json` prints")[2].partition("\n## ")[0]
    told = {
        key for row in re.findall(r"^\| (`.*?`) \|", section, re.M) for key in re.findall(r"`(\w+)`", row)
    }
    assert told == set(to_json(solve("sudoku/paper-4x4", "search"), []))


def test_paths_that_pages_name_are_there() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for path in re.findall(r"`((?:ggp|exporters|solvers|descriptions|tests|docs)/[\w./-]*\w)`", text):
            if "thin-ice" not in path and "NAME" not in path and "mine" not in path:
                assert (documents.ROOT / path).exists(), f"{page.name} names {path}"


def test_modules_that_pages_name_are_there() -> None:
    for page in PAGES:
        for name in re.findall(r"`(ggp\.[a-z_.]+[a-z])`", page.read_text(encoding="utf-8")):
            parent, _, attribute = name.rpartition(".")
            try:
                assert importlib.util.find_spec(name) or hasattr(
                    importlib.import_module(parent), attribute
                ), name
            except ModuleNotFoundError:
                assert hasattr(importlib.import_module(parent), attribute), f"{page.name} names {name}"


def test_every_feature_has_words() -> None:
    assert all(words and words == words.strip() for words in FEATURES.values())
