"""What differs from run to run or from machine to machine, and what is written in its place."""

from __future__ import annotations

import re
from typing import Any

OUTPUT = (
    (r"\x1b\[[0-9;?]*[A-Za-z]", ""),  # colours, where the environment asks for them
    (r"Usage: (?:python -m \S+|\S+)", "Usage: collapsi"),  # by the name of the program that runs the tests
    (r"^collapsi: compiling, .*\n", ""),  # only where no machine code is cached
    (r"^collapsi: [\d,]+ of [\d,]+ parts, .*\n", ""),  # study: progress, after a minute without a bar
    (r"^((?:interpreted|compiled), [^\d\n]*?) {2,}\d.*", r"\1  <time>"),  # bench
    (r"(?<=\)) +\d+\.\d(?=  \w)", "  <time>"),  # ladder: CPU time of a move
    (r"^[\d.,]+ s, [\d.,]+ s of CPU, [\d.,]+ GB", "<time>, <time> of CPU, <memory>"),  # census
    (r'("peak_bytes": )\d+', r'\1"<memory>"'),
    (r"deals-[0-9a-f]{16}\.parquet", "deals-<hash>.parquet"),  # the file names the library that wrote it
    (r'("(?:milliseconds|seconds|cpu_seconds)": )\d[\d.e+-]*', r'\1"<time>"'),
)
"""Patterns and replacements, in this order, for all output of commands."""

BIG_NODES = (
    (r'("nodes": )\d+', r'\1"<nodes>"'),
    (r"[\d,]+ (nodes|positions looked at)", r"<nodes> \1"),
)
"""Where the big board is solved: the search keeps its table for the next question in the same process."""

MEASURED = {"seconds": "<time>", "nodes": "<nodes>"}
"""Fields of streamed answers that depend on time and on what was asked before."""


def plain(text: str, folder: str, version: str, *, big: bool) -> str:
    """The output of a command that ran in a folder."""
    text = text.replace(folder, "<folder>")
    if version:
        text = text.replace(version, "<version>")
    for pattern, replacement in (*OUTPUT, *(BIG_NODES if big else ())):
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def unmeasured(value: Any) -> Any:
    """JSON of a streamed answer without what was measured."""
    if isinstance(value, dict):
        return {
            name: MEASURED[name] if name in MEASURED and part is not None else unmeasured(part)
            for name, part in value.items()
        }
    return [unmeasured(part) for part in value] if isinstance(value, list) else value


def secrets_of(room: dict[str, Any], which: str = "") -> dict[str, str]:
    """What differs from room to room, by the name that is written in its place."""
    found = {"room": room["room"], "token": room["tokens"][0], "sealed": room["sealed"]}
    return {f"<{which}{name}>": value for name, value in found.items()}


def fill_in(query: dict[str, str], room: dict[str, str]) -> dict[str, str]:
    """A query with a room that was made in place of those names."""
    return {name: room.get(value, value) for name, value in query.items()}


def unsigned(path: str, answer: dict[str, Any]) -> dict[str, Any]:
    """An answer about a room without what differs from room to room."""
    body = answer["body"]
    if not path.startswith("rooms/") or answer["status"] != 200:
        return answer
    names = {"room": "<room>", "watch": "<token>", "sealed": "<sealed>"}
    if path == "rooms/round":
        names["game"] = "<random deal>"
    shown = {name: names.get(name, value) for name, value in body.items()}
    if "tokens" in shown:
        shown["tokens"] = [token and "<token>" for token in shown["tokens"]]
    return {**answer, "body": shown}
