"""The chapter of the report on the big board.

All numbers in the text come from the facts, each with its 95 % interval.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from collapsi.report import kept
from collapsi.report.big_tables import display_tables
from collapsi.report.pieces import command, display_table, figure
from collapsi.study.kept import kept_nodes

if TYPE_CHECKING:
    from collapsi.facts.big.facts import BigFacts
    from collapsi.report.pieces import DisplayTable


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
        + _nodes(drawings)
        + kept.samples_of("big")
    )


def _two(facts: BigFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    found = facts.two
    unsolved = (
        f" ({found.unsolved} more deals were not solved within the nodes allowed.)" if found.unsolved else ""
    )
    decided_at = ", ".join(f"with {cards} cards left in {rate}" for cards, rate in found.decided[:3])
    return (
        "<h3>Two players</h3>"
        "<p>With two players a whole deal can be solved from the first move, in seconds to minutes. Red, who "
        f"moves first, wins {found.red} of {found.red.cases:,} random deals under perfect play."
        f"{unsolved} When two strong players, the engine on both sides, play each other, red wins "
        f"{found.red_in_play} of {found.red_in_play.cases:,} games, and a game takes "
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
            f"Of {found.rules.players} equal players {best} gets most, {found.points[best]} "
            f"points per round, and {least} least, {found.points[least]}; {fair:g} would be fair."
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


def _nodes(drawings: dict[str, str]) -> str:
    measured = kept_nodes()
    dates = dict.fromkeys(found.date for found in measured)
    return (
        "<h3>How strength grows with nodes</h3>"
        "<p>One player, the engine, searches a given number of positions for a move; all others are experts, "
        "who search 4,000. How many rounds does it win?</p>"
        + figure(
            drawings["big_nodes"],
            "Rounds won by one engine at a table of experts, by its number of nodes, with 95 % intervals.",
        )
        + f"<p>Measured {', '.join(dates)}; all rows and commands are in <code>big_nodes.csv</code>.</p>"
        + command(measured[-1].command)
    )
