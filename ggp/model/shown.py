"""How a value is shown to whoever looks at it in Python: as one line, and as a picture in a notebook.

The model draws nothing. Notebooks ask a value for `_repr_svg_` and `_repr_html_`; it asks `svg` and `html`
here, for which the rooms above register what they can draw.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

LONGEST = 160  # characters of a line
LONGEST_NAME = 60


@singledispatch
def svg(value: object) -> str | None:
    """The picture of a value as the text of an SVG file; None where it has none."""
    return None


@singledispatch
def html(value: object) -> str | None:
    """A value as a piece of HTML; None where there is none."""
    return None


class Shown:
    """A value that a notebook may draw. Where it gets None it shows the line of `repr`."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return svg(self)

    def _repr_html_(self) -> str | None:
        return html(self)


def line(what: str, name: str, facts: Iterable[str]) -> str:
    """`<What name: fact, fact>`, one line of bounded length whatever the names hold."""
    told = ", ".join(fact for fact in facts if fact)
    head = f"{what} {plain(name, LONGEST_NAME)}".rstrip()
    return f"<{plain(f'{head}: {told}' if told else head, LONGEST)}>"


def plain(text: str, longest: int) -> str:
    """The text without line ends and control characters, cut where it is too long."""
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number_of(what: str, number: int) -> str:
    """`1 plan`, `6 plans`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
