"""The facts about decks in the user's cache, one JSON file per deck, so that no deck is solved twice.

Files are written atomically. A file that cannot be read, or whose numbers of deals are wrong, is ignored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from collapsi.census.deals import count_deals
from collapsi.census.lab.facts import DeckFacts
from collapsi.system.files import (
    cache_folder,
    check_writable,
    read_json_file,
    reporting_write_errors,
    write_atomically,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from collapsi.games.classic.rules import Rules

FORMAT = 1


def facts_folder() -> Path:
    """Return the default folder of the store."""
    return cache_folder() / "lab"


class FactsStore:
    """A folder with facts about decks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, rules: Rules) -> DeckFacts | None:
        """Return the stored facts about these rules, or None."""
        try:
            data = read_json_file(self._path(rules))
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
            numbers = (*found.lengths.values(), *found.winning_first_moves.values())
            wrong = {*map(type, numbers), type(found.first_move_decides), type(found.one_line)} - {int}
            if wrong or type(found.choices) is not float:
                return None
            counted = {found.deals, sum(found.winning_first_moves.values()), count_deals(rules)}
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None
        return found if len(counted) == 1 else None

    def save(self, facts: Iterable[DeckFacts]) -> None:
        """Write facts to the folder."""
        check_writable(self.folder)
        with reporting_write_errors(f"to {self.folder}"):
            for found in facts:
                content = json.dumps({"format": FORMAT, **found.to_json()}, indent=1) + "\n"
                write_atomically(self._path(found.rules), content.encode())

    def clear(self) -> int:
        """Remove all facts; return how many there were."""
        paths = list(self.folder.glob("*.json"))
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def _path(self, rules: Rules) -> Path:
        return self.folder / f"{rules.name.replace('|', '-')}.json"  # Windows forbids | in file names
