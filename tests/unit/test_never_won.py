"""Maps that nothing wins are told from the rules of imported games, in words; what may be won is not."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis.relaxed_in_order import why_never_won
from ggp.errors import PuzzleError
from ggp.importers import puzzlescript
from ggp.model import Instance
from ggp.referee.inputs import all_actions
from ggp.referee.scanning.turn import no_pause
from ggp.referee.turns import Packed, Turns
from tests.oracles.random_puzzlescript import made
from tests.puzzlescript_games import PUSH, instance, text

WINS = "all Target on Crate"
RULES = f"{PUSH}\n[ > Player | Ball ] -> [ > Player | Mark ]"

SHOUT = "[ action Player | Ball ] -> [ action Player | action Ball ]"
THREE = "[ > Player | Crate | Ball Mark ] -> [ > Player | > Crate | > Ball Mark ]"
PART = "[ > Player | Some ] -> [ > Player | > Some ]"
TWO = "Crate random Thing"
LEGEND = "& = Crate and Mark\n+ = Ball and Mark\nSome = Crate or Player"


@pytest.mark.parametrize(
    ("rules", "grid", "wins", "why"),
    [
        (RULES, "#p*.o#", WINS, ""),
        (RULES, "#p*#o#", WINS, "some `target` stays where it is for ever, and no `crate` ever comes there"),
        (RULES, "#p*.o#", "", "there is no condition to win by, and no rule that can apply commands a win"),
        (f"{RULES}\n[ Crate Target ] -> win", "#p*.o#", "", ""),
        (f"{RULES}\n[ Ball Target ] -> win", "#p*.o#", "", "there is no condition"),
        (RULES, "#pb.o#", "some Mark", ""),
        (RULES, "#p#b.#", "some Mark", "no `mark` ever comes to stand anywhere"),
        (RULES, "#pb.o#", "some Mark on Target", "no `mark` ever comes to stand where `target` does"),
        (RULES, "#pb.o#", "no Ball", ""),
        (RULES, "#p#b.#", "no Ball", "some `ball` stays where it is for ever"),
        # What must not be there is asked of what stays for ever: of walls, and not of a crate that goes.
        (f"{PUSH}\n[ Target no Crate ] -> [ Mark ]", "#p@..#", "some Mark", ""),
        ("[ Target no Wall ] -> [ Mark ]", "#p#o##", "no Target", ""),
        ("[ > Player | ... | Ball ] -> [ > Player | ... | Mark ]", "#p..b#", "some Mark", ""),
        ("[ > Player | ... | Ball ] -> [ > Player | ... | Mark ]", "#pb#..", "some Crate", "no `crate`"),
        # What comes where something was marked goes on its way.
        (f"{PUSH}\n[ Crate Mark ] -> [ Ball Mark ]", "#p&o#", "some Ball on Target", ""),
        (f"{SHOUT}\n[ Ball ] -> [ Crate ]\n[ action Crate ] -> [ Mark ]", "#pb.#", "some Mark", ""),
        # What asks for nothing is found everywhere.
        ("late [ ] -> [ Mark ]", "#p..#", "some Mark", ""),
        ("[ ] -> win", "#p..#", "", ""),
        # A mark left behind takes what comes there, and what chance adds goes with what is there.
        (f"{THREE}\n[ Mark ] -> [ Mark no Ball ]", "#p*+o#", "some Crate on Target", ""),
        (f"{PART}\n[ Player | Mark ] -> [ Player | {TWO} ]", "#pm.o#", "some Ball on Target", ""),
        ("late [ Player Target ] -> [ Player Mark Target ]", "#p..o#", "some Mark", ""),
        ("late [ Player Target ] -> [ Player Mark Target ]", "#p.#o#", "some Mark", "no `mark`"),
    ],
)
def test_what_is_told_of_a_map(rules: str, grid: str, wins: str, why: str) -> None:
    told = why_never_won(instance(rules, grid, wins=wins, legend=LEGEND), no_pause)
    assert told.startswith(why) and bool(told) == bool(why)


def test_search_says_so_at_once_and_check_warns() -> None:
    # A room in which the player can walk to many states, and a target behind a wall.
    room = "/".join(["#" * 12, "#p*..*..#.o#", *["#...*...#..#"] * 6, "#" * 12])
    result = ggp.solve(instance(RULES, room, wins=WINS), solver="search", time_limit=20)
    assert (result.stop, result.complete) == ("unsolvable", True)
    assert "no `crate` ever comes there" in result.note and result.sizes["states"] == 1
    found = puzzlescript.check(text(RULES, f"#p*.o#//{room}", wins=WINS).encode(), "two.txt")
    (warning,) = (one for one in found if "can never be won" in one.message)
    assert warning.severity == "warning" and "map 2" in warning.message and warning.place is not None
    assert text(RULES, f"#p*.o#//{room}", wins=WINS).splitlines()[warning.place.line - 1] == "#" * 12


def test_no_game_made_at_random_is_won_all_the_same() -> None:
    """All turns near the start of games that make no sense; half of these games are told to be never won."""
    told = won = 0
    for seed in range(900, 960):
        try:
            game, levels = puzzlescript.read(made(seed)[0].encode(), "random.txt")
        except PuzzleError:
            continue
        one = Instance(game, levels[0])
        wins, never = comes_to_win(one, 25), why_never_won(one, no_pause)
        assert not (wins and never), (seed, never)
        told, won = told + bool(never), won + wins
    assert told > 15 and won > 5


def comes_to_win(instance: Instance, most: int) -> bool:
    """Does one of so many turns win, those nearest to the start?"""
    turns = Turns(instance, no_pause)
    todo: list[Packed] = [turns.start()]
    tried = 0
    for before in todo:
        for action in all_actions(instance):
            tried += 1
            if tried > most:
                return False
            try:
                after = turns.turn(before, action.verb)
            except PuzzleError:
                continue  # a turn without an end
            if after.won:
                return True
            if after not in todo:
                todo.append(after)
    return False
