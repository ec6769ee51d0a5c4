"""What notebooks show: a level as its picture, a plan as the states of its run, a result as table and run.

Importing this module registers it with `ggp.model.shown`. What cannot be drawn (a plan that nobody said the
level of, a game that no one plays alone) is None; a notebook then shows the line of `repr`. Pictures stand in
the HTML as data of their own, so that two of them share no names; all texts go through the XML library.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ggp.errors import PuzzleError
from ggp.model import Instance, Plan
from ggp.model.board import State, cells
from ggp.model.features import require_played_alone
from ggp.model.result import Result
from ggp.model.shown import html, plain, svg
from ggp.referee.session import opening
from ggp.referee.trajectory import replay
from ggp.render.svg import PLAIN, Decorations, frame_svg

MOST_FRAMES = 24
MOST_CELLS = 6000  # of all frames together: a notebook keeps them
SIZE = 20  # pixels a cell in a row of frames
Frame = tuple[str, State, Decorations]  # with what is written below it


@svg.register
def instance_svg(instance: Instance) -> str | None:
    """The level as `ggp render` draws it."""
    return frame_svg(instance, opening(instance))


@svg.register
def plan_svg(plan: Plan) -> str | None:
    """The last state of the run."""
    if plan.instance is None:
        return None
    try:
        *_, (_, state, decorations) = frames(plan.instance, plan)
    except PuzzleError:
        return None
    return frame_svg(plan.instance, state, decorations=decorations)


@html.register
def plan_html(plan: Plan) -> str | None:
    """The states of the run, one beside the other."""
    if plan.instance is None:
        return None
    try:
        return text(strip(plan.instance, plan))
    except PuzzleError:
        return None


@svg.register
def result_svg(result: Result) -> str | None:
    """How the first plan ends; the level where there is none."""
    shown = result.plans[0] if result.plans else result.instance
    return None if shown is None else svg(shown)


@html.register
def result_html(result: Result) -> str | None:
    """A table of one line, and below it the first plan or, where there is none, the level."""
    root = Element("div")
    table = SubElement(root, "table")
    heads, row = SubElement(table, "tr"), SubElement(table, "tr")
    for name, value in columns(result):
        SubElement(heads, "th").text = name
        SubElement(row, "td").text = plain(value, 400)
    if result.instance is not None:
        try:
            root.append(strip(result.instance, result.plans[0] if result.plans else None))
        except PuzzleError:
            return text(root)
    return text(root)


def columns(result: Result) -> Iterator[tuple[str, str]]:
    """What the table says: the head and the value of each column."""
    plans = len(result.plans) if result.count is None else result.count
    said = (
        ("level", result.level),
        ("solver", result.solver),
        ("answer", result.stop),
        ("objective", result.objective),
        ("bound", result.bound),
        ("plans", plans),
        ("proof", result.proof),
        ("seconds", f"{result.seconds:.3f}"),
        ("note", result.note or None),
    )
    yield from ((name, str(value)) for name, value in said if value is not None)


def frames(instance: Instance, plan: Plan | None) -> list[Frame]:
    """The pictures of a run, the last one with how it ended; the level alone without a plan.

    Raises PuzzleError where the plan cannot be played.
    """
    if plan is None:
        return [("", opening(instance), PLAIN)]
    require_played_alone(instance, "the picture of a run")
    verdict = replay(instance, plan)
    names = ["start", *(f"{turn} {word}" for turn, word in enumerate(plan.actions, start=1))]
    names += [str(turn) for turn in range(len(names), len(verdict.states))]
    made = [(name, state, PLAIN) for name, state in zip(names, verdict.states, strict=False)]
    name, state, _ = made[-1]
    ends = Decorations(outcome="won" if verdict.won else "lost")
    return [*made[:-1], (f"{name}: {verdict.reason}", state, ends)]


def strip(instance: Instance, plan: Plan | None) -> Element:
    """The frames as a row that wraps; of many the first and the last."""
    root = Element("div", {"style": "display:flex;flex-wrap:wrap;gap:8px"})
    made = frames(instance, plan)
    most = max(2, min(MOST_FRAMES, MOST_CELLS // len(list(cells(instance)))))
    first, last = (made, []) if len(made) <= most else (made[: most // 2], made[-(most // 2) :])
    for frame in first:
        root.append(figure(instance, frame))
    if last:
        SubElement(root, "span").text = f"… {len(made) - len(first) - len(last)} more …"
    for frame in last:
        root.append(figure(instance, frame))
    return root


def figure(instance: Instance, frame: Frame) -> Element:
    """One picture with what is written below it."""
    name, state, decorations = frame
    root = Element("figure", {"style": "margin:0"})
    picture = b64encode(frame_svg(instance, state, size=SIZE, decorations=decorations).encode())
    source = f"data:image/svg+xml;base64,{picture.decode()}"
    SubElement(root, "img", {"src": source, "alt": plain(name or instance.name, 80)})
    SubElement(root, "figcaption").text = plain(name, 80)
    return root


def text(root: Element) -> str:
    """The markup of an element."""
    return ElementTree.tostring(root, encoding="unicode", method="html")
