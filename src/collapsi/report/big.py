"""The chapter of the report on the big board: its tables, and what is said of them.

No number is written into the text: all come from the facts, each with its 95 % interval.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.report.pieces import command, figure, mean_text, rate_text, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.big_facts.facts import BigFacts
    from collapsi.intervals import Mean, Rate

Shown = tuple[str, pl.DataFrame, dict[str, str]]
"""What a table is about, the table, and its columns under better names."""


def two(facts: BigFacts) -> pl.DataFrame:
    """Who wins the game for two: from the deal with perfect play, and between strong players."""
    return pl.DataFrame(
        [
            {"games": "deals, perfect play", **_share(facts.two.red), "unsolved": facts.two.unsolved},
            {"games": "games of strong players", **_share(facts.two.red_in_play), "unsolved": 0},
        ]
    )


def lengths(facts: BigFacts) -> pl.DataFrame:
    """Games between two strong players by their number of plies."""
    return pl.DataFrame(
        [
            {"plies": plies, "winner": "red" if plies % 2 else "blue", "games": games}
            for plies, games in facts.two.plies
        ]
    )


def decided(facts: BigFacts) -> pl.DataFrame:
    """By cards left: how often who would win with perfect play has won in the end."""
    return pl.DataFrame([{"cards": cards, **_share(rate)} for cards, rate in facts.two.decided])


def seats(facts: BigFacts) -> pl.DataFrame:
    """What each seat is worth."""
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
    """What the engine expected for the mover beside what is exact, positions that looked alike together."""
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


# What people are shown: on the page, and by `collapsi big`.


def shown(facts: BigFacts) -> dict[str, Shown]:
    """The tables as people read them, each with what it is about."""
    return {
        "two": (
            "Red’s share, two players",
            _told(two(facts), "percent"),
            {"games": "", "of": "number", "told_percent": "red wins, per cent", "unsolved": "not solved"},
        ),
        "lengths": (
            "Games between two strong players, by length",
            lengths(facts),
            {"plies": "plies", "winner": "winner", "games": "games"},
        ),
        "decided": (
            "How soon it is decided: who would win with perfect play from here on has won in the end",
            _told(decided(facts), "percent"),
            {"cards": "cards left", "of": "games", "told_percent": "per cent"},
        ),
        "seats": (
            "What a seat is worth when all are equally strong",
            _told(seats(facts), "points", "percent"),
            {
                "rules": "rules",
                "seat": "seat",
                "rounds": "rounds",
                "told_points": "points of a round",
                "told_percent": "rounds won, per cent",
            },
        ),
        "calibration": (
            "What the engine expects for the mover, in points, and what is exact",
            _told(calibration(facts), "exact"),
            {
                "rules": "rules",
                "cards": "cards",
                "nodes": "looked at",
                "positions": "positions",
                "expected": "expected, on average",
                "told_exact": "exact, on average",
            },
        ),
    }


def _told(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Each figure and the ends of its interval in one column."""
    return frame.with_columns(
        pl.Series(
            f"told_{name}",
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
    """The whole chapter."""
    tables = shown(facts)
    return (
        "<h2>The big board</h2>"
        "<p>The official game for two, three or four: six rows of six cards. Who cannot move is out, the "
        "others play on, and the first to go out gets no point, the next one, and so on. All figures here "
        "are from samples, and in brackets is where the true value lies with 95 % confidence.</p>"
        + _two(facts, tables, drawings)
        + _seats(facts, tables)
        + _calibration(facts, tables, drawings)
    )


def _shown(found: Shown) -> str:
    return f'<div class="names">{table(found[1], found[2])}</div>'


def _two(facts: BigFacts, tables: dict[str, Shown], drawings: dict[str, str]) -> str:
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
        "<p>How soon is such a game decided? The side that would win with perfect play from some moment on "
        f"has won in the end, {decided_at} of the games.</p>"
        + figure(
            drawings["big_decided"],
            "By cards left: how often the side that would win with perfect play from there on has won in the "
            "end, with 95 % intervals. At 50 per cent nothing is decided.",
        )
        + _shown(tables["two"])
        + _shown(tables["decided"])
        + _shown(tables["lengths"])
        + command(facts.command)
    )


def _seats(facts: BigFacts, tables: dict[str, Shown]) -> str:
    sentences = []
    for found in facts.seats:
        best = max(found.rules.seats, key=lambda seat: found.points[seat].value)
        least = min(found.rules.seats, key=lambda seat: found.points[seat].value)
        fair = (found.rules.players - 1) / 2
        sentences.append(
            f"Of {found.rules.players} equals {best} gets most, {mean_text(found.points[best])} points of a "
            f"round, and {least} least, {mean_text(found.points[least])}; {fair:g} would be fair."
        )
    return (
        "<h3>What a seat is worth</h3>"
        "<p>Three or four equally strong computers (the engine) play rounds from random deals; red "
        f"moves first, then blue, green and yellow. {escape(' '.join(sentences))}</p>"
        + _shown(tables["seats"])
        + command(facts.command)
    )


def _calibration(facts: BigFacts, tables: dict[str, Shown], drawings: dict[str, str]) -> str:
    errors = "; ".join(
        f"{found.error:.2f} with {found.rules.players} players, {found.cards} cards and "
        f"{found.nodes:,} positions"
        for found in facts.calibration
    )
    return (
        "<h3>Are the engine’s estimates to be believed?</h3>"
        "<p>With three or four players nobody knows perfect play of a whole deal, and the engine estimates "
        "what everybody may expect. Where the exact answer can be had, the two can be compared. The engine "
        "looks at some four million positions in a second; here it was given far fewer, so that something "
        f"is left that it does not know. How far an estimate was off on average, in points: {errors}. With "
        "three and four players the exact points are those under the rule for ties: of moves worth the same "
        "to the mover the first is taken.</p>"
        + figure(
            drawings["big_calibration"],
            "What the engine expected for the mover, and what is exact: positions that looked alike taken "
            "together, where there are five or more, with 95 % intervals. On the dotted line, estimates are "
            "right on average.",
        )
        + _shown(tables["calibration"])
        + command(facts.command)
    )


def _percent(rate: Rate) -> str:
    return escape(rate_text(rate))
