"""The chapter of the report on the shifting board.

All numbers in the text come from the facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.facts.shifting.readings import BOX, BOX_REMOVED, FLAT, LINE, LINE_REMOVED, ROTATE
from collapsi.report import kept
from collapsi.report.pieces import command, display_table, figure
from collapsi.report.shifting_tables import display_tables

if TYPE_CHECKING:
    from collapsi.facts.shifting.facts import ShiftingFacts
    from collapsi.facts.shifting.readings import Difference, Reading
    from collapsi.facts.shifting.worth import ShiftWorth
    from collapsi.report.pieces import DisplayTable


def chapter(facts: ShiftingFacts, drawings: dict[str, str]) -> str:
    """Return the chapter."""
    tables = display_tables(facts)
    return (
        "<h2>The shifting board</h2>"
        "<p>In this official variant every move ends with a shift: the row or the column that the pawn ended "
        "on moves by one space, in either direction, with all its cards and pawns. Cards leave the square, "
        "gaps open, and the rule sheet does not say how such a board wraps. Three readings are compared here "
        "on the same deals: each line wraps to its other end (<code>shift</code>); lines wrap at the "
        "rectangle around all cards, so that a gap at its edge blocks (<code>shift-box</code>); or lines "
        "rotate, and no gap opens (<code>shift-rotate</code>, common on the web). Where not all deals could "
        "be counted, random deals were solved, with 95 % confidence intervals in brackets.</p>"
        + _who_wins(facts, tables, drawings)
        + _first(facts, tables, drawings)
        + _worth(facts, tables, drawings)
        + _same_deals(facts, tables)
        + _face_up(facts)
        + _counted(facts, tables)
        + kept.samples_of("shifting")
    )


def _who_wins(facts: ShiftingFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    flat, line, box = (facts.outcome(reading) for reading in (FLAT, LINE, BOX))
    return (
        "<h3>Who wins, and how soon</h3>"
        f"<p>The shift helps the first player: on the same deals red wins {flat.red} without it, "
        f"and {line.red} with it. Where lines wrap at the rectangle games are also short: "
        f"{box.mean_plies:.1f} plies on average, against {line.mean_plies:.1f} where each line wraps by "
        "itself.</p>"
        + figure(
            drawings["shifting_lengths"],
            "Deals by length under perfect play. Solid: red wins. Hatched: blue wins. Thin lines: 95 % "
            "intervals of estimates.",
        )
        + display_table(tables["readings"])
        + display_table(tables["lengths"])
        + "<p>Per cent of deals; their intervals are in <code>shifting_lengths.csv</code>.</p>"
        + command(facts.command)
    )


def _first(facts: ShiftingFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    at_once = facts.wins_at_once(BOX)
    won, every = len(at_once.placements), len(at_once.moves)
    never = [
        facts.wins_at_once(reading).reading.name
        for reading in (LINE, ROTATE)
        if not facts.wins_at_once(reading).placements
    ]
    return (
        "<h3>Won with the very first move</h3>"
        f'<p class="note">In <code>shift-box</code> red wins {won} of {every} placements of the jacks with '
        f"the first move, whatever the numbers: exactly {100 * at_once.deals.share:.1f} % of all deals. A "
        "designer who prefers this reading may want to deal again when it happens.</p>"
        "<p>The numbers do not matter because neither pawn has stood on one yet: red walks one step from a "
        "jack, and blue’s reply is one step from the other. Say blue’s jack is at the end of its row, and "
        "red’s is "
        "diagonally next to it, one column further in (also around the top or bottom edge). Red "
        "steps onto blue’s inner neighbour and pushes the row out by one. Blue is now alone in a new column: "
        "above and below are gaps; on the outer side the row goes on at the other edge of the rectangle, "
        "where the shift has opened a gap; and on the inner side stands red. The four sides have four cells "
        "each and each cell two such places for red, which is 32; in each corner one place is counted for "
        "the row and for the column, so 28 are left.</p>"
        + figure(
            drawings["shifting_first_move"],
            "The places of blue’s jack with which red wins at once in shift-box, by the place of red’s jack "
            "(up to rotations and reflections); and an example of the move.",
        )
        + (
            f"<p>In {' and '.join(f'<code>{name}</code>' for name in never)} no first move wins at once: "
            "blue always has a neighbour left.</p>"
            if never
            else ""
        )
        + display_table(tables["first_move"])
        + command("collapsi facts shift --json  (first_move)")
    )


def _worth(facts: ShiftingFacts, tables: dict[str, DisplayTable], drawings: dict[str, str]) -> str:
    late = _pooled(facts, LINE)
    return (
        "<h3>What a shift is worth</h3>"
        "<p>To measure the value of a single shift, take a position of a random game, and change the rules "
        "for this move only: the mover shifts as usual; there is no shift; or the mover walks and the "
        "<i>opponent</i> chooses which of the four shifts is made. Then both play perfectly by the rules. "
        "How often does the mover win?</p>"
        f'<p class="note">In <code>shift</code>: {late["own"]:.0f} % with the own shift, {late["none"]:.0f} '
        f"% without it, and {late['theirs']:.0f} % if the opponent chooses it, over all positions below. "
        f"So a shift is worth {late['own'] - late['none']:.0f} percentage points to the mover, and the "
        f"choice {late['own'] - late['theirs']:.0f}. Under standard rules the mover wins "
        f"{late['standard']:.0f} %.</p>"
        + figure(
            drawings["shifting_worth"],
            "How often the mover wins, by plies of random play before the position, with 95 % intervals. "
            "For standard rules the positions come from random games by standard rules on the same deals.",
        )
        + display_table(tables["worth"])
        + "<p>Walking to the right card is not enough. Most of the walks that can win do so with only one or "
        "two of their four shifts. (Walks of one position are correlated, so there is no interval here.)</p>"
        + display_table(tables["ways"])
        + command(facts.command)
    )


def _pooled(facts: ShiftingFacts, reading: Reading) -> dict[str, float]:
    """Return the shares over all positions of one reading, in per cent."""
    parts: list[ShiftWorth] = [found for found in facts.worth if found.rules == reading.rules]
    names = ("own", "none", "theirs", "standard")
    return {
        name: 100
        * sum(getattr(part, name).found for part in parts)
        / (sum(getattr(part, name).cases for part in parts) or 1)
        for name in names
    }


def _same_deals(facts: ShiftingFacts, tables: dict[str, DisplayTable]) -> str:
    compared = _difference(facts, LINE, BOX)
    return (
        "<h3>The same deal under different readings</h3>"
        "<p>Does the reading matter? Of the same deals, "
        f"{compared.winner} have another winner under <code>shift-box</code> than under "
        f"<code>shift</code>, and {compared.length} another number of plies.</p>"
        + display_table(tables["differences"])
        + command(facts.command)
        + kept.readings_table()
    )


def _face_up(facts: ShiftingFacts) -> str:
    line, box = _difference(facts, LINE, LINE_REMOVED), _difference(facts, BOX, BOX_REMOVED)
    return (
        "<h3>If only face-up cards counted</h3>"
        "<p>In both readings with gaps, collapsed cards count for the ends of lines and of the rectangle: a "
        "collapsed card at the end of a line blocks the way round. Another reading is that only face-up "
        "cards count. As a collapsed card can be neither entered nor passed, like a gap, and moves with its "
        "line, like a gap, that is the same as removing collapsed cards. It would change the winner of "
        f"{line.winner} of deals in <code>shift</code> and of {box.winner} in "
        f"<code>shift-box</code>, and the length of {line.length} and {box.length}. "
        "See the last rows of the tables above and of the tables of lengths.</p>" + command(facts.command)
    )


def _difference(facts: ShiftingFacts, first: Reading, second: Reading) -> Difference:
    return next(found for found in facts.differences if (found.first, found.second) == (first, second))


def _counted(facts: ShiftingFacts, tables: dict[str, DisplayTable]) -> str:
    line, rotate = facts.different[0], facts.different[-1]
    return (
        "<h3>How many deals there are</h3>"
        "<p>The two jacks share no row and no column, and red’s is distinguished from blue’s: "
        f"{line.deals:,} deals. Of the 384 symmetries of the board without shifts, only those remain that "
        "map rows and columns to rows and columns, and ends to ends. Each was tested by shifting every line "
        f"in both directions and comparing which cards touch: {line.symmetries} remain, the rotations and "
        f"reflections of the square; where lines rotate, and have no ends, {rotate.symmetries}.</p>"
        + display_table(tables["different"])
        + command("collapsi facts shift --json  (different)")
    )
