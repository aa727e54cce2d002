"""The charts of the chapter on the big board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.report.style import BLUE, FAINT, INK, RED, draw_legend_below, error_bars, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from collapsi.facts.big.facts import BigFacts

LINES = ((RED, "s"), (BLUE, "o"))
"""Colour and mark of each number of nodes."""

FEWEST = 5
"""Least number of positions for a point of the curve."""


def calibration(facts: BigFacts) -> Figure:
    """Draw exact points against estimates, a panel for each number of players."""
    names = list(dict.fromkeys(found.rules.name for found in facts.calibration))
    figure, every = new_figure(9, 3.6, len(names))
    for axes, name in zip(every, names, strict=True):
        parts = [found for found in facts.calibration if found.rules.name == name]
        top = parts[0].rules.players - 1
        axes.plot([0, top], [0, top], color=FAINT, linestyle=":")
        for found, (colour, mark) in zip(parts, LINES, strict=False):
            seen = [part for part in found.bins if part.positions >= FEWEST]
            exact = [part.exact for part in seen]
            reach = [
                [mean.value - max(mean.low, 0) for mean in exact],
                [min(mean.high, top) - mean.value for mean in exact],
            ]
            axes.errorbar(
                [part.expected for part in seen],
                [mean.value for mean in exact],
                yerr=reach,
                color=colour,
                elinewidth=0.8,
                capsize=2,
                marker=mark,
                markersize=5,
                label=f"{found.nodes:,} positions looked at",
            )
        axes.set_title(f"{top + 1} players, {parts[0].cards} cards, {len(parts[0].pairs)} times", fontsize=10)
        axes.set(xlim=(-0.05 * top, 1.05 * top), ylim=(-0.05 * top, 1.05 * top), aspect="equal")
        axes.set_xlabel("points expected (an estimate)")
    every[0].set_ylabel("points, exact")
    draw_legend_below(figure, every[0])
    return figure


def decided(facts: BigFacts) -> Figure:
    """Draw how soon games between two strong players are decided."""
    figure, axes = new_figure(7, 3.4)
    cards = [cards for cards, _ in facts.two.decided]
    rates = [rate for _, rate in facts.two.decided]
    axes.axhline(50, color=FAINT, linestyle=":")
    axes.errorbar(
        cards,
        [100 * rate.share for rate in rates],
        yerr=error_bars(rates),
        color=BLUE,
        ecolor=INK,
        elinewidth=0.8,
        capsize=2,
        marker="o",
        markersize=5,
    )
    axes.invert_xaxis()
    axes.set_xlabel("cards left")
    axes.set_ylabel("has won in the end, per cent")
    axes.set_ylim(40, 103)
    return figure
