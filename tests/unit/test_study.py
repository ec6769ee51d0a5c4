"""`ggp study`: what is said of levels, held against a walk through the referee's states."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ggp
from ggp.errors import UnsupportedFeature
from ggp.explain.study import Studied, Study, study
from ggp.harness import studying
from ggp.harness.jobs import Settings
from ggp.harness.pool import Pool
from ggp.language.description import read_game
from ggp.language.levels import every
from ggp.model import Instance
from ggp.model.board import State
from ggp.model.result import OutOfTime
from ggp.referee.semantics import initial_state, is_goal, is_lost, legal_actions, step
from tests.commands import Ask
from tests.puzzlescript_games import PUSH, instance, text

GAME = """[ > Player | Crate ] -> [ > Player | > Crate ]
[ > Crate | Ball ] -> [ > Crate | > Ball ]
late [ Crate | Target | Crate ] -> [ Crate | Target Mark | Crate ]"""


def by_hand(one: Instance) -> tuple[int, int, int | None, int]:
    """(states, dead ones, fewest moves, runs that win in so many), by the referee alone."""
    start = initial_state(one)
    depth: dict[State, int] = {start: 0}
    ways: Counter[State] = Counter({start: 1})
    follow: dict[State, list[State]] = {}
    order = [start]
    for state in order:
        over = is_goal(one, state) or is_lost(one, state)
        follow[state] = [] if over else [step(one, state, action) for action in legal_actions(one, state)]
        for after in follow[state]:
            if after not in depth:
                depth[after] = depth[state] + 1
                order.append(after)
            if depth[after] == depth[state] + 1:
                ways[after] += ways[state]
    won = [state for state in order if is_goal(one, state)]
    alive = set(won)
    for _ in order:
        alive |= {state for state in order if alive & set(follow[state])}
    least = min((depth[state] for state in won), default=None)
    return len(order), len(order) - len(alive), least, sum(ways[s] for s in won if depth[s] == least)


def numbers(found: Studied) -> tuple[int, int | None, int | None, int]:
    """The same of what was said."""
    return found.states, found.dead, found.fewest, found.shortest or 0


LEVELS = {
    "pushing": lambda: ggp.load("sokoban/first"),
    "scan order": lambda: instance(GAME, "#######/#p*.o.#/#...###", wins="All Target on Crate"),
    "no way": lambda: instance(PUSH, "p#*.o"),
    "lost": lambda: instance(f"{PUSH}\nlate [ Player Target ] -> win", "p..o", wins=""),
}


@pytest.mark.parametrize("name", LEVELS)
def test_states_are_counted_as_the_referee_counts_them(name: str) -> None:
    """Those that can be reached, those from which nothing wins, and the shortest runs."""
    one = LEVELS[name]()
    found = study(one, None)
    assert found.whole and numbers(found) == by_hand(one)
    assert found.solvable is (found.fewest is not None) and found.proved is found.solvable


def test_where_a_level_is_lost_first() -> None:
    """Pushed up, the crate stands at the wall for good; the solution goes round it first."""
    found = study(instance(PUSH, "#####/#..##/#.*o#/#.p.#/#####", wins="All Target on Crate"), None)
    assert found.plan is not None and found.lost_at == 1 and found.lost_by == "up"
    assert found.difficulty == "easy" and found.bits


def test_what_is_never_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that never applies, and a kind that is on no board; over all levels of the file."""
    file = tmp_path / "idle.txt"
    file.write_text(text(GAME, "p*o//p.*bo"))
    report = studying.study_all("idle.txt", every(str(file)), Settings(20), None, lambda _: None)
    assert report.whole and report.answered
    assert report.idle_rules() == ["line 45"] and report.unused_kinds() == ["mark", "wall"]
    assert list(studying.lines(report))[0] == "rules that do something in no state: line 45"
    monkeypatch.setattr(studying, "MOST_NAMED", 1)
    assert list(studying.lines(report))[1].endswith("mark and 1 more (--json has all)")


def test_rules_that_did_something_are_those_of_the_game() -> None:
    """What counts on the whole board is compiled to rules of its own, which nobody has written."""
    assert study(ggp.load("vault/first"), None).fired == ("walk", "unlock")


IDLE = """
name = "idle"
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
[input]
moves = ["right"]
[[turn]]
rules = '''
walk: me here, no wall ahead => me here -> ahead
rest: me here => stay
'''
[[physics]]
rules = "build: me here, inside right => add wall right"
[goal]
win = ["count me = 2"]
[[level]]
map = "{row}"
"""


@pytest.mark.parametrize(("row", "fired"), [("@.", ("walk",)), ("@#", ()), ("@..", ("walk", "build"))])
def test_rules_of_turns_of_which_nothing_comes_did_not_fire(row: str, fired: tuple[str, ...]) -> None:
    """A turn that changes nothing is no move, and neither is one in which rules collide."""
    game, (level,) = read_game(IDLE.replace("{row}", row).encode(), "idle.toml")
    assert study(Instance(game, level), None).fired == fired


def test_a_level_that_is_won_at_once() -> None:
    """The first turn wins it, also one that does nothing else."""
    assert study(instance(PUSH, "p.@"), None).won_at_start
    assert not study(instance(PUSH, "p*o"), None).won_at_start


def test_what_was_not_finished_is_said() -> None:
    """After no time there is a first state, and a solver to ask."""
    one = instance(GAME, "p.*.*./....../.*.*../..o..o", wins="All Target on Crate")
    told: list[Studied] = []
    found = study(one, 0.01, tell=told.append)
    assert not found.whole and found.dead is None and found.lost_at is None and found.note
    assert studying.states(found.to_json()) == f"at least {found.states:,}"
    (before,) = told
    assert before.solvable is None and studying.fewest(before.to_json()) == f"at least {before.at_least}"


def test_the_clock_is_asked_at_each_state() -> None:
    """In a game whose turns are slow a thousand states took longer than all that may be taken."""
    level = Study(ggp.load("vault/first"), None, None)
    asked = iter((None, None, OutOfTime()))

    def look() -> None:
        if (error := next(asked)) is not None:
            raise error

    level.clock.look = look
    level.explore()
    assert level.expanded == 2 and not level.whole


def test_what_was_seen_in_time_is_told_although_time_is_up_then() -> None:
    """The first loss is looked for when all states were seen, and asks for turns."""
    level = Study(instance(PUSH, "..../.*.o/.p.."), None, None)
    level.explore()
    level.clock.limit = 0.0
    found = level.told(None, True, True)
    assert found.whole and (found.lost_at, found.lost_by) == (1, "up")


def test_what_is_placed_is_not_studied() -> None:
    """It is refused by name."""
    with pytest.raises(UnsupportedFeature, match="an input each turn"):
        study(ggp.load("queens/6"), 1.0)


def test_where_no_level_was_studied_nothing_is_said_of_rules() -> None:
    """Whether they do anything was not looked at."""
    one, unfit = ggp.load("lemmings/seed"), {"stop": "unsupported", "note": "it takes no input"}
    report = studying.Report("a.toml", (one,), (unfit,), Settings())
    assert list(studying.lines(report)) == ["seed: it takes no input"]
    assert (report.idle_rules(), report.unused_kinds()) == ([], [])


def test_the_command(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data, a table and a page; a folder that was studied is not studied again."""
    file, folder = tmp_path / "two.txt", tmp_path / "out"
    file.write_text(text(PUSH, "#p*.o#//p#*.o"))
    made = ask("study", str(file), "-o", str(folder), "--json")
    one, other = made.data["levels"]
    assert (one["fewest"], one["proved"], one["shortest"], one["plan"]) == (2, True, 1, ["right", "right"])
    assert (other["solvable"], other["fewest"], other["whole"]) == (False, None, True)
    page = (folder / "index.html").read_text()
    assert "1 of 2 levels can be solved" in page and page.count('class="card play"') == 2
    assert 'data-plan="1"' in page and "No solution is known." in page and "The rules" not in page
    monkeypatch.setattr(Pool, "start", lambda self, job: pytest.fail("it was studied before"))
    again = ask("study", str(file), "-o", str(folder))
    assert again.status == 0 and "fewest moves" in again.out and "not known" not in again.out


def test_a_page_of_another_is_not_written_over(ask: Ask, tmp_path: Path) -> None:
    """The folder holds something else."""
    (tmp_path / "index.html").write_text("mine")
    answer = ask("study", "sokoban/first", "-o", str(tmp_path))
    assert answer.status == 2 and "is from no study" in answer.err
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_file_that_was_changed_is_studied_again(ask: Ask, tmp_path: Path) -> None:
    """What stands in the folder is of the rules as they were."""
    file, folder = tmp_path / "one.txt", tmp_path / "out"
    for rules, fewest in ((PUSH, 2), ("[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]", 1)):
        file.write_text(text(rules, "#p.*o#"))
        (level,) = ask("study", str(file), "-o", str(folder), "--json").data["levels"]
        assert level["fewest"] == fewest


VGDL = """\
BasicGame
    SpriteSet
        exit > Door
        ghost > Immovable
        fire > Immovable
        avatar > {avatar}
        wall > Immovable
    LevelMapping
        x > exit
        f > fire
    InteractionSet
        avatar wall > stepBack
        avatar fire > killSprite
        exit ghost > killSprite
        exit avatar > killSprite
    TerminationSet
        SpriteCounter stype=avatar win=False
        SpriteCounter stype=exit win=True
"""


@pytest.mark.parametrize("avatar", ["MovingAvatar", "OrientedAvatar"])
def test_a_game_that_was_read_is_told_of_in_its_own_words(avatar: str, tmp_path: Path) -> None:
    """By lines and types of the file, in few rules (what moves faces nowhere) and pass by pass."""
    file = tmp_path / "idle.txt"
    file.write_text(VGDL.format(avatar=avatar))
    (tmp_path / "idle_lvl0.txt").write_text("wwwww\nw.Axw\nwwwww\n")
    report = studying.study_all("idle.txt", every(str(file)), Settings(20), None, lambda _: None)
    assert report.whole and report.unused_kinds() == ["ghost", "fire"]
    assert report.idle_rules() == ["killSprite (line 13)", "killSprite (line 14)"]
