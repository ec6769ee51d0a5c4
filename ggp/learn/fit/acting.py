"""Said of a learned turn: who acts, how far it looks, how its rules are turned, and what was seen of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.learn.boards import Turn
from ggp.learn.fit.program import CELL, Part, Passes, Program, meaning, pointing, subjects_on
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.model import DIRECTIONS
from ggp.model.shown import number_of

OTHERS = {CELL: "what happens to a cell", PICK: "what comes of a pick"}
MOST_SUBJECTS = 12  # of which it is said; nobody reads more
MOST_TURNS = 400  # in which it is counted who faced where


def acting_evidence(program: Program | Passes, turns: Sequence[Turn]) -> Iterator[str]:
    """A line for each thing that acts: in how many cases, how far it looks, and how it is turned."""
    structure = program.structure
    known = {structure.name(token) for token in structure.tokens} | OTHERS.keys()
    found: dict[tuple[str, Frame, frozenset[str] | None], list[Part]] = {}
    for part in program.parts:
        if part.subject in known and any(one.outcome for one in part.decisions.decisions):
            found.setdefault((part.subject, part.view.frame, part.words), []).append(part)
    changing = [turn for turn in dict.fromkeys(turns) if turn.before != turn.after]
    for (subject, frame, words), parts in list(found.items())[:MOST_SUBJECTS]:
        under = [turn for turn in changing if words is None or meaning(structure, turn.word) in words]
        cases = number_of("example", max(part.examples for part in parts))
        reach = max((max(map(abs, cell)) for part in parts for cell in part.decisions.asked), default=0)
        who = OTHERS.get(subject, f"what {subject} does")
        turned = in_ways(subject, frame, under, structure)
        yield f"{who} was found in {cases}, and looks at most {number_of('cell', reach)} away; {turned}"


def in_ways(subject: str, frame: Frame, turns: Sequence[Turn], structure: Structure) -> str:
    """How the rules of one subject are turned, and how often each way was seen in turns with changes."""
    if frame.toward == "none":
        return "its rules are not turned"
    ways = Counter[str | None]()
    if frame.toward == "input":
        ways.update(pointing(structure, turn.word) for turn in turns)
    else:
        ways.update(
            structure.facing[token][1]
            for turn in turns[:MOST_TURNS]
            for _, token in subjects_on(turn.before, subject, structure)
            if token is not None and token in structure.facing
        )
    counted = ", ".join(f"{way} {ways[way]}" for way in DIRECTIONS if ways[way])
    how = "mirrored" if frame.mirrored else "turned"
    by = "the input" if frame.toward == "input" else "its facing"
    return f"its rules are {how} by {by}, in turns with changes: {counted}" if counted else f"{how} by {by}"
