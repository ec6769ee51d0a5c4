"""Games with chance, hidden kinds or several players, where nothing takes them: refused by name, or drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import Ask

GAMES = {
    "minesweeper": "kinds that the player does not see",
    "doubling": "a random initial placement",
    "nim": "several players",
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("more", [(), ("--active",), ("--learner", "tree")])
def test_learning_says_what_it_does_not_learn(ask: Ask, game: str, more: tuple[str, ...]) -> None:
    answer = ask("learn", game, *more)
    assert (answer.status, answer.out) == (1, "")
    assert f"learning does not support {GAMES[game]}" in answer.err and f"{game}.toml:" in answer.err


@pytest.mark.parametrize("game", GAMES)
def test_a_study_says_what_it_does_not_study(ask: Ask, game: str) -> None:
    from ggp.language import levels

    answer = ask("study", levels.load_game(game)[0].place.file)
    assert (answer.status, answer.out) == (1, "")
    assert f"ggp study does not support {GAMES[game]}" in answer.err


def test_a_picture_shows_what_a_player_sees(ask: Ask, tmp_path: Path) -> None:
    """Mines are laid before the first turn and are not seen; tiles are, and hang on the seed."""
    pictures = []
    for name, seed in (("minesweeper/tiny", 1), ("minesweeper/tiny", 2), ("doubling/sixteen", 1)):
        file = tmp_path / f"{len(pictures)}.svg"
        answer = ask("render", name, "-o", file, "--seed", str(seed))
        assert answer.status == 0, answer.err
        pictures.append(file.read_text())
    assert pictures[0] == pictures[1]
    other = tmp_path / "other.svg"
    changed = 0
    for seed in range(2, 6):
        ask("render", "doubling/sixteen", "-o", other, "--seed", str(seed))
        changed += other.read_text() != pictures[2]
    assert changed
