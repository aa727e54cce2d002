"""The chapter of the report on fairness between players of equal skill, from kept studies."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from collapsi.games.levels import Level
from collapsi.report.pieces import command, figure, rate_columns, table
from collapsi.study.kept import KeptStudy, kept_studies, kept_study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.intervals import Rate

RULES = ("standard", "joker", "choice", "3|1,2", "shift")
"""The games that are compared."""
DECKS = ("standard", "standard@6,4,4,0", "standard@6,4,2,2", "standard@5,4,3,2")
"""The official deck, the two fairest within two cards, and the fairest within one."""


LEVELS = [level for level in Level if level is Level.PERFECT or not level.never_errs]
"""The levels, weakest first; a second one that never errs would give the same shares."""


def studies_of(rules: str) -> list[KeptStudy]:
    """Return the kept studies of a rule set, weakest level first."""
    found = [kept_study(rules, level) for level in LEVELS]
    return [study for study in found if study is not None]


def skill() -> pl.DataFrame:
    """Return the first player's share by rules and level."""
    return pl.DataFrame(
        [
            {
                "rules": study.rules,
                "level": study.level,
                "known": "exact" if study.exact else "sample",
                "games": study.deals,
                "red_wins": study.red.found,
                **rate_columns("red", study.red),
                "date": study.date,
                "command": study.command,
            }
            for rules in dict.fromkeys((*RULES, *DECKS))
            for study in studies_of(rules)
        ]
    )


def chapter(drawings: dict[str, str]) -> str:
    """Return the chapter."""
    rows = [
        {"rules": rules, **{level: share_text(kept_study(rules, level)) for level in LEVELS}}
        for rules in dict.fromkeys((*RULES, *DECKS))
    ]
    dates = sorted({study.date for study in kept_studies() if study.rules in (*RULES, *DECKS)})
    return (
        "<h2>How fair is it between equals who are not perfect?</h2>"
        "<p>All shares so far are those of perfect play. People are not perfect. Here the computer plays "
        "both sides of random deals at one level, from random moves to perfect play: how often does the "
        "first player win? The levels are in the order of their strength, each measured against the one "
        "before it (<code>collapsi ladder --neighbours</code>).</p>"
        + figure(
            drawings["skill"],
            "The first player’s share by skill, with 95 % intervals. Left: rules. Right: decks. On the "
            "dotted line the game is fair.",
        )
        + f'<p class="note">{escape(summary())}</p>'
        + '<div class="names">'
        + table(
            pl.DataFrame(rows, infer_schema_length=None), {"rules": "", **{name: name for name in LEVELS}}
        )
        + "</div><p>The first player’s wins in per cent, ± half of the 95 % interval; without it the share "
        f"is exact. Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))}; every row with its number "
        "of games and its command is in <code>skill.csv</code>.</p>"
        + command("collapsi study standard --level card --deals 10000 --seed 7")
        + command("collapsi census --openings --level card")
    )


def summary() -> str:
    """Say what follows for people who choose rules."""
    levels = LEVELS[: LEVELS.index(Level.EXPERT) + 1]
    classic = (study for rules in (*RULES, *DECKS) if rules != "shift" for study in studies_of(rules))
    far = max(abs(study.red.share - 0.5) for study in classic if study.level in levels)
    even = [abs(study.red.share - 0.5) for study in studies_of("3|1,2")]
    return (
        f"Up to the level expert no rule and no deck of the classic game is more than {100 * far:.1f} points "
        "away from one half: the first player’s advantage is one that only nearly perfect players can use. "
        f"In the standard game it grows to {_percent('standard', Level.MASTER)} for masters and "
        f"{_percent('standard', Level.PERFECT)} under perfect play; with the joker rules it falls to "
        f"{_percent('joker', Level.MASTER)} and {_percent('joker', Level.PERFECT)}. First moves of 3 and of "
        f"1 or 2 steps stay within {100 * max(even):.1f} points of one half at every level."
    )


def _red(rules: str, level: Level) -> Rate:
    study = kept_study(rules, level)
    assert study is not None
    return study.red


def _percent(rules: str, level: Level) -> str:
    return f"{100 * _red(rules, level).share:.1f} %"


def share_text(study: KeptStudy | None) -> str | None:
    """Format a share with half of its interval."""
    if study is None:
        return None
    share = f"{100 * study.red.share:.1f}"
    return share if study.exact else f"{share} ± {50 * study.red.width:.1f}"


def games_of(names: Sequence[str]) -> dict[str, list[KeptStudy]]:
    """Return the studies of several rule sets that have any."""
    return {rules: found for rules in names if (found := studies_of(rules))}
