"""Tables of the report from kept studies: larger samples than the report takes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from collapsi.games.registry import parse_rules
from collapsi.report.pieces import command, rate_columns, table, with_intervals
from collapsi.study.kept import kept_differences, kept_nodes, kept_studies

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.study.kept import KeptStudy

SAMPLE_NAMES = {
    "rules": "rules",
    "level": "level",
    "known": "known",
    "deals": "deals",
    "seat": "seat",
    "won": "wins, per cent",
    "date": "measured",
}


def samples() -> pl.DataFrame:
    """Return who wins in every kept study of the Shifting Board and the big board, a row for each seat."""
    return pl.DataFrame(
        [
            {
                "rules": study.rules,
                "level": study.level,
                "known": "exact" if study.exact else "sample",
                "deals": study.deals,
                "seat": str(seat),
                "wins": study.won(seat).found,
                **rate_columns("won", study.won(seat)),
                "date": study.date,
                "command": study.command,
            }
            for study in kept_studies()
            if _kind(study) != "classic"
            for seat in parse_rules(study.rules).seats
        ]
    )


def readings() -> pl.DataFrame:
    """Return how often two readings of the Shifting Board differ on the same deals."""
    return pl.DataFrame(
        [
            {
                "first": found.first,
                "second": found.second,
                "deals": found.winner.cases,
                **rate_columns("winner", found.winner),
                **rate_columns("length", found.length),
                "date": found.date,
                "command": found.command,
            }
            for found in kept_differences()
        ]
    )


def nodes() -> pl.DataFrame:
    """Return the strength of the engine by its number of nodes, at a table of experts."""
    return pl.DataFrame(
        [
            {
                "rules": found.rules,
                "nodes": found.nodes,
                "rounds": found.won.cases,
                **rate_columns("won", found.won),
                "points": found.points,
                "points_low": found.points_low,
                "points_high": found.points_high,
                "date": found.date,
                "command": found.command,
            }
            for found in kept_nodes()
        ]
    )


TABLES: dict[str, Callable[[], pl.DataFrame]] = {
    "kept_samples": samples,
    "kept_readings": readings,
    "big_nodes": nodes,
}
"""Every table by the name of its file."""


def _kind(study: KeptStudy) -> str:
    return parse_rules(study.rules).kind


def samples_of(kind: str) -> str:
    """Return the kept studies of perfect play or of equal players of one kind of game, as HTML."""
    frame = samples()
    frame = frame.filter([parse_rules(name).kind == kind for name in frame["rules"]])
    commands = dict.fromkeys(frame["command"].to_list())
    return (
        "<h3>Larger samples</h3><p>These samples took long and are kept with the program, each with its date "
        "and its command (<code>kept_samples.csv</code>).</p>"
        '<div class="names">'
        + table(with_intervals(frame, "won"), SAMPLE_NAMES)
        + "</div>"
        + "".join(map(command, commands))
    )


def readings_table() -> str:
    """Return the differences between readings as HTML."""
    return (
        "<p>The same deals of the larger samples, solved in two readings: how often winner or length differ, "
        "in per cent.</p>"
        '<div class="names">'
        + table(
            with_intervals(readings(), "winner", "length"),
            {
                "first": "reading",
                "second": "compared with",
                "deals": "deals",
                "winner": "another winner",
                "length": "another length",
                "date": "measured",
            },
        )
        + "</div>"
    )
