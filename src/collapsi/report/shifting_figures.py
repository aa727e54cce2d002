"""The charts of the chapter on the shifting board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import MaxNLocator

from collapsi.core.cards import Card
from collapsi.core.players import Player
from collapsi.facts.shifting.first_move import deal_with
from collapsi.facts.shifting.readings import BOX, FLAT
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX
from collapsi.report.shifting_tables import MAIN
from collapsi.report.style import (
    BLUE,
    FAINT,
    INK,
    RED,
    draw_cell,
    draw_legend_below,
    draw_lengths,
    error_bars,
    new_figure,
    write_centred,
)

if TYPE_CHECKING:
    from collapsi.core.intervals import Rate
    from collapsi.facts.shifting.facts import ShiftingFacts
    from collapsi.facts.shifting.first_move import FirstMoveWins
    from collapsi.games.shifting.state import Shifting

SIDE = SHIFT.board.rows
WIN, FAR, BLOCKED = "#e0a32e", "#dfe5ee", "#f4f4f2"

CURVES = (
    ("own", "the mover shifts", "#4d7f6f", "o"),
    ("none", "no shift", "#c98a1b", "s"),
    ("theirs", "the opponent shifts", "#b83232", "D"),
    ("standard", "standard rules", FAINT, "^"),
)


def lengths(facts: ShiftingFacts) -> Figure:
    """Draw the lengths of games under perfect play, without shifts and in the three readings."""
    figure = Figure(figsize=(9, 5.2), layout="constrained")
    every = figure.subplots(2, 2, sharex=True, sharey=True).flat
    plies = sorted({plies for reading in MAIN for plies, _ in facts.outcome(reading).lengths})
    for axes, reading in zip(every, MAIN, strict=True):
        found = facts.outcome(reading)
        rates = [found.rate(number) for number in plies]
        bars, texts = draw_lengths(axes, plies, [100 * rate.share for rate in rates])
        if found.is_sample:
            seen = [(number, rate) for number, rate in zip(plies, rates, strict=True) if rate.found]
            axes.errorbar(
                [number for number, _ in seen],
                [100 * rate.share for _, rate in seen],
                yerr=error_bars([rate for _, rate in seen]),
                fmt="none",
                ecolor=INK,
                elinewidth=0.8,
                capsize=2,
            )
        lifts = [100 * rate.interval[1] if rate.found else 0 for rate in rates]
        for bar, text, lift in zip(bars, texts, lifts, strict=True):
            axes.text(
                bar.get_x() + bar.get_width() / 2, lift + 1, text, ha="center", va="bottom", fontsize=7.5
            )
        name = "no shift" if reading is FLAT else reading.name
        axes.set_title(f"{name}: red wins {_share(found.red)}", fontsize=10.5)
        axes.margins(y=0.14)
        axes.set_xticks(range(min(plies), max(plies) + 1))
    for axes in figure.axes[2:]:
        axes.set_xlabel("plies")
    for axes in figure.axes[::2]:
        axes.set_ylabel("per cent of deals")
    return figure


def _share(rate: Rate) -> str:
    if not rate.is_sample:
        return f"{100 * rate.share:.1f} % (exact)"
    low, high = rate.interval
    return f"{100 * rate.share:.1f} % ({100 * low:.1f}–{100 * high:.1f}, {rate.cases:,} deals)"


def worth(facts: ShiftingFacts) -> Figure:
    """Draw how often the mover wins if one shift is its own, omitted, or the opponent's choice."""
    names = list(dict.fromkeys(found.rules.name for found in facts.worth))
    figure, every = new_figure(9, 3.9, len(names), sharey=True, sharex=True)
    for axes, name in zip(every, names, strict=True):
        parts = [found for found in facts.worth if found.rules.name == name and found.own.cases]
        plies = [found.plies for found in parts]
        for kind, label, colour, mark in CURVES:
            rates: list[Rate] = [getattr(found, kind) for found in parts]
            low, high = zip(*(rate.interval for rate in rates), strict=True)
            axes.fill_between(
                plies,
                [100 * value for value in low],
                [100 * value for value in high],
                color=colour,
                alpha=0.15,
                linewidth=0,
            )
            axes.plot(
                plies,
                [100 * rate.share for rate in rates],
                color=colour,
                marker=mark,
                markersize=5,
                linestyle=":" if kind == "standard" else "-",
                label=label,
            )
        axes.set_title(name, fontsize=11)
        axes.set_xlabel("plies played")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(0, 100)
    every[0].set_ylabel("the mover wins, per cent")
    draw_legend_below(figure, every[0])
    return figure


def first_move(facts: ShiftingFacts) -> Figure:
    """Draw the placements of the jacks with which red wins at once in `shift-box`, and an example."""
    found = facts.wins_at_once(BOX)
    figure = Figure(figsize=(9, 5), layout="constrained")
    grid = figure.add_gridspec(2, 6)
    for column, red in enumerate((0, 1, SIDE + 1)):
        _draw_places(figure.add_subplot(grid[0, 2 * column : 2 * column + 2]), found, red)
    jacks = next(jacks for jacks in found.placements if jacks[0] == SIDE + 1)
    before = deal_with(jacks, SHIFT_BOX)
    move = found.moves[jacks][0]
    _draw_cards(figure.add_subplot(grid[1, 0:3]), before, f"red’s jack and blue’s: red plays {move}")
    _draw_cards(figure.add_subplot(grid[1, 3:6]), before.play(move), "blue has no step, and has lost")
    return figure


def _draw_places(axes: Any, found: FirstMoveWins, red: int) -> None:
    """Draw the places of blue's jack for a place of red's, and those with which red wins at once."""
    won = 0
    for cell in range(SHIFT.board.size):
        row, column = divmod(cell, SIDE)
        moves = found.moves.get((red, cell))
        text, colour, ink = "", BLOCKED, FAINT
        if cell == red:
            text, colour, ink = "red", "#ffffff", RED
        elif moves is None:
            text = "–"
        elif moves:
            text, colour, ink = "wins", WIN, INK
            won += 1
        else:
            colour = FAR
        draw_cell(axes, column, SIDE - 1 - row, colour, margin=0.04)
        write_centred(axes, column + 0.5, SIDE - 1 - row + 0.5, text, color=ink, fontsize=9.5)
    where = {0: "in a corner", 1: "at a side", SIDE + 1: "in the middle"}[red]
    axes.set_title(f"red’s jack {where}: {won} of 9", fontsize=10.5)
    axes.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal")
    axes.axis("off")


def _draw_cards(axes: Any, position: Shifting, title: str) -> None:
    """Draw the cards of a position; numbers do not matter here, so only jacks are labelled."""
    board = position.board
    for cell, card in enumerate(position.cards):
        if board.is_gap(cell):
            continue
        row, column = divmod(cell, board.columns)
        x, y = column + 0.08, board.rows - 1 - row + 0.08
        axes.add_patch(
            FancyBboxPatch(
                (x, y),
                0.84,
                0.84,
                boxstyle="round,pad=0,rounding_size=0.1",
                facecolor="#fdfaf2" if card is not None else "#c9cdd3",
                edgecolor=FAINT,
                hatch="" if card is not None else "xxx",
            )
        )
        if card is Card.JACK:
            write_centred(axes, x + 0.12, y + 0.7, "J", fontsize=8, color=INK)
        for player, colour in ((Player.RED, RED), (Player.BLUE, BLUE)):
            if position.pawns[player] == cell:
                box = {"boxstyle": "circle,pad=0.25", "facecolor": colour, "edgecolor": "white"}
                write_centred(axes, x + 0.42, y + 0.42, str(player), color="white", fontsize=9, bbox=box)
    axes.add_patch(Rectangle((0, 0), board.columns, board.rows, fill=False, edgecolor=FAINT, linestyle=":"))
    axes.set_title(title, fontsize=10.5)
    axes.set(xlim=(-0.1, 5.1), ylim=(-0.1, 4.1 if board.rows == SIDE else 5.1), aspect="equal")
    axes.axis("off")
