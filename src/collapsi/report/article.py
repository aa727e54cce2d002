"""The chapter of the report on rules that people can follow: the card, to print, and what is known of it.

No number is written into the text: all come from the findings, the card's file and the search's own limits.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.analysis import analyse
from collapsi.drawing import draw_position
from collapsi.notation import parse_position
from collapsi.report.pieces import command, figure, table
from collapsi.report.strategy import LETTERS
from collapsi.strategy.learn import MOST_EFFORT, MOST_POINTS
from collapsi.strategy.numbers import aces_lead_from
from collapsi.strategy.players import sure_rules
from collapsi.strategy.rulecard import Points, kept_record
from collapsi.strategy.samples import TENTHS, Part
from collapsi.strategy.study import NOTICED
from collapsi.strategy.vocabulary import WORD, WORDS

if TYPE_CHECKING:
    from collapsi.report.findings import Findings
    from collapsi.report.strategy import Strategy
    from collapsi.strategy.measure import Share
    from collapsi.strategy.rulecard import Line, RuleCard, Worth


def article(findings: Findings, drawings: dict[str, str]) -> str:
    """The whole chapter."""
    strategy = findings.strategy
    kept, chance = strategy.study.worth.kept, strategy.study.chance.kept
    return (
        "<h2>Rules that people can follow</h2>"
        "<p>Nobody plays perfectly at a table. But as every position is solved, a rule of thumb can be "
        "weighed: of won positions in which a win can be thrown away, in how many does the move that the "
        f"rule chooses still win? That is what the rule <i>keeps</i>. A random move keeps {chance} %, the "
        f"card below {kept} %. (After ± is how far off such a number may be, with 95 % confidence, because "
        f"it comes from a sample of {kept.cases:,} positions.)</p>"
        + card_box(strategy.study.card)
        + _example(findings, strategy.study.card)
        + _found()
        + _worth(strategy, drawings)
        + _numbers(strategy, drawings)
        + _ladder(strategy, drawings)
        + _single_rules(strategy)
        + _odds(findings, drawings)
    )


def card_box(card: RuleCard) -> str:
    """The card, large, as one would print it."""
    lines = "".join(f"<li>{_line(line)}</li>" for line in card.lines)
    last = (
        '<p class="last">Go where you have most points. Between equal moves, choose as you like.</p>'
        '<p class="small">Count the face-up cards before you move. A jack is worth nothing. A card that is '
        "named "
        "twice counts twice.</p>"
    )
    return (
        '<section class="rules"><h3>How to play well</h3>'
        f"<ol>{lines}</ol>{last if card.points else ''}</section>"
    )


def _line(line: Line) -> str:
    """A line of the card: a sentence, or what to count with a little table of points."""
    if not isinstance(line, Points):
        return escape(line.text)
    told = f"{'Minus points' if line.costs else 'Points'} for" + _phrases(line.added)
    if line.taken_off:
        told += "less points for" + _phrases(line.taken_off)
    head = "".join(f"<th>{name}</th>" for name in ("", *LETTERS))
    rows = "".join(
        f"<tr><td>{escape(when or 'always')}</td>{_points(worth)}</tr>" for when, worth in line.rows
    )
    return f"{told}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _phrases(words: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{escape(WORD[word].phrase)}</li>" for word in words) + "</ul>"


def _points(worth: Worth | None) -> str:
    numbers = ("–",) * len(LETTERS) if worth is None else (str(number).replace("-", "−") for number in worth)
    return "".join(f"<td>{number}</td>" for number in numbers)


def _example(findings: Findings, card: RuleCard) -> str:
    """The first of the deals of every length on which the card likes one move best, and it wins."""
    for row in findings.examples().iter_rows(named=True):
        position = parse_position(row["deal"])
        reading = card.explain(position)
        wins = [move.cell for move in analyse(position).moves if move.wins]
        if not reading.points or len(reading.moves) > 1 or reading.moves[0] not in wins:
            continue
        square = position.board.square
        sums = [f"{square(move)} {sum(points)}" for move, points in reading.points.items()]
        only = "the only move that wins" if len(wins) == 1 else f"one of {len(wins)} moves that win"
        return (
            "<h3>An example</h3>"
            f'<figure class="hero">{draw_position(position)}<figcaption><code>{escape(row["deal"])}</code>'
            "</figcaption></figure>"
            f"<p>{str(position.to_move).capitalize()} moves. Points by landing card: "
            f"{', '.join(sums).replace('-', '−')}. So the card goes to {square(reading.moves[0])}, "
            f"{only}.</p>" + command(f'collapsi solve "{row["deal"]}"')
        )
    return ""


def _found() -> str:
    record = kept_record()
    tenths = {part: len(tenth) for part, tenth in TENTHS.items()}
    return (
        "<h3>How it was found</h3>"
        f"<p>By a search, not by hand. The lines are made from {len(WORDS)} things that one can count for a "
        f"move at the table. The first {len(sure_rules().lines)} lines are proven: such a move wins at once, "
        "or loses to a reply. Then line after line is added: every thing to count, alone and in pairs, at "
        f"all times or from some number of face-up cards on, with the points (up to {MOST_POINTS}) that keep "
        f"most wins of {record['games']:,} games; the line stays that does best on other deals. What takes a "
        f"look at more than {MOST_EFFORT:g} cards a decision is not tried. Deals are split by their class "
        f"under all symmetries of the board: {tenths[Part.TRAIN]} tenths to fit points to, "
        f"{tenths[Part.VALIDATION]} to choose lines by, and {tenths[Part.FRESH]}, which the search never "
        "sees, to measure with. Everything here is measured on those.</p>"
        + command(f"collapsi strategy --games {record['games']} --seed {record['seed']}")
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
    record = kept_record()
    return (
        "<h3>What it is worth</h3>"
        + figure(
            drawings["card_worth"],
            "Wins kept by the card and by chance, by phase of the game, with 95 % intervals.",
        )
        + table(strategy.card_worth(), worth)
        + f"<p><i>When found</i> is what was measured on {record['worth']['kept']['cases']:,} positions of "
        "other "
        "games when the search ended. Following the card takes a look at "
        f"{strategy.study.worth.effort:.1f} cards a decision. Who finds that too much may leave out the last "
        "lines:</p>" + table(strategy.card_lines(), lines) + command(strategy.study_command)
    )


def _numbers(strategy: Strategy, drawings: dict[str, str]) -> str:
    numbers = strategy.study.numbers
    lead = aces_lead_from(numbers)
    told = ""
    if lead is not None and numbers[0].ply < lead:
        first, widest = numbers[0], max(numbers, key=lambda at: at.next[0].value - at.next[-1].value)
        told = (
            "<p>The numbers swap places. At first a four to step to next is worth more than an ace "
            f"({_hundred(first.next[-1])} against {_hundred(first.next[0])} wins of 100 at ply {first.ply}); "
            f"from ply {lead} on the ace is worth more ({_hundred(widest.next[0])} against "
            f"{_hundred(widest.next[-1])} at ply {widest.ply}). With many cards on the table a large number "
            "leads to more places; with few it finds no way to walk.</p>"
        )
    names = {"ply": "ply", "positions": "positions"} | {letter: letter for letter in LETTERS}
    return (
        "<h3>What an ace, a two, a three and a four are worth</h3>"
        "<p>Left: how many more wins of 100 a move keeps for one more card of the number among those one "
        "could "
        "step to next, compared with the other moves of the same position. Right: how many more a move "
        "keeps that "
        "lands on the number than a random move of the same position.</p>"
        + figure(
            drawings["worth_of_numbers"],
            "The worth of the four numbers by ply, as next cards (left) and to land on (right), with 95 % "
            "intervals.",
        )
        + told
        + "<p>As next cards:</p>"
        + table(_by_letter(strategy.worth_of_numbers(), "next"), names)
        + "<p>To land on:</p>"
        + table(_by_letter(strategy.worth_of_numbers(), "landing"), names)
        + command(strategy.study_command)
    )


def _hundred(share: Share) -> str:
    return str(share).replace("-", "−")


def _by_letter(numbers: pl.DataFrame, kind: str) -> pl.DataFrame:
    """A row for each ply, a column for each number, with its interval."""
    told = [
        f"{row[kind]:.1f} ± {row[f'{kind}_margin']:.1f}".replace("-", "−")
        for row in numbers.iter_rows(named=True)
    ]
    return numbers.with_columns(pl.Series("told", told, pl.String)).pivot(
        "card", index=["ply", "positions"], values="told"
    )


def _ladder(strategy: Strategy, drawings: dict[str, str]) -> str:
    standings, pairings = (_with_intervals(frame) for frame in (strategy.standings(), strategy.pairings()))
    won = {
        "won": "games won, per cent",
        "as_red": "as red, from deals red can win",
        "as_blue": "as blue, from deals blue can win",
    }
    return (
        "<h3>Who beats whom</h3>"
        "<p>The card in games: everybody met everybody with both colours, "
        f"{strategy.ladder_games} deals of each kind: any deals, deals that red can win and deals that blue "
        "can "
        "win. Beside or below a share are the ends of its 95 % interval.</p>"
        + figure(
            drawings["ladder"],
            "Games that the player on the left won against the player below, in per cent: any deals, both "
            "colours. The strongest player comes first.",
        )
        + f'<div class="words">{table(standings, {"player": "player"} | won | {"how": "how it plays"})}</div>'
        + "<p>The card against each of the others:</p>"
        + table(pairings.filter(pl.col("player") == "card"), {"against": "against"} | won)
        + "<p>All pairings are in <code>ladder_pairings.csv</code>.</p>"
        + command(strategy.ladder_command)
    )


def _with_intervals(rates: pl.DataFrame) -> pl.DataFrame:
    """Shares and the ends of their intervals in one column each."""
    return rates.with_columns(
        pl.Series(
            name,
            [
                f"{share:.1f} ({low:.1f}–{high:.1f})"
                for share, low, high in rates.select(f"{name}_percent", f"{name}_low", f"{name}_high").rows()
            ],
            pl.String,
        )
        for name in ("won", "as_red", "as_blue")
    )


def _single_rules(strategy: Strategy) -> str:
    rules = strategy.single_rules()
    names = {"kept_percent": "kept, per cent", "margin": "±", "adds": "adds", "rule": "rule"}
    sure = sure_rules()
    return (
        "<h3>What does not work</h3>"
        f"<p>Rules that one might think of, each by itself after the {len(sure.lines)} sure ones. These add "
        "less "
        f"than {100 * NOTICED:g} win of 100, or do harm:</p>"
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
        "<p>Can one see before the first move who will win? With perfect play red wins "
        f"{100 * findings.red_share(findings.standard):.1f} % of all deals. An ace next to a jack is a poor "
        "card to "
        "start with, for whoever starts there. Over all deals, counted and not sampled:</p>"
        + figure(
            drawings["aces"],
            "Red’s share of all deals in per cent by the aces next to both jacks, with how many deals have "
            "so many.",
        )
        + "<p>But it says little, because red is ahead almost whatever one counts: in only "
        f"{for_blue:.1f} % of all deals do the aces speak for blue. Who always names red is right in "
        f"{right[0]:.1f} % of all deals; the best guess by {escape(guesses['counted'][2])} is right in "
        f"{right[2]:.1f} %, and by {escape(guesses['counted'][3])} in {right[3]:.1f} %.</p>"
        + table(guesses, {"counted": "counted", "right_percent": "best guess right, per cent"})
        + command("collapsi report --out report  (aces_next_to_jacks.csv, guesses_at_sight.csv)")
    )
