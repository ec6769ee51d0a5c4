"""Lists of solvers as people write them: with commas between, and quotes around what has commas itself."""

from __future__ import annotations

from ggp.errors import PuzzleError

QUOTES = "\"'"
HOW = "close the quote, or leave it out"


def solver_list(text: str | None) -> list[str] | None:
    """The solvers in `A,"xcsp:COMMAND -a=1,2 {file}",B`; None without a text.

    A comma between quotes is part of a name. Quotes around a whole name fall away (of two such quotes inside,
    one stays); those within a name stay, as the command in it needs them. Raises PuzzleError for a quote that
    is not closed, and for a text without a name.
    """
    if text is None:
        return None
    names, rest = [], text
    while rest:
        name, rest = next_name(rest.lstrip())
        names.append(name.strip())
    found = [name for name in names if name]
    if not found:
        raise PuzzleError(f"{text!r} names no solver", "name some, with commas, or leave the option out")
    return found


def next_name(text: str) -> tuple[str, str]:
    """The first name of a list, and what comes after its comma."""
    if text[:1] in QUOTES and text:
        return quoted(text)
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in QUOTES:
            quote = char
        elif char == ",":
            return text[:at], text[at + 1 :]
    if quote:
        raise PuzzleError(f"a quote is not closed in {text[:80]!r}", HOW)
    return text, ""


def quoted(text: str) -> tuple[str, str]:
    """The same where the whole name stands in quotes."""
    quote, at = text[0], 1
    while True:
        at = text.find(quote, at)
        if at < 0:
            raise PuzzleError(f"a quote is not closed in {text[:80]!r}", HOW)
        if text[at + 1 : at + 2] != quote:
            break
        at += 2
    after = text[at + 1 :].lstrip()
    if after and not after.startswith(","):
        message = f"after a name in quotes comes a comma, not {after[:40]!r}"
        raise PuzzleError(message, "put the whole name in quotes, or none of it")
    return text[1:at].replace(quote * 2, quote), after[1:]
