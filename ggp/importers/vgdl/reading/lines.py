"""The lines of a VGDL text by their indentation."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.errors import DescriptionError
from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.reading.text import Text

TABS = (8, 4, 1)  # how wide a tabulator can be: the first is py-vgdl's, the last GVGAI's


@dataclass
class Line:
    """A line without its comment, and the lines that are indented below it."""

    text: str
    number: int
    indent: int
    children: list[Line] = field(default_factory=list)


def tree(text: Text) -> Line:
    """The lines by indentation, below a root that is no line. Raises where a tab's width matters."""
    indents = [line[: len(line) - len(line.lstrip())] for line in text.raw if line.split("#")[0].strip()]
    as_gvgai = parents(text, TABS[-1]) if text.dialect is not PY_VGDL else {}
    if as_gvgai:  # a tab is one sign there, as wide as a blank
        return indented(text, TABS[-1])
    if {" ", "\t"} <= set("".join(indents)):
        first = parents(text, TABS[0])
        for width in TABS[1:]:
            other = parents(text, width)
            if not other:
                indented(text, width)  # which says where it fails
            for number, parent in first.items():
                if other.get(number) != parent:
                    message = (
                        "tabs and blanks are mixed, and what this line stands below hangs on their width"
                    )
                    raise text.error(message, number, "indent all lines with blanks alone")
    return indented(text, TABS[0])


def parents(text: Text, width: int) -> dict[int, int]:
    """The line below which each line stands, where a tab is so wide."""
    try:
        root = indented(text, width)
    except DescriptionError:
        return {}
    found, work = dict[int, int](), [root]
    while work:
        line = work.pop()
        found |= {child.number: line.number for child in line.children}
        work += line.children
    return dict(sorted(found.items()))


def indented(text: Text, width: int) -> Line:
    """The lines by indentation, below a root that is no line."""
    root = Line("", 0, -1)
    open_lines = [root]
    for number, raw in enumerate(text.raw, 1):
        whole = raw.expandtabs(width).split("#")[0]
        content = whole.strip()
        if not content:
            continue
        indent = len(whole) - len(whole.lstrip())
        while open_lines[-1].indent >= indent:
            open_lines.pop()
        parent = open_lines[-1]
        if parent.children and parent.children[0].indent != indent:
            first = parent.children[0].number
            raise text.error(
                f"this line is not indented like line {first}, which it stands beside",
                number,
                "give both the same number of blanks",
            )
        line = Line(content, number, indent)
        parent.children.append(line)
        open_lines.append(line)
    return root
