"""Files that people give us, as bytes and as text; what cannot be text is refused with its position."""

from __future__ import annotations

import difflib
from pathlib import Path

from ggp.errors import DescriptionError, Place, UnknownName

LARGEST = 1_000_000  # bytes
LONGEST_LINE = 10_000  # characters: keeps the reading of hostile files from taking long


def file_bytes(path: Path) -> bytes:
    """The bytes of a file, at most one past the limit, which `decoded` then refuses.

    Raises UnknownName if there is no such file, DescriptionError if it cannot be read.
    """
    place = Place(str(path))
    try:
        if path.is_dir():
            raise DescriptionError("this is a directory", "name a file in it", place)
        if not path.exists():
            near = near_files(path)
            hint = f"did you mean {' or '.join(near)}?" if near else "check the path"
            raise UnknownName(f"there is no file {str(path)[:300]!r}", hint)
        if not path.is_file():
            raise DescriptionError("this is not a regular file", "name a file", place)
        with path.open("rb") as stream:
            return stream.read(LARGEST + 1)
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
            Place(file),
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
            raise DescriptionError(message, remedy, Place(file, number))
