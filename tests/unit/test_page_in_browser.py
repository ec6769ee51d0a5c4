"""The page in a browser: sorting, playing, copying, and little room."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

from ggp.harness.page import resource
from tests.page_samples import text

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
NODE = shutil.which("node")

CHECKS = """
const seen = [];
const say = (what, value) => seen.push(`${what}=${value}`);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
(async () => {
  const section = document.querySelector('[data-level="0"]');
  const act = (name) => section.querySelector(`[data-do="${name}"]`).click();
  const drawing = () => [...section.querySelectorAll(".board > svg use")];
  const uses = () => drawing().map((use) => use.getAttribute("href")).join();
  const slider = section.querySelector("input");
  const level = uses();
  section.querySelector('[data-plan="1"]').click();
  say("plays", section.querySelector('[data-do="play"]').getAttribute("aria-label"));
  const start = uses();
  say("differs from the level", start !== level);
  await sleep(1000);
  say("moved", Number(section.dataset.frame) >= 2 && uses() !== start);
  act("play");
  const at = section.dataset.frame;
  await sleep(800);
  say("paused", section.dataset.frame === at);
  act("step");
  say("step", Number(section.dataset.frame) - Number(at));
  act("back"); act("back");
  say("back", Number(section.dataset.frame) - Number(at));
  act("first");
  say("first", section.dataset.frame + (uses() === start));
  slider.value = 19; slider.dispatchEvent(new Event("input"));
  say("last", section.querySelector(".turn").textContent);
  act("play");
  say("again", section.dataset.frame);
  await sleep(7500);
  say("ended", section.dataset.frame + section.querySelector('[data-do="play"]').getAttribute("aria-label"));
  const runs = document.querySelector("table");
  const order = () => [...runs.querySelectorAll("td:nth-child(6)")].map((c) => c.textContent).join();
  document.querySelectorAll("th button")[5].click();
  say("up", order());
  document.querySelectorAll("th button")[5].click();
  say("down", order() + document.querySelectorAll("th")[5].getAttribute("aria-sort"));
  document.querySelectorAll("th button")[0].click();
  say("by name", [...runs.querySelectorAll("td:nth-child(1)")].map((c) => c.textContent[0]).join(""));
  say("title", document.title.startsWith("Compared: lemmings/seed"));
  const drawn = drawing()[0].getBoundingClientRect();
  say("drawn", drawn.width > 100 && drawn.height > 100);
  say("narrow", document.documentElement.scrollWidth <= innerWidth);
})().catch((error) => say("error", error)).finally(() => {
  const out = document.createElement("pre");
  out.id = "checks";
  out.textContent = seen.join("\\n");
  document.body.append(out);
});
"""
WANTED = [
    "plays=Pause",
    "differs from the level=true",
    "moved=true",
    "paused=true",
    "step=1",
    "back=-1",
    "first=0true",
    "last=turn 19 of 19",
    "again=0",
    "ended=19Play",
    "up=1,1,1,6,6",
    "down=6,6,1,1,1descending",
    "by name=llsss",
    "title=true",
    "drawn=true",
    "narrow=true",
]
NODE_CHECKS = """
const { Player, sorted } = require(process.argv[1]);
let tick = null;
const timers = { setInterval: (f) => { tick = f; return 1; }, clearInterval: () => { tick = null; } };
const shown = [];
const player = new Player([[0], [1], [2]], (p) => shown.push(p.at), timers);
player.seek(0); player.play(); tick(); player.pause(); player.step(1); player.step(1); player.step(-1);
player.toggle(); tick(); const stopped = tick === null; player.play();
player.setPace(80); player.toggle(); player.seek(-5); player.seek(99);
console.log(JSON.stringify([shown, stopped, player.at, player.playing,
  sorted(["10", "", "9"], true, false), sorted(["b", "", "a"], false, true), sorted(["1", "1"], true, true),
]));
"""


def test_it_works_in_a_browser(tmp_path: Path) -> None:
    """In Chromium where there is one, else what can be run of it in Node, and without both a visible skip."""
    if CHROMIUM is not None:
        assert in_chromium(tmp_path) == WANTED
    elif NODE is not None:
        assert in_node(tmp_path) is True
    else:
        pytest.skip("neither Chromium nor Node is here, so the page's script was not run")


def in_chromium(folder: Path, size: str = "1200,900", page: str = "", checks: str = CHECKS) -> list[str]:
    """What the checks say, with the page opened from a file and no network."""
    assert CHROMIUM is not None
    file = folder / "index.html"
    # The checks go in as one more script; the page itself is as it is.
    shown = (page or text()).replace("</body>", f"<script>{checks}</script></body>")
    file.write_text(shown, encoding="utf-8")
    options = (
        "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --dump-dom".split()
    )
    places = [f"--user-data-dir={folder / 'profile'}", f"--window-size={size}", "--virtual-time-budget=30000"]
    command = [CHROMIUM, *options, *places, "--host-resolver-rules=MAP * ~NOTFOUND", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    checks = html.document_fromstring(done.stdout).get_element_by_id("checks")
    return str(checks.text_content()).splitlines()


def in_node(folder: Path) -> bool:
    """Does the part of the script that knows nothing of the page do what it should?"""
    assert NODE is not None
    (folder / "page.js").write_text(resource("page.js"), encoding="utf-8")
    command = [NODE, "-e", NODE_CHECKS, str(folder / "page.js")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    shown, stopped, at, playing, numbers, names, ties = json.loads(done.stdout)
    assert shown == [0, 0, 1, 1, 2, 2, 1, 1, 2, 0, 0, 0, 0, 2]
    assert (stopped, at, playing) == (True, 2, False)
    assert (numbers, names, ties) == ([2, 0, 1], [0, 2, 1], [0, 1])
    return True


@pytest.mark.skipif(NODE is None, reason="Node is not here, so the page's script was not run on its own")
def test_the_script_on_its_own(tmp_path: Path) -> None:
    assert in_node(tmp_path)


@pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not here, so the page was not opened on a narrow screen"
)
def test_it_works_on_a_narrow_screen(tmp_path: Path) -> None:
    assert in_chromium(tmp_path, "500,800") == WANTED
