"""The chapter of the report on the shifting board: its tables, and what is said of them.

No number is written into the text: all come from the facts. Every table says of each row whether it is exact,
all deals counted, or an estimate from a sample, with its 95 % interval.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl

from collapsi.report.pieces import command, figure, table
from collapsi.rules import SHIFT, STANDARD
from collapsi.shifting_facts.readings import (
    BOX,
    BOX_REMOVED,
    FLAT,
    LINE,
    LINE_REMOVED,
    ROTATE,
    Outcomes,
)
from collapsi.solve.layers import JACKS, distance

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.intervals import Rate
    from collapsi.shifting_facts.facts import Facts
    from collapsi.shifting_facts.readings import Difference, Reading
    from collapsi.shifting_facts.worth import Worth

SIDE = SHIFT.board.rows
MAIN = (FLAT, LINE, BOX, ROTATE)
"""The readings one can play, after the board that stays as it is."""
TITLES = {
    FLAT: "no shift (standard)",
    LINE: "shift: line by line",
    BOX: "shift-box: at the rectangle",
    ROTATE: "shift-rotate: lines turn",
    LINE_REMOVED: "shift, ends at face-up cards",
    BOX_REMOVED: "shift-box, face-up cards’ rectangle",
}


def standard_apart(standard: pl.DataFrame) -> Outcomes:
    """All deals whose jacks share no row and no column, by length under standard rules, out of an atlas.

    An atlas has deals by the distance of the jacks; all cells at one distance have as many deals of a length.
    """
    apart = {
        jacks.distance: sum(
            cell // SIDE != 0 and cell % SIDE != 0 and distance(0, cell) == jacks.distance
            for cell in range(STANDARD.board.size)
        )
        for jacks in JACKS
    }
    cells = {jacks.distance: jacks.places for jacks in JACKS}
    counts = standard.group_by("distance", "plies").agg(pl.col("weight").cast(pl.Int64).sum())
    lengths: dict[int, int] = {}
    for row in counts.iter_rows(named=True):
        deals = row["weight"] * apart[row["distance"]] // cells[row["distance"]]
        if deals:
            lengths[row["plies"]] = lengths.get(row["plies"], 0) + deals
    return Outcomes(FLAT, tuple(sorted(lengths.items())), is_sample=False)


def readings(facts: Facts) -> pl.DataFrame:
    """Red's share, mean length, shortest and longest, a row for each reading."""
    return pl.DataFrame(
        [
            {
                "reading": TITLES[found.reading],
                "known": _known(found.red),
                "deals": found.deals,
                **_columns("red", found.red),
                "mean_plies": found.mean_plies,
                "shortest": found.lengths[0][0],
                "longest": found.lengths[-1][0],
            }
            for found in facts.outcomes
        ]
    )


def lengths(facts: Facts) -> pl.DataFrame:
    """The deals of each length, a row for each reading and length."""
    return pl.DataFrame(
        [
            {
                "reading": found.reading.name,
                "plies": plies,
                "winner": "red" if plies % 2 else "blue",
                "known": _known(found.red),
                "found": deals,
                "deals": found.deals,
                **_columns("share", found.rate(plies)),
            }
            for found in facts.outcomes
            for plies, deals in found.lengths
        ]
    )


def differences(facts: Facts) -> pl.DataFrame:
    """How often two readings differ on the same deals."""
    return pl.DataFrame(
        [
            {
                "first": TITLES[found.first],
                "second": TITLES[found.second],
                "known": _known(found.winner),
                "deals": found.winner.cases,
                **_columns("winner", found.winner),
                **_columns("length", found.length),
            }
            for found in facts.differences
        ]
    )


def first_move(facts: Facts) -> pl.DataFrame:
    """The deals that red wins with the first move."""
    return pl.DataFrame(
        [
            {
                "reading": TITLES[found.reading],
                "known": _known(found.deals),
                "jack_placements": len(found.placements),
                "of_placements": len(found.moves),
                "deals": found.deals.found,
                "of_deals": found.deals.cases,
                "percent": 100 * found.deals.share,
            }
            for found in facts.first_move
        ]
    )


def different(facts: Facts) -> pl.DataFrame:
    """Deals up to the symmetries of each reading."""
    return pl.DataFrame(
        [
            {
                "reading": found.rules.name,
                "known": "exact",
                "symmetries": found.symmetries,
                "deals": found.deals,
                "by_burnside": found.by_burnside,
                "by_enumeration": found.by_enumeration,
            }
            for found in facts.different
        ]
    )


def worth(facts: Facts) -> pl.DataFrame:
    """What a single shift is worth to the mover, a row for each reading and number of plies played."""
    return pl.DataFrame(
        [
            {
                "reading": found.rules.name,
                "plies": found.plies,
                "known": _known(found.own),
                "positions": found.own.cases,
                **_columns("own", found.own),
                **_columns("none", found.none),
                **_columns("theirs", found.theirs),
                **_columns("standard", found.standard),
                "walks": found.walks,
                **{
                    f"walks_{number}_percent": 100 * walks / (found.walks or 1)
                    for number, walks in enumerate(found.ways, 1)
                },
                "chance_keeps_percent": 100 * found.kept_by_chance,
            }
            for found in facts.worth
        ]
    )


TABLES: dict[str, Callable[[Facts], pl.DataFrame]] = {
    "shifting_readings": readings,
    "shifting_lengths": lengths,
    "shifting_differences": differences,
    "shifting_worth": worth,
    "shifting_first_move": first_move,
    "shifting_different": different,
}
"""Every table of the chapter by the name of its file."""


def _known(rate: Rate) -> str:
    return "estimate" if rate.is_sample else "exact"


def _columns(name: str, rate: Rate) -> dict[str, float]:
    """A rate in per cent, with the ends of its interval."""
    low, high = rate.interval
    return {f"{name}_percent": 100 * rate.share, f"{name}_low": 100 * low, f"{name}_high": 100 * high}


# What people are shown: on the page, and by `collapsi shifting`.

Shown = tuple[str, pl.DataFrame, dict[str, str]]
"""What a table is about, the table, and its columns under better names."""


def shown(facts: Facts) -> dict[str, Shown]:
    """The tables as people read them, each with what it is about."""
    return {
        "readings": (
            "Red’s share, and how long it takes",
            _told(readings(facts), "red"),
            {
                "reading": "reading",
                "known": "known",
                "deals": "deals",
                "red": "red wins, per cent",
                "mean_plies": "mean plies",
                "shortest": "shortest",
                "longest": "longest",
            },
        ),
        "lengths": (
            "Deals by length, per cent",
            _by_length(facts),
            {"plies": "plies", "winner": "winner"}
            | {found.reading.name: _head(found) for found in facts.outcomes},
        ),
        "differences": (
            "The same deals under two readings",
            _told(differences(facts), "winner", "length"),
            {
                "first": "reading",
                "second": "beside",
                "known": "known",
                "deals": "deals",
                "winner": "another winner, per cent",
                "length": "another length, per cent",
            },
        ),
        "worth": (
            "How often the mover wins if this once …, per cent",
            _told(worth(facts), "own", "none", "theirs"),
            {
                "reading": "reading",
                "plies": "plies played",
                "known": "known",
                "positions": "positions",
                "own": "the mover shifts",
                "none": "nobody does",
                "theirs": "the opponent does",
            },
        ),
        "ways": (
            "Of the walks that can win, how many of their four shifts win, per cent of walks",
            _ways(facts),
            {
                "reading": "reading",
                "known": "known",
                "walks": "walks",
                "one": "one shift",
                "two": "two",
                "three": "three",
                "four": "all four",
                "chance": "a random shift keeps the win",
            },
        ),
        "first_move": (
            "Deals that red wins with the very first move",
            first_move(facts),
            {
                "reading": "reading",
                "known": "known",
                "jack_placements": "ways to lay the jacks",
                "of_placements": "of",
                "deals": "deals",
                "of_deals": "of all",
                "percent": "per cent",
            },
        ),
        "different": (
            "Deals up to symmetry",
            different(facts),
            {
                "reading": "reading",
                "known": "known",
                "symmetries": "symmetries",
                "deals": "deals",
                "by_burnside": "different, by Burnside’s lemma",
                "by_enumeration": "different, by finding them",
            },
        ),
    }


def _told(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Shares and the ends of their intervals in one column each; of an exact one the share alone."""
    return frame.with_columns(
        pl.Series(
            name,
            [
                f"{share:.2f}" if known == "exact" else f"{share:.1f} ({low:.1f}–{high:.1f})"
                for share, low, high, known in frame.select(
                    f"{name}_percent", f"{name}_low", f"{name}_high", "known"
                ).rows()
            ],
            pl.String,
        )
        for name in names
    )


def _head(found: Outcomes) -> str:
    return f"{found.reading.name}: {_known(found.red)}"


def _by_length(facts: Facts) -> pl.DataFrame:
    """A row for each length, a column for each reading."""
    rows = []
    for plies in sorted({plies for found in facts.outcomes for plies, _ in found.lengths}):
        row: dict[str, Any] = {"plies": plies, "winner": "red" if plies % 2 else "blue"}
        for found in facts.outcomes:
            rate = found.rate(plies)
            row[found.reading.name] = 100 * rate.share if rate.found else None
        rows.append(row)
    return pl.DataFrame(rows)


def _ways(facts: Facts) -> pl.DataFrame:
    """The walks that can win, by how many of their shifts win, over all plies together."""
    rows = []
    for name in dict.fromkeys(found.rules.name for found in facts.worth):
        ways = [
            sum(found.ways[index] for found in facts.worth if found.rules.name == name) for index in range(4)
        ]
        walks = sum(ways) or 1
        row: dict[str, Any] = {"reading": name, "known": "estimate", "walks": sum(ways)}
        for word, count in zip(("one", "two", "three", "four"), ways, strict=True):
            row[word] = f"{100 * count / walks:.0f}"
        row["chance"] = f"{100 * sum(n * count for n, count in enumerate(ways, 1)) / (4 * walks):.0f}"
        rows.append(row)
    return pl.DataFrame(rows)


# The chapter


def chapter(facts: Facts, drawings: dict[str, str]) -> str:
    """The whole chapter."""
    tables = shown(facts)
    return (
        "<h2>The shifting board</h2>"
        "<p>In this official variant every move ends with a shift: the row or the column that the pawn ended "
        "on moves by one space, either way, with all its cards and pawns. Cards leave the square, gaps open, "
        "and the text does not say how such a board wraps. Three readings are played here, always from the "
        "same deals: each line goes on at its other end (<code>shift</code>); lines go on at the rectangle "
        "around all cards, so that a gap at its edge blocks (<code>shift-box</code>); or lines turn, and no "
        "gap opens (<code>shift-rotate</code>, common on the web). Where not all deals could be counted, "
        "random deals were solved, and in brackets is where the share of all deals lies with 95 % "
        "confidence.</p>"
        + _who_wins(facts, tables, drawings)
        + _first(facts, tables, drawings)
        + _worth(facts, tables, drawings)
        + _same_deals(facts, tables)
        + _face_up(facts)
        + _counted(facts, tables)
    )


def _shown(found: Shown) -> str:
    return f'<div class="names">{table(found[1], found[2])}</div>'


def _who_wins(facts: Facts, tables: dict[str, Shown], drawings: dict[str, str]) -> str:
    flat, line, box = (facts.outcome(reading) for reading in (FLAT, LINE, BOX))
    return (
        "<h3>Who wins, and how soon</h3>"
        f"<p>The shift helps whoever moves first: on the same deals red wins {_percent(flat.red)} without "
        f"it, and {_percent(line.red)} with it. Where lines wrap at the rectangle a game is also short: "
        f"{box.mean_plies:.1f} plies on average, against {line.mean_plies:.1f} where each line wraps by "
        "itself.</p>"
        + figure(
            drawings["shifting_lengths"],
            "Deals by length under perfect play. Solid: red wins. Hatched: blue wins. Thin lines: 95 % "
            "intervals, where it is an estimate.",
        )
        + _shown(tables["readings"])
        + _shown(tables["lengths"])
        + "<p>Per cent of deals; their intervals are in <code>shifting_lengths.csv</code>.</p>"
        + command(facts.command)
    )


def _first(facts: Facts, tables: dict[str, Shown], drawings: dict[str, str]) -> str:
    at_once = facts.wins_at_once(BOX)
    won, every = len(at_once.placements), len(at_once.moves)
    never = [
        facts.wins_at_once(reading).reading.name
        for reading in (LINE, ROTATE)
        if not facts.wins_at_once(reading).placements
    ]
    return (
        "<h3>Won with the very first move</h3>"
        f'<p class="note">In <code>shift-box</code> red wins {won} of {every} ways to lay the jacks with the '
        f"first move, whatever the numbers: {100 * at_once.deals.share:.1f} % of all deals, exactly. A "
        "designer who reads the rules so may want to deal again when it happens.</p>"
        "<p>The numbers do not matter because nobody has stood on one yet: red walks one step from a jack, "
        "and blue’s reply is one step from the other. Say blue’s jack is at the end of its row, and red’s is "
        "diagonally next to it, one column further in (also around the top or bottom edge). Red "
        "steps onto blue’s inner neighbour and pushes the row out by one. Blue is now alone in a new column: "
        "above and below are gaps; on the outer side the row goes on at the other edge of the rectangle, "
        "where the shift has opened a gap; and on the inner side stands red. The four sides have four cells "
        "each and each cell two such places for red, which is 32; in each corner one place is counted for "
        "the row and for the column, so 28 are left.</p>"
        + figure(
            drawings["shifting_first_move"],
            "Where blue’s jack must lie for red to win at once in shift-box, by the place of red’s jack (up "
            "to turns and mirrors); and the move, in an example.",
        )
        + (
            f"<p>In {' and '.join(f'<code>{name}</code>' for name in never)} no first move wins at once: "
            "blue always has a neighbour left.</p>"
            if never
            else ""
        )
        + _shown(tables["first_move"])
        + command("collapsi shifting --json  (first_move)")
    )


def _worth(facts: Facts, tables: dict[str, Shown], drawings: dict[str, str]) -> str:
    late = _pooled(facts, LINE)
    return (
        "<h3>What a shift is worth</h3>"
        "<p>There is no playing without shifts, but one can take away a single one. Take a position of a "
        "random game, and let the rules be changed for this move only: the mover shifts as usual; nobody "
        "shifts; or the mover walks and the <i>opponent</i> chooses which of the four shifts is made. "
        "Then both play on by the rules, perfectly. How often does the mover win?</p>"
        f'<p class="note">In <code>shift</code>: {late["own"]:.0f} % with the own shift, {late["none"]:.0f} '
        f"% without it, and {late['theirs']:.0f} % if the opponent makes it, over all positions below. "
        f"A shift is worth {late['own'] - late['none']:.0f} points in a hundred to the mover, and to have "
        f"the choice {late['own'] - late['theirs']:.0f}. Under standard rules the mover wins "
        f"{late['standard']:.0f} %.</p>"
        + figure(
            drawings["shifting_worth"],
            "How often the mover wins, by plies of random play before, with 95 % intervals. Under standard "
            "rules the positions come from random games of standard rules on the same deals.",
        )
        + _shown(tables["worth"])
        + "<p>Walking to the right card is not enough. Of the walks that can win, most win with one or two "
        "of their four shifts only. (Walks of one position are alike, so there is no interval here.)</p>"
        + _shown(tables["ways"])
        + command(facts.command)
    )


def _pooled(facts: Facts, reading: Reading) -> dict[str, float]:
    """Shares over all positions of one reading, in per cent."""
    parts: list[Worth] = [found for found in facts.worth if found.rules == reading.rules]
    names = ("own", "none", "theirs", "standard")
    return {
        name: 100
        * sum(getattr(part, name).found for part in parts)
        / (sum(getattr(part, name).cases for part in parts) or 1)
        for name in names
    }


def _same_deals(facts: Facts, tables: dict[str, Shown]) -> str:
    beside = _difference(facts, LINE, BOX)
    return (
        "<h3>The same deal, read differently</h3>"
        "<p>Does it matter which reading one plays? Of the same deals, another side wins "
        f"{_percent(beside.winner)} under <code>shift-box</code> than under <code>shift</code>, and "
        f"{_percent(beside.length)} take another number of plies.</p>"
        + _shown(tables["differences"])
        + command(facts.command)
    )


def _face_up(facts: Facts) -> str:
    line, box = _difference(facts, LINE, LINE_REMOVED), _difference(facts, BOX, BOX_REMOVED)
    return (
        "<h3>If only face-up cards counted</h3>"
        "<p>In both readings with gaps, collapsed cards count for where a line or the rectangle ends: one at "
        "the end of a line blocks the way round. One could read it otherwise, so that only face-up cards "
        "count. As a collapsed card can be neither entered nor passed, like a gap, and moves with its line, "
        "like a gap, that comes to taking collapsed cards off the table. It would change the winner of "
        f"{_percent(line.winner)} of deals in <code>shift</code> and of {_percent(box.winner)} in "
        f"<code>shift-box</code>, and the length of {_percent(line.length)} and {_percent(box.length)}. "
        "The last rows above and in the tables of lengths have it.</p>" + command(facts.command)
    )


def _difference(facts: Facts, first: Reading, second: Reading) -> Difference:
    return next(found for found in facts.differences if (found.first, found.second) == (first, second))


def _counted(facts: Facts, tables: dict[str, Shown]) -> str:
    line, turning = facts.different[0], facts.different[-1]
    return (
        "<h3>How many deals there are</h3>"
        f"<p>The two jacks share no row and no column, and red’s is told from blue’s: {line.deals:,} deals. "
        "Of the 384 symmetries of the board that stays as it is, a shift leaves only those that carry rows "
        "and columns to rows and columns, ends to ends: tried one by one, by shifting every line both ways "
        f"and looking which cards touch, {line.symmetries} are left, the turns and mirrors of the square; "
        f"where lines turn, which have no ends, {turning.symmetries}.</p>"
        + _shown(tables["different"])
        + command("collapsi shifting --json  (different)")
    )


def _percent(rate: Rate) -> str:
    """A share in a sentence, with its interval if it is an estimate."""
    if not rate.is_sample:
        return f"{100 * rate.share:.1f} %"
    low, high = rate.interval
    return f"{100 * rate.share:.1f} % ({escape(f'{100 * low:.1f}–{100 * high:.1f}')})"
