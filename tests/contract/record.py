"""Write the golden files again: `python -m tests.contract.record`.

With --quick only those of the ordinary run are written, with --slow only those of the slow run, and with
--atlas only the atlas that the commands read, after a change of its format.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.contract import entry, links, running
from tests.contract.commands import ATLAS, COMMANDS, is_slow
from tests.contract.requests import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def files(*, slow: bool) -> Iterator[tuple[Path, str]]:
    """The golden files of the ordinary or of the slow run, with their text as it is now."""
    for name in COMMANDS:
        if is_slow(name) == slow:
            yield running.command_file(name), running.transcript(name)
    asked = running.asked(slow=slow)
    for path, requests in REQUESTS.items():
        if any(request.slow == slow for request in requests):
            yield running.request_file(path, slow=slow), running.comparison(path, asked, slow=slow)
    if slow:
        yield running.LINKS, links.visits()
    else:
        yield running.OPENAPI, asked.openapi


def main(arguments: list[str]) -> None:
    """Write them, and remove files that nothing writes any more."""
    if arguments == ["--atlas"]:
        entry.write_small_atlas(running.HERE / ATLAS)
        return
    runs = {"--quick": [False], "--slow": [True]}.get("".join(arguments), [False, True])
    written = set()
    for slow in runs:
        for path, text in files(slow=slow):
            path.write_text(text, encoding="utf-8")
            written.add(path)
            print(path.relative_to(running.HERE), flush=True)
    if len(runs) > 1:
        for path in {*running.CLI.iterdir(), *running.API.iterdir()} - written:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
