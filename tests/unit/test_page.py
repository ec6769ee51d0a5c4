"""The page: one file, safe whatever stands in the texts, and everything is on it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path

from lxml import html

from ggp.harness import page as page_module
from ggp.harness.jobs import Settings
from ggp.harness.output import file_names, write_all
from ggp.harness.page import few_enough, page, resource, rules_of, solutions
from ggp.harness.runner import Comparison, game_key
from ggp.language.levels import load
from tests.page_samples import EVIL, comparison, learned, ran, text, tree, words

# --- safe, and alone ------------------------------------------------------------------------------------


def test_it_loads_nothing() -> None:
    policy = tree().xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy and policy[0].startswith("default-src 'none'") and "connect" not in policy[0]
    for element in tree().iter():
        for name, value in element.attrib.items():
            local = name.rpartition("}")[2].rpartition(":")[2]
            if local in ("src", "href", "action", "data", "srcset", "poster"):
                assert value.startswith("#") or value == "data:,", f"<{element.tag} {name}={value!r}>"
    style = resource("page.css")
    assert "url(" not in style and "@import" not in style and "@font-face" not in style
    script = resource("page.js")
    assert not re.search(
        r"fetch|XMLHttp|import\(|WebSocket|innerHTML|insertAdjacent|eval|document\.write", script
    )


def test_texts_stay_texts() -> None:
    scripts = tree().xpath("//script")
    assert [script.get("type") for script in scripts] == ["application/json", None]
    assert scripts[1].text.strip() == resource("page.js").strip()
    assert tree().xpath("//img | //iframe | //object | //embed | //base | //form") == []
    assert not any(name.startswith("on") for element in tree().iter() for name in element.attrib)
    assert "49" not in words(tree().xpath("//h2")[1]), "a text is no template"
    level = tree().get_element_by_id("level-0")
    assert EVIL in level.xpath("./h2")[0].text_content()
    assert text().count(escape(EVIL).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")) >= 5
    assert json.loads(scripts[0].text)[0]["plans"]


def test_ids_are_unique_and_whatever_is_referred_to_is_there() -> None:
    ids = tree().xpath("//@id")
    assert len(ids) == len(set(ids))
    referred = {value[1:] for value in tree().xpath("//@href") if value.startswith("#")}
    assert referred <= set(ids)
    data = json.loads(tree().get_element_by_id("data").text)
    frames = {
        number for level in data for plan in level["plans"] for frame in plan["frames"] for number in frame
    }
    assert {f"e-{number}" for number in frames} <= set(ids)


# --- what is on it --------------------------------------------------------------------------------------


def test_the_table_has_every_record_and_what_to_sort_by() -> None:
    heads = [words(head) for head in tree().xpath("(//table)[1]//th")]
    assert heads[:6] == ["level", "path", "solver", "stop", "proof", "solutions"] and "certificate" in heads
    rows = tree().xpath("(//table)[1]/tbody/tr")
    assert len(rows) == len(comparison().records)
    assert [words(one) for one in tree().xpath("//h2[@id='sides']")] == ["Learned against described"]
    for row, record in zip(rows, comparison().records, strict=True):
        cells = row.xpath("./td")
        assert len(cells) == len(heads)
        assert cells[2].text_content() == record["solver"]
        assert cells[5].get("data-sort") == str(record["solutions"])
    assert any(EVIL in words(note) for note in tree().xpath("//ul[@class='notes']/li"))


def test_each_distinct_solution_is_played_and_the_level_is_drawn() -> None:
    level = tree().get_element_by_id("level-0")
    assert len(level.xpath(".//*[@class='board']/svg/use")) > 50
    buttons = level.xpath(".//button[@data-plan]")
    assert len(buttons) == 7, "the level and the six"
    assert "found by 2 runs" in words(buttons[1]) and "wins" in words(buttons[1])
    data = json.loads(tree().get_element_by_id("data").text)
    assert [len(plan["frames"]) for plan in data[0]["plans"]] == [1] + [20] * 6
    assert len(data[1]["plans"][1]["actions"]) == 6
    assert "at the end of 19 turns" in words(level.xpath(".//dl")[0])


def test_frames_are_the_pictures_of_the_states() -> None:
    """The elements of each frame, put together, are those of the SVG file of that state."""
    from xml.etree import ElementTree

    from ggp.render.svg import Decorations, frame_svg

    instance = comparison().instances[0]
    solution = solutions(comparison().records, instance)[0]
    data = json.loads(tree().get_element_by_id("data").text)
    elements = tree().xpath("//svg[@class='store']/defs/g")
    assert solution.verdict is not None
    for turn in (0, 7, 19):
        frame = data[0]["plans"][1]["frames"][turn]
        end = Decorations(outcome="won") if turn == 19 else Decorations(progress=turn / 20)
        picture = ElementTree.fromstring(frame_svg(instance, solution.verdict.states[turn], decorations=end))
        wanted = [part for part in picture if not part.tag.endswith(("title", "defs"))]
        assert len(wanted) == len(frame)
        for number, part in zip(frame, wanted, strict=True):
            [shown] = list(elements[number])
            attributes = {name.lower(): value for name, value in part.attrib.items()}
            assert dict(shown.attrib) == attributes


def test_rules_stand_side_by_side() -> None:
    described, learned_side = tree().get_element_by_id("level-0").xpath(".//*[@class='sides']/div")
    assert "no solid ahead" in words(described) and "no wall ahead" not in words(described)
    assert "no wall ahead" in words(learned_side) and "differs" in words(learned_side)
    assert "250 roll-outs with 999 examples" in words(learned_side)
    assert len(learned_side.xpath(".//figure/svg")) == 3, "the counterexample is drawn"
    sokoban, sudoku = (tree().get_element_by_id(f"level-{number}") for number in (1, 2))
    assert f"Nothing was learned: {EVIL}" in words(sokoban.xpath(".//*[@class='sides']/div")[1])
    assert "Nothing moves" in words(sudoku.xpath(".//*[@class='sides']/div")[0])


def test_exported_texts_are_there_to_copy_and_refusals_are_sentences() -> None:
    section = tree().get_element_by_id("level-0").xpath(".//section[@aria-label='Exported']")[0]
    assert section.xpath(".//details/pre")[0].text_content() == f"BasicGame\n{EVIL}\n</pre>\n"
    assert len(section.xpath(".//button[@class='copy']")) == 1
    two, three = section.xpath("./p")
    assert EVIL in two.text_content()
    assert "400,001 characters: ggp export lemmings/seed --to three -o FILE" in words(three)


def test_what_is_wrong_is_said_at_the_top() -> None:
    box = tree().xpath("//ul[starts-with(@class, 'verdict')]")[0]
    assert "bad" in box.get("class")
    assert "what was learned is not what is described" in words(box)
    fine = Comparison(comparison().instances[1:2], Settings(), records=comparison().records[1:2])
    assert "verdict good" in page(fine)


def test_a_plan_that_loses_is_shown_as_such() -> None:
    instance = load("lemmings/seed")
    plans = [{"design": [[5, 1, "brick"]], "actions": []}, {"design": [[0, 0, "brick"]], "actions": []}]
    bad = Comparison((instance,), Settings(), records=[{**ran(instance), "plans": plans}])
    found = solutions(bad.records, instance)
    assert [(one.won, one.verdict is None) for one in found] == [(False, True), (False, False)]
    buttons = html.document_fromstring(page(bad)).xpath("//button[@data-plan]")
    assert "does not win: the goal does not hold at turn 19" in words(buttons[2])
    assert buttons[1].get("disabled") is not None


def test_a_page_does_not_grow_beyond_all_bounds() -> None:
    instance = load("lemmings/seed")
    [one, *_] = solutions(comparison().records, comparison().instances[0])
    assert len(few_enough([one] * 1000)) == page_module.SHOWN
    assert one.verdict is not None
    long = replace(one, verdict=replace(one.verdict, states=one.verdict.states * 100))
    assert 1 <= len(few_enough([long] * 24)) < 4
    assert instance.name == "lemmings/seed"


def test_a_journal_that_was_changed_breaks_nothing() -> None:
    model = learned(load("lemmings/seed"), wrong=True)
    for changed in (
        {**model, "model": "nonsense"},
        {**model, "counterexample": {}},
        {**model, "counterexample": {**model["counterexample"], "before": [["<b>"]]}},
        {**model, "counterexample": {**model["counterexample"], "before": [["nosuch"]]}},
    ):
        made = Comparison(comparison().instances[:1], Settings())  # no plans are drawn for it
        made.models = {game_key(made.instances[0]): changed}
        assert "cannot be read" in page(made)


def test_rules_are_written_as_descriptions_have_them() -> None:
    assert "push: player here, crate ahead" in rules_of(load("sokoban/first").game)


# --- files ----------------------------------------------------------------------------------------------


def test_files_have_names_that_any_system_takes() -> None:
    instance = load("lemmings/seed")
    odd = [
        replace(instance, level=replace(instance.level, name=name))
        for name in ("a/../b", "a .. b", "é", "A-B")
    ]
    names = file_names(tuple(odd))
    assert len({name.lower() for name in names}) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names)


def test_everything_is_written(tmp_path: Path) -> None:
    assert write_all(comparison(), tmp_path) == []
    names = {file.name for file in tmp_path.iterdir()}
    assert {"lemmings-seed.one.txt", "sokoban-first-1.gif", "sudoku-paper-4x4-1.gif", "index.html"} <= names
    assert (tmp_path / "index.html").read_text("utf-8") == text()
