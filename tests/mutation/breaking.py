"""One line of a source file broken in one way: what could be broken there, and what is drawn.

A mutant is a piece of text put in another's place, found on the syntax tree and made on the text, so that all
other lines stay as they are (their comments too). Left alone: words for people (texts, what is raised),
types, and what is read only once, when a module is loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
REPLACED: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
FOR_PEOPLE = (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Mutant:
    """`after` instead of `before`, which stands at an offset of the file; its line, function and sort."""

    file: str
    line: int
    function: str
    sort: str
    before: str
    after: str
    start: int

    def written(self, text: str) -> str:
        """The file's text with it; ValueError where the text is not there any more."""
        end = self.start + len(self.before)
        if text[self.start : end] != self.before:
            raise ValueError(f"{self.file} has changed: draw anew")
        return text[: self.start] + self.after + text[end:]


class Finder:
    """Finds what can be broken in one file."""

    def __init__(self, file: str, text: str, functions: Collection[str] | None = None) -> None:
        self.file, self.text, self.functions = file, text, functions
        self.lines = [0]
        for line in text.encode().splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.bytes = text.encode()
        self.found: list[Mutant] = []
        self.function = ""

    def at(self, line: int, column: int) -> int:
        """The offset of a place, in characters."""
        return len(self.bytes[: self.lines[line - 1] + column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a node begins and ends."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.at(node.lineno, node.col_offset), self.at(end_line, end_column)

    def put(self, sort: str, node: ast.expr | ast.stmt, after: str) -> None:
        """Note a mutant in which the node's text is another."""
        start, end = self.span(node)
        before = self.text[start:end]
        if before != after:
            self.found.append(Mutant(self.file, node.lineno, self.function, sort, before, after, start))

    def source(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    # --- walking

    def walk(self, node: ast.AST) -> None:
        """Everything below a node, leaving out what is for people and for types."""
        for child in self.parts(node):
            if isinstance(child, FOR_PEOPLE) or is_docstring(child):
                continue
            name = child.name if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else ""
            outer = self.function
            self.function = f"{outer}.{name}".strip(".") if name else outer
            if not name or self.wanted():
                if self.function:
                    self.look(child)
                self.walk(child)
            self.function = outer

    def wanted(self) -> bool:
        """Is a function looked at that begins here, or one inside it?"""
        inside = f"{self.function}."
        return self.functions is None or any(f"{one}.".startswith(inside) for one in self.functions)

    def parts(self, node: ast.AST) -> Iterator[ast.AST]:
        """The children that run."""
        if isinstance(node, ast.FunctionDef):
            yield from node.body
            return
        left_out = {"annotation", "returns", "decorator_list", "bases", "keywords"}
        keep = {"keywords"} if isinstance(node, ast.Call) else set()
        for field, value in ast.iter_fields(node):
            if field in left_out - keep:
                continue
            yield from (
                one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)
            )

    def look(self, node: ast.AST) -> None:
        """What can be broken at this very node."""
        finder = getattr(self, f"look_{type(node).__name__.lower()}", None)
        if finder is not None:
            finder(node)

    # --- expressions

    def look_compare(self, node: ast.Compare) -> None:
        operands = [self.source(one) for one in (node.left, *node.comparators)]
        for index, op in enumerate(node.ops):
            for other in COMPARED.get(type(op), ()):
                words = [symbol(one) for one in node.ops]
                words[index] = other
                rest = "".join(f" {word} {text}" for word, text in zip(words, operands[1:], strict=True))
                self.put("comparison", node, operands[0] + rest)

    def look_boolop(self, node: ast.BoolOp) -> None:
        operands = [self.source(one) for one in node.values]
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        bare = [f"({one})" if " " in one else one for one in operands]
        self.put("and/or", node, f" {other} ".join(bare) if len(bare) > 1 else bare[0])
        for index in range(len(operands)):
            left = operands[:index] + operands[index + 1 :]
            self.put("drop a condition", node, f" {word} ".join(left))

    def look_unaryop(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.put("not", node, f"({self.source(node.operand)})")
        elif isinstance(node.op, ast.USub | ast.Invert):
            self.put("sign", node, f"({self.source(node.operand)})")

    def look_binop(self, node: ast.BinOp) -> None:
        other = REPLACED.get(type(node.op))
        if other is not None and not any(is_text(one) for one in (node.left, node.right)):
            self.put("arithmetic", node, f"{self.source(node.left)} {other} {self.source(node.right)}")

    def look_constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.put("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            for value in (node.value + 1, node.value - 1):
                self.put("constant", node, str(value))

    def look_call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in CALLED:
            self.put("min/max, any/all", node, CALLED[node.func.id] + self.source(node)[len(node.func.id) :])
        plain = not any(isinstance(one, ast.Starred) for one in node.args)
        if len(node.args) >= 2 and plain and self.source(node.args[0]) != self.source(node.args[1]):
            (start, _), (first, first_end) = self.span(node), self.span(node.args[0])
            second, second_end = self.span(node.args[1])
            text, end = self.text, self.span(node)[1]
            swapped = text[second:second_end] + text[first_end:second] + text[first:first_end]
            self.put("swap arguments", node, text[start:first] + swapped + text[second_end:end])

    def look_ifexp(self, node: ast.IfExp) -> None:
        body, other = self.source(node.body), self.source(node.orelse)
        self.put("condition", node, f"{other} if {self.source(node.test)} else {body}")

    def look_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.put("drop a condition", test, "True")

    # --- statements

    def look_if(self, node: ast.If) -> None:
        if not all(isinstance(one, ast.Raise) for one in node.body):
            self.put("condition", node.test, f"not ({self.source(node.test)})")
            self.put("condition", node.test, "False")

    def look_while(self, node: ast.While) -> None:
        self.put("condition", node.test, "False")

    def look_return(self, node: ast.Return) -> None:
        if isinstance(node.value, ast.Compare | ast.BoolOp):
            self.put("return early", node, "return True")
            self.put("return early", node, "return False")

    def dropped(self, node: ast.stmt) -> None:
        self.put("drop a statement", node, "pass")

    look_augassign = look_continue = look_break = dropped

    def look_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.dropped(node)

    def look_assign(self, node: ast.Assign) -> None:
        if any(isinstance(one, ast.Subscript) for one in node.targets):
            self.dropped(node)


def symbol(op: ast.cmpop) -> str:
    """How an operator is written."""
    probe = ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))
    return probe[2:-2]


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def mutants_of(file: Path, name: str, functions: Collection[str] | None = None) -> list[Mutant]:
    """Everything that can be broken in a file, in the order of the text; or what can be in some functions."""
    finder = Finder(name, file.read_text(encoding="utf-8"), functions)
    finder.walk(ast.parse(finder.text))
    return finder.found


def draw(root: Path, files: list[str], count: int, rng: Random, known: Iterable[Mutant] = ()) -> list[Mutant]:
    """So many mutants: one of each file, the others by its number of lines; one a line, all sorts alike.

    Those that were drawn before (`known`) are kept, and count: so a change elsewhere draws nothing anew.
    """
    lines = {name: len((root / name).read_text(encoding="utf-8").splitlines()) for name in files}
    spare, drawn = max(0, count - len(files)), list[Mutant]()
    for name in files:
        wanted = 1 + round(spare * lines[name] / sum(lines.values()))
        text, sorts = (root / name).read_text(encoding="utf-8"), dict[str, list[Mutant]]()
        for one in mutants_of(root / name, name):
            sorts.setdefault(one.sort, []).append(one)
        taken = {one.line: one for one in known if one.file == name}
        while sorts and len(taken) < wanted:
            sort = rng.choice(sorted(sorts))
            one = sorts[sort].pop(rng.randrange(len(sorts[sort])))
            if one.line not in taken and compiles(one.written(text)):
                taken[one.line] = one
            if not sorts[sort]:
                del sorts[sort]
        drawn += [taken[line] for line in sorted(taken)]
    return drawn
