"""The tables of the chapter on the big board, from samples with their 95 % intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from collapsi.report.pieces import DisplayTable, with_intervals

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
            with_intervals(two(facts), "percent"),
            {"games": "", "of": "number", "percent_text": "red wins, per cent", "unsolved": "not solved"},
        ),
        "lengths": (
            "Games between two strong players, by length",
            lengths(facts),
            {"plies": "plies", "winner": "winner", "games": "games"},
        ),
        "decided": (
            "How soon it is decided: who would win with perfect play from here on has won in the end",
            with_intervals(decided(facts), "percent"),
            {"cards": "cards left", "of": "games", "percent_text": "per cent"},
        ),
        "seats": (
            "What a seat is worth when all are equally strong",
            with_intervals(seats(facts), "points", "percent"),
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
            with_intervals(calibration(facts), "exact"),
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
