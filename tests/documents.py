"""Runs what the documents say: the files that they show, their commands with the output, their Python.

In a Markdown file

- a block after `<!-- file: NAME -->` is written to a file of that name;
- a ```console block holds commands after `$ `, each followed by what it prints (nothing: not compared). A
  command must end with status 0, or be followed by `$ echo $?` and another number. `...` alone on a line
  stands for any lines. Times are not compared; sizes are, for they do not hang on the machine;
- a ```python block is run; the ```text block after `<!-- prints -->` is what it prints.

Blocks of one document share a folder and, for Python, their names.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ggp.cli import main

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"(?:<!-- (?P<note>.*?) -->\n+)?^```(?P<language>[\w-]*)\n(?P<text>.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    """A fenced block: its language, its text, the comment above it, and its line in the document."""

    language: str
    text: str
    note: str
    line: int


def documents() -> list[Path]:
    """README.md and all pages of docs/; none where only the tests were copied."""
    return [file for file in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if file.exists()]


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document."""
    text = document.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("language")) + 1
        yield Block(match["language"], match["text"], match["note"] or "", line)


def files(document: Path) -> dict[str, str]:
    """The files that a document shows."""
    return {
        block.note.removeprefix("file: "): block.text
        for block in blocks(document)
        if block.note.startswith("file: ")
    }


def to_run(document: Path) -> int:
    """How many commands and programs a document has."""
    consoles = [block for block in blocks(document) if block.language == "console"]
    programs = sum(block.language == "python" for block in blocks(document))
    return programs + sum(1 for block in consoles for _ in commands(block.text))


def run(document: Path) -> int:
    """Do what a document says, in the current folder; how many commands and programs that were.

    Raises AssertionError that names the line where something else happens than is written.
    """
    names: dict[str, Any] = {"__name__": "document"}
    printed = ""
    for block in blocks(document):
        where = f"{document.name}:{block.line}"
        if block.note.startswith("file: "):
            Path(block.note.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, expected, status in commands(block.text):
                output, ended = command_output(command)
                assert ended == status, f"{where}: $ {command}\nended with {ended}:\n{output}"
                assert not expected or alike(expected, output), f"{where}: $ {command}\nprinted\n{output}"
        elif block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile("\n" * block.line + block.text, str(document), "exec"), names)
            printed = out.getvalue()
        elif block.note == "prints":
            assert alike(block.text, printed), f"{where}: the program above printed\n{printed}"
    return to_run(document)


def commands(text: str) -> Iterator[tuple[str, str, int]]:
    """(command, what it prints, its exit status) of a console block."""
    parts = re.split(r"^\$ ", text, flags=re.M)[1:]
    while parts:
        command, _, expected = parts.pop(0).partition("\n")
        status = 0
        if parts and parts[0].startswith("echo $?\n"):
            status = int(parts.pop(0).split()[2])
        yield command, expected, status


def command_output(command: str) -> tuple[str, int]:
    """Standard output and then error of a command, and its exit status."""
    piped = re.fullmatch(r"(ggp [^|<>;&]*) \| ((?!.*ggp)[^<>;&]*)", command)
    if piped:  # what comes first is run here, where the descriptions have been read
        output, _ = command_output(piped[1])
        done = subprocess.run(["bash", "-c", piped[2]], capture_output=True, text=True, input=output)
        return done.stdout + done.stderr, done.returncode
    words = shlex.split(command)
    if words[0] != "ggp" or re.search(r"[|<>;&]", command):
        ggp = f'ggp() {{ "{sys.executable}" -m ggp.cli "$@"; }}\n'
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(["bash", "-c", ggp + command], capture_output=True, text=True, env=environment)
        return done.stdout + done.stderr, done.returncode
    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words[1:])
        except SystemExit as end:
            status = int(end.code or 0)
    return out.getvalue() + err.getvalue(), status


def alike(expected: str, output: str) -> bool:
    """Are two outputs the same, apart from times and what `...` leaves out?"""
    pattern = re.escape(same_numbers(expected)).replace(re.escape("...\n"), "(?:.*\n)*?")
    return re.fullmatch(pattern, same_numbers(output)) is not None


def same_numbers(text: str) -> str:
    """The text with one number for every time, and without blanks at the end of lines."""
    text = re.sub(r"\d+\.\d+ s\b", "0.0 s", text)
    return re.sub(r" +$", "", text, flags=re.M)
