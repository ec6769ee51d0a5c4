"""What all tests share: golden files, and the switch that renews them."""

from __future__ import annotations

import difflib
import gc
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("thorough")  # `examples` in tests/slow.py asks for it

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"

Golden = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept", action="store_true", help="write the golden files anew from what is produced"
    )


@pytest.hookimpl(optionalhook=True)  # mutants are tried without xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a third of the time tests wait, for limits and for other programs."""
    return (os.cpu_count() or 1) + 1


# Until all tests are collected next to nothing that is made is garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: no need to look through them for garbage again and again.

    What tests keep for one another grows too, so that is looked through more rarely: it took a seventh of
    the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """`golden(name, text)` compares a text with the file `tests/golden/NAME`, or writes it under --accept."""
    accept = bool(request.config.getoption("--accept"))
    # With xdist or parameters the test's id is what reruns exactly this one.
    command = f"python -m pytest '{request.node.nodeid}' --accept"
    return lambda name, text: compare(GOLDEN / name, text, accept, command)


@pytest.fixture
def digest(request: pytest.FixtureRequest) -> Golden:
    """`digest("FORMAT/THING", text)`: as `golden`, for texts that nobody would read: in FORMAT/digests.json.

    A thing without a digest passes: whoever adds a game need not have run this. Renew without `-n`.
    """
    accept = bool(request.config.getoption("--accept"))

    def check(name: str, text: str) -> None:
        folder, _, thing = name.partition("/")
        file = GOLDEN / folder / "digests.json"
        known: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        made = (
            f"{len(text.splitlines())} lines, sha256 {hashlib.sha256(text.encode('utf-8')).hexdigest()[:32]}"
        )
        if accept:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                json.dumps(known | {thing: made}, indent=1, sort_keys=True) + "\n", encoding="utf-8"
            )
        elif known.get(thing, made) != made:
            command = f"python -m pytest '{request.node.nodeid}' --accept"
            pytest.fail(
                f"{name} was {known[thing]}, and is {made}. If that is right, renew it with\n  {command}",
                False,
            )

    return check


def compare(file: Path, text: str, accept: bool, command: str) -> None:
    """Fail when the golden file is missing or differs; say which command renews it. Lines end in \\n."""
    where = f"{HERE.name}/{file.relative_to(HERE)}" if file.is_relative_to(HERE) else str(file)
    if accept:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8"))
        return
    if not file.exists():
        pytest.fail(
            f"there is no {where}; after looking at what it would hold, make it with\n  {command}", False
        )
    expected = file.read_bytes().decode("utf-8")
    if expected != text:
        lines = difflib.unified_diff(
            expected.splitlines(), text.splitlines(), where, "produced", lineterm="", n=2
        )
        shown = "\n".join(list(lines)[:80]) or "(they differ in how lines end)"
        pytest.fail(f"{shown}\nIf the new text is right, renew {where} with\n  {command}", False)
