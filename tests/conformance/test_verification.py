"""The verification of every exporter holds on its texts and fails on damaged ones, from the registry alone.

The damages know nothing of a format but that it is made of lines, words and numbers. While a damaged text is
verified, the exporter itself writes it: to compare a text with one's own notices nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from types import ModuleType
from typing import Any

import pytest

from ggp import registry
from ggp.encoding import debug
from ggp.encoding.judging import holds
from ggp.encoding.occupancy import encode
from ggp.errors import NotAvailable, PuzzleError
from ggp.exporters import null
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.export import Check, ExporterModule
from ggp.tasks.exporting import load_exporter, whole
from tests.slow import slow_unless

INSTANCES = 3  # of each exporter
CANDIDATES = 8  # small levels that these are chosen from
STARTED_ANEW = {  # for each text
    *("xcsp3", "flatzinc", "pddl", "puzzlescript", "dimacs", "wcnf", "opb", "mps", "lp")
}
SINGLE = 2  # lines of a text that are left out, one at a time
NO_SUBSTANCE = re.compile(r"\s*($|# |#$|\( |;|=|[c*%\\] )|.*\b(color|note|title|about|NAME)\b")
"""Comments, headings and looks."""
COMMENT = re.compile(r"\s*([*%;\\]|//|c) ")
"""A line that is one in some format, blank after its sign; no map starts so."""


# --- the levels that are written -------------------------------------------------------------------------


def smallest() -> list[Instance]:
    """All shipped levels that can be won, smallest first."""
    every = [levels.load(name) for game in levels.games() for name in levels.levels(game)]
    return sorted((one for one in every if one.level.known.wins), key=size)


def size(one: Instance) -> tuple[int, int, str]:
    """How large a level is."""
    return len(one.level.board) * len(one.level.board[0]), one.level.horizon or 0, one.name


SMALLEST = smallest()


def chosen(name: str) -> list[Instance]:
    """The levels with the shortest texts, of the smallest that an exporter takes."""
    module, found = load_exporter(name), list[Instance]()
    for key in (lambda one: one.game.name, lambda one: one.name):
        for one in SMALLEST:
            if len(found) < CANDIDATES and key(one) not in map(key, found) and whole(one, name):
                found.append(one)
        if len(found) >= INSTANCES:
            break
    return sorted(found, key=lambda one: len(module.text(one)))[:INSTANCES]


# --- damages ---------------------------------------------------------------------------------------------


def damages(text: str) -> Iterator[tuple[str, str]]:
    """(what was done, the text after it) for damages that no verification may pass over."""
    lines = text.splitlines()
    yield "nothing is left", ""
    yield "the first half", text[: len(text) // 2]
    some = whole_lines(lines)
    for name, start in (("first", 0), ("second", 1)):
        if len(some) > 3:
            yield f"every other line is left out, from the {name} on", without(lines, some[start::2])
    if some:
        yield "every number is one more", re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text)
        swapped = "\n".join(with_symbols_swapped(lines)) + "\n"
        if swapped != text:
            yield "two symbols are swapped on the map", swapped
    else:
        yield "two characters are swapped", swapped_characters(text)
        yield "a number is another", re.sub(r"\d(?=\D*$)", lambda found: str((int(found[0]) + 1) % 10), text)


def single(text: str) -> Iterator[tuple[str, str]]:
    """Lines that are left out one at a time. Some say what others say, too, so not all can be missed."""
    lines = text.splitlines()
    some = [number for number in whole_lines(lines) if not NO_SUBSTANCE.match(lines[number])]
    for number in some[:: max(1, len(some) // SINGLE)][:SINGLE]:
        yield f"without {lines[number].strip()!r}", without(lines, [number])


def whole_lines(lines: Sequence[str]) -> list[int]:
    """The lines that can be left out and the others stand; of XML only those in a list of such."""
    if lines and lines[0].startswith("<"):
        tags = [tag[0] if (tag := re.findall(r"^\s*<(\w+).*</\1>$", line)) else "" for line in lines]
        runs = [list(run) for tag, run in groupby(range(len(tags)), key=tags.__getitem__) if tag]
        return [number for run in runs if len(run) > 1 for number in run]
    alone = [n for n, line in enumerate(lines) if line.strip() and line.count("(") == line.count(")")]
    return alone if len(lines) > 1 else []


def without(lines: Sequence[str], numbers: Sequence[int]) -> str:
    """The text without these lines."""
    left_out = set(numbers)
    return "".join(f"{line}\n" for number, line in enumerate(lines) if number not in left_out)


def with_symbols_swapped(lines: Sequence[str]) -> Iterator[str]:
    """The lines, where the two rarest symbols of what may be a map have changed places.

    Anything may be one that is some lines of the same length, without brackets and the like, and no comment.
    """

    def shape(line: str) -> int:
        return len(line) if not COMMENT.match(line) and re.fullmatch(r"\S[^(),;=:>]*\S", line) else 0

    for length, run in groupby(lines, key=shape):
        block = list(run)
        symbols = sorted(set("".join(block)) - {" "}, key=lambda sign: ("".join(block).count(sign), sign))
        if length and len(block) > 1 and len(symbols) > 1:
            one, other = symbols[:2]
            yield from (line.translate(str.maketrans({one: other, other: one})) for line in block)
        else:
            yield from block


def swapped_characters(text: str) -> str:
    """The text with its last two neighbours that differ exchanged."""
    body = text.rstrip()
    at = next(at for at in range(len(body) - 2, 0, -1) if body[at] != body[at + 1])
    return body[:at] + body[at + 1] + body[at] + body[at + 2 :] + "\n"


# --- the rule --------------------------------------------------------------------------------------------


def faults(module: Any, instances: Sequence[Instance]) -> Iterator[str]:
    """What is wrong with an exporter's verification."""
    for instance in instances:
        text = module.text(instance)
        checks = list(module.verify(instance, text))
        failed = [check for check in checks if not check.passed]
        if failed or not checks:
            yield f"{instance.name}: {failed or 'nothing is checked'}"
        for what, damaged in damages(text):
            assert damaged != text, f"{instance.name}: nothing is damaged though {what}"
            if not notices(module, instance, damaged):
                yield f"{instance.name}: it was not noticed that {what}"
    some = ((one, what, damaged) for one in instances for what, damaged in single(module.text(one)))
    tried = []
    for one, what, damaged in some:  # until one is missed
        if notices(module, one, damaged):
            return
        tried.append(f"{one.name} {what}")
    if tried:
        yield f"no line was missed that was left out: {'; '.join(tried)}"


def notices(module: Any, instance: Instance, damaged: str) -> bool:
    """Does verification fail, by a check or an error of ours? Meanwhile the exporter itself writes this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "text", lambda instance, plan=None: damaged)
        try:
            return not all(check.passed for check in module.verify(instance, damaged))
        except NotAvailable:
            raise
        except PuzzleError:
            return True


# Programs that are started anew for each damaged text take long; test_external_solvers.py has one such text,
# and tests/unit/test_written_files.py some of clauses and rows.
@pytest.mark.parametrize(
    "name", slow_unless(sorted(set(registry.EXPORTERS) - STARTED_ANEW), sorted(registry.EXPORTERS))
)
def test_verification_holds_on_the_text_and_fails_on_a_damaged_one(name: str) -> None:
    try:
        module = load_exporter(name)
        instances = chosen(name)
        assert len(instances) == INSTANCES, "an exporter that takes no three levels is tested by nothing"
        assert list(faults(module, instances)) == []
    except NotAvailable as reason:
        pytest.skip(str(reason))


# --- exporters that must not pass ------------------------------------------------------------------------


class Half:
    """Lists the constraints of a level, and drops every second one. It is checked as one would at first."""

    NAME, SUFFIX, FEATURES = "half", ".txt", null.FEATURES
    step = 2

    def available(self) -> str | None:
        """It needs nothing."""
        return None

    def unfit(self, instance: Instance, plan: Plan | None) -> tuple[Any, ...]:
        """It takes all."""
        return ()

    losses = unfit

    def text(self, instance: Instance, plan: Plan | None = None) -> str:
        """A constraint a line."""
        every = enumerate(encode(instance).constraints)
        return "".join(f"{number} {one.why}\n" for number, one in every if number % self.step == 0)

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """The plans that are known to win keep all that is listed."""
        encoding = encode(instance)
        every = {str(number): one for number, one in enumerate(encoding.constraints)}
        listed = [every.get(line.split()[0]) for line in text.splitlines()]
        for known in instance.level.known.wins:
            values = debug.assume(encoding, known)
            kept = all(one is not None and holds(encoding, one, values) for one in listed)
            yield Check("a known plan keeps all", kept)


class Selfish(Half):
    """Is checked by writing the text again."""

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """A comparison that holds whatever is written."""
        yield Check("the same text is written again", text == self.text(instance))


class Idle(Half):
    """Checks nothing."""

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """No check at all."""
        return iter(())


SUDOKU = "sudoku/paper-4x4"


@pytest.mark.parametrize("fake", [Half, Selfish, Idle])
def test_an_exporter_that_drops_every_second_constraint_is_refused(fake: Callable[[], Half]) -> None:
    """It offers its interface, its text is the same each time, and its own verification passes."""
    exporter, instance = fake(), levels.load(SUDOKU)
    assert isinstance(exporter, ExporterModule)
    assert all(check.passed for check in exporter.verify(instance, exporter.text(instance)))
    found = list(faults(exporter, [instance]))
    assert any("every other line is left out" in fault for fault in found), found


def test_a_foreign_error_is_no_answer() -> None:
    """A verification that falls over a damaged text is broken, not strict."""

    def fall(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        yield Check("a number", bool(int(text)))

    module = ModuleType("falls")
    module.verify = fall  # type: ignore[attr-defined]
    module.text = lambda instance, plan=None: "1"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="invalid literal"):
        list(faults(module, [levels.load(SUDOKU)]))
