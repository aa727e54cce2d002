"""The report as one self-contained HTML page, with its figures and tables as files in the same folder."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from collapsi import __version__
from collapsi.census.deals import count_deals
from collapsi.draw.svg import draw_position
from collapsi.games.registry import parse_position
from collapsi.play.analysis import analyse
from collapsi.report import big, deals, lab, shifting, skill, strategy
from collapsi.report.figures import FIGURES
from collapsi.report.findings import TABLE_NAMES
from collapsi.report.style import draw
from collapsi.system.files import check_replaceable, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

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
.rule-card { display: inline-block; width: 15rem; max-width: 100%; margin: .5rem .75rem .5rem 0; }
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
    """Return the names of the files of a report."""
    figures = [f"{name}.{kind}" for name in FIGURES for kind in ("svg", "png")]
    return [*figures, *(f"{name}.csv" for name in TABLE_NAMES), PAGE]


def check_free(folder: Path, *, force: bool) -> None:
    """Refuse a folder that cannot be written or, without `force`, has files that a report would replace."""
    check_replaceable(folder, file_names(), "holds a report", force=force)


def write_report(folder: Path, findings: Findings, *, force: bool = False) -> Path:
    """Write figures, tables, and finally the page, each file atomically; other files stay untouched."""
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
    with reporting_write_errors(f"the report to {folder}"):
        for name, content in files.items():
            write_atomically(folder / name, content)
    return folder / PAGE


def _inline(svg: bytes) -> str:
    """Return a chart as a data URL; inlined as SVG its ids would clash with those of other charts."""
    return f"data:image/svg+xml;base64,{b64encode(svg).decode()}"


def page(findings: Findings, drawings: dict[str, str]) -> str:
    """Return the whole page."""
    sections = [
        _head(findings),
        deals.lengths(findings, drawings),
        deals.jack_distances(findings, drawings),
        deals.tempo(findings, drawings),
        deals.examples(findings),
        deals.shortest_games(findings),
        deals.cards_next_to_jacks(drawings),
        deals.possible_games(findings, drawings),
        deals.opening_rules(findings, drawings),
        lab.chapter(findings.decks, findings.fairness, drawings),
        skill.chapter(drawings),
        strategy.chapter(findings, drawings),
        shifting.chapter(findings.shifting, drawings),
        big.chapter(findings.big, drawings),
        deals.solo(),
        deals.paper(findings),
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


def _head(findings: Findings) -> str:
    position = parse_position(EXAMPLE)
    red = 100 * findings.red_share(findings.standard)
    rows = len(findings.standard)
    return (
        "<h1>Collapsi, solved: every deal</h1>"
        f'<p class="lead">With perfect play the first player wins {red:.1f} % of all deals. '
        "Here is the exact result of every one of them, found in seconds and checked by other solvers, and "
        "what a small change of the opening rule would do.</p>"
        '<p class="by">Collapsi is a game by Mark S. Ball (Riffle Shuffle &amp; Roll), free to play: '
        '<a href="https://riffleshuffleandroll.itch.io/collapsi">rules</a>, '
        '<a href="https://youtu.be/FgHkYEFGCXI">video</a>. '
        "That it is strongly solved is the result of Michael Young, "
        '<a href="https://arxiv.org/abs/2507.16823">arXiv:2507.16823</a>, '
        "whose tables this report reproduces by a computation of its own.</p>"
        f'<figure class="hero">{draw_position(position)}'
        f"<figcaption>The example of the paper, <code>{EXAMPLE}</code>: red wins in "
        f"{analyse(position).plies} plies.</figcaption></figure>"
        "<p>Sixteen cards lie face up on a board that wraps around. A pawn moves exactly the number it "
        "stands on, one step from a jack, turning as it likes, never over the same card twice; it may pass "
        "the other pawn but not end there. The card it leaves collapses, and a player who cannot move loses. "
        "Perfect play means that the winner wins as soon as possible and the loser holds out as long as "
        "possible.</p>"
        f"<p>There are {count_deals():,} deals, counted with red’s jack in one place. Many are the same game "
        f"seen from another side; {rows:,} are truly different.</p>"
    )


def _foot() -> str:
    return (
        "<footer><p>How it was checked: the layers of all positions against a search of single deals, the "
        "search against minimax directly from the rules, and minimax against a second, independent "
        "implementation of the rules. <code>collapsi census --method search</code> is a complete second "
        "census; <code>collapsi census --verify 1000</code> compares random deals.</p>"
        f"<p>Made by collapsi {__version__}, <code>collapsi report</code>. The folder of this page has every "
        "table as CSV, and every chart as SVG and PNG.</p></footer>"
    )
