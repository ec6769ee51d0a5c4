"""Learning from play alone, as Python programs ask for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ggp
from ggp.cli.report.from_play import learned_json
from ggp.errors import NotLearned, PuzzleError
from ggp.harness import from_play
from ggp.harness.from_play import FromPlay, learned_in_time, taken
from ggp.harness.learning import rules_in_words
from ggp.learn.boards import Episode
from ggp.learn.record import read_episodes, write_episodes
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned, learn_whole
from ggp.model import Game, Kind, Piece
from ggp.model.result import Clock
from ggp.referee.semantics import initial_state, legal_actions
from ggp.watch.callables import CallableWorld

Board = list[list[list[str]]]


def crawl(rows: Board, word: str | None) -> Board | None:
    """A worm goes one cell left or right, where no stone is."""
    (row,) = rows
    at = row.index(["worm"])
    to = at + (1 if word == "right" else -1)
    if not 0 <= to < len(row) or row[to] == ["stone"]:
        return None
    row[at], row[to] = [], ["worm"]
    return [row]


def worm(won: bool = True) -> CallableWorld:
    """It wins at the right edge."""
    boards: list[Board] = [[[["stone"], [], ["worm"], [], [], []]], [[["worm"], [], [], ["stone"], []]]]
    return CallableWorld(
        "worm", boards, ["left", "right"], crawl, (lambda rows: rows[0][-1] == ["worm"]) if won else None
    )


def test_a_function_is_learned_and_its_levels_are_solved(tmp_path: Path) -> None:
    found = ggp.learn_from(worm(won=False), rollouts=10, fresh=200)
    assert found.holds and found.trial is not None and found.trial.turns > 10 and found.runs >= 10
    assert "worm here, no stone ahead => worm here -> ahead" in found.text
    assert repr(found) == f"<FromPlay worm: {found.learned.turns} turns of {found.runs} runs, holds>"
    instance = found.instances[0]
    assert instance.game is found.game and instance.level is found.learned.levels[0]
    file = tmp_path / "worm.toml"
    file.write_text(found.text)
    assert ggp.load(f"{file}#1").game.turn[0].name == found.game.turn[0].name
    told = [line for line in found.text.splitlines() if line.startswith("# ")]
    assert told and told == [f"# {line}" for one in found.evidence for line in one.splitlines()]


def test_the_address_a_file_and_runs_are_learned_from_alike(tmp_path: Path) -> None:
    (tmp_path / "crawling.py").write_text(
        "levels = [[[['stone'], [], ['worm'], [], [], []]], [[['worm'], [], [], ['stone'], []]]]\n"
        "inputs = ['left', 'right']\n"
        "def turn(rows, word):\n"
        "    row, to = rows[0], rows[0].index(['worm']) + (1 if word == 'right' else -1)\n"
        "    if not 0 <= to < len(row) or row[to] == ['stone']:\n"
        "        return None\n"
        "    row = [[] if one == ['worm'] else one for one in row]\n"
        "    row[to] = ['worm']\n"
        "    return [row]\n"
    )
    by_address = ggp.learn_from(f"python:{tmp_path / 'crawling.py'}", rollouts=10, fresh=50)
    runs = list(taken(worm(won=False), 10).episodes)
    write_episodes(tmp_path / "play.jsonl", runs)
    by_file = ggp.learn_from(str(tmp_path / "play.jsonl"), fresh=0)
    by_runs = ggp.learn_from(read_episodes(tmp_path / "play.jsonl"))
    assert by_file.trial is None and by_file.holds and "not tried" in repr(by_file)
    # Of what was held back nothing was new: rules that were held against no turn are not said to hold.
    assert by_runs.trial is not None and by_runs.trial.turns == 0
    assert by_runs.trial.data["holds"] is None and "not tried" in repr(by_runs)
    assert len({rules_in_words(found.game) for found in (by_address, by_file, by_runs)}) == 1


def test_active_play_is_asked_for_and_the_seed_counts() -> None:
    first, again, other = (learned(seed) for seed in (1, 1, 2))
    assert first.learned.levels == again.learned.levels != other.learned.levels


def learned(seed: int) -> FromPlay:
    """Few runs that were chosen."""
    return ggp.learn_from(worm(), rollouts=2, seed=seed, active=True, fresh=3)


@pytest.mark.parametrize(("enough", "runs"), [(2, [6, 12]), (99, [6, 12, 24])])
def test_where_nothing_is_learned_a_game_is_watched_for_longer(
    monkeypatch: pytest.MonkeyPatch, enough: int, runs: list[int]
) -> None:
    """Twice as long, and twice as long again, unless somebody said how long."""
    monkeypatch.setattr(from_play, "ROLLOUTS", 6)
    monkeypatch.setattr(from_play, "MOST", 24)
    tried: list[int] = []

    def learner(episodes: list[Episode], name: str, ways: Ways) -> Learned:
        tried.append(len(episodes))
        if len(tried) < enough:
            raise NotLearned("nothing says what was seen", "")
        return learn_whole(episodes, name, ways)

    said: list[str] = []
    play = taken(worm())
    again = len(play.episodes) - 6  # runs that were played twice
    if enough > len(runs):
        with pytest.raises(NotLearned):
            learned_in_time(play, learner, 100, Clock(None), said.append)
    else:
        found = learned_in_time(play, learner, 100, Clock(None), said.append)
        assert found.holds and found.runs == again + runs[-1]
    assert tried[: len(runs)] == [again + one for one in runs]
    assert sum("watched for longer" in one for one in said) == len(runs) - 1
    tried.clear()
    with pytest.raises(NotLearned):
        learned_in_time(taken(worm(), 6), learner, 100, Clock(None), said.append)
    assert len(tried) == 1


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="only recorded play has cells"):
        ggp.learn_from(worm(), noise=0.1)
    with pytest.raises(PuzzleError, match="'facings' cannot be observed"):
        ggp.learn_from(worm(), observe="facings")
    with pytest.raises(PuzzleError, match="facings are only left out"):
        ggp.learn_from(tmp_path / "play.jsonl", observe="positions", noise=0.1)
    with pytest.raises(PuzzleError, match="does not show the boards inside a turn"):
        ggp.learn_from("vgdl:game.txt", frames=True)
    with pytest.raises(PuzzleError, match="play.jsonl"):
        ggp.learn_from(tmp_path / "play.jsonl")
    with pytest.raises(PuzzleError, match="there is no world 'vgld:game.txt'"):
        ggp.learn_from("vgld:game.txt")
    with pytest.raises(PuzzleError, match="only an address of a game can show"):
        ggp.learn_from(worm(), frames=True)
    for nothing in (5, ["run"]):
        with pytest.raises(PuzzleError, match="is nothing to learn from"):
            ggp.learn_from(nothing)  # type: ignore[arg-type]
    with pytest.raises(PuzzleError, match="'0' is no number of roll-outs"):
        ggp.learn_from(worm(), rollouts=0)
    with pytest.raises(PuzzleError, match="'-1' is no number of fresh turns"):
        ggp.learn_from(worm(), fresh=-1)
    with pytest.raises(NotLearned, match="no rules were found within 0 seconds"):
        ggp.learn_from(worm(), time_limit=0)


def test_inputs_of_any_name_become_verbs_that_a_description_has(tmp_path: Path) -> None:
    """`FIRE` was written as it is, and the description could not be read: it had an error, with status 0."""

    def lamp(rows: Board, word: str | None) -> Board | None:
        ((on,),) = (rows[0],)
        if word == "FIRE":
            return [[["off"] if on == ["on"] else ["on"]]]
        return [[["off"]]] if word == "ahead" and on == ["on"] else None

    world = CallableWorld("lamp", [[[["on"]]], [[["off"]]]], ["FIRE", "ahead"], lamp)
    found = ggp.learn_from(world, rollouts=10, fresh=50)
    assert found.game.input is not None and found.game.input.verbs == ("fire", "ahead-too")
    assert found.holds and "# input FIRE is called fire\n" in found.text
    file = tmp_path / "lamp.toml"
    file.write_text(found.text)
    level = ggp.load(f"{file}#1")
    assert {str(one) for one in legal_actions(level, initial_state(level))} <= {"fire", "ahead-too"}


def test_rules_whose_description_is_not_read_again_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game) -> tuple[Game, tuple[str, ...]]:
        first, *_ = game.kinds
        twice = (Piece(first.name), Piece("other"))
        return replace(
            game, kinds=(*game.kinds, Kind("other", first.layer)), symbols=(*game.symbols, ("Z", twice))
        ), ()

    monkeypatch.setattr(from_play, "sayable", broken)
    found = ggp.learn_from(worm(), rollouts=10, fresh=50)
    assert found.trial is not None and found.trial.holds
    assert not found.holds and found.verdict == "does not hold"
    assert found.text.startswith("# NOT READ AGAIN: ")
    assert "cannot share a cell" in str(learned_json(found)["unread"])


def test_turns_that_were_left_out_are_told_and_rules_hold_but_for_these_if_they_are_few() -> None:
    found = ggp.learn_from(worm(won=False), rollouts=10, fresh=50)
    assert found.holds and learned_json(found)["left_out"] is None and found.verdict == "holds"
    for share, holds in ((0.01, True), (0.011, False)):
        less = replace(found, left_out="1 of 5 turns", share_left_out=share)
        assert less.holds == holds and less.evidence[0] == "LEFT OUT: 1 of 5 turns"
        told = learned_json(less)
        assert told["left_out"] == "1 of 5 turns" and "# LEFT OUT: 1 of 5 turns" in less.text
        assert told["share_left_out"] == share and told["holds"] == holds
        assert told["verdict"] == ("holds, but for what was left out" if holds else "does not hold")
