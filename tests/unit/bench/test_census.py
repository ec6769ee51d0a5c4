"""The census of a folder of PuzzleScript files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ggp.bench import BENCHES, census
from ggp.bench.census import plays, rows
from ggp.engines import puzzlescript as engine
from ggp.errors import DescriptionError
from ggp.harness.jobs import Job
from ggp.harness.pool import Event
from ggp.harness.records import Record
from ggp.harness.runner import answers
from tests.commands import Ask
from tests.puzzlescript_games import PUSH, text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two levels of which one has no solution, chance, a file that is none, and one that is no game."""
    (tmp_path / "two.txt").write_text(text(PUSH, "#p*.o#//#p.*##/#.o..#"))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "dice.ps").write_text(text("[ > Player ] -> [ > Player random Thing ]", "p.*"))
    (tmp_path / "broken.txt").write_text("title broken\nOBJECTS\n")
    (tmp_path / "picture.png").write_bytes(b"no text")
    return tmp_path


def test_a_folder_is_counted(ask: Ask, folder: Path) -> None:
    """What is not taken says why; what is refused, unsolvable and solved is told apart."""
    made = ask("bench", "census", str(folder), "--time-limit", "4", "--json")
    found = made.data
    games = {one["file"]: one for one in found["games"]}
    assert set(games) == {"two.txt", "sub/dice.ps", "broken.txt"}
    assert "no collision layers" in games["broken.txt"]["said"]
    assert games["sub/dice.ps"]["refused"] == games["sub/dice.ps"]["levels"] == 1
    two = games["two.txt"]
    assert (two["levels"], two["solved"], two["unsolvable"]) == (2, 1, 1)
    totals = found["totals"]
    assert (totals["files"], totals["compiled"], totals["levels"], totals["solved"]) == (3, 2, 3, 1)
    assert totals["hangs"] == totals["overruns"] == totals["failed"] == totals["differing"] == 0
    plays = engine.available() is None
    assert (totals["replayed"], totals["unplayed"]) == ((1, 0) if plays else (0, 1))
    assert made.status == 0


def test_a_census_goes_on_where_it_was(
    ask: Ask, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What stands in its folder is not asked again, a file that was changed is; the rows are a table."""
    kept = tmp_path_factory.mktemp("kept")
    command = ("bench", "census", str(folder), "--time-limit", "4", "--json", "-o", str(kept))
    first = ask(*command).data["totals"]
    journal = (kept / "census.jsonl").read_bytes().splitlines()
    assert len(journal) == 3
    (kept / "census.jsonl").write_bytes(b"\n".join(journal[:2]) + b"\n{half")  # as after a kill
    second = ask(*command).data["totals"]
    assert {**second, "seconds": 0} == {**first, "seconds": 0}
    again = (kept / "census.jsonl").read_bytes().splitlines()
    assert (again[:2], len(again)) == (journal[:2], 3)
    (folder / "two.txt").write_text(text(PUSH, "#p*.o#"))
    ask(*command)
    assert len((kept / "census.jsonl").read_bytes().splitlines()) == 4
    table = [line.split(",") for line in (kept / "census.csv").read_text().splitlines()]
    levels = table[0].index("levels")
    assert {row[0]: row[levels] for row in table[1:]} == {
        "broken.txt": "0",
        "two.txt": "1",
        "sub/dice.ps": "1",
    }


def test_an_answer_is_kept_before_the_next_one_comes() -> None:
    """A census that is interrupted in a long file loses the level that it is at."""

    class Interrupted:
        busy, free = 1, True

        def start(self, job: Job) -> None:
            self.job = job
            self.free = False

        def events(self, timeout: float) -> Iterator[Event]:
            yield self.job, "done", {"stop": "unsolvable"}
            raise KeyboardInterrupt

    jobs = [Job("solve", "search", str(number), None) for number in range(2)]
    kept: dict[str, Record] = {}
    with pytest.raises(KeyboardInterrupt):
        answers(Interrupted(), jobs, kept.__setitem__)
    assert list(kept) == ["0"]


def test_a_plan_that_does_not_win_in_the_engine_is_seen() -> None:
    """The plan of another level."""
    if engine.available() is not None:
        pytest.skip("there is no PuzzleScript engine here")
    one = rows.Counted("wrong.txt", levels=1, solved=1, plans=[(0, ["left"]), (0, ["right", "right"])])
    plays.replayed([one], {"wrong.txt": text(PUSH, "#p*.o#")}, lambda _: None)
    assert (one.replayed, one.differing, one.unplayed) == (1, 1, 0)
    of_2015, todays = (list(census.lines(census.Census((one,), 5.0, name))) for name in ("old", engine.HOME))
    assert engine.HOME in of_2015[-1] and len(todays) == len(of_2015) - 1


def test_a_plan_that_waits_is_played_in_the_engine() -> None:
    """Where time goes on by itself a tick is an input."""
    if engine.available() is not None:
        pytest.skip("there is no PuzzleScript engine here")
    rules = "right [ Player ] -> [ > Player ]\nlate [ Player Target ] -> win"
    game = text(rules, "p.o", prelude="realtime_interval 0.5")
    one = rows.Counted("waits.txt", levels=1, solved=1, plans=[(0, ["tick", "tick"]), (0, ["tick"])])
    plays.replayed([one], {"waits.txt": game}, lambda _: None)
    assert (one.replayed, one.differing, one.unplayed) == (1, 1, 0)


def test_a_file_that_is_read_for_ever_is_left(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Its process is ended."""
    monkeypatch.setattr(census.puzzlescript, "read", lambda data, file: time.sleep(60))
    began = time.monotonic()
    assert census.apart(folder / "two.txt", 0.3) == "it was not read within 0.3 s"
    assert time.monotonic() - began < 10


def test_what_takes_too_long_is_counted() -> None:
    """By what it took, and by who ended it."""
    one = rows.Counted("slow.txt", levels=2)
    record = {"plans": [], "stop": "time-limit", "note": "", "seconds": 5.4}
    one.take(0, record, 5.0)
    one.take(1, {**record, "seconds": 7.6, "note": f"{rows.NOT_ENDED} within 5 s and was ended"}, 5.0)
    assert (one.out_of_time, one.overruns, one.hangs) == (2, 1, 1)
    assert not census.Census((one,), 5.0, "").sound


def test_a_file_that_cannot_be_read_is_no_end_of_a_census(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says why, as one does that is no game."""

    def locked(path: Path) -> bytes:
        raise DescriptionError("the file cannot be read: Permission denied")

    monkeypatch.setattr(census, "file_bytes", locked)
    (tmp_path / "locked.txt").write_text("title locked")
    (one,) = census.census(tmp_path, None, 1).games
    assert "Permission denied" in one.said


def test_a_folder_must_hold_a_game(ask: Ask, tmp_path: Path) -> None:
    """Else there is nothing to count."""
    made = ask("bench", "census", str(tmp_path))
    assert made.status == 2 and "no PuzzleScript file" in made.err
    assert ask("bench", "census").status == 2
    assert "did you mean census" in ask("bench", "cencus").err
    assert ask("bench", "seed", str(tmp_path)).status == 2


def test_no_option_is_passed_over(ask: Ask, tmp_path: Path) -> None:
    census_alone = ask("bench", "census", str(tmp_path), "--games", "sokoban")
    assert census_alone.status == 2 and "--games does not go with census" in census_alone.err
    others = ask("bench", "seed", "--workers", "2")
    assert others.status == 2 and "--workers does not go with seed" in others.err


def test_the_help_names_every_benchmark(ask: Ask) -> None:
    words = set(ask("bench", "--help").out.replace(",", " ").replace("`", " ").split())
    assert {*BENCHES, "census"} <= {word.rstrip(".") for word in words}
