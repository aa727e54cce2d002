"""The tables of the chapter on the shifting board.

Each row says whether it is exact, from all deals, or an estimate from a sample, with its 95 % interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from collapsi.census.layers import JACKS, distance
from collapsi.facts.shifting.readings import BOX, BOX_REMOVED, FLAT, LINE, LINE_REMOVED, ROTATE, Outcomes
from collapsi.games.classic.rules import STANDARD
from collapsi.games.shifting.rules import SHIFT
from collapsi.report.pieces import DisplayTable, rate_columns, with_intervals

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.core.intervals import Rate
    from collapsi.facts.shifting.facts import ShiftingFacts

SIDE = SHIFT.board.rows
MAIN = (FLAT, LINE, BOX, ROTATE)
"""The board without shifts, and the readings that can be played."""
TITLES = {
    FLAT: "no shift (standard)",
    LINE: "shift: line by line",
    BOX: "shift-box: at the rectangle",
    ROTATE: "shift-rotate: lines rotate",
    LINE_REMOVED: "shift, ends at face-up cards",
    BOX_REMOVED: "shift-box, face-up cards’ rectangle",
}


def standard_apart(standard: pl.DataFrame) -> Outcomes:
    """Return all deals whose jacks share no row and no column, by length under standard rules, from an atlas.

    An atlas has deals by the distance of the jacks; all cells at one distance have equally many deals of each
    length.
    """
    apart = {
        jacks.distance: sum(
            cell // SIDE != 0 and cell % SIDE != 0 and distance(0, cell) == jacks.distance
            for cell in range(STANDARD.board.size)
        )
        for jacks in JACKS
    }
    cells = {jacks.distance: jacks.places for jacks in JACKS}
    counts = standard.group_by("distance", "plies").agg(pl.col("weight").cast(pl.Int64).sum())
    lengths: dict[int, int] = {}
    for row in counts.iter_rows(named=True):
        deals = row["weight"] * apart[row["distance"]] // cells[row["distance"]]
        if deals:
            lengths[row["plies"]] = lengths.get(row["plies"], 0) + deals
    return Outcomes(FLAT, tuple(sorted(lengths.items())), is_sample=False)


def readings(facts: ShiftingFacts) -> pl.DataFrame:
    """Return red's share, mean length, shortest and longest, a row for each reading."""
    return pl.DataFrame(
        [
            {
                "reading": TITLES[found.reading],
                "known": _known(found.red),
                "deals": found.deals,
                **rate_columns("red", found.red),
                "mean_plies": found.mean_plies,
                "shortest": found.lengths[0][0],
                "longest": found.lengths[-1][0],
            }
            for found in facts.outcomes
        ]
    )


def lengths(facts: ShiftingFacts) -> pl.DataFrame:
    """Return the deals of each length, a row for each reading and length."""
    return pl.DataFrame(
        [
            {
                "reading": found.reading.name,
                "plies": plies,
                "winner": "red" if plies % 2 else "blue",
                "known": _known(found.red),
                "found": deals,
                "deals": found.deals,
                **rate_columns("share", found.rate(plies)),
            }
            for found in facts.outcomes
            for plies, deals in found.lengths
        ]
    )


def differences(facts: ShiftingFacts) -> pl.DataFrame:
    """Return how often two readings differ on the same deals."""
    return pl.DataFrame(
        [
            {
                "first": TITLES[found.first],
                "second": TITLES[found.second],
                "known": _known(found.winner),
                "deals": found.winner.cases,
                **rate_columns("winner", found.winner),
                **rate_columns("length", found.length),
            }
            for found in facts.differences
        ]
    )


def first_move(facts: ShiftingFacts) -> pl.DataFrame:
    """Return the deals that red wins with the first move."""
    return pl.DataFrame(
        [
            {
                "reading": TITLES[found.reading],
                "known": _known(found.deals),
                "jack_placements": len(found.placements),
                "of_placements": len(found.moves),
                "deals": found.deals.found,
                "of_deals": found.deals.cases,
                "percent": 100 * found.deals.share,
            }
            for found in facts.first_move
        ]
    )


def different(facts: ShiftingFacts) -> pl.DataFrame:
    """Return the deals up to the symmetries of each reading."""
    return pl.DataFrame(
        [
            {
                "reading": found.rules.name,
                "known": "exact",
                "symmetries": found.symmetries,
                "deals": found.deals,
                "by_burnside": found.by_burnside,
                "by_enumeration": found.by_enumeration,
            }
            for found in facts.different
        ]
    )


def worth(facts: ShiftingFacts) -> pl.DataFrame:
    """Return the value of a single shift, a row for each reading and number of plies played."""
    return pl.DataFrame(
        [
            {
                "reading": found.rules.name,
                "plies": found.plies,
                "known": _known(found.own),
                "positions": found.own.cases,
                **rate_columns("own", found.own),
                **rate_columns("none", found.none),
                **rate_columns("theirs", found.theirs),
                **rate_columns("standard", found.standard),
                "walks": found.walks,
                **{
                    f"walks_{number}_percent": 100 * walks / (found.walks or 1)
                    for number, walks in enumerate(found.ways, 1)
                },
                "chance_keeps_percent": 100 * found.kept_by_chance,
            }
            for found in facts.worth
        ]
    )


TABLES: dict[str, Callable[[ShiftingFacts], pl.DataFrame]] = {
    "shifting_readings": readings,
    "shifting_lengths": lengths,
    "shifting_differences": differences,
    "shifting_worth": worth,
    "shifting_first_move": first_move,
    "shifting_different": different,
}
"""Every table of the chapter by the name of its file."""


def _known(rate: Rate) -> str:
    return "estimate" if rate.is_sample else "exact"


# Tables for readers, on the page and by `collapsi facts shift`


def display_tables(facts: ShiftingFacts) -> dict[str, DisplayTable]:
    """Return the tables for readers."""
    return {
        "readings": (
            "Red’s share, and how long it takes",
            with_intervals(readings(facts), "red"),
            {
                "reading": "reading",
                "known": "known",
                "deals": "deals",
                "red": "red wins, per cent",
                "mean_plies": "mean plies",
                "shortest": "shortest",
                "longest": "longest",
            },
        ),
        "lengths": (
            "Deals by length, per cent",
            _by_length(facts),
            {"plies": "plies", "winner": "winner"}
            | {found.reading.name: f"{found.reading.name}: {_known(found.red)}" for found in facts.outcomes},
        ),
        "differences": (
            "The same deals under two readings",
            with_intervals(differences(facts), "winner", "length"),
            {
                "first": "reading",
                "second": "compared with",
                "known": "known",
                "deals": "deals",
                "winner": "another winner, per cent",
                "length": "another length, per cent",
            },
        ),
        "worth": (
            "How often the mover wins if this once …, per cent",
            with_intervals(worth(facts), "own", "none", "theirs"),
            {
                "reading": "reading",
                "plies": "plies played",
                "known": "known",
                "positions": "positions",
                "own": "the mover shifts",
                "none": "no shift",
                "theirs": "the opponent does",
            },
        ),
        "ways": (
            "Of the walks that can win, how many of their four shifts win, per cent of walks",
            _ways(facts),
            {
                "reading": "reading",
                "known": "known",
                "walks": "walks",
                "one": "one shift",
                "two": "two",
                "three": "three",
                "four": "all four",
                "chance": "a random shift keeps the win",
            },
        ),
        "first_move": (
            "Deals that red wins with the very first move",
            first_move(facts),
            {
                "reading": "reading",
                "known": "known",
                "jack_placements": "ways to lay the jacks",
                "of_placements": "of",
                "deals": "deals",
                "of_deals": "of all",
                "percent": "per cent",
            },
        ),
        "different": (
            "Deals up to symmetry",
            different(facts),
            {
                "reading": "reading",
                "known": "known",
                "symmetries": "symmetries",
                "deals": "deals",
                "by_burnside": "different, by Burnside’s lemma",
                "by_enumeration": "different, by finding them",
            },
        ),
    }


def _by_length(facts: ShiftingFacts) -> pl.DataFrame:
    """Return a row for each length with a column for each reading."""
    rows = []
    for plies in sorted({plies for found in facts.outcomes for plies, _ in found.lengths}):
        row: dict[str, Any] = {"plies": plies, "winner": "red" if plies % 2 else "blue"}
        for found in facts.outcomes:
            rate = found.rate(plies)
            row[found.reading.name] = 100 * rate.share if rate.found else None
        rows.append(row)
    return pl.DataFrame(rows)


def _ways(facts: ShiftingFacts) -> pl.DataFrame:
    """Return the walks that can win by the number of their winning shifts, over all plies."""
    rows = []
    for name in dict.fromkeys(found.rules.name for found in facts.worth):
        ways = [
            sum(found.ways[index] for found in facts.worth if found.rules.name == name) for index in range(4)
        ]
        walks = sum(ways) or 1
        row: dict[str, Any] = {"reading": name, "known": "estimate", "walks": sum(ways)}
        for word, count in zip(("one", "two", "three", "four"), ways, strict=True):
            row[word] = f"{100 * count / walks:.0f}"
        row["chance"] = f"{100 * sum(n * count for n, count in enumerate(ways, 1)) / (4 * walks):.0f}"
        rows.append(row)
    return pl.DataFrame(rows)
