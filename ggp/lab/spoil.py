"""Good inputs made bad at random: bytes and words cut, doubled and exchanged, lines and values moved about.

Everything is drawn from the generator that is given, so the same seed spoils the same input the same way.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

CHANGES = (1, 1, 1, 2, 2, 3, 4)  # how many there are; with few of them many inputs pass
# What is likely to mean something in the wrong place, whatever is read.
TOKENS: tuple[bytes, ...] = (
    *(b'"', b"'", b'"""', b"\\", b"\n", b"\r\n", b"[", b"]", b"[[", b"{", b"}", b"(", b")", b"<", b">", b"&"),
    *(b"=", b",", b"#", b":", b";", b"/", b"?", b".", b"..", b"$", b"*", b"%", b"|", b"+", b"-", b" ", b"\t"),
    *(b"-1", b"0", b"1", b"00", b"1.0", b"1e9", b"1e999", b"nan", b"NaN", b"-Infinity", b"true", b"null"),
    *(b"999999999", b"99999999999999999999", b"100000", b"1" * 5000, b"x999999999", b"[]", b"{}", b'""'),
    *(b"\0", b"\x1b[31m", b"\x7f", b"\xff", b"\xc3", b"\xe2\x82\xac", b"\xef\xbb\xbf", b"\xed\xa0\x80"),
    *("é€😀".encode(), "\u0663".encode(), "\u2028".encode(), "\u200b".encode(), b"\\ud800", b"\\u0000"),
    *(b"[" * 3000, b"{" * 300, b"(" * 300, b'{"a":' * 2000, b"9(" * 12, b"a.b.c.d.e.f"),
)
# Values of the wrong type, or of the right one and far too large.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2.5, 10**9, 10**30, -(10**12), float("inf")),
    *("", "up", "wait", "pick(0,0)", "x" * 2000, "\ud800", "\0", "\x1b[31m", "1"),
    *([], {}, [[]], [None], [0, 0, "x"], ["up"] * 3, {"a": 1}, [[[[[]]]]]),
)
WORD = re.compile(rb"[A-Za-z0-9_-]+")


def spoilt_bytes(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The data with a few spans cut out, doubled, replaced, or taken from another good input."""
    for _ in range(rng.choice(CHANGES)):
        start = rng.randint(0, len(data))
        length = rng.choice((0, 0, 1, 1, 2, rng.randint(0, 12), rng.randint(0, 400)))
        end = min(len(data), start + length)
        source = rng.choice(others) if rng.random() < 0.3 else data
        at = rng.randint(0, len(source))
        new = rng.choice(
            (b"", rng.choice(TOKENS), rng.choice(TOKENS), rng.randbytes(rng.randint(1, 3)))
            + (source[at : at + (end - start) + 1],)
        )
        data = data[:start] + new + data[end:]
    return data


def spoilt_words(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The data with some of its words or numbers exchanged: such inputs are nearly right, and many pass."""
    for _ in range(rng.choice(CHANGES)):
        places = list(WORD.finditer(data))
        words = WORD.findall(rng.choice(others))
        if not places or not words:
            return data
        place = rng.choice(places)
        new = rng.choice(words)
        if place[0].isdigit() and rng.random() < 0.5:
            new = str(rng.choice((0, 1, 2, 3, 10, 99, 1000, 10**6, 10**9))).encode()
        data = data[: place.start()] + new + data[place.end() :]
    return data


def spoilt_lines(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The data with lines dropped, doubled, exchanged, or brought from another good input."""
    lines = data.split(b"\n")
    for _ in range(rng.choice(CHANGES)):
        at = rng.randrange(len(lines))
        foreign = rng.choice(rng.choice(others).split(b"\n"))
        change = rng.randrange(5)
        if change == 0 and len(lines) > 1:
            del lines[at]
        elif change == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif change == 2:
            lines.insert(at, foreign)
        elif change == 3:
            lines[at] = foreign
        else:
            lines[at] = with_value_of(lines[at], foreign)
    return b"\n".join(lines)


def with_value_of(line: bytes, other: bytes) -> bytes:
    """`key = value` with the value of another such line."""
    key, equals, _ = line.partition(b" = ")
    return key + equals + other.partition(b" = ")[2] if equals else other


def spoilt_json(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """JSON with some of its values exchanged for others of any type, and keys renamed or dropped."""
    tree = json.loads(data)
    for _ in range(rng.choice(CHANGES)):
        other = rng.choice(VALUES) if rng.random() < 0.7 else some_value(rng, json.loads(rng.choice(others)))
        tree = changed_tree(rng, tree, other)
    return json.dumps(tree).encode()


def changed_tree(rng: random.Random, tree: Any, new: Any) -> Any:
    """The tree with one thing in it changed."""
    if not isinstance(tree, dict | list) or not tree or rng.random() < 0.1:
        return new
    copy: Any = dict(tree) if isinstance(tree, dict) else list(tree)
    key = rng.choice(list(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
    change = rng.random()
    if change < 0.1:
        del copy[key]
    elif change < 0.2:
        if isinstance(copy, dict):
            copy[rng.choice(("", "level", "x", "plans", str(key)))] = new
        else:
            copy.insert(key, new)
    else:
        copy[key] = changed_tree(rng, copy[key], new)
    return copy


def some_value(rng: random.Random, tree: Any) -> Any:
    """A value from anywhere in a tree."""
    while isinstance(tree, dict | list) and tree and rng.random() < 0.8:
        tree = rng.choice(list(tree.values()) if isinstance(tree, dict) else tree)
    return tree


def smaller(data: bytes, fails: Any, tries: int = 400) -> bytes:
    """A shorter input that still fails: spans are cut out as long as it does, large ones first."""
    size = max(1, len(data) // 2)
    while tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            tries -= 1
            shorter = data[:at] + data[at + size :]
            if fails(shorter):
                data = shorter
            else:
                at += size
        if size == 1:
            break
        size //= 2
    return data
