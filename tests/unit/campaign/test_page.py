"""The page of a campaign: one file, safe, wrong answers first, small enough, and usable."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ggp.harness.campaign.page import page
from ggp.harness.campaign.results import Results
from ggp.harness.jobs import text_of
from ggp.harness.page import resource
from ggp.language import levels
from ggp.referee.trajectory import plan_to_json
from tests.page_samples import learned
from tests.slow import few_or_many
from tests.unit.campaign.test_results import record
from tests.unit.test_page_in_browser import CHROMIUM, NODE, in_chromium

EVIL = "</script><b onclick='x'>\"{{ 7 * 7 }}"
CHECKS = """
const seen = [];
const say = (what, value) => seen.push(`${what}=${value}`);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const found = JSON.parse(document.getElementById("campaign").textContent);
(async () => { try {
  const rows = () => document.querySelectorAll("#runs tbody tr").length;
  say("first", rows());
  document.getElementById("more").click();
  say("more", rows());
  const filter = document.getElementById("filter");
  filter.value = "sokoban/first WRONG"; filter.dispatchEvent(new Event("input"));
  say("filtered", rows());
  filter.value = ""; filter.dispatchEvent(new Event("input"));
  const heads = [...document.querySelectorAll("#runs th")];
  const at = heads.findIndex((head) => head.textContent === "s");
  heads[at].firstChild.click(); heads[at].firstChild.click();
  const column = document.querySelectorAll(`#runs td:nth-child(${at + 1})`);
  const times = [...column].map((cell) => Number(cell.textContent));
  say("slowest first", times.every((time, index) => index === 0 || time <= times[index - 1]));
  say("sorted", heads[at].getAttribute("aria-sort"));
  for (let tries = 0; tries < 100 && !document.querySelector("#legend button"); tries++) await sleep(50);
  const roots = () => Bokeh.documents.flatMap((one) => one.roots());
  const lines = (id) => roots().find((one) => one.id === JSON.parse(found.figures[id]).root_id).renderers;
  say("lines", lines("cactus").length);
  document.querySelector("#legend button").click();
  say("faint", ["cactus", "course", "sizes"].map((id) => lines(id).filter((one) => one.muted).length));
  const source = lines("scatter").at(-1).data_source;
  say("dots", source.data.x.length);
  say("course", lines("course").length);
  say("sizes", lines("sizes").map((one) => one.data_source.data.x.length));
  const other = document.getElementById("other");
  other.value = "a"; other.dispatchEvent(new Event("change"));
  source.selected.indices = [0];
  const dot = document.getElementById("dot").textContent;
  say("dot", /^sokoban.first, best: a ([0-9.]+) s, a \\1 s$/.test(dot));
  say("drawn", [...document.querySelectorAll(".plots figure > div")].every((one) => one.offsetHeight > 200));
  document.querySelector("details.level").open = true;
  document.querySelector('[data-plan="1"]').click();
  document.querySelector('[data-do="pause"]') ?? document.querySelector('[data-do="play"]').click();
  say("played", document.querySelector("[data-level]").dataset.frame !== undefined);
  say("narrow", document.documentElement.scrollWidth <= innerWidth);
} catch (error) { say("error", error); }
const out = document.createElement("pre");
out.id = "checks";
out.textContent = seen.join("\\n");
document.body.append(out);
})();
"""
WANTED = [
    *(
        "first=100",
        "more=600",
        "filtered=1",
        "slowest first=true",
        "sorted=descending",
        "lines=2",
        "faint=1,1,1",
    ),
    *("dots=6", "course=2", "sizes=500,499", "dot=true", "drawn=true", "played=true", "narrow=true"),
]


def found(count: int, names: tuple[str, ...]) -> Results:
    """Records of two solvers on these levels, one of them wrong, with texts that look like markup."""
    kept = [levels.load(name) for name in names]
    records: list[dict[str, Any]] = []
    for number in range(count):
        instance = kept[number // 2 % len(kept)]
        wins = [plan_to_json(instance, plan) for plan in instance.level.known.wins[:1]]
        one = record(
            "ab"[number % 2],
            instance.name,
            1.0 + number // (2 * len(kept)),
            plans=wins,
            replayed=bool(wins) or None,
            objective=6 if wins else None,
            trace=[[0.2, 9], [0.7, 6]] if wins else [],
            sizes={"variables": 100 + number},
        )
        records.append({**one, "want": "best", "repeat": number, "note": EVIL, "won": len(wins), "wrong": ""})
    records[1] |= {"wrong": f"it is {EVIL}"}
    texts = {instance.name: text_of(instance.game, instance) for instance in kept}
    return Results(records, texts, ['levels = ["sokoban/*"]'])


def some() -> tuple[str, ...]:
    """Levels that are there, the first of which moves."""
    first = "sokoban/first"
    every = [name for game in levels.games() for name in levels.levels(game)]
    return (first, *(name for name in every if name != first))


@cache
def text(count: int = 1000) -> str:
    names = some()
    return page(found(count, (names[0], *names[1:200:40])))


def test_wrong_answers_stand_first_and_texts_stay_texts() -> None:
    tree = html.document_fromstring(text())
    [first, *_] = tree.xpath("//header/h2")
    assert (
        first.text_content() == "Wrong answers"
        and EVIL in tree.xpath("//ul[@class='verdict bad']/li")[0].text_content()
    )
    assert tree.xpath("//b[@onclick]") == [] and len(tree.xpath("//script")) == 4
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'") and "connect" not in policy
    for element in tree.iter("script", "link", "img", "use", "a"):
        for name in ("src", "href"):
            value = element.get(name, "#")
            assert value.startswith("#") or value == "data:,"
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids)) and {link[1:] for link in tree.xpath("//a/@href")} <= set(ids)
    assert "url(" not in resource("campaign.css") and "innerHTML" not in resource("campaign.js")


def test_scores_records_levels_and_how_to_make_it_again() -> None:
    tree = html.document_fromstring(text())
    rows = [[cell.text_content() for cell in row] for row in tree.xpath("//section[1]//tbody/tr")]
    assert [row[0] for row in rows] == ["a", "b", "virtual best"] and rows[1][6] == "1"
    data = json.loads(tree.get_element_by_id("campaign").text)
    assert len(data["rows"]) == 1000 and data["entrants"] == ["a", "b"] and len(data["cases"]) == 6
    assert data["rows"][1][data["heads"].index("stop")] == "wrong"
    assert len(tree.xpath("//details[@class='level']")) == 6 and "sokoban/*" in tree.xpath("//pre")[-1].text
    assert json.loads(tree.get_element_by_id("data").text)[0]["plans"][1]["actions"]


def test_what_was_learned_has_its_rules_and_where_they_differ() -> None:
    """Once for each game that was learned; a record that cannot be read, and other games, stay away."""
    lemmings = levels.load("lemmings/seed")
    wrong = learned(lemmings, wrong=True)
    models = [
        wrong,
        {**wrong, "counterexample": {}},
        {**wrong, "game": "other"},
        {"stop": "error", "note": EVIL},
    ]
    tree = html.document_fromstring(page(replace(found(2, ("lemmings/seed",)), models=models)))
    [shown] = tree.xpath("//section[@aria-labelledby='learned']/details")
    assert "lemmings by events differs" in " ".join(shown.find("summary").text_content().split())
    assert len(shown.xpath(".//figure/svg")) == 3 and wrong["rules_text"] in shown.text_content()
    assert not html.document_fromstring(page(found(2, ("lemmings/seed",)))).xpath("//*[@id='learned']")


@few_or_many("many", 6, 1000)
def test_a_thousand_records_are_below_8_megabytes(many: int) -> None:
    """The levels stand on it once, however many records they have."""
    shown = text() if many == 6 else page(found(1000, some()[:500]))
    assert 100_000 < len(shown.encode()) < 8_000_000


def test_what_nobody_solved_has_no_plots_of_plans(caplog: pytest.LogCaptureFixture) -> None:
    several = found(8, some()[:3])
    for one in several.records:
        one |= {"stop": "time-limit", "plans": [], "objective": None, "replayed": None, "wrong": ""}
        one |= {"won": 0, "trace": [], "sizes": {}}
    tree = html.document_fromstring(page(several))
    assert set(json.loads(tree.get_element_by_id("campaign").text)["figures"]) == {"cactus", "scatter"}
    assert not caplog.records


def test_nothing_to_show() -> None:
    tree = html.document_fromstring(page(Results([])))
    assert "No record is there" in tree.text_content()


def test_it_works_in_a_browser(tmp_path: Path) -> None:
    """In Chromium where there is one, else what can be run of it in Node."""
    if CHROMIUM is not None:
        assert in_chromium(tmp_path, page=text(), checks=CHECKS) == WANTED
        assert in_chromium(tmp_path, "500,900", page=text(), checks=CHECKS) == WANTED
    elif NODE is not None:
        script = tmp_path / "both.js"
        script.write_text(resource("page.js") + resource("campaign.js"), encoding="utf-8")
        code = (
            "const m = require(process.argv[1]);"
            "console.log(JSON.stringify([m.matching(['a b', 'b c', 'c'], ' B  c '), m.matching(['a'], ''),"
            "m.pairs({cases: ['one', 'two'], times: {a: [1, null], b: [0.5, 2]}, beyond: 9, least: 0.1}, "
            "'a', 'b')]))"
        )
        done = subprocess.run([NODE, "-e", code, str(script)], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [
            [1],
            [0],
            {
                "x": [1, 9],
                "y": [0.5, 2],
                "words": ["one: a 1.00 s, b 0.500 s", "two: a not solved, b 2.00 s"],
            },
        ]
    else:
        pytest.skip("neither Chromium nor Node is here, so the page's script was not run")
