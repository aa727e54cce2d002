"""The chapter of the report on the rule laboratory, with its tables.

All numbers in the text come from the facts, which are exact.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl

from collapsi.census.lab.decks import exchanged
from collapsi.census.lab.orders import OFFICIAL, Order, official_among, ordinal
from collapsi.census.lab.tables import DEFINITIONS
from collapsi.core.decks import format_deck
from collapsi.games.classic.made_up import format_steps
from collapsi.report.pieces import command, figure, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.census.fairness import OpeningRule
    from collapsi.census.lab.facts import DeckFacts

TITLES = {
    Order.FAIREST: "Fairest first",
    Order.LONGEST: "Longest games first",
    Order.DECISIVE: "Most often decided by the first move first",
}
SHOWN = 8
"""Number of decks in each table; the others are in the file."""

NAMES = {
    "place": "",
    "deck": "A, 2, 3, 4",
    "known": "known",
    "red_percent": "red wins, %",
    "mean_plies": "mean plies",
    "span": "from–to",
    "choices": "choices",
    "decisive_percent": "first move decides, %",
    "winning_first_moves": "winning first moves",
    "one_line_percent": "one line, %",
}


def decks(facts: Sequence[DeckFacts]) -> pl.DataFrame:
    """Return every deck, fairest first."""
    return pl.DataFrame([_row(found, facts) for found in Order.FAIREST.sort(facts)])


def _row(found: DeckFacts, facts: Sequence[DeckFacts]) -> dict[str, Any]:
    return {
        "deck": format_deck(found.deck) + (" (official)" if found.deck == OFFICIAL else ""),
        "exchanged": exchanged(OFFICIAL, found.deck),
        "known": "exact",
        "deals": found.deals,
        "red_percent": 100 * found.red_share,
        "mean_plies": found.mean_plies,
        "span": f"{min(found.lengths)}–{max(found.lengths)}",
        "choices": found.choices,
        "decisive_percent": 100 * found.decisive_share,
        "winning_first_moves": found.mean_winning_first_moves,
        "one_line_percent": 100 * found.one_line_share,
        **{f"{order}_place": order.place(found, facts) for order in Order},
    }


def top(facts: Sequence[DeckFacts], order: Order) -> pl.DataFrame:
    """Return the first decks in an order, and the official one."""
    rows = [found for place, found in enumerate(order.sort(facts)) if place < SHOWN or found.deck == OFFICIAL]
    return pl.DataFrame([{"place": order.place(found, facts), **_row(found, facts)} for found in rows])


def deck_command(facts: Sequence[DeckFacts]) -> str:
    """Return the command that reproduces these facts."""
    return f"collapsi lab --cards {_most_exchanged(facts)}"


def _most_exchanged(facts: Sequence[DeckFacts]) -> int:
    return max(exchanged(OFFICIAL, found.deck) for found in facts)


def chapter(facts: Sequence[DeckFacts], openings: Sequence[OpeningRule], drawings: dict[str, str]) -> str:
    """Return the chapter."""
    return (
        "<h2>The rule laboratory: another deck</h2>"
        + _introduction(facts)
        + figure(
            drawings["decks"],
            "Every deck as its cards, the fairest at the top, and what was counted. The band and the lines "
            "show the official deck.",
        )
        + command(deck_command(facts))
        + "".join(
            f"<h3>{title}</h3>"
            + table(top(facts, order), NAMES)
            + command(f"{deck_command(facts)} --sort {order}")
            for order, title in TITLES.items()
        )
        + "<p>All of them are in <code>decks.csv</code>.</p>"
        + _deck_or_opening(facts, openings)
        + figure(
            drawings["decks_and_openings"],
            "Red’s share and the length of games: the decks, and the opening rules with the official deck.",
        )
        + table(ranges(facts, openings), RANGE_NAMES)
        + command(f"{deck_command(facts)}; collapsi census --openings")
    )


def _introduction(facts: Sequence[DeckFacts]) -> str:
    official = official_among(facts)
    assert official is not None  # the laboratory starts from it
    fairest, longest, decisive = (order.sort(facts)[0] for order in Order)
    places = ", ".join(f"{ordinal(order.place(official, facts))} by {order.measure}" for order in Order)
    meanings = "".join(
        f"<li><b>{escape(name)}</b>: {escape(text)}.</li>" for name, text in DEFINITIONS.items()
    )
    return (
        f"<p>What if there were five aces? Here are {len(facts)} decks: the official one, "
        f"{format_deck(OFFICIAL)} (aces, twos, threes, fours), and all that differ from it by at most "
        f"{_most_exchanged(facts)} cards. Every deal of each was solved: all numbers in this chapter are "
        "exact, none is from a sample.</p>"
        f"<ul>{meanings}</ul>"
        f'<p class="note">Of {len(facts)} decks the official one is {places}. Fairest is '
        f"{format_deck(fairest.deck)} with {100 * fairest.red_share:.2f} % for red; the longest games are "
        f"those of {format_deck(longest.deck)}, {longest.mean_plies:.2f} plies on average; and the first "
        f"move decides most often with {format_deck(decisive.deck)}, in "
        f"{100 * decisive.decisive_share:.1f} % of deals.</p>"
    )


def _deck_or_opening(facts: Sequence[DeckFacts], openings: Sequence[OpeningRule]) -> str:
    shares = [100 * found.red_share for found in facts]
    opened = [100 * rule.red_share for rule in openings]
    fair = openings[0]
    return (
        "<h3>Deck or opening rule?</h3>"
        f"<p>Changing cards moves red’s share between {min(shares):.1f} % and {max(shares):.1f} %. The "
        f"opening rule moves it between {min(opened):.1f} % and {max(opened):.1f} %; the fairest, red "
        f"{format_steps(fair.red_first)} and blue {format_steps(fair.blue_first)} steps with the official "
        f"deck, gives red {100 * fair.red_share:.2f} %.</p>"
    )


RANGE_NAMES = {
    "what": "",
    "known": "known",
    "changed": "how many",
    "least_red": "least for red, %",
    "most_red": "most for red, %",
    "shortest": "shortest on average",
    "longest": "longest on average",
}


def ranges(facts: Sequence[DeckFacts], openings: Sequence[OpeningRule]) -> pl.DataFrame:
    """Return the ranges of red's share and of the length over decks and over opening rules."""
    groups: list[tuple[str, list[tuple[float, float]]]] = [
        ("opening rules, official deck", [(rule.red_share, rule.mean_plies) for rule in openings])
    ]
    for cards, name in ((1, "decks, one card exchanged"), (2, "decks, two cards exchanged")):
        group = [found for found in facts if exchanged(OFFICIAL, found.deck) == cards]
        groups.append((name, [(found.red_share, found.mean_plies) for found in group]))
    return pl.DataFrame(
        [
            {
                "what": name,
                "known": "exact",
                "changed": len(values),
                "least_red": 100 * min(share for share, _ in values),
                "most_red": 100 * max(share for share, _ in values),
                "shortest": min(plies for _, plies in values),
                "longest": max(plies for _, plies in values),
            }
            for name, values in groups
            if values
        ]
    )
