"""What values of the API look like in Python: one line each, and pictures in notebooks."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ggp
from ggp.cli import main
from ggp.language.levels import builtin, games
from ggp.model import Game, Instance, Level, Piece, Plan
from ggp.model.result import Result
from ggp.referee.trajectory import replay
from ggp.render.notebook import MOST_CELLS, MOST_FRAMES
from ggp.render.svg import Decorations, frame_svg

FIRST = [Instance(game, levels[0]) for game, levels in map(builtin, games()) if levels]
HOSTILE = "<script>alert(1)</script>\n\u2028'\"&"


def by_name(value: object) -> str | None:
    return value.name if isinstance(value, Instance) else None


class Seen(HTMLParser):
    """The tags of a piece of HTML, its texts, and the pictures that stand in it as data."""

    def __init__(self, text: str | None) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.pictures: list[str] = []
        assert text is not None
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        kind, _, data = (dict(attributes).get("src") or "").partition(",")
        if tag == "img":
            assert kind == "data:image/svg+xml;base64"
            self.pictures.append(b64decode(data).decode())

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def is_line(value: object) -> bool:
    text = repr(value)
    return text.isprintable() and len(text) < 200 and text[0] + text[-1] == "<>"


@pytest.mark.parametrize("instance", FIRST, ids=by_name)
def test_a_level_is_a_line_and_a_picture(instance: Instance, tmp_path: Path) -> None:
    rows = len(instance.level.board)
    assert is_line(instance) and is_line(instance.level) and is_line(instance.game)
    assert instance.name in repr(instance) and f" {rows}x" in repr(instance)
    for plan in (*instance.level.known.wins, *instance.level.known.loses):
        assert is_line(plan) and is_line(replay(instance, plan))
    drawn, picture = instance._repr_svg_(), tmp_path / "level.svg"
    assert drawn is not None and "<!" not in drawn
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    asked = ["render", instance.name, "-o", str(picture)]
    main(asked)
    assert picture.read_text(encoding="utf-8") == drawn


def test_a_result_shows_its_numbers_and_the_run() -> None:
    instance = ggp.load("sokoban/first")
    result = ggp.solve(instance, solver="search")
    assert is_line(result) and "objective 6" in repr(result) and "search: optimal" in repr(result)
    seen, verdict = Seen(result._repr_html_()), ggp.replay(instance, result.plans[0])
    assert seen.tags.count("th") == seen.tags.count("td") and {"sokoban/first", "6"} <= {*seen.texts}
    assert len(seen.pictures) == len(verdict.states) == 7 and "6 right: won at turn 6" in seen.texts
    end = Decorations(outcome="won")
    assert seen.pictures[0] == frame_svg(instance, verdict.states[0], size=20)
    assert seen.pictures[-1] == frame_svg(instance, verdict.states[-1], size=20, decorations=end)
    assert result._repr_svg_() == frame_svg(instance, verdict.states[-1], decorations=end)


def test_a_result_without_a_plan_shows_the_level() -> None:
    instance = ggp.load("sokoban/first")
    result = ggp.solve(instance, solver="search", horizon=2)
    assert not result.plans and result.instance is not None
    assert len(Seen(result._repr_html_()).pictures) == 1
    assert result._repr_svg_() == result.instance._repr_svg_() == instance._repr_svg_()


def test_a_plan_knows_its_level_and_is_compared_without_it() -> None:
    (plan,) = ggp.solve("sokoban/first", solver="search").plans
    made = Plan(plan.design, plan.actions)
    assert plan.instance is not None and made.instance is None
    assert plan == made and hash(plan) == hash(made)
    assert made._repr_html_() is None and made._repr_svg_() is None and is_line(made)
    listed = next(ggp.solutions("lemmings/seed", solver="search"))
    assert listed.instance == ggp.load("lemmings/seed") and listed._repr_svg_() is not None


def test_a_plan_that_does_not_win_is_drawn_up_to_where_it_ends() -> None:
    plan = Plan((), ("up", "up", "up"), ggp.load("sokoban/first"))
    verdict = ggp.replay("sokoban/first", plan)
    assert not verdict.won and len(Seen(plan._repr_html_()).pictures) == len(verdict.states)
    seen = Seen(Plan((), ("jump",), plan.instance)._repr_html_())
    assert len(seen.pictures) == 1 and "jump" in seen.texts[-1], "it says why the run stops"
    outside = Plan((((99, 99), Piece("brick")),), (), ggp.load("lemmings/seed"))
    assert outside._repr_html_() is None and outside._repr_svg_() is None and is_line(outside)


def test_of_a_long_run_the_first_and_the_last_frames_are_drawn() -> None:
    instance = ggp.load("sokoban/first")
    endless = replace(instance, level=replace(instance.level, horizon=None))
    seen = Seen(Plan((), ("left", "right") * 200, endless)._repr_html_())
    assert len(seen.pictures) == MOST_FRAMES and f"… {401 - MOST_FRAMES} more …" in seen.texts
    assert "1 left" in seen.texts and seen.texts[-1].startswith("400 right: the plan stops")


def test_of_a_large_board_few_frames_are_drawn() -> None:
    instance = ggp.load("sokoban/first")
    empty = tuple(frozenset[Piece]() for _ in instance.level.board[0])
    rows = (*instance.level.board, *([empty] * (MOST_CELLS // len(empty))))
    wide = replace(instance, level=replace(instance.level, board=rows))
    assert len(Seen(Plan((), ("left", "right") * 9, wide)._repr_html_()).pictures) == 2


def test_names_are_no_markup_and_no_new_lines() -> None:
    game, (level, *_) = builtin("sokoban")
    hostile = Instance(replace(game, name=HOSTILE, title=HOSTILE), replace(level, name=HOSTILE * 20))
    drawn = hostile._repr_svg_()
    assert drawn is not None and "<script" not in drawn
    assert "script" in (ElementTree.fromstring(drawn)[0].text or "")
    plan = Plan((), level.known.wins[0].actions, hostile) if level.known.wins else Plan((), (), hostile)
    result = Result(hostile.name, HOSTILE, "optimal", (plan,), True, note=HOSTILE * 9, instance=hostile)
    seen = Seen(result._repr_html_())
    assert "script" not in seen.tags and any("<script>" in text for text in seen.texts)
    shown: list[object] = [hostile, hostile.level, hostile.game, result]
    shown += [Plan((), (HOSTILE,) * 300), Game(HOSTILE, "", (), game.goal), Level(HOSTILE, ())]
    assert all(map(is_line, shown))


def test_what_else_the_api_returns_is_a_line() -> None:
    made = next(ggp.generate("latin-square", size=(3, 3), seed=1))
    unique, hint = ggp.unique(FIRST[0]), ggp.hint(FIRST[0])
    assert all(map(is_line, (made, unique, hint)))
