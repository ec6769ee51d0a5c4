"""The frames of runs as SVG markup for one page, where each distinct element stands once.

A run shows nearly the same picture again and again, and so do different solutions of a level. So frames are
lists of numbers of elements, and the page puts copies of those together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ggp.model import Instance
from ggp.model.board import State
from ggp.render.svg import PLAIN, Decorations, frame_size, frame_svg

CELL = 32  # pixels
NAMESPACE = "{http://www.w3.org/2000/svg}"


@dataclass
class Store:
    """Elements of pictures, each once: `definitions` are tiles and glyphs by id, `elements` all others."""

    definitions: dict[str, str] = field(default_factory=dict)
    elements: dict[str, int] = field(default_factory=dict)

    def frame(self, instance: Instance, state: State, decorations: Decorations = PLAIN) -> list[int]:
        """The picture of a state as numbers of elements, the lowest first."""
        root = plain(ElementTree.fromstring(frame_svg(instance, state, size=CELL, decorations=decorations)))
        numbers = []
        for part in root:
            if part.tag == "defs":
                for definition in part:
                    self.definitions[definition.attrib["id"]] = markup(definition)
            elif part.tag != "title":
                numbers.append(self.elements.setdefault(markup(part), len(self.elements)))
        return numbers

    def markup_of(self, frame: list[int]) -> str:
        """The markup of a frame, to stand in an `<svg>`."""
        texts = list(self.elements)
        return "".join(texts[number] for number in frame)


def size_of(instance: Instance) -> tuple[int, int]:
    """(width, height) of the pictures of an instance."""
    return frame_size(instance, CELL)


def plain(root: Element) -> Element:
    """The tree with the names that HTML has for SVG, and without the white space between elements."""
    for element in root.iter():
        element.tag = element.tag.removeprefix(NAMESPACE)
        element.tail = None
        if not (element.text or "").strip():
            element.text = None
    return root


def markup(element: Element) -> str:
    """An element as text that HTML reads the same; whatever is in it is escaped by the XML library."""
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=True)
