"""XCSP3 files of levels that are odd: their names, what they leave open, what they do not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from ggp.encoding.lowering import expressions
from ggp.engines import processes
from ggp.engines.csp import tools as xcsp_tools
from ggp.engines.csp.run import Session
from ggp.engines.texts.exported import faithful
from ggp.engines.texts.solved import Solved
from ggp.errors import PuzzleError, SolverError, UnsupportedFeature
from ggp.exporters import xcsp3
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Plan
from ggp.model.names import Names
from ggp.model.result import OutOfTime, Query
from ggp.tasks.exporting import export
from tests.conformance import test_external_solvers
from tests.slow import more_of, slow_unless
from tests.solver_levels import level_of

# Kinds and rules called like operators of the format, like its arrays, and like what the encoder makes up.
NAMES = """
name = "names"
[kinds]
not = {{ layer = "solid" }}
won = {{ layer = "floor", count = "1.." }}
aux = {{ layer = "solid", count = "1.." }}
xor = {{ layer = "solid", count = "1" }}
[classes]
eq = ["not", "aux"]
[symbols]
" " = ""
"#" = "not"
"." = "won"
"$" = "aux"
"@" = "xor"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
iff: xor here, aux ahead, no eq ahead.ahead => aux ahead -> ahead.ahead, xor here -> ahead
part: xor here, no eq ahead => xor here -> ahead
'''
[goal]
when = "any-turn"
win = ["every aux on won"]
[[level]]
horizon = {horizon}
map = '''
{map}
'''
"""
FREE = """
name = "free"
[kinds]
stone = { layer = "solid" }
mark = { layer = "floor" }
[symbols]
"." = ""
"o" = "mark"
[design]
place = "stone"
free-of = ["stone", "mark"]
[goal]
win = ["no stone on mark"]
[[level]]
horizon = 0
map = ".o."
"""

DRAWN = FREE.replace("[goal]", '[goal]\nwhen = "horizon"').replace('".o."', '".oe."')
DRAWN = DRAWN.replace("[symbols]", 'end = { layer = "floor" }\n[symbols]\n"e" = "end"')
DRAWN = DRAWN.replace('"no stone on mark"', '"no stone on mark", "pairs mark with end at beside"')


def odd(rows: str, horizon: int) -> Instance:
    game, (level,) = read_game(NAMES.format(map=rows, horizon=horizon).encode(), "names.toml")
    return Instance(game, level)


def answers(instance: Instance, tool: xcsp_tools.Tool = xcsp_tools.CPMPY) -> tuple[list[Plan], str]:
    """The plans that a solver reads out of the exported file, and how it ended."""
    encoding = faithful(instance)
    session = Session(tool, encoding, Query("all"), "all")
    plans = list(session.plans(xcsp3.write(encoding)))
    return plans, session.outcome().stop


def test_names_that_the_format_would_swallow() -> None:
    instance = odd("@$.", 1)
    text = export(instance, "xcsp3").text
    root = etree.fromstring(text.encode())
    names = [array.get("id") for array in root.iter("array")]
    assert len(set(names)) == len(names)
    assert not set(names) & set(xcsp3.RESERVED)
    assert answers(instance) == ([Plan(actions=("right",))], "satisfied")


def test_arrays_that_would_have_one_name() -> None:
    """The kind `won` and the variable that says that the game is; the kind `aux` and nameless parts."""
    instance = odd("@ $ .", 5)
    plans, stop = answers(instance)
    assert stop == "satisfied" and Plan(actions=("right",) * 3) in plans
    notes = {
        array.get("id"): array.get("note")
        for array in etree.fromstring(xcsp3.text(instance).encode()).iter("array")
    }
    assert notes["won"] == "1 if won after turn [t]"
    assert notes["aux"] == "1 where aux stands after turn [t], at [row][column]"


def test_what_is_said_twice_is_written_once() -> None:
    """PyCSP3 makes a group without arguments of equal constraints, and stops."""
    text = export(level_of("fillomino", ["12."], 0, largest=2), "xcsp3").text
    assert "<group" in text


@pytest.mark.parametrize(
    "tool", slow_unless([xcsp_tools.ACE], [xcsp_tools.CPMPY, xcsp_tools.ACE]), ids=lambda tool: tool.name
)
def test_a_level_that_cannot_be_won_has_a_file_without_solutions(tool: xcsp_tools.Tool) -> None:
    """ACE stops at an expression of two variables that never holds."""
    instance = odd("$@.", 2)
    assert "<ne>" not in xcsp3.text(instance)
    assert answers(instance, tool) == ([], "unsolvable")


def test_what_the_map_decides_makes_no_sum_of_nothing() -> None:
    """PyCSP3 has no such sum, and lost count of what was posted."""
    game, (level,) = read_game(DRAWN.encode(), "drawn.toml")
    plans, stop = answers(Instance(game, level))
    assert stop == "satisfied" and len(set(plans)) == 8  # a stone or none on each cell without a mark


def test_what_may_be_as_it_likes() -> None:
    """Stones that nothing speaks of: each of the four ways to place them."""
    game, (level,) = read_game(FREE.encode(), "free.toml")
    instance = Instance(game, level)
    text = xcsp3.text(instance)
    assert "free to choose" in text
    plans, stop = answers(instance)
    assert stop == "satisfied" and len(plans) == len(set(plans)) == 4


def test_what_only_the_objective_speaks_of_is_free_to_choose() -> None:
    """Else a file may have no constraint, and PyCSP3 stops."""
    game, (level,) = read_game(FREE.encode(), "free.toml")
    encoding = faithful(Instance(game, level))
    costs = [(1, encoding.number(variable, 1)) for variable in encoding.decisions]
    model = expressions.model(replace(encoding, minimise=costs), Names(), minimise=True)
    assert len(costs) == 2 and [group["note"] for group in model["groups"]] == ["free to choose"]


def test_nothing_to_decide() -> None:
    over = odd("@$.", 0)
    with pytest.raises(UnsupportedFeature, match="leaves nothing to decide") as caught:
        export(over, "xcsp3")
    assert caught.value.findings == xcsp3.unfit(over, None) and caught.value.findings[0].place is not None
    with pytest.raises(PuzzleError, match="leaves nothing to decide"):
        xcsp3.text(over)


def test_without_a_horizon_it_is_refused_by_name() -> None:
    instance = levels.load("sokoban/first")
    endless = replace(instance, level=replace(instance.level, horizon=None))
    with pytest.raises(UnsupportedFeature) as caught:
        export(endless, "xcsp3")
    assert [finding.message for finding in caught.value.findings] == [
        "xcsp3 does not support no limit on the turns"
    ]


def test_the_objective_is_written_only_where_it_is_asked_for() -> None:
    from ggp.encoding.occupancy import encode

    instance = levels.load("lemmings/seed")
    encoding = encode(instance, objective=instance.game.objectives[0])
    with_it = etree.fromstring(xcsp3.write(encoding, minimise=True).text.encode())
    assert with_it.get("type") == "COP" and with_it.find("objectives/minimize") is not None
    assert etree.fromstring(xcsp3.write(encoding).text.encode()).get("type") == "CSP"


@more_of(
    test_external_solvers.test_a_plan_that_is_placed_is_the_only_one,
    test_a_level_that_cannot_be_won_has_a_file_without_solutions,
)
def test_a_plan_that_cannot_be_placed_leaves_no_solution() -> None:
    instance = levels.load("sudoku/paper-4x4")
    (plan,) = instance.level.known.wins
    wrong = replace(plan, design=((plan.design[0][0], plan.design[1][1]), *plan.design[1:]))
    assert answers(instance)[0] == [plan]
    encoding = faithful(instance, wrong)
    session = Session(xcsp_tools.CPMPY, encoding, Query("first"), "one")
    assert list(session.plans(xcsp3.write(encoding))) == []
    assert session.talk.reader.status == "UNSATISFIABLE"


# --- PyCSP3 stays outside


def test_pycsp3_never_enters_our_process() -> None:
    code = (
        "import sys, ggp\nfrom ggp.exporters import xcsp3\n"
        "text = xcsp3.text(ggp.load('sudoku/paper-4x4'))\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] in ('pycsp3', 'cpmpy')]\n"
        "assert text.startswith('<instance')"
    )
    _, environment = processes.python("ggp")
    output, ended = processes.run([sys.executable, "-c", code], env=environment)
    assert (ended.code, output) == (0, b""), ended.errors


def test_nothing_is_left_in_the_folder_we_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    xcsp3.text(levels.load("sudoku/paper-4x4"))
    assert list(tmp_path.iterdir()) == []


def test_a_failure_of_pycsp3_is_told_in_its_words() -> None:
    with pytest.raises(SolverError, match="PyCSP3 ended with status 1, saying .KeyError"):
        xcsp3.compiled("{}", None)


@pytest.mark.parametrize(("code", "written"), [(0, False), (1, True)], ids=["no file", "half a file"])
def test_a_file_is_taken_only_from_a_good_end(
    code: int, written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(command: list[str], **options: object) -> tuple[bytes, processes.Ended]:
        if written:
            Path(command[-1]).write_text("<instance")
        return b"", processes.Ended(code, None, False, "", 0.1)

    monkeypatch.setattr(processes, "run", run)
    with pytest.raises(SolverError, match=f"PyCSP3 ended with status {code}"):
        xcsp3.compiled("{}", None)


def test_it_takes_no_longer_than_it_may() -> None:
    with pytest.raises(OutOfTime):
        xcsp3.compiled("{}", 0.0)


def test_a_verification_without_time_is_open_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(Solved, "listed", late)
    one = levels.load("sudoku/paper-4x4")
    *_, last = xcsp3.verify(one, xcsp3.text(one))
    assert last.open and "came to no end" in last.detail
