"""Draw the result of a study: shares of wins and lengths of games, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.players import PAIR, Player
from collapsi.report.style import BLUE, FAINT, INK, RED, error_bars
from collapsi.system.extras import needs

with needs("cluster"):
    from matplotlib.figure import Figure

if TYPE_CHECKING:
    from typing import Any

    from collapsi.study.result import Result

COLOURS = {Player.RED: RED, Player.BLUE: BLUE, Player.GREEN: "#3d7f4e", Player.YELLOW: "#c98a1b"}
HATCHES = {Player.RED: "", Player.BLUE: "//", Player.GREEN: "..", Player.YELLOW: "\\\\"}
"""Colour is never the only cue."""


def picture(result: Result) -> Figure:
    """Draw the wins on the left and the lengths on the right."""
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    plan = result.plan
    known = "perfect play" if plan.level is None else f"players of level {plan.level}"
    figure.suptitle(
        f"{plan.rules}: {result.deals:,} random deals (seed {plan.seed}), {known}; 95 % intervals",
        fontsize=11,
        color=INK,
    )
    if not result.lengths:
        _wins(figure.subplots(), result)
        return figure
    wins, lengths = figure.subplots(1, 2, width_ratios=(1, 2.6))
    _wins(wins, result)
    _lengths(lengths, result)
    return figure


def _wins(axes: Any, result: Result) -> None:
    rates = result.wins
    names = [str(player) for player in rates]
    axes.bar(
        names,
        [100 * rate.share for rate in rates.values()],
        yerr=error_bars(rates.values()),
        color=[COLOURS[player] for player in rates],
        hatch=[HATCHES[player] for player in rates],
        edgecolor="white",
        ecolor=INK,
        capsize=4,
    )
    for index, rate in enumerate(rates.values()):
        low, high = rate.interval
        text = f"{100 * rate.share:.1f}\n({100 * low:.1f}–{100 * high:.1f})"
        axes.text(index, 100 * high + 1, text, ha="center", va="bottom", fontsize=8, color=INK)
    axes.set_ylabel("wins, per cent of deals")
    axes.margins(y=0.2)
    axes.set_ylim(bottom=0)


def _lengths(axes: Any, result: Result) -> None:
    rates = result.lengths
    # With two players the last to move wins: red after an odd number of plies.
    two = len(result.seats) == len(PAIR)
    who = [PAIR[(plies + 1) % 2] if two else None for plies in rates]
    axes.bar(
        list(rates),
        [100 * rate.share for rate in rates.values()],
        yerr=error_bars(rates.values()),
        color=[FAINT if player is None else COLOURS[player] for player in who],
        hatch=["" if player is None else HATCHES[player] for player in who],
        edgecolor="white",
        ecolor=INK,
        error_kw={"elinewidth": 0.8},
        capsize=2,
    )
    for plies, rate in rates.items():
        text = f"{100 * rate.share:.1f}" if rate.share >= 0.0005 else "<0.1"
        axes.text(plies, 100 * rate.interval[1] + 0.3, text, ha="center", va="bottom", fontsize=7.5)
    mean = result.mean_plies
    assert mean is not None  # there are lengths
    axes.set_xlabel(f"plies; on average {mean}")
    axes.set_ylabel("per cent of deals")
    axes.margins(y=0.12)
    axes.set_ylim(bottom=0)
    if len(rates) < 20:
        axes.set_xticks(range(min(rates), max(rates) + 1))
