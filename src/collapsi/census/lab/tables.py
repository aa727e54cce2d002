"""The facts about decks as rows of a table, with definitions of its columns."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from collapsi.core.decks import format_deck

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.census.lab.facts import DeckFacts

DEFINITIONS = {
    "deck": "how many aces, twos, threes and fours, besides the two jacks",
    "red wins": "the share of all deals that red wins if both play perfectly",
    "plies": "how long such games last on average; then the shortest and the longest",
    "choices": "how many moves there are to choose from at a turn, over all plies of all deals, if both play "
    "at random",
    "first move decides": "deals in which some of red's first moves win and others lose",
    "winning first moves": "how many of red's first moves win, on average",
    "one line": "deals that only one line wins: the loser can play so that the winner has, at every turn, "
    "only one move that wins",
}
"""A definition of every column."""


def row_of(facts: DeckFacts) -> dict[str, str]:
    """Return a formatted row, by the name of the column."""
    return {
        "deck": format_deck(facts.deck),
        "red wins": f"{100 * facts.red_share:.2f} %",
        "plies": f"{facts.mean_plies:.2f}",
        "from–to": f"{min(facts.lengths)}–{max(facts.lengths)}",
        "choices": f"{facts.choices:.2f}",
        "first move decides": f"{100 * facts.decisive_share:.1f} %",
        "winning first moves": f"{facts.mean_winning_first_moves:.2f}",
        "one line": f"{100 * facts.one_line_share:.1f} %",
    }


def csv_of(facts: Iterable[DeckFacts]) -> str:
    """Return the facts as CSV, counts included."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = [found.to_json() for found in facts]
    plain = [name for name, value in rows[0].items() if not isinstance(value, (list, dict))]
    numbers = ("aces", "twos", "threes", "fours")
    writer.writerow([*plain, *numbers])
    for row in rows:
        writer.writerow([*(value for name, value in row.items() if name in plain), *row["deck"]])
    return text.getvalue()
