"""`ggp solve --unique` and `ggp hint`: what they conclude, what they say, and what they refuse."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.cli import main
from ggp.errors import PlanError, PuzzleError, UnsupportedFeature
from ggp.explain import conflict
from ggp.explain.board_files import read_placed
from ggp.explain.clues import clues_of, keeping
from ggp.explain.grade import grade
from ggp.explain.hints import Hint, Reasons, hint
from ggp.explain.opened import opened
from ggp.explain.reasoning import Reasoner
from ggp.explain.unique import unique
from ggp.language import levels
from ggp.model import Cell, Instance, Piece
from ggp.model.result import Clock, OutOfTime
from ggp.referee.semantics import initial_state
from ggp.tasks.questions import with_horizon
from tests.slow import more_of, slow_unless
from tests.unit import test_hint_reasons

Write = Callable[[str], Instance]


@pytest.fixture
def small(tmp_path: Path) -> Write:
    """A 4x4 board of digits: its lines, joined by blanks."""

    def write(lines: str) -> Instance:
        file = tmp_path / "small.toml"
        rows = "\n".join(lines.split())
        text = f'game = "sudoku"\n[[level]]\nname = "small"\nhorizon = 0\nmap = """\n{rows}\n"""\n'
        file.write_text(text, encoding="utf-8")
        return levels.load(str(file))

    return write


def answers(instance: Instance) -> Iterator[dict[Cell, int]]:
    """Every answer of a 4x4 board, by trying rows: nothing of what is tested is used here."""
    given = {
        (row, column): piece.variant
        for row, line in enumerate(instance.level.board)
        for column, here in enumerate(line)
        for piece in here
    }
    lines = [
        [
            line
            for line in itertools.permutations((1, 2, 3, 4))
            if all(line[c] == value for (r, c), value in given.items() if r == row)
        ]
        for row in range(4)
    ]
    for rows in itertools.product(*lines):
        columns = all(len({line[column] for line in rows}) == 4 for column in range(4))
        boxes = all(
            len({rows[top + row][left + column] for row in (0, 1) for column in (0, 1)}) == 4
            for top in (0, 2)
            for left in (0, 2)
        )
        if columns and boxes:
            yield {(r, c): rows[r][c] for r in range(4) for c in range(4)}


# --- unique, several, none --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (".4.. .1.3 .... .3.1", "unique"),
        ("12.. .... .... ...4", "several"),
        ("123. ...4 .... ....", "none"),
    ],
)
def test_one_answer_several_or_none(lines: str, expected: str, small: Write) -> None:
    instance = small(lines)
    count = sum(1 for _ in itertools.islice(answers(instance), 2))
    assert {1: "unique", 2: "several", 0: "none"}[count] == expected
    found = unique(instance)
    assert found.answers == expected
    assert len(found.plans) == count
    if expected == "several":
        one, other = (dict(plan.design) for plan in found.plans)
        assert [cell for cell, _, _ in found.differ] == sorted(c for c in one if one[c] != other[c])


def test_the_clues_that_contradict_each_other_are_the_fewest(small: Write) -> None:
    instance = small("123. ...4 .... 2...")
    found = unique(instance).conflict
    assert found is not None and found.proved
    every = clues_of(instance)

    def solvable(clues: Any) -> bool:
        level = keeping(instance.game, instance.level, clues, every)
        return next(answers(replace(instance, level=level)), None) is not None

    assert not solvable(found.clues)
    assert all(solvable(clues) for clues in itertools.combinations(every, len(found.clues) - 1))
    assert found.rules and all("differ" in why.text for why in found.rules)


def test_rules_that_take_too_long_to_ask_about_are_left_in(
    small: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a magic square's columns, nobody may know for hours whether there is one."""
    instance = small("123. ...4 .... 2...")
    whole = unique(instance).conflict
    monkeypatch.setattr(conflict, "RULES_SOUGHT", 0.0)
    found = unique(instance).conflict
    assert whole is not None and found is not None and found.clues == whole.clues
    assert set(found.rules) > set(whole.rules)
    with pytest.raises(OutOfTime):
        conflict.rules_against(instance, Clock(0.0))


def test_when_the_board_itself_has_no_answer(small: Write) -> None:
    instance = small(".... .... .... ....")
    kinds = tuple(replace(kind, values=(1, 1)) for kind in instance.game.kinds)
    found = unique(replace(instance, game=replace(instance.game, kinds=kinds)))
    assert found.answers == "none"
    assert found.conflict is not None and found.conflict.clues == () and len(found.conflict.rules) == 1


@pytest.mark.parametrize("solver", slow_unless(["search"], ["search", "cp-sat"]))
def test_whoever_knows_that_no_horizon_is_enough_says_so_of_one_answer_too(solver: str) -> None:
    found = ggp.unique("sokoban/stuck", solver)
    assert (found.answers, found.result.stop) == ("none", "unsolvable")
    found = ggp.unique(with_horizon(ggp.load("sokoban/first"), 5), solver)
    assert (found.answers, found.result.stop) == ("unknown", "horizon-exhausted")


def test_games_that_move_are_told_apart_without_a_conflict() -> None:
    found = ggp.unique("lemmings/seed")
    assert found.answers == "several" and found.conflict is None
    assert ggp.unique("lemmings/seed", time_limit=0.0).answers == "unknown"


# --- hints ------------------------------------------------------------------------------------------------


def test_no_reason_of_a_hint_can_be_spared() -> None:
    instance = levels.load("sudoku/hard-9x9")
    found = hint(instance, {}).forced
    assert found is not None and found.way == "rules" and found.reasons.proved
    puzzle = opened(instance)
    reasoner = Reasoner(puzzle)
    numbers = [n for n, rule in enumerate(reasoner.rules) if rule.why in found.reasons.rules]
    variable = puzzle.variables[found.cell]

    def left(facts: dict[Cell, Any], rules: list[int]) -> set[int]:
        domains = reasoner.conclude(facts, rules)
        assert domains is not None
        return domains[variable]

    facts = dict(found.reasons.facts)
    assert left(facts, numbers) == {puzzle.value(found.cell, found.piece)}
    for cell in facts:
        assert len(left({c: piece for c, piece in facts.items() if c != cell}, numbers)) > 1
    for number in numbers:
        assert len(left(facts, [one for one in numbers if one != number])) > 1


def test_a_mistake_is_found_before_it_shows(small: Write) -> None:
    instance = small(".4.. .1.3 .... .3.1")
    (answer,) = answers(instance)
    right, wrong = (3, 0), (0, 0)
    placed = {right: Piece("digit", answer[right]), wrong: Piece("digit", answer[wrong] % 4 + 1)}
    found = hint(instance, placed).mistakes
    assert found is not None
    assert found.cells == (wrong,)
    assert found.answers == {wrong: Piece("digit", answer[wrong])}
    assert contradicts(instance, found.reasons)


@more_of(
    test_no_reason_of_a_hint_can_be_spared,
    test_a_mistake_is_found_before_it_shows,
    test_hint_reasons.test_what_is_told_follows_from_the_reasons,
)
def test_following_the_hints_solves_the_puzzle_and_every_hint_follows_from_its_reasons(small: Write) -> None:
    instance = small(".4.. .1.3 .... .3.1")
    (answer,) = answers(instance)
    placed: dict[Cell, Piece] = {}
    found = hint(instance, placed)
    while found.forced is not None:
        forced = found.forced
        assert forced.piece == Piece("digit", answer[forced.cell])
        assert forced.cell not in placed
        board = [
            [
                frozenset({piece})
                if (piece := forced.reasons.facts.get((row, column)))
                else frozenset[Piece]()
                for column in range(4)
            ]
            for row in range(4)
        ]
        only = replace(instance, level=replace(instance.level, board=tuple(map(tuple, board))))
        assert {one[forced.cell] for one in answers(only)} == {answer[forced.cell]}
        placed[forced.cell] = forced.piece
        found = hint(instance, placed)
    assert found.done and len(placed) == 11


def contradicts(instance: Instance, reasons: Reasons) -> bool:
    """Is there no answer with these facts? Nothing of what is tested is used."""
    values = {cell: piece.variant for cell, piece in reasons.facts.items() if piece is not None}
    empty = tuple(tuple(frozenset[Piece]() for _ in line) for line in instance.level.board)
    whole = replace(instance, level=replace(instance.level, board=empty))
    return not any(all(one[cell] == value for cell, value in values.items()) for one in answers(whole))


def test_with_several_answers_a_mistake_is_a_set_of_cells(small: Write) -> None:
    instance = small("1... .... .... ....")
    placed = {(0, 1): Piece("digit", 2), (1, 1): Piece("digit", 2), (3, 3): Piece("digit", 4)}
    found = hint(instance, placed).mistakes
    assert found is not None and found.cells == ((0, 1), (1, 1)) and not found.answers


def test_where_nothing_is_forced_two_answers_are_told(small: Write) -> None:
    found = hint(small("1... .... .... ...."), {})
    assert found.forced is None and found.mistakes is None and not found.done
    one, other = found.answers
    assert one != other


def test_a_puzzle_that_leaves_cells_empty() -> None:
    instance = levels.load(ggp_levels("fill-a-pix")[0])
    placed: dict[Cell, Piece] = {}
    found: Hint = hint(instance, placed)
    for _ in range(100):
        if found.forced is None:
            break
        assert found.forced.piece is not None  # that a cell stays empty cannot be noted, and is not told
        placed[found.forced.cell] = found.forced.piece
        found = hint(instance, placed)
    assert found.done
    (plan,) = instance.level.known.wins
    assert placed == dict(plan.design)


def ggp_levels(game: str) -> tuple[str, ...]:
    return levels.levels(game)


def test_harder_ways_come_later_and_the_last_one_always_works() -> None:
    instance = levels.load("sudoku/hard-9x9")
    (plan,) = instance.level.known.wins
    puzzle = opened(instance)
    reasoner = Reasoner(puzzle)
    domains = reasoner.conclude(puzzle.givens)
    assert domains is not None
    # What the rules tell is filled in, so that something has to be assumed.
    certain = {cell: piece for cell, piece in plan.design if len(domains[puzzle.variables[cell]]) == 1}
    found = hint(instance, certain).forced
    assert found is not None and found.way in ("subsets", "assumption")
    assert dict(plan.design)[found.cell] == found.piece
    assert grade(puzzle, puzzle.givens, reasoner, lambda: None).difficulty != "easy"
    easy = opened(levels.load("sudoku/easy-9x9"))
    assert grade(easy, easy.givens, Reasoner(easy), lambda: None).difficulty == "easy"


def test_what_moves_gets_no_hints() -> None:
    with pytest.raises(UnsupportedFeature, match="places nothing"):
        ggp.hint("sokoban/first")
    with pytest.raises(UnsupportedFeature, match="moves"):
        ggp.hint("lemmings/seed")


# --- boards that are partly filled in ---------------------------------------------------------------------


def test_a_board_is_read_from_a_plan_or_a_map(tmp_path: Path) -> None:
    instance = levels.load("sudoku/paper-4x4")
    wanted = {(0, 0): Piece("digit", 3), (3, 2): Piece("digit", 2)}
    plan, drawing = tmp_path / "plan.json", tmp_path / "map.txt"
    plan.write_text(json.dumps({"design": [[0, 0, 3], [3, 2, "2"]]}))
    drawing.write_text("34..\n.1.3\n....\n.321\n\n")
    assert read_placed(plan, instance) == wanted
    assert read_placed(drawing, instance) == wanted


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"34..\n.1.3\n....\n", "is 3x4, the level 4x4"),
        (b"35..\n.1.3\n....\n.3.1\n", "this cell is not as in the level"),
        (b"3?..\n.1.3\n....\n.3.1\n", "not a symbol of the game"),
        (b"3...\n.1.3\n....\n.3.1\n", "this cell is not as in the level"),
        (b"\xff\xfe\x00", "the byte 0xff is not UTF-8"),
        (b"", "the file is empty"),
        (b'{"design": [[0, 1, 3]]}', "not a free cell"),
        (b'{"design": [[0, 0, 7]]}', "cannot be placed"),
    ],
)
def test_what_is_no_board_of_the_level(data: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_bytes(data)
    with pytest.raises(PuzzleError, match=message):
        read_placed(file, levels.load("sudoku/paper-4x4"))


def test_the_api_refuses_pieces_that_cannot_stand_there() -> None:
    with pytest.raises(PlanError):
        ggp.hint("sudoku/paper-4x4", {(0, 1): Piece("digit", 1)})


# --- the commands -----------------------------------------------------------------------------------------


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    status = 0
    try:
        main(list(arguments))
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_hint_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = output(capsys, "hint", "sudoku/paper-4x4")
    assert status == 0
    assert out.startswith("row ") and "all differ" in out and "no fewer reasons do" in out
    board = tmp_path / "board.txt"
    board.write_text("14..\n.1.3\n....\n.3.1\n")
    status, out, _ = output(capsys, "hint", "sudoku/paper-4x4", str(board))
    assert status == 0
    assert out.startswith("the 1 at (0, 0) is a mistake: it is 3\n")
    status, out, _ = output(capsys, "hint", "sudoku/paper-4x4", str(board), "--json")
    data = json.loads(out)
    assert data["hint"] == "mistakes" and data["mistakes"]["answers"] == [[0, 0, "3"]]
    status, out, err = output(capsys, "hint", "sokoban/first")
    assert status == 2 and out == "" and "explanations are for puzzles" in err and "`ggp solve`" in err


def test_unique_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert output(capsys, "solve", "sudoku/paper-4x4", "--unique") == (
        0,
        "sudoku/paper-4x4, search: one answer, and no other, proof claimed\n3412\n2143\n1234\n4321\n",
        "",
    )
    status, out, _ = output(capsys, "solve", "lemmings/seed", "--unique", "--json")
    data = json.loads(out)
    assert status == 0 and data["answers"] == "several" and len(data["plans"]) == 2 and data["differ"]
    status, out, _ = output(capsys, "solve", "lemmings/seed", "--unique", "--time-limit", "0")
    assert status == 1 and "not known (time-limit)" in out
    plan = tmp_path / "plan.json"
    output(capsys, "solve", "sudoku/paper-4x4", "--unique", "-o", str(plan))
    assert output(capsys, "replay", "sudoku/paper-4x4", str(plan))[0] == 0


def test_what_is_marked_on_a_terminal() -> None:
    from ggp.explain.text import board

    instance = levels.load("sudoku/paper-4x4")
    (plan,) = instance.level.known.wins
    drawn = board(instance, plan, [(0, 0)], colour=True)
    assert sum("reverse" in str(span.style) for span in drawn.spans) == 1
    assert initial_state(instance, plan.design).board  # the same board without marks is plain text
    assert board(instance, plan, [(0, 0)], colour=False) == "3412\n2143\n1234\n4321"
