"""The numbers of a board as a string of characters, the way the links of the pzpr family hold them.

A code is a number, None for nothing, or `UNTOLD` for a number that is left open. Each coding reads a given
count of codes from a `Scan`, and writes them back; every cell of a board has a code, in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from ggp.errors import DescriptionError, Place

Code = int | None
UNTOLD = -1
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

# A sign, how many hexadecimal digits follow it, and what is added to them. The last that a number fits is
# written, so no two signs stand for one number but `@` and `%`, which is read only.
LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240)}
LONG |= {"$": (5, 77776)}


class Scan:
    """Goes through the characters of a link; `place` is that of the first one."""

    def __init__(self, text: str, place: Place) -> None:
        self.text = text
        self.place = place
        self.at = 0

    @property
    def column(self) -> int:
        """The column of the character that comes next."""
        return self.place.column + self.at

    @property
    def ended(self) -> bool:
        """Is there no character left?"""
        return self.at >= len(self.text)

    def take(self) -> str:
        """The next character."""
        self.at += 1
        return self.text[self.at - 1]

    def digits(self, count: int, base: int) -> int:
        """The number that so many characters write."""
        start, text = self.column, self.text[self.at : self.at + count]
        if len(text) < count or any(digit not in DIGITS[:base] for digit in text):
            message = f"{count} digits to the base of {base} must stand here, not {text!r}"
            raise self.fault(message, "copy the whole link", start)
        self.at += count
        return int(text, base)

    def fault(self, message: str, remedy: str, column: int | None = None) -> DescriptionError:
        """An error at a column, or at the character that comes next."""
        place = Place(self.place.file, self.place.line, self.column if column is None else column)
        return DescriptionError(message, remedy, place)

    def foreign(self) -> DescriptionError:
        """The error for the last character that was taken."""
        message = f"{self.text[self.at - 1]!r} means nothing here"
        return self.fault(message, "copy the link once more", self.column - 1)

    def end(self) -> None:
        """Raise DescriptionError if characters are left."""
        if not self.ended:
            message = f"the board is full before {self.text[self.at :][:20]!r}"
            raise self.fault(message, "is the size in the link right? It says columns/rows")


class Codes(NamedTuple):
    """Codes, and the column in which each of them stands."""

    codes: list[Code]
    columns: list[int]

    def add(self, code: Code, column: int, times: int = 1) -> None:
        """Add a code, or several of the same."""
        self.codes.extend([code] * times)
        self.columns.extend([column] * times)


class Coding(NamedTuple):
    """A way to write codes: `read` takes a scan and how many there must be, `write` gives the text."""

    read: Callable[[Scan, int], Codes]
    write: Callable[[Sequence[Code]], str]


def each_character(read_one: Callable[[Scan, Codes, int], None]) -> Callable[[Scan, int], Codes]:
    """Reads with `read_one`, which takes a character or more, until there are enough codes.

    The last argument of `read_one` is how many are missing. What is made raises DescriptionError where the
    text ends too early, or a run of blanks goes past the end.
    """

    def read(scan: Scan, count: int) -> Codes:
        found = Codes([], [])
        while len(found.codes) < count:
            if scan.ended:
                message = f"the link ends after {len(found.codes)} of {count} cells"
                raise scan.fault(message, "copy the whole link; is its size right?")
            start = scan.column
            read_one(scan, found, count - len(found.codes))
            if len(found.codes) > count:
                message = f"there is room for {count} cells, and this goes past them"
                raise scan.fault(message, "is the size in the link right? It says columns/rows", start)
        return found

    return read


def unable(code: Code, limit: int) -> DescriptionError:
    """The error for a code that a coding cannot write."""
    what = "a number that is left open" if code == UNTOLD else f"the number {code}"
    return DescriptionError(f"a link cannot hold {what} here", f"it takes 0 to {limit}")


# --- hexadecimal numbers, and letters for runs of blanks ------------------------------------------------


def read_hexadecimal(scan: Scan, found: Codes, room: int) -> None:
    """A number, or a letter from `g` on for one blank or more."""
    start, sign = scan.column, scan.take()
    if sign == ".":
        found.add(UNTOLD, start)
    elif sign in LONG:
        count, more = LONG[sign]
        found.add(scan.digits(count, 16) + more, start)
    elif sign in DIGITS[:16]:
        found.add(int(sign, 16), start)
    elif sign in DIGITS:
        found.add(None, start, DIGITS.index(sign) - 15)
    else:
        raise scan.foreign()


def write_hexadecimal(codes: Sequence[Code]) -> str:
    """The shortest text, with runs of at most 20 blanks."""
    text = ""
    for blank, run in groupby(codes, lambda code: code is None):
        part = list(run)
        text += blanks(len(part)) if blank else "".join(map(hexadecimal, part))
    return text


def hexadecimal(code: Code) -> str:
    """One number."""
    if code == UNTOLD:
        return "."
    for sign, (count, more) in LONG.items():
        if code is None or code < 16:
            break
        if sign != "%" and 0 <= code - more < 16**count:
            return f"{sign}{code - more:0{count}x}"
    if code is None or code >= 16:
        raise unable(code, 16**5 + LONG["$"][1] - 1)
    return DIGITS[code]


def blanks(count: int, first: int = 15, most: int = 20) -> str:
    """Letters for so many blanks, each for as many as it can stand for."""
    full, rest = divmod(count, most)
    return DIGITS[first + most] * full + (DIGITS[first + rest] if rest else "")


# --- numbers up to 4, each with the blanks after it -----------------------------------------------------


def read_small(scan: Scan, found: Codes, room: int) -> None:
    """A number with none, one or two blanks after it, or a letter from `g` on for blanks.

    The blanks that a number brings along may stand past the end.
    """
    start, sign = scan.column, scan.take()
    value = DIGITS.find(sign)
    if sign == ".":
        found.add(UNTOLD, start)
    elif 0 <= value < 15:
        found.add(value % 5, start)
        found.add(None, start, min(value // 5, room - 1))
    elif value > 15:
        found.add(None, start, value - 15)
    else:
        raise scan.foreign()


def write_small(codes: Sequence[Code]) -> str:
    """The shortest text: the blanks after a number are written with it, up to two."""
    text, at = "", 0
    while at < len(codes):
        code, after = codes[at], count_blanks(codes, at + 1)
        if code is None:
            text += blanks(after + 1)
            at += after + 1
        elif code == UNTOLD:
            text += "."
            at += 1
        elif code > 4:
            raise unable(code, 4)
        else:
            # What would stand past the end counts as blank.
            taken = 2 if at + 1 + after == len(codes) else min(after, 2)
            text += DIGITS[code + 5 * taken]
            at += 1 + taken
    return text


def count_blanks(codes: Sequence[Code], start: int) -> int:
    """How many codes from there on are blank."""
    end = start
    while end < len(codes) and codes[end] is None:
        end += 1
    return end - start


# --- a character a cell, to the base of 36 --------------------------------------------------------------


def read_plain(scan: Scan, found: Codes, room: int) -> None:
    """A number, or a dot for a blank."""
    start, sign = scan.column, scan.take()
    if sign == ".":
        found.add(None, start)
    elif sign in "%@":
        found.add(UNTOLD, start)
    elif sign == "-":
        found.add(scan.digits(2, 36), start)
    elif sign in DIGITS:
        found.add(DIGITS.index(sign), start)
    else:
        raise scan.foreign()


def write_plain(codes: Sequence[Code]) -> str:
    """A character for each code, three where the number is 36 or more."""
    text = ""
    for code in codes:
        if code is None or code == UNTOLD:
            text += "." if code is None else "@"
        elif code < 36:
            text += DIGITS[code]
        elif code < 36 * 36:
            text += f"-{DIGITS[code // 36]}{DIGITS[code % 36]}"
        else:
            raise unable(code, 36 * 36 - 1)
    return text


# --- three cells a character ----------------------------------------------------------------------------


def read_triples(scan: Scan, count: int) -> Codes:
    """Each character is a number to the base of 27 with three digits to the base of 3; 0 is blank."""
    found = Codes([], [])
    while len(found.codes) < count:
        start = scan.column
        if scan.ended:
            message = f"the link ends after {len(found.codes)} of {count} cells"
            raise scan.fault(message, "copy the whole link; is its size right?")
        value = DIGITS[:27].find(scan.take())
        if value < 0:
            raise scan.foreign()
        digits = (value // 9, value // 3 % 3, value % 3)
        if any(digits[count - len(found.codes) :]):
            raise scan.fault("this goes past the last cell", "is the size in the link right?", start)
        for digit in digits[: count - len(found.codes)]:
            found.add(digit or None, start)
    return found


def write_triples(codes: Sequence[Code]) -> str:
    """A character for three codes, the last ones filled up with blanks."""
    for code in codes:
        if code not in (None, 1, 2):
            raise unable(code, 2)
    digits = [code or 0 for code in codes] + [0, 0]
    triples = zip(digits[0::3], digits[1::3], digits[2::3], strict=False)
    return "".join(DIGITS[9 * a + 3 * b + c] for a, b, c in triples)


# --- marks, each with the blanks after it ----------------------------------------------------------------

MARK = 1
MOST_AFTER = 17  # blanks that one character can bring along


def read_mark(scan: Scan, found: Codes, room: int) -> None:
    """A mark with so many blanks after it, or a letter from `i` on for blanks alone."""
    start, sign = scan.column, scan.take()
    value = DIGITS.find(sign)
    if value < 0:
        raise scan.foreign()
    if value <= MOST_AFTER:
        found.add(MARK, start)
        found.add(None, start, value)
    else:
        found.add(None, start, value - MOST_AFTER)


def write_marks(codes: Sequence[Code]) -> str:
    """The shortest text: a mark has as many of the blanks after it as it can take."""
    text, at = "", 0
    while at < len(codes):
        if codes[at] not in (None, MARK):
            raise unable(codes[at], MARK)
        marked = codes[at] is not None
        blank = count_blanks(codes, at + marked)
        taken = min(blank, MOST_AFTER + (not marked))
        text += DIGITS[taken if marked else taken + MOST_AFTER]
        at += taken + marked
    return text


HEXADECIMAL = Coding(each_character(read_hexadecimal), write_hexadecimal)
MARKS = Coding(each_character(read_mark), write_marks)
CODINGS: Mapping[str, Coding] = MappingProxyType(
    {
        "hexadecimal": HEXADECIMAL,
        "four-cell": Coding(each_character(read_small), write_small),
        "base-36": Coding(each_character(read_plain), write_plain),
        "triples": Coding(read_triples, write_triples),
    }
)
