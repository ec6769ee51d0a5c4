"""Reads DIMACS: clauses (`.cnf`), and clauses of which some are soft (`.wcnf`), old form and new."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.engines.instances.problem import Line, Problem, Soft, Term
from ggp.engines.instances.text import MOST_VARIABLES, Word, refuse, rows_of, whole, words_of
from ggp.errors import Place

COMMENT = "c"


def read_cnf(text: str, file: str) -> Problem:
    """A file of clauses; raises DescriptionError with its place."""
    problem, header, clause = Problem(file), Word("", Place(file)), list[Word]()
    variables = clauses = -1
    for word in plain(text, file):
        if variables < 0:
            if word.text != "p" and not header.text:
                refuse(
                    "a file of clauses begins with `p cnf VARIABLES CLAUSES`",
                    "only comments, lines that begin with `c`, stand before that",
                    word.place,
                )
            header = Word(f"{header.text} {word.text}".strip(), header.place if header.text else word.place)
            if len(parts := header.text.split()) == 4:
                variables, clauses = numbers_of(parts, header, "cnf")
                problem.names = [f"x{number}" for number in range(1, variables + 1)]
                problem.bounds = [(0, 1)] * variables
            continue
        if word.text != "0":
            clause.append(word)
            continue
        problem.lines.append(disjunction(clause, variables, word.place))
        clause = []
    if variables < 0:
        refuse("there is no line `p cnf VARIABLES CLAUSES`", "is this a file of clauses?", Place(file))
    if clause:
        refuse("the last clause has no end", "end it with 0; was the file cut off?", clause[0].place)
    if len(problem.lines) != clauses:
        message = f"there are {len(problem.lines)} clauses, and {clauses} are announced"
        refuse(message, "was the file cut off?", header.place)
    return problem


def plain(text: str, file: str) -> Iterator[Word]:
    """The words outside comments; a line with `%` ends a file of the SATLIB collection."""
    for number, line in rows_of(text, file):
        begins = line.split(None, 1)[0]
        if begins == "%":
            return
        if begins != COMMENT:
            yield from words_of(line, number, file)


def numbers_of(parts: list[str], header: Word, kind: str) -> tuple[int, int]:
    """How many variables and clauses the line with `p` announces."""
    if parts[1] != kind:
        refuse(
            f"this is a file of `{parts[1][:20]}`, not of `{kind}`", f"name it .{parts[1][:20]}", header.place
        )
    variables, clauses = (whole(Word(part, header.place), "a number of them") for part in parts[2:4])
    if variables < 0 or clauses < 0:
        refuse("a number of variables or clauses is below 0", "say how many there are", header.place)
    if variables > MOST_VARIABLES:
        refuse(f"{variables:,} variables are too many", f"at most {MOST_VARIABLES:,} are read", header.place)
    return variables, clauses


def disjunction(words: list[Word], variables: int, end: Place) -> Line:
    """At least one of the literals holds."""
    lits = [whole(word, "a literal") for word in words]
    for lit, word in zip(lits, words, strict=True):
        if not 0 < abs(lit) <= variables:
            message = f"there is no variable {abs(lit)}: {variables} are announced"
            refuse(message, "a literal is such a number, or minus it", word.place)
    place = words[0].place if words else end
    return Line(1, None, tuple(Term(1, (lit,)) for lit in dict.fromkeys(lits)), place.line)


# --- clauses with prices


def read_wcnf(text: str, file: str) -> Problem:
    """A file of clauses with prices; raises DescriptionError with its place.

    Hard are clauses marked `h`, or, after a line `p wcnf VARIABLES CLAUSES TOP`, those that cost TOP.
    """
    problem, top, announced, variables = Problem(file, asks=True), 0, -1, 0
    each: list[tuple[Word, list[Word]]] = []
    for number, line in rows_of(text, file):
        words = words_of(line, number, file)
        if words[0].text == COMMENT:
            continue
        if words[0].text == "p":
            header = Word(" ".join(word.text for word in words), words[0].place)
            if len(words) not in (4, 5) or each:
                refuse(
                    "this is no `p wcnf VARIABLES CLAUSES TOP`", "write it before all clauses", header.place
                )
            variables, announced = numbers_of([word.text for word in words], header, "wcnf")
            top = whole(words[4], "a weight") if len(words) == 5 else 0
            continue
        if words[-1].text != "0" or len(words) < 2:
            refuse("this clause has no end", "end it with 0, on the line where it begins", words[0].place)
        each.append((words[0], words[1:-1]))
    if not each and announced != 0:
        refuse("there is no clause", "is this a file of clauses with prices?", Place(file))
    if announced >= 0 and len(each) != announced:
        refuse(
            f"there are {len(each)} clauses, and {announced} are announced", "was it cut off?", Place(file)
        )
    spoken = (abs(whole(one, "a literal")) for _, lits in each for one in lits)
    highest = max([variables, *spoken])
    if highest > MOST_VARIABLES:
        refuse(f"{highest:,} variables are too many", f"at most {MOST_VARIABLES:,} are read", Place(file))
    problem.names = [f"x{number}" for number in range(1, highest + 1)]
    problem.bounds = [(0, 1)] * highest
    for first, lits in each:
        clause = disjunction(lits, highest, first.place)
        if first.text == "h":
            problem.lines.append(clause)
            continue
        price = whole(first, "a weight, or h")
        if price < 1:
            refuse(f"a clause cannot cost {price}", "write a weight of at least 1, or h", first.place)
        if top and price >= top:
            problem.lines.append(clause)
        else:
            problem.soft.append(Soft(price, clause))
    return problem
