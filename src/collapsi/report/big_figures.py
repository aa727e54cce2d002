"""The charts of the chapter on the big board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from collapsi.report.style import BLUE, FAINT, INK

if TYPE_CHECKING:
    from collapsi.big_facts.facts import BigFacts


def calibration(facts: BigFacts) -> Figure:
    """What the engine expects beside what is exact, a panel for each number of players."""
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    every = figure.subplots(1, len(facts.calibration))
    for axes, found in zip(every, facts.calibration, strict=True):
        top = found.rules.players - 1
        axes.plot([0, top], [0, top], color=FAINT, linestyle=":")
        means = [exact.value for _, exact in found.bins]
        reach = [
            [max(exact.value - max(exact.interval[0], 0), 0) for _, exact in found.bins],
            [max(min(exact.interval[1], top) - exact.value, 0) for _, exact in found.bins],
        ]
        axes.errorbar(
            [expected for expected, _ in found.bins],
            means,
            yerr=reach,
            color=BLUE,
            ecolor=INK,
            elinewidth=0.8,
            capsize=2,
            marker="o",
            markersize=5,
        )
        axes.set_title(
            f"{found.rules.players} players, {found.cards} cards, {len(found.pairs)} positions", fontsize=10
        )
        axes.set(xlim=(-0.05 * top, 1.05 * top), ylim=(-0.05 * top, 1.05 * top), aspect="equal")
        axes.set_xlabel("points expected (an estimate)")
    every[0].set_ylabel("points, exact")
    return figure


def decided(facts: BigFacts) -> Figure:
    """How soon games between two strong players are decided."""
    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.subplots()
    cards = [cards for cards, _ in facts.two.decided]
    shares = [share for _, share in facts.two.decided]
    axes.axhline(50, color=FAINT, linestyle=":")
    axes.errorbar(
        cards,
        [100 * share.value for share in shares],
        yerr=[
            [100 * max(share.value - share.interval[0], 0) for share in shares],
            [100 * max(share.interval[1] - share.value, 0) for share in shares],
        ],
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
