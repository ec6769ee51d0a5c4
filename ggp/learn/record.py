"""Recorded play: one JSON object a line. docs/recorded-play.md describes the form.

A line `{"start": BOARD, ...}` begins a run, each line `{"input": WORD, "board": BOARD, ...}` after it is a
step. A board is a list of rows, a row a list of cells, a cell a list of the names of what stands there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.files.reading import strict_json
from ggp.learn.boards import Board, Episode, Placed, Step, board_of, word_of

LARGEST = 200_000_000  # bytes of a file
LONGEST = 4_000_000  # characters of a line
SIDE = 200  # rows or columns of a board
STACK = 40  # tokens in a cell
NAME = 200  # characters of a token or an input
FRAMES = 1_000  # boards inside one turn
START_KEYS = frozenset({"start", "level", "won", "lost", "placed", "refused"})
STEP_KEYS = frozenset({"input", "board", "refused", "won", "lost", "frames"})
FORM = "docs/recorded-play.md describes the form; `ggp replay --record FILE` writes it"


class RecordError(DescriptionError):
    """A file of recorded play is not one; the place is the line."""


def read_episodes(path: Path) -> list[Episode]:
    """The runs of a file; raises RecordError naming the line."""
    place = Place(str(path)[:300])
    try:
        if path.is_dir():
            raise RecordError("this is a directory", "name a file in it", place)
        if not path.is_file():
            raise RecordError("there is no such file of recorded play", "check the path", place)
        if path.stat().st_size > LARGEST:
            raise RecordError(f"the file is larger than {LARGEST:,} bytes", "split it", place)
        with path.open("rb") as stream:
            return episodes_of(stream, str(path))
    except OSError as error:
        raise RecordError(f"the file cannot be read: {error.strerror}", "", place) from None


def episodes_of(lines: Iterable[bytes], file: str = "recorded play") -> list[Episode]:
    """The runs that some lines hold; raises RecordError naming the line. Empty lines are passed over."""
    runs: list[tuple[Episode, list[Step]]] = []
    for number, line in enumerate(lines, start=1):
        place = Place(file, number)
        if not line.strip():
            continue
        item = parsed(line, place)
        if "start" in item:
            runs.append((start_from(item, place), []))
            continue
        if not runs:
            raise RecordError("a step comes before any start", f"begin a run with a start; {FORM}", place)
        if runs[-1][0].refused:
            raise RecordError("a step comes after a start that was refused", FORM, place)
        runs[-1][1].append(step_from(item, runs[-1][0].start, place))
    if not runs:
        raise RecordError("the file holds no run", FORM, Place(file))
    return [replace(head, steps=tuple(steps)) for head, steps in runs]


def parsed(line: bytes, place: Place) -> dict[str, Any]:
    """One line as a JSON object."""
    if len(line) > LONGEST:
        raise RecordError(f"the line is longer than {LONGEST:,} bytes", "write one step a line", place)
    try:
        item = strict_json(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        place = replace(place, column=getattr(error, "colno", 0))
        usable = "" if isinstance(error, json.JSONDecodeError) else " that can be used"
        message = f"the line is not JSON{usable}: {getattr(error, 'msg', str(error))[:120]}"
        raise RecordError(message, "is the file cut off here? take the line out", place) from None
    if not isinstance(item, dict):
        raise RecordError("a line holds one JSON object", FORM, place)
    return item


def known(item: dict[str, Any], keys: frozenset[str], place: Place) -> None:
    """Raise RecordError for a key that is not of the form."""
    unknown = item.keys() - keys
    if unknown:
        message = f"there is no key {min(unknown)[:60]!r} here"
        raise RecordError(message, f"the keys are {', '.join(sorted(keys))}", place)


def flag(item: dict[str, Any], key: str, place: Place) -> bool | None:
    """A flag that is true, false, or not told."""
    value = item.get(key)
    if value is not None and not isinstance(value, bool):
        raise RecordError(f"`{key}` is true or false, not {str(value)[:40]!r}", FORM, place)
    return value


def level(item: dict[str, Any], place: Place) -> str:
    """The name of a run's level."""
    value = item.get("level", "")
    if not isinstance(value, str) or len(value) > NAME:
        raise RecordError("`level` is a short text", FORM, place)
    return value


def start_from(item: dict[str, Any], place: Place) -> Episode:
    """A run that has no steps yet."""
    known(item, START_KEYS, place)
    start = board_from(item["start"], place)
    refused = flag(item, "refused", place) or False
    placed = placed_from(item.get("placed", []), start, refused, place)
    if refused and not placed:
        raise RecordError("what was refused is not said", "give `placed`", place)
    won, lost = flag(item, "won", place), flag(item, "lost", place)
    return Episode(start, (), won, lost, level(item, place), placed, refused)


def placed_from(data: Any, start: Board, refused: bool, place: Place) -> tuple[Placed, ...]:
    """What was placed before a run, from JSON data; it stands on the start board unless it was refused."""
    if not isinstance(data, list) or len(data) > SIDE * SIDE:
        raise RecordError("`placed` is a list of [row, column, name]", FORM, place)
    found = []
    for item in data:
        cell, name = (item[:2], item[2]) if isinstance(item, list) and len(item) == 3 else ([], None)
        whole = all(isinstance(side, int) and not isinstance(side, bool) for side in cell)
        if not cell or not whole or not isinstance(name, str) or not 0 < len(name) <= NAME:
            raise RecordError("`placed` is a list of [row, column, name]", FORM, place)
        one = Placed((cell[0], cell[1]), name)
        if not refused and name not in (start.at(one.cell) or ()):
            message = f"{name[:60]} is said to be placed on {one.cell}, and is not there"
            raise RecordError(message, "the start is the board with what was placed", place)
        found.append(one)
    return tuple(found)


def word_from(word: Any, board: Board, place: Place) -> str | None:
    """An input from JSON data; what it points at is on the board."""
    if word is None:
        return None
    if not isinstance(word, str) or not 0 < len(word) <= NAME:
        raise RecordError("`input` is a short text, or null where nothing is put in", FORM, place)
    cell = word_of(word).cell
    if cell is not None and not board.inside(cell):
        message = f"`{word[:60]}` points beyond the board, which has {board.height}x{board.width}"
        raise RecordError(message, "rows and columns begin at 0 at the top left", place)
    return word


def step_from(item: dict[str, Any], start: Board, place: Place) -> Step:
    """One step of a run that began on `start`."""
    known(item, STEP_KEYS, place)
    if "board" not in item:
        raise RecordError("the step has no board", FORM, place)
    word = word_from(item.get("input"), start, place)
    after = board_from(item["board"], place)
    if (after.height, after.width) != (start.height, start.width):
        sides = f"{after.height}x{after.width}, and the run began on {start.height}x{start.width}"
        raise RecordError(f"the board has {sides}", "a board keeps its size during a run", place)
    frames = item.get("frames", [])
    if not isinstance(frames, list) or len(frames) > FRAMES:
        raise RecordError(f"`frames` is a list of at most {FRAMES} boards", FORM, place)
    inside = tuple(board_from(frame, place) for frame in frames)
    if any((one.height, one.width) != (start.height, start.width) for one in inside):
        raise RecordError("a frame has another size than the board", FORM, place)
    refused = flag(item, "refused", place) or False
    return Step(word, after, refused, flag(item, "won", place), flag(item, "lost", place), inside)


def board_from(data: Any, place: Place) -> Board:
    """A board from JSON data."""
    if not isinstance(data, list) or not data or not all(isinstance(row, list) and row for row in data):
        raise RecordError("a board is a list of rows, a row a list of cells", FORM, place)
    if len(data) > SIDE or max(map(len, data)) > SIDE:
        raise RecordError(f"a board has at most {SIDE} rows and columns", "record a smaller one", place)
    if len({len(row) for row in data}) != 1:
        raise RecordError("the rows of the board differ in length", "fill them up", place)
    for row in data:
        for cell in row:
            if not isinstance(cell, list) or len(cell) > STACK:
                raise RecordError(f"a cell is a list of at most {STACK} names", FORM, place)
            if not all(isinstance(name, str) and 0 < len(name) <= NAME for name in cell):
                raise RecordError(f"a name is a text of 1 to {NAME} characters", FORM, place)
    return board_of(data)


# --- writing ----------------------------------------------------------------------------------------------


def lines_of(episodes: Iterable[Episode]) -> Iterator[str]:
    """The lines of a file of recorded play."""
    for episode in episodes:
        head = {
            "start": episode.start.rows(),
            "placed": [[*put.cell, put.token] for put in episode.placed] or None,
            "refused": episode.refused or None,
            "level": episode.level or None,
        }
        yield line({**head, "won": episode.won, "lost": episode.lost})
        for step in episode.steps:
            item = {
                "board": step.after.rows(),
                "refused": step.refused or None,
                "won": step.won,
                "lost": step.lost,
                "frames": [frame.rows() for frame in step.frames] or None,
            }
            yield line({"input": step.word, **item}, keep=("input",))


def line(item: dict[str, Any], keep: tuple[str, ...] = ()) -> str:
    """One line; what is not told is left out."""
    told = {key: value for key, value in item.items() if value is not None or key in keep}
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False) + "\n"


def write_episodes(path: Path, episodes: Iterable[Episode]) -> None:
    """Write a file of recorded play, whole or not at all."""
    from ggp.files.writing import write_whole

    write_whole(path, "".join(lines_of(episodes)).encode())
