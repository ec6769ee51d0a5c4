"""What `--unique` and `hint` print: never more than fits on a screen, and in the forms that plans have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ggp.explain import text
from ggp.explain.clues import clues_of
from ggp.explain.conflict import Conflict
from ggp.explain.opened import opened
from ggp.explain.reasoning import Reasoner
from ggp.explain.unique import unique
from ggp.explain.words import ITEMS, LINES, clipped, listing, rules_lines
from ggp.language import levels
from tests.commands import Ask, error_only


def test_long_lists_are_cut_short_and_say_how_many_more_there_are() -> None:
    lines = [str(number) for number in range(30)]
    assert clipped(lines) == [*lines[: LINES - 1], "and 21 more (--json lists all)"]
    assert clipped(lines[:LINES]) == lines[:LINES]
    assert listing(lines, ITEMS) == ", ".join(lines[:11]) + " and 19 more (--json lists all)"
    assert listing(lines[:3], ITEMS) == "0, 1 and 2"
    assert listing([]) == "nothing"


@pytest.mark.parametrize("name", ["sudoku/hard-9x9", "kakuro/contradiction", "killer-sudoku/9x9"])
def test_even_if_every_clue_and_rule_is_a_reason_it_fits_on_a_screen(name: str) -> None:
    instance = levels.load(name)
    rules = tuple(rule.why for rule in Reasoner(opened(instance)).rules)
    clues = tuple(clues_of(instance))
    told = list(text.conflict_text(instance, Conflict(clues, rules, True)))
    assert len(told) <= 1 + LINES
    more = re.search(r" and (\d+) more \(--json lists all\) contradict each other", told[0])
    assert more is not None and int(more[1]) == len(clues) - ITEMS + 1


def test_rules_that_say_the_same_of_several_regions_share_a_line() -> None:
    instance = levels.load("sudoku/paper-4x4")
    rules = [rule.why for rule in Reasoner(opened(instance)).rules]
    assert rules_lines(instance, rules) == [
        f"the digits of {name} 0, 1, 2 and 3 all differ" for name in ("rows", "columns", "boxes")
    ]
    # Only numbers of regions are joined: here other numbers stand before them.
    queens = levels.load("queens/contradiction")
    first, *_ = rules_lines(queens, [rule.why for rule in Reasoner(opened(queens)).rules])
    assert first == "exactly 1 queen: rows 0, 1, 2, 3, 4, 5 and 6"


def test_one_clue_and_none_are_said_differently() -> None:
    tour = levels.load("knights-tour/contradiction")
    (clue,) = [clue for clue in clues_of(tour) if clue.cell == (0, 1)]
    head, *_ = text.conflict_text(tour, Conflict((clue,), (), True))
    assert head == "the 13 at (0, 1) by itself contradicts the rules"
    # Where a number is left out its cell is still an island's: the 9 alone is too many for this board.
    nurikabe = levels.load("nurikabe/contradiction")
    conflict = unique(nurikabe).conflict
    assert conflict is not None and [clue.piece.variant for clue in conflict.clues if clue.piece] == [9]
    none = Conflict((), conflict.rules, True)
    assert "without its clues" in next(text.conflict_text(nurikabe, none))


def test_regions_have_one_number_in_words_and_in_json() -> None:
    instance = levels.load("skyscrapers/contradiction")
    found = unique(instance)
    conflict = text.unique_json(instance, found)["conflict"]
    told = " ".join(map(str, text.unique_text(instance, found, colour=False)))
    assert conflict["clues"]
    for clue in conflict["clues"]:
        number, name = " ".join(map(str, clue["told"])), f"{clue['regions']} {clue['number']}"
        assert f"{number} for {name}" in told
        assert any(f"{name}, told {number}" in rule for rule in conflict["rules"])
        assert dict(instance.level.clues)[clue["regions"]][clue["number"]] == tuple(clue["told"])


def test_hints_are_the_next_items_of_a_plan(ask: Ask, tmp_path: Path) -> None:
    """What `hint --json` says is put into a plan file as it stands, until the plan wins."""
    best = ask("solve", "sudoku/paper-4x4", "--json").data
    file, design = tmp_path / "plan.json", best["plans"][0]["design"][:7]  # which need not be asked for
    for _ in range(20):
        file.write_text(json.dumps({"design": design}))
        hint = ask("hint", "sudoku/paper-4x4", file, "--json").data
        if hint["forced"] is None:
            break
        (row, column), piece = hint["forced"]["cell"], hint["forced"]["piece"]
        words = ask("hint", "sudoku/paper-4x4", file).out
        assert words.startswith(f"row {row}, column {column} (from 0) takes {piece}\n")
        for fact_row, fact_column, fact in hint["forced"]["reasons"]["facts"]:
            assert f"the {fact} at ({fact_row}, {fact_column})" in words
        design.append([row, column, piece])
    assert hint["hint"] == "done" and len(design) == 11
    assert ask("replay", "sudoku/paper-4x4", file).status == 0
    assert sorted(best["plans"][0]["design"]) == sorted(design)


def test_what_differs_is_written_as_in_plans(ask: Ask) -> None:
    answer = ask("solve", "sudoku/ambiguous", "--unique", "--json").data
    one, other = ({(r, c): piece for r, c, piece in plan["design"]} for plan in answer["plans"])
    assert answer["differ"] and {(r, c): (a, b) for r, c, a, b in answer["differ"]} == {
        cell: (one[cell], other[cell]) for cell in one if one[cell] != other[cell]
    }


@pytest.mark.parametrize("level", ["sokoban/first", "lemmings/seed", "lights-out/cross"])
def test_a_hint_for_what_moves_is_bad_input(ask: Ask, level: str) -> None:
    error_only(ask("hint", level), "puzzles in which all is placed at the start", "`ggp solve`")
