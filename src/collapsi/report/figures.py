"""The charts of the report: functions of the findings that return Matplotlib figures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Rectangle

from collapsi.census.layers import JACKS, distance
from collapsi.games.classic.made_up import format_steps
from collapsi.games.classic.rules import JOKER, STANDARD
from collapsi.play.tempo import Tempo
from collapsi.report import big_figures, lab_figures, shifting_figures, skill_figures
from collapsi.report.findings import NUMBERS
from collapsi.report.style import (
    BLUE,
    INK,
    RED,
    SHADES,
    draw_cell,
    draw_legend_below,
    draw_lengths,
    new_figure,
    write_centred,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from collapsi.report.findings import Findings


def lengths(findings: Findings) -> Figure:
    """Draw the lengths of games under perfect play, both rules."""
    table = findings.lengths()
    figure, both = new_figure(8, 3.2, 2, sharey=True)
    for axes, name in zip(both, ("standard", "joker"), strict=True):
        percent = table[f"{name}_percent"].fill_null(0).to_list()
        bars, texts = draw_lengths(axes, table["plies"].to_list(), percent)
        axes.bar_label(bars, texts, fontsize=8, color=INK, padding=2)
        axes.set_title(
            f"{name}: red wins {100 * findings.red_share(getattr(findings, name)):.1f} %", fontsize=11
        )
        axes.set_xticks(table["plies"].to_list())
        axes.set_xlabel("plies")
        axes.margins(y=0.12)
    both[0].set_ylabel("per cent of deals")
    return figure


def win_share(findings: Findings) -> Figure:
    """Draw red's share by the distance of the jacks."""
    table = findings.distances()
    figure, axes = new_figure(6.4, 3)
    places = np.arange(len(table))
    for shift, name, colour in ((-0.2, "standard", RED), (0.2, "joker", "#d99a9a")):
        bars = axes.bar(
            places + shift, table[f"{name}_red_percent"].to_numpy(), 0.38, color=colour, label=name
        )
        axes.bar_label(bars, fmt="%.1f", fontsize=8, padding=2)
    axes.axhline(50, color=INK, linewidth=0.8, linestyle=":")
    axes.set_xticks(
        places,
        [
            f"{row['distance']} ({row['cells']} cell{'s' * (row['cells'] > 1)})"
            for row in table.iter_rows(named=True)
        ],
    )
    axes.set_xlabel("steps between the jacks")
    axes.set_ylabel("red wins, per cent")
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, loc="upper right", ncols=2)
    return figure


def tempo(findings: Findings) -> Figure:
    """Draw who wins, depending on who starts, by distance of the jacks."""
    table = findings.tempo()
    figure, both = new_figure(8.4, 3.4, 2, sharey=True)
    looks = dict(zip(Tempo, (("#c9cdd3", ""), (RED, ""), (BLUE, "//"), ("#ffffff", "xx")), strict=True))
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85}
    places = np.arange(len(JACKS) + 1)
    for axes, name in zip(both, ("standard", "joker"), strict=True):
        part = table.filter(pl.col("rules") == name)
        below = np.zeros(len(places))
        for kind, (colour, hatch) in looks.items():
            percent = part.filter(pl.col("tempo") == kind.value)["percent"].to_numpy()
            style = {"color": colour, "hatch": hatch, "edgecolor": INK, "linewidth": 0.5}
            axes.bar(places, percent, 0.8, below, label=kind.text, **style)
            for place, value, start in zip(places.tolist(), percent, below, strict=True):
                if value >= 4:
                    middle = start + value / 2
                    write_centred(axes, place, middle, f"{value:.0f}", fontsize=8, color=INK, bbox=box)
            below += percent
        axes.set_title(name, fontsize=11)
        axes.set_xticks(places, [*(str(jacks.distance) for jacks in JACKS), "all"])
        axes.set_xlabel("steps between the jacks")
        axes.set_ylim(0, 100)
    both[0].set_ylabel("per cent of deals")
    draw_legend_below(figure, both[0])
    return figure


def jack_places(_findings: Findings) -> Figure:
    """Draw the places of blue's jack: the paper's five with their weights, and the four distances."""
    figure, both = new_figure(7.6, 3.9, 2)
    colours = ["#ffffff", "#f3d9b1", "#cfe3d4", "#c9d8ee", "#e2cde8"]
    paper = {
        1: ("A", colours[1]),
        2: ("B", "#eef6d2"),
        5: ("C", colours[2]),
        6: ("D", colours[3]),
        10: ("E", colours[4]),
    }
    for axes, title in zip(both, ("the paper: five places", "the hypercube: four distances"), strict=True):
        axes.set_title(title, fontsize=11)
        for cell in range(16):
            row, column = divmod(cell, 4)
            if cell == 0:
                text, colour = "red", "#ffffff"
            elif axes is both[0]:
                text, colour = paper[_grid_kind(row, column)]
            else:
                steps = distance(0, cell)
                text, colour = str(steps), colours[steps]
            ink = RED if cell == 0 else INK
            draw_cell(axes, column, 3 - row, colour, margin=0.05)
            write_centred(axes, column + 0.5, 3 - row + 0.5, text, color=ink, fontsize=13)
        axes.set(xlim=(0, 4), ylim=(0, 4), aspect="equal")
        axes.axis("off")
    places: Counter[Any] = Counter(paper[_grid_kind(*divmod(cell, 4))][0] for cell in range(1, 16))
    steps_away: Counter[Any] = Counter(distance(0, cell) for cell in range(1, 16))
    for axes, counts in zip(both, (places, steps_away), strict=True):
        text = "   ".join(f"{name}: {count}" for name, count in sorted(counts.items()))
        axes.text(2, -0.25, text, ha="center", fontsize=10, color=INK)
    return figure


def _grid_kind(row: int, column: int) -> int:
    """Return the first cell in reading order to which visible symmetries map this one."""
    across, down = sorted((min(row, 4 - row), min(column, 4 - column)))
    return across * 4 + down


def neighbours(findings: Findings) -> Figure:
    """Draw red's share by the cards next to each jack."""
    table = findings.neighbours()
    figure, both = new_figure(8.4, 3, 2)
    overall = 100 * findings.red_share(findings.standard)
    for axes, jack in zip(both, ("red", "blue"), strict=True):
        part = table.filter(pl.col("jack") == jack)
        grid = np.full((len(NUMBERS), 5), np.nan)
        for row in part.iter_rows(named=True):
            grid["A234".index(row["card"]), row["next_to_it"]] = row["red_percent"]
        image = axes.imshow(
            grid, cmap="RdBu_r", norm=TwoSlopeNorm(overall, overall - 25, overall + 25), aspect="auto"
        )
        for (y, x), value in np.ndenumerate(grid):
            if not np.isnan(value):
                ink = "white" if abs(value - overall) > 16 else INK
                write_centred(axes, x, y, f"{value:.0f}", fontsize=9, color=ink)
        axes.set_yticks(range(len(NUMBERS)), [card.plural for card in NUMBERS])
        axes.set_xticks(range(5))
        axes.set_xlabel(f"number next to {jack}'s jack")
        axes.tick_params(length=0)
    figure.colorbar(image, ax=both, label="red wins, per cent", shrink=0.9)
    return figure


def games(findings: Findings) -> Figure:
    """Draw the distribution of the number of possible games over the deals."""
    counts = findings.standard["games"].to_numpy()
    weight = findings.standard["weight"].to_numpy().astype(np.int64)
    figure, axes = new_figure(7, 3)
    edges = np.logspace(np.log10(counts.min()), np.log10(counts.max()), 60)
    axes.hist(counts, bins=edges, weights=100 * weight / weight.sum(), color="#4d7f6f")
    axes.axvline(float((counts * weight).sum() / weight.sum()), color=INK, linewidth=0.9, linestyle=":")
    axes.set_xscale("log")
    axes.set_xlabel("possible games of a deal (dotted: the mean)")
    axes.set_ylabel("per cent of deals")
    return figure


def fairness(findings: Findings) -> Figure:
    """Draw red's share under every different opening rule."""
    share = {(rule.red_first, rule.blue_first): 100 * rule.red_share for rule in findings.fairness}
    step_sets = sorted({red for red, _ in share}, key=lambda steps: (len(steps), steps))
    grid = np.array([[share[red, blue] for blue in step_sets] for red in step_sets])
    figure, axes = new_figure(6.6, 5)
    image = axes.imshow(grid, cmap="RdBu_r", norm=TwoSlopeNorm(50, min(0, grid.min()), 100))
    for (y, x), value in np.ndenumerate(grid):
        bold = "bold" if abs(value - 50) < 2 else "normal"
        ink = "white" if abs(value - 50) > 33 else INK
        write_centred(axes, x, y, f"{value:.0f}", fontsize=9, fontweight=bold, color=ink)
    names = [format_steps(steps) for steps in step_sets]
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("blue's first move: steps to choose from")
    axes.set_ylabel("red's first move: steps to choose from")
    for rule in findings.fairness:
        if rule.is_for(STANDARD) or rule.is_for(JOKER):
            x, y = step_sets.index(rule.blue_first), step_sets.index(rule.red_first)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, edgecolor=INK, linewidth=2))
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="red wins, per cent", shrink=0.85)
    return figure


MARKS = "osD^"


def card_worth(findings: Findings) -> Figure:
    """Draw the wins kept by phase: by the card of rules and by chance."""
    table = findings.strategy.card_worth()
    figure, axes = new_figure(6.8, 3)
    places = np.arange(len(table))
    for shift, name, colour in ((-0.2, "chance", "#c9cdd3"), (0.2, "card", "#4d7f6f")):
        values, margins = (table[f"{name}_{kind}"].to_numpy() for kind in ("percent", "margin"))
        bars = axes.bar(
            places + shift, values, 0.38, yerr=margins, color=colour, ecolor=INK, capsize=3, label=name
        )
        axes.bar_label(bars, fmt="%.1f", fontsize=8, padding=2)
    axes.set_xticks(places, table["plies"].to_list())
    axes.set_xlabel("plies")
    axes.set_ylabel("wins kept, per cent")
    axes.set_ylim(0, 115)
    axes.set_yticks(range(0, 101, 20))
    axes.legend(frameon=False, loc="upper left", ncols=2)
    return figure


def worth_of_numbers(findings: Findings) -> Figure:
    """Draw the values of the numbers ace to four at every ply."""
    table = findings.strategy.worth_of_numbers()
    figure, both = new_figure(8.6, 3.6, 2)
    for axes, kind, title in zip(
        both, ("next", "landing"), ("one more card to step to next", "the card you land on"), strict=True
    ):
        for card, colour, mark in zip(NUMBERS, SHADES, MARKS, strict=True):
            part = table.filter(pl.col("card") == card.letter)
            plies, values, margins = (part[name].to_numpy() for name in ("ply", kind, f"{kind}_margin"))
            axes.fill_between(
                plies, values - margins, values + margins, color=colour, alpha=0.15, linewidth=0
            )
            axes.plot(plies, values, color=colour, marker=mark, markersize=5, label=card.plural)
        axes.axhline(0, color=INK, linewidth=0.8, linestyle=":")
        axes.set_title(title, fontsize=11)
        axes.set_xticks(table["ply"].unique(maintain_order=True).to_list())
        axes.set_xlabel("ply")
    both[0].set_ylabel("more wins kept, of 100")
    both[0].legend(frameon=False, loc="upper left")
    return figure


def ladder(findings: Findings) -> Figure:
    """Draw the results of all pairings, from random deals with both colours."""
    strategy = findings.strategy
    names = [standing.name for standing in strategy.ladder.standings]
    grid = np.full((len(names), len(names)), np.nan)
    rates = {}
    for row in strategy.pairings().iter_rows(named=True):
        place = names.index(row["player"]), names.index(row["against"])
        grid[place], rates[place] = row["won_percent"], row
    figure, axes = new_figure(7.4, 4.6)
    image = axes.imshow(grid, cmap="PuOr_r", norm=TwoSlopeNorm(50, 0, 100), aspect="auto")
    for (y, x), row in rates.items():
        colour = INK if 22 < grid[y, x] < 85 else "white"  # purple is darker than orange
        span = f"{row['won_low']:.0f}–{row['won_high']:.0f}"
        write_centred(axes, x, y - 0.12, f"{grid[y, x]:.0f}", fontsize=10, color=colour)
        write_centred(axes, x, y + 0.27, span, fontsize=7, color=colour)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("against")
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="games won, per cent", shrink=0.85)
    return figure


def aces(findings: Findings) -> Figure:
    """Draw red's share by the aces next to both jacks."""
    table = findings.aces()
    overall = 100 * findings.red_share(findings.standard)
    size = 1 + int(table.select("next_to_red", "next_to_blue").to_numpy().max())
    grid, deals = np.full((size, size), np.nan), table["deals"].sum()
    figure, axes = new_figure(5.6, 3.6)
    for row in table.iter_rows(named=True):
        y, x = row["next_to_red"], row["next_to_blue"]
        grid[y, x] = row["red_percent"]
        colour = "white" if abs(grid[y, x] - overall) > 16 else INK
        share = 100 * row["deals"] / deals
        text = f"{share:.0f} % of deals" if share >= 1 else "under 1 %"
        write_centred(axes, x, y - 0.12, f"{grid[y, x]:.0f}", fontsize=10, color=colour)
        write_centred(axes, x, y + 0.27, text, fontsize=6.5, color=colour)
    image = axes.imshow(
        grid, cmap="RdBu_r", norm=TwoSlopeNorm(overall, overall - 25, overall + 25), aspect="auto"
    )
    axes.set_xticks(range(size))
    axes.set_yticks(range(size))
    axes.set_xlabel("aces next to blue’s jack")
    axes.set_ylabel("aces next to red’s jack")
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="red wins, per cent", shrink=0.9)
    return figure


FIGURES: dict[str, Callable[[Findings], Figure]] = {
    "jack_places": jack_places,
    "lengths": lengths,
    "win_share": win_share,
    "tempo": tempo,
    "neighbours": neighbours,
    "games": games,
    "fairness": fairness,
    "card_worth": card_worth,
    "worth_of_numbers": worth_of_numbers,
    "ladder": ladder,
    "aces": aces,
    "decks": lambda findings: lab_figures.poster(findings.decks),
    "decks_and_openings": lambda findings: lab_figures.among_openings(findings.decks, findings.fairness),
    "skill": lambda _: skill_figures.skill(),
    "shifting_lengths": lambda findings: shifting_figures.lengths(findings.shifting),
    "shifting_first_move": lambda findings: shifting_figures.first_move(findings.shifting),
    "shifting_worth": lambda findings: shifting_figures.worth(findings.shifting),
    "big_decided": lambda findings: big_figures.decided(findings.big),
    "big_calibration": lambda findings: big_figures.calibration(findings.big),
    "big_nodes": lambda _: skill_figures.nodes(),
}
"""Every chart by the name of its files."""
