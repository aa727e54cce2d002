"""The charts of the kept studies: fairness by skill, and strength by nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.games.levels import Level
from collapsi.games.registry import parse_rules
from collapsi.report.skill import DECKS, LEVELS, RULES, games_of
from collapsi.report.style import BLUE, FAINT, INK, RED, error_bars, new_figure
from collapsi.study.kept import kept_nodes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = (
    (RED, "o", "-"),
    (BLUE, "s", "--"),
    ("#4d7f6f", "D", ":"),
    (INK, "^", "-"),
    ("#c98a1b", "v", "-."),
)
"""Colour, mark and line of each game: marks and lines tell them apart in black and white."""


def skill() -> Figure:
    """Draw the first player's share by level, rules and decks side by side."""
    figure, both = new_figure(9.5, 4.4, 2, sharey=True)
    for axes, names in zip(both, (RULES, DECKS), strict=True):
        axes.axhline(50, color=FAINT, linestyle=":", linewidth=1)
        for (rules, studies), (colour, mark, line) in zip(games_of(names).items(), LINES, strict=False):
            rates = [study.red for study in studies]
            axes.errorbar(
                [LEVELS.index(Level(study.level)) for study in studies],
                [100 * rate.share for rate in rates],
                yerr=error_bars(rates),
                color=colour,
                marker=mark,
                linestyle=line,
                markersize=5,
                markerfacecolor="white" if line != "-" else colour,
                linewidth=1.3,
                elinewidth=0.8,
                capsize=2,
                label=rules,
            )
        axes.set_xticks(range(len(LEVELS)), LEVELS, rotation=45, ha="right")
        axes.set_xlabel("level of both players")
        axes.legend(frameon=False, loc="upper left", fontsize=9)
    both[0].set_ylabel("the first player wins, per cent")
    both[0].set_ylim(20, 100)
    return figure


def nodes() -> Figure:
    """Draw the share of rounds that the engine wins by its number of nodes, a line for each table."""
    figure, axes = new_figure(7, 3.6)
    names = list(dict.fromkeys(found.rules for found in kept_nodes()))
    for name, (colour, mark, line) in zip(names, LINES, strict=False):
        parts = [found for found in kept_nodes() if found.rules == name]
        players = len(parse_rules(name).seats)
        axes.axhline(100 / players, color=colour, linestyle=":", linewidth=1)
        axes.errorbar(
            [found.nodes for found in parts],
            [100 * found.won.share for found in parts],
            yerr=error_bars([found.won for found in parts]),
            color=colour,
            marker=mark,
            linestyle=line,
            markersize=5,
            elinewidth=0.8,
            capsize=2,
            label=f"{players} players (dotted: a fair share)",
        )
    axes.set_xscale("log")
    axes.set_xlabel("search nodes of one player for a move; the others are experts")
    axes.set_ylabel("rounds won, per cent")
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, loc="upper left", fontsize=9)
    return figure
