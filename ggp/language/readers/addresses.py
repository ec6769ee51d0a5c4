"""What the address of a link looks like: told apart from the name of a file, and read without its escapes."""

from __future__ import annotations

import re
from urllib.parse import unquote

ADDRESS = r"(?:https?://)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]+)?/[^\s?#]*\?"
# No code has a sign like this: behind a `%` they have digits and small letters, and no slash or question
# mark.
ESCAPED = r"%[0-9A-F][A-F]|%3f|%2f"


def is_link(text: str) -> bool:
    """Does it look like a link, rather than like the name of a file?"""
    return re.match(rf"https?://|{ADDRESS}", plain(text).strip()) is not None


def plain(text: str) -> str:
    """The link without percent-encoding, and without what stands behind it."""
    meant = unquote(text) if re.search(ESCAPED, text) else text
    return meant.partition("#")[0].rstrip() if "?" in meant else meant
