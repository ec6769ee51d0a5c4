"""Programs that are not ours: however they behave, they end, and nothing of them stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ggp.engines import processes
from ggp.engines.processes import Child, Ended, run
from ggp.errors import NotAvailable, SolverError

QUICK = 2.0  # seconds within which a child must be gone after its deadline


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def ended(child: Child) -> Ended:
    assert child.ended is not None
    return child.ended


def marked(word: str) -> list[psutil.Process]:
    """The processes whose command line holds this word, and that are more than a remembered number."""
    found = []
    for process in psutil.process_iter():
        try:
            if word in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def word() -> Iterator[str]:
    """A word that no other process has in its command line; nothing with it may be left at the end."""
    word = f"child-of-test-{os.urandom(6).hex()}"
    yield word
    patience = time.monotonic() + QUICK
    while (left := marked(word)) and time.monotonic() < patience:
        time.sleep(0.02)
    for process in left:
        process.kill()
    assert not left, f"left behind: {left}"


def test_all_that_it_prints_and_how_it_ended() -> None:
    output, how = run(python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"))
    assert (output, how.code, how.by, how.timed_out, how.errors.strip()) == (b"out\n", 3, None, False, "err")
    assert str(how) == "ended with status 3, saying 'err'"
    thrown = replace(how, errors="java.lang.Error: no\n\tat main.Head.run(Head.java:457)\n")
    assert str(thrown) == "ended with status 3, saying 'java.lang.Error: no'"


def test_it_reads_what_it_is_given() -> None:
    assert (
        run(python("import sys; print(sys.stdin.read() * 2)"), given=b"ab" * 100_000)[0].strip()
        == b"ab" * 200_000
    )


def test_without_anything_given_it_reads_nothing() -> None:
    assert run(python("import sys; print(repr(sys.stdin.read()))"))[0] == b"''\n"


def test_lines_come_while_it_runs() -> None:
    code = "import time\nfor i in range(3): print(i, flush=True); time.sleep(0.3)\nprint('end', end='')"
    times = []
    with Child(python(code)) as child:
        lines = []
        for line in child:
            lines.append(line)
            times.append(time.monotonic())
    assert lines == ["0", "1", "2", "end"]
    assert times[2] - times[0] > 0.4


def test_bytes_that_are_no_text_are_replaced() -> None:
    with Child(python("import sys; sys.stdout.buffer.write(b'a\\xffb\\r\\n')")) as child:
        assert list(child) == ["a\ufffdb"]


def test_a_signal_is_named() -> None:
    _, how = run(python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"))
    assert (how.code, how.by) == (None, "signal SIGSEGV")
    assert "signal SIGSEGV" in str(how)


@pytest.mark.parametrize("code", ["import time; time.sleep(1000)", "while True: pass"])
def test_one_that_hangs_is_killed_in_time(code: str, word: str) -> None:
    start = time.monotonic()
    output, how = run([*python(code), word], seconds=0.5)
    assert (output, how.code, how.by, how.timed_out) == (b"", None, "us", True)
    assert time.monotonic() - start < 0.5 + QUICK


def test_one_that_will_not_be_asked_to_end_is_killed(word: str) -> None:
    code = (
        "import signal, time\n"
        "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\n"
        "print('ready', flush=True)\ntime.sleep(1000)"
    )
    output, how = run([*python(code), word], seconds=1.0)
    assert output == b"ready\n" and how.timed_out


def test_one_that_closes_its_output_and_goes_on_is_killed(word: str) -> None:
    code = "import os, time; os.close(1); os.close(2); time.sleep(1000)"
    start = time.monotonic()
    assert run([*python(code), word], seconds=0.5)[1].timed_out
    assert time.monotonic() - start < 0.5 + QUICK


def test_a_flood_is_stopped_and_costs_no_memory(word: str) -> None:
    before = psutil.Process().memory_info().rss
    flood = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    with (
        pytest.raises(SolverError, match="floods its output"),
        Child([*python(flood), word], largest=2**20) as child,
    ):
        for _ in child:
            pass
    assert psutil.Process().memory_info().rss - before < 100 * 2**20


def test_a_flood_of_errors_is_not_kept(word: str) -> None:
    code = "import sys\nfor _ in range(2000): sys.stderr.write('x' * 65536)\nsys.stderr.write('the end')"
    output, how = run([*python(code), word])
    assert len(how.errors) <= processes.LAST_WORDS and how.errors.endswith("the end")


def test_what_is_of_use_may_go_on() -> None:
    with Child(python("for _ in range(3000): print('x' * 999)"), largest=300_000) as child:
        for _ in child:
            child.useful()
    assert ended(child).code == 0


def test_what_it_leaves_behind_is_killed(word: str) -> None:
    """In its session, in one of its own, and as a daemon whose parents are gone; all hold the pipe open."""
    sleeper = f"[sys.executable, '-c', 'import time; time.sleep(1000)', {word!r}]"
    code = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen({sleeper})\n"
        f"subprocess.Popen({sleeper}, start_new_session=True)\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        f"    if os.fork() == 0: os.execv(sys.executable, {sleeper})\n"
        "    os._exit(0)\n"
        "print('done')"
    )
    start = time.monotonic()
    output, how = run([*python(code), word], seconds=30)
    assert (output, how.code) == (b"done\n", 0)
    assert time.monotonic() - start < 10, "it waited for what was left behind"


def test_an_iterator_that_is_dropped_ends_it(word: str) -> None:
    child = Child([*python("import time\nwhile True: print(1, flush=True); time.sleep(0.01)"), word])
    lines = iter(child)
    assert next(lines) == "1"
    lines.close()  # type: ignore[attr-defined]
    assert ended(child).by == "us"


def test_an_exception_in_the_reader_ends_it(word: str) -> None:
    with pytest.raises(ZeroDivisionError), Child([*python("import time; time.sleep(1000)"), word]):
        1 / 0  # noqa: B018


def test_ctrl_c_ends_it(word: str) -> None:
    """Sent to us alone: the terminal does not reach what has a session of its own."""
    # Who runs tests in the background may have the signal ignored, which children inherit.
    code = (
        "import signal, sys\nfrom ggp.engines.processes import run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"run([sys.executable, '-c', 'import time; print(1, flush=True); time.sleep(1000)', {word!r}])"
    )
    ours = start_us(code)
    wait_for(word, 2)  # its command line and ours
    ours.send_signal(signal.SIGINT)
    assert ours.wait(10) != 0


@pytest.mark.skipif(not processes.leash(), reason="this system cannot tie a child to its parent")
def test_it_does_not_outlive_us(word: str) -> None:
    """Not even if we are killed without a chance to do anything."""
    code = (
        "import sys\nfrom ggp.engines.processes import run\n"
        f"run([sys.executable, '-c', 'import time; time.sleep(1000)', {word!r}])"
    )
    ours = start_us(code)
    patience = time.monotonic() + 20
    # Its own command line ends with the word; before that it is still ours, and not yet on its leash.
    while not any(started(process, word) for process in marked(word)):
        assert time.monotonic() < patience, "it never started"
        time.sleep(0.02)
    ours.kill()
    ours.wait(10)


def started(process: psutil.Process, word: str) -> bool:
    """Is this the child itself, and neither we nor what puts it on its leash?"""
    try:
        line = process.cmdline()
    except psutil.Error:
        return False
    return line[:2] == [sys.executable, "-c"] and line[-1] == word


def start_us(code: str) -> subprocess.Popen[bytes]:
    """A Python in which our package can be imported."""
    _, environment = processes.python("ggp")
    return subprocess.Popen(
        python(code), env={**os.environ, **environment}, stderr=subprocess.DEVNULL, start_new_session=True
    )


def wait_for(word: str, number: int) -> None:
    patience = time.monotonic() + 20
    while len(marked(word)) < number:
        assert time.monotonic() < patience, "it never started"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can bound the memory of another process")
def test_memory_is_bounded() -> None:
    _, how = run(python("x = bytearray(2 * 10**9)"), memory=500 * 2**20)
    assert how.code == 1 and "MemoryError" in how.errors


@pytest.mark.parametrize("program", ["no-such-program", "/no/such/program", "no/such/program", "", "a\0b"])
def test_what_is_not_there_is_said(program: str) -> None:
    with pytest.raises(NotAvailable, match="program"):
        Child([program])


def test_what_cannot_run_is_said(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a program")
    with pytest.raises(NotAvailable, match="there is no program"):
        Child([str(text)])  # it may not be executed
    text.chmod(0o755)
    try:
        _, how = run([str(text)])
    except NotAvailable:
        return
    assert how.code != 0  # with a leash before it, it is the leash that fails


@pytest.mark.parametrize(
    ("words", "starved"),
    [
        ("[cons.c:184] ERROR: Insufficient memory for reallocation of 625504 bytes.", True),  # SCIP
        ("INFO: os::commit_memory(0x7f, 1, 0) failed; error='Not enough space' (errno=12)", True),  # Java
        ("a segment of memory", False),
    ],
)
def test_programs_say_in_their_own_words_that_there_is_no_memory(words: str, starved: bool) -> None:
    assert Ended(1, None, False, words, 0.0).starved is starved


def test_ours_run_from_any_folder(tmp_path: Path) -> None:
    """Also from one in which modules are called like those that they use."""
    (tmp_path / "typing.py").write_text("raise SystemExit(7)")
    command, environment = processes.python("ggp")
    output, how = run([*command, "--version"], env=environment, cwd=tmp_path)
    assert how.code == 0 and output


HIDING = """
import os, sys
if os.fork() == 0:
    os.setsid()  # a session of its own,
    if os.fork() == 0:  # whose head is gone,
        for stream in range(3):
            os.close(stream)
        code = "import time; time.sleep(1000)"
        os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})  # without our environment
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux finds what hides like this")
@pytest.mark.parametrize("then", ["", "import time; time.sleep(1000)"])
def test_a_daemon_ends_with_its_solver(then: str, word: str) -> None:
    """Its own exit, or the deadline; the fixture sees that nothing is left."""
    _, how = run([*python(HIDING + f"print('hidden', flush=True)\n{then}"), word], seconds=2.0)
    assert how.timed_out == bool(then)
    assert not marked(word)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux finds what hides like this")
def test_a_daemon_does_not_outlive_us(word: str) -> None:
    inner = HIDING + "import time; time.sleep(1000)"
    code = (
        f"import sys\nfrom ggp.engines.processes import run\nrun([sys.executable, '-c', {inner!r}, {word!r}])"
    )
    ours = start_us(code)
    patience = time.monotonic() + 20
    while not any(hidden(process) for process in marked(word)):
        assert time.monotonic() < patience, "it never started"
        time.sleep(0.02)
    ours.kill()
    ours.wait(10)


def hidden(process: psutil.Process) -> bool:
    """Is this the daemon? It has no environment."""
    try:
        return process.environ() == {}
    except psutil.Error:
        return False


def test_a_flood_of_lines_is_cut(word: str) -> None:
    start = time.monotonic()
    with pytest.raises(SolverError, match="200,000 lines and nothing of use"):
        list(Child([*python("while True: print('o 1')"), word], seconds=60))
    assert time.monotonic() - start < 30


def test_lines_between_what_is_of_use_are_no_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_LINES", 50)
    with Child(python("for i in range(400): print('v' if i % 40 == 0 else 'o 1')")) as child:
        for line in child:
            if line == "v":
                child.useful()
    assert ended(child).code == 0


def test_what_it_leaves_in_the_temporary_folder_goes_with_it() -> None:
    code = "import tempfile; print(tempfile.mkdtemp(), flush=True)"
    output, how = run(python(code))
    assert how.code == 0 and not Path(output.decode().strip()).exists()


def test_after_a_kill_the_next_run_clears_what_was_left(tmp_path: Path, word: str) -> None:
    code = (
        "import sys\nfrom ggp.engines.processes import run\n"
        "run([sys.executable, '-c', 'import tempfile, time; tempfile.mkstemp(); time.sleep(1000)', "
        f"{word!r}])"
    )
    _, environment = processes.python("ggp")
    mine = {**os.environ, **environment, "TMPDIR": str(tmp_path)}
    ours = subprocess.Popen(python(code), env=mine, start_new_session=True)
    patience = time.monotonic() + 20
    while not list(tmp_path.glob("ggp-*/*/*")):
        assert time.monotonic() < patience, "it wrote nothing"
        time.sleep(0.02)
    ours.kill()
    ours.wait(10)
    while marked(word):
        assert time.monotonic() < patience + 20, "it does not end"
        time.sleep(0.02)
    assert list(tmp_path.glob("ggp-*/*")), "nothing was left, so this shows nothing"
    again = code.replace("tempfile.mkstemp(); time.sleep(1000)", "pass")
    subprocess.run(python(again), env=mine, check=True)
    assert not list(tmp_path.iterdir())
