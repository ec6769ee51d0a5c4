"""The file of a campaign: what it stands for, and that all that is wrong with it is said at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.errors import DescriptionError, PuzzleError
from ggp.harness.campaign.file import campaign_of, read_campaign, typed_campaign
from ggp.harness.campaign.levels import levels_of
from ggp.harness.campaign.plan import Part, Plan
from ggp.harness.naming import solver_list
from tests.campaigns import small
from tests.commands import Ask

WRONG = """\
levels = ["sokoban/*", "sokban/first", "nosuch.toml", "que*/4"]
paths = ["described", "lerned"]
questions = ["best", "bset"]
solvers = ["search", "serch"]
encodings = ["lyers"]
seeds = [1, -1]
repeats = 0
colour = 3
[limits]
wall = "long"
cpu = -3
memory = 3
disk = 1
[[solver]]
name = "cp-sat"
with = ["value-symetry"]
threads = 3
[[solver]]
name = "search"
encoding = "path"
"""
TOLD = [
    (1, 24, "no game called 'sokban'"),
    (1, 40, "no file"),
    (1, 55, "no file matches 'que*/4'"),
    (2, 23, "cannot have 'lerned'"),
    (3, 22, "cannot have 'bset'"),
    (4, 22, "no solver called 'serch'"),
    (5, 14, "cannot have 'lyers'"),
    (6, 9, "these are no seeds"),
    (7, 11, "`repeats` cannot be 0"),
    (8, 1, "has no `colour`"),
    (10, 8, "must be a number of seconds"),
    (11, 7, "`cpu` cannot be -3"),
    (12, 10, "cannot do with 3 MB"),
    (13, 1, "[limits] has no `disk`"),
    (16, 9, "no pass called 'value-symetry'"),
    (17, 1, "a solver has no `threads`"),
    (18, 3, "search gets no encoding"),
]


def test_all_that_is_wrong_is_said_at_once_and_where() -> None:
    with pytest.raises(DescriptionError) as raised:
        campaign_of(WRONG.encode(), "study.toml", Path())
    found = raised.value.findings
    places = [(one.place.line, one.place.column) for one in found if one.place is not None]
    assert places == [(line, column) for line, column, _ in TOLD]
    for finding, (_, _, words) in zip(found, TOLD, strict=True):
        assert words in finding.message and finding.place is not None and finding.place.file == "study.toml"


def test_nothing_is_run_and_the_status_is_2(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(WRONG, "utf-8")
    answer = ask("campaign", tmp_path / "study.toml", "-o", tmp_path / "out.ggp")
    assert answer.status == 2 and answer.err.count("error: ") == len(TOLD) and answer.out == ""
    assert not (tmp_path / "out.ggp").exists()
    typed = ask("campaign", "-o", tmp_path / "out.ggp", "--level", "sokban/first", "--solvers", "serch")
    assert typed.status == 2 and "the command line, levels: error: there is no game" in typed.err
    assert "the command line, solvers: error: there is no solver" in typed.err
    nothing = ask("campaign", "-o", tmp_path / "out.ggp")
    assert nothing.status == 2 and "nothing says what is run\n  give a FILE" in nothing.err
    both = ask("campaign", tmp_path / "study.toml", "-o", tmp_path / "out.ggp", "--solvers", "null")
    assert both.status == 2 and "so do solvers on the command line" in both.err
    for part in ("0/2", "3/2", "x"):
        assert ask("campaign", "-o", tmp_path / "o", "--part", part, "--level", "queens/4").status == 2


def test_the_least_that_a_file_says() -> None:
    with pytest.raises(DescriptionError) as raised:
        campaign_of(b"repeats = 2\n", "study.toml", Path())
    assert [one.message for one in raised.value.findings] == [
        "`levels` is missing here",
        "`solvers` is missing here",
    ]
    campaign = small()
    assert [one.name for one in campaign.instances] == ["lemmings/seed"] and campaign.paths == ("described",)
    assert 'solvers = ["null"]' in campaign.text


def test_solvers_have_options_and_encodings() -> None:
    text = b"""
levels = ["queens/4"]
solvers = ["search", "xcsp:prog '{file}' -a=1,2"]
encodings = ["path", "occupancy"]
[[solver]]
name = "cp-sat"
label = "mine"
with = ["value-symmetry"]
encoding = "occupancy"
[[solver]]
name = "cp-sat"
"""
    found = campaign_of(text, "study.toml", Path()).configurations
    assert [(one.label, one.encoding, one.passes) for one in found] == [
        ("search", None, ()),
        ("xcsp:prog '{file}' -a=1,2, path", "path", ()),
        ("xcsp:prog '{file}' -a=1,2, occupancy", "occupancy", ()),
        ("mine", "occupancy", ("value-symmetry",)),
        ("cp-sat, path", "path", ()),
        ("cp-sat, occupancy", "occupancy", ()),
    ]
    with pytest.raises(DescriptionError, match="two solvers are called search"):
        small(solvers=["search", "search"])


# --- levels ---------------------------------------------------------------------------------------------


XSB = "#####\n#@$.#\n#####\n"


def test_levels_by_pattern_in_files_in_folders_and_as_links(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "two.xsb").write_text(f"{XSB}\n{XSB}", "utf-8")
    (folder / "notes.md").write_text("no level", "utf-8")
    names = [one.name for one in levels_of("sokoban/*")]
    assert len(names) > 3 and all(name.startswith("sokoban/") for name in names)
    assert {one.name.partition("/")[0] for one in levels_of("sok*/f*")} == {"sokoban"}
    assert [one.name for one in levels_of("queens/7")] == ["queens/7"]
    assert len(levels_of("mine", tmp_path)) == len(levels_of("mine/*.xsb", tmp_path)) == 2
    assert len(levels_of("mine/two.xsb", tmp_path)) == 1 and len(levels_of("mine/two.xsb#*", tmp_path)) == 2
    assert (
        levels_of("two.xsb#2", folder)
        == levels_of("sokoban:two.xsb#2", folder)
        != levels_of("two.xsb", folder)
    )
    [link] = levels_of("https://puzz.link/p?slither/3/3/g0bgc")
    assert link.game.name == "slitherlink"


@pytest.mark.parametrize("name", ["", "sokoban", "sokoban/*x", "mine", "two.xsb#9*", "*/nothing", "empty"])
def test_levels_that_are_not_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "two.xsb").write_text(XSB, "utf-8")
    (tmp_path / "empty").mkdir()
    with pytest.raises(PuzzleError):
        levels_of(name, tmp_path)


def test_paths_start_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "one.xsb").write_text(XSB, "utf-8")
    file = tmp_path / "study.toml"
    file.write_text('levels = ["one.xsb"]\nsolvers = ["search"]\n', "utf-8")
    assert [one.game.name for one in read_campaign(file).instances] == ["sokoban"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "one.xsb").write_text(XSB.replace("@$.", "@$ ."), "utf-8")
    file.write_text('levels = ["one.xsb", "other/one.xsb"]\nsolvers = ["search"]\n', "utf-8")
    with pytest.raises(DescriptionError, match="two different levels are called"):
        read_campaign(file)


# --- runs -----------------------------------------------------------------------------------------------


def test_each_run_once_and_seeds_only_where_lots_are_drawn() -> None:
    campaign = typed_campaign(
        {
            "levels": ["queens/4", "sokoban/first"],
            "solvers": ["search", "cp-sat"],
            "paths": ["described", "learned"],
            "questions": ["first", "best"],
            "seeds": [3, 4, 5],
            "repeats": 2,
        }
    )
    plan = Plan(campaign, {})
    named = plan.named(Part())
    assert len({one.key for one in named}) == len({one.run for one in named}) == len(named)
    assert len(named) == 2 * 2 * 2 * (1 + 3 + 3 + 3)
    assert not next(iter(small(solvers=["sat"]).configurations)).draws, "all its seeds mean the same"
    assert [one.what for one in named] != [*plan.runs()] and {one.what for one in named} == {*plan.runs()}
    assert named == Plan(campaign, {}).named(Part()), "always in the same way"
    parts = [{one.key for one in plan.named(Part(number, 3))} for number in (1, 2, 3)]
    assert set.union(*parts) == {one.key for one in named} and sum(map(len, parts)) == len(named)


def test_newer_versions_change_the_key_and_not_the_run() -> None:
    one, other = (Plan(small(), versions).named(Part())[0] for versions in ({}, {"null": {"null": "2"}}))
    assert one.run == other.run and one.key != other.key
    assert Plan(small(**{"limits.wall": 3.0}), {}).named(Part())[0].run != one.run


# --- lists of solvers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (None, None),
        ("search", ["search"]),
        ("search, cp-sat,", ["search", "cp-sat"]),
        ('search,"xcsp:prog -a=1,2 {file}",cbc', ["search", "xcsp:prog -a=1,2 {file}", "cbc"]),
        ("xcsp:prog '-a=1,2' {file},cbc", ["xcsp:prog '-a=1,2' {file}", "cbc"]),
        ("'xcsp:prog \"a b\" {file}'", ['xcsp:prog "a b" {file}']),
        ('"xcsp:say ""a, b"" {file}", cbc', ['xcsp:say "a, b" {file}', "cbc"]),
    ],
)
def test_a_list_of_solvers(text: str | None, names: list[str] | None) -> None:
    assert solver_list(text) == names


@pytest.mark.parametrize("text", ['"xcsp:a', "xcsp:a 'b", '"a"b', "a,'", "", " , "])
def test_a_list_of_solvers_that_is_none(text: str) -> None:
    with pytest.raises(PuzzleError):
        solver_list(text)


def test_compare_hands_a_command_on_as_it_is(ask: Ask) -> None:
    command = "xcsp:nosuchprogram '-x=1,2' {file}"
    answer = ask("compare", "queens/4", "--paths", "described", "--solvers", f'"{command}"')
    assert answer.status == 1 and "nosuchprogram" in answer.out and "there is no solver" not in answer.err


def test_levels_are_left_out_by_pattern() -> None:
    kept = small(levels=["queens/4", "sokoban/f*", "lemmings/seed"], without=["sokoban/*", "lemm*"])
    assert [one.name for one in kept.instances] == ["queens/4"]
    with pytest.raises(DescriptionError, match="'akari/\\*' leaves out no level"):
        small(levels=["queens/4"], without=["akari/*"])
