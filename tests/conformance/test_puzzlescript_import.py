"""Games that come in, held against PuzzleScript itself: recorded plays, and small games in a real engine.

The plays are those of the engine's own tests. They are not part of this project; they are looked for in the
folder `shared` beside it, or in the file that `PUZZLESCRIPT_PLAYS` names, one JSON object a line: `name`,
`src`, `lev` (the screen), `inp`, `want` (the last board) and perhaps `seed`. Without them the test says that
it was not run. The same is true of the engine (`ggp.engines.puzzlescript`).
"""

from __future__ import annotations

import gzip
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ggp.engines import puzzlescript as engine
from ggp.errors import DescriptionError, SolverError
from ggp.exporters.puzzlescript.recording import board_text, record_of
from ggp.importers import puzzlescript
from ggp.model import Instance, Plan
from ggp.model.board import State, width
from ggp.referee.keys import Played, play, with_seed
from ggp.referee.trajectory import replay
from ggp.transition.scanned import KeepsOrder, cut_passes
from tests.passes_alike import walk
from tests.puzzlescript_games import PUSH, current_engine, instance, text
from tests.slow import few_or_many

BESIDE = Path(__file__).parents[3] / "shared/data/puzzlescript/plays-train.jsonl.gz"
PLAYS = Path(os.environ.get("PUZZLESCRIPT_PLAYS", BESIDE))
KEYS = ("up", "left", "down", "right", "action")
SHORT = 4_000  # characters of a source, times inputs below: what is quick
Record = dict[str, Any]


def plays() -> Iterator[Record]:
    """The recorded plays."""
    with gzip.open(PLAYS, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def maps_before(source: str, screen: int) -> int:
    """How many maps come before a screen; the messages between them are screens, too."""
    return sum(puzzlescript.screens(source.encode(), "play.txt")[:screen])


def written(instance: Instance, state: State) -> str:
    """A board as the plays write it."""
    return board_text([[piece.kind for piece in here] for here in state.board], width(instance))


def played(record: Record) -> Played:
    """A recorded play, played here."""
    game, kept = puzzlescript.read(record["src"].encode(), "play.txt")
    first = maps_before(record["src"], int(record["lev"]))
    instances = [Instance(game, level) for level in kept[first:]]
    if record.get("seed") is not None:
        instances = [with_seed(one, str(record["seed"])) for one in instances]
    return play(instances, [word if isinstance(word, str) else KEYS[word] for word in record["inp"]])


@pytest.mark.skipif(not PLAYS.is_file(), reason=f"there are no recorded plays at {PLAYS}")
@few_or_many("most", SHORT, 10**9)
def test_recorded_plays_end_in_the_recorded_board(most: int) -> None:
    """Each one, whatever it needs; only what the editor's compiler refuses is refused here."""
    came, wrong, refused = Counter[str](), [], []
    for record in plays():
        if len(record["src"]) * max(1, len(record["inp"]) // 20) > most:
            continue
        try:
            end = played(record)
        except DescriptionError:
            refused.append(record["name"])
            continue
        right = written(end.instance, end.state) == record["want"]
        came["right" if right else "wrong"] += 1
        wrong += [] if right else [record["name"]]
    assert not wrong, f"{came['right']} plays end as recorded, {len(refused)} are refused"
    assert came["right"] > 30
    assert len(refused) <= came["right"] // 20


@pytest.mark.skipif(not PLAYS.is_file(), reason=f"there are no recorded plays at {PLAYS}")
@few_or_many("asked", (1_500, 5), (10**9, 100))
def test_passes_of_recorded_games_do_the_same(asked: tuple[int, int]) -> None:
    """Of each game that can be passes, the first level is played at random as both."""
    most, turns = asked  # characters of a source, turns of a game
    tried = 0
    for source in dict.fromkeys(record["src"] for record in plays()):
        if len(source) > most:
            continue
        try:
            game, kept = puzzlescript.read(source.encode(), "play.txt")
            one = next(Instance(game, level) for level in kept)
            cut_passes(one)
        except (DescriptionError, KeepsOrder):
            continue
        tried += walk(one, turns, random.Random(source))
    assert tried >= turns * 10


# --- small games in a real engine ---------------------------------------------------------------------------

RULES = [
    PUSH,
    f"{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]",
    "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "[ moving Player ] [ Crate ] -> [ moving Player ] [ moving Crate ]",
    "late [ Crate | Crate | Crate ] -> [ Ball | | Mark ]",
    f"{PUSH}\nlate [ Crate Target ] [ Ball ] -> [ Crate Target ] [ ]",
    "[ > Player | Thing | no Thing ] -> [ | > Player | Thing ]",
    "[ > Player | Ball ] -> [ > Player | ^ Ball ]",
    "startloop\n[ > Thing | Thing ] -> [ > Thing | > Thing ]\n"
    "[ > Player | Thing ] -> [ > Player | > Thing ]\nendloop",
    "[ Ball ] -> [ down Ball ]\n[ > Player | Crate ] -> cancel",
    f"{PUSH}\n+ [ > Crate | Ball ] -> [ > Crate | < Ball ]\nlate [ Ball | Mark ] -> [ Mark | Ball ]",
    f"rigid {PUSH}\n+ rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
]


def drawn(rng: random.Random) -> str:
    """A map of four rows by five, with one player."""
    cells = [rng.choice("....**bmo#") for _ in range(20)]
    cells[rng.randrange(20)] = "p"
    return "/".join("".join(cells[start : start + 5]) for start in range(0, 20, 5))


@pytest.mark.skipif(not current_engine(), reason=f"{engine.HOME} names no checkout of today's engine")
def test_small_games_go_as_in_the_engine() -> None:
    """After every input the same things stand in the same cells."""
    rng = random.Random(14)
    cases, jobs = [], []
    for rule in RULES:
        for _ in range(6):
            maps = drawn(rng)
            words = [rng.choice([*KEYS, "undo", "restart"]) for _ in range(12)]
            source = text(rule, maps, wins="")
            cases.append((instance(rule, maps, wins=""), words))
            jobs.append(engine.Job(source, [(0, words)]))
    for (one, words), game in zip(cases, engine.play(jobs), strict=True):
        assert not game.faults
        last = {frame.key: frame.cells for frame in game.runs[0].shown()}
        for key, cells in last.items():
            board = play([one], words[: key + 1]).state.board
            assert [{piece.kind for piece in here} for here in board] == [set(cell) for cell in cells]


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
@pytest.mark.parametrize("commands", ["message there", "win message there"])
def test_a_message_does_not_put_off_a_win_where_it_is_judged_as_by_the_tests_of_the_engine(
    commands: str,
) -> None:
    wins = "" if "win" in commands else "Some Target on Crate"
    spoken = text(f"{PUSH}\nlate [ Crate Target ] -> {commands}", "#p*o#", wins=wins)
    ends = [engine.play([engine.Job(spoken, [(0, ["right"])], tests)])[0].runs[0] for tests in (False, True)]
    assert [end.frames[-1]["won"] for end in ends] == [False, True]
    assert all(end.frames[-1]["message"] == "there" for end in ends)
    first = puzzlescript.read(spoken.encode(), "spoken.txt")
    assert replay(Instance(first[0], first[1][0]), Plan((), ("right",))).won


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
@pytest.mark.skipif(not PLAYS.is_file(), reason=f"there are no recorded plays at {PLAYS}")
def test_plays_are_recorded_as_the_engine_does() -> None:
    """Short plays made into records again: the board is the one that was recorded."""
    some = [one for one in plays() if len(one["src"]) < 4_000 and "random" not in one["src"].lower()]
    same, other = 0, list[str]()
    for record in [one for one in some if set(one["inp"]) <= set(range(5))][:30:3]:
        keys = [KEYS[number] for number in record["inp"]]
        with suppress(SolverError):  # what the engine of 2015 complains of
            made = record_of(record["name"], record["src"], record["lev"], keys)
            right = made == [record["name"], [record[part] for part in ("src", "inp", "want", "lev")]]
            same += right
            other += [] if right else [record["name"]]
    assert same >= 6 and not other
