"""Files of instances, read with bounds: which reader, what may be packed, how much of it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.errors import DescriptionError, Place
from ggp.files.reading import end_of, file_bytes

if TYPE_CHECKING:
    from ggp.engines.instances.problem import Problem

LARGEST = 64_000_000  # bytes, unpacked
READERS = {  # the module of each format, and the function there; loaded when one is read
    "cnf": ("clauses", "read_cnf"),
    "wcnf": ("clauses", "read_wcnf"),
    "opb": ("opb", "read"),
    "mps": ("mps", "read"),
    "lp": ("lp", "read"),
}
PACKED: dict[str, Callable[[BytesIO], BufferedIOBase]] = {
    ".gz": lambda data: gzip.GzipFile(fileobj=data),
    ".xz": lzma.LZMAFile,
    ".lzma": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
}
XML = "xml"


def format_of(name: str) -> str | None:
    """The format of a file by its name, packed or not; None where it is none of an instance."""
    path = Path(name)
    if path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    suffix = path.suffix.lower().removeprefix(".")
    return suffix if suffix in READERS or suffix == XML else None


def text_of(path: Path) -> str:
    """The text of a file, unpacked; raises DescriptionError with its place."""
    data = unpacked(file_bytes(path, LARGEST), path)
    place = Place(str(path))
    if len(data) > LARGEST:
        raise DescriptionError(f"the file is larger than {LARGEST:,} bytes", "take a smaller instance", place)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        message = f"the byte 0x{error.object[error.start]:02x} is not UTF-8"
        raise DescriptionError(
            message, "is it packed? then its name ends in .gz or .xz", end_of(before, str(path))
        ) from None
    if not text.strip():
        raise DescriptionError("the file is empty", "is it the right one?", place)
    return text.replace("\r\n", "\n")


def unpacked(data: bytes, path: Path) -> bytes:
    """What is in a packed file, one byte more than the limit at most."""
    opened = PACKED.get(path.suffix.lower())
    if opened is None:
        return data
    try:
        with opened(BytesIO(data)) as stream:
            return stream.read(LARGEST + 1)
    except EOFError:
        message = "the archive ends too early"
        raise DescriptionError(message, "it was cut off: fetch it once more", Place(str(path))) from None
    except (OSError, lzma.LZMAError, zlib.error) as error:
        message = f"this is no archive that can be unpacked: {str(error)[:200]}"
        raise DescriptionError(message, "see that its name ends as it was packed", Place(str(path))) from None


def read_text(text: str, kind: str, file: str = "text") -> Problem:
    """What a text of a format says; raises DescriptionError with its place."""
    module, read = READERS[kind]
    found: Problem = getattr(import_module(f"ggp.engines.instances.{module}"), read)(text, file)
    return found
