"""The charts of the rule laboratory: all measures of all decks, and decks compared with opening rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.census.lab.orders import OFFICIAL, Order, official_among
from collapsi.core.decks import NUMBERS, format_deck
from collapsi.games.classic.made_up import with_options
from collapsi.report.style import BLUE, FAINT, INK, RED, SHADES, new_figure, write_centred

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from collapsi.census.fairness import OpeningRule
    from collapsi.census.lab.facts import DeckFacts

BAND = "#f3e3bd"
"""Background of the official deck."""
STAR = "#a86a00"

MEASURES: tuple[tuple[str, str, Callable[[DeckFacts], float]], ...] = (
    ("red wins", "{:.1f} %", lambda facts: 100 * facts.red_share),
    ("mean plies", "{:.2f}", lambda facts: facts.mean_plies),
    ("choices at a turn", "{:.2f}", lambda facts: facts.choices),
    ("first move decides", "{:.1f} %", lambda facts: 100 * facts.decisive_share),
    ("winning first moves", "{:.2f}", lambda facts: facts.mean_winning_first_moves),
    ("only one line wins", "{:.1f} %", lambda facts: 100 * facts.one_line_share),
)


def poster(facts: Sequence[DeckFacts]) -> Figure:
    """Draw every deck as a row of cards, fairest first, with a dot for each measure."""
    rows = Order.FAIREST.sort(facts)
    official = official_among(rows)
    widths = [2.3] + [1.6] * len(MEASURES)
    height = 1.6 + 0.235 * len(rows)
    figure, every = new_figure(13, height, len(widths), sharey=True, width_ratios=widths)
    _cards(every[0], rows)
    for axes, (name, form, value) in zip(every[1:], MEASURES, strict=True):
        values = [value(found) for found in rows]
        if official is not None:
            axes.axvline(value(official), color=STAR, linewidth=1, zorder=1)
        if name == "red wins" and min(values) < 53:
            axes.axvline(50, color=FAINT, linewidth=1, linestyle=":", zorder=0)
        for place, (found, number) in enumerate(zip(rows, values, strict=True)):
            ours = found.deck == OFFICIAL
            colour = (RED if number >= 50 else BLUE) if name == "red wins" else INK
            axes.plot(number, place, "o", color=colour, markersize=7 if ours else 5)
            axes.annotate(
                form.format(number),
                (number, place),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
                color=INK,
                fontweight="bold" if ours else "normal",
                bbox={"boxstyle": "square,pad=0.1", "facecolor": BAND if ours else "white", "linewidth": 0},
            )
        axes.set_title(name, fontsize=10.5)
        axes.margins(x=0.06)
        low, high = axes.get_xlim()
        axes.set_xlim(low, high + 0.42 * (high - low))  # space for the numbers
        axes.spines[["left"]].set_visible(False)
        axes.tick_params(left=False, labelsize=8)
        for place in range(len(rows)):
            axes.axhline(place, color=FAINT, linewidth=0.3, alpha=0.5, zorder=0)
    for axes in every:
        for place, found in enumerate(rows):
            if found.deck == OFFICIAL:
                axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0, linewidth=0)
    every[0].set_ylim(len(rows) - 0.4, -0.6)
    played = with_options(rows[0].rules, deck=OFFICIAL)
    title = f"{len(rows)} decks of Collapsi, {played} rules: every deal solved"
    figure.suptitle(title, fontsize=14, x=0.01, ha="left")
    return figure


def _cards(axes: Any, rows: Sequence[DeckFacts]) -> None:
    """Draw the decks as rows of cards."""
    for place, found in enumerate(rows):
        left = 0
        for card, colour, count in zip(NUMBERS, SHADES, found.deck, strict=True):
            for _ in range(count):
                box = {"boxstyle": "round,pad=0.22", "facecolor": colour, "edgecolor": "none"}
                style = {"fontsize": 6.5, "color": "white", "fontweight": "bold", "bbox": box}
                write_centred(axes, left + 0.5, place, card.letter, **style)
                left += 1
    axes.set_xlim(-0.2, 14.2)
    axes.set_yticks(range(len(rows)), [format_deck(found.deck) for found in rows], fontsize=8)
    for label, found in zip(axes.get_yticklabels(), rows, strict=True):
        if found.deck == OFFICIAL:
            label.set_fontweight("bold")
    axes.set_xticks([])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title("the deck, fairest first", fontsize=10.5)


def among_openings(facts: Sequence[DeckFacts], openings: Sequence[OpeningRule]) -> Figure:
    """Draw red's share and the length of games for decks and for opening rules."""
    figure, (whole, near) = new_figure(9.5, 5.6, 2, width_ratios=(1.1, 1))
    shares = [100 * rule.red_share for rule in openings]
    plies = [rule.mean_plies for rule in openings]
    official = official_among(facts)
    others = [found for found in facts if found.deck != OFFICIAL]
    for axes in (whole, near):
        axes.scatter(shares, plies, s=16, marker="s", color=FAINT, alpha=0.5, linewidth=0)
        axes.scatter(
            [100 * found.red_share for found in others],
            [found.mean_plies for found in others],
            s=26,
            color=BLUE,
            alpha=0.85,
            linewidth=0,
        )
        if official is not None:
            axes.plot(100 * official.red_share, official.mean_plies, "*", color=STAR, markersize=15)
        axes.set_xlabel("red wins, per cent")
    whole.axvline(50, color=FAINT, linewidth=1, linestyle=":")
    whole.set_ylabel("plies of a game, on average")
    whole.set_title(f"{len(facts)} decks and {len(openings)} opening rules")
    near.set_title("the decks, enlarged")
    across = [100 * found.red_share for found in facts]
    along = [found.mean_plies for found in facts]
    near.set_xlim(min(across) - 1, max(across) + 1.4)
    near.set_ylim(min(along) - 0.08, max(along) + 0.08)
    ends = {
        order.sort(facts)[at].deck for order in (Order.FAIREST, Order.LONGEST) for at in (0, 1, -1, -2)
    } | {OFFICIAL}
    for found in facts:
        if found.deck in ends:
            near.annotate(
                format_deck(found.deck),
                (100 * found.red_share, found.mean_plies),
                xytext=(6, 4),
                textcoords="offset points",
                fontsize=8,
                color=STAR if found.deck == OFFICIAL else INK,
            )
    whole.plot([], [], "*", color=STAR, markersize=12, linestyle="", label="the official rules")
    whole.plot([], [], "o", color=BLUE, linestyle="", label="another deck")
    whole.plot([], [], "s", color=FAINT, linestyle="", label="another opening rule")
    figure.legend(frameon=False, loc="outside lower center", ncols=3)
    return figure
