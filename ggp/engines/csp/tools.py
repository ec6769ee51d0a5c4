"""The XCSP3 programs that we know how to call: ACE and Choco from the wheel of PyCSP3, CPMpy, any other.

None of them is imported: the jars are found by where the package stands, and CPMpy runs in its own process.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from ggp.engines import java, processes
from ggp.engines.csp.answers import Reader, Reading
from ggp.engines.instances import traits
from ggp.errors import PuzzleError
from ggp.model.options import Options

PYCSP3 = "install it with `pip install pycsp3`"
ACE_MAIN = "main.Head"
CHOCO_MAIN = "org.chocosolver.parser.xcsp.ChocoXCSP"
CHECKER = "org.xcsp.parser.callbacks.SolutionChecker"  # in Choco's jar

# A file with constraints of the sorts that ours have: the classes that reading and solving it takes are kept.
TYPICAL = """<instance format="XCSP3" type="COP"><variables>
<array id="x" size="[4][4]"> 0..3 </array><array id="b" size="[4]"> 0 1 </array></variables><constraints>
<allDifferent><matrix> x[][] </matrix></allDifferent>
<extension><list> x[0][0] x[1][1] </list><supports> (0,1)(1,2)(2,3)(3,0)(1,0) </supports></extension>
<group><intension> iff(%0,eq(%1,%2)) </intension><args> b[0] x[0][0] 1 </args>
<args> b[1] x[1][1] 2 </args></group>
<intension> or(not(b[2]),and(b[0],b[1]),eq(x[3][3],2)) </intension>
<sum><list> b[] </list><coeffs> 1 1 2 1 </coeffs><condition> (le,4) </condition></sum>
<sum><list> x[0][1] x[2][2] </list><condition> (ge,1) </condition></sum>
<count><list> x[3][] </list><values> 1 </values><condition> (eq,1) </condition></count>
<regular><list> b[] </list><transitions> (s,0,s)(s,1,t)(t,0,t)(t,1,t) </transitions><start> s </start>
<final> t </final></regular></constraints>
<objectives><minimize type="sum"><list> b[] </list></minimize></objectives></instance>
"""

Wanted = Literal["one", "all", "best"]
"""One solution of a file, all of them, or the best by the objective that the file names."""
Available = Callable[[], str | None]
Command = Callable[[Path, Wanted, float | None], list[str]]


@dataclass(frozen=True)
class Tool:
    """A program that solves files of constraints: of XCSP3, unless it has another `reader` and `suffix`.

    `command(file, want, seconds)` is its command line, told to stop after so many seconds. `lists`: it can
    list every solution; others are asked again and again. `proves(words)` tells from its `d` lines whether a
    list that it ended is the whole one. `prepare()` makes what is made once a machine, if it is not there,
    and says how many seconds that took: no question is at fault for being the first. `flags` are what its
    options add to the command line. `reader` is what reads its answers. `misreads` are the forms of XCSP3
    that it is known to read otherwise than the format says: what it claims of such a file is of another one.
    """

    name: str
    available: Available
    versions: Callable[[], dict[str, str]]
    command: Command
    lists: bool = True
    proves: Callable[[list[str]], bool] = lambda words: False
    env: dict[str, str] = field(default_factory=dict)
    prepare: Callable[[], float] = lambda: 0.0
    flags: Callable[[Options], list[str]] = lambda options: []
    reader: Reading = Reader
    suffix: str = ".xml"
    misreads: frozenset[str] = frozenset()


def jar(solver: str) -> Path | None:
    """The jar of a solver in the package of PyCSP3; None where the package is missing."""
    package = find_spec("pycsp3")
    if package is None or package.origin is None:
        return None
    return next(iter(sorted((Path(package.origin).parent / "solvers" / solver).glob("*.jar"))), None)


def of_jar(solver: str) -> Callable[[], str | None]:
    """The function that tells whether a solver from a jar can run."""

    def available() -> str | None:
        return PYCSP3 if jar(solver) is None else java.available()

    return available


def present(solver: str) -> Path:
    """The jar of a solver that is available."""
    file = jar(solver)
    assert file is not None
    return file


def kept_classes(solver: str, main: str, *words: str) -> Callable[[], float]:
    """The function that keeps the classes of a solver for quick starts, from a run with these words."""

    def prepare() -> float:
        file = jar(solver)
        return 0.0 if file is None else java.keep_classes(file, main, words, TYPICAL)

    return prepare


def versions_of_jar(solver: str) -> Callable[[], dict[str, str]]:
    """The function that tells the versions of a solver from a jar and of its Java."""

    def versions() -> dict[str, str]:
        file, runtime = jar(solver), java.find()
        found = {} if file is None else {solver: file.stem.partition("-")[2]}
        return found if runtime is None else {**found, "java": str(runtime[1])}

    return versions


def ace_command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
    """ACE, printing each solution whole as it is found, and nothing but solutions and the summary."""
    limit = [] if seconds is None else [f"-t={max(1, math.ceil(1000 * seconds))}"]
    options = ["-xe", "-xc=false", "-npc", "-v=-1", "-jl=0", f"-s={1 if want == 'one' else 'all'}"]
    # Unless it is told, ACE passes annotations over; and changing its heuristics from run to run, as it does
    # by itself, fails where there are any.
    if "<annotations>" in file.read_text(encoding="utf-8"):
        options += ["-ea", "-rr="]
    return java.command(present("ace"), ACE_MAIN, str(file), *options, *limit)


def choco_command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
    """Choco, with its own black-box search.

    It does not say whether a list is whole or was cut off by its limit. So its limit is a second longer than
    ours: where it ends by itself, it came to the end. Its long runs take half the time with both compilers
    of Java, those of ACE do not.
    """
    limit = [] if seconds is None else [f"-limit=[{math.ceil(seconds) + 1}s]"]
    every = ["-a"] if want == "all" else []
    return java.command(present("choco"), CHOCO_MAIN, str(file), *limit, *every, both=True)


def choco_flags(options: Options) -> list[str]:
    """Options as Choco's words; it takes a heuristic only with the word that sets aside what a file says."""
    words = {"threads": "-p"}
    flags = [part for name, value in options.items() for part in (words.get(name, f"-{name}"), str(value))]
    return ["-f", *flags] if {"varh", "valh"} & options.keys() else flags


def cpmpy_available() -> str | None:
    """None if CPMpy and what it reads XCSP3 with are there."""
    missing = [name for name in ("cpmpy", "pycsp3") if find_spec(name) is None]
    return f"install it with `pip install {' '.join(missing)}`" if missing else None


def cpmpy_versions() -> dict[str, str]:
    """The versions of CPMpy, its reader and its solver."""
    found = {}
    for name in ("cpmpy", "pycsp3", "ortools"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def cpmpy_command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
    """CPMpy in a process of its own."""
    command, _ = processes.python("ggp.engines.csp.cpmpy_worker")
    return [*command, str(file), want, "" if seconds is None else str(seconds)]


CPMPY_WORDS = {"seed": "random_seed", "threads": "num_workers"}
ACE = Tool(
    "ace",
    of_jar("ace"),
    versions_of_jar("ace"),
    ace_command,
    proves=lambda words: "COMPLETE EXPLORATION" in words,
    prepare=kept_classes("ace", ACE_MAIN, "{file}", "-xe", "-xc=false", "-npc", "-v=-1", "-s=all"),
    flags=lambda options: [f"-{name}={value}" for name, value in options.items()],
    misreads=frozenset({traits.AMONG_NONE, traits.PLACELESS, traits.NO_LENGTH}),
)
CHOCO = Tool(
    "choco",
    of_jar("choco"),
    versions_of_jar("choco"),
    choco_command,
    proves=lambda words: True,
    prepare=kept_classes("choco", CHOCO_MAIN, "{file}", "-a"),
    flags=choco_flags,
    misreads=frozenset({traits.AMONG_NONE, traits.NOT_IGNORED, traits.BINS}),
)
CPMPY = Tool(
    "cpmpy",
    cpmpy_available,
    cpmpy_versions,
    cpmpy_command,
    proves=lambda words: "COMPLETE EXPLORATION" in words,
    env=processes.python("ggp.engines.csp.cpmpy_worker")[1],
    flags=lambda options: [f"{CPMPY_WORDS[name]}={value}" for name, value in options.items()],
    misreads=frozenset({traits.BINS}),
)
TOOLS = (ACE, CHOCO, CPMPY)


def by_command(template: str) -> Tool:
    """The tool that a command line stands for; raises PuzzleError where there is no `{file}` in it.

    PyCSP3 writes the file, so that must be there, too; of the program itself no version is known.
    """
    there, command = called(template, "such as 'xcsp:java -jar ace.jar {file} -t={seconds}s'")

    def available() -> str | None:
        return there() if find_spec("pycsp3") else PYCSP3

    def versions() -> dict[str, str]:
        return {"pycsp3": version("pycsp3")}

    return Tool(f"xcsp:{template}", available, versions, command, lists=False)


def called(template: str, example: str) -> tuple[Available, Command]:
    """Is the program of a command line there, and how it is called.

    `{file}` in it is the file, `{seconds}` the time that is left. Raises PuzzleError, with an example, where
    there is no `{file}`.
    """
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise PuzzleError(f"the command {template[:200]!r} cannot be read: {error}", example) from None
    if not any("{file}" in word for word in words):
        raise PuzzleError(f"the command {template[:200]!r} has no {{file}}", example)

    def available() -> str | None:
        try:
            processes.absolute(words[0], processes.environment())
        except PuzzleError as error:
            return f"{error.findings[0].message}: {error.findings[0].remedy}"
        return None

    def command(file: Path, want: Wanted, seconds: float | None) -> list[str]:
        left = "1000000" if seconds is None else str(max(1, math.ceil(seconds)))
        return [word.replace("{file}", str(file)).replace("{seconds}", left) for word in words]

    return available, command


checker_available = of_jar("choco")


def check(file: Path, answer: Path) -> tuple[bool, str]:
    """Does an `<instantiation>` solve a file? The verdict of the checker in Choco's jar, and its words."""
    command = java.command(present("choco"), CHECKER, str(file), str(answer))
    output, ended = processes.run(command, seconds=60)
    words = output.decode("utf-8", "replace").strip()
    return "OK" in words.split() and "INVALID" not in words, words or str(ended)
