"""Reads OPB: sums of products of 0/1 variables, compared with numbers (`.opb`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ggp.engines.instances.problem import Line, Problem, Term
from ggp.engines.instances.text import MOST_VARIABLES, Columns, Word, refuse, rows_of, whole
from ggp.errors import Place

TOKEN = re.compile(r"[<>]=|[-+;=<>]|[^-+\s;=<>]+")
NAME = re.compile(r"~?[A-Za-z_][\w\[\](){}.,@#!$%&'|^]*")
HEADER = re.compile(r"\*\s*#variable=\s*(\d{1,9})\s+#constraint=\s*(\d{1,9})")
COMPARISONS = ("<=", ">=", "=")


def read(text: str, file: str) -> Problem:
    """A file of pseudo-Boolean constraints; raises DescriptionError with its place."""
    problem = Problem(file)
    columns = Columns(problem)
    for statement in statements(text, file):
        first = statement[0]
        if first.text in ("min:", "max:"):
            if problem.asks or problem.lines:
                refuse("the objective stands before all constraints, once", "move it to the top", first.place)
            problem.sign, problem.asks = (1 if first.text == "min:" else -1), True
            problem.objective = [
                Term(problem.sign * weight, factors) for weight, factors in terms(statement[1:], columns)
            ]
            continue
        if first.text == "soft:":
            refuse("soft constraints (WBO) are not read", "write them as .wcnf", first.place)
        at = next((at for at, word in enumerate(statement) if word.text in COMPARISONS), None)
        if at is None:
            refuse("this constraint compares nothing", "write >=, <= or = and a number", first.place)
        right = statement[at + 1 :]
        if not right or len(right) > 2 or (len(right) == 2 and right[0].text not in "+-"):
            refuse("one number stands on the right", "end with it, and then ;", statement[at].place)
        number = whole(Word("".join(word.text for word in right), right[0].place), "a number")
        comparison = statement[at].text
        low = None if comparison == "<=" else number
        high = None if comparison == ">=" else number
        problem.lines.append(Line(low, high, tuple(terms(statement[:at], columns)), first.place.line))
    check_header(text, columns)
    return problem


def statements(text: str, file: str) -> Iterator[list[Word]]:
    """What stands before each `;`."""
    found: list[Word] = []
    for number, line in rows_of(text, file):
        if line.lstrip().startswith("*"):
            continue
        for token in TOKEN.finditer(line):
            if token[0] != ";":
                found.append(Word(token[0], Place(file, number, token.start() + 1)))
            elif found:
                yield found
                found = []
            else:
                refuse(
                    "there is nothing before this `;`", "leave it out", Place(file, number, token.start() + 1)
                )
    if found:
        refuse("this has no end", "end it with `;`; was the file cut off?", found[0].place)


def terms(words: Sequence[Word], columns: Columns) -> Iterator[Term]:
    """Each weight with its variables."""
    weight: int | None = None
    factors: list[int] = []
    sign = 1
    for word in words:
        if NAME.fullmatch(word.text) is not None:
            number = columns.number(word.text.removeprefix("~"), word.place)
            factors.append(-number if word.text.startswith("~") else number)
            continue
        if factors:
            yield Term(sign * (1 if weight is None else weight), tuple(factors))
            weight, factors, sign = None, [], 1
        if weight is not None:
            refuse(f"{word.text[:40]!r} is no variable", "write a weight, and then variables", word.place)
        if word.text in "+-":
            sign = -sign if word.text == "-" else sign
        else:
            weight = whole(word, "a weight or a variable")
    if factors:
        yield Term(sign * (1 if weight is None else weight), tuple(factors))
    elif weight is not None:
        refuse("this weight has no variable", "write one behind it", words[-1].place)


def check_header(text: str, columns: Columns) -> None:
    """Where the first line announces how many there are, so many there must be.

    The competitions name them x1 to xN: those that no line speaks of are variables too.
    """
    problem = columns.problem
    header = HEADER.match(text)
    if header is not None and int(header[2]) != len(problem.lines):
        message = f"there are {len(problem.lines)} constraints, and {header[2]} are announced"
        refuse(message, "was the file cut off?", problem.place(1, 1))
    if header is not None and int(header[1]) < len(problem.names):
        message = f"there are {len(problem.names)} variables, and {header[1]} are announced"
        refuse(message, "mend the first line", problem.place(1, 1))
    if header is not None and int(header[1]) > MOST_VARIABLES:
        message = f"{int(header[1]):,} variables are too many"
        refuse(message, f"at most {MOST_VARIABLES:,} are read", problem.place(1, 1))
    named = [f"x{number}" for number in range(1, int(header[1]) + 1)] if header is not None else []
    if not set(problem.names) - set(named):
        for name in named:
            columns.number(name, problem.place(1, 1))
