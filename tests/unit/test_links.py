"""Puzzles in links: read, written, and refused with the place of what is wrong."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import api
from ggp.cli import main
from ggp.errors import DescriptionError, Place, UnsupportedFeature
from ggp.exporters.url import told
from ggp.language import levels
from ggp.language.levels import builtin, load
from ggp.language.readers import url
from ggp.language.readers.code_layouts import LAYOUTS
from ggp.language.readers.link_writing import write
from ggp.model import Instance, Piece
from ggp.referee.trajectory import replay
from ggp.tasks.exporting import export, verify
from tests.slow import one_in

PLACE = Place("URL", 1, 1)

# Links of our own levels, at least one of each type. `test_link_codes` says by hand what most of them hold.
KNOWN = {
    "tents/6/6/2n01gi70363071": "tents/wood",
    "mines/5/5/g1..j6m3j0.3g": "minefield/patch",
    "slither/3/3/g0bgc": "slitherlink/tiny",
    "slither/7/7/taqdj7385cbg": "slitherlink/7x7",
    "akari/4/4/kei.h.g": "akari/small",
    "mashu/4/4/03c000": "masyu/small",
    "mashu/5/5/013960200": "masyu/5x5",
    "hitori/4/4/3322142324344244": "hitori/small",
    "sudoku/4/4/g4i1g3k3g1": "sudoku/paper-4x4",
    "nurikabe/4/4/g3g1o3h": "nurikabe/small",
    "hashi/5/5/g2g4g2g2o1h2h3g": "hashiwokakero/small",
    "fillomino/3/3/2h43j": "fillomino/tiny",  # but for the largest number, which a link does not say
    "nonogram/5/5/31g11g22g13g5h5h3h22g11131g": "nonogram/small",
    "kakuro/5/4/.a0Egl4jr.m..e8fa": "kakuro/small",
    "skyscrapers/4/4/j13g3k3h": "skyscrapers/small",
    "skyscrapers/6/6/h23g6j3g332g24lt1x2h": "skyscrapers/6x6-b",
}
TINY = "slither/3/3/g0bgc"
PAPER = "sudoku/4/4/g4i1g3k3g1"


def linked(rest: str) -> Instance:
    return load(f"https://puzz.link/p?{rest}")


def fault(rest: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        load(rest if "?" in rest else f"https://puzz.link/p?{rest}")
    return str(caught.value)


# --- reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", KNOWN)
def test_the_link_of_a_level_is_read_and_written(rest: str) -> None:
    instance, ours = linked(rest), load(KNOWN[rest])
    assert instance.game == ours.game
    assert instance.level.board == ours.level.board
    assert dict(instance.level.clues) == dict(ours.level.clues)
    known = ours.level.known
    assert known.wins and all(replay(instance, plan).won for plan in known.wins)
    assert known.loses and not any(replay(instance, plan).won for plan in known.loses)
    assert export(instance, "url").text == f"https://puzz.link/p?{rest}\n"
    assert all(check.passed for check in verify(instance, "url", export(instance, "url").text))


def test_all_codecs_are_read() -> None:
    forms = levels.declared_forms()
    assert {forms[name.split("/")[0]]["url"]["codec"] for name in KNOWN.values()} == set(LAYOUTS)


@pytest.mark.parametrize("rest", one_in(3, KNOWN))
def test_every_character_of_a_link_counts(rest: str) -> None:
    """With another one in its place the link is refused, or holds another level."""
    start = len(rest) - len(rest.rpartition("/")[2])
    level = linked(rest).level
    others = 0
    for at in range(start, len(rest)):
        for sign in set("0123456789agk") - {rest[at]}:
            try:
                other = linked(f"{rest[:at]}{sign}{rest[at + 1 :]}").level
            except DescriptionError:
                continue
            others += 1
            assert (other.board, other.clues) != (level.board, level.clues), (at, sign)
    assert others


def test_another_clue_has_another_answer() -> None:
    (plan,) = load("slitherlink/tiny").level.known.wins
    assert replay(linked("slither/3/3/g0bgc"), plan).won
    assert not replay(linked("slither/3/3/g0bgd"), plan).won  # a room of 3 lines instead of 2


@pytest.mark.parametrize(
    "link",
    [
        "https://puzz.link/p?slither/3/3/g0bgc",
        "https://pzprxs.vercel.app/p?slither/3/3/g0bgc/",
        "http://pzv.jp/p.html?slither/3/3/g0bgc",
        "pzv.jp/p.html?slither_edit/3/3/g0bgc",
        "https://puzz.link/p?type=editor&slither_play/3/3/g0bgc",
        "https://puzz.link/p?slitherlink/3/3/g0bgc",
        "https://puzz.link/p?slither/c/3/3/g0bgc",  # a flag that says nothing of the rules
        "slitherlink:https://puzz.link/p?slither/3/3/g0bgc",
    ],
)
def test_ways_to_write_one_link(link: str) -> None:
    assert load(link).level.board == linked(TINY).level.board


def test_a_file_of_links(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text(
        "# two of them\nhttps://puzz.link/p?hitori/2/2/1221\n\nhttps://puzz.link/p?hitori/3/2/123312\n"
    )
    game, kept = levels.read_path(path, "hitori")
    assert (game.name, [level.name for level in kept]) == ("hitori", ["hitori-2x2", "hitori-3x2"])
    path.write_text("https://puzz.link/p?hitori/2/2/12\nhttps://puzz.link/p?hitori/2/2/1?21\n")
    with pytest.raises(DescriptionError) as caught:
        levels.read_path(path, "hitori")
    assert [str(finding.place).rpartition("/")[2] for finding in caught.value.findings] == [
        "links.txt:1:34",
        "links.txt:2:33",
    ]


def status(*arguments: str) -> object:
    """The exit status of a command that is run in this process."""
    try:
        main(list(arguments))
    except SystemExit as end:
        return end.code
    return 0


def test_a_link_is_a_level_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    link = f"https://puzz.link/p?{PAPER}"
    assert status("show", link) == 0
    assert "\n.4..\n.1.3\n....\n.3.1\n" in capsys.readouterr().out
    assert status("check", link) == 0
    assert capsys.readouterr().out == f"{link}: 0 errors, 0 warnings\n"
    for command in ("show", "check"):
        assert status(command, link[:-1]) == 2
        assert "URL:1:41: error: the link ends after 15 of 16 cells" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (
            "slithr/5/5/cb",
            "URL:1:21: error: no game reads links of the type 'slithr'\n  did you mean `slither`",
        ),
        ("slither/3/3/g0bgcg", "URL:1:38: error: the board is full before 'g'"),
        ("slither/3/3/g0bg", "URL:1:37: error: the link ends after 6 of 9 cells"),
        ("slither/3/3/g0fgc", "URL:1:35: error: 'f' means nothing here"),
        ("slither/2/2/z", "URL:1:33: error: there is room for 4 cells, and this goes past them"),
        ("slither/5/x/cb", "URL:1:31: error: the number of rows is 'x'"),
        ("slither/2.5/5/cb", "URL:1:29: error: the number of columns is '2.5'"),
        ("slither/-5/5/cb", "URL:1:29: error: the number of columns is '-5'"),
        ("slither/0/5/cb", "URL:1:29: error: the number of columns is '0'"),
        ("slither/5", "URL:1:30: error: the link ends before it says how large"),
        ("v:odd/slither/5/5/cb", "URL:1:21: error: the link asks for a variant of its puzzle, 'v:odd'"),
        ("https://puzz.link/slither/5/5/cb?", "URL:1:34: error: the link does not say which puzzle it holds"),
        (
            "https://?slither",
            "URL:1:1: error: this is no link to a puzzle\n  a link is ADDRESS?TYPE/COLUMNS/ROWS",
        ),
        ("", "URL:1:21: error: the link does not say which puzzle it holds"),
        ("hitori:https://puzz.link/p?slither/1/1/a", "URL:1:21: error: 'slither' is no type of hitori"),
        (
            "sokoban:https://puzz.link/p?slither/1/1/a",
            "there are no links for sokoban\n  declare [forms.url]",
        ),
        ("skyscrapers/4/4/j19g3k3h", "URL:1:39: error: the goal `visible` does not fit: from the end of"),
        ("skyscrapers/4/4/j13g3k3hg", "URL:1:46: error: the link ends after 1 of 16 cells"),
        ("slither/v:odd/3/3/g0bgc", "URL:1:29: error: the link asks for a variant of its puzzle, 'v:odd'"),
        ("slither/v:/v:odd/3/3/g0bgc", "URL:1:32: error: the link asks for a variant of its puzzle, 'v:odd'"),
        ("v:/", "URL:1:24: error: the link does not say which puzzle it holds"),
        ("fillomino/t/3/3/2h43j", "URL:1:39: error: there is no `digit:4` in this level"),
        ("nurikabe/2/2/-1xh", "URL:1:35: error: 2 digits to the base of 16 must stand here, not '1x'"),
        ("hashi/5/5/g2g9g2g2o1h2h3g", "URL:1:34: error: there is no `island:9` in this level"),
        ("sudoku/5/5/zk", "`boxes` needs a side that is a square number, or 6; this one is 5"),
        ("sudoku/999/999/zk", "URL:1:36: error: the map has 998001 cells"),
        ("sudoku/4/4/g4i1g3k3G1", "URL:1:40: error: 'G' means nothing here"),
        ("mashu/2/2/11", "URL:1:32: error: this goes past the last cell"),
        ("mashu/2/2/z0", "URL:1:31: error: 'z' means nothing here"),
        ("mashu/2/2/1", "URL:1:32: error: the link ends after 3 of 4 cells"),
        (
            "kakuro/5/4/.a0Egl4jr.m..e8f",
            "URL:1:48: error: the link ends after the cells, before all sums",
        ),
        ("kakuro/5/4/.a5Egl4jr.m..e8fa", "URL:1:34: error: no run begins after this sum of 5"),
        ("kakuro/2/2/4", "URL:1:33: error: the link ends after 1 of 4 cells"),
        ("kakuro/2/2/z", "URL:1:32: error: there is room for 4 cells, and this goes past them"),
        ("kakuro/1/1/k!-", "URL:1:33: error: '!' means nothing here"),
        ("nonogram/2/2/.1g1", "URL:1:34: error: the length of a run is left open here"),
        ("nonogram/2/2/5111", "runs of 5 need 5 cells"),
    ],
)
def test_faults_in_a_link(rest: str, message: str) -> None:
    assert message in fault(rest)


def test_whatever_stands_in_a_link_it_is_read_or_refused() -> None:
    chance = random.Random(5)
    read = 0
    for _ in range(4000):
        link = list(chance.choice(list(KNOWN)))
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(link))
            link[at : at + chance.randint(0, 1)] = chance.choice(["", *"0123459agkz/.-+=%@*$?:&_# ²é\t"])
        try:
            instance = linked("".join(link))
        except DescriptionError as error:
            assert all(finding.message and finding.place for finding in error.findings)
            continue
        read += 1
        again = url.read_link(write(instance).link, instance.game, PLACE)
        assert (again.board, again.clues) == (instance.level.board, instance.level.clues)
    assert read > 30


def test_no_two_games_read_links_of_one_type() -> None:
    forms = levels.declared_forms().values()
    types = [word for form in forms if "url" in form for word in form["url"]["types"]]
    assert len(types) == len(set(types)) >= 10


@pytest.mark.parametrize("link", ["slither/v:/3/3/g0bgc", "v:/slither/3/3/g0bgc", "slither/v:/x/3/3/g0bgc"])
def test_a_variant_without_a_name_is_read_by_the_plain_rules(link: str) -> None:
    plain, found = (linked(one).level for one in ("slither/3/3/g0bgc", link))
    assert told(found) == told(plain) and not plain.title and "`v:`" in found.title


# --- writing ----------------------------------------------------------------------------------------------


def with_links() -> list[str]:
    """The levels of all games that have links."""
    games = [game for game, forms in levels.declared_forms().items() if "url" in forms]
    assert len(games) >= 10
    return [name for game in games for name in levels.levels(game)]


@pytest.mark.parametrize("name", with_links())
def test_our_levels_are_the_same_after_a_link(name: str) -> None:
    instance = load(name)
    written = write(instance)
    assert all(finding.place and finding.place.line for finding in written.found)
    if not written.link:
        with pytest.raises(UnsupportedFeature):
            export(instance, "url", allow_loss=True)
        return
    found = url.read_link(written.link, instance.game, PLACE)
    assert replace(told(found), numbers=()) == replace(told(instance.level), numbers=())
    assert (found.numbers == instance.level.numbers) == (not written.found)


@pytest.mark.parametrize(
    ("kind", "size", "codes", "answers", "every"),
    [("slither", "3/1", "i", 6, 1), ("slither", "2/2", "j", 13, 0), ("mashu", "3/2", "00", 3, 1)],
)
def test_a_flag_whose_rule_is_known(kind: str, size: str, codes: str, answers: int, every: int) -> None:
    """Where the loop must go through every corner, or every room, few of the plain answers are left."""
    for flag, number in (("", answers), ("f/", every), ("cf/", every)):
        found = api.solve(f"https://puzz.link/p?{kind}/{flag}{size}/{codes}", "sat", "all")
        assert found.complete
        assert len(found.plans) == number


@pytest.mark.parametrize("link", ["slither/f/3/3/g0bgc", "mashu/f/4/4/03c000", "fillomino/t/3/3/2h3i2g"])
def test_links_with_flags_are_written_again(link: str) -> None:
    plain = re.sub("/[a-z]/", "/", link, count=1)
    for text in (link, plain):
        instance = linked(text)
        assert write(instance) == (f"https://puzz.link/p?{text}", ())
        assert told(linked(text).level) == told(instance.level)
    assert told(linked(plain).level) != told(linked(link).level)


def test_a_flag_that_stands_for_unknown_rules() -> None:
    game = builtin("slitherlink")[0]
    settings = {**dict(game.forms)["url"], "variants": ["q"]}
    strict = replace(game, forms=(("url", settings),))
    with pytest.raises(DescriptionError, match="a variant of its puzzle, 'fq'"):
        url.read_link("https://puzz.link/p?slither/fq/1/1/a", strict, PLACE)


def test_nearly_all_of_our_levels_have_a_link() -> None:
    refused = [name for name in with_links() if not write(load(name)).link]
    assert 10 * len(refused) <= len(with_links()), refused


def test_what_a_link_cannot_hold() -> None:
    with pytest.raises(UnsupportedFeature, match="lemmings") as caught:
        export(load("lemmings/seed"), "url")
    assert "declare [forms.url]" in str(caught.value)
    cramped = load("fillomino/tiny")
    with pytest.raises(UnsupportedFeature, match="does not say that `largest` is 5"):
        export(cramped, "url")
    assert export(cramped, "url", allow_loss=True).text.startswith("https://puzz.link/p?fillomino/3/3/2")
    crossed = load("kakuro/small")
    board = [list(row) for row in crossed.level.board]
    board[1][1] = frozenset({Piece("digit", 7)})
    given = Instance(crossed.game, replace(crossed.level, board=tuple(map(tuple, board))))
    with pytest.raises(UnsupportedFeature, match="a link cannot show `digit:7` at row 1, column 1"):
        export(given, "url", allow_loss=True)
    untold = linked("nonogram/2/2/1111").level
    some = replace(untold, clues=(("rows", (None, (1,))), ("columns", ((1,), (1,)))))
    with pytest.raises(UnsupportedFeature, match="must tell the runs of every line"):
        export(Instance(builtin("nonogram")[0], some), "url")
    loop = load("slitherlink/tiny")
    odd = replace(loop.level, board=loop.level.board[:-1])
    with pytest.raises(UnsupportedFeature, match="is not drawn cell by cell"):
        export(Instance(loop.game, odd), "url")
    plain = linked(PAPER)
    with pytest.raises(UnsupportedFeature, match="not a plan"):
        export(plain, "url", load(KNOWN[PAPER]).level.known.wins[0])


def test_a_link_that_is_another_level_does_not_pass() -> None:
    instance = linked(PAPER)
    (check,) = verify(instance, "url", "https://puzz.link/p?sudoku/4/4/g2i1g3k3g1")
    assert not check.passed
    (check,) = verify(instance, "url", "https://puzz.link/p?sudoku/4/4/g")
    assert not check.passed and "the link ends" in check.detail


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\n[kinds]\nrock = { layer = "a", values = [0, 4] }\n[symbols]\n"." = ""\n[design]\n'
        'place = "rock"\nfree-of = ["rock"]\n[goal]\nwhen = "horizon"\nwin = ["count rock = 1"]\n'
        "[forms.url]\n"
        'types = ["loop"]\ncodec = "four-cell"\ncells = { number = "rock:number" }\n'
    )
    instance = load(f"{path}:https://puzz.link/p?loop/2/1/5")
    assert instance.level.board == ((frozenset({Piece("rock", 0)}), frozenset()),)
    with pytest.raises(DescriptionError, match="mine has nothing that stands for a number that is left open"):
        load(f"{path}:https://puzz.link/p?loop/2/1/.g")


def test_what_is_asked_of_a_large_map_grows_as_the_map_does() -> None:
    """300 by 300, and no goal word writes down more than each cell a few times: that took 14 seconds."""
    instance = linked("akari/300/300/" + "z" * 4500)
    assert len(instance.level.board) == len(instance.level.board[0]) == 300
    for term in instance.game.goal.terms:
        assert sum(map(len, term.regions(instance))) <= 2 * 300 * 300, term.word


def test_a_link_that_is_too_long_is_refused() -> None:
    with pytest.raises(DescriptionError, match=r"10008 characters.*\n.*write the level in another form"):
        linked("akari/300/300/" + "g" * 9974)
