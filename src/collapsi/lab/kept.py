"""What was found out about decks stays in the user's cache, a file a deck: what is there is not solved again.

A file is written whole or not at all. One that cannot be read, or does not count as many deals as there are,
is as good as none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from collapsi.census import count_deals
from collapsi.errors import OutputError
from collapsi.files import cache_folder, check_writable, write_whole
from collapsi.lab.facts import DeckFacts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from collapsi.rules import Rules

FORMAT = 1


def kept_folder() -> Path:
    """Where the facts are kept unless somebody says otherwise."""
    return cache_folder() / "lab"


class Kept:
    """A folder with the facts about decks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, rules: Rules) -> DeckFacts | None:
        """What is known of these rules; None if nothing is."""
        try:
            data = json.loads(self._path(rules).read_bytes())
            if data["format"] != FORMAT or data["rules"] != rules.name:
                return None
            found = DeckFacts(
                rules,
                {int(plies): deals for plies, deals in data["lengths"].items()},
                {int(moves): deals for moves, deals in data["winning_first_moves"].items()},
                data["first_move_decides"],
                data["one_line"],
                data["choices"],
            )
            counted = {found.deals, sum(found.winning_first_moves.values()), count_deals(rules)}
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None
        return found if len(counted) == 1 else None

    def keep(self, facts: Iterable[DeckFacts]) -> None:
        """Write down what was found."""
        check_writable(self.folder)
        try:
            for found in facts:
                content = json.dumps({"format": FORMAT, **found.to_json()}, indent=1) + "\n"
                write_whole(self._path(found.rules), content.encode())
        except OSError as error:
            msg = f"cannot write to {self.folder}: {error.strerror}"
            raise OutputError(msg) from None

    def forget(self) -> int:
        """Remove all facts, and say how many there were."""
        paths = list(self.folder.glob("*.json"))
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def _path(self, rules: Rules) -> Path:
        return self.folder / f"{rules.name.replace('|', '-')}.json"  # a bar is no letter of a name on Windows
