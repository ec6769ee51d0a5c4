"""RULES: a line read into brackets of cells, on both sides of its arrow."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import (
    ABSOLUTE,
    BEFORE_BRACKETS,
    BEFORE_OBJECTS,
    COMMANDS,
    RELATIVE,
    SEVERAL,
    SOUND_COMMANDS,
)

Item = tuple[str, str]
"""What is said of one name: (how it goes, or `no`, or nothing; the name). An ellipsis is twice `...`."""
Cell = list[Item]
Row = list[Cell]
ELLIPSIS: Cell = [("...", "...")]
TOKEN = re.compile(r"->|[\[\]|]|(?:(?!->)[^\s\[\]|])+")
SPOKEN = re.compile(r"->|[\[\]|]|[^\s\[\]|]+")  # where words are looked up, an arrow behind one is part of it
MOST_CELLS = 1_000  # in one rule


@dataclass(slots=True)
class Rule:
    """A rule as it is written, and later one of the plain rules that it stands for."""

    line: int
    column: int
    group: int  # the line of the first rule of its group
    directions: tuple[str, ...]
    left: list[Row]
    right: list[Row]  # as many rows as on the left, or none at all
    commands: tuple[str, ...] = ()
    late: bool = False
    rigid: bool = False
    random: bool = False

    def turned(self, direction: str) -> Rule:
        """A copy for one direction."""
        return replace(self.copy(), directions=(direction,))

    def copy(self) -> Rule:
        """A copy whose cells can be changed."""
        left = [[list(cell) for cell in row] for row in self.left]
        right = [[list(cell) for cell in row] for row in self.right]
        return replace(self, left=left, right=right)

    @property
    def direction(self) -> str:
        """The direction of a rule that has been turned."""
        return self.directions[0]


@dataclass(slots=True)
class Loop:
    """A line that says `startloop` or `endloop`."""

    line: int
    column: int
    begins: bool


class Token(str):
    """A word of a rule; `column` counts from 0."""

    column: int

    @classmethod
    def of(cls, text: str, column: int) -> Token:
        """A word and where it stands."""
        token = cls(text)
        token.column = column
        return token


def read_rules(lines: list[Line | None], names: Names, faults: Faults) -> tuple[list[Rule], list[Loop]]:
    """The rules and the loop marks of the section, in the order of their lines."""
    rules: list[Rule] = []
    loops: list[Loop] = []
    for line in lines:
        if line is None:
            continue
        word = line.plain.strip()
        if word in ("startloop", "endloop") and "(" not in line.raw:  # beside a comment it is no mark
            loops.append(Loop(line.number, line.column, word == "startloop"))
            continue
        rule = RuleReader(line, names, faults, rules[-1] if rules else None).read()
        if rule is not None:
            rules.append(rule)
    return rules, loops


def tokens_of(text: str, form: re.Pattern[str] = TOKEN) -> list[Token]:
    """The words of a rule. A plus sign at the very start stands by itself."""
    found = [Token.of(match[0], match.start()) for match in form.finditer(text)]
    if found and found[0].startswith("+") and len(found[0]) > 1:
        found[:1] = [Token.of("+", found[0].column), Token.of(found[0][1:], found[0].column + 1)]
    return found


@dataclass(slots=True)
class RuleReader:
    """Reads one rule, word by word: first what stands before the brackets, then the cells."""

    line: Line
    names: Names
    faults: Faults
    before: Rule | None  # the rule above
    tokens: list[Token] = field(default_factory=list)
    directions: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    sides: tuple[list[Row], list[Row]] = field(default_factory=lambda: ([], []))
    commands: list[str] = field(default_factory=list)
    row: Row = field(default_factory=list)
    cell: list[str] = field(default_factory=list)  # how and name, how and name, ...; it may end with a how
    inside: bool = False
    arrow: bool = False
    ok: bool = True
    cells: int = 0

    def fault(self, token: Token | None, message: str, remedy: str) -> None:
        """An error of this rule."""
        column = self.line.column if token is None else token.column + 1
        self.faults.error(self.line.number, column, message, remedy)

    def doubt(self, token: Token, message: str, remedy: str) -> None:
        """Something that is hardly meant."""
        self.faults.warning(self.line.number, token.column + 1, message, remedy)

    def read(self) -> Rule | None:
        """The rule; None where it cannot be made out, or is none to be kept."""
        self.tokens = tokens_of(self.line.plain)
        self.unknown_words()
        if "(" in self.line.raw and "->" not in self.line.plain:
            remedy = "put the comment behind the rule, or on a line of its own"
            self.fault(None, "the rule ends where its comment begins, before an arrow", remedy)
            return None
        if "->" not in self.tokens:
            self.fault(None, "a rule needs an arrow", "write `[ ... ] -> [ ... ]`")
        start = self.opening()
        balance = 0
        for index, token in enumerate(self.tokens[start:], start):
            if token == "[":
                balance += 1
                self.open(token, balance)
            elif token == "]":
                balance -= 1
                if balance < 0:
                    self.doubt(token, "this closes no bracket; the rule is left out", "take it away")
                    return None
                self.close(token)
            elif token == "->":
                if not self.pass_arrow(token):
                    return None
            elif not self.word(token, index):
                break
            if not self.ok:
                return None
        return self.finished()

    def unknown_words(self) -> None:
        """Complain of words that mean nothing; what follows a comment is looked at, too."""
        bracket, first = False, True
        for token in tokens_of(self.line.text, SPOKEN):
            if token in ("[", "]", "|"):
                bracket = True
            elif token == "message":
                return
            elif token in ("->", "+", "...", "rigid", "random") or token in COMMANDS:
                pass
            elif token in (BEFORE_OBJECTS if bracket else BEFORE_BRACKETS):
                pass  # whatever else is called so
            elif token in self.names:
                if first:
                    message = f"{token.upper()} stands outside of the brackets"
                    self.fault(token, message, "objects stand in brackets, directions before them")
            else:
                self.fault(token, f"there is no {token.upper()}", "declare it in OBJECTS or LEGEND")
            first = False

    # --- before the brackets ------------------------------------------------------------------------------

    def opening(self) -> int:
        """Read what stands before the first bracket; where the brackets begin."""
        for index, token in enumerate(self.tokens):
            if token == "[":
                self.directions = self.directions or list(SEVERAL["orthogonal"])
                return index
            if token == "+":
                self.join(token, index)
            elif token in RELATIVE:
                remedy = "write up, down, left, right, horizontal or vertical, or nothing for all four"
                self.fault(token, "a rule has no relative direction", remedy)
            elif token in SEVERAL and token in BEFORE_BRACKETS:
                self.directions += SEVERAL[token]
            elif token in ABSOLUTE:
                self.directions.append(token)
            elif token in ("late", "rigid", "random"):
                self.flags.add(token)
                if token == "random" and "+" in self.flags:
                    message = "only the first rule of a group can say `random`"
                    self.fault(token, message, "write `random` there: it holds for the group")
            else:
                message = f"{token.upper()} stands where a direction or a bracket is expected"
                self.fault(token, message, "write `[ ... ] -> [ ... ]`")
        return len(self.tokens)

    def join(self, token: Token, index: int) -> None:
        """A plus sign: the rule joins the group of the one above."""
        if "+" in self.flags:
            self.fault(token, "there are two plus signs", "leave one away")
        elif index:
            self.fault(token, "a plus sign stands first on its line", "put it there")
        if self.before is None:
            self.fault(token, "there is no rule above that this one could join", "leave the plus sign away")
        else:
            self.flags.add("+")

    # --- cells --------------------------------------------------------------------------------------------

    def open(self, token: Token, balance: int) -> None:
        """A bracket opens."""
        if balance > 1:
            self.doubt(token, "a bracket opens before the one before it is closed", "close it with `]`")
        if self.cell:
            self.fault(token, "a bracket opens inside a cell", "close the one before it with `]`")
        self.inside, self.cell = True, []

    def close(self, token: Token) -> None:
        """A bracket closes, and its row is done."""
        if len(self.cell) % 2:
            self.fault(token, "a direction stands here without an object", "say what goes there")
        else:
            self.end_cell(token)
        self.sides[self.arrow].append(self.row)
        self.row, self.inside = [], False

    def end_cell(self, token: Token) -> None:
        """The cell is done."""
        self.row.append(list(zip(self.cell[::2], self.cell[1::2], strict=True)))
        self.cell = []
        self.cells += 1
        if self.cells == MOST_CELLS + 1:
            self.fault(token, f"the rule has more than {MOST_CELLS} cells", "make several rules of it")
            self.ok = False

    def pass_arrow(self, token: Token) -> bool:
        """The arrow; False where the rule is left out for it."""
        if self.inside:
            self.doubt(token, "an arrow stands inside of a bracket", "close the bracket before it")
        elif self.arrow:
            self.fault(token, "there are two arrows", "make two rules of it")
            return False
        else:
            self.arrow = True
        if "+" in self.flags and self.before is not None and self.before.late != ("late" in self.flags):
            self.doubt(token, "one rule of the group is late, one is not", "say `late` in all of them")
        return True

    def word(self, token: Token, index: int) -> bool:
        """Any other word; False where the rest of the line is the text of a message."""
        if token in BEFORE_OBJECTS:
            self.how(token)
        elif token == "|":
            if not self.inside:
                self.doubt(token, "`|` stands outside of the brackets", "put it between two cells")
            elif len(self.cell) % 2:
                self.fault(token, "a direction stands here without an object", "say what goes there")
            else:
                self.end_cell(token)
        elif token in self.names:
            self.name(token)
        elif token == "...":
            if self.inside:
                self.cell += ["...", "..."]
            else:
                self.doubt(token, "an ellipsis stands outside of the brackets", "put it between two `|`")
        elif token in COMMANDS:
            return self.command(token, index)
        else:
            self.fault(token, f"{token!r} is nothing that stands in a rule", "see the order of its parts")
        return True

    def how(self, token: Token) -> None:
        """A direction, or another word that belongs to the next object."""
        if len(self.cell) % 2:
            self.fault(token, "an object has one direction only", "leave one away")
        elif not self.inside:
            self.doubt(token, "a direction stands between brackets", "put it before the first one")
        elif "late" in self.flags and token not in ("no", "random", "randomdir"):
            self.fault(token, "nothing moves any more in a late rule", "leave `late` or the direction away")
        else:
            self.cell.append(token)

    def name(self, token: Token) -> None:
        """An object's name, or one from the legend."""
        if not self.inside:
            self.doubt(token, f"{token.upper()} stands outside of the brackets", "put it into one")
            return
        how = self.cell[-1] if len(self.cell) % 2 else ""
        for held, other in zip(self.cell[::2], self.cell[1::2], strict=False):
            if other != token:
                continue
            if how == held == "no":
                self.doubt(token, f"NO {token.upper()} stands twice in a cell", "leave one away")
            else:
                remedy = "leave one away; two names for the same can be declared in the legend"
                self.fault(token, f"{token.upper()} stands twice in a cell", remedy)
        self.cell += [token] if len(self.cell) % 2 else ["", token]

    def command(self, token: Token, index: int) -> bool:
        """A command, which belongs to the end of the rule; False where its text takes the rest."""
        if not self.arrow:
            self.fault(token, f"the command {token} stands before the arrow", "put it at the end of the rule")
        elif self.inside or "]" in self.tokens[index:]:
            self.doubt(token, f"the command {token} stands between cells", "put it at the end of the rule")
        if token == "message":
            text = self.line.raw[token.column + len(token) :].strip()
            self.commands.append(f"message {text}".strip())
            return False
        self.commands.append(str(token))
        return True

    # --- the whole ----------------------------------------------------------------------------------------

    def finished(self) -> Rule | None:
        """The rule, if its two sides fit."""
        left, right = self.sides
        if {"late", "rigid"} <= self.flags:
            self.fault(None, "a rule cannot be both late and rigid", "nothing moves any more in late rules")
        if len(left) != len(right) and (right or not self.commands):
            message = "the two sides have different numbers of brackets; the rule is left out"
            self.faults.warning(self.line.number, self.line.column, message, "give both sides the same")
            return None
        for one, other in zip(left, right, strict=False):
            if len(one) != len(other):
                message = "a bracket on the left has another number of cells than the one on the right"
                self.fault(None, message, "give both the same")
                self.ok = False
        if not left:
            self.fault(None, "this rule asks for nothing", "write what it looks for: `[ ... ] -> [ ... ]`")
        if not all(left):
            self.fault(None, "a bracket on the left holds nothing at all", "write what it looks for")
            self.ok = False
        if not self.ok:
            return None
        directions = self.directions
        if not directional(left, right):
            directions = directions[:1]
        group = self.before.group if self.before is not None and "+" in self.flags else self.line.number
        return Rule(
            self.line.number,
            self.line.column,
            group,
            tuple(directions),
            left,
            right,
            tuple(self.commands),
            "late" in self.flags,
            "rigid" in self.flags,
            "random" in self.flags,
        )


def directional(left: list[Row], right: list[Row]) -> bool:
    """Does the direction in which a rule is turned make a difference?"""
    relative = any(how in RELATIVE for row in (*left, *right) for cell in row for how, _ in cell)
    return relative or any(len(row) > 1 for row in left)


def sound_missing(rules: list[Rule], declared: set[str], faults: Faults) -> None:
    """Doubt commands that play a sound which is not declared."""
    for rule in rules:
        for command in rule.commands:
            if command in SOUND_COMMANDS and command not in declared:
                faults.warning(rule.line, rule.column, f"there is no sound {command}", "declare it in SOUNDS")
