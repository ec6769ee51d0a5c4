"""Other frameworks' views of a level: GVGAI's state observation, and the screen and buttons of a console."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Plan
from ggp.players.envs.gvgai import Event, StateObservation
from ggp.players.envs.screen import BUTTONS, Screen
from ggp.referee.trajectory import replay
from tests.slow import examples

WIN = "up left down left down right".split()
LEVELS = ["sokoban/two-crates", "psychopath/locks", "boulder-dash/first", "polar-slide/first"]


def test_the_view_tells_status_avatar_and_sprites() -> None:
    view = StateObservation("sokoban/first")
    assert (view.tick, view.score, view.winner, view.game_over) == (0, 0.0, "NO_WINNER", False)
    assert view.avatar == "player" and view.avatar_orientation is None and view.avatar_resources == {}
    start = view.avatar_position
    assert start is not None and view.positions()[view.number["player"]] == (start,)
    assert len(view.sprites()) == sum(map(len, view.positions().values()))
    for word in WIN:
        assert word in view.available_actions()
        view.advance(word)
    assert (view.tick, view.score, view.winner, view.game_over) == (6, 1.0, "PLAYER_WINS", True)
    assert view.available_actions() == ()
    crate, target = view.number["crate"], view.number["target"]
    assert any((one.active, one.passive, one.tick) == (crate, target, 6) for one in view.events)
    pushes = [one for one in view.events if one.passive == crate and one.by_avatar]
    assert pushes and all(isinstance(one, Event) and one.active == view.number["player"] for one in pushes)
    with pytest.raises(IllegalAction, match="ended"):
        view.advance("up")


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(LEVELS), st.integers(0, 2**32))
def test_a_copy_is_advanced_by_itself_and_as_the_referee_says(name: str, seed: int) -> None:
    rng, view = Random(seed), StateObservation(name)
    for _ in range(8):
        if not view.available_actions():
            break
        other = view.copy()
        before = (view.sprites(), view.events, view.tick, tuple(view.run.actions))
        word = rng.choice(view.available_actions())
        other.advance(word)
        assert (view.sprites(), view.events, view.tick, tuple(view.run.actions)) == before
        assert other.tick == view.tick + 1
        view = other
    played = tuple(view.world.actions[number] for number in view.run.actions)
    assert replay(load(name), Plan((), played)).states[-1].board == view.state.board


def test_what_is_taken_is_a_resource_and_what_looks_somewhere_says_so() -> None:
    view = StateObservation("boulder-dash/first")
    dirt = view.number["dirt"]
    taken = 0
    while not view.game_over and not view.avatar_resources.get(dirt):
        view.advance(view.available_actions()[taken % len(view.available_actions())])
        taken += 1
    assert view.avatar_resources[dirt] >= 1
    assert all(number > 0 for number in view.avatar_resources.values())


@pytest.mark.parametrize("name", ["tic-tac-toe/empty", "minesweeper/tiny"])
def test_the_view_refuses_what_it_has_no_word_for(name: str) -> None:
    with pytest.raises(UnsupportedFeature, match="several players, or hides"):
        StateObservation(name)


def test_buttons_go_in_and_pixels_and_a_score_come_out() -> None:
    screen = Screen("sokoban/first")
    rows, columns = screen.getScreenDims()
    assert rows >= 5 * 16 and columns >= 6 * 16 and screen.lives() == 1
    assert screen.getMinimalActionSet() == [0, 2, 3, 4, 5] and len(screen.getLegalActionSet()) == 6
    before = screen.getScreenRGB()
    assert before.dtype == np.uint8 and before.shape == (rows, columns, 3)
    assert screen.getScreenGrayscale().shape == (rows, columns)
    assert screen.act(BUTTONS["FIRE"]) == 0 and (screen.getScreenRGB() == before).all(), "it means nothing"
    kept = screen.cloneState()
    rewards = [screen.act(BUTTONS[word.upper()]) for word in WIN]
    assert rewards == [0.0] * 5 + [1.0] and screen.game_over() and screen.lives() == 0
    assert screen.act(0) == 0.0 and screen.getEpisodeFrameNumber() == 7
    screen.restoreState(kept)
    assert (screen.getScreenRGB() == before).all() and screen.getEpisodeFrameNumber() == 1
    assert [screen.act(BUTTONS[word.upper()]) for word in WIN][-1] == 1.0
    screen.reset_game()
    assert (screen.getScreenRGB() == before).all() and not screen.game_over()


def test_a_screen_is_cut_off_and_refuses_what_is_no_button() -> None:
    screen = Screen("sokoban/first", frames=3)
    for _ in range(3):
        screen.act(0)
    assert screen.game_over() and screen.run.outcome == "open"
    for bad in (6, -1, True, "UP"):
        with pytest.raises(IllegalAction, match="no button"):
            screen.act(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["lights-out/small", "lemmings/seed", "connect-four/full"])
def test_what_needs_more_than_a_stick_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedFeature, match="stick"):
        Screen(name)
