"""The one way to exporters: what refuses, what is asked of their abilities, and plugins that offer less."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from ggp import registry
from ggp.engines.texts import reread
from ggp.errors import NotAvailable, UnsupportedFeature
from ggp.exporters import lp, null, pddl, vgdl
from ggp.language import levels
from ggp.model import Plan
from ggp.model.board import Action
from ggp.model.export import FromConstraints, Playable, Watchable
from ggp.referee.trajectory import replay
from ggp.tasks import exporting
from ggp.tasks.solving import Run


def test_a_form_that_a_game_does_not_have_is_unfit_and_no_loss() -> None:
    """They promise every feature, so `unfit` refuses; losses are what a text that there is leaves out."""
    for name in ("lines", "url", "xsb"):
        module = exporting.load_exporter(name)
        (finding,) = module.unfit(levels.load("lemmings/seed"), None)
        assert f"declare [forms.{name}]" in finding.remedy and finding.place is not None
        with pytest.raises(UnsupportedFeature, match="lemmings"):
            exporting.export(levels.load("lemmings/seed"), name, allow_loss=True)
    first = levels.load("sokoban/first")
    xsb = exporting.load_exporter("xsb")
    assert xsb.unfit(first, None) == xsb.losses(first, None) == ()
    plan = Plan((), ("left",))
    assert xsb.unfit(first, plan) == () and "does not hold a plan" in xsb.losses(first, plan)[0].message


def test_features_that_are_missing_are_told_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """`unfit` may count on every feature being there."""
    monkeypatch.setattr(null, "FEATURES", frozenset({"goal:on"}))
    monkeypatch.setattr(null, "unfit", lambda *_: pytest.fail("asked though features are missing"))
    refused = exporting.refusal(exporting.load_exporter("null"), levels.load("sokoban/first"))
    assert refused and all(finding.message.startswith("null does not support") for finding in refused)


@pytest.mark.parametrize(
    ("name", "refused_by"), [("fillomino/tiny", "vgdl"), ("shove/first", "gvgai"), ("nim/three", "pddl")]
)
def test_a_refusal_names_formats_that_write_this_very_level(name: str, refused_by: str) -> None:
    """A link of Fillomino cannot say what the largest number is, so of that level it would lose something."""
    instance = levels.load(name)
    with pytest.raises(UnsupportedFeature) as refusal:
        exporting.export(instance, refused_by)
    said = refusal.value.findings[0].remedy
    named = said.partition(": ")[2].partition(" (`--to ")[0].split(" or ")
    for other in registry.EXPORTERS:
        if other in named:
            exporting.export(instance, other)
        elif other != "null":
            with pytest.raises(UnsupportedFeature):
                exporting.export(instance, other)


def test_a_refusal_names_a_solver_that_takes_the_level() -> None:
    for name, remedy in (("lemmings/seed", "`--solver search`"), ("nim/three", "no solver that is here")):
        with pytest.raises(UnsupportedFeature) as refusal:
            Run(levels.load(name), "pyperplan")
        assert refusal.value.findings[0].remedy.find(remedy) >= 0


def test_abilities_are_found_by_their_protocols() -> None:
    able = {
        ability: {name for name in registry.EXPORTERS if isinstance(registry.load("exporter", name), ability)}
        for ability in (FromConstraints, Playable, Watchable)
    }
    assert able[FromConstraints] == {"xcsp3", "flatzinc", "dimacs", "wcnf", "opb", "mps", "lp"}
    assert able[Playable] == {"gvgai", "pddl", "puzzlescript", "vgdl"}
    assert able[Watchable] == {"vgdl"}


def test_what_an_engine_shows_is_watched_by_the_exporters_name() -> None:
    first = levels.load("sokoban/first")
    plan = first.level.known.wins[0]
    inputs = [Action(word) for word in plan.actions]
    shown = list(exporting.watch("vgdl", first, Plan(), inputs))
    assert [state.board for state in shown] == [state.board for state in replay(first, plan).states]
    with pytest.raises(UnsupportedFeature, match="fills every free cell"):
        exporting.watch("vgdl", levels.load("sudoku/paper-4x4"), Plan())
    with pytest.raises(UnsupportedFeature, match="cannot be watched"):
        exporting.watch("puzzlescript", first, Plan())


def test_an_exporter_that_lacks_part_of_the_interface_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin from before `unfit` and `text`."""
    old = ModuleType("old_exporter")
    vars(old).update(NAME="old", SUFFIX=".txt", FEATURES=frozenset(), available=lambda: None)
    monkeypatch.setitem(sys.modules, "old_exporter", old)
    monkeypatch.setitem(registry.EXPORTERS, "old", "old_exporter")
    with pytest.raises(NotAvailable, match="does not offer all that one must") as caught:
        exporting.export(levels.load("sokoban/first"), "old")
    assert "ExporterModule" in caught.value.findings[0].remedy


@pytest.mark.parametrize("module", [pddl, vgdl])
def test_a_text_that_cannot_be_read_is_a_check_that_fails(module: ModuleType) -> None:
    first = levels.load("sokoban/first")
    for text in ("", "\0", "(", module.text(first)[:-60]):
        checks = list(module.verify(first, text))
        assert checks and not all(check.passed for check in checks), text[:40]
        assert all(check.detail for check in checks)


def test_a_tool_that_is_not_done_in_time_has_found_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    one = levels.load("queens/5x5")
    text = exporting.export(one, "lp").text
    monkeypatch.setattr(reread, "SECONDS", 0.01)
    *_, last = lp.verify(one, text, None)
    assert (last.passed, last.open) == (False, True) and "came to no end" in last.detail
