"""The chapters of the report on the classic game: all deals, opening rules, the solo game, and the paper."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.census.deals import PAPER_PLACES, count_numberings
from collapsi.census.layers import JACKS
from collapsi.draw.svg import draw_position
from collapsi.games.classic.made_up import describe_steps
from collapsi.games.registry import parse_position
from collapsi.play.analysis import analyse
from collapsi.report.findings import DISTANCES_QUERY, SOLO_SAMPLE, solo_commands, solo_decks
from collapsi.report.pieces import command, figure, table

if TYPE_CHECKING:
    from collapsi.games.classic.position import Position
    from collapsi.report.findings import Findings


def _board(position: Position, caption: str, path: tuple[int, ...] = ()) -> str:
    svg = draw_position(position, path=path)
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def lengths(findings: Findings, drawings: dict[str, str]) -> str:
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
        "<p>Red, who moves first, wins the games with an odd number of plies, blue those with an even "
        "number. Under the old <i>joker</i> rules the first move of each player goes one to four steps by "
        f"choice, and the advantage is reversed: red wins {joker:.1f} %. (<i>Player’s Choice</i>, where "
        "both pick a card to start on, is the joker game two plies shorter, deal by deal.)</p>"
        + figure(
            drawings["lengths"], "Deals by length under perfect play. Solid: red wins. Hatched: blue wins."
        )
        + table(findings.lengths(), names)
        + command("collapsi census; collapsi census --rules joker; collapsi census --rules choice")
    )


def jack_distances(findings: Findings, drawings: dict[str, str]) -> str:
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
        "<p>Up to rotations, reflections and translations of the board blue’s jack can be in five different "
        "places relative to red’s; so the paper lists five, with weights 4, 2, 4, 4 and 1. But the board has "
        "hidden symmetries. As a graph, the four by four torus is the hypercube in four dimensions: its 384 "
        "symmetries include some that exchange ‘two steps along a row’ (B) with ‘one step along, one across’ "
        "(C). Moves depend only on which cards touch, so these symmetries preserve every game. Only the "
        "number of steps between the jacks matters.</p>"
        + figure(
            drawings["jack_places"],
            "Blue’s jack relative to red’s in the corner, with the number of cells below. B and C are "
            "equivalent.",
        )
        + figure(drawings["win_share"], "Red’s share by the steps between the jacks.")
        + table(findings.distances(), names)
        + command("collapsi census --out standard; collapsi census --rules joker --out joker")
        + command(f'collapsi atlas sql --atlas standard "{DISTANCES_QUERY}"')
        + command(f'collapsi atlas sql --atlas joker "{DISTANCES_QUERY}"')
    )


def tempo(findings: Findings, drawings: dict[str, str]) -> str:
    found = findings.tempo()
    every = {
        (row["rules"], row["tempo"]): row["percent"]
        for row in found.filter(pl.col("distance") == 0).iter_rows(named=True)
    }
    names = {
        "rules": "rules",
        "text": "",
        "deals": "deals",
        "percent": "per cent",
        "different": "truly different",
    }
    return (
        "<h2>If the other player starts</h2>"
        f"<p>Moving first is worth a lot, but not everything. In {every['standard', 'starter']:.1f} % of all "
        "deals the player who starts wins, whichever colour it is. In "
        f"{every['standard', 'red']:.1f} % red’s place is so good that red wins even if blue starts, and in "
        f"as many blue’s is. And in {every['standard', 'second']:.1f} % <b>whoever starts loses</b>: having "
        "to move is the disadvantage, which chess players call mutual zugzwang. Under the joker rules the "
        "first move goes anywhere, so the places of the pawns do not matter: it is better to come second in "
        f"{every['joker', 'second']:.1f} % of the deals.</p>"
        + figure(drawings["tempo"], "Who wins, depending on who starts, by the steps between the jacks.")
        + table(found.filter(pl.col("distance") == 0), names)
        + command("collapsi census --tempo; collapsi census --tempo --rules joker")
    )


def examples(findings: Findings) -> str:
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
            # The walk is drawn on the board after the move, to show both the collapsed card and the pawn.
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


def shortest_games(findings: Findings) -> str:
    rows = list(findings.shortest().iter_rows(named=True))
    boards = "".join(
        _board(parse_position(row["deal"]), f"{row['deal'].split()[0]} · weight {row['weight']}")
        for row in rows
    )
    total = sum(row["weight"] for row in rows)
    plies = int(findings.standard.select("plies").min().item())
    return (
        f"<h2>The shortest games: {len(rows)} deals</h2>"
        f"<p>Against perfect defence red needs at least {plies} plies to win. That happens in {total} deals; "
        f"up to all 384 symmetries they are these {len(rows)}.</p>"
        f'<div class="boards">{boards}</div>'
        + command(f"collapsi census --out atlas; collapsi atlas find --plies {plies}")
    )


def cards_next_to_jacks(drawings: dict[str, str]) -> str:
    return (
        "<h2>The cards next to the jacks</h2>"
        "<p>The first move goes one step, so the cards next to a jack are the choices of a player. Red’s "
        "share in <code>standard</code> depends on them:</p>"
        + figure(
            drawings["neighbours"],
            "Red’s share in per cent by how many of a card lie next to red’s jack (left) and next to blue’s "
            "(right).",
        )
        + command("collapsi report --out report  (cards_next_to_jacks.csv)")
    )


def possible_games(findings: Findings, drawings: dict[str, str]) -> str:
    return (
        "<h2>How many games are possible</h2>"
        "<p>Two games differ if some move ends on another card.</p>"
        + figure(drawings["games"], "Deals by their number of possible games, standard rules.")
        + table(findings.games(), {"what": "", "games": "possible games"})
        + command("collapsi census --games")
    )


def opening_rules(findings: Findings, drawings: dict[str, str]) -> str:
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
        "decisive_percent": "first move decides, %",
        "one_line_percent": "one line, %",
    }
    return (
        "<h2>Which opening rule would be fair?</h2>"
        "<p>Both published rules are unfair, in opposite directions. An opening rule says which numbers of "
        "steps a player may choose from for the first move: 1 and 1 in <code>standard</code>, any and any in "
        "<code>joker</code>. The rest of the game does not depend on it, so all 15 × 15 rules were solved "
        "together. Some sets of steps lead to the same cards: three steps reach every neighbour too, four "
        f"every card that two reach. So there are {len(findings.fairness)} different games; each is named by "
        "its smallest sets.</p>"
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
        + "<p>Two columns say how sharp the game is. The first move decides if some of red’s first moves win "
        "and others lose. Only one line wins if the loser can leave the winner one winning move at every "
        "turn. All rules are in <code>opening_rules.csv</code>.</p>" + command("collapsi census --openings")
    )


def solo() -> str:
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
        "<p>One player collapses every card and leaves by the exit. With the start in a fixed place, these "
        "shares of all layouts can be solved if the exit may be passed over before the end (open) and if it "
        f"may not (closed). On sixteen cards {SOLO_SAMPLE} random layouts were solved, and the two numbers "
        "are the 95 % confidence interval.</p>"
        + table(solo_decks(), names)
        + "".join(map(command, solo_commands()))
    )


def paper(findings: Findings) -> str:
    seven = findings.shortest()
    red = 100 * findings.red_share(findings.standard)
    return (
        "<h2>Notes on the paper</h2>"
        "<p>Young’s table of lengths is confirmed: the computation above gives exactly the same numbers by "
        "another method, and this project’s tests check them. A few notes where more is known now, or the "
        "text has a slip:</p>"
        "<ul>"
        "<li><b>Five places for the jacks are four.</b> A symmetry of the hypercube exchanges two of them, "
        f"so a list of {len(JACKS) * count_numberings():,} deals would be enough instead of "
        f"{PAPER_PLACES * count_numberings():,}.</li>"
        f"<li><b>177 seven-ply deals “up to symmetry”</b> are {len(seven)} up to all symmetries "
        f"({int(seven['weight'].sum())} deals by weight).</li>"
        "<li><b>“An advantage for the second player”</b> in the text does not agree with the paper’s own "
        f"table, by which the first player wins {red:.1f} %.</li>"
        "<li><b>Time per deal.</b> The text gives 20 ms and 0.4 ms in different places. On a machine like "
        "the one where this program’s own speed was measured, the published program needs about 9.3 ms of "
        "one core per deal.</li>"
        "</ul>"
        "<p>None of this affects the result, which is the paper’s.</p>"
    )
