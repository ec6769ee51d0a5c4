"""The questions of the laboratory, and what is wrong with an answer: held against all that is true.

`Wrong.what` is a word or two that stay the same while a level is shrunk; `detail` is about this level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import NamedTuple

from ggp import registry
from ggp.explain.hints import Hint
from ggp.explain.unique import Uniqueness
from ggp.lab.oracle import Placed, Truth
from ggp.model import Cell, Instance, Piece, Plan, Start
from ggp.model.result import Result, Want
from ggp.referee.designs import free_cells, placeable

NOTHING = ("unsolvable", "horizon-exhausted")
UNTOLD = (None, "")  # the encoding where the answer came without one
UNFINISHED = ("time-limit", "memory-limit")


class Wrong(NamedTuple):
    """What is wrong with an answer."""

    what: str
    detail: str = ""


@dataclass(frozen=True)
class Question:
    """One question to a solver: as `ggp solve` takes it.

    `exactly`, `avoid` and `robust` ask about designs, `encoding` names how the solver is told of the level.
    """

    want: Want = "best"
    objective: str | None = None
    passes: tuple[str, ...] = ()
    unique: bool = False
    exactly: int | None = None
    avoid: tuple[Cell, ...] = ()
    robust: tuple[Start, ...] = ()
    encoding: str | None = None

    def __str__(self) -> str:
        return self.options or "best"

    def also(self, other: Question) -> Question:
        """Both questions at once; of what both say, the other's."""
        said = {f.name: value for f in fields(other) if (value := getattr(other, f.name)) != f.default}
        return replace(self, **said)

    @property
    def options(self) -> str:
        """The options of `ggp solve`."""
        return " ".join(f"{name} {value}".rstrip() for name, value in self.given().items())

    @property
    def sort(self) -> str:
        """The options without the values that are drawn anew for each level."""
        given, plain = self.given(), ("--objective", "--encoding")
        words = [f"{name} {value}" if name in plain else name for name, value in given.items()]
        asks = [name for name in given if name in (f"--{self.want}", "--objective", "--unique")]
        return " ".join(words if asks else ["best", *words])

    def given(self) -> dict[str, str]:
        """Each option that is given, with its value."""
        wanted = "--unique" if self.unique else "" if self.want == "best" else f"--{self.want}"
        cells = " ".join(f"{row},{column}" for row, column in self.avoid)
        starts = " ".join(f"{row},{column},{facing}".rstrip(",") for row, column, facing in self.robust)
        found = {wanted: ""} if wanted else {}
        valued = {
            "--objective": None if wanted else self.objective,
            "--with": ",".join(self.passes),
            "--exactly": None if self.exactly is None else str(self.exactly),
            "--avoid": cells and f"'{cells}'",
            "--robust": starts and f"'{starts}'",
            "--encoding": self.encoding,
        }
        return found | {name: value for name, value in valued.items() if value}


def questions(rng: Random, instance: Instance) -> list[Question]:
    """Every question, in any order; with passes, some of those that do not lose what is asked for."""
    objectives: Sequence[str | None] = [one.name for one in instance.game.objectives] or [None]
    found = [Question("best", name) for name in objectives]
    found += [Question("first"), Question("all"), Question("count"), Question(unique=True)]
    names = rng.sample(sorted(registry.PASSES), rng.randint(1, len(registry.PASSES)))
    loses = any(registry.load("pass", name).SYMMETRY for name in names)
    wants: tuple[Want, ...] = ("first", "best") if loses else ("first", "best", "all", "count")
    want = rng.choice(wants)
    found.append(Question(want, rng.choice(objectives) if want == "best" else None, tuple(names)))
    rng.shuffle(found)
    return found


# --- answers of solvers -----------------------------------------------------------------------------------


def wrong_result(truth: Truth, question: Question, result: Result) -> Wrong | None:
    """What is wrong with what a solver answers."""
    bad = [plan for plan in result.plans if not truth.holds(plan)]
    if bad:
        return Wrong("a plan that does not win", str(bad[0]))
    if result.stop == "error":
        return Wrong("an error", result.note)
    if question.encoding is not None and result.encoded not in (question.encoding, *UNTOLD):
        return Wrong("another encoding", f"{result.encoded}, and {question.encoding} was named")
    if result.stop in NOTHING:
        return wrong_none(truth, result.stop) or wrong_rest(truth, question, result)
    if result.stop not in UNFINISHED and not truth.count:
        return Wrong(f"{result.stop} where there is no plan", f"{len(result.plans)} plans")
    return wrong_rest(truth, question, result)


def wrong_none(truth: Truth, stop: str) -> Wrong | None:
    """What is wrong with saying that there is no plan."""
    if truth.count:
        return Wrong(f"{stop} where there are plans", f"there are {truth.count} plans")
    if stop == "unsolvable" and truth.ever:
        return Wrong("unsolvable where a longer horizon has a plan")
    if stop == "horizon-exhausted" and not truth.moves:
        return Wrong("horizon-exhausted where nothing moves")
    return None


def wrong_rest(truth: Truth, question: Question, result: Result) -> Wrong | None:
    """What is wrong with the plans and numbers."""
    if question.want in ("all", "count"):
        return wrong_list(truth, question, result)
    if result.stop in UNFINISHED:
        return None
    if truth.count and not result.plans:
        return Wrong("no plan is shown")
    if result.stop == "satisfied" and result.complete:
        return Wrong("any plan will do, and it is called complete")
    if question.want == "best" and question.objective is not None and truth.count:
        best = truth.best[question.objective]
        if result.stop == "optimal" and (result.objective, result.bound) != (best, best):
            return Wrong("not the best", f"{result.objective} (bound {result.bound}), and {best} can be had")
        if result.bound is not None and result.bound > best:
            return Wrong("a bound that is too high", f"{result.bound}, and {best} can be had")
    return None


def wrong_list(truth: Truth, question: Question, result: Result) -> Wrong | None:
    """What is wrong with a list of plans, or their number."""
    times = Counter(Plan(tuple(sorted(plan.design)), plan.actions) for plan in result.plans)
    twice = [plan for plan, number in times.items() if number > 1]
    if twice:
        return Wrong("a plan is listed twice", str(twice[0]))
    if question.want == "all" and truth.listed is not None:
        much = sorted(times.keys() - set(truth.listed), key=str)
        if much:
            return Wrong("a plan too much", str(much[0]))
        if result.complete and len(times) < len(truth.listed):
            lost = sorted(set(truth.listed) - times.keys(), key=str)[0]
            return Wrong("a plan is missing", f"{len(times)} of {len(truth.listed)}; not {lost}")
    if result.stop in UNFINISHED:
        return None
    if not result.complete:
        return Wrong("the list is not complete", result.stop)
    if result.count != truth.count:
        return Wrong("the number of plans", f"{result.count}, and there are {truth.count}")
    return None


def wrong_uniqueness(truth: Truth, found: Uniqueness) -> Wrong | None:
    """What is wrong with whether there is one answer."""
    if found.answers == "unknown":
        time = found.result.stop in UNFINISHED
        return None if time or (truth.moves and not truth.count) else Wrong("not known if it is unique")
    if truth.listed is None:
        number = "several"
    else:
        number = ("none", "unique", "several")[min(len(truth.listed), 2)]
    if found.answers != number:
        return Wrong(f"{found.answers} where it is {number}", " ".join(map(str, found.plans)))
    if found.answers == "none" and truth.ever:
        return Wrong("none where a longer horizon has a plan")
    if len(set(found.plans)) != len(found.plans):
        return Wrong("the same answer twice", str(found.plans[0]))
    if not all(map(truth.holds, found.plans)):
        return Wrong("an answer that does not win")
    if found.answers == "several" and not truth.moves and not found.differ:
        return Wrong("two answers that differ nowhere")
    return None


# --- hints ------------------------------------------------------------------------------------------------


def wrong_hint(truth: Truth, placed: dict[Cell, Piece], found: Hint) -> Wrong | None:
    """What is wrong with a hint: it must be true in every answer that has what was placed."""
    answers = [dict(design) for design in truth.won]
    left = [one for one in answers if all(one.get(cell) == piece for cell, piece in placed.items())]
    if found.mistakes is not None:
        return wrong_mistakes(answers, left, placed, found.mistakes.cells)
    if not left:
        return Wrong("no mistake is told where there is one")
    if found.forced is not None:
        cell, piece = found.forced.cell, found.forced.piece
        other = next((one for one in left if one.get(cell) != piece), None)
        if cell in placed or other is not None:
            return Wrong("a cell that is not forced", f"{piece} at {cell}, and {other} is an answer")
        return None
    if found.done:
        return None if placed in answers else Wrong("done where something is left")
    free = set(free_cells(truth.instance))
    for answer in found.answers:
        meant = {cell: piece for cell, piece in answer.items() if piece is not None and cell in free}
        if meant not in left:
            return Wrong("an answer that is none", str(meant))
    if len(found.answers) != 2 or found.answers[0] == found.answers[1]:
        return Wrong("open without two answers")
    same = [cell for cell, piece in left[0].items() if all(one.get(cell) == piece for one in left)]
    told = [cell for cell in same if cell not in placed]
    return Wrong("open where a cell is forced", f"at {told[0]}") if told else None


def wrong_mistakes(
    answers: list[dict[Cell, Piece]],
    left: list[dict[Cell, Piece]],
    placed: dict[Cell, Piece],
    cells: Sequence[Cell],
) -> Wrong | None:
    """What is wrong with the cells that are said to be mistakes."""
    if left:
        return Wrong("a mistake where there is none", str(cells))
    if any(all(one.get(cell) == placed.get(cell) for cell in cells) for one in answers) and cells:
        return Wrong("mistakes that an answer has", str(cells))
    if answers and not cells:
        return Wrong("a mistake without a cell")
    if len(answers) == 1 and any(answers[0].get(cell) == placed.get(cell) for cell in cells):
        return Wrong("a right cell is called a mistake", str(cells))
    return None


def some_board(rng: Random, truth: Truth) -> dict[Cell, Piece]:
    """A board partly filled in: of an answer where there is one, now and then with a mistake."""
    designs: list[Placed] = sorted(truth.won)
    free, pieces = free_cells(truth.instance), placeable(truth.instance)
    whole = list(rng.choice(designs)) if designs else [(cell, rng.choice(pieces)) for cell in free]
    placed = dict(rng.sample(whole, rng.randint(0, len(whole))))
    if free and pieces and rng.random() < 0.25:
        placed[rng.choice(free)] = rng.choice(pieces)
    return placed
