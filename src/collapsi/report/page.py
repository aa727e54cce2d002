"""The report as one self-contained HTML page, with its figures and tables as files beside it."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from collapsi import __version__
from collapsi.analysis import analyse
from collapsi.census import PAPER_PLACES, count_deals, count_numberings
from collapsi.drawing import draw_position
from collapsi.errors import OutputError
from collapsi.files import check_writable, write_whole
from collapsi.made_up import describe_steps
from collapsi.notation import parse_position
from collapsi.report import big, lab
from collapsi.report.article import article
from collapsi.report.figures import FIGURES
from collapsi.report.findings import SOLO_SAMPLE, SOLO_SEED, TABLES
from collapsi.report.pieces import command, figure, table
from collapsi.report.shifting import chapter
from collapsi.report.style import draw
from collapsi.solve.layers import JACKS

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.position import Position
    from collapsi.report.findings import Findings

PAGE = "index.html"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

CSS = """
:root { --ink: #22252a; --soft: #5b626c; --line: #d9dde3; --paper: #ffffff; --tint: #f5f6f3; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.6 Georgia, "DejaVu Serif", serif; }
main { max-width: 54rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2.5rem; line-height: 1.15; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, ul { margin: .75rem 0; max-width: 42rem; }
a { color: #1d5c8f; }
.lead { font-size: 1.2rem; color: var(--soft); }
.by { color: var(--soft); font-size: .95rem; }
code, .command { font: .85em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
.command { background: var(--tint); border-left: 3px solid #4d7f6f; padding: .4rem .75rem;
  margin: .75rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.command::before { content: "reproduce: "; color: var(--soft); }
figure { margin: 1.25rem 0; }
figure svg, figure img { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .92rem; max-width: 42rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font: .88rem/1.5 system-ui, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; margin: 1rem 0; }
th { text-align: right; font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--ink);
  padding: .2rem .8rem; vertical-align: bottom; }
td { text-align: right; padding: .2rem .8rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { padding-left: .2rem; }
.note { background: var(--tint); padding: .6rem 1rem; border-radius: .4rem; }
.boards { display: flex; flex-wrap: wrap; gap: .6rem; }
.boards figure { margin: 0; width: 8.6rem; }
.boards figcaption { font: .75rem/1.35 system-ui, "DejaVu Sans", sans-serif; text-align: center; }
.rules { border: 3px solid var(--ink); border-radius: 1rem; padding: 1.25rem 2rem; margin: 1.5rem 0;
  max-width: 46rem; font-size: 1.2rem; line-height: 1.45; background: var(--tint); }
.rules h3 { font-size: 1.5rem; margin: 0 0 .75rem; }
.rules ol { padding-left: 1.6rem; margin: 0; }
.rules li { margin: 0 0 .9rem; padding-left: .3rem; }
.rules li::marker { font-weight: bold; }
.rules ul { margin: .1rem 0; padding-left: 1.2rem; }
.rules ul li { margin: 0; }
.rules table { font-size: 1rem; margin: .4rem 0; }
.rules th { color: var(--ink); }
.rules th:first-child, .rules td:first-child { text-align: left; }
.rules td { white-space: normal; }
.rules .last { font-weight: bold; margin: .5rem 0; }
.rules .small { font-size: .95rem; color: var(--soft); margin: 0; }
.words td:last-child, .words th:last-child { text-align: left; white-space: normal; }
.names td:first-child, .names th:first-child { text-align: left; }
.names td:first-child { white-space: normal; }
.hero { width: 17rem; max-width: 100%; }
footer { margin-top: 4rem; color: var(--soft); font-size: .92rem;
  border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 40rem) { .rules { padding: 1rem; font-size: 1.05rem; } .rules table { font-size: .9rem; }
  .rules th, .rules td { padding: .2rem .5rem; } }
@media print { h2 { break-after: avoid; } figure, tr, .rules { break-inside: avoid; } }
"""


def file_names() -> list[str]:
    """The files of a report."""
    figures = [f"{name}.{kind}" for name in FIGURES for kind in ("svg", "png")]
    return [*figures, *(f"{name}.csv" for name in TABLES), PAGE]


def check_free(folder: Path, *, force: bool) -> None:
    """Refuse, before the work, a folder that cannot be written or has files that a report would replace."""
    if not force and any((folder / name).exists() for name in file_names()):
        msg = f"{folder} holds a report already: add --force to replace it"
        raise OutputError(msg)
    check_writable(folder)


def write_report(folder: Path, findings: Findings, *, force: bool = False) -> Path:
    """Write figures, tables, and last the page, each file whole; nothing else in the folder is touched."""
    check_free(folder, force=force)
    drawings = {name: draw(chart, findings) for name, chart in FIGURES.items()}
    files = {
        f"{name}.{kind}": part
        for name, pair in drawings.items()
        for kind, part in zip(("svg", "png"), pair, strict=True)
    }
    files |= {
        f"{name}.csv": frame.write_csv(float_precision=4).encode()
        for name, frame in findings.tables().items()
    }
    files[PAGE] = page(findings, {name: _inline(svg) for name, (svg, _) in drawings.items()}).encode()
    try:
        for name, content in files.items():
            write_whole(folder / name, content)
    except OSError as error:
        msg = f"cannot write the report to {folder}: {error.strerror}"
        raise OutputError(msg) from None
    return folder / PAGE


def _inline(svg: bytes) -> str:
    """A chart as an address that holds all of it; as part of the page its names would clash with others'."""
    return f"data:image/svg+xml;base64,{b64encode(svg).decode()}"


def page(findings: Findings, drawings: dict[str, str]) -> str:
    """The whole page."""
    sections = [
        _head(findings),
        _lengths(findings, drawings),
        _jacks(findings, drawings),
        _examples(findings),
        _seven(findings),
        _around(drawings),
        _games(findings, drawings),
        _opening_rules(findings, drawings),
        lab.chapter(findings.decks, findings.fairness, drawings),
        article(findings, drawings),
        chapter(findings.shifting, drawings),
        big.chapter(findings.big, drawings),
        _solo(findings),
        _paper(findings),
        _foot(),
    ]
    title = "Collapsi, solved: every deal"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


def _board(position: Position, caption: str, path: tuple[int, ...] = ()) -> str:
    svg = draw_position(position, path=path)
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _head(findings: Findings) -> str:
    position = parse_position(EXAMPLE)
    red = 100 * findings.red_share(findings.standard)
    rows = len(findings.standard)
    return (
        "<h1>Collapsi, solved: every deal</h1>"
        f'<p class="lead">With perfect play the first player wins {red:.1f} % of all deals. '
        "Here is the exact result of every one of "
        "them, found in seconds and checked by other solvers, and what a small change of the opening rule "
        "would do.</p>"
        '<p class="by">Collapsi is a game by Mark S. Ball (Riffle Shuffle &amp; Roll), free to play: '
        '<a href="https://riffleshuffleandroll.itch.io/collapsi">rules</a>, '
        '<a href="https://youtu.be/FgHkYEFGCXI">video</a>. '
        "That it is strongly solved is the result of Michael Young, "
        '<a href="https://arxiv.org/abs/2507.16823">arXiv:2507.16823</a>, '
        "whose tables this report prints again from a "
        "computation of its own.</p>"
        f'<figure class="hero">{draw_position(position)}'
        f"<figcaption>The example of the paper, <code>{EXAMPLE}</code>: red wins in "
        f"{analyse(position).plies} plies.</figcaption></figure>"
        "<p>Sixteen cards lie face up on a board that wraps around. A pawn moves exactly the number it "
        "stands on, one step from a jack, "
        "turning as it likes, never over the same card twice; it may pass the other pawn but not end there. "
        "The card it leaves collapses, "
        "and whoever cannot move loses. Perfect play means that the winner wins as soon as possible and the "
        "loser holds out "
        "as long as possible.</p>"
        f"<p>There are {count_deals():,} deals, counted with red’s jack in one place. Many are the same game "
        f"seen from another side; {rows:,} are "
        "truly different.</p>"
    )


def _lengths(findings: Findings, drawings: dict[str, str]) -> str:
    names = {
        "plies": "plies",
        "winner": "winner",
        "standard_deals": "standard: deals",
        "standard_percent": "per cent",
        "standard_different": "truly different",
        "joker_deals": "joker: deals",
        "joker_percent": "per cent",
        "joker_different": "truly different",
    }
    joker = 100 * findings.red_share(findings.joker)
    return (
        "<h2>How long, and who wins</h2>"
        "<p>A game of an odd number of plies is won by red, who moves first; of an even number by blue. "
        "Under the old <i>joker</i> rules the first move "
        "of each player goes one to four steps by choice, and the advantage turns round: red wins "
        f"{joker:.1f} %. "
        "(<i>Player’s Choice</i>, where both pick a card to start on, is the joker game two plies shorter, "
        "deal by deal.)</p>"
        + figure(
            drawings["lengths"], "Deals by length under perfect play. Solid: red wins. Hatched: blue wins."
        )
        + table(findings.lengths(), names)
        + command("collapsi census; collapsi census --rules joker; collapsi census --rules choice")
    )


def _jacks(findings: Findings, drawings: dict[str, str]) -> str:
    names = {
        "distance": "steps apart",
        "cells": "cells",
        "standard_deals": "deals",
        "standard_red_percent": "red wins, standard",
        "standard_mean_plies": "mean plies",
        "joker_red_percent": "red wins, joker",
        "joker_mean_plies": "mean plies",
    }
    return (
        "<h2>Four distances, not five places</h2>"
        "<p>Turn, mirror and shift the board, and blue’s jack can be in five different places relative to "
        "red’s; so the paper lists five, with weights "
        "4, 2, 4, 4 and 1. But the board has symmetries that no eye sees. As a graph, the four by four torus "
        "is the hypercube in four dimensions: "
        "its 384 symmetries include some that exchange ‘two steps along a row’ (B) with ‘one step along, one "
        "across’ (C). Moves depend only on which "
        "cards touch, so these keep every game as it is. What is left is the number of steps between the "
        "jacks.</p>"
        + figure(
            drawings["jack_places"],
            "Blue’s jack relative to red’s in the corner, with the number of cells below. B and C are one.",
        )
        + figure(drawings["win_share"], "Red’s share by the steps between the jacks.")
        + table(findings.distances(), names)
        + command(
            "collapsi atlas sql \"select distance, sum(weight) from deals where winner = 'red' group by "
            'distance"'
        )
    )


def _examples(findings: Findings) -> str:
    parts = [
        "<h2>One deal of every length</h2>",
        (
            "<p>Of each length the deal with the fewest winning first moves, and of those the one with the "
            "fewest possible games, played out perfectly.</p>"
        ),
    ]
    for row in findings.examples().iter_rows(named=True):
        analysis = analyse(row["deal"])
        game = analysis.line_of_play
        boards = [_board(game.positions[0], "the deal")]
        for number, square in enumerate(analysis.line, start=1):
            before = game.positions[number - 1]
            # The walk is drawn over the board it leads to, so that the collapsed card and the pawn are both
            # seen.
            boards.append(
                _board(game.positions[number], f"{number}. {before.to_move} to {square}", before.path(square))
            )
        parts.append(
            f"<h3>{row['plies']} plies: {row['winner']} wins</h3><p><code>{escape(row['deal'])}</code>, "
            f"{row['games']:,} possible games, "
            f"{row['winning_moves']} winning first move{'s' * (row['winning_moves'] != 1)}</p>"
            f'<div class="boards">{"".join(boards)}</div>' + command(f'collapsi line "{row["deal"]}"')
        )
    return "".join(parts)


def _seven(findings: Findings) -> str:
    rows = list(findings.shortest().iter_rows(named=True))
    boards = "".join(
        _board(parse_position(row["deal"]), f"{row['deal'].split()[0]} · weight {row['weight']}")
        for row in rows
    )
    total = sum(row["weight"] for row in rows)
    plies = int(findings.standard.select("plies").min().item())
    return (
        f"<h2>The shortest games: {len(rows)} deals</h2>"
        f"<p>The quickest that red can win against perfect defence is {plies} plies. It happens in {total} "
        "deals; "
        f"up to all 384 symmetries they are these {len(rows)}.</p>"
        f'<div class="boards">{boards}</div>' + command(f"collapsi atlas find --plies {plies}")
    )


def _around(drawings: dict[str, str]) -> str:
    return (
        "<h2>The cards next to the jacks</h2>"
        "<p>The first move goes one step, so the cards next to a jack are the choice a player has. How red’s "
        "share in <code>standard</code> changes with them:</p>"
        + figure(
            drawings["neighbours"],
            "Red’s share in per cent by how many of a card lie next to red’s jack (left) and next to blue’s "
            "(right).",
        )
        + command("collapsi report --out report  (cards_next_to_jacks.csv)")
    )


def _games(findings: Findings, drawings: dict[str, str]) -> str:
    return (
        "<h2>How many games are possible</h2>"
        "<p>Two games differ if some move ends on another card.</p>"
        + figure(drawings["games"], "Deals by their number of possible games, standard rules.")
        + table(findings.games(), {"what": "", "games": "possible games"})
        + command("collapsi census --games")
    )


def _opening_rules(findings: Findings, drawings: dict[str, str]) -> str:
    best = findings.fairness[0]
    smallest = min(
        (rule for rule in findings.fairness if rule.red_first == (1,)), key=lambda rule: rule.unfairness
    )
    names = {
        "red_first": "red’s first move",
        "blue_first": "blue’s first move",
        "red_wins": "red wins",
        "red_percent": "per cent",
        "mean_plies": "mean plies",
    }
    return (
        "<h2>Which opening rule would be fair?</h2>"
        "<p>Both published rules are lopsided, in opposite directions. The opening rule is which step counts "
        "a player may choose from for the first move: "
        "1 and 1 in <code>standard</code>, any and any in <code>joker</code>. Everything after the first two "
        "plies does not depend on it, so all 15 × 15 "
        "rules were solved at once.</p>"
        + figure(
            drawings["fairness"],
            "Red’s share of all deals in per cent. Framed: the two published rules. Bold: within two points "
            "of one half.",
        )
        + f'<p class="note">Fairest of all: red {describe_steps(best.red_first)}, '
        f"blue {describe_steps(best.blue_first)} steps, with {100 * best.red_share:.2f} % for red. "
        f"With red’s first move left at one step: blue {describe_steps(smallest.blue_first)} steps, "
        f"{100 * smallest.red_share:.2f} %.</p>"
        + table(findings.opening_rules().head(12), names)
        + "<p>Some step sets lead to the same cards (three steps reach every neighbour too), so some rules "
        "are twins. All 225 are in <code>opening_rules.csv</code>.</p>" + command("collapsi fairness")
    )


def _solo(findings: Findings) -> str:
    names = {
        "deck": "deck",
        "cards": "cards",
        "layouts": "layouts",
        "open_percent": "open exit, per cent",
        "open_between": "between",
        "closed_percent": "closed exit, per cent",
        "closed_between": "between",
    }
    return (
        "<h2>The solo game: which layouts can be solved?</h2>"
        "<p>One player collapses every card and leaves by the exit. With the start kept in one place, these "
        "shares of all layouts can be solved if the exit may be passed over before the end (open) and if it "
        f"may not (closed). On sixteen cards {SOLO_SAMPLE} random layouts were looked at, and the true share "
        "lies between the two numbers with 95 % confidence.</p>"
        + table(findings.solo(), names)
        + command(f"collapsi solo census --deck 11222233334444 --sample {SOLO_SAMPLE} --seed {SOLO_SEED}")
    )


def _paper(findings: Findings) -> str:
    seven = findings.shortest()
    red = 100 * findings.red_share(findings.standard)
    return (
        "<h2>Beside the paper</h2>"
        "<p>Young’s table of lengths stands: this project’s tests hold its numbers, and the computation "
        "above gives the same to the last deal, by another method. A few remarks where more is known now, or "
        "the text slips:</p>"
        "<ul>"
        "<li><b>Five places for the jacks are four.</b> Two of them are exchanged by a symmetry of the "
        f"hypercube, so {len(JACKS) * count_numberings():,} deals would have been enough to list instead of "
        f"{PAPER_PLACES * count_numberings():,}.</li>"
        f"<li><b>177 seven-ply deals “up to symmetry”</b> are {len(seven)} up to all symmetries "
        f"({int(seven['weight'].sum())} deals by weight).</li>"
        "<li><b>“An advantage for the second player”</b> in the text does not agree with the paper’s own "
        f"table, by which the first player wins {red:.1f} %.</li>"
        "<li><b>Time a deal.</b> The text gives 20 ms and 0.4 ms in different places. Run on a machine like "
        "the one where this program’s own speed was measured, the published program needs about 9.3 ms of "
        "one core for a deal.</li>"
        "</ul>"
        "<p>None of this touches the result, which was the paper’s to find.</p>"
    )


def _foot() -> str:
    return (
        "<footer><p>How it was checked: the layers of all positions against a search of single deals, that "
        "against minimax straight from the rules, and that against the "
        "rule sheet written a second time. <code>collapsi census --method search</code> is a complete second "
        "census; <code>collapsi census --verify 1000</code> compares at random.</p>"
        f"<p>Made by collapsi {__version__}, <code>collapsi report</code>. Every table is beside this page "
        "as CSV, every chart as SVG and PNG.</p></footer>"
    )
