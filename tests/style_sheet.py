"""A style sheet taken apart: just enough of CSS for the page's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Declaration(NamedTuple):
    """One property of one selector; a rule for several selectors counts for each of them."""

    around: str
    """The `@media` or `@keyframes` that it stands in, or nothing."""
    selector: str
    name: str
    value: str


def declarations(text: str, around: str = "") -> Iterator[Declaration]:
    """All of a style sheet, in order. What a browser would silently pass over is refused."""
    for head, body in blocks(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        if head.startswith("@"):
            yield from declarations(body, head)
            continue
        *parts, rest = body.split(";")
        assert parts, f"nothing is said of {head}"
        assert not rest.strip(), f"no semicolon after {rest.strip()!r} of {head}"
        for part in parts:
            name, colon, value = (found.strip() for found in part.partition(":"))
            assert colon, f"{part.strip()!r} of {head} is no declaration"
            assert ":" not in value, f"no semicolon in {part.strip()!r} of {head}"
            for selector in re.split(r",\s*(?![^(]*\))", head):
                yield Declaration(around, selector, name, " ".join(value.split()))


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """What stands before and inside each pair of braces that is in no other."""
    depth = start = body = 0
    head = ""
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            if depth == 0:
                head, body = " ".join(text[start : brace.start()].split()), brace.end()
            depth += 1
            continue
        depth -= 1
        assert depth >= 0, f"a brace is closed that was not opened, after {head}"
        if depth == 0:
            yield head, text[body : brace.start()]
            start = brace.end()
    assert depth == 0, f"a brace is not closed, from {head} on"
    assert not text[start:].strip(), f"{text[start:].strip()!r} stands outside of any rule"
