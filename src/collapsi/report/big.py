"""The chapter of the report on the big board, with its tables.

All numbers in the text come from the facts, each with its 95 % interval.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.report.pieces import DisplayTable, command, display_table, figure, mean_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.core.intervals import Mean, Rate
    from collapsi.facts.big.facts import BigFacts


def two(facts: BigFacts) -> pl.DataFrame:
    """Return red's share with two players: under perfect play, and between strong players."""
    return pl.DataFrame(
        [
            {"games": "deals, perfect play", **_share(facts.two.red), "unsolved": facts.two.unsolved},
            {"games": "games of strong players", **_share(facts.two.red_in_play), "unsolved": 0},
        ]
    )


def lengths(facts: BigFacts) -> pl.DataFrame:
    """Return the games between two strong players by number of plies."""
    return pl.DataFrame(
        [
            {"plies": plies, "winner": "red" if plies % 2 else "blue", "games": games}
            for plies, games in facts.two.plies
        ]
    )


def decided(facts: BigFacts) -> pl.DataFrame:
    """Return by cards left how often the winner under perfect play from there on has won the game."""
    return pl.DataFrame([{"cards": cards, **_share(rate)} for cards, rate in facts.two.decided])


def seats(facts: BigFacts) -> pl.DataFrame:
    """Return the value of each seat."""
    return pl.DataFrame(
        [
            {
                "rules": found.rules.name,
                "seat": str(seat),
                "rounds": found.rounds,
                **_mean("points", found.points[seat]),
                **_share(found.won[seat]),
            }
            for found in facts.seats
            for seat in found.rules.seats
        ]
    )


def calibration(facts: BigFacts) -> pl.DataFrame:
    """Return estimated and exact points of the mover, positions grouped by estimate."""
    return pl.DataFrame(
        [
            {
                "rules": found.rules.name,
                "cards": found.cards,
                "nodes": found.nodes,
                "expected": part.expected,
                "positions": part.positions,
                **_mean("exact", part.exact),
            }
            for found in facts.calibration
            for part in found.bins
        ]
    )


TABLES: dict[str, Callable[[BigFacts], pl.DataFrame]] = {
    "big_two": two,
    "big_lengths": lengths,
    "big_decided": decided,
    "big_seats": seats,
    "big_calibration": calibration,
}
"""Every table of the chapter by the name of its file."""


def _share(rate: Rate) -> dict[str, float]:
    low, high = rate.interval
    return {
        "found": rate.found,
        "of": rate.cases,
        "percent": 100 * rate.share,
        "percent_low": 100 * low,
        "percent_high": 100 * high,
    }


def _mean(name: str, mean: Mean) -> dict[str, float]:
    return {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}


# Tables for readers, on the page and by `collapsi facts big`


def display_tables(facts: BigFacts) -> dict[str, DisplayTable]:
    """Return the tables for readers."""
    return {
        "two": (
            "Red’s share, two players",
            _with_intervals(two(facts), "percent"),
            {"games": "", "of": "number", "percent_text": "red wins, per cent", "unsolved": "not solved"},
        ),
        "lengths": (
            "Games between two strong players, by length",
            lengths(facts),
            {"plies": "plies", "winner": "winner", "games": "games"},
        ),
        "decided": (
            "How soon it is decided: who would win with perfect play from here on has won in the end",
            _with_intervals(decided(facts), "percent"),
            {"cards": "cards left", "of": "games", "percent_text": "per cent"},
        ),
        "seats": (
            "What a seat is worth when all are equally strong",
            _with_intervals(seats(facts), "points", "percent"),
            {
                "rules": "rules",
                "seat": "seat",
                "rounds": "rounds",
                "points_text": "points of a round",
                "percent_text": "rounds won, per cent",
            },
        ),
        "calibration": (
            "What the engine expects for the mover, in points, and what is exact",
            _with_intervals(calibration(facts), "exact"),
            {
                "rules": "rules",
                "cards": "cards",
                "nodes": "looked at",
                "positions": "positions",
                "expected": "expected, on average",
                "exact_text": "exact, on average",
            },
        ),
    }


def _with_intervals(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Add a column with the text of each number and its interval."""
    return frame.with_columns(
        pl.Series(
            f"{name}_text",
            [
                f"{value:.1f} ({low:.1f}–{high:.1f})"
                if name == "percent"
                else f"{value:.2f} ({low:.2f}–{high:.2f})"
                for value, low, high in frame.select(name, f"{name}_low", f"{name}_high").rows()
            ],
            pl.String,
        )
        for name in names
    )


# The chapter


def chapter(facts: BigFacts, drawings: dict[str, str]) -> str:
    """Return the chapter."""
    tables = display_tables(facts)
    return (
        "<h2>The big board</h2>"
        "<p>The official game for two, three or four players: six rows of six cards. A player who cannot "
        "move is out and the others play on; the first to go out gets no point, the next one point, and so "
        "on. All figures here are from samples, with 95 % confidence intervals in brackets.</p>"
        + _two(facts, tables, drawings)
        + _seats(facts, tables)
        + _calibration(facts, tables, drawings)
    )


def _two(facts: BigFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    found = facts.two
    unsolved = (
        f" ({found.unsolved} more deals were not solved within the nodes allowed.)" if found.unsolved else ""
    )
    decided_at = ", ".join(
        f"with {cards} cards left in {_percent(rate)}" for cards, rate in found.decided[:3]
    )
    return (
        "<h3>Two players</h3>"
        "<p>With two players a whole deal can be solved from the first move, in seconds to minutes. Red, who "
        f"moves first, wins {_percent(found.red)} of {found.red.cases:,} random deals under perfect play."
        f"{unsolved} When two strong players, the engine on both sides, play each other, red wins "
        f"{_percent(found.red_in_play)} of {found.red_in_play.cases:,} games, and a game takes "
        f"{found.mean_plies:.1f} plies on average.</p>"
        "<p>How soon is such a game decided? The player who would win with perfect play from some position "
        f"on has won in the end: {decided_at} of the games.</p>"
        + figure(
            drawings["big_decided"],
            "By cards left: how often the player who would win with perfect play from there on has won the "
            "game, with 95 % intervals. At 50 per cent nothing is decided.",
        )
        + display_table(tables["two"])
        + display_table(tables["decided"])
        + display_table(tables["lengths"])
        + command(facts.command)
    )


def _seats(facts: BigFacts, tables: dict[str, DisplayTable]) -> str:
    sentences = []
    for found in facts.seats:
        best = max(found.rules.seats, key=lambda seat: found.points[seat].value)
        least = min(found.rules.seats, key=lambda seat: found.points[seat].value)
        fair = (found.rules.players - 1) / 2
        sentences.append(
            f"Of {found.rules.players} equal players {best} gets most, {mean_text(found.points[best])} "
            f"points per round, and {least} least, {mean_text(found.points[least])}; {fair:g} would be fair."
        )
    return (
        "<h3>What a seat is worth</h3>"
        "<p>Three or four equally strong computers (the engine) play rounds from random deals; red "
        f"moves first, then blue, green and yellow. {escape(' '.join(sentences))}</p>"
        + display_table(tables["seats"])
        + command(facts.command)
    )


def _calibration(facts: BigFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    errors = "; ".join(
        f"{found.error:.2f} with {found.rules.players} players, {found.cards} cards and "
        f"{found.nodes:,} positions"
        for found in facts.calibration
    )
    return (
        "<h3>How reliable are the engine’s estimates?</h3>"
        "<p>With three or four players perfect play of a whole deal is not known, and the engine estimates "
        "the points that each player can expect. Where the exact answer can be computed, the two can be "
        "compared. The engine searches about four million positions per second; here it searched far fewer, "
        f"so that it does not find everything. Mean error of the estimates, in points: {errors}. With three "
        "and four players the exact points depend on the rule for ties: of moves that are equally good for "
        "the mover the first is played.</p>"
        + figure(
            drawings["big_calibration"],
            "Estimated and exact points of the mover: positions with similar estimates grouped, if there are "
            "five or more, with 95 % intervals. On the dotted line estimates are right on average.",
        )
        + display_table(tables["calibration"])
        + command(facts.command)
    )


def _percent(rate: Rate) -> str:
    return escape(rate_text(rate))
