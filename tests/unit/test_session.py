"""Playing a level, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.errors import IllegalAction, PlanError, PuzzleError
from ggp.language.levels import load
from ggp.model import (
    Condition,
    Effect,
    Game,
    Goal,
    Group,
    Input,
    Instance,
    Kind,
    Level,
    Pattern,
    Piece,
    Plan,
    Rule,
)
from ggp.model.board import Action
from ggp.referee.semantics import initial_state
from ggp.referee.session import Session
from ggp.referee.trajectory import replay

BRICK = Piece("brick")
WINNING = [(5, 1), (6, 4), (6, 6)]
PUSHES = ["up", "left", "down", "left", "down", "right"]


def lemmings() -> Session:
    return Session(load("lemmings/seed"))


def crates(horizon: int | None = 12) -> Session:
    instance = load("sokoban/first")
    return Session(replace(instance, level=replace(instance.level, horizon=horizon)))


def digits() -> Session:
    return Session(load("sudoku/paper-4x4"))


def picking_game(facings: tuple[str, ...] = ()) -> Instance:
    """Picking a lamp puts it out; all are to be out."""
    lamp, hand = Pattern("lamp"), Pattern("hand")
    here = (Condition("present", (), lamp), Condition("present", (), hand))
    rule = Rule("out", "none", here, (Effect("remove", lamp, ()),))
    game = Game(
        "g",
        "G",
        (Kind("lamp", "lamp"), Kind("hand", "hand", facings, marker=True)),
        Goal(()),
        input=Input(pick="hand"),
        turn=(Group("turn", (rule,)),),
    )
    lit = frozenset({Piece("lamp")})
    return Instance(game, Level("x", ((lit, frozenset()), (lit, lit)), horizon=9, when="horizon"))


# --- designing ----------------------------------------------------------------------------------------


def test_a_design_is_placed_released_and_wins() -> None:
    session = lemmings()
    assert session.status() == ("design", 0, 19, 0, 3, "open", "", None)
    for cell in WINNING:
        session.place(cell)
    assert session.status().placed == 3
    session.release()
    while session.status().outcome == "open":
        session.act()
    assert session.status() == ("run", 19, 19, 3, 3, "won", "won at turn 19", None)
    verdict = replay(session.instance, session.plan())
    assert verdict.won and verdict.states == session.now.states


def test_a_lost_run_says_what_was_wanted() -> None:
    session = lemmings()
    session.release()
    while session.status().outcome == "open":
        session.act()
    assert session.status().outcome == "lost"
    assert session.status().reason.endswith("; wanted: no lemming off target")
    with pytest.raises(IllegalAction, match="over"):
        session.act()


def test_what_may_not_be_placed_is_refused_and_changes_nothing() -> None:
    session = lemmings()
    for cell, piece in [((0, 0), None), ((1, 1), BRICK), ((8, 8), None), ((99, 0), None), ((-1, 1), None)]:
        with pytest.raises(PlanError, match="free cell"):
            session.place(cell, piece)
    with pytest.raises(PlanError, match="not allow"):
        session.place((1, 2), Piece("wall"))
    for cell in [(1, 2), (1, 3), (1, 4)]:
        session.place(cell)
    with pytest.raises(PlanError, match="budget is 3"):
        session.place((1, 5))
    assert session.plan().design == (((1, 2), BRICK), ((1, 3), BRICK), ((1, 4), BRICK))
    assert len(session.past) == 3


def test_placing_and_taking_back() -> None:
    session = lemmings()
    session.place((1, 2))
    assert session.placed_at((1, 2)) == BRICK
    session.take_back((1, 2))
    assert session.placed_at((1, 2)) is None
    assert session.state == Session(session.instance).state
    with pytest.raises(PlanError, match="nothing here"):
        session.take_back((1, 2))
    with pytest.raises(PlanError, match="nothing here"):
        session.take_back((0, 0))
    session.cycle((1, 2))
    session.cycle((1, 2))
    assert session.plan() == Plan()


def test_cycling_goes_through_the_values() -> None:
    session = digits()
    values = []
    for _ in range(5):
        session.cycle((0, 0))
        piece = session.placed_at((0, 0))
        values.append(piece and piece.variant)
    assert values == [1, 2, 3, 4, None]
    session.cycle((0, 0), -1)
    assert session.placed_at((0, 0)) == Piece("digit", 4)
    with pytest.raises(PlanError, match="free cell"):
        session.cycle((0, 1))


def test_nothing_is_placed_during_the_run() -> None:
    session = lemmings()
    with pytest.raises(IllegalAction, match="not begun"):
        session.act()
    session.release()
    for change in (session.place, session.take_back, session.cycle):
        with pytest.raises(PlanError, match="has begun"):
            change((1, 2))
    with pytest.raises(PlanError, match="has begun"):
        session.release()


def test_editing_goes_back_with_the_design_kept() -> None:
    session = lemmings()
    session.place((1, 2))
    session.release()
    session.act()
    session.edit()
    assert session.phase == "design" and session.turn == 0
    assert session.placed_at((1, 2)) == BRICK
    assert session.state == initial_state(session.instance, [((1, 2), BRICK)])
    past = len(session.past)
    session.edit()
    assert len(session.past) == past, "editing while editing is no change"


def test_where_nothing_moves_the_design_is_judged_as_it_grows() -> None:
    session = digits()
    assert session.still
    solution = ["3412", "2143", "1234", "4321"]
    for cell in sorted(session.free):
        assert session.status().outcome == "open"
        assert not session.complete()
        session.place(cell, Piece("digit", int(solution[cell[0]][cell[1]])))
    assert session.status().outcome == "won"
    assert replay(session.instance, session.plan()).won
    session.place((0, 0), Piece("digit", 4))
    assert session.status().outcome == "open"
    assert session.missing() == tuple(
        f"every digit differs within {name}" for name in ("rows", "columns", "boxes")
    )


def test_a_design_with_empty_cells_is_not_released() -> None:
    session = digits()
    session.place((0, 0))
    with pytest.raises(PlanError, match="empty"):
        session.release()
    assert session.phase == "design"


# --- running ------------------------------------------------------------------------------------------


def test_moves_until_won() -> None:
    session = crates()
    assert session.phase == "run"
    for move in PUSHES:
        assert session.status().outcome == "open"
        assert Action(move) in session.legal_actions()
        session.act(move)
    assert session.status() == ("run", 6, 12, 0, None, "won", "won at turn 6", None)
    verdict = replay(session.instance, session.plan())
    assert verdict.won and verdict.states == session.now.states
    with pytest.raises(IllegalAction, match="over"):
        session.act("up")


def test_a_move_that_is_none_is_refused_and_changes_nothing() -> None:
    session = crates()
    session.act("up")
    before = session.now
    with pytest.raises(IllegalAction, match="changes nothing"):
        session.act("up")
    with pytest.raises(IllegalAction):
        session.act("dance")
    with pytest.raises(PlanError):
        session.act("up up")
    with pytest.raises(IllegalAction):
        session.act(None)
    assert session.now is before and len(session.past) == 1


def test_the_horizon_ends_the_run() -> None:
    session = crates(horizon=2)
    session.act("up")
    session.act("right")
    assert session.status()[:3] == ("run", 2, 2)
    assert session.status().outcome == "lost"
    assert session.legal_actions() == ()
    session.undo()
    assert session.status().outcome == "open"


def test_picks_are_actions() -> None:
    session = Session(picking_game())
    assert len(session.legal_actions()) == 3
    session.act(Action("pick", (1, 0)))
    session.act("pick(0,0)")
    assert session.plan().actions == ("pick(1,0)", "pick(0,0)")
    with pytest.raises(IllegalAction):
        session.act("pick(0,1)")


def test_games_without_a_design_have_none_to_edit() -> None:
    with pytest.raises(PlanError, match="no design"):
        crates().edit()
    with pytest.raises(PlanError):
        crates().place((1, 1))


# --- back ---------------------------------------------------------------------------------------------


def test_everything_can_be_undone_to_the_beginning() -> None:
    session = lemmings()
    start = session.now
    seen = [start]

    def note() -> None:
        seen.append(session.now)

    session.place((1, 2))
    note()
    session.cycle((1, 2))
    note()
    session.place((5, 1))
    note()
    session.release()
    note()
    session.act()
    note()
    session.act()
    note()
    session.restart()
    note()
    session.edit()
    note()
    session.restart()
    for before in reversed(seen):
        assert session.undo()
        assert session.now == before
    assert session.now == start
    assert not session.undo()


def test_restarting_a_run_keeps_the_design_and_then_clears_it() -> None:
    session = lemmings()
    session.place((1, 2))
    session.release()
    session.act()
    session.restart()
    assert (session.phase, session.turn, session.plan().design) == ("run", 0, (((1, 2), BRICK),))
    session.restart()
    assert (session.phase, session.plan()) == ("design", Plan())
    past = len(session.past)
    session.restart()
    assert len(session.past) == past


def test_a_plan_is_loaded_and_undone() -> None:
    session = lemmings()
    session.load(session.instance.level.known.wins[0])
    assert session.status().placed == 3 and session.phase == "design"
    assert session.undo()
    assert session.plan() == Plan()
    with pytest.raises(PuzzleError):
        session.load(Plan((((0, 0), BRICK),)))
    session = crates()
    with pytest.raises(IllegalAction):
        session.load(Plan((), ("up", "up")))
    assert session.turn == 0


def test_a_long_run_stays_quick() -> None:
    session = crates(horizon=None)
    for _ in range(200):
        session.act("up")
        session.act("down")
    assert session.turn == 400
    while session.undo():
        pass
    assert session.turn == 0


def test_goals_in_words() -> None:
    assert lemmings().goal_text() == "no lemming off target, at the end of 19 turns"
    assert crates().goal_text() == "every crate on target, within 12 turns"
    assert crates(None).goal_text() == "every crate on target"
    assert digits().goal_text().startswith("every digit differs within rows, ")
