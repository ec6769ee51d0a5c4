"""A comparison whose texts try to break out of the page, and the page that is made of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from lxml import html

from ggp.harness import page as page_module
from ggp.harness import work
from ggp.harness.jobs import Job, Settings, question
from ggp.harness.learning import rules_in_words
from ggp.harness.page import page
from ggp.harness.records import Record, with_model
from ggp.harness.runner import Comparison, game_key
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.levels import load
from ggp.model import Instance
from ggp.proof.equivalence.certificate import certify
from ggp.tasks.oracle import model_of as find_model

EVIL = (
    "</script><script>document.title='evil'</script>"
    "<img src=x onerror=\"document.title='evil'\">&lt;'\"`${1}{{ 7*7 }}"
)


def ran(instance: Instance, solver: str = "search", path: str = "described") -> Record:
    """The record of a run, made in this process."""
    job = Job("solve", solver, instance=instance, path=path, want=question(instance), warm=False)
    return work.do(job, lambda word, value: None)


def learned(instance: Instance, *, wrong: bool) -> Record:
    """What a learning job would answer."""
    text = write_game(instance.game)
    if wrong:
        text = text.replace("no solid ahead", "no wall ahead ")
    game = read_game(text.encode(), "learned")[0]
    certificate = certify(instance.game, game, find_model)
    shown = certificate.counterexample
    return {
        "stop": "done",
        "note": "",
        "game": instance.game.name,
        "learner": "events",
        "seconds": 1.25,
        "rollouts": 250,
        "examples": 999,
        "certificate": {
            "exact": certificate.exact,
            "text": certificate.text,
            "scope": certificate.scope,
        },
        "counterexample": None if shown is None else work.counterexample(shown),
        "rules_text": rules_in_words(game),
        "model": write_game(game),
    }


@cache
def comparison() -> Comparison:
    """Three sorts of games, one of them learned wrongly, with texts that try to break out of the page."""
    lemmings, sokoban, sudoku = map(load, ("lemmings/seed", "sokoban/first", "sudoku/paper-4x4"))
    lemmings = replace(lemmings, level=replace(lemmings.level, title=EVIL))
    made = Comparison((lemmings, sokoban, sudoku), Settings())
    model = learned(lemmings, wrong=True)
    made.models = {game_key(lemmings): model, game_key(sokoban): {"stop": "error", "note": EVIL}}
    made.records = [ran(instance) for instance in made.instances]
    made.records.append(with_model(ran(lemmings, path="learned"), model))
    made.records.append({**ran(sokoban), "solver": EVIL, "stop": "error", "note": EVIL, "all_seconds": None})
    made.exports = {
        "lemmings/seed": {
            "one": {"stop": "done", "note": "", "text": f"BasicGame\n{EVIL}\n</pre>\n", "suffix": ".txt"},
            "two": {"stop": "unsupported", "note": EVIL},
            "three": {"stop": "done", "note": "", "text": "x" * (page_module.LONGEST + 1), "suffix": ".txt"},
        }
    }
    return made


@cache
def text() -> str:
    return page(comparison())


@cache
def tree() -> Any:
    return html.document_fromstring(text())


def words(element: Any) -> str:
    return " ".join(element.text_content().split())
