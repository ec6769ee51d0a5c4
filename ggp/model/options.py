"""Options of solvers and exporters, written behind their names: `ace:varh=Dom,seed=3`.

A solver's module declares those that it knows as `OPTIONS`, and offers `with_argument`; what is given is then
in `query.options`. What it does not know is refused, with those that there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any

from ggp.errors import PuzzleError
from ggp.model.result import Query

Options = Mapping[str, int | str]
ITEM = re.compile(r"""((?:[^,"']|"[^"]*"|'[^']*')*)(,|$)""")
MOST = 2**31 - 1  # of a whole number: what all solvers take


@dataclass(frozen=True)
class Option:
    """What an option may be: one of some `words`, else a whole number, the `least` or more.

    `alike`: all its values mean the same.
    """

    about: str
    least: int = 0
    words: tuple[str, ...] = ()
    alike: bool = False

    def read(self, name: str, given: str) -> int | str:
        """The value that a text stands for; raises PuzzleError."""
        if not given:
            raise PuzzleError(f"{name} is given nothing", f"it is {self.about}")
        if self.words:
            if given not in self.words:
                raise PuzzleError(f"{name} cannot be {given[:40]!r}", f"it is one of {', '.join(self.words)}")
            return given
        if not given.isdecimal() or not given.isascii() or not self.least <= int(given) <= MOST:
            remedy = f"write a whole number, {self.least} to {MOST:,}"
            raise PuzzleError(f"{name} cannot be {given[:40]!r}", remedy)
        return int(given)


SEED = Option("what chance begins with: the same seed and one thread give the same answer")
SAME = Option("any number: the same question has the same answer each time", alike=True)
THREADS = Option("how many threads search", least=1)


def split(text: str) -> list[str]:
    """What stands between commas; within quotes they are a part of it, and the quotes go."""
    items, at = [], 0
    while at <= len(text):
        found = ITEM.match(text, at)
        if found is None:
            raise PuzzleError(f"a quote in {text[:80]!r} has no end", "close it")
        items.append(re.sub("[\"']", "", found[1]).strip())
        at = found.end() + (0 if found[2] else 1)
    return items


def read(text: str, known: Mapping[str, Option], solver: str) -> tuple[str, dict[str, int | str]]:
    """(a word without a value, if there is one, the options) of what stands behind a solver's name.

    Raises PuzzleError for what the solver does not know.
    """
    words, options = [], dict[str, int | str]()
    for item in split(text):
        name, sign, given = item.partition("=")
        if not sign:
            words.append(item)
        elif name not in known:
            able = ", ".join(f"{one} ({option.about})" for one, option in known.items())
            message = f"{solver} does not know the option {name[:40]!r}"
            raise PuzzleError(message, f"its options are {able}" if able else "it has none")
        elif name in options:
            raise PuzzleError(f"{name} is given twice", "give it once")
        else:
            options[name] = known[name].read(name, given)
    if len(words) > 1:
        raise PuzzleError(
            f"{solver} is told {words[1][:40]!r} without a value", "write options as name=value"
        )
    return (words[0] if words else ""), options


class Configured:
    """A solver with options; offers what its module does."""

    def __init__(self, module: Any, options: Options, name: str) -> None:
        self.module = module
        self.options = options
        self.NAME = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def solve(self, instance: Any, query: Query) -> Generator[Any, None, Any]:
        """Solve with the options."""
        return (yield from self.module.solve(instance, replace(query, options=self.options)))


def taking_options(module: str, options: Mapping[str, Option]) -> Callable[[str], Configured]:
    """`with_argument` of a solver's module that has options and nothing else behind its name."""

    def with_argument(text: str) -> Configured:
        """What `NAME:OPTION=VALUE,...` names. Raises PuzzleError for what is no option."""
        found: ModuleType = import_module(module)
        word, given = read(text, options, found.NAME)
        if word:
            able = ", ".join(f"{one}=..." for one in options)
            raise PuzzleError(f"{found.NAME} is told {word[:40]!r}, which is no option", f"there are {able}")
        return Configured(found, given, f"{found.NAME}:{text}")

    return with_argument


def added(solver: str, more: Mapping[str, int | str | None]) -> str:
    """A solver's or exporter's text with options that were given beside it."""
    parts = [f"{name}={value}" for name, value in more.items() if value is not None]
    if not parts:
        return solver
    return f"{solver}{',' if ':' in solver else ':'}{','.join(parts)}"
