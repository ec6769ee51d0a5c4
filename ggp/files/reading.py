"""Files that people give us, as bytes, as text and as JSON; what cannot be that is refused with its position.

Everything that the project reads for a user comes through here: regular files only (a pipe may never end, a
device has no end), no more than so many bytes, nothing nested too deeply.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from ggp.errors import DescriptionError, Place, UnknownName

LARGEST = 1_000_000  # bytes
LONGEST_LINE = 10_000  # characters: keeps the reading of hostile files from taking long
DEEPEST = 20  # brackets around a value of JSON; ours have six
MOST_DIGITS = 1000
JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def file_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file, at most one past the limit, which `decoded` and `json_value` then refuse.

    Raises UnknownName if there is no such file, DescriptionError if it cannot be read or is not a regular
    file.
    """
    place = Place(str(path))
    try:
        if path.is_dir():
            raise DescriptionError("this is a directory", "name a file in it", place)
        if not path.exists():
            near = near_files(path)
            hint = f"did you mean {' or '.join(near)}?" if near else "check the path"
            if path.is_symlink():
                message = f"{str(path)[:300]!r} is a link to a file that is not there"
                raise UnknownName(message, "mend the link, or name the file")
            raise UnknownName(f"there is no file {str(path)[:300]!r}", hint)
        # Opened before it is looked at, so that it is still the same; opening a pipe may wait for ever.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                remedy = "name a file; what comes from a pipe or a device can be written to one first"
                raise DescriptionError("this is not a regular file", remedy, place)
            return stream.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DescriptionError(f"the file cannot be read: {reason}", "", Place(str(path)[:300])) from None


def near_files(path: Path) -> list[str]:
    """Files in the same folder with nearly that name."""
    if not path.parent.is_dir():
        return []
    names = [other.name for other in path.parent.iterdir()]
    return [str(path.parent / name) for name in difflib.get_close_matches(path.name, names, n=2)]


def decoded(data: bytes, file: str) -> str:
    """The text of a file's bytes, with line breaks as `\\n`.

    Raises DescriptionError, with a position, where it is not UTF-8 text or too much of it.
    """
    if len(data) > LARGEST:
        raise DescriptionError(
            f"the file is larger than the limit of {LARGEST} bytes",
            "split it: levels can stand in files of their own",
            end_of(data[:LARGEST].decode("utf-8", "replace"), file),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `error.object` begins after a byte order mark, as the columns of editors do.
        before = error.object[: error.start].decode("utf-8", "replace")
        message = f"the byte 0x{error.object[error.start]:02x} is not UTF-8"
        raise DescriptionError(message, "save the file as UTF-8", end_of(before, file)) from None
    # As the standard library does; it moves no line and no column.
    text = text.replace("\r\n", "\n")
    if "\0" in text:
        place = end_of(text[: text.index("\0")], file)
        raise DescriptionError("there is a NUL character here", "is this a text file?", place)
    if not text.strip():
        raise DescriptionError("the file is empty", "see descriptions/ for examples", Place(file))
    refuse_long_lines(text, file)
    return text


def end_of(before: str, file: str) -> Place:
    """The place just after a text."""
    return Place(file, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def refuse_long_lines(text: str, file: str) -> None:
    """Raise DescriptionError for a line that nobody has written by hand."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            message = f"this line has {len(line)} characters, the limit is {LONGEST_LINE}"
            remedy = "break it into several lines, or write the level in another form"
            raise DescriptionError(message, remedy, Place(file, number, LONGEST_LINE + 1))


# --- JSON ---------------------------------------------------------------------------------------------------


def json_value(data: bytes, file: str, largest: int = LARGEST) -> Any:
    """The value of a file of JSON: its numbers are finite, its texts can be written again, no key is twice.

    Raises DescriptionError, with a position where there is one, for what is too large, no JSON, or nested
    more than `DEEPEST` levels deep.
    """
    if len(data) > largest:
        message = f"the file is larger than the limit of {largest:,} bytes"
        raise DescriptionError(message, "is this the right file?", Place(file))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"this is not JSON: the byte 0x{error.object[error.start]:02x} is not UTF-8"
        place = end_of(error.object[: error.start].decode("utf-8", "replace"), file)
        raise DescriptionError(message, "save the file as UTF-8", place) from None
    if depth(text) > DEEPEST:
        message = f"arrays or objects are nested more than {DEEPEST} levels deep"
        raise DescriptionError(message, "is this the right file?", Place(file))
    try:
        value = strict_json(text)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = Place(file, error.lineno, error.colno)
        raise DescriptionError(f"this is not JSON: {error.msg}", "is this the right file?", place) from None
    except ValueError as error:  # also of one half of a surrogate pair
        message = f"this is not JSON that can be used: {str(error)[:200]}"
        raise DescriptionError(message, "is this the right file?", Place(file)) from None
    return value


def strict_json(text: str) -> Any:
    """The value of a text of JSON. Raises ValueError for what is none, for numbers that have no end or too
    many digits, and for a key that stands twice.
    """
    return json.loads(
        text, parse_constant=no_number, parse_float=finite, parse_int=whole, object_pairs_hook=keyed
    )


def depth(text: str) -> int:
    """How many brackets stand around the innermost value of a text of JSON."""
    now = deepest = 0
    for bracket in re.findall(r"[][{}]", JSON_STRING.sub("", text)):
        now += 1 if bracket in "[{" else -1
        deepest = max(deepest, now)
    return deepest


def keyed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object by its keys; raises ValueError where one stands twice, of which the first would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice in an object")
    return found


def no_number(word: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which are no JSON."""
    raise ValueError(f"{word} is no number")


def whole(text: str) -> int:
    """A whole number; raises ValueError where it has more digits than anybody counts with."""
    if len(text) > MOST_DIGITS:
        raise ValueError(f"{text[:20]}... is a number of {len(text):,} digits")
    return int(text)


def finite(text: str) -> float:
    """A number with a point or an exponent; raises ValueError where it is too large for one."""
    number = float(text)
    if number in (float("inf"), -float("inf")):
        raise ValueError(f"{text[:40]} is too large a number")
    return number
