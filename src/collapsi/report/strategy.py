"""The chapter of the report on rules that people can follow: a card to print, and its measurements.

All numbers in the text come from the findings, the card's file and the limits of the search.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.draw.card import draw_card
from collapsi.draw.svg import draw_position
from collapsi.games.registry import parse_position
from collapsi.play.analysis import analyse
from collapsi.play.strategy.budget import MOST_EFFORT, CardKind
from collapsi.play.strategy.learn import MOST_POINTS
from collapsi.play.strategy.numbers import aces_lead_from
from collapsi.play.strategy.players import sure_rules
from collapsi.play.strategy.rulecard import Points, bundled_card, bundled_record
from collapsi.play.strategy.samples import TENTHS, Split
from collapsi.play.strategy.study import NOTICEABLE_GAIN
from collapsi.play.strategy.vocabulary import COUNTABLE, SURE, WORD
from collapsi.play.traps import SLIP
from collapsi.report.pieces import command, figure, table, with_intervals
from collapsi.report.strategy_tables import LETTERS

if TYPE_CHECKING:
    from collapsi.play.strategy.measure import Measurement, Share
    from collapsi.play.strategy.rulecard import Line, NumberValues, RuleCard
    from collapsi.report.findings import Findings
    from collapsi.report.strategy_tables import Strategy


def chapter(findings: Findings, drawings: dict[str, str]) -> str:
    """Return the chapter."""
    strategy = findings.strategy
    chance, positions = strategy.study.chance.kept, f"{strategy.study.chance.kept.cases:,}"
    return (
        "<h2>Rules that people can follow</h2>"
        "<p>No person plays perfectly at a table. But as every position is solved, a rule of thumb can be "
        "measured: in what share of the won positions with a losing move does the move that the rule "
        f"chooses still win? That share is what the rule <i>keeps</i>. A random move keeps {chance} %. (The "
        f"number after ± is half of the 95 % confidence interval of a sample of {positions} positions.) "
        "Three cards of rules keep more, each for more reading. “They” are the opponent.</p>"
        + "".join(card_drawing(kind, strategy.cards[kind]) for kind in CardKind)
        + _kinds(strategy)
        + "<h3>The expert card with its points</h3>"
        + card_box(strategy.study.card)
        + _example(findings, strategy.study.card)
        + _found()
        + _worth(strategy, drawings)
        + _numbers(strategy, drawings)
        + _ladder(strategy, drawings)
        + _won_back(strategy)
        + _single_rules(strategy)
        + _odds(findings, drawings)
    )


def card_drawing(kind: CardKind, worth: Measurement) -> str:
    """Return a card as it is printed, with its sentences for screen readers."""
    card, title = bundled_card(kind), f"The {kind} card"
    svg = draw_card(card, title, f"keeps {worth.kept} % of wins", "svg").decode()
    label = escape(" ".join(card.sentences))
    drawing = svg[svg.index("<svg") :]
    return f'<figure class="rule-card" role="img" aria-label="{title}: {label}">{drawing}</figure>'


def _kinds(strategy: Strategy) -> str:
    names = {
        "card": "card",
        "lines": "lines",
        "words": "words",
        "numbers": "numbers",
        "kept_percent": "kept, per cent",
        "margin": "±",
        "cards_looked_at": "cards looked at",
    }
    measured = "; ".join(strategy.study_command.replace("kept", kind) for kind in CardKind)
    pairs = pl.col("player") + pl.col("against")
    games = (
        strategy.pairings()
        .filter(pairs.is_in(["pointspocket", "cardpoints"]))
        .sort("player", descending=True)
    )
    return (
        table(strategy.card_kinds(), names)
        + command(measured)
        + "<p>Each card in games against the shorter one, from random deals with both colours (<i>card</i> "
        "follows the expert card):</p>"
        + table(
            with_intervals(games, "won"),
            {"player": "player", "against": "against", "won": "games won, per cent"},
        )
        + command(strategy.ladder_command)
    )


def card_box(card: RuleCard) -> str:
    """Return the card in large print."""
    lines = "".join(f"<li>{_line(line)}</li>" for line in card.lines)
    last = (
        '<p class="last">Add up the points, and go where the sum is largest. Between equal moves, choose as '
        "you like.</p>"
        '<p class="small">Count the face-up cards before you move. A jack is worth nothing. A card that is '
        "named twice counts twice.</p>"
    )
    return (
        '<section class="rules"><h3>How to play well</h3>'
        f"<ol>{lines}</ol>{last if card.points else ''}</section>"
    )


def _line(line: Line) -> str:
    """Return a line of the card: a sentence, or what to count with a small table of points."""
    if not isinstance(line, Points):
        return escape(line.text)
    text = f"{'Minus points' if line.costs else 'Points'} for" + _phrases(line.added)
    if line.taken_off:
        text += "less points for" + _phrases(line.taken_off)
    head = "".join(f"<th>{name}</th>" for name in ("", *LETTERS))
    rows = "".join(
        f"<tr><td>{escape(when or 'always')}</td>{_points(worth)}</tr>" for when, worth in line.rows
    )
    return f"{text}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _phrases(words: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{escape(WORD[word].phrase)}</li>" for word in words) + "</ul>"


def _points(worth: NumberValues | None) -> str:
    numbers = ("–",) * len(LETTERS) if worth is None else (str(number).replace("-", "−") for number in worth)
    return "".join(f"<td>{number}</td>" for number in numbers)


def _example(findings: Findings, card: RuleCard) -> str:
    """Return the first of the example deals in which the card chooses a single move, and it wins."""
    for row in findings.examples().iter_rows(named=True):
        position = parse_position(row["deal"])
        explained = card.explain(position)
        wins = [move.cell for move in analyse(position).moves if move.wins]
        if not explained.points or len(explained.moves) > 1 or explained.moves[0] not in wins:
            continue
        square = position.board.square
        sums = [f"{square(move)} {sum(points)}" for move, points in explained.points.items()]
        only = "the only move that wins" if len(wins) == 1 else f"one of {len(wins)} moves that win"
        return (
            "<h3>An example</h3>"
            f'<figure class="hero">{draw_position(position)}<figcaption><code>{escape(row["deal"])}</code>'
            "</figcaption></figure>"
            f"<p>{str(position.to_move).capitalize()} moves. Points by landing card: "
            f"{', '.join(sums).replace('-', '−')}. So the card goes to {square(explained.moves[0])}, "
            f"{only}.</p>" + command(f'collapsi solve "{row["deal"]}"')
        )
    return ""


def _found() -> str:
    record = bundled_record()
    tenths = {part: len(tenth) for part, tenth in TENTHS.items()}
    return (
        "<h3>How they were found</h3>"
        "<p>A search found the cards. The lines are made from "
        f"{len(COUNTABLE) + len(SURE)} features of a move that one can count at the table. The first "
        f"{len(SURE)} lines are proven: such a move wins at once, or loses to a reply. Then lines are added "
        "one by one: every feature, alone and in pairs, at all times or from some number of face-up cards "
        f"on, with the points (up to {MOST_POINTS}) that keep most wins of {record['games']:,} games; the "
        "line that does best on other deals is added. Lines that require looking at more than "
        f"{MOST_EFFORT:g} cards per decision are excluded. For the pocket and the points card, only points "
        "that can be said in a few words are tried, and cards with more lines, words or numbers than allowed "
        "are excluded. Deals are split by their "
        f"class under all symmetries of the board: {tenths[Split.TRAIN]} tenths for fitting points, "
        f"{tenths[Split.VALIDATION]} for choosing lines, and {tenths[Split.FRESH]}, which the search never "
        "uses, for measuring. Everything here is measured on those.</p>"
        + command("; ".join(bundled_record(kind)["command"] for kind in CardKind))
    )


def _worth(strategy: Strategy, drawings: dict[str, str]) -> str:
    worth = {
        "plies": "plies",
        "positions": "positions",
        "card_percent": "card keeps, per cent",
        "card_margin": "±",
        "chance_percent": "chance",
        "chance_margin": "± ",
        "when_found_percent": "card, when found",
        "when_found_margin": "±  ",
    }
    lines = {
        "lines": "lines",
        "kept_percent": "kept, per cent",
        "margin": "±",
        "cards_looked_at": "cards looked at",
    }
    record = bundled_record()
    return (
        "<h3>How good the expert card is</h3>"
        + figure(
            drawings["card_worth"],
            "Wins kept by the card and by chance, by phase of the game, with 95 % intervals.",
        )
        + table(strategy.card_worth(), worth)
        + f"<p><i>When found</i> is the measurement on {record['worth']['kept']['cases']:,} positions of "
        "other games at the end of the search. Following the card means looking at "
        f"{strategy.study.worth.effort:.1f} cards per decision. If that is too much, leave out the last "
        "lines:</p>" + table(strategy.card_lines(), lines) + command(strategy.study_command)
    )


def _numbers(strategy: Strategy, drawings: dict[str, str]) -> str:
    numbers = strategy.study.numbers
    lead = aces_lead_from(numbers)
    text = ""
    if lead is not None and numbers[0].ply < lead:
        first, widest = numbers[0], max(numbers, key=lambda at: at.next[0].value - at.next[-1].value)
        text = (
            "<p>The order of the numbers reverses. At first a four to step to next is worth more than an ace "
            f"({_hundred(first.next[-1])} against {_hundred(first.next[0])} wins of 100 at ply {first.ply}); "
            f"from ply {lead} on the ace is worth more ({_hundred(widest.next[0])} against "
            f"{_hundred(widest.next[-1])} at ply {widest.ply}). With many cards face up a large number "
            "leads to more places; with few there are often no walks that long.</p>"
        )
    names = {"ply": "ply", "positions": "positions"} | {letter: letter for letter in LETTERS}
    return (
        "<h3>What an ace, a two, a three and a four are worth</h3>"
        "<p>Left: how many more wins of 100 a move keeps for one more card of the number among the cards to "
        "step to next, compared with the other moves of the same position. Right: how many more wins of 100 "
        "a move that lands on the number keeps, compared with a random move of the same position.</p>"
        + figure(
            drawings["worth_of_numbers"],
            "The worth of the four numbers by ply, as next cards (left) and to land on (right), with 95 % "
            "intervals.",
        )
        + text
        + "<p>As next cards:</p>"
        + table(_by_letter(strategy.worth_of_numbers(), "next"), names)
        + "<p>To land on:</p>"
        + table(_by_letter(strategy.worth_of_numbers(), "landing"), names)
        + command(strategy.study_command)
    )


def _hundred(share: Share) -> str:
    return str(share).replace("-", "−")


def _by_letter(numbers: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Return a row for each ply and a column for each number, as text with its interval."""
    texts = [
        f"{row[kind]:.1f} ± {row[f'{kind}_margin']:.1f}".replace("-", "−")
        for row in numbers.iter_rows(named=True)
    ]
    return numbers.with_columns(pl.Series("text", texts, pl.String)).pivot(
        "card", index=["ply", "positions"], values="text"
    )


def _ladder(strategy: Strategy, drawings: dict[str, str]) -> str:
    rates = ("won", "as_red", "as_blue")
    standings, pairings = (
        with_intervals(frame, *rates) for frame in (strategy.standings(), strategy.pairings())
    )
    won = {
        "won": "games won, per cent",
        "as_red": "as red, from deals red can win",
        "as_blue": "as blue, from deals blue can win",
    }
    return (
        "<h3>Who beats whom</h3>"
        "<p>The card in games: every player met every other with both colours, on "
        f"{strategy.ladder_games} deals of each kind: random deals, deals that red can win and deals that "
        "blue can win. Next to or below a share are the ends of its 95 % interval.</p>"
        + figure(
            drawings["ladder"],
            "Games that the player on the left won against the player below, in per cent: random deals, both "
            "colours. The strongest player comes first.",
        )
        + f'<div class="words">{table(standings, {"player": "player"} | won | {"how": "how it plays"})}</div>'
        + "<p>The card against each of the others:</p>"
        + table(pairings.filter(pl.col("player") == "card"), {"against": "against"} | won)
        + "<p>All pairings are in <code>ladder_pairings.csv</code>.</p>"
        + command(strategy.ladder_command)
    )


def _won_back(strategy: Strategy) -> str:
    names = ("tempting", "perfect", "more")
    columns = {"against": "against", "plies": "random plies before"} | {
        "tempting": "won back by tempting, per cent",
        "perfect": "by perfect",
        "more": "difference",
    }
    return (
        "<h3>Lost positions won back</h3>"
        "<p>Two levels never err. <i>perfect</i> takes any of the best moves; <i>tempting</i>, when it is "
        "losing, takes the move after which the opponent most often goes wrong, if a share of "
        f"{100 * SLIP:g} % of its moves is random, or if it follows the card. Both played the same "
        f"{2 * strategy.won_back_games} lost positions in every row, half of them with each colour; the "
        "interval of the difference is for pairs.</p>"
        + table(with_intervals(strategy.positions_won_back(), *names), columns)
        + command(strategy.won_back_command)
    )


def _single_rules(strategy: Strategy) -> str:
    rules = strategy.single_rules()
    names = {"kept_percent": "kept, per cent", "margin": "±", "adds": "adds", "rule": "rule"}
    sure = sure_rules()
    return (
        "<h3>What does not work</h3>"
        f"<p>Plausible rules, each by itself after the {len(sure.lines)} sure ones. These add less than "
        f"{100 * NOTICEABLE_GAIN:g} win of 100, or do harm:</p>"
        f'<div class="words">{table(rules.filter(~pl.col("works")), names)}</div>'
        "<p>And these help:</p>"
        f'<div class="words">{table(rules.filter("works"), names)}</div>' + command(strategy.study_command)
    )


def _odds(findings: Findings, drawings: dict[str, str]) -> str:
    aces, guesses = findings.aces(), findings.guesses()
    right = guesses["right_percent"].to_list()
    deals = pl.col("deals")
    for_blue = aces.select(100 * deals.filter(pl.col("red_percent") < 50).sum() / deals.sum()).item()
    return (
        "<h3>Odds at sight</h3>"
        "<p>Can the winner be predicted before the first move? With perfect play red wins "
        f"{100 * findings.red_share(findings.standard):.1f} % of all deals. An ace next to a jack is bad "
        "for the player who starts there. Over all deals, counted and not sampled:</p>"
        + figure(
            drawings["aces"],
            "Red’s share of all deals in per cent by the aces next to both jacks, with the share of such "
            "deals.",
        )
        + "<p>But this predicts little, because red is ahead with almost any number of aces: blue is ahead "
        f"in only {for_blue:.1f} % of all deals. Always guessing red is right in {right[0]:.1f} % of all "
        f"deals; the best guess by {escape(guesses['counted'][2])} is right in {right[2]:.1f} %, and by "
        f"{escape(guesses['counted'][3])} in {right[3]:.1f} %.</p>"
        + table(guesses, {"counted": "counted", "right_percent": "best guess right, per cent"})
        + command("collapsi report --out report  (aces_next_to_jacks.csv, guesses_at_sight.csv)")
    )
